"""The forms of a hand: every worked example of the specification, through the public functions."""

import json
from pathlib import Path

import pytest

import mjcore
from mjcore import HandRules, KindSet

DEMO = json.loads((Path(__file__).parent / "data" / "forms_demo.json").read_text(encoding="utf-8"))
SHAPE = HandRules(wait_mode="shape")
NO_FIFTH = HandRules(joker_fifth_copy=False)
QUADS = HandRules(seven_pairs_quads=True)
ORPHANS = "1m 9m 1p 9p 1s 9s E S W N C F P"


@pytest.mark.parametrize(
    ("tiles", "jokers", "allowed", "not_allowed"),
    [
        ("EEEE", 1, True, False),
        ("1111m", 1, True, False),
        ("1111m23m", 2, True, True),
        ("EESSSS123m", 2, True, False),
        ("EESSSS123s", 2, True, False),
        ("1m", 1, True, True),
        ("", 2, True, True),
        ("", 5, True, True),
        ("19m", 3, True, True),
    ],
)
def test_jokers_and_the_fifth_copy(tiles, jokers, allowed, not_allowed):
    """The third hand wins either way: 123m and 111m leave two jokers for any pair."""
    assert mjcore.is_hu(tiles, jokers=jokers) is allowed
    assert mjcore.is_hu(tiles, jokers=jokers, rules=HandRules(joker_fifth_copy=True)) is allowed
    assert mjcore.is_hu(tiles, jokers=jokers, rules=NO_FIFTH) is not_allowed
    assert bool(mjcore.decompose(tiles, jokers=jokers)) is allowed
    assert bool(mjcore.decompose(tiles, jokers=jokers, rules=NO_FIFTH)) is not_allowed


@pytest.mark.parametrize(
    ("tiles", "waits"),
    [
        ("2345m66p", "1m 2m 3m 4m 5m 6m 7m 6p"),
        ("123m456p789s11s7m", "5m 6m 7m 8m 9m 1s"),
        ("123m", None),
        ("", None),
    ],
)
def test_waits_with_one_joker(tiles, waits):
    want = KindSet(range(34)) if waits is None else KindSet(waits)
    assert mjcore.ting(tiles, jokers=1) == want
    if not tiles:
        assert mjcore.ting("[123m][555p][789s][FFF]", jokers=1, rules=SHAPE) == want


@pytest.mark.parametrize(
    ("tiles", "different", "quads"),
    [("1122m3344p5566s", True, True), ("111122m3344p55s", False, True)],
)
def test_seven_pairs_with_two_jokers(tiles, different, quads):
    only = "seven_pairs"
    assert mjcore.is_hu(tiles, jokers=2, rules=HandRules(forms=only)) is different
    assert mjcore.is_hu(tiles, jokers=2, rules=HandRules(forms=only, seven_pairs_quads=True)) is quads


@pytest.mark.parametrize(
    ("tiles", "possible", "shape"),
    [
        ("1m", "1m", "1m"),
        ("1113m", "2m 3m", "2m 3m"),
        ("2333m", "1m 2m 4m", "1m 2m 4m"),
        ("2222m", "", "2m"),
        ("5555m", "", "5m"),
        ("1111234m", "4m", "1m 4m"),
        ("1111222333444m", "2m 3m 4m", "1m 2m 3m 4m"),
        ("1112223334445m", "2m 3m 4m 5m 6m", "2m 3m 4m 5m 6m"),
        ("9m19p19sEESWNCFP", "1m", "1m"),
        ("19m19p19sESWNCFP", ORPHANS, ORPHANS),
    ],
)
def test_waits_in_both_modes(tiles, possible, shape):
    assert mjcore.ting(tiles) == KindSet(possible)
    assert mjcore.ting(tiles, rules=HandRules(wait_mode="live")) == KindSet(possible)
    assert mjcore.ting(tiles, rules=SHAPE) == KindSet(shape)
    assert set(mjcore.live_waits(tiles)) == set(KindSet(shape))


@pytest.mark.parametrize("case", DEMO, ids=lambda case: case["hand"])
def test_demo_hands(case):
    want, want_shape = KindSet(case["waits"]), KindSet(case["waits_shape"])
    vec = mjcore.parse(case["hand"])
    assert mjcore.ting(vec) == mjcore.ting(case["hand"]) == want
    assert mjcore.ting(vec, rules=SHAPE) == want_shape
    assert len(want) == case["seed_count"]
    assert mjcore.ting_many([vec, vec], rules=SHAPE) == [want_shape, want_shape]
    for kind in range(34):
        if vec >> 4 * kind & 15 < 4:
            assert mjcore.is_hu(vec + mjcore.tile(kind)) is (kind in want)


def test_there_are_twelve_demo_hands_and_two_differ_by_shape():
    assert len(DEMO) == 12
    assert [i for i, case in enumerate(DEMO, 1) if case["waits"] != case["waits_shape"]] == [4, 6]


def test_demo_wins():
    assert mjcore.is_hu("11123456666778m") is True
    assert mjcore.is_hu(mjcore.from_codes([11, 18, 11, 16, 16, 17, 14, 15, 12, 13, 16, 16, 17, 11], "deck")) is True
    assert mjcore.is_hu(mjcore.parse("1112356666778m") + mjcore.tile("4m")) is True


def test_thirteen_orphans_need_fourteen_tiles():
    thirteen = mjcore.parse("19m19p19sESWNCFP")
    assert mjcore.is_hu(thirteen) is False
    for kind in KindSet(ORPHANS):
        assert mjcore.is_hu(thirteen + mjcore.tile(kind)) is True
    assert mjcore.is_hu(thirteen + mjcore.tile("5m")) is False


def test_asking_twice_changes_nothing():
    hand = mjcore.Hand("11123456666778m", drawn="4m")
    assert [mjcore.is_hu(hand) for _ in range(3)] == [True] * 3
    assert hand == mjcore.Hand("11123456666778m", drawn="4m")


@pytest.mark.parametrize("text", ["", "1111m2p", "111122223333m1p"])
def test_odd_hands_answer_false(text):
    assert mjcore.is_hu(text) is False


def test_five_equal_tiles_are_no_hand():
    with pytest.raises(mjcore.InvalidHandError, match="5 of 1m"):
        mjcore.is_hu(5)


def test_seven_pairs_readings():
    four = "1111m2233p445566s"
    assert [mjcore.is_hu(four), mjcore.is_hu(four, rules=QUADS)] == [False, True]
    assert mjcore.is_hu("1122m3344p556677s") is True
    assert mjcore.is_hu("1122m3344p5566s7s8s") is False
    assert mjcore.is_hu("11m22m33m44m55m", rules=QUADS) is False, "five pairs"
    assert mjcore.is_hu("1122m3344p55s [EEE]", rules=QUADS) is False, "no melds"
    assert mjcore.is_hu("1122m3344p55s [EEEE*]", rules=QUADS) is False, "no concealed kongs"


@pytest.mark.parametrize(
    "text",
    [
        "1122m3344p5566s77s",
        "19m19p19sESWNCFPP",
        "11122233344455m",
        "11123456666778m",
        "55m",
        "123m55p",
        "123m456p55s",
        "123m456p789s55s",
    ],
)
def test_hands_that_a_count_of_bits_would_refuse(text):
    assert mjcore.is_hu(text) is True


@pytest.mark.parametrize("text", ["ESW 11m", "CFP 11m", "NEC 11m", "9m1s2s 55p", "9s1p2p 55m", "9pCF 55m", "8m9m1s 55p",
                                  "891m 55p", "912m 55p"])  # fmt: skip
def test_runs_keep_to_one_suit_and_do_not_wrap(text):
    assert mjcore.is_hu(text) is False


def test_eighteen_tiles_are_no_hand():
    with pytest.raises(mjcore.InvalidHandError, match="18"):
        mjcore.ting("123456789mCCCFFFPPP")


def test_a_kong_stands_for_three_tiles():
    assert mjcore.is_hu("55p [1111m] [2222s*] [EEEE+] [CCCC]") is True
    assert mjcore.ting("5p [1111m] [2222s*] [EEEE+] [CCCC]") == KindSet("5p")


def test_waits_used_up_by_melds():
    assert mjcore.ting("23m55p [1111m] [EEE] [SSS]") == KindSet("4m")
    assert mjcore.ting("23m55p [1111m] [EEE] [SSS]", rules=SHAPE) == KindSet("14m")


@pytest.mark.parametrize(
    ("tiles", "jokers", "rules", "want"),
    [
        ("19m19p19sESWNCF", 2, HandRules(), True),
        ("19m19p19sESWNC", 3, HandRules(), True),
        ("19m19p19sESWNCC", 2, HandRules(), True),
        ("19m19p19sESWWNN", 2, HandRules(), False),
        ("19m19p19sESWNNN", 2, HandRules(), False),
        ("19m19p19sESWN5m", 3, HandRules(), False),
        ("19m19p19sESWNCF", 2, HandRules(joker_special_forms=False), False),
        ("19m19p19sESWNCF", 2, HandRules(forms=("standard", "seven_pairs")), False),
        ("2m58p39sC", 8, HandRules(), True),
        ("2m58p39sC", 8, HandRules(joker_special_forms=False), False),
    ],
)
def test_special_forms_with_jokers(tiles, jokers, rules, want):
    assert mjcore.is_hu(tiles, jokers=jokers, rules=rules) is want


def test_a_joker_kind_acts_as_itself_or_as_a_joker():
    rules = HandRules(forms="standard", joker_kind="5m")
    assert mjcore.is_hu("456m EE", rules=rules) is True
    assert mjcore.is_hu("12m5m EE", rules=rules) is True
    assert mjcore.is_hu("12m5m EE") is False
    assert mjcore.is_hu("555m55p", rules=rules) is True
    assert mjcore.is_hu("5m1p", rules=rules) is True
