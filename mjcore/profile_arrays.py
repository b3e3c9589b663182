"""The suit-profile tables as arrays, for kernels on other devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mjcore.suit_tables import table_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Tables(NamedTuple):
    """
    Read-only arrays that give the distance of a hand from complete by indexing alone.

    For one suit, D[p][m] is the fewest tiles to add so that m melds and p eyes stand; the ten numbers
    are the suit's profile.  A suit is read three ranks, one chunk, at a time.

    Attributes
    ----------
    chunks : (4096,) uint32
        By three counts, ``c0 + 16 * c1 + 256 * c2``: the number of the chunk in bits 25 .. 31
        (``c0 + 5 * c1 + 25 * c2``), 1 for a count above four in bit 20, kinds held twice or more in bits
        14 .. 19, kinds in bits 8 .. 13, tiles in bits 0 .. 7.
    suit1, suit2, suit3 : (128,) uint8, (n, 128) uint16, (n, 128) uint8
        By the number of the first chunk: a state; by state and number of the second: a state; by state and
        number of the third: the suit's profile.
    honors1, honors2, honors3 : (128,) uint8, (n, 128) uint8, (n, 128) uint8
        The same for the seven honors, the last chunk being one kind.
    sums : (n, n) uint8
        By two profiles: the profile of both together.
    profiles : (n, 2, 5) uint8
        By profile: D[p][m].  99 where nothing is enough.
    distances : (5, n, n) uint8
        By n and two profiles: twice D[1][n] of both together, plus 1 if one tile more in the suit of the
        second brings the whole nearer.  Shanten of the standard form is half of that, rounded down, less one, and
        less the jokers beside the hand, which the reading "free" is for.
    """

    chunks: NDArray[np.uint32]
    suit1: NDArray[np.uint8]
    suit2: NDArray[np.uint16]
    suit3: NDArray[np.uint8]
    honors1: NDArray[np.uint8]
    honors2: NDArray[np.uint8]
    honors3: NDArray[np.uint8]
    sums: NDArray[np.uint8]
    profiles: NDArray[np.uint8]
    distances: NDArray[np.uint8]


def tables(reading: str = "capped") -> Tables:
    """
    Return the suit-profile tables as read-only arrays.

    Parameters
    ----------
    reading : {"capped", "free"}
        Whether no kind of the finished hand has more than four copies, or a joker may stand for a fifth.

    Returns
    -------
    Tables
        Views of memory that belongs to mjcore; nothing is copied.

    Raises
    ------
    ValueError
        If there is no such reading.

    Examples
    --------
    The distance of 123m 11p from one meld and eyes, by hand:

    >>> import mjcore
    >>> t = mjcore.tables()
    >>> def profile(c0, c1, c2):
    ...     numbers = [t.chunks[c0] >> 25, t.chunks[c1] >> 25, t.chunks[c2] >> 25]
    ...     return t.suit3[t.suit2[t.suit1[numbers[0]], numbers[1]], numbers[2]]
    >>> m, p = profile(0x111, 0, 0), profile(0x002, 0, 0)
    >>> int(t.distances[1, m, p]) // 2
    0
    """
    if reading not in ("capped", "free"):
        raise ValueError(f"expected a reading of capped or free, got {reading!r}")
    arrays = {
        name: np.ndarray(shape, code, memory, strides=strides)
        for name, (memory, code, shape, strides) in table_memory(reading).items()
    }
    return Tables(**arrays)
