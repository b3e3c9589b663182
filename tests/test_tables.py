"""The tables as data: shanten by indexing alone, as a kernel on another device would do it."""

import numpy as np
import pytest
from families import FAMILIES, assert_rows, drop_one, family, waiting_family

import mjcore
from mjcore import HandRules, batch

SUITS = [slice(0, 9), slice(9, 18), slice(18, 27)]


def shanten_by_indexing(hands, n_jokers, reading):
    """Standard shanten of some counts with nothing but NumPy and the arrays."""
    t = mjcore.tables(reading)
    chunks = np.array([1, 16, 256])
    profiles = []
    for suit in SUITS:
        numbers = t.chunks[hands[:, suit].reshape(-1, 3, 3) @ chunks] >> 25
        profiles.append(t.suit3[t.suit2[t.suit1[numbers[:, 0]], numbers[:, 1]], numbers[:, 2]])
    honors = np.pad(hands[:, 27:], ((0, 0), (0, 2))).reshape(-1, 3, 3)
    numbers = t.chunks[honors @ chunks] >> 25
    profiles.append(t.honors3[t.honors2[t.honors1[numbers[:, 0]], numbers[:, 1]], numbers[:, 2]])
    m, s, p, z = profiles
    n_melds = np.minimum((hands.sum(axis=1) + n_jokers) // 3, 4)
    return (t.distances[n_melds, t.sums[m, s], t.sums[p, z]] >> 1).astype(int) - n_jokers - 1


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("make", [family, waiting_family])
def test_shanten_by_indexing(name, make):
    hands = make(name, 20261130, 20_000)
    hands = hands[hands.sum(axis=1) % 3 != 0]
    standard = HandRules(forms=("standard",))
    assert_rows(hands, shanten_by_indexing(hands, 0, "capped"), batch.shanten(hands, rules=standard))


@pytest.mark.parametrize("n_jokers", [1, 3])
def test_shanten_by_indexing_with_jokers(n_jokers):
    hands = family("plain", 20261201, 20_000)
    for _ in range(n_jokers):
        hands = drop_one(np.random.default_rng(n_jokers), hands)
    want = batch.shanten(hands, jokers=n_jokers, rules=HandRules(forms=("standard",)))
    assert_rows(hands, shanten_by_indexing(hands, n_jokers, "free"), want)


@pytest.mark.parametrize("reading", ["capped", "free"])
def test_arrays_are_read_only_and_fit_together(reading):
    t = mjcore.tables(reading)
    n = len(t.profiles)
    assert t.sums.shape == (n, n)
    assert t.distances.shape == (5, n, n)
    assert t.suit3.max() < n
    assert t.suit2.max() < len(t.suit3)
    assert t.suit1.max() < len(t.suit2)
    assert t.honors3.max() < n
    assert sum(array.nbytes for array in t) < 512 * 1024
    for array in t:
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_unknown_reading():
    with pytest.raises(ValueError, match="expected a reading of capped or free, got 'x'"):
        mjcore.tables("x")
