"""The win check as a Python user feels it, beside an empty call and the peers."""

from __future__ import annotations

from functools import lru_cache

import pytest
from mahjong.agari import Agari
from peers import peer_counts
from workloads import hands
from xiangting import PlayerCount, calculate_replacement_number

import mjcore

FAMILIES = ["random", "winning"]


def right_answers(family, vecs):
    """Know the answers by another way than the one timed."""
    expected = [Agari.is_agari(peer_counts(vec)) for vec in vecs]
    assert any(expected) or family == "random"
    return expected


@pytest.mark.parametrize("family", FAMILIES)
def bench_empty_call(measure, compiled, family):
    measure(compiled["empty_call"].empty, hands(family), group=f"is_hu, {family}", family=family)


@pytest.mark.parametrize("family", FAMILIES)
def bench_hit(measure, family):
    vecs = hands(family)
    assert [mjcore.is_hu(vec) for vec in vecs] == right_answers(family, vecs)
    measure(mjcore.is_hu, vecs, group=f"is_hu, {family}", family=family)
    assert mjcore.cache_info().hits >= len(vecs)


@pytest.mark.parametrize("family", FAMILIES)
def bench_cold(measure, no_cache, family):
    vecs = hands(family)
    measure(mjcore.is_hu, vecs, group=f"is_hu, {family}", family=family)
    assert [mjcore.is_hu(vec) for vec in vecs] == right_answers(family, vecs)
    assert mjcore.cache_info().currsize == 0


@pytest.mark.parametrize("family", FAMILIES)
def bench_lru_cache_hit(measure, no_cache, family):
    vecs = hands(family)
    cached = lru_cache(maxsize=16384)(mjcore.is_hu)
    assert [cached(vec) for vec in vecs] == right_answers(family, vecs)
    measure(cached, vecs, group=f"is_hu, {family}", family=family)
    assert cached.cache_info().misses == len(set(vecs))


@pytest.mark.parametrize("family", FAMILIES)
def bench_mahjong(measure, family):
    vecs = hands(family)
    counts = [peer_counts(vec) for vec in vecs]
    measure(Agari.is_agari, counts, group=f"is_hu, {family}", family=family)
    assert [Agari.is_agari(row) for row in counts] == [mjcore.is_hu(vec) for vec in vecs]


@pytest.mark.parametrize("family", FAMILIES)
def bench_xiangting(measure, family):
    vecs = hands(family)
    rows = [bytes(peer_counts(vec)) for vec in vecs]
    four = PlayerCount.FOUR

    def call(row):
        return calculate_replacement_number(row, four)

    assert [call(row) == 0 for row in rows] == [mjcore.is_hu(vec) for vec in vecs]
    measure(call, rows, group=f"is_hu, {family}", family=family)


def bench_four_jokers_winning(measure, no_cache):
    vecs = hands("winning with 4 jokers")
    assert all(mjcore.is_hu(vec, jokers=4) for vec in vecs)
    measure(mjcore.is_hu, vecs, group="jokers", family="winning with 4 jokers", jokers=4)


def bench_four_jokers_random(measure, no_cache):
    vecs = hands("random with 4 jokers")
    assert sum(mjcore.is_hu(vec, jokers=4) for vec in vecs) < len(vecs) // 10
    measure(mjcore.is_hu, vecs, group="jokers", family="random with 4 jokers", jokers=4)


def bench_four_jokers_empty(measure, compiled):
    vecs = hands("winning with 4 jokers")
    measure(compiled["empty_call"].empty, vecs, group="jokers", family="winning with 4 jokers", jokers=4)
