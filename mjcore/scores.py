"""Scoring a winning hand: `score`, and the `Score` that says what counts, what does not, and why."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache

from mjcore.conditions import MEANINGS
from mjcore.fans import ACCOUNT_ONCE, Shape
from mjcore.group_texts import meld_text
from mjcore.hand import Hand, Meld
from mjcore.kindset import KindSet
from mjcore.notation import format, kind_of
from mjcore.readings import Reading, times
from mjcore.rule_sets import RuleSet, as_rule_set
from mjcore.tiles import (
    CHINESE,
    LETTERS,
    ContextError,
    InvalidHandError,
    NotAWinError,
    as_index,
    shown,
)
from mjcore.wins import FLAGS, Win

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, SupportsIndex, TypeAlias

    _HandLike: TypeAlias = SupportsIndex | Hand | str | Sequence[SupportsIndex]

FLOWERS_MAX = 8
WINDS = ("E", "S", "W", "N")
_SELF_DRAWN = FLAGS["self_drawn"]
_WIND_KINDS = {wind: kind_of(wind) for wind in WINDS}


def _wind(value: object, name: str) -> int:
    if isinstance(value, str) and value in _WIND_KINDS:
        return _WIND_KINDS[value]
    if not isinstance(value, str) and as_index(value) is None:
        raise TypeError(f"expected a wind for {name}, got {shown(value)}")
    try:
        kind = kind_of(value)  # type: ignore[arg-type]
    except InvalidHandError:
        raise ContextError(f"expected a wind, E S W or N, for {name}, got {shown(value)}") from None
    if LETTERS[kind] not in WINDS:
        raise ContextError(f"expected a wind, E S W or N, for {name}, got {LETTERS[kind]}")
    return kind


@dataclass(frozen=True)
class Context:
    """
    How a hand was won.

    Attributes
    ----------
    self_drawn : bool
        Drawn by the winner, else taken from another player.
    wall_last : bool
        The last tile of the wall, or the discard that followed it.
    kong_replacement : bool
        The replacement tile of an own kong, not of a flower.
    rob_kong : bool
        The tile with which another player made a kong.
    fourth_visible : bool
        The three other copies of the winning tile are public; set where three are in open melds of the winner.
    seat_wind, round_wind : str
        ``E S W N``; kinds are taken too.
    flowers : int
        Flowers and seasons, 0 to 8.
    rob_concealed : bool
        The robbed kong is a concealed one, which few rules allow.
    first_turn, ready_at_deal : bool
        Won in the first turn, before any meld; declared ready with the tiles dealt.  Only optional fans ask for these.

    Raises
    ------
    TypeError
        If a flag is not a bool.
    ContextError
        If a wind is none, or there are more than eight flowers.

    Examples
    --------
    >>> Context(self_drawn=True, seat_wind="S").seat_wind
    'S'
    """

    self_drawn: bool = False
    wall_last: bool = False
    kong_replacement: bool = False
    rob_kong: bool = False
    fourth_visible: bool = False
    seat_wind: str | int = "E"
    round_wind: str | int = "E"
    flowers: int = 0
    rob_concealed: bool = False
    first_turn: bool = False
    ready_at_deal: bool = False
    _code: tuple[int, int, int, int] = field(init=False, repr=False, compare=False, default=(0, 0, 0, 0))

    def __post_init__(self) -> None:
        flags = 0
        for name, bit in FLAGS.items():
            value = getattr(self, name)
            if type(value) is not bool:
                value = _as_bool(value, name)
                object.__setattr__(self, name, value)
            flags |= bit * value
        seat = _wind(self.seat_wind, "seat_wind")
        around = _wind(self.round_wind, "round_wind")
        flowers = as_index(self.flowers)
        if flowers is None:
            raise TypeError(f"expected a number of flowers, got {shown(self.flowers)}")
        if not 0 <= flowers <= FLOWERS_MAX:
            raise ContextError(f"expected 0 to {FLOWERS_MAX} flowers, got {shown(flowers)}")
        object.__setattr__(self, "seat_wind", LETTERS[seat])
        object.__setattr__(self, "round_wind", LETTERS[around])
        object.__setattr__(self, "flowers", flowers)
        object.__setattr__(self, "_code", (flags, seat, around, flowers))

    def to_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        return {name: getattr(self, name) for name in CONTEXT_FIELDS}

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_context, (self.to_dict(),)

    def __setstate__(self, state: object) -> None:
        raise TypeError("a Context is made of its fields")


CONTEXT_FIELDS: tuple[str, ...] = tuple(item.name for item in fields(Context) if item.init)
"""Names of the fields of `Context`."""

_PLAIN = Context()


def _restore_context(given: dict[str, Any]) -> Context:
    return Context(**given)


class Score(Reading):
    """
    What a winning hand is worth: its best reading, and why.

    Attributes
    ----------
    total : int
        Points with the bonus fans.
    minimum_met : bool
        Whether the points without bonus fans reach the minimum; a hand below it is no win in play.
    fans : tuple of Fan
        What counts, in table order.
    excluded : tuple of Excluded
        What holds and does not count.
    decomposition : Decomposition
        The concealed tiles in groups; declared melds are not among them.
    win_role : str
        What the winning tile completes: one of `ROLES`.
    waits : KindSet
        Kinds that complete the tiles before the winning one, by shape.
    runner_ups : tuple of Reading
        The other readings, the best first.
    payments : dict of str to int
        What the winner gets and the others pay; empty below the minimum.
    hand, context, rules
        What was scored, the winning tile taken in, and the flags as they were settled.

    Examples
    --------
    >>> import mjcore
    >>> score = mjcore.score("2233445566778p", win_tile="8p")
    >>> score.total, [fan.id for fan in score.fans]
    (90, ['seven_shifted_pairs', 'all_simples'])
    >>> score.explain("full_flush")
    'Full Flush is not counted: Seven Shifted Pairs includes it.'
    """

    __slots__ = ("minimum_met",)

    def __init__(self, win: Win, rules: RuleSet) -> None:
        try:
            shape = Shape(win, rules)
        except LookupError:
            raise NotAWinError(_no_win(win, rules)) from None
        self._set(shape)
        _set_minimum_met(self, shape.total - shape.bonus >= rules.minimum)

    if TYPE_CHECKING:
        minimum_met: bool

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._shape.rules

    @property
    def win_tile(self) -> int:
        """The kind of the winning tile."""
        return self._shape.win.win_tile

    @property
    def hand(self) -> Hand:
        """The hand with the winning tile."""
        return Hand(
            self._shape.win.concealed,
            [meld_text(meld) for meld in self._shape.win.melds],
            drawn=self._shape.win.win_tile,
        )

    @property
    def context(self) -> Context:
        """How the hand was won, contradictions and what is implied settled."""
        flags, seat, around, flowers = self._shape.win.context
        given = {name: bool(flags & bit) for name, bit in FLAGS.items()}
        return Context(**given, seat_wind=LETTERS[seat], round_wind=LETTERS[around], flowers=flowers)

    @property
    def waits(self) -> KindSet:
        """Kinds that complete the tiles before the winning one, by shape."""
        return KindSet.from_mask(self._shape.win.waits(self._shape.rules._program))

    @property
    def runner_ups(self) -> tuple[Reading, ...]:
        """The other readings, the best first."""
        shape = self._shape
        n = len(shape.win.readings(shape.rules._program))
        others = [Reading(shape.win, shape.rules, place) for place in range(n)]
        others = [reading for reading in others if reading._shape.key != shape.key]
        others.sort(key=lambda reading: -reading.total)
        return tuple(others)

    @property
    def payments(self) -> dict[str, int]:
        """
        What each side gets or pays.

        Returns
        -------
        dict
            ``winner`` and ``others``, what each of the three others pays, for a self-drawn hand; ``winner``,
            ``discarder`` and ``others``, what each of the two others pays, for another.  Empty below the minimum.
        """
        if not self.minimum_met:
            return {}
        base = self._shape.rules.base
        each = base + self.total
        if self._shape.win.flags & _SELF_DRAWN:
            return {"winner": 3 * each, "others": -each}
        return {"winner": each + 2 * base, "discarder": -each, "others": -base}

    def explain(self, fan_id: str) -> str:
        """
        Return why a fan is counted or not, in English.

        Raises
        ------
        KeyError
            If the rule set has no such fan.

        Examples
        --------
        >>> import mjcore
        >>> mjcore.score("123m456m EE [CCC] [789s]", win_tile="E").explain("all_chows")
        'All Chows is not counted: it needs eyes_suit (the eyes are of a suit); n_chows == 4 (it is 3) or \
knitted_straight and n_chows == 1 (it is 3).'
        """
        place = self._shape.rules.place(fan_id)
        row = self._shape.rules.fans[place]
        count = self._shape.count(place)
        by = [entry.by for entry in self.excluded if entry.id == fan_id]
        reasons = " and ".join(_principle(name, self._shape.rules) for name in by)
        if count:
            times = f" {count} times" if count > 1 else ""
            made = "; ".join(" ".join(group) for group in self._shape.groups(place))
            text = f"{row.en} is counted{times}{': ' if made else ''}{made}."
            return f"{text} Part of it is not: {reasons}." if by else text
        if by:
            return f"{row.en} is not counted: {reasons}."
        if row.otherwise:
            return f"{row.en} is not counted: other fans are."
        return f"{row.en} is not counted: {self._unmet(place)}.{self._elsewhere(place)}"

    def _unmet(self, place: int) -> str:
        condition = self._shape.rules._conditions[place]
        unmet = condition.unmet(self._shape.facts)
        parts = [f"{part} ({MEANINGS[part]})" if part in MEANINGS else part for part in unmet]
        return f"it needs {'; '.join(parts)}"

    def _elsewhere(self, place: int) -> str:
        for reading in self.runner_ups:
            if reading._shape.count(place):
                return f" A reading worth {reading.total} has it: {reading.decomposition}."
        return ""

    def table(self, lang: str = "en") -> str:
        """
        Return the score as a table.

        Parameters
        ----------
        lang : {"en", "zh"}
            Names in English or Chinese.

        Examples
        --------
        >>> import mjcore
        >>> print(mjcore.score("789sNNFF [123m] [456p]", win_tile="F").table())
        Chinese Official: 16 points
        [123m] [456p] 789s FFF NN, won on F
        Mixed Straight   8
        All Types        6
        Dragon Pung      2
        """
        if lang not in ("en", "zh"):
            raise ValueError(f"expected a language of en, zh, got {shown(lang)}")
        chinese = lang == "zh"
        names = [times(fan.name(lang), fan.count) for fan in self.fans]
        width = max((_width(name) for name in names), default=0)
        tile = CHINESE[self.win_tile] if chinese else LETTERS[self.win_tile]
        below = (
            ""
            if self.minimum_met
            else (
                f",不足{self._shape.rules.minimum}番"
                if chinese
                else f", below the minimum of {self._shape.rules.minimum}"
            )
        )
        head = (
            f"{self._shape.rules.zh}:{self.total}番{below}"
            if chinese
            else (f"{self._shape.rules.en}: {self.total} points{below}")
        )
        won = f"{self._layout(chinese)},和{tile}" if chinese else f"{self._layout(chinese)}, won on {tile}"
        lines = [
            f"{name}{' ' * (width - _width(name))} {fan.total:>3}" for name, fan in zip(names, self.fans, strict=True)
        ]
        return "\n".join([head, won, *lines])

    def _layout(self, chinese: bool) -> str:
        notation = "chinese" if chinese else "letters"
        melds = [Meld(meld_text(meld)).text(notation) for meld in self._shape.win.melds]
        parts = [*melds, self.decomposition.text(notation)]
        return " ".join(part.replace(" ", "") if part in melds else part for part in parts)

    def to_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        return {
            "rules": self._shape.rules.id,
            "digest": self._shape.rules.digest,
            "hand": self.hand.text(),
            "win_tile": LETTERS[self.win_tile],
            "context": self.context.to_dict(),
            **super().to_dict(),
            "minimum": self._shape.rules.minimum,
            "minimum_met": self.minimum_met,
            "waits": [LETTERS[kind] for kind in self.waits],
            "payments": self.payments,
            "excluded": [{"id": entry.id, "by": entry.by} for entry in self.excluded],
            "runner_ups": [reading.to_dict() for reading in self.runner_ups],
        }

    def __str__(self) -> str:
        return self.table()

    def __reduce__(self) -> tuple[object, ...]:
        return Score, (self._shape.win, self._shape.rules)


_set_minimum_met = getattr(Score, "minimum_met").__set__  # noqa: B009 (a slot)


def score(
    hand: _HandLike,
    /,
    *,
    win_tile: int | str,
    rules: RuleSet | str = "mcr",
    context: Context | None = None,
    **fields: Any,
) -> Score:
    """
    Return what a winning hand is worth: the best of all its readings.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles, with melds in a `Hand` or as text in brackets.  One tile short, it takes the winning
        tile in; complete, it must hold it among the concealed tiles.
    win_tile : int or str
        The winning tile.
    rules : RuleSet or str, default "mcr"
        A rule set, or the name of one that comes with mjcore.
    context : Context, optional
        How it was won; the fields of `Context` may be given as keywords instead.

    Returns
    -------
    Score
        Also for a hand below the minimum: `Score.minimum_met` says so.

    Raises
    ------
    NotAWinError
        If the hand is not complete in any form of the rules.
    ContextError
        If flags contradict each other or the hand; with the option ``context_policy="normalise"`` they are put
        out instead.
    InvalidHandError
        If it is not a hand: wrong number of tiles, a fifth copy, the winning tile not in it.
    TypeError
        If a keyword is not a field of `Context`, or context is given in both ways.

    Notes
    -----
    Readings are compared by total, then by the counts of their fans in table order.

    Examples
    --------
    >>> import mjcore
    >>> score = mjcore.score("55p13789m123s [789s]", win_tile="2m")
    >>> score.total, [fan.id for fan in score.fans]
    (17, ['three_suited_terminal_chows', 'closed_wait'])
    >>> mjcore.score("EEE WWW SSS NNN CC", win_tile="C", self_drawn=True).total
    218
    """
    if not isinstance(rules, RuleSet):
        rules = as_rule_set(rules)
    return Score(win_of(hand, win_tile, rules, context, fields), rules)


def win_of(
    hand: _HandLike,
    win_tile: int | str,
    rules: RuleSet | str = "mcr",
    context: Context | None = None,
    fields: dict[str, Any] | None = None,
) -> Win:
    """Return a hand made ready to be scored; parameters and errors as for `score`."""
    if context is None:
        context = _context(**fields) if fields else _PLAIN
    elif fields:
        raise TypeError(f"expected context or its fields as keywords, got context and {', '.join(fields)}")
    elif not isinstance(context, Context):
        raise TypeError(f"expected a Context, got {type(context).__name__}")
    win = Win.read(hand, kind_of(win_tile), context._code)
    win.settle((rules if isinstance(rules, RuleSet) else as_rule_set(rules))._normalise)
    return win


def _context(**given: Any) -> Context:
    try:
        return _cached_context(**given)
    except TypeError:
        for name in given:
            if name not in CONTEXT_FIELDS:
                raise TypeError(f"expected fields of {', '.join(CONTEXT_FIELDS)}, got {name}") from None
        return Context(**given)  # what cannot be a key is no value of a field either


_cached_context = lru_cache(maxsize=1024, typed=True)(Context)


def _no_win(win: Win, rules: RuleSet) -> str:
    from mjcore.facade import is_hu

    tiles = format(win.concealed)
    if rules.requirements and is_hu(win.concealed, rules=rules.hand_rules):
        # each may hold of one reading, and all of none
        unmet = win.unmet(rules._program) or range(len(rules.requirements))
        return f"{' or '.join(rules.requirements[place] for place in unmet)}, got {tiles}"
    n = len(win.melds)
    melds = f" beside {n} meld{'s' if n > 1 else ''}" if n else ""
    return f"expected a hand that wins on {LETTERS[win.win_tile]} in a form of {rules.id}, got {tiles}{melds}"


def _as_bool(value: object, name: str) -> bool:
    """Return a numpy bool as a bool."""
    import numpy as np

    if not isinstance(value, np.bool_):
        raise TypeError(f"expected True or False for {name}, got {shown(value)}")
    return bool(value)


def _principle(by: str, rules: RuleSet) -> str:
    if by == ACCOUNT_ONCE:
        return "account-once, no set is left that is not joined already"
    return f"{rules.fan(by).en} includes it"


def _width(text: str) -> int:
    """Columns of text, two for a Chinese character."""
    return sum(2 if character > "⺀" else 1 for character in text)
