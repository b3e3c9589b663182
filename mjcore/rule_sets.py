"""
Rule sets as data: fans with their points, conditions and what they absorb, read from TOML or a dict.

`rule_set` gives one that comes with mjcore, `load_rules` reads one of your own, and `RuleSet.replace` makes
a changed copy.  mjcore/rules/mcr.toml says at its head what a row may hold.  Everything is checked when it
is read; an error names the file and the row.  A rule set is made in three steps: rule_data.py puts the data
together, rule_checks.py checks them, rule_plan.py makes of them what the scorer runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from mjcore.hand_rules import HandRules
from mjcore.programs import Program
from mjcore.rule_checks import FanRow, RuleReader
from mjcore.rule_data import (
    Inherited,
    digest_of,
    extended,
    list_argument,
    mapping_argument,
    merge_fans,
    near,
    plain,
    printable,
    read_file,
    remove_fans,
    set_options,
)
from mjcore.rule_plan import plan_of
from mjcore.tiles import RuleSetError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from mjcore.conditions import Condition, _OptionValue

_NOTHING = Inherited()


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
        *(
            "_data",
            "_source",
            "_inherited",
            "_conditions",
            "_program",
            "_normalise",
            "_families",
            "_absorbs",
            "_absorbing",
        ),
        *("_partials", "_places", "_off", "__weakref__"),
    )

    digest: str
    hand_rules: HandRules

    def __init__(self, data: Mapping[str, Any], source: str, inherited: Inherited = _NOTHING) -> None:
        if not isinstance(data, Mapping):
            raise TypeError(f"expected a dict of rules for data, got {type(data).__name__}")
        if not isinstance(source, str):
            raise TypeError(f"expected a text for source, got {type(source).__name__}")
        if hasattr(self, "digest"):
            raise AttributeError("RuleSet is immutable")
        reader = RuleReader(plain(data, source), source, inherited)
        values = reader.read()
        values["_data"] = reader.data
        values["_source"] = source
        values["_inherited"] = inherited
        values["_conditions"] = tuple(reader.conditions)
        plan = plan_of(reader)
        values["_program"] = Program(plan)
        values["_normalise"] = reader.options.get("context_policy") == "normalise"
        values["_families"] = sum(1 << place for place in plan["family"])
        values["_absorbs"] = {place: sum(1 << row for row in set(rows)) for place, rows in plan["absorbs"].items()}
        values["_absorbing"] = sum(1 << place for place in values["_absorbs"])
        values["_partials"] = tuple(partial[:2] for partial in plan["partials"])
        values["_places"] = {row.id: place for place, row in enumerate(reader.rows)}
        values["_off"] = reader.off
        values["hand_rules"] = HandRules(forms=values["forms"], seven_pairs_quads=values["seven_pairs_quads"])
        values["digest"] = digest_of(reader.data)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("RuleSet is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("RuleSet is immutable")

    if TYPE_CHECKING:
        _data: dict[str, Any]
        _source: str
        _inherited: Inherited
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
            raise KeyError(f"expected the id of a fan of {self.id}, got {shown(fan_id)}{near(fan_id, self._places)}")
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
        data = plain(self._data, self._source)
        source = f"{self._source}, changed"
        changed = plain(mapping_argument(options, "options and their values", "options"), source)
        rows = []
        for fan_id, changes in mapping_argument(fans, "ids of fans and their changes", "fans").items():
            if not isinstance(changes, Mapping):
                raise TypeError(
                    f"expected a mapping of changes for fans[{shown(fan_id)}], got {type(changes).__name__}"
                )
            if "id" in changes and not (isinstance(changes["id"], str) and changes["id"] == fan_id):
                raise RuleSetError(f"{source}, fan {shown(fan_id)}: the id of a fan does not change (id)")
            rows.append({**plain(changes, f"{source}, fan {shown(fan_id)}"), "id": fan_id})
        removed = list_argument(remove, str, "ids of fans", "remove")
        for row in rows:
            if row["id"] in removed:
                raise RuleSetError(f"{source}, fan {shown(row['id'])}: expected a change or to remove it, got both")
        added = [plain(row, source) for row in list_argument(add, Mapping, "rows, mappings each", "add")]
        set_options(data, changed, source)
        merge_fans(data, rows, source, False)
        remove_fans(data, removed, source)
        merge_fans(data, added, f"{source}, add", None)
        for name, value in (("minimum", minimum), ("base", base)):
            if value is not None:
                data["score"][name] = value
        return RuleSet(data, source, self._inherited)

    def to_dict(self) -> dict[str, Any]:
        """Return its data, which `load_rules` reads back to an equal rule set."""
        return plain(self._data, self._source)

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
        return _restore, (self.to_dict(), self._source, self._inherited)

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
        _shipped[name] = _made(read_file(os.path.join(_folder(), f"{name}.toml")), name)
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
        options with another default, rows with the keys that change, new rows, ``remove = ["id"]``.  A new row
        stands at the end, or before the one that ``before`` names.

    Raises
    ------
    RuleSetError
        If it is not a rule set; the message names the file and the row.
    OSError
        If the file cannot be read.
    TypeError
        If it is neither a path nor a mapping.

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
        path = os.fsdecode(source)
        data, name = read_file(path), printable(path)
    elif isinstance(source, Mapping):
        data, name = plain(source, "rules"), "rules"
    else:
        raise TypeError(f"expected a path or a dict of rules, got {type(source).__name__}")
    return _made(data, name)


def as_rule_set(rules: object) -> RuleSet:
    """Return a rule set given as such or by name."""
    if isinstance(rules, RuleSet):
        return rules
    if isinstance(rules, str):
        return rule_set(rules)
    raise TypeError(f"expected a RuleSet or the name of one for rules, got {type(rules).__name__}")


def _made(data: dict[str, Any], source: str) -> RuleSet:
    whole, inherited = extended(data, source, _data_of)
    return RuleSet(whole, source, inherited)


def _folder() -> str:
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules")


def _restore(data: dict[str, Any], source: str, inherited: Inherited) -> RuleSet:
    return RuleSet(data, source, inherited)


def _data_of(name: str) -> dict[str, Any]:
    return rule_set(name).to_dict()
