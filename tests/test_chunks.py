"""Rows read with AVX2 and without: the same answers, the same rows refused, in every layout."""

import numpy as np
import pytest
from families import FAMILIES, drop_one, family, waiting_family

import mjcore
from mjcore import batch, chunks

QUESTIONS = ("is_hu", "shanten", "waits", "useful")


@pytest.fixture
def both_ways():
    """Call something with AVX2 and without; on a machine that has none both are the same."""

    def call(function):
        answers = []
        for on in (True, False):
            chunks.use_avx2(on)
            answers.append(function())
        return answers

    yield call
    chunks.use_avx2(True)


def test_the_switch():
    assert not chunks.use_avx2(False)
    chunks.use_avx2(True)


def layouts(hands):
    lanes = batch.pack(hands)
    spaced = np.zeros((len(hands), 41), np.uint8)
    spaced[:, 3:37] = hands
    wide = np.zeros((len(hands), 9), np.uint64)
    wide[:, 1:5] = lanes
    return {
        "counts": hands,
        "signed": hands.astype(np.int8),
        "counts in wider rows": spaced[:, 3:37],
        "counts from last to first": np.ascontiguousarray(hands[:, ::-1])[:, ::-1],
        "rows from last to first": hands[::-1],
        "lanes": lanes,
        "lanes in wider rows": wide[:, 1:5],
        "lanes apart": np.repeat(lanes, 2, axis=1)[:, ::2],
        "int64": hands.astype(np.int64),
    }


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("make", [family, waiting_family])
@pytest.mark.parametrize("name", FAMILIES)
def test_answers_are_the_same(question, make, name, both_ways):
    hands = make(name, 20261130, 3000)
    if question in ("shanten", "useful"):
        hands = hands[hands.sum(axis=1) % 3 != 0]
    ask = getattr(batch, question)
    fast, slow = both_ways(lambda: {layout: ask(rows) for layout, rows in layouts(hands).items()})
    want = fast["counts"]
    for layout, answer in fast.items():
        backwards = layout == "rows from last to first"
        for part, other, expected in zip(parts(answer), parts(slow[layout]), parts(want), strict=True):
            assert np.array_equal(part, other), layout
            assert np.array_equal(part, expected[::-1] if backwards else expected), layout


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


def test_jokers_of_each_row_are_the_same(both_ways):
    rng = np.random.default_rng(5)
    hands = family("plain", 20261130, 6000)
    n_jokers = rng.integers(0, 5, len(hands)).astype(np.uint8)
    for least in range(1, 5):
        hands[n_jokers >= least] = drop_one(rng, hands[n_jokers >= least])
    fast, slow = both_ways(lambda: batch.shanten(hands, jokers=n_jokers))
    assert np.array_equal(fast, slow)


def problem(rows):
    with pytest.raises(mjcore.InvalidHandError) as caught:
        batch.shanten(rows)
    return str(caught.value)


@pytest.mark.parametrize("value", [5, 6, 7, 8, 15, 16, 127, 128, 200, 255])
@pytest.mark.parametrize("kind", [0, 2, 8, 9, 17, 18, 26, 27, 33])
def test_counts_above_four_are_refused(value, kind, both_ways):
    hands = family("plain", 20261130, 100)
    hands[70, kind] = value
    fast, slow = both_ways(lambda: problem(hands))
    assert fast == slow
    assert fast.startswith("row 70: expected 0 to 4 ")
    if value > 127:
        fast, slow = both_ways(lambda: problem(hands.view(np.int8)))
        assert fast == slow
        assert fast.startswith("row 70: ")


@pytest.mark.parametrize("lane", range(4))
def test_lanes_that_are_none_are_refused(lane, both_ways):
    lanes = batch.pack(family("plain", 20261130, 100))
    for bit in range(64):
        rows = lanes.copy()
        rows[70, lane] |= np.uint64(1) << np.uint64(bit)
        if rows[70, lane] == lanes[70, lane]:
            continue
        fast, slow = both_ways(lambda rows=rows: problem(rows))
        assert fast == slow, bit
        assert fast.startswith("row 70: "), bit
        if bit >= (36 if lane < 3 else 28):
            assert "expected four lanes of counts 0 to 4" in fast, bit


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 129])
def test_blocks_of_any_length(n, both_ways):
    hands = family("plain", 20261130, 200)[:n]
    whole = batch.shanten(family("plain", 20261130, 200))
    fast, slow = both_ways(lambda: batch.shanten(hands))
    assert np.array_equal(fast, whole[:n])
    assert np.array_equal(slow, whole[:n])


def near_special_forms():
    """Thirteen orphans with and without any other tile, and seven pairs of which one is exchanged for any other."""
    orphans = mjcore.unpack(mjcore.parse("19m19p19sESWNCFP"))
    hands = [orphans]
    for kind in range(34):
        hands.append([count + (kind == other) for other, count in enumerate(orphans)])
    for kind in range(34):
        for gone in range(34):
            hands.append([count + (kind == other) - (gone == other) for other, count in enumerate(hands[1])])
    pairs = mjcore.unpack(mjcore.parse("1155m2288p99sEECC"))
    for first in range(34):
        for second in range(34):
            hands.append([c - (c and o == 4) * 2 + (o == first) + (o == second) for o, c in enumerate(pairs)])
    counts = np.array([hand for hand in hands if min(hand) >= 0 and max(hand) <= 4], np.uint8)
    return counts[counts.sum(axis=1) <= 14]


def test_special_forms_are_complete_or_nearly(both_ways):
    hands = near_special_forms()
    expected = [mjcore.is_hu(mjcore.pack(hand)) for hand in hands.tolist()]
    assert 40 < sum(expected) < len(expected)
    for answers in both_ways(lambda: {layout: batch.is_hu(rows).tolist() for layout, rows in layouts(hands).items()}):
        assert answers.pop("rows from last to first") == expected[::-1]
        assert all(answer == expected for answer in answers.values())
