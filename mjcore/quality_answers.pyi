from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, final

from mjcore.facade import _HandLike, _RulesLike, _TilesLike
from mjcore.quality_input import DangerValues, Targets
from mjcore.quality_kernels import POLICIES as POLICIES
from mjcore.quality_kernels import SURVIVAL_RULES as SURVIVAL_RULES

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
