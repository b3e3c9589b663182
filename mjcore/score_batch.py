"""
Scores of arrays of winning hands: numpy in, numpy out.

A row that cannot be scored has the total -1 and a status that says why, so that nothing is a silent 0:

==================== ====================================================================================
`OK`                 0: a win of at least the minimum
`NOT_A_WIN`          1: the tiles are not complete in any form of the rules
`BELOW_MINIMUM`      2: a win of fewer points than the minimum; the total is there, the payments are 0
`BAD_HAND`           3: a count is not 0 to 4, a kind has a fifth copy, or there are not 13 or 14 tiles
`BAD_MELD`           4: a meld is none
`BAD_WIN_TILE`       5: the winning tile is no kind, or not among 14 tiles
`BAD_CONTEXT`        6: a wind is none, there are more than eight flowers, or flags contradict each other
`NOT_ASKED`          7: left out by `where`
==================== ====================================================================================
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mjcore import score_loops
from mjcore.hand_arrays import asked_rows, hand_array, to_shape
from mjcore.notation import kind_of
from mjcore.rows import Rows
from mjcore.rule_sets import as_rule_set
from mjcore.tiles import InvalidHandError
from mjcore.wins import FLAGS
from mjcore.workers import check_workers, run_chunks

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from mjcore.rule_sets import RuleSet

OK = score_loops.OK
NOT_A_WIN = score_loops.NOT_A_WIN
BELOW_MINIMUM = score_loops.BELOW_MINIMUM
BAD_HAND = score_loops.BAD_HAND
BAD_MELD = score_loops.BAD_MELD
BAD_WIN_TILE = score_loops.BAD_WIN_TILE
BAD_CONTEXT = score_loops.BAD_CONTEXT
NOT_ASKED = score_loops.NOT_ASKED

STATUS: tuple[str, ...] = (
    "OK",
    "NOT_A_WIN",
    "BELOW_MINIMUM",
    "BAD_HAND",
    "BAD_MELD",
    "BAD_WIN_TILE",
    "BAD_CONTEXT",
    "NOT_ASKED",
)
"""Name of each status."""

N_MELDS_MAX = 4


class Scores(NamedTuple):
    """
    Answers of `batch_score`, one for each hand.

    Attributes
    ----------
    total : (...,) ndarray of int32
        Points with the bonus fans, -1 where there is no score.
    status : (...,) ndarray of uint8
        Whether there is, and why not; `STATUS` has the names.
    payments : (..., 4) ndarray of int32
        What the winner gets and the three others pay; the discarder, where there is one, is the second.
    counts : (..., n_fans) ndarray of uint8
        How often each fan of ``rules.fans`` counts, 255 where it is more.
    """

    total: NDArray[np.int32]
    status: NDArray[np.uint8]
    payments: NDArray[np.int32]
    counts: NDArray[np.uint8]


def batch_score(
    hands: ArrayLike,
    *,
    win_tile: ArrayLike,
    melds: ArrayLike | None = None,
    flags: ArrayLike = 0,
    seat_wind: ArrayLike | str = "E",
    round_wind: ArrayLike | str = "E",
    flowers: ArrayLike = 0,
    rules: RuleSet | str = "mcr",
    where: ArrayLike | None = None,
    workers: int = 1,
) -> Scores:
    """
    Score arrays of winning hands.

    Parameters
    ----------
    hands : (..., 34) counts of any integer dtype, or (..., 4) lanes of uint64
        Concealed tiles; one tile short, a hand takes its winning tile in.
    win_tile : int or array of int
        Kind of the winning tile.  This and everything below broadcasts to the hands.
    melds : (..., 4) array of uint16, optional
        Declared melds as `mjcore.encode_meld` gives them, 0 for none: bits 0 to 5 the lowest kind, 6 to 8 the
        type (1 chow, 2 pung, 3 direct, 4 added, 5 concealed kong), 9 to 13 from whom and which tile, which
        no fan asks for; a code that `mjcore.decode_meld` refuses is no meld.
    flags : int or array of int
        Sum of the bits in `mjcore.wins.FLAGS`.
    seat_wind, round_wind : str, int or array of int
        Winds as letters or kinds.
    flowers : int or array of int
        Flowers and seasons.
    rules : RuleSet or str
        A rule set, or the name of one.
    where : bool array, optional
        Hands to answer.
    workers : int
        Threads.  The work runs without the global interpreter lock.

    Returns
    -------
    Scores
        total, status, payments and counts.

    Raises
    ------
    TypeError
        If something is not an array of integers.
    ValueError
        If shapes do not fit.

    Examples
    --------
    >>> import mjcore
    >>> from mjcore.score_batch import STATUS, batch_score
    >>> hands = [mjcore.unpack(mjcore.parse(text)) for text in ("2233445566778p", "2233445566779p")]
    >>> scores = batch_score(hands, win_tile=mjcore.kind_of("8p"))
    >>> scores.total.tolist(), [STATUS[status] for status in scores.status]
    ([90, -1], ['OK', 'NOT_A_WIN'])
    """
    n_workers = check_workers(workers)
    rule_set = as_rule_set(rules)
    array = hand_array(hands)
    shape = array.shape[:-1]
    n = math.prod(shape)
    if melds is None:
        melds = np.zeros(N_MELDS_MAX, np.uint16)
    others = np.empty((n, 3), np.uint8)
    for place, (values, name) in enumerate(
        ((seat_wind, "seat_wind"), (round_wind, "round_wind"), (flowers, "flowers"))
    ):
        others[:, place] = _per_hand(values, shape, np.uint8, name)
    arguments: tuple[Any, ...] = (
        Rows(array.reshape(n, array.shape[-1])),
        _per_hand(melds, (*shape, N_MELDS_MAX), np.uint16, "melds").reshape(n, N_MELDS_MAX),
        _per_hand(win_tile, shape, np.uint8, "win_tile"),
        _per_hand(flags, shape, np.uint32, "flags"),
        others,
        None if where is None else asked_rows(where, shape),
        rule_set._program,
        rule_set.options.get("context_policy") == "normalise",
    )
    scores = Scores(
        np.empty(n, np.int32),
        np.empty(n, np.uint8),
        np.empty((n, 4), np.int32),
        np.empty((n, len(rule_set.fans)), np.uint8),
    )
    answers: tuple[Any, ...] = (*arguments, *scores)
    run_chunks(partial(score_loops.score_rows, *answers), n, n_workers)
    return Scores(
        scores.total.reshape(shape),
        scores.status.reshape(shape),
        scores.payments.reshape(*shape, 4),
        scores.counts.reshape(*shape, len(rule_set.fans)),
    )


def flags_of(**fields: ArrayLike) -> NDArray[np.uint32]:
    """
    Return the flags of hands from bool arrays by the name of the field of `Context`.

    Raises
    ------
    TypeError
        If a name is not a flag, or its values are not bool.

    Examples
    --------
    >>> flags_of(self_drawn=[True, False], wall_last=True).tolist()
    [3, 2]
    """
    flags = np.zeros((), np.uint32)
    for name, values in fields.items():
        array = np.asarray(values)
        if name not in FLAGS or array.dtype != np.bool_:
            raise TypeError(f"expected bool arrays for flags of {', '.join(FLAGS)}, got {name} of {array.dtype}")
        flags = flags | array * np.uint32(FLAGS[name])
    return flags


def _per_hand(values: ArrayLike | str, shape: tuple[int, ...], dtype: type, name: str) -> NDArray[Any]:
    """One value for each hand, flat but for the melds of a hand."""
    if isinstance(values, str) and name.endswith(("wind", "tile")):
        try:
            values = kind_of(values)
        except InvalidHandError as error:
            raise InvalidHandError(f"{error} for {name}") from None
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected integers for {name}, got dtype {array.dtype}")
    if not np.can_cast(array.dtype, dtype):
        most = np.iinfo(dtype).max
        wrong = np.flatnonzero((array < 0) | (array > most))
        if wrong.size:
            raise ValueError(f"expected 0 to {most} for {name}, got {int(array.reshape(-1)[wrong[0]])}")
    if array.shape != shape:
        array = to_shape(array, shape, name)
    return np.ascontiguousarray(array, dtype).reshape(-1)
