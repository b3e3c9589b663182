"""Chances to win: against recursion over whole walls in fractions, against games played, and by laws."""

from __future__ import annotations

import functools
import math
import random
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
    "text", ["123m456s78p1155z3m", "1357m2468s135p1z7z", "1345m2458s369p12z", "13m2457s1377p22z6m"]
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
