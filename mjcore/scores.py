"""Scoring a winning hand: `score`, and the `Score` that says what counts, what does not, and why."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from mjcore.conditions import MEANINGS
from mjcore.decomposition import FORM_NAMES, Decomposition, _knitted, _meld
from mjcore.hand import Hand, Meld, _Frozen
from mjcore.kindset import KindSet
from mjcore.notation import format, kind_of
from mjcore.packing import unpack
from mjcore.rule_sets import RuleSet, as_rule_set
from mjcore.scoring import FLAGS, MELD_CODES, Win
from mjcore.tiles import (
    CHINESE,
    FIRST_HONOR,
    LETTERS,
    ContextError,
    NotAWinError,
    as_index,
    shown,
    tile_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, SupportsIndex, TypeAlias

    HandLike: TypeAlias = SupportsIndex | Hand | str | Sequence[SupportsIndex]

FLOWERS_MAX = 8
WINDS = ("E", "S", "W", "N")
ROLES = ("none", "eyes", "closed", "edge", "open", "pung", "body")
"""What the winning tile completes: `Score.win_role`."""

ACCOUNT_ONCE = "account_once"
"""The principle in `Excluded.by` of a chow or pung fan for which no unused set was left."""

_GROUP_PUNG = 0x40
_NO_KIND = 0xFF
_MELD_TYPES = {code: name for name, code in MELD_CODES.items()}


def _wind(value: object, name: str) -> int:
    if not isinstance(value, (str, int)) or isinstance(value, bool):
        raise TypeError(f"expected a wind for {name}, got {shown(value)}")
    kind = kind_of(value)
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
        Won in the first turn; declared ready with the tiles dealt.  Only optional fans ask for these.

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
                raise TypeError(f"expected True or False for {name}, got {shown(value)}")
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


CONTEXT_FIELDS: tuple[str, ...] = tuple(item.name for item in fields(Context) if item.init)
"""Names of the fields of `Context`."""

_PLAIN = Context()


class Fan(_Frozen):
    """
    A fan of a score.

    Attributes
    ----------
    id, zh, en : str
        Its id and its names.
    points : int
        What it is worth each time.
    count : int
        How often it counts.
    groups : tuple of tuple of str
        The groups or tiles that make it, once for each time that it counts where that can be told apart.
        Declared melds are in brackets.
    """

    __slots__ = ("id", "zh", "en", "points", "count", "_groups")

    if TYPE_CHECKING:
        id: str
        zh: str
        en: str
        points: int
        count: int
        _groups: tuple[tuple[str, ...], ...] | Callable[[], tuple[tuple[str, ...], ...]]

    def __init__(
        self,
        id: str,
        zh: str,
        en: str,
        points: int,
        count: int,
        groups: tuple[tuple[str, ...], ...] | Callable[[], tuple[tuple[str, ...], ...]],
    ) -> None:
        for put, value in zip(_FAN_SLOTS, (id, zh, en, points, count, groups), strict=True):
            put(self, value)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The groups or tiles that make it."""
        groups = self._groups
        if not isinstance(groups, tuple):
            groups = groups()
            _FAN_SLOTS[-1](self, groups)
        return groups

    @property
    def total(self) -> int:
        """Points times count."""
        return self.points * self.count

    def name(self, lang: str = "en") -> str:
        """Return its name in a language."""
        return self.zh if lang == "zh" else self.en

    def to_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        return {
            "id": self.id,
            "zh": self.zh,
            "en": self.en,
            "points": self.points,
            "count": self.count,
            "total": self.total,
            "groups": [list(group) for group in self.groups],
        }

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Fan) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.id, self.zh, self.en, self.points, self.count, self.groups

    def __repr__(self) -> str:
        return f"Fan({', '.join(f'{name}={value!r}' for name, value in zip(_FAN_FIELDS, self._key(), strict=True))})"

    def __reduce__(self) -> tuple[object, ...]:
        return Fan, self._key()


_FAN_FIELDS = ("id", "zh", "en", "points", "count", "groups")
_FAN_SLOTS = tuple(getattr(Fan, name).__set__ for name in Fan.__slots__)


class Excluded(NamedTuple):
    """
    A fan whose condition holds and that is not counted, or not in full.

    Attributes
    ----------
    id : str
        The fan.
    by : str
        The id of the fan that it is part of, or ``"account_once"``.
    """

    id: str
    by: str


class Reading(_Frozen):
    """
    One way to read a hand: a decomposition and the group that the winning tile completes.

    Attributes
    ----------
    total : int
        What it is worth.
    decomposition : Decomposition
        The concealed tiles.
    win_role : str
        What the winning tile completes: one of `ROLES`.
    """

    def __init__(self, raw: tuple[Any, ...], win: Win, rules: RuleSet) -> None:
        self.__dict__.update(_raw=raw, _win=win, _rules=rules, total=raw[6], win_role=ROLES[raw[4]])

    if TYPE_CHECKING:
        _raw: tuple[Any, ...]
        _win: Win
        _rules: RuleSet
        total: int
        win_role: str

    @property
    def bonus(self) -> int:
        """Points of the total that do not help to reach the minimum."""
        return int(self._raw[7])

    @property
    def form(self) -> str:
        """The shape: one of `HandRules.forms`."""
        return FORM_NAMES[self._raw[0]]

    @cached_property
    def decomposition(self) -> Decomposition:
        """The concealed tiles in groups."""
        form, eyes, order, groups = self._raw[:4]
        name = FORM_NAMES[form]
        counts = unpack(self._win.concealed)
        if name == "seven_pairs":
            pairs = tuple(kind for kind, n in enumerate(counts) for _ in range(n // 2))
            return Decomposition(name, pairs=pairs)
        if name == "honors_and_knitted":
            return Decomposition(name, singles=tuple(kind for kind, n in enumerate(counts) if n))
        own = sorted(groups[len(self._win.melds) :], key=lambda group: (group & ~_GROUP_PUNG, group))
        singles = _knitted(order) if order != _NO_KIND else ()
        return Decomposition(name, tuple(_meld(group) for group in own), eyes, singles=singles)

    @cached_property
    def fans(self) -> tuple[Fan, ...]:
        """What counts, in table order."""
        rows = self._rules.fans
        fans = []
        for place, count in self._raw[8]:
            row = rows[place]
            fans.append(Fan(row.id, row.zh, row.en, row.points, count, partial(self._groups, place, count)))
        return tuple(fans)

    @cached_property
    def excluded(self) -> tuple[Excluded, ...]:
        """What holds and does not count, in table order, with what it is part of."""
        return tuple(_excluded(self._raw, self._rules))

    @cached_property
    def _texts(self) -> list[str]:
        """Each group as text, declared melds in brackets; the eyes are apart."""
        melds = self._win.melds
        texts = [_meld_text(meld) for meld in melds]
        texts.extend(_group_text(group) for group in self._raw[3][len(melds) :])
        return texts

    def _groups(self, place: int, count: int) -> tuple[tuple[str, ...], ...]:
        row = self._rules.fans[place]
        if row.family is not None:
            texts = self._texts
            return tuple(
                tuple(text for i, text in enumerate(texts) if groups >> i & 1)
                for chosen, groups in self._raw[11]
                if chosen == place
            )
        parts = [part for word in row.shows for part in self._show(word)]
        if len(parts) == count > 1:
            return tuple((part,) for part in parts)
        return (tuple(parts),) if parts else ()

    def _show(self, word: str) -> list[str]:
        if word == "none":
            return []
        if word == "win":
            return [tile_name(self._win.win_tile)]
        if word == "eyes":
            return self._eyes()
        if word == "body":
            return [_tiles_text(self._body())]
        if word == "hogs":
            return self._hogs()
        groups = self._raw[3]
        texts = self._texts
        if word == "all":
            if not groups:
                return [_tiles_text(group) for group in self.decomposition.groups]
            body = [_tiles_text(self._body())] if self.form == "knitted_straight" else []
            return body + texts + self._eyes()
        return [texts[i] for i, group in enumerate(groups) if self._is(word, i, group)]

    def _eyes(self) -> list[str]:
        return [] if self._raw[1] == _NO_KIND else [_tiles_text((self._raw[1],) * 2)]

    def _body(self) -> tuple[int, ...]:
        if self._raw[2] == _NO_KIND:
            return ()
        body = _knitted(self._raw[2])
        held = self._win.concealed
        return tuple(kind for kind in body if held >> 4 * kind & 15)

    def _hogs(self) -> list[str]:
        counts = unpack(self._win.concealed)
        kongs = set()
        for code in self._win.melds:
            kind, name = code & 63, _MELD_TYPES[code >> 6 & 7]
            for tile in (kind, kind + 1, kind + 2) if name == "chow" else (kind,) * 3:
                counts[tile] += 1
            if name.endswith("kong"):
                kongs.add(kind)
        return [_tiles_text((kind,) * 4) for kind, n in enumerate(counts) if n == 4 and kind not in kongs]

    def _is(self, word: str, place: int, group: int) -> bool:
        """Whether a group is what a word of `shows` means."""
        pung = group >= _GROUP_PUNG
        kind = group & ~_GROUP_PUNG
        if word == "chows":
            return not pung
        if not pung:
            return False
        melds = self._win.melds
        name = _MELD_TYPES[melds[place] >> 6 & 7] if place < len(melds) else ""
        _, seat, around, _ = self._win.context
        if word.endswith("kongs"):
            wanted = {"concealed_kongs": ("concealed_kong",), "open_kongs": ("direct_kong", "added_kong")}
            return name in wanted.get(word, ("concealed_kong", "direct_kong", "added_kong"))
        if word == "concealed_pungs":
            claimed = self._raw[5] == place and not self._win.flags & FLAGS["self_drawn"]
            return name == "concealed_kong" or (name == "" and not claimed)
        return {
            "pungs": True,
            "dragon_pungs": FIRST_HONOR <= kind < FIRST_HONOR + 3,
            "wind_pungs": kind >= FIRST_HONOR + 3,
            "guest_wind_pungs": kind >= FIRST_HONOR + 3 and kind not in (seat, around),
            "seat_pung": kind == seat,
            "round_pung": kind == around,
            "terminal_pungs": kind < FIRST_HONOR and kind % 9 in (0, 8),
        }[word]

    def to_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        return {
            "total": self.total,
            "form": self.form,
            "decomposition": self.decomposition.text(),
            "win_role": self.win_role,
            "fans": [fan.to_dict() for fan in self.fans],
        }

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Reading) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._raw, self._win.key, self._rules

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.total}: {' + '.join(_times(fan.id, fan.count) for fan in self.fans)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._raw, self._win, self._rules)


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

    def __init__(self, win: Win, rules: RuleSet) -> None:
        best = win.score(rules._program)
        if best is None:
            raise NotAWinError(_no_win(win, rules))
        super().__init__(best, win, rules)
        self.__dict__["minimum_met"] = best[6] - best[7] >= rules.minimum

    if TYPE_CHECKING:
        minimum_met: bool

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._rules

    @property
    def win_tile(self) -> int:
        """The kind of the winning tile."""
        return self._win.win_tile

    @cached_property
    def hand(self) -> Hand:
        """The hand with the winning tile."""
        return Hand(self._win.concealed, [_meld_text(meld) for meld in self._win.melds], drawn=self._win.win_tile)

    @cached_property
    def context(self) -> Context:
        """How the hand was won, contradictions and what is implied settled."""
        flags, seat, around, flowers = self._win.context
        given = {name: bool(flags & bit) for name, bit in FLAGS.items()}
        return Context(**given, seat_wind=LETTERS[seat], round_wind=LETTERS[around], flowers=flowers)

    @cached_property
    def waits(self) -> KindSet:
        """Kinds that complete the tiles before the winning one, by shape."""
        return KindSet.from_mask(self._win.waits(self._rules._program))

    @cached_property
    def _readings(self) -> list[tuple[tuple[Any, ...], int]]:
        """Every reading, with its facts."""
        return self._win.readings(self._rules._program)

    @cached_property
    def runner_ups(self) -> tuple[Reading, ...]:
        """The other readings, the best first."""
        others = [raw for raw, _ in self._readings if raw[:12] != self._raw[:12]]
        others.sort(key=lambda raw: -int(raw[6]))
        return tuple(Reading(raw, self._win, self._rules) for raw in others)

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
        base = self._rules.base
        each = base + self.total
        if self._win.flags & FLAGS["self_drawn"]:
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
        place = self._rules.place(fan_id)
        row = self._rules.fans[place]
        counted = dict(self._raw[8])
        by = [entry.by for entry in self.excluded if entry.id == fan_id]
        reasons = " and ".join(_principle(name, self._rules) for name in by)
        if place in counted:
            times = f" {counted[place]} times" if counted[place] > 1 else ""
            made = "; ".join(" ".join(group) for group in self._groups(place, counted[place]))
            text = f"{row.en} is counted{times}{': ' if made else ''}{made}."
            return f"{text} Part of it is not: {reasons}." if by else text
        if by:
            return f"{row.en} is not counted: {reasons}."
        if row.otherwise:
            return f"{row.en} is not counted: other fans are."
        return f"{row.en} is not counted: {self._unmet(place)}.{self._elsewhere(place)}"

    def _unmet(self, place: int) -> str:
        condition = self._rules._conditions[place]
        facts = next(facts for raw, facts in self._readings if raw[:12] == self._raw[:12])
        parts = [f"{part} ({MEANINGS[part]})" if part in MEANINGS else part for part in condition.unmet(facts)]
        return f"it needs {'; '.join(parts)}"

    def _elsewhere(self, place: int) -> str:
        for reading in self.runner_ups:
            if any(row == place for row, _ in reading._raw[8]):
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
        names = [_times(fan.name(lang), fan.count) for fan in self.fans]
        width = max((_width(name) for name in names), default=0)
        tile = CHINESE[self.win_tile] if chinese else LETTERS[self.win_tile]
        below = "" if self.minimum_met else (
            f",不足{self._rules.minimum}番" if chinese else f", below the minimum of {self._rules.minimum}"
        )
        head = f"{self._rules.zh}:{self.total}番{below}" if chinese else (
            f"{self._rules.en}: {self.total} points{below}"
        )
        won = f"{self._shape(chinese)},和{tile}" if chinese else f"{self._shape(chinese)}, won on {tile}"
        lines = [
            f"{name}{' ' * (width - _width(name))} {fan.total:>3}" for name, fan in zip(names, self.fans, strict=True)
        ]
        return "\n".join([head, won, *lines])

    def _shape(self, chinese: bool) -> str:
        notation = "chinese" if chinese else "letters"
        melds = [Meld(_meld_text(meld)).text(notation) for meld in self._win.melds]
        parts = [*melds, self.decomposition.text(notation)]
        return " ".join(part.replace(" ", "") if part in melds else part for part in parts)

    def to_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        return {
            "rules": self._rules.id,
            "digest": self._rules.digest,
            "hand": self.hand.text(),
            "win_tile": LETTERS[self.win_tile],
            "context": self.context.to_dict(),
            **super().to_dict(),
            "minimum": self._rules.minimum,
            "minimum_met": self.minimum_met,
            "waits": [LETTERS[kind] for kind in self.waits],
            "payments": self.payments,
            "excluded": [{"id": entry.id, "by": entry.by} for entry in self.excluded],
            "runner_ups": [reading.to_dict() for reading in self.runner_ups],
        }

    def __str__(self) -> str:
        return self.table()

    def __reduce__(self) -> tuple[object, ...]:
        return Score, (self._win, self._rules)


def score(
    hand: HandLike,
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
    217
    """
    if not isinstance(rules, RuleSet):
        rules = as_rule_set(rules)
    return Score(win_of(hand, win_tile, rules, context, fields), rules)


def win_of(
    hand: HandLike,
    win_tile: int | str,
    rules: RuleSet | str = "mcr",
    context: Context | None = None,
    fields: dict[str, Any] | None = None,
) -> Win:
    """Return a hand made ready to be scored; parameters and errors as for `score`."""
    if context is None:
        context = _context(fields) if fields else _PLAIN
    elif fields:
        raise TypeError(f"expected context or its fields as keywords, got context and {', '.join(fields)}")
    elif not isinstance(context, Context):
        raise TypeError(f"expected a Context, got {type(context).__name__}")
    win = Win.read(hand, kind_of(win_tile), context._code)
    win.settle((rules if isinstance(rules, RuleSet) else as_rule_set(rules))._normalise)
    return win


def _context(given: dict[str, Any]) -> Context:
    for name in given:
        if name not in CONTEXT_FIELDS:
            raise TypeError(f"expected fields of {', '.join(CONTEXT_FIELDS)}, got {name}")
    return Context(**given)


def _no_win(win: Win, rules: RuleSet) -> str:
    from mjcore.facade import is_hu

    tiles = format(win.concealed)
    if win.flags & FLAGS["rob_concealed"] and is_hu(win.concealed, rules=rules.hand_rules):
        return f"{rules.requirements[0]}, got {tiles}"
    return f"expected a winning hand in a form of {rules.id}, got {tiles} with {len(win.melds)} melds"


def _excluded(raw: tuple[Any, ...], rules: RuleSet) -> list[Excluded]:
    """Go through the rows as the kernel does, and write down what takes what away."""
    met, standing = raw[9], raw[10]
    rows, absorbs = rules.fans, rules._absorbs
    by: dict[int, str] = {place: ACCOUNT_ONCE for place in _bits(met & rules._families & ~standing)}
    left = standing
    for place in _bits(standing):
        if place in absorbs and left >> place & 1:
            taken = left & absorbs[place]
            left &= ~taken
            for other in _bits(taken):
                by[other] = rows[place].id
    found = [Excluded(rows[place].id, by[place]) for place in sorted(by)]
    for place, target in rules._partials:
        if left >> place & left >> target & 1:
            found.append(Excluded(rows[target].id, rows[place].id))
    return found


def _bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _principle(by: str, rules: RuleSet) -> str:
    if by == ACCOUNT_ONCE:
        return "account-once, no set is left that is not joined already"
    return f"{rules.fan(by).en} includes it"


def _tiles_text(kinds: Sequence[int]) -> str:
    return format(sum(1 << 4 * kind for kind in kinds))


@lru_cache(maxsize=128)
def _group_text(group: int) -> str:
    kind = group & ~_GROUP_PUNG
    return _tiles_text((kind,) * 3 if group >= _GROUP_PUNG else (kind, kind + 1, kind + 2))


@lru_cache(maxsize=256)
def _meld_text(code: int) -> str:
    kind, name = code & 63, _MELD_TYPES[code >> 6 & 7]
    if name == "chow":
        return f"[{_group_text(kind)}]"
    copies = _tiles_text((kind,) * (4 if name.endswith("kong") else 3))
    return f"[{copies}{ {'added_kong': '+', 'concealed_kong': '*'}.get(name, '') }]"


def _times(name: str, count: int) -> str:
    return name if count == 1 else f"{name} x{count}"


def _width(text: str) -> int:
    """Columns of text, two for a Chinese character."""
    return sum(2 if character > "⺀" else 1 for character in text)

