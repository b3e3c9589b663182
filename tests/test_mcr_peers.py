"""
Scoring of Chinese Official against PyMahjongGB and against the slow scorer.

Totals are equal on every hand.  Lists of fans are equal but for ties [7.4], where several readings have
the best total: then the peer's list is that of one of them, and ours that of the one the rule prefers.

The size of the slow run is 200,000 hands, or MJCORE_PEER_HANDS.
"""

import itertools
import os
import random
from collections import Counter

import pytest
import reference_mcr
from mcr_hands import FAMILIES, arrays, context_of, described, gb_score, hand_text, winning_hands
from reference_mcr import FANS, POINTS, Win

import mjcore
from mjcore.score_batch import batch_score

SEED = 20261129
SLICE = 20_000
N_SLICES = -(-int(os.environ.get("MJCORE_PEER_HANDS", "200000")) // SLICE)
N_REFERENCE = 3_000
TIES_PER_HAND = 0.001


def answer(win):
    score = mjcore.score(hand_text(win, with_win=False), win_tile=win.win, **context_of(win))
    return score.total, {fan.id: fan.count for fan in score.fans}


def assert_is_a_tie(win, mine, theirs):
    """Whether the slow scorer has both lists with the best total, and ours first."""
    readings = reference_mcr.score(win).readings
    best = [reading.fans for reading in readings if reading.total == readings[0].total]
    assert mine == best[0], f"{described(win)}: {mine}, the slow scorer {best[0]}"
    assert theirs in best, f"{described(win)}: {mine}, PyMahjongGB {theirs}"


def batch_answers(wins):
    """The answers of all the hands by arrays."""
    arguments = arrays(wins)
    scores = batch_score(arguments.pop("hands"), **arguments)
    for total, counts in zip(scores.total.tolist(), scores.counts, strict=True):
        yield total, {FANS[place]: int(counts[place]) for place in counts.nonzero()[0]}


def assert_slice_agrees(wins, answers):
    reached, n_ties = Counter(), 0
    for win, (total, fans) in zip(wins, answers, strict=True):
        their_total, their_fans = gb_score(win)
        assert total == their_total, f"{described(win)}: {total} of {fans}, PyMahjongGB {their_total} of {their_fans}"
        if fans != their_fans:
            n_ties += 1
            assert_is_a_tie(win, fans, their_fans)
        reached.update(fans.keys())
    assert n_ties <= TIES_PER_HAND * len(wins)
    assert set(reached) == set(FANS)
    assert min(reached.values()) >= 20


@pytest.mark.slow
def test_pymahjonggb():
    wins = list(winning_hands(SEED, SLICE))
    assert_slice_agrees(wins, map(answer, wins))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(N_SLICES))
def test_pymahjonggb_more(number):
    wins = list(winning_hands(SEED + 1 + number, SLICE))
    assert_slice_agrees(wins, batch_answers(wins))


@pytest.mark.slow
def test_the_slow_scorer():
    reached = set()
    for win in winning_hands(SEED - 1, N_REFERENCE):
        want = reference_mcr.score(win)
        score = mjcore.score(hand_text(win, with_win=False), win_tile=win.win, **context_of(win))
        fans = {fan.id: fan.count for fan in score.fans}
        assert (score.total, fans) == (want.total, want.fans), described(win)
        assert set(mjcore.KindSet(score.waits)) == want.waits, described(win)
        reached |= fans.keys()
    assert reached == set(FANS)


@pytest.mark.parametrize(
    "options",
    [
        {"strict98": True},
        {"mixed_kongs": "split"},
        {"mixed_kongs": "six"},
        {"wait_ignores_exhausted": True},
        {"knitted_body_wait": False},
        {"knitted_waits": False},
        {"nine_gates_absorbs_all_pungs": True},
        {"kong_with_concealed_pungs": False},
        {"strict98": True, "mixed_kongs": "split", "wait_ignores_exhausted": True, "kong_with_concealed_pungs": False},
    ],
    ids=lambda options: "-".join(options),
)
def test_the_slow_scorer_with_options(options):
    rules = mjcore.rule_set("mcr").replace(options=options)
    changed = 0
    for win in hands_for(options):
        want = reference_mcr.score(win, **options)
        score = mjcore.score(hand_text(win, with_win=False), win_tile=win.win, rules=rules, **context_of(win))
        fans = {fan.id: fan.count for fan in score.fans}
        assert (score.total, fans) == (want.total, want.fans), described(win)
        changed += want.total != answer(win)[0]
    assert changed >= 5


def hands_for(options):
    """Hands of the families where an option tells."""
    families = {
        "strict98": ("seven_pairs", "honor_sets", "chow_fours", "pung_fours", "terminals", "few"),
        "mixed_kongs": ("kong_hand",),
        "wait_ignores_exhausted": ("few", "flush", "chow_fours"),
        "knitted_body_wait": ("knitted_straight",),
        "knitted_waits": ("knitted_straight",),
        "nine_gates_absorbs_all_pungs": ("nine_gates",),
        "kong_with_concealed_pungs": ("pungs", "kong_hand"),
    }
    names = tuple(dict.fromkeys(name for option in options for name in families[option]))
    assert set(names) <= set(FAMILIES)
    return winning_hands(SEED + 1000, 600, names)


def one_suit_wins():
    """Every winning hand of one suit without melds, as nine counts."""
    sets = [tuple(int(a <= place < a + 3) for place in range(9)) for a in range(7)]
    sets += [tuple(3 * (place == a) for place in range(9)) for a in range(9)]
    hands = {(0,) * 9}
    for _ in range(4):
        hands = {added for hand in hands for each in sets if max(added := add(hand, each)) <= 4}
    pairs = [tuple(2 * (place == a) for place in range(9)) for a in range(9)]
    hands = {added for hand in hands for pair in pairs if max(added := add(hand, pair)) <= 4}
    return sorted(hands | set(seven_pairs_of_one_suit()))


def add(one, other):
    return tuple(a + b for a, b in zip(one, other, strict=True))


def seven_pairs_of_one_suit():
    return (hand for hand in itertools.product((0, 2, 4), repeat=9) if sum(hand) == 14)


@pytest.mark.slow
def test_every_hand_of_one_suit():
    """All full flushes without melds, each with each winning tile, the suits in turn, drawn or not."""
    hands = one_suit_wins()
    assert len(hands) == 15_349
    ways = itertools.cycle(itertools.product((0, 9, 18), (False, True)))
    for hand in hands:
        base, self_drawn = next(ways)
        counts = (0,) * base + hand + (0,) * (25 - base)
        for place in range(9):
            if hand[place]:
                win = Win(counts, (), base + place, self_drawn=self_drawn)
                total, fans = answer(win)
                their_total, their_fans = gb_score(win)
                assert total == their_total, f"{described(win)}: {fans}, PyMahjongGB {their_fans}"
                if fans != their_fans:
                    assert_is_a_tie(win, fans, their_fans)


@pytest.mark.parametrize("seed", range(6))
def test_the_best_reading_under_any_points(seed, monkeypatch):
    """Other points make other readings the best ones."""
    rng = random.Random(seed)
    near, far = (-1, 0, 0, 1, 3), (0, 1, 1, 2, 50)
    points = {
        fan: max(0, POINTS[fan] + rng.choice(near)) if seed % 2 else rng.choice(far) + rng.choice(near[1:])
        for fan in FANS
    }
    for fan, value in points.items():
        monkeypatch.setitem(POINTS, fan, value)
    rules = mjcore.rule_set("mcr").replace(fans={fan: {"points": value} for fan, value in points.items()})
    for win in winning_hands(SEED + 2000 + seed, 400):
        want = reference_mcr.score(win)
        score = mjcore.score(hand_text(win, with_win=False), win_tile=win.win, rules=rules, **context_of(win))
        fans = {fan.id: fan.count for fan in score.fans}
        assert (score.total, fans) == (want.total, want.fans), described(win)
