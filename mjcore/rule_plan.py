"""Checked rows made into what the scorer runs: numbers, masks of facts, lists by row; and whether there is room."""

from __future__ import annotations

from collections.abc import Iterable

from mjcore.conditions import PLACES, read_count
from mjcore.facts import RELATION_PLACE, ROLE_BYTES, WAIT_BYTES
from mjcore.hand_rules import FORMS
from mjcore.rule_checks import ROWS_MAX, RuleReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    _Fields = tuple[tuple[int, int], ...]
    _Term = tuple[int, int, int]

PARTIALS_MAX = 64
"""Most entries of absorbs, of all rows together, that take part of a count."""
COUNT_FACTS_MAX = 256
"""Most facts in counts, of all rows and amounts together."""


def plan_of(checked: RuleReader) -> dict[str, Any]:
    """Return what `Program` takes, from rows that were read."""
    rows = checked.rows
    terms = _terms(checked)
    absorbs, partials = _absorbed(checked)
    counted = [*(_fields(row.count) for row in rows), *(amount for _, _, _, amount in partials)]
    bytes_counted = {bit >> 3 for each in counted for bit, _ in each}
    return {
        "n_fans": len(rows),
        "n_rows": len(checked.conditions),
        "terms": terms,
        "forms": sum(1 << FORMS.index(form) for form in set(checked.values["forms"])),
        "quads": checked.values["seven_pairs_quads"],
        "minimum": checked.values["minimum"],
        "base": checked.values["base"],
        "counts_waits": not bytes_counted.isdisjoint(WAIT_BYTES),
        "counts_roles": not bytes_counted.isdisjoint(ROLE_BYTES),
        "wait_terms": [place for place, (_, a, b) in enumerate(terms) if (a | b) & _mask(WAIT_BYTES)],
        "family": [place for place, row in enumerate(rows) if row.family],
        "bonus": [place for place, row in enumerate(rows) if row.bonus],
        "otherwise": [place for place, row in enumerate(rows) if row.otherwise],
        "points": [row.points for row in rows],
        "counts": {place: _fields(row.count) for place, row in enumerate(rows) if row.count},
        "absorbs": absorbs,
        "partials": partials,
        "relation_rows": _relation_rows(checked),
    }


def _terms(checked: RuleReader) -> list[_Term]:
    """The first term of each row, one that never holds where there is none, then all others."""
    conditions = checked.conditions
    first = [(row, *(condition.terms or ((1, 1),))[0]) for row, condition in enumerate(conditions)]
    more = [(row, *term) for row, condition in enumerate(conditions) for term in condition.terms[1:]]
    terms = first + more
    if len(terms) > 2 * ROWS_MAX:
        checked.fail("", f"expected conditions of at most {2 * ROWS_MAX} terms together, got {len(terms)}")
    return terms


def _absorbed(checked: RuleReader) -> tuple[dict[int, list[int]], list[tuple[int, int, int, _Fields]]]:
    """The rows that a row takes away, and those of whose count it takes a part: a number, or facts added up."""
    rows = checked.rows
    places = {row.id: place for place, row in enumerate(rows)}
    whole: dict[int, list[int]] = {}
    parts: list[tuple[int, int, int, _Fields]] = []
    n_counts = 0
    for row in rows:
        n_counts += len(row.count)
        _check_counts(checked, n_counts, row.id)
    for place, entries in enumerate(checked.absorbs):
        for target, amount in entries:
            if target == "*":
                others = [other for other, row in enumerate(rows) if other != place and not row.bonus]
                whole.setdefault(place, []).extend(others)
            elif target not in places:
                continue  # the fan of an option that is off
            elif amount is None:
                whole.setdefault(place, []).append(places[target])
            elif amount.isdecimal():
                parts.append((place, places[target], int(amount[-3:]), ()))
            else:
                facts = _fields(read_count(amount, checked.source))
                n_counts += len(facts)
                parts.append((place, places[target], 0, facts))
        _check_counts(checked, n_counts, rows[place].id)
        if len(parts) > PARTIALS_MAX:
            problem = f"expected at most {PARTIALS_MAX} amounts in absorbs of all rows, got {len(parts)} up to here"
            checked.fail(f"fan {rows[place].id}", problem)
    return whole, parts


def _check_counts(checked: RuleReader, n_counts: int, fan_id: str) -> None:
    if n_counts > COUNT_FACTS_MAX:
        problem = f"expected at most {COUNT_FACTS_MAX} facts in counts of all rows, got {n_counts} up to here"
        checked.fail(f"fan {fan_id}", problem)


def _relation_rows(checked: RuleReader) -> dict[int, int]:
    """The row that each relation makes."""
    found: dict[int, int] = {}
    for place, row in enumerate(checked.rows):
        if row.family is None:
            continue
        for name in checked.conditions[place].names:
            kind, bit, _ = PLACES[name]
            if kind != "relation":
                continue
            other = found.setdefault(bit - RELATION_PLACE, place)
            if other != place:
                problem = f"the relation {name} makes the fan {checked.rows[other].id} already"
                checked.fail(f"fan {row.id}", problem)
    return found


def _fields(names: Iterable[str]) -> _Fields:
    return tuple(PLACES[name][1:] for name in names)


def _mask(places: Iterable[int]) -> int:
    return sum(0xFF << 8 * place for place in places)
