"""
Conditions of rule files: text over facts and options, read once, made into terms that run without Python.

A condition is made of facts (bits by name, counts compared with numbers), options, ``and``, ``or``, ``not``,
``true`` and ``false``.  A term is a pair of masks over the facts: bits that must be set, bits that must not be.
A condition is the sum of its terms.
"""

from __future__ import annotations

import ast
import operator

from mjcore.facts import FACTS
from mjcore.tiles import RuleSetError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, NoReturn

    _OptionValue = bool | int | str
    _Term = tuple[int, int]
    _Node = tuple[Any, ...]

TEXT_MAX = 500
TERMS_MAX = 24
"""Most terms of one condition."""
COUNT_MAX = 255
"""Most that facts added up may come to: how often a fan counts is kept in a byte."""

PLACES = {name: (kind, place, bits) for name, kind, place, bits, _ in FACTS}
MEANINGS = {name: meaning for name, _, _, _, meaning in FACTS}

_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Condition:
    """
    A condition with its options decided.

    Parameters
    ----------
    text : str
        The condition.
    options : mapping of str to bool, int or str
        The options of the rule set and their values.
    where : str
        What an error says first: file and row.
    facts : bool, default True
        Whether it may name facts; a condition on options alone may not.
    allowed : mapping of str to sequence, optional
        The values that each option may have; without it, an option is compared with any value of its type.

    Raises
    ------
    RuleSetError
        If it is not a condition, or names what is neither fact nor option.

    Examples
    --------
    >>> condition = Condition("n_kongs == 2 and not self_drawn", {}, "example")
    >>> len(condition.terms), condition.names
    (1, ('n_kongs', 'self_drawn'))
    """

    __slots__ = ("text", "node", "terms", "_where", "_allowed")

    def __init__(
        self,
        text: object,
        options: Mapping[str, _OptionValue],
        where: str,
        *,
        facts: bool = True,
        allowed: Mapping[str, Sequence[_OptionValue]] | None = None,
    ) -> None:
        if not isinstance(text, str) or not text.strip():
            raise RuleSetError(f"{where}: expected a condition, got {shown(text)}")
        if len(text) > TEXT_MAX:
            raise RuleSetError(f"{where}: expected a condition of at most {TEXT_MAX} characters, got {len(text)}")
        self.text = " ".join(text.split())
        self._where = where
        self._allowed = allowed or {}
        if not is_plain(self.text):
            self._fail(f"expected a condition without control characters, got {shown(self.text)}")
        try:
            tree = ast.parse(self.text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            self._fail(f"expected a condition, got {shown(self.text)}")
        if _has_comment(self.text):
            self._fail(f"expected a condition without a comment (#), got {shown(self.text)}")
        self.node = self._read(tree, options, facts)
        self.terms = tuple(_simplify(self._terms(self.node, True)))
        if len(self.terms) > TERMS_MAX:
            self._fail(f"expected a condition of at most {TERMS_MAX} terms, got {len(self.terms)}")

    def _fail(self, problem: str) -> NoReturn:
        raise RuleSetError(f"{self._where}: {problem}")

    def _read(self, tree: ast.expr, options: Mapping[str, _OptionValue], facts: bool) -> _Node:
        if isinstance(tree, ast.BoolOp):
            kind = "and" if isinstance(tree.op, ast.And) else "or"
            return (kind, *(self._read(value, options, facts) for value in tree.values))
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
            return ("not", self._read(tree.operand, options, facts))
        if isinstance(tree, ast.Name):
            return self._read_name(tree.id, options, facts)
        if isinstance(tree, ast.Compare):
            return self._read_compare(tree, options, facts)
        self._fail(f"expected facts, options, and, or, not and comparisons, got {shown(ast.unparse(tree))}")
        return None

    def _read_name(self, name: str, options: Mapping[str, _OptionValue], facts: bool) -> _Node:
        if name in ("true", "false"):
            return (name,)
        if name in options:
            if not isinstance(options[name], bool):
                self._fail(f"expected the option {name} compared with a value")
            return ("true",) if options[name] else ("false",)
        kind = self._fact(name, facts)[0]
        if kind not in ("bit", "relation"):
            self._fail(f"expected the count {name} compared with a number")
        return ("fact", name)

    def _fact(self, name: str, facts: bool) -> tuple[str, int, int]:
        if not facts:
            self._fail(f"expected an option, got {shown(name)}")
        if name not in PLACES:
            import difflib

            near = difflib.get_close_matches(name, PLACES, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            self._fail(f"expected a fact or an option, got {shown(name)}{hint}")
        return PLACES[name]

    def _read_compare(self, tree: ast.Compare, options: Mapping[str, _OptionValue], facts: bool) -> _Node:
        parts = [tree.left, *tree.comparators]
        nodes = []
        for left, op, right in zip(parts, tree.ops, parts[1:], strict=False):
            sign = _COMPARE.get(type(op))
            if sign is None:
                self._fail(f"expected one of {' '.join(_OPERATORS)}, got {shown(ast.unparse(tree))}")
            if isinstance(right, ast.Name) and isinstance(left, ast.Constant):
                left, right = right, left
                sign = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)
            if not isinstance(left, ast.Name) or not isinstance(right, ast.Constant):
                self._fail(f"expected a name compared with a value, got {shown(ast.unparse(tree))}")
            nodes.append(self._read_pair(left.id, sign, right.value, options, facts))
        return nodes[0] if len(nodes) == 1 else ("and", *nodes)

    def _read_pair(
        self, name: str, sign: str, value: object, options: Mapping[str, _OptionValue], facts: bool
    ) -> _Node:
        if name in options:
            if type(value) is not type(options[name]) or (isinstance(value, str) and sign not in ("==", "!=")):
                self._fail(f"expected the option {name} compared with a value of its own, got {sign} {shown(value)}")
            allowed = self._allowed.get(name, (value,))
            if value not in allowed:
                self._fail(
                    f"expected the option {name} compared with {', '.join(map(str, allowed))}, got {shown(value)}"
                )
            return ("true",) if _OPERATORS[sign](options[name], value) else ("false",)
        kind, _, bits = self._fact(name, facts)
        if kind not in ("count", "rank"):
            self._fail(f"{name} is true or false, expected no comparison")
        low = kind == "rank"
        if type(value) is not int or not low <= value <= bits + low:
            self._fail(f"expected {name} compared with a number of {int(low)} to {bits + low}, got {shown(value)}")
        return ("compare", name, sign, value)

    def _terms(self, node: _Node, wanted: bool) -> list[_Term]:
        kind = node[0]
        if kind in ("true", "false"):
            return [(0, 0)] if (kind == "true") == wanted else []
        if kind == "not":
            return self._terms(node[1], not wanted)
        if kind == "fact":
            mask = 1 << PLACES[node[1]][1]
            return [(mask, 0) if wanted else (0, mask)]
        if kind == "compare":
            return _compare_terms(node[1], node[2], node[3], wanted)
        parts = [self._terms(part, wanted) for part in node[1:]]
        if (kind == "or") == wanted:
            return [term for part in parts for term in part]
        terms: list[_Term] = [(0, 0)]
        for part in parts:
            terms = _simplify([(a | c, b | d) for a, b in terms for c, d in part])
            if len(terms) > TERMS_MAX:
                self._fail(f"expected a condition of at most {TERMS_MAX} terms, got more")
        return terms

    @property
    def names(self) -> tuple[str, ...]:
        """The facts it names, each once."""
        return tuple(dict.fromkeys(name for name, _ in self.facts()))

    def facts(self) -> Iterator[tuple[str, bool]]:
        """Yield each fact that it names and whether it stands after an even number of nots."""
        yield from _facts(self.node, True)

    def holds(self, facts: int) -> bool:
        """Return whether it holds of facts, the four words as one int."""
        return any(needed & ~facts == 0 and barred & facts == 0 for needed, barred in self.terms)

    def unmet(self, facts: int) -> list[str]:
        """Return the parts that do not hold of facts, as text; those that would each do are joined by or."""
        return _unmet(self.node, facts)


def _has_comment(text: str) -> bool:
    """Whether a condition that was parsed holds a # outside of its texts: what follows was not read."""
    if "#" not in text:
        return False
    import io
    import tokenize

    return any(token.type == tokenize.COMMENT for token in tokenize.generate_tokens(io.StringIO(text).readline))


def _compare_terms(name: str, sign: str, value: int, wanted: bool) -> list[_Term]:
    kind, place, bits = PLACES[name]
    number = value - (kind == "rank")
    if not wanted:
        sign = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}[sign]
    if sign == "!=":
        return _at_least(place, bits, number + 1, True) + _at_least(place, bits, number, False)
    if sign == "==":
        return [
            (a | c, b | d)
            for a, b in _at_least(place, bits, number, True)
            for c, d in _at_least(place, bits, number + 1, False)
        ]
    least = number + (sign in (">", "<="))
    return _at_least(place, bits, least, sign in (">", ">="))


def _at_least(place: int, bits: int, number: int, wanted: bool) -> list[_Term]:
    """Terms of a count of at least a number, or of less."""
    if number <= 0 or number > bits:
        return [(0, 0)] if (number <= 0) == wanted else []
    mask = 1 << place + number - 1
    return [(mask, 0) if wanted else (0, mask)]


def _simplify(terms: list[_Term]) -> list[_Term]:
    """Leave out what cannot be, and what another term holds."""
    possible = [term for term in dict.fromkeys(terms) if not term[0] & term[1]]
    return [
        (a, b) for a, b in possible if not any((c, d) != (a, b) and c & ~a == 0 and d & ~b == 0 for c, d in possible)
    ]


def _facts(node: _Node, straight: bool) -> Iterator[tuple[str, bool]]:
    if node[0] in ("fact", "compare"):
        yield node[1], straight
    elif node[0] == "not":
        yield from _facts(node[1], not straight)
    elif node[0] in ("and", "or"):
        for part in node[1:]:
            yield from _facts(part, straight)


def count_of(facts: int, name: str) -> int:
    """Return the value of a fact: 0 or 1 for a bit."""
    kind, place, bits = PLACES[name]
    return (facts >> place & ((1 << bits) - 1)).bit_count() + (kind == "rank")


def _holds(node: _Node, facts: int) -> bool:
    kind = node[0]
    if kind == "fact":
        return count_of(facts, node[1]) != 0
    if kind == "compare":
        return _OPERATORS[node[2]](count_of(facts, node[1]), node[3])
    if kind == "not":
        return not _holds(node[1], facts)
    if kind == "and":
        return all(_holds(part, facts) for part in node[1:])
    if kind == "or":
        return any(_holds(part, facts) for part in node[1:])
    return bool(kind == "true")


def _unmet(node: _Node, facts: int) -> list[str]:
    if _holds(node, facts):
        return []
    if node[0] == "and":
        return [text for part in node[1:] for text in _unmet(part, facts)]
    if node[0] == "or":
        return [
            " or ".join(dict.fromkeys(" and ".join(_unmet(part, facts)) for part in node[1:] if part != ("false",)))
        ]
    if node[0] == "compare":
        return [f"{node[1]} {node[2]} {node[3]} (it is {count_of(facts, node[1])})"]
    if node[0] == "not" and node[1][0] == "fact":
        return [f"not {node[1][1]}"]
    if node[0] == "fact":
        return [str(node[1])]
    return ["an option"] if node[0] in ("true", "false") else [f"not ({_text(node[1])})"]


def _text(node: _Node) -> str:
    if node[0] == "fact":
        return str(node[1])
    if node[0] == "compare":
        return f"{node[1]} {node[2]} {node[3]}"
    if node[0] == "not":
        return f"not {_text(node[1])}"
    if node[0] in ("and", "or"):
        return f" {node[0]} ".join(_text(part) for part in node[1:])
    return str(node[0])


def is_plain(text: str, also: str = "") -> bool:
    """Return whether text holds no control characters, line separators and lone surrogates, but those of `also`."""
    return text.isprintable() or not any(
        (char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029" or "\ud800" <= char <= "\udfff")
        and char not in also
        for char in text
    )


def read_count(text: object, where: str) -> tuple[str, ...]:
    """
    Return the count facts that are added up in text such as ``"n_terminal_pungs + n_wind_pungs"``.

    Raises
    ------
    RuleSetError
        If one is not a count, or they may come to more than `COUNT_MAX`.
    """
    if not isinstance(text, str):
        raise RuleSetError(f"{where}: expected count facts, got {shown(text)}")
    names = tuple(part.strip() for part in text.split("+"))
    for name in names:
        if name not in PLACES or PLACES[name][0] not in ("count", "bit"):
            raise RuleSetError(f"{where}: expected a count fact, got {shown(name)}")
    most = sum(PLACES[name][2] for name in names)
    if most > COUNT_MAX:
        raise RuleSetError(f"{where}: expected facts that come to at most {COUNT_MAX} together, got up to {most}")
    return names
