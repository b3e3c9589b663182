from typing import Any

from mjcore.hand_rules import HandRules
from mjcore.rows import Rows

def by_tables(hand_rules: HandRules) -> bool: ...
def answer(
    operation: int,
    rows: Rows,
    visible: Rows | None,
    jokers: Any,
    melds: Any,
    where: Any,
    hand_rules: HandRules,
    small: Any,
    masks: Any,
    counts: Any,
    only_check: bool,
    start: int,
    stop: int,
) -> int: ...
def describe(
    rows: Rows, visible: Rows | None, row: int
) -> tuple[tuple[list[int], list[int]], tuple[list[int], list[int]] | None]: ...
def rewrite(rows: Rows, lanes: Any, counts: Any, /) -> int: ...
