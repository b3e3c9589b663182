"""Quality, advice, chances and games asked with what is nothing of the sort: errors that say what was expected."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import mjcore
from mjcore import calls, danger, plots, quality, simulator
from mjcore.advice import ArticleWeights
from mjcore.quality import Survival, Target

WAITING = "1122345p123678s"
DISCARDING = "1112234568999pF"
CALLED = "13m 5588s 456p EEE S"
TABLE = [[0.0] * 34] * 34
TARGET = {"name": "a", "zh": "b", "weight": 1, "measure": "tiles", "sets": ("123m",), "melds": "any"}


class Own(Exception):
    """Raised by an object that was given: it comes out as it is."""


class Raising:
    def __index__(self):
        raise Own

    __float__ = __iter__ = __len__ = __index__


class Posing:
    """As an int or a float, it is text."""

    def __index__(self):
        return "1"

    __float__ = __index__


JUNK = (
    None, "x", "", "1m1m1m1m1m", b"1m", [], [None], (1, 2), {}, {1: 2}, math.nan, math.inf, -math.inf, 10**400,
    -(10**400), -1, -1.5, 1j, True, Raising(), Posing(), object(), np.zeros(2), np.float64("nan"), range(3),
)  # fmt: skip


def four(**options):
    return simulator.four_players(**{"n_games": 4, **options})


def rates(name, **options):
    return getattr(four(policies="random"), name)(**options)


# For each function the arguments that may be anything.
CALLS = {
    "evaluate": (
        lambda **given: mjcore.evaluate(WAITING, **given),
        ("mode", "alpha", "rivers", "visible", "melds", "rules", "targets", "survival"),
    ),
    "rank_discards": (
        lambda **given: mjcore.rank_discards(DISCARDING, **given),
        ("policy", "rivers", "visible", "draws", "danger_weight", "danger_table", "waits_before", "rules", "weights"),
    ),
    "call_advice": (
        lambda **given: mjcore.call_advice(CALLED, "5s", **given),
        ("draws", "rivers", "visible", "rules", "chow", "minimum", "danger_weight", "danger_table"),
    ),
    "offered": (lambda offered: mjcore.call_advice(CALLED, offered), ("offered",)),
    "win_probability": (
        lambda **given: mjcore.win_probability(WAITING, **{"draws": 2, **given}),
        ("draws", "model", "radius", "visible", "rules", "jokers", "forms", "budget"),
    ),
    "discard_chances": (
        lambda **given: mjcore.discard_chances(DISCARDING, **{"draws": 2, **given}),
        ("draws", "model", "radius", "visible", "rules", "jokers", "forms", "budget", "kinds"),
    ),
    "value": (lambda value: mjcore.win_probability("1m", 3, value=lambda hand, kind: value), ("value",)),
    "points": (lambda points: mjcore.call_advice(CALLED, "5s", points=lambda hand, kind: points), ("points",)),
    "fit_danger": (
        lambda **given: mjcore.fit_danger(**{"logs": [("9m", "4p")], **given}),
        ("logs", "recent", "source"),
    ),
    "DangerTable": (lambda **given: mjcore.DangerTable(**{"values": TABLE, **given}), ("values", "source")),
    "row of a table": (lambda row: mjcore.DangerTable([*TABLE[1:], row]), ("row",)),
    "cell of a table": (lambda row: mjcore.DangerTable([*TABLE[1:], [0.0] * 33 + [row]]), ("row",)),
    "solo": (
        lambda **given: simulator.solo(**{"n_games": 2, **given}),
        ("policy", "n_games", "seed", "draws", "workers", "progress", "danger_table", "danger_weight"),
    ),
    "four_players": (
        four,
        ("policies", "n_games", "seed", "draws", "workers", "progress", "danger_table", "danger_weight"),
    ),
    "a policy of four": (lambda policy: four(policies=["random"] * 3 + [policy]), ("policy",)),
    "win_rate": (lambda player: rates("win_rate", player=player), ("player",)),
    "self_draw_rate": (lambda player: rates("self_draw_rate", player=player), ("player",)),
    "deal_in_rate": (lambda player: rates("deal_in_rate", player=player), ("player",)),
    "lead_over": (lambda other: simulator.solo("random", 4).lead_over(other), ("SoloResult",)),
    "win_lead_over": (lambda other: rates("win_lead_over", other=other, player=0), ("FourPlayerResult",)),
    "deal_in_lead_over": (
        lambda player: rates("deal_in_lead_over", other=four(policies="random"), player=player),
        ("player",),
    ),
    "of_share": (lambda **given: simulator.Estimate.of_share(**{"n_yes": 0, "n": 2, **given}), ("n_yes", "n")),
    "of_values": (lambda values: simulator.Estimate.of_values(values), ("values",)),
    "wall": (lambda **given: simulator_wall(**{"seed": 0, "game": 0, **given}), ("seed", "game")),
    "a table of discards": (
        lambda **given: mjcore.rank_discards(DISCARDING).table(**given),
        ("language", "notation", "dialect"),
    ),
    "a table of quality": (
        lambda **given: mjcore.evaluate(WAITING).table(**given),
        ("language", "notation", "dialect"),
    ),
    "a table of calls": (
        lambda **given: mjcore.call_advice(CALLED, "5s").table(**given),
        ("language", "notation", "dialect"),
    ),
    "discards as JSON": (lambda **given: mjcore.rank_discards(DISCARDING).to_dict(**given), ("notation", "dialect")),
    "quality as JSON": (lambda **given: mjcore.evaluate(WAITING).to_dict(**given), ("notation", "dialect")),
    "Reason.text": (lambda language: calls.Reason("shanten", (1, 2)).text(language), ("language",)),
    "alike": (lambda kind: danger.alike(kind, 1), ("kind",)),
    "load_targets": (lambda path: quality.load_targets(path), ("path",)),
    "plot_curves": (lambda **given: plots.plot_curves(DISCARDING, **{"path": "x", **given}), ("path",)),
    "a target": (lambda target: mjcore.evaluate(WAITING, targets=[target]), ("target",)),
    **{
        f"target {field}": (
            lambda value, field=field: mjcore.evaluate(WAITING, targets=[Target(**{**TARGET, field: value})]),
            ("target",),
        )
        for field in TARGET
    },
    **{
        f"survival {field}": (
            lambda value, field=field: mjcore.evaluate(WAITING, survival=Survival()._replace(**{field: value})),
            (field,),
        )
        for field in Survival._fields
    },
    **{
        f"weights {field}": (
            lambda value, field=field: mjcore.rank_discards(DISCARDING, weights=ArticleWeights(**{field: value})),
            (field,),
        )
        for field in ArticleWeights._fields
    },
}
# What errors may call them instead.
CALLED_ALSO = {
    "n_games": "games",
    "targets": "target",
    "policies": "polic",
    "offered": "tile|kind|text",
    "rules": "rule|reading",
    "visible": "copies|tile|int|counts|text|packed",
    "melds": "meld",
    "forms": "form",
    "kinds": "kind|tile",
    "waits_before": "wait",
    "logs": "logs|record",
    "values": "value|row",
    "path": "path|file name",
}


def simulator_wall(seed, game):
    from mjcore.simulator_kernels import wall

    return wall(seed, game)


@pytest.mark.parametrize("name", CALLS)
def test_junk_gives_an_answer_or_an_error_that_names_it(name):
    call, arguments = CALLS[name]
    only = call.__code__.co_varnames[0] if call.__code__.co_argcount else ""
    messages = {}
    for argument in arguments:
        for junk in JUNK:
            try:
                call(**{only or argument: junk})
            except (OSError, Own):
                continue
            except (TypeError, ValueError) as error:
                messages[argument, repr(junk)] = str(error)
    assert len({argument for argument, _ in messages}) == len(arguments)
    for (argument, junk), message in messages.items():
        assert "expected " in message, (argument, junk, message)
        assert re.search(CALLED_ALSO.get(argument, argument), message), (argument, junk, message)
