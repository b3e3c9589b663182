"""Arrays of hands, beside a loop that only reads them and peers called hand by hand."""

from __future__ import annotations

import numpy as np
import pytest
from peers import peer_counts, peer_ids, peer_mask
from riichienv import _riichienv as riichienv
from workloads import hands
from xiangting import (
    PlayerCount,
    calculate_necessary_tiles,
    calculate_replacement_number,
    calculate_unnecessary_tiles,
)

import mjcore
from mjcore import batch

FAMILIES = ["random", "winning", "one suit", "four of a kind"]
FORMS = ["lanes", "counts"]
REPEAT = 20
FOUR = PlayerCount.FOUR


def rows(family, form="counts", repeat=REPEAT):
    counts = np.array([mjcore.unpack(vec) for vec in hands(family)], np.uint8)
    counts = np.tile(counts, (repeat, 1))
    return batch.pack(counts) if form == "lanes" else counts


def run(benchmark, question, array, *, group, family, expected=None, **options):
    benchmark.group = group
    benchmark.extra_info.update(calls=len(array), family=family)
    answer = benchmark(question, array, **options)
    if expected is not None:
        first = answer[0] if isinstance(answer, tuple) else answer
        assert first[: len(expected)].tolist() == expected
    return answer


def shanten_of(family):
    return [calculate_replacement_number(bytes(peer_counts(vec)), FOUR) - 1 for vec in hands(family)]


@pytest.mark.parametrize("family", FAMILIES)
def bench_read_only(benchmark, compiled, family):
    run(benchmark, compiled["kernel_loops"].read_only, rows(family, "lanes"), group=f"batch, {family}", family=family)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("family", FAMILIES)
def bench_is_hu(benchmark, family, form):
    expected = [mjcore.is_hu(vec) for vec in hands(family)]
    run(benchmark, batch.is_hu, rows(family, form), group=f"batch, {family}", family=family, expected=expected)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("family", FAMILIES)
def bench_shanten(benchmark, family, form):
    array = rows(family, form)
    run(benchmark, batch.shanten, array, group=f"batch, {family}", family=family, expected=shanten_of(family))


@pytest.mark.parametrize("form", FORMS)
def bench_shanten_jokers(benchmark, form):
    """0 to 4 jokers a row, taken for tiles of a random hand."""
    counts = rows("random")
    jokers = np.arange(len(counts)) % 5
    for row, n in zip(counts, jokers, strict=True):
        for kind in np.flatnonzero(row)[:n]:
            row[kind] -= 1
    array = batch.pack(counts) if form == "lanes" else counts
    expected = [mjcore.shanten(row, jokers=int(n)) for row, n in zip(counts[:200], jokers[:200], strict=True)]
    run(benchmark, batch.shanten, array, group="batch, jokers", family="random", expected=expected, jokers=jokers)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("family", ["random 13", "ready"])
def bench_waits(benchmark, family, form):
    answer = run(benchmark, batch.waits, rows(family, form), group=f"batch, {family}", family=family)
    peer = [calculate_necessary_tiles(bytes(peer_counts(vec)), FOUR) for vec in hands(family)]
    assert answer[: len(peer)].tolist() == [peer_mask(mask) if distance == 1 else 0 for distance, mask in peer]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("family", ["random 13", "ready"])
def bench_useful(benchmark, family, form):
    answer = run(benchmark, batch.useful, rows(family, form), group=f"batch, {family}", family=family)
    peer = [calculate_necessary_tiles(bytes(peer_counts(vec)), FOUR)[1] for vec in hands(family)]
    assert answer.kinds[: len(peer)].tolist() == [peer_mask(mask) for mask in peer]


def bench_discards(benchmark):
    array = rows("random", "lanes", 1)
    answer = run(benchmark, batch.discards, array, group="batch, discards", family="random")
    for row, vec in zip(answer.shanten[:200], hands("random"), strict=False):
        rows_of = mjcore.discards(vec)
        assert [row[kind] for kind in rows_of] == [live.shanten for live in rows_of.values()]


@pytest.mark.parametrize("workers", [1, 2])
def bench_workers(benchmark, workers):
    array = np.tile(rows("random", "lanes"), (25, 1))
    benchmark.group = "batch, a million hands"
    benchmark.extra_info.update(calls=len(array), family="random", workers=workers)
    answer = benchmark(batch.shanten, array, workers=workers)
    assert answer[: len(hands("random"))].tolist() == shanten_of("random")


@pytest.mark.parametrize("family", FAMILIES)
def bench_xiangting_shanten(measure, family):
    array = [bytes(peer_counts(vec)) for vec in hands(family)]
    measure(lambda row: calculate_replacement_number(row, FOUR), array, group=f"batch, {family}", family=family)
    assert all(calculate_replacement_number(row, FOUR) >= 0 for row in array)


@pytest.mark.parametrize("family", ["random 13", "ready"])
def bench_xiangting_necessary(measure, family):
    array = [bytes(peer_counts(vec)) for vec in hands(family)]
    measure(lambda row: calculate_necessary_tiles(row, FOUR), array, group=f"batch, {family}", family=family)
    assert all(calculate_necessary_tiles(row, FOUR)[0] > 0 for row in array)


def bench_xiangting_unnecessary(measure):
    array = [bytes(peer_counts(vec)) for vec in hands("random")]
    measure(lambda row: calculate_unnecessary_tiles(row, FOUR), array, group="batch, discards", family="random")
    assert calculate_unnecessary_tiles(array[0], FOUR)[1]


@pytest.mark.parametrize("family", ["random", "winning"])
def bench_riichienv_shanten(measure, family):
    array = [peer_ids(vec) for vec in hands(family)]
    measure(riichienv.calculate_shanten, array, group=f"batch, {family}", family=family)
    assert [riichienv.calculate_shanten(ids) for ids in array] == shanten_of(family)
