"""Words of the tables in English and Chinese, and columns in which a Chinese character is two wide."""

from __future__ import annotations

from unicodedata import east_asian_width

from mjcore.tiles import shown

LANGUAGES: tuple[str, ...] = ("en", "zh")
"""Languages that tables come in."""

_CHINESE: dict[str, str] = {
    "quality": "质量",
    "entropy": "听牌熵",
    "bits": "比特",
    "raw": "原式",
    "norm": "归一",
    "expected live": "期望活张",
    "shanten": "向听",
    "useful": "有效牌",
    "discard": "打",
    "wait": "听",
    "survival": "存活率",
    "live": "张",
    "coverage": "番种覆盖",
    "learning": "学习模式",
    "competitive": "竞技模式",
    "discarded_twice": "对手已打出两次以上",
    "neighbor_discarded": "最近两轮打过邻张",
    "honor_not_discarded": "字牌未现",
    "otherwise": "其他",
    "tile": "牌",
    "base": "基础",
    "danger": "危险",
    "gain": "听牌收益",
    "score": "得分",
    "kinds": "种",
    "win": "胡率",
    "waits": "听数",
    "call": "动作",
    "after": "之后打",
    "reasons": "理由",
    "pass": "过",
    "chow": "吃",
    "pung": "碰",
    "kong": "杠",
    "hu": "胡",
}


def translate(word: str, language: str) -> str:
    """
    Return a word of the tables in a language.

    Raises
    ------
    ValueError
        If there is no such language.

    Examples
    --------
    >>> from mjcore.words import translate
    >>> translate("shanten", "zh"), translate("shanten", "en")
    ('向听', 'shanten')
    """
    check_language(language)
    return _CHINESE[word] if language == "zh" else word


def check_language(language: str) -> None:
    """Raise ValueError if there is no such language."""
    if language not in LANGUAGES:
        raise ValueError(f"expected a language of {', '.join(LANGUAGES)}, got {shown(language)}")


def columns(text: str) -> int:
    """
    Return how wide a text is on a terminal.

    Examples
    --------
    >>> from mjcore.words import columns
    >>> columns("清一色"), columns("1m")
    (6, 2)
    """
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return a text with blanks after it, or before it."""
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks


def aligned(rows: list[list[str]], left: frozenset[int] = frozenset({0})) -> str:
    """
    Return rows of cells as lines, two blanks between columns; columns in `left` are aligned to the left.

    Examples
    --------
    >>> from mjcore.words import aligned
    >>> print(aligned([["tile", "score"], ["东", "-1"]]))
    tile  score
    东       -1
    """
    widths = [max(columns(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(padded(cell, widths[i], right=i not in left) for i, cell in enumerate(row)).rstrip() for row in rows
    )
