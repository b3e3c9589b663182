"""Hand quality and ranked discards: of one hand as a Python user feels them, and of arrays."""

from __future__ import annotations

import numpy as np
from workloads import hands

import mjcore
from mjcore import batch

RIVERS = [[1, 2, 3, 4, 5, 30, 31, 20], [4, 9, 12, 13, 14, 15, 33], [22, 24, 8, 7, 6]]
REPEAT = 10


def bench_evaluate(measure):
    vecs = hands("ready")
    measure(lambda vec: mjcore.evaluate(vec), vecs, group="quality", family="ready")
    answers = [mjcore.evaluate(vec) for vec in vecs]
    assert all(0 < answer.quality < 1 and answer.shanten == 0 for answer in answers)


def bench_evaluate_with_rivers(measure):
    vecs = hands("ready")
    measure(lambda vec: mjcore.evaluate(vec, rivers=RIVERS), vecs, group="quality", family="ready")
    assert all(0 < mjcore.evaluate(vec, rivers=RIVERS).quality < 1 for vec in vecs)


def bench_evaluate_fourteen(measure):
    vecs = hands("random")
    measure(lambda vec: mjcore.evaluate(vec), vecs, group="quality", family="random")
    assert all(mjcore.evaluate(vec).discard is not None for vec in vecs)


def bench_rank_discards_by_article(measure):
    vecs = hands("random")

    def call(vec):
        return mjcore.rank_discards(vec, policy="article", rivers=RIVERS)

    measure(call, vecs, group="discard advice", family="random")
    assert all(vec >> 4 * call(vec).best & 7 for vec in vecs)


def bench_rank_discards_by_efficiency(measure):
    vecs = hands("random")
    measure(lambda vec: mjcore.rank_discards(vec), vecs, group="discard advice", family="random")
    assert all(mjcore.rank_discards(vec)[0].shanten == mjcore.shanten(vec) for vec in vecs)


def bench_batch_evaluate(benchmark):
    counts = np.tile(np.array([mjcore.unpack(vec) for vec in hands("random 13")], np.uint8), (REPEAT, 1))
    benchmark.group = "arrays of quality"
    benchmark.extra_info.update(calls=len(counts), family="random 13")
    answer = benchmark(batch.evaluate, counts)
    assert ((answer.quality > 0) & (answer.quality < 1)).all()


def bench_batch_rank_discards(benchmark):
    counts = np.tile(np.array([mjcore.unpack(vec) for vec in hands("random")], np.uint8), (REPEAT, 1))
    benchmark.group = "arrays of quality"
    benchmark.extra_info.update(calls=len(counts), family="random")
    answer = benchmark(batch.rank_discards, counts)
    assert (answer.shanten == batch.shanten(counts)).all()
