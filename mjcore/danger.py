"""
The danger table: how often a ready opponent waits on a kind, by what that opponent discarded lately.

``table["5m", "2m"]`` is the chance that a ready player whose recent discards include 2m waits on 5m.  Kinds
that play alike are counted together: the suits, ranks that mirror each other, and the honors, so that few
games suffice.  The table that the package comes with was fitted to self-play; `fit_danger` makes one from
your own games.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from mjcore.kindset import KindSet
from mjcore.notation import kind_of
from mjcore.quality_input import DangerValues
from mjcore.tiles import FIRST_HONOR, LETTERS, N_KINDS, InvalidHandError, as_index, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike
    from typing import Any

    from numpy.typing import NDArray

N_RECENT = 3
"""Discards of a player that count as recent."""


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
        If it is not 34 by 34 chances; the message names the place.

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
        rows = [[float(value) for value in row] for row in values]
        if len(rows) != N_KINDS or any(len(row) != N_KINDS for row in rows):
            raise ValueError(f"expected {N_KINDS} rows of {N_KINDS} chances, got {[len(row) for row in rows]}")
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
            If the file is not one; the message names the line.
        """
        source: list[str] = []
        rows: list[list[float]] = []
        header = ["tile", *LETTERS]
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                cells = line.strip().split(",")
                if line.startswith("#"):
                    source.append(line[1:].strip())
                elif line.strip() and cells != header:
                    if len(rows) == N_KINDS or len(cells) != N_KINDS + 1 or cells[0] != LETTERS[len(rows)]:
                        raise ValueError(f"{path}, line {number}: expected a row of {N_KINDS} chances in kind order")
                    try:
                        rows.append([float(cell) for cell in cells[1:]])
                    except ValueError:
                        raise ValueError(f"{path}, line {number}: expected numbers, got {shown(line)}") from None
        return DangerTable(rows, "\n".join(source))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table as text: lines of its source after #, then a row for each tile let go."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            for line in self.source.splitlines():
                file.write(f"# {line}\n")
            file.write(",".join(["tile", *LETTERS]) + "\n")
            for name, row in zip(LETTERS, self.rows(), strict=True):
                file.write(",".join([name, *(f"{value!r}" for value in row)]) + "\n")

    def rows(self) -> list[list[float]]:
        """Return the chances, a row for each tile let go."""
        return [[self._values[N_KINDS * kind + other] for other in range(N_KINDS)] for kind in range(N_KINDS)]

    def __getitem__(self, kinds: tuple[int | str, int | str]) -> float:
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


def alike(kind: int, other: int) -> tuple[object, ...]:
    """
    Return the class of pairs that are counted together with a tile let go and a discard.

    Examples
    --------
    >>> from mjcore.danger import alike
    >>> alike(0, 3) == alike(26, 23), alike(0, 3) == alike(0, 12), alike(27, 33) == alike(30, 28)
    (True, False, True)
    """
    rank, beside = kind % 9, other % 9
    if kind >= FIRST_HONOR:
        return ("honor", "same" if kind == other else "honor" if other >= FIRST_HONOR else min(beside, 8 - beside))
    if other >= FIRST_HONOR:
        return ("suit", min(rank, 8 - rank), "honor")
    if kind // 9 == other // 9:
        return ("suit", *min((rank, beside), (8 - rank, 8 - beside)), "same")
    return ("suit", min(rank, 8 - rank), min(beside, 8 - beside), "other")


CLASSES: tuple[tuple[tuple[object, ...], ...], ...] = tuple(
    tuple(alike(kind, other) for other in range(N_KINDS)) for kind in range(N_KINDS)
)
"""The class of each tile let go and discard."""


def fit_danger(
    logs: Iterable[tuple[Iterable[int | str], Iterable[int | str] | str]], *, recent: int = N_RECENT, source: str = ""
) -> DangerTable:
    """
    Return the danger table of some games.

    Parameters
    ----------
    logs : iterable of (discards, waits)
        One record for each ready player at each moment that counts, for example each time another player
        discards: the player's own discards, oldest first, and the kinds waited for.
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

    Examples
    --------
    >>> import mjcore
    >>> table = mjcore.fit_danger([(["9m", "E", "1p"], "4p 7p"), (["N"], "E")])
    >>> table["7p", "1p"], table["3s", "9s"], table["E", "N"], table["C", "1m"]
    (0.5, 0.5, 0.08333333333333333, 0.0)
    """
    n_recent = as_index(recent)
    if n_recent is None or n_recent < 1:
        raise ValueError(f"expected 1 or more for recent, got {shown(recent)}")
    records: dict[tuple[int, ...], list[int]] = {}
    for number, record in enumerate(logs):
        try:
            discards, waits = record
            kinds = [kind if type(kind) is int and 0 <= kind < N_KINDS else kind_of(kind) for kind in discards]
            mask = KindSet(waits).mask
        except (InvalidHandError, TypeError, ValueError) as error:
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
