from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, SupportsIndex, TypeAlias, TypeVar, overload

from mjcore.decomposition import Decomposition
from mjcore.hand import Hand
from mjcore.hand_rules import HandRules
from mjcore.kindset import KindSet

class _CarriesHandRules(Protocol):
    @property
    def hand_rules(self) -> HandRules: ...

_HandLike: TypeAlias = SupportsIndex | Hand | str | Sequence[SupportsIndex]
_TilesLike: TypeAlias = SupportsIndex | str | Sequence[SupportsIndex]
_RulesLike: TypeAlias = HandRules | str | _CarriesHandRules
_Key = TypeVar("_Key", bound=Hashable)

DEFAULT_CACHE_SIZE: int
SPLITS_CACHED_MAX: int

class CacheInfo(NamedTuple):
    hits: int
    misses: int
    maxsize: int
    currsize: int

def is_hu(hand: _HandLike, /, *, jokers: SupportsIndex = 0, rules: _RulesLike | None = None) -> bool: ...
def ting(
    hand: _HandLike,
    /,
    *,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
    visible: _TilesLike | None = None,
) -> KindSet: ...
def live_waits(
    hand: _HandLike,
    /,
    *,
    visible: _TilesLike | None = None,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
) -> dict[int, int]: ...
def decompose(
    hand: _HandLike,
    /,
    *,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
    limit: SupportsIndex | None = None,
) -> tuple[Decomposition, ...]: ...
@overload
def ting_many(  # type: ignore[overload-overlap]
    hands: Mapping[_Key, _HandLike],
    *,
    workers: SupportsIndex = 1,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
) -> dict[_Key, KindSet]: ...
@overload
def ting_many(
    hands: Iterable[_HandLike],
    *,
    workers: SupportsIndex = 1,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
) -> list[KindSet]: ...
def cache_info() -> CacheInfo: ...
def cache_clear() -> None: ...
def cache_resize(maxsize: SupportsIndex, /) -> None: ...
