from collections.abc import Sequence
from typing import Any

import numpy as np

from mjcore.quality_input import DangerValues

_Values = DangerValues | None

WORD_MAX: int
POLICIES: tuple[str, ...]

def wall(seed: int, game: int) -> tuple[bytes, int]: ...
def choose_kind(
    name: str,
    hand: int,
    drawn: int,
    draws_left: int,
    rivers: Sequence[Sequence[int]],
    visible: int,
    state: int,
    danger: _Values,
    danger_weight: float,
) -> tuple[int, int]: ...
def solo_games(
    name: str, seed: int, start: int, n_draws: int, out: memoryview, danger: _Values, danger_weight: float
) -> None: ...
def four_player_games(
    names: Sequence[str],
    seed: int,
    start: int,
    n_draws: int,
    out: tuple[memoryview, ...],
    danger: _Values,
    danger_weight: float,
) -> None: ...
def count_waits(
    seed: int, start: int, n_games: int, n_draws: int, ready: np.ndarray[Any, Any], waiting: np.ndarray[Any, Any]
) -> None: ...
