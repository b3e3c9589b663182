from collections.abc import Sequence
from typing import SupportsIndex

from mjcore.tiles import LETTERS as LETTERS

def pack(counts: Sequence[SupportsIndex], /) -> int: ...
def unpack(vec: SupportsIndex, /) -> list[int]: ...
