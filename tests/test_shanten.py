"""Shanten, useful tiles, discards and improving tiles: facts, the slow reference under every option, and laws."""

import copy
import pickle
import random

import numpy as np
import pytest
import reference
from families import (
    FAMILIES,
    assert_rows,
    drop_one,
    exchange_one,
    family,
    flags,
    seven_pairs_hands,
    shown,
    vecs,
    waiting_family,
)

import mjcore
from mjcore import Hand, HandRules, KindSet, Meld, batch

pytestmark = pytest.mark.slow

SEED = 20261130
FULL = tuple(name for name in FAMILIES if name != "short")
KINDS_258 = frozenset(9 * suit + index for suit in range(3) for index in (1, 4, 7))
DEMO_WAITING = [
    "1133m66s55pEESS7m",
    "19m19p19sEWSNCPF",
    "1112345678999m",
    "1112345666678m",
    "3334567888m",
    "2223444456777m",
    "1112345666m",
    "3334445678m",
    "3334555m",
    "3344556677m",
    "3334445m",
    "3332m",
]
OPTIONS = {
    "default": reference.DEFAULT,
    "standard": reference.Rules(forms=("standard",)),
    "seven_pairs": reference.Rules(forms=("seven_pairs",)),
    "orphans": reference.Rules(forms=("thirteen_orphans",)),
    "quads": reference.Rules(seven_pairs_quads=True),
    "quads_alone": reference.Rules(forms=("seven_pairs",), seven_pairs_quads=True),
    "hk": reference.Rules(forms=("standard", "thirteen_orphans")),
    "eyes_258": reference.Rules(eyes=KINDS_258),
    "eyes_east": reference.Rules(forms=("standard",), eyes=frozenset((30,))),
    "eyes_one_suit": reference.Rules(forms=("standard",), eyes=frozenset(range(9, 18))),
    "joker_kind": reference.Rules(joker_kind=4),
    "joker_kind_four_copies": reference.Rules(joker_kind=4, joker_fifth_copy=False),
    "joker_kind_honor": reference.Rules(joker_kind=33, seven_pairs_quads=True),
    "joker_kind_eyes": reference.Rules(joker_kind=10, eyes=KINDS_258),
    "joker_kind_natural_pairs": reference.Rules(joker_kind=4, joker_special_forms=False),
}
every_option = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())


def fitting(hands):
    return hands[hands.sum(axis=1) % 3 != 0]


def rules_of(options):
    return HandRules(**options._asdict())


def masks_of(kinds):
    return (kinds.astype(np.uint64) << np.arange(34, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)


def mixed_hands(n, seed=SEED):
    """Hands of 13 and 14 tiles of every family, pairs among them, and short ones."""
    rng = np.random.default_rng(seed)
    parts = [drop_one(rng, seven_pairs_hands(rng, n)), exchange_one(rng, seven_pairs_hands(rng, n))]
    n_made = max(400, 8 * n)
    for name in FAMILIES:
        # families are in parts of one making, so some of each part
        for hands in (family(name, seed, n_made), waiting_family(name, seed, n_made)):
            parts.append(hands[rng.permutation(len(hands))[:n]])
    return fitting(np.concatenate(parts))


# --- facts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "form", "want"),
    [
        ("123456789p5555s", None, 1),
        ("123456789pCCCC", None, 1),
        ("CCCFFFPPPEEEE", None, 1),
        ("CCCFFFPPPPEEEE", None, 1),
        ("245568s245568m33p", None, 2),
        ("12224469s", None, 1),
        ("SE [SSS] [WWW] [NNN] [EEE]", None, 1),
        ("19m19p19sESWN [555p]", None, 6),
        ("19m19p19sESWNCFP", None, 0),
        ("19m19p19sESWNCFP", "standard", 8),
        ("19m19p19sESWNCFP", "seven_pairs", 6),
        ("147m258s369pESWN", "standard", 8),
        ("19m19p19sESWNCFPP", None, -1),
        ("1133m66s55pEESS7m", "seven_pairs", 0),
        ("1111m2222m3333m5m", "seven_pairs", 6),
        ("1m", None, 0),
        ("11m", None, -1),
        ("12m", None, 0),
        ("1113m", None, 0),
        ("2222m", None, 1),
        ("5555m", None, 1),
        ("1111m [222m] [333m] [CCC]", None, 1),
        ("1111222333444m", None, 0),
        ("1m [111m] [222m] [333m] [CCC]", None, 1),
        ("1m [2222m] [222p] [333m] [CCC]", None, 0),
        ("18166174523667m", None, -1),
    ],
)
def test_shanten_of_known_hands(hand, form, want):
    assert mjcore.shanten(hand, form=form) == want
    assert mjcore.useful_tiles(hand, rules=None if form is None else HandRules(forms=(form,))).shanten == want


@pytest.mark.parametrize("hand", DEMO_WAITING)
def test_demo_hands_are_ready_and_their_waits_are_the_useful_tiles(hand):
    assert mjcore.shanten(hand) == 0
    assert mjcore.useful_tiles(hand).kinds == mjcore.ting(hand)


@pytest.mark.parametrize(
    ("hand", "n_jokers", "fifth", "four"),
    [
        ("EEEE", 1, -1, 0),
        ("1111m", 1, -1, 0),
        ("1111m23m", 2, -1, -1),
        ("EESSSS123m", 2, -1, 0),
        ("1m", 1, -1, -1),
        ("", 2, -1, -1),
        ("", 5, -1, -1),
        ("19m", 3, -1, -1),
        ("", 1, 0, 0),
        ("123m", 1, 0, 0),
        ("2345m66p", 1, 0, 0),
        ("1122m3344p5566s", 2, -1, -1),
        ("19m19p19sESWNCF", 2, -1, -1),
    ],
)
def test_jokers_in_both_readings(hand, n_jokers, fifth, four):
    assert mjcore.shanten(hand, jokers=n_jokers) == fifth
    assert mjcore.shanten(hand, jokers=n_jokers, rules=HandRules(joker_fifth_copy=False)) == four


def test_from_no_joker_to_the_first_one_can_be_two_steps():
    assert mjcore.shanten("5555m") == 1
    assert mjcore.shanten("5555m", jokers=1) == -1


def test_three_equal_tiles_of_seven_pairs_without_quads():
    assert mjcore.shanten("111223344556m7s", form="seven_pairs") == 1
    assert mjcore.shanten("1112233445566m", form="seven_pairs") == 1
    quads = HandRules(seven_pairs_quads=True)
    assert mjcore.shanten("1112233445566m", form="seven_pairs", rules=quads) == 0
    assert mjcore.shanten("1111223344556m", form="seven_pairs", rules=quads) == 0
    assert mjcore.shanten("1111223344556m", form="seven_pairs") == 2


def test_useful_tiles_with_their_copies():
    live = mjcore.useful_tiles("9999m678m345p12sS", rules=HandRules(forms=("standard",)))
    assert {mjcore.tile_name(kind): left for kind, left in live.items()} == {"6m": 3, "3s": 4, "S": 3}
    assert (live.total, live.shanten) == (10, 1)


@pytest.mark.parametrize(("visible", "left"), [(None, 4), ("222p", 1), ("2222p", 0), ("9999m", 4)])
def test_visible_tiles_change_the_copies_and_not_the_kinds(visible, left):
    live = mjcore.useful_tiles("13p567m234sNN [888s]", visible=visible)
    assert live.shanten == 0
    assert live.kinds == KindSet("2p")
    assert dict(live) == {19: left}
    assert live.total == left


def test_melded_copies_are_not_left():
    live = mjcore.useful_tiles("45m EE [666m] [123s] [789p]", visible="3m 6m")
    assert dict(live) == {2: 3, 5: 0}


def test_a_kind_that_is_used_up_by_melds_is_not_useful():
    live = mjcore.useful_tiles("45m EE [6666m] [123s] [789p]")
    assert dict(live) == {2: 4}


@pytest.mark.parametrize(
    ("hand", "n_jokers"), [("1m", 1), ("123m", 2), ("", 2), ("12m", 3), ("123456m 11s", 6), ("11m", 0)]
)
def test_a_complete_hand_has_no_useful_tiles(hand, n_jokers):
    assert mjcore.shanten(hand, jokers=n_jokers) == -1
    assert len(mjcore.useful_tiles(hand, jokers=n_jokers)) == 0
    got = batch.useful(np.array(mjcore.unpack(mjcore.parse(hand)), np.uint8), jokers=n_jokers)
    assert (int(got.shanten), int(got.kinds), int(got.copies)) == (-1, 0, 0)


def test_a_joker_kind_of_which_no_copy_is_left_is_not_useful():
    live = mjcore.useful_tiles("5m12s99p34p [555m] [EEE]", rules=HandRules(joker_kind="5m"))
    assert KindSet("5m").isdisjoint(live.kinds)


def test_a_joker_kind_is_useful_while_a_copy_is_left():
    live = mjcore.useful_tiles("5m12s99p34p [777m] [EEE]", rules=HandRules(joker_kind="5m"))
    assert live.shanten == 0
    assert live["5m"] == 3


def test_copies_of_the_joker_kind_stand_for_themselves_in_seven_pairs_that_take_no_jokers():
    rules = HandRules(joker_kind="1m", joker_special_forms=False)
    assert mjcore.is_hu("1133557799m1133s", rules=rules)
    assert mjcore.shanten("1133557799m1133s", rules=rules) == -1
    assert mjcore.shanten("1133557799m113s", rules=rules) == 0
    assert mjcore.useful_tiles("1133557799m113s", rules=rules).kinds == mjcore.ting("1133557799m113s", rules=rules)


@pytest.mark.parametrize("hand", ["", "123m", "11122m1s", "123456789m", "123456789mEEE"])
def test_sizes_that_have_no_shanten(hand):
    for ask in (mjcore.shanten, mjcore.useful_tiles, mjcore.discards, mjcore.improving_tiles):
        with pytest.raises(mjcore.InvalidHandError, match="concealed tiles"):
            ask(hand)


def test_sizes_that_have_no_discards_or_improving_tiles():
    with pytest.raises(mjcore.InvalidHandError, match="expected 2, 5, 8, 11 or 14"):
        mjcore.discards("1234m")
    with pytest.raises(mjcore.InvalidHandError, match="expected 1, 4, 7, 10 or 13"):
        mjcore.improving_tiles("12344m")


def test_forms_that_do_not_fit_the_size():
    for form in ("seven_pairs", "thirteen_orphans"):
        with pytest.raises(mjcore.InvalidHandError, match="forms fits"):
            mjcore.shanten("1234m", form=form)
        with pytest.raises(mjcore.InvalidHandError, match="forms fits"):
            mjcore.shanten("1234567m [111s] [999s]", form=form)
    with pytest.raises(ValueError, match="expected forms of"):
        mjcore.shanten("1234m", form="pairs")


def test_what_cannot_be_visible():
    with pytest.raises(mjcore.InvalidHandError, match="2p"):
        mjcore.useful_tiles("13p567m234sNN [888s]", visible="22222p")
    with pytest.raises(mjcore.InvalidHandError, match="5m"):
        mjcore.useful_tiles("55555m")


# --- the mapping -------------------------------------------------------------------------------


def test_live_tiles_are_a_mapping():
    live = mjcore.useful_tiles("13p567m234sNN [888s]", visible="2p")
    assert live == {19: 3}
    assert live["2p"] == live[19] == live.get("2p") == 3
    assert live.get("3p") is None
    assert live.get("3p", 7) == 7
    assert "2p" in live
    assert "3p" not in live
    assert "nothing" not in live
    assert (list(live), live.values(), live.items()) == ([19], [3], [(19, 3)])
    assert repr(live) == "LiveTiles({'2p': 3}, shanten=0)"
    assert str(live) == "2p:3"
    with pytest.raises(KeyError):
        live["3p"]
    with pytest.raises(mjcore.InvalidHandError):
        live["nothing"]


def test_live_tiles_are_values():
    live = mjcore.useful_tiles("24m 55s")
    for other in (pickle.loads(pickle.dumps(live)), copy.copy(live), copy.deepcopy(live)):
        assert other == live
        assert hash(other) == hash(live)
        assert (other.shanten, other.kinds, other.total) == (live.shanten, live.kinds, live.total)
    with pytest.raises(AttributeError):
        live.shanten = 3


# --- the reference -----------------------------------------------------------------------------


@every_option
def test_shanten_under_every_option(options):
    hands = mixed_hands(700)
    want = reference.shanten(hands, rules=options)
    got = batch.shanten(hands, rules=rules_of(options)).astype(int)
    assert_rows(hands, np.where(got == 99, reference.FAR, got), want)
    assert len(set(want.tolist())) >= 5


@every_option
def test_useful_tiles_under_every_option(options):
    hands = mixed_hands(110, SEED + 1)
    want, kinds = reference.useful(hands, rules=options)
    got = batch.useful(hands, rules=rules_of(options))
    fits = want < reference.FAR
    assert_rows(hands[fits], got.kinds[fits], masks_of(kinds[fits]))
    assert (got.kinds[~fits] == 0).all()
    assert kinds.any()


@every_option
def test_scalar_functions_are_the_rows_of_the_batch(options):
    hands = mixed_hands(60, SEED + 2)
    rules = rules_of(options)
    got = batch.useful(hands, rules=rules)
    for vec, number, mask, copies in zip(
        vecs(hands), got.shanten.tolist(), got.kinds.tolist(), got.copies.tolist(), strict=True
    ):
        if number == 99:
            with pytest.raises(mjcore.InvalidHandError, match="forms fits"):
                mjcore.shanten(vec, rules=rules)
            continue
        live = mjcore.useful_tiles(vec, rules=rules)
        assert mjcore.shanten(vec, rules=rules) == live.shanten == number, mjcore.format(vec)
        assert (live.kinds.mask, live.total) == (mask, copies), mjcore.format(vec)


def test_a_form_alone_and_the_nearest_of_all():
    forms = HandRules.preset("mcr").forms
    for vec in vecs(mixed_hands(40, SEED + 3)):
        size = sum(mjcore.unpack(vec))
        fits = {"standard": 1, "seven_pairs": 13, "thirteen_orphans": 13, "honors_and_knitted": 13}
        alone = {form: mjcore.shanten(vec, form=form) for form in forms if size >= fits.get(form, 10)}
        for form, number in alone.items():
            assert mjcore.shanten(vec, rules=HandRules(forms=(form,))) == number
        three = min(number for form, number in alone.items() if form in HandRules().forms)
        assert mjcore.shanten(vec) == three, mjcore.format(vec)
        assert mjcore.shanten(vec, rules=HandRules(forms=forms)) == min(alone.values()), mjcore.format(vec)
        kinds = {form: mjcore.useful_tiles(vec, rules=HandRules(forms=(form,))).kinds for form in alone}
        nearest = [kinds[form] for form, number in alone.items() if number == min(alone.values())]
        got = mjcore.useful_tiles(vec, rules=HandRules(forms=forms)).kinds
        assert got == set().union(*nearest), mjcore.format(vec)


def hands_with_melds(seed, n, n_melds, n_jokers=0):
    """Hands whose melds and concealed tiles come from few kinds."""
    rng = random.Random(seed)
    pools = [range(9), range(9, 18), range(27, 34), [*range(18, 23), 27, 28], range(34), [3, 4, 5, 6, 30, 31, 32, 33]]
    found = []
    while len(found) < n:
        pool = list(rng.choice(pools))
        chows = [kind for kind in pool if kind < 27 and kind % 9 <= 6 and kind + 1 in pool and kind + 2 in pool]
        melds = []
        for _ in range(n_melds):
            what = rng.random()
            if chows and what < 0.45:
                melds.append(Meld.chow(rng.choice(chows)))
            elif what < 0.85:
                melds.append(Meld.pung(rng.choice(pool)))
            else:
                melds.append(Meld.kong(rng.choice(pool), rng.choice(["direct_kong", "concealed_kong"])))
        away = np.zeros(34, np.int64)
        for meld in melds:
            np.add.at(away, list(meld.kinds), 1)
        left = [kind for kind in pool for _ in range(4 - away[kind])]
        size = 13 - 3 * n_melds + rng.randrange(2) - n_jokers
        if away.max() > 4 or len(left) < size or size < 0:
            continue
        counts = np.bincount(rng.sample(left, size), minlength=34).astype(np.int64)
        found.append((Hand(counts.tolist(), melds), counts, away))
    return found


def check_melds(cases, n_jokers, options):
    """Hands, which all have one size or the next, against the reference."""
    counts, away = np.array([case[1] for case in cases]), np.array([case[2] for case in cases])
    want, kinds = reference.useful(counts, n_jokers, away, options)
    rules = rules_of(options)
    for (hand, own, gone), number, row in zip(cases, want.tolist(), kinds, strict=True):
        if number >= 40:  # no kind can be the eyes
            with pytest.raises(mjcore.InvalidHandError, match="forms fits"):
                mjcore.shanten(hand, jokers=n_jokers, rules=rules)
            continue
        assert mjcore.shanten(hand, jokers=n_jokers, rules=rules) == number, f"{hand}, {n_jokers} jokers, {rules}"
        live = mjcore.useful_tiles(hand, jokers=n_jokers, rules=rules)
        assert live.kinds == KindSet(np.flatnonzero(row).tolist()), f"{hand}, {n_jokers} jokers, {rules}"
        assert all(left == 4 - own[kind] - gone[kind] for kind, left in live.items()), hand


@pytest.mark.parametrize("n_melds", [1, 2, 3, 4])
def test_melds_use_copies_up(n_melds):
    cases = hands_with_melds(SEED + n_melds, 1500, n_melds)
    assert sum(bool((own * away).any()) for _, own, away in cases) > 500
    check_melds(cases, 0, reference.DEFAULT)


@pytest.mark.parametrize("n_melds", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["eyes_258", "eyes_east", "joker_kind", "joker_kind_four_copies"])
def test_melds_under_options(n_melds, name):
    cases = hands_with_melds(SEED + 10 + n_melds, 300, n_melds)
    if name == "eyes_east":
        cases = [case for case in cases if case[2][30] <= 2]
    check_melds(cases, 0, OPTIONS[name])


@pytest.mark.parametrize("n_melds", [1, 2, 3, 4])
@pytest.mark.parametrize("fifth", [True, False])
def test_melds_and_jokers(n_melds, fifth):
    options = reference.Rules(joker_fifth_copy=fifth)
    for n_jokers in (1, 2, 3):
        if 14 - 3 * n_melds >= n_jokers:
            check_melds(hands_with_melds(SEED + 20 + n_jokers, 250, n_melds, n_jokers), n_jokers, options)


def test_melds_elsewhere_change_nothing():
    """Beside melds of kinds that the hand is far from, the answer is that of the bare tiles."""
    rng = np.random.default_rng(SEED)
    hands = drop_one(rng, family("short", SEED, 8000))
    hands = hands[(hands.sum(axis=1) == 7) & (hands[:, 27:].sum(axis=1) == 0)]
    assert len(hands) > 100
    for vec, counts in zip(vecs(hands), hands, strict=True):
        hand = Hand(vec, ["[EEE]", "[SSSS]"])
        assert mjcore.shanten(hand) == mjcore.shanten(vec), shown(counts)
        bare, beside = mjcore.useful_tiles(vec), mjcore.useful_tiles(hand)
        assert set(bare.kinds) - {30, 31} == set(beside.kinds) - {30, 31}, shown(counts)


# --- laws --------------------------------------------------------------------------------------

LAWS = [
    (0, reference.DEFAULT),
    (0, reference.Rules(seven_pairs_quads=True)),
    (0, reference.Rules(eyes=KINDS_258)),
    (1, reference.DEFAULT),
    (3, reference.DEFAULT),
    (2, reference.Rules(joker_fifth_copy=False)),
    (1, reference.Rules(joker_special_forms=False)),
]
laws = pytest.mark.parametrize(("n_jokers", "options"), LAWS)


def sized(hands, n_jokers, rest):
    """Hands that with the jokers have 3n + `rest` tiles, and at most 14."""
    sizes = hands.sum(axis=1) + n_jokers
    return hands[(sizes % 3 == rest) & (sizes <= 14)]


def law_hands(n_jokers, rest, n=400):
    rng = np.random.default_rng(SEED + 7)
    every = mixed_hands(n, SEED + 5)
    less = every
    parts = [every]
    for _ in range(3):
        less = drop_one(rng, less[less.sum(axis=1) > 1])
        parts.append(less)
    hands = sized(np.concatenate(parts), n_jokers, rest)
    return hands[rng.permutation(len(hands))[: 4 * n]]


def all_draws(hands):
    """(row, kind, hand) of each draw that is possible."""
    rows, kinds = np.nonzero(hands < 4)
    drawn = hands[rows]
    drawn[np.arange(len(rows)), kinds] += 1
    return rows, kinds, drawn


@laws
def test_a_draw_lowers_shanten_by_one_or_not_and_the_useful_tiles_are_those_that_do(n_jokers, options):
    rules = rules_of(options)
    hands = law_hands(n_jokers, 1)
    before = batch.useful(hands, jokers=n_jokers, rules=rules)
    rows, kinds, drawn = all_draws(hands)
    lower = before.shanten[rows] - batch.shanten(drawn, jokers=n_jokers, rules=rules)
    assert set(lower.tolist()) == {0, 1}
    useful = np.zeros(hands.shape, bool)
    useful[rows, kinds] = lower == 1
    assert_rows(hands, flags(before.kinds), useful, "by drawing")


@laws
def test_a_discard_raises_shanten_by_one_or_not(n_jokers, options):
    rules = rules_of(options)
    hands = law_hands(n_jokers, 2)
    before = batch.shanten(hands, jokers=n_jokers, rules=rules)
    after = batch.discards(hands, jokers=n_jokers, rules=rules).shanten
    held = hands > 0
    assert (after[~held] == 99).all()
    raised = (after.astype(int) - before[:, None])[held]
    assert set(raised.tolist()) == {0, 1}
    # a complete hand that lets a tile go is ready for it again
    complete = before == -1
    assert complete.any()
    assert (after[complete][held[complete]] == 0).all()


@laws
def test_a_joker_for_a_tile_lowers_shanten_by_one_or_not(n_jokers, options):
    n_jokers = max(1, n_jokers)  # within one reading
    rules = rules_of(options)
    hands = law_hands(n_jokers, 1)
    rng = np.random.default_rng(SEED)
    hands = hands[hands.sum(axis=1) > 0]
    fewer = drop_one(rng, hands)
    lower = batch.shanten(hands, jokers=n_jokers, rules=rules).astype(int) - batch.shanten(
        fewer, jokers=n_jokers + 1, rules=rules
    )
    assert set(lower.tolist()) == {0, 1}


@laws
def test_a_joker_more_is_worth_one(n_jokers, options):
    n_jokers = max(1, n_jokers)
    rules = rules_of(options).replace(forms=("standard",))
    hands = law_hands(n_jokers, 1)
    lower = batch.shanten(hands, jokers=n_jokers, rules=rules).astype(int) - batch.shanten(
        hands, jokers=n_jokers + 1, rules=rules
    )
    assert set(lower.tolist()) == {1}


@laws
def test_ting_is_the_useful_tiles_of_ready_hands_and_empty_of_others(n_jokers, options):
    rules = rules_of(options)
    hands = law_hands(n_jokers, 1)
    got = batch.useful(hands, jokers=n_jokers, rules=rules)
    n_ready = 0
    for vec, number, mask in zip(vecs(hands), got.shanten.tolist(), got.kinds.tolist(), strict=True):
        want = mask if number == 0 else 0
        assert mjcore.ting(vec, jokers=n_jokers, rules=rules).mask == want, mjcore.format(vec)
        n_ready += number == 0
        if n_jokers == 0 or not options.joker_fifth_copy:
            assert (number == 0) == (want != 0), mjcore.format(vec)
    assert n_ready > 50


@laws
def test_suits_permuted_and_ranks_mirrored_keep_shanten_and_move_the_useful_tiles(n_jokers, options):
    rules = rules_of(options)
    for rest in (1, 2):
        hands = law_hands(n_jokers, rest)
        got = batch.useful(hands, jokers=n_jokers, rules=rules)
        for order in ((1, 2, 0), (1, 0, 2)):
            for mirror in (1, -1):
                places = [9 * suit + rank for suit in order for rank in list(range(9))[::mirror]] + list(range(27, 34))
                moved = np.ascontiguousarray(hands[:, places])
                again = batch.useful(moved, jokers=n_jokers, rules=rules)
                assert_rows(moved, again.shanten, got.shanten, "before")
                assert_rows(moved, flags(again.kinds), flags(got.kinds)[:, places], "before")


@pytest.mark.parametrize("visible", [None, "1112233m 99p EEEE"])
@laws
def test_discards_are_the_loop_over_the_tiles(n_jokers, options, visible):
    rules = rules_of(options)
    seen = mjcore.parse(visible or "")
    for vec in vecs(law_hands(n_jokers, 2, 60)):
        counts = mjcore.unpack(vec)
        want = {}
        for kind in range(34):
            if counts[kind]:
                rest = mjcore.useful_tiles(vec - (1 << 4 * kind), jokers=n_jokers, rules=rules)
                left = {each: max(0, 4 - counts[each] - (seen >> 4 * each & 7)) for each in rest.kinds}
                want[kind] = (rest.shanten, -sum(left.values()), kind, left)
        order = [row[2] for row in sorted(want.values(), key=lambda row: row[:3])]
        got = mjcore.discards(vec, visible=visible, jokers=n_jokers, rules=rules)
        assert list(got) == order, mjcore.format(vec)
        for kind, live in got.items():
            assert (live.shanten, -live.total, kind, dict(live)) == want[kind], mjcore.format(vec)


def improving_slowly(hand, melded, seen, n_jokers, rules):
    """By the definition: draw, let the best other tile go, count the useful copies that are left."""
    counts = hand.counts()
    before = mjcore.useful_tiles(hand, visible=seen, jokers=n_jokers, rules=rules)
    gains = {}
    for kind in range(34):
        if kind in before or counts[kind] + melded[kind] + seen[kind] >= 4:
            continue
        best = before.total
        for other in range(34):
            if other == kind or not counts[other]:
                continue
            rest = list(counts)
            rest[kind] += 1
            rest[other] -= 1
            live = mjcore.useful_tiles(Hand(rest, hand.melds), jokers=n_jokers, rules=rules)
            if live.shanten == before.shanten:
                own = [n + (each == kind) for each, n in enumerate(counts)]
                best = max(best, sum(max(0, 4 - own[each] - melded[each] - seen[each]) for each in live.kinds))
        if best > before.total:
            gains[kind] = best
    return gains


@pytest.mark.parametrize("with_seen", [False, True])
@pytest.mark.parametrize(
    ("n_jokers", "options"), [LAWS[0], LAWS[1], LAWS[3], LAWS[5], (0, OPTIONS["joker_kind"]), (0, OPTIONS["eyes_258"])]
)
def test_improving_tiles_by_their_definition(n_jokers, options, with_seen):
    rules = rules_of(options)
    rng = random.Random(SEED)
    cases = [(Hand(vec), np.zeros(34, int)) for vec in vecs(law_hands(n_jokers, 1, 6))]
    if n_jokers == 0:
        melded = [(hand, away) for hand, own, away in hands_with_melds(SEED, 24, 2) if own.sum() == 7]
        cases += [(hand, away) for hand, away in melded if options.joker_kind is None or hand]
    n_gains = 0
    for hand, away in cases:
        seen = [rng.choice((0, 0, 0, 1, 2)) if with_seen else 0 for _ in range(34)]
        seen = [min(n, 4 - own - gone) for n, own, gone in zip(seen, hand.counts(), away, strict=True)]
        want = improving_slowly(hand, away, seen, n_jokers, rules)
        got = mjcore.improving_tiles(hand, visible=seen, jokers=n_jokers, rules=rules)
        assert got == want, f"{hand}, visible {seen}"
        assert list(got) == sorted(got)
        n_gains += len(got)
    assert n_gains > 10


# --- both engines ------------------------------------------------------------------------------


@pytest.mark.parametrize("n_jokers", range(9))
def test_profiles_and_search_agree_on_wins(n_jokers):
    rng = np.random.default_rng(SEED + n_jokers)
    hands = fitting(np.concatenate([family(name, SEED + 8, 1500) for name in FAMILIES]))
    for _ in range(n_jokers):
        hands = drop_one(rng, hands[hands.sum(axis=1) > 1])
    hands = hands[hands.sum(axis=1) + n_jokers <= 14]
    by_profile = batch.is_hu(hands, jokers=n_jokers)
    assert_rows(hands, by_profile, [mjcore.is_hu(vec, jokers=n_jokers) for vec in vecs(hands)], "search")
    fits = (hands.sum(axis=1) + n_jokers) % 3 != 0
    assert_rows(hands[fits], by_profile[fits], batch.shanten(hands[fits], jokers=n_jokers) == -1, "shanten")
    assert 0 < by_profile.sum() < len(hands)
    four = HandRules(joker_fifth_copy=False)
    by_search = batch.is_hu(hands[fits], jokers=n_jokers, rules=four)
    assert_rows(hands[fits], batch.shanten(hands[fits], jokers=n_jokers, rules=four) == -1, by_search, "search")


@pytest.mark.parametrize("n_jokers", range(9))
def test_profiles_and_search_agree_on_waits(n_jokers):
    """Eyes but for one kind are searched; whatever the eyes are, one of two such searches allows them."""
    rng = np.random.default_rng(SEED + n_jokers)
    hands = np.concatenate([waiting_family(name, SEED + 9, 700) for name in FAMILIES])
    for _ in range(n_jokers):
        hands = drop_one(rng, hands[hands.sum(axis=1) > 1])
    by_profile = batch.waits(hands, jokers=n_jokers)
    searched = [batch.waits(hands, jokers=n_jokers, rules=HandRules(eyes=~KindSet(kind))) for kind in ("5m", "E")]
    assert_rows(hands, by_profile, searched[0] | searched[1], "search")
    assert (by_profile != 0).sum() > 100
    four = HandRules(joker_fifth_copy=False)
    got = batch.useful(hands, jokers=n_jokers, rules=four)
    fits = (hands.sum(axis=1) + n_jokers) % 3 == 1
    want = np.where((got.shanten == 0) & fits, got.kinds, np.uint64(0))[fits]
    assert_rows(hands[fits], batch.waits(hands[fits], jokers=n_jokers, rules=four), want, "profiles")


# --- hands that nothing can finish -------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "options"),
    [
        ("1m8m [111m] [666m] [4444m] [555m]", {"rules": HandRules(eyes="6m")}),
        ("1m [2222m] [5555m] [8888m] [333p]", {"rules": HandRules(eyes="258m")}),
        ("8m [111m] [666m] [4444m] [555m]", {"jokers": 1, "rules": HandRules(eyes="6m", joker_fifth_copy=False)}),
        ("2233455589m [6666m]", {"rules": HandRules(eyes="6m")}),
    ],
)
def test_no_copy_is_left_for_the_eyes(hand, options):
    for question in (mjcore.shanten, mjcore.useful_tiles):
        with pytest.raises(mjcore.InvalidHandError, match="one of the forms fits"):
            question(hand, **options)


def test_what_comes_out_of_a_pickle_is_checked():
    restore = mjcore.useful_tiles("13m EE [456p] [789s] [234s]").__reduce__()[0]
    for kind in (34, 64, 200, -1, 10**6, -(10**8)):
        with pytest.raises(mjcore.InvalidHandError):
            restore(1, {kind: 3})
    with pytest.raises(mjcore.InvalidHandError, match="expected 0 to 4 copies of 1m, got 5"):
        restore(1, {0: 5})


def test_a_hand_is_not_visible_tiles():
    with pytest.raises(mjcore.InvalidHandError, match="expected tiles alone"):
        mjcore.useful_tiles("11m", visible=mjcore.Hand("11m"))
