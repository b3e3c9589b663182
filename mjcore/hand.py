"""A hand with its declared melds: immutable values that check themselves once, on construction."""

from __future__ import annotations

from mjcore.notation import FIVES, Tile, count_tiles, format, kind_of, read_text
from mjcore.packing import pack, unpack
from mjcore.tiles import (
    FIRST_HONOR,
    LETTERS,
    N_COPIES,
    N_KINDS,
    InvalidHandError,
    InvalidNotationError,
    shown,
    tile_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NoReturn, SupportsIndex

MELD_TYPES: tuple[str, ...] = ("chow", "pung", "direct_kong", "added_kong", "concealed_kong")
"""The kinds of meld.  A direct kong takes the fourth tile from another player, an added one joins it to a pung."""

KONGS = frozenset(MELD_TYPES[2:])
_SUFFIXES = {"added_kong": "+", "concealed_kong": "*"}
_TYPE_CODES = {"chow": 1, "pung": 2, "direct_kong": 3, "added_kong": 3, "concealed_kong": 3}
N_MELDS_MAX = 4
N_TILES_MAX = 14


class _Frozen:
    """Slots that are set once."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __copy__(self) -> _Frozen:
        return self

    def __deepcopy__(self, memo: object) -> _Frozen:
        return self


class Meld(_Frozen):
    """
    A declared meld.

    Parameters
    ----------
    text : str
        ``"[123m]"`` a chow, ``"[EEE]"`` a pung, ``"[2222s]"`` a direct kong, ``"[2222s+]"`` an added and
        ``"[2222s*]"`` a concealed one; any notation inside, the brackets may be left out.  A comma and
        1, 2 or 3 say from whom it was claimed: the next player, the one opposite, the one before.
    dialect : {"tenhou", "cn"}
        What the z-digits mean.

    Attributes
    ----------
    type : str
        One of `MELD_TYPES`.
    kind : int
        Its lowest kind.
    claimed_from : int
        1 next, 2 opposite, 3 before; 0 where it is not known or nobody.
    red_fives : int
        How many of its tiles are red fives.

    Raises
    ------
    InvalidNotationError
        If the text is not a meld.

    Examples
    --------
    >>> meld = Meld("[340p,3]")
    >>> meld.type, meld.kinds, meld.claimed_from, meld.red_fives
    ('chow', (20, 21, 22), 3, 1)
    >>> Meld.kong("2s", "concealed_kong")
    Meld('[2222s*]')
    """

    __slots__ = ("type", "kind", "claimed_from", "red_fives")

    if TYPE_CHECKING:
        type: str
        kind: int
        claimed_from: int
        red_fives: int

    def __new__(cls, text: str, *, dialect: str = "tenhou") -> Meld:
        if not isinstance(text, str):
            raise InvalidHandError(f"expected the text of a meld, got {_name(text)}")
        if "[" not in text and "]" not in text:
            return cls._read(f"[{text}]", dialect)
        return cls._read(text, dialect)

    @classmethod
    def _read(cls, text: str, dialect: str) -> Meld:
        tiles, brackets = read_text(text, dialect=dialect)
        if tiles or len(brackets) != 1:
            raise InvalidNotationError("expected one meld in brackets", text, tiles[0][2] if tiles else 0)
        return cls._from_bracket(brackets[0], text)

    @classmethod
    def _from_bracket(cls, bracket: tuple[list[Tile], str, int], text: str) -> Meld:
        tiles, suffix, position = bracket
        meld_type, kind = _meld_shape([tile[0] for tile in tiles], text, position)
        claimed_from = 0
        marker = suffix[:1]
        if marker in ("+", "*"):
            if meld_type != "direct_kong":
                raise InvalidNotationError(f"expected four equal tiles before {marker!r}", text, position)
            meld_type = "added_kong" if marker == "+" else "concealed_kong"
            suffix = suffix[1:]
        if suffix:
            if suffix[0] != "," or suffix[1:] not in ("1", "2", "3"):
                raise InvalidNotationError(
                    f"expected ',1' ',2' or ',3' (claimed from), got {suffix!r},", text, position
                )
            claimed_from = int(suffix[1])
        return cls._checked(meld_type, kind, claimed_from, sum(tile[1] for tile in tiles))

    @classmethod
    def _checked(cls, meld_type: str, kind: int, claimed_from: int, red_fives: int) -> Meld:
        if type(claimed_from) is not int or not 0 <= claimed_from <= 3:
            raise InvalidHandError(f"expected claimed_from of 0 to 3, got {shown(claimed_from)}")
        if meld_type == "concealed_kong" and claimed_from:
            raise InvalidHandError(f"expected a concealed kong of {LETTERS[kind]} to be claimed from nobody")
        self = object.__new__(cls)
        for name, value in zip(Meld.__slots__, (meld_type, kind, claimed_from, red_fives), strict=True):
            object.__setattr__(self, name, value)
        return self

    @classmethod
    def chow(cls, lowest: int | str, *, claimed_from: int = 0) -> Meld:
        """
        Return the chow whose lowest tile is given.

        Raises
        ------
        InvalidHandError
            If no chow begins there.

        Examples
        --------
        >>> Meld.chow("7p")
        Meld('[789p]')
        """
        kind = kind_of(lowest)
        if kind >= FIRST_HONOR or kind % 9 > 6:
            raise InvalidHandError(f"expected the lowest tile of three consecutive ranks, got {LETTERS[kind]}")
        return cls._checked("chow", kind, claimed_from, 0)

    @classmethod
    def pung(cls, kind: int | str, *, claimed_from: int = 0) -> Meld:
        """
        Return the pung of a kind.

        Examples
        --------
        >>> Meld.pung("E", claimed_from=2)
        Meld('[EEE,2]')
        """
        return cls._checked("pung", kind_of(kind), claimed_from, 0)

    @classmethod
    def kong(cls, kind: int | str, type: str = "direct_kong", *, claimed_from: int = 0) -> Meld:
        """
        Return a kong of a kind; `type` is one of the last three `MELD_TYPES`.

        Raises
        ------
        ValueError
            If `type` is not a type of kong.

        Examples
        --------
        >>> Meld.kong("5m", "added_kong")
        Meld('[5555m+]')
        """
        if type not in KONGS:
            raise ValueError(f"expected a type of {', '.join(MELD_TYPES[2:])}, got {shown(type)}")
        return cls._checked(type, kind_of(kind), claimed_from, 0)

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of its tiles, four for a kong."""
        if self.type == "chow":
            return (self.kind, self.kind + 1, self.kind + 2)
        return (self.kind,) * (4 if self.is_kong else 3)

    @property
    def is_kong(self) -> bool:
        """Whether it has four tiles.  It stands for three all the same."""
        return self.type in KONGS

    @property
    def is_concealed(self) -> bool:
        """Whether it is a concealed kong."""
        return self.type == "concealed_kong"

    def text(self, notation: str = "letters", *, dialect: str = "tenhou") -> str:
        """
        Return the meld in brackets.

        Examples
        --------
        >>> Meld("CCC,2").text("chinese")
        '[中 中 中,2]'
        """
        vec = sum(1 << 4 * kind for kind in self.kinds)
        reds = [0, 0, 0]
        if self.red_fives:
            reds[self.kind // 9] = self.red_fives
        tiles = format(vec, notation, dialect=dialect, red_fives=(reds[0], reds[1], reds[2]))
        claimed = f",{self.claimed_from}" if self.claimed_from else ""
        return f"[{tiles}{_SUFFIXES.get(self.type, '')}{claimed}]"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Meld({self.text()!r})"

    def _key(self) -> tuple[int, str, int, int]:
        return self.kind, self.type, self.claimed_from, self.red_fives

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Meld) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return Meld, (self.text(),)


class Hand(_Frozen):
    """
    Concealed tiles, declared melds, and perhaps the tile drawn or won on.

    Parameters
    ----------
    concealed : str, int or sequence of 34 int
        The concealed tiles; text may hold melds in brackets too.  With a drawn tile it is among them.
    melds : iterable of Meld or str, optional
        Declared melds, at most four.  Their order means nothing and is not kept.
    drawn : int or str, optional
        The kind of the drawn or winning tile.
    dialect : {"tenhou", "cn"}
        What z-digits in text mean.

    Attributes
    ----------
    melds : tuple of Meld
        The melds in kind order.
    drawn : int or None
        The drawn or winning kind.

    Raises
    ------
    InvalidHandError
        If a kind has more than four copies over concealed tiles and melds, there are more than four
        melds or 14 tiles (a meld stands for three), or the drawn tile is not among the concealed ones.

    Notes
    -----
    With jokers, which are given to each question as a number, the tiles may be fewer than a hand
    needs; a question without enough of them is an error there.

    Examples
    --------
    >>> hand = Hand("123m456p55s [EEE] [7777s*]")
    >>> hand
    Hand('123m55s456p [7777s*] [EEE]')
    >>> hand.n_melds, len(hand), Hand("5m", ["111m", "222m", "333m", "CCC"]).concealed == 1 << 16
    (2, 8, True)
    """

    __slots__ = ("_packed", "_melded", "_meld_code", "_red_fives", "melds", "drawn")

    if TYPE_CHECKING:
        _packed: int
        _melded: int
        _meld_code: int
        _red_fives: tuple[int, int, int]
        melds: tuple[Meld, ...]
        drawn: int | None

    def __new__(
        cls,
        concealed: str | SupportsIndex | Sequence[SupportsIndex] | Hand = 0,
        melds: Iterable[Meld | str] = (),
        *,
        drawn: int | str | None = None,
        dialect: str = "tenhou",
    ) -> Hand:
        red_fives = [0, 0, 0]
        declared: list[Meld] = []
        if isinstance(concealed, str):
            tiles, brackets = read_text(concealed, dialect=dialect)
            packed = pack(count_tiles(tiles, concealed))
            declared = [Meld._from_bracket(bracket, concealed) for bracket in brackets]
            for kind, red, _ in tiles:
                if red:
                    red_fives[FIVES.index(kind)] += 1
        elif isinstance(concealed, Hand):
            packed = concealed._packed
            declared = list(concealed.melds)
            red_fives = list(concealed._red_fives)
            drawn = concealed.drawn if drawn is None else drawn
        elif hasattr(concealed, "__index__") and not hasattr(concealed, "__len__"):
            packed = pack(unpack(concealed))
        else:
            packed = pack(concealed)  # type: ignore[arg-type]  # a sequence, or the error says so
        if isinstance(melds, (str, Meld)):
            raise InvalidHandError(f"expected a list of melds, got {_name(melds)}")
        for meld in melds:
            declared.append(meld if isinstance(meld, Meld) else Meld(meld, dialect=dialect))
        self = object.__new__(cls)
        self._set(packed, tuple(sorted(declared, key=Meld._key)), red_fives, None if drawn is None else kind_of(drawn))
        return self

    def _set(self, packed: int, melds: tuple[Meld, ...], red_fives: list[int], drawn: int | None) -> None:
        if len(melds) > N_MELDS_MAX:
            raise InvalidHandError(f"expected at most {N_MELDS_MAX} melds, got {len(melds)}")
        counts = unpack(packed)
        total = list(counts)
        melded = 0
        code = 0
        for place, meld in enumerate(melds):
            for kind in meld.kinds:
                total[kind] += 1
                melded += 1 << 4 * kind
            code |= (_TYPE_CODES[meld.type] << 6 | meld.kind) << 8 * place
        for kind in range(N_KINDS):
            if total[kind] > N_COPIES:
                raise InvalidHandError(
                    f"expected at most {N_COPIES} copies of a kind over concealed tiles and melds, "
                    f"got {total[kind]} of {LETTERS[kind]}"
                )
        n_tiles = sum(counts) + 3 * len(melds)
        if n_tiles > N_TILES_MAX:
            raise InvalidHandError(
                f"expected at most {N_TILES_MAX - 3 * len(melds)} concealed tiles beside {len(melds)} melds, "
                f"got {sum(counts)}"
            )
        if drawn is not None and not counts[drawn]:
            raise InvalidHandError(f"expected the drawn tile among the concealed tiles, got {LETTERS[drawn]}")
        values = (packed, melded, code, tuple(red_fives), melds, drawn)
        for name, value in zip(Hand.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def concealed(self) -> int:
        """The concealed tiles as a packed int."""
        return self._packed

    @property
    def n_melds(self) -> int:
        """Number of declared melds."""
        return len(self.melds)

    @property
    def red_fives(self) -> tuple[int, int, int]:
        """How many concealed fives of m, s and p are red."""
        return self._red_fives

    def draw(self, kind: int | str) -> Hand:
        """
        Return the hand with a tile more, which is its drawn tile.

        Raises
        ------
        InvalidHandError
            If the hand is full, or four copies of the kind are in it already.

        Examples
        --------
        >>> Hand("13m EE [CCC]").draw("2m")
        Hand('123mEE [CCC]', drawn='2m')
        """
        drawn = kind_of(kind)
        held = (self._packed >> 4 * drawn & 0xF) + (self._melded >> 4 * drawn & 0xF)
        if held == N_COPIES:
            raise InvalidHandError(f"expected at most {N_COPIES} copies of a kind, got a fifth {LETTERS[drawn]}")
        if len(self) + 3 * len(self.melds) == N_TILES_MAX:
            raise InvalidHandError(
                f"expected at most {N_TILES_MAX - 3 * len(self.melds)} concealed tiles, got one more"
            )
        return self._changed(self._packed + (1 << 4 * drawn), self._red_fives, drawn)

    def discard(self, kind: int | str) -> Hand:
        """
        Return the hand without a tile; a red five stays as long as another five can go.

        Raises
        ------
        InvalidHandError
            If the tile is not there.

        Examples
        --------
        >>> Hand("123m EE [CCC]", drawn="2m").discard("E")
        Hand('123mE [CCC]')
        """
        gone = kind_of(kind)
        held = self._packed >> 4 * gone & 0xF
        if not held:
            raise InvalidHandError(f"expected a tile of the hand, got {LETTERS[gone]}")
        reds = list(self._red_fives)
        if gone in FIVES:
            place = FIVES.index(gone)
            reds[place] = min(reds[place], held - 1)
        return self._changed(self._packed - (1 << 4 * gone), (reds[0], reds[1], reds[2]), None)

    def _changed(self, packed: int, red_fives: tuple[int, int, int], drawn: int | None) -> Hand:
        """The hand with other concealed tiles that are known to fit its melds."""
        hand = object.__new__(type(self))
        values = (packed, self._melded, self._meld_code, red_fives, self.melds, drawn)
        for name, value in zip(Hand.__slots__, values, strict=True):
            object.__setattr__(hand, name, value)
        return hand

    def counts(self) -> list[int]:
        """Return the 34 counts of the concealed tiles."""
        return unpack(self._packed)

    def all_counts(self) -> list[int]:
        """
        Return the 34 counts of concealed tiles and melds together.

        Examples
        --------
        >>> sum(Hand("55m [1111p]").all_counts())
        6
        """
        counts = self.counts()
        for meld in self.melds:
            for kind in meld.kinds:
                counts[kind] += 1
        return counts

    def text(self, notation: str = "letters", *, dialect: str = "tenhou") -> str:
        """
        Return concealed tiles and melds as text that reads back to the same hand.

        Examples
        --------
        >>> Hand("055m [EEE]").text("mpsz")
        '055m [111z]'
        """
        parts = [format(self._packed, notation, dialect=dialect, red_fives=self._red_fives)]
        parts.extend(meld.text(notation, dialect=dialect) for meld in self.melds)
        return " ".join(part for part in parts if part)

    def __len__(self) -> int:
        return sum(self.counts())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        drawn = "" if self.drawn is None else f", drawn={tile_name(self.drawn)!r}"
        return f"Hand({self.text()!r}{drawn})"

    def _key(self) -> tuple[object, ...]:
        return self._packed, self.melds, self._red_fives, self.drawn

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __bool__(self) -> bool:
        return True

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.text(), self.drawn)


def _restore(text: str, drawn: int | None) -> Hand:
    return Hand(text, drawn=drawn)


def _meld_shape(kinds: list[int], text: str, position: int) -> tuple[str, int]:
    """The type and lowest kind of three or four tiles."""
    kinds = sorted(kinds)
    if len(kinds) not in (3, 4):
        raise InvalidNotationError(f"expected three or four tiles in a meld, got {len(kinds)}", text, position)
    first = kinds[0]
    if kinds == [first] * len(kinds):
        return ("pung" if len(kinds) == 3 else "direct_kong"), first
    if len(kinds) == 3 and kinds == [first, first + 1, first + 2] and first < FIRST_HONOR and first % 9 <= 6:
        return "chow", first
    expected = "four equal tiles" if len(kinds) == 4 else "three equal tiles or three consecutive ranks of one suit"
    names = " ".join(LETTERS[kind] for kind in kinds)
    raise InvalidNotationError(f"expected {expected}, got {names}", text, position)


def _name(value: object) -> str:
    return type(value).__name__
