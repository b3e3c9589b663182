"""Waits as a Python user feels them, beside an empty call and a peer."""

from __future__ import annotations

import pytest
from peers import peer_counts, peer_mask
from workloads import hands
from xiangting import PlayerCount, calculate_necessary_tiles

import mjcore

GROUP = "ting, ready"


def peer_waits(row):
    distance, mask = calculate_necessary_tiles(row, PlayerCount.FOUR)
    return peer_mask(mask) if distance == 1 else 0


def right_answers(vecs):
    return [peer_waits(bytes(peer_counts(vec))) for vec in vecs]


def bench_empty_call(measure, compiled):
    measure(compiled["empty_call"].empty, hands("ready"), group=GROUP, family="ready")


def bench_hit(measure):
    vecs = hands("ready")
    assert [mjcore.ting(vec).mask for vec in vecs] == right_answers(vecs)
    measure(mjcore.ting, vecs, group=GROUP, family="ready")
    assert mjcore.cache_info().hits >= len(vecs)


def bench_cold(measure, no_cache):
    vecs = hands("ready")
    measure(mjcore.ting, vecs, group=GROUP, family="ready")
    assert [mjcore.ting(vec).mask for vec in vecs] == right_answers(vecs)


def bench_cold_random(measure, no_cache):
    vecs = hands("random 13")
    measure(mjcore.ting, vecs, group=GROUP, family="random 13")
    assert [mjcore.ting(vec).mask for vec in vecs] == right_answers(vecs)


def bench_xiangting(measure):
    vecs = hands("ready")
    rows = [bytes(peer_counts(vec)) for vec in vecs]
    four = PlayerCount.FOUR

    def call(row):
        return calculate_necessary_tiles(row, four)

    measure(call, rows, group=GROUP, family="ready")
    assert all(call(row)[0] == 1 for row in rows)


def bench_four_jokers(measure, no_cache):
    vecs = hands("ready with 4 jokers")
    answers = [mjcore.ting(vec, jokers=4) for vec in vecs]
    for vec, waits in zip(vecs, answers, strict=True):
        assert waits
        assert all(mjcore.is_hu(vec + mjcore.tile(kind), jokers=4) for kind in waits)
    measure(mjcore.ting, vecs, group="jokers", family="ready with 4 jokers", jokers=4)


@pytest.mark.parametrize("workers", [1, 2])
def bench_many(benchmark, workers):
    vecs = hands("ready") * 20
    benchmark.group = "ting_many"
    benchmark.extra_info.update(calls=len(vecs), family="ready", workers=workers)
    answers = benchmark(mjcore.ting_many, vecs, workers=workers)
    assert [answer.mask for answer in answers[: len(vecs) // 20]] == right_answers(hands("ready"))
