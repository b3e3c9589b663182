"""Chances to win: against recursion over whole walls in fractions, against games played, and by laws."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import pickle
import random
import signal
import subprocess
import sys
import threading
from fractions import Fraction

import numpy as np
import pytest
from families import winning_hands

import mjcore

KINDS = range(34)
TOLERANCE = 1e-12


def counts_of(packed):
    return [packed >> 4 * kind & 0xF for kind in KINDS]


def kinds_in(packed):
    return [kind for kind in KINDS if packed >> 4 * kind & 0xF]


def one(kind):
    return 1 << 4 * kind


def random_tiles(rng, n, pool):
    return sum(map(one, rng.sample([kind for kind in pool for _ in range(4)], n)))


def small_wall(rng, hand, n):
    """Visible tiles that leave `n` of those beside the hand, most of them near it."""
    near = {k + d for k in kinds_in(hand) for d in (-2, -1, 0, 1, 2) if 0 <= k + d < 34}
    beside = [kind for kind in KINDS for _ in range(4 - (hand >> 4 * kind & 0xF))]
    rng.shuffle(beside)
    beside.sort(key=lambda kind: kind in near and rng.random() < 0.8)
    return sum(map(one, beside[:-n])), sum(map(one, beside[-n:]))


class Recursion:
    """What the models mean, over the very wall: hand, wall and draws left, nothing shared by hand alone."""

    def __init__(self, goal, rules=None, jokers=0, melds=()):
        self.goal = goal  # the shanten to reach
        self.rules = rules
        self.jokers = jokers
        self.melds = melds
        self.chance = functools.cache(self._chance)
        self.free_chance = functools.cache(self._free_chance)
        self.shanten = functools.cache(self._shanten)

    def _shanten(self, hand):
        return mjcore.shanten(mjcore.Hand(hand, self.melds), rules=self.rules, jokers=self.jokers)

    def discards(self, hand):
        return [hand - one(kind) for kind in kinds_in(hand)]

    def draws(self, wall):
        total = sum(counts_of(wall))
        return [(kind, Fraction(wall >> 4 * kind & 0xF, total)) for kind in kinds_in(wall)]

    def _chance(self, hand, wall, n):
        """Strict: useful tiles are taken, the others thrown away."""
        shanten = self.shanten(hand)
        if shanten <= self.goal:
            return Fraction(1)
        if n == 0:
            return Fraction(0)
        total = Fraction(0)
        for kind, share in self.draws(wall):
            full, rest = hand + one(kind), wall - one(kind)
            after = self.shanten(full)
            if after < shanten and after <= self.goal:
                total += share
            elif after < shanten:
                kept = [discard for discard in self.discards(full) if self.shanten(discard) == after]
                total += share * max(self.chance(discard, rest, n - 1) for discard in kept)
            else:
                total += share * self.chance(hand, rest, n - 1)
        return total

    def _free_chance(self, hand, slack, wall, n):
        """Exchange: any tile may be refused; takes that do not lower shanten are paid for."""
        shanten = self.shanten(hand)
        if shanten <= self.goal:
            return Fraction(1)
        if n == 0:
            return Fraction(0)
        total = Fraction(0)
        for kind, share in self.draws(wall):
            full, rest = hand + one(kind), wall - one(kind)
            if self.shanten(full) <= self.goal:
                total += share
                continue
            best = self.free_chance(hand, slack, rest, n - 1)
            for discard in self.discards(full):
                left = slack - (self.shanten(discard) - (shanten - 1))
                if left >= 0:
                    best = max(best, self.free_chance(discard, left, rest, n - 1))
            total += share * best
        return total

    def best(self, hand, wall, n):
        """Of a hand that must let a tile go."""
        return max(self.chance(discard, wall, n) for discard in self.discards(hand))


def close(got, want):
    return got == pytest.approx([float(x) for x in want], abs=TOLERANCE, rel=TOLERANCE)


POOLS = [range(9), range(5), [*range(7), 27, 28], [0, 1, 2, 9, 10, 11, 27], KINDS]


def small_cases(n_cases, sizes, seed):
    rng = random.Random(seed)
    for i in range(n_cases):
        hand = random_tiles(rng, rng.choice(sizes), POOLS[i % len(POOLS)])
        visible, wall = small_wall(rng, hand, rng.randint(4, 9))
        yield hand, visible, wall, rng.randint(3, 5)


# --- the strict model --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_strict_equals_recursion(seed):
    by_shanten = {}
    for hand, visible, wall, n in small_cases(30, (4, 7, 10), seed):
        n = min(n, sum(counts_of(wall)))
        curve = mjcore.win_probability(hand, n, visible=visible)
        by_shanten[curve.shanten] = by_shanten.get(curve.shanten, 0) + 1
        win, ready = Recursion(-1), Recursion(0)
        assert close(curve.win, [win.chance(hand, wall, k) for k in range(1, n + 1)]), mjcore.format(hand)
        assert close(curve.ready, [ready.chance(hand, wall, k) for k in range(1, n + 1)]), mjcore.format(hand)
    assert len(by_shanten) >= 3


def test_strict_equals_recursion_with_seven_pairs_and_orphans():
    """Thirteen tiles, most of them pairs or orphans, and walls of what they lack."""
    rng = random.Random(5)
    for i in range(12):
        orphans = [0, 8, 9, 17, 18, 26, *range(27, 34)]
        some = rng.sample(orphans if i % 2 else list(KINDS), 9 + i % 3)
        hand = sum(map(one, some))
        while sum(counts_of(hand)) < 13:
            kind = rng.choice(some)
            hand += one(kind) if hand >> 4 * kind & 0xF < 3 else 0
        lacking = [kind for kind in (orphans if i % 2 else some) if hand >> 4 * kind & 0xF < 2]
        wall = sum(map(one, set(rng.sample(lacking, min(len(lacking), 5))))) + one(rng.choice(lacking))
        visible = sum(
            (4 - a - b) << 4 * k for k, (a, b) in enumerate(zip(counts_of(hand), counts_of(wall), strict=True))
        )
        n = min(4, sum(counts_of(wall)))
        curve = mjcore.win_probability(hand, n, visible=visible)
        assert close(curve.win, [Recursion(-1).chance(hand, wall, k) for k in range(1, n + 1)]), mjcore.format(hand)


RULES = [
    mjcore.HandRules(eyes="258m258s258p"),
    mjcore.HandRules(forms="standard"),
    mjcore.HandRules.preset("mcr"),
    mjcore.HandRules(joker_kind="5m", joker_fifth_copy=False),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_strict_equals_recursion_by_rules(rules):
    for hand, visible, wall, n in small_cases(20, (4, 7), 11):
        n = min(n, sum(counts_of(wall)))
        curve = mjcore.win_probability(hand, n, visible=visible, rules=rules)
        win = Recursion(-1, rules)
        assert close(curve.win, [win.chance(hand, wall, k) for k in range(1, n + 1)]), mjcore.format(hand)


def test_strict_equals_recursion_of_knitted_forms():
    rng = random.Random(14)
    kinds = [*(0, 3, 6), *(10, 13, 16), *(20, 23, 26), *range(27, 34)]
    nearest = set()
    for i in range(16):
        hand = sum(map(one, rng.sample(kinds, 11) if i % 2 else [*kinds[:8], 27, 27, 28, 28])) + one(
            rng.randrange(27, 34)
        )
        hand += one(1) if i % 2 else 0
        visible, wall = small_wall(rng, hand, 6)
        curve = mjcore.win_probability(hand, 4, visible=visible, rules="mcr")
        win = Recursion(-1, "mcr")
        assert close(curve.win, [win.chance(hand, wall, k) for k in range(1, 5)]), mjcore.format(hand)
        nearest.add(curve.shanten < mjcore.shanten(hand))
    assert True in nearest


def test_strict_equals_recursion_with_drawn_jokers():
    """Exact or refused where a drawn joker may stand for a fifth copy."""
    rules = mjcore.HandRules(joker_kind="5m")
    answered = 0
    for hand, visible, wall, n in small_cases(60, (4, 7), 15):
        n = min(n, sum(counts_of(wall)))
        with contextlib.suppress(mjcore.InvalidHandError):
            curve = mjcore.win_probability(hand, n, visible=visible, rules=rules)
            win = Recursion(-1, rules)
            assert close(curve.win, [win.chance(hand, wall, k) for k in range(1, n + 1)]), mjcore.format(hand)
            answered += 1
    assert answered >= 30


@pytest.mark.parametrize("jokers", [1, 2])
def test_strict_equals_recursion_with_jokers(jokers):
    for hand, visible, wall, n in small_cases(30, (7 - jokers, 10 - jokers), 12 + jokers):
        n = min(n, sum(counts_of(wall)))
        curve = mjcore.win_probability(hand, n, visible=visible, jokers=jokers)
        win = Recursion(-1, jokers=jokers)
        assert close(curve.win, [win.chance(hand, wall, k) for k in range(1, n + 1)]), mjcore.format(hand)


def test_strict_equals_recursion_with_melds():
    rng = random.Random(13)
    melds = ("[123m]", "[EEE]")
    for _ in range(30):
        hand = random_tiles(rng, 7, range(9))
        if any(n > 3 for n in counts_of(hand)[:3]):
            continue
        melded = mjcore.parse("123mEEE")
        visible, wall = small_wall(rng, hand + melded, 7)
        curve = mjcore.win_probability(mjcore.Hand(hand, melds), 4, visible=visible)
        win = Recursion(-1, melds=melds)
        assert close(curve.win, [win.chance(hand, wall, k) for k in range(1, 5)]), mjcore.format(hand)


def test_best_over_discards():
    """A hand that must let a tile go: all discards, also those that raise shanten and may be drawn again."""
    raising = 0
    for hand, visible, wall, n in small_cases(40, (5, 8), 21):
        n = min(n, sum(counts_of(wall)))
        win = Recursion(-1)
        if mjcore.shanten(hand) < 0:
            continue
        answers = mjcore.discard_chances(hand, n, visible=visible)
        assert list(answers) == kinds_in(hand)
        for kind, curve in answers.items():
            want = [win.chance(hand - one(kind), wall, k) for k in range(1, n + 1)]
            assert close(curve.win, want), (mjcore.format(hand), kind)
            assert curve.shanten == mjcore.shanten(hand - one(kind))
            raising += curve.shanten > mjcore.shanten(hand)
        curve = mjcore.win_probability(hand, n, visible=visible)
        assert close(curve.win, [win.best(hand, wall, k) for k in range(1, n + 1)])
        assert float(answers[curve.discard]) == float(curve) == max(map(float, answers.values()))
    assert raising > 50


def test_the_same_as_by_single_hands():
    """One search for all discards gives what a search for each gives, the discard being seen then."""
    rng = random.Random(22)
    for _ in range(6):
        hand = random_tiles(rng, 14, range(18))
        for kind, curve in mjcore.discard_chances(hand, 10).items():
            alone = mjcore.win_probability(hand - one(kind), 10, visible=one(kind))
            assert close(curve.win, alone.win)
            assert close(curve.ready, alone.ready)


def choose(n, k):
    return math.comb(n, k) if n >= k else 0


def test_ready_hands_closed_form():
    rng = np.random.default_rng(3)
    hands = winning_hands(rng, 60)
    for row in hands:
        row[rng.choice(np.flatnonzero(row))] -= 1
        hand = mjcore.pack(row.tolist())
        visible = sum(one(k) for k in KINDS if row[k] < 4 and rng.random() < 0.4)
        n_wall = 123 - sum(counts_of(visible))
        n_live = mjcore.useful_tiles(hand, visible=visible).total
        curve = mjcore.win_probability(hand, 18, visible=visible)
        want = [1 - Fraction(choose(n_wall - n_live, n), choose(n_wall, n)) for n in range(1, 19)]
        assert close(curve.win, want)
        assert curve.ready == (1.0,) * 18


N_UNSEEN = 136 - 13


@functools.cache
def strict_discard(full, left):
    """The hand after the discard that the model takes with so many of 18 draws left."""
    shanten = mjcore.shanten(full)
    rests = {kind: full - one(kind) for kind in kinds_in(full)}
    kept = {kind: rest for kind, rest in rests.items() if mjcore.shanten(rest) == shanten}
    if left == 0 or len(kept) == 1:
        return next(iter(kept.values()))
    # the wall is as small as the draws made left it; what is missing are tiles that no longer matter
    useful = {kind for rest in kept.values() for kind in mjcore.useful_tiles(rest)}
    idle = [one(kind) for kind in KINDS if kind not in useful for _ in range(4 - (full >> 4 * kind & 0xF))]
    chances = mjcore.discard_chances(full, left, visible=sum(idle[: 18 - left - 1]), kinds=kept)
    return kept[max(kept, key=lambda kind: float(chances[kind]))]


def strict_game(rng, hand, n_draws=18):
    """Play one game as the strict model does; whether it is won."""
    wall = [kind for kind in KINDS for _ in range(4 - (hand >> 4 * kind & 0xF))]
    shanten = mjcore.shanten(hand)
    for left, kind in zip(range(n_draws - 1, -1, -1), rng.sample(wall, n_draws), strict=True):
        after = mjcore.shanten(hand + one(kind))
        if after < 0:
            return True
        if after < shanten:
            shanten = after
            hand = strict_discard(hand + one(kind), left)
    return False


@pytest.mark.parametrize(
    "text", ["123m456s78p1155z3m", "1357m2468s135p1z7z", "1345m2458s3459p1z", "13m2457s1377p22z6m"]
)
def test_strict_against_games(text):
    """Within three standard errors of games played to the same policy on a full wall."""
    hand = mjcore.parse(text)
    n_games = 1000
    rng = random.Random(text)
    wins = sum(strict_game(rng, hand) for _ in range(n_games))
    chance = float(mjcore.win_probability(hand))
    error = math.sqrt(chance * (1 - chance) / n_games)
    assert abs(wins / n_games - chance) <= 3 * error


def test_values_equal_recursion():
    """The expected value of the finished hand: any function of hand and winning kind."""

    def value(packed, kind):
        return packed % 7 + 3 * (kind % 5 == 0)

    @functools.cache
    def expected(hand, wall, n):
        if n == 0:
            return Fraction(0)
        total, shanten = Fraction(0), mjcore.shanten(hand)
        for kind in kinds_in(wall):
            share = Fraction(wall >> 4 * kind & 0xF, sum(counts_of(wall)))
            full, rest = hand + one(kind), wall - one(kind)
            if mjcore.shanten(full) < 0:
                total += share * value(full, kind)
            elif mjcore.shanten(full) < shanten:
                kept = [full - one(k) for k in kinds_in(full) if mjcore.shanten(full - one(k)) == shanten - 1]
                total += share * max(expected(discard, rest, n - 1) for discard in kept)
            else:
                total += share * expected(hand, rest, n - 1)
        return total

    for hand, visible, wall, n in small_cases(40, (4, 7, 10), 41):
        n = min(n, sum(counts_of(wall)))
        curve = mjcore.win_probability(hand, n, visible=visible, value=lambda h, kind: value(h.concealed, kind))
        assert close(curve.score, [expected(hand, wall, k) for k in range(1, n + 1)]), mjcore.format(hand)
        assert close(curve.win, mjcore.win_probability(hand, n, visible=visible).win)


def test_value_gets_the_finished_hand():
    seen = []

    def value(hand, kind):
        seen.append((hand, kind))
        return 1

    curve = mjcore.win_probability("13m44s [EEE] [789p] [2222s*]", 5, value=value)
    assert seen == [(mjcore.Hand("123m44s [EEE] [789p] [2222s*]", drawn="2m"), 1)]
    assert curve.score == curve.win
    best = mjcore.win_probability("13m44s9p [EEE] [789p] [2222s*]", 5, value=lambda hand, kind: 2.5)
    assert close(best.score, [2.5 * chance for chance in best.win])
    assert mjcore.tile_name(best.discard) == "9p"


def test_value_by_rules(monkeypatch):
    """Totals of `score`, 0 below the minimum; the forms are those of the rules."""

    class Scored:
        def __init__(self, total):
            self.total = total
            self.minimum_met = total >= 8

    asked = []

    def score(hand, *, win_tile, rules, self_drawn):
        asked.append((win_tile, rules, self_drawn))
        return Scored(24 if win_tile == 3 else 7)

    monkeypatch.setattr(mjcore, "score", score, raising=False)
    curve = mjcore.win_probability("23m44s [EEE] [789p] [222s]", 3, value="mcr")
    rules = mjcore.rule_set("mcr")
    assert sorted(asked, key=lambda one: one[0]) == [(0, rules, True), (3, rules, True)]
    assert close(curve.score, [12 * chance for chance in curve.win])


def test_value_by_rules_that_are_no_hand_rules():
    """A name is one of the rules of `score`, whatever hand rules there are of that name."""
    hand = "23m44s [CCC] [FFF] [PPP]"
    curve = mjcore.win_probability(hand, 3, value="mcr_001")
    assert curve == mjcore.win_probability(hand, 3, value=mjcore.rule_set("mcr_001"))
    assert curve.score[2] > 0
    with pytest.raises(ValueError, match="expected a rule set of mcr, mcr_001, got 'riichi'"):
        mjcore.win_probability(hand, 3, value="riichi")
    with pytest.raises(TypeError, match="expected a function of hand and winning kind for value, got 5"):
        mjcore.win_probability(hand, 3, value=5)


def test_errors_of_values():
    def broken(hand, kind):
        raise ZeroDivisionError("no value")

    with pytest.raises(ZeroDivisionError, match="no value"):
        mjcore.win_probability("1m", 3, value=broken)
    for value in ("much", "5", b"5", True, None, [5], 1j):
        with pytest.raises(TypeError, match="expected a number for the value of 11m, got "):
            mjcore.win_probability("1m", 3, value=lambda hand, kind, value=value: value)
    for value in (math.inf, -math.inf, math.nan, -1, -1e-9, 1e301, 1e308, 10**400, -(10**400)):
        with pytest.raises(ValueError, match="expected a value of 0 to 1e\\+300 for 11m, got "):
            mjcore.win_probability("1m", 3, value=lambda hand, kind, value=value: value)
    with pytest.raises(ValueError, match="model='strict'"):
        mjcore.win_probability("1m", 3, value=lambda hand, kind: 1, model="exchange")


# --- the exchange model ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("radius", [0, 1, 2])
def test_exchange_is_an_upper_estimate(radius):
    """At least the best player who keeps to the radius and sees the very wall; that is at least the strict model."""
    above = equal = 0
    for hand, visible, wall, n in small_cases(10, (4, 7), 51 + radius):
        n = min(n, sum(counts_of(wall)), 4)
        curve = mjcore.win_probability(hand, n, visible=visible, model="exchange", radius=radius)
        strict = mjcore.win_probability(hand, n, visible=visible)
        for goal, chances, others in ((-1, curve.win, strict.win), (0, curve.ready, strict.ready)):
            player = Recursion(goal)
            for k in range(1, n + 1):
                want = player.free_chance(hand, radius, wall, k)
                assert others[k - 1] - TOLERANCE <= want <= chances[k - 1] + TOLERANCE, (mjcore.format(hand), k)
                assert chances[k - 1] <= 1 + TOLERANCE
                above += chances[k - 1] > want + TOLERANCE
                equal += abs(chances[k - 1] - want) <= TOLERANCE
    assert equal > 10 * above if radius == 0 else equal > above


def random_hands(n, seed, size=13, pool=KINDS, nearest=0, farthest=9):
    """Hands of the wall, of a shanten in a range."""
    rng = random.Random(seed)
    got = []
    while len(got) < n:
        hand = random_tiles(rng, size, pool)
        if nearest <= mjcore.shanten(hand) <= farthest:
            got.append(hand)
    return got


def test_exchange_at_least_strict_and_growing_with_the_radius():
    for hand in [*random_hands(6, 61, 10, nearest=1, farthest=1), *random_hands(12, 62, 7, range(20), farthest=1)]:
        strict = mjcore.win_probability(hand, 12)
        last = strict
        for radius in range(3):
            curve = mjcore.win_probability(hand, 12, model="exchange", radius=radius)
            assert curve.model == "exchange"
            assert curve.radius == radius
            assert not curve.truncated
            assert all(a >= b - TOLERANCE for a, b in zip(curve.win, last.win, strict=True))
            assert all(a >= b - TOLERANCE for a, b in zip(curve.ready, last.ready, strict=True))
            last = curve


# --- laws --------------------------------------------------------------------------------------


def is_a_curve(chances):
    steps = zip((0, *chances), (*chances, 1), strict=True)
    return all(0 <= a <= b + TOLERANCE and b <= 1 + TOLERANCE for a, b in steps)


OPTIONS = [
    {},
    {"model": "exchange"},
    {"forms": "standard"},
    {"rules": "mcr"},
    {"budget": 20},
    {"budget": 20, "model": "exchange"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_curves(options):
    far = {} if options == {} else {"farthest": 2}
    for hand in [
        *random_hands(10, 71, **far),
        *random_hands(6, 72, 10, range(18), **far),
        *random_hands(3, 73, 8, **far),
    ]:
        curve = mjcore.win_probability(hand, 12, **options)
        assert len(curve.win) == len(curve.ready) == 12
        assert is_a_curve(curve.win)
        assert is_a_curve(curve.ready)
        assert all(a <= b + TOLERANCE for a, b in zip(curve.win, curve.ready, strict=True))
        assert float(curve) == curve.win[-1]


def test_curves_on_the_smallest_walls():
    """Until the last tile is drawn."""
    for hand, visible, wall, _ in small_cases(60, (4, 5, 7, 8), 74):
        n = sum(counts_of(wall))
        for options in ({}, {"model": "exchange"}):
            curve = mjcore.win_probability(hand, n, visible=visible, **options)
            assert is_a_curve(curve.win)
            assert is_a_curve(curve.ready)


@pytest.mark.parametrize("model", ["strict", "exchange"])
def test_fewer_draws_are_the_beginning_of_the_curve(model):
    """Each place is the best for just so many draws, so it does not depend on how many were asked for."""
    for hand in [*random_hands(4, 75, farthest=1), *random_hands(4, 75, 10, range(18), farthest=2)]:
        curve = mjcore.win_probability(hand, 10, model=model)
        for n in (1, 4, 9):
            less = mjcore.win_probability(hand, n, model=model)
            assert close(less.win, curve.win[:n])
            assert close(less.ready, curve.ready[:n])


def test_more_live_tiles_never_hurt_a_ready_hand():
    hand = mjcore.parse("123m456s789p1155z")
    waits = mjcore.useful_tiles(hand)
    chances = []
    for n_seen in range(waits.total + 1):
        seen = [one(kind) for kind, left in waits.items() for _ in range(left)][:n_seen]
        chances.append(float(mjcore.win_probability(hand, 18, visible=sum(seen))))
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] == 0


def test_suits_and_ranks_in_any_order():
    for hand in random_hands(12, 76, nearest=1, farthest=3):
        lanes = [hand & (1 << 36) - 1, hand >> 36 & (1 << 36) - 1, hand >> 72 & (1 << 36) - 1]
        turned = [sum((lane >> 4 * rank & 0xF) << 4 * (8 - rank) for rank in range(9)) for lane in lanes]
        other = turned[1] | turned[2] << 36 | turned[0] << 72 | hand >> 108 << 108
        assert close(mjcore.win_probability(other).win, mjcore.win_probability(hand).win)


def test_the_best_discard_is_of_the_hand():
    """FC-QUA-02 and others: a hand of 14 is worth the best of its discards, with the same draws left."""
    for text in ("11223457p123678s", "1112234568999pF", "24679m45pS [567s] [EEE]"):
        curve = mjcore.win_probability(text, 9)
        answers = mjcore.discard_chances(text, 9)
        for n in range(9):
            assert curve.win[n] == max(answer.win[n] for answer in answers.values())
        assert curve.discard in answers
    # to stay ready is best for few draws, to wait for more kinds for many
    best = [mjcore.win_probability("1112234568999pF", draws).discard for draws in (1, 6, 18)]
    assert [mjcore.tile_name(kind) for kind in best] == ["F", "F", "8p"]
    assert list(mjcore.discard_chances("11223457p123678s", 2, kinds="27p8m")) == [19, 24]


def test_complete_and_empty():
    complete = mjcore.win_probability("123m456s789p11155z", 3)
    assert (complete.shanten, complete.win, complete.ready) == (-1, (1.0,) * 3, (1.0,) * 3)
    assert float(mjcore.win_probability("123m456s789p11155z", 0)) == 1
    for text in ("1m", "23m9s1z5z"):
        none = mjcore.win_probability(text, 0)
        assert (none.win, none.ready, float(none)) == ((), (), 0.0)
    dead = mjcore.win_probability("13m44s [EEE] [789p] [222s]", 9, visible="2222m")
    assert dead.win == (0.0,) * 9
    assert dead.ready == (1.0,) * 9


def test_the_largest_values_do_not_overflow():
    curve = mjcore.win_probability("123456m45s99pEE7s", 18, value=lambda hand, kind: 1e300)
    assert all(math.isfinite(value) for value in curve.score)
    assert close([value / 1e300 for value in curve.score], curve.win)
    assert mjcore.win_probability("1m", 3, value=lambda hand, kind: np.float32(2)).score[0] == pytest.approx(
        2 * 3 / 135
    )


def test_value_of_a_complete_hand():
    """That of the tile it was drawn with, or of the best where none is known."""

    def value(hand, kind):
        assert hand.drawn == kind
        return kind + 1

    hand = mjcore.Hand("123m44s [EEE] [789p] [222s]")
    curve = mjcore.win_probability(hand, 3, value=value)
    assert (curve.win, curve.score, curve.shanten) == ((1.0,) * 3, (13.0,) * 3, -1)
    assert mjcore.win_probability("123m44s [EEE] [789p] [222s]", 3, value=value).score == (13.0,) * 3
    drawn = mjcore.Hand("123m44s [EEE] [789p] [222s]", drawn="2m")
    assert mjcore.win_probability(drawn, 3, value=value).score == (2.0,) * 3
    assert mjcore.win_probability(hand, 0, value=value).score == ()
    assert mjcore.win_probability(hand, 3).score is None
    full = mjcore.Hand("2233445566778p8p", drawn="8p")
    assert (
        mjcore.win_probability(full, 2, value="mcr").score
        == (mjcore.score(full, win_tile="8p", rules="mcr", self_drawn=True).total,) * 2
    )
    with pytest.raises(TypeError, match="expected a number for the value of "):
        mjcore.win_probability(drawn, 3, value=lambda hand, kind: "much")


# --- budget, memory, threads -------------------------------------------------------------------

FAR_AWAY = "1345m2458s369p12z"  # shanten 5, 79265 states


def test_budget():
    """Lower bounds, told to be such, and never more hands than asked for in either search."""
    hand = mjcore.parse("1345m2458s3459p1z")
    exact = mjcore.win_probability(hand, 10)
    assert not exact.truncated
    assert not mjcore.win_probability(hand, 10, budget=exact.n_states).truncated
    last = 0.0
    for budget in (1, 5, 25, 125, exact.n_states - 1):
        curve = mjcore.win_probability(hand, 10, budget=budget)
        assert curve.truncated
        assert curve.n_states <= 2 * budget
        assert all(a <= b + TOLERANCE for a, b in zip(curve.win, exact.win, strict=True))
        assert all(a <= b + TOLERANCE for a, b in zip(curve.ready, exact.ready, strict=True))
        last = float(curve)
    assert last > 0.5 * float(exact)


@pytest.mark.parametrize(
    "options", [{}, {"model": "exchange"}, {"value": lambda hand, kind: 1 + kind}], ids=["strict", "exchange", "value"]
)
def test_a_search_that_is_not_called_truncated_is_whole(options):
    """Whatever the budget: what is not called truncated is the answer without one; what is cut is never more."""
    for hand in random_hands(12, 83, farthest=2):
        whole = mjcore.win_probability(hand, 6, **options)
        assert not whole.truncated
        for budget in (1, 2, 3, 7, whole.n_states // 2 + 1, whole.n_states, whole.n_states + 1):
            curve = mjcore.win_probability(hand, 6, budget=budget, **options)
            assert curve.truncated == (budget < whole.n_states)
            if not curve.truncated:
                assert curve == whole
            assert all(a <= b + TOLERANCE for a, b in zip(curve.win, whole.win, strict=True))
            assert whole.score is None or all(
                a <= b + 40 * TOLERANCE for a, b in zip(curve.score, whole.score, strict=True)
            )


def test_the_budget_of_all_discards_together():
    """Those answered before it was used up are whole, and say so; from there on each says that it was cut."""
    hand = mjcore.parse("1345m2458s3459p1z")
    whole = mjcore.discard_chances(hand + mjcore.parse("9s"), 6)
    needed = max(curve.n_states for curve in whole.values())
    cut = mjcore.discard_chances(hand + mjcore.parse("9s"), 6, budget=needed // 2)
    told = [curve.truncated for curve in cut.values()]
    assert told == sorted(told)
    assert {False, True} == set(told)
    for kind, curve in cut.items():
        assert close(curve.win, whole[kind].win) or curve.truncated
        assert all(a <= b + TOLERANCE for a, b in zip(curve.win, whole[kind].win, strict=True))


MEMORY = """
import sys
import mjcore
def highest():              # VmHWM is that of this program alone; ru_maxrss begins with the parent's
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
function, options, draws, budget = getattr(mjcore, sys.argv[1]), eval(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
hand = "1345m2458s369p12z" + ("4z" if sys.argv[1] == "discard_chances" else "")     # shanten 5, 79265 states
function(hand, draws, budget=10, **options)
before = highest()
for _ in range(2):
    answer = function(hand, draws, budget=budget, **options)
    assert (answer if sys.argv[1] == "win_probability" else list(answer.values())[-1]).truncated
print(1024 * (highest() - before))
"""


@pytest.mark.parametrize(
    ("function", "options", "draws", "budget"),
    [
        ("win_probability", "{}", 18, 8000),
        ("win_probability", "{'model': 'exchange'}", 18, 4000),
        ("win_probability", "{'value': lambda hand, kind: 1}", 18, 4000),
        ("win_probability", "{}", 60, 500),
        ("discard_chances", "{}", 18, 4000),
    ],
)
def test_memory_is_bounded(function, options, draws, budget, tmp_path):
    """As the docstring says: what the budget allows and a little."""
    arguments = [function, options, str(draws), str(budget)]
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, *arguments], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    n_vectors = 3 if "value" in options else 2
    assert 0 < int(done.stdout) <= (budget + 1000) * (8 * n_vectors * draws * (draws + 1) // 2 + 144)


INTERRUPTED = """
import os, signal, sys, threading, time
import mjcore
quads = mjcore.HandRules(seven_pairs_quads=True)
calls = {
    "strict": lambda: mjcore.win_probability("1345m2458s369p12z", 60, budget=2_000_000),
    "exchange": lambda: mjcore.win_probability("1345m2458s369p12z", 40, model="exchange", radius=4, budget=2_000_000),
    "rules": lambda: mjcore.win_probability("1345m2458s369p12z", 40, rules=quads, budget=2_000_000),
    "discards": lambda: mjcore.discard_chances("1345m2458s369p12z4z", 40, budget=2_000_000),
    "value": lambda: mjcore.win_probability("1345m2458s369p12z", 40, value=lambda hand, kind: 1, budget=2_000_000),
}
mjcore.win_probability("1m", 1)
def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    calls[sys.argv[1]]()        # takes minutes, more than the test lets it
except KeyboardInterrupt:
    print("interrupted")
print(float(mjcore.win_probability("123m456s78p1155z3m", 18)))
"""


@pytest.mark.parametrize("call", ["strict", "exchange", "rules", "discards", "value"])
def test_an_interrupt_ends_a_search(call, tmp_path):
    """Ctrl-C is heard within a search, which is given no time to come to its end; the next one is as good as any."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, call],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=tmp_path,
    )
    heard, chance = done.stdout.split()
    assert heard == "interrupted"
    assert float(chance) == float(mjcore.win_probability("123m456s78p1155z3m", 18))


def test_what_a_signal_raises_comes_out():
    """Any exception of a handler, not Ctrl-C alone."""

    class Stop(Exception):
        pass

    def handler(number, frame):
        raise Stop("that is enough")

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Stop, match="that is enough"):
            mjcore.win_probability(FAR_AWAY, 40, budget=20_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_threads():
    """Searches share nothing: the same answers from many threads at once."""
    hands = random_hands(24, 81, farthest=3)
    want = [mjcore.win_probability(hand) for hand in hands]
    got = [None] * len(hands)

    def run(start):
        for i in range(start, len(hands), 4):
            got[i] = mjcore.win_probability(hands[i])

    threads = [threading.Thread(target=run, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == want


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"draws": -1}, ValueError, "draws of 0 to 136"),
        ({"draws": 1.5}, TypeError, "a number for draws"),
        ({"draws": 124}, ValueError, "the tiles unseen"),
        ({"model": "greedy"}, ValueError, "strict, exchange"),
        ({"model": "exchange", "radius": 5}, ValueError, "radius of 0 to 4"),
        ({"budget": 0}, ValueError, "budget of 1"),
        ({"budget": True}, TypeError, "a number for budget"),
        ({"visible": "55555m"}, mjcore.InvalidHandError, "at most 4"),
        ({"jokers": 9}, mjcore.InvalidHandError, "jokers"),
        ({"forms": "chows"}, ValueError, "forms of"),
        ({"rules": 3}, TypeError, "HandRules"),
        ({"value": 3}, TypeError, "function of hand and winning kind"),
    ],
)
def test_errors(options, error, words):
    with pytest.raises(error, match=words):
        mjcore.win_probability("123m456s789p1115z", **options)


def test_errors_of_hands():
    with pytest.raises(mjcore.InvalidHandError, match="got 3"):
        mjcore.win_probability("123m")
    with pytest.raises(mjcore.InvalidHandError, match="one of the forms fits"):
        mjcore.win_probability("123m5s", forms="thirteen_orphans")
    with pytest.raises(mjcore.InvalidHandError, match="2, 5, 8, 11 or 14"):
        mjcore.discard_chances("123m5s")


def test_drawn_jokers_that_change_what_can_be_finished():
    """Where a drawn joker may stand for a fifth copy the strict model is not exact, and says so."""
    rules = mjcore.HandRules(joker_kind="5m")
    with pytest.raises(mjcore.InvalidHandError, match="the strict model is not exact"):
        mjcore.win_probability("1111m2222s9999p1z", 5, rules=rules)
    assert is_a_curve(mjcore.win_probability("1111m2222s9999p1z", 5, rules=rules, model="exchange").win)


# --- the value -------------------------------------------------------------------------------


def test_the_answer_is_a_value():
    curve = mjcore.win_probability("1357m2468s135p1z7z", 4)
    assert pickle.loads(pickle.dumps(curve)) == curve
    assert json.loads(json.dumps(curve.to_dict()))["n_states"] == curve.n_states
    assert repr(curve).startswith("WinCurve(win=(0.0, 0.0,")
    with pytest.raises(AttributeError):
        curve.shanten = 3


def test_loaded_when_asked_for(tmp_path):
    """`import mjcore` is no slower for it; the names are listed all the same."""
    code = (
        "import sys, mjcore; assert not any('chance' in name or 'curve' in name for name in sys.modules); "
        "assert 'win_probability' in dir(mjcore); mjcore.win_probability; assert 'mjcore.win_chance' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
    with pytest.raises(AttributeError, match="lose_probability"):
        mjcore.lose_probability  # noqa: B018


def test_too_few_draws_to_be_ready_need_no_search():
    for hand in (mjcore.Hand("9m19s19pCFPESW [111m]"), "147m258s369pESWNC"):
        for model in ("strict", "exchange"):
            curve = mjcore.win_probability(hand, 1, model=model)
            assert curve.shanten > 1
            assert (curve.win, curve.ready, curve.n_states) == ((0.0,), (0.0,), 0)
    curve = mjcore.win_probability("147m258s369pESWNC", 3)
    assert curve.n_states <= 50_000
