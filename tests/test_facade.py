"""is_hu, ting, live_waits, decompose: what each size of hand gets, and what each error says."""

import inspect
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import mjcore
from mjcore import Hand, HandRules, KindSet

COMPLETE = {2: "55m", 5: "123m55p", 8: "123m456m55p", 11: "123m456m789m55p", 14: "123m456m789m111s55p"}
NOT_COMPLETE = {2: "5m5p", 5: "123m5p6p", 8: "123m456m5pE", 11: "123m456m789m5pE", 14: "123m456m789m111s5pE"}
WAITING = {1: "5p", 4: "123m5p", 7: "123m456m5p", 10: "123m456m789m5p", 13: "123m456m789m111s5p"}
MELDS = ["[EEE]", "[2222s]", "[345p]", "[SSS]"]
QUESTIONS = [mjcore.is_hu, mjcore.ting, mjcore.live_waits, mjcore.decompose]


def of_size(n):
    """Some tiles far apart, n of them."""
    return "1m4m7m1s4s7s1p4p7pESWNCF"[: 2 * n if n <= 9 else 9 + n]


def test_of_size():
    assert [len(Hand(of_size(n))) for n in range(15)] == list(range(15))


@pytest.mark.parametrize("size", COMPLETE)
def test_complete_sizes(size):
    text = COMPLETE[size]
    assert mjcore.is_hu(text) is True
    assert mjcore.ting(text) == set()
    assert mjcore.live_waits(text) == {}
    assert len(mjcore.decompose(text)) == 1
    text = NOT_COMPLETE[size]
    assert mjcore.is_hu(text) is False
    assert mjcore.ting(text) == set()
    assert mjcore.live_waits(text) == {}
    assert mjcore.decompose(text) == ()


@pytest.mark.parametrize("size", WAITING)
def test_waiting_sizes(size):
    text = WAITING[size]
    assert mjcore.is_hu(text) is False
    assert "5p" in mjcore.ting(text)
    assert mjcore.live_waits(text)[22] == 3
    assert mjcore.decompose(text) == ()
    if size > 1:
        assert mjcore.ting(of_size(size)) == set()


@pytest.mark.parametrize("size", range(15))
def test_tiles_far_apart_get_an_answer_of_every_size(size):
    text = of_size(size)
    assert mjcore.is_hu(text) is False
    assert mjcore.ting(text) == ({0} if size == 1 else set())
    assert mjcore.live_waits(text) == ({0: 3} if size == 1 else {})
    assert mjcore.decompose(text) == ()


@pytest.mark.parametrize("text", ["", "123m", "111m456p", "123m456m789m", "123m456m789mEEE"])
def test_sizes_of_whole_melds_are_no_win_and_wait_for_nothing(text):
    assert mjcore.is_hu(text) is False
    assert mjcore.ting(text) == set()
    assert mjcore.live_waits(text) == {}
    assert mjcore.decompose(text) == ()


@pytest.mark.parametrize("size", [15, 16, 20, 33])
@pytest.mark.parametrize("question", QUESTIONS)
def test_more_than_14_tiles(question, size):
    counts = [0] * 34
    for kind in range(size):
        counts[kind] += 1
    for hand in (mjcore.pack(counts), counts, tuple(counts), np.array(counts), mjcore.format(mjcore.pack(counts))):
        with pytest.raises(mjcore.InvalidHandError, match=f"at most 14 concealed tiles, got {size}"):
            question(hand)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_whole_wall_is_no_hand(question):
    with pytest.raises(mjcore.InvalidHandError, match="got 136"):
        question(sum(4 << 4 * kind for kind in range(34)))


@pytest.mark.parametrize("n_melds", [1, 2, 3, 4])
def test_sizes_beside_melds(n_melds):
    melds = MELDS[:n_melds]
    fits = {13 - 3 * n_melds, 14 - 3 * n_melds}
    for size in range(15):
        text = of_size(size)
        for question in QUESTIONS:
            if size in fits:
                question(Hand(text, melds))
            elif size < min(fits):
                words = f"expected {min(fits)} or {max(fits)} concealed tiles beside {n_melds} melds, got {size}"
                with pytest.raises(mjcore.InvalidHandError, match=words):
                    question(Hand(text, melds))
                with pytest.raises(mjcore.InvalidHandError, match=words):
                    question(text + "".join(melds))
            else:
                words = f"at most {max(fits)} concealed tiles beside {n_melds} melds, got {size}"
                with pytest.raises(mjcore.InvalidHandError, match=words):
                    question(Hand(text, melds))
    complete, waiting = Hand(COMPLETE[max(fits)], melds), Hand(WAITING[min(fits)], melds)
    assert mjcore.is_hu(complete) is True
    assert mjcore.ting(complete) == set()
    assert len(mjcore.decompose(complete)) == 1
    assert mjcore.is_hu(waiting) is False
    assert "5p" in mjcore.ting(waiting)
    assert mjcore.decompose(waiting) == ()
    assert mjcore.is_hu(Hand(NOT_COMPLETE[max(fits)], melds)) is False


@pytest.mark.parametrize("jokers", range(9))
def test_jokers_count_as_tiles(jokers):
    for size in range(15):
        text = of_size(size)
        total = size + jokers
        for question in QUESTIONS[:3]:
            if total > 14:
                with pytest.raises(mjcore.InvalidHandError, match="at most 14 concealed tiles"):
                    question(text, jokers=jokers)
            else:
                question(text, jokers=jokers)
        if total <= 14:
            if total % 3 != 2:
                assert mjcore.is_hu(text, jokers=jokers) is False
                assert mjcore.decompose(text, jokers=jokers) == ()
            if total % 3 != 1:
                assert mjcore.ting(text, jokers=jokers) == set()


@pytest.mark.parametrize("n_melds", [1, 2, 3, 4])
def test_jokers_beside_melds_must_fit(n_melds):
    for size in range(14 - 3 * n_melds + 1):
        for jokers in range(9):
            hand = Hand(of_size(size), MELDS[:n_melds])
            for question in QUESTIONS[:3]:
                if size + jokers + 3 * n_melds in (13, 14):
                    question(hand, jokers=jokers)
                else:
                    with pytest.raises(mjcore.InvalidHandError, match="concealed tiles"):
                        question(hand, jokers=jokers)


def test_every_way_to_give_a_hand():
    text = "123m456s789p11155z"
    vec = mjcore.parse(text)
    counts = mjcore.unpack(vec)

    class Index:
        def __index__(self):
            return vec

    class Text(str):
        pass

    class Int(int):
        pass

    forms = [
        vec,
        Int(vec),
        Index(),
        text,
        Text(text),
        Hand(text),
        counts,
        tuple(counts),
        bytes(counts),
        bytearray(counts),
        memoryview(bytes(counts)),
        np.array(counts),
        np.array(counts, np.uint8),
        np.array(counts, object),
        np.array(counts * 2)[::-1][::-1][:34],
    ]
    for hand in forms:
        assert mjcore.is_hu(hand) is True
        assert mjcore.ting(hand) == set()
        assert len(mjcore.decompose(hand)) == 1
        assert mjcore.live_waits(hand) == {}
        assert mjcore.ting_many([hand]) == [KindSet()]
    assert mjcore.is_hu(np.int64(2)) is mjcore.is_hu(np.array(2)) is mjcore.is_hu(np.uint8(2)) is True


WRONG = [
    (None, "expected a hand"),
    (True, "expected a hand"),
    (False, "expected a hand"),
    (1.0, "expected a hand"),
    (np.True_, "expected a hand"),
    (object(), "expected a hand"),
    ({}, "expected a hand"),
    ({0: 1}, "expected a hand"),
    (set(), "expected a hand"),
    (iter([0] * 34), "expected a hand"),
    (int, "expected a hand"),
    (-1, "negative int"),
    (-(1 << 200), "negative int"),
    (1 << 136, "137 bits"),
    (1 << 5000, "5001 bits"),
    (10**5000, "16610 bits"),
    (5, "5 of 1m"),
    (15 << 108, "15 of C"),
    (b"", "34 counts, got 0"),
    ([], "34 counts, got 0 items in list"),
    ([0] * 35, "34 counts, got 35"),
    ((0,) * 33, "34 counts, got 33"),
    ([0] * 33 + [5], "5 of N"),
    ([0] * 33 + [-1], "copies of N, got a negative"),
    ([0] * 33 + [1.0], "integer count of N"),
    ([True] + [0] * 33, "integer count of 1m"),
    (["1m"] * 34, "integer count of 1m"),
    (np.zeros(34), "integer count of 1m"),
    (np.zeros(34, bool), "integer count of 1m"),
    (np.zeros((1, 34), int), "array of 2 dimensions"),
    (np.float64(1), "expected a hand"),
    (np.array(1.0), "expected a hand"),
    ("x", "position 0"),
    ("11111m", "fifth 1m"),
    ("123", "position 2"),
    ("[EEE", "close"),
]


@pytest.mark.parametrize(("hand", "words"), WRONG, ids=range(len(WRONG)))
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_no_hand_says_why(question, hand, words):
    with pytest.raises(mjcore.InvalidHandError, match=words):
        question(hand)
    with pytest.raises(mjcore.InvalidHandError, match=f"hand 1: .*{words}"):
        mjcore.ting_many(["1m", hand])


@pytest.mark.parametrize("question", QUESTIONS)
def test_numbers_of_jokers(question):
    for jokers in (-1, 9, 10**30, -(10**30)):
        with pytest.raises(mjcore.InvalidHandError, match="0 to 8 jokers"):
            question("1m", jokers=jokers)
    for jokers in (None, True, False, 1.0, "1", [], np.True_, np.float64(1)):
        with pytest.raises(TypeError):
            question("1m", jokers=jokers)
    question("1m", jokers=np.int8(1))


@pytest.mark.parametrize("question", QUESTIONS)
def test_joker_kinds_count_among_the_eight_jokers(question):
    rules = HandRules(joker_kind="1m")
    with pytest.raises(mjcore.InvalidHandError, match="at most 8 jokers, got 5 and 4 of 1m"):
        question("1111m2p", jokers=5, rules=rules)
    question("1111m2p", jokers=3, rules=rules)


@pytest.mark.parametrize("question", QUESTIONS)
def test_options_are_keyword_only(question):
    with pytest.raises(TypeError):
        question("11m", 0)
    with pytest.raises(TypeError):
        question(hand="11m")
    with pytest.raises(TypeError):
        question()
    with pytest.raises(TypeError):
        question("11m", joker=0)


def test_is_hu_gives_a_bool():
    for hand in ("11m", mjcore.parse("11m"), "1m", mjcore.parse("1m"), Hand("11m")):
        assert type(mjcore.is_hu(hand)) is type(mjcore.is_hu(hand)) is bool
    assert type(mjcore.ting(1)) is type(mjcore.ting(1)) is KindSet


def test_visible_tiles():
    hand = "13m EE [456p] [789s] [234s]"
    assert mjcore.ting(hand) == KindSet("2m")
    for visible, left in (("", 4), ("2m", 3), ("222m", 1), ("2222m", 0), ("1111m", 4)):
        for given in (visible, mjcore.parse(visible), mjcore.unpack(mjcore.parse(visible))):
            assert mjcore.live_waits(hand, visible=given) == {1: left}
            for mode in ("possible", "live"):
                rules = HandRules(wait_mode=mode)
                assert mjcore.ting(hand, visible=given, rules=rules) == (KindSet("2m") if left else KindSet())


def test_copies_left_are_never_negative():
    assert mjcore.live_waits("111m", jokers=1, visible="1111m")[0] == 0
    assert 0 not in mjcore.ting("111m", jokers=1, visible="1m")


def test_visible_tiles_count_beside_melds_and_hand():
    assert mjcore.live_waits("2333m [444m] [EEE] [SSS]") == {0: 4, 1: 3, 3: 1}
    assert mjcore.live_waits("2333m [444m] [EEE] [SSS]", visible="4m11m") == {0: 2, 1: 3, 3: 0}
    assert mjcore.ting("2333m [444m] [EEE] [SSS]", visible="4m11m") == KindSet("12m")


def test_visible_tiles_and_shape_do_not_go_together():
    with pytest.raises(ValueError, match="no visible tiles with wait_mode 'shape'"):
        mjcore.ting("1m", visible="2m", rules=HandRules(wait_mode="shape"))
    assert mjcore.live_waits("2222m", visible="2222m", rules=HandRules(wait_mode="shape")) == {1: 0}


@pytest.mark.parametrize(
    "visible", [5, -1, 1 << 136, True, 1.0, "x", "11111m", "[111m]", [0], [], {}, set(), b"1", object()]
)
def test_visible_tiles_that_are_none(visible):
    for question in (mjcore.ting, mjcore.live_waits):
        with pytest.raises(mjcore.InvalidHandError):
            question("1m", visible=visible)
        with pytest.raises(mjcore.InvalidHandError):
            question(mjcore.parse("1m"), visible=visible)


def test_visible_may_be_most_of_the_wall():
    wall = sum(4 << 4 * kind for kind in range(34)) - mjcore.tile("5m")
    assert mjcore.ting("5m", visible=wall) == set()
    assert mjcore.live_waits("5m", visible=wall) == {4: 0}
    assert mjcore.ting("5m", visible=wall - 3 * mjcore.tile("5m") + 2 * mjcore.tile("5m")) == KindSet("5m")


def test_waits_are_the_kinds_that_complete():
    rng = random.Random(70)
    wall = [kind for kind in range(34) for _ in range(4)]
    ready = 0
    for _ in range(1500):
        size = rng.choice([1, 4, 7, 10, 13])
        tiles = wall[:36] if rng.random() < 0.8 else wall
        vec = sum(1 << 4 * kind for kind in rng.sample(tiles, size))
        counts = mjcore.unpack(vec)
        want = {kind for kind in range(34) if counts[kind] < 4 and mjcore.is_hu(vec + (1 << 4 * kind))}
        assert mjcore.ting(vec) == want, mjcore.format(vec)
        assert mjcore.ting(vec) == want, mjcore.format(vec)
        shape = mjcore.live_waits(vec)
        assert {kind for kind, left in shape.items() if left} == want, mjcore.format(vec)
        assert all(left == 4 - counts[kind] for kind, left in shape.items())
        assert set(mjcore.ting(vec, rules=HandRules(wait_mode="shape"))) == set(shape)
        ready += bool(want)
    assert ready > 300


def test_adding_a_tile_is_adding_a_number():
    hand = mjcore.parse("123m456m789m111s5p")
    assert mjcore.is_hu(hand + mjcore.tile("5p")) is True
    assert mjcore.is_hu(hand + mjcore.tile("6p")) is False


def test_the_public_names_are_there():
    for name in mjcore.__all__:
        assert hasattr(mjcore, name), name


@pytest.mark.parametrize("ask", [mjcore.pack, mjcore.is_hu, mjcore.ting, mjcore.shanten, mjcore.Hand])
def test_counts_that_change_while_they_are_read(ask):
    """Reading a count may run code that empties the list: an answer about the list as it was, or an error."""

    class Shrinking:
        def __index__(self):
            counts.clear()
            return 1

    counts = []
    counts += [Shrinking(), *[0] * 33]
    with suppress(mjcore.InvalidHandError):
        ask(counts)


def test_sequences_that_lie_about_their_length():
    class Long(list):
        def __len__(self):
            return 34

    class Ends:
        def __len__(self):
            return 34

        def __getitem__(self, place):
            if place == 20:
                raise IndexError
            return 0

    for counts in (Long([0] * 5), Ends(), Long([0] * 40)):
        with pytest.raises(mjcore.InvalidHandError, match="expected 34 counts"):
            mjcore.is_hu(counts)


def test_decompose_with_a_limit():
    everything = mjcore.decompose("345m", jokers=5)
    assert len(everything) > 100
    assert mjcore.decompose("345m", jokers=5, limit=7) == everything[:7]
    assert mjcore.decompose("345m", jokers=5) == everything
    assert len(mjcore.decompose("111222333mEE", limit=1)) == 1
    assert len(mjcore.decompose("111222333mEE")) == 2
    assert len(mjcore.decompose("111222333mEE", limit=1)) == 1
    for limit in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            mjcore.decompose("11m", limit=limit)
    with pytest.raises(TypeError, match="number of splits"):
        mjcore.decompose("11m", limit="1")


def test_signatures_can_be_inspected():
    for name in ("is_hu", "ting", "decompose", "shanten", "HandRules", "KindSet", "LRUCache", "Hand", "Meld"):
        assert inspect.signature(getattr(mjcore, name)).parameters


def test_unknown_options_are_named():
    with pytest.raises(TypeError, match="got foo"):
        mjcore.HandRules(foo=1)
    with pytest.raises(TypeError, match="expected kinds or text, got int"):
        mjcore.HandRules(eyes=258)
    assert f"{mjcore.KindSet('1m'):>5}" == "   1m"


def test_sources_that_are_not_built_say_so(tmp_path):
    """In a checkout Python finds the sources before what is installed."""
    folder = tmp_path / "mjcore"
    folder.mkdir()
    (folder / "__init__.py").write_bytes(Path(mjcore.__file__).read_bytes())
    # an editable install finds modules of the package by a way of its own
    code = "import sys; sys.meta_path[:] = [f for f in sys.meta_path if 'editable' not in repr(f)]; import mjcore"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert f"mjcore was found as sources that are not built, in {folder}" in done.stderr
