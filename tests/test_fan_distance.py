"""
Distances to a fan.

Against a reference that writes every complete hand down (fan_reference.py); against each other, one exchange
after the other; against another engine's lists of fans; and as arrays.
"""

from collections import Counter
from itertools import permutations

import families
import fan_reference
import MahjongGB
import numpy as np
import pytest
from families import shown, vecs
from fan_reference import FANS, N_CHOWS, SET_TILES, distances, readings
from mcr_hands import context_of, described, hand_text, winning_hands

import mjcore
import mjcore.batch
from mjcore import Hand, InvalidHandError, Meld, fan_batch, fan_distance
from mjcore.fan_targets import EXACT_FANS, OTHER_FANS

SEED = 20261130
N_KINDS = 34
CHOW, PUNG, DIRECT_KONG, ADDED_KONG, CONCEALED_KONG = range(1, 6)
NAMES_A_SUIT = ("all_green", "reversible_tiles")

# Names in the other engine, which writes them in Chinese.
CHINESE_NAMES = """
    big_four_winds=大四喜 big_three_dragons=大三元 all_green=绿一色 seven_shifted_pairs=连七对
    thirteen_orphans=十三幺 all_terminals=清幺九 little_four_winds=小四喜 little_three_dragons=小三元
    all_honors=字一色 pure_terminal_chows=一色双龙会 quadruple_chow=一色四同顺 four_pure_shifted_pungs=一色四节高
    four_pure_shifted_chows=一色四步高 all_terminals_and_honors=混幺九 seven_pairs=七对
    greater_honors_and_knitted=七星不靠 all_even_pungs=全双刻 full_flush=清一色 pure_triple_chow=一色三同顺
    pure_shifted_pungs=一色三节高 upper_tiles=全大 middle_tiles=全中 lower_tiles=全小 pure_straight=清龙
    three_suited_terminal_chows=三色双龙会 pure_shifted_chows=一色三步高 all_fives=全带五 triple_pung=三同刻
    lesser_honors_and_knitted=全不靠 knitted_straight=组合龙 upper_four=大于五 lower_four=小于五
    big_three_winds=三风刻 mixed_straight=花龙 reversible_tiles=推不倒 mixed_triple_chow=三色三同顺
    mixed_shifted_pungs=三色三节高 all_pungs=碰碰和 half_flush=混一色 mixed_shifted_chows=三色三步高
    all_types=五门齐 two_dragon_pungs=双箭刻 outside_hand=全带幺 dragon_pung=箭刻 all_chows=平和
    double_pung=双同刻 all_simples=断幺 pure_double_chow=一般高 mixed_double_chow=喜相逢 short_straight=连六
    two_terminal_chows=老少副 one_voided_suit=缺一门 no_honors=无字 prevalent_wind=圈风刻 seat_wind=门风刻
"""
CHINESE = dict(pair.split("=") for pair in CHINESE_NAMES.split())

# Complete hands with fans that they hold; where two winds follow, they are round and seat.
HOLDING = [
    ("NSSSNNCC [EEE][WWW]", "big_four_winds all_honors"),
    ("PEEPP [WWW][SSS][NNN]", "little_four_winds all_honors dragon_pung"),
    ("EEEWWFFF [CCC][PPP]", "big_three_dragons all_honors prevalent_wind seat_wind"),
    ("33366688s [222s][444s]", "all_green full_flush pure_shifted_pungs all_pungs all_simples"),
    ("11112345678999m", "full_flush short_straight"),
    ("11123456789999m", "full_flush pure_straight"),
    ("CC [2222s][5555m][7777p][EEEE*]", "all_types prevalent_wind seat_wind all_pungs"),
    ("22334455667788p", "seven_shifted_pairs all_simples seven_pairs full_flush"),
    ("19m19s19pESWNNCFP", "thirteen_orphans"),
    ("99s111p [111m][111s][999m]", "all_terminals triple_pung double_pung outside_hand"),
    ("33444m222s222333p", "lower_four mixed_shifted_pungs double_pung all_simples"),
    ("11223355778899s", "pure_terminal_chows seven_pairs full_flush"),
    ("11223344m [123m][123m]", "quadruple_chow full_flush lower_four all_chows"),
    ("22s444p [111p][222p][333p]", "four_pure_shifted_pungs lower_four reversible_tiles"),
    ("11456m [123m][234m][345m]", "four_pure_shifted_chows full_flush all_chows"),
    ("999pCC [111m][999s][EEE]", "all_terminals_and_honors all_types prevalent_wind seat_wind double_pung"),
    ("33336688m225577s", "seven_pairs all_simples one_voided_suit"),
    ("EESSWWNNCCFFPP", "all_honors seven_pairs"),
    ("17m369s25pESWNCFP", "greater_honors_and_knitted lesser_honors_and_knitted"),
    ("147m258s369pSWNCF", "lesser_honors_and_knitted knitted_straight"),
    ("147m258s369pPP [EEE]", "knitted_straight all_types prevalent_wind", "E", "S"),
    ("12333369m147s258p", "knitted_straight all_chows no_honors"),
    ("23358m147s369pEEE", "knitted_straight prevalent_wind seat_wind"),
    ("112233456789mEE", "pure_straight half_flush pure_double_chow"),
    ("234567s234567p88m", "all_chows all_simples mixed_double_chow short_straight"),
    ("12378m88s9m [123p][789m]", "all_chows pure_double_chow mixed_double_chow two_terminal_chows"),
    ("22777m666p [9999p][8888s*]", "mixed_shifted_pungs all_pungs no_honors"),
    ("789m789mSS [1111s*][EEEE*]", "outside_hand pure_double_chow one_voided_suit", "S", "W"),
    ("445566m445566s55p", "middle_tiles all_fives all_chows pure_double_chow mixed_double_chow seven_pairs"),
    ("55s222333444p [678p]", "pure_shifted_pungs pure_triple_chow all_simples one_voided_suit"),
    ("NNNCCCFF [SSS][WWW]", "all_honors big_three_winds dragon_pung seat_wind", "E", "N"),
    ("789sNNFFF [123m][456p]", "mixed_straight all_types dragon_pung"),
    ("78999p [789m][789s][789p]", "upper_tiles mixed_triple_chow outside_hand all_chows pure_double_chow"),
    ("12378m88s9m [CCC][FFF]", "two_dragon_pungs two_terminal_chows one_voided_suit"),
    ("12378m55s9m [123p][789p]", "three_suited_terminal_chows all_chows"),
    ("22444m666s [666p][8888p+]", "all_even_pungs all_pungs all_simples double_pung"),
    ("678m678s99p [666m][789p]", "upper_four no_honors"),
    ("123m234s345p55pEEE", "mixed_shifted_chows"),
    ("CCCFFFPP123m [333s]", "little_three_dragons dragon_pung"),
    ("123m123s33p111p [222s]", "lower_tiles mixed_double_chow"),
    ("123m345m567m99s [111p]", "pure_shifted_chows"),
    ("123m234m345m99s [111p]", "pure_shifted_chows"),
]

# Worked out by hand: hand, fan, distance.
TABLE = [
    # 46 in 123456789
    ("123m456m79m3pEE [789s]", "pure_straight", 0),
    # two of the nine ranks are missing
    ("12m45m789m33p [789s]SS", "pure_straight", 1),
    # a declared chow is part of it, and its place is taken
    ("456m79mEE3p [123m][789s]", "pure_straight", 0),
    ("4479mEE3p [123m][789s]", "pure_straight", 2),
    ("79mEE [123m][789s][789s]", "pure_straight", None),
    # no fourth 5m is left for a chow, and no other hand is nearer
    ("46mEE [123m][789m][5555m]", "pure_straight", None),
    # thirteen kinds without a pair, and one of them twice
    ("19m19s19pESWNCFP", "thirteen_orphans", 0),
    ("19m19s19pESWNCFF", "thirteen_orphans", 0),
    ("19m19s1pESWN5mCFP", "thirteen_orphans", 1),
    # four of a kind are two pairs; three are a pair and a tile to pair
    ("1111m2222m3333m4m", "seven_pairs", 0),
    ("111m222m333m4444m", "seven_pairs", 1),
    # a seven pairs reading of a class of tiles
    ("22s33s44s66s88s22s3s", "all_green", 0),
    ("22s33s44s66s88sFF3s", "all_green", 0),
    # 6 is needed: 789 alone is not upper four
    ("789m789m789s789s99p", "upper_tiles", -1),
    ("789m789m789s789s99p", "upper_four", 0),
    ("678m789m789s789s99p", "upper_four", -1),
    # exactly three winds, and no wind for the pair
    ("EEESSSWWW123mNN", "big_three_winds", 1),
    ("EEESSSWWW123mNN", "little_four_winds", -1),
    ("EEESSSWWW123m99s", "big_three_winds", -1),
    ("99s [EEE][SSS][WWW][NNN]", "big_three_winds", None),
    ("99s [EEE][SSS][WWW][NNN]", "big_four_winds", -1),
    # a suit and an honor, both
    ("123m456m789m123m99m", "half_flush", 1),
    ("123m456m789m99mEEE", "half_flush", -1),
    ("123m456m789m99mEEE", "full_flush", 2),
    # declared melds stay as they are
    ("1m1s1p9mEW9s [123m][CCC]", "full_flush", None),
    ("123m456m7s [789m][999m]", "full_flush", 1),
    ("123m456m1m [789m][999m]", "full_flush", 0),
    # five families in five groups
    ("123m456s789pEE [CCC]", "all_types", -1),
    ("123m456s789pEE [NNN]", "all_types", 1),
    # three equal chows are no pungs here, three equal pungs are no chows there
    ("111222333m456p99s", "all_chows", -1),
    ("111222333m456p99s", "pure_triple_chow", -1),
    ("111222333m456p99s", "pure_shifted_pungs", -1),
    # all four 2m are declared, so the chow must be another
    ("13mEE11p7s [222m][123m]", "pure_double_chow", 3),
    ("13mEE1p [222m][789s][123m]", "pure_double_chow", 2),
    ("13mPP [2222m][CCC][FFF]", "pure_double_chow", None),
    # chows beside a knitted straight
    ("147m258s369p123m9s", "all_chows", 0),
    ("147m258s369pPP [EEE]", "no_honors", None),
]


def meld_of(number, kong=False):
    """A meld by its number in the reference."""
    if number < N_CHOWS:
        return Meld.chow(fan_reference.CHOW_LOWS[number])
    return Meld.kong(number - N_CHOWS) if kong else Meld.pung(number - N_CHOWS)


class Case:
    """Concealed tiles beside declared melds."""

    def __init__(self, held, melds=(), kongs=()):
        self.held = np.asarray(held, np.int64).copy()
        self.melds = tuple(int(number) for number in melds)
        self.kongs = tuple(kongs)
        self.melded = SET_TILES[list(self.melds)].sum(axis=0, dtype=np.int64)
        self.melded[list(self.kongs)] += 1

    def exchange(self, rng, n):
        for _ in range(n):
            self.held[rng.choice(np.flatnonzero(self.held))] -= 1
            self.held[rng.choice(np.flatnonzero(self.held + self.melded < 4))] += 1

    def drop(self, rng):
        self.held[rng.choice(np.flatnonzero(self.held))] -= 1

    def hand(self):
        melds = [meld_of(number, number - N_CHOWS in self.kongs) for number in self.melds]
        return Hand(self.held.tolist(), melds)

    def codes(self):
        codes = []
        for number in self.melds:
            if number < N_CHOWS:
                codes.append(CHOW << 6 | fan_reference.CHOW_LOWS[number])
            else:
                kind = number - N_CHOWS
                codes.append((DIRECT_KONG if kind in self.kongs else PUNG) << 6 | kind)
        return codes + [0] * (4 - len(codes))


def case_of(rng, fan, n_melds):
    """A complete hand that holds a fan, some of its sets declared, some of these kongs; None if the fan has no sets."""
    forms = [form for form in readings(()) if any(len(rows) for _, rows in form.good[fan])]
    if not forms:
        targets = fan_reference.special_targets()
        return Case(targets[fan][rng.integers(len(targets[fan]))]) if fan in targets else None
    while True:
        form = forms[rng.integers(len(forms))]
        eyes, rows = form.good[fan][rng.integers(len(form.good[fan]))]
        if not len(rows):
            continue
        row = rows[rng.integers(len(rows))]
        tiles = form.tiles[row].astype(np.int64)
        tiles[eyes] += 2
        if (tiles > 4).any():
            continue
        melds = rng.permutation(form.rows[row])[:n_melds]
        kongs = [
            int(number) - N_CHOWS
            for number in melds
            if number >= N_CHOWS and tiles[number - N_CHOWS] == 3 and rng.random() < 0.4
        ]
        return Case(tiles - SET_TILES[melds].sum(axis=0, dtype=np.int64), melds, kongs)


def near_cases(seed, n, n_melds):
    """Hands some exchanges away from some fan, with 13 or 14 tiles, with about so many melds."""
    rng = np.random.default_rng([SEED, seed])
    found = []
    while len(found) < n:
        case = case_of(rng, FANS[len(found) % len(FANS)], n_melds)
        if case is None:
            case = Case(families.seven_pairs_hands(rng, 1)[0])
        case.exchange(rng, int(rng.integers(0, 5)))
        if rng.random() < 0.5:
            case.drop(rng)
        found.append(case)
    return found


def mine(case):
    hand = case.hand()
    return {fan: fan_distance(hand, fan, seat_wind="E", round_wind="S") for fan in FANS}


def assert_as_reference(case):
    want = distances(case.held, case.melds, case.kongs)
    got = mine(case)
    wrong = {fan: (got[fan], want[fan]) for fan in FANS if got[fan] != want[fan]}
    assert not wrong, f"{case.hand()}: (mjcore, reference) {wrong}"
    return got


def codes_of(cases):
    return np.array([case.codes() for case in cases], np.uint16)


def held_of(cases):
    return np.array([case.held for case in cases])


# --- what is held, worked out by hand ----------------------------------------------------------


def test_fans_of_the_table():
    assert len(EXACT_FANS) == len(set(EXACT_FANS))
    assert not OTHER_FANS & set(EXACT_FANS)
    assert len(OTHER_FANS) + len(EXACT_FANS) == 82
    assert set(FANS) == set(EXACT_FANS) == set(CHINESE)


@pytest.mark.parametrize("row", HOLDING, ids=lambda row: row[0])
def test_held(row):
    text, fans, *winds = row
    round_wind, seat_wind = winds or ("E", "E")
    for fan in fans.split():
        assert fan_distance(text, fan, seat_wind=seat_wind, round_wind=round_wind) == -1, fan


def test_held_names_every_fan():
    assert {fan for row in HOLDING for fan in row[1].split()} == set(EXACT_FANS)


@pytest.mark.parametrize(("text", "fan", "distance"), TABLE)
def test_table(text, fan, distance):
    assert fan_distance(text, fan) == distance


# --- against every complete hand ---------------------------------------------------------------


@pytest.mark.slow
def test_reference_concealed():
    rng = np.random.default_rng([SEED, 1])
    hands = [
        *families.wall_hands(rng, 4, 13),
        *families.wall_hands(rng, 2, 14),
        *families.four_of_a_kind_hands(rng, 3),
        *families.mixed(rng, 8, 14, families.suit_pools(True)[1])[:4],
    ]
    for hand in hands:
        assert_as_reference(Case(hand))


@pytest.mark.slow
def test_reference_concealed_near():
    answers = [assert_as_reference(case) for case in near_cases(2, 18, 0)]
    assert {-1, 0, 1, 2, 3} <= {distance for answer in answers for distance in answer.values()}


@pytest.mark.slow
@pytest.mark.parametrize(("n_melds", "n"), [(1, 16), (2, 70), (3, 110), (4, 110)])
def test_reference_melds(n_melds, n):
    answers = [assert_as_reference(case) for case in near_cases(2 + n_melds, n, n_melds)]
    assert {None, -1, 0, 1, 2} <= {distance for answer in answers for distance in answer.values()}


# --- laws --------------------------------------------------------------------------------------


def batch(fan, held, codes):
    return fan_batch.fan_distance(held, fan, melds=codes, seat_wind="E", round_wind="S").astype(int)


def law_cases(n_melds, n):
    rng = np.random.default_rng([SEED, 77, n_melds])
    cases = near_cases(70 + n_melds, n, n_melds)
    if not n_melds:
        cases += [Case(hand) for hand in families.wall_hands(rng, n // 4, 13)]
    return cases


@pytest.mark.slow
@pytest.mark.parametrize("n_melds", range(5))
def test_one_exchange(n_melds):
    """A draw at best lowers the distance by one, and some draw does; the best discard keeps it."""
    cases = law_cases(n_melds, 56)
    for case in cases:
        waiting = (case.held.sum() + 3 * len(case.melds)) == 13
        step = 1 if waiting else -1
        kinds = np.flatnonzero(case.held + case.melded < 4) if waiting else np.flatnonzero(case.held)
        next_hands = np.repeat(case.held[None], len(kinds), axis=0)
        next_hands[np.arange(len(kinds)), kinds] += step
        for fan in FANS:
            now = int(batch(fan, case.held, case.codes()))
            after = batch(fan, next_hands, case.codes())
            best = int(after.min())
            where = f"{case.hand()} {fan}: {now}, then {sorted(set(after.tolist()))}"
            if now == fan_batch.DISTANCE_NONE:
                assert best == now, where
            elif waiting:
                assert now >= 0, where
                assert best == now - 1, where
                assert after.max() <= now, where
            else:
                assert best == max(now, 0), where
                assert after.max() <= now + 1, where


def test_never_nearer_than_a_win():
    for n_melds in range(5):
        for case in law_cases(n_melds, 55):
            hand = case.hand()
            floor = mjcore.shanten(hand, rules="mcr")
            nearest = [n for n in mine(case).values() if n is not None]
            assert min(nearest, default=floor) >= floor, hand


def test_forms_of_their_own():
    """Fans that are a form are as far as the form."""
    rng = np.random.default_rng([SEED, 5])
    for vec in vecs(families.wall_hands(rng, 300, 13)):
        rules = mjcore.HandRules.preset("mcr")
        for fan, form in (
            ("seven_pairs", "seven_pairs"),
            ("thirteen_orphans", "thirteen_orphans"),
            ("lesser_honors_and_knitted", "honors_and_knitted"),
        ):
            assert fan_distance(vec, fan) == mjcore.shanten(vec, rules=rules, form=form), fan
        inside = fan_distance(vec, "lesser_honors_and_knitted")
        straight = mjcore.shanten(vec, rules=rules, form="knitted_straight")
        assert min(straight, inside) <= fan_distance(vec, "knitted_straight") <= straight


@pytest.mark.parametrize("n_melds", range(5))
def test_suits_may_be_permuted(n_melds):
    cases = near_cases(90 + n_melds, 110, n_melds)
    suits = np.arange(27).reshape(3, 9)
    held, codes = held_of(cases), codes_of(cases)
    for order in list(permutations(range(3)))[1:]:
        place = np.concatenate([suits[list(order)].ravel(), np.arange(27, N_KINDS)])  # old kind at each new place
        new_kind = np.argsort(place).astype(np.uint16)
        moved = np.where(codes > 0, codes & 0x1C0 | new_kind[np.minimum(codes & 0x3F, 33)], 0)
        for fan in set(FANS) - set(NAMES_A_SUIT):
            assert (batch(fan, held, codes) == batch(fan, held[:, place], moved)).all(), (fan, order)


@pytest.mark.parametrize("n_melds", range(5))
def test_ranks_may_be_reversed(n_melds):
    cases = near_cases(95 + n_melds, 110, n_melds)
    place = np.concatenate([np.arange(27).reshape(3, 9)[:, ::-1].ravel(), np.arange(27, N_KINDS)])
    held, codes = held_of(cases), codes_of(cases)
    kinds = np.minimum(codes & 0x3F, 33)
    lowest = place[kinds] - 2 * (codes >> 6 == CHOW)
    moved = np.where(codes > 0, codes & 0x1C0 | lowest.astype(np.uint16), 0)
    mirror = {"upper_tiles": "lower_tiles", "upper_four": "lower_four"}
    for fan in set(FANS) - set(NAMES_A_SUIT) - {"lower_tiles", "lower_four"}:
        mirrored = batch(mirror.get(fan, fan), held[:, place], moved)
        assert (batch(fan, held, codes) == mirrored).all(), fan


@pytest.mark.slow
def test_conditions_of_the_rules_say_the_same():
    """A complete hand is at -1 from a fan where a reading meets the condition of its row, and nowhere else."""
    mcr = mjcore.rule_set("mcr")
    conditions = {fan: mcr._conditions[mcr.place(fan)] for fan in EXACT_FANS}
    n_held = Counter()
    for win in winning_hands(SEED, 600):
        score = mjcore.score(hand_text(win, with_win=False), win_tile=win.win, **context_of(win))
        readings = [facts for _, facts in score._shape.win.readings(mcr._program)]
        winds = {"seat_wind": score.context.seat_wind, "round_wind": score.context.round_wind}
        for fan, condition in conditions.items():
            holds = any(condition.holds(facts) for facts in readings)
            n_held[fan] += holds
            assert holds == (fan_distance(score.hand, fan, **winds) == -1), (described(win), fan)
    assert set(+n_held) == set(EXACT_FANS)


# --- another engine ----------------------------------------------------------------------------

GB_KINDS = [f"{suit}{rank}" for suit in "WTB" for rank in range(1, 10)] + ["J1", "J2", "J3", "F1", "F2", "F3", "F4"]


def gb_fans(case, win):
    """Chinese names of the fans that PyMahjongGB finds; empty where it does not see a win."""
    packs = []
    for number in case.melds:
        if number < N_CHOWS:
            packs.append(("CHI", GB_KINDS[fan_reference.CHOW_LOWS[number] + 1], 1))
        else:
            kind = number - N_CHOWS
            packs.append(("GANG" if kind in case.kongs else "PENG", GB_KINDS[kind], 1))
    rest = case.held.copy()
    rest[win] -= 1
    tiles = tuple(GB_KINDS[kind] for kind in range(N_KINDS) for _ in range(rest[kind]))
    found = MahjongGB.MahjongFanCalculator(tuple(packs), tiles, GB_KINDS[win], 0, True, False, False, False, 0, 1)
    return {name for _, name in found}


def test_fans_of_another_engine_are_held():
    """The best reading of PyMahjongGB holds the fans that it lists."""
    rng = np.random.default_rng([SEED, 9])
    seen = set()
    for i in range(2400):
        case = case_of(rng, FANS[i % len(FANS)], int(rng.integers(0, 5)))
        if case is None:
            case = Case(families.seven_pairs_hands(rng, 1)[0])
        names = gb_fans(case, int(rng.choice(np.flatnonzero(case.held))))
        hand = case.hand()
        for fan, chinese in CHINESE.items():
            if chinese in names:
                seen.add(fan)
                assert fan_distance(hand, fan, seat_wind="E", round_wind="S") == -1, (hand, fan)
    assert seen == set(FANS)


# --- input and errors --------------------------------------------------------------------------


def test_hands_in_any_form():
    text = "123m456m79m3pEE789s"
    vec = mjcore.parse(text)
    for hand in (text, vec, mjcore.unpack(vec), Hand(text), np.array(mjcore.unpack(vec))):
        assert fan_distance(hand, "pure_straight") == 0
    assert fan_distance("79mEE [123m][456m][789s]", "pure_straight", "mcr") == 0


def test_winds():
    hand = "123m456p789sNN SSS"
    assert fan_distance(hand, "seat_wind", seat_wind="S") == fan_distance(hand, "prevalent_wind", round_wind=31) == -1
    assert fan_distance(hand, "seat_wind", round_wind="S") == 2
    assert fan_distance(hand, "prevalent_wind", round_wind="N") == 0
    with pytest.raises(ValueError, match=r"expected a wind .* for seat_wind, got 'C'"):
        fan_distance(hand, "seat_wind", seat_wind="C")
    with pytest.raises(ValueError, match="for round_wind"):
        fan_distance(hand, "full_flush", round_wind="1m")


@pytest.mark.parametrize("name", ["seat_wind", "round_wind"])
def test_what_is_no_wind(name):
    hand = "123m456p789sNN SSS"
    for ask in (
        fan_distance,
        lambda hand, *fan, **winds: mjcore.batch.fan_distance([mjcore.unpack(hand)], *fan, **winds),
    ):
        for wind in (None, True, 1.5, b"E", ["E"]):
            with pytest.raises(TypeError, match=rf"expected a wind \(E, S, W, N\) for {name}, got "):
                ask(mjcore.parse(hand), "seat_wind", **{name: wind})
        for wind in ("", "x", "EE", "1m", "C", 5, 34, -1, 1 << 70):
            with pytest.raises(ValueError, match=rf"expected a wind \(E, S, W, N\) for {name}, got "):
                ask(mjcore.parse(hand), "seat_wind", **{name: wind})


def test_no_jokers():
    for ask in (fan_distance, mjcore.batch.fan_distance):
        with pytest.raises(TypeError, match="jokers"):
            ask("123m456m79m3pEE78s", "full_flush", jokers=1)
    with pytest.raises(TypeError, match="expected a rule set"):
        fan_distance("123m456m79m3pEE78s", "full_flush", mjcore.HandRules(joker_kind="5m"))


@pytest.mark.parametrize("fan", sorted(OTHER_FANS))
def test_fans_that_tiles_do_not_decide(fan):
    with pytest.raises(ValueError, match=rf"expected a fan of big_four_winds, .*seat_wind; got '{fan}', which tiles"):
        fan_distance("123m456m79m3pEE789s", fan)


def test_no_fan():
    hand = "123m456m79m3pEE789s"
    with pytest.raises(ValueError, match="got 'riichi', which is no fan of the rules"):
        fan_distance(hand, "riichi")
    for fan in (None, 7, ["full_flush"]):
        with pytest.raises(TypeError, match="expected the id of a fan"):
            fan_distance(hand, fan)


def test_rules():
    """Other rules may change values and names, but neither the condition of the fan nor the forms."""
    mcr = mjcore.rule_set("mcr")
    hand = "123m456m79m3pEE789s"
    dear = mcr.replace(fans={"full_flush": {"points": 30}})
    assert fan_distance(hand, "full_flush", dear) == fan_distance(hand, "full_flush")
    assert fan_distance(hand, "full_flush", "mcr_001") == fan_distance(hand, "full_flush")
    for rules, fan in (
        (mcr.replace(fans={"all_pungs": {"when": "n_chows == 4"}}), "all_pungs"),
        (mcr.replace(options={"strict98": True}), "all_terminals"),
    ):
        with pytest.raises(ValueError, match=f"expected the condition of mcr for {fan}"):
            fan_distance(hand, fan, rules)
    with pytest.raises(ValueError, match="expected a fan of the rules"):
        fan_distance(hand, "half_flush", mcr.replace(remove=["half_flush"]))
    with pytest.raises(ValueError, match="riichi"):
        fan_distance(hand, "half_flush", "riichi")
    with pytest.raises(TypeError, match="expected a rule set or its name"):
        fan_distance(hand, "half_flush", 3)


def test_rows_that_are_not_asked_may_be_no_hands():
    counts = np.tile(np.array(mjcore.unpack(mjcore.parse("123m456m79m3pEE789s")), np.uint8), (3, 1))
    want = fan_batch.fan_distance(counts, "full_flush")
    counts[1, 0] = 9
    got = fan_batch.fan_distance(counts, "full_flush", where=[True, False, True])
    assert got.tolist() == [want[0], 0, want[2]]
    with pytest.raises(InvalidHandError, match=r"^row 1: "):
        fan_batch.fan_distance(counts, "full_flush")


@pytest.mark.parametrize("text", ["", "1m", "123m456m79m3pEE", "123m456m79m3pEE7s", "79m3pE [123m][456m]"])
def test_sizes(text):
    with pytest.raises(InvalidHandError, match="13 or 14"):
        fan_distance(text, "full_flush")


def test_bad_hands():
    with pytest.raises(InvalidHandError, match="copies"):
        fan_distance("11111m456m79m3pEE789s", "full_flush")
    with pytest.raises(InvalidHandError, match="packed"):
        fan_distance(-1, "full_flush")


# --- arrays ------------------------------------------------------------------------------------


def test_batch_is_scalar():
    cases = [case for n_melds in range(5) for case in near_cases(120 + n_melds, 60, n_melds)]
    held, codes = held_of(cases), codes_of(cases)
    want = [mine(case) for case in cases]
    for fan in FANS:
        expected = [fan_batch.DISTANCE_NONE if row[fan] is None else row[fan] for row in want]
        got = fan_batch.fan_distance(held, fan, melds=codes, round_wind="S")
        assert got.dtype == np.int8
        assert got.tolist() == expected, fan


def test_batch_arrays():
    rng = np.random.default_rng([SEED, 11])
    hands = families.wall_hands(rng, 2000, 13)
    lanes = mjcore.batch.pack(hands)
    want = fan_batch.fan_distance(hands, "mixed_straight")
    assert (fan_batch.fan_distance(lanes, "mixed_straight", workers=4) == want).all()
    shaped = fan_batch.fan_distance(hands.reshape(4, 500, 34).astype(np.int32), "mixed_straight", workers=2)
    assert shaped.shape == (4, 500)
    assert (shaped.ravel() == want).all()
    strided = np.asfortranarray(hands[::-1])
    strided.setflags(write=False)
    assert (fan_batch.fan_distance(strided, "mixed_straight") == want[::-1]).all()
    assert fan_batch.fan_distance(hands[0], "mixed_straight").shape == ()
    for empty, shape in ((hands[:0], (0,)), (lanes[:0], (0,)), (hands[:0].reshape(2, 0, 34), (2, 0))):
        none = np.zeros((*shape, 4), np.uint16)
        assert fan_batch.fan_distance(empty, "mixed_straight", melds=none, workers=2).shape == shape
    out = np.full(2000, 7, np.int8)
    asked = np.arange(2000) % 2 == 0
    assert fan_batch.fan_distance(hands, "mixed_straight", where=asked, out=out) is out
    assert (out == np.where(asked, want, 0)).all()


def test_batch_kongs_of_any_type():
    hand = mjcore.unpack(mjcore.parse("456m79mEE334p"))
    for kong in (DIRECT_KONG, ADDED_KONG, CONCEALED_KONG, 8 * 4 | DIRECT_KONG):
        melds = [kong << 6 | 9, 0, 0, 0]
        assert int(fan_batch.fan_distance([*hand], "pure_straight", melds=[0, melds[0], 0, 0])) == fan_distance(
            "456m79mEE334p [1111s]", "pure_straight"
        )


def test_batch_errors():
    good = mjcore.unpack(mjcore.parse("123m456m79m3pE789s"))
    out = np.full(3, 7, np.int8)

    def ask(*rows, **options):
        return fan_batch.fan_distance(np.array(rows), "full_flush", out=out, **options)

    five, short = list(good), list(good)
    five[0] = 5
    short[0] = 0
    with pytest.raises(InvalidHandError, match="row 1: expected 0 to 4 copies of 1m, got 5"):
        ask(good, five, good)
    with pytest.raises(InvalidHandError, match="row 2: expected 13 or 14 tiles, a meld counted as three, got 12"):
        ask(good, good, short)
    with pytest.raises(InvalidHandError, match="row 0: expected at most 11 concealed tiles beside 1 melds, got 13"):
        ask(good, good, good, melds=[PUNG << 6, 0, 0, 0])
    ten = mjcore.unpack(mjcore.parse("11m456m79m3pEE"))
    with pytest.raises(InvalidHandError, match=r"row 1: expected .* copies .* got 5 of 1m"):
        ask(ten, ten, ten, melds=[[PUNG << 6 | 9, 0, 0, 0], [PUNG << 6, 0, 0, 0], [0] * 4])
    for meld in (6 << 6, 40 | PUNG << 6, CHOW << 6 | 7, CHOW << 6 | 30, 5):
        with pytest.raises(InvalidHandError, match="row 0: expected"):
            ask(good, good, good, melds=[meld, 0, 0, 0])
    with pytest.raises(InvalidHandError, match="16 bits"):
        ask(good, good, good, melds=[1 << 16, 0, 0, 0])
    for lane in (1 << 36, 5):
        with pytest.raises(InvalidHandError, match="row 0: expected"):
            fan_batch.fan_distance(np.array([lane, 0, 0, 0], np.uint64), "full_flush")
    with pytest.raises(TypeError, match="integer"):
        fan_batch.fan_distance(np.zeros(34), "full_flush")
    with pytest.raises(ValueError, match="last axis"):
        fan_batch.fan_distance(np.zeros(33, int), "full_flush")
    with pytest.raises(TypeError, match="uint64"):
        fan_batch.fan_distance(np.zeros(4, int), "full_flush")
    with pytest.raises(ValueError, match="melds"):
        ask(good, good, good, melds=[1, 2])
    with pytest.raises(ValueError, match=r"expected melds to broadcast to hands of shape \(3,\), got shape \(2, 4\)"):
        ask(good, good, good, melds=[[0] * 4] * 2)
    with pytest.raises(TypeError, match="bool"):
        ask(good, good, good, where=1)
    with pytest.raises(ValueError, match="out of shape"):
        fan_batch.fan_distance(good, "full_flush", out=out)
    assert (out == 7).all()
    assert ask(good, good, short, where=[True, True, False]).tolist() == [5, 5, 0], shown(good)
