"""Scores of winning hands of every family, with melds and flags, beside PyMahjongGB on the same hands."""

from __future__ import annotations

import numpy as np
import pytest
from score_questions import (
    PEER_QUESTIONS,
    QUESTIONS,
    as_arrays,
    made_ready,
    peer_fans,
    peer_total,
    score,
    score_in_full,
    total,
)

from mjcore import batch

N_COPIES = 50
"""The arrays are as many times the hands, so that two workers have something to do."""


@pytest.fixture(scope="module")
def totals():
    return [score(question).total for question in QUESTIONS]


def bench_total(measure, totals):
    """Total alone, from hands made ready."""
    made = made_ready()
    measure(total, made, group="score", family="mcr")
    assert [total(win) for win in made] == totals


def bench_score(measure, totals):
    measure(score, QUESTIONS, group="score", family="mcr")
    assert [score(question).total for question in QUESTIONS] == totals


def bench_score_in_full(measure, totals):
    measure(score_in_full, QUESTIONS, group="score", family="mcr")
    assert [score_in_full(question)[0] for question in QUESTIONS] == totals


def bench_peer(measure, totals):
    measure(peer_fans, PEER_QUESTIONS, group="score", family="mcr")
    assert [peer_total(arguments) for arguments in PEER_QUESTIONS] == totals


@pytest.mark.parametrize("workers", [1, 2])
def bench_batch(benchmark, workers, totals):
    questions = {name: np.concatenate([values] * N_COPIES) for name, values in as_arrays().items()}
    benchmark.group = "score"
    benchmark.extra_info.update(calls=N_COPIES * len(totals), family="mcr")
    answer = benchmark(batch.score, workers=workers, **questions)
    assert answer.total.tolist() == totals * N_COPIES
