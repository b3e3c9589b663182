"""What is below `score` refuses what it is not made for: no call harms the interpreter."""

import copy
import pickle

import numpy as np
import pytest
from mcr_hands import context_of, described, hand_text, winning_hands

import mjcore
from mjcore import score_batch, score_loops
from mjcore.facts import FACTS
from mjcore.fans import Shape
from mjcore.programs import KNOWN_FACTS, Program
from mjcore.rows import Rows
from mjcore.wins import Win

MCR = mjcore.rule_set("mcr")
GOOD = (mjcore.parse("789sNNFFF"), [0 | 1 << 6, 21 | 1 << 6], 28, 0, 30, 30, 0)


def test_a_win_that_was_not_read_is_not_scored():
    empty = Win.__new__(Win)
    for ask in (empty.total, empty.waits, empty.readings, empty.unmet):
        with pytest.raises(ValueError, match="expected a hand that was read"):
            ask(MCR._program)
    with pytest.raises(ValueError, match="expected a hand that was read"):
        empty.settle(True)
    with pytest.raises(ValueError, match="expected a hand that was read"):
        mjcore.Score(empty, MCR)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, 5),
        (0, -1),
        (0, "1m"),
        (1, [33279] * 4),
        (1, [511, 511, "x", "y"]),
        (1, [65] * 5),
        (2, 34),
        (2, -1),
        (3, 256),
        (4, 255),
        (5, 3),
        (6, 9),
    ],
)
def test_a_win_is_checked(place, value):
    good = list(GOOD)
    assert Win(*good).total(MCR._program) == 16
    win = Win(*good)
    good[place] = value
    with pytest.raises((ValueError, TypeError, OverflowError)):
        win.__init__(*good)
    with pytest.raises(ValueError, match="expected a hand that was read"):
        win.total(MCR._program)


def test_melds_of_a_length_that_lies():
    class Liar(list):
        def __len__(self):
            return 1

    with pytest.raises((ValueError, TypeError)):
        Win(GOOD[0], Liar([65] * 3000), *GOOD[2:])


@pytest.mark.parametrize("kind", [-1, 34, 1000, 2**31 - 1, -(2**31)])
def test_a_kind_that_is_none(kind):
    with pytest.raises((ValueError, OverflowError)):
        Win.read("789sNNFF [123m] [456p]", kind, (0, 30, 30, 0))


def test_no_program():
    win = Win(*GOOD)
    for ask in (win.total, win.waits, win.readings):
        with pytest.raises(TypeError):
            ask(None)


def plan():
    """What a program is made of, taken where the rule set makes it."""
    seen = []
    source = mjcore.rule_sets.Program
    try:
        mjcore.rule_sets.Program = lambda made: seen.append(made) or source(made)
        mjcore.load_rules({**MCR.to_dict()})
    finally:
        mjcore.rule_sets.Program = source
    return seen[0]


@pytest.mark.parametrize(
    "change",
    [
        {"points": [1] * 10**4},
        {"points": [-1]},
        {"bonus": [10**6]},
        {"bonus": [-(10**8)]},
        {"wait_terms": [10**8]},
        {"n_fans": 100_000},
        {"n_rows": -5},
        {"counts": {10**8: [(0, 1)]}},
        {"counts": {0: [(256, 1)]}},
        {"absorbs": {10**8: [1]}},
        {"absorbs": {0: [-(10**8)]}},
        {"terms": [(row, 1 << 48, 0) for row in range(90)]},
        {"terms": [(row, 0, 1 << 255) for row in range(90)]},
        {"terms": [(255, 0, 0)] * 256},
        {"relation_rows": {0: 200}},
        {"partials": [(255, 255, 0, [])]},
    ],
    ids=str,
)
def test_a_plan_is_checked(change):
    made = plan()
    Program(made)
    with pytest.raises(ValueError, match="expected"):
        Program({**made, **change})
    with pytest.raises(TypeError):
        Program(None)


def test_every_fact_is_in_a_byte_that_conditions_read():
    places = {bit for _, _, place, bits, _ in FACTS for bit in range(place, place + bits)}
    assert all(KNOWN_FACTS >> bit & 1 for bit in places)
    (_, facts), *_ = Win(*GOOD).readings(MCR._program)
    n_rows = plan()["n_rows"]
    made = {**plan(), "n_fans": n_rows, "wait_terms": range(n_rows)}
    for byte in {bit // 8 for bit in places}:
        bit = 1 << min(bit for bit in places if bit // 8 == byte)
        for needed, barred in ((bit, 0), (0, bit)):
            rules = Program({**made, "terms": [(row, needed, barred) for row in range(n_rows)]})
            ((*_, met, _, _, _, _), _), *_ = Win(*GOOD).readings(rules)
            assert (met == 2**n_rows - 1) == bool(facts & bit if needed else not facts & bit)


def test_rows_that_are_not_there():
    rows, melds = np.zeros((4, 34), np.uint8), np.zeros((4, 4), np.uint16)
    made = {
        "small": np.zeros(4, np.uint8),
        "flags": np.zeros(4, np.uint32),
        "others": np.zeros((4, 3), np.uint8),
        "totals": np.zeros(4, np.int32),
        "payments": np.zeros((4, 4), np.int32),
        "counts": np.zeros((4, len(MCR.fans)), np.uint8),
    }

    def run(stop=4, counts=made["counts"], others=made["others"], program=MCR._program):
        status = np.zeros(4, np.uint8)
        score_loops.score_rows(
            Rows(rows), melds, made["small"], made["flags"], others, None, program, False,
            made["totals"], status, made["payments"], counts, 0, stop,
        )  # fmt: skip

    run()
    for wrong in ({"stop": 10**7}, {"counts": np.zeros((4, 0), np.uint8)}, {"others": np.zeros((4, 1), np.uint8)}):
        with pytest.raises(ValueError, match="expected"):
            run(**wrong)
    with pytest.raises(TypeError):
        run(program=None)
    with pytest.raises(TypeError):
        run(counts=None)


def test_a_count_above_255():
    rules = MCR.replace(fans={"flower": {"count": "+".join(["n_flowers"] * 16), "points": 1}})
    counts = score_batch.batch_score(
        [mjcore.unpack(GOOD[0])], win_tile=28, melds=GOOD[1] + [0, 0], flowers=8, rules=rules
    ).counts
    place = [row.id for row in rules.fans].index("flower")
    assert counts[0, place] == 128


def test_a_context_takes_no_state():
    context = mjcore.Context(self_drawn=True, seat_wind="S", flowers=2)
    assert pickle.loads(pickle.dumps(context)) == context
    with pytest.raises(TypeError, match="made of its fields"):
        context.__setstate__({"_code": (1, 200, 200, 200)})


def test_a_hand_with_too_many_melds():
    hand = mjcore.Hand("11m [EEE]")
    object.__setattr__(hand, "melds", hand.melds * 1000)
    with pytest.raises(mjcore.InvalidHandError, match="at most 4 melds"):
        mjcore.score(hand, win_tile="1m")
    with pytest.raises(mjcore.InvalidHandError, match="at most 4 melds"):
        mjcore.fan_distance(hand, "all_pungs")


def test_winds_of_numpy_and_what_no_wind_is():
    assert mjcore.Context(seat_wind=np.int64(31)).seat_wind == "S"
    for wrong in (True, None, 1.5, []):
        with pytest.raises(TypeError, match="expected a wind for seat_wind"):
            mjcore.Context(seat_wind=wrong)


def test_a_shape_is_made_of_a_hand_and_its_rules():
    class Fake:
        fans, _program = (), MCR._program

    shape = Shape(Win(*GOOD), MCR)
    assert shape.total == 16
    assert [shape.groups(place) for place in range(len(MCR.fans))]
    for place in (-1, len(MCR.fans), 10**6):
        with pytest.raises(IndexError):
            shape.groups(place)
        assert shape.count(place) == 0
    for win, rules in ((None, MCR), (Win(*GOOD), None), (Win(*GOOD), Fake), (GOOD, MCR)):
        with pytest.raises((TypeError, AttributeError)):
            Shape(win, rules)
    with pytest.raises(TypeError):
        Shape.__new__(Shape)
    with pytest.raises(LookupError):
        Shape(Win(*GOOD), MCR, 1)
    with pytest.raises(ValueError, match="expected a hand that was read"):
        Shape(Win.__new__(Win), MCR)


def test_a_fan_is_set_once():
    fan = mjcore.score("789sNNFF [123m] [456p]", win_tile="F").fans[0]
    for name in ("id", "points", "groups"):
        with pytest.raises(AttributeError):
            setattr(fan, name, 1)
    with pytest.raises(AttributeError, match="immutable"):
        fan.__init__("a", "b", "c", 1, 1, ())
    assert copy.copy(fan) is copy.deepcopy(fan) is fan
    assert pickle.loads(pickle.dumps(fan)) == fan
    assert eval(repr(fan), {"Fan": mjcore.Fan}) == fan
    with pytest.raises(TypeError):
        mjcore.Fan(None, "b", "c", 1, 1, ())
    with pytest.raises(TypeError):
        mjcore.Fan("a", "b", "c", 1, 1, None)


def test_runner_ups_pickle():
    score = mjcore.score("22233344m44s [EEEE*]", win_tile="4m", self_drawn=True)
    (other,) = pickle.loads(pickle.dumps(score.runner_ups))
    assert (other,) == score.runner_ups
    assert other != score.runner_ups[0]._shape
    assert (other.total, other.fans, other.excluded) == (35, score.runner_ups[0].fans, score.runner_ups[0].excluded)
    assert hash(other) == hash(score.runner_ups[0])


def test_the_requirement_that_fails_is_told():
    rules = mjcore.load_rules(
        {"ruleset": {"id": "house", "extends": "mcr"}, "require": [{"when": "self_drawn", "reason": "must draw"}]}
    )
    with pytest.raises(mjcore.NotAWinError, match="must draw"):
        mjcore.score("123456789m222s11p", win_tile="2s", rules=rules)


def test_the_winning_tile_is_pointed_at(capsys):
    from mjcore.__main__ import main

    assert main(["score", "123m456m789m11p22s + 23s"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert 0 <= lines[-1].index("^") - lines[-2].index("23s") < 3


@pytest.mark.parametrize("rules", ["mcr", "mcr_001"])
def test_waits_are_those_of_ting(rules):
    """By shape: a fifth copy of a kind held four times is among them."""
    rule_set = mjcore.rule_set(rules)
    by_shape = rule_set.hand_rules.replace(wait_mode="shape")
    n_fifths = 0
    for win in winning_hands(20261130, 3000):
        score = mjcore.score(hand_text(win), win_tile=win.win, rules=rules, **context_of(win))
        before = mjcore.Hand(score.hand.concealed - (1 << 4 * win.win), score.hand.melds)
        assert score.waits == mjcore.ting(before, rules=by_shape), described(win)
        n_fifths += any(before.concealed >> 4 * kind & 4 for kind in score.waits)
    assert n_fifths > 5
