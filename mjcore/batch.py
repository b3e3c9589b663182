"""Arrays of hands: numpy in, numpy out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mjcore import array_loops
from mjcore.tiles import LETTERS, N_KINDS, InvalidHandError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

N_LANES = 4

__all__ = ["pack", "unpack"]


def pack(counts: ArrayLike, *, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """
    Pack arrays of 34 counts into lanes.

    Parameters
    ----------
    counts : (..., 34) array_like of any integer dtype
        Copies of each kind, 0 .. 4, in kind order; strided and read-only arrays are read in place.
    out : (..., 4) ndarray of uint64, optional
        Where to put the lanes.

    Returns
    -------
    (..., 4) ndarray of uint64
        Lane 0 holds characters, 1 bamboo, 2 dots, 3 honors; 4 bits a kind.  As one number, lane i stands
        at bit 36 i.

    Raises
    ------
    InvalidHandError
        If a count is not 0 to 4; the message names the first row and the kind.  `out` is untouched.
    TypeError
        If the dtype is not an integer one.
    ValueError
        If the last axis is not 34 long, or `out` does not fit.

    Examples
    --------
    >>> import mjcore.batch, numpy as np
    >>> counts = np.zeros((2, 34), np.uint8)
    >>> counts[1, 9] = 3
    >>> mjcore.batch.pack(counts)
    array([[0, 0, 0, 0],
           [0, 3, 0, 0]], dtype=uint64)
    """
    array = _integers(counts, N_KINDS)
    result = _output(out, (*array.shape[:-1], N_LANES), np.uint64)
    blocks = list(_blocks(_apart(array, result), result))
    for index, rows, _ in blocks:
        bad = array_loops.find_bad_counts(rows)
        if bad is not None:
            row, kind = bad
            raise InvalidHandError(
                f"row {_row_name(index, row, array)}: expected 0 to 4 copies of {LETTERS[kind]}, got {rows[row, kind]}"
            )
    for _, rows, lanes in blocks:
        array_loops.pack_counts(rows, lanes)
    return result


def unpack(lanes: ArrayLike, *, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
    """
    Unpack arrays of lanes into 34 counts.

    Parameters
    ----------
    lanes : (..., 4) array_like of uint64
        As `pack` returns them.
    out : (..., 34) ndarray of uint8, optional
        Where to put the counts.

    Returns
    -------
    (..., 34) ndarray of uint8
        Copies of each kind.

    Raises
    ------
    InvalidHandError
        If a row is not four lanes of counts 0 to 4; the message names the first.  `out` is untouched.
    TypeError
        If the dtype is not uint64.
    ValueError
        If the last axis is not 4 long, or `out` does not fit.

    Examples
    --------
    >>> import mjcore.batch, numpy as np
    >>> int(mjcore.batch.unpack(np.array([0, 3, 0, 0], np.uint64))[9])
    3
    """
    array = _integers(lanes, N_LANES)
    if array.dtype != np.uint64:
        raise TypeError(f"expected lanes of uint64, got {array.dtype}")
    result = _output(out, (*array.shape[:-1], N_KINDS), np.uint8)
    blocks = list(_blocks(_apart(array, result), result))
    for index, rows, _ in blocks:
        row = array_loops.find_bad_lanes(rows)
        if row is not None:
            raise InvalidHandError(
                f"row {_row_name(index, row, array)}: expected four lanes of counts 0 to 4, "
                f"got {[hex(lane) for lane in rows[row].tolist()]}"
            )
    for _, rows, counts in blocks:
        array_loops.unpack_lanes(rows, counts)
    return result


def _integers(values: ArrayLike, width: int) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected an integer array, got dtype {array.dtype}")
    if array.ndim == 0 or array.shape[-1] != width:
        raise ValueError(f"expected a last axis of {width}, got shape {array.shape}")
    if not array.dtype.isnative:
        raise TypeError(f"expected native byte order, got dtype {array.dtype}")
    return array


def _output(out: NDArray[Any] | None, shape: tuple[int, ...], dtype: type) -> NDArray[Any]:
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"expected an ndarray for out, got {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype:
        raise ValueError(f"expected out of shape {shape} and dtype {np.dtype(dtype)}, got {out.shape} and {out.dtype}")
    if not out.flags.writeable:
        raise ValueError("expected a writeable array for out")
    return out


def _apart(array: NDArray[Any], result: NDArray[Any]) -> NDArray[Any]:
    """Return the input, copied only where the output may lie over it."""
    return array.copy() if np.may_share_memory(array, result) else array


def _blocks(array: NDArray[Any], result: NDArray[Any], index: tuple[int, ...] = ()) -> Any:
    """Yield (index, rows, result rows) of two dimensions each, without a copy."""
    if array.ndim == 1:
        yield index, array[None], result[None]
    elif array.ndim == 2:
        yield index, array, result
    else:
        for i in range(array.shape[0]):
            yield from _blocks(array[i], result[i], (*index, i))


def _row_name(index: tuple[int, ...], row: int, array: NDArray[Any]) -> str:
    place = (*index, row)[: array.ndim - 1]
    return str(place[0]) if len(place) == 1 else str(place)
