"""
What a hand must become for each fan of Chinese Official that tiles alone decide.

A fan has one or more targets, of which any will do.  A target is a form and, lane by lane (the suits m, s, p,
then dragons, then winds), the sets, pairs and single tiles it must hold and what may fill the rest.  Conditions
are those of the fan table as they stand, whether or not another fan then implies the fan away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations, permutations, product
from typing import NamedTuple

from mjcore.notation import parse
from mjcore.tiles import N_KINDS, shown

FORM_SETS, FORM_PAIRS, FORM_ORPHANS, FORM_KNITTED = range(4)
CHOW, PUNG = 1, 2

LANES = (range(9), range(9, 18), range(18, 27), range(27, 30), range(30, 34))
"""Kinds of each lane."""

SUITS = LANES[:3]
DRAGON_LANE, WIND_LANE = 3, 4
DRAGONS = tuple(LANES[DRAGON_LANE])
WINDS = tuple(LANES[WIND_LANE])
HONORS = frozenset((*DRAGONS, *WINDS))
ALL = frozenset(range(N_KINDS))
SUIT_TILES = ALL - HONORS
TERMINALS = frozenset(kind for suit in SUITS for kind in (suit[0], suit[8]))


class Group(NamedTuple):
    """A chow by its lowest kind, or a pung."""

    type: int
    kind: int

    @property
    def tiles(self) -> tuple[int, int, int]:
        """Its three kinds."""
        step = self.type == CHOW
        return self.kind, self.kind + step, self.kind + 2 * step


class LanePlan(NamedTuple):
    """
    What one lane must hold, and what may fill the rest of it.

    Attributes
    ----------
    lane : int
        Index in `LANES`.
    groups : tuple of Group
        Sets it must hold, declared or concealed.
    pairs, singles : frozenset of int
        Kinds it must hold two and one of beside its sets.
    chows, pungs, eyes : frozenset of int
        Lowest kinds of the other sets and kinds of the pairs that it may hold.
    present : bool
        Whether it may not be empty.
    """

    lane: int
    groups: tuple[Group, ...]
    pairs: frozenset[int]
    singles: frozenset[int]
    chows: frozenset[int]
    pungs: frozenset[int]
    eyes: frozenset[int]
    present: bool


class Target(NamedTuple):
    """
    One way to meet a fan's condition.

    Attributes
    ----------
    form : int
        `FORM_SETS`, `FORM_PAIRS`, `FORM_ORPHANS` or `FORM_KNITTED`.
    n_sets : int
        Sets of the form, declared ones counted.
    plans : tuple of LanePlan
        One a lane; empty where the form alone says all.
    honors : tuple of int
        Fewest and most honors of the knitted form.
    """

    form: int
    n_sets: int = 0
    plans: tuple[LanePlan, ...] = ()
    honors: tuple[int, int] = (0, 0)


def kinds(text: str) -> frozenset[int]:
    """Return the kinds that a text names."""
    packed = parse(text)
    return frozenset(kind for kind in range(N_KINDS) if packed >> 4 * kind & 0xF)


def in_suits(ranks: str) -> frozenset[int]:
    """Return the kinds of some ranks in the three suits."""
    return kinds("".join(f"{ranks}{suit}" for suit in "msp"))


def chows_within(tiles: Iterable[int]) -> frozenset[int]:
    """Return the lowest kinds of the chows made of some kinds only."""
    allowed = frozenset(tiles)
    return frozenset(low for suit in SUITS for low in suit[:7] if {low, low + 1, low + 2} <= allowed)


def make_target(
    form: int = FORM_SETS,
    tiles: frozenset[int] = ALL,
    *,
    chows: frozenset[int] | None = None,
    pungs: frozenset[int] | None = None,
    eyes: frozenset[int] | None = None,
    groups: Iterable[Group] = (),
    pairs: Iterable[int] = (),
    singles: Iterable[int] = (),
    present: Iterable[int] = (),
) -> Target:
    """Return a target whose free sets and pairs are made of some kinds, or are those named."""
    free_chows = chows_within(tiles) if chows is None else chows
    free_pungs = tiles if pungs is None else pungs
    free_eyes = tiles if eyes is None else eyes
    groups, pairs, singles, present = sorted(groups), frozenset(pairs), frozenset(singles), frozenset(present)
    plans = []
    for lane, members in enumerate(LANES):
        here = frozenset(members)
        plans.append(
            LanePlan(
                lane,
                tuple(group for group in groups if group.kind in here),
                pairs & here,
                singles & here,
                free_chows & here,
                free_pungs & here,
                free_eyes & here,
                lane in present,
            )
        )
    return Target(form, 1 if singles else 4, tuple(plans))


# --- targets by the shape of the condition -----------------------------------------------------


def knitted_sets() -> list[frozenset[int]]:
    """Return the nine kinds of each knitted set."""
    return [
        frozenset(suit[start + step] for suit, start in zip(suits, range(3), strict=True) for step in (0, 3, 6))
        for suits in permutations(SUITS)
    ]


def with_knitted(build: Callable[[frozenset[int]], Target]) -> list[Target]:
    """Return the targets of a knitted straight with a set and a pair, built for each knitted set."""
    return [build(body) for body in knitted_sets()]


def of_tiles(tiles: frozenset[int], present: Sequence[Iterable[int]] = ((),)) -> list[Target]:
    """Return the targets of hands made of some kinds, sets or pairs, with some lanes that may not be empty."""
    return [make_target(form, tiles, present=lanes) for lanes in present for form in (FORM_SETS, FORM_PAIRS)]


def of_tiles_with_one(tiles: frozenset[int], marked: frozenset[int]) -> list[Target]:
    """Return the targets of hands made of some kinds, at least one of them marked."""
    found = [make_target(form, tiles, pairs=(kind,)) for kind in marked for form in (FORM_SETS, FORM_PAIRS)]
    groups = [Group(CHOW, low) for low in chows_within(tiles)] + [Group(PUNG, kind) for kind in tiles]
    return found + [make_target(FORM_SETS, tiles, groups=(group,)) for group in groups if marked & {*group.tiles}]


def of_sets(
    chows: frozenset[int] = frozenset(), pungs: frozenset[int] = frozenset(), eyes: frozenset[int] = frozenset()
) -> list[Target]:
    """Return the target of hands whose sets and pair are of some kinds."""
    return [make_target(chows=chows, pungs=pungs, eyes=eyes)]


def of_relation(group_type: int, same_suit: bool, *steps: Sequence[int]) -> list[Target]:
    """Return the targets of sets whose ranks lie some steps from the lowest, in one suit or each in another."""
    last = 6 if group_type == CHOW else 8
    found = set()
    for ranks in steps:
        suits = [(suit,) * len(ranks) for suit in SUITS] if same_suit else permutations(SUITS, len(ranks))
        for chosen, first in product(suits, range(last + 1 - max(ranks))):
            found.add(tuple(sorted(Group(group_type, suit[first + r]) for suit, r in zip(chosen, ranks, strict=True))))
    return [make_target(groups=groups) for groups in sorted(found)]


def all_terminals_and_honors() -> list[Target]:
    """Return the targets with a terminal of some suit and an honor of one sort."""
    return of_tiles(TERMINALS | HONORS, list(product(range(3), (DRAGON_LANE, WIND_LANE))))


def full_flush() -> list[Target]:
    """Return the targets of each suit."""
    return [target for suit in SUITS for target in of_tiles(frozenset(suit))]


def half_flush() -> list[Target]:
    """Return the targets of each suit with an honor of one sort."""
    return [
        target
        for lane, suit in enumerate(SUITS)
        for target in of_tiles(frozenset(suit) | HONORS, [(lane, DRAGON_LANE), (lane, WIND_LANE)])
    ]


def one_voided_suit() -> list[Target]:
    """Return the targets without each of the suits and with the other two."""
    return [
        target
        for lanes in combinations(range(3), 2)
        for target in of_tiles(HONORS.union(*(SUITS[lane] for lane in lanes)), [lanes])
    ]


def all_types() -> list[Target]:
    """Return the targets in which no lane is empty."""
    honors = (DRAGON_LANE, WIND_LANE)
    return of_tiles(ALL, [range(5)]) + with_knitted(lambda body: make_target(singles=body, present=honors))


def no_honors() -> list[Target]:
    """Return the targets of suit tiles."""
    return of_tiles(SUIT_TILES) + with_knitted(lambda body: make_target(FORM_SETS, SUIT_TILES, singles=body))


def all_chows() -> list[Target]:
    """Return the targets whose sets are chows and whose pair is of a suit."""
    chows = chows_within(ALL)
    return [
        *of_sets(chows, eyes=SUIT_TILES),
        *with_knitted(lambda body: make_target(chows=chows, pungs=frozenset(), eyes=SUIT_TILES, singles=body)),
    ]


def knitted_straight() -> list[Target]:
    """Return the targets with a set and a pair, and among honors."""
    return with_knitted(lambda body: make_target(singles=body)) + knitted_honors(5, 5)


def knitted_honors(fewest: int, most: int) -> list[Target]:
    """Return the targets of different honors and tiles of a knitted set."""
    return with_knitted(lambda body: make_target(FORM_KNITTED, body)._replace(honors=(fewest, most)))


def seven_shifted_pairs() -> list[Target]:
    """Return the targets of seven ranks in a row of each suit."""
    return [
        make_target(FORM_PAIRS, frozenset(suit), pairs=suit[first : first + 7]) for suit in SUITS for first in range(3)
    ]


def pure_terminal_chows() -> list[Target]:
    """Return the target of each suit."""
    return [make_target(groups=[Group(CHOW, suit[0]), Group(CHOW, suit[6])] * 2, pairs=(suit[4],)) for suit in SUITS]


def three_suited_terminal_chows() -> list[Target]:
    """Return the target of each suit of the pair."""
    return [
        make_target(
            groups=[Group(CHOW, suit[at]) for suit in SUITS if suit is not of_pair for at in (0, 6)],
            pairs=(of_pair[4],),
        )
        for of_pair in SUITS
    ]


def pungs_of(*members: int) -> list[Target]:
    """Return the target of hands that hold the pungs of some kinds."""
    return [make_target(groups=[Group(PUNG, kind) for kind in members])]


def any_pung_of(members: Iterable[int]) -> list[Target]:
    """Return the targets of hands that hold a pung of one of some kinds, beside sets or a knitted straight."""
    found = []
    for kind in members:
        groups = [Group(PUNG, kind)]
        found.append(make_target(groups=groups))
        found += with_knitted(partial(_beside_knitted, groups))
    return found


def _beside_knitted(groups: list[Group], body: frozenset[int]) -> Target:
    return make_target(groups=groups, singles=body)


def all_pungs_but_one(members: Sequence[int]) -> list[Target]:
    """Return the targets of pungs of all but one of some kinds, neither that pung nor a pair of them beside."""
    rest = ALL.difference(members)
    return [
        make_target(groups=[Group(PUNG, kind) for kind in members if kind != left], pungs=rest, eyes=rest)
        for left in members
    ]


def all_pungs_but_eyes(members: Sequence[int]) -> list[Target]:
    """Return the targets of pungs of all but one of some kinds, and a pair of that one."""
    return [
        make_target(groups=[Group(PUNG, kind) for kind in members if kind != left], pairs=(left,)) for left in members
    ]


# --- the fans ----------------------------------------------------------------------------------

_MIDDLE_FIVES = frozenset(suit[at] for suit in SUITS for at in (2, 3, 4))
_FIVES = in_suits("5")
_EVENS = in_suits("2468")
_OUTER_CHOWS = frozenset(suit[at] for suit in SUITS for at in (0, 6))

TARGETS: dict[str, Callable[[], list[Target]]] = {
    "big_four_winds": partial(pungs_of, *WINDS),
    "big_three_dragons": partial(pungs_of, *DRAGONS),
    "all_green": partial(of_tiles, kinds("23468sF")),
    "seven_shifted_pairs": seven_shifted_pairs,
    "thirteen_orphans": lambda: [Target(FORM_ORPHANS)],
    "all_terminals": partial(of_tiles, TERMINALS),
    "little_four_winds": partial(all_pungs_but_eyes, WINDS),
    "little_three_dragons": partial(all_pungs_but_eyes, DRAGONS),
    "all_honors": partial(of_tiles, HONORS),
    "pure_terminal_chows": pure_terminal_chows,
    "quadruple_chow": partial(of_relation, CHOW, True, (0, 0, 0, 0)),
    "four_pure_shifted_pungs": partial(of_relation, PUNG, True, (0, 1, 2, 3)),
    "four_pure_shifted_chows": partial(of_relation, CHOW, True, (0, 1, 2, 3), (0, 2, 4, 6)),
    "all_terminals_and_honors": all_terminals_and_honors,
    "seven_pairs": lambda: [make_target(FORM_PAIRS)],
    "greater_honors_and_knitted": partial(knitted_honors, 7, 7),
    "all_even_pungs": partial(of_sets, pungs=_EVENS, eyes=_EVENS),
    "full_flush": full_flush,
    "pure_triple_chow": partial(of_relation, CHOW, True, (0, 0, 0)),
    "pure_shifted_pungs": partial(of_relation, PUNG, True, (0, 1, 2)),
    "upper_tiles": partial(of_tiles, in_suits("789")),
    "middle_tiles": partial(of_tiles, in_suits("456")),
    "lower_tiles": partial(of_tiles, in_suits("123")),
    "pure_straight": partial(of_relation, CHOW, True, (0, 3, 6)),
    "three_suited_terminal_chows": three_suited_terminal_chows,
    "pure_shifted_chows": partial(of_relation, CHOW, True, (0, 1, 2), (0, 2, 4)),
    "all_fives": partial(of_sets, _MIDDLE_FIVES, _FIVES, _FIVES),
    "triple_pung": partial(of_relation, PUNG, False, (0, 0, 0)),
    "lesser_honors_and_knitted": partial(knitted_honors, 5, 7),
    "knitted_straight": knitted_straight,
    "upper_four": partial(of_tiles_with_one, in_suits("6789"), in_suits("6")),
    "lower_four": partial(of_tiles_with_one, in_suits("1234"), in_suits("4")),
    "big_three_winds": partial(all_pungs_but_one, WINDS),
    "mixed_straight": partial(of_relation, CHOW, False, (0, 3, 6)),
    "reversible_tiles": partial(of_tiles, kinds("1234589p245689sP")),
    "mixed_triple_chow": partial(of_relation, CHOW, False, (0, 0, 0)),
    "mixed_shifted_pungs": partial(of_relation, PUNG, False, (0, 1, 2)),
    "all_pungs": partial(of_sets, pungs=ALL, eyes=ALL),
    "half_flush": half_flush,
    "mixed_shifted_chows": partial(of_relation, CHOW, False, (0, 1, 2)),
    "all_types": all_types,
    "two_dragon_pungs": partial(all_pungs_but_one, DRAGONS),
    "outside_hand": partial(of_sets, _OUTER_CHOWS, TERMINALS | HONORS, TERMINALS | HONORS),
    "dragon_pung": partial(any_pung_of, DRAGONS),
    "all_chows": all_chows,
    "double_pung": partial(of_relation, PUNG, False, (0, 0)),
    "all_simples": partial(of_tiles, in_suits("2345678")),
    "pure_double_chow": partial(of_relation, CHOW, True, (0, 0)),
    "mixed_double_chow": partial(of_relation, CHOW, False, (0, 0)),
    "short_straight": partial(of_relation, CHOW, True, (0, 3)),
    "two_terminal_chows": partial(of_relation, CHOW, True, (0, 6)),
    "one_voided_suit": one_voided_suit,
    "no_honors": no_honors,
}
"""The fans that tiles alone decide, in the order of the fan table."""

WIND_TARGETS: dict[str, Callable[[int], list[Target]]] = {
    "prevalent_wind": lambda wind: any_pung_of((wind,)),
    "seat_wind": lambda wind: any_pung_of((wind,)),
}
"""The fans that tiles and one wind decide."""

EXACT_FANS: tuple[str, ...] = (*TARGETS, *WIND_TARGETS)
"""Ids of the fans whose distance `mjcore.fan_distance` tells exactly."""

OTHER_FANS: frozenset[str] = frozenset(
    (
        "nine_gates",
        "four_kongs",
        "four_concealed_pungs",
        "three_kongs",
        "three_concealed_pungs",
        "chicken_hand",
        "last_tile_draw",
        "last_tile_claim",
        "out_with_replacement",
        "robbing_the_kong",
        "melded_hand",
        "two_concealed_kongs",
        "mixed_kongs",
        "fully_concealed",
        "two_melded_kongs",
        "last_tile",
        "concealed_hand",
        "tile_hog",
        "two_concealed_pungs",
        "concealed_kong",
        "pung_of_terminals_or_honors",
        "melded_kong",
        "edge_wait",
        "closed_wait",
        "single_wait",
        "self_drawn",
        "flower",
    )
)
"""Fans that depend on how the win comes about, on kongs yet to be declared, or on the other fans."""


def targets_of(fan: str, wind: int) -> tuple[Target, ...]:
    """
    Return the targets of a fan.

    Parameters
    ----------
    fan : str
        One of `EXACT_FANS`.
    wind : int
        The kind that counts for a fan of `WIND_TARGETS`.

    Raises
    ------
    ValueError
        If it is another fan, or none.
    TypeError
        If it is no text.

    Examples
    --------
    >>> len(targets_of("pure_straight", 30)), len(targets_of("mixed_shifted_chows", 30))
    (3, 30)
    """
    if not isinstance(fan, str):
        raise TypeError(f"expected the id of a fan, got {type(fan).__name__}")
    if fan in WIND_TARGETS:
        return tuple(WIND_TARGETS[fan](wind))
    if fan in TARGETS:
        return tuple(TARGETS[fan]())
    why = "which tiles alone do not decide" if fan in OTHER_FANS else "which is no fan of the rules"
    raise ValueError(f"expected a fan of {', '.join(EXACT_FANS)}; got {shown(fan)}, {why}")
