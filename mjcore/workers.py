"""Threads for calls that search many hands: one warm pool, work cut into chunks."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ThreadPoolExecutor

WORKERS_MAX = 256
CHUNK_MIN = 256
"""Fewest rows that are worth a thread of their own."""

_lock = threading.Lock()
_pools: dict[int, ThreadPoolExecutor] = {}


def check_workers(workers: object) -> int:
    """
    Return a number of threads.

    Raises
    ------
    TypeError
        If it is not an integer.
    ValueError
        If it is not 1 to 256.
    """
    if isinstance(workers, bool) or not hasattr(workers, "__index__"):
        raise TypeError(f"expected a number of workers, got {type(workers).__name__}")
    number = int(workers.__index__())
    if not 1 <= number <= WORKERS_MAX:
        raise ValueError(f"expected 1 to {WORKERS_MAX} workers, got {number}")
    return number


def run_chunks(work: Callable[[int, int], object], n: int, workers: int) -> None:
    """
    Call ``work(start, stop)`` so that every row of 0 .. n is in one call.

    Parameters
    ----------
    work : callable
        Releases the global interpreter lock while it runs.
    n : int
        Number of rows.
    workers : int
        Threads to use; the calling thread takes a chunk too.
    """
    chunks = max(1, min(workers, n // CHUNK_MIN))
    bounds = [n * i // chunks for i in range(chunks + 1)]
    if chunks == 1:
        work(0, n)
        return
    pool = _pool(chunks - 1)
    waiting = [pool.submit(work, bounds[i], bounds[i + 1]) for i in range(1, chunks)]
    try:
        work(bounds[0], bounds[1])
    finally:
        for future in waiting:
            future.result()


def _pool(size: int) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    with _lock:
        if size not in _pools:
            _pools[size] = ThreadPoolExecutor(size, thread_name_prefix="mjcore")
        return _pools[size]


def _forget_pools() -> None:
    """Threads do not survive a fork; a child makes its own pool."""
    global _lock
    _lock = threading.Lock()
    _pools.clear()


def _register() -> None:
    import os

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget_pools)


_register()
