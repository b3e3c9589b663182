"""
Hands as text: reading every notation, writing the one that is asked for.

One reader takes them all, since no character means two things: ``123m`` with ``1z`` .. ``7z`` in a
named dialect, the letters ``ESWN CFP``, Chinese names, unicode tiles.  Nothing is guessed: what is
not plainly a tile is an error that points at the character.
"""

from __future__ import annotations

from mjcore.packing import pack, pack_plain, unpack
from mjcore.tiles import (
    CHINESE,
    FIRST_HONOR,
    HONORS,
    LETTERS,
    N_COPIES,
    N_KINDS,
    NOTATIONS,
    SUITS,
    UNICODE,
    InvalidHandError,
    InvalidNotationError,
    check_kind,
    dialect_order,
    shown,
    tile_name,
)

TEXT_MAX = 1000
"""Longest text that is read, in characters."""

FIVES = (4, 13, 22)
"""The kinds that have a red copy, in suit order."""

_RANKS = {character: rank for rank, character in enumerate("一二三四五六七八九", 1)}
_CHINESE_SUITS = {"万": 0, "萬": 0, "条": 1, "條": 1, "索": 1, "筒": 2, "饼": 2, "餅": 2}
_UNICODE = {tile: kind for kind, tile in enumerate(UNICODE)}
_HONOR_NAMES = {
    **{name: FIRST_HONOR + HONORS.index(letter) for name, letter in zip("东東南西北", "EESWN", strict=True)},
    **dict.fromkeys(("红中", "紅中", "中"), FIRST_HONOR),
    **dict.fromkeys(("发财", "發財", "发", "發"), FIRST_HONOR + 1),
    **dict.fromkeys(("白板", "白"), FIRST_HONOR + 2),
}
for _wind in "东東南西北":
    for _suffix in "风風":
        _HONOR_NAMES[_wind + _suffix] = _HONOR_NAMES[_wind]

Tile = tuple[int, bool, int]
"""A tile read from text: its kind, whether it is a red five, and where it stood."""


def parse(text: str, *, dialect: str = "tenhou", red_fives: bool = True) -> int:
    """
    Read tiles from text into a packed int.

    Parameters
    ----------
    text : str
        Tiles in any notation, also several at once: ``123m456s789p11z``, ``EE CC``, ``一万 二条 三筒 红中``,
        unicode tiles.  Blanks separate, and are needed nowhere.
    dialect : {"tenhou", "cn"}
        What ``5z 6z 7z`` mean: white green red, or red green white.  ``1z`` .. ``4z`` are E S W N in both.
    red_fives : bool, default True
        Whether ``0m 0s 0p`` are read, as fives.  A packed int does not keep the color; a `Hand` does.

    Returns
    -------
    int
        The packed tiles, of any number, at most four of a kind.

    Raises
    ------
    InvalidNotationError
        If a character is not part of a tile, digits have no suit, a kind comes a fifth time, or there
        are melds in brackets, which only a `Hand` can hold.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.parse("123m") == mjcore.tile("1m") + mjcore.tile("2m") + mjcore.tile("3m")
    True
    >>> mjcore.parse("10m")
    Traceback (most recent call last):
    mjcore.tiles.InvalidNotationError: 0 after 1 could mean ten; write a red five first, '01m', at position 1 of '10m'
    """
    if type(text) is str and len(text) <= TEXT_MAX:
        vec = pack_plain(text, dialect_order(dialect))
        if vec is not None:
            return vec
    tiles, melds = read_text(text, dialect=dialect, red_fives=red_fives)
    if melds:
        raise InvalidNotationError("expected tiles without melds (mjcore.Hand reads melds), got '['", text, melds[0][2])
    return pack(count_tiles(tiles, text))


def tile(name: str | int, *, dialect: str = "tenhou") -> int:
    """
    Return one tile as a packed int, so that adding it to a hand is adding two numbers.

    Parameters
    ----------
    name : str or int
        Its name in any notation, or its kind, 0 .. 33.
    dialect : {"tenhou", "cn"}
        What the z-digits mean.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.tile("5m") == mjcore.tile(4) == 1 << 16
    True
    """
    return 1 << 4 * kind_of(name, dialect=dialect)


def kind_of(name: str | int, *, dialect: str = "tenhou") -> int:
    """
    Return the kind of one tile given by name, or check a kind given as a number.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.kind_of("C"), mjcore.kind_of("红中"), mjcore.kind_of("7z"), mjcore.kind_of(27)
    (27, 27, 27, 27)
    """
    if not isinstance(name, str):
        return check_kind(name)
    tiles, melds = read_text(name, dialect=dialect)
    if len(tiles) != 1 or melds:
        raise InvalidNotationError(
            f"expected one tile, got {len(tiles)} tiles", name, tiles[1][2] if len(tiles) > 1 else 0
        )
    return tiles[0][0]


def format(
    vec: int, notation: str = "letters", *, dialect: str = "tenhou", red_fives: tuple[int, int, int] = (0, 0, 0)
) -> str:
    """
    Write a packed hand as text, in kind order.

    Parameters
    ----------
    vec : int
        A packed hand.
    notation : {"letters", "mpsz", "chinese", "unicode"}
        ``123m CC E``-like letters without blanks, z-digits, Chinese names with blanks, unicode tiles.
    dialect : {"tenhou", "cn"}
        Which z-digits honors get in mpsz.
    red_fives : tuple of 3 int
        How many of the fives of m, s and p are red, written ``0``; letters and mpsz only.

    Returns
    -------
    str
        Text that `parse` reads back to the same hand.

    Examples
    --------
    >>> import mjcore
    >>> vec = mjcore.parse("55m 1z 123p 7z")
    >>> mjcore.format(vec), mjcore.format(vec, "mpsz"), mjcore.format(vec, "chinese")
    ('55m123pCE', '55m123p71z', '五万 五万 一筒 二筒 三筒 中 东')
    """
    if not isinstance(notation, str) or notation not in NOTATIONS:
        raise ValueError(f"expected a notation of {', '.join(NOTATIONS)}, got {shown(notation)}")
    counts = unpack(vec)
    if red_fives != (0, 0, 0):
        _check_red_fives(red_fives, counts)
    if notation == "chinese":
        return " ".join(CHINESE[kind] for kind in range(N_KINDS) for _ in range(counts[kind]))
    if notation == "unicode":
        return "".join(UNICODE[kind] * counts[kind] for kind in range(N_KINDS))
    parts = []
    for lane, suit in enumerate(SUITS):
        digits = "".join(str(rank + 1) * counts[9 * lane + rank] for rank in range(9))
        reds = red_fives[lane]
        if reds:
            digits = digits.replace("5" * reds, "0" * reds, 1)
            if "10" in digits:
                digits = digits.replace("10", f"1{suit}0")  # never the ambiguous "10"
        if digits:
            parts.append(digits + suit)
    honors = range(FIRST_HONOR, N_KINDS)
    if notation == "letters":
        return "".join(parts) + "".join(LETTERS[kind] * counts[kind] for kind in honors)
    digits = "".join(tile_name(kind, "mpsz", dialect=dialect)[0] * counts[kind] for kind in honors)
    return "".join(parts) + (digits + "z" if digits else "")


def _check_red_fives(red_fives: object, counts: list[int]) -> None:
    if not isinstance(red_fives, tuple) or len(red_fives) != 3 or any(type(reds) is not int for reds in red_fives):
        raise TypeError(f"expected three numbers of red fives, got {shown(red_fives)}")
    for kind, reds in zip(FIVES, red_fives, strict=True):
        if not 0 <= reds <= counts[kind]:
            raise InvalidHandError(f"expected at most {counts[kind]} red fives of {LETTERS[kind]}, got {shown(reds)}")


MeldText = tuple[list[Tile], str, int]
"""A bracket read from text: its tiles, what follows them up to ``]``, and where ``[`` stood."""


def read_text(text: str, *, dialect: str = "tenhou", red_fives: bool = True) -> tuple[list[Tile], list[MeldText]]:
    """Return the tiles outside brackets and the brackets."""
    if not isinstance(text, str):
        raise InvalidHandError(f"expected text, got {type(text).__name__}")
    if len(text) > TEXT_MAX:
        raise InvalidNotationError(f"expected at most {TEXT_MAX} characters, got {len(text)},", text, TEXT_MAX)
    honors = dialect_order(dialect)
    tiles: list[Tile] = []
    melds: list[MeldText] = []
    position = 0
    while position < len(text):
        if text[position] == "[":
            meld, position = _read_bracket(text, position, honors, red_fives)
            melds.append(meld)
        elif text[position].isspace():
            position += 1
        else:
            position = _read_tiles(text, position, honors, red_fives, tiles)
    return tiles, melds


def count_tiles(tiles: list[Tile], text: str) -> list[int]:
    """Return 34 counts of tiles read from `text`; a fifth copy is an error that points at it."""
    counts = [0] * N_KINDS
    for kind, _, position in tiles:
        if counts[kind] == N_COPIES:
            raise InvalidNotationError(
                f"expected at most {N_COPIES} copies of a kind, got a fifth {LETTERS[kind]}", text, position
            )
        counts[kind] += 1
    return counts


def _read_bracket(text: str, start: int, honors: tuple[int, ...], red_fives: bool) -> tuple[MeldText, int]:
    end = text.find("]", start)
    if end < 0:
        raise InvalidNotationError("expected ']' to close '['", text, start)
    nested = text.find("[", start + 1, end)
    if nested >= 0:
        raise InvalidNotationError("expected ']' before another '['", text, nested)
    tiles: list[Tile] = []
    position = start + 1
    while position < end and text[position] not in "+*,":
        if text[position].isspace():
            position += 1
        else:
            position = _read_tiles(text, position, honors, red_fives, tiles)
    return (tiles, text[position:end].strip(), start), end + 1


def _read_tiles(text: str, start: int, honors: tuple[int, ...], red_fives: bool, tiles: list[Tile]) -> int:
    """Read one tile, or digits with their suit, from `start`; return where reading goes on."""
    character = text[start]
    if character in HONORS:
        tiles.append((FIRST_HONOR + HONORS.index(character), False, start))
        return start + 1
    if character in "0123456789":
        return _read_digits(text, start, honors, red_fives, tiles)
    if character in _RANKS:
        end = start
        while end < len(text) and text[end] in _RANKS:
            end += 1
        if end == len(text) or text[end] not in _CHINESE_SUITS:
            raise InvalidNotationError("expected 万, 条 or 筒 after Chinese numerals", text, min(end, len(text) - 1))
        lane = _CHINESE_SUITS[text[end]]
        tiles.extend((9 * lane + _RANKS[text[i]] - 1, False, i) for i in range(start, end))
        return end + 1
    for width in (2, 1):
        name = text[start : start + width]
        if name in _HONOR_NAMES:
            tiles.append((_HONOR_NAMES[name], False, start))
            return start + len(name)
    if character in _UNICODE:
        tiles.append((_UNICODE[character], False, start))
        if text[start + 1 : start + 2] in ("\ufe0e", "\ufe0f"):  # text or emoji presentation
            return start + 2
        return start + 1
    raise InvalidNotationError(_unknown(character), text, start)


def _read_digits(text: str, start: int, honors: tuple[int, ...], red_fives: bool, tiles: list[Tile]) -> int:
    end = start
    while end < len(text) and text[end] in "0123456789":
        end += 1
    suit = text[end : end + 1]
    if suit == "z":
        for i in range(start, end):
            if text[i] not in "1234567":
                raise InvalidNotationError(f"expected 1z to 7z, got {text[i]}z", text, i)
            tiles.append((honors[int(text[i]) - 1], False, i))
        return end + 1
    if suit in _CHINESE_SUITS:
        lane = _CHINESE_SUITS[suit]
    elif suit and suit in SUITS:
        lane = SUITS.index(suit)
    else:
        got = f"got {suit!r}" if suit.strip() else "got none"
        raise InvalidNotationError(
            f"expected a suit, m s p or z, after the digits, {got},", text, min(end, len(text) - 1)
        )
    for i in range(start, end):
        red = text[i] == "0"
        if red and i > start and text[i - 1] == "1":
            raise InvalidNotationError(f"0 after 1 could mean ten; write a red five first, '01{suit}',", text, i)
        if red and (not red_fives or suit in _CHINESE_SUITS):
            raise InvalidNotationError(f"expected ranks 1 to 9, got 0{suit}", text, i)
        tiles.append((FIVES[lane] if red else 9 * lane + int(text[i]) - 1, red, i))
    return end + 1


def _unknown(character: str) -> str:
    if character == "]":
        return "expected '[' before ']'"
    if character == "\U0001f02a":
        return "expected a tile (jokers are given as a number, jokers=), got a joker"
    if "\U0001f022" <= character <= "\U0001f029":
        return "expected a tile of the 34 kinds, got a flower or season"
    if character in "mspz" or character in _CHINESE_SUITS:
        return f"expected digits before the suit {character!r}"
    return f"expected a tile, got {character!r}"
