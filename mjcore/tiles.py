"""
Tiles: the 34 kinds, their names in each notation, and the errors.

The words used everywhere in mjcore:

kind
    One of the 34 different tiles, numbered 0 .. 33: characters 1 .. 9 (``m``, 0 .. 8), bamboo
    1 .. 9 (``s``, 9 .. 17), dots 1 .. 9 (``p``, 18 .. 26), then red, green and white dragon
    (``C F P``, 27 .. 29) and the winds (``E S W N``, 30 .. 33).  Four copies of each exist.
vec
    A packed hand: an int of 136 bits, four for each kind, kind 0 lowest.
meld, eyes
    Three equal tiles (pung), three consecutive ranks of a suit (chow) or four equal tiles (kong);
    the pair that a standard hand needs beside its four melds.
waits
    The kinds that complete a hand; a hand that has some is ready (ting).
joker
    A wild tile (laizi).  Jokers are given as a number beside the natural tiles.
"""

from __future__ import annotations

import operator

N_KINDS = 34
N_COPIES = 4
FIRST_HONOR = 27

SUITS = "msp"
"""Suit letters in the order of kinds."""

HONORS = "CFPESWN"
"""Honor letters in the order of kinds: red, green, white, east, south, west, north."""

LETTERS: tuple[str, ...] = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)) + tuple(HONORS)
"""Name of each kind: ``1m`` .. ``9p``, then ``C F P E S W N``."""

CHINESE: tuple[str, ...] = tuple(rank + suit for suit in "万条筒" for rank in "一二三四五六七八九") + tuple(
    "中发白东南西北"
)
"""Chinese name of each kind."""

UNICODE: tuple[str, ...] = tuple(
    chr(0x1F000 + offset)
    for offset in (*range(0x07, 0x10), *range(0x10, 0x19), *range(0x19, 0x22), 4, 5, 6, 0, 1, 2, 3)
)
"""Unicode tile of each kind."""

DIALECTS: dict[str, str] = {"tenhou": "ESWNPFC", "cn": "ESWNCFP"}
"""What the digits 1 .. 7 before ``z`` mean, as honor letters, by the name of the dialect."""

_DIALECT_ORDERS = {
    name: tuple(FIRST_HONOR + HONORS.index(letter) for letter in letters) for name, letters in DIALECTS.items()
}

NOTATIONS: tuple[str, ...] = ("letters", "mpsz", "chinese", "unicode")
"""The notations that text can be written in."""


class MjcoreError(Exception):
    """Base of the errors that mjcore raises about its input."""


class InvalidHandError(MjcoreError, ValueError):
    """The input is not a hand; the message names the tile, the number and what was expected."""


class InvalidNotationError(InvalidHandError):
    """
    The text is not a hand.

    Attributes
    ----------
    text : str
        The whole text.
    position : int
        Index in `text` of the character at fault.
    """

    text: str
    position: int

    def __init__(self, problem: str, text: str = "", position: int = 0) -> None:
        super().__init__(problem, text, position)
        self.text = text
        self.position = position

    def __str__(self) -> str:
        start = max(0, self.position - 30)
        shown = self.text[start : self.position + 30]
        if start:
            shown = "..." + shown
        if self.position + 30 < len(self.text):
            shown += "..."
        return f"{self.args[0]} at position {self.position} of {shown!r}"


class NotAWinError(InvalidHandError):
    """The hand is not complete, so there is nothing to score."""


class ContextError(InvalidHandError):
    """How the hand was won contradicts itself or the hand; the message names both sides."""


class RuleSetError(MjcoreError, ValueError):
    """A rule file or a change of rules is wrong; the message names the file and the row."""


def shown(value: object) -> str:
    """Return what an error may say of a value: its repr, short, whatever the value is."""
    try:
        text = repr(value)
    except Exception:
        text = f"{type(value).__name__} that has no repr"
    return text if len(text) <= 60 else f"{text[:57]}..."


def dialect_order(dialect: str) -> tuple[int, ...]:
    """
    Return the kinds that ``1z`` .. ``7z`` mean in a dialect.

    Raises
    ------
    ValueError
        If there is no such dialect.

    Examples
    --------
    >>> [LETTERS[kind] for kind in dialect_order("tenhou")]
    ['E', 'S', 'W', 'N', 'P', 'F', 'C']
    """
    try:
        return _DIALECT_ORDERS[dialect]
    except (KeyError, TypeError):
        raise ValueError(f"expected a z-digit dialect of {', '.join(DIALECTS)}, got {shown(dialect)}") from None


def tile_name(kind: int, notation: str = "letters", *, dialect: str = "tenhou") -> str:
    """
    Return the name of one kind.

    Parameters
    ----------
    kind : int
        0 .. 33.
    notation : {"letters", "mpsz", "chinese", "unicode"}
        How to write it.
    dialect : {"tenhou", "cn"}
        Which z-digits honors get in mpsz.

    Examples
    --------
    >>> tile_name(27), tile_name(27, "mpsz"), tile_name(27, "mpsz", dialect="cn"), tile_name(27, "chinese")
    ('C', '7z', '5z', '中')
    """
    kind = check_kind(kind)
    if notation == "letters":
        return LETTERS[kind]
    if notation == "chinese":
        return CHINESE[kind]
    if notation == "unicode":
        return UNICODE[kind]
    if notation == "mpsz":
        if kind < FIRST_HONOR:
            return LETTERS[kind]
        return f"{dialect_order(dialect).index(kind) + 1}z"
    raise ValueError(f"expected a notation of {', '.join(NOTATIONS)}, got {shown(notation)}")


def as_index(value: object) -> int | None:
    """Return an exact int for whatever counts as one, None for bool and everything else."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return int(operator.index(value))
    except TypeError:
        return None


def check_kind(kind: object) -> int:
    """
    Return a kind as an int.

    Raises
    ------
    InvalidHandError
        If it is not an integer of 0 .. 33.
    """
    number = as_index(kind)
    if number is None or not 0 <= number < N_KINDS:
        raise InvalidHandError(f"expected a kind, an int of 0 to 33, got {shown(kind)}")
    return number
