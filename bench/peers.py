"""Hands in the form that each peer package reads fastest.  Its order is m p s E S W N white green red."""

from __future__ import annotations

import mjcore

PEER_ORDER = [*range(9), *range(18, 27), *range(9, 18), 30, 31, 32, 33, 29, 28, 27]
"""Our kind at each place of the 34 counts that mahjong and xiangting read."""


def peer_counts(vec: int) -> list[int]:
    """Return the 34 counts in the order of the peers."""
    counts = mjcore.unpack(vec)
    return [counts[kind] for kind in PEER_ORDER]


def peer_ids(vec: int) -> list[int]:
    """Return the ids of physical tiles, four to each kind in the order of the peers."""
    return [4 * place + copy for place, count in enumerate(peer_counts(vec)) for copy in range(count)]


def peer_mask(mask: int) -> int:
    """Return a mask of the peers' kinds as one of ours."""
    return sum(1 << kind for place, kind in enumerate(PEER_ORDER) if mask >> place & 1)
