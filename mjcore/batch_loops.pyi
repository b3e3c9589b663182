from typing import Any, final

from mjcore.hand_rules import HandRules

@final
class Rows:
    def __new__(cls, array: Any) -> Rows: ...
    def __len__(self) -> int: ...

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
def write_lanes(rows: Rows, out: Any, /) -> int: ...
def write_counts(rows: Rows, out: Any, /) -> int: ...
