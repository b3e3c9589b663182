"""Arrays of hands as they come in, and of answers as they go out: what all of `mjcore.batch` asks of them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from mjcore.tiles import LETTERS, N_COPIES, N_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

N_LANES = 4

COPIED_ROWS = 65_536
"""Rows that are copied at a time where the strides of an array do not let them be read as one axis."""


def hand_array(hands: ArrayLike, widths: tuple[int, ...] = (N_KINDS, N_LANES)) -> NDArray[Any]:
    """Return an array of 34 counts or four lanes a row."""
    if np.ma.is_masked(hands):
        raise TypeError("expected an array without a mask: fill it, or name the rows to answer with where=")
    array = np.asarray(hands)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"expected an integer array, got dtype {array.dtype}")
    if not array.dtype.isnative:
        raise TypeError(f"expected native byte order, got dtype {array.dtype}")
    if array.ndim == 0 or array.shape[-1] not in widths:
        names = " or ".join("34 counts" if width == N_KINDS else "4 lanes" for width in widths)
        raise ValueError(f"expected a last axis of {names}, got shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected an integer array, got dtype {array.dtype}")
    if array.shape[-1] == N_LANES and array.dtype != np.uint64:
        raise TypeError(f"expected lanes of uint64, got {array.dtype}")
    return array if array.flags.aligned else array.copy()


def output(out: NDArray[Any] | None, shape: tuple[int, ...], dtype: type) -> NDArray[Any]:
    """Return where answers go: what was given for them, checked, or a new array."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"expected an ndarray for out, got {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype:
        raise ValueError(f"expected out of shape {shape} and dtype {np.dtype(dtype)}, got {out.shape} and {out.dtype}")
    if not out.flags.writeable:
        raise ValueError("expected a writeable array for out")
    return out


def row_name(row: int, shape: tuple[int, ...]) -> str:
    """Return a row as its place in an array of that shape."""
    return str(row) if len(shape) < 2 else str(tuple(int(i) for i in np.unravel_index(row, shape)))


def flat_blocks(array: NDArray[Any], seen: NDArray[Any] | None) -> Iterator[tuple[NDArray[Any], NDArray[Any] | None]]:
    """Yield two-dimensional parts that follow each other: views where strides allow, else copies of some rows."""
    flat, flat_seen = _flat_view(array), None if seen is None else _flat_view(seen)
    if flat is not None and (seen is None or flat_seen is not None):
        yield flat, flat_seen
        return
    n_rows = array[0, ..., 0].size
    if n_rows > COPIED_ROWS:
        for i in range(len(array)):
            yield from flat_blocks(array[i], None if seen is None else seen[i])
        return
    step = max(1, COPIED_ROWS // max(1, n_rows))
    for start in range(0, len(array), step):
        part = slice(start, start + step)
        yield (
            array[part].reshape(-1, array.shape[-1]),
            None if seen is None else seen[part].reshape(-1, seen.shape[-1]),
        )


def _flat_view(array: NDArray[Any]) -> NDArray[Any] | None:
    """The rows as one axis without a copy, or None where their strides do not allow it."""
    if array.ndim <= 2:
        return array.reshape(-1, array.shape[-1])
    axes = [(n, stride) for n, stride in zip(array.shape[:-1], array.strides[:-1], strict=True) if n != 1]
    if array.size and any(outer[1] != inner[0] * inner[1] for outer, inner in itertools.pairwise(axes)):
        return None
    return np.lib.stride_tricks.as_strided(
        array, (array[..., 0].size, array.shape[-1]), (axes[-1][1] if axes else 0, array.strides[-1]), writeable=False
    )


def to_shape(array: NDArray[Any], shape: tuple[int, ...], name: str) -> NDArray[Any]:
    """Return values for each hand, or say what does not fit."""
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"expected {name} to broadcast to hands of shape {shape}, got shape {array.shape}") from None


def asked_rows(where: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return which rows to answer, one byte each."""
    if np.ma.is_masked(where):
        raise TypeError("expected an array without a mask for where")
    array = np.asarray(where)
    if array.dtype != np.bool_:
        raise TypeError(f"expected a bool array for where, got dtype {array.dtype}")
    return np.ascontiguousarray(to_shape(array, shape, "where")).reshape(-1).view(np.uint8)


def no_hand(counts: list[int], lanes: list[int], given: NDArray[Any], name: str = "") -> str:
    """Return what is wrong with a row that is no hand, with the number that was given; "" where nothing is."""
    if any(lane >> bits for lane, bits in zip(lanes, (36, 36, 36, 28), strict=True)):
        return f"expected four {name}lanes of counts 0 to 4, got {[hex(lane) for lane in lanes]}"
    for kind, count in enumerate(counts):
        if count > N_COPIES:
            number = given[kind] if len(given) == N_KINDS else count
            return f"expected 0 to {N_COPIES} {name}copies of {LETTERS[kind]}, got {number}"
    return ""


def share_memory(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether arrays have a byte in common; where that is hard to tell, whether they may."""
    try:
        return np.shares_memory(one, other, max_work=10_000)  # type: ignore[arg-type]  # the stub knows two values
    except np.exceptions.TooHardError:
        return True


def deliver(answers: tuple[NDArray[Any], ...], out: Any) -> tuple[NDArray[Any], ...]:
    """Return the answers, in the arrays given for them if there are some."""
    if out is None:
        return answers
    if len(answers) > 1 and not (isinstance(out, tuple) and len(out) == len(answers)):
        raise TypeError(f"expected a tuple of {len(answers)} arrays for out, got {type(out).__name__}")
    targets = out if len(answers) > 1 else (out,)
    for answer, target in zip(answers, targets, strict=True):
        output(target, answer.shape, answer.dtype.type)
    if any(share_memory(one, other) for one, other in itertools.combinations(targets, 2)):
        raise ValueError("expected arrays for out that do not lie over each other")
    for answer, target in zip(answers, targets, strict=True):
        if not np.may_share_memory(answer, target):  # not written there already
            target[...] = answer
    return targets
