"""The kernels from Cython, beside a loop that only reads the hands."""

from __future__ import annotations

import numpy as np
import pytest
from workloads import hands

import mjcore
import mjcore.batch


def lanes(family):
    return mjcore.batch.pack(np.array([mjcore.unpack(vec) for vec in hands(family)], np.uint8))


def run(benchmark, loop, family, expected=None):
    block = lanes(family)
    benchmark.group = f"from Cython, {family}"
    benchmark.extra_info.update(calls=len(block), family=family)
    answer = benchmark(loop, block)
    assert expected is None or answer == expected


@pytest.mark.parametrize("family", ["random", "winning", "ready"])
def bench_read_only(benchmark, compiled, family):
    run(benchmark, compiled["kernel_loops"].read_only, family)


@pytest.mark.parametrize("family", ["random", "winning"])
def bench_is_hu(benchmark, compiled, family):
    expected = sum(mjcore.is_hu(vec) for vec in hands(family))
    assert expected or family == "random"
    run(benchmark, compiled["kernel_loops"].count_hu, family, expected)


def bench_waits(benchmark, compiled):
    expected = sum(len(mjcore.ting(vec)) for vec in hands("ready"))
    assert expected > len(hands("ready"))
    run(benchmark, compiled["kernel_loops"].count_waits, "ready", expected)
