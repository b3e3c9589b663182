"""
Shanten with jokers: each assignment tried, and a slow reference for hands of full size.

By definition a hand with jokers is as near as the nearest hand that the jokers can make of it.  Under the
reading that allows a fifth copy, so may what is drawn.
"""

import functools
from itertools import combinations_with_replacement

import numpy as np
import pytest
import reference
from families import (
    FAMILIES,
    assert_rows,
    drop_one,
    exchange_one,
    family,
    flags,
    seven_pairs_hands,
    shown,
    thirteen_orphans_hands,
    vecs,
)

import mjcore
from mjcore import HandRules, batch

pytestmark = pytest.mark.slow

SEED = 20261201
N_FULL = 1_500  # of each number of jokers and reading, times three options
N_TRIED = {1: 6_000, 2: 400, 3: 30, 4: 4}  # a hand with four jokers is 66,045 assignments
N_TRIED_SHORT = {1: 6_000, 2: 400, 3: 30, 4: 4}
readings = pytest.mark.parametrize("fifth", [True, False], ids=["fifth_copy", "four_copies"])
OPTIONS = [
    reference.DEFAULT,
    reference.Rules(seven_pairs_quads=True, eyes=frozenset((1, 4, 7, 10, 13, 16, 19, 22, 25))),
    reference.Rules(joker_special_forms=False, joker_kind=4),
]


@functools.cache
def made_hands(is_short, seed):
    if is_short:
        return family("short", seed, 13 * 1_500)
    rng = np.random.default_rng(seed)
    hands = [family(name, seed, 2_000) for name in FAMILIES if name != "short"]
    hands += [seven_pairs_hands(rng, 1_500), thirteen_orphans_hands(rng, 700)]
    return np.concatenate([*hands, exchange_one(rng, hands[-1])])


def naturals(n, n_jokers, size, seed):
    """`n` hands that with the jokers have `size` tiles."""
    rng = np.random.default_rng([seed, n_jokers, size])
    every = made_hands(size < 13, seed)
    every = every[every.sum(axis=1) >= size - n_jokers]
    hands = every[rng.integers(0, len(every), n)]
    while len(wrong := np.flatnonzero(hands.sum(axis=1) > size - n_jokers)):
        hands[wrong] = drop_one(rng, hands[wrong])
    return hands


def nearest_assignment(hands, n_jokers, fifth, forms):
    """Shanten of the nearest hand that some kinds for the jokers make, each choice of kinds tried."""
    choices = np.array(
        [np.bincount(kinds, minlength=34) for kinds in combinations_with_replacement(range(34), n_jokers)], np.int64
    )
    n_hands = max(1, 200_000 // len(choices))
    if len(hands) > n_hands:
        parts = [hands[at : at + n_hands] for at in range(0, len(hands), n_hands)]
        return np.concatenate([nearest_assignment(part, n_jokers, fifth, forms) for part in parts])
    whole = (hands.astype(np.int64)[:, None] + choices).reshape(-1, 34)
    sizes = np.repeat(hands.sum(axis=1, dtype=int) + n_jokers, len(choices))
    room = np.full_like(whole, reference.FREE_ROOM if fifth else 4)
    distance = reference.standard_distances(whole, np.minimum(4, sizes // 3), room)
    for form, distances in (
        ("seven_pairs", reference.seven_pairs_distances(whole, False)),
        ("thirteen_orphans", reference.thirteen_orphans_distances(whole)),
    ):
        if form in forms:
            distance = np.where(sizes >= 13, np.minimum(distance, distances), distance)
    if not fifth:
        distance[(whole > 4).any(axis=1)] = reference.FAR
    return distance.reshape(len(hands), len(choices)).min(axis=1) - 1


def check_assignments(hands, n_jokers, fifth):
    rules = HandRules(joker_fifth_copy=fifth)
    want = nearest_assignment(hands, n_jokers, fifth, rules.forms)
    assert_rows(hands, batch.shanten(hands, jokers=n_jokers, rules=rules), want, f"each of {n_jokers} jokers tried")
    assert len(set(want.tolist())) > 1


@readings
@pytest.mark.parametrize("n_jokers", [1, 2, 3, 4])
def test_full_hands_by_each_assignment(n_jokers, fifth):
    for size in (13, 14):
        check_assignments(naturals(N_TRIED[n_jokers] // 2, n_jokers, size, SEED), n_jokers, fifth)


@readings
@pytest.mark.parametrize("n_jokers", [1, 2, 3, 4])
def test_short_hands_by_each_assignment(n_jokers, fifth):
    sizes = [size for size in (4, 5, 7, 8, 10, 11) if size > n_jokers]
    for size in sizes:
        hands = naturals(max(3, N_TRIED_SHORT[n_jokers] // len(sizes)), n_jokers, size, SEED + 1)
        want = nearest_assignment(hands, n_jokers, fifth, ("standard",))
        rules = HandRules(joker_fifth_copy=fifth)
        assert_rows(hands, batch.shanten(hands, jokers=n_jokers, rules=rules), want, f"{n_jokers} jokers tried")


@readings
@pytest.mark.parametrize("n_jokers", [1, 2])
def test_every_hand_of_one_suit_of_four_and_five_tiles(n_jokers, fifth):
    for size in (4, 5):
        rows = [
            np.bincount(kinds, minlength=34)
            for kinds in combinations_with_replacement(range(9), size - n_jokers)
            if max(map(kinds.count, kinds)) <= 4
        ]
        hands = np.array(rows, np.uint8)
        want = nearest_assignment(hands, n_jokers, fifth, ("standard",))
        rules = HandRules(joker_fifth_copy=fifth)
        assert_rows(hands, batch.shanten(hands, jokers=n_jokers, rules=rules), want, f"{n_jokers} jokers tried")


@readings
@pytest.mark.parametrize("n_jokers", range(1, 9))
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "quads_eyes", "joker_kind"])
def test_reference(n_jokers, fifth, options):
    options = options._replace(joker_fifth_copy=fifth)
    rules = HandRules(**options._asdict())
    hands = np.concatenate(
        [naturals(N_FULL // 3, n_jokers, size, SEED + 2) for size in (10, 11, 13, 14, 14) if size > n_jokers]
    )
    if options.joker_kind is not None:
        hands = hands[hands[:, options.joker_kind] + n_jokers <= 8]
    want = reference.shanten(hands, n_jokers, rules=options)
    assert_rows(hands, batch.shanten(hands, jokers=n_jokers, rules=rules), want)
    for vec, number in zip(vecs(hands[::25]), want[::25].tolist(), strict=True):
        assert mjcore.shanten(vec, jokers=n_jokers, rules=rules) == number, f"{mjcore.format(vec)}, {n_jokers} jokers"


@readings
@pytest.mark.parametrize("n_jokers", range(1, 9))
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "quads_eyes", "joker_kind"])
def test_useful_tiles_of_the_reference(n_jokers, fifth, options):
    options = options._replace(joker_fifth_copy=fifth)
    rules = HandRules(**options._asdict())
    hands = np.concatenate([naturals(60, n_jokers, size, SEED + 3) for size in (10, 13, 14)])
    if options.joker_kind is not None:
        hands = hands[hands[:, options.joker_kind] + n_jokers <= 8]
    want, kinds = reference.useful(hands, n_jokers, rules=options)
    got = batch.useful(hands, jokers=n_jokers, rules=rules)
    assert_rows(hands, got.shanten, want)
    assert_rows(hands, flags(got.kinds), kinds)


def test_reference_counts_more_than_twenty_thousand_hands():
    counted = sum(N_FULL // 3 * 5 for _ in range(4)) * len(OPTIONS) * 2
    assert counted + sum(N_TRIED.values()) + sum(N_TRIED_SHORT.values()) > 40_000


@pytest.mark.parametrize("n_jokers", range(9))
def test_the_fifth_copy_reading_is_never_farther(n_jokers):
    hands = np.concatenate([naturals(2_000, n_jokers, size, SEED + 4) for size in (10, 11, 13, 14)])
    fifth = batch.shanten(hands, jokers=n_jokers)
    four = batch.shanten(hands, jokers=n_jokers, rules=HandRules(joker_fifth_copy=False))
    wrong = np.flatnonzero(fifth > four)
    assert len(wrong) == 0, shown(hands[wrong[0]])
    if n_jokers == 0:
        assert np.array_equal(fifth, four)
    elif n_jokers < 4:
        assert (fifth < four).any()


@pytest.mark.parametrize("kind", [0, 4, 20, 27, 33])
@readings
def test_copies_of_the_joker_kind_are_as_many_jokers(kind, fifth):
    rules = HandRules(joker_kind=kind, joker_fifth_copy=fifth)
    plain = HandRules(joker_fifth_copy=fifth)
    for copies in (1, 2, 3, 4):
        hands = np.concatenate([naturals(600, copies, size, SEED + 5) for size in (10, 11, 13, 14)])
        hands = hands[hands[:, kind] == 0]
        held = hands.copy()
        held[:, kind] = copies
        want = batch.shanten(hands, jokers=copies, rules=plain)
        assert_rows(held, batch.shanten(held, rules=rules), want, f"{copies} jokers")
        assert len(held) > 500
