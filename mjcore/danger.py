"""
The danger table: how often a ready opponent waits on a kind, by what that opponent discarded lately.

``table["5m", "2m"]`` is the chance that a ready player whose recent discards include 2m waits on 5m.  Kinds
that play alike are counted together: the suits, ranks that mirror each other, and the honors, so that few
games suffice.  The table that the package comes with was fitted to self-play; `fit_danger` makes one from
your own games.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from mjcore.arguments import read_items, read_number, read_path, read_whole
from mjcore.kindset import KindSet
from mjcore.notation import kind_of, read_text
from mjcore.quality_input import DangerValues
from mjcore.tiles import FIRST_HONOR, LETTERS, N_KINDS, InvalidHandError, check_kind, shown

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Any

    from numpy.typing import NDArray

N_RECENT = 3
"""Discards of a player that count as recent."""

RECENT_MAX = 1 << 31


class DangerTable:
    """
    Chances by the tile let go and an opponent's discard.

    Parameters
    ----------
    values : sequence of 34 sequences of 34 float
        A row for each tile let go, a column for each discard of the opponent; each 0 to 1.
    source : str
        Where the numbers come from.

    Raises
    ------
    ValueError
        If it is not 34 by 34 chances of 0 to 1; the message names the place.
    TypeError
        If something is no number, or no row; likewise.

    Examples
    --------
    >>> from mjcore.danger import DangerTable
    >>> table = DangerTable.default()
    >>> 0 < table["5m", "9p"] < 1, table["1m", "4m"] == table["9s", "6s"]
    (True, True)
    """

    __slots__ = ("_values", "source")

    def __init__(self, values: Sequence[Sequence[float]], source: str = "") -> None:
        if not isinstance(source, str):
            raise TypeError(f"expected text for source, got {type(source).__name__}")
        rows = [
            [_chance(value, kind, other) for other, value in enumerate(read_items(row, f"row {kind}", "chances"))]
            for kind, row in enumerate(read_items(values, "values", f"{N_KINDS} rows of {N_KINDS} chances"))
        ]
        if len(rows) != N_KINDS:
            raise ValueError(f"expected {N_KINDS} rows of {N_KINDS} chances, got {len(rows)} rows")
        for kind, row in enumerate(rows):
            if len(row) != N_KINDS:
                raise ValueError(f"expected {N_KINDS} rows of {N_KINDS} chances, got {len(row)} in row {kind}")
        self._values = DangerValues([value for row in rows for value in row])
        self.source = source

    @property
    def values(self) -> DangerValues:
        """The chances as the kernels read them."""
        return self._values

    @staticmethod
    def default() -> DangerTable:
        """Return the table that the package comes with."""
        global _default
        if _default is None:
            from pathlib import Path

            _default = DangerTable.load(Path(__file__).with_name("data") / "danger.csv")
        return _default

    @staticmethod
    def load(path: str | PathLike[str]) -> DangerTable:
        """
        Read a table as `save` writes it.

        Raises
        ------
        ValueError
            If the file is not one; the message names file and line.
        """
        name = read_path(path)
        with open(name, "rb") as file:
            data = file.read()
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            place = data.count(b"\n", 0, error.start) + 1
            raise ValueError(f"{name}, line {place}: expected UTF-8, got byte {data[error.start]:#04x}") from error
        source: list[str] = []
        rows: list[list[float]] = []
        header = ["tile", *LETTERS]
        for number, line in enumerate(text.splitlines(), 1):
            cells = [cell.strip() for cell in line.split(",")]
            if line.startswith("#"):
                source.append(line[1:].strip())
            elif line.strip() and cells != header:
                try:
                    rows.append(_row(cells, len(rows)))
                except ValueError as error:
                    raise ValueError(f"{name}, line {number}: {error}") from None
        if len(rows) != N_KINDS:
            last = len(text.splitlines())
            raise ValueError(f"{name}, line {last}: expected {N_KINDS} rows of chances, got {len(rows)} to the end")
        return DangerTable(rows, "\n".join(source))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table as text: lines of its source after #, then a row for each tile let go."""
        with open(read_path(path), "w", encoding="utf-8", newline="\n") as file:
            for line in self.source.splitlines():
                file.write(f"# {line}\n")
            file.write(",".join(["tile", *LETTERS]) + "\n")
            for name, row in zip(LETTERS, self.rows(), strict=True):
                file.write(",".join([name, *(f"{value!r}" for value in row)]) + "\n")

    def rows(self) -> list[list[float]]:
        """Return the chances, a row for each tile let go."""
        return [[self._values[N_KINDS * kind + other] for other in range(N_KINDS)] for kind in range(N_KINDS)]

    def __getitem__(self, kinds: tuple[int | str, int | str]) -> float:
        if not isinstance(kinds, tuple) or len(kinds) != 2:
            raise TypeError(f"expected the tile let go and a discard, got {shown(kinds)}")
        kind, other = kinds
        return self._values[N_KINDS * kind_of(kind) + kind_of(other)]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        import numpy as np

        return np.array(self.rows(), dtype)

    def __eq__(self, other: object) -> bool:
        return self.rows() == other.rows() if isinstance(other, DangerTable) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(map(tuple, self.rows())))

    def __reduce__(self) -> tuple[object, ...]:
        return DangerTable, (self.rows(), self.source)

    def __repr__(self) -> str:
        return f"<DangerTable {self.source.splitlines()[0] if self.source else 'of unknown source'!r}>"


_default: DangerTable | None = None


def _chance(value: object, kind: int, other: int) -> float:
    chance = read_number(value, f"row {kind}, column {other}")
    if not 0 <= chance <= 1:
        raise ValueError(f"expected a chance of 0 to 1 for row {kind}, column {other}, got {shown(value)}")
    return chance


def _row(cells: list[str], kind: int) -> list[float]:
    """Read a line of a file: the tile let go, then its chances."""
    if kind == N_KINDS:
        raise ValueError(f"expected {N_KINDS} rows of chances, got one more")
    if cells[0] != LETTERS[kind]:
        raise ValueError(f"expected the row of {LETTERS[kind]}, got {shown(cells[0])}")
    if len(cells) != N_KINDS + 1:
        raise ValueError(f"expected {N_KINDS} chances after {cells[0]}, got {len(cells) - 1}")
    row = []
    for other, cell in zip(LETTERS, cells[1:], strict=True):
        try:
            if not cell.isascii() or "_" in cell:
                raise ValueError
            chance = float(cell)
        except ValueError:
            raise ValueError(f"expected a number for {cells[0]} after {other}, got {shown(cell)}") from None
        if not 0 <= chance <= 1:
            raise ValueError(f"expected a chance of 0 to 1 for {cells[0]} after {other}, got {shown(cell)}")
        row.append(chance)
    return row


def alike(kind: int, other: int) -> tuple[object, ...]:
    """
    Return the class of pairs that are counted together with a tile let go and a discard.

    Examples
    --------
    >>> from mjcore.danger import alike
    >>> alike(0, 3) == alike(26, 23), alike(0, 3) == alike(0, 12), alike(27, 33) == alike(30, 28)
    (True, False, True)
    """
    kind, other = check_kind(kind), check_kind(other)
    rank, beside = kind % 9, other % 9
    if kind >= FIRST_HONOR:
        return ("honor", "same" if kind == other else "honor" if other >= FIRST_HONOR else min(beside, 8 - beside))
    if other >= FIRST_HONOR:
        return ("suit", min(rank, 8 - rank), "honor")
    if kind // 9 == other // 9:
        return ("suit", *min((rank, beside), (8 - rank, 8 - beside)), "same")
    return ("suit", min(rank, 8 - rank), min(beside, 8 - beside), "other")


def _discarded(discards: Iterable[int | str] | str) -> list[int]:
    """The kinds of discards, in order."""
    if isinstance(discards, str):
        tiles, melds = read_text(discards)
        if melds:
            raise InvalidHandError(f"expected tiles for discards, got a meld in {shown(discards)}")
        return [tile[0] for tile in tiles]
    kinds = read_items(discards, "discards", "kinds or text")
    return [kind if type(kind) is int and 0 <= kind < N_KINDS else kind_of(kind) for kind in kinds]


CLASSES: tuple[tuple[tuple[object, ...], ...], ...] = tuple(
    tuple(alike(kind, other) for other in range(N_KINDS)) for kind in range(N_KINDS)
)
"""The class of each tile let go and discard."""


def fit_danger(
    logs: Iterable[tuple[Iterable[int | str] | str, Iterable[int | str] | str]],
    *,
    recent: int = N_RECENT,
    source: str = "",
) -> DangerTable:
    """
    Return the danger table of some games.

    Parameters
    ----------
    logs : iterable of (discards, waits)
        One record for each ready player at each moment that counts, for example each time another player
        discards: the player's own discards, oldest first, and the kinds waited for; kinds or text.
    recent : int, default 3
        How many discards count, the newest.
    source : str
        Where the games come from, to be kept with the table.

    Returns
    -------
    DangerTable
        Of all records with a recent discard like j, the part that waits on a kind like i, pooled over kinds
        that play alike.  A pair of which there is no record has the mean of all.

    Raises
    ------
    InvalidHandError
        If a record is not one; the message names its number.
    ValueError
        If there is no record of a discard.
    TypeError
        If there are no records at all, or a number is none.

    Examples
    --------
    >>> import mjcore
    >>> table = mjcore.fit_danger([(["9m", "E", "1p"], "4p 7p"), (["N"], "E")])
    >>> table["7p", "1p"], table["3s", "9s"], table["E", "N"], table["C", "1m"]
    (0.5, 0.5, 0.08333333333333333, 0.0)
    """
    n_recent = read_whole(recent, "recent", 1, RECENT_MAX)
    records: dict[tuple[int, ...], list[int]] = {}
    for number, record in enumerate(read_items(logs, "logs", "records of discards and waits")):
        if isinstance(record, (str, bytes)) or not isinstance(record, Sequence) or len(record) != 2:
            raise InvalidHandError(f"record {number}: expected discards and waits, got {shown(record)}")
        try:
            kinds, mask = _discarded(record[0]), KindSet(record[1]).mask
        except (InvalidHandError, TypeError) as error:
            raise InvalidHandError(f"record {number}: expected discards and waits, {error}") from error
        counts = records.setdefault(tuple(sorted(set(kinds[-n_recent:]))), [0] * (N_KINDS + 1))
        counts[N_KINDS] += 1
        for kind in range(N_KINDS):
            counts[kind] += mask >> kind & 1
    seen: dict[tuple[object, ...], int] = {}
    hits: dict[tuple[object, ...], int] = {}
    for others, counts in records.items():
        for other, kind in product(others, range(N_KINDS)):
            group = CLASSES[kind][other]
            seen[group] = seen.get(group, 0) + counts[N_KINDS]
            hits[group] = hits.get(group, 0) + counts[kind]
    if not seen:
        raise ValueError("expected at least one record with a discard, got none")
    mean = sum(hits.values()) / sum(seen.values())
    return DangerTable(
        [[hits[group] / seen[group] if group in seen else mean for group in CLASSES[kind]] for kind in range(N_KINDS)],
        source,
    )
