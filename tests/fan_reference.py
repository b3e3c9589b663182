"""
A second opinion on distances to a fan: every complete hand is written down and compared with the tiles.

Shares no code with mjcore.  A reading is a multiset of four sets with eyes, or one set and eyes beside a knitted
body; the fan table is said again here as conditions on readings: on the kinds that occur (`TileFan`), or on how
often each set occurs and what the eyes are (`SetFan`).  Seven pairs are told by a table over kinds.
"""

from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np

N_KINDS = 34
SUITS = (0, 9, 18)
CHOW_LOWS = [base + rank for base in SUITS for rank in range(7)]
N_CHOWS = len(CHOW_LOWS)
N_SETS = N_CHOWS + N_KINDS
SET_TILES = np.zeros((N_SETS, N_KINDS), np.uint8)
for _i, _low in enumerate(CHOW_LOWS):
    SET_TILES[_i, _low : _low + 3] = 1
for _kind in range(N_KINDS):
    SET_TILES[N_CHOWS + _kind, _kind] = 3
KIND_BITS = np.uint64(1) << np.arange(N_KINDS, dtype=np.uint64)
SET_KINDS = (SET_TILES.astype(bool) * KIND_BITS).sum(axis=1, dtype=np.uint64)
DRAGONS = (27, 28, 29)
WINDS = (30, 31, 32, 33)
TERMINALS = (0, 8, 9, 17, 18, 26)
HONORS = DRAGONS + WINDS
ALL = tuple(range(N_KINDS))
FAMILIES = (tuple(range(9)), tuple(range(9, 18)), tuple(range(18, 27)), DRAGONS, WINDS)


def chow(suit, rank):
    """The number of the chow of a suit (0 .. 2) that begins at a rank (1 .. 7)."""
    return CHOW_LOWS.index(9 * suit + rank - 1)


def pung(kind):
    return N_CHOWS + kind


def suit_pung(suit, rank):
    return pung(9 * suit + rank - 1)


def ranks(*wanted):
    return tuple(9 * suit + rank - 1 for suit in range(3) for rank in wanted)


def bits(kinds):
    return sum(1 << kind for kind in kinds)


class TileFan(NamedTuple):
    """Every tile is of some kinds, and what is present of each class pleases `need`."""

    kinds: tuple = ALL
    classes: tuple = ()
    need: object = lambda: True


class SetFan(NamedTuple):
    """
    A condition on sets and eyes.

    `sets(n)` says for an array n of how often each set occurs (readings, sets) which readings are good,
    `eyes` which kinds may be the eyes; `knitted`: it can be in a hand with a knitted body.
    """

    sets: object
    eyes: tuple = ALL
    knitted: bool = False


def outside_of(kinds):
    return np.uint64(~bits(kinds) & (1 << N_KINDS) - 1)


def holds(n, *groups):
    """Which readings hold all of some sets, a set named twice being held twice."""
    good = np.ones(len(n), bool)
    for group in set(groups):
        good &= n[:, group] >= groups.count(group)
    return good


def holds_any(collections):
    def sets(n):
        good = np.zeros(len(n), bool)
        for groups in collections:
            good |= holds(n, *groups)
        return good

    return sets


def only(groups):
    outside = np.setdiff1d(np.arange(N_SETS), np.array(groups))
    return lambda n: ~n[:, outside].any(axis=1)


def pungs_of(n, kinds):
    return sum(n[:, pung(kind)] > 0 for kind in kinds)


def pure(make, last, *steps):
    """Sets of one suit, their ranks some steps above the first."""
    return SetFan(
        holds_any(
            [
                [make(suit, first + step) for step in pattern]
                for pattern in steps
                for suit in range(3)
                for first in range(1, last + 1 - max(pattern))
            ]
        )
    )


def mixed(make, last, *steps):
    """Sets each of another suit, their ranks some steps above the first."""
    return SetFan(
        holds_any(
            [
                [make(suit, first + step) for suit, step in zip(suits, pattern, strict=True)]
                for pattern in steps
                for suits in permutations(range(3), len(pattern))
                for first in range(1, last + 1 - max(pattern))
            ]
        )
    )


ALL_CHOWS = [chow(suit, rank) for suit in range(3) for rank in range(1, 8)]
ALL_PUNGS = [pung(kind) for kind in ALL]
MSP = FAMILIES[:3]

TILE_FANS = {
    "all_green": TileFan((10, 11, 12, 14, 16, 28)),
    "all_terminals": TileFan(TERMINALS),
    "all_honors": TileFan(HONORS),
    "all_terminals_and_honors": TileFan(TERMINALS + HONORS, (TERMINALS, HONORS), lambda t, h: t & h),
    "full_flush": TileFan(ranks(*range(1, 10)), MSP, lambda m, s, p: m + s + p == 1),
    "upper_tiles": TileFan(ranks(7, 8, 9)),
    "middle_tiles": TileFan(ranks(4, 5, 6)),
    "lower_tiles": TileFan(ranks(1, 2, 3)),
    "upper_four": TileFan(ranks(6, 7, 8, 9), (ranks(6),), lambda six: six == 1),
    "lower_four": TileFan(ranks(1, 2, 3, 4), (ranks(4),), lambda four: four == 1),
    # 1p 2p 3p 4p 5p 8p 9p 2s 4s 5s 6s 8s 9s P
    "reversible_tiles": TileFan((18, 19, 20, 21, 22, 25, 26, 10, 12, 13, 14, 16, 17, 29)),
    "half_flush": TileFan(ALL, (*MSP, HONORS), lambda m, s, p, h: (m + s + p == 1) & (h == 1)),
    "all_types": TileFan(ALL, FAMILIES, lambda m, s, p, d, w: m + s + p + d + w == 5),
    "all_simples": TileFan(ranks(*range(2, 9))),
    "one_voided_suit": TileFan(ALL, MSP, lambda m, s, p: m + s + p == 2),
    "no_honors": TileFan(ranks(*range(1, 10))),
}

SET_FANS = {
    "big_four_winds": SetFan(lambda n: pungs_of(n, WINDS) == 4),
    "big_three_dragons": SetFan(lambda n: pungs_of(n, DRAGONS) == 3),
    "little_four_winds": SetFan(lambda n: pungs_of(n, WINDS) == 3, WINDS),
    "little_three_dragons": SetFan(lambda n: pungs_of(n, DRAGONS) == 2, DRAGONS),
    "big_three_winds": SetFan(lambda n: pungs_of(n, WINDS) == 3, tuple(set(ALL) - set(WINDS))),
    "two_dragon_pungs": SetFan(lambda n: pungs_of(n, DRAGONS) == 2, tuple(set(ALL) - set(DRAGONS))),
    "dragon_pung": SetFan(lambda n: pungs_of(n, DRAGONS) > 0, knitted=True),
    "prevalent_wind": SetFan(lambda n: pungs_of(n, (31,)) > 0, knitted=True),  # the south wind
    "seat_wind": SetFan(lambda n: pungs_of(n, (30,)) > 0, knitted=True),  # the east wind
    "quadruple_chow": pure(chow, 7, (0, 0, 0, 0)),
    "pure_triple_chow": pure(chow, 7, (0, 0, 0)),
    "pure_double_chow": pure(chow, 7, (0, 0)),
    "four_pure_shifted_pungs": pure(suit_pung, 9, (0, 1, 2, 3)),
    "pure_shifted_pungs": pure(suit_pung, 9, (0, 1, 2)),
    "four_pure_shifted_chows": pure(chow, 7, (0, 1, 2, 3), (0, 2, 4, 6)),
    "pure_shifted_chows": pure(chow, 7, (0, 1, 2), (0, 2, 4)),
    "pure_straight": pure(chow, 7, (0, 3, 6)),
    "short_straight": pure(chow, 7, (0, 3)),
    "two_terminal_chows": pure(chow, 7, (0, 6)),
    "mixed_straight": mixed(chow, 7, (0, 3, 6)),
    "mixed_triple_chow": mixed(chow, 7, (0, 0, 0)),
    "mixed_shifted_chows": mixed(chow, 7, (0, 1, 2)),
    "mixed_double_chow": mixed(chow, 7, (0, 0)),
    "triple_pung": mixed(suit_pung, 9, (0, 0, 0)),
    "mixed_shifted_pungs": mixed(suit_pung, 9, (0, 1, 2)),
    "double_pung": mixed(suit_pung, 9, (0, 0)),
    "all_even_pungs": SetFan(only([pung(kind) for kind in ranks(2, 4, 6, 8)]), ranks(2, 4, 6, 8)),
    "all_pungs": SetFan(only(ALL_PUNGS)),
    "all_chows": SetFan(only(ALL_CHOWS), ranks(*range(1, 10)), knitted=True),
    "all_fives": SetFan(
        only([chow(suit, rank) for suit in range(3) for rank in (3, 4, 5)] + [pung(kind) for kind in ranks(5)]),
        ranks(5),
    ),
    "outside_hand": SetFan(
        only([chow(suit, rank) for suit in range(3) for rank in (1, 7)] + [pung(k) for k in TERMINALS + HONORS]),
        TERMINALS + HONORS,
    ),
}

# The eyes go with the sets: one row for each suit of the eyes.
TERMINAL_CHOW_FANS = {
    "pure_terminal_chows": [((suit, suit), 9 * suit + 4) for suit in range(3)],
    "three_suited_terminal_chows": [
        (tuple(other for other in range(3) if other != suit), 9 * suit + 4) for suit in range(3)
    ],
}

SPECIAL_FANS = (
    "seven_pairs",
    "seven_shifted_pairs",
    "thirteen_orphans",
    "greater_honors_and_knitted",
    "lesser_honors_and_knitted",
    "knitted_straight",
)
FANS = (*TILE_FANS, *SET_FANS, *TERMINAL_CHOW_FANS, *SPECIAL_FANS)


def tile_fan_sets(fan, kinds, eyes):
    """Which readings, given as masks of the kinds in their sets, meet a fan of tiles with some eyes."""
    kinds = kinds | np.uint64(1 << eyes)
    good = kinds & outside_of(fan.kinds) == 0
    present = [(kinds & np.uint64(bits(members)) != 0).astype(np.uint8) for members in fan.classes]
    return good & (fan.need(*present) != 0) if present else good


class Readings:
    """All readings with some melds, and for each fan those that can meet it."""

    def __init__(self, melds, body=()):
        self.melds = tuple(melds)
        n_free = (1 if body else 4) - len(self.melds)
        collections = list(combinations_with_replacement(range(N_SETS), n_free))
        rows = np.array(collections, np.int64).reshape(len(collections), n_free)
        self.tiles = SET_TILES[rows].sum(axis=1, dtype=np.uint8)
        self.tiles[:, list(body)] += 1
        self.rows = rows
        self.kinds = np.zeros(len(rows), np.uint64)
        for column in range(n_free):
            self.kinds |= SET_KINDS[rows[:, column]]
        for meld in self.melds:
            self.kinds |= SET_KINDS[meld]
        self.kinds |= np.uint64(bits(body))
        self.body = bool(body)
        n = np.zeros((len(rows), N_SETS), np.uint8)
        for column in range(n_free):
            n[np.arange(len(rows)), rows[:, column]] += 1
        for meld in self.melds:
            n[:, meld] += 1
        self.good = {fan: self._good(fan, n) for fan in FANS}

    def _good(self, name, n):
        """Pairs of eyes and the rows that meet a fan with them."""
        if name in TILE_FANS:
            fan = TILE_FANS[name]
            inside = np.flatnonzero(self.kinds & outside_of(fan.kinds) == 0).astype(np.int32)
            return [(eyes, inside[tile_fan_sets(fan, self.kinds[inside], eyes)]) for eyes in fan.kinds]
        if name in SET_FANS:
            fan = SET_FANS[name]
            rows = (
                np.flatnonzero(fan.sets(n)).astype(np.int32) if fan.knitted or not self.body else np.zeros(0, np.int64)
            )
            return [(eyes, rows) for eyes in fan.eyes]
        if name in TERMINAL_CHOW_FANS and not self.body:
            return [
                (eyes, np.flatnonzero(holds(n, *(chow(suit, rank) for suit in suits for rank in (1, 7)))))
                for suits, eyes in TERMINAL_CHOW_FANS[name]
            ]
        if name == "knitted_straight" and self.body:
            return [(eyes, np.arange(len(n))) for eyes in ALL]
        return []

    def fewest(self, held, melded, fans):
        """For each fan the fewest tiles that a reading misses, None where there is none."""
        missing = np.maximum(self.tiles, held).sum(axis=1, dtype=np.int16) - int(held.sum())
        legal = (self.tiles + melded <= 4).all(axis=1)
        after = []
        for kind in range(N_KINDS):
            column = self.tiles[:, kind].astype(np.int16)
            more = np.maximum(column + 2, held[kind]) - np.maximum(column, held[kind])
            after.append(np.where(legal & (column + 2 + melded[kind] <= 4), missing + more, 99))
        best = {}
        for fan in fans:
            found = min((int(after[eyes][rows].min()) for eyes, rows in self.good[fan] if len(rows)), default=99)
            best[fan] = None if found == 99 else found
        return best


def knitted_bodies():
    for suits in permutations(range(3)):
        yield tuple(
            9 * suit + rank - 1
            for suit, first in zip(suits, (1, 2, 3), strict=True)
            for rank in (first, first + 3, first + 6)
        )


@lru_cache(maxsize=64)
def readings(melds):
    """Readings of the standard form and with a knitted body."""
    found = [Readings(melds)]
    if len(melds) <= 1:
        found += [Readings(melds, body) for body in knitted_bodies()]
    return found


def rows_of(collections):
    rows = np.zeros((len(collections), N_KINDS), np.uint8)
    for row, kinds in zip(rows, collections, strict=True):
        for kind in kinds:
            row[kind] += 1
    return rows


@lru_cache(maxsize=1)
def special_targets():
    """Complete hands of the fans that are a form of their own, written down."""
    knitted = {honors: set() for honors in (5, 6, 7)}
    for body in knitted_bodies():
        for n, found in knitted.items():
            found |= {a + tuple(sorted(b)) for a in combinations(HONORS, n) for b in combinations(body, 14 - n)}
    orphans = TERMINALS + HONORS
    return {
        "seven_shifted_pairs": rows_of([2 * tuple(range(s + r, s + r + 7)) for s in SUITS for r in range(3)]),
        "thirteen_orphans": rows_of([(*orphans, kind) for kind in orphans]),
        "greater_honors_and_knitted": rows_of(sorted(knitted[7])),
        "lesser_honors_and_knitted": rows_of(sorted(knitted[5] | knitted[6] | knitted[7])),
        "knitted_straight": rows_of(sorted(knitted[5])),
    }


def pairs_missing(held, fan):
    """The fewest tiles that seven pairs of a fan of tiles miss: a table of pairs taken and classes present."""
    table = {(0, (0,) * len(fan.classes)): 0}
    for kind in fan.kinds:
        seen = tuple(kind in members for members in fan.classes)
        new = {}
        for (n, present), kept in table.items():
            for pairs in range(min(2, 7 - n) + 1):
                now = tuple(int(a or (b and pairs > 0)) for a, b in zip(present, seen, strict=True))
                key = n + pairs, now
                new[key] = max(new.get(key, 0), kept + min(int(held[kind]), 2 * pairs))
        table = new
    good = [kept for (n, present), kept in table.items() if n == 7 and fan.need(*map(np.int64, present))]
    return 14 - max(good) if good else None


def distances(held, melds=(), kongs=(), fans=FANS):
    """
    Distances of one hand.

    Parameters
    ----------
    held : (34,) array of the concealed tiles.
    melds : numbers of sets that are declared.
    kongs : kinds of which a declared pung is a kong.

    Returns
    -------
    dict of fan to int or None
    """
    held = np.asarray(held, np.uint8)
    melds = tuple(sorted(melds))
    melded = SET_TILES[list(melds)].sum(axis=0, dtype=np.uint8)
    for kind in kongs:
        melded[kind] += 1
    found = {fan: [] for fan in fans}
    for some in readings(melds):
        for fan, missing in some.fewest(held, melded, fans).items():
            found[fan].append(missing)
    if not melds:
        for fan in fans:
            if fan in TILE_FANS:
                found[fan].append(pairs_missing(held, TILE_FANS[fan]))
            elif fan == "seven_pairs":
                found[fan].append(pairs_missing(held, TileFan()))
            elif fan in special_targets():
                targets = special_targets()[fan]
                found[fan].append(int((np.maximum(targets, held) - held).sum(axis=1).min()))
    return {fan: min((n - 1 for n in some if n is not None), default=None) for fan, some in found.items()}
