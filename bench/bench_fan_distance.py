"""How far hands are from a fan: one call, and arrays."""

from __future__ import annotations

import numpy as np
import pytest
from workloads import hands

import mjcore
from mjcore import batch, fan_batch
from mjcore.fan_targets import EXACT_FANS

FAMILIES = ["random", "winning", "one suit", "four of a kind"]
FANS = ["full_flush", "half_flush", "mixed_straight", "mixed_double_chow", "all_pungs", "seven_pairs"]


@pytest.mark.parametrize("fan", FANS)
@pytest.mark.parametrize("family", FAMILIES)
def bench_one_hand(benchmark, family, fan):
    vecs = hands(family)
    benchmark.group = f"toward a fan, {family}"
    benchmark.extra_info.update(calls=len(vecs), family=family)
    found = benchmark(lambda: [mjcore.fan_distance(vec, fan) for vec in vecs])
    assert min(found) >= min(mjcore.shanten(vec, rules="mcr") for vec in vecs)


@pytest.mark.parametrize("family", FAMILIES)
def bench_every_fan(benchmark, family):
    lanes = batch.pack(np.array([mjcore.unpack(vec) for vec in hands(family)], np.uint8))
    benchmark.group = f"toward a fan, {family}"
    benchmark.extra_info.update(calls=len(lanes) * len(EXACT_FANS), family=family)
    found = benchmark(lambda: np.stack([fan_batch.fan_distance(lanes, fan) for fan in EXACT_FANS]))
    assert (found.min(axis=0) >= batch.shanten(lanes, rules="mcr")).all()
