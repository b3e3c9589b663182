"""Text in every notation: round trips, and errors that point at the character."""

import pickle
import random

import pytest

import mjcore
from mjcore.tiles import CHINESE, LETTERS, NOTATIONS, UNICODE

KIND_ORDER = [
    "1m",
    "2m",
    "3m",
    "4m",
    "5m",
    "6m",
    "7m",
    "8m",
    "9m",
    "1s",
    "2s",
    "3s",
    "4s",
    "5s",
    "6s",
    "7s",
    "8s",
    "9s",
    "1p",
    "2p",
    "3p",
    "4p",
    "5p",
    "6p",
    "7p",
    "8p",
    "9p",
    "C",
    "F",
    "P",
    "E",
    "S",
    "W",
    "N",
]


def random_vec(rng, n_tiles):
    wall = [kind for kind in range(34) for _ in range(4)]
    return sum(1 << 4 * kind for kind in rng.sample(wall, n_tiles))


def error_of(function, *args, **options):
    with pytest.raises(mjcore.InvalidNotationError) as caught:
        function(*args, **options)
    return caught.value


def test_kind_order_is_the_one_of_the_design():
    assert list(LETTERS) == KIND_ORDER
    assert [mjcore.tile_name(kind) for kind in range(34)] == KIND_ORDER


@pytest.mark.parametrize("kind", range(34), ids=KIND_ORDER)
@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("dialect", ["tenhou", "cn"])
def test_every_kind_round_trips(kind, notation, dialect):
    name = mjcore.tile_name(kind, notation, dialect=dialect)
    assert mjcore.kind_of(name, dialect=dialect) == kind
    assert mjcore.tile(name, dialect=dialect) == 1 << 4 * kind
    assert mjcore.parse(name * 4, dialect=dialect) == 4 << 4 * kind
    for n in range(5):
        vec = n << 4 * kind
        assert mjcore.parse(mjcore.format(vec, notation, dialect=dialect), dialect=dialect) == vec


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("dialect", ["tenhou", "cn"])
def test_random_hands_round_trip(notation, dialect):
    rng = random.Random(20)
    for _ in range(400):
        vec = random_vec(rng, rng.randint(0, 60))
        text = mjcore.format(vec, notation, dialect=dialect)
        assert mjcore.parse(text, dialect=dialect) == vec, mjcore.format(vec)


def test_the_whole_wall_round_trips():
    wall = sum(4 << 4 * kind for kind in range(34))
    for notation in NOTATIONS:
        assert mjcore.parse(mjcore.format(wall, notation)) == wall


def test_tiles_in_any_order_and_mixed_notations():
    rng = random.Random(21)
    for _ in range(300):
        vec = random_vec(rng, 14)
        counts = mjcore.unpack(vec)
        kinds = [kind for kind in range(34) for _ in range(counts[kind])]
        rng.shuffle(kinds)
        text = rng.choice(["", " ", "  ", "\t", "\n"]).join(
            mjcore.tile_name(kind, rng.choice(NOTATIONS)) for kind in kinds
        )
        assert mjcore.parse(text) == vec, text


def test_dialects_differ_in_the_dragons_only():
    assert [mjcore.tile_name(mjcore.kind_of(f"{i}z")) for i in range(1, 8)] == list("ESWNPFC")
    assert [mjcore.tile_name(mjcore.kind_of(f"{i}z", dialect="cn")) for i in range(1, 8)] == list("ESWNCFP")
    assert mjcore.format(mjcore.parse("CCFP"), "mpsz") == "7765z"
    assert mjcore.format(mjcore.parse("CCFP"), "mpsz", dialect="cn") == "5567z"


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("东", "E"), ("東", "E"), ("南", "S"), ("西", "W"), ("北", "N"),
        ("东风", "E"), ("東風", "E"), ("东風", "E"), ("東风", "E"),
        ("南风", "S"), ("南風", "S"), ("西风", "W"), ("西風", "W"), ("北风", "N"), ("北風", "N"),
        ("中", "C"), ("红中", "C"), ("紅中", "C"),
        ("发", "F"), ("發", "F"), ("发财", "F"), ("發財", "F"),
        ("白", "P"), ("白板", "P"),
        ("一万", "1m"), ("九萬", "9m"), ("二条", "2s"), ("三條", "3s"), ("四索", "4s"),
        ("五筒", "5p"), ("六饼", "6p"), ("七餅", "7p"),
        ("一二三万", "123m"), ("一一一條", "111s"), ("七八九餅", "789p"),
        ("123萬", "123m"), ("456条", "456s"), ("789餅", "789p"), ("5萬 5饼 5索", "5m5s5p"),
        ("东风东南风", "EES"), ("白板白红中中", "CCPP"),
    ],
)  # fmt: skip
def test_chinese_forms(text, letters):
    assert mjcore.parse(text) == mjcore.parse(letters)


@pytest.mark.parametrize("selector", ["", "\ufe0e", "\ufe0f"])
def test_unicode_with_variation_selectors(selector):
    for kind, character in enumerate(UNICODE):
        assert mjcore.kind_of(character + selector) == kind
    text = "".join(character + selector for character in UNICODE)
    assert mjcore.parse(text) == sum(1 << 4 * kind for kind in range(34))


def test_unicode_tiles_are_the_ones_of_the_standard():
    assert mjcore.format(mjcore.parse("ESWNCFP"), "unicode") == "🀄🀅🀆🀀🀁🀂🀃"
    assert mjcore.format(mjcore.parse("19m19s19p"), "unicode") == "🀇🀏🀐🀘🀙🀡"


def test_chinese_names_of_the_honors():
    assert CHINESE[27:] == ("中", "发", "白", "东", "南", "西", "北")


def test_red_fives_are_fives():
    assert mjcore.parse("0m0s0p") == mjcore.parse("5m5s5p")
    assert mjcore.parse("055m") == mjcore.parse("555m") == mjcore.parse("5m0m0m")
    assert mjcore.kind_of("0p") == 22
    assert mjcore.parse("01m") == mjcore.parse("15m")


def test_red_fives_round_trip():
    for text in ("0m", "055m", "0055s", "000p", "1m0m", "11m06m", "340m067s40p", "0m0s0pE"):
        hand = mjcore.Hand(text)
        assert mjcore.Hand(hand.text()) == hand, text
        assert mjcore.Hand(hand.text("mpsz")) == hand, text
    assert mjcore.format(mjcore.parse("5556m"), red_fives=(2, 0, 0)) == "0056m"
    assert mjcore.format(mjcore.parse("15m"), red_fives=(1, 0, 0)) == "1m0m"
    assert mjcore.format(mjcore.parse("115m55p"), "mpsz", red_fives=(1, 0, 2)) == "11m0m00p"


@pytest.mark.parametrize("reds", [(), (0,), (0, 0), (2, 0, 0), (-1, 0, 0), (0, 1, 0), (10**30, 0, 0), 0, None, "abc"])
def test_red_fives_that_are_not_there_are_an_error(reds):
    """More red fives than fives, a negative number or no three numbers: a ValueError or TypeError."""
    with pytest.raises((ValueError, TypeError)):
        mjcore.format(mjcore.parse("5m"), red_fives=reds)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("10m", 1, "could mean ten"),
        ("110m", 2, "could mean ten"),
        ("123s10p", 4 + 1, "could mean ten"),
        ("0z", 0, "1z to 7z"),
        ("8z", 0, "1z to 7z"),
        ("9z", 0, "1z to 7z"),
        ("123m1118z", 7, "1z to 7z"),
        ("123", 2, "suit"),
        ("123456", 5, "suit"),
        ("1m2", 2, "suit"),
        ("12 m", 2, "suit"),
        ("1\nm", 1, "suit"),
        ("12q", 2, "'q'"),
        ("123m77h", 6, "'h'"),
        ("123M", 3, "'M'"),
        ("1mE2", 3, "suit"),
        ("12E", 2, "'E'"),
        ("12一万", 2, "'一'"),
        ("m", 0, "digits before"),
        ("z", 0, "digits before"),
        ("1mm", 2, "digits before"),
        ("123ms", 4, "digits before"),
        ("万", 0, "digits before"),
        ("一", 0, "numerals"),
        ("一二", 1, "numerals"),
        ("一m", 1, "numerals"),
        ("0万", 0, "ranks 1 to 9"),
        ("零万", 0, "expected a tile"),
        ("十万", 0, "expected a tile"),
        ("EeE", 1, "'e'"),
        ("e", 0, "'e'"),
        ("w", 0, "'w'"),
        ("n", 0, "'n'"),
        ("c", 0, "'c'"),
        ("f", 0, "'f'"),
        ("s", 0, "digits before"),
        ("p", 0, "digits before"),
        ("风", 0, "expected a tile"),
        ("中风", 1, "expected a tile"),
        ("财", 0, "expected a tile"),
        ("🀢", 0, "flower"),
        ("1m🀩", 2, "flower"),
        ("🀪", 0, "joker"),
        ("🀇🀪", 1, "joker"),
        ("🀫", 0, "expected a tile"),
        ("\ufe0f", 0, "expected a tile"),
        ("🀇\ufe0f\ufe0f", 2, "expected a tile"),
        ("１２３m", 0, "expected a tile"),
        ("1２m", 1, "'２'"),
        ("٣m", 0, "expected a tile"),
        ("1m\x00", 2, "expected a tile"),
        ("\x00", 0, "expected a tile"),
        ("1\x00m", 1, "suit"),
        ("\ud800", 0, "expected a tile"),
        ("12m\udfff3m", 3, "expected a tile"),
        ("1m,2m", 2, "expected a tile"),
        ("-1m", 0, "expected a tile"),
        ("1.5m", 1, "suit"),
        ("X", 0, "expected a tile"),
        ("[]", 0, "melds"),
        ("55m[EEE]", 3, "melds"),
        ("[123m", 0, "close"),
        ("55m[123m", 3, "close"),
        ("[", 0, "close"),
        ("123m]", 4, "before ']'"),
        ("]", 0, "before ']'"),
        ("[[123m]]", 1, "another"),
        ("[123m[EEE]]", 5, "another"),
        ("[12", 0, "close"),
        ("[12]3m", 3, "suit"),
        ("11111m", 4, "fifth 1m"),
        ("1m1m1m1m 1m", 9, "fifth 1m"),
        ("EEEEE", 4, "fifth E"),
        ("1111z东", 5, "fifth E"),
        ("0555m5m", 5, "fifth 5m"),
        ("一一一一一万", 4, "fifth 1m"),
        ("中中中C 7z", 5, "fifth C"),
    ],
)  # fmt: skip
def test_error_points_at_the_character(text, position, words):
    error = error_of(mjcore.parse, text)
    assert (error.position, error.text) == (position, text), str(error)
    assert words in str(error)
    assert f"at position {position}" in str(error)
    assert isinstance(error, (mjcore.InvalidHandError, ValueError))


@pytest.mark.parametrize(("text", "position"), [("0m", 0), ("12s340p", 5), ("1m0s", 2)])
def test_red_fives_switched_off(text, position):
    error = error_of(mjcore.parse, text, red_fives=False)
    assert error.position == position
    assert "ranks 1 to 9" in str(error)


def test_ten_is_an_error_with_and_without_red_fives():
    assert error_of(mjcore.parse, "10m", red_fives=False).position == 1


@pytest.mark.parametrize("n", [10_000, 1_000, 10_000_000])
def test_long_text_is_an_error_at_once(n):
    error = error_of(mjcore.parse, "1" * n + "m")
    assert error.position == 1000
    assert "1000 characters" in str(error)
    assert len(str(error)) < 300


def test_longest_text_that_is_read():
    assert mjcore.parse(" " * 998 + "1m") == 1
    assert error_of(mjcore.parse, " " * 999 + "1m").position == 1000
    assert error_of(mjcore.parse, "1" * 999 + "m").position == 4
    assert len(str(error_of(mjcore.parse, "1" * 999 + "m"))) < 300


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u3000"])
def test_blank_text_is_no_tiles(text):
    assert mjcore.parse(text) == 0


@pytest.mark.parametrize("value", [None, 1, 1.5, b"123m", ["1m"], object(), True])
def test_text_that_is_no_str(value):
    with pytest.raises(mjcore.InvalidHandError, match="expected text"):
        mjcore.parse(value)


@pytest.mark.parametrize("dialect", ["", "CN", "riichi", None, 1, [], {}])
def test_unknown_dialect(dialect):
    for call in (
        lambda: mjcore.parse("1m", dialect=dialect),
        lambda: mjcore.kind_of("1m", dialect=dialect),
        lambda: mjcore.tile("1m", dialect=dialect),
        lambda: mjcore.Hand("1m", dialect=dialect),
        lambda: mjcore.Meld("111m", dialect=dialect),
        lambda: mjcore.tile_name(27, "mpsz", dialect=dialect),
        lambda: mjcore.format(1 << 108, "mpsz", dialect=dialect),
    ):
        with pytest.raises(ValueError, match="dialect"):
            call()


@pytest.mark.parametrize("notation", ["", "mps", None, 3, ["letters"]])
def test_unknown_notation(notation):
    for call in (
        lambda: mjcore.format(0, notation),
        lambda: mjcore.tile_name(0, notation),
        lambda: mjcore.Hand("1m").text(notation),
        lambda: mjcore.KindSet("1m").text(notation),
    ):
        with pytest.raises(ValueError, match="expected a notation"):
            call()


@pytest.mark.parametrize(("name", "position"), [("", 0), ("12m", 1), ("1m 2m", 3), ("EE", 1), ("[111m]", 0)])
def test_kind_of_wants_one_tile(name, position):
    for function in (mjcore.kind_of, mjcore.tile):
        error = error_of(function, name)
        assert error.position == position
        assert "one tile" in str(error)


@pytest.mark.parametrize("kind", [-1, 34, 10**50, -(10**50), True, False, None, 1.0, b"1m", [], (1,)])
def test_kinds_out_of_range(kind):
    for function in (mjcore.kind_of, mjcore.tile, mjcore.tile_name):
        with pytest.raises(mjcore.InvalidHandError, match="0 to 33"):
            function(kind)


@pytest.mark.parametrize("kind", [10**5000, -(10**5000)], ids=["huge", "minus huge"])
def test_kind_too_long_to_print_is_no_kind(kind):
    for function in (mjcore.kind_of, mjcore.tile, mjcore.tile_name):
        with pytest.raises(mjcore.InvalidHandError, match="0 to 33"):
            function(kind)


@pytest.mark.parametrize("vec", [-1, 1 << 136, 5, 15 << 132, 8 << 20, True, None, "1m", 1.0])
def test_format_and_unpack_refuse_what_is_no_packed_hand(vec):
    for function in (mjcore.format, mjcore.unpack):
        with pytest.raises(mjcore.InvalidHandError):
            function(vec)


@pytest.mark.parametrize(
    ("vec", "words"),
    [(-1, "negative"), (1 << 136, "137 bits"), (5, "5 of 1m"), (15 << 132, "15 of N"), (7 << 36, "7 of 1s")],
)
def test_packed_errors_name_the_tile_and_the_number(vec, words):
    for function in (mjcore.unpack, mjcore.format, mjcore.is_hu, mjcore.ting, mjcore.decompose, mjcore.Hand):
        with pytest.raises(mjcore.InvalidHandError, match=words):
            function(vec)


def test_pack_and_unpack_are_inverse():
    rng = random.Random(22)
    for _ in range(2000):
        counts = [rng.choice((0, 0, 1, 2, 3, 4)) for _ in range(34)]
        vec = mjcore.pack(counts)
        assert vec == sum(count << 4 * kind for kind, count in enumerate(counts))
        assert mjcore.unpack(vec) == counts
        assert mjcore.pack(tuple(counts)) == mjcore.pack(bytes(counts)) == vec


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([], "34 counts, got 0"),
        ([0] * 33, "34 counts, got 33"),
        ([0] * 35, "34 counts, got 35"),
        ([0] * 33 + [5], "5 of N"),
        ([-1] + [0] * 33, "copies of 1m, got a negative"),
        ([0] * 9 + [True] + [0] * 24, "count of 1s, got bool True"),
        ([0] * 9 + [1.0] + [0] * 24, "count of 1s"),
        ([0] * 9 + ["1"] + [0] * 24, "count of 1s"),
        ([0] * 9 + [None] + [0] * 24, "count of 1s"),
        ([0] * 27 + [10**5000] + [0] * 6, "copies of a kind, got .* of C"),
        (dict.fromkeys(range(34), 0), "sequence of 34"),
        (set(range(34)), "sequence of 34"),
        (iter([0] * 34), "sequence of 34"),
        (0, "sequence of 34"),
        (None, "sequence of 34"),
    ],
)
def test_pack_says_what_is_wrong(counts, words):
    with pytest.raises(mjcore.InvalidHandError, match=words):
        mjcore.pack(counts)


def test_notation_error_survives_pickling():
    error = error_of(mjcore.parse, "12q")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(error, protocol))
        assert (str(back), back.text, back.position) == (str(error), error.text, error.position)


def test_error_classes():
    assert issubclass(mjcore.InvalidNotationError, mjcore.InvalidHandError)
    assert issubclass(mjcore.InvalidHandError, (mjcore.MjcoreError, ValueError))
    assert issubclass(mjcore.InvalidHandError, ValueError)
    assert issubclass(mjcore.InvalidHandError, mjcore.MjcoreError)
