"""The data of a rule set checked, row by row: whatever is wrong is an error that names the file and the row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from keyword import iskeyword
from types import MappingProxyType

from mjcore.conditions import COUNT_MAX, PLACES, Condition, is_plain, read_count
from mjcore.facts import RELATION_PLACE
from mjcore.hand_rules import FORMS
from mjcore.rule_data import EXPECTED_ID, TABLES, Inherited, is_id, near, option_name, table_rows
from mjcore.tiles import RuleSetError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from mjcore.conditions import _OptionValue

FAMILIES: dict[str, range] = {
    "two_chows": range(4),
    "three_chows": range(4, 11),
    "four_chows": range(11, 16),
    "two_pungs": range(16, 17),
    "three_pungs": range(17, 20),
    "four_pungs": range(20, 21),
}
"""Families of fans under account-once, and the relations of each."""

SHOWS = (
    *("all", "none", "win", "eyes", "chows", "pungs", "kongs", "concealed_kongs", "open_kongs", "concealed_pungs"),
    *("dragon_pungs", "wind_pungs", "guest_wind_pungs", "seat_pung", "round_pung", "terminal_pungs", "body", "hogs"),
)
"""What may make a fan: words of `shows`."""

PAYMENTS = ("mcr",)
COMBINES = ("sum",)
POINTS_MAX = 10_000
ROWS_MAX = 128
TEXT_MAX = 200
ABOUT_MAX = 1000

_KEYS = {
    "ruleset": {"id", "version", "zh", "en", "forms", "seven_pairs_quads"},
    "score": {"combine", "minimum", "payment", "base"},
    "option": {"default", "allowed", "about", "value"},
    "require": {"when", "reason"},
    "fan": {
        *("id", "zh", "en", "points", "points_if", "when", "count", "absorbs", "if_option", "family"),
        *("shows", "otherwise", "bonus"),
    },
}
_KEYS_OF_CHANGES = ("remove", "before")
"""Keys that say what becomes of other rows; they are gone where a file was put on top of the one that it extends."""


@dataclass(frozen=True, slots=True)
class FanRow:
    """
    A row of a rule set: one fan.

    Attributes
    ----------
    id, zh, en : str
        Its stable id, its Chinese and its English name.
    points : int
        What it is worth each time, with the options as they are.
    when : str
        Its condition.
    count : tuple of str
        Facts that are added up to how often it counts; none: once.
    absorbs : tuple of str
        Ids of the fans that it takes away, ``id:n`` where it takes part of their count.
    family : str or None
        Its family under account-once.
    shows : tuple of str
        Which groups or tiles make it.
    otherwise : bool
        Whether it counts only where nothing else is left.
    bonus : bool
        Whether it does not help to reach the minimum.

    Examples
    --------
    >>> import mjcore
    >>> row = mjcore.rule_set("mcr").fans[2]
    >>> row.id, row.points, row.absorbs
    ('all_green', 88, ('half_flush', 'one_voided_suit'))
    """

    id: str
    zh: str
    en: str
    points: int
    when: str
    count: tuple[str, ...] = ()
    absorbs: tuple[str, ...] = ()
    family: str | None = None
    shows: tuple[str, ...] = ("all",)
    otherwise: bool = False
    bonus: bool = False

    def name(self, lang: str = "en") -> str:
        """Return its name in a language."""
        return self.zh if lang == "zh" else self.en

    def to_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


class RuleReader:
    """Checks the data of a rule set; what it read, `plan_of` makes into what the scorer runs."""

    def __init__(self, data: dict[str, Any], source: str, inherited: Inherited) -> None:
        self.source = source
        self.data = data
        self.inherited = inherited
        self.conditions: list[Condition] = []
        self.options: dict[str, _OptionValue] = {}
        self.allowed: dict[str, list[_OptionValue]] = {}
        self.off: dict[str, str] = {}
        self.rows: list[FanRow] = []
        self.absorbs: list[list[tuple[str, str | None]]] = []

    def fail(self, where: str, problem: str) -> NoReturn:
        raise RuleSetError(f"{self.source}{', ' if where else ''}{where}: {problem}")

    def read(self) -> dict[str, Any]:
        for name in self.data:
            if name not in TABLES:
                self.fail("", f"expected ruleset, score, options, require and fan, got {shown(name)}")
        for name in ("options", "score", "ruleset"):
            self.data.setdefault(name, {})
        for name in ("require", "fan"):
            self.data.setdefault(name, [])
        head = self.table(self.data["ruleset"], "ruleset", "ruleset")
        score = self.table(self.data["score"], "score", "score")
        values: dict[str, Any] = {
            "id": self.identifier(head.get("id"), "ruleset"),
            "version": self.text(head.get("version"), "ruleset", "version"),
            "forms": self.forms(head.get("forms", list(FORMS))),
            "seven_pairs_quads": self.flag(head.get("seven_pairs_quads", False), "ruleset", "seven_pairs_quads"),
            "minimum": self.number(score.get("minimum", 0), "score", "minimum"),
            "base": self.number(score.get("base", 0), "score", "base"),
            "payment": self.one_of(score.get("payment", "mcr"), PAYMENTS, "score", "payment"),
        }
        for name in ("zh", "en"):
            values[name] = self.text(head.get(name, head.get("id")), "ruleset", name)
        self.one_of(score.get("combine", "sum"), COMBINES, "score", "combine")
        self.values = values
        self.read_options()
        self.read_fans()
        values["requirements"] = tuple(self.read_requirements())
        values["options"] = MappingProxyType(self.options)
        values["fans"] = tuple(self.rows)
        return values

    def table(self, value: object, kind: str, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.fail(where, f"expected a table, got {shown(value)}")
        for key in value:
            if key in _KEYS_OF_CHANGES:
                self.fail(
                    where,
                    f"{key} is for rules that extend others (before in a new fan, remove = [ids] in ruleset): "
                    f"expected it there, with extends in ruleset, or no {key}",
                )
            if key not in _KEYS[kind]:
                keys = _KEYS[kind] | ({"extends"} if kind == "ruleset" else set())
                self.fail(where, f"expected keys of {', '.join(sorted(keys))}, got {shown(key)}")
        return value

    def identifier(self, value: object, where: str) -> str:
        if not isinstance(value, str) or not is_id(value):
            self.fail(where, f"{EXPECTED_ID}, got {shown(value)}")
        return value

    def text(self, value: object, where: str, name: str, most: int = TEXT_MAX, also: str = "") -> str:
        if not isinstance(value, str) or not value.strip():
            self.fail(where, f"expected a text for {name}, got {shown(value)}")
        if len(value) > most:
            self.fail(where, f"expected a text of at most {most} characters for {name}, got {len(value)}")
        if not is_plain(value, also):
            self.fail(where, f"expected a text without control characters for {name}, got {shown(value)}")
        return value

    def condition(self, text: object, where: str, *, facts: bool = True) -> Condition:
        return Condition(text, self.options, f"{self.source}, {where}", facts=facts, allowed=self.allowed)

    def number(self, value: object, where: str, name: str) -> int:
        if type(value) is not int or not 0 <= value <= POINTS_MAX:
            self.fail(where, f"expected a number of 0 to {POINTS_MAX} for {name}, got {shown(value)}")
        return value

    def flag(self, value: object, where: str, name: str) -> bool:
        if not isinstance(value, bool):
            self.fail(where, f"expected true or false for {name}, got {shown(value)}")
        return value

    def one_of(self, value: object, allowed: Iterable[str], where: str, name: str) -> str:
        if not isinstance(value, str) or value not in allowed:
            self.fail(where, f"expected {name} of {', '.join(allowed)}, got {shown(value)}")
        return value

    def forms(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            self.fail("ruleset", f"expected a list of forms, got {shown(value)}")
        return tuple(self.one_of(form, FORMS, "ruleset", "forms") for form in value)

    def read_options(self) -> None:
        options = self.data["options"]
        if not isinstance(options, dict):
            self.fail("options", f"expected a table, got {shown(options)}")
        for name, given in options.items():
            where = option_name(name)
            self.identifier(name, where)
            if iskeyword(name) or name in ("true", "false"):
                self.fail(where, "that is a word of conditions, expected another id")
            option = self.table(given, "option", where)
            if name in PLACES:
                self.fail(where, "there is a fact of that name")
            default = option.get("default")
            allowed = option.get("allowed", [True, False] if isinstance(default, bool) else None)
            if not isinstance(default, (bool, str)) or not isinstance(allowed, list):
                self.fail(where, "expected a default of true or false, or a text with the texts allowed")
            for value in allowed:
                if type(value) is not type(default):
                    self.fail(where, f"expected allowed of values like the default, got {shown(value)}")
                if isinstance(value, str):
                    self.text(value, where, "allowed")
            if "about" in option:
                self.text(option["about"], where, "about", ABOUT_MAX, "\n")
            for value in (default, option.get("value", default)):
                if not any(type(value) is type(one) and value == one for one in allowed):
                    self.fail(where, f"expected a value of {', '.join(map(_in_toml, allowed))}, got {shown(value)}")
            self.options[name] = option.get("value", default)
            self.allowed[name] = allowed

    def on(self, row: dict[str, Any], where: str) -> bool:
        if "if_option" not in row:
            return True
        condition = self.condition(row["if_option"], where, facts=False)
        if not condition.holds(0):
            self.off[row["id"]] = condition.text
            return False
        return True

    def read_fans(self) -> None:
        rows = self.data["fan"]
        if not isinstance(rows, list) or not rows:
            self.fail("fan", "expected rows [[fan]]")
        self.known: set[str] = set()
        for place, row in enumerate(rows):
            if not isinstance(row, dict):
                self.fail(f"fan row {place + 1}", f"expected a table, got {shown(row)}")
            fan_id = self.identifier(row.get("id"), f"fan row {place + 1}")
            if fan_id in self.known:
                self.fail(f"fan {fan_id}", "the id is there twice")
            self.known.add(fan_id)
        for row in rows:
            where = f"fan {row['id']}"
            self.table(row, "fan", where)
            fan, condition, absorbs = self.read_fan(row, where)
            if self.on(row, where):
                self.rows.append(fan)
                self.conditions.append(condition)
                self.absorbs.append(absorbs)
        n_required = len(table_rows(self.data["require"], f"{self.source}, require"))
        if len(self.rows) + n_required > ROWS_MAX:
            self.fail(
                "fan",
                f"expected at most {ROWS_MAX} fans and requirements, got {len(self.rows)} and {n_required}, "
                f"{len(self.rows) + n_required} together",
            )

    def read_fan(self, row: dict[str, Any], where: str) -> tuple[FanRow, Condition, list[tuple[str, str | None]]]:
        at = f"{self.source}, {where}"
        count = read_count(row["count"], at) if "count" in row else ()
        if "when" not in row and "otherwise" not in row:
            self.fail(where, "expected a condition, when")
        condition = self.condition(row.get("when", "true"), where)
        family = None if row.get("family") is None else self.one_of(row["family"], FAMILIES, where, "family")
        if family is not None:
            self.check_family(condition, family, count, where)
        points = self.number(row.get("points"), where, "points")
        for change in table_rows(row.get("points_if", []), f"{at}, points_if"):
            if set(change) != {"when", "points"}:
                self.fail(where, f"expected when and points in points_if, got {shown(change)}")
            changed = self.number(change["points"], where, "points")
            if self.condition(change["when"], where, facts=False).holds(0):
                points = changed
        shows = row.get("shows", "all")
        if not isinstance(shows, str) or not shows.split():
            self.fail(where, f"expected words for shows, got {shown(shows)}")
        absorbs = self.read_absorbs(row.get("absorbs", []), row["id"], where)
        fan = FanRow(
            id=row["id"],
            zh=self.text(row.get("zh", row["id"]), where, "zh"),
            en=self.text(row.get("en", row["id"]), where, "en"),
            points=points,
            when=condition.text,
            count=count,
            absorbs=tuple(target if amount is None else f"{target}:{amount}" for target, amount in absorbs),
            family=family,
            shows=tuple(self.one_of(word, SHOWS, where, "shows") for word in shows.split()),
            otherwise=self.flag(row.get("otherwise", False), where, "otherwise"),
            bonus=self.flag(row.get("bonus", False), where, "bonus"),
        )
        if fan.otherwise and (fan.count or fan.family or fan.bonus or absorbs):
            self.fail(where, "expected no count, family, bonus or absorbs beside otherwise")
        return fan, condition, absorbs

    def check_family(self, condition: Condition, family: str, count: tuple[str, ...], where: str) -> None:
        if count:
            self.fail(where, "expected no count beside family")
        relations = [(name, straight) for name, straight in condition.facts() if PLACES[name][0] == "relation"]
        if not relations:
            self.fail(where, f"expected a relation of the family {family} in its condition")
        for name, straight in relations:
            if not straight or PLACES[name][1] - RELATION_PLACE not in FAMILIES[family]:
                self.fail(where, f"expected relations of the family {family}, got {'' if straight else 'not '}{name}")

    def read_absorbs(self, value: object, fan_id: str, where: str) -> list[tuple[str, str | None]]:
        if not isinstance(value, list):
            self.fail(where, f"expected a list for absorbs, got {shown(value)}")
        absorbs: list[tuple[str, str | None]] = []
        for entry in value:
            if not isinstance(entry, str):
                self.fail(where, f"expected the id of a fan in absorbs, got {shown(entry)}")
            what, has_condition, condition = entry.partition(" if ")
            target, colon, amount = (part.strip() for part in what.partition(":"))
            if target != "*" and target not in self.known:
                self.fail(where, f"expected the id of a fan in absorbs, got {shown(target)}{near(target, self.known)}")
            if target == fan_id:
                self.fail(where, f"expected other fans in absorbs, got {shown(target)} itself")
            if colon and target == "*":
                self.fail(where, f"expected * in absorbs without an amount, got {shown(what.strip())}")
            if colon and amount.isdecimal():
                if not amount.isascii() or len(amount.lstrip("0")) > 3 or not 1 <= int(amount[-3:]) <= COUNT_MAX:
                    self.fail(where, f"expected an amount of 1 to {COUNT_MAX} in absorbs, got {shown(what.strip())}")
            elif colon:
                read_count(amount, f"{self.source}, {where}")
            if not has_condition or self.condition(condition, where, facts=False).holds(0):
                absorbs.append((target, amount if colon else None))
        return absorbs

    def read_requirements(self) -> Iterable[str]:
        for place, row in enumerate(table_rows(self.data["require"], f"{self.source}, require")):
            where = self.inherited.require_row(place)
            self.table(row, "require", where)
            self.conditions.append(self.condition(row.get("when"), where))
            yield self.text(row.get("reason"), where, "reason")


def _in_toml(value: bool | str) -> str:
    """The value of an option as a rule file has it."""
    return str(value).lower() if isinstance(value, bool) else value
