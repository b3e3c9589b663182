"""Mistakes that other programs made, as cases: data/field_cases.jsonl, one a line."""

import json
import re
from pathlib import Path

import pytest

import mjcore
from mjcore import Hand, HandRules, KindSet

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "field_cases.jsonl").read_text(encoding="utf-8").splitlines()
]


def text_of(given):
    character, times = given.get("repeat", ["", 0])
    return character * times + given.get("text", given.get("hand", ""))


def ask(given):
    """Answer one case in the words of the file."""
    name = given["ask"]
    if name == "parse":
        return mjcore.parse(given["text"], red_fives=given.get("red_fives", True))
    if name == "Meld":
        return str(mjcore.Meld(given["text"]))
    if name == "Hand":
        return str(Hand(text_of(given)))
    if name == "red_fives":
        hand = Hand(given["hand"])
        return sum(hand.red_fives) + sum(meld.red_fives for meld in hand.melds)
    options = {"jokers": given.get("jokers", 0), "rules": HandRules(**given.get("rules", {}))}
    if "visible" in given:
        options["visible"] = given["visible"]
    return getattr(mjcore, name)(given["hand"], **options)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_field_case(case):
    given, want = case["input"], case["expected"]
    if isinstance(want, dict) and "error" in want:
        names = ["is_hu", "ting", "live_waits", "decompose", "Hand"] if given["ask"] == "all" else [given["ask"]]
        for name in names:
            with pytest.raises(mjcore.InvalidNotationError, match=re.escape(want["error"])) as caught:
                ask({**given, "ask": name})
            assert caught.value.position == want["position"]
    elif given["ask"] == "ting":
        assert ask(given) == KindSet(want)
        hand = Hand(given["hand"])
        assert mjcore.ting(
            hand,
            **({"visible": given["visible"]} if "visible" in given else {}),
            jokers=given.get("jokers", 0),
            rules=HandRules(**given.get("rules", {})),
        ) == KindSet(want)
    elif given["ask"] in ("live_waits", "useful_tiles"):
        assert {mjcore.tile_name(kind): left for kind, left in ask(given).items()} == want
    else:
        assert ask(given) == want
        assert type(ask(given)) is type(want)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["input"]["ask"] == "is_hu"], ids=lambda case: case["id"]
)
def test_decompose_agrees_with_is_hu(case):
    given = case["input"]
    if given.get("jokers", 0) < 4:
        assert bool(ask({**given, "ask": "decompose"})) is case["expected"]
    else:
        assert ask(given) is case["expected"]


def test_eighteen_tiles_with_four_kongs():
    hand = Hand("55p [9999p] [1111m] [EEEE*] [2222s+]")
    assert sum(hand.all_counts()) == 18
    assert mjcore.is_hu(hand) is True


def test_every_case_is_there_once():
    assert len({case["id"] for case in CASES}) == len(CASES) >= 62
