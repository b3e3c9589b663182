"""
Time and states of win_probability, and how far the exchange model is above what its player reaches.

    python bench/win_chance.py [HANDS] [GAMES]

HANDS random hands of each shanten are searched for 18 draws, once each, in one thread; medians and the largest.
GAMES games are then played from full walls, as many to each of 20 one-shanten and 10 two-shanten hands: at each
draw the player does what the model rates highest, with what is left of the radius and all tiles seen so far.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from time import perf_counter

from workloads import wall_hand

import mjcore

DRAWS = 18
SEARCHES = [
    ("strict", None, 1, 0.05),
    ("strict", None, 2, 0.5),
    ("strict", None, 3, 10.0),
    ("strict", None, 4, None),
    ("exchange", 1, 1, 2.0),
    ("exchange", 1, 2, 20.0),
]
PLAYED = [("strict", None, 1, 20), ("strict", None, 2, 10), ("exchange", 1, 1, 20), ("exchange", 1, 2, 10)]


def hands_of(shanten: int, n: int) -> list[int]:
    """Return random hands of 13 tiles of a shanten."""
    rng = random.Random(f"win chance {shanten}")
    found: list[int] = []
    while len(found) < n:
        hand = wall_hand(rng, 13)
        if mjcore.shanten(hand) == shanten:
            found.append(hand)
    return found


def options_of(model: str, radius: int | None) -> dict:
    return {"model": model} if radius is None else {"model": model, "radius": radius}


def time_searches(n_hands: int) -> None:
    print("| model | shanten | median ms | target | largest ms | median states | most states | truncated |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for model, radius, shanten, target in SEARCHES:
        times, states, truncated = [], [], 0
        mjcore.win_probability(hands_of(shanten, 1)[0], DRAWS, **options_of(model, radius))
        for hand in hands_of(shanten, n_hands):
            start = perf_counter()
            curve = mjcore.win_probability(hand, DRAWS, **options_of(model, radius))
            times.append(1e3 * (perf_counter() - start))
            states.append(curve.n_states)
            truncated += curve.truncated
        name = model if radius is None else f"{model}, radius {radius}"
        print(
            f"| {name} | {shanten} | {statistics.median(times):.3f} | {target or '-'} | {max(times):.2f} "
            f"| {statistics.median(states):.0f} | {max(states)} | {truncated} |"
        )


def tile_bit(kind: int) -> int:
    return 1 << 4 * kind


def best_rest(full: int, drawn: int, shanten: int, slack: int, left: int, seen: int, model: str) -> tuple[int, int]:
    """Return the hand and the slack that the model rates highest after a draw."""
    rated = []
    for kind, live in mjcore.discards(full).items():
        paid = 0 if kind == drawn else live.shanten - (shanten - 1)
        if paid > slack or (model == "strict" and paid and kind != drawn):
            continue
        rest = full - tile_bit(kind)
        options = options_of(model, None if model == "strict" else slack - paid)
        chance = float(mjcore.win_probability(rest, left, visible=seen + tile_bit(kind), **options))
        # a useful tile is taken in the strict model, whatever it does to the chance
        forced = model == "strict" and live.shanten < shanten
        rated.append((forced, chance, -kind, rest, slack - paid))
    return max(rated)[3:]


def won(rng: random.Random, hand: int, radius: int | None, model: str) -> bool:
    wall = [kind for kind, count in enumerate(mjcore.unpack(hand)) for _ in range(4 - count)]
    seen, slack = 0, radius or 0
    for left, drawn in zip(range(DRAWS - 1, -1, -1), rng.sample(wall, DRAWS), strict=True):
        full = hand + tile_bit(drawn)
        shanten, after = mjcore.shanten(hand), mjcore.shanten(full)
        if after < 0:
            return True
        if left == 0:
            return False
        rest = hand
        if slack or after < shanten:
            rest, slack = best_rest(full, drawn, shanten, slack, left, seen, model)
        seen += full - rest
        hand = rest
    return False


def play(n_games: int) -> None:
    print("| model | shanten | its chance | games won | gap | standard error |")
    print("|---|---:|---:|---:|---:|---:|")
    for model, radius, shanten, n_hands in PLAYED:
        rng = random.Random(f"games {model} {shanten}")
        chances, wins, n_each = [], [], max(1, n_games // n_hands)
        for hand in hands_of(shanten, n_hands):
            chances.append(float(mjcore.win_probability(hand, DRAWS, **options_of(model, radius))))
            wins.append(sum(won(rng, hand, radius, model) for _ in range(n_each)) / n_each)
        chance, rate = statistics.mean(chances), statistics.mean(wins)
        error = math.sqrt(sum(win * (1 - win) for win in wins) / n_each) / n_hands
        name = model if radius is None else f"{model}, radius {radius}"
        print(f"| {name} | {shanten} | {chance:.4f} | {rate:.4f} | {chance - rate:+.4f} | {error:.4f} |")


def main(arguments: list[str]) -> None:
    n_hands = int(arguments[0]) if arguments else 200
    n_games = int(arguments[1]) if len(arguments) > 1 else 2000
    time_searches(n_hands)
    print()
    play(n_games)


if __name__ == "__main__":
    main(sys.argv[1:])
