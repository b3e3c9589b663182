"""Distances to a fan for arrays of hands: numpy in, numpy out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mjcore.batch import pack
from mjcore.fan_distances import answer_rows, fan_targets_for
from mjcore.hand import Hand
from mjcore.hand_arrays import N_LANES, asked_rows, hand_array, output, row_name
from mjcore.meld_codes import decode_meld
from mjcore.tiles import InvalidHandError
from mjcore.workers import SLOW_PIECE, check_workers, run_chunks

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from mjcore.rule_sets import RuleSet

N_MELDS_MAX = 4

DISTANCE_NONE = 99
"""Distance of a hand whose melds leave no win with the fan."""

__all__ = ["fan_distance"]


def fan_distance(
    hands: ArrayLike,
    fan: str,
    rules: RuleSet | str = "mcr",
    *,
    melds: ArrayLike | None = None,
    seat_wind: SupportsIndex | str = "E",
    round_wind: SupportsIndex | str = "E",
    where: ArrayLike | None = None,
    out: NDArray[np.int8] | None = None,
    workers: int = 1,
) -> NDArray[np.int8]:
    """
    Return how many tiles each hand is away from being ready for a win with a fan.

    Parameters
    ----------
    hands : (..., 34) array_like of any integer dtype, or (..., 4) of uint64
        Counts, or lanes, of the concealed tiles.
    fan, rules, seat_wind, round_wind
        As for `mjcore.fan_distance`; the same for all hands.
    melds : (..., 4) array_like of uint16, optional
        Melds of each hand, or four for all of them: 0 none, else the lowest kind in bits 0-5 and in bits 6-8
        1 chow, 2 pung, 3 direct, 4 added, 5 concealed kong; a code that `mjcore.decode_meld` refuses is no meld.
    where : bool array that broadcasts to the hands, optional
        Hands to answer; the answers of the others are 0.
    out : (...,) ndarray of int8, optional
        Where to put the answers; untouched if there is an error.
    workers : int, default 1
        Threads.  The work runs without the global interpreter lock.

    Returns
    -------
    (...,) ndarray of int8
        -1 the condition is met, 0 one tile away, n > 0 tiles away from ready; 99 where no win with the fan is left.

    Raises
    ------
    InvalidHandError
        If a row is no hand of 13 or 14 tiles, a meld counted as three; the message names the first.
    ValueError, TypeError
        As for `mjcore.fan_distance`, or if an array has another shape or dtype.

    Examples
    --------
    >>> import mjcore
    >>> hands = [mjcore.unpack(mjcore.parse(text)) for text in ("123456m79m3pEE", "123456789m22p")]
    >>> fan_distance(hands, "pure_straight", melds=[1 << 6 | 15, 0, 0, 0])
    array([ 0, -1], dtype=int8)
    """
    n_workers = check_workers(workers)
    targets = fan_targets_for(fan, rules, seat_wind, round_wind)
    array = hand_array(hands)
    shape = array.shape[:-1]
    asked = None if where is None else asked_rows(where, shape)
    lanes = _hand_lanes(array, asked)
    declared = _declared(melds, shape)
    answers = np.zeros(len(lanes), np.int8)
    if out is not None:
        output(out, shape, np.int8)
    answer = partial(answer_rows, targets, lanes, declared, asked, answers)
    for bad in run_chunks(answer, len(lanes), n_workers, SLOW_PIECE):
        if bad >= 0:
            raise InvalidHandError(f"row {row_name(bad, shape)}: {_problem(lanes[bad], declared[bad % len(declared)])}")
    if out is None:
        return answers.reshape(shape)
    out[...] = answers.reshape(shape)
    return out


def _hand_lanes(array: NDArray[Any], asked: NDArray[np.uint8] | None) -> NDArray[np.uint64]:
    """Rows of four lanes; those that are not asked are empty."""
    if array.shape[-1] != N_LANES:
        if asked is not None:
            array = np.where(asked.reshape(*array.shape[:-1], 1) != 0, array, 0)
        array = pack(array)
    return array.reshape(-1, N_LANES)


def _declared(melds: ArrayLike | None, shape: tuple[int, ...]) -> NDArray[np.uint16]:
    """One row of four melds for all hands, or one for each."""
    if melds is None:
        return np.zeros((1, N_MELDS_MAX), np.uint16)
    array = np.asarray(melds)
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected integers for melds, got dtype {array.dtype}")
    if array.ndim == 0 or array.shape[-1] != N_MELDS_MAX:
        raise ValueError(f"expected a last axis of {N_MELDS_MAX} melds, got shape {array.shape}")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 1 << 16:
        raise InvalidHandError("expected melds of 16 bits")
    try:
        rows = array if array.ndim == 1 else np.broadcast_to(array, (*shape, N_MELDS_MAX))
    except ValueError:
        problem = f"expected melds to broadcast to hands of shape {shape}, got shape {array.shape}"
        raise ValueError(problem) from None
    return np.ascontiguousarray(rows.reshape(-1, N_MELDS_MAX), np.uint16)


def _problem(lanes: NDArray[Any], melds: NDArray[np.uint16]) -> str:
    """What is wrong with a row that was refused: the error of the hand itself, where it is one."""
    values = [int(lane) for lane in lanes]
    if any(lane >> bits for lane, bits in zip(values, (36, 36, 36, 28), strict=True)):
        return f"expected four lanes of counts 0 to 4, got {[hex(lane) for lane in values]}"
    packed = sum(lane << 36 * i for i, lane in enumerate(values))
    declared = []
    try:
        for meld in melds.tolist():
            if meld:
                declared.append(decode_meld(meld))
        hand = Hand(packed, declared)
    except InvalidHandError as error:
        return str(error)
    return f"expected 13 or 14 tiles, a meld counted as three, got {len(hand) + 3 * len(declared)}"
