"""
Other people's engines must agree wherever they answer the same question.

Where the definitions differ, the question is asked so that they do not:

mahjong
    Win check of the three default forms.  It would take a fifth copy; no hand here has one.
xiangting
    Its replacement number is shanten + 1: 0 complete, 1 ready.  Waits are the necessary tiles of a
    ready hand; it knows that a kind held four times is no wait.
riichienv
    Win check and waits of the three default forms, from ids of the 136 tiles.
PyMahjongGB
    Waits of one form at a time, for 13 tiles that are ready (shanten 0).  Its seven pairs may hold a
    kind four times, and it gives waits by shape.
"""

import families
import MahjongGB
import numpy as np
import pytest
import riichienv._riichienv as riichienv
import xiangting
from families import FAMILIES, family, vecs, waiting_family
from mahjong.agari import Agari

import mjcore
from mjcore import HandRules

pytestmark = pytest.mark.slow

SEED = 20260109
N_MAHJONG = 50_000
N_XIANGTING = 50_000
N_RIICHIENV = 30_000
N_GB = {"standard": 4_000, "seven_pairs": 20_000, "thirteen_orphans": 4_000}
FULL = tuple(name for name in FAMILIES if name != "short")
FOUR = xiangting.PlayerCount.FOUR

# m p s E S W N white green red, as kinds of mjcore
FOREIGN_ORDER = np.array([*range(9), *range(18, 27), *range(9, 18), 30, 31, 32, 33, 29, 28, 27])
GB_NAMES = [f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]


def foreign(hands):
    """Counts in the order of the other engines."""
    return hands[:, FOREIGN_ORDER]


def kinds_of(places):
    """Mask of kinds from places in the foreign order."""
    return sum(1 << int(FOREIGN_ORDER[place]) for place in set(places))


def tile_ids(counts):
    """Ids of the 136 tiles of one hand in the foreign order."""
    return [4 * place + copy for place, n in enumerate(counts) for copy in range(n)]


def gb_tiles(counts):
    return tuple(GB_NAMES[place] for place, n in enumerate(counts) for _ in range(n))


def assert_same(hands, got, expected, peer):
    wrong = [i for i, pair in enumerate(zip(got, expected, strict=True)) if pair[0] != pair[1]]
    if wrong:
        shown = [f"{mjcore.format(vecs(hands[i : i + 1])[0])}: {got[i]}, {peer} {expected[i]}" for i in wrong[:5]]
        raise AssertionError(f"{len(wrong)} of {len(hands)} differ:\n" + "\n".join(shown))


def names(mask):
    return str(mjcore.KindSet.from_mask(mask))


def assert_same_waits(hands, got, expected, peer):
    if got != expected:
        assert_same(hands, list(map(names, got)), list(map(names, expected)), peer)


def complete_sizes(hands):
    return hands[hands.sum(axis=1) % 3 == 2]


def test_the_foreign_order_has_each_kind_once():
    assert sorted(FOREIGN_ORDER.tolist()) == list(range(34))
    hand = np.array([mjcore.unpack(mjcore.parse("1m 2p 3s E PP CCC"))], np.uint8)
    assert gb_tiles(foreign(hand)[0].tolist()) == ("W1", "B2", "T3", "F1", "J3", "J3", "J1", "J1", "J1")
    assert kinds_of([0, 33]) == mjcore.KindSet("1m C").mask


@pytest.mark.parametrize("name", FAMILIES)
def test_mahjong_win_check(name):
    hands = complete_sizes(family(name, SEED, N_MAHJONG))
    got = [mjcore.is_hu(vec) for vec in vecs(hands)]
    assert 0.03 < sum(got) / len(got) < 0.97
    assert_same(hands, got, [bool(Agari.is_agari(counts)) for counts in foreign(hands).tolist()], "mahjong")


@pytest.mark.parametrize("name", FAMILIES)
def test_xiangting_win_check(name):
    hands = complete_sizes(family(name, SEED + 1, N_XIANGTING))
    theirs = [xiangting.calculate_replacement_number(counts, FOUR) == 0 for counts in foreign(hands).tolist()]
    assert_same(hands, [mjcore.is_hu(vec) for vec in vecs(hands)], theirs, "xiangting")


@pytest.mark.parametrize("name", FAMILIES)
def test_xiangting_waits(name):
    hands = waiting_family(name, SEED + 2, N_XIANGTING)
    theirs = []
    for counts in foreign(hands).tolist():
        number, necessary = xiangting.calculate_necessary_tiles(counts, FOUR)
        theirs.append(kinds_of([place for place in range(34) if necessary >> place & 1]) if number == 1 else 0)
    got = [mjcore.ting(vec).mask for vec in vecs(hands)]
    assert sum(map(bool, got)) > len(got) // 10
    assert_same_waits(hands, got, theirs, "xiangting")


@pytest.mark.parametrize("name", FULL)
def test_riichienv_win_check(name):
    hands = family(name, SEED + 3, N_RIICHIENV)
    conditions = riichienv.Conditions(tsumo=True, riichi=True)
    theirs = []
    for counts in foreign(hands).tolist():
        ids = tile_ids(counts)
        theirs.append(bool(riichienv.HandEvaluator(ids, []).calc(ids[-1], [], [], conditions).has_win_shape))
    assert_same(hands, [mjcore.is_hu(vec) for vec in vecs(hands)], theirs, "riichienv")


@pytest.mark.parametrize("name", FULL)
def test_riichienv_waits(name):
    hands = waiting_family(name, SEED + 4, N_RIICHIENV)
    theirs = [kinds_of(riichienv.HandEvaluator(tile_ids(counts), []).get_waits()) for counts in foreign(hands).tolist()]
    assert_same_waits(hands, [mjcore.ting(vec).mask for vec in vecs(hands)], theirs, "riichienv")


@pytest.mark.parametrize("name", FULL)
@pytest.mark.parametrize(
    ("form", "call"),
    [
        ("standard", MahjongGB.RegularShanten),
        ("seven_pairs", MahjongGB.SevenPairsShanten),
        ("thirteen_orphans", MahjongGB.ThirteenOrphansShanten),
    ],
)
def test_gb_waits(name, form, call):
    hands = waiting_family(name, SEED + 5, N_GB[form])
    if form == "thirteen_orphans":
        rng = np.random.default_rng(SEED)
        hands = np.concatenate([hands, families.drop_one(rng, families.thirteen_orphans_hands(rng, 2_000))])
    theirs = []
    for counts in foreign(hands).tolist():
        number, useful = call(gb_tiles(counts))
        theirs.append(kinds_of([GB_NAMES.index(each) for each in useful]) if number == 0 else 0)
    rules = HandRules(forms=(form,), seven_pairs_quads=True, wait_mode="shape")
    assert_same_waits(hands, [mjcore.ting(vec, rules=rules).mask for vec in vecs(hands)], theirs, "PyMahjongGB")
