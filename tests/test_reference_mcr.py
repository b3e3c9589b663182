"""The slow scorer of Chinese Official is itself checked: worked examples, other people's mistakes, PyMahjongGB."""

import json
from collections import Counter
from pathlib import Path

import pytest
import reference_mcr
from mcr_hands import described, gb_score, winning_hands
from reference_mcr import FANS, IMPLIED, POINTS, Win

import mjcore

DATA = Path(__file__).parent / "data"
EXAMPLES = json.loads((DATA / "mcr_examples.json").read_text(encoding="utf-8"))
FIELD_CASES = [
    case
    for line in (DATA / "mcr_field_cases.jsonl").read_text(encoding="utf-8").splitlines()
    if not (case := json.loads(line))["context"].get("fourth_visible")
]
SEED = 20261128
N_HANDS = 3_000


def win_of(case):
    """A case as the slow scorer takes it."""
    hand = mjcore.Hand(case["hand"]).draw(case["win"])
    context = {
        name: next(iter(mjcore.KindSet(value))) if name.endswith("wind") else value
        for name, value in case["context"].items()
    }
    melds = tuple((meld.type, meld.kind) for meld in hand.melds)
    return Win(tuple(hand.counts()), melds, hand.drawn, **context)


@pytest.mark.parametrize("case", EXAMPLES, ids=lambda case: case["id"])
def test_example(case):
    win = win_of(case)
    score = reference_mcr.score(win)
    assert (score.total, score.fans) == (case["total"], case["fans"]) == gb_score(win)
    assert score.waits == set(mjcore.KindSet(case["waits"]))


@pytest.mark.parametrize("case", FIELD_CASES, ids=lambda case: case["id"])
def test_field_case(case):
    score = reference_mcr.score(win_of(case), **case.get("options", {}))
    assert (score.total, score.fans) == (case["total"], case["fans"])


def test_the_table():
    assert len(FANS) == len(set(FANS)) == 82
    assert all(set(implied) <= set(FANS) for implied in IMPLIED.values())
    assert Counter(POINTS.values()) == {
        88: 7,
        64: 6,
        48: 2,
        32: 3,
        24: 9,
        16: 6,
        12: 5,
        8: 9,
        6: 7,
        5: 1,
        4: 4,
        2: 10,
        1: 13,
    }


@pytest.mark.slow
def test_pymahjonggb():
    reached, n_ties = Counter(), 0
    for win in winning_hands(SEED, N_HANDS):
        score = reference_mcr.score(win)
        total, fans = gb_score(win)
        assert score.total == total, described(win)
        if score.fans != fans:
            n_ties += 1
            assert fans in [each.fans for each in score.readings if each.total == score.readings[0].total]
        reached.update(fans.keys())
    assert n_ties <= 5
    assert set(reached) == set(FANS)


def test_not_a_win():
    with pytest.raises(reference_mcr.NotAWin):
        reference_mcr.score(Win((1, 0, 3, 0, 4, 0, 3, 0, 3, *[0] * 25), (), 0))
