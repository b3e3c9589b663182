"""Words of the tables in English and Chinese, and columns in which a Chinese character is two wide."""

from __future__ import annotations

from unicodedata import east_asian_width

from mjcore.tiles import NOTATIONS, dialect_order, shown

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
    "chance": "胡率",
    "waits": "听数",
    "action": "动作",
    "reasons": "理由",
    "pass": "过",
    "chow": "吃",
    "pung": "碰",
    "kong": "杠",
    "win": "胡",
    "meld": "副露",
    "points": "番数",
}

_REASONS: dict[str, tuple[str, str]] = {
    "complete": ("completes the hand", "胡牌"),
    "shanten": ("shanten {} -> {}", "向听 {} -> {}"),
    "live": ("live copies {} -> {}", "有效张数 {} -> {}"),
    "chance": ("win chance {:.2%} -> {:.2%}", "胡率 {:.2%} -> {:.2%}"),
    "opens": ("the hand is concealed no more", "不再门前清"),
    "replacement": ("a tile is drawn in place of the fourth", "杠后补一张"),
    "below": ("at most {:g} of {:g} points", "至多 {:g} 番，起胡 {:g} 番"),
    "points": ("{:g} to {:g} points", "{:g} 至 {:g} 番"),
    "cut_off": ("-: no chance, for the search of one was cut off", "-：有搜索未完成，不列胡率"),
    "too_far": (
        "-: no chance, for discards that raise shanten are searched up to {}-shanten only",
        "-：退向听的打法只在 {} 向听以内才搜索",
    ),
    "keeps": ("the hand stays as it is", "手牌不变"),
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


def explain(reason: str, values: tuple[float, ...], language: str) -> str:
    """
    Return a reason of an advice in a language.

    Examples
    --------
    >>> from mjcore.words import explain
    >>> explain("shanten", (2, 1), "en"), explain("complete", (), "zh")
    ('shanten 2 -> 1', '胡牌')
    """
    check_language(language)
    return _REASONS[reason][LANGUAGES.index(language)].format(*values)


def check_language(language: str) -> None:
    """Raise ValueError if there is no such language."""
    if not isinstance(language, str) or language not in LANGUAGES:
        raise ValueError(f"expected a language of {', '.join(LANGUAGES)}, got {shown(language)}")


def table_notation(language: str, notation: str | None, dialect: str) -> str:
    """
    Return the notation of the tiles of a table, by its language if none is given.

    Raises
    ------
    ValueError
        If there is no such language, notation or dialect.

    Examples
    --------
    >>> from mjcore.words import table_notation
    >>> table_notation("zh", None, "tenhou"), table_notation("zh", "mpsz", "tenhou")
    ('chinese', 'mpsz')
    """
    check_language(language)
    if notation is None:
        notation = "chinese" if language == "zh" else "letters"
    check_notation(notation, dialect)
    return notation


def check_notation(notation: str, dialect: str) -> None:
    """Raise ValueError if there is no such notation or dialect."""
    if not isinstance(notation, str) or notation not in NOTATIONS:
        raise ValueError(f"expected a notation of {', '.join(NOTATIONS)}, got {shown(notation)}")
    dialect_order(dialect)


def percent(chance: float | None) -> str:
    """
    Return a chance as a cell of a table.

    Examples
    --------
    >>> from mjcore.words import percent
    >>> percent(0.12345), percent(None)
    ('12.35 %', '-')
    """
    return "-" if chance is None else f"{100 * chance:.2f} %"


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


def headed(heads: list[str], rows: list[list[str]], language: str, left: frozenset[int]) -> str:
    """Return rows under heads in a language, as `aligned` writes them."""
    return aligned([[translate(head, language) for head in heads], *rows], left)
