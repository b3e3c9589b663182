"""The two knitted forms of Chinese Official, alone and with a declared meld, against plain enumeration."""

import numpy as np
import pytest
import reference
from families import assert_rows, drop_one, exchange_one, family, flags, shown, vecs

import mjcore
from mjcore import Hand, HandRules, KindSet, batch

SEED = 20261202
MCR = HandRules.preset("mcr")
KNITTED = HandRules(forms=("honors_and_knitted", "knitted_straight"))
HONORS_AND_KNITTED = HandRules(forms=("honors_and_knitted",))
KNITTED_STRAIGHT = HandRules(forms=("knitted_straight",))
SETS = reference.KNITTED_SETS
HONORS = tuple(range(27, 34))
STANDARD = reference.Rules(forms=("standard",))
ALL_MCR = reference.Rules(forms=MCR.forms, seven_pairs_quads=True)


def counts_of(kinds):
    return np.bincount(kinds, minlength=34)


def honors_and_knitted_hands(rng, n):
    """Fourteen different kinds of the sixteen that one set allows."""
    rows = []
    for _ in range(n):
        kinds = [*SETS[rng.integers(6)], *HONORS]
        rows.append(counts_of(rng.choice(kinds, 14, False)))
    return np.array(rows, np.uint8)


def knitted_straight_hands(rng, n, n_melds=1):
    """A set of nine, a meld if it is among the concealed tiles, and eyes, often of the kinds of the set."""
    rows = []
    while len(rows) < n:
        knitted = list(SETS[rng.integers(6)])
        kinds = list(knitted)
        for _ in range(n_melds):
            kinds += reference.MELDS[rng.integers(len(reference.MELDS))]
        eyes = rng.integers(34) if rng.random() < 0.6 else rng.choice(knitted)
        counts = counts_of([*kinds, eyes, eyes])
        if counts.max() <= 4:
            rows.append(counts)
    return np.array(rows, np.uint8)


def knitted_splits(counts):
    """The splits of the knitted forms as (form, singles, melds, eyes), each set and meld and pair tried."""
    found = set()
    size = sum(counts)
    kinds = tuple(kind for kind in range(34) if counts[kind])
    if size == 14 and len(kinds) == 14 and any(set(kinds) <= {*knitted, *HONORS} for knitted in SETS):
        found.add(("honors_and_knitted", kinds, (), None))
    if size in (11, 14):
        for knitted in SETS:
            rest = [n - (kind in knitted) for kind, n in enumerate(counts)]
            if min(rest) >= 0:
                for _, melds, eyes in reference.splits(rest, rules=STANDARD):
                    found.add(("knitted_straight", knitted, melds, eyes))
    return found


def keys(splits):
    rows = [
        (split.form, split.singles, tuple(sorted(meld.kinds for meld in split.melds)), split.eyes)
        for split in splits
        if split.form in ("honors_and_knitted", "knitted_straight")
    ]
    assert len(rows) == len(set(rows))
    return set(rows)


def knitted_cases(seed, n):
    """Wins of both forms and what is one tile off, and other hands, of 14 tiles and of 11."""
    rng = np.random.default_rng(seed)
    full = [honors_and_knitted_hands(rng, n), knitted_straight_hands(rng, n), family("plain", seed, n)]
    short = [knitted_straight_hands(rng, n, 0)]
    full += [exchange_one(rng, hands) for hands in full[:2]]
    short += [exchange_one(rng, hands) for hands in short]
    return np.concatenate(full), np.concatenate(short)


# --- facts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "form", "waits"),
    [
        ("17m36s25pESWNCFP", "honors_and_knitted", "4m 8p 9s"),
        ("147m258s369pSWNC", "honors_and_knitted", "E F P"),
        ("147m258s369pP [EEE]", "knitted_straight", "P"),
        ("147m258s369pP [EEEE]", "knitted_straight", "P"),
        ("1233369m147s258p", "knitted_straight", "3m"),
        ("2358m147s369pEEE", "knitted_straight", "3m"),
        ("147m258s369pEE12m", "knitted_straight", "3m"),
        ("147m258s36pEE222m", "knitted_straight", "9p"),
    ],
)
def test_waits_of_known_hands(hand, form, waits):
    assert mjcore.ting(hand, rules=MCR) == KindSet(waits)
    assert mjcore.shanten(hand, rules=MCR) == mjcore.shanten(hand, form=form, rules=MCR) == 0
    assert mjcore.useful_tiles(hand, rules=MCR).kinds == KindSet(waits)
    for kind in range(34):
        counts = Hand(hand).all_counts()
        if counts[kind] < 4:
            drawn = Hand(Hand(hand).concealed + (1 << 4 * kind), Hand(hand).melds)
            assert mjcore.is_hu(drawn, rules=MCR) is (kind in KindSet(waits))
            assert bool(mjcore.decompose(drawn, rules=MCR)) is (kind in KindSet(waits)), str(drawn)
            assert mjcore.is_hu(drawn) is False


@pytest.mark.parametrize(
    ("hand", "splits"),
    [
        ("1233369m147s258p3m", ["369m147s258p 123m 33m"]),
        ("2358m147s369pEEE3m", ["258m147s369p EEE 33m"]),
        ("147m258s369pPP [EEE]", ["147m258s369p PP"]),
        ("111147m258s369p55s", ["147m258s369p 111m 55s"]),
        ("147m258s369p EEE 11m", ["147m258s369p EEE 11m"]),
        ("111258m369s147pEE", ["258m369s147p 111m EE"]),
    ],
)
def test_splits_of_known_hands(hand, splits):
    assert mjcore.is_hu(hand, rules=MCR)
    found = mjcore.decompose(hand, rules=MCR)
    assert [str(split) for split in found] == splits
    assert all(split.tiles == Hand(hand).concealed for split in found)


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        ("147m258s369pSWNCC", "a kind twice"),
        ("147m147s369pSWNCF", "two suits have the same set"),
        ("147m258s369pSW [EEE]", "honors and knitted take no meld"),
        ("147m258s369p [EEE] [SSS] 11m", "more tiles than a hand"),
        ("14m258s369pPP [EEE]1m", "one of the nine is missing"),
        ("147m258s369pPPPPE", "no eyes"),
    ],
)
def test_what_is_neither_form(hand, why):
    try:
        answer = mjcore.is_hu(hand, rules=MCR)
    except mjcore.InvalidHandError:
        assert "more" in why
    else:
        assert answer is False, why
        assert mjcore.decompose(hand, rules=MCR) == (), why


def test_a_kong_takes_all_copies_of_a_kind_of_the_set():
    hand = Hand("147m258s36pEE [9999p]")
    assert mjcore.shanten(hand, rules=KNITTED_STRAIGHT) > 0
    assert mjcore.ting(hand, rules=MCR) == KindSet()


def test_a_pung_of_the_only_other_kind_leaves_no_eyes():
    assert mjcore.shanten("147m258s369pE [EEE]", rules=KNITTED_STRAIGHT) == 1
    assert mjcore.shanten("147m258s369pE [SSS]", rules=KNITTED_STRAIGHT) == 0


def test_two_melds_leave_no_room():
    with pytest.raises(mjcore.InvalidHandError, match="forms fits"):
        mjcore.shanten("147m258s3p [EEE] [SSS]", rules=KNITTED_STRAIGHT)


def test_jokers_have_no_knitted_forms():
    assert mjcore.is_hu("147m258s369pSWNC", jokers=1, rules=MCR) is False
    assert mjcore.decompose("147m258s369pSWNC", jokers=1, rules=MCR) == ()
    with pytest.raises(mjcore.InvalidHandError, match="forms fits"):
        mjcore.shanten("147m258s369pSWNC", jokers=1, rules=KNITTED)


def test_restricted_eyes_are_those_of_standard_hands_in_every_answer():
    rules = MCR.replace(eyes="2m")
    hand = "147m258s369pPP333s"
    complete = mjcore.is_hu(hand, rules=rules)
    assert (mjcore.shanten(hand, rules=rules) == -1) is complete
    assert bool(mjcore.decompose(hand, rules=rules)) is complete


def test_only_the_preset_of_chinese_official_has_them():
    for name in ("default", "riichi", "hk", "tuidaohu", "wuhan"):
        assert not mjcore.is_hu("147m258s369pESWNC", rules=name)
        assert not mjcore.is_hu("1233369m147s258p3m", rules=name)
    assert mjcore.is_hu("147m258s369pESWNC", rules="mcr")


# --- the reference -----------------------------------------------------------------------------


def test_is_hu_and_decompose_by_enumeration():
    full, short = knitted_cases(SEED, 250)
    n_wins = 0
    for vec, counts in zip(vecs(full) + vecs(short), [*full.tolist(), *short.tolist()], strict=True):
        want = knitted_splits(counts)
        assert mjcore.is_hu(vec, rules=KNITTED) is bool(want), mjcore.format(vec)
        found = mjcore.decompose(vec, rules=KNITTED)
        assert keys(found) == want, mjcore.format(vec)
        assert all(split.tiles == vec and split.hard and split.jokers == () for split in found), mjcore.format(vec)
        also_plain = reference.is_hu(counts, rules=reference.Rules(seven_pairs_quads=True))
        assert mjcore.is_hu(vec, rules=MCR) is (bool(want) or also_plain), mjcore.format(vec)
        assert keys(mjcore.decompose(vec, rules=MCR)) == want, mjcore.format(vec)
        n_wins += bool(want)
    assert 700 < n_wins < len(full) + len(short) - 500


def test_ting_by_enumeration():
    rng = np.random.default_rng(SEED + 1)
    full, short = knitted_cases(SEED + 1, 60)
    for hands in (drop_one(rng, full), drop_one(rng, short)):
        for vec, counts in zip(vecs(hands), hands.tolist(), strict=True):
            want = set()
            for kind in range(34):
                if counts[kind] < 4:
                    drawn = list(counts)
                    drawn[kind] += 1
                    if knitted_splits(drawn):
                        want.add(kind)
            assert mjcore.ting(vec, rules=KNITTED) == want, mjcore.format(vec)
            if mjcore.shanten(vec, rules=KNITTED) == 0:
                assert mjcore.useful_tiles(vec, rules=KNITTED).kinds == want, mjcore.format(vec)
            else:
                assert not want, mjcore.format(vec)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [HONORS_AND_KNITTED, KNITTED_STRAIGHT, KNITTED, MCR], ids=str)
def test_shanten_and_useful_tiles(rules):
    rng = np.random.default_rng(SEED + 2)
    full, short = knitted_cases(SEED + 2, 120)
    options = reference.Rules(forms=rules.forms, seven_pairs_quads=rules.seven_pairs_quads)
    once = drop_one(rng, full)
    far = exchange_one(rng, exchange_one(rng, once))
    parts = [full, once, far, short, drop_one(rng, short), exchange_one(rng, drop_one(rng, short))]
    if rules == HONORS_AND_KNITTED:
        parts = parts[:3]
    hands = np.concatenate(parts)
    want, kinds = reference.useful(hands, rules=options)
    got = batch.useful(hands, rules=rules)
    assert_rows(hands, batch.shanten(hands, rules=rules), want)
    assert_rows(hands, got.shanten, want)
    assert_rows(hands, flags(got.kinds), kinds)
    assert_rows(hands, batch.is_hu(hands, rules=rules), (want == -1) & (hands.sum(axis=1) % 3 == 2))
    assert set(want.tolist()) >= {-1, 0, 1, 2}


@pytest.mark.slow
def test_one_declared_meld():
    """Melds of kinds that the hand wants too, kongs among them."""
    rng = np.random.default_rng(SEED + 3)
    cases = []
    shorts = [knitted_straight_hands(rng, 300, 0)]
    shorts.append(drop_one(rng, shorts[0]))
    shorts.append(exchange_one(rng, shorts[1]))
    for counts in np.concatenate(shorts).astype(np.int64):
        held = np.flatnonzero(counts)
        kind = int(rng.choice(held) if rng.random() < 0.7 else rng.integers(34))
        meld = list(reference.MELDS_WITH[kind][rng.integers(len(reference.MELDS_WITH[kind]))])
        if len(set(meld)) == 1 and rng.random() < 0.4:
            meld *= 2
            meld = meld[:4]
        away = counts_of(meld)
        if (counts + away).max() <= 4:
            cases.append((Hand(counts.tolist(), [mjcore.format(sum(1 << 4 * each for each in meld))]), counts, away))
    assert len(cases) > 400
    counts, away = np.array([case[1] for case in cases]), np.array([case[2] for case in cases])
    for rules, options in (
        (KNITTED_STRAIGHT, reference.Rules(forms=("knitted_straight",))),
        (MCR, ALL_MCR),
    ):
        want, kinds = reference.useful(counts, 0, away, options)
        for (hand, own, gone), number, row in zip(cases, want.tolist(), kinds, strict=True):
            assert mjcore.shanten(hand, rules=rules) == number, str(hand)
            assert mjcore.useful_tiles(hand, rules=rules).kinds == set(np.flatnonzero(row).tolist()), str(hand)
            complete = int(own.sum()) == 11
            assert mjcore.is_hu(hand, rules=rules) is (complete and number == -1), str(hand)
            if complete and rules == KNITTED_STRAIGHT:
                assert keys(mjcore.decompose(hand, rules=rules)) == knitted_splits(own.tolist()), str(hand)
            ready = number == 0 and not complete
            assert set(mjcore.ting(hand, rules=rules)) == (set(np.flatnonzero(row).tolist()) if ready else set()), hand
            assert (own + gone).max() <= 4


def test_random_hands_are_as_near_as_the_reference_says():
    for name in ("plain", "short", "half_flush", "honors"):
        hands = family(name, SEED + 4, 1_500)
        hands = hands[hands.sum(axis=1) % 3 != 0]
        want = reference.shanten(hands, rules=ALL_MCR)
        assert_rows(hands, batch.shanten(hands, rules="mcr"), want)
        index = int(np.argmax(want))
        assert mjcore.shanten(vecs(hands)[index], rules="mcr") == want[index], shown(hands[index])
