"""
Arrays of hands: numpy in, numpy out.

Hands are ``(..., 34)`` counts of any integer dtype or ``(..., 4)`` uint64 lanes, with any strides, read-only
or not.  Every question takes

jokers, n_melds : int or array of int that broadcasts to the hands
    Jokers beside the tiles, 0 .. 8; declared melds, so that the tiles with them make 13 or 14.
rules : HandRules or str
    Forms and options.
where : bool array that broadcasts to the hands
    Hands to answer; the others are not looked at, and their answers are 0 (False, no kinds), but for `score` and
    `rank_discards`, which say what they leave out.
out : array, or a tuple of them where there are several answers
    Where to put the answers; untouched if there is an error, but for `discards` that are interrupted or whose
    hands another thread changes meanwhile.
workers : int
    Threads.  The work runs without the global interpreter lock.

and answers as the scalar function does for the concealed tiles, row by row: declared melds count by their
number here, and use no copies up.  Where no form fits a hand the answer is 99, which the scalar functions
raise as an error.  A row that is no hand, or has a size that the
question has no answer for, is an `InvalidHandError` that names the first one; numbers of jokers and of melds are
looked at before the hands.  Ctrl-C is heard within a moment.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mjcore import batch_loops
from mjcore.hand_arrays import (
    N_LANES,
    asked_rows,
    deliver,
    flat_blocks,
    hand_array,
    no_hand,
    output,
    row_name,
    share_memory,
    to_shape,
)
from mjcore.hand_rules import HandRules
from mjcore.later import import_later, names_of
from mjcore.rows import Rows
from mjcore.tiles import LETTERS, N_KINDS, InvalidHandError, shown
from mjcore.workers import PIECE, SLOW_PIECE, check_workers, run_chunks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mjcore.fan_batch import fan_distance
    from mjcore.meld_codes import encode_meld
    from mjcore.quality_batch import BestDiscards, Qualities, evaluate, rank_discards
    from mjcore.score_batch import Scores
    from mjcore.score_batch import batch_score as score

N_JOKERS_MAX = 8
N_MELDS_MAX = 4
N_TILES_MAX = 14

IS_HU, SHANTEN, WAITS, USEFUL, DISCARDS = range(5)

SHANTEN_NONE = 99
"""Shanten of a discard that is not held, or of a hand that no form fits."""

__all__ = [
    "discards",
    "encode_meld",
    "evaluate",
    "fan_distance",
    "is_hu",
    "pack",
    "rank_discards",
    "score",
    "BestDiscards",
    "Discards",
    "Qualities",
    "Scores",
    "Useful",
    "shanten",
    "unpack",
    "useful",
    "waits",
]

# What scoring and quality need is imported when it is first asked for.
__getattr__, __dir__ = import_later(
    globals(),
    {
        **names_of("mjcore.fan_batch", "fan_distance"),
        **names_of("mjcore.meld_codes", "encode_meld"),
        **names_of("mjcore.quality_batch", "BestDiscards", "Qualities", "evaluate", "rank_discards"),
        **names_of("mjcore.score_batch", "Scores"),
        "score": ("mjcore.score_batch", "batch_score"),
    },
)


class Useful(NamedTuple):
    """Answers of `useful`."""

    shanten: NDArray[np.int8]
    kinds: NDArray[np.uint64]
    copies: NDArray[np.uint8]


class Discards(NamedTuple):
    """Answers of `discards`, one for each kind along the last axis."""

    shanten: NDArray[np.int8]
    kinds: NDArray[np.uint64]
    copies: NDArray[np.uint8]


def is_hu(
    hands: ArrayLike,
    *,
    jokers: ArrayLike = 0,
    n_melds: ArrayLike = 0,
    rules: HandRules | str | None = None,
    where: ArrayLike | None = None,
    out: NDArray[np.bool_] | None = None,
    workers: int = 1,
) -> NDArray[np.bool_]:
    """
    Return which hands are complete; parameters as in the module's description.

    Returns
    -------
    (...,) ndarray of bool
        False for any size that is not complete.

    Examples
    --------
    >>> import mjcore.batch
    >>> hands = [mjcore.unpack(mjcore.parse(text)) for text in ("123m456s789pEEECC", "123m456s789pEEECF")]
    >>> mjcore.batch.is_hu(hands)
    array([ True, False])
    """
    small, _, _ = _ask(IS_HU, hands, jokers, n_melds, rules, where, None, workers)
    return deliver((small.view(np.bool_),), out)[0]


def shanten(
    hands: ArrayLike,
    *,
    jokers: ArrayLike = 0,
    n_melds: ArrayLike = 0,
    rules: HandRules | str | None = None,
    where: ArrayLike | None = None,
    out: NDArray[np.int8] | None = None,
    workers: int = 1,
) -> NDArray[np.int8]:
    """
    Return how many useful tiles each hand is away from ready; parameters as in the module's description.

    Returns
    -------
    (...,) ndarray of int8
        -1 complete, 0 ready; 99 where no form of the rules fits the size.

    Examples
    --------
    >>> import mjcore.batch
    >>> int(mjcore.batch.shanten(mjcore.unpack(mjcore.parse("123456789mEEEE"))))
    1
    """
    small, _, _ = _ask(SHANTEN, hands, jokers, n_melds, rules, where, None, workers)
    return deliver((small.view(np.int8),), out)[0]


def waits(
    hands: ArrayLike,
    *,
    jokers: ArrayLike = 0,
    n_melds: ArrayLike = 0,
    rules: HandRules | str | None = None,
    where: ArrayLike | None = None,
    out: NDArray[np.uint64] | None = None,
    workers: int = 1,
) -> NDArray[np.uint64]:
    """
    Return the kinds that complete each hand; parameters as in the module's description.

    Returns
    -------
    (...,) ndarray of uint64
        Masks, bit k for kind k: kinds of which the hand does not hold all four, unless the rules' wait_mode is
        "shape".

    Examples
    --------
    >>> import mjcore.batch
    >>> mask = mjcore.batch.waits(mjcore.unpack(mjcore.parse("1112345678999m")))
    >>> bin(int(mask))
    '0b111111111'
    """
    _, masks, _ = _ask(WAITS, hands, jokers, n_melds, rules, where, None, workers)
    return deliver((masks,), out)[0]


def useful(
    hands: ArrayLike,
    *,
    visible: ArrayLike | None = None,
    jokers: ArrayLike = 0,
    n_melds: ArrayLike = 0,
    rules: HandRules | str | None = None,
    where: ArrayLike | None = None,
    out: tuple[NDArray[np.int8], NDArray[np.uint64], NDArray[np.uint8]] | None = None,
    workers: int = 1,
) -> Useful:
    """
    Return shanten and the kinds that lower it; parameters as in the module's description.

    Parameters
    ----------
    visible : (..., 34) counts or (..., 4) lanes, optional
        Tiles seen elsewhere, one row for each hand.  They change the copies, not the kinds.

    Returns
    -------
    Useful
        shanten (int8), kinds (uint64 masks) and copies (uint8: live copies of those kinds together), each
        ``(...,)``.

    Examples
    --------
    >>> import mjcore.batch
    >>> answer = mjcore.batch.useful(mjcore.unpack(mjcore.parse("9999m678m345p12sS")), rules="hk")
    >>> int(answer.shanten), int(answer.copies)
    (1, 10)
    """
    answers = _ask(USEFUL, hands, jokers, n_melds, rules, where, visible, workers)
    return Useful(*deliver((answers[0].view(np.int8), answers[1], answers[2]), out))


def discards(
    hands: ArrayLike,
    *,
    visible: ArrayLike | None = None,
    jokers: ArrayLike = 0,
    n_melds: ArrayLike = 0,
    rules: HandRules | str | None = None,
    where: ArrayLike | None = None,
    out: tuple[NDArray[np.int8], NDArray[np.uint64], NDArray[np.uint8]] | None = None,
    workers: int = 1,
) -> Discards:
    """
    Return what becomes of each hand for each tile let go; parameters as in the module's description.

    Parameters
    ----------
    visible : (..., 34) counts or (..., 4) lanes, optional
        Tiles seen elsewhere, one row for each hand.

    Returns
    -------
    Discards
        shanten (int8; 99 for kinds not held), kinds (uint64 masks) and copies (uint8), each ``(..., 34)``.

    Examples
    --------
    >>> import mjcore.batch
    >>> answer = mjcore.batch.discards(mjcore.unpack(mjcore.parse("239mEE")))
    >>> int(answer.shanten[8]), int(answer.copies[8]), int(answer.shanten[0])
    (0, 8, 99)
    """
    answers = _ask(DISCARDS, hands, jokers, n_melds, rules, where, visible, workers, out)
    return Discards(*deliver((answers[0].view(np.int8), answers[1], answers[2]), out))


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
    return _rewrite(hand_array(counts, (N_KINDS,)), out, N_LANES, np.uint64)


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
    return _rewrite(hand_array(lanes, (N_LANES,)), out, N_KINDS, np.uint8)


def _rewrite(array: NDArray[Any], out: NDArray[Any] | None, width: int, dtype: type) -> NDArray[Any]:
    """Write all rows in the other form; each is read once, checked and written."""
    shape = (*array.shape[:-1], width)
    if out is not None:
        output(out, shape, dtype)
    made = np.empty(shape, dtype)
    flat = made.reshape(-1, width)
    at = 0
    for whole, _ in flat_blocks(array, None):
        for start in range(0, len(whole), PIECE):
            block = whole[start : start + PIECE]
            rows = Rows(block)
            part = flat[at : at + len(block)]
            bad = batch_loops.rewrite(rows, *((part, None) if width == N_LANES else (None, part)))
            if bad >= 0:
                (counts, lanes), _ = batch_loops.describe(rows, None, bad)
                problem = no_hand(counts, lanes, block[bad]) or "another thread changed it"
                raise InvalidHandError(f"row {row_name(at + bad, array.shape[:-1])}: {problem}")
            at += len(block)
    return deliver((made,), out)[0]


def _ask(
    operation: int,
    hands: ArrayLike,
    jokers: ArrayLike,
    n_melds: ArrayLike,
    rules: HandRules | str | None,
    where: ArrayLike | None,
    visible: ArrayLike | None,
    workers: int,
    out: Any = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint8]]:
    """
    Answer every hand, in the shape of the hands; an answer that the question does not have is empty.

    Wide answers go straight to `out` where they can, after all rows have been checked.
    """
    n_workers = check_workers(workers)
    array = hand_array(hands)
    shape = array.shape[:-1]
    hand_rules = _rules(rules)
    asked = None if where is None else asked_rows(where, shape)
    n_jokers = _per_row(jokers, shape, N_JOKERS_MAX, "jokers", asked)
    melds = _per_row(n_melds, shape, N_MELDS_MAX, "n_melds", asked)
    seen = None if visible is None else hand_array(visible)
    if seen is not None and seen.shape[:-1] != shape:
        raise ValueError(f"expected visible tiles for hands of shape {shape}, got {seen.shape[:-1]}")
    wide = (*shape, N_KINDS) if operation == DISCARDS else shape
    direct = out is not None and _takes_answers(out, wide, (array, seen, asked))
    made = np.empty if operation == DISCARDS else np.zeros  # discards fill the rows that are not asked
    small, masks, copies = (
        out
        if direct
        else (
            made(wide if operation != WAITS else 0, np.uint8),
            made(wide if operation >= WAITS else 0, np.uint64),
            made(wide if operation >= USEFUL else 0, np.uint8),
        )
    )
    flat = (small.view(np.uint8).reshape(-1), masks.reshape(-1), copies.reshape(-1))
    n_wide = N_KINDS if operation == DISCARDS else 1
    piece = PIECE if batch_loops.by_tables(hand_rules) else SLOW_PIECE
    for only_check in (True, False) if direct else (False,):
        at = 0
        for block, seen_block in flat_blocks(array, seen):
            n = len(block)
            rows = Rows(block)
            seen_rows = None if seen_block is None else Rows(seen_block)
            span = slice(at, at + n)
            arguments: tuple[Any, ...] = (
                operation,
                rows,
                seen_rows,
                n_jokers if len(n_jokers) == 1 else n_jokers[span],
                melds if len(melds) == 1 else melds[span],
                None if asked is None else asked[span],
                hand_rules,
                *(answer[n_wide * at : n_wide * (at + n)] for answer in flat),
                only_check,
            )
            for bad in run_chunks(partial(batch_loops.answer, *arguments), n, n_workers, piece):
                if bad >= 0:
                    row = at + bad
                    beside = (int(n_jokers[row % len(n_jokers)]), int(melds[row % len(melds)]))
                    problem = _problem(operation, hand_rules, rows, seen_rows, bad, block, seen_block, *beside)
                    raise InvalidHandError(f"row {row_name(row, shape)}: {problem}")
            at += n
    return small, masks, copies


def _takes_answers(out: Any, shape: tuple[int, ...], inputs: tuple[NDArray[Any] | None, ...]) -> bool:
    """Whether answers can be written where they are wanted: contiguous arrays that lie over nothing else."""
    if not isinstance(out, tuple) or len(out) != 3:
        return False
    for array, dtype in zip(out, (np.int8, np.uint64, np.uint8), strict=True):
        output(array, shape, dtype)
    apart = [*out, *(array for array in inputs if array is not None)]
    return all(array.flags.c_contiguous for array in out) and not any(
        share_memory(array, other) for i, array in enumerate(out) for other in apart[i + 1 :]
    )


def _rules(rules: object) -> HandRules:
    if rules is None:
        return HandRules()
    if isinstance(rules, str):
        return HandRules.preset(rules)
    carried = rules if isinstance(rules, HandRules) else getattr(rules, "hand_rules", None)
    if not isinstance(carried, HandRules):
        raise TypeError(f"expected HandRules, the name of a rule set or None for rules, got {type(rules).__name__}")
    return carried


def _per_row(
    values: ArrayLike, shape: tuple[int, ...], most: int, name: str, asked: NDArray[np.uint8] | None
) -> NDArray[np.uint8]:
    """One small number for all rows, or one for each; of rows that are not asked any number is good."""
    if np.ma.is_masked(values):
        raise TypeError(f"expected an array without a mask for {name}")
    array = np.asarray(values)
    if array.ndim == 0 and array.dtype == object and isinstance(array[()], int):
        raise InvalidHandError(f"expected 0 to {most} for {name}, got {shown(array[()])}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected integers for {name}, got dtype {array.dtype}")
    if array.ndim == 0:
        if not 0 <= array <= most:
            raise InvalidHandError(f"expected 0 to {most} for {name}, got {array}")
        return array.astype(np.uint8).reshape(-1)
    # a copy first: another thread may write to the array
    flat = to_shape(array, shape, name).copy().reshape(-1)
    if flat.size and not 0 <= flat.min() <= flat.max() <= most:
        wrong = (flat < 0) | (flat > most)
        if asked is not None:
            wrong &= asked != 0
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise InvalidHandError(f"row {row_name(row, shape)}: expected 0 to {most} for {name}, got {flat[row]}")
        flat = np.where((flat < 0) | (flat > most), 0, flat)
    return flat.astype(np.uint8)


def _problem(
    operation: int,
    rules: HandRules,
    rows: Rows,
    seen_rows: Rows | None,
    row: int,
    block: NDArray[Any],
    seen_block: NDArray[Any] | None,
    n_jokers: int,
    n_melds: int,
) -> str:
    """What is wrong with a row that was refused."""
    (counts, lanes), seen = batch_loops.describe(rows, seen_rows, row)
    problem = no_hand(counts, lanes, block[row])
    if not problem and seen is not None and seen_block is not None:
        problem = no_hand(*seen, seen_block[row], "visible ")
    if problem:
        return problem
    joker_kind = rules.joker_kind
    if joker_kind is not None and n_jokers + counts[joker_kind] > N_JOKERS_MAX:
        own = f"{counts[joker_kind]} of {LETTERS[joker_kind]}"
        return f"expected at most {N_JOKERS_MAX} jokers, got {n_jokers} and {own}"
    size = sum(counts)
    beside = "".join(f" beside {n} {what}" for n, what in ((n_jokers, "jokers"), (n_melds, "melds")) if n)
    if size + n_jokers + 3 * n_melds > N_TILES_MAX:
        return f"expected at most {N_TILES_MAX} tiles, got {size}{beside}"
    if n_melds and size + n_jokers + 3 * n_melds < N_TILES_MAX - 1:
        return f"expected {N_TILES_MAX - 1 - 3 * n_melds} or {N_TILES_MAX - 3 * n_melds} tiles, got {size}{beside}"
    wanted = "3n + 2" if operation == DISCARDS else "3n + 1 or 3n + 2"
    return f"expected {wanted} tiles, got {size}{beside}"
