"""Scores of winning hands of every family, with melds and flags, beside PyMahjongGB on the same hands."""

from __future__ import annotations

import sys
from pathlib import Path

import MahjongGB
import pytest

import mjcore
from mjcore import batch
from mjcore.scores import win_of

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from mcr_hands import arrays, context_of, gb_arguments, hand_text, winning_hands

N_HANDS = 2000
WINS = list(winning_hands(20261130, N_HANDS))
TEXTS = [hand_text(win) for win in WINS]
RULES = mjcore.rule_set("mcr")


def texts_and_options():
    return [
        (mjcore.Hand(text), {"win_tile": win.win, **context_of(win)}) for text, win in zip(TEXTS, WINS, strict=True)
    ]


def totals():
    return [mjcore.score(hand, **options).total for hand, options in texts_and_options()]


def peer_total(arguments):
    return sum(points * count for points, count, *_ in MahjongGB.MahjongFanCalculator(*arguments))


def bench_total(measure):
    """Total alone, from hands made ready."""
    made = [win_of(hand, options.pop("win_tile"), RULES, None, options) for hand, options in texts_and_options()]
    program = RULES._program
    measure(lambda win: win.total(program), made, group="score", family="mcr")
    assert [win.total(program) for win in made] == totals()


def bench_score(measure):
    """The score with its total, fans and all that explains them made when asked for."""
    asked = texts_and_options()
    measure(lambda question: mjcore.score(question[0], **question[1]), asked, group="score", family="mcr")


def bench_score_in_full(measure):
    """All that a reader sees: fans with names, points, counts and groups, what is excluded, decomposition, payments."""

    def full(question):
        score = mjcore.score(question[0], **question[1])
        fans = [(fan.id, fan.zh, fan.en, fan.points, fan.count, fan.groups) for fan in score.fans]
        return score.total, fans, score.excluded, score.decomposition, score.payments

    measure(full, texts_and_options(), group="score", family="mcr")


def bench_peer(measure):
    peers = [gb_arguments(win) for win in WINS]
    measure(lambda arguments: MahjongGB.MahjongFanCalculator(*arguments), peers, group="score", family="mcr")
    assert [peer_total(arguments) for arguments in peers] == totals()


@pytest.mark.parametrize("workers", [1, 2])
def bench_batch(benchmark, workers):
    questions = arrays(WINS)
    benchmark.group = "score"
    benchmark.extra_info.update(calls=N_HANDS, family="mcr")
    answer = benchmark(batch.score, workers=workers, **questions)
    assert answer.total.tolist() == totals()
