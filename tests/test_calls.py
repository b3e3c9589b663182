"""Advice on calls: which there are, what each is worth, their order and reasons."""

import json
import pickle
import random
import sys
import types

import pytest

import mjcore
from mjcore import Hand, InvalidHandError
from mjcore.calls import CallAdvice, RatedCall


def choices(hand, offered, **options):
    return {(call.action, None if call.meld is None else str(call.meld)) for call in ask(hand, offered, **options)}


def ask(hand, offered, **options):
    return mjcore.call_advice(hand, offered, **options)


@pytest.mark.parametrize(
    ("hand", "offered", "found"),
    [
        ("147m 258s 369p ESWN", "C", {"pass"}),
        ("11m 47m 258s 369p ESW", "1m", {"pass", "[111m]"}),
        ("111m 7m 258s 369p ESW", "1m", {"pass", "[111m]", "[1111m]"}),
        ("12456m 258s 369p ES", "3m", {"pass", "[123m]", "[234m]", "[345m]"}),
        ("12m 89m 258s 369p ESW", "1m", {"pass"}),
        ("78m 2m 147s 369p ESWN", "9m", {"pass", "[789m]"}),
        ("89m 11s 258s 369p ESW", "1s", {"pass", "[111s]"}),  # no chow from one suit to the next
        ("EE SW 258s 369p 147m", "E", {"pass", "[EEE]"}),
        ("ESW 258s 369p 147m C", "N", {"pass"}),  # honors make no chow
    ],
)
def test_possible_calls(hand, offered, found):
    assert {meld or action for action, meld in choices(hand, offered)} == found


def test_chows_only_from_the_player_before():
    assert {action for action, _ in choices("1245688m 258s 369p", "3m", chow=False)} == {"pass"}


def test_a_fourth_meld_is_the_last():
    assert choices("1m [456p] [789s] [234s] [EEE]", "1m") == {("pass", None), ("win", None)}


def test_values_are_those_of_the_hand_after_it():
    rng = random.Random(7)
    for _ in range(60):
        wall = [kind for kind in range(34) for _ in range(4)]
        rng.shuffle(wall)
        hand = Hand(mjcore.pack([wall[:13].count(kind) for kind in range(34)]))
        rivers = [wall[20 + 5 * i : 25 + 5 * i] for i in range(3)]
        offered = wall[14]
        seen = [sum(river.count(kind) for river in rivers) for kind in range(34)]
        for call in ask(hand, offered, rivers=rivers):
            beside = list(seen)
            if call.action == "pass":
                assert call.hand == hand
                beside[offered] += 1
            if call.discard is not None:
                assert hand.counts()[call.discard]
                beside[call.discard] += 1
            if call.meld is not None:
                assert call.hand.n_melds == 1
                assert sum(call.hand.all_counts()) == (14 if call.action == "kong" else 13)
            useful = mjcore.useful_tiles(call.hand, visible=beside)
            assert (call.shanten, call.live) == (useful.shanten, useful.total)
            assert dict(call.useful) == dict(useful)


def test_the_discard_is_the_best_one_after_the_call():
    advice = ask("13m 5588s 456p EEE S", "5s", rivers=["S", "9m", ""])
    pung = next(call for call in advice if call.action == "pung")
    ranking = mjcore.rank_discards("13m 88s 456p EEE S [555s]", rivers=["S", "9m", ""])
    assert (pung.discard, pung.shanten, pung.live) == (ranking.best, ranking[0].shanten, ranking[0].live)
    assert advice.best is advice[0]
    assert advice.best.action == "pung"


def test_order_without_draws():
    advice = ask("12456m 258s 369p ES", "3m")
    keys = [(call.shanten, -call.live) for call in advice]
    assert keys == sorted(keys)
    equal = ask("147m 258s 369p 1144s", "E")
    assert [call.action for call in equal] == ["pass"]


class Curve(float):
    truncated = False


class CutOff(float):
    truncated = True


def stub_chances(monkeypatch, chance, passing=Curve):
    stub = types.ModuleType("mjcore.win_chance")
    stub.win_probability = lambda hand, draws, **options: passing(chance(hand))
    stub.discard_chances = lambda hand, draws, kinds, **options: {
        kind: Curve(chance(hand.discard(kind))) for kind in kinds
    }
    monkeypatch.setitem(sys.modules, "mjcore.win_chance", stub)


def test_order_by_the_chance_to_win(monkeypatch):
    stub_chances(monkeypatch, lambda hand: 0.25 if hand.melds else 0.75)
    advice = ask("13m 5588s 456p EEE S", "5s", draws=10)
    assert [(call.action, call.win) for call in advice] == [("pass", 0.75), ("pung", 0.25)]
    assert "win chance 75.00% -> 25.00%" in advice.table()
    stub_chances(monkeypatch, lambda hand: 0.5)
    assert ask("11m 47m 258s 369p ESW", "1m", draws=10).best.action == "pass"


def test_no_chance_beside_one_that_was_cut_off(monkeypatch):
    stub_chances(monkeypatch, lambda hand: 0.25 if hand.melds else 0.75, passing=CutOff)
    advice = ask("13m 5588s 456p EEE S", "5s", draws=10)
    assert {call.win for call in advice} == {None}


def test_a_win_comes_first():
    advice = ask("23m EE [456p] [789s] [234s]", "4m")
    assert (advice.best.action, advice.best.shanten, advice.best.win) == ("win", -1, 1.0)
    assert advice.best.reasons[0].text() == "completes the hand"
    assert advice.best.reasons[0].text("zh") == "胡牌"


def test_points_and_the_least_of_them():
    def points(hand, kind):
        return 8 if kind == mjcore.kind_of("1m") else 3

    hand = "23m EE [456p] [789s] [234s]"
    advice = ask(hand, "S", points=points)
    assert advice.best.points == (3, 8)
    assert advice.best.reasons[-1].text() == "3 to 8 points"
    assert ask(hand, "4m", points=points, minimum=4).best.action == "pass"
    assert ask(hand, "1m", points=points, minimum=4).best.action == "win"
    short = ask("13m 5588s 456p EEE S", "5s", points=lambda hand, kind: 2, minimum=8)
    assert [call.action for call in short] == ["pass", "pung"]
    assert "at most 2 of 8 points" in short.table()


def test_points_by_rules_of_score():
    """Each finished hand is worth what `score` says: by discard where the tile is offered, else self-drawn."""
    hand = "13m EE [456p] [789s] [234s]"
    won = mjcore.score(hand, win_tile="2m")
    drawn = mjcore.score(hand, win_tile="2m", self_drawn=True)
    advice = mjcore.call_advice(hand, "2m", points="mcr", minimum=0)
    assert next(call for call in advice if call.action == "win").points == (won.total, won.total)
    assert next(call for call in advice if call.action == "pass").points == (drawn.total, drawn.total)
    assert all(call.action != "win" for call in mjcore.call_advice(hand, "2m", points=mjcore.rule_set("mcr"))) == (
        won.total < 8
    )


def test_points_of_no_known_rules():
    with pytest.raises(Exception, match="chess"):
        ask("13m 55s 456p EEE SSS", "2m", points="chess")


def test_a_kong_draws_in_place_of_its_fourth_tile():
    advice = ask("111m 7m 258s 369p ESW", "1m")
    kong = next(call for call in advice if call.action == "kong")
    assert kong.discard is None
    assert len(kong.hand) == 10
    assert "replacement" in [reason.name for reason in kong.reasons]


def test_plain_values():
    advice = ask("13m 5588s 456p EEE S", "5s")
    assert isinstance(advice, CallAdvice)
    assert isinstance(advice[0], RatedCall)
    assert pickle.loads(pickle.dumps(advice)) == advice
    assert json.loads(json.dumps(advice.to_dict())) == advice.to_dict()
    assert "碰" in advice.table("zh")
    assert str(advice) == advice.table()


@pytest.mark.parametrize(
    ("hand", "offered", "options", "problem"),
    [
        ("123m", "1m", {}, "expected 13 concealed tiles beside 0 melds, got 3"),
        ("23mE [456p] [789s] [234s]", "1m", {}, "expected 4 concealed tiles beside 3 melds, got 3"),
        ("111m 7m 258s 369p ESW", "1m", {"visible": "1m"}, "expected a tile of which a copy is left, got a fifth 1m"),
        ("111m 7m 258s 369p ESW", "1m", {"rivers": ["1m", "", ""]}, "got a fifth 1m"),
        ("111m 7m 258s 369p ESW", 34, {}, "34"),
        ("111m 7m 258s 369p ESW", "1m", {"rivers": ["", ["x"], ""]}, r"rivers\[1\]\[0\]"),
    ],
)
def test_bad_calls(hand, offered, options, problem):
    with pytest.raises(InvalidHandError, match=problem):
        ask(hand, offered, **options)


@pytest.mark.parametrize("points", [float("nan"), float("inf"), None, "x"])
def test_points_are_finite_numbers(points):
    with pytest.raises((ValueError, TypeError), match=r"expected a (finite )?number for the points of 123mEE"):
        mjcore.call_advice("13m EE [456p] [789s] [234s]", "2m", points=lambda hand, kind: points)
    with pytest.raises((ValueError, TypeError), match="minimum"):
        mjcore.call_advice("13m EE [456p] [789s] [234s]", "2m", points=lambda hand, kind: 3, minimum=float("nan"))
    with pytest.raises(TypeError, match="points"):
        mjcore.call_advice("13m EE [456p] [789s] [234s]", "2m", points=3)
