"""
Whether to call a tile that another player let go: pass, each chow, pung and kong, with what the hand is worth then.

Every choice is measured alike: shanten and live useful copies of the hand after it, and, given the draws left, the
chance to win with them by `mjcore.win_probability`.  After a chow or pung the best discard is already gone.  What
passing is worth leaves out that a later tile may be called.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from mjcore.advice import DANGER_WEIGHT, rank_discards
from mjcore.arguments import read_number
from mjcore.facade import ting
from mjcore.hand import Hand, Meld
from mjcore.notation import kind_of
from mjcore.progress import useful_tiles
from mjcore.quality_input import seen_tiles
from mjcore.tiles import FIRST_HONOR, LETTERS, N_COPIES, InvalidHandError, shown, tile_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from mjcore.danger import DangerTable
    from mjcore.facade import _HandLike, _RulesLike, _TilesLike
    from mjcore.progress import LiveTiles
    from mjcore.quality import _Rivers

    _Points = Callable[[Hand, int], float]
    _Worth = Callable[[Hand, int, bool], float]

ACTIONS: tuple[str, ...] = ("win", "pass", "kong", "pung", "chow")
"""What can be done, in the order in which equal choices stand."""

N_TILES_WAITING = 13


class Reason(NamedTuple):
    """Why a choice stands where it does: a word and its numbers, mostly before and after it."""

    name: str
    values: tuple[float, ...] = ()

    def text(self, language: str = "en") -> str:
        """
        Return the reason as text.

        Examples
        --------
        >>> from mjcore.calls import Reason
        >>> Reason("live", (12, 8)).text()
        'live copies 12 -> 8'
        """
        from mjcore.words import explain

        return explain(self.name, self.values, language)


class RatedCall(NamedTuple):
    """
    A choice with what the hand is worth after it.

    Attributes
    ----------
    action : str
        One of `ACTIONS`.
    meld : Meld or None
        What is declared.
    discard : int or None
        The kind to let go then.
    hand : Hand
        The hand after it, the discard gone.
    shanten : int
        Of that hand; -1 for a win.
    useful : LiveTiles
        Kinds that lower it, with the copies left.
    live : int
        Copies of them together.
    win : float or None
        Chance to win within the draws given.
    points : tuple of float or None
        Least and most points over the live waits of a ready hand, if points can be asked for.
    reasons : tuple of Reason
        How it differs from passing.
    """

    action: str
    meld: Meld | None
    discard: int | None
    hand: Hand
    shanten: int
    useful: LiveTiles
    live: int
    win: float | None
    points: tuple[float, float] | None
    reasons: tuple[Reason, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return plain values, as JSON takes them."""
        return {
            "action": self.action,
            "meld": None if self.meld is None else str(self.meld),
            "discard": None if self.discard is None else LETTERS[self.discard],
            "hand": str(self.hand),
            "shanten": self.shanten,
            "useful": [{"tile": LETTERS[kind], "kind": kind, "live": left} for kind, left in self.useful.items()],
            "live": self.live,
            "win": self.win,
            "points": None if self.points is None else list(self.points),
            "reasons": [reason.text() for reason in self.reasons],
        }


class CallAdvice(tuple[RatedCall, ...]):
    """
    The choices, the best first; a tuple of `RatedCall`.

    Examples
    --------
    >>> import mjcore
    >>> advice = mjcore.call_advice("13m 5588s 456p EEE S", "5s")
    >>> print(advice.table())
    action  meld    discard  shanten  live  reasons
    pung    [555s]  S              0     4  shanten 1 -> 0; live copies 7 -> 4; the hand is concealed no more
    pass                           1     7  the hand stays as it is
    >>> advice.best.action, mjcore.tile_name(advice.best.discard)
    ('pung', 'S')
    """

    __slots__ = ()

    @property
    def best(self) -> RatedCall:
        """The choice to take."""
        return self[0]

    def __iter__(self) -> Iterator[RatedCall]:
        return super().__iter__()

    def to_dict(self) -> dict[str, object]:
        """Return plain values, as JSON takes them."""
        return {"calls": [call.to_dict() for call in self]}

    def table(self, language: str = "en", *, notation: str | None = None, dialect: str = "tenhou") -> str:
        """Return the choices as lines of text; parameters as for `DiscardRanking.table`."""
        from mjcore.words import headed, percent, table_notation, translate

        notation = table_notation(language, notation, dialect)
        heads = ["action", "meld", "discard", "shanten", "live", "reasons"]
        with_chance = any(call.win is not None for call in self if call.action != "win")
        if with_chance:
            heads.insert(3, "chance")
        rows = []
        for call in self:
            cells = [
                translate(call.action, language),
                "" if call.meld is None else call.meld.text(notation, dialect=dialect),
                "" if call.discard is None else tile_name(call.discard, notation, dialect=dialect),
                f"{call.shanten}",
                f"{call.live}",
                "; ".join(reason.text(language) for reason in call.reasons),
            ]
            if with_chance:
                cells.insert(3, percent(call.win))
            rows.append(cells)
        return headed(heads, rows, language, frozenset({0, 1, 2, len(heads) - 1}))

    def __str__(self) -> str:
        return self.table()


def call_advice(
    hand: _HandLike,
    offered: int | str,
    /,
    *,
    draws: int | None = None,
    rivers: _Rivers | None = None,
    visible: _TilesLike | None = None,
    rules: _RulesLike | None = None,
    chow: bool = True,
    points: _Points | str | Any = None,
    minimum: float | None = None,
    danger_weight: float = DANGER_WEIGHT,
    danger_table: DangerTable | None = None,
) -> CallAdvice:
    """
    Return what can be done about a tile that another player let go, the best first, with reasons.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        13 tiles with the melds.
    offered : int or str
        The tile; it is in no river yet, and seen by all.
    draws : int, optional
        Draws left; given, each choice has its chance to win with as many, unless the search of one was cut off.
    rivers, visible, rules, danger_weight, danger_table
        As for `rank_discards`.
    chow : bool, default True
        Whether the tile comes from the player before, so that a chow may be made of it.
    points : callable or rules of `score`, optional
        Points of a complete `Hand`, ``points(hand, kind)``, that was completed by a kind; with rules its total.  Each
        ready hand after a choice is asked for with each of its live waits, self-drawn.
    minimum : float, optional
        Points that a win needs; a ready hand that cannot reach them stands behind all others.  Default: that of
        the rules; 0 with a callable.

    Returns
    -------
    CallAdvice
        Choices, ordered by the chance to win if `draws` is given, then by shanten and by live copies.  Of equal
        ones passing comes first, then kong, pung and chow, the lower meld first.

    Raises
    ------
    InvalidHandError
        If it is not a hand of 13 tiles, or no copy of the offered tile can be left.

    Examples
    --------
    >>> import mjcore
    >>> [call.action for call in mjcore.call_advice("13m EE [456p] [789s] [234s]", "2m")]
    ['win', 'pass', 'chow']
    """
    held = hand if isinstance(hand, Hand) else Hand(hand)
    kind = kind_of(offered)
    if len(held) + 3 * held.n_melds != N_TILES_WAITING:
        raise InvalidHandError(
            f"expected {N_TILES_WAITING - 3 * held.n_melds} concealed tiles beside {held.n_melds} melds, "
            f"got {len(held)}"
        )
    if not isinstance(chow, bool):
        raise TypeError(f"expected True or False for chow, got {shown(chow)}")
    worth_of, least = _read_points(points, minimum)
    seen = seen_tiles(rivers, visible)
    if held.all_counts()[kind] + (seen >> 4 * kind & 0xF) >= N_COPIES:
        raise InvalidHandError(f"expected a tile of which a copy is left, got a fifth {LETTERS[kind]}")

    def waiting(action: str, meld: Meld | None, after: Hand, seen: int) -> RatedCall:
        useful = useful_tiles(after, visible=seen, rules=rules)
        win = _win_chance(after, draws, seen, rules)
        return RatedCall(
            action, meld, None, after, useful.shanten, useful, useful.total, win, _points(after, useful, worth_of)
        )

    def discarding(action: str, meld: Meld, after: Hand) -> RatedCall:
        row = rank_discards(
            after,
            draws=draws,
            rivers=rivers,
            visible=visible,
            rules=rules,
            danger_weight=danger_weight,
            danger_table=danger_table,
        )[0]
        rest = after.discard(row.kind)
        worth = _points(rest, row.useful, worth_of)
        return RatedCall(action, meld, row.kind, rest, row.shanten, row.useful, row.live, row.win, worth)

    calls = [waiting("pass", None, held, seen + (1 << 4 * kind))]
    if kind in ting(held, rules=rules):
        complete = held.draw(kind)
        value = None if worth_of is None else worth_of(complete, kind, False)
        if value is None or value >= least:
            worth = None if value is None else (value, value)
            useful = useful_tiles(complete, visible=seen, rules=rules)
            calls.append(RatedCall("win", None, None, complete, -1, useful, 0, 1.0, worth))
    for action, meld in _possible_melds(held, kind, chow):
        after = _declared(held, kind, meld)
        calls.append(waiting(action, meld, after, seen) if action == "kong" else discarding(action, meld, after))
    if any(call.win is None for call in calls if call.action != "win"):
        # a search was cut off: what is left says nothing beside it
        calls = [call if call.action == "win" else call._replace(win=None) for call in calls]
    explained = [call._replace(reasons=tuple(_reasons(call, calls[0], least))) for call in calls]
    return CallAdvice(sorted(explained, key=lambda call: _order(call, least)))


def _possible_melds(hand: Hand, kind: int, chow: bool) -> Iterator[tuple[str, Meld]]:
    counts = hand.counts()
    if hand.n_melds == 4:
        return
    if counts[kind] >= 3:
        yield "kong", Meld.kong(kind)
    if counts[kind] >= 2:
        yield "pung", Meld.pung(kind)
    if not chow or kind >= FIRST_HONOR:
        return
    suit = kind - kind % 9
    for lowest in range(max(suit, kind - 2), min(suit + 6, kind) + 1):
        if all(counts[other] for other in range(lowest, lowest + 3) if other != kind):
            yield "chow", Meld.chow(lowest)


def _declared(hand: Hand, kind: int, meld: Meld) -> Hand:
    """The hand with a meld of which one tile was called."""
    counts = hand.counts()
    counts[kind] += 1
    for other in meld.kinds:
        counts[other] -= 1
    return Hand(counts, melds=[*hand.melds, meld])


def _win_chance(hand: Hand, draws: int | None, seen: int, rules: _RulesLike | None) -> float | None:
    if draws is None:
        return None
    from mjcore.win_chance import win_probability

    curve = win_probability(hand, draws, visible=seen, rules=rules)
    return None if curve.truncated else float(curve)


def _read_points(points: Any, minimum: float | None) -> tuple[_Worth | None, float]:
    """The points of a complete hand by winning kind and whether it was self-drawn; the points that a win needs."""
    if minimum is not None and not isfinite(read_number(minimum, "minimum")):
        raise ValueError(f"expected a finite minimum, got {shown(minimum)}")
    if points is None:
        return None, 0
    if callable(points):
        return lambda hand, kind, self_drawn: _finite(points(hand, kind), hand), minimum or 0
    from mjcore import RuleSet, rule_set, score

    rules = rule_set(points) if isinstance(points, str) else points
    if not isinstance(rules, RuleSet):
        raise TypeError(f"expected a function of hand and winning kind, or rules, for points, got {shown(points)}")

    def worth(hand: Hand, kind: int, self_drawn: bool) -> float:
        return float(score(hand, win_tile=kind, rules=rules, self_drawn=self_drawn).total)

    return worth, rules.minimum if minimum is None else minimum


def _finite(points: object, hand: Hand) -> float:
    number = read_number(points, f"the points of {hand}")
    if not isfinite(number):
        raise ValueError(f"expected a finite number for the points of {hand}, got {shown(points)}")
    return number


def _points(hand: Hand, useful: LiveTiles, worth: _Worth | None) -> tuple[float, float] | None:
    if worth is None or useful.shanten != 0 or not useful.total:
        return None
    totals = [worth(hand.draw(kind), kind, True) for kind, left in useful.items() if left]
    return min(totals), max(totals)


def _falls_short(call: RatedCall, minimum: float) -> bool:
    return call.points is not None and call.points[1] < minimum


def _order(call: RatedCall, minimum: float) -> tuple[object, ...]:
    chance = 0.0 if call.win is None else -call.win
    place = ACTIONS.index(call.action)
    lowest = -1 if call.meld is None else call.meld.kind
    return call.action != "win", _falls_short(call, minimum), chance, call.shanten, -call.live, place, lowest


def _reasons(call: RatedCall, stay: RatedCall, minimum: float) -> Iterator[Reason]:
    if call.action == "win":
        yield Reason("complete")
    elif call is stay:
        yield Reason("keeps")
    else:
        for name, before, after in (
            ("chance", stay.win, call.win),
            ("shanten", stay.shanten, call.shanten),
            ("live", stay.live, call.live),
        ):
            if before is not None and after is not None and before != after:
                yield Reason(name, (before, after))
        if not stay.hand.melds:
            yield Reason("opens")
        if call.action == "kong":
            yield Reason("replacement")
    if call.points is not None:
        if _falls_short(call, minimum):
            yield Reason("below", (call.points[1], minimum))
        else:
            yield Reason("points", call.points)
