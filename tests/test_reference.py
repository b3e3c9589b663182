"""The reference against hand-written facts, and each of its faster ways against a slower one."""

import random

import pytest
import reference
from reference import DEFAULT, NO_MELDS, Rules

NAMES = [f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)] + list("CFPESWN")
SEED = 20260108
N_SUBSTITUTED = 250
N_SPLITS = 500


def counts_of(text):
    """Read "112m 3s EE"."""
    counts = [0] * 34
    for word in text.split():
        for rank in word[:-1] if word[-1] in "msp" else word:
            counts[NAMES.index(rank + word[-1] if word[-1] in "msp" else rank)] += 1
    return counts


def kinds_of(text):
    return {kind for kind, n in enumerate(counts_of(text)) if n}


def text_of(counts):
    return " ".join(NAMES[kind] for kind in range(34) for _ in range(counts[kind]))


@pytest.mark.parametrize(
    "text", ["EE", "123m 55s", "111m 11s", "11123m", "123m 123m 44m 456s 999p", "1112345678999m 5m", "CCC FFF PPP EE"]
)
def test_standard_hands_are_complete(text):
    counts = counts_of(text)
    assert reference.is_plain(counts)
    assert reference.is_hu(counts)
    assert reference.splits(counts)


@pytest.mark.parametrize(
    "text", ["", "E", "EEE", "12m", "123m", "891m 55s", "89m 1s 55s", "CFP EE", "ESW EE", "9m 12s 55p"]
)
def test_incomplete_hands_are_not(text):
    counts = counts_of(text)
    assert not reference.is_plain(counts)
    assert not reference.is_hu(counts)
    assert not reference.splits(counts)


@pytest.mark.parametrize(
    ("text", "quads", "win"),
    [
        ("11224466m 1133s EE", False, True),
        ("1111m 2255s 99p EE SS", False, False),
        ("1111m 2255s 99p EE SS", True, True),
        ("111122m 2255s 99p E S", True, False),
        ("1122m 55s EE SS", True, False),
    ],
)
def test_seven_pairs(text, quads, win):
    rules = Rules(seven_pairs_quads=quads)
    assert reference.is_plain(counts_of(text), rules) is win
    assert reference.is_hu(counts_of(text), 0, NO_MELDS, rules) is win
    assert bool(reference.splits(counts_of(text), 0, NO_MELDS, rules)) is win


@pytest.mark.parametrize(
    ("text", "win"),
    [
        ("19m 19s 19p ESWN CFPP", True),
        ("119m 19s 19p ESWN CFP", True),
        ("19m 19s 19p ESWN CFP", False),
        ("19m 19s 19p ESWN CFP 5m", False),
        ("119m 199s 19p ESWN CF", False),
    ],
)
def test_thirteen_orphans(text, win):
    assert reference.is_plain(counts_of(text)) is win
    assert reference.is_hu(counts_of(text)) is win


def test_eyes_can_be_restricted():
    rules = Rules(eyes=frozenset(kinds_of("258m")))
    assert reference.is_hu(counts_of("123m 55m"), 0, NO_MELDS, rules)
    assert not reference.is_hu(counts_of("123m 44m"), 0, NO_MELDS, rules)
    assert reference.is_hu(counts_of("123m 4m"), 1, NO_MELDS, rules) is False


@pytest.mark.parametrize(
    ("text", "shape", "expected"),
    [
        ("1m", False, "1m"),
        ("1113m", False, "23m"),
        ("2333m", False, "124m"),
        ("2222m", False, ""),
        ("2222m", True, "2m"),
        ("1111234m", False, "4m"),
        ("1111234m", True, "14m"),
        ("1111222333444m", False, "234m"),
        ("1111222333444m", True, "1234m"),
        ("1112345678999m", False, "123456789m"),
        ("1112345666678m", True, "123456789m"),
        ("1133m 66s 55p EESS 7m", False, "7m"),
        ("19m 19p 19s EWSNCPF", False, "19m 19p 19s EWSNCPF"),
    ],
)
def test_waits(text, shape, expected):
    assert reference.waits(counts_of(text), shape=shape) == kinds_of(expected)


def test_splits_of_three_equal_chows():
    assert reference.splits(counts_of("111222333m EE")) == {
        ("standard", ((0, 1, 2),) * 3, 30),
        ("standard", ((0, 0, 0), (1, 1, 1), (2, 2, 2)), 30),
    }


def test_splits_of_one_tile_and_one_joker():
    assert reference.splits(counts_of("1m"), 1) == {("standard", (), 0)}


def test_fifth_copy_and_melded_copies():
    four = Rules(joker_fifth_copy=False)
    assert reference.is_hu(counts_of("EEEE"), 1)
    assert not reference.is_hu(counts_of("EEEE"), 1, NO_MELDS, four)
    assert reference.is_hu(counts_of("E"), 1, tuple(counts_of("EE")), four)
    assert not reference.is_hu(counts_of("E"), 1, tuple(counts_of("EEE")), four)


RULE_CHOICES = [
    Rules(seven_pairs_quads=quads, joker_fifth_copy=fifth, joker_special_forms=special, joker_kind=kind, eyes=eyes)
    for quads in (False, True)
    for fifth in (False, True)
    for special in (False, True)
    for kind in (None, 4)
    for eyes in (reference.ALL_KINDS, frozenset((1, 4, 7, 10, 13, 16, 19, 22, 25)))
]


def near_win(rng, n_melds, n_jokers, kinds):
    """Tiles of a win without as many as there are jokers, sometimes with one exchanged."""
    while True:
        counts = [0] * 34
        for meld in rng.choices([meld for meld in reference.MELDS if set(meld) <= set(kinds)], k=n_melds):
            for kind in meld:
                counts[kind] += 1
        counts[rng.choice(kinds)] += 2
        if max(counts) <= 4:
            break
    tiles = [kind for kind in range(34) for _ in range(counts[kind])]
    rng.shuffle(tiles)
    tiles = tiles[n_jokers:]
    if tiles and rng.random() < 0.4:
        tiles[0] = rng.choice([kind for kind in kinds if tiles.count(kind) < 4])
    return [tiles.count(kind) for kind in range(34)]


def examples(seed, n, jokers):
    rng = random.Random(seed)
    for _ in range(n):
        n_jokers = rng.choice(jokers)
        rules = rng.choice(RULE_CHOICES)
        kinds = rng.choice([range(34), range(9), [*range(2, 7), 27, 30], [0, 8, 9, 17, 18, 26, *range(27, 34)]])
        counts = near_win(rng, rng.choice([0, 1, 1, 2, 3, 4]) or (n_jokers + 1) // 3, n_jokers, kinds)
        if rng.random() < 0.2 and n_jokers < 3:
            tiles = [*reference.ORPHANS, 27]
            if rng.random() < 0.5:
                tiles = rng.sample(range(34), 7) * 2
            rng.shuffle(tiles)
            del tiles[:n_jokers]
            counts = [tiles.count(kind) for kind in range(34)]
        melded = [0] * 34
        if sum(counts) + n_jokers < 12:
            for kind in rng.choice(reference.MELDS):
                melded[kind] += counts[kind] + melded[kind] < 4
        yield counts, n_jokers, tuple(melded), rules


@pytest.mark.slow
def test_splits_agree_with_each_substitution_tried():
    for counts, n_jokers, melded, rules in examples(SEED, N_SUBSTITUTED, (0, 1, 2)):
        if sum(counts) + n_jokers > 11 and counts[4] and rules.joker_kind:
            continue
        slow = reference.substituted(counts, n_jokers, melded, rules)
        assert bool(reference.splits(counts, n_jokers, melded, rules)) is slow, text_of(counts)


def test_the_win_check_agrees_with_splits():
    n_wins = 0
    for counts, n_jokers, melded, rules in examples(SEED + 1, N_SPLITS, (0, 1, 2, 3)):
        win = reference.is_hu(counts, n_jokers, melded, rules)
        n_wins += win
        found = reference.splits(counts, n_jokers, melded, rules)
        assert bool(found) is win, (text_of(counts), n_jokers, melded, rules)
    assert N_SPLITS // 4 < n_wins < N_SPLITS


def test_default_rules_are_the_default():
    assert DEFAULT.forms == ("standard", "seven_pairs", "thirteen_orphans")
    assert not DEFAULT.seven_pairs_quads
    assert DEFAULT.joker_fifth_copy
