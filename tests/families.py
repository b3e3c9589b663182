"""Seeded makers of hands, (n, 34) uint8 counts in kind order, and what the tests share about them."""

import numpy as np

import mjcore

N_KINDS = 34
FIRST_HONOR = 27
HONORS = tuple(range(FIRST_HONOR, N_KINDS))

FAMILIES = ("plain", "half_flush", "flush", "honors", "four_of_a_kind", "short")


def meld_rows():
    rows = []
    for kind in range(FIRST_HONOR):
        if kind % 9 <= 6:
            row = np.zeros(N_KINDS, np.uint8)
            row[kind : kind + 3] = 1
            rows.append(row)
    for kind in range(N_KINDS):
        row = np.zeros(N_KINDS, np.uint8)
        row[kind] = 3
        rows.append(row)
    return np.array(rows)


MELD_ROWS = meld_rows()  # 21 chows, then 34 pungs


def wall_hands(rng, n, size, kinds=range(N_KINDS)):
    """`n` hands of `size` tiles drawn from the four copies of each of the kinds."""
    wall = np.repeat(np.array(kinds), 4)
    out = np.zeros((n, N_KINDS), np.uint8)
    for start in range(0, n, 8192):
        rows = np.arange(start, min(n, start + 8192))
        drawn = wall[rng.random((len(rows), len(wall)), np.float32).argpartition(min(size, len(wall) - 1), axis=1)]
        for place in range(size):
            out[rows, drawn[:, place]] += 1
    return out


def winning_hands(rng, n, n_melds=4, kinds=range(N_KINDS), chows=0.6):
    """`n` hands of random melds and eyes among the kinds, no kind above four copies."""
    kinds = np.array(kinds)
    outside = np.ones(N_KINDS, bool)
    outside[kinds] = False
    fit = ~MELD_ROWS[:, outside].any(axis=1)
    all_chows, all_pungs = np.flatnonzero(fit[:21]), 21 + np.flatnonzero(fit[21:])
    if len(all_chows) == 0:
        all_chows = all_pungs
    got, n_got = [], 0
    while n_got < n:
        many = max(n, 256)
        is_chow = rng.random((many, n_melds)) < chows
        melds = np.where(is_chow, rng.choice(all_chows, (many, n_melds)), rng.choice(all_pungs, (many, n_melds)))
        hands = MELD_ROWS[melds].sum(axis=1, dtype=np.uint8)
        hands[np.arange(many), rng.choice(kinds, many)] += 2
        hands = hands[(hands <= 4).all(axis=1)]
        got.append(hands)
        n_got += len(hands)
    return np.concatenate(got)[:n]


def seven_pairs_hands(rng, n):
    out = np.zeros((n, N_KINDS), np.uint8)
    chosen = rng.random((n, N_KINDS)).argpartition(7, axis=1)[:, :7]
    np.put_along_axis(out, chosen, 2, axis=1)
    quads = rng.random(n) < 0.25
    out[np.flatnonzero(quads), chosen[quads, 0]] = 4
    out[np.flatnonzero(quads), chosen[quads, 1]] = 0
    return out


def thirteen_orphans_hands(rng, n):
    orphans = np.array([0, 8, 9, 17, 18, 26, *HONORS])
    out = np.zeros((n, N_KINDS), np.uint8)
    out[:, orphans] = 1
    out[np.arange(n), rng.choice(orphans, n)] += 1
    return out


def random_tile(rng, weights):
    """One kind a row, each with its weight; the weights of a row are not all zero."""
    sums = weights.cumsum(axis=1, dtype=np.int64)
    return (sums > rng.integers(0, sums[:, -1])[:, None]).argmax(axis=1)


def drop_one(rng, hands):
    """The hands without one random tile each."""
    out = hands.copy()
    out[np.arange(len(out)), random_tile(rng, hands)] -= 1
    return out


def exchange_one(rng, hands):
    """Near misses: one tile becomes another, of the same suits as the hand has three times of four."""
    out = drop_one(rng, hands)
    weights = (out < 4) * (1 + 30 * (np.repeat(np.add.reduceat(out, (0, 9, 18, 27), axis=1), (9, 9, 9, 7), axis=1) > 0))
    out[np.arange(len(out)), random_tile(rng, weights)] += 1
    return out


def suit_pools(with_honors):
    return [[*range(base, base + 9), *(HONORS if with_honors else ())] for base in (0, 9, 18)]


def mixed(rng, n, size, kinds):
    """About half from the wall, a quarter near misses and a quarter wins; 3n + 2 tiles."""
    n_wins, n_near = n // 4, n // 4
    n_melds = size // 3
    return np.concatenate(
        [
            wall_hands(rng, n - n_wins - n_near, size, kinds),
            winning_hands(rng, n_wins, n_melds, kinds),
            exchange_one(rng, winning_hands(rng, n_near, n_melds, kinds)),
        ]
    )


def four_of_a_kind_hands(rng, n):
    """Hands from few kinds, each with some kind four times."""
    got, n_got = [], 0
    while n_got < n:
        low, width = int(rng.integers(0, 5)), int(rng.integers(4, 6))
        base = 9 * int(rng.integers(0, 3))
        kinds = [*range(base + low, base + min(low + width, 9)), *rng.choice(HONORS, int(rng.integers(0, 3)), False)]
        hands = mixed(rng, 4096, 14, kinds)
        hands = hands[(hands == 4).any(axis=1)]
        got.append(hands)
        n_got += len(hands)
    return np.concatenate(got)[:n]


def short_hands(rng, n):
    """All sizes of 1 to 13."""
    parts = []
    for size in range(1, 14):
        share = n // 13 if size < 13 else n - 12 * (n // 13)
        if size % 3 == 2:
            parts.append(mixed(rng, share // 2, size, range(N_KINDS)))
            parts.append(mixed(rng, share - share // 2, size, suit_pools(True)[size % 2]))
        elif size % 3 == 1:
            parts.append(drop_one(rng, mixed(rng, share, size + 1, range(N_KINDS))))
        else:
            parts.append(wall_hands(rng, share, size))
    return np.concatenate(parts)


def family(name, seed, n):
    """`n` hands of a family, of 14 tiles but for the short ones."""
    rng = np.random.default_rng([seed, FAMILIES.index(name)])
    if name == "plain":
        special = [seven_pairs_hands(rng, n // 50), thirteen_orphans_hands(rng, n // 50)]
        special += [exchange_one(rng, hands) for hands in special]
        rest = mixed(rng, n - sum(map(len, special)), 14, range(N_KINDS))
        return np.concatenate([*special, rest])
    if name == "honors":
        return mixed(rng, n, 14, HONORS)
    if name == "four_of_a_kind":
        return four_of_a_kind_hands(rng, n)
    if name == "short":
        return short_hands(rng, n)
    pools = suit_pools(name == "half_flush")
    bounds = [n * i // 3 for i in range(4)]
    return np.concatenate([mixed(rng, bounds[i + 1] - bounds[i], 14, pools[i]) for i in range(3)])


def waiting_family(name, seed, n):
    """`n` hands of a family of 13 tiles, the short ones of 1, 4, 7 and 10."""
    rng = np.random.default_rng([seed, FAMILIES.index(name), 13])
    if name == "short":
        parts = [drop_one(rng, mixed(rng, n // 4, size + 1, range(N_KINDS))) for size in (1, 4)]
        parts += [drop_one(rng, mixed(rng, n // 4, size + 1, suit_pools(True)[size % 3])) for size in (7, 10)]
        return np.concatenate(parts)
    return drop_one(rng, family(name, seed + 1, n))


def vecs(hands):
    """The hands as packed ints."""
    data = (hands[:, 0::2] | hands[:, 1::2] << 4).astype(np.uint8).tobytes()
    return [int.from_bytes(data[at : at + 17], "little") for at in range(0, len(data), 17)]


def masks(flags):
    """Rows of 34 flags as ints."""
    return (flags.astype(np.uint64) << np.arange(N_KINDS, dtype=np.uint64)).sum(axis=1, dtype=np.uint64).tolist()


def shown(counts):
    """One row in notation."""
    return mjcore.format(vecs(np.asarray(counts, np.uint8).reshape(1, N_KINDS))[0])


def assert_rows(hands, got, want, who="reference"):
    """Rows of answers are equal, or the first hands that differ are named."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    differ = got != want
    wrong = np.flatnonzero(differ.reshape(len(hands), -1).any(axis=1))
    if len(wrong):
        lines = [f"{shown(hands[i])}: {got[i].tolist()}, {who} {want[i].tolist()}" for i in wrong[:5]]
        raise AssertionError(f"{len(wrong)} of {len(hands)} differ:\n" + "\n".join(lines))


def flags(kinds):
    """Masks of kinds as rows of 34 flags."""
    return np.asarray(kinds, np.uint64)[..., None] >> np.arange(N_KINDS, dtype=np.uint64) & np.uint64(1) != 0
