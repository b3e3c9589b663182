"""
Quality and the best discard of arrays of hands; `mjcore.batch` offers both functions.

Hands and the parameters `rules`, `where`, `out` and `workers` are as `mjcore.batch` describes them.  Beside a hand
stand, with the same leading shape,

melds : (..., 4) array of uint16
    Codes of its declared melds as `mjcore.encode_meld` gives them, 0 where there is none: the same that
    `mjcore.batch.score` takes.  Four codes alone are the melds of every hand.
visible : (..., 34) counts or (..., 4) lanes
    Tiles seen outside hand, melds and rivers.
rivers : (..., 3, length) int array
    Discards of the opponents, oldest first; -1 fills up.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mjcore import advice, batch, batch_loops, quality, quality_rows
from mjcore.hand import Hand
from mjcore.hand_arrays import N_LANES, asked_rows, deliver, hand_array, row_name, to_shape
from mjcore.meld_codes import KNOWN_BITS, decode_meld
from mjcore.tiles import N_KINDS, InvalidHandError
from mjcore.workers import PIECE, SLOW_PIECE, check_workers, run_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from mjcore.danger import DangerTable
    from mjcore.hand_rules import HandRules

N_OPPONENTS = 3
N_MELDS_MAX = 4

__all__ = ["BestDiscards", "Qualities", "evaluate", "rank_discards"]


class Qualities(NamedTuple):
    """Answers of `evaluate`, named as in `mjcore.HandQuality`; waits are masks, discard is -1 for none."""

    quality: NDArray[np.float64]
    entropy: NDArray[np.float64]
    entropy_raw: NDArray[np.float64]
    entropy_norm: NDArray[np.float64]
    expected_live: NDArray[np.float64]
    coverage: NDArray[np.float64]
    progress: NDArray[np.float64]
    shanten: NDArray[np.int8]
    waits: NDArray[np.uint64]
    discard: NDArray[np.int8]


class BestDiscards(NamedTuple):
    """Answers of `rank_discards`: the kind, then shanten, useful kinds, live copies and score after it."""

    kind: NDArray[np.int8]
    shanten: NDArray[np.int8]
    useful: NDArray[np.uint64]
    live: NDArray[np.uint8]
    score: NDArray[np.float64]


def evaluate(
    hands: ArrayLike,
    *,
    mode: str | None = None,
    alpha: float | None = None,
    melds: ArrayLike | None = None,
    visible: ArrayLike | None = None,
    rivers: ArrayLike | None = None,
    rules: HandRules | str | None = None,
    targets: quality.Targets | Iterable[quality.Target | Mapping[str, object]] | None = None,
    survival: quality.Survival = quality._DEFAULT_SURVIVAL,
    where: ArrayLike | None = None,
    out: tuple[NDArray[Any], ...] | None = None,
    workers: int = 1,
) -> Qualities:
    """
    Return the quality of each hand with its parts; other parameters as for `mjcore.evaluate`.

    Returns
    -------
    Qualities
        Arrays of the leading shape; progress has a last axis of the targets.

    Examples
    --------
    >>> import mjcore.batch
    >>> hands = [mjcore.unpack(mjcore.parse(text)) for text in ("1112345678999m", "19m19s19pCFPESWN")]
    >>> answer = mjcore.batch.evaluate(hands, mode="competitive")
    >>> answer.quality.round(4), answer.shanten
    (array([0.4156, 0.6476]), array([0, 0], dtype=int8))
    """
    weight, _ = quality.read_mode(mode, alpha)
    read = quality.default_targets() if targets is None else quality.read_targets(targets)
    chances = quality.check_survival(survival)
    positions = _Positions(hands, melds, visible, rivers, rules, where)
    n = len(positions.checked)
    numbers = np.zeros((n, 6))
    progress = np.zeros((n, len(read)))
    shanten = np.zeros(n, np.int8)
    waits = np.zeros(n, np.uint64)
    discards = np.full(n, -1, np.int8)
    ask = partial(
        quality_rows.evaluate_rows,
        positions.checked,
        read,
        chances,
        weight,
        numbers,
        progress,
        shanten,
        waits,
        discards,
    )
    positions.run(ask, workers, lambda hand, **options: quality.evaluate(hand, **options))
    columns = [np.ascontiguousarray(numbers[:, i]) for i in range(6)]
    return Qualities(*positions.deliver((*columns, progress, shanten, waits, discards), out))


def rank_discards(
    hands: ArrayLike,
    *,
    policy: str = "efficiency",
    melds: ArrayLike | None = None,
    visible: ArrayLike | None = None,
    rivers: ArrayLike | None = None,
    danger_weight: float = advice.DANGER_WEIGHT,
    danger_table: DangerTable | None = None,
    rules: HandRules | str | None = None,
    weights: advice.ArticleWeights = advice.ArticleWeights(),  # noqa: B008  immutable
    where: ArrayLike | None = None,
    out: tuple[NDArray[Any], ...] | None = None,
    workers: int = 1,
) -> BestDiscards:
    """
    Return the first row of `mjcore.rank_discards` for each hand; other parameters as there.

    Parameters
    ----------
    policy : {"efficiency", "article"}
        What comes first: of the lowest shanten the tile that leaves most live useful copies, then of the highest
        discard score; or the highest discard score.  Chances to win are asked for hand by hand, by
        `mjcore.rank_discards` with its `draws`.

    Returns
    -------
    BestDiscards
        Arrays of the leading shape.

    Notes
    -----
    Nothing is known of the hand before the draw, so its wait kinds (`waits_before`) are 0.

    Examples
    --------
    >>> import mjcore.batch
    >>> answer = mjcore.batch.rank_discards(mjcore.unpack(mjcore.parse("1112234568999pF")))
    >>> mjcore.tile_name(answer.kind), int(answer.shanten), int(answer.live)
    ('F', 0, 4)
    """
    place = advice.check_policy(policy)
    danger_weight = advice.read_danger_weight(danger_weight)
    table = advice.read_danger_table(danger_table)
    advice.check_weights(weights)
    positions = _Positions(hands, melds, visible, rivers, rules, where)
    n = len(positions.checked)
    answers = (
        np.full(n, -1, np.int8),
        np.zeros(n, np.int8),
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint8),
        np.zeros(n),
    )
    ask = partial(quality_rows.discard_best, positions.checked, table.values, weights, danger_weight, place, *answers)
    positions.run(ask, workers, lambda hand, **options: advice.rank_discards(hand, **options))
    return BestDiscards(*positions.deliver(answers, out))


class _Positions:
    """Hands and what stands beside them, read once; who changes an array meanwhile changes nothing here."""

    def __init__(
        self,
        hands: ArrayLike,
        melds: ArrayLike | None,
        visible: ArrayLike | None,
        rivers: ArrayLike | None,
        rules: HandRules | str | None,
        where: ArrayLike | None,
    ) -> None:
        self.shape = hand_array(hands).shape[:-1]
        asked = None if where is None else asked_rows(where, self.shape)
        self.hands = _lanes(hands, asked)
        self.visible = None if visible is None else _lanes(visible, asked)
        if self.visible is not None and self.visible.shape[:-1] != self.shape:
            raise ValueError(f"expected visible tiles for hands of shape {self.shape}, got {self.visible.shape[:-1]}")
        self.melds = None if melds is None else _meld_codes(melds, self.shape, asked)
        self.rivers = None if rivers is None else _river_kinds(rivers, self.shape, asked)
        self.rules = batch._rules(rules)
        n = int(np.prod(self.shape, dtype=np.int64))
        self.checked = quality_rows.Positions(
            self.hands.reshape(n, N_LANES),
            None if self.melds is None else self.melds.reshape(-1, N_MELDS_MAX),
            None if self.visible is None else self.visible.reshape(-1, N_LANES),
            None if self.rivers is None else self.rivers.reshape(n, *self.rivers.shape[-2:]),
            asked,
            self.rules,
        )

    def run(self, ask: Callable[[int, int], int], workers: int, scalar: Callable[..., object]) -> None:
        """Answer all rows; what is wrong with the first bad one is said by the function for one hand."""
        piece = PIECE if batch_loops.by_tables(self.rules) else SLOW_PIECE
        for bad in run_chunks(ask, len(self.checked), check_workers(workers), piece):
            if bad >= 0:
                at = np.unravel_index(bad, self.shape) if self.shape else ()
                name = row_name(bad, self.shape)
                try:
                    self._ask_one(at, scalar)
                except ValueError as error:
                    raise InvalidHandError(f"row {name}: {error}") from error
                raise InvalidHandError(f"row {name}: expected a hand")  # pragma: no cover

    def _ask_one(self, at: tuple[Any, ...], scalar: Callable[..., object]) -> None:
        hand = _as_int(self.hands[at])
        melds = [] if self.melds is None else [decode_meld(int(code)) for code in self.melds[at] if code]
        visible = None if self.visible is None else _as_int(self.visible[at])
        rivers = None if self.rivers is None else [[int(kind) for kind in row if kind >= 0] for row in self.rivers[at]]
        scalar(Hand(hand, melds=melds) if melds else hand, rivers=rivers, visible=visible, rules=self.rules)

    def deliver(self, answers: tuple[NDArray[Any], ...], out: tuple[NDArray[Any], ...] | None) -> Any:
        shaped = tuple(answer.reshape((*self.shape, *answer.shape[1:])) for answer in answers)
        return deliver(shaped, out)


def _lanes(hands: ArrayLike, asked: NDArray[np.uint8] | None) -> NDArray[np.uint64]:
    """Lanes of checked hands in an array of their own; rows that are not asked are empty."""
    array = _only_asked(hand_array(hands), asked, 0)
    return batch.pack(batch.unpack(array) if array.shape[-1] == N_LANES else array)


def _only_asked(array: NDArray[Any], asked: NDArray[np.uint8] | None, nothing: int) -> NDArray[Any]:
    """The array with nothing in the rows that are not asked."""
    if asked is None:
        return array
    return np.where(asked.reshape(*array.shape[:-1], 1) != 0, array, np.array(nothing, array.dtype))


def _meld_codes(values: ArrayLike, shape: tuple[int, ...], asked: NDArray[np.uint8] | None) -> NDArray[np.uint16]:
    array = _integers(values, "melds")
    if array.ndim == 0 or array.shape[-1] != N_MELDS_MAX:
        raise ValueError(f"expected a last axis of {N_MELDS_MAX} melds, got shape {array.shape}")
    array = _only_asked(to_shape(array, (*shape, N_MELDS_MAX), "melds"), asked, 0)
    _check_range(array, "melds", 0, KNOWN_BITS)
    return np.array(array, np.uint16, order="C")


def _river_kinds(values: ArrayLike, shape: tuple[int, ...], asked: NDArray[np.uint8] | None) -> NDArray[np.int8]:
    array = _integers(values, "rivers")
    if array.ndim != len(shape) + 2 or array.shape[:-1] != (*shape, N_OPPONENTS):
        raise ValueError(f"expected rivers of shape {(*shape, N_OPPONENTS)} and a length, got {array.shape}")
    if asked is not None:
        array = np.where(asked.reshape(*shape, 1, 1) != 0, array, np.array(0, array.dtype))
    _check_range(array, "rivers", -1, N_KINDS - 1)
    return np.array(array, np.int8, order="C")


def _integers(values: ArrayLike, name: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"expected integers for {name}, got dtype {array.dtype}")
    return array


def _check_range(array: NDArray[Any], name: str, least: int, most: int) -> None:
    if array.size and not least <= int(array.min()) <= int(array.max()) <= most:
        place = tuple(int(i) for i in np.argwhere((array < least) | (array > most))[0])
        raise InvalidHandError(f"{name}[{', '.join(map(str, place))}]: expected {least} to {most}, got {array[place]}")


def _as_int(lanes: NDArray[np.uint64]) -> int:
    return sum(int(lane) << 36 * i for i, lane in enumerate(lanes))
