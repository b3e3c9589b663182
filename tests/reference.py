"""
A second opinion on complete hands: slow, obvious, and sharing no code with mjcore.

Three ways of increasing speed, each checked against the one before it in test_reference.py:

`substituted`
    Each multiset of kinds is tried for the jokers.
`splits`
    The smallest tile that is in no group yet must be in some group: each of them is tried.
`is_hu`, `waits`
    All collections of melds and eyes of one suit are written down once; a suit is good for so
    many melds (and the eyes) where one of them covers its tiles.

Counts are lists of 34 in kind order: m, s, p, then C F P E S W N.
"""

from functools import cache, lru_cache
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np

N_KINDS = 34
FIRST_HONOR = 27
ORPHANS = frozenset((0, 8, 9, 17, 18, 26, *range(FIRST_HONOR, N_KINDS)))
ALL_KINDS = frozenset(range(N_KINDS))
FORMS = ("standard", "seven_pairs", "thirteen_orphans")
NO_MELDS = (0,) * N_KINDS
NO_LIMIT = (14,) * N_KINDS
CHOWS = tuple((kind, kind + 1, kind + 2) for kind in range(FIRST_HONOR) if kind % 9 <= 6)
PUNGS = tuple((kind, kind, kind) for kind in range(N_KINDS))
MELDS = CHOWS + PUNGS
MELDS_WITH = tuple(tuple(meld for meld in MELDS if kind in meld) for kind in range(N_KINDS))


class Rules(NamedTuple):
    """The options of mjcore.HandRules that say which hands are complete."""

    forms: tuple = FORMS
    seven_pairs_quads: bool = False
    joker_fifth_copy: bool = True
    joker_special_forms: bool = True
    joker_kind: int | None = None
    eyes: frozenset = ALL_KINDS


DEFAULT = Rules()


@cache
def copies_left(melded):
    return tuple(4 - away for away in melded)


def readings(counts, n_jokers, melded, rules):
    """Yield (natural counts, jokers, most copies of each kind): a copy of the joker kind plays as itself or not."""
    kind = rules.joker_kind
    n_wild = 0 if kind is None else counts[kind]
    for n_as_joker in range(n_wild + 1):
        naturals = list(counts)
        if n_as_joker:
            naturals[kind] -= n_as_joker
        room = NO_LIMIT
        if not rules.joker_fifth_copy:
            room = tuple(map(max, copies_left(melded), naturals))
        yield naturals, n_jokers + n_as_joker, room


# --- the forms without jokers ------------------------------------------------------------------


def is_plain(counts, rules=DEFAULT):
    """Whether tiles without jokers are complete, by plain backtracking."""
    return (
        ("standard" in rules.forms and sum(counts) % 3 == 2 and any_split(counts, rules.eyes))
        or ("seven_pairs" in rules.forms and plain_seven_pairs(counts, rules.seven_pairs_quads))
        or ("thirteen_orphans" in rules.forms and plain_thirteen_orphans(counts))
    )


def any_split(counts, eyes, has_eyes=False):
    """Whether the smallest tile, and then the others, can be put into melds and one pair of eyes."""
    kind = next((kind for kind in range(N_KINDS) if counts[kind]), None)
    if kind is None:
        return has_eyes
    groups = [(kind,) * 3] + [chow for chow in CHOWS if chow[0] == kind]
    if not has_eyes and kind in eyes:
        groups.append((kind, kind))
    for group in groups:
        rest = list(counts)
        for each in group:
            rest[each] -= 1
        if min(rest) >= 0 and any_split(rest, eyes, has_eyes or len(group) == 2):
            return True
    return False


def plain_seven_pairs(counts, quads):
    return sum(counts) == 14 and all(n in ((0, 2, 4) if quads else (0, 2)) for n in counts)


def plain_thirteen_orphans(counts):
    return sum(counts) == 14 and {kind for kind in range(N_KINDS) if counts[kind]} == ORPHANS


def substituted(counts, n_jokers=0, melded=NO_MELDS, rules=DEFAULT):
    """Whether a hand is complete with its jokers as some multiset of kinds: each one is tried."""
    for naturals, jokers, room in readings(counts, n_jokers, melded, rules):
        forms = rules.forms if jokers == 0 or rules.joker_special_forms else ("standard",)
        allowed = rules._replace(forms=tuple(form for form in rules.forms if form in forms))
        for kinds in combinations_with_replacement(range(N_KINDS), jokers):
            whole = list(naturals)
            for kind in kinds:
                whole[kind] += 1
            if all(n <= most for n, most in zip(whole, room, strict=True)) and is_plain(whole, allowed):
                return True
    return False


# --- splits ------------------------------------------------------------------------------------


def splits(counts, n_jokers=0, melded=NO_MELDS, rules=DEFAULT):
    """
    Return the set of all splits.

    Each is ("standard", sorted melds, eyes), ("seven_pairs", sorted kinds) or ("thirteen_orphans", kind held twice).
    """
    found = set()
    for naturals, jokers, room in readings(counts, n_jokers, melded, rules):
        size = sum(naturals) + jokers
        if "standard" in rules.forms and size % 3 == 2:
            found |= standard_splits(naturals, jokers, room, rules.eyes)
        if size == 14 and (jokers == 0 or rules.joker_special_forms):
            if "seven_pairs" in rules.forms:
                found |= seven_pairs_splits(naturals, rules.seven_pairs_quads)
            if "thirteen_orphans" in rules.forms:
                found |= thirteen_orphans_splits(naturals)
    return found


def standard_splits(naturals, n_jokers, room, eyes):
    found = set()
    seen = set()
    n_melds = (sum(naturals) + n_jokers) // 3

    def fits(groups):
        used = [0] * N_KINDS
        for group in groups:
            for kind in group:
                used[kind] += 1
        return all(n <= most for n, most in zip(used, room, strict=True))

    def place(melds, pair, left, jokers):
        state = (tuple(sorted(melds)), pair)
        if jokers < 0 or len(melds) > n_melds or state in seen:
            return
        seen.add(state)
        kind = next((kind for kind in range(N_KINDS) if left[kind]), None)
        if kind is None:
            # what is missing is made of jokers only
            for more in combinations_with_replacement(MELDS, n_melds - len(melds)):
                for last in (pair,) if pair is not None else eyes:
                    whole = (*melds, *more)
                    if fits((*whole, (last, last))):
                        found.add(("standard", tuple(sorted(whole)), last))
            return
        for meld in MELDS_WITH[kind]:
            rest, missing = without(left, meld)
            place((*melds, meld), pair, rest, jokers - missing)
        if pair is None and kind in eyes:
            rest, missing = without(left, (kind, kind))
            place(melds, kind, rest, jokers - missing)

    place((), None, list(naturals), n_jokers)
    return found


def without(left, group):
    rest = list(left)
    missing = 0
    for kind in group:
        if rest[kind]:
            rest[kind] -= 1
        else:
            missing += 1
    return rest, missing


def seven_pairs_splits(naturals, quads):
    """Size with jokers is 14."""
    pairs = []
    for kind in range(N_KINDS):
        if naturals[kind] > (4 if quads else 2):
            return set()
        pairs += [kind] * ((naturals[kind] + 1) // 2)
    found = set()
    if len(pairs) <= 7:
        for more in combinations_with_replacement(range(N_KINDS), 7 - len(pairs)):
            whole = tuple(sorted((*pairs, *more)))
            if all(whole.count(kind) <= (2 if quads else 1) for kind in whole):
                found.add(("seven_pairs", whole))
    return found


def thirteen_orphans_splits(naturals):
    """Size with jokers is 14."""
    found = set()
    if any(n > 2 or (n and kind not in ORPHANS) for kind, n in enumerate(naturals)):
        return found
    for twice in ORPHANS:
        if all(naturals[kind] <= (kind in ORPHANS) + (kind == twice) for kind in range(N_KINDS)):
            found.add(("thirteen_orphans", twice))
    return found


# --- faster: all collections of one suit -------------------------------------------------------

SLOT = 5  # bits a rank: counts to 15 and one guard bit
GUARD = sum(16 << SLOT * index for index in range(9))


@lru_cache(maxsize=400_000)
def slots(counts):
    """The counts of one suit, a tuple, as one number."""
    return sum(min(n, 15) << SLOT * index for index, n in enumerate(counts))


@cache
def collections_of(n_melds, with_eyes, honors):
    """All collections of melds and eyes of one suit as (counts in slots, bit of the eyes)."""
    base = FIRST_HONOR if honors else 0
    melds = [meld for meld in MELDS if base <= meld[0] < base + 9]
    rows = set()
    for chosen in combinations_with_replacement(melds, n_melds):
        counts = [0] * 9
        for meld in chosen:
            for kind in meld:
                counts[kind - base] += 1
        if not with_eyes:
            rows.add((slots(tuple(counts)), 1))
            continue
        for index in range(7 if honors else 9):
            rows.add((slots(tuple(counts)) + (2 << SLOT * index), 1 << index))
    rows = sorted(rows)
    return np.array([row[0] for row in rows], np.uint64), np.array([row[1] for row in rows], np.uint16)


@lru_cache(maxsize=400_000)
def suit_can(held, most, eyes, n_melds, with_eyes, honors):
    """Whether some collection holds at least the tiles in `held` and at most those in `most`."""
    whole, eyes_bit = collections_of(n_melds, with_eyes, honors)
    guard = np.uint64(GUARD)
    good = (((whole | guard) - np.uint64(held)) & (np.uint64(most | GUARD) - whole) & guard) == guard
    if with_eyes:
        good &= (eyes_bit & np.uint16(eyes)) != 0
    return bool(good.any())


@cache
def allowed_eyes(eyes):
    """One mask a suit of the ranks that may be eyes."""
    return [sum(1 << kind - base for kind in eyes if base <= kind < base + 9) for base in (0, 9, 18, 27)]


def is_standard(naturals, n_jokers, room, eyes):
    size = sum(naturals) + n_jokers
    if size % 3 != 2:
        return False
    suits = []
    for base, allowed in zip((0, 9, 18, 27), allowed_eyes(eyes), strict=True):
        held, most = tuple(naturals[base : base + 9]), tuple(room[base : base + 9])
        suits.append((slots(held), slots(most), allowed, base == 27, sum(held)))

    def place(suit, melds_left, eyes_left, jokers):
        if suit == 4:
            return melds_left == eyes_left == 0
        held, most, allowed, honors, n = suits[suit]
        for n_eyes in range(eyes_left + 1):
            for n_melds in range(melds_left + 1):
                missing = 3 * n_melds + 2 * n_eyes - n
                if (
                    0 <= missing <= jokers
                    and (
                        missing == 3 * n_melds + 2 * n_eyes == 0
                        or suit_can(held, most, allowed, n_melds, n_eyes, honors)
                    )
                    and place(suit + 1, melds_left - n_melds, eyes_left - n_eyes, jokers - missing)
                ):
                    return True
        return False

    return place(0, size // 3, 1, n_jokers)


def is_hu(counts, n_jokers=0, melded=NO_MELDS, rules=DEFAULT):
    """Whether a hand is complete; `melded` are the counts of tiles in declared melds."""
    for naturals, jokers, room in readings(counts, n_jokers, melded, rules):
        if "standard" in rules.forms and is_standard(naturals, jokers, room, rules.eyes):
            return True
        if sum(naturals) + jokers != 14 or (jokers and not rules.joker_special_forms):
            continue
        if "seven_pairs" in rules.forms:
            most = 4 if rules.seven_pairs_quads else 2
            if max(naturals) <= most and sum((n + 1) // 2 for n in naturals) <= 7:
                return True
        if "thirteen_orphans" in rules.forms and thirteen_orphans_splits(naturals):
            return True
    return False


def waits(counts, n_jokers=0, melded=NO_MELDS, rules=DEFAULT, shape=False):
    """Return the kinds that complete a hand: all by shape, or those of which a copy is left beside hand and melds."""
    if (sum(counts) + n_jokers) % 3 != 1:
        return set()
    found = set()
    for kind in range(N_KINDS):
        if shape or counts[kind] + melded[kind] < 4:
            drawn = list(counts)
            drawn[kind] += 1
            if is_hu(drawn, n_jokers, melded, rules):
                found.add(kind)
    return found


# --- how far from complete ---------------------------------------------------------------------

FAR = 60  # more tiles than any hand needs
N_MELDS_MAX = 4
LANES = (slice(0, 9), slice(9, 18), slice(18, 27), slice(27, 34))
FREE_ROOM = 20  # more copies than any finished hand has
KNITTED_SETS = tuple(
    tuple(sorted(9 * suit + first + 3 * step for suit, first in enumerate(order) for step in range(3)))
    for order in permutations(range(3))
)


def collection_distances(counts, honors, capped):
    """
    Return D of one suit as a list of ten, D[0][0..4] then D[1][0..4], from all collections written down.

    D[p][m] is the fewest tiles to add so that m melds and p eyes stand.
    """
    counts = np.array([*counts, 0, 0][:9], np.int64)
    found = []
    for with_eyes in (False, True):
        for n_melds in range(N_MELDS_MAX + 1):
            whole, _ = collections_of(n_melds, with_eyes, honors)
            held = (whole[:, None] >> np.arange(0, 9 * SLOT, SLOT, dtype=np.uint64)).astype(np.int64) & 15
            if capped:
                held = held[(held <= 4).all(axis=1)]
            found.append(int(np.maximum(held - counts, 0).sum(axis=1).min()))
    return found


def lane_distances(counts, room, eyes, has_chows):
    """
    Return D of one suit for many rows, (n, 2, 5), place by place.

    `room` are the most copies that a finished hand may have of each place; `eyes` says which places may be eyes.
    What is kept: for the chows begun one and two places below, the fewest tiles added so far.
    """
    n_rows, n_places = counts.shape
    if n_rows > 20_000:
        parts = range(0, n_rows, 20_000)
        return np.concatenate(
            [lane_distances(counts[at : at + 20_000], room[at : at + 20_000], eyes, has_chows) for at in parts]
        )
    empty = np.full((2, N_MELDS_MAX + 1, n_rows), FAR, np.int8)
    start = empty.copy()
    start[0, 0] = 0
    states = {(0, 0): start}
    for place in range(n_places):
        after = {}
        count, most = counts[:, place].astype(np.int8), room[:, place].astype(np.int8)
        price = [np.where(used > most, FAR, np.maximum(used - count, 0)).astype(np.int8) for used in range(23)]
        for (last, before), prices in states.items():
            for chows in range(N_MELDS_MAX + 1 - last - before if has_chows and place < n_places - 2 else 1):
                reached = after.setdefault((chows, last), empty.copy())
                for pungs in range(N_MELDS_MAX + 1 - last - before - chows):
                    used, more = last + before + chows + 3 * pungs, chows + pungs
                    if used > most.max(initial=0):
                        continue
                    rest = prices[:, : N_MELDS_MAX + 1 - more]
                    np.minimum(reached[:, more:], rest + price[used], out=reached[:, more:])
                    if eyes[place]:
                        np.minimum(reached[1, more:], rest[0] + price[used + 2], out=reached[1, more:])
        states = {state: np.minimum(prices, FAR) for state, prices in after.items()}
    return states[0, 0].transpose(2, 0, 1)


def standard_distances(hands, n_melds, room, eyes=ALL_KINDS):
    """Return the fewest tiles to add to each hand so that `n_melds` melds (one number a hand) and eyes stand."""
    total = np.full((len(hands), 2, N_MELDS_MAX + 1), FAR, np.int64)
    total[:, 0, 0] = 0
    for lane in LANES:
        width = lane.stop - lane.start
        places = np.where(room[:, lane] == FREE_ROOM, 5, room[:, lane]).astype(np.int64)
        keys = (hands[:, lane].astype(np.int64) @ 16 ** np.arange(width)) * 6**9 + places @ 6 ** np.arange(width)
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        allowed = [kind in eyes for kind in range(lane.start, lane.stop)]
        rows = lane_distances(hands[first, lane], room[first, lane], allowed, lane.start < FIRST_HONOR)[inverse]
        added = np.full_like(total, FAR)
        for melds in range(N_MELDS_MAX + 1):
            for part in range(melds + 1):
                for left, right in ((0, 0), (0, 1), (1, 0)):
                    np.minimum(
                        added[:, left + right, melds],
                        total[:, left, part] + rows[:, right, melds - part],
                        out=added[:, left + right, melds],
                    )
        total = added
    return total[np.arange(len(hands)), 1, n_melds]


def seven_pairs_distances(hands, quads):
    """Each pair of a kind is one of the seven: those held whole first, then those of which a tile is held."""
    most = 2 if quads else 1
    held = hands.astype(np.int64)
    pairs = np.minimum(held // 2, most).sum(axis=1)
    halves = ((held % 2 == 1) & (held // 2 < most)).sum(axis=1)
    pairs = np.minimum(pairs, 7)
    return 14 - 2 * pairs - np.minimum(halves, 7 - pairs)


def thirteen_orphans_distances(hands):
    held = hands[:, sorted(ORPHANS)]
    return 14 - (held > 0).sum(axis=1) - (held > 1).any(axis=1)


def honors_and_knitted_distances(hands):
    """Fourteen different kinds among the honors and one of the six sets of nine."""
    held = hands > 0
    sets = [held[:, [*knitted, *range(FIRST_HONOR, N_KINDS)]].sum(axis=1) for knitted in KNITTED_SETS]
    return 14 - np.minimum(np.max(sets, axis=0), 14)


def knitted_straight_distances(hands, n_melds, room):
    """Nine kinds of a set, then what is left of a hand: eyes, and a meld unless one is declared."""
    best = np.full(len(hands), FAR)
    for knitted in KNITTED_SETS:
        single = np.zeros(N_KINDS, np.int64)
        single[list(knitted)] = 1
        rest = hands - np.minimum(hands, single)
        possible = (room >= single).all(axis=1)
        rest_room = np.where(room == FREE_ROOM, room, np.maximum(room - single, 0))
        missing = ((hands == 0) & (single == 1)).sum(axis=1)
        distance = missing + standard_distances(rest, n_melds - 3, rest_room)
        best = np.where(possible, np.minimum(best, distance), best)
    return best


def shanten(hands, n_jokers=0, melded=None, rules=DEFAULT, sizes=None):
    """
    Return shanten of each hand, FAR where no form fits the size.

    What counts is the fewest tiles to add to the naturals: the jokers are among them.  Sizes are those of the
    hands unless they are told, as for a hand that has drawn and keeps the number of its melds.
    """
    hands = np.asarray(hands, np.int64).reshape(-1, N_KINDS)
    melded = np.broadcast_to(0 if melded is None else np.asarray(melded, np.int64), hands.shape)
    sizes = hands.sum(axis=1) + n_jokers if sizes is None else sizes
    n_melds = np.minimum(sizes // 3, N_MELDS_MAX)
    best = np.full(len(hands), FAR)
    most_wild = 0 if rules.joker_kind is None else int(hands[:, rules.joker_kind].max(initial=0))
    for n_as_joker in range(most_wild + 1):
        jokers = n_jokers + n_as_joker
        chosen = np.arange(len(hands))
        if n_as_joker:
            chosen = np.flatnonzero(hands[:, rules.joker_kind] >= n_as_joker)
        naturals = hands[chosen].copy()
        if n_as_joker:
            naturals[:, rules.joker_kind] -= n_as_joker
        room = 4 - melded[chosen]
        if jokers and rules.joker_fifth_copy:
            room = np.full_like(naturals, FREE_ROOM)
        found = np.full(len(chosen), FAR)
        if "standard" in rules.forms:
            found = standard_distances(naturals, n_melds[chosen], room, rules.eyes)
        forms = rules.forms if jokers == 0 or rules.joker_special_forms else ()
        specials = []
        if "seven_pairs" in forms:
            specials.append(seven_pairs_distances(naturals, rules.seven_pairs_quads))
        if "thirteen_orphans" in forms:
            specials.append(thirteen_orphans_distances(naturals))
        if "honors_and_knitted" in forms and jokers == 0:
            specials.append(honors_and_knitted_distances(naturals))
        for distance in specials:
            found = np.where(sizes[chosen] >= 13, np.minimum(found, distance), found)
        if "knitted_straight" in forms and jokers == 0:
            long = np.flatnonzero(sizes[chosen] >= 10)
            distance = knitted_straight_distances(naturals[long], n_melds[chosen][long], room[long])
            found[long] = np.minimum(found[long], distance)
        best[chosen] = np.minimum(best[chosen], np.where(found >= FAR, FAR, found - jokers - 1))
    return best


def useful(hands, n_jokers=0, melded=None, rules=DEFAULT):
    """Return shanten of each hand, and (n, 34) flags: the kinds with a copy left whose drawing lowers it."""
    hands = np.asarray(hands, np.int64).reshape(-1, N_KINDS)
    away = np.zeros_like(hands) if melded is None else np.broadcast_to(np.asarray(melded, np.int64), hands.shape)
    sizes = hands.sum(axis=1) + n_jokers
    before = shanten(hands, n_jokers, away, rules)
    flags = np.zeros(hands.shape, bool)
    rows, kinds = np.nonzero((hands + away < 4) & (before >= 0)[:, None])
    drawn = hands[rows]
    drawn[np.arange(len(rows)), kinds] += 1
    flags[rows, kinds] = shanten(drawn, n_jokers, away[rows], rules, sizes[rows]) < before[rows]
    return before, flags
