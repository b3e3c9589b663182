"""
The data of a rule set before it is checked: read, copied, put on top of the one that it extends, changed by rows.

What a value means is checked later, see rule_checks.py; here is only where it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import NamedTuple

from mjcore.tiles import RuleSetError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mjcore.conditions import _OptionValue

TABLES = ("ruleset", "score", "options", "require", "fan")
"""What a rule file may hold."""

DEPTH_MAX = 16
VALUES_MAX = 100_000
"""Most values in tables and lists, those of a list that is there twice counted twice."""
EXPECTED_ID = "expected an id of letters, digits and _"


class Inherited(NamedTuple):
    """What a rule set has of the one that it extends."""

    name: str = ""
    n_require_rows: int = 0

    def require_row(self, place: int) -> str:
        """Return what an error calls a requirement: by its place in the file that has it."""
        own = place - self.n_require_rows
        return f"require row {own + 1}" if own >= 0 else f"require row {place + 1} of {self.name}"


# --- reading -----------------------------------------------------------------------------------


def read_file(path: str) -> dict[str, Any]:
    """Return the tables of a TOML file."""
    import tomllib

    where = printable(path)
    try:
        with open(path, "rb") as file:
            content = file.read()
    except ValueError as error:  # of the path
        raise RuleSetError(f"{where}: {error}") from error
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RuleSetError(f"{where}: expected UTF-8, got byte {content[error.start]:#04x} at {error.start}") from error
    except ValueError as error:  # also of a number of too many digits
        raise RuleSetError(f"{where}: {error}") from error
    except RecursionError as error:
        raise RuleSetError(f"{where}: expected tables and lists at most {DEPTH_MAX} deep") from error


def printable(path: str) -> str:
    """Return a path as an error names it."""
    return path if path.isprintable() else ascii(path)


def plain(data: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return a copy of data in which every mapping is a dict and every tuple a list."""
    counter = count(1)
    return {name: _plain_value(value, source, 1, counter) for name, value in data.items()}


def _plain_value(value: Any, source: str, depth: int, counter: Iterator[int]) -> Any:
    if depth > DEPTH_MAX:
        raise RuleSetError(f"{source}: expected tables and lists at most {DEPTH_MAX} deep")
    if next(counter) > VALUES_MAX:
        raise RuleSetError(f"{source}: expected at most {VALUES_MAX} values")
    if isinstance(value, Mapping):
        return {name: _plain_value(one, source, depth + 1, counter) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_value(one, source, depth + 1, counter) for one in value]
    return str.__str__(value) if isinstance(value, str) else value


def near(name: object, known: Iterable[str]) -> str:
    """Return what an error may say after a name that is unknown: one that is known and near."""
    import difflib

    found = difflib.get_close_matches(str(name), list(known), 1) if is_id(name) else []
    return f"; did you mean {found[0]}?" if found else ""


def is_id(value: object) -> bool:
    """Return whether a value may name a fan, an option or a rule set."""
    return isinstance(value, str) and value.isascii() and value.isidentifier() and len(value) <= 60


def option_name(name: object) -> str:
    """Return what an error calls an option."""
    return f"option {name if is_id(name) else shown(name)}"


def digest_of(data: dict[str, Any]) -> str:
    """Return the SHA-256 of data that were checked."""
    import hashlib
    import json

    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


# --- arguments ---------------------------------------------------------------------------------


def mapping_argument(value: object, what: str, name: str) -> Mapping[Any, Any]:
    """Return a mapping that is given to a parameter; none: an empty one."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"expected a mapping of {what} for {name}, got {type(value).__name__}")
    return value or {}


def list_argument(values: object, kind: type, what: str, name: str) -> list[Any]:
    """Return a list of what is given to a parameter, each of a kind."""
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


# --- changes ------------------------------------------------------------------------------------


def extended(
    data: dict[str, Any], source: str, data_of: Callable[[str], dict[str, Any]]
) -> tuple[dict[str, Any], Inherited]:
    """
    Return the data of a rule set on top of the one that it extends, and what it has of that.

    `data_of` tells the data of a rule set by its name.
    """
    head = data.get("ruleset")
    if not isinstance(head, dict) or "extends" not in head:
        return data, Inherited()
    try:
        whole = data_of(head["extends"])
    except ValueError as error:
        raise RuleSetError(f"{source}, ruleset: {error}") from error
    for name in data:
        if name not in TABLES:
            raise RuleSetError(f"{source}: expected ruleset, score, options, require and fan, got {shown(name)}")
    whole["ruleset"].update({name: value for name, value in head.items() if name not in ("extends", "remove")})
    whole["score"].update(table(data.get("score", {}), f"{source}, score"))
    for name, option in table(data.get("options", {}), f"{source}, options").items():
        merged = {**whole["options"].get(name, {}), **table(option, f"{source}, {option_name(name)}")}
        if "default" in option and "value" not in option:
            merged.pop("value", None)
        whole["options"][name] = merged
    inherited = Inherited(head["extends"], len(whole["require"]))
    whole["require"].extend(table_rows(data.get("require", []), f"{source}, require"))
    remove_fans(whole, head.get("remove", []), f"{source}, ruleset")
    merge_fans(whole, table_rows(data.get("fan", []), f"{source}, fan"), source, True)
    return whole, inherited


def table(value: object, where: str) -> dict[str, Any]:
    """Return a value that must be a table."""
    if not isinstance(value, dict):
        raise RuleSetError(f"{where}: expected a table, got {shown(value)}")
    return value


def table_rows(value: object, where: str) -> list[dict[str, Any]]:
    """Return a value that must be a list of tables."""
    if not isinstance(value, list):
        raise RuleSetError(f"{where}: expected rows, got {shown(value)}")
    return [table(row, f"{where} row {place + 1}") for place, row in enumerate(value)]


def set_options(data: dict[str, Any], options: Mapping[str, _OptionValue], source: str) -> None:
    """Give options another value; the one they have by default is not written down, so that equal rules are equal."""
    for name, value in options.items():
        if name not in data["options"]:
            raise RuleSetError(
                f"{source}: expected an option of {', '.join(data['options'])}, got {shown(name)}"
                f"{near(name, data['options'])}"
            )
        option = data["options"][name]
        default = option.get("default")
        option["value"] = value
        if type(value) is type(default) and value == default:
            del option["value"]


def _ids(data: dict[str, Any]) -> list[object]:
    return [row.get("id") for row in data["fan"]]


def merge_fans(data: dict[str, Any], rows: list[dict[str, Any]], source: str, may_add: bool | None) -> None:
    """Change rows by id and add new ones; `may_add` False: only changes, None: only new ones."""
    met: set[str] = set()
    for place, row in enumerate(rows):
        ids = _ids(data)
        fan_id = row.get("id")
        if not is_id(fan_id) and may_add is not False:
            raise RuleSetError(f"{source}, fan row {place + 1}: {EXPECTED_ID}, got {shown(fan_id)}")
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
                f"{source}: expected a fan that is there, got {shown(fan_id)}{near(fan_id, map(str, ids))}"
            )
        row = dict(row)
        before = row.pop("before", None)
        if before is not None and (not isinstance(before, str) or before not in ids):
            raise RuleSetError(f"{source}, fan {shown(fan_id)}: there is no fan {shown(before)} to stand before")
        data["fan"].insert(len(ids) if before is None else ids.index(before), row)


def remove_fans(data: dict[str, Any], remove: object, source: str) -> None:
    """Take rows out; no other row absorbs them any more."""
    if not isinstance(remove, (list, tuple)):
        raise RuleSetError(f"{source}: expected a list of ids to remove, got {shown(remove)}")
    for place, fan_id in enumerate(remove):
        if fan_id in remove[:place]:
            raise RuleSetError(f"{source}: expected each fan to remove once, got {shown(fan_id)} again")
        ids = _ids(data)
        if not isinstance(fan_id, str) or fan_id not in ids:
            raise RuleSetError(f"{source}: expected a fan to remove, got {shown(fan_id)}{near(fan_id, map(str, ids))}")
        del data["fan"][ids.index(fan_id)]
        for row in data["fan"]:
            if isinstance(row.get("absorbs"), list):
                row["absorbs"] = [entry for entry in row["absorbs"] if _target(entry) != fan_id]


def _target(entry: object) -> str:
    return str(entry).split(" if ")[0].split(":")[0].strip()
