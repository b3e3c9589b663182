from collections.abc import Callable, Iterable
from typing import Any, Final, SupportsIndex, TypeAlias

from mjcore.facade import _HandLike, _RulesLike, _TilesLike
from mjcore.hand import Hand
from mjcore.win_curve import WinCurve

_Value: TypeAlias = Callable[[Hand, int], float] | str | Any

MEMORY_DEFAULT: Final[int]
HANDS_DEFAULT: Final[int]
VALUE_MAX: Final[float]
MODELS: Final[tuple[str, ...]]

def win_probability(
    hand: _HandLike,
    draws: SupportsIndex = 18,
    *,
    model: str = "strict",
    radius: SupportsIndex = 1,
    visible: _TilesLike | None = None,
    rules: _RulesLike | None = None,
    jokers: SupportsIndex = 0,
    forms: Iterable[str] | None = None,
    budget: SupportsIndex | None = None,
    value: _Value | None = None,
) -> WinCurve: ...
def discard_chances(
    hand: _HandLike,
    draws: SupportsIndex = 18,
    *,
    model: str = "strict",
    radius: SupportsIndex = 1,
    visible: _TilesLike | None = None,
    rules: _RulesLike | None = None,
    jokers: SupportsIndex = 0,
    forms: Iterable[str] | None = None,
    budget: SupportsIndex | None = None,
    value: _Value | None = None,
    kinds: Iterable[int | str] | None = None,
) -> dict[int, WinCurve]: ...
