from collections.abc import Sequence
from typing import Any, SupportsIndex, final

from mjcore.hand import Hand
from mjcore.programs import Program
from mjcore.tiles import LETTERS as LETTERS

MELD_CODES: dict[str, int]
PROBLEMS: dict[int, str]
CONTRADICTIONS: dict[int, str]
FLAGS: dict[str, int]

@final
class Win:
    def __init__(
        self,
        concealed: int,
        melds: Sequence[int],
        win_tile: int,
        flags: int,
        seat_wind: int,
        round_wind: int,
        n_flowers: int,
    ) -> None: ...
    @staticmethod
    def read(
        hand: SupportsIndex | Hand | str | Sequence[SupportsIndex], win_tile: int, context: tuple[int, int, int, int]
    ) -> Win: ...
    @property
    def concealed(self) -> int: ...
    @property
    def melds(self) -> tuple[int, ...]: ...
    @property
    def win_tile(self) -> int: ...
    @property
    def flags(self) -> int: ...
    @property
    def context(self) -> tuple[int, int, int, int]: ...
    @property
    def key(self) -> tuple[int, tuple[int, ...], int, tuple[int, int, int, int]]: ...
    def settle(self, normalise: bool) -> None: ...
    def total(self, program: Program) -> int: ...
    def waits(self, program: Program) -> int: ...
    def unmet(self, program: Program) -> list[int]: ...
    def readings(self, program: Program) -> list[tuple[tuple[Any, ...], int]]: ...
