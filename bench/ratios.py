"""
Measure the questions and their peers in turn, round after round, and print them with their ratios.

    python bench/ratios.py [ROUNDS]

On a machine whose speed changes from second to second, a slow spell hits every line alike; each keeps its
fastest round.  The answers are compared before anything is timed.
"""

from __future__ import annotations

import platform
import sys
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import score_questions as scores
from conftest import compile_helpers
from mahjong.agari import Agari
from peers import peer_counts, peer_ids
from riichienv import _riichienv as riichienv
from workloads import hands
from xiangting import (
    PlayerCount,
    calculate_necessary_tiles,
    calculate_replacement_number,
    calculate_unnecessary_tiles,
)

import mjcore
from mjcore import batch, chunks

FOUR = PlayerCount.FOUR


def questions(empty):
    """Return (name, call, hands, cache size or None for arrays) for each line."""
    lines = []
    for family in ("random", "winning"):
        vecs = hands(family)
        rows = [bytes(peer_counts(vec)) for vec in vecs]
        counts = [list(row) for row in rows]
        cached = lru_cache(16384)(mjcore.is_hu)
        assert [mjcore.is_hu(vec) for vec in vecs] == [Agari.is_agari(row) for row in counts]
        lines += [
            (f"empty call, {family}", empty, vecs, 0),
            (f"is_hu, hit, {family}", mjcore.is_hu, vecs, 16384),
            (f"is_hu, cache off, {family}", mjcore.is_hu, vecs, 0),
            (f"is_hu behind functools.lru_cache, {family}", cached, vecs, 0),
            (f"mahjong, {family}", Agari.is_agari, counts, 0),
            (f"xiangting, {family}", lambda row: calculate_replacement_number(row, FOUR), rows, 0),
        ]
    vecs = hands("ready")
    rows = [bytes(peer_counts(vec)) for vec in vecs]
    lines += [
        ("ting, hit, ready", mjcore.ting, vecs, 16384),
        ("ting, cache off, ready", mjcore.ting, vecs, 0),
        ("ting with 4 jokers, cache off", lambda vec: mjcore.ting(vec, jokers=4), hands("ready with 4 jokers"), 0),
        ("is_hu with 4 jokers, cache off", lambda vec: mjcore.is_hu(vec, jokers=4), hands("winning with 4 jokers"), 0),
        ("xiangting waits, ready", lambda row: calculate_necessary_tiles(row, FOUR), rows, 0),
        ("shanten, random", mjcore.shanten, hands("random"), 0),
        ("useful_tiles, random 13", mjcore.useful_tiles, hands("random 13"), 0),
        ("riichienv shanten, random", riichienv.calculate_shanten, [peer_ids(vec) for vec in hands("random")], 0),
    ]
    melds = ("1245m 79p E [123m] [789p]", "2334m SSE [444m] [WWW]", "13s [222s] [111m] [EEE] [345s]")
    lines.append(
        ("shanten of a Hand, melds share kinds", mjcore.shanten, [mjcore.Hand(text) for text in melds] * 300, 0)
    )
    rows = [bytes(peer_counts(vec)) for vec in hands("random 13")]
    lines.append(("xiangting waits, random 13", lambda row: calculate_necessary_tiles(row, FOUR), rows, 0))
    rows = [bytes(peer_counts(vec)) for vec in hands("random")]
    lines.append(("xiangting unnecessary tiles, random", lambda row: calculate_unnecessary_tiles(row, FOUR), rows, 0))
    return lines + array_lines()


def counts_of(family, repeat=20):
    """Return rows of counts; fewer for slow questions, so that a round fits between two switches of the scheduler."""
    return np.tile(np.array([mjcore.unpack(vec) for vec in hands(family)], np.uint8), (repeat, 1))


def array_lines():
    """Return the lines about arrays of hands."""
    lines = []
    for family in ("random", "winning", "one suit", "four of a kind"):
        counts = counts_of(family)
        lanes = batch.pack(counts)
        assert (batch.shanten(lanes) == batch.shanten(counts)).all()
        if family == "random":
            lines.append(("reading lanes alone", lambda rows: rows.sum(), lanes, None))
        for form, array in (("lanes", lanes), ("counts", counts)):
            lines.append((f"batch.is_hu, {form}, {family}", batch.is_hu, array, None))
            lines.append((f"batch.shanten, {form}, {family}", batch.shanten, array, None))
    counts = counts_of("random")
    n_jokers = np.arange(len(counts), dtype=np.uint8) % 5
    for row, most in zip(counts, n_jokers.tolist(), strict=True):
        while row.sum() > 14 - most:
            row[np.flatnonzero(row)[0]] -= 1
    for form, array in (("lanes", batch.pack(counts)), ("counts", counts)):
        call = partial(batch.shanten, jokers=n_jokers)
        lines.append((f"batch.shanten, 0 to 4 jokers a row, {form}", call, array, None))
    lanes = batch.pack(counts_of("random"))
    lines.append(("batch.shanten, lanes, random, without AVX2", without_avx2, lanes, None))
    for family in ("ready", "random 13"):
        counts = counts_of(family, 4)
        for form, array in (("lanes", batch.pack(counts)), ("counts", counts)):
            lines.append((f"batch.waits, {form}, {family}", batch.waits, array, None))
            lines.append((f"batch.useful, {form}, {family}", batch.useful, array, None))
    for family in ("random", "winning"):
        lanes = batch.pack(counts_of(family, 1))
        out = batch.discards(lanes)
        lines.append((f"batch.discards, lanes, {family}", partial(batch.discards, out=tuple(out)), lanes, None))
    million = np.tile(batch.pack(counts_of("random")), (25, 1))
    for n in (1, 2):
        lines.append((f"batch.shanten, a million rows, {n} workers", partial(batch.shanten, workers=n), million, None))
    return lines


def score_lines():
    """Return the lines about scores and advice."""
    made = scores.made_ready()
    assert [scores.total(win) for win in made] == [scores.peer_total(asked) for asked in scores.PEER_QUESTIONS]
    lines = [
        ("PyMahjongGB, list of fans", scores.peer_fans, scores.PEER_QUESTIONS, 0),
        ("total of a hand made ready", scores.total, made, 0),
        ("score", scores.score, scores.QUESTIONS, 0),
        ("score, all that explains it", scores.score_in_full, scores.QUESTIONS, 0),
    ]
    rows = {name: np.concatenate([values] * 50) for name, values in scores.as_arrays().items()}
    for n in (1, 2):
        lines.append(
            (f"batch.score, {n} workers", lambda _, n=n: batch.score(workers=n, **rows), rows["win_tile"], None)
        )
    lines += [
        ("evaluate, ready", mjcore.evaluate, hands("ready"), 0),
        ("evaluate, 14 tiles, random", mjcore.evaluate, hands("random"), 0),
        ("rank_discards, efficiency, random", mjcore.rank_discards, hands("random"), 0),
        ("rank_discards, article, random", partial(mjcore.rank_discards, policy="article"), hands("random"), 0),
        ("batch.evaluate, random 13", batch.evaluate, counts_of("random 13", 1), None),
        ("batch.rank_discards, random", batch.rank_discards, counts_of("random", 1), None),
    ]
    return lines


def without_avx2(rows):
    chunks.use_avx2(False)
    batch.shanten(rows)
    chunks.use_avx2(True)


def measure(call, array, cache):
    """Return nanoseconds a hand of one round."""
    if cache is None:
        call(array)  # its memory is there and warm, as for the lines above
        start = perf_counter()
        call(array)
    else:
        mjcore.cache_resize(cache)
        if cache:
            for hand in array:
                call(hand)
        start = perf_counter()
        for hand in array:
            call(hand)
    return (perf_counter() - start) / len(array) * 1e9


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with TemporaryDirectory() as folder:
        empty = compile_helpers(Path(folder))["empty_call"].empty
        shapes, wins = questions(empty), score_lines()
        best = {name: float("inf") for name, *_ in shapes + wins}
        for _ in range(rounds):
            for name, call, array, cache in shapes + wins:
                best[name] = min(best[name], measure(call, array, cache))
    mjcore.cache_resize(16384)
    print(f"CPython {platform.python_version()}, {platform.machine()}, fastest of {rounds} rounds in turn")
    for lines, peer, title in (
        (shapes, "xiangting, random", "xiangting's win check"),
        (wins, "PyMahjongGB, list of fans", "PyMahjongGB"),
    ):
        print(f"\n| question | ns a hand | x empty call | x {title} |\n|---|---:|---:|---:|")
        for name, *_ in lines:
            time = best[name]
            print(f"| {name} | {time:.1f} | {time / best['empty call, random']:.2f} | {best[peer] / time:.1f} |")


if __name__ == "__main__":
    main()
