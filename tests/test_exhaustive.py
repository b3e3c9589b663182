"""All holdings of one suit and of honors, and the totals of all winning hands."""

from itertools import combinations_with_replacement, product
from math import comb, prod

import families
import numpy as np
import pytest

import mjcore
from mjcore import HandRules

pytestmark = pytest.mark.slow

STANDARD = HandRules(forms=("standard",))
SHAPE = HandRules(forms=("standard",), wait_mode="shape")
SEED = 20260108
N_COMBINED = 200_000
SUIT_SHIFTS = {"m": 0, "s": 36, "p": 72}
HONORS_SHIFT = 108
WINNING_HANDS = {2: 34, 5: 1_836, 8: 49_332, 11: 875_418, 14: 11_498_658}
WEIGHTED_WINNING_HANDS = {
    2: 204,
    5: 280_944,
    8: 165_372_972,
    11: 54_780_703_332,
    14: 11_353_128_141_498,
}


def holdings(n_kinds, most=14):
    """All holdings of at most 14 tiles of a suit as (packed, size); 0 to 4 of each kind."""
    found = [(0, 0)]
    for place in range(n_kinds):
        found = [(packed | n << 4 * place, size + n) for packed, size in found for n in range(min(4, most - size) + 1)]
    return found


def packed_of(counts):
    return sum(n << 4 * place for place, n in enumerate(counts))


def composed(honors):
    """All melds, and all melds with eyes, of a suit: written down, not searched for.  Up to five copies of a kind."""
    n_kinds = 7 if honors else 9
    melds = [(i, i, i) for i in range(n_kinds)]
    if not honors:
        melds += [(i, i + 1, i + 2) for i in range(7)]
    only, with_eyes = set(), set()
    for n_melds in range(5):
        for chosen in combinations_with_replacement(melds, n_melds):
            counts = [0] * n_kinds
            for meld in chosen:
                for i in meld:
                    counts[i] += 1
            if max(counts) > 5:
                continue
            only.add(packed_of(counts))
            for i in range(n_kinds):
                if counts[i] <= 3:
                    with_eyes.add(packed_of(counts) + (2 << 4 * i))
    return only, with_eyes


SUIT_HOLDINGS = holdings(9)
HONOR_HOLDINGS = holdings(7)
SUIT_MELDS, SUIT_COMPLETE = composed(False)
HONOR_MELDS, HONOR_COMPLETE = composed(True)


def show(wrong):
    return f"{len(wrong)} wrong, for example {[mjcore.format(vec) for vec in wrong[:5]]}"


def test_number_of_holdings():
    assert len(SUIT_HOLDINGS) == 405_350
    assert len(HONOR_HOLDINGS) == 43_130


@pytest.mark.parametrize("suit", "msp")
def test_is_hu_on_all_holdings_of_one_suit(suit):
    shift = SUIT_SHIFTS[suit]
    wrong = [
        packed << shift
        for packed, _ in SUIT_HOLDINGS
        if mjcore.is_hu(packed << shift, rules=STANDARD) is not (packed in SUIT_COMPLETE)
    ]
    assert not wrong, show(wrong)


def test_is_hu_on_all_holdings_of_honors():
    wrong = [
        packed << HONORS_SHIFT
        for packed, _ in HONOR_HOLDINGS
        if mjcore.is_hu(packed << HONORS_SHIFT, rules=STANDARD) is not (packed in HONOR_COMPLETE)
    ]
    assert not wrong, show(wrong)


def test_default_rules_on_all_holdings_of_one_suit():
    """Seven pairs are the only other form that one suit can have."""

    def expected(packed, size):
        pairs = [packed >> 4 * i & 15 for i in range(9)]
        return packed in SUIT_COMPLETE or (size == 14 and set(pairs) == {0, 2})

    wrong = [packed for packed, size in SUIT_HOLDINGS if mjcore.is_hu(packed) is not expected(packed, size)]
    assert not wrong, show(wrong)


def expected_waits(packed, complete, n_kinds, first):
    """Masks of the waits by shape, and of those with a copy left."""
    shape = possible = 0
    for i in range(n_kinds):
        if packed + (1 << 4 * i) in complete:
            shape |= 1 << first + i
            if packed >> 4 * i & 15 < 4:
                possible |= 1 << first + i
    return shape, possible


@pytest.mark.parametrize(("suit", "first"), [("m", 0), ("s", 9), ("p", 18)])
def test_ting_on_all_waiting_holdings_of_one_suit(suit, first):
    shift = SUIT_SHIFTS[suit]
    wrong = []
    n = 0
    for packed, size in SUIT_HOLDINGS:
        if size % 3 == 1:
            n += 1
            vec = packed << shift
            shape, possible = expected_waits(packed, SUIT_COMPLETE, 9, first)
            if mjcore.ting(vec, rules=SHAPE).mask != shape or mjcore.ting(vec, rules=STANDARD).mask != possible:
                wrong.append(vec)
    assert n > 100_000
    assert not wrong, show(wrong)


def test_ting_on_all_waiting_holdings_of_honors():
    wrong = []
    for packed, size in HONOR_HOLDINGS:
        if size % 3 == 1:
            vec = packed << HONORS_SHIFT
            shape, possible = expected_waits(packed, HONOR_COMPLETE, 7, 27)
            if mjcore.ting(vec, rules=SHAPE).mask != shape or mjcore.ting(vec, rules=STANDARD).mask != possible:
                wrong.append(vec)
    assert not wrong, show(wrong)


def test_ting_of_any_other_size_is_empty():
    for packed, size in HONOR_HOLDINGS:
        if size % 3 != 1:
            assert not mjcore.ting(packed << HONORS_SHIFT), mjcore.format(packed << HONORS_SHIFT)


# --- totals ------------------------------------------------------------------------------------


def judged_melds(all_holdings, shift, eyes):
    """Holdings, as {size: vecs}, that the win check says are melds: with eyes elsewhere they are complete."""
    found = {size: [] for size in range(0, 13, 3)}
    for packed, size in all_holdings:
        if size in found and mjcore.is_hu((packed << shift) + eyes, rules=STANDARD):
            found[size].append(packed << shift)
    return found


def judged_complete(all_holdings, shift):
    found = {size: [] for size in range(2, 15, 3)}
    for packed, size in all_holdings:
        if size in found and mjcore.is_hu(packed << shift, rules=STANDARD):
            found[size].append(packed << shift)
    return found


@pytest.fixture(scope="module")
def judged():
    """(melds, complete) of each suit and of honors."""
    honor_eyes, suit_eyes = mjcore.parse("EE"), mjcore.parse("11m")
    suits = [
        (judged_melds(SUIT_HOLDINGS, shift, honor_eyes), judged_complete(SUIT_HOLDINGS, shift))
        for shift in SUIT_SHIFTS.values()
    ]
    honors = judged_melds(HONOR_HOLDINGS, HONORS_SHIFT, suit_eyes), judged_complete(HONOR_HOLDINGS, HONORS_SHIFT)
    return [*suits, honors]


def physical(vec):
    """Number of ways to take the tiles out of four copies of each kind."""
    return prod(comb(4, vec >> 4 * kind & 15) for kind in range(34))


def totals(judged, weight):
    """Number of winning hands by size, each suit's holdings multiplied with the others'."""
    by_size = [tuple({size: sum(map(weight, vecs)) for size, vecs in part.items()} for part in suit) for suit in judged]
    melds, complete = {0: 1}, {}
    for suit_melds, suit_complete in by_size:
        new_melds, new_complete = {}, {}
        for have, part, into in (
            (melds, suit_melds, new_melds),
            (melds, suit_complete, new_complete),
            (complete, suit_melds, new_complete),
        ):
            for size, n in have.items():
                for more, ways in part.items():
                    if size + more <= 14:
                        into[size + more] = into.get(size + more, 0) + n * ways
        melds, complete = new_melds, new_complete
    return complete


def test_number_of_winning_hands(judged):
    assert totals(judged, lambda vec: 1) == WINNING_HANDS


def test_number_of_winning_hands_by_physical_tiles(judged):
    assert totals(judged, physical) == WEIGHTED_WINNING_HANDS


def divisions(size):
    """Sizes of the four lanes of a winning hand of `size` tiles."""
    parts = [part for part in range(size + 1) if part % 3 != 1]
    for sizes in product(parts, repeat=4):
        if sum(sizes) == size and sum(part % 3 == 2 for part in sizes) == 1:
            yield sizes


@pytest.mark.parametrize("size", WINNING_HANDS)
def test_every_winning_hand_is_one(judged, size):
    """Combined from the suits and judged one by one, all 11 million of 14 tiles too."""
    vecs_of = [{**melds, **complete} for melds, complete in judged]
    n = n_wins = 0
    for m, s, p, z in divisions(size):
        left = [a + b for a in vecs_of[0][m] for b in vecs_of[1][s]]
        right = [c + d for c in vecs_of[2][p] for d in vecs_of[3][z]]
        n += len(left) * len(right)
        n_wins += sum(mjcore.is_hu(a + b) for a in left for b in right)
    assert n_wins == n == WINNING_HANDS[size]


def sample_of_wins(judged, rng, n):
    """Winning hands of 14 tiles, each as likely as another."""
    vecs_of = [{**melds, **complete} for melds, complete in judged]
    sizes = list(divisions(14))
    weights = [prod(len(vecs_of[i][part]) for i, part in enumerate(each)) for each in sizes]
    assert sum(weights) == WINNING_HANDS[14]
    chosen = rng.multinomial(n, np.array(weights) / sum(weights))
    wins = []
    for each, times in zip(sizes, chosen.tolist(), strict=True):
        picks = [rng.integers(0, len(vecs_of[i][part]), times).tolist() for i, part in enumerate(each)]
        lists = [vecs_of[i][part] for i, part in enumerate(each)]
        wins += [lists[0][a] + lists[1][b] + lists[2][c] + lists[3][d] for a, b, c, d in zip(*picks, strict=True)]
    return wins


def is_composed(vec):
    """Whether the suits of a hand are melds, and one of them has eyes too, by what was written down."""
    n_complete = 0
    for lane in range(4):
        part = vec >> 36 * lane & (1 << 36) - 1
        if part in (HONOR_COMPLETE if lane == 3 else SUIT_COMPLETE):
            n_complete += 1
        elif part not in (HONOR_MELDS if lane == 3 else SUIT_MELDS):
            return False
    return n_complete == 1


def test_combined_winning_hands_and_near_misses(judged):
    rng = np.random.default_rng(SEED)
    wins = sample_of_wins(judged, rng, N_COMBINED)
    wrong = [vec for vec in wins if not mjcore.is_hu(vec) or not mjcore.is_hu(vec, rules=STANDARD)]
    assert not wrong, show(wrong)
    counts = np.array([list(mjcore.unpack(vec)) for vec in wins], np.uint8)
    misses = families.vecs(families.exchange_one(rng, counts))
    expected = [is_composed(vec) for vec in misses]
    assert 0.01 < sum(expected) / len(expected) < 0.5
    wrong = [vec for vec, win in zip(misses, expected, strict=True) if mjcore.is_hu(vec, rules=STANDARD) is not win]
    assert not wrong, show(wrong)
