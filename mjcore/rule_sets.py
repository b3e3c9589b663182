"""
Rule sets as data: fans with their points, conditions and what they absorb, read from TOML or a dict.

`rule_set` gives one that comes with mjcore, `load_rules` reads one of your own, and `RuleSet.replace` makes
a changed copy.  mjcore/rules/mcr.toml says at its head what a row may hold.  Everything is checked when it
is read; an error names the file and the row.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from keyword import iskeyword
from types import MappingProxyType

from mjcore.conditions import COUNT_MAX, PLACES, Condition, is_plain, read_count
from mjcore.facts import RELATION_PLACE, ROLE_BYTES, WAIT_BYTES
from mjcore.hand_rules import FORMS, HandRules
from mjcore.programs import Program
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
PARTIALS_MAX = 64
"""Most entries of absorbs, of all rows together, that take part of a count."""
COUNT_FACTS_MAX = 256
"""Most facts in counts, of all rows and amounts together."""
TEXT_MAX = 200
ABOUT_MAX = 1000
DEPTH_MAX = 16

_KEYS = {
    "ruleset": {"id", "version", "extends", "zh", "en", "forms", "seven_pairs_quads", "remove"},
    "score": {"combine", "minimum", "payment", "base"},
    "option": {"default", "allowed", "about", "value"},
    "require": {"when", "reason"},
    "fan": {
        "id",
        "zh",
        "en",
        "points",
        "points_if",
        "when",
        "count",
        "absorbs",
        "if_option",
        "family",
        "shows",
        "otherwise",
        "bonus",
        "before",
    },
}


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


class RuleSet:
    """
    An immutable rule set; made by `rule_set`, `load_rules` and `replace`.

    Attributes
    ----------
    id, version, zh, en : str
        Which rule set it is.
    fans : tuple of FanRow
        Its fans in table order, those of options that are off left out.
    options : mapping of str to bool, int or str
        Its options and their values.
    minimum : int
        Points a hand needs, bonus fans aside.
    base : int
        What each player pays beside the points.
    digest : str
        SHA-256 of everything that it says; equal rule sets have equal digests.
    hand_rules : HandRules
        The hand rules that go with it, for `is_hu`, `ting` and `shanten`.

    Examples
    --------
    >>> import mjcore
    >>> mcr = mjcore.rule_set("mcr")
    >>> len(mcr.fans), mcr.fans[0].en, mcr.minimum
    (82, 'Big Four Winds', 8)
    >>> house = mcr.replace(fans={"all_types": {"points": 8}}, remove=["chicken_hand"])
    >>> house.fan("all_types").points, len(house.fans), house == mcr
    (8, 81, False)
    """

    id: str
    version: str
    zh: str
    en: str
    fans: tuple[FanRow, ...]
    options: Mapping[str, _OptionValue]
    minimum: int
    base: int
    payment: str
    forms: tuple[str, ...]
    seven_pairs_quads: bool
    requirements: tuple[str, ...]

    __slots__ = (
        *("id", "version", "zh", "en", "fans", "options", "minimum", "base", "payment", "forms"),
        *("seven_pairs_quads", "requirements", "digest", "hand_rules"),
        *("_data", "_source", "_conditions", "_program", "_normalise", "_families", "_absorbs", "_absorbing"),
        *("_partials", "_places", "_off", "__weakref__"),
    )

    digest: str
    hand_rules: HandRules

    def __init__(self, data: Mapping[str, Any], source: str) -> None:
        if not isinstance(data, Mapping):
            raise TypeError(f"expected a dict of rules for data, got {type(data).__name__}")
        if not isinstance(source, str):
            raise TypeError(f"expected a text for source, got {type(source).__name__}")
        if hasattr(self, "digest"):
            raise AttributeError("RuleSet is immutable")
        reader = _Reader(_plain(data, source), source)
        values = reader.read()
        values["_data"] = reader.data
        values["_source"] = source
        values["_conditions"] = tuple(reader.conditions)
        plan = reader.plan()
        values["_program"] = Program(plan)
        values["_normalise"] = reader.options.get("context_policy") == "normalise"
        values["_families"] = sum(1 << place for place in plan["family"])
        values["_absorbs"] = {place: sum(1 << row for row in set(rows)) for place, rows in plan["absorbs"].items()}
        values["_absorbing"] = sum(1 << place for place in values["_absorbs"])
        values["_partials"] = tuple(partial[:2] for partial in plan["partials"])
        values["_places"] = {row.id: place for place, row in enumerate(reader.rows)}
        values["_off"] = reader.off
        values["hand_rules"] = HandRules(forms=values["forms"], seven_pairs_quads=values["seven_pairs_quads"])
        values["digest"] = _digest(reader.data)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("RuleSet is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("RuleSet is immutable")

    if TYPE_CHECKING:
        _data: dict[str, Any]
        _source: str
        _conditions: tuple[Condition, ...]
        _program: Program
        _normalise: bool
        _families: int  # rows of a family, one bit each
        _absorbs: dict[int, int]  # rows that a row takes away
        _absorbing: int  # rows that take any away
        _partials: tuple[tuple[int, int], ...]  # a row, and one of whose count it takes some
        _places: dict[str, int]
        _off: dict[str, str]  # fans that are left out, and the condition on options that does not hold

    def fan(self, fan_id: str) -> FanRow:
        """
        Return a row by its id.

        Raises
        ------
        KeyError
            If there is no such fan.
        """
        return self.fans[self.place(fan_id)]

    def place(self, fan_id: str) -> int:
        """
        Return the place of a fan in the table, from 0.

        Raises
        ------
        KeyError
            If there is no such fan.
        """
        if not isinstance(fan_id, str) or fan_id not in self._places:
            if isinstance(fan_id, str) and fan_id in self._off:
                raise KeyError(
                    f"the fan {fan_id} of {self.id} belongs to an option that is off: it is there with "
                    f"{self._off[fan_id]}"
                )
            raise KeyError(f"expected the id of a fan of {self.id}, got {shown(fan_id)}{_near(fan_id, self._places)}")
        return self._places[fan_id]

    def replace(
        self,
        *,
        options: Mapping[str, _OptionValue] | None = None,
        fans: Mapping[str, Mapping[str, Any]] | None = None,
        remove: Iterable[str] = (),
        add: Iterable[Mapping[str, Any]] = (),
        minimum: int | None = None,
        base: int | None = None,
    ) -> RuleSet:
        """
        Return a changed copy.

        Parameters
        ----------
        options : mapping, optional
            Options and their new values.
        fans : mapping, optional
            Changes of rows by id: any keys of a row of a rule file but ``id``.
        remove : iterable of str
            Ids of fans to leave out; no other row absorbs them any more.
        add : iterable of mapping
            New rows as in a rule file, at the end, or before the fan that ``before`` names.
        minimum, base : int, optional
            Points a hand needs; what each player pays beside the points.

        Raises
        ------
        RuleSetError
            If the changed rule set is not a rule set, or a name is unknown.
        TypeError
            If options or fans is no mapping, or remove or add nothing of the kind to go through.
        """
        data = _plain(self._data, self._source)
        source = f"{self._source}, changed"
        changed = _plain(_mapping(options, "options of options and their values", "options"), source)
        rows = []
        for fan_id, changes in _mapping(fans, "ids of fans and their changes", "fans").items():
            if not isinstance(changes, Mapping):
                raise TypeError(
                    f"expected a mapping of changes for fans[{shown(fan_id)}], got {type(changes).__name__}"
                )
            if "id" in changes and not (isinstance(changes["id"], str) and changes["id"] == fan_id):
                raise RuleSetError(f"{source}, fan {shown(fan_id)}: the id of a fan does not change (id)")
            rows.append({**_plain(changes, f"{source}, fan {shown(fan_id)}"), "id": fan_id})
        removed = _list(remove, str, "ids of fans", "remove")
        added = [_plain(row, source) for row in _list(add, Mapping, "rows, mappings each", "add")]
        _set_options(data, changed, source)
        _merge_fans(data, rows, source, False)
        _remove_fans(data, removed, source)
        _merge_fans(data, added, f"{source}, add", None)
        for name, value in (("minimum", minimum), ("base", base)):
            if value is not None:
                data["score"][name] = value
        return RuleSet(data, source)

    def to_dict(self) -> dict[str, Any]:
        """Return its data, which `load_rules` reads back to an equal rule set."""
        return _plain(self._data, self._source)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, RuleSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<RuleSet {self.id} {self.version}, {len(self.fans)} fans, {self.digest[:12]}>"

    def __copy__(self) -> RuleSet:
        return self

    def __deepcopy__(self, memo: object) -> RuleSet:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.to_dict(), self._source)

    def __setstate__(self, state: object) -> NoReturn:
        raise TypeError("a RuleSet is made from its data and takes no state")


_shipped: dict[str, RuleSet] = {}
"""The rule sets of mjcore that were asked for."""


def rule_set(name: str) -> RuleSet:
    """
    Return a rule set that comes with mjcore.

    Parameters
    ----------
    name : {"mcr", "mcr_001"}
        Chinese Official, or Chinese Official with local extras.

    Raises
    ------
    ValueError
        If there is none of that name.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.rule_set("mcr").zh
    '国标麻将'
    """
    if not isinstance(name, str) or (name not in _shipped and name not in names()):
        raise ValueError(f"expected a rule set of {', '.join(names())}, got {shown(name)}")
    if name not in _shipped:
        _shipped[name] = load_rules(os.path.join(_folder(), f"{name}.toml"))
    return _shipped[name]


def names() -> tuple[str, ...]:
    """Return the names of the rule sets that come with mjcore."""
    return tuple(sorted(name[:-5] for name in os.listdir(_folder()) if name.endswith(".toml")))


def load_rules(source: str | os.PathLike[str] | Mapping[str, Any]) -> RuleSet:
    """
    Return a rule set from a TOML file or from a dict of the same shape.

    Parameters
    ----------
    source : path or mapping
        mjcore/rules/mcr.toml shows what may be in it.  With ``extends = "mcr"`` it holds only what differs:
        options with another default, rows with the keys that change, new rows, ``remove = ["id"]``.

    Raises
    ------
    RuleSetError
        If it is not a rule set; the message names the file and the row.

    Examples
    --------
    >>> import mjcore
    >>> house = mjcore.load_rules({
    ...     "ruleset": {"id": "house", "version": "1", "extends": "mcr"},
    ...     "score": {"minimum": 6},
    ...     "fan": [{"id": "all_simples", "points": 3}],
    ... })
    >>> house.minimum, house.fan("all_simples").points
    (6, 3)
    """
    if isinstance(source, (str, os.PathLike)):
        import tomllib

        path = os.fspath(source)
        with open(path, "rb") as file:
            try:
                data = tomllib.load(file)
            except (ValueError, RecursionError) as error:  # also of a number of too many digits
                raise RuleSetError(f"{path}: {error}") from error
        return RuleSet(_extended(data, path), path)
    if not isinstance(source, Mapping):
        raise TypeError(f"expected a path or a dict of rules, got {type(source).__name__}")
    return RuleSet(_extended(_plain(source, "rules"), "rules"), "rules")


def as_rule_set(rules: object) -> RuleSet:
    """Return a rule set given as such or by name."""
    if isinstance(rules, RuleSet):
        return rules
    if isinstance(rules, str):
        return rule_set(rules)
    raise TypeError(f"expected a RuleSet or the name of one for rules, got {type(rules).__name__}")


def _folder() -> str:
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules")


def _restore(data: dict[str, Any], source: str) -> RuleSet:
    return RuleSet(data, source)


def _digest(data: dict[str, Any]) -> str:
    import hashlib
    import json

    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _plain(data: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A copy of data in which every mapping is a dict."""
    return {name: _plain_value(value, source, 1) for name, value in data.items()}


def _plain_value(value: Any, source: str, depth: int) -> Any:
    if depth > DEPTH_MAX:
        raise RuleSetError(f"{source}: expected tables and lists at most {DEPTH_MAX} deep")
    if isinstance(value, Mapping):
        return {name: _plain_value(one, source, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain_value(one, source, depth + 1) for one in value]
    return str.__str__(value) if isinstance(value, str) else value


def _near(name: object, known: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(str(name), list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


# --- changes of data ---------------------------------------------------------------------------


def _mapping(value: object, what: str, name: str) -> Mapping[Any, Any]:
    """A mapping that is given to a parameter; none: an empty one."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"expected a mapping of {what} for {name}, got {type(value).__name__}")
    return value or {}


def _list(values: object, kind: type, what: str, name: str) -> list[Any]:
    """A list of what is given to a parameter, each of a kind."""
    problem = f"expected a list of {what} for {name}"
    if isinstance(values, (str, bytes, Mapping)):
        raise TypeError(f"{problem}, got {type(values).__name__}")
    try:
        each = iter(values)  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(f"{problem}, got {type(values).__name__}") from None
    found = list(each)
    for value in found:
        if not isinstance(value, kind):
            raise TypeError(f"{problem}, got {type(value).__name__} in it")
    return found


def _extended(data: dict[str, Any], source: str) -> dict[str, Any]:
    """The data of a rule set on top of the one that it extends."""
    head = data.get("ruleset")
    if not isinstance(head, dict) or "extends" not in head:
        return data
    try:
        whole = rule_set(head["extends"]).to_dict()
    except ValueError as error:
        raise RuleSetError(f"{source}, ruleset: {error}") from error
    for name in data:
        if name not in ("ruleset", "score", "options", "require", "fan"):
            raise RuleSetError(f"{source}: expected ruleset, score, options, require and fan, got {shown(name)}")
    whole["ruleset"].update({name: value for name, value in head.items() if name not in ("extends", "remove")})
    whole["score"].update(_table(data.get("score", {}), f"{source}, score"))
    for name, option in _table(data.get("options", {}), f"{source}, options").items():
        merged = {**whole["options"].get(name, {}), **_table(option, f"{source}, option {name}")}
        if "default" in option and "value" not in option:
            merged.pop("value", None)
        whole["options"][name] = merged
    whole["require"].extend(_rows(data.get("require", []), f"{source}, require"))
    _remove_fans(whole, head.get("remove", []), source)
    _merge_fans(whole, _rows(data.get("fan", []), f"{source}, fan"), source, True)
    return whole


def _table(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RuleSetError(f"{where}: expected a table, got {shown(value)}")
    return value


def _rows(value: object, where: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise RuleSetError(f"{where}: expected rows, got {shown(value)}")
    return [_table(row, f"{where} row {place + 1}") for place, row in enumerate(value)]


def _set_options(data: dict[str, Any], options: Mapping[str, _OptionValue], source: str) -> None:
    for name, value in options.items():
        if name not in data["options"]:
            raise RuleSetError(
                f"{source}: expected an option of {', '.join(data['options'])}, got {shown(name)}"
                f"{_near(name, data['options'])}"
            )
        data["options"][name]["value"] = value


def _ids(data: dict[str, Any]) -> list[object]:
    return [row.get("id") for row in data["fan"]]


def _merge_fans(data: dict[str, Any], rows: list[dict[str, Any]], source: str, may_add: bool | None) -> None:
    """Change rows by id and add new ones; `may_add` False: only changes, None: only new ones."""
    met: set[str] = set()
    for place, row in enumerate(rows):
        ids = _ids(data)
        fan_id = row.get("id")
        if not _is_id(fan_id) and may_add is not False:
            raise RuleSetError(f"{source}, fan row {place + 1}: {_EXPECTED_ID}, got {shown(fan_id)}")
        if fan_id in met:
            raise RuleSetError(f"{source}, fan {fan_id}: the id is there twice, again in fan row {place + 1}")
        met.add(str(fan_id))
        if fan_id in ids:
            if may_add is None:
                raise RuleSetError(f"{source}, fan {shown(fan_id)}: there is such a row already")
            if "before" in row:
                raise RuleSetError(f"{source}, fan {shown(fan_id)}: a row that is there already is not moved (before)")
            data["fan"][ids.index(fan_id)].update(row)
            continue
        if may_add is False:
            raise RuleSetError(
                f"{source}: expected a fan that is there, got {shown(fan_id)}{_near(fan_id, map(str, ids))}"
            )
        row = dict(row)
        before = row.pop("before", None)
        if before is not None and (not isinstance(before, str) or before not in ids):
            raise RuleSetError(f"{source}, fan {shown(fan_id)}: there is no fan {shown(before)} to stand before")
        data["fan"].insert(len(ids) if before is None else ids.index(before), row)


def _remove_fans(data: dict[str, Any], remove: object, source: str) -> None:
    if not isinstance(remove, (list, tuple)):
        raise RuleSetError(f"{source}: expected a list of ids to remove, got {shown(remove)}")
    for fan_id in remove:
        ids = _ids(data)
        if not isinstance(fan_id, str) or fan_id not in ids:
            raise RuleSetError(f"{source}: expected a fan to remove, got {shown(fan_id)}{_near(fan_id, map(str, ids))}")
        del data["fan"][ids.index(fan_id)]
        for row in data["fan"]:
            if isinstance(row.get("absorbs"), list):
                row["absorbs"] = [entry for entry in row["absorbs"] if _target(entry) != fan_id]


def _target(entry: object) -> str:
    return str(entry).split(" if ")[0].split(":")[0].strip()


# --- reading -----------------------------------------------------------------------------------

_EXPECTED_ID = "expected an id of letters, digits and _"


def _is_id(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and value.isidentifier() and len(value) <= 60


class _Reader:
    """Checks the data of a rule set and compiles it."""

    def __init__(self, data: dict[str, Any], source: str) -> None:
        self.source = source
        self.data = data
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
            if name not in ("ruleset", "score", "options", "require", "fan"):
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
            if key not in _KEYS[kind]:
                self.fail(where, f"expected keys of {', '.join(sorted(_KEYS[kind]))}, got {shown(key)}")
        return value

    def identifier(self, value: object, where: str) -> str:
        if not isinstance(value, str) or not _is_id(value):
            self.fail(where, f"{_EXPECTED_ID}, got {shown(value)}")
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
            where = f"option {name if _is_id(name) else shown(name)}"
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
                    self.fail(where, f"expected a value of {', '.join(map(str, allowed))}, got {shown(value)}")
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
        n_required = len(_rows(self.data["require"], f"{self.source}, require"))
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
        for change in _rows(row.get("points_if", []), f"{at}, points_if"):
            if set(change) != {"when", "points"}:
                self.fail(where, f"expected when and points in points_if, got {shown(change)}")
            if self.condition(change["when"], where, facts=False).holds(0):
                points = self.number(change["points"], where, "points")
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
            what, _, condition = entry.partition(" if ")
            target, colon, amount = (part.strip() for part in what.partition(":"))
            if target != "*" and target not in self.known:
                self.fail(where, f"expected the id of a fan in absorbs, got {shown(target)}{_near(target, self.known)}")
            if target == fan_id:
                self.fail(where, f"expected other fans in absorbs, got {shown(target)} itself")
            if colon and target == "*":
                self.fail(where, f"expected * in absorbs without an amount, got {shown(what.strip())}")
            if colon and amount.isdecimal():
                if not amount.isascii() or len(amount.lstrip("0")) > 3 or int(amount[-3:]) > COUNT_MAX:
                    self.fail(where, f"expected an amount of 0 to {COUNT_MAX} in absorbs, got {shown(amount)}")
            elif colon:
                read_count(amount, f"{self.source}, {where}")
            if not condition or self.condition(condition, where, facts=False).holds(0):
                absorbs.append((target, amount if colon else None))
        return absorbs

    def read_requirements(self) -> Iterable[str]:
        for place, row in enumerate(_rows(self.data["require"], f"{self.source}, require")):
            where = f"require row {place + 1}"
            self.table(row, "require", where)
            self.conditions.append(self.condition(row.get("when"), where))
            yield self.text(row.get("reason"), where, "reason")

    def plan(self) -> dict[str, Any]:
        """What `Program` takes."""
        n_fans = len(self.rows)
        first = [(row, *(condition.terms[0] if condition.terms else (1, 1)))
                 for row, condition in enumerate(self.conditions)]  # fmt: skip
        more = [(row, *term) for row, condition in enumerate(self.conditions) for term in condition.terms[1:]]
        terms = first + more
        if len(terms) > 2 * ROWS_MAX:
            self.fail("", f"expected conditions of at most {2 * ROWS_MAX} terms together, got {len(terms)}")
        places = {row.id: place for place, row in enumerate(self.rows)}
        absorbs: dict[int, list[int]] = {}
        partials: list[tuple[int, int, int, tuple[tuple[int, int], ...]]] = []
        amounts: list[tuple[str, ...]] = []
        n_counts = 0
        for row in self.rows:
            n_counts += len(row.count)
            self.check_counts(n_counts, row)
        for place, entries in enumerate(self.absorbs):
            for target, amount in entries:
                if target == "*":
                    absorbs.setdefault(place, []).extend(
                        other for other, row in enumerate(self.rows) if other != place and not row.bonus
                    )
                elif target not in places:
                    continue  # the fan of an option that is off
                elif amount is None:
                    absorbs.setdefault(place, []).append(places[target])
                elif amount.isdecimal():
                    partials.append((place, places[target], int(amount[-3:]), ()))
                else:
                    amounts.append(read_count(amount, self.source))
                    n_counts += len(amounts[-1])
                    partials.append((place, places[target], 0, _fields(amounts[-1])))
            self.check_counts(n_counts, self.rows[place])
            if len(partials) > PARTIALS_MAX:
                self.fail(
                    f"fan {self.rows[place].id}",
                    f"expected at most {PARTIALS_MAX} amounts in absorbs of all rows, got {len(partials)} up to here",
                )
        return {
            "n_fans": n_fans,
            "n_rows": len(self.conditions),
            "terms": terms,
            "forms": sum(1 << FORMS.index(form) for form in set(self.values["forms"])),
            "quads": self.values["seven_pairs_quads"],
            "minimum": self.values["minimum"],
            "base": self.values["base"],
            "counts_waits": any(
                bit >> 3 in WAIT_BYTES
                for names in (*(row.count for row in self.rows), *amounts)
                for bit, _ in _fields(names)
            ),
            "counts_roles": any(
                bit >> 3 in ROLE_BYTES
                for names in (*(row.count for row in self.rows), *amounts)
                for bit, _ in _fields(names)
            ),
            "wait_terms": [place for place, (_, a, b) in enumerate(terms) if (a | b) & _mask(WAIT_BYTES)],
            "family": [place for place, row in enumerate(self.rows) if row.family],
            "bonus": [place for place, row in enumerate(self.rows) if row.bonus],
            "otherwise": [place for place, row in enumerate(self.rows) if row.otherwise],
            "points": [row.points for row in self.rows],
            "counts": {place: _fields(row.count) for place, row in enumerate(self.rows) if row.count},
            "absorbs": absorbs,
            "partials": partials,
            "relation_rows": self.relation_rows(),
        }

    def check_counts(self, n_counts: int, row: FanRow) -> None:
        if n_counts > COUNT_FACTS_MAX:
            self.fail(
                f"fan {row.id}",
                f"expected at most {COUNT_FACTS_MAX} facts in counts of all rows, got {n_counts} up to here",
            )

    def relation_rows(self) -> dict[int, int]:
        rows: dict[int, int] = {}
        for place, row in enumerate(self.rows):
            if row.family is None:
                continue
            for name in self.conditions[place].names:
                kind, bit, _ = PLACES[name]
                if kind != "relation":
                    continue
                other = rows.setdefault(bit - RELATION_PLACE, place)
                if other != place:
                    self.fail(f"fan {row.id}", f"the relation {name} makes the fan {self.rows[other].id} already")
        return rows


def _fields(names: Iterable[str]) -> tuple[tuple[int, int], ...]:
    return tuple(PLACES[name][1:] for name in names)


def _mask(places: Iterable[int]) -> int:
    return sum(0xFF << 8 * place for place in places)
