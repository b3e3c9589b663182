"""The tables of suit profiles, every one-suit and every honor holding, against a reference of its own."""

import importlib.util
import itertools
from pathlib import Path

import numpy as np
import pytest
import reference
from families import assert_rows

import mjcore
from mjcore import HandRules, batch

pytestmark = pytest.mark.slow

CAPPED, FREE = True, False
READINGS = pytest.mark.parametrize("capped", [CAPPED, FREE], ids=["capped", "free"])
STANDARD = HandRules(forms=("standard",))
REFERENCE_STANDARD = reference.Rules(forms=("standard",))


def load():
    """The module that makes the tables, which the package does not import."""
    path = Path(mjcore.__path__[0]) / "profile_tables.py"
    spec = importlib.util.spec_from_file_location("profile_tables_alone", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def maker():
    return load()


@pytest.fixture(scope="module")
def tables(maker):
    return {capped: maker.Tables(capped) for capped in (CAPPED, FREE)}


def holdings(n_places):
    """All counts of 0 .. 4 with at most 14 tiles."""
    rows = np.indices((5,) * n_places, np.uint8).reshape(n_places, -1).T
    return rows[rows.sum(axis=1) <= 14]


SUIT = holdings(9)
HONORS = holdings(7)


def as_hands(rows, lane):
    hands = np.zeros((len(rows), 34), np.uint8)
    hands[:, reference.LANES[lane]] = rows
    return hands


def of_size(rows, size):
    return rows[rows.sum(axis=1) == size]


def reference_profiles(rows, capped):
    room = np.full_like(rows, 4 if capped else reference.FREE_ROOM)
    return reference.lane_distances(rows, room, [True] * rows.shape[1], rows.shape[1] == 9).reshape(-1, 10)


def walk(maker, tables, rows):
    """Profiles of some holdings by the arrays that the kernels read."""
    names = ("suit1", "suit2", "suit3") if rows.shape[1] == 9 else ("honors1", "honors2", "honors3")
    flat = {name: np.array(values, np.uint64) for name, values in maker.flat_tables(tables).items()}
    padded = np.zeros((len(rows), 9), np.int64)
    padded[:, : rows.shape[1]] = rows
    numbers = padded.reshape(-1, 3, 3) @ np.array([1, 5, 25])
    state = np.zeros(len(rows), np.int64)
    for step, name in enumerate(names):
        state = flat[name][state * maker.CHUNK_STRIDE + numbers[:, step]].astype(np.int64)
    return flat["profiles"].reshape(-1, 10)[state].astype(np.int64)


def text(row):
    return "".join(str(place + 1) * int(n) for place, n in enumerate(row))


def test_how_many_holdings_there_are():
    assert (len(SUIT), len(HONORS)) == (405_350, 43_130)


@pytest.mark.parametrize(("capped", "sizes"), [(CAPPED, (126, 130, 180)), (FREE, (110, 114, 164))])
def test_how_many_profiles_there_are(tables, capped, sizes):
    made = tables[capped]
    assert (made.n_suit, made.n_single, len(made.profiles)) == sizes
    assert len(set(made.profiles)) == len(made.profiles)


@READINGS
@pytest.mark.parametrize("honors", [False, True])
def test_the_reference_by_writing_all_collections_down(capped, honors):
    every = HONORS if honors else SUIT
    rows = every[np.random.default_rng(21).choice(len(every), 120, replace=False)]
    want = [reference.collection_distances(row, honors, capped) for row in rows.tolist()]
    got = reference_profiles(rows, capped)
    for row, ours, theirs in zip(rows, got.tolist(), want, strict=True):
        assert ours == theirs, text(row)


@READINGS
@pytest.mark.parametrize("rows", [SUIT, HONORS], ids=["suit", "honors"])
def test_profile_of_every_holding(maker, tables, capped, rows):
    got = walk(maker, tables[capped], rows)
    want = reference_profiles(rows, capped)
    possible = want < reference.FAR
    assert (got[~possible] == maker.NEVER).all()
    wrong = np.flatnonzero(((got != want) & possible).any(axis=1))
    assert len(wrong) == 0, [(text(rows[i]), got[i].tolist(), want[i].tolist()) for i in wrong[:5]]


@READINGS
@pytest.mark.parametrize("honors", [False, True])
def test_walk_of_an_automaton_is_the_walk_of_its_arrays(maker, tables, capped, honors):
    every = HONORS if honors else SUIT
    rows = every[np.random.default_rng(22).choice(len(every), 500, replace=False)]
    made = tables[capped]
    automaton = made.honors if honors else made.suit
    want = [list(made.profiles[automaton.walk(row)]) for row in rows.tolist()]
    assert walk(maker, made, rows).tolist() == want


@pytest.mark.parametrize("honors", [False, True], ids=["suit", "honors"])
def test_the_suits_that_split(maker, tables, honors):
    """Every holding: the smaller tables say it splits where its profile asks no tile for all of its own."""
    rows, name = (HONORS, "honors") if honors else (SUIT, "suit")
    wins = {key: np.array(entries) for key, entries in maker.win_tables().items()}
    digits = np.zeros((len(rows), 9), np.int64)
    digits[:, : rows.shape[1]] = rows
    first, second, third = (digits.reshape(-1, 3, 3) @ [1, 5, 25]).T
    got = wins[f"{name}3"][wins[f"{name}2"][wins[f"{name}1"][first] + second] + third]
    profiles = walk(maker, tables[CAPPED], rows).reshape(-1, 2, 5)
    n_melds, over = np.divmod(rows.sum(axis=1), 3)
    short = profiles[np.arange(len(rows)), (over == 2) * 1, n_melds]
    want = np.where((over == 1) | (short > 0), maker.NO_SPLIT, np.where(over == 2, maker.WITH_EYES, maker.MELDS_ONLY))
    assert np.array_equal(got, want)
    assert set(got.tolist()) == {maker.NO_SPLIT, maker.WITH_EYES, maker.MELDS_ONLY}


@READINGS
def test_sum_of_any_two_profiles(maker, tables, capped):
    profiles = np.array(tables[capped].profiles)
    sums = np.array(tables[capped].sums)
    want = np.full((len(profiles), len(profiles), 10), maker.NEVER)
    for melds in range(5):
        for part in range(melds + 1):
            for left, right in ((0, 0), (5, 0), (0, 5)):
                both = profiles[:, None, left + part] + profiles[None, :, right + melds - part]
                place = left + right + melds
                want[:, :, place] = np.minimum(want[:, :, place], both)
    assert np.array_equal(profiles[sums], want)
    assert np.array_equal(sums, sums.T)


def square(maker, tables, name, planes=1):
    """The entries of a square table without the room between its rows."""
    rows = np.array(maker.flat_tables(tables)[name]).reshape(planes, -1, maker.ROW)
    n = len(tables.profiles)
    assert not rows[:, n:].any()
    assert not rows[:, :, n:].any()
    return rows[:, :n, :n]


@READINGS
def test_distances_are_those_of_the_sums(maker, tables, capped):
    made = tables[capped]
    sums = square(maker, made, "sums")[0]
    assert np.array_equal(sums, np.array(made.sums))
    profiles = np.array(made.profiles)[sums]
    distances = square(maker, made, "distances", 5) >> 1
    for melds in range(5):
        assert np.array_equal(distances[melds], profiles[:, :, 5 + melds])


@READINGS
def test_a_suit_that_wants_a_tile(maker, tables, capped):
    """The lowest bit of a distance says whether one tile more in the second suit brings the whole nearer."""
    made = tables[capped]
    wants = square(maker, made, "distances", 5) & 1
    number = {profile: i for i, profile in enumerate(made.profiles)}
    distances = square(maker, made, "distances", 5) >> 1
    rows = SUIT[np.random.default_rng(23).choice(len(SUIT), 4000, replace=False)]
    rows = rows[rows.sum(axis=1) <= 13]
    before = np.array([number[tuple(profile)] for profile in walk(maker, made, rows).tolist()])
    nearer = np.zeros((len(rows), 5, len(made.profiles)), bool)
    for place in range(9):
        drawn = rows.copy()
        drawn[:, place] = np.minimum(drawn[:, place] + 1, 4)
        after = np.array([number[tuple(profile)] for profile in walk(maker, made, drawn).tolist()])
        more = distances[:, :, after] < distances[:, :, before]
        nearer |= np.where(rows[:, place] < 4, more, False).transpose(2, 0, 1)
    want = wants[:, :, before].transpose(2, 0, 1).astype(bool)
    if capped:
        assert np.array_equal(nearer, want)
    else:
        assert (nearer <= want).all()  # there a fifth copy may be the one wanted


@READINGS
def test_packed_profiles(maker, tables, capped):
    made = tables[capped]
    flat = maker.flat_tables(made)
    assert max(flat["own"] + flat["rest"]) < 1 << 45
    fields = [maker.FIELD_BITS * place for place in range(5)]
    own = np.array([[word >> field & 0x1FF for field in fields] for word in flat["own"]]).reshape(-1, 10)
    assert np.array_equal(own, np.array(made.profiles))
    rest = np.array([[word >> field & 0x1FF for field in fields] for word in flat["rest"]])
    rest = rest.reshape(5, maker.N_PROFILES_MAX, 10)[:, : len(own)]
    distances = square(maker, made, "distances", 5) >> 1
    for melds in range(5):
        both = (rest[melds][:, None] + own[None]).min(axis=2)
        possible = distances[melds] < maker.NEVER
        assert np.array_equal(both[possible], distances[melds][possible])


@READINGS
def test_a_fifth_copy_stays_within_the_arrays(maker, tables, capped):
    flat = maker.flat_tables(tables[capped])
    for name in ("suit1", "suit2", "suit3", "honors1", "honors2", "honors3"):
        rows = len(flat[name]) // maker.CHUNK_STRIDE
        assert len(flat[name]) > (rows - 1) * maker.CHUNK_STRIDE + 124 + 25
    for before, after in (("suit1", "suit2"), ("suit2", "suit3"), ("honors1", "honors2"), ("honors2", "honors3")):
        assert (max(flat[before]) + 1) * maker.CHUNK_STRIDE + 32 == len(flat[after])
    limits = {"uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64}
    for name, values in flat.items():
        assert min(values) >= 0
        assert max(values) < 1 << limits[maker.TYPES.get(name, "uint8_t")]


def test_what_a_chunk_of_three_counts_says(maker):
    for counts in itertools.product(range(16), repeat=3):
        entry = maker.chunk_entry(sum(n << 4 * place for place, n in enumerate(counts)))
        if max(counts) > 4:
            assert entry == 1 << 20, counts
            continue
        assert entry & 0xFF == sum(counts)
        assert entry >> 8 & 0x3F == sum(n > 0 for n in counts)
        assert entry >> 14 & 0x3F == sum(n > 1 for n in counts)
        assert entry >> 20 & 0x1F == 0
        assert entry >> 25 == counts[0] + 5 * counts[1] + 25 * counts[2]


def test_header_holds_the_arrays(maker, tables, tmp_path, monkeypatch):
    monkeypatch.setattr(maker, "Tables", tables.__getitem__)
    path = tmp_path / "include" / "tables.h"
    maker.write_header(str(path))
    text = path.read_text(encoding="ascii")
    assert "static const mjcore_tables_t mjcore_tables[2] = " in text
    assert "uint8_t sums[34560];" in text
    assert text.count(".n_profiles = 180,") == text.count(".n_profiles = 164,") == 1
    before = path.stat().st_mtime_ns
    maker.write_header(str(path))
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize("lane", range(4))
@pytest.mark.parametrize("size", [13, 14])
def test_shanten_of_every_one_suit_hand(lane, size):
    hands = as_hands(of_size(SUIT if lane < 3 else HONORS, size), lane)
    want = reference.shanten(hands)
    got = batch.shanten(hands)
    assert np.bincount(got + 1).tolist() == np.bincount(want + 1).tolist()
    assert_rows(hands, got, want)
    if lane == 0 and size == 14:
        assert (got == -1).sum() == batch.is_hu(hands).sum() == 13_259 + only_pairs(hands)


def only_pairs(hands):
    """Seven pairs of one suit that are no standard hand as well."""
    pairs = (hands[:, :9] % 2 == 0).all(axis=1) & (hands.max(axis=1) == 2)
    return int((pairs & (reference.shanten(hands, rules=REFERENCE_STANDARD) != -1)).sum())


@pytest.mark.parametrize("size", [1, 2, 4, 5, 7, 8, 10, 11])
def test_shanten_of_every_short_one_suit_hand(size):
    for lane in range(4):
        hands = as_hands(of_size(SUIT if lane < 3 else HONORS, size), lane)
        assert_rows(hands, batch.shanten(hands), reference.shanten(hands))


@pytest.mark.parametrize("fifth", [True, False])
@pytest.mark.parametrize("n_jokers", [1, 2, 3, 4])
def test_shanten_of_every_one_suit_hand_with_jokers(n_jokers, fifth):
    rules = STANDARD.replace(joker_fifth_copy=fifth)
    for lane in (1, 3):
        hands = as_hands(of_size(SUIT if lane < 3 else HONORS, 13 - n_jokers), lane)
        want = reference.shanten(hands, n_jokers, rules=REFERENCE_STANDARD._replace(joker_fifth_copy=fifth))
        assert_rows(hands, batch.shanten(hands, jokers=n_jokers, rules=rules), want)


@pytest.mark.parametrize("lane", range(4))
@pytest.mark.parametrize("size", [13, 14])
def test_useful_tiles_of_one_suit_hands(lane, size):
    hands = as_hands(of_size(SUIT if lane < 3 else HONORS, size)[lane::29], lane)
    distance, kinds = reference.useful(hands)
    got = batch.useful(hands)
    assert_rows(hands, got.shanten, distance)
    assert_rows(hands, got.kinds, (kinds.astype(np.uint64) << np.arange(34, dtype=np.uint64)).sum(axis=1))
