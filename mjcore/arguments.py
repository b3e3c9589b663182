"""Arguments read and checked; each error names the argument, what was expected, and what came instead."""

from __future__ import annotations

from math import inf

from mjcore.tiles import as_index, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def read_whole(value: object, name: str, least: int, most: int) -> int:
    """
    Return an integer of a range.

    Raises
    ------
    TypeError
        If it is none; bool is none.
    ValueError
        If it is outside.

    Examples
    --------
    >>> from mjcore.arguments import read_whole
    >>> read_whole(5, "draws", 0, 136)
    5
    """
    number = as_index(value)
    if number is None:
        raise TypeError(f"expected a number for {name}, got {type(value).__name__}")
    if not least <= number <= most:
        raise ValueError(f"expected {name} of {least} to {most}, got {shown(number)}")
    return number


def read_number(value: Any, name: str) -> float:
    """
    Return what is a real number as a float, infinite where no float holds it.

    Raises
    ------
    TypeError
        If it is none; bool and text are none.

    Examples
    --------
    >>> from mjcore.arguments import read_number
    >>> read_number(5, "alpha"), read_number(-10**400, "alpha")
    (5.0, -inf)
    """
    number: float | None = None
    if not isinstance(value, (bool, str, bytes, type)) and (hasattr(value, "__float__") or hasattr(value, "__index__")):
        try:
            number = float(value)
        except OverflowError:
            number = inf if value > 0 else -inf
        except TypeError:
            number = None
    if number is None:
        raise TypeError(f"expected a number for {name}, got {shown(value)}")
    return number


def read_items(values: Any, name: str, what: str) -> Iterable[Any]:
    """
    Return something to be iterated over; text is not taken for its characters.

    Raises
    ------
    TypeError
        If it is not.

    Examples
    --------
    >>> from mjcore.arguments import read_items
    >>> list(read_items((1, 2), "targets", "targets"))
    [1, 2]
    """
    if isinstance(values, (str, bytes, type)) or not hasattr(values, "__iter__"):
        raise TypeError(f"expected {what} for {name}, got {shown(values)}")
    items: Iterable[Any] = values
    return items


def read_path(path: Any) -> str:
    """
    Return a path as text; a number would be taken for a file that is open already.

    Raises
    ------
    TypeError
        If it is none.
    """
    import os

    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"expected a path, got {shown(path)}")
    return os.fsdecode(path)
