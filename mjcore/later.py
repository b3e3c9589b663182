"""Names of a module that are imported when they are first asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any


def names_of(module: str, *names: str) -> dict[str, tuple[str, str]]:
    """
    Return the places of names that another module calls the same.

    Examples
    --------
    >>> names_of("mjcore.calls", "call_advice")
    {'call_advice': ('mjcore.calls', 'call_advice')}
    """
    return {name: (module, name) for name in names}


def import_later(
    namespace: dict[str, Any], places: Mapping[str, tuple[str, str]]
) -> tuple[Callable[[str], object], Callable[[], Iterable[str]]]:
    """
    Return the ``__getattr__`` and ``__dir__`` of a module.

    Parameters
    ----------
    namespace : dict
        The globals of the module; a name is put there when it is found.
    places : mapping
        By name the module that has it and what it is called there; "" is the module itself.

    Examples
    --------
    >>> module = {"__name__": "example"}
    >>> get, names = import_later(module, {"score": ("mjcore.scores", "score")})
    >>> names()
    ['__name__', 'score']
    >>> get("score") is module["score"]
    True
    """

    def get(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        import importlib

        module, there = places[name]
        value: Any = importlib.import_module(module)
        if there:
            value = getattr(value, there)
        namespace[name] = value
        return value

    def names() -> list[str]:
        return sorted({*namespace, *places})

    return get, names
