"""Readings of a winning hand: what is in each, and which fans its groups make."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from mjcore.decomposition import FORM_NAMES, Decomposition, _knitted, _meld
from mjcore.hand import _Frozen
from mjcore.notation import format
from mjcore.packing import unpack
from mjcore.tiles import FIRST_HONOR
from mjcore.wins import FLAGS, MELD_CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mjcore.hand import Meld
    from mjcore.rule_sets import RuleSet
    from mjcore.wins import Win

    _Groups = tuple[tuple[str, ...], ...]

ROLES = ("none", "eyes", "closed", "edge", "open", "pung", "body")
"""What the winning tile completes: `Reading.win_role`."""

ACCOUNT_ONCE = "account_once"
"""The principle in `Excluded.by` of a chow or pung fan for which no unused set was left."""

_GROUP_PUNG = 0x40
_NO_KIND = 0xFF
_MELD_TYPES = {code: name for name, code in MELD_CODES.items()}
_SELF_DRAWN = FLAGS["self_drawn"]


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

    Examples
    --------
    >>> import mjcore
    >>> fan = mjcore.score("789sNNFF [123m] [456p]", win_tile="F").fans[0]
    >>> fan.id, fan.zh, fan.total, fan.groups
    ('mixed_straight', '花龙', 8, (('[123m]', '[456p]', '789s'),))
    """

    __slots__ = ("id", "zh", "en", "points", "count", "_groups")

    if TYPE_CHECKING:
        id: str
        zh: str
        en: str
        points: int
        count: int
        _groups: _Groups | _Shape

    def __init__(self, id: str, zh: str, en: str, points: int, count: int, groups: _Groups | _Shape) -> None:
        _set_id(self, id)
        _set_zh(self, zh)
        _set_en(self, en)
        _set_points(self, points)
        _set_count(self, count)
        _set_groups(self, groups)

    @property
    def groups(self) -> _Groups:
        """The groups or tiles that make it."""
        groups = self._groups
        if not isinstance(groups, tuple):
            groups = groups.groups(self.id, self.count)
            _set_groups(self, groups)
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
_set_id, _set_zh, _set_en, _set_points, _set_count, _set_groups = (getattr(Fan, name).__set__ for name in Fan.__slots__)


class Excluded(NamedTuple):
    """
    A fan whose condition holds and that is not counted, or not in full.

    Attributes
    ----------
    id : str
        The fan.
    by : str
        The id of the fan that it is part of, or ``"account_once"``.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.score("55p13789m123s [789s]", win_tile="2m").excluded[0]
    Excluded(id='all_chows', by='three_suited_terminal_chows')
    """

    id: str
    by: str


_decomposition_slots = [getattr(Decomposition, name).__set__ for name in Decomposition.__slots__]


def _decomposition(
    form: str,
    melds: tuple[Meld, ...] = (),
    eyes: int | None = None,
    pairs: tuple[int, ...] = (),
    singles: tuple[int, ...] = (),
) -> Decomposition:
    """A decomposition without jokers, made faster than by its class."""
    made: Decomposition = object.__new__(Decomposition)
    for put, value in zip(_decomposition_slots, (form, melds, eyes, pairs, (), True, singles), strict=True):
        put(made, value)
    return made


def _meld_order(group: int) -> tuple[int, int]:
    return group & ~_GROUP_PUNG, group


class _Shape:
    """What is in a reading, found when it is asked for."""

    __slots__ = ("raw", "win", "rules", "_decomposition", "_parts")

    def __init__(self, raw: tuple[Any, ...], win: Win, rules: RuleSet) -> None:
        self.raw = raw
        self.win = win
        self.rules = rules
        self._decomposition: Decomposition | None = None
        self._parts: dict[str, list[str]] = {}

    @property
    def decomposition(self) -> Decomposition:
        if self._decomposition is None:
            self._decomposition = self._decompose()
        return self._decomposition

    def _decompose(self) -> Decomposition:
        form, eyes, order, groups = self.raw[:4]
        name = FORM_NAMES[form]
        if name == "seven_pairs":
            counts = unpack(self.win.concealed)
            return _decomposition(name, pairs=tuple(kind for kind, n in enumerate(counts) for _ in range(n // 2)))
        if name == "honors_and_knitted":
            counts = unpack(self.win.concealed)
            return _decomposition(name, singles=tuple(kind for kind, n in enumerate(counts) if n))
        melds = tuple([_meld(group) for group in sorted(groups[len(self.win.melds) :], key=_meld_order)])
        return _decomposition(name, melds, eyes, singles=_knitted(order) if order != _NO_KIND else ())

    def groups(self, fan_id: str, count: int) -> _Groups:
        """The groups that make a fan that counts so often."""
        place = self.rules.place(fan_id)
        row = self.rules.fans[place]
        if row.family is not None:
            texts = self.parts("groups")
            return tuple(
                tuple(text for i, text in enumerate(texts) if groups >> i & 1)
                for chosen, groups in self.raw[11]
                if chosen == place
            )
        parts = [part for word in row.shows for part in self.parts(word)]
        if len(parts) == count > 1:
            return tuple((part,) for part in parts)
        return (tuple(parts),) if parts else ()

    def parts(self, word: str) -> list[str]:
        """The groups or tiles that a word of `shows` means; ``groups`` are all but the eyes."""
        parts = self._parts.get(word)
        if parts is None:
            parts = self._parts[word] = self._find(word)
        return parts

    def _find(self, word: str) -> list[str]:
        raw, melds = self.raw, self.win.melds
        if word == "none":
            return []
        if word == "win":
            return [_tiles_text((self.win.win_tile,))]
        if word == "eyes":
            return [] if raw[1] == _NO_KIND else [_tiles_text((raw[1],) * 2)]
        if word == "body":
            held = self.win.concealed
            body = () if raw[2] == _NO_KIND else _knitted(raw[2])
            return [_tiles_text(tuple(kind for kind in body if held >> 4 * kind & 15))] if body else []
        if word == "hogs":
            return _hogs(self.win)
        if word == "groups":
            return [*map(meld_text, melds), *map(_group_text, raw[3][len(melds) :])]
        if word == "all":
            if FORM_NAMES[raw[0]] in ("standard", "knitted_straight"):
                return self.parts("body") + self.parts("groups") + self.parts("eyes")
            return [_tiles_text(group) for group in self.decomposition.groups]
        return [text for i, text in enumerate(self.parts("groups")) if self._is(word, i, raw[3][i])]

    def _is(self, word: str, place: int, group: int) -> bool:
        """Whether a group is what a word means."""
        pung = group >= _GROUP_PUNG
        kind = group & ~_GROUP_PUNG
        if word == "chows":
            return not pung
        if not pung:
            return False
        melds = self.win.melds
        name = _MELD_TYPES[melds[place] >> 6 & 7] if place < len(melds) else ""
        flags, seat, around, _ = self.win.context
        if word.endswith("kongs"):
            wanted = {"concealed_kongs": ("concealed_kong",), "open_kongs": ("direct_kong", "added_kong")}
            return name in wanted.get(word, ("concealed_kong", "direct_kong", "added_kong"))
        if word == "concealed_pungs":
            claimed = self.raw[5] == place and not flags & _SELF_DRAWN
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


def _hogs(win: Win) -> list[str]:
    """Four copies of a kind that are no kong."""
    counts = unpack(win.concealed)
    kongs = set()
    for code in win.melds:
        kind, name = code & 63, _MELD_TYPES[code >> 6 & 7]
        for tile in (kind, kind + 1, kind + 2) if name == "chow" else (kind,) * 3:
            counts[tile] += 1
        if name.endswith("kong"):
            kongs.add(kind)
    return [_tiles_text((kind,) * 4) for kind, n in enumerate(counts) if n == 4 and kind not in kongs]


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

    Examples
    --------
    >>> import mjcore
    >>> score = mjcore.score("22233344m44s [EEEE*]", win_tile="4m", self_drawn=True)
    >>> score.total, [(reading.total, str(reading.decomposition)) for reading in score.runner_ups]
    (96, [(35, '234m 234m 234m 44s')])
    """

    __slots__ = ("_shape", "total", "_fans")

    if TYPE_CHECKING:
        _shape: _Shape
        total: int
        _fans: tuple[Fan, ...] | None

    def __init__(self, raw: tuple[Any, ...], win: Win, rules: RuleSet) -> None:
        put = object.__setattr__
        put(self, "_shape", _Shape(raw, win, rules))
        put(self, "total", raw[6])
        put(self, "_fans", None)

    @property
    def win_role(self) -> str:
        """What the winning tile completes."""
        return ROLES[self._shape.raw[4]]

    @property
    def bonus(self) -> int:
        """Points of the total that do not help to reach the minimum."""
        return int(self._shape.raw[7])

    @property
    def form(self) -> str:
        """The shape: one of `HandRules.forms`."""
        return FORM_NAMES[self._shape.raw[0]]

    @property
    def decomposition(self) -> Decomposition:
        """The concealed tiles in groups."""
        return self._shape.decomposition

    @property
    def fans(self) -> tuple[Fan, ...]:
        """What counts, in table order."""
        if self._fans is None:
            shape, rows = self._shape, self._shape.rules.fans
            fans = []
            for place, count in shape.raw[8]:
                row = rows[place]
                fans.append(Fan(row.id, row.zh, row.en, row.points, count, shape))
            object.__setattr__(self, "_fans", tuple(fans))
        return self._fans  # type: ignore[return-value]

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """What holds and does not count, in table order, with what it is part of."""
        return tuple(_excluded(self._shape.raw, self._shape.rules))

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
        return self._shape.raw[:12], self._shape.win.key, self._shape.rules

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.total}: {' + '.join(times(fan.id, fan.count) for fan in self.fans)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Reading, (self._shape.raw, self._shape.win, self._shape.rules)


def _excluded(raw: tuple[Any, ...], rules: RuleSet) -> list[Excluded]:
    """Go through the rows as the kernel does, and write down what takes what away."""
    met, standing = raw[9], raw[10]
    rows, absorbs = rules.fans, rules._absorbs
    by: dict[int, str] = dict.fromkeys(_bits(met & rules._families & ~standing), ACCOUNT_ONCE)
    counts = dict(raw[8])
    left = standing
    todo = standing & rules._absorbing
    while todo:
        low = todo & -todo
        place = low.bit_length() - 1
        if place not in counts:  # partial absorbs left nothing of it
            todo ^= low
            continue
        taken = left & absorbs[place]
        left &= ~taken
        todo &= left & ~low
        for other in _bits(taken):
            by[other] = rows[place].id
    found = [Excluded(rows[place].id, by[place]) for place in sorted(by)]
    chosen = [row for row, _ in raw[11]]
    for place in sorted(set(chosen) & set(raw[13])):
        if raw[13].count(place) > chosen.count(place) and place in counts:
            found.append(Excluded(rows[place].id, ACCOUNT_ONCE))
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


def _write_tiles(kinds: tuple[int, ...]) -> str:
    return format(sum(1 << 4 * kind for kind in kinds))


def _write_group(group: int) -> str:
    kind = group & ~_GROUP_PUNG
    return _tiles_text((kind,) * 3 if group >= _GROUP_PUNG else (kind, kind + 1, kind + 2))


def meld_text(code: int) -> str:
    """Return a meld of 16 bits in brackets."""
    kind, name = code & 63, _MELD_TYPES[code >> 6 & 7]
    if name == "chow":
        return f"[{_group_text(kind)}]"
    copies = _tiles_text((kind,) * (4 if name.endswith("kong") else 3))
    return f"[{copies}{ {'added_kong': '+', 'concealed_kong': '*'}.get(name, '') }]"


def times(name: str, count: int) -> str:
    """Return a name and how often."""
    return name if count == 1 else f"{name} x{count}"


# Most groups and pairs are met again and again.
_tiles_text = lru_cache(maxsize=512)(_write_tiles)
_group_text = lru_cache(maxsize=128)(_write_group)
