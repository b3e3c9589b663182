"""
Measure the danger table from games of four efficiency policies against each other.

    python -m mjcore.danger_selfplay --games 200000 --seed 1 --workers 2

After each discard of a player who is ready the program notes the kinds j among its last three discards, and
the kinds i that it waits on.  T[i][j] is the share of the notes with j in which i is waited on, pairs that
play alike counted together (`mjcore.danger.alike`): 78 different numbers fill 34 x 34 places.  The same games make
the same file, whatever the number of workers.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mjcore
from mjcore.console import count_bar
from mjcore.danger import CLASSES, DangerTable
from mjcore.simulator import DRAWS, play_rounds
from mjcore.simulator_kernels import count_waits
from mjcore.tiles import N_KINDS
from mjcore.workers import check_workers

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    _Array = np.ndarray[Any, Any]

GAMES = 200_000
SEED = 1
DATA = Path(__file__).with_name("data") / "danger.csv"


def count(
    n_games: int, seed: int, *, workers: int = 1, progress: Callable[[int], object] | None = None
) -> tuple[_Array, _Array]:
    """
    Play games and count what ready players wait on.

    Returns
    -------
    ready : (34,) ndarray of int64
        Notes of ready players whose last three discards include kind j.
    waiting : (34, 34) ndarray of int64
        Those among them that wait on kind i: ``waiting[i, j]``.

    Examples
    --------
    >>> ready, waiting = count(100, seed=1)
    >>> bool((waiting <= ready).all())
    True
    """
    import numpy as np

    ready = np.zeros(N_KINDS, np.int64)
    waiting = np.zeros((N_KINDS, N_KINDS), np.int64)

    def play(start: int, stop: int) -> tuple[_Array, _Array]:
        some_ready, some_waiting = np.zeros_like(ready), np.zeros_like(waiting)
        count_waits(seed, start, stop - start, DRAWS, some_ready, some_waiting)
        return some_ready, some_waiting

    for some_ready, some_waiting in play_rounds(play, n_games, workers, progress):
        ready += some_ready
        waiting += some_waiting
    return ready, waiting


def table_of(ready: _Array, waiting: _Array, source: str = "") -> DangerTable:
    """
    Return the table from counts, pairs that play alike added up.

    Examples
    --------
    >>> table = table_of(*count(100, seed=1))
    >>> 0 < table["1m", "2m"] < 1, table["1m", "2m"] == table["9p", "8p"]
    (True, True)
    """
    sums: dict[tuple[object, ...], list[int]] = {}
    for kind, other in product(range(N_KINDS), repeat=2):
        total = sums.setdefault(CLASSES[kind][other], [0, 0])
        total[0] += int(waiting[kind, other])
        total[1] += int(ready[other])
    shares = {group: yes / n if n else 0.0 for group, (yes, n) in sums.items()}
    # six digits are more than the games tell apart
    return DangerTable([[float(f"{shares[group]:.6g}") for group in row] for row in CLASSES], source)


def selfplay_table(
    n_games: int, seed: int, *, workers: int = 1, progress: Callable[[int], object] | None = None
) -> DangerTable:
    """
    Return the table measured over some games; its source says which.

    Examples
    --------
    >>> print(selfplay_table(100, seed=1).source)
    Made by python -m mjcore.danger_selfplay --games 100 --seed 1
    mjcore ...; 4 efficiency policies, 18 draws each; games: 100; seed: 1; notes of ready players: ...
    Row: the tile let go; column: a kind among the last three discards of a ready opponent.
    """
    ready, waiting = count(n_games, seed, workers=workers, progress=progress)
    source = (
        f"Made by python -m mjcore.danger_selfplay --games {n_games} --seed {seed}\n"
        f"mjcore {mjcore.__version__}; 4 efficiency policies, {DRAWS} draws each; games: {n_games}; seed: {seed}; "
        f"notes of ready players: {int(ready.sum()):,}\n"
        "Row: the tile let go; column: a kind among the last three discards of a ready opponent."
    )
    return table_of(ready, waiting, source)


def main(argv: list[str] | None = None) -> int:
    """Play, and write the file."""
    parser = argparse.ArgumentParser(
        prog="python -m mjcore.danger_selfplay",
        description="Measure the danger table by self-play.",
        allow_abbrev=False,
    )
    parser.add_argument("--games", type=int, default=GAMES, help=f"games to play; default: {GAMES}")
    parser.add_argument("--seed", type=int, default=SEED, help=f"which games; default: {SEED}")
    parser.add_argument("--workers", type=int, default=1, help="threads; the file does not depend on it")
    parser.add_argument("--output", metavar="FILE", default=str(DATA), help=f"file to write; default: {DATA}")
    options = parser.parse_args(argv)
    if options.games < 1:
        parser.error(f"argument --games: expected 1 or more, got {options.games}")
    if not 0 <= options.seed < 1 << 64:
        parser.error(f"argument --seed: expected 0 to 2**64 - 1, got {options.seed}")
    try:
        workers = check_workers(options.workers)
    except ValueError as error:
        parser.error(f"argument --workers: {error}")
    with count_bar(options.games, "games") as progress:
        table = selfplay_table(options.games, options.seed, workers=workers, progress=progress)
    table.save(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
