"""Code lists of other programs: the tables, round trips, errors with their place."""

import random

import pytest

import mjcore
from mjcore.codes import CODE_SYSTEMS

# What each code means, written out by hand: the code of 1m, 1s, 1p, then of C F P E S W N.
FIRSTS = {
    "deck": (11, 31, 21, (45, 47, 46, 41, 43, 42, 44)),
    "tens": (11, 21, 31, (44, 45, 46, 40, 41, 42, 43)),
    "spaced": (11, 1, 21, (71, 81, 91, 31, 41, 51, 61)),
    "tenhou34": (0, 18, 9, (33, 32, 31, 27, 28, 29, 30)),
}


def codes_of_kinds(system):
    m, s, p, honors = FIRSTS[system]
    return [first + index for first in (m, s, p) for index in range(9)] + list(honors)


def random_counts(rng, n_tiles):
    counts = [0] * 34
    for kind in rng.sample([kind for kind in range(34) for _ in range(4)], n_tiles):
        counts[kind] += 1
    return counts


@pytest.mark.parametrize("system", FIRSTS)
def test_every_code_means_its_kind(system):
    for kind, code in enumerate(codes_of_kinds(system)):
        assert mjcore.from_codes([code], system) == mjcore.tile(kind)
        assert mjcore.to_codes(mjcore.tile(kind), system) == [code]


@pytest.mark.parametrize("system", FIRSTS)
def test_every_other_code_is_an_error(system):
    known = set(codes_of_kinds(system))
    for code in [*range(-5, 150), 10**30, -(10**30)]:
        if code not in known:
            with pytest.raises(mjcore.InvalidHandError, match="at place 2") as caught:
                mjcore.from_codes([min(known), max(known), code], system)
            assert str(code) in str(caught.value)
            assert system in str(caught.value)


def test_tenhou136_has_four_ids_a_kind():
    order = codes_of_kinds("tenhou34")
    for kind in range(34):
        for copy in range(4):
            assert mjcore.from_codes([4 * order[kind] + copy], "tenhou136") == mjcore.tile(kind)
    for code in (-1, 136, 10**30):
        with pytest.raises(mjcore.InvalidHandError, match="at place 0"):
            mjcore.from_codes([code], "tenhou136")


def test_tenhou136_ids_are_physical_tiles():
    with pytest.raises(mjcore.InvalidHandError, match="each physical tile once, got 17 again at place 2"):
        mjcore.from_codes([17, 18, 17], "tenhou136")
    assert mjcore.to_codes(mjcore.parse("555m"), "tenhou136") == [17, 18, 19]
    assert sorted(mjcore.to_codes(mjcore.parse("5555m5555s5555p"), "tenhou136")) == [
        *range(16, 20), *range(52, 56), *range(88, 92)
    ]  # fmt: skip
    assert mjcore.to_codes(mjcore.parse("1m"), "tenhou136") == [0]


def test_mjai_names():
    assert mjcore.from_codes(["1m", "5mr", "5sr", "5pr", "E", "P", "F", "C"], "mjai") == mjcore.parse("15m5s5pEPFC")
    assert mjcore.to_codes(mjcore.parse("5mEC"), "mjai") == ["5m", "C", "E"]
    for kind in range(34):
        name = mjcore.tile_name(kind)
        assert mjcore.from_codes([name], "mjai") == mjcore.tile(kind)
        assert mjcore.to_codes(mjcore.tile(kind), "mjai") == [name]
    with pytest.raises(mjcore.InvalidHandError, match="'5mr' again at place 1"):
        mjcore.from_codes(["5mr", "5mr"], "mjai")


@pytest.mark.parametrize("code", ["0m", "5M", "1z", "e", "?", "", "5mrr", "1mr", "Er", " 1m", "1", "🀇", "一万", 0, 5])
def test_other_mjai_names_are_errors(code):
    with pytest.raises(mjcore.InvalidHandError, match=r"'mjai', got .* at place 1"):
        mjcore.from_codes(["1m", code], "mjai")


@pytest.mark.parametrize("system", CODE_SYSTEMS)
def test_random_hands_round_trip_in_any_order(system):
    rng = random.Random(30)
    for _ in range(200):
        vec = mjcore.pack(random_counts(rng, rng.randint(0, 50)))
        codes = mjcore.to_codes(vec, system)
        rng.shuffle(codes)
        assert mjcore.from_codes(codes, system) == vec, mjcore.format(vec)
        assert mjcore.from_codes(iter(codes), system) == vec


@pytest.mark.parametrize("system", CODE_SYSTEMS)
def test_codes_come_in_kind_order(system):
    vec = mjcore.parse("99m1s5p CFPEESWN")
    kinds = [mjcore.unpack(mjcore.from_codes([code], system)).index(1) for code in mjcore.to_codes(vec, system)]
    assert kinds == sorted(kinds)
    assert len(kinds) == 12


@pytest.mark.parametrize("system", [system for system in CODE_SYSTEMS if system != "tenhou136"])
def test_fifth_copy_is_an_error_with_its_place(system):
    code = mjcore.to_codes(mjcore.tile("E"), system)[0]
    other = mjcore.to_codes(mjcore.tile("1m"), system)[0]
    with pytest.raises(mjcore.InvalidHandError, match="fifth E at place 5"):
        mjcore.from_codes([code, code, other, code, code, code], system)


def test_endless_codes_end_at_the_fifth_copy():
    def endless():
        while True:
            yield 11

    with pytest.raises(mjcore.InvalidHandError, match="fifth 1m at place 4"):
        mjcore.from_codes(endless(), "deck")


@pytest.mark.parametrize("code", [None, True, 11.0, "11", b"11", [], (11,), float("nan"), object()])
@pytest.mark.parametrize("system", FIRSTS)
def test_codes_of_wrong_type(system, code):
    with pytest.raises(mjcore.InvalidHandError, match="at place 0"):
        mjcore.from_codes([code], system)


def test_code_too_long_to_print():
    with pytest.raises(mjcore.InvalidHandError, match="at place 0"):
        mjcore.from_codes([10**5000], "deck")
    with pytest.raises(mjcore.InvalidHandError, match="reserved slot 0"):
        mjcore.from_tens_counts([10**5000] + [0] * 46)


@pytest.mark.parametrize("system", ["", "Deck", "tenhou", None, 1, [], {}])
def test_unknown_system(system):
    with pytest.raises(ValueError, match="code system"):
        mjcore.from_codes([], system)
    with pytest.raises(ValueError, match="code system"):
        mjcore.to_codes(0, system)


def test_to_codes_refuses_what_is_no_packed_hand():
    for system in CODE_SYSTEMS:
        for vec in (-1, 5, 1 << 136, None, "1m"):
            with pytest.raises(mjcore.InvalidHandError):
                mjcore.to_codes(vec, system)
            with pytest.raises(mjcore.InvalidHandError):
                mjcore.to_tens_counts(vec)


def tens_slot(kind):
    return kind % 9 + 1 + 10 * (kind // 9) if kind < 27 else codes_of_kinds("tens")[kind]


def test_tens_slots():
    for kind in range(34):
        slots = [0] * 47
        slots[tens_slot(kind)] = 2
        assert mjcore.from_tens_counts(slots) == 2 << 4 * kind
        assert mjcore.to_tens_counts(2 << 4 * kind) == slots


def test_tens_counts_round_trip():
    rng = random.Random(31)
    for _ in range(300):
        vec = mjcore.pack(random_counts(rng, rng.randint(0, 136)))
        slots = mjcore.to_tens_counts(vec)
        assert len(slots) == 47
        assert mjcore.from_tens_counts(slots) == mjcore.from_tens_counts(tuple(slots)) == vec, mjcore.format(vec)


def test_reserved_slots_must_be_zero():
    used = {tens_slot(kind) for kind in range(34)}
    reserved = sorted(set(range(47)) - used)
    assert len(reserved) == 13
    for slot in reserved:
        for count in (1, -1, True, 0.0, None, "0"):
            slots = [0] * 47
            slots[slot] = count
            with pytest.raises(mjcore.InvalidHandError, match=f"reserved slot {slot}"):
                mjcore.from_tens_counts(slots)


@pytest.mark.parametrize("count", [5, -1, True, 1.0, None, "1", 10**30])
def test_wrong_tens_counts_name_the_tile(count):
    slots = [0] * 47
    slots[40] = count
    with pytest.raises(mjcore.InvalidHandError, match="E"):
        mjcore.from_tens_counts(slots)


@pytest.mark.parametrize("slots", [[], [0] * 46, [0] * 48, "0" * 47, None, 47, iter([0] * 47)])
def test_tens_counts_of_wrong_length_or_type(slots):
    with pytest.raises(mjcore.InvalidHandError, match="47 counts"):
        mjcore.from_tens_counts(slots)
