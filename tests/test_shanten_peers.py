"""
Other people's engines must agree on shanten and useful tiles.

xiangting
    Its replacement number is shanten + 1 and its necessary tiles are the useful ones, but for a complete
    hand, where it names the tiles of the replacements that keep it complete; those are not compared.
mahjong
    Shanten of the three default forms for every size that is not 3n, four copies a kind at most: 15,000
    hands of each family, or MJCORE_PEER_HANDS.
PyMahjongGB
    Shanten of one form at a time for 13 tiles.  Its standard form waits for a fifth copy, so hands with a
    kind four times are left out; its seven pairs may hold a kind four times; it has the knitted forms.
"""

import functools
import os

import MahjongGB
import numpy as np
import pytest
import xiangting
from families import FAMILIES, assert_rows, family, shown, vecs, waiting_family
from mahjong.shanten import Shanten
from test_peers import FOREIGN_ORDER, GB_NAMES, foreign, gb_tiles

import mjcore
from mjcore import HandRules, batch

pytestmark = pytest.mark.slow

SEED = 20261129
FULL = tuple(name for name in FAMILIES if name != "short")
N_XIANGTING = 500_000  # of each family, and of each of 13 and 14 tiles
N_SHORT = 150_000
N_MAHJONG = int(os.environ.get("MJCORE_PEER_HANDS", "15000"))
N_GB = {"standard": 3_000, "seven_pairs": 8_000, "thirteen_orphans": 4_000, "honors_and_knitted": 4_000}
FOUR = xiangting.PlayerCount.FOUR


def own_order(necessary):
    """Masks over the foreign order as masks of kinds."""
    masks = np.array(necessary, np.uint64)
    out = np.zeros_like(masks)
    for place, kind in enumerate(FOREIGN_ORDER.tolist()):
        out |= (masks >> np.uint64(place) & np.uint64(1)) << np.uint64(kind)
    return out


def check_xiangting(hands):
    rows = np.ascontiguousarray(foreign(hands)).tobytes()
    ask = xiangting.calculate_necessary_tiles
    theirs = [ask(rows[at : at + 34], FOUR) for at in range(0, len(rows), 34)]
    numbers = np.array([number for number, _ in theirs])
    necessary = own_order([mask for _, mask in theirs])
    got = batch.useful(hands)
    assert_rows(hands, batch.shanten(hands), numbers - 1, "xiangting")
    assert_rows(hands, got.shanten, numbers - 1, "xiangting")
    assert_rows(hands, got.kinds, np.where(numbers == 0, np.uint64(0), necessary), "xiangting")


def fitting(hands):
    return hands[hands.sum(axis=1) % 3 != 0]


@pytest.mark.parametrize("name", FULL)
def test_xiangting_13_tiles(name):
    check_xiangting(waiting_family(name, SEED, N_XIANGTING))


@pytest.mark.parametrize("name", FULL)
def test_xiangting_14_tiles(name):
    check_xiangting(family(name, SEED + 1, N_XIANGTING))


def test_xiangting_short_hands():
    check_xiangting(fitting(family("short", SEED + 2, N_SHORT)))
    check_xiangting(waiting_family("short", SEED + 2, N_SHORT))


@functools.cache
def mahjong_hands(name):
    return np.concatenate([fitting(family(name, SEED + 3, N_MAHJONG)), waiting_family(name, SEED + 3, N_MAHJONG // 2)])


@pytest.mark.parametrize("name", FAMILIES)
def test_mahjong_shanten(name):
    hands = mahjong_hands(name)
    theirs = [Shanten.calculate_shanten(counts) for counts in foreign(hands).tolist()]
    assert_rows(hands, batch.shanten(hands), theirs, "mahjong")
    for vec, number in zip(vecs(hands[::7]), theirs[::7], strict=True):
        assert mjcore.shanten(vec) == number, mjcore.format(vec)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize(
    ("form", "call"),
    [
        ("standard", Shanten.calculate_shanten_for_regular_hand),
        ("seven_pairs", Shanten.calculate_shanten_for_chiitoitsu_hand),
        ("thirteen_orphans", Shanten.calculate_shanten_for_kokushi_hand),
    ],
)
def test_mahjong_shanten_of_one_form(name, form, call):
    hands = mahjong_hands(name)[::5]
    if form != "standard":
        hands = hands[hands.sum(axis=1) >= 13]
    for vec, counts in zip(vecs(hands), foreign(hands).tolist(), strict=True):
        assert mjcore.shanten(vec, form=form) == call(counts), mjcore.format(vec)


def test_mahjong_is_asked_a_hundred_thousand_times():
    assert sum(len(mahjong_hands(name)) for name in FAMILIES) >= 100_000


@pytest.mark.parametrize("name", FULL)
@pytest.mark.parametrize(
    ("form", "call"),
    [
        ("standard", MahjongGB.RegularShanten),
        ("seven_pairs", MahjongGB.SevenPairsShanten),
        ("thirteen_orphans", MahjongGB.ThirteenOrphansShanten),
        ("honors_and_knitted", MahjongGB.HonorsAndKnittedTilesShanten),
    ],
)
def test_gb_shanten_of_one_form(name, form, call):
    hands = waiting_family(name, SEED + 4, N_GB[form])
    if form == "standard":
        hands = hands[hands.max(axis=1) < 4]
    rules = HandRules(forms=(form,), seven_pairs_quads=True)
    got = batch.useful(hands, rules=rules)
    for hand, counts, number, kinds in zip(
        hands, foreign(hands).tolist(), got.shanten.tolist(), got.kinds.tolist(), strict=True
    ):
        theirs, useful = call(gb_tiles(counts))
        assert number == theirs, shown(hand)
        own = {int(np.flatnonzero(kind == FOREIGN_ORDER)[0]) for kind in mjcore.KindSet.from_mask(kinds)}
        full = {place for place, n in enumerate(counts) if n == 4}
        assert own == {GB_NAMES.index(each) for each in useful} - full, shown(hand)
