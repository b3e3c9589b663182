"""
Millions of hands of each family against tables of what a suit can be.

The tables hold, for all counts of a suit up to five of a kind, whether they are melds and whether
they are melds with eyes; they are written down from the melds, not searched for.
"""

from itertools import combinations_with_replacement

import families
import numpy as np
import pytest
import reference
from families import FAMILIES, family, masks, vecs, waiting_family

import mjcore
from mjcore import HandRules

pytestmark = pytest.mark.slow

SEED = 20260108
N_IS_HU = 1_000_000
N_IS_HU_OPTIONS = 200_000
N_TING = 100_000
N_DECOMPOSE = 8_000
N_AT_ONCE = 250_000
BASE = 6
IS_MELDS, IS_COMPLETE = 1, 2
SHAPE = HandRules(wait_mode="shape")
QUADS = HandRules(seven_pairs_quads=True, wait_mode="shape")
EYES_258 = HandRules(forms=("standard",), eyes="258m258s258p", wait_mode="shape")
SEVEN_PAIRS = HandRules(forms=("seven_pairs",), wait_mode="shape")
THIRTEEN_ORPHANS = HandRules(forms=("thirteen_orphans",), wait_mode="shape")
KINDS_258 = frozenset(9 * suit + index for suit in range(3) for index in (1, 4, 7))


def table_of(n_kinds, honors, eyes):
    """IS_MELDS and IS_COMPLETE of counts read as a number in base 6."""
    place = [BASE**i for i in range(n_kinds)]
    melds = [(i, i, i) for i in range(n_kinds)] + ([] if honors else [(i, i + 1, i + 2) for i in range(7)])
    table = np.zeros(BASE**n_kinds, np.uint8)
    for n_melds in range(5):
        for chosen in combinations_with_replacement(melds, n_melds):
            counts = [sum(meld.count(i) for meld in chosen) for i in range(n_kinds)]
            if max(counts) >= BASE:
                continue
            number = sum(map(int.__mul__, counts, place))
            table[number] |= IS_MELDS
            for i in eyes:
                if counts[i] + 2 < BASE:
                    table[number + 2 * place[i]] |= IS_COMPLETE
    return table


class Tables:
    """Which hands are complete, all rows at once; counts may be five, as after a fifth copy is drawn."""

    def __init__(self, eyes=reference.ALL_KINDS):
        self.suits = [
            table_of(7 if base == 27 else 9, base == 27, [kind - base for kind in eyes if base <= kind < base + 9])
            for base in (0, 9, 18, 27)
        ]

    def standard(self, hands):
        n_melds = np.zeros(len(hands), np.uint8)
        n_complete = np.zeros(len(hands), np.uint8)
        for table, base in zip(self.suits, (0, 9, 18, 27), strict=True):
            suit = hands[:, base : base + 9].astype(np.int32)
            found = table[suit @ BASE ** np.arange(suit.shape[1], dtype=np.int32)]
            n_melds += found == IS_MELDS
            n_complete += found == IS_COMPLETE
        return (n_melds == 3) & (n_complete == 1)


def seven_pairs(hands, quads=False):
    good = (hands == 0) | (hands == 2)
    if quads:
        good |= hands == 4
    return good.all(axis=1) & (hands.sum(axis=1) == 14)


def thirteen_orphans(hands):
    orphans = np.isin(np.arange(34), list(reference.ORPHANS))
    return ((hands > 0) == orphans).all(axis=1) & (hands.sum(axis=1) == 14)


@pytest.fixture(scope="module")
def tables():
    return Tables()


@pytest.fixture(scope="module")
def tables_258():
    return Tables(KINDS_258)


def any_form(tables, hands, quads=False):
    return tables.standard(hands) | seven_pairs(hands, quads) | thirteen_orphans(hands)


def expected_waits(judge, hands):
    """Masks of the waits by shape."""
    flags = np.zeros(hands.shape, bool)
    for kind in range(34):
        drawn = hands.copy()
        drawn[:, kind] += 1
        flags[:, kind] = judge(drawn)
    return flags


def assert_same(hands, answers, expected):
    wrong = [i for i, (answer, want) in enumerate(zip(answers, expected, strict=True)) if answer != want]
    if wrong:
        shown = [
            f"{mjcore.format(vec)}: got {answers[i]}, expected {expected[i]}"
            for i, vec in zip(wrong[:5], vecs(hands[wrong[:5]]), strict=True)
        ]
        raise AssertionError(f"{len(wrong)} of {len(hands)} differ:\n" + "\n".join(shown))


def names(mask):
    return str(mjcore.KindSet.from_mask(mask))


def assert_same_waits(hands, answers, expected):
    got = [answer.mask for answer in answers]
    if got != expected:
        assert_same(hands, list(map(names, got)), list(map(names, expected)))


def in_parts(name, n, make=family):
    for part in range(n // N_AT_ONCE):
        yield make(name, SEED + 100 * part, N_AT_ONCE)


@pytest.mark.parametrize("name", FAMILIES)
def test_is_hu(name, tables):
    n_wins = n = 0
    for hands in in_parts(name, N_IS_HU):
        expected = any_form(tables, hands).tolist()
        assert_same(hands, [mjcore.is_hu(vec) for vec in vecs(hands)], expected)
        n += len(hands)
        n_wins += sum(expected)
    assert n == N_IS_HU
    assert n / 20 < n_wins < n * 0.9


@pytest.mark.parametrize("name", FAMILIES)
def test_is_hu_with_options(name, tables, tables_258):
    hands = family(name, SEED + 1, N_IS_HU_OPTIONS)
    for rules, expected in (
        (QUADS, any_form(tables, hands, quads=True)),
        (EYES_258, tables_258.standard(hands)),
        (SEVEN_PAIRS, seven_pairs(hands)),
        (THIRTEEN_ORPHANS, thirteen_orphans(hands)),
    ):
        assert_same(hands, [mjcore.is_hu(vec, rules=rules) for vec in vecs(hands)], expected.tolist())


@pytest.mark.parametrize("name", FAMILIES)
def test_ting(name, tables):
    """By shape, and with a copy left."""
    hands = waiting_family(name, SEED, N_TING)
    assert len(hands) >= N_TING
    flags = expected_waits(lambda drawn: any_form(tables, drawn), hands)
    assert 0.1 < flags.any(axis=1).mean() < 1
    assert_same_waits(hands, [mjcore.ting(vec, rules=SHAPE) for vec in vecs(hands)], masks(flags))
    assert_same_waits(hands, [mjcore.ting(vec) for vec in vecs(hands)], masks(flags & (hands < 4)))


@pytest.mark.parametrize("name", FAMILIES)
def test_ting_with_options(name, tables, tables_258):
    hands = waiting_family(name, SEED + 1, N_TING // 4)
    for rules, judge in (
        (QUADS, lambda drawn: any_form(tables, drawn, quads=True)),
        (EYES_258, tables_258.standard),
        (SEVEN_PAIRS, seven_pairs),
        (THIRTEEN_ORPHANS, thirteen_orphans),
    ):
        expected = masks(expected_waits(judge, hands))
        assert_same_waits(hands, [mjcore.ting(vec, rules=rules) for vec in vecs(hands)], expected)


@pytest.mark.parametrize("name", FAMILIES)
def test_ting_many(name):
    hands = vecs(waiting_family(name, SEED + 2, N_TING // 4))
    assert mjcore.ting_many(hands, workers=2) == [mjcore.ting(vec) for vec in hands]


# --- splits ------------------------------------------------------------------------------------


def split_key(split):
    """A Decomposition as the reference writes it."""
    if split.form == "standard":
        return ("standard", tuple(sorted(meld.kinds for meld in split.melds)), split.eyes)
    return (split.form, split.pairs if split.form == "seven_pairs" else split.eyes)


def decompose_family(name):
    hands = family(name, SEED + 3, 4 * N_DECOMPOSE)
    complete = any_form(Tables(), hands, quads=True)
    wins, others = hands[complete], hands[~complete]
    n_wins = min(len(wins), N_DECOMPOSE * 3 // 4)
    rng = np.random.default_rng(SEED)
    return np.concatenate(
        [rng.permutation(wins)[:n_wins], rng.permutation(others)[: max(N_DECOMPOSE - n_wins, N_DECOMPOSE // 4)]]
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_decompose(name):
    rules, same = HandRules(seven_pairs_quads=True), reference.Rules(seven_pairs_quads=True)
    hands = decompose_family(name)
    assert len(hands) >= N_DECOMPOSE
    n_splits = 0
    for counts, vec in zip(hands.tolist(), vecs(hands), strict=True):
        found = mjcore.decompose(vec, rules=rules)
        keys = [split_key(split) for split in found]
        shown = mjcore.format(vec)
        assert len(set(keys)) == len(keys), f"twice the same split of {shown}: {found}"
        assert set(keys) == reference.splits(counts, rules=same), f"{shown}: {found}"
        n_splits += len(keys)
        for split in found:
            assert split.tiles == vec, f"{split} is not {shown}"
            assert split.hard, shown
            assert split.jokers == (), shown
    assert n_splits > len(hands) // 4


@pytest.mark.parametrize("name", FAMILIES)
def test_decompose_gives_the_same_order_again(name):
    hands = family(name, SEED + 3, N_DECOMPOSE // 4)
    first = [mjcore.decompose(vec) for vec in vecs(hands)]
    mjcore.cache_clear()
    assert first == [mjcore.decompose(vec) for vec in vecs(hands)]


@pytest.mark.parametrize("name", FAMILIES)
def test_the_families_are_what_their_names_say(name):
    hands = family(name, SEED, 4_000)
    sizes = hands.sum(axis=1)
    assert (hands <= 4).all()
    assert len(hands) == 4_000
    if name == "short":
        assert set(sizes.tolist()) == set(range(1, 14))
        return
    assert set(sizes.tolist()) == {14}
    n_suits = sum((hands[:, base : base + 9] > 0).any(axis=1).astype(int) for base in (0, 9, 18))
    honors = (hands[:, list(families.HONORS)] > 0).any(axis=1)
    share = {
        "plain": (n_suits == 3).mean(),
        "half_flush": ((n_suits == 1) & honors).mean(),
        "flush": ((n_suits == 1) & ~honors).mean(),
        "honors": (n_suits == 0).mean(),
        "four_of_a_kind": (hands == 4).any(axis=1).mean(),
    }[name]
    assert share > 0.7
