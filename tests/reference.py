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
from itertools import combinations_with_replacement
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
            room = tuple(max(4 - away, held) for away, held in zip(melded, naturals, strict=True))
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
    for twice in ORPHANS:
        if all(naturals[kind] <= (kind in ORPHANS) + (kind == twice) for kind in range(N_KINDS)):
            found.add(("thirteen_orphans", twice))
    return found


# --- faster: all collections of one suit -------------------------------------------------------

SLOT = 5  # bits a rank: counts to 15 and one guard bit
GUARD = sum(16 << SLOT * index for index in range(9))


def slots(counts):
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
            rows.add((slots(counts), 1))
            continue
        for index in range(7 if honors else 9):
            rows.add((slots(counts) + (2 << SLOT * index), 1 << index))
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


def is_standard(naturals, n_jokers, room, eyes):
    size = sum(naturals) + n_jokers
    if size % 3 != 2:
        return False
    suits = []
    for base in (0, 9, 18, 27):
        here = slice(base, base + 9)
        allowed = sum(1 << kind - base for kind in eyes if base <= kind < base + 9)
        suits.append((slots(naturals[here]), slots(room[here]), allowed, base == 27, sum(naturals[here])))

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
