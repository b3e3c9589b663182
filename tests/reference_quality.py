"""
A second opinion on quality and discard scores: the documented formulas, word by word, on lists of 34 counts.

A position is counts of the concealed tiles, melds as (type, kinds), the rivers of three opponents and the counts of
other visible tiles.  Only the waits, shanten and useful kinds come from elsewhere: the reference in reference.py.
"""

from math import log2

import numpy as np
import reference

SUITS = (range(9), range(9, 18), range(18, 27))
HONORS = range(27, 34)
DRAGONS = range(27, 30)
WINDS = range(30, 34)
TERMINALS = (0, 8, 9, 17, 18, 26)


def melded_counts(melds, kong=4):
    counts = [0] * 34
    for name, kinds in melds:
        for kind in kinds if name == "chow" else [kinds[0]] * (kong if name == "kong" else 3):
            counts[kind] += 1
    return counts


def live_copies(kind, counts, melds, rivers, visible):
    own = counts[kind] + melded_counts(melds)[kind]
    return max(0, 4 - own - visible[kind] - sum(list(river).count(kind) for river in rivers))


# --- entropy -----------------------------------------------------------------------------------


def survival(kind, rivers):
    discarded = [tile for river in rivers for tile in river]
    if kind < 27 and discarded.count(kind) >= 2:
        return 0.10
    recent = [tile for river in rivers for tile in river[-2:]]
    neighbors = [other for other in (kind - 1, kind + 1) if kind < 27 and other // 9 == kind // 9]
    if kind < 27 and any(other in recent for other in neighbors):
        return 0.30
    if kind >= 27 and kind not in discarded:
        return 0.95
    return 0.70


def entropies(chances):
    """Entropy of the shares, the formula as written, the first as a part of the most."""
    total = sum(chances)
    shares = [p / total for p in chances]
    entropy = -sum(share * log2(share) for share in shares)
    return entropy, -sum(p * log2(p) for p in chances), min(1, entropy / log2(13))


# --- coverage ----------------------------------------------------------------------------------


def coverage_parts(concealed, melds):
    """Weight and progress of the twelve targets."""
    counts = [a + b for a, b in zip(concealed, melded_counts(melds, kong=3), strict=True)]
    melded = [kind for _, kinds in melds for kind in kinds]
    chow = any(name == "chow" for name, _ in melds)
    melded_suits = {kind // 9 for kind in melded if kind < 27}

    def of_suit(suit):
        return sum(counts[kind] for kind in SUITS[suit])

    open_suits = [suit for suit in range(3) if melded_suits <= {suit}]
    honors = sum(counts[kind] for kind in HONORS)
    full = max((of_suit(suit) / 14 for suit in open_suits), default=0)
    if any(kind >= 27 for kind in melded):
        full = 0
    half = max(((of_suit(suit) + honors) / 14 for suit in open_suits), default=0)
    pairs = 0 if melds else sum(count // 2 for count in concealed) / 7
    n_pungs = sum(count >= 3 for count in counts)
    n_pairs = sum(count == 2 for count in counts)
    pungs = 0 if chow else min(9, 2 * n_pungs + n_pairs) / 9
    straight = max(sum(counts[kind] > 0 for kind in suit) for suit in SUITS) / 9
    mixed = max(
        sum(counts[9 * suit + start + i] > 0 for suit, start in zip(range(3), starts, strict=True) for i in range(3))
        for starts in ((0, 3, 6), (0, 6, 3), (3, 0, 6), (3, 6, 0), (6, 0, 3), (6, 3, 0))
    )
    triple = max(sum(counts[9 * suit + start + i] > 0 for suit in range(3) for i in range(3)) for start in range(7))
    orphans = [*TERMINALS, *HONORS]
    ends = sum(counts[kind] for kind in orphans) / 14
    if chow or any(kind not in orphans for kind in melded):
        ends = 0
    outside = sum(counts[kind] for kind in range(34) if kind >= 27 or kind % 9 + 1 in (1, 2, 3, 7, 8, 9)) / 14
    if any(not any(kind in orphans for kind in kinds) for _, kinds in melds):
        outside = 0
    dragons = sum(min(3, counts[kind]) for kind in DRAGONS) / 9
    winds = sum(min(3, counts[kind]) for kind in WINDS) / 12
    thirteen = 0 if melds else sum(concealed[kind] > 0 for kind in orphans) / 13
    return [
        (24, full),
        (24, pairs),
        (6, half),
        (6, pungs),
        (16, straight),
        (8, mixed / 9),
        (8, triple / 9),
        (32, ends),
        (4, outside),
        (88, dragons),
        (88, winds),
        (88, thirteen),
    ]


def evaluate(counts, melds=(), rivers=((), (), ()), visible=(0,) * 34, alpha=0.7):
    """Of a hand of 3n + 1 tiles, or of 3n + 2 that are complete."""
    waits = reference.waits(counts, 0, tuple(melded_counts(melds))) if sum(counts) % 3 == 1 else []
    live = {kind: live_copies(kind, counts, melds, rivers, visible) for kind in waits}
    return put_together(counts, melds, rivers, {kind: n for kind, n in live.items() if n}, alpha)


def put_together(counts, melds, rivers, live, alpha):
    chances = {kind: survival(kind, rivers) for kind in sorted(live)}
    entropy, raw, norm = entropies(list(chances.values())) if chances else (0, 0, 0)
    parts = coverage_parts(counts, melds)
    coverage = sum(w * d for w, d in parts) / sum(w for w, _ in parts)
    return {
        "quality": alpha * norm + (1 - alpha) * coverage,
        "entropy": entropy,
        "entropy_raw": raw,
        "entropy_norm": norm,
        "expected_live": sum(p * live[kind] for kind, p in chances.items()),
        "coverage": coverage,
        "progress": [d for _, d in parts],
        "waits": [(kind, p, live[kind]) for kind, p in chances.items()],
    }


def evaluate_best(counts, melds, rivers, visible, alpha):
    """Of a hand of 3n + 2 tiles that is not complete: the discard that leaves the most; the tile let go stays seen."""
    answers = {}
    for kind in range(34):
        if counts[kind]:
            rest = [*counts]
            rest[kind] -= 1
            seen = [*visible]
            seen[kind] += 1
            answers[kind] = evaluate(rest, melds, rivers, seen, alpha)
    return answers


# --- discards ----------------------------------------------------------------------------------


def base(counts, kind):
    def held(other):
        return 0 <= other < 27 and other // 9 == kind // 9 and counts[other] > 0

    total = 2 if counts[kind] >= 2 else 0
    if kind >= 27:
        return total + (1 if any(counts[other] for other in HONORS if other != kind) else 0)
    if held(kind - 1) and held(kind + 1):
        total += 3
    if held(kind + 1) and held(kind + 2):
        total += 2
    if held(kind - 1) and held(kind - 2):
        total += 2
    if kind in TERMINALS and any(counts[other] for other in TERMINALS if other // 9 == kind // 9 and other != kind):
        total += 1
    return total


def danger(kind, rivers, table):
    safe = 1
    for river in rivers:
        if not river:
            continue
        last = list(reversed(river))[:3]
        weights = (1, 0.5, 0.25)[: len(last)]
        q = sum(w * table[kind][j] for w, j in zip(weights, last, strict=True)) / sum(weights)
        safe *= 1 - q
    return 1 - safe


def gain(n_waits, before):
    if n_waits > before:
        return 10 * (n_waits - before)
    return -8 * (before - n_waits)


def discards(counts, melds, rivers, visible, table, danger_weight=5, before=0):
    """Rows by kind: base, danger, gain, score, shanten, useful kinds with live copies."""
    kinds = [kind for kind in range(34) if counts[kind]]
    rest = np.array([counts] * len(kinds))
    rest[np.arange(len(kinds)), kinds] -= 1
    melded = np.array([melded_counts(melds)] * len(kinds))
    shanten, useful = reference.useful(rest, 0, melded)
    rows = {}
    for kind, distance, flags in zip(kinds, shanten, useful, strict=True):
        live = {other: live_copies(other, counts, melds, rivers, visible) for other in range(34) if flags[other]}
        n_waits = sum(n > 0 for n in live.values()) if distance == 0 else 0
        row = {
            "base": base(counts, kind),
            "danger": danger(kind, rivers, table),
            "gain": gain(n_waits, before),
            "shanten": int(distance),
            "useful": live,
            "waits": n_waits,
        }
        row["score"] = -row["base"] - danger_weight * row["danger"] + row["gain"]
        rows[kind] = row
    return rows


def order(rows, policy):
    """Kinds, the one to let go first."""

    def key(kind):
        row = rows[kind]
        if policy == "article":
            return (-row["score"], kind)
        return (row["shanten"], -sum(row["useful"].values()), -row["score"], kind)

    return sorted(rows, key=key)
