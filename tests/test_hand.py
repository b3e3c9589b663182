"""Meld and Hand: what is one, what is not, and that both are plain frozen values."""

import copy
import pickle
import random

import pytest

import mjcore
from mjcore import Hand, InvalidHandError, Meld
from mjcore.hand import MELD_TYPES
from mjcore.tiles import NOTATIONS

NAMESPACE = {"Hand": Hand, "Meld": Meld}


def all_melds():
    melds = [Meld.chow(kind, claimed_from=who) for kind in range(27) if kind % 9 <= 6 for who in range(4)]
    for kind in range(34):
        for who in range(4):
            melds.append(Meld.pung(kind, claimed_from=who))
            melds.append(Meld.kong(kind, claimed_from=who))
            melds.append(Meld.kong(kind, "added_kong", claimed_from=who))
        melds.append(Meld.kong(kind, "concealed_kong"))
    return melds


def random_hand(rng):
    """A hand of 13 or 14 with melds, or of any size without; red fives and a drawn tile at times."""
    while True:
        melds = rng.sample(ALL_MELDS, rng.randint(0, 4))
        left = [4] * 34
        for meld in melds:
            for kind in meld.kinds:
                left[kind] -= 1
        if min(left) < 0:
            continue
        wall = [kind for kind in range(34) for _ in range(left[kind])]
        tiles = sorted(rng.sample(wall, rng.randint(0, 14 - 3 * len(melds))))
        text = "".join(
            mjcore.tile_name(kind).replace("5", rng.choice("05")) if kind < 27 else mjcore.tile_name(kind)
            for kind in tiles
        )
        return Hand(text, melds, drawn=rng.choice([None, *tiles]))


ALL_MELDS = all_melds()


@pytest.mark.parametrize(
    ("text", "meld_type", "kinds", "claimed_from", "reds"),
    [
        ("[123m]", "chow", (0, 1, 2), 0, 0),
        ("[312m]", "chow", (0, 1, 2), 0, 0),
        ("[1m2m3m]", "chow", (0, 1, 2), 0, 0),
        ("[789p,3]", "chow", (24, 25, 26), 3, 0),
        ("[340p,3]", "chow", (20, 21, 22), 3, 1),
        ("[406s]", "chow", (12, 13, 14), 0, 1),
        ("[EEE]", "pung", (30,) * 3, 0, 0),
        ("[111z,1]", "pung", (30,) * 3, 1, 0),
        ("[055m,2]", "pung", (4,) * 3, 2, 1),
        ("[2222s]", "direct_kong", (10,) * 4, 0, 0),
        ("[2222s,3]", "direct_kong", (10,) * 4, 3, 0),
        ("[2222s+]", "added_kong", (10,) * 4, 0, 0),
        ("[2222s+,2]", "added_kong", (10,) * 4, 2, 0),
        ("[2222s*]", "concealed_kong", (10,) * 4, 0, 0),
        ("[0555m*]", "concealed_kong", (4,) * 4, 0, 1),
        ("[中中中]", "pung", (27,) * 3, 0, 0),
        ("[一二三万]", "chow", (0, 1, 2), 0, 0),
        ("[🀐🀐🀐🀐*]", "concealed_kong", (9,) * 4, 0, 0),
        ("[🀐\ufe0f🀑\ufe0f🀒\ufe0f,1]", "chow", (9, 10, 11), 1, 0),
        ("[东風东风東]", "pung", (30,) * 3, 0, 0),
    ],
)
def test_meld_notations(text, meld_type, kinds, claimed_from, reds):
    meld = Meld(text)
    assert (meld.type, meld.kinds, meld.kind) == (meld_type, kinds, kinds[0])
    assert (meld.claimed_from, meld.red_fives) == (claimed_from, reds)
    assert meld.is_kong is (len(kinds) == 4)
    assert meld.is_concealed is (meld_type == "concealed_kong")
    assert Meld(text[1:-1]) == meld, "the brackets may be left out"


def test_every_meld_round_trips():
    assert {meld.type for meld in ALL_MELDS} == set(MELD_TYPES)
    for meld in ALL_MELDS:
        for notation in NOTATIONS:
            for dialect in ("tenhou", "cn"):
                text = meld.text(notation, dialect=dialect)
                assert Meld(text, dialect=dialect) == meld, text
        assert eval(repr(meld), NAMESPACE) == meld
        assert str(meld) == meld.text()
    assert len(set(ALL_MELDS)) == len(ALL_MELDS)


def test_every_meld_round_trips_inside_a_hand():
    for meld in ALL_MELDS:
        hand = Hand("", [meld])
        for notation in NOTATIONS:
            assert Hand(hand.text(notation)) == hand, hand.text(notation)


@pytest.mark.parametrize("text", ["[1m 2m 3m]", "[一万 二万 三万]", "[中 中 中,2]"])
def test_blanks_in_a_meld_separate_as_they_do_outside(text):
    assert Meld(text) == Meld(text.replace(" ", ""))


def test_letters_of_each_meld_type():
    texts = ["[123m]", "[EEE,2]", "[2222s]", "[2222s,1]", "[2222s+]", "[2222s+,3]", "[2222s*]", "[340p,3]"]
    assert [str(Meld(text)) for text in texts] == texts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[ESW]", "three equal tiles or three consecutive"),
        ("[CFP]", "three equal tiles or three consecutive"),
        ("[9m1p2p]", "three equal tiles or three consecutive"),
        ("[9m1s2s]", "three equal tiles or three consecutive"),
        ("[89m1s]", "three equal tiles or three consecutive"),
        ("[89pC]", "three equal tiles or three consecutive"),
        ("[9pCF]", "three equal tiles or three consecutive"),
        ("[891m]", "three equal tiles or three consecutive"),
        ("[135m]", "three equal tiles or three consecutive"),
        ("[112m]", "three equal tiles or three consecutive"),
        ("[1m1s1p]", "three equal tiles or three consecutive"),
        ("[13m5m]", "three equal tiles or three consecutive"),
        ("[1234m]", "four equal tiles"),
        ("[1112m]", "four equal tiles"),
        ("[ESWN]", "four equal tiles"),
        ("[11m]", "three or four tiles"),
        ("[1m]", "three or four tiles"),
        ("[]", "three or four tiles"),
        ("[11111m]", "three or four tiles"),
        ("[*]", "three or four tiles"),
        ("[111222m]", "three or four tiles"),
        ("[111m+]", "four equal tiles before"),
        ("[123m*]", "four equal tiles before"),
        ("[1111m**]", "claimed from"),
        ("[1111m+*]", "claimed from"),
        ("[111m,]", "claimed from"),
        ("[111m,0]", "claimed from"),
        ("[111m,4]", "claimed from"),
        ("[111m,10]", "claimed from"),
        ("[111m,1,2]", "claimed from"),
        ("[111m,１]", "claimed from"),
        ("[1111m,1+]", "claimed from"),
        ("[1111m*,1]", "claimed from nobody"),
        ("[111m][222m]", "one meld"),
        ("1m[222m]", "one meld"),
        ("[222m]1m", "one meld"),
        ("[111m", "close"),
        ("111m]", "before"),
        ("[[111m]]", "another"),
        ("[10m1m]", "could mean ten"),
        ("[111q]", "suit"),
        ("[111]", "suit"),
        ("[111]m", "suit"),
        ("[111z*z]", "four equal"),
        ("", "three or four tiles"),
        ("x", "expected a tile"),
        ("[🀢🀢🀢]", "flower"),
        ("[\x00]", "expected a tile"),
        ("[" + "1" * 10_000 + "m]", "1000 characters"),
    ],
)
def test_impossible_melds(text, words):
    with pytest.raises(mjcore.InvalidHandError, match=words.replace("]", r"\]")):
        Meld(text)
    if text.startswith("["):
        with pytest.raises(mjcore.InvalidHandError):
            Hand("1p " + text if text.count("[") == 1 and text.endswith("]") else text + text)


@pytest.mark.parametrize("value", [None, 1, True, b"[111m]", ["111m"], (0, 0, 0), 1.5, object()])
def test_meld_text_that_is_no_str(value):
    with pytest.raises(mjcore.InvalidHandError, match="text of a meld"):
        Meld(value)


@pytest.mark.parametrize("lowest", ["8m", "9m", "8s", "9p", "C", "E", "N", 7, 8, 16, 26, 27, 33])
def test_no_chow_begins_at(lowest):
    with pytest.raises(mjcore.InvalidHandError, match="three consecutive ranks"):
        Meld.chow(lowest)


@pytest.mark.parametrize("claimed_from", [-1, 4, True, 1.0, None, "1", 10**30])
def test_claimed_from_is_0_to_3(claimed_from):
    for make in (Meld.chow, Meld.pung, Meld.kong):
        with pytest.raises(mjcore.InvalidHandError, match="claimed_from"):
            make("1m", claimed_from=claimed_from)


@pytest.mark.parametrize("meld_type", ["", "kong", "pung", "chow", "CHOW", None, 1])
def test_kong_types(meld_type):
    with pytest.raises(ValueError, match="direct_kong, added_kong, concealed_kong"):
        Meld.kong("1m", meld_type)


def test_kong_type_that_cannot_be_hashed():
    with pytest.raises((ValueError, TypeError)):
        Meld.kong("1m", [])


@pytest.mark.parametrize("kind", [-1, 34, "", "12m", "x", None, True, 1.0])
def test_melds_of_no_kind(kind):
    for make in (Meld.chow, Meld.pung, Meld.kong):
        with pytest.raises(mjcore.InvalidHandError):
            make(kind)


def test_a_concealed_kong_is_claimed_from_nobody():
    with pytest.raises(mjcore.InvalidHandError, match="claimed from nobody"):
        Meld.kong("1m", "concealed_kong", claimed_from=1)


def test_dialect_of_a_meld():
    assert Meld("555z").kind == Meld("777z", dialect="cn").kind == mjcore.kind_of("P")
    assert Hand("[555z]", dialect="cn").melds == (Meld("CCC"),)
    assert Hand("5z", ["555z"], dialect="cn") == Hand("C [CCC]")


# --- hands -------------------------------------------------------------------------------------


def test_hand_from_everything():
    text = Hand("123m55p [EEE] [7777s*]")
    vec = mjcore.parse("123m55p")
    melds = [Meld("EEE"), Meld("7777s*")]
    assert text == Hand(vec, melds) == Hand(mjcore.unpack(vec), iter(melds)) == Hand("55p123m", ["7777s*", "EEE"])
    assert text == Hand(text) == Hand(Hand(vec), melds) == Hand("[7777s*]123m[EEE]55p")
    assert (text.concealed, text.counts(), len(text), text.n_melds) == (vec, mjcore.unpack(vec), 5, 2)
    assert text.all_counts()[15] == 4
    assert text.all_counts()[30] == 3
    assert sum(text.all_counts()) == 12
    assert text.melds == (Meld("7777s*"), Meld("EEE"))


def test_lone_melds_are_a_hand():
    hand = Hand("[EEE]")
    assert (len(hand), hand.melds, hand.concealed) == (0, (Meld("EEE"),), 0)
    hand = Hand("[EEE][CCC]123m456p7s")
    assert hand.melds == (Meld("CCC"), Meld("EEE"))
    assert hand.concealed == mjcore.parse("123m456p7s")


@pytest.mark.parametrize(
    ("text", "position"),
    [("[123m", 0), ("123m]", 4), ("[]", 0), ("1m[[111p]]", 3), ("1m[111p", 2), ("55m[ESW]", 3), ("1m [12p]", 3),
     ("[111m][", 6), ("[12]m", 3), ("11111m [EEE]", 4), ("1" * 10_000 + "m", 1000), ("[111m]2", 6)],
)  # fmt: skip
def test_errors_in_a_hand_point_at_the_character(text, position):
    with pytest.raises(mjcore.InvalidNotationError) as caught:
        Hand(text)
    assert (caught.value.position, caught.value.text) == (position, text)


@pytest.mark.parametrize(
    ("concealed", "melds", "words"),
    [
        ("1m", ["1111m"], "5 of 1m"),
        ("11m", ["111m"], "5 of 1m"),
        ("1111m", ["123m"], "5 of 1m"),
        ("", ["111m", "111m"], "6 of 1m"),
        ("", ["1111m", "1111m*"], "8 of 1m"),
        ("", ["123m", "123m", "333m"], "5 of 3m"),
        ("EE", ["EEE"], "5 of E"),
        ("1m [1111m+]", [], "5 of 1m"),
        ("", ["234m"] * 4 + ["555p"], "at most 4 melds, got 5"),
        ("123m456m789m123p456p", [], "at most 14 concealed"),
        ("123m456m789m", ["EEE", "SSS"], "at most 8 concealed tiles beside 2 melds, got 9"),
        ("123s", ["EEE", "SSS", "WWW", "NNN"], "at most 2 concealed tiles beside 4 melds, got 3"),
    ],
)
def test_what_is_no_hand(concealed, melds, words):
    with pytest.raises(mjcore.InvalidHandError, match=words):
        Hand(concealed, melds)


@pytest.mark.parametrize(
    "concealed", [None, True, 1.5, -1, 5, 1 << 136, b"1m", [0] * 33, [5] + [0] * 33, {}, {0: 1}, set(), object(), int]
)
def test_concealed_tiles_that_are_none(concealed):
    with pytest.raises(mjcore.InvalidHandError):
        Hand(concealed)


@pytest.mark.parametrize("melds", ["[111m]", Meld("111m"), [None], [1], [b"111m"], ["11m"], [["111m"]], [Hand("1m")]])
def test_melds_that_are_none(melds):
    with pytest.raises(mjcore.InvalidHandError):
        Hand("55p", melds)


@pytest.mark.parametrize("melds", [None, 1, 1.5])
def test_melds_that_are_no_collection(melds):
    with pytest.raises(TypeError):
        Hand("55p", melds)


def test_order_of_melds_is_irrelevant():
    rng = random.Random(40)
    melds = ["123m", "EEE,2", "7777s*", "055p,1"]
    want = Hand("11s", melds)
    for _ in range(10):
        rng.shuffle(melds)
        got = Hand("11s", melds)
        assert got == want
        assert hash(got) == hash(want)
        assert repr(got) == repr(want)


@pytest.mark.parametrize("drawn", ["5m", "0m", 4, "五万"])
def test_drawn_tile(drawn):
    hand = Hand("055m [EEE]", drawn=drawn)
    assert hand.drawn == 4
    assert repr(hand) == "Hand('055m [EEE]', drawn='5m')"
    assert hand != Hand("055m [EEE]")
    assert Hand(hand).drawn == 4
    assert Hand(hand, drawn="5m") == hand


@pytest.mark.parametrize("drawn", ["1m", "E", 0, 33])
def test_drawn_tile_must_be_concealed(drawn):
    with pytest.raises(mjcore.InvalidHandError, match="drawn tile among the concealed"):
        Hand("55m [EEE]", drawn=drawn)


@pytest.mark.parametrize("drawn", [True, -1, 34, 1.0, "55m", "", "x", b"5m", [4], 10**30])
def test_drawn_tile_that_is_none(drawn):
    with pytest.raises(mjcore.InvalidHandError):
        Hand("55m", drawn=drawn)


def test_red_fives_are_kept():
    hand = Hand("005m5s0p [340s]")
    assert hand.red_fives == (2, 0, 1)
    assert hand.melds[0].red_fives == 1
    assert Hand("555m5s5p [345s]") != hand
    assert Hand("234555m555p22555s").red_fives == (0, 0, 0)
    assert Hand("678p345s11m234m [PPPP*]").red_fives == (0, 0, 0)
    assert Hand("678p345s11m234m [PPPP*]").melds[0].red_fives == 0


@pytest.mark.slow
def test_random_hands_round_trip():
    rng = random.Random(41)
    for _ in range(1500):
        hand = random_hand(rng)
        for dialect in ("tenhou", "cn"):
            for notation in ("letters", "mpsz"):
                text = hand.text(notation, dialect=dialect)
                assert Hand(text, drawn=hand.drawn, dialect=dialect) == hand, text
        assert eval(repr(hand), NAMESPACE) == hand
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            back = pickle.loads(pickle.dumps(hand, protocol))
            assert back == hand, hand
            assert repr(back) == repr(hand)
            assert hash(back) == hash(hand)
        assert copy.copy(hand) == copy.deepcopy(hand) == hand


def test_random_hands_round_trip_in_words_and_pictures():
    """Chinese names and unicode tiles know no red fives; all else comes back."""
    rng = random.Random(42)
    for _ in range(500):
        hand = random_hand(rng)
        plain = Hand(hand.text().replace("0", "5"), drawn=hand.drawn)
        for notation in ("chinese", "unicode"):
            text = plain.text(notation)
            assert Hand(text, drawn=hand.drawn) == plain, text


def test_equal_hands_and_melds_hash_alike():
    assert len({Hand("12m"), Hand("2m1m"), Hand(mjcore.parse("12m"))}) == 1
    assert len({Meld("123m"), Meld("[321m]"), Meld.chow(0)}) == 1
    assert len({Meld("1111m"), Meld("1111m+"), Meld("1111m*"), Meld("1111m,1"), Meld("111m")}) == 5
    assert Hand("5m") != Hand("0m")
    assert Hand("1m") != 1
    assert Hand("1m") != "1m"
    assert Meld("111m") != "[111m]"
    assert (Hand("1m") == None) is False  # noqa: E711
    with pytest.raises(TypeError):
        _ = Hand("1m") < Hand("2m")
    with pytest.raises(TypeError):
        _ = Meld("111m") < Meld("222m")


def test_melds_pickle_and_copy():
    for meld in (*ALL_MELDS[::7], Meld("[340p,3]"), Meld("0055m*")):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            back = pickle.loads(pickle.dumps(meld, protocol))
            assert back == meld
            assert repr(back) == repr(meld)
        assert copy.copy(meld) == copy.deepcopy([meld])[0] == meld


@pytest.mark.parametrize(
    ("value", "arguments"),
    [(Hand("123m055s [EEE,2]", drawn="5s"), ("99p",)), (Meld("[340p,3]"), ("111m",)), (Hand(""), (5,))],
    ids=repr,
)
def test_nothing_changes_a_hand_or_meld(value, arguments):
    before, hash_before = repr(value), hash(value)
    names = [name for name in dir(type(value)) if not name.startswith("__")] + ["new_name", "__dict__", "__class__"]
    for name in names:
        with pytest.raises(AttributeError):
            setattr(value, name, 3)
        with pytest.raises(AttributeError):
            delattr(value, name)
    for call in ((), arguments):
        try:
            value.__init__(*call)
        except TypeError:
            continue
    assert (repr(value), hash(value)) == (before, hash_before)
    if isinstance(value, Hand):
        value.counts()[0] = 9
        value.all_counts()[0] = 9
    assert (repr(value), hash(value)) == (before, hash_before)
    assert eval(before, NAMESPACE) == value


def test_an_empty_hand_is_true():
    assert bool(Hand()) is True
    assert len(Hand()) == 0
    assert repr(Hand()) == "Hand('')"
    assert eval(repr(Hand()), NAMESPACE) == Hand() == Hand("") == Hand(0) == Hand([0] * 34)


def test_draw_and_discard_are_the_hand_made_anew():
    rng = random.Random(20261130)
    for _ in range(300):
        hand = Hand("13m0p EE [456p,3] [7777s*] [CCC,2]") if rng.random() < 0.5 else Hand("1112345678999m")
        for _ in range(6):
            kind = rng.randrange(34)
            try:
                drawn = hand.draw(kind)
            except InvalidHandError:
                counts = hand.all_counts()
                assert counts[kind] == 4 or len(hand) + 3 * hand.n_melds == 14
                continue
            assert drawn == Hand(hand.concealed + mjcore.tile(kind), hand.melds, drawn=kind) or any(hand.red_fives)
            assert (drawn.drawn, drawn.concealed) == (kind, hand.concealed + mjcore.tile(kind))
            gone = rng.choice([kind for kind, n in enumerate(drawn.counts()) if n])
            hand = drawn.discard(gone)
            assert hand == Hand(hand.text())
            assert hand.concealed == drawn.concealed - mjcore.tile(gone)
    with pytest.raises(InvalidHandError, match="expected a tile of the hand, got 9p"):
        Hand("11m").discard("9p")


def test_a_red_five_stays_as_long_as_another_can_go():
    assert Hand("055m").discard("5m") == Hand("05m")
    assert Hand("05m").discard("5m") == Hand("0m")
    assert Hand("0m").discard("5m") == Hand("")
