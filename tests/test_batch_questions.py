"""batch.is_hu, shanten, waits, useful and discards: the scalar functions row by row, in every layout."""

import functools
import resource
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import dask.array
import numpy as np
import pytest
from distributed import Client, LocalCluster
from families import FAMILIES, drop_one, family, shown, vecs, waiting_family, wall_hands
from test_batch import INTEGERS, strided_views

import mjcore
from mjcore import HandRules, batch, batch_loops
from mjcore.rows import Rows

SEED = 20261203
FIELDS = {"is_hu": 1, "shanten": 1, "waits": 1, "useful": 3, "discards": 3}
DTYPES = {
    "is_hu": (np.bool_,),
    "shanten": (np.int8,),
    "waits": (np.uint64,),
    "useful": (np.int8, np.uint64, np.uint8),
    "discards": (np.int8, np.uint64, np.uint8),
}
QUESTIONS = tuple(FIELDS)
RULES = {
    "default": HandRules(),
    "mcr": HandRules.preset("mcr"),
    "hk": HandRules.preset("hk"),
    "wuhan": HandRules.preset("wuhan", joker_kind="5m"),
    "pairs": HandRules(forms=("seven_pairs",), seven_pairs_quads=True),
    "eyes": HandRules(eyes="258m258s258p"),
    "four_copies": HandRules(joker_fifth_copy=False),
    "no_special": HandRules(joker_special_forms=False),
    "joker_kind": HandRules(joker_kind="C", joker_fifth_copy=False, seven_pairs_quads=True),
}
questions = pytest.mark.parametrize("question", QUESTIONS)
every_rule = pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())


def ask(question, hands, **options):
    """The answers as a tuple of arrays."""
    answer = getattr(batch, question)(hands, **options)
    return answer if isinstance(answer, tuple) else (answer,)


def some_hands(n, question="shanten", n_jokers=0, seed=SEED):
    """Rows of every family that fit the question: with the jokers 3n + 1 or 3n + 2 tiles, 3n + 2 for discards."""
    return made_hands(n, question == "discards", n_jokers, seed).copy()


@functools.cache
def made_hands(n, only_complete_sizes, n_jokers, seed):
    rng = np.random.default_rng([seed, n_jokers])
    made = max(n, 400)
    parts = [make(name, seed, made) for name in FAMILIES for make in (family, waiting_family)]
    hands = np.concatenate([part[rng.permutation(len(part))] for part in parts])
    for _ in range(n_jokers):
        hands = drop_one(rng, hands[hands.sum(axis=1) > 1])
    rest = (hands.sum(axis=1) + n_jokers) % 3
    hands = hands[rest == 2] if only_complete_sizes else hands[rest != 0]
    return np.ascontiguousarray(hands[rng.permutation(len(hands))[:n]])


def lanes_of(hands):
    return batch.pack(hands)


def scalar_row(question, vec, n_jokers=0, rules=None, visible=None, melds=()):
    """Answers of one hand by the scalar functions, as rows of the batch."""
    options = {"jokers": n_jokers, "rules": rules}
    hand = mjcore.Hand(vec, melds) if melds else vec
    if question == "is_hu":
        return (mjcore.is_hu(hand, **options),)
    if question == "waits":
        return (mjcore.ting(hand, **options).mask,)
    try:
        if question == "shanten":
            return (mjcore.shanten(hand, **options),)
        if question == "useful":
            live = mjcore.useful_tiles(hand, visible=visible, **options)
            return live.shanten, live.kinds.mask, live.total
        found = mjcore.discards(hand, visible=visible, **options)
    except mjcore.InvalidHandError as error:
        if "forms fits" not in str(error):
            raise
        if question == "discards":
            return [99] * 34, [0] * 34, [0] * 34
        return (99, 0, 0)[: FIELDS[question]]
    rows = ([99] * 34, [0] * 34, [0] * 34)
    for kind, live in found.items():
        rows[0][kind], rows[1][kind], rows[2][kind] = live.shanten, live.kinds.mask, live.total
    return rows


def assert_answers(hands, got, want, what=""):
    for answer, expected in zip(got, want, strict=True):
        answer, expected = np.asarray(answer), np.asarray(expected)
        assert answer.shape == expected.shape, what
        wrong = np.flatnonzero((answer != expected).any(axis=tuple(range(1, answer.ndim))))
        if len(wrong):
            row = wrong[0]
            raise AssertionError(f"{what} row {row}, {shown(hands[row])}: {answer[row]}, expected {expected[row]}")


# --- the scalar functions ----------------------------------------------------------------------


@questions
@every_rule
def test_rows_are_the_scalar_answers(question, rules):
    for n_jokers in (0, 1, 3):
        hands = some_hands(150, question, n_jokers)
        if rules.joker_kind is not None:
            hands = hands[hands[:, rules.joker_kind] + n_jokers <= 8]
        got = ask(question, hands, jokers=n_jokers, rules=rules)
        rows = [scalar_row(question, vec, n_jokers, rules) for vec in vecs(hands)]
        assert_answers(hands, got, [np.array(column) for column in zip(*rows, strict=True)], f"{n_jokers} jokers")


@questions
def test_dtypes_and_shapes_of_the_answers(question):
    hands = some_hands(20, question)
    wide = (34,) if question == "discards" else ()
    for answer, dtype in zip(ask(question, hands), DTYPES[question], strict=True):
        assert answer.dtype == dtype
        assert answer.shape == (20, *wide)
    names = getattr(getattr(batch, question)(hands), "_fields", None)
    assert names == (("shanten", "kinds", "copies") if FIELDS[question] == 3 else None)


@pytest.mark.parametrize("question", ["is_hu", "waits"])
def test_sizes_that_are_never_complete_are_no_errors(question):
    hands = family("short", SEED, 1300)
    rows = [scalar_row(question, vec) for vec in vecs(hands)]
    assert_answers(hands, ask(question, hands), [np.array(column) for column in zip(*rows, strict=True)])
    assert (hands.sum(axis=1) % 3 == 0).any()


@questions
def test_jokers_of_each_row(question):
    parts = [some_hands(60, question, n) for n in range(9)]
    hands = np.concatenate(parts)
    jokers = np.repeat(np.arange(9), [len(part) for part in parts])
    shuffled = np.random.default_rng(SEED).permutation(len(hands))
    hands, jokers = hands[shuffled], jokers[shuffled]
    rows = [scalar_row(question, vec, n) for vec, n in zip(vecs(hands), jokers.tolist(), strict=True)]
    want = [np.array(column) for column in zip(*rows, strict=True)]
    for given in (jokers, jokers.astype(np.int8), jokers.tolist(), np.repeat(jokers, 2)[::2]):
        assert_answers(hands, ask(question, hands, jokers=given), want)


@questions
def test_melds_of_each_row(question):
    """Melds of kinds that the hand does not have or want are what a number of melds stands for."""
    hands, n_melds = [], []
    for hand in some_hands(4000, question):
        size = int(hand.sum())
        if size not in (13, 14) and hand[27:].sum() == 0:
            hands.append(hand)
            n_melds.append((14 - size) // 3)
    hands, n_melds = np.array(hands[:300]), np.array(n_melds[:300])
    got = ask(question, hands, n_melds=n_melds)
    assert_answers(hands, got, ask(question, hands))
    assert set(n_melds.tolist()) == {1, 2, 3, 4}
    if question in ("is_hu", "shanten"):
        melds = ["[CCC]", "[FFF]", "[PPP]", "[EEE]"]
        for vec, n, answer in zip(vecs(hands), n_melds.tolist(), got[0].tolist(), strict=True):
            assert (answer,) == scalar_row(question, vec, melds=melds[:n]), mjcore.format(vec)


@questions
@pytest.mark.parametrize("n_melds", [1, 2, 3, 4])
def test_melds_and_tiles_make_a_hand(question, n_melds):
    for size in range(15):
        hand = np.zeros(34, np.uint8)
        hand[:size] = 1
        fits = size + 3 * n_melds in (13, 14) and (question != "discards" or size + 3 * n_melds == 14)
        if fits:
            ask(question, hand, n_melds=n_melds)
        else:
            with pytest.raises(mjcore.InvalidHandError, match=r"^row 0: expected .* tiles"):
                ask(question, hand, n_melds=n_melds)


@pytest.mark.parametrize("question", ["useful", "discards"])
@pytest.mark.parametrize("rules", [RULES["default"], RULES["mcr"]], ids=["default", "mcr"])
def test_visible_tiles_of_each_row(question, rules):
    hands = some_hands(200, question)
    visible = np.random.default_rng(SEED).choice(np.array([0, 0, 0, 1, 2, 4], np.uint8), hands.shape)
    rows = [scalar_row(question, vec, 0, rules, seen) for vec, seen in zip(vecs(hands), visible.tolist(), strict=True)]
    want = [np.array(column) for column in zip(*rows, strict=True)]
    assert_answers(hands, ask(question, hands, visible=visible, rules=rules), want)
    for seen in (visible.astype(np.int64), lanes_of(visible), np.repeat(visible, 2, axis=0)[::2]):
        assert_answers(hands, ask(question, hands, visible=seen, rules=rules), want)
        assert_answers(hands, ask(question, lanes_of(hands), visible=seen, rules=rules), want)
    bare = ask(question, hands, rules=rules)
    assert np.array_equal(bare[1], want[1])
    assert (bare[2] >= want[2]).all()


def test_names_of_rule_sets_and_what_carries_rules():
    class Carrier:
        hand_rules = RULES["mcr"]

    hands = some_hands(300)
    want = batch.shanten(hands, rules=RULES["mcr"])
    assert np.array_equal(batch.shanten(hands, rules="mcr"), want)
    assert np.array_equal(batch.shanten(hands, rules=Carrier()), want)
    for wrong in (1, {}, ("standard",), object()):
        with pytest.raises(TypeError, match="rules"):
            batch.shanten(hands, rules=wrong)
    with pytest.raises(ValueError, match="rule set"):
        batch.shanten(hands, rules="nowhere")


@questions
def test_jokers_and_copies_of_the_joker_kind_are_eight_at_most(question):
    """As for the scalar functions, which refuse more."""
    hand = mjcore.unpack(mjcore.parse("5555m1s"))
    rules = HandRules(joker_kind="5m")
    with pytest.raises(mjcore.InvalidHandError, match="8 jokers"):
        scalar_row(question, mjcore.parse("5555m1s"), 6, rules)
    with pytest.raises(mjcore.InvalidHandError, match=r"^row 1: .*8 jokers"):
        ask(question, [mjcore.unpack(mjcore.parse("11m")), hand], jokers=[0, 6], rules=rules)


# --- layouts -----------------------------------------------------------------------------------


@questions
@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_every_integer_dtype_in_any_layout(question, dtype):
    hands = some_hands(70, question)
    want = ask(question, hands)
    for name, view in strided_views(hands.astype(dtype)).items():
        assert_answers(hands, ask(question, view), want, name)


@questions
def test_lanes_in_any_layout(question):
    hands = some_hands(70, question)
    want = ask(question, hands)
    for name, view in strided_views(lanes_of(hands)).items():
        assert_answers(hands, ask(question, view), want, name)


@questions
def test_one_row_many_times(question):
    hand = some_hands(1, question)[0]
    want = ask(question, hand)
    for row in (hand, lanes_of(hand)):
        many = np.broadcast_to(row, (5, 130, len(row)))
        assert many.strides[:2] == (0, 0)
        for answer, expected in zip(ask(question, many), want, strict=True):
            assert answer.shape == (5, 130, *expected.shape)
            assert (answer == expected).all()


@questions
def test_equal_counts_of_all_kinds_by_a_stride_of_nothing(question):
    """One number read 34 times: a hand of no tile, or of too many."""
    nothing = np.broadcast_to(np.zeros((3, 1), np.int32), (3, 34))
    ones = np.broadcast_to(np.ones((3, 1), np.int32), (3, 34))
    if question in ("is_hu", "waits"):
        assert not ask(question, nothing)[0].any()
    with pytest.raises(mjcore.InvalidHandError, match="row 0: expected at most 14 tiles, got 34"):
        ask(question, ones)


@questions
@pytest.mark.parametrize(
    "shape", [(), (1,), (0,), (6,), (2, 3), (0, 3), (3, 0), (2, 1, 3), (2, 0, 3), (1, 2, 1, 3), (3, 2, 0, 1)]
)
def test_any_leading_shape(question, shape):
    n = int(np.prod(shape))
    hands = some_hands(max(n, 1), question)[:n]
    want = ask(question, hands)
    for rows in (hands, hands.astype(np.int64), lanes_of(hands)):
        shaped = rows.reshape(*shape, rows.shape[-1])
        for view in (shaped, np.asfortranarray(shaped), np.repeat(shaped, 2, axis=-1)[..., ::2]):
            for answer, expected in zip(ask(question, view), want, strict=True):
                wide = expected.shape[1:]
                assert answer.shape == (*shape, *wide)
                assert np.array_equal(answer.reshape(n, *wide), expected)


def test_transposed_axes():
    hands = some_hands(24, "shanten").reshape(4, 3, 2, 34)
    want = batch.shanten(hands)
    for axes in ((1, 0, 2), (2, 1, 0), (2, 0, 1)):
        got = batch.shanten(hands.transpose(*axes, 3), jokers=np.zeros((2, 1), int)[:1, 0])
        assert np.array_equal(got, want.transpose(axes))


def test_options_broadcast_to_the_hands():
    hands = some_hands(6, n_jokers=2).reshape(2, 3, 34)
    where = np.array([True, False, True])
    got = batch.shanten(hands, jokers=np.array([[2], [2]]), where=where)
    want = batch.shanten(hands, jokers=2)
    want[:, 1] = 0
    assert np.array_equal(got, want)


@questions
def test_lists_and_buffers(question):
    hands = some_hands(5, question)
    want = ask(question, hands)
    assert_answers(hands, ask(question, hands.tolist()), want)
    assert_answers(hands, ask(question, memoryview(hands)), want)


@questions
def test_input_is_not_changed(question):
    hands = some_hands(100, question)
    before = hands.copy()
    ask(question, hands, workers=2)
    assert np.array_equal(hands, before)


# --- workers -----------------------------------------------------------------------------------


@questions
@pytest.mark.parametrize("workers", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1500])
def test_any_number_of_workers(question, workers, n):
    hands = some_hands(1500, question)[:n]
    for rows in (hands, lanes_of(hands)):
        assert_answers(hands, ask(question, rows, workers=workers), ask(question, rows))


def test_wrong_numbers_of_workers():
    hands = some_hands(3)
    for workers in (0, -1, 257, 10**30):
        with pytest.raises(ValueError, match="workers"):
            batch.shanten(hands, workers=workers)
    for workers in (None, 1.0, "2"):
        with pytest.raises(TypeError, match="workers"):
            batch.shanten(hands, workers=workers)


# --- where and out -----------------------------------------------------------------------------


@questions
@pytest.mark.parametrize("workers", [1, 4])
def test_rows_that_are_not_asked_are_not_looked_at_and_zero(question, workers):
    hands = some_hands(1200, question).astype(np.int16)
    where = np.random.default_rng(SEED).random(len(hands)) < 0.6
    want = ask(question, hands)
    bad = hands.copy()
    bad[~where] = -7
    bad[np.flatnonzero(~where)[::2]] = 1
    for given in (where, where.tolist(), np.repeat(where, 2)[::2]):
        got = ask(question, bad, where=given, workers=workers)
        for answer, expected in zip(got, want, strict=True):
            assert np.array_equal(answer[where], expected[where])
            assert not answer[~where].any()


@questions
def test_one_where_for_all(question):
    hands = some_hands(10, question)
    assert_answers(hands, ask(question, hands, where=True), ask(question, hands))
    for answer in ask(question, np.full((10, 34), 9), where=False):
        assert not answer.any()


@pytest.mark.parametrize("where", [1, [1, 0], np.ones(2, np.uint8), "yes", [None, True], 1.0])
def test_where_is_of_bools(where):
    with pytest.raises(TypeError, match="bool array for where"):
        batch.is_hu(some_hands(2), where=where)


def outputs(question, n, fill=77):
    wide = (34,) if question == "discards" else ()
    made = tuple(np.full((n, *wide), fill).astype(dtype) for dtype in DTYPES[question])
    return made if len(made) > 1 else made[0]


def in_tuple(out):
    return out if isinstance(out, tuple) else (out,)


@questions
def test_out_is_filled_and_returned(question):
    hands = some_hands(300, question)
    want = ask(question, hands)
    out = outputs(question, len(hands))
    got = ask(question, hands, out=out, workers=2)
    for answer, target in zip(got, in_tuple(out), strict=True):
        assert answer is target
    assert_answers(hands, got, want)


@questions
def test_out_may_have_any_layout(question):
    hands = some_hands(40, question)
    want = ask(question, hands)
    for turn in (lambda a: np.repeat(a, 3, axis=0)[::3], lambda a: a[::-1], lambda a: np.asfortranarray(a)):
        out = tuple(turn(target) for target in in_tuple(outputs(question, len(hands))))
        got = ask(question, hands, out=out if len(out) > 1 else out[0])
        assert_answers(hands, got, want)
        assert all(answer is target for answer, target in zip(got, out, strict=True))


@questions
@pytest.mark.parametrize("workers", [1, 3])
def test_out_is_untouched_by_an_error(question, workers):
    hands = some_hands(1200, question)
    hands[1100] = 4
    out = outputs(question, len(hands))
    before = [target.copy() for target in in_tuple(out)]
    with pytest.raises(mjcore.InvalidHandError, match=r"^row 1100: "):
        ask(question, hands, out=out, workers=workers)
    for target, was in zip(in_tuple(out), before, strict=True):
        assert np.array_equal(target, was)


@questions
def test_out_that_does_not_fit(question):
    hands = some_hands(6, question)
    good = in_tuple(outputs(question, 6))
    for place, target in enumerate(good):
        for wrong, error in (
            (target.astype(np.int64), ValueError),
            (target.astype(np.float32), ValueError),
            (target[:5], ValueError),
            (np.stack([target, target]), ValueError),
            (target.tolist(), TypeError),
            (7, TypeError),
        ):
            out = (*good[:place], wrong, *good[place + 1 :])
            before = [each.copy() for each in good]
            with pytest.raises(error, match="out"):
                ask(question, hands, out=out if len(out) > 1 else out[0])
            assert all(np.array_equal(each, was) for each, was in zip(good, before, strict=True))
        frozen = target.copy()
        frozen.flags.writeable = False
        out = (*good[:place], frozen, *good[place + 1 :])
        with pytest.raises(ValueError, match="writeable"):
            ask(question, hands, out=out if len(out) > 1 else out[0])
    with pytest.raises(TypeError, match="for out, got"):
        ask(question, hands, out=(*good, good[0]))


@questions
def test_out_may_lie_over_the_hands(question):
    """The answers are those of the hands as they were."""
    hands = some_hands(64, question)
    want = ask(question, hands)
    memory = np.zeros(64 * 34 * 8 * 3, np.uint8)
    rows = memory[: hands.size].reshape(hands.shape)
    rows[...] = hands
    wide = (34,) if question == "discards" else ()
    out, at = [], 0
    for dtype in DTYPES[question]:
        size = 64 * (34 if wide else 1) * np.dtype(dtype).itemsize
        at = -(-at // 8) * 8
        out.append(memory[at : at + size].view(dtype).reshape(64, *wide))
        at += size
    got = ask(question, rows, out=tuple(out) if len(out) > 1 else out[0])
    assert_answers(hands, got, want)


# --- errors ------------------------------------------------------------------------------------


@questions
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_first_bad_row_is_named(question, workers):
    good = some_hands(1400, question)
    for rows in ([1399], [0, 1399], [700, 1200, 1300], [349, 350, 351], [63], [64, 65], [1001, 399]):
        hands = good.copy()
        for place, row in enumerate(rows):
            hands[row] = 0
            hands[row, place] = 5 + place
        with pytest.raises(mjcore.InvalidHandError, match=f"^row {min(rows)}: expected 0 to 4 copies of "):
            ask(question, hands, workers=workers)


@questions
def test_what_is_wrong_with_a_row(question):
    def refuse(row, match, **options):
        with pytest.raises(mjcore.InvalidHandError, match=match):
            ask(question, row, **options)

    refuse(np.bincount([3] * 5, minlength=34), "row 0: .*copies of 4m")
    refuse(np.bincount([33] * 7, minlength=34), "row 0: .*copies of N")
    refuse(-np.bincount([33], minlength=34), "row 0: .*copies of N")
    refuse(np.array([[1] * 15 + [0] * 19]), "row 0: expected at most 14 tiles, got 15")
    refuse(np.array([[1] * 12 + [0] * 22]), "row 0: expected at most 14 tiles, got 12 beside 3 jokers", jokers=3)
    refuse(np.array([5, 0, 0, 0], np.uint64), "copies of 1m")
    for lane in range(4):
        lanes = np.zeros((2, 4), np.uint64)
        lanes[0, 0] = 2 if question == "discards" else 1
        lanes[1, lane] = 1 << (28 if lane == 3 else 36)
        refuse(lanes, "row 1: expected four lanes of counts 0 to 4")
    if question not in ("is_hu", "waits"):
        refuse(np.array([[1] * 3 + [0] * 31]), "row 0: expected 3n .* tiles, got 3")
    if question == "discards":
        refuse(np.array([[1] * 4 + [0] * 30]), r"row 0: expected 3n \+ 2 tiles, got 4")


@pytest.mark.parametrize("question", ["useful", "discards"])
@pytest.mark.parametrize("workers", [1, 3])
def test_bad_visible_rows(question, workers):
    hands = some_hands(1000, question)
    visible = np.zeros_like(hands)
    visible[800, 5] = visible[900, 5] = 5
    with pytest.raises(mjcore.InvalidHandError, match=r"^row 800: expected 0 to 4 visible copies of 6m"):
        ask(question, hands, visible=visible, workers=workers)
    where = np.ones(1000, bool)
    where[[800, 900]] = False
    ask(question, hands, visible=visible, workers=workers, where=where)
    for wrong in (visible[:999], visible[:, None], visible[0]):
        with pytest.raises(ValueError, match="visible"):
            ask(question, hands, visible=wrong)
    with pytest.raises(TypeError, match="integer array"):
        ask(question, hands, visible=np.zeros(hands.shape))


def test_bad_rows_of_more_dimensions():
    hands = some_hands(24).reshape(2, 3, 4, 34).copy()
    hands[1, 2, 1] = 4
    hands[1, 2, 3] = 4
    for view in (hands, np.asfortranarray(hands), hands.astype(np.int64)):
        with pytest.raises(mjcore.InvalidHandError, match=r"^row \(1, 2, 1\): expected at most 14 tiles, got 136"):
            batch.shanten(view)


@questions
@pytest.mark.parametrize("dtype", ["?", "f2", "f4", "f8", "c8", "O", "U1", "S1", "V1", "M8[s]", "m8[s]"])
def test_other_dtypes_are_errors(question, dtype):
    for width in (34, 4):
        with pytest.raises(TypeError, match="integer array"):
            ask(question, np.zeros((3, width), dtype))


@questions
@pytest.mark.parametrize("dtype", ["i2", "u2", "i4", "u4", "i8", "u8"])
def test_byte_order_is_named(question, dtype):
    with pytest.raises(TypeError, match="native byte order"):
        ask(question, np.zeros((3, 34), np.dtype(dtype).newbyteorder("S")))


@questions
def test_lanes_are_uint64(question):
    for dtype in INTEGERS:
        if np.dtype(dtype) != np.uint64:
            with pytest.raises(TypeError, match="lanes of uint64"):
                ask(question, np.zeros((3, 4), dtype))


@questions
@pytest.mark.parametrize("shape", [(), (0,), (33,), (35,), (34, 1), (3, 33), (3, 35), (0, 33), (3, 0), (4, 5)])
def test_wrong_widths(question, shape):
    with pytest.raises(ValueError, match="last axis of 34 counts or 4 lanes"):
        ask(question, np.zeros(shape, np.uint8))


@questions
@pytest.mark.parametrize("name", ["jokers", "n_melds"])
def test_wrong_numbers_beside_the_hands(question, name):
    hands = some_hands(4, question)
    most = 8 if name == "jokers" else 4
    for wrong in (-1, most + 1, 256, 1 << 40):
        with pytest.raises(mjcore.InvalidHandError, match=f"expected 0 to {most} for {name}, got {wrong}"):
            ask(question, hands, **{name: wrong})
        with pytest.raises(mjcore.InvalidHandError, match=f"row 2: expected 0 to {most} for {name}, got {wrong}"):
            ask(question, hands, **{name: [0, 0, wrong, wrong]})
    for wrong in (1.0, True, "1", None, [0.0] * 4):
        with pytest.raises(TypeError, match=f"integers for {name}"):
            ask(question, hands, **{name: wrong})
    for wrong in ([0, 0, 0], [[0], [0]]):
        with pytest.raises(ValueError, match=r"broadcast|dimensions"):
            ask(question, hands, **{name: wrong})


def test_values_that_are_right_in_their_last_byte_are_wrong():
    for dtype, shift in (("u2", 8), ("i2", 8), ("i4", 16), ("u4", 31), ("i8", 32), ("u8", 63), ("u8", 8)):
        hands = np.zeros((2, 34), dtype)
        hands[:, 0] = 2
        hands[1, 5] = 1 << shift
        with pytest.raises(mjcore.InvalidHandError, match=r"row 1: .*6m"):
            batch.is_hu(hands)


def test_the_number_given_is_named():
    hands = some_hands(10, "discards")
    for value in (5, -1, 2**40):
        wrong = hands.astype(np.int64)
        wrong[3, 4] = value
        with pytest.raises(mjcore.InvalidHandError, match=f"^row 3: expected 0 to 4 copies of 5m, got {value}$"):
            batch.shanten(wrong)
        visible = np.zeros_like(wrong)
        visible[3, 4] = value
        with pytest.raises(
            mjcore.InvalidHandError, match=f"^row 3: expected 0 to 4 visible copies of 5m, got {value}$"
        ):
            batch.discards(hands, visible=visible)


@pytest.mark.parametrize("bits", [1 << 40, 0xF << 60])
def test_spare_bits_of_visible_lanes(bits):
    hands = some_hands(10, "discards")
    visible = np.zeros((10, 4), np.uint64)
    visible[3, 1] |= np.uint64(bits)
    with pytest.raises(mjcore.InvalidHandError, match=r"^row 3: expected four visible lanes"):
        batch.useful(hands, visible=visible)


@pytest.mark.parametrize("name", ["jokers", "n_melds"])
def test_numbers_of_rows_that_are_not_asked(name):
    hands = np.tile(some_hands(1), (3, 1))
    numbers = np.array([0, 99, 0])
    got = batch.shanten(hands, where=[True, False, True], **{name: numbers})
    assert got.tolist() == [*batch.shanten(hands[:1]).tolist(), 0, *batch.shanten(hands[:1]).tolist()]
    with pytest.raises(mjcore.InvalidHandError, match=f"^row 1: expected 0 to . for {name}, got 99$"):
        batch.shanten(hands, where=[True, True, True], **{name: numbers})
    with pytest.raises(mjcore.InvalidHandError, match=rf"^row \(0, 1\): expected 0 to . for {name}, got 99$"):
        batch.shanten(hands[None], **{name: numbers})
    with pytest.raises(mjcore.InvalidHandError, match=f"^expected 0 to . for {name}, got {2**70}$"):
        batch.shanten(hands, **{name: 2**70})
    with pytest.raises(ValueError, match=rf"^expected {name} to broadcast to hands of shape \(3,\), got shape \(2,\)$"):
        batch.shanten(hands, **{name: [0, 0]})


def test_masked_arrays_are_refused():
    hands = some_hands(3)
    assert np.array_equal(batch.shanten(np.ma.masked_array(hands)), batch.shanten(hands))
    with pytest.raises(TypeError, match="without a mask"):
        batch.shanten(np.ma.masked_array(hands, mask=hands > 0))


def test_out_is_a_tuple_of_arrays_that_lie_apart():
    hands = some_hands(10)
    small, masks = np.zeros(10, np.int8), np.zeros(10, np.uint64)
    with pytest.raises(TypeError, match="expected a tuple of 3 arrays for out"):
        batch.useful(hands, out=[small, masks, np.zeros(10, np.uint8)])
    with pytest.raises(ValueError, match="lie over each other"):
        batch.useful(hands, out=(small, masks, small.view(np.uint8)))


@pytest.mark.parametrize("question", ["shanten", "useful"])
def test_strides_that_are_not_one_axis(question):
    """Arrays whose rows cannot be read as one axis: copied in parts, not row by row in Python."""
    hands = some_hands(3000)
    want = ask(question, hands)
    wide = np.repeat(hands, 2, axis=1)[:, ::2]
    for shape, rows in (
        ((3000, 1), np.repeat(hands[:, None], 2, axis=2)[:, :, ::2]),
        ((3000, 2), np.broadcast_to(hands[:, None], (3000, 2, 34))),
        ((2, 3000), np.broadcast_to(hands, (2, 3000, 34))),
        ((50, 60), wide.reshape(50, 60, 34)[:, ::1]),
        ((60, 50), hands.reshape(50, 60, 34).transpose(1, 0, 2)),
    ):
        for answer, expected in zip(ask(question, rows, workers=2), want, strict=True):
            assert answer.shape == shape
            if shape == (60, 50):
                assert np.array_equal(answer, expected.reshape(50, 60).T)
            elif shape == (3000, 2):
                assert np.array_equal(answer, np.repeat(expected, 2).reshape(3000, 2))
            else:
                assert np.array_equal(
                    answer,
                    np.broadcast_to(
                        expected.reshape(shape[-2:] if shape == (50, 60) else (-1, 1) if shape[1] == 1 else (-1,)),
                        shape,
                    ),
                )


def test_inner_loops_refuse_what_is_not_there():
    rules, z = HandRules(), np.zeros(1, np.uint8)
    rows = Rows(some_hands(1))
    masks = np.zeros(1, np.uint64)
    for wrong in (lambda: batch_loops.describe(None, None, 0), lambda: batch_loops.rewrite(None, masks[None], None)):
        with pytest.raises(TypeError, match=r"None"):
            wrong()
    with pytest.raises(TypeError):
        batch_loops.answer(0, None, None, z, z, None, rules, z, masks, z, False, 0, 1)
    with pytest.raises(TypeError):
        batch_loops.answer(0, rows, None, z, z, None, None, z, masks, z, False, 0, 1)
    for operation in (-5, 5, 99):
        with pytest.raises(ValueError, match="expected a question"):
            batch_loops.answer(operation, rows, None, z, z, None, rules, z, masks, z, False, 0, 1)


@pytest.mark.parametrize("name", ["jokers", "n_melds"])
def test_numbers_that_another_thread_changes(name):
    hands = some_hands(2000)
    numbers = np.zeros(2000, np.int64)
    done = threading.Event()
    told = set()

    def spoil():
        while not done.is_set():
            numbers[...] = 255
            numbers[...] = 0

    thread = threading.Thread(target=spoil)
    thread.start()
    try:
        for _ in range(60):
            try:
                got = batch.shanten(hands, **{name: numbers})
            except mjcore.InvalidHandError as error:
                told.add(str(error).split(", got ")[1])
            else:
                assert np.array_equal(got, batch.shanten(hands))
    finally:
        done.set()
        thread.join()
    assert told <= {"255"}


def test_packing_what_another_thread_changes():
    hands = some_hands(3000).astype(np.int32)
    kept = hands.copy()
    done = threading.Event()
    told = set()

    def spoil():
        while not done.is_set():
            hands[...] = 9
            hands[...] = kept

    thread = threading.Thread(target=spoil)
    thread.start()
    try:
        for _ in range(60):
            try:
                lanes = batch.pack(hands)
            except mjcore.InvalidHandError as error:
                told.add(str(error).split(": ")[1][:20])
            else:
                assert batch.unpack(lanes).max() <= 4
    finally:
        done.set()
        thread.join()
    assert told <= {"expected 0 to 4 copi", "another thread chang"}


# --- threads and others ------------------------------------------------------------------------


@questions
@pytest.mark.parametrize("as_lanes", [False, True])
def test_hands_that_another_thread_changes(question, as_lanes):
    """The answer is one or an error; every number in it is one that some hand can have."""
    hands = some_hands(3000, question)
    rows = lanes_of(hands) if as_lanes else hands
    visible = np.zeros_like(rows)
    done = threading.Event()

    def spoil():
        rng = np.random.default_rng(SEED)
        kept = rows.copy()
        while not done.is_set():
            rows[...] = rng.integers(0, 1 << (63 if as_lanes else 8), rows.shape, rows.dtype)
            visible[...] = rng.integers(0, 7, visible.shape, visible.dtype)
            visible[...] = 0
            rows[...] = kept

    thread = threading.Thread(target=spoil)
    thread.start()
    try:
        options = {"visible": visible} if FIELDS[question] == 3 else {}
        for trial in range(40):
            try:
                got = ask(question, rows, workers=1 + trial % 3, **options)
            except mjcore.InvalidHandError:
                continue
            if question in ("shanten", "useful"):
                assert ((got[0] >= -1) & (got[0] <= 8)).all()
            if FIELDS[question] == 3:
                assert (got[1] < 1 << 34).all()
                assert (got[2] <= 136).all()
    finally:
        done.set()
        thread.join()


def test_many_callers_at_once():
    hands = some_hands(2000, "discards")
    want = {question: ask(question, hands) for question in QUESTIONS}
    with ThreadPoolExecutor(8) as pool:
        waiting = [
            (question, pool.submit(ask, question, hands, workers=1 + turn % 4))
            for turn in range(12)
            for question in QUESTIONS
        ]
        for question, future in waiting:
            assert_answers(hands, future.result(), want[question], question)


@pytest.mark.slow
def test_a_million_rows():
    some = some_hands(100_000, seed=SEED + 1)
    hands = np.tile(some, (10, 1))
    for question in ("is_hu", "shanten", "waits", "useful"):
        want = ask(question, some)
        for answer, expected in zip(ask(question, hands, workers=2), want, strict=True):
            assert np.array_equal(answer.reshape(10, -1), np.broadcast_to(expected, (10, len(some))))
    hands[999_999, 0] = 5
    with pytest.raises(mjcore.InvalidHandError, match=r"^row 999999: "):
        batch.shanten(hands, workers=2)


@pytest.mark.parametrize("n_jokers", [0, 2])
@pytest.mark.parametrize("name", FAMILIES)
def test_discards_are_the_hands_without_the_tile(name, n_jokers):
    """The one pass over a hand against the useful tiles of each hand that is left."""
    hands = family(name, SEED, 3000)
    for _ in range(n_jokers):
        hands = drop_one(np.random.default_rng(SEED), hands[hands.sum(axis=1) > 1])
    hands = hands[(hands.sum(axis=1) + n_jokers) % 3 == 2]
    found = batch.discards(hands, jokers=n_jokers)
    for kind in range(34):
        held = hands[:, kind] > 0
        rest = hands[held].copy()
        rest[:, kind] -= 1
        let_go = np.zeros_like(rest)
        let_go[:, kind] = 1
        want = batch.useful(rest, jokers=n_jokers, visible=let_go)
        got = [answer[held, kind] for answer in found]
        assert_answers(rest, got, want, kind)
        assert (found.shanten[~held, kind] == 99).all()
        assert not found.kinds[~held, kind].any()
        assert not found.copies[~held, kind].any()


@pytest.mark.slow
def test_a_hundred_million_hands_in_constant_memory():
    hands = some_hands(20_000)
    counts, lanes = hands, lanes_of(hands)
    complete = some_hands(2000, "discards")
    want = {question: ask(question, hands) for question in ("is_hu", "shanten", "waits", "useful")}

    def some_time(n_rounds):
        for _ in range(n_rounds):
            for question, expected in want.items():
                for rows in (counts, lanes):
                    for answer, row in zip(ask(question, rows, workers=2), expected, strict=True):
                        assert np.array_equal(answer, row)
            batch.discards(complete)

    some_time(20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    some_time(100_000_000 // (8 * len(hands)))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096, "kilobytes"


def dask_answers(hands, **compute):
    """Each question with one answer, over an array in chunks."""
    array = dask.array.from_array(hands, chunks=(700, hands.shape[1]))
    for question in ("is_hu", "shanten", "waits"):
        lazy = array.map_blocks(getattr(batch, question), drop_axis=1, dtype=DTYPES[question][0])
        yield question, lazy.compute(**compute)


@pytest.mark.parametrize("as_lanes", [False, True])
@pytest.mark.parametrize("scheduler", ["synchronous", "threads"])
def test_dask_arrays(scheduler, as_lanes):
    hands = some_hands(3000)
    rows = lanes_of(hands) if as_lanes else hands
    for question, got in dask_answers(rows, scheduler=scheduler):
        assert_answers(hands, (got,), ask(question, hands), question)


def test_dask_arrays_of_useful_kinds():
    hands = some_hands(2000)
    array = dask.array.from_array(hands, chunks=(300, 34))
    lazy = array.map_blocks(lambda rows: batch.useful(rows, workers=2).kinds, drop_axis=1, dtype=np.uint64)
    assert np.array_equal(lazy.compute(scheduler="threads"), batch.useful(hands).kinds)


def test_a_bad_row_in_a_chunk_is_the_error_of_the_whole():
    hands = some_hands(2000)
    hands[1500] = 4
    array = dask.array.from_array(hands, chunks=(700, 34))
    lazy = array.map_blocks(batch.shanten, drop_axis=1, dtype=np.int8)
    with pytest.raises(mjcore.InvalidHandError, match=r"^row 100: "):
        lazy.compute(scheduler="threads")


def test_a_cluster_of_threads():
    hands = some_hands(3000)
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        for question, got in dask_answers(hands):
            assert_answers(hands, (got,), ask(question, hands), question)


@pytest.mark.slow
def test_a_cluster_of_processes():
    hands = some_hands(3000)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        for question, got in dask_answers(hands):
            assert_answers(hands, (got,), ask(question, hands), question)


INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
import mjcore
from mjcore import batch
hands = np.tile(np.array(mjcore.unpack(mjcore.parse("1345m2458s369p12z5z")), np.uint8), (200_000, 1))
eyes = mjcore.HandRules(eyes="258m258s258p")
calls = {
    "discards": lambda: batch.discards(hands, rules=eyes),
    "useful": lambda: batch.useful(np.tile(hands, (20, 1)), rules=eyes),
    "knitted": lambda: batch.discards(np.tile(hands, (4, 1)), rules="mcr"),
    "quality": lambda: batch.rank_discards(np.tile(hands, (4, 1)), rules=eyes),
}
batch.is_hu(hands[:1])
def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    calls[sys.argv[1]]()        # takes more than the test lets it
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("call", ["discards", "useful", "knitted", "quality"])
def test_an_interrupt_ends_slow_questions(call, tmp_path):
    """Where a row takes up to half a millisecond, Ctrl-C is heard between few of them."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, call], capture_output=True, text=True, check=True, timeout=30, cwd=tmp_path
    )
    assert done.stdout.split() == ["interrupted"]


@pytest.mark.parametrize("question", ["useful", "discards"])
def test_where_in_the_memory_of_out(question):
    """What is asked is known before answers are written over it."""
    hands = wall_hands(np.random.default_rng(7), 100, 14)
    wide = (100, 34) if question == "discards" else (100,)
    out = tuple(np.zeros(wide, dtype) for dtype in (np.int8, np.uint64, np.uint8))
    where = out[2].reshape(-1)[:100].view(bool)
    where[::2] = True
    expected = getattr(batch, question)(hands, where=where.copy())
    for mine, theirs in zip(expected, getattr(batch, question)(hands, where=where, out=out), strict=True):
        assert np.array_equal(mine, theirs)


def test_out_in_a_record_array():
    """Fields lie between each other, and over no byte of each other."""
    hands = wall_hands(np.random.default_rng(8), 50, 14)
    records = np.zeros(50, [("shanten", np.int8), ("kinds", np.uint64), ("copies", np.uint8)])
    answer = batch.useful(hands, out=tuple(records[name] for name in records.dtype.names))
    for mine, theirs in zip(batch.useful(hands), answer, strict=True):
        assert np.array_equal(mine, theirs)
    assert np.array_equal(records["copies"], answer.copies)


def test_waits_by_shape_are_those_of_ting():
    """A fifth copy among them."""
    shape = mjcore.HandRules(wait_mode="shape")
    assert batch.waits(mjcore.unpack(mjcore.parse("1111m")), rules=shape) == 1
    hands = wall_hands(np.random.default_rng(9), 500, 13)
    for name in ("flush", "four_of_a_kind"):
        rows = np.concatenate([hands, waiting_family(name, 5, 500)])
        for jokers in (0, 1):
            rows = rows[rows.sum(axis=1) + jokers <= 14]
            got = batch.waits(rows, rules=shape, jokers=jokers)
            want = [mjcore.ting(mjcore.pack(row), rules=shape, jokers=jokers).mask for row in rows.tolist()]
            assert got.tolist() == want


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"where": np.ma.masked_array([True], [True])}, "expected an array without a mask for where"),
        ({"jokers": np.ma.masked_array([0], [True])}, "expected an array without a mask for jokers"),
        ({"n_melds": np.ma.masked_array([0], [True])}, "expected an array without a mask for n_melds"),
    ],
)
def test_masks_are_refused(arguments, problem):
    with pytest.raises(TypeError, match=problem):
        batch.is_hu(np.zeros((1, 34), np.uint8), **arguments)


def test_an_empty_list_is_told_by_its_shape():
    with pytest.raises(ValueError, match=r"expected a last axis of 34 counts or 4 lanes, got shape \(0,\)"):
        batch.is_hu([])
