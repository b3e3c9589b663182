"""One split of a complete hand."""

from __future__ import annotations

from mjcore.hand import Meld, _Frozen
from mjcore.notation import format
from mjcore.tiles import FIRST_HONOR, tile_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FORM_NAMES = {
    1: "standard",
    2: "seven_pairs",
    4: "thirteen_orphans",
    8: "honors_and_knitted",
    16: "knitted_straight",
}
ORPHANS = tuple(9 * lane + index for lane in range(3) for index in (0, 8)) + tuple(range(FIRST_HONOR, 34))
SPLIT_PUNG = 0x40
SPLIT_NONE = 0xFF

_melds: dict[int, Meld] = {}
"""The meld of each code met so far; melds never change, so splits share them."""


class Decomposition(_Frozen):
    """
    One way in which the concealed tiles of a hand are complete.

    Attributes
    ----------
    form : str
        The shape: one of `HandRules.forms`.
    melds : tuple of Meld
        The melds of a standard hand, in order of their lowest kind, chows before pungs; declared melds
        are not among them.
    eyes : int or None
        The kind of the eyes of a standard hand, the kind held twice of thirteen orphans.
    pairs : tuple of int
        The seven kinds of seven pairs, four of a kind twice.
    singles : tuple of int
        The kinds that stand alone: all of honors and knitted, the nine knitted ones of a knitted straight.
    jokers : tuple of int
        The kinds that the jokers became, in kind order.
    hard : bool
        Whether no joker stands for another kind than its own.

    Examples
    --------
    >>> import mjcore
    >>> for split in mjcore.decompose("111222333m EE"):
    ...     print(split)
    123m 123m 123m EE
    111m 222m 333m EE
    >>> mjcore.decompose("46m EE", jokers=1)[0].jokers == (4,)
    True
    """

    __slots__ = ("form", "melds", "eyes", "pairs", "jokers", "hard", "singles")

    if TYPE_CHECKING:
        form: str
        melds: tuple[Meld, ...]
        eyes: int | None
        pairs: tuple[int, ...]
        jokers: tuple[int, ...]
        hard: bool
        singles: tuple[int, ...]

    def __new__(
        cls,
        form: str,
        melds: tuple[Meld, ...] = (),
        eyes: int | None = None,
        pairs: tuple[int, ...] = (),
        jokers: tuple[int, ...] = (),
        hard: bool = True,
        singles: tuple[int, ...] = (),
    ) -> Decomposition:
        self = object.__new__(cls)
        for name, value in zip(Decomposition.__slots__, (form, melds, eyes, pairs, jokers, hard, singles), strict=True):
            object.__setattr__(self, name, value)
        return self

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The kinds of each group: the melds, then the eyes; pairs; or thirteen orphans as one group."""
        if self.form == "seven_pairs":
            return tuple((kind, kind) for kind in self.pairs)
        if self.form == "thirteen_orphans":
            return (tuple(sorted((*ORPHANS, *self._eyes()))),)
        if self.form == "honors_and_knitted":
            return (self.singles,)
        groups = (*(meld.kinds for meld in self.melds), self._eyes() * 2)
        return (self.singles, *groups) if self.singles else groups

    @property
    def tiles(self) -> int:
        """All its tiles as a packed int, jokers as what they became; more than four of a kind only by jokers."""
        return sum(1 << 4 * kind for group in self.groups for kind in group)

    def _eyes(self) -> tuple[int, ...]:
        return () if self.eyes is None else (self.eyes,)

    def text(self, notation: str = "letters", *, dialect: str = "tenhou") -> str:
        """
        Return its groups with blanks between.

        Examples
        --------
        >>> import mjcore
        >>> mjcore.decompose("123m 55p")[0].text("chinese")
        '一万二万三万 五筒五筒'
        """
        return " ".join(
            format(sum(1 << 4 * kind for kind in group), notation, dialect=dialect).replace(" ", "")
            for group in self.groups
        )

    def to_dict(self) -> dict[str, object]:
        """
        Return plain values, for JSON.

        Examples
        --------
        >>> import mjcore
        >>> mjcore.decompose("46m EE", jokers=1)[0].to_dict()["groups"]
        ['456m', 'EE']
        """
        return {
            "form": self.form,
            "groups": [format(sum(1 << 4 * kind for kind in group)) for group in self.groups],
            "eyes": None if self.eyes is None else tile_name(self.eyes),
            "jokers": [tile_name(kind) for kind in self.jokers],
            "hard": self.hard,
        }

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        jokers = f" jokers={' '.join(tile_name(kind) for kind in self.jokers)}" if self.jokers else ""
        return f"<Decomposition {self.form} {self.text()}{jokers}>"

    def _key(self) -> tuple[object, ...]:
        return self.form, self.melds, self.eyes, self.pairs, self.jokers, self.hard, self.singles

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Decomposition) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return Decomposition, self._key()


def read_splits(data: bytes, naturals: list[int], joker_kind: int | None, n_extra: int) -> tuple[Decomposition, ...]:
    """
    Return the splits that the kernel wrote, eight bytes each.

    Parameters
    ----------
    data : bytes
        What `hand_splits` filled.
    naturals : list of int
        34 counts of the tiles that are not jokers.
    joker_kind : int or None
        The kind of which each copy was taken for a joker.
    n_extra : int
        Jokers given as a number.
    """
    has_jokers = n_extra > 0 or joker_kind is not None
    rows = (data[at : at + 8] for at in range(0, len(data), 8))
    return tuple(_read_split(row, naturals, joker_kind, n_extra, has_jokers) for row in rows)


def _read_split(
    row: bytes, naturals: list[int], joker_kind: int | None, n_extra: int, has_jokers: bool
) -> Decomposition:
    form = FORM_NAMES[row[0]]
    melds: tuple[Meld, ...] = ()
    pairs: tuple[int, ...] = ()
    singles: tuple[int, ...] = ()
    eyes: int | None = row[1]
    if form == "standard":
        melds = tuple(_meld(code) for code in row[2:6] if code != SPLIT_NONE)
    elif form == "seven_pairs":
        pairs = tuple(row[1:8])
        eyes = None
    elif form == "honors_and_knitted":
        singles = tuple(kind for kind in range(34) if naturals[kind])
        eyes = None
    elif form == "knitted_straight":
        melds = tuple(_meld(code) for code in row[2:6] if code != SPLIT_NONE)
        singles = _knitted(row[7])
    if not has_jokers:
        return Decomposition(form, melds, eyes, pairs, singles=singles)
    left = list(naturals)
    jokers = []
    for kind in _kinds(form, melds, eyes, pairs):
        if left[kind]:
            left[kind] -= 1
        else:
            jokers.append(kind)
    jokers.sort()
    hard = not jokers or (n_extra == 0 and all(kind == joker_kind for kind in jokers))
    return Decomposition(form, melds, eyes, pairs, tuple(jokers), hard)


def _kinds(form: str, melds: tuple[Meld, ...], eyes: int | None, pairs: tuple[int, ...]) -> Iterator[int]:
    """Every tile of a split that may hold jokers, in any order."""
    if form == "thirteen_orphans":
        yield from ORPHANS
    for meld in melds:
        yield meld.kind
        yield meld.kind if meld.type == "pung" else meld.kind + 1
        yield meld.kind if meld.type == "pung" else meld.kind + 2
    for kind in pairs:
        yield kind
        yield kind
    if eyes is not None:
        yield eyes
        if form != "thirteen_orphans":
            yield eyes


def _knitted(order: int) -> tuple[int, ...]:
    """The kinds of one of the six knitted orders: 147, 258 and 369, one to each suit."""
    first = order // 2
    second = (first + 1 + order % 2) % 3
    starts = (first, 9 + second, 18 + 3 - first - second)
    return tuple(start + 3 * step for start in starts for step in range(3))


def _meld(code: int) -> Meld:
    if code not in _melds:
        _melds[code] = Meld.pung(code - SPLIT_PUNG) if code & SPLIT_PUNG else Meld.chow(code)
    return _melds[code]
