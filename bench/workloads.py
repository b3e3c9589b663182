"""Seeded hands by family, the same ones for every benchmark."""

from __future__ import annotations

import random

import mjcore

N_HANDS = 2000
SEED = 20240229
KINDS_ALL = range(34)


def wall_hand(rng: random.Random, size: int, kinds: range = KINDS_ALL) -> int:
    """Return tiles drawn from a full wall of some kinds."""
    wall = [kind for kind in kinds for _ in range(4)]
    return sum(1 << 4 * kind for kind in rng.sample(wall, size))


def heavy_hand(rng: random.Random, size: int) -> int:
    """Return tiles of as few kinds as it takes, four of most."""
    kinds = rng.sample(range(34), 5)
    return sum(1 << 4 * kind for kind in rng.sample([kind for kind in kinds for _ in range(4)], size))


def winning_hand(rng: random.Random, n_melds: int = 4, suits: range = range(3)) -> int:
    """Return melds and eyes, three chows to two pungs."""
    while True:
        counts = [0] * 34
        for _ in range(n_melds):
            if rng.random() < 0.6:
                first = 9 * rng.choice(suits) + rng.randrange(7)
                for kind in range(first, first + 3):
                    counts[kind] += 1
            else:
                counts[_kind(rng, suits)] += 3
        counts[_kind(rng, suits)] += 2
        if max(counts) <= 4:
            return mjcore.pack(counts)


def _kind(rng: random.Random, suits: range) -> int:
    return rng.randrange(34) if len(suits) == 3 else 9 * rng.choice(suits) + rng.randrange(9)


def without_tiles(rng: random.Random, vec: int, n: int) -> int:
    """Take n random tiles away."""
    for _ in range(n):
        held = [kind for kind, count in enumerate(mjcore.unpack(vec)) for _ in range(count)]
        vec -= 1 << 4 * rng.choice(held)
    return vec


def hands(family: str, n: int = N_HANDS) -> list[int]:
    """Return `n` packed hands of a family."""
    rng = random.Random(f"{SEED} {family}")
    return [FAMILIES[family](rng) for _ in range(n)]


FAMILIES = {
    "random": lambda rng: wall_hand(rng, 14),
    "winning": lambda rng: winning_hand(rng),
    "four of a kind": lambda rng: heavy_hand(rng, 14),
    "one suit": lambda rng: wall_hand(rng, 14, range(9)),
    "winning one suit": lambda rng: winning_hand(rng, suits=range(1)),
    "ready": lambda rng: without_tiles(rng, winning_hand(rng), 1),
    "random 13": lambda rng: wall_hand(rng, 13),
    "winning with 4 jokers": lambda rng: without_tiles(rng, winning_hand(rng), 4),
    "ready with 4 jokers": lambda rng: without_tiles(rng, winning_hand(rng), 5),
    "random with 4 jokers": lambda rng: wall_hand(rng, 10),
}
