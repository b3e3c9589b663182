"""Winning hands of every family, with melds and flags, and what is asked about them: for mjcore and for PyMahjongGB."""

from __future__ import annotations

import sys
from pathlib import Path

import MahjongGB

import mjcore
from mjcore.scores import win_of

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from mcr_hands import arrays, context_of, gb_arguments, hand_text, winning_hands

N_HANDS = 2000
WINS = list(winning_hands(20261130, N_HANDS))
RULES = mjcore.rule_set("mcr")
QUESTIONS = [(mjcore.Hand(hand_text(win)), {"win_tile": win.win, **context_of(win)}) for win in WINS]
PEER_QUESTIONS = [gb_arguments(win) for win in WINS]


def made_ready():
    """Return the hands as `mjcore.scores.win_of` makes them ready."""
    return [
        win_of(hand, options["win_tile"], RULES, None, {k: v for k, v in options.items() if k != "win_tile"})
        for hand, options in QUESTIONS
    ]


def total(win):
    return win.total(RULES._program)


def score(question):
    """Return the score, whose fans and all that explains them are made when they are asked for."""
    return mjcore.score(question[0], **question[1])


def score_in_full(question):
    """Return all that a reader sees: fans with names, points, counts and groups, what is excluded, payments."""
    score = mjcore.score(question[0], **question[1])
    fans = [(fan.id, fan.zh, fan.en, fan.points, fan.count, fan.groups) for fan in score.fans]
    return score.total, fans, score.excluded, score.decomposition, score.payments


def peer_fans(arguments):
    return MahjongGB.MahjongFanCalculator(*arguments)


def peer_total(arguments):
    return sum(points * count for points, count, *_ in peer_fans(arguments))


def as_arrays():
    """Return the arguments of `mjcore.batch.score`."""
    return arrays(WINS)
