"""
Hands as lists of codes: the number systems found in other programs, converted at the border.

========== ==================================================================================
system     codes
========== ==================================================================================
deck       11-19 m, 21-29 p, 31-39 s, 41 E, 42 W, 43 S, 44 N, 45 C, 46 P, 47 F
tens       11-19 m, 21-29 s, 31-39 p, 40 E, 41 S, 42 W, 43 N, 44 C, 45 F, 46 P
spaced     1-9 s, 11-19 m, 21-29 p, 31 E, 41 S, 51 W, 61 N, 71 C, 81 F, 91 P
tenhou34   0-8 m, 9-17 p, 18-26 s, 27 E, 28 S, 29 W, 30 N, 31 P, 32 F, 33 C
tenhou136  the physical tiles, four to each tenhou34 number; 16, 52 and 88 are the red fives
mjai       "1m".."9m", "5mr", .. "E" "S" "W" "N" "P" "F" "C"
========== ==================================================================================

`from_codes` and `to_codes` take a list with one code a tile; `from_tens_counts` and
`to_tens_counts` the 47-slot count array that goes with ``tens``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mjcore.notation import FIVES
from mjcore.packing import pack, unpack
from mjcore.tiles import LETTERS, N_COPIES, N_KINDS, InvalidHandError, as_index, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KIND = {letters: kind for kind, letters in enumerate(LETTERS)}


def _suits(firsts: dict[str, int]) -> dict[int, int]:
    return {first + i: _KIND[f"{i + 1}{suit}"] for suit, first in firsts.items() for i in range(9)}


def _honors(letters: str, codes: Iterable[int]) -> dict[int, int]:
    return {code: _KIND[letter] for letter, code in zip(letters, codes, strict=True)}


_TENHOU34 = _suits({"m": 0, "p": 9, "s": 18}) | _honors("ESWNPFC", range(27, 34))
_NUMERIC: dict[str, dict[int, int]] = {
    "deck": _suits({"m": 11, "p": 21, "s": 31}) | _honors("EWSNCPF", range(41, 48)),
    "tens": _suits({"m": 11, "s": 21, "p": 31}) | _honors("ESWNCFP", range(40, 47)),
    "spaced": _suits({"s": 1, "m": 11, "p": 21}) | _honors("ESWNCFP", range(31, 92, 10)),
    "tenhou34": _TENHOU34,
    "tenhou136": {4 * code + copy: kind for code, kind in _TENHOU34.items() for copy in range(N_COPIES)},
}
_MJAI: dict[str, int] = _KIND | {f"{LETTERS[kind]}r": kind for kind in FIVES}

CODE_SYSTEMS: tuple[str, ...] = (*_NUMERIC, "mjai")
"""Names of the code systems."""

TENS_SLOTS = 47
"""Length of the count array of the ``tens`` system."""


def from_codes(codes: Iterable[int | str], system: str) -> int:
    """
    Read a list of tile codes into a packed int.

    Parameters
    ----------
    codes : iterable of int or str
        One code a tile, in any order; str for ``mjai``.
    system : {"deck", "tens", "spaced", "tenhou34", "tenhou136", "mjai"}
        What the codes mean.

    Returns
    -------
    int
        The packed tiles.

    Raises
    ------
    InvalidHandError
        If a code is not one of the system, a kind comes a fifth time, or a physical tile twice; the
        message names the code and its place in the list.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.format(mjcore.from_codes([11, 12, 13, 45, 45], "deck"))
    '123mCC'
    """
    table = _table(system)
    counts = [0] * N_KINDS
    seen: set[int | str] = set()
    for place, given in enumerate(codes):
        code = _plain(given)
        kind = table.get(code) if code is not None else None
        if code is None or kind is None:
            raise InvalidHandError(f"expected a code of {system!r}, got {shown(given)} at place {place}")
        if counts[kind] == N_COPIES:
            raise InvalidHandError(
                f"expected at most {N_COPIES} copies of a kind, got a fifth {LETTERS[kind]} at place {place}"
            )
        if system == "tenhou136" or (system == "mjai" and str(code).endswith("r")):
            if code in seen:
                raise InvalidHandError(f"expected each physical tile once, got {shown(given)} again at place {place}")
            seen.add(code)
        counts[kind] += 1
    return pack(counts)


def to_codes(vec: int, system: str) -> list[int] | list[str]:
    """
    Write a packed hand as a list of codes, in kind order.

    Parameters
    ----------
    vec : int
        A packed hand.
    system : {"deck", "tens", "spaced", "tenhou34", "tenhou136", "mjai"}
        Which codes to write.  ``tenhou136`` numbers the copies of a kind from its lowest id, and uses the
        red five only for a fourth copy; ``mjai`` writes no red five.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.to_codes(mjcore.parse("11mEC"), "deck"), mjcore.to_codes(mjcore.parse("11mEC"), "mjai")
    ([11, 11, 45, 41], ['1m', '1m', 'C', 'E'])
    """
    table = _table(system)
    counts = unpack(vec)
    if system == "mjai":
        return [LETTERS[kind] for kind in range(N_KINDS) for _ in range(counts[kind])]
    codes: dict[int, list[int]] = {kind: [] for kind in range(N_KINDS)}
    for code, kind in table.items():
        codes[kind].append(int(code))
    if system == "tenhou136":
        for kind in FIVES:
            codes[kind].append(codes[kind].pop(0))
        return [codes[kind][copy] for kind in range(N_KINDS) for copy in range(counts[kind])]
    return [codes[kind][0] for kind in range(N_KINDS) for _ in range(counts[kind])]


def from_tens_counts(slots: Sequence[int]) -> int:
    """
    Read the 47-slot count array of the ``tens`` system.

    Parameters
    ----------
    slots : sequence of 47 int
        Slot ``(suit - 1) * 10 + rank`` for the suits m, s, p, the code itself for honors (40 .. 46).

    Raises
    ------
    InvalidHandError
        If the length is not 47, a reserved slot is not zero, or a count is not 0 to 4.

    Examples
    --------
    >>> import mjcore
    >>> slots = [0] * 47
    >>> slots[1], slots[40] = 3, 2
    >>> mjcore.format(mjcore.from_tens_counts(slots))
    '111mEE'
    """
    if isinstance(slots, str) or not hasattr(slots, "__len__") or not hasattr(slots, "__getitem__"):
        raise InvalidHandError(f"expected {TENS_SLOTS} counts, got {type(slots).__name__}")
    if len(slots) != TENS_SLOTS:
        raise InvalidHandError(f"expected {TENS_SLOTS} counts, got {len(slots)}")
    places = _tens_slots()
    counts = [0] * N_KINDS
    for slot, count in enumerate(slots):
        if slot in places:
            counts[places[slot]] = count
        elif _plain(count) != 0:
            raise InvalidHandError(f"expected 0 in the reserved slot {slot}, got {shown(count)}")
    return pack(counts)


def to_tens_counts(vec: int) -> list[int]:
    """
    Write a packed hand as the 47-slot count array of the ``tens`` system.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.to_tens_counts(mjcore.parse("1m9pP"))[1::45]
    [1, 1]
    """
    counts = unpack(vec)
    slots = [0] * TENS_SLOTS
    for slot, kind in _tens_slots().items():
        slots[slot] = counts[kind]
    return slots


def _tens_slots() -> dict[int, int]:
    """Slot of each kind: its code less ten in the suits, the code itself for honors."""
    return {code - 10 if code < 40 else code: kind for code, kind in _NUMERIC["tens"].items()}


def _table(system: str) -> Mapping[Any, int]:
    if not isinstance(system, str) or system not in CODE_SYSTEMS:
        raise ValueError(f"expected a code system of {', '.join(CODE_SYSTEMS)}, got {shown(system)}")
    if system == "mjai":
        return _MJAI
    return _NUMERIC[system]


def _plain(code: object) -> int | str | None:
    """An exact int or str for a code, None for what is neither."""
    if isinstance(code, str):
        return str(code)
    return as_index(code)
