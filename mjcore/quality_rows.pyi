from typing import Any, final

from mjcore.hand_rules import HandRules
from mjcore.quality_input import DangerValues, Targets

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
    policy: int,
    kinds: Any,
    shanten: Any,
    useful: Any,
    copies: Any,
    scores: Any,
    start: int,
    stop: int,
) -> int: ...
