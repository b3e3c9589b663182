import numpy as np
from numpy.typing import NDArray

from mjcore.programs import Program
from mjcore.rows import Rows

OK: int
NOT_A_WIN: int
BELOW_MINIMUM: int
BAD_HAND: int
BAD_MELD: int
BAD_WIN_TILE: int
BAD_CONTEXT: int
NOT_ASKED: int

def score_rows(
    hands: Rows,
    melds: NDArray[np.uint16],
    win_tiles: NDArray[np.uint8],
    flags: NDArray[np.uint32],
    others: NDArray[np.uint8],
    asked: NDArray[np.uint8] | None,
    program: Program,
    normalise: bool,
    totals: NDArray[np.int32],
    status: NDArray[np.uint8],
    payments: NDArray[np.int32],
    counts: NDArray[np.uint8],
    start: int,
    stop: int,
) -> None: ...
