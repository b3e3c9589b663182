from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, final

from mjcore.facade import _HandLike, _RulesLike, _TilesLike
from mjcore.hand_rules import HandRules

MEASURES: tuple[str, ...]
MELD_CONDITIONS: tuple[str, ...]
POLICIES: tuple[str, ...]
SURVIVAL_RULES: tuple[str, ...]

@final
class Targets:
    def __new__(cls, rows: Iterable[tuple[str, str, float, str, Sequence[str], str]]) -> Targets: ...
    @property
    def rows(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class DangerValues:
    def __new__(cls, values: Sequence[float]) -> DangerValues: ...
    def __getitem__(self, i: int, /) -> float: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[float]: ...

def assess(
    hand: _HandLike,
    rivers: Sequence[Iterable[int | str] | str] | None,
    visible: _TilesLike | None,
    rules: _RulesLike | None,
    targets: Targets,
    survival: tuple[Any, ...],
    alpha: float,
) -> tuple[Any, ...]: ...

@final
class RatedRows:
    @property
    def waits_before(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> tuple[Any, ...]: ...
    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...

def rate_discards(
    hand: _HandLike,
    rivers: Sequence[Iterable[int | str] | str] | None,
    visible: _TilesLike | None,
    rules: _RulesLike | None,
    danger: DangerValues,
    article: tuple[Any, ...],
    danger_weight: float,
    waits_before: object,
    policy: int,
    win: Callable[[int], float] | None,
) -> RatedRows: ...
def seen_tiles(rivers: Sequence[Iterable[int | str] | str] | None, visible: _TilesLike | None) -> int: ...

@final
class Positions:
    def __new__(
        cls,
        hands: Any,
        melds: Any,
        visible: Any,
        rivers: Any,
        where: Any,
        rules: HandRules,
    ) -> Positions: ...
    def __len__(self) -> int: ...

def evaluate_rows(
    positions: Positions,
    targets: Targets,
    survival: tuple[Any, ...],
    alpha: float,
    numbers: Any,
    progress: Any,
    shanten: Any,
    waits: Any,
    discards: Any,
    start: int,
    stop: int,
) -> int: ...
def discard_best(
    positions: Positions,
    danger: DangerValues,
    article: tuple[Any, ...],
    danger_weight: float,
    kinds: Any,
    shanten: Any,
    useful: Any,
    copies: Any,
    scores: Any,
    start: int,
    stop: int,
) -> int: ...
