"""Hands with jokers against the reference, under every option, and the facts written down by hand."""

import random
from functools import cache
from math import comb

import pytest
import reference

import mjcore
from mjcore import Hand, HandRules, KindSet, Meld

pytestmark = pytest.mark.slow

SEED = 20260108
N_IS_HU = {1: 20_000, 2: 20_000, 3: 20_000, 4: 20_000, 5: 2_000, 6: 2_000, 7: 2_000, 8: 2_000}
N_TING = {1: 1_000, 2: 1_000, 3: 1_000, 4: 1_000, 5: 300, 6: 300, 7: 300, 8: 300}
N_MELDED = 2_000
N_DECOMPOSE = {1: 2_000, 2: 800, 3: 400, 4: 150, 5: 40, 6: 15}
KINDS_258 = frozenset(9 * suit + index for suit in range(3) for index in (1, 4, 7))
POOLS = [
    range(34),
    range(9),
    [*range(9, 18), *range(27, 34)],
    range(18, 27),
    range(27, 34),
    [*range(3, 7), 27, 30],
    [*range(5), *range(12, 16), 33],
]


@cache
def facade_rules(rules, wait_mode="possible"):
    return HandRules(**rules._asdict(), wait_mode=wait_mode)


def shown(hand, n_jokers, rules):
    text = str(hand) if isinstance(hand, Hand) else mjcore.format(hand)
    return f"{text!r} and {n_jokers} jokers, {facade_rules(rules)}"


def vec_of(counts):
    return sum(n << 4 * kind for kind, n in enumerate(counts))


def random_options(rng, counts, n_jokers):
    """Options but for the reading of a fifth copy."""
    kind = None
    if rng.random() < 0.35:
        kind = rng.choice([kind for kind in range(34) if counts[kind]] or [4])
        if counts[kind] + n_jokers > 8:
            kind = None
    return reference.Rules(
        seven_pairs_quads=rng.random() < 0.5,
        joker_special_forms=rng.random() < 0.7,
        joker_kind=kind,
        eyes=rng.choice([reference.ALL_KINDS, reference.ALL_KINDS, KINDS_258, frozenset((31,))]),
    )


def special_tiles(rng):
    if rng.random() < 0.4:
        return [*reference.ORPHANS, rng.choice(sorted(reference.ORPHANS))]
    kinds = rng.sample(range(34), 7)
    if rng.random() < 0.3:
        kinds[0] = kinds[1]
    return kinds * 2


def winning_groups(rng, n_melds, pool):
    melds = [meld for meld in reference.MELDS if set(meld) <= set(pool)]
    return [*rng.choices(melds, k=n_melds), (rng.choice(pool),) * 2]


def without_some(rng, tiles, n, away):
    """Tiles without `n` of them, a fifth copy first; None where that leaves one."""
    tiles = list(tiles)
    rng.shuffle(tiles)
    for _ in range(n):
        many = [place for place, kind in enumerate(tiles) if tiles.count(kind) + away[kind] > 4]
        del tiles[many[0] if many else 0]
    return tiles if all(tiles.count(kind) + away[kind] <= 4 for kind in tiles) else None


def exchange_some(rng, tiles, pool, away):
    if tiles and rng.random() < 0.5:
        for _ in range(rng.choice((1, 1, 2))):
            left = [kind for kind in pool if tiles.count(kind) + away[kind] < 4]
            if left:
                tiles[rng.randrange(len(tiles))] = rng.choice(left)


def near_win(rng, n_jokers, n_missing=0):
    """Counts of a win without jokers and missing tiles, often with some exchanged."""
    away = [0] * 34
    while True:
        pool = rng.choice(POOLS)
        if rng.random() < 0.15:
            tiles = special_tiles(rng)
        else:
            least = (n_jokers + n_missing) // 3
            n_melds = rng.choice([4, 4, rng.randint(least, 4)])
            tiles = [kind for group in winning_groups(rng, n_melds, pool) for kind in group]
        if len(tiles) < n_jokers + n_missing:
            continue
        tiles = without_some(rng, tiles, n_jokers + n_missing, away)
        if tiles is not None:
            exchange_some(rng, tiles, pool, away)
            counts = [tiles.count(kind) for kind in range(34)]
            if max(counts) <= 4:
                return counts


def near_win_with_melds(rng, n_jokers, n_missing):
    """(Hand, its counts, its melded counts): melds and concealed tiles from few kinds, so that they share them."""
    while True:
        pool = rng.choice(POOLS[1:])
        *groups, eyes = winning_groups(rng, 4, pool)
        n_melds = rng.randint(1, 4)
        concealed = [kind for group in (*groups[n_melds:], eyes) for kind in group]
        if len(concealed) < n_jokers + n_missing:
            continue
        melds, away = [], [0] * 34
        for group in groups[:n_melds]:
            if group[0] != group[1]:
                meld = Meld.chow(group[0])
            elif rng.random() < 0.3:
                meld = Meld.kong(group[0])
            else:
                meld = Meld.pung(group[0])
            melds.append(meld)
            for kind in meld.kinds:
                away[kind] += 1
        if max(away) > 4:
            continue
        tiles = without_some(rng, concealed, n_jokers + n_missing, away)
        if tiles is not None:
            exchange_some(rng, tiles, pool, away)
            counts = [tiles.count(kind) for kind in range(34)]
            if all(n + gone <= 4 for n, gone in zip(counts, away, strict=True)):
                return Hand(vec_of(counts), melds), counts, tuple(away)


def both_readings(rules):
    return rules._replace(joker_fifth_copy=True), rules._replace(joker_fifth_copy=False)


# --- facts of the rules ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "n_jokers", "fifth", "four"),
    [
        ("EEEE", 1, True, False),
        ("1111m", 1, True, False),
        ("1111m23m", 2, True, True),
        ("EESSSS123m", 2, True, False),
        ("1m", 1, True, True),
        ("", 2, True, True),
        ("", 5, True, True),
        ("19m", 3, True, True),
    ],
)
def test_fifth_copy(text, n_jokers, fifth, four):
    vec = mjcore.parse(text)
    assert mjcore.is_hu(vec, jokers=n_jokers) is fifth
    assert mjcore.is_hu(vec, jokers=n_jokers, rules=HandRules(joker_fifth_copy=False)) is four


@pytest.mark.parametrize(
    ("text", "n_jokers", "waits"),
    [
        ("2345m66p", 1, "1m 2m 3m 4m 5m 6m 7m 6p"),
        ("123m456p789s11s7m", 1, "5m 6m 7m 8m 9m 1s"),
    ],
)
def test_waits_with_jokers(text, n_jokers, waits):
    assert mjcore.ting(text, jokers=n_jokers) == KindSet(waits)


@pytest.mark.parametrize("text", ["123m", ""])
def test_one_joker_beside_melds_waits_for_every_kind(text):
    assert len(mjcore.ting(mjcore.parse(text), jokers=1)) == 34


def test_one_joker_and_four_melds_wait_for_every_kind_not_in_the_melds_four_times():
    waits = mjcore.ting(Hand("", ["EEEE", "SSS", "123m", "123m"]), jokers=1)
    assert waits == ~KindSet("E")


@pytest.mark.parametrize(
    ("text", "different", "quads"), [("1122m3344p5566s", True, True), ("111122m3344p55s", False, True)]
)
def test_seven_pairs_with_two_jokers(text, different, quads):
    vec = mjcore.parse(text)
    for want, setting in ((different, False), (quads, True)):
        rules = HandRules(forms=("seven_pairs",), seven_pairs_quads=setting)
        assert mjcore.is_hu(vec, jokers=2, rules=rules) is want


def test_three_of_a_kind_and_a_joker_are_two_pairs():
    vec = mjcore.parse("111m2255s7799p EE")
    assert not mjcore.is_hu(vec, jokers=1, rules=HandRules(forms=("seven_pairs",)))
    assert mjcore.is_hu(vec, jokers=1, rules=HandRules(forms=("seven_pairs",), seven_pairs_quads=True))


@pytest.mark.parametrize(
    ("text", "n_jokers", "win"),
    [
        ("19m19s19pESWNCFP", 1, True),
        ("19m19s19pESWNC", 3, True),
        ("119m19s19pESWN", 3, True),
        ("1199m19s19pESW", 3, False),
        ("111m9m19s19pESWN", 2, False),
        ("129m19s19pESWNC", 2, False),
    ],
)
def test_thirteen_orphans_with_jokers(text, n_jokers, win):
    vec = mjcore.parse(text)
    assert mjcore.is_hu(vec, jokers=n_jokers, rules=HandRules(forms=("thirteen_orphans",))) is win
    closed = HandRules(forms=("thirteen_orphans",), joker_special_forms=False)
    assert not mjcore.is_hu(vec, jokers=n_jokers, rules=closed)


def test_a_copy_of_the_joker_kind_may_stand_for_itself():
    rules = HandRules(joker_kind="5m")
    assert mjcore.is_hu("456m EE", rules=rules)
    assert mjcore.is_hu("5m12s EE", rules=rules)
    assert mjcore.is_hu("55m12s E", rules=rules)
    assert not mjcore.is_hu("5m12s E S", rules=rules)


def test_seven_pairs_with_the_joker_kind_as_itself_need_no_joker():
    rules = HandRules(forms=("seven_pairs",), joker_special_forms=False, joker_kind="5m")
    assert mjcore.is_hu("55m2255s7799p EE SS", rules=rules)
    assert not mjcore.is_hu("5m12255s7799p EE SS", rules=rules)


def test_melded_copies_count_under_the_four_copy_reading():
    four = HandRules(joker_fifth_copy=False)
    free, taken = Hand("E", ["123m", "456m", "789m", "SSS"]), Hand("E", ["123m", "456m", "789m", "EEE"])
    assert mjcore.is_hu(free, jokers=1, rules=four)
    assert mjcore.is_hu(taken, jokers=1)
    assert not mjcore.is_hu(taken, jokers=1, rules=four)


def test_a_chow_of_jokers_cannot_use_a_kind_that_is_in_a_kong():
    four = HandRules(joker_fifth_copy=False)
    assert not mjcore.is_hu(Hand("13m EE", ["2222m", "SSS", "WWW"]), jokers=1, rules=four)
    assert mjcore.is_hu(Hand("13m EE", ["222m", "SSS", "WWW"]), jokers=1, rules=four)


@pytest.mark.parametrize(
    ("text", "n_jokers", "wait"),
    [
        ("EEEE12m", 1, "E"),  # EEE EE 12m*
        ("EEEE", 3, "E"),  # EEE EE ***
        ("1111m23s", 1, "1m"),  # 111m 11m 23s*
        ("EEEE123m456p7s", 2, "E"),  # EEE EE 123m 456p 7s**
        ("E12m [EEE] [SSS] [WWW]", 1, "E"),  # EE 12m*
    ],
)
def test_by_shape_a_fifth_natural_copy_is_no_joker_that_plays_as_one(text, n_jokers, wait):
    """The four-copy reading asks what jokers play as; a natural tile that is drawn by shape is not one."""
    four = HandRules(joker_fifth_copy=False, wait_mode="shape")
    assert mjcore.ting(text, jokers=n_jokers, rules=four) == KindSet(wait)
    assert not mjcore.ting(text, jokers=n_jokers, rules=HandRules(joker_fifth_copy=False)) & KindSet(wait)


# --- hands of jokers only ----------------------------------------------------------------------


@pytest.mark.parametrize("n_jokers", range(9))
@pytest.mark.parametrize("fifth", [True, False])
def test_jokers_alone(n_jokers, fifth):
    rules = reference.Rules(joker_fifth_copy=fifth)
    facade = facade_rules(rules)
    assert mjcore.is_hu(0, jokers=n_jokers, rules=facade) is (n_jokers % 3 == 2)
    assert len(mjcore.ting(0, jokers=n_jokers, rules=facade)) == (34 if n_jokers % 3 == 1 else 0)


@pytest.mark.parametrize(("n_jokers", "n"), [(2, 34), (5, 34 * 55), (8, 34 * comb(56, 2))])
def test_splits_of_jokers_alone(n_jokers, n):
    """Any melds of the 55, with repetition, and any eyes."""
    found = mjcore.decompose(0, jokers=n_jokers)
    assert len(found) == n
    assert len(set(found)) == n


@pytest.mark.parametrize("n_jokers", [2, 5, 8])
def test_splits_of_jokers_alone_under_the_four_copy_reading(n_jokers):
    rules = reference.Rules(joker_fifth_copy=False)
    found = mjcore.decompose(0, jokers=n_jokers, rules=facade_rules(rules))
    assert {split_key(split) for split in found} == reference.splits([0] * 34, n_jokers, rules=rules)


def test_restricted_eyes_of_jokers_alone():
    rules = HandRules(eyes="258m258s258p")
    assert {split.eyes for split in mjcore.decompose(0, jokers=2, rules=rules)} == KINDS_258


# --- against the reference ---------------------------------------------------------------------


@pytest.mark.parametrize("n_jokers", N_IS_HU)
def test_is_hu(n_jokers):
    rng = random.Random(SEED + n_jokers)
    n_wins = 0
    for _ in range(N_IS_HU[n_jokers]):
        counts = near_win(rng, n_jokers)
        options = random_options(rng, counts, n_jokers)
        vec = vec_of(counts)
        for rules in both_readings(options):
            expected = reference.is_hu(counts, n_jokers, rules=rules)
            n_wins += expected
            got = mjcore.is_hu(vec, jokers=n_jokers, rules=facade_rules(rules))
            assert got is expected, f"{shown(vec, n_jokers, rules)}: got {got}"
    assert n_wins > N_IS_HU[n_jokers] // 2


def waiting_cases(n_jokers, fifth, melded):
    """Hands, rules, and the waits by shape and with a copy left."""
    rng = random.Random(SEED + 100 + 100 * melded + n_jokers)
    cases = []
    for _ in range(N_MELDED // 5 if melded else N_TING[n_jokers]):
        if melded:
            hand, counts, away = near_win_with_melds(rng, n_jokers, 1)
        else:
            counts, away = near_win(rng, n_jokers, n_missing=1), reference.NO_MELDS
            hand = vec_of(counts)
        rules = random_options(rng, counts, n_jokers)._replace(joker_fifth_copy=fifth)
        shape = reference.waits(counts, n_jokers, away, rules, shape=True)
        left = {kind for kind in range(34) if counts[kind] + away[kind] < 4}
        cases.append((hand, rules, {"shape": shape, "possible": shape & left}))
    return cases


@pytest.mark.parametrize("fifth", [True, False])
@pytest.mark.parametrize("melded", [False, True])
@pytest.mark.parametrize("n_jokers", N_TING)
def test_ting(n_jokers, melded, fifth):
    cases = waiting_cases(n_jokers, fifth, melded)
    wrong = []
    for hand, rules, waits in cases:
        for mode, want in waits.items():
            got = mjcore.ting(hand, jokers=n_jokers, rules=facade_rules(rules, mode))
            if set(got) != want:
                wrong.append(f"{shown(hand, n_jokers, rules)}, {mode}: got {got}, expected {KindSet(want)}")
    for mode in ("shape", "possible"):
        assert sum(bool(waits[mode]) for _, _, waits in cases) > len(cases) // 4
    assert not wrong, f"{len(wrong)} differ over {len(cases)} hands:\n" + "\n".join(wrong[:5])


@pytest.mark.parametrize("n_jokers", range(1, 9))
def test_is_hu_beside_melds(n_jokers):
    rng = random.Random(SEED + 200 + n_jokers)
    n_wins = n_differ = 0
    for _ in range(N_MELDED):
        hand, counts, away = near_win_with_melds(rng, n_jokers, 0)
        options = random_options(rng, counts, n_jokers)
        answers = []
        for rules in both_readings(options):
            expected = reference.is_hu(counts, n_jokers, away, rules)
            answers.append(expected)
            got = mjcore.is_hu(hand, jokers=n_jokers, rules=facade_rules(rules))
            assert got is expected, f"{shown(hand, n_jokers, rules)}: got {got}"
        n_wins += answers[0]
        n_differ += answers[0] != answers[1]
    assert n_wins > N_MELDED // 4
    assert n_differ > 0 or n_jokers > 4


def split_key(split):
    if split.form == "standard":
        return ("standard", tuple(sorted(meld.kinds for meld in split.melds)), split.eyes)
    return (split.form, split.pairs if split.form == "seven_pairs" else split.eyes)


def check_splits(hand, counts, n_jokers, away, rules):
    """Compare all splits; return how many there are."""
    found = mjcore.decompose(hand, jokers=n_jokers, rules=facade_rules(rules))
    text = shown(hand, n_jokers, rules)
    keys = {split_key(split) for split in found}
    assert len(keys) == len(found), f"{text}: a split twice"
    expected = reference.splits(counts, n_jokers, away, rules)
    assert keys == expected, f"{text}: {len(keys)} splits, expected {len(expected)}, differ {list(keys ^ expected)[:3]}"
    naturals = [0 if kind == rules.joker_kind else n for kind, n in enumerate(counts)]
    n_wild = n_jokers + sum(counts) - sum(naturals)
    for split in found:
        tiles = split.tiles
        whole = [tiles >> 4 * kind & 15 for kind in range(34)]
        jokers = [kind for kind in range(34) for _ in range(whole[kind] - naturals[kind])]
        assert all(n >= held for n, held in zip(whole, naturals, strict=True)), f"{text}: {split} lacks a tile"
        assert list(split.jokers) == jokers, f"{text}: {split!r}"
        assert len(jokers) == n_wild, f"{text}: {split!r}"
        assert split.hard is (n_jokers == 0 and set(jokers) <= {rules.joker_kind}), f"{text}: {split!r}"
    return len(found)


@pytest.mark.parametrize("n_jokers", N_DECOMPOSE)
def test_decompose(n_jokers):
    rng = random.Random(SEED + 400 + n_jokers)
    n = n_splits = 0
    while n < N_DECOMPOSE[n_jokers]:
        counts = near_win(rng, n_jokers)
        options = random_options(rng, counts, n_jokers)
        n_wild = n_jokers + (0 if options.joker_kind is None else counts[options.joker_kind])
        if n_wild > max(4, n_jokers) or (n_wild > 4 and sum(counts) + n_jokers > 8):
            continue
        n += 1
        for rules in both_readings(options):
            n_splits += check_splits(vec_of(counts), counts, n_jokers, reference.NO_MELDS, rules)
    assert n_splits > n


@pytest.mark.parametrize("n_jokers", [1, 2, 3, 4])
def test_decompose_beside_melds(n_jokers):
    rng = random.Random(SEED + 500 + n_jokers)
    n = n_splits = 0
    while n < N_DECOMPOSE[n_jokers]:
        hand, counts, away = near_win_with_melds(rng, n_jokers, 0)
        options = random_options(rng, counts, n_jokers)
        if options.joker_kind is not None and counts[options.joker_kind] + n_jokers > 4:
            continue
        n += 1
        for rules in both_readings(options):
            n_splits += check_splits(hand, counts, n_jokers, away, rules)
    assert n_splits > n


@pytest.mark.parametrize("joker_kind", ["5m", "1s", "9p", "C", "N"])
def test_the_joker_kind_alone(joker_kind):
    """No joker as a number, one to four copies of the joker kind."""
    rng = random.Random(SEED + 600 + mjcore.kind_of(joker_kind))
    kind = mjcore.kind_of(joker_kind)
    n_wins = n = 0
    while n < 1_500:
        n_copies = rng.randint(1, 4)
        counts = near_win(rng, n_copies)
        if counts[kind]:
            continue
        counts[kind] = n_copies
        n += 1
        options = random_options(rng, counts, 0)._replace(joker_kind=kind)
        for rules in both_readings(options):
            expected = reference.is_hu(counts, 0, rules=rules)
            n_wins += expected
            assert mjcore.is_hu(vec_of(counts), rules=facade_rules(rules)) is expected, shown(vec_of(counts), 0, rules)
    assert n_wins > 500
