"""Threads for calls that search many hands: one warm pool, work cut into chunks."""

from __future__ import annotations

import itertools
import threading

from mjcore.tiles import as_index, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ThreadPoolExecutor
    from typing import TypeVar

    _Result = TypeVar("_Result")

WORKERS_MAX = 256
CHUNK_MIN = 256
"""Fewest rows that are worth a thread of their own."""

PIECE = 1 << 16
"""Most rows of one call, so that Ctrl-C is heard between two of them."""

SLOW_PIECE = 1 << 8
"""The same where a row may take a millisecond."""

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None
_pool_size = 0


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
    number = as_index(workers)
    if number is None:
        raise TypeError(f"expected a number of workers, got {type(workers).__name__}")
    if not 1 <= number <= WORKERS_MAX:
        raise ValueError(f"expected 1 to {WORKERS_MAX} workers, got {shown(number)}")
    return number


def run_chunks(work: Callable[[int, int], _Result], n: int, workers: int, piece: int | None = None) -> list[_Result]:
    """
    Call ``work(start, stop)`` so that every row of 0 .. n is in one call; return the results in order.

    An error, or Ctrl-C, ends the calls of the other threads after the pieces they are at.

    Parameters
    ----------
    work : callable
        Releases the global interpreter lock while it runs.
    n : int
        Number of rows.
    workers : int
        Threads to use; the calling thread takes a chunk too.
    piece : int
        Most rows of one call, default `PIECE`.
    """
    most = PIECE if piece is None else piece
    is_over = False

    def run(first: int, last: int) -> list[_Result]:
        results = []
        for start in range(first, last, most) or (first,):
            if is_over:
                break
            results.append(work(start, min(start + most, last)))
        return results

    chunks = max(1, min(workers, n // CHUNK_MIN))
    bounds = [n * i // chunks for i in range(chunks + 1)]
    if chunks == 1:
        return run(0, n)
    from concurrent.futures import wait

    pool = warm_pool(chunks - 1)
    waiting = [pool.submit(run, bounds[i], bounds[i + 1]) for i in range(1, chunks)]
    try:
        results = run(bounds[0], bounds[1])
    except BaseException:
        is_over = True
        raise
    finally:
        wait(waiting)
    return [*results, *itertools.chain.from_iterable(future.result() for future in waiting)]


def warm_pool(size: int) -> ThreadPoolExecutor:
    """Return the one pool, with room for `size` threads at least; it grows and never shrinks."""
    from concurrent.futures import ThreadPoolExecutor

    global _pool, _pool_size
    with _lock:
        if _pool is None or _pool_size < size:
            # the threads of the one before end when the last call that holds it does
            _pool = ThreadPoolExecutor(size, thread_name_prefix="mjcore")
            _pool_size = size
        return _pool


def _forget_pool() -> None:
    """Threads do not survive a fork; a child makes its own pool."""
    global _lock, _pool, _pool_size
    _lock = threading.Lock()
    _pool = None
    _pool_size = 0


def _register() -> None:
    import os

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget_pool)


_register()
