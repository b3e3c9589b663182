from collections.abc import Iterator, Mapping
from typing import SupportsIndex, TypeVar, final, overload

from mjcore.facade import _HandLike, _RulesLike, _TilesLike
from mjcore.kindset import KindSet

_Default = TypeVar("_Default")

@final
class LiveTiles(Mapping[int | str, int]):  # iterates ints; names of kinds may be asked for
    @property
    def shanten(self) -> int: ...
    @property
    def kinds(self) -> KindSet: ...
    @property
    def total(self) -> int: ...
    def __getitem__(self, kind: int | str, /) -> int: ...
    @overload
    def get(self, kind: int | str, default: None = None) -> int | None: ...
    @overload
    def get(self, kind: int | str, default: int | _Default) -> int | _Default: ...
    def __contains__(self, kind: object, /) -> bool: ...
    def __iter__(self) -> Iterator[int]: ...
    def __len__(self) -> int: ...
    def keys(self) -> KindSet: ...  # type: ignore[override]
    def values(self) -> list[int]: ...  # type: ignore[override]
    def items(self) -> list[tuple[int, int]]: ...  # type: ignore[override]
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def text(self, notation: str = "letters", *, dialect: str = "tenhou") -> str: ...

def shanten(
    hand: _HandLike,
    /,
    *,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
    form: str | None = None,
) -> int: ...
def useful_tiles(
    hand: _HandLike,
    /,
    *,
    visible: _TilesLike | None = None,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
) -> LiveTiles: ...
def discards(
    hand: _HandLike,
    /,
    *,
    visible: _TilesLike | None = None,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
) -> dict[int, LiveTiles]: ...
def improving_tiles(
    hand: _HandLike,
    /,
    *,
    visible: _TilesLike | None = None,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
) -> dict[int, int]: ...
