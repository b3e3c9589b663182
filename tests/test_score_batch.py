"""Scores of arrays are the scores of their hands, one by one."""

import numpy as np
import pytest
from mcr_hands import arrays, context_of, described, hand_text, winning_hands

import mjcore
from mjcore.score_batch import STATUS, batch_score, flags_of

MCR = mjcore.rule_set("mcr")
SEED = 20261202
N_HANDS = 4_000


@pytest.fixture(scope="module")
def wins():
    return list(winning_hands(SEED, N_HANDS))


def counts_of(text):
    return np.array(mjcore.unpack(mjcore.parse(text)), np.uint8)


def score_all(arguments, **options):
    arguments = dict(arguments)
    return batch_score(arguments.pop("hands"), **arguments, **options)


@pytest.mark.parametrize("waiting", [False, True])
@pytest.mark.parametrize("rules", ["mcr", "mcr_001", "strict"])
def test_rows_are_scores(wins, waiting, rules):
    if rules == "strict":
        rules = MCR.replace(options={"strict98": True, "mixed_kongs": "split"}, minimum=20, base=3)
    got = score_all(arrays(wins, waiting=waiting), rules=rules)
    fans = mjcore.rule_set(rules).fans if isinstance(rules, str) else rules.fans
    for row, win in enumerate(wins[:: 1 if rules == "mcr" else 5]):
        row *= 1 if rules == "mcr" else 5
        want = mjcore.score(hand_text(win, with_win=False), win_tile=win.win, rules=rules, **context_of(win))
        assert got.total[row] == want.total, described(win)
        assert STATUS[got.status[row]] == ("OK" if want.minimum_met else "BELOW_MINIMUM")
        counts = {fan.id: int(many) for fan, many in zip(fans, got.counts[row], strict=True) if many}
        assert counts == {fan.id: fan.count for fan in want.fans}, described(win)
        paid = want.payments
        others = [paid.get("discarder", paid["others"]), paid["others"], paid["others"]] if paid else [0, 0, 0]
        assert got.payments[row].tolist() == [paid.get("winner", 0), *others]
    assert (got.payments.sum(axis=1) == 0).all()


def test_the_order_of_melds_changes_nothing(wins):
    arguments = arrays(wins)
    want = score_all(arguments)
    arguments["melds"] = arguments["melds"][:, ::-1].copy()
    got = score_all(arguments)
    for mine, theirs in zip(want, got, strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("workers", [2, 3])
def test_workers(wins, workers):
    for one, many in zip(score_all(arrays(wins)), score_all(arrays(wins), workers=workers), strict=True):
        assert np.array_equal(one, many)


def test_rows_that_are_no_scores():
    hands = {
        "NOT_A_WIN": ("2233445566779p", "8p", {}),
        "BELOW_MINIMUM": ("123m45s345678p88s", "6s", {}),
        "BAD_HAND": ("123m45s345678p8s", "6s", {}),
        "BAD_WIN_TILE": ("2233445566779p8p", "1p", {}),
        "BAD_CONTEXT": ("123m45s345678p88s", "6s", {"rob_kong": True, "wall_last": True}),
    }
    for status, (hand, tile, flags) in hands.items():
        got = batch_score([counts_of(hand)], win_tile=mjcore.kind_of(tile), flags=flags_of(**flags))
        assert [STATUS[each] for each in got.status] == [status]
        assert got.total.tolist() == [-1 if status != "BELOW_MINIMUM" else 5]
        assert not got.payments.any()
        if status != "BELOW_MINIMUM":
            assert not got.counts.any()


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"flowers": 9}, "BAD_CONTEXT"),
        ({"seat_wind": 27}, "BAD_CONTEXT"),
        ({"round_wind": 99}, "BAD_CONTEXT"),
        ({"win_tile": 34}, "BAD_WIN_TILE"),
        ({"win_tile": 255}, "BAD_WIN_TILE"),
        ({"melds": np.array([8 | 1 << 6, 0, 0, 0], np.uint16)}, "BAD_MELD"),
        ({"melds": np.array([7 << 6, 0, 0, 0], np.uint16)}, "BAD_MELD"),
        ({"melds": np.array([40 | 2 << 6, 0, 0, 0], np.uint16)}, "BAD_MELD"),
        ({"flags": 1 << 20}, "BAD_CONTEXT"),
    ],
    ids=str,
)
def test_bad_values(changes, status):
    hand = "45s345678p88s" if "melds" in changes else "123m45s345678p88s"
    got = batch_score([counts_of(hand)], **{"win_tile": mjcore.kind_of("6s"), **changes})
    assert (STATUS[got.status[0]], got.total[0]) == (status, -1)


def test_one_hand():
    got = batch_score(counts_of("2233445566778p"), win_tile=mjcore.kind_of("8p"))
    assert [answer.shape for answer in got] == [(), (), (4,), (len(MCR.fans),)]
    assert (int(got.total), STATUS[int(got.status)]) == (90, "OK")


def test_rows_left_out(wins):
    asked = np.arange(len(wins)) % 3 == 0
    got, want = score_all(arrays(wins), where=asked), score_all(arrays(wins))
    assert (got.total[asked] == want.total[asked]).all()
    assert {STATUS[status] for status in got.status[~asked]} == {"NOT_ASKED"}
    assert (got.total[~asked] == -1).all()


def test_shapes_and_lanes(wins):
    arguments = arrays(wins[:12])
    want = score_all(arguments)
    shaped = {name: values.reshape(3, 4, *values.shape[1:]) for name, values in arguments.items()}
    got = score_all(shaped)
    assert got.total.shape == (3, 4)
    assert np.array_equal(got.counts.reshape(12, -1), want.counts)
    none = score_all({name: values[:0] for name, values in arguments.items()})
    assert [answer.shape[0] for answer in none] == [0, 0, 0, 0]
    wide = {**arguments, "hands": arguments["hands"].astype(np.int64)}
    assert np.array_equal(score_all(wide).total, want.total)


def test_rows_without_a_score_are_zero_whatever_the_memory_held(wins):
    arguments = arrays(wins)
    arguments["hands"][::3, 0] = 9
    arguments["hands"][1::3] = 0
    arguments["hands"][1::3, :13] = 1
    n_fans = len(MCR.fans)
    for _ in range(3):
        for junk in (np.full((len(wins), n_fans), 7, np.uint8), np.full((len(wins), 4), 7, np.int32)):
            del junk
        scores = score_all(arguments, where=np.arange(len(wins)) % 5 > 0)
        none = scores.total < 0
        assert {STATUS[status] for status in np.unique(scores.status[none])} >= {"BAD_HAND", "NOT_ASKED"}
        assert not scores.counts[none].any()
        assert not scores.payments[none].any()
        assert scores.counts[~none].any(axis=1).all()
