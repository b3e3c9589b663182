from collections.abc import Sequence
from typing import SupportsIndex, final

import numpy as np
from numpy.typing import NDArray

from mjcore.hand import Hand
from mjcore.rule_sets import RuleSet

@final
class FanTargets:
    def __new__(cls, fan: str, wind: int) -> FanTargets: ...

def fan_targets_for(
    fan: str, rules: RuleSet | str, seat_wind: SupportsIndex | str, round_wind: SupportsIndex | str
) -> FanTargets: ...
def fan_distance(
    hand: Hand | str | SupportsIndex | Sequence[SupportsIndex],
    /,
    fan: str,
    rules: RuleSet | str = "mcr",
    *,
    seat_wind: SupportsIndex | str = "E",
    round_wind: SupportsIndex | str = "E",
) -> int | None: ...
def answer_rows(
    targets: FanTargets,
    lanes: NDArray[np.uint64],
    melds: NDArray[np.uint16],
    asked: NDArray[np.uint8] | None,
    distances: NDArray[np.int8],
    start: int,
    stop: int,
) -> int: ...
