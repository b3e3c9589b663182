"""
A slow, obvious scorer of Chinese Official mahjong (MCR), to check the engine against.

Numbers in brackets are those of the rules in the specification: the table is section 3, forms 4, the
algorithm 5, options 6, total and payment 7.  Plain Python, one rule after the other; it takes nothing
from mjcore, only the order of kinds: characters, bamboo, dots, then ``C F P E S W N``.
"""

from collections import Counter, namedtuple
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, permutations

N_KINDS = 34
DRAGONS = (27, 28, 29)
WINDS = (30, 31, 32, 33)
HONORS = DRAGONS + WINDS
TERMINALS = (0, 8, 9, 17, 18, 26)
ORPHANS = TERMINALS + HONORS
GREEN = (10, 11, 12, 14, 16, 28)
REVERSIBLE = (18, 19, 20, 21, 22, 25, 26, 10, 12, 13, 14, 16, 17, 29)
KNITTED = tuple(
    tuple(sorted(9 * suit + rank for suit, first in zip(suits, (0, 1, 2), strict=True) for rank in range(first, 9, 3)))
    for suits in permutations(range(3))
)

# id, 中文, English, points, what it removes; in the order of the table
_TABLE = (
    (
        "big_four_winds",
        "大四喜",
        "Big Four Winds",
        88,
        "little_four_winds big_three_winds all_pungs prevalent_wind seat_wind pung_of_terminals_or_honors",
    ),
    ("big_three_dragons", "大三元", "Big Three Dragons", 88, "little_three_dragons two_dragon_pungs dragon_pung"),
    ("all_green", "绿一色", "All Green", 88, "half_flush one_voided_suit"),
    ("nine_gates", "九莲宝灯", "Nine Gates", 88, "full_flush fully_concealed concealed_hand one_voided_suit no_honors"),
    (
        "four_kongs",
        "四杠",
        "Four Kongs",
        88,
        "three_kongs all_pungs two_concealed_kongs mixed_kongs two_melded_kongs concealed_kong melded_kong single_wait",
    ),
    (
        "seven_shifted_pairs",
        "连七对",
        "Seven Shifted Pairs",
        88,
        "seven_pairs full_flush fully_concealed concealed_hand one_voided_suit no_honors single_wait",
    ),
    (
        "thirteen_orphans",
        "十三幺",
        "Thirteen Orphans",
        88,
        "all_terminals_and_honors all_types fully_concealed concealed_hand single_wait",
    ),
    (
        "all_terminals",
        "清幺九",
        "All Terminals",
        64,
        "all_terminals_and_honors all_pungs outside_hand double_pung pung_of_terminals_or_honors no_honors",
    ),
    ("little_four_winds", "小四喜", "Little Four Winds", 64, "big_three_winds"),
    ("little_three_dragons", "小三元", "Little Three Dragons", 64, "two_dragon_pungs dragon_pung"),
    (
        "all_honors",
        "字一色",
        "All Honors",
        64,
        "all_terminals_and_honors all_pungs half_flush outside_hand pung_of_terminals_or_honors one_voided_suit",
    ),
    (
        "four_concealed_pungs",
        "四暗刻",
        "Four Concealed Pungs",
        64,
        "three_concealed_pungs all_pungs fully_concealed concealed_hand two_concealed_pungs",
    ),
    (
        "pure_terminal_chows",
        "一色双龙会",
        "Pure Terminal Chows",
        64,
        "seven_pairs full_flush all_chows pure_double_chow two_terminal_chows one_voided_suit no_honors",
    ),
    (
        "quadruple_chow",
        "一色四同顺",
        "Quadruple Chow",
        48,
        "pure_triple_chow pure_shifted_pungs tile_hog pure_double_chow",
    ),
    (
        "four_pure_shifted_pungs",
        "一色四节高",
        "Four Pure Shifted Pungs",
        48,
        "pure_triple_chow pure_shifted_pungs all_pungs",
    ),
    (
        "four_pure_shifted_chows",
        "一色四步高",
        "Four Pure Shifted Chows",
        32,
        "pure_shifted_chows short_straight two_terminal_chows",
    ),
    (
        "three_kongs",
        "三杠",
        "Three Kongs",
        32,
        "two_concealed_kongs mixed_kongs two_melded_kongs concealed_kong melded_kong",
    ),
    (
        "all_terminals_and_honors",
        "混幺九",
        "All Terminals and Honors",
        32,
        "all_pungs outside_hand pung_of_terminals_or_honors",
    ),
    ("seven_pairs", "七对", "Seven Pairs", 24, "fully_concealed concealed_hand single_wait"),
    (
        "greater_honors_and_knitted",
        "七星不靠",
        "Greater Honors and Knitted Tiles",
        24,
        "lesser_honors_and_knitted all_types fully_concealed concealed_hand single_wait",
    ),
    ("all_even_pungs", "全双刻", "All Even Pungs", 24, "all_pungs all_simples no_honors"),
    ("full_flush", "清一色", "Full Flush", 24, "half_flush one_voided_suit no_honors"),
    ("pure_triple_chow", "一色三同顺", "Pure Triple Chow", 24, "pure_shifted_pungs pure_double_chow"),
    ("pure_shifted_pungs", "一色三节高", "Pure Shifted Pungs", 24, "pure_triple_chow"),
    ("upper_tiles", "全大", "Upper Tiles", 24, "upper_four no_honors"),
    ("middle_tiles", "全中", "Middle Tiles", 24, "all_simples no_honors"),
    ("lower_tiles", "全小", "Lower Tiles", 24, "lower_four no_honors"),
    ("pure_straight", "清龙", "Pure Straight", 16, "short_straight two_terminal_chows"),
    (
        "three_suited_terminal_chows",
        "三色双龙会",
        "Three-Suited Terminal Chows",
        16,
        "all_chows mixed_double_chow two_terminal_chows no_honors",
    ),
    ("pure_shifted_chows", "一色三步高", "Pure Shifted Chows", 16, ""),
    ("all_fives", "全带五", "All Fives", 16, "all_simples no_honors"),
    ("triple_pung", "三同刻", "Triple Pung", 16, "double_pung"),
    ("three_concealed_pungs", "三暗刻", "Three Concealed Pungs", 16, "two_concealed_pungs"),
    (
        "lesser_honors_and_knitted",
        "全不靠",
        "Lesser Honors and Knitted Tiles",
        12,
        "all_types fully_concealed concealed_hand single_wait",
    ),
    ("knitted_straight", "组合龙", "Knitted Straight", 12, ""),
    ("upper_four", "大于五", "Upper Four", 12, "no_honors"),
    ("lower_four", "小于五", "Lower Four", 12, "no_honors"),
    ("big_three_winds", "三风刻", "Big Three Winds", 12, ""),
    ("mixed_straight", "花龙", "Mixed Straight", 8, ""),
    ("reversible_tiles", "推不倒", "Reversible Tiles", 8, "one_voided_suit"),
    ("mixed_triple_chow", "三色三同顺", "Mixed Triple Chow", 8, ""),
    ("mixed_shifted_pungs", "三色三节高", "Mixed Shifted Pungs", 8, ""),
    ("chicken_hand", "无番和", "Chicken Hand", 8, ""),
    ("last_tile_draw", "妙手回春", "Last Tile Draw", 8, "self_drawn"),
    ("last_tile_claim", "海底捞月", "Last Tile Claim", 8, ""),
    ("out_with_replacement", "杠上开花", "Out with Replacement Tile", 8, "self_drawn"),
    ("robbing_the_kong", "抢杠和", "Robbing the Kong", 8, "last_tile"),
    ("all_pungs", "碰碰和", "All Pungs", 6, ""),
    ("half_flush", "混一色", "Half Flush", 6, "one_voided_suit"),
    ("mixed_shifted_chows", "三色三步高", "Mixed Shifted Chows", 6, ""),
    ("all_types", "五门齐", "All Types", 6, ""),
    ("melded_hand", "全求人", "Melded Hand", 6, "single_wait"),
    ("two_concealed_kongs", "双暗杠", "Two Concealed Kongs", 6, "concealed_kong"),
    ("two_dragon_pungs", "双箭刻", "Two Dragon Pungs", 6, "dragon_pung"),
    ("mixed_kongs", "明暗杠", "Concealed Kong and Melded Kong", 5, "concealed_kong melded_kong"),
    ("outside_hand", "全带幺", "Outside Hand", 4, ""),
    ("fully_concealed", "不求人", "Fully Concealed Hand", 4, "concealed_hand self_drawn"),
    ("two_melded_kongs", "双明杠", "Two Melded Kongs", 4, "melded_kong"),
    ("last_tile", "和绝张", "Last Tile", 4, ""),
    ("dragon_pung", "箭刻", "Dragon Pung", 2, ""),
    ("prevalent_wind", "圈风刻", "Prevalent Wind", 2, ""),
    ("seat_wind", "门风刻", "Seat Wind", 2, ""),
    ("concealed_hand", "门前清", "Concealed Hand", 2, ""),
    ("all_chows", "平和", "All Chows", 2, "no_honors"),
    ("tile_hog", "四归一", "Tile Hog", 2, ""),
    ("double_pung", "双同刻", "Double Pung", 2, ""),
    ("two_concealed_pungs", "双暗刻", "Two Concealed Pungs", 2, ""),
    ("concealed_kong", "暗杠", "Concealed Kong", 2, ""),
    ("all_simples", "断幺", "All Simples", 2, "no_honors"),
    ("pure_double_chow", "一般高", "Pure Double Chow", 1, ""),
    ("mixed_double_chow", "喜相逢", "Mixed Double Chow", 1, ""),
    ("short_straight", "连六", "Short Straight", 1, ""),
    ("two_terminal_chows", "老少副", "Two Terminal Chows", 1, ""),
    ("pung_of_terminals_or_honors", "幺九刻", "Pung of Terminals or Honors", 1, ""),
    ("melded_kong", "明杠", "Melded Kong", 1, ""),
    ("one_voided_suit", "缺一门", "One Voided Suit", 1, ""),
    ("no_honors", "无字", "No Honors", 1, ""),
    ("edge_wait", "边张", "Edge Wait", 1, ""),
    ("closed_wait", "嵌张", "Closed Wait", 1, ""),
    ("single_wait", "单钓将", "Single Wait", 1, ""),
    ("self_drawn", "自摸", "Self-Drawn", 1, ""),
    ("flower", "花牌", "Flower Tile", 1, ""),
)
FANS = tuple(row[0] for row in _TABLE)
ZH = {row[0]: row[1] for row in _TABLE}
EN = {row[0]: row[2] for row in _TABLE}
POINTS = {row[0]: row[3] for row in _TABLE}
IMPLIED = {row[0]: tuple(row[4].split()) for row in _TABLE}
PLACE = {row[0]: place for place, row in enumerate(_TABLE)}

FOUR_CHOWS = ("quadruple_chow", "four_pure_shifted_chows")
THREE_CHOWS = (
    "pure_triple_chow",
    "pure_straight",
    "pure_shifted_chows",
    "mixed_triple_chow",
    "mixed_straight",
    "mixed_shifted_chows",
)
TWO_CHOWS = ("pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows")
TWO_PUNGS = ("two_dragon_pungs", "double_pung")
WAIT_FANS = ("edge_wait", "closed_wait", "single_wait")
TILE_CLASS_FANS = (
    "all_green",
    "all_terminals",
    "all_honors",
    "all_terminals_and_honors",
    "upper_tiles",
    "middle_tiles",
    "lower_tiles",
    "upper_four",
    "lower_four",
)

OPTIONS = {
    "strict98": False,
    "mixed_kongs": "five",
    "wait_ignores_exhausted": False,
    "knitted_body_wait": True,
    "knitted_waits": True,
    "nine_gates_absorbs_all_pungs": False,
    "kong_with_concealed_pungs": True,
}

# type: chow, pung or kong; kind: the lowest; open: claimed from another player, at least in part
Set = namedtuple("Set", "type kind open declared")


@dataclass(frozen=True)
class Win:
    """
    A winning hand in its context [2].

    `concealed` holds 34 counts with the winning tile among them, `melds` pairs of a type (chow, pung,
    direct_kong, added_kong, concealed_kong) and the lowest kind; winds are kinds.
    """

    concealed: tuple
    melds: tuple
    win: int
    self_drawn: bool = False
    wall_last: bool = False
    kong_replacement: bool = False
    rob_kong: bool = False
    fourth_visible: bool = False
    seat_wind: int = 30
    round_wind: int = 30
    flowers: int = 0

    @property
    def sets(self):
        """The declared sets."""
        return tuple(
            Set("kong" if "kong" in type else type, kind, type != "concealed_kong", True) for type, kind in self.melds
        )

    @property
    def before(self):
        """The concealed tiles without the winning one."""
        return with_tile(self.concealed, self.win, -1)

    @property
    def all_counts(self):
        """Copies of each kind in the whole hand, four for a kong."""
        counts = list(self.concealed)
        for each in self.sets:
            for kind in kinds_of(each):
                counts[kind] += 1
        return tuple(counts)


@dataclass(frozen=True)
class Reading:
    """
    One way to see the hand [5.0] and what it scores; `role` is a place in `sets`, "pair", "body" or None.

    `removed` names for each fan that another one implies, which one.
    """

    form: str
    sets: tuple = ()
    pair: int | None = None
    role: int | str | None = None
    fans: dict = field(default_factory=dict, compare=False)
    removed: dict = field(default_factory=dict, compare=False)

    @property
    def total(self):
        return sum(POINTS[fan] * many for fan, many in self.fans.items())

    @property
    def key(self):
        """What the best reading is the greatest of [7.2, 7.4]."""
        return self.total, tuple(self.fans.get(fan, 0) for fan in FANS)


@dataclass(frozen=True)
class Scored:
    """The answer: `total` with flowers, `fans` with their counts, every reading from the best down."""

    total: int
    fans: dict
    readings: tuple
    waits: frozenset
    flowers: int

    @property
    def minimum_met(self):
        """[7.3]"""
        return self.total - self.flowers >= 8

    def payments(self, win, base=8):
        """What the discarder (or None when drawn) and each other player pays [7.5]."""
        if win.self_drawn:
            return None, self.total + base
        return self.total + base, base


class NotAWin(ValueError):
    """The hand is no winning hand."""


def with_tile(counts, kind, many=1):
    changed = list(counts)
    changed[kind] += many
    return tuple(changed)


def kinds_of(each):
    """The kinds of the tiles of a set."""
    if each.type == "chow":
        return (each.kind, each.kind + 1, each.kind + 2)
    return (each.kind,) * (4 if each.type == "kong" else 3)


def is_chow(each):
    return each.type == "chow"


def is_pung(each):
    """A kong is a pung for every fan of pungs [1]."""
    return each.type != "chow"


def suit(kind):
    """0, 1 or 2, and 3 for honors."""
    return kind // 9


def rank(kind):
    return kind % 9 + 1


# --- forms and readings [4, 5.0]


@cache
def set_splits(counts, first=0):
    """All ways to divide nine (seven, for honors) counts into sets, as pairs of a type and a place."""
    while first < len(counts) and counts[first] == 0:
        first += 1
    if first == len(counts):
        return ((),)
    found = []
    if counts[first] >= 3:
        rest = with_tile(counts, first, -3)
        found += [(("pung", first), *more) for more in set_splits(rest, first)]
    if len(counts) == 9 and first <= 6 and counts[first + 1] and counts[first + 2]:
        rest = counts
        for place in (first, first + 1, first + 2):
            rest = with_tile(rest, place, -1)
        found += [(("chow", first), *more) for more in set_splits(rest, first)]
    return tuple(sorted({tuple(sorted(each)) for each in found}))


def all_set_splits(counts):
    """All ways to divide 34 counts into sets."""
    ways = [()]
    for base in (0, 9, 18, 27):
        here = set_splits(counts[base : base + 9])
        ways = [
            (*way, *(Set(type, base + place, False, False) for type, place in more)) for way in ways for more in here
        ]
        if not ways:
            break
    return ways


def standard_splits(counts):
    """All ways to divide 34 counts into sets and a pair [4.1]."""
    for pair in range(N_KINDS):
        if counts[pair] >= 2:
            for sets in all_set_splits(with_tile(counts, pair, -2)):
                yield sets, pair


def knitted_splits(counts, n_melds):
    """All ways to divide counts into the nine tiles of a knitted set, a set that is not declared, and a pair [4.5]."""
    if n_melds > 1:
        return
    for body in KNITTED:
        if all(counts[kind] for kind in body):
            rest = tuple(many - (kind in body) for kind, many in enumerate(counts))
            for sets, pair in standard_splits(rest):
                yield body, sets, pair


def is_seven_pairs(counts, n_melds):
    """[4.2]"""
    return n_melds == 0 and sum(counts) == 14 and all(many in (0, 2, 4) for many in counts)


def is_orphans(counts, n_melds):
    """[4.3]"""
    return (
        n_melds == 0 and sum(counts) == 14 and all(bool(many) == (kind in ORPHANS) for kind, many in enumerate(counts))
    )


def is_honors_and_knitted(counts, n_melds):
    """[4.4]"""
    if n_melds or sum(counts) != 14 or max(counts) > 1:
        return False
    suited = [kind for kind in range(27) if counts[kind]]
    return any(all(kind in body for kind in suited) for body in KNITTED)


def is_win(counts, n_melds):
    """Whether concealed tiles and so many melds are a win in any form, by shape only: five copies may be there."""
    return (
        any(True for _ in standard_splits(counts))
        or any(True for _ in knitted_splits(counts, n_melds))
        or is_seven_pairs(counts, n_melds)
        or is_orphans(counts, n_melds)
        or is_honors_and_knitted(counts, n_melds)
    )


def waits(win, options=OPTIONS):
    """All kinds that complete the tiles held before the winning one [5.8]."""
    held = with_tile(win.all_counts, win.win, -1)
    return frozenset(
        kind
        for kind in range(N_KINDS)
        if is_win(with_tile(win.before, kind), len(win.melds))
        and not (options["wait_ignores_exhausted"] and held[kind] == 4)
    )


def readings(win):
    """Every reading of the hand, not yet scored [5.0]."""
    counts, declared = win.concealed, win.sets
    for sets, pair in standard_splits(counts):
        for role in roles(win, sets, pair):
            yield Reading("standard", sets + declared, pair, role)
    for body, sets, pair in knitted_splits(counts, len(declared)):
        for role in roles(win, sets, pair) + (["body"] if win.win in body else []):
            yield Reading("knitted_straight", sets + declared, pair, role)
    if is_seven_pairs(counts, len(declared)):
        yield Reading("seven_pairs")
    if is_orphans(counts, len(declared)):
        yield Reading("thirteen_orphans")
    if is_honors_and_knitted(counts, len(declared)):
        yield Reading("honors_and_knitted")


def roles(win, sets, pair):
    """What the winning tile may complete: one of the concealed sets or the pair."""
    places = [place for place, each in enumerate(sets) if win.win in kinds_of(each)]
    return places + (["pair"] if pair == win.win else [])


# --- fans of the tiles [3]


def tile_fans(win, reading):
    """Fans that look at the tiles of the whole hand, whatever sets they make."""
    counts = win.all_counts
    kinds = [kind for kind in range(N_KINDS) if counts[kind]]
    suits = {suit(kind) for kind in kinds} - {3}
    honors = any(kind in HONORS for kind in kinds)
    sets_or_pairs = reading.form in ("standard", "seven_pairs")
    all_of = lambda allowed: all(kind in allowed for kind in kinds)  # noqa: E731
    ranks_of = lambda *allowed: not honors and all(rank(kind) in allowed for kind in kinds)  # noqa: E731
    terminals = any(kind in TERMINALS for kind in kinds)
    kongs = sum(each.type == "kong" for each in reading.sets)
    found = {
        "all_green": all_of(GREEN),
        "all_terminals": sets_or_pairs and all_of(TERMINALS),
        "all_honors": sets_or_pairs and all_of(HONORS),
        "all_terminals_and_honors": sets_or_pairs and all_of(ORPHANS) and terminals and honors,
        "full_flush": len(suits) == 1 and not honors,
        "half_flush": len(suits) == 1 and honors,
        "upper_tiles": ranks_of(7, 8, 9),
        "middle_tiles": ranks_of(4, 5, 6),
        "lower_tiles": ranks_of(1, 2, 3),
        "upper_four": ranks_of(6, 7, 8, 9) and not ranks_of(7, 8, 9),
        "lower_four": ranks_of(1, 2, 3, 4) and not ranks_of(1, 2, 3),
        "reversible_tiles": all_of(REVERSIBLE),
        "all_types": len(suits) == 3
        and any(kind in WINDS for kind in kinds)
        and any(kind in DRAGONS for kind in kinds)
        and reading.form in ("standard", "knitted_straight", "seven_pairs"),
        "all_simples": not honors and not terminals,
        "tile_hog": sum(many == 4 for many in counts) - kongs,
        "one_voided_suit": len(suits) == 2,
        "no_honors": not honors,
    }
    return {fan: int(many) for fan, many in found.items() if many}


def set_fans(reading):
    """Fans that look at every set and the pair of the standard form, and the chows of a knitted straight."""
    sets, pair = reading.sets, reading.pair
    if reading.form == "knitted_straight":
        return {"all_chows": 1} if is_chow(sets[0]) and pair < 27 else {}
    groups = [kinds_of(each) for each in sets] + [(pair,)]
    found = {
        "all_pungs": all(is_pung(each) for each in sets),
        "all_even_pungs": all(is_pung(each) for each in sets)
        and all(kind < 27 and rank(kind) % 2 == 0 for group in groups for kind in group),
        "all_fives": all(any(kind < 27 and rank(kind) == 5 for kind in group) for group in groups),
        "outside_hand": all(any(kind in ORPHANS for kind in group) for group in groups),
        "all_chows": all(is_chow(each) for each in sets) and pair < 27,
    }
    return {fan: 1 for fan, holds in found.items() if holds}


# --- fans of sets among themselves [5.1, 5.2]


def chow_fan_of_four(sets, pair):
    """A fan of all four chows, or None [5.1a]."""
    starts = sorted(each.kind for each in sets)
    suits = [suit(start) for start in starts]
    ranks = [rank(start) for start in starts]
    if len(set(suits)) == 1:
        if ranks == [1, 1, 7, 7] and pair == starts[0] + 4:
            return "pure_terminal_chows"
        if len(set(ranks)) == 1:
            return "quadruple_chow"
        if [later - ranks[0] for later in ranks] in ([0, 1, 2, 3], [0, 2, 4, 6]):
            return "four_pure_shifted_chows"
    pair_suit = suit(pair)
    if ranks == [1, 7, 1, 7] and len(set(suits)) == 2 and pair_suit not in suits and pair_suit < 3 and rank(pair) == 5:
        return "three_suited_terminal_chows"
    return None


def chow_fan_of_three(chows):
    """A fan of three chows, or None [5.1b]."""
    starts = sorted(each.kind for each in chows)
    suits = [suit(start) for start in starts]
    ranks = [rank(start) for start in starts]
    shifts = [later - min(ranks) for later in sorted(ranks)]
    if len(set(suits)) == 1:
        return {(0, 0, 0): "pure_triple_chow", (0, 3, 6): "pure_straight"}.get(
            tuple(shifts), "pure_shifted_chows" if shifts in ([0, 1, 2], [0, 2, 4]) else None
        )
    if len(set(suits)) == 3:
        return {(0, 0, 0): "mixed_triple_chow", (0, 3, 6): "mixed_straight", (0, 1, 2): "mixed_shifted_chows"}.get(
            tuple(shifts)
        )
    return None


def chow_fan_of_two(one, other):
    """A fan of two chows, or None [5.1c]."""
    distance = abs(rank(one.kind) - rank(other.kind))
    if suit(one.kind) == suit(other.kind):
        return {0: "pure_double_chow", 3: "short_straight", 6: "two_terminal_chows"}.get(distance)
    return "mixed_double_chow" if distance == 0 else None


def pung_fan_of_four(pungs):
    kinds = sorted(each.kind for each in pungs)
    if kinds == list(WINDS):
        return "big_four_winds"
    if kinds[3] < 27 and suit(kinds[0]) == suit(kinds[3]) and kinds == list(range(kinds[0], kinds[0] + 4)):
        return "four_pure_shifted_pungs"
    return None


def pung_fan_of_three(pungs, pair):
    kinds = sorted(each.kind for each in pungs)
    if all(kind in WINDS for kind in kinds):
        return "little_four_winds" if pair in WINDS else "big_three_winds"
    if all(kind in DRAGONS for kind in kinds):
        return "big_three_dragons"
    if any(kind in HONORS for kind in kinds):
        return None
    suits = [suit(kind) for kind in kinds]
    ranks = sorted(rank(kind) for kind in kinds)
    if len(set(suits)) == 1:
        return "pure_shifted_pungs" if ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2] else None
    if len(set(suits)) == 3:
        if len(set(ranks)) == 1:
            return "triple_pung"
        return "mixed_shifted_pungs" if ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2] else None
    return None


def pung_fan_of_two(one, other, pair):
    if one.kind in DRAGONS and other.kind in DRAGONS:
        return None if pair in DRAGONS else "two_dragon_pungs"
    if one.kind < 27 and other.kind < 27 and rank(one.kind) == rank(other.kind):
        return "double_pung"
    return None


def combinations_of(sets, pair, of_four, of_three, of_two, names):
    """
    Every choice of combination fans that account-once allows [5.1], each as counts of fans.

    First a fan of four sets; else one of three, and once the fourth set with one of them; else the
    best forest of fans of two.
    """
    if len(sets) == 4 and (fan := of_four(sets)):
        return [Counter([fan])]
    choices = []
    for triple in combinations(sets, 3):
        if fan := of_three(triple):
            left = list(sets)
            for each in triple:
                left.remove(each)
            partners = [of_two(each, other) for other in left for each in triple]
            choices += [Counter([fan, partner] if partner else [fan]) for partner in [None, *partners]]
    return choices or [best_forest(sets, of_two, names)]


def best_forest(sets, of_two, names):
    """The best fans of two sets without a circle, no set twice for the same fan [5.1c]."""
    edges = [(a, b, fan) for a, b in combinations(range(len(sets)), 2) if (fan := of_two(sets[a], sets[b])) is not None]
    best, best_key = Counter(), None
    for many in range(len(sets)):
        for chosen in combinations(edges, many):
            if not is_forest(chosen, len(sets)) or uses_a_set_twice(chosen):
                continue
            fans = Counter(fan for _, _, fan in chosen)
            key = sum(POINTS[fan] * n for fan, n in fans.items()), tuple(fans[name] for name in names)
            if best_key is None or key > best_key:
                best, best_key = fans, key
    return best


def is_forest(edges, n_nodes):
    """Whether each edge joins two groups of nodes that were apart."""
    group = list(range(n_nodes))
    for a, b, _ in edges:
        if group[a] == group[b]:
            return False
        group = [group[a] if each == group[b] else each for each in group]
    return True


def uses_a_set_twice(edges):
    uses = Counter((place, fan) for a, b, fan in edges for place in (a, b))
    return any(many > 1 for many in uses.values())


def combination_fans(reading):
    """Every choice of the fans of chows and of pungs, as one list of counts."""
    sets, pair = reading.sets, reading.pair
    if reading.form == "knitted_straight":
        return [Counter()]
    chows = [each for each in sets if is_chow(each)]
    pungs = [each for each in sets if is_pung(each)]
    of_chows = combinations_of(
        chows, pair, lambda four: chow_fan_of_four(four, pair), chow_fan_of_three, chow_fan_of_two, TWO_CHOWS
    )
    of_pungs = combinations_of(
        pungs,
        pair,
        pung_fan_of_four,
        lambda three: pung_fan_of_three(three, pair),
        lambda one, other: pung_fan_of_two(one, other, pair),
        TWO_PUNGS,
    )
    return [one + other for one in of_chows for other in of_pungs]


def honor_fans(win, reading):
    """Dragons, the winds of seat and round, and pungs of terminals or honors [5.2, 5.5]."""
    pungs = [each.kind for each in reading.sets if is_pung(each)]
    dragons = [kind for kind in pungs if kind in DRAGONS]
    winds = [kind for kind in pungs if kind in WINDS]
    counted_winds = () if len(winds) >= 3 else [kind for kind in winds if kind not in (win.seat_wind, win.round_wind)]
    found = {
        "dragon_pung": len(dragons),
        "little_three_dragons": len(dragons) == 2 and reading.pair in DRAGONS,
        "prevalent_wind": win.round_wind in winds,
        "seat_wind": win.seat_wind in winds,
        "pung_of_terminals_or_honors": sum(kind in TERMINALS for kind in pungs) + len(counted_winds),
    }
    return {fan: int(many) for fan, many in found.items() if many}


# --- kongs and concealed pungs [5.3, 5.4]


def kong_fans(reading, options):
    kongs = [each for each in reading.sets if each.type == "kong"]
    n_open = sum(each.open for each in kongs)
    if len(kongs) >= 3:
        return {"four_kongs" if len(kongs) == 4 else "three_kongs": 1}
    if (n_open, len(kongs) - n_open) == (1, 1):
        return {"concealed_kong": 1, "melded_kong": 1} if options["mixed_kongs"] == "split" else {"mixed_kongs": 1}
    names = {(2, 0): "two_melded_kongs", (0, 2): "two_concealed_kongs", (1, 0): "melded_kong", (0, 1): "concealed_kong"}
    name = names.get((n_open, len(kongs) - n_open))
    return {name: 1} if name else {}


def concealed_pung_fans(win, reading):
    pungs = [
        each
        for place, each in enumerate(reading.sets)
        if is_pung(each) and not each.open and not (place == reading.role and not win.self_drawn)
    ]
    kongs = [each for each in reading.sets if each.type == "kong"]
    if len(pungs) == 2 and pungs == kongs:
        return {}
    names = {4: "four_concealed_pungs", 3: "three_concealed_pungs", 2: "two_concealed_pungs"}
    return {names[len(pungs)]: 1} if len(pungs) in names else {}


# --- special forms, concealment, waits, context [4, 5.7 - 5.9]


def form_fans(win, reading):
    counts = win.concealed
    if reading.form == "thirteen_orphans":
        return {"thirteen_orphans": 1}
    if reading.form == "seven_pairs":
        pairs = [kind for kind in range(N_KINDS) if counts[kind] == 2]
        shifted = len(pairs) == 7 and pairs[6] == pairs[0] + 6 and pairs[6] < 27 and suit(pairs[0]) == suit(pairs[6])
        return {"seven_pairs": 1, **({"seven_shifted_pairs": 1} if shifted else {})}
    if reading.form == "honors_and_knitted":
        n_honors = sum(counts[kind] for kind in HONORS)
        return {
            "lesser_honors_and_knitted": 1,
            **({"greater_honors_and_knitted": 1} if n_honors == 7 else {}),
            **({"knitted_straight": 1} if n_honors == 5 else {}),
        }
    return {"knitted_straight": 1} if reading.form == "knitted_straight" else {}


def is_nine_gates(win):
    """Whether the thirteen tiles before the winning one were 1112345678999 of a suit."""
    return not win.melds and any(win.before[base : base + 9] == (3, 1, 1, 1, 1, 1, 1, 1, 3) for base in (0, 9, 18))


def context_fans(win, reading):
    concealed = not any(each.open for each in reading.sets)
    found = {
        "self_drawn": win.self_drawn,
        "fully_concealed": concealed and win.self_drawn,
        "concealed_hand": concealed and not win.self_drawn,
        "melded_hand": len(reading.sets) == 4
        and all(each.declared and each.open for each in reading.sets)
        and reading.role == "pair"
        and not win.self_drawn,
        "last_tile_draw": win.self_drawn and win.wall_last,
        "last_tile_claim": not win.self_drawn and win.wall_last,
        "out_with_replacement": win.kong_replacement,
        "robbing_the_kong": win.rob_kong,
        "last_tile": win.fourth_visible or fourth_in_own_melds(win),
        "nine_gates": is_nine_gates(win),
    }
    return {fan: 1 for fan, holds in found.items() if holds}


def fourth_in_own_melds(win):
    """Whether the three other copies lie in the own open melds [2.2]."""
    return sum(win.win in kinds_of(each) for each in win.sets if each.open and is_chow(each)) == 3 or any(
        each.open and each.type == "pung" and each.kind == win.win for each in win.sets
    )


def wait_fan(win, reading, waiting, options):
    """The name of the wait [5.8], or None."""
    if len(waiting) != 1 or reading.role in (None, "body"):
        return None
    if reading.form == "knitted_straight":
        in_body = any(
            win.win in body and all(win.concealed[kind] for kind in body) and sets_fit(win, reading, body)
            for body in KNITTED
        )
        if not options["knitted_waits"] or (in_body and not options["knitted_body_wait"]):
            return None
    if reading.role == "pair":
        return "single_wait"
    completed = reading.sets[reading.role]
    if completed.type != "chow":
        return None
    if win.win == completed.kind + 1:
        return "closed_wait"
    if (rank(completed.kind), win.win - completed.kind) in ((1, 2), (7, 0)):
        return "edge_wait"
    return None


def sets_fit(win, reading, body):
    """Whether this body is the one that the sets and the pair of the reading leave."""
    left = list(win.concealed)
    for each in reading.sets:
        if not each.declared:
            for kind in kinds_of(each):
                left[kind] -= 1
    left[reading.pair] -= 2
    return all(many == (kind in body) for kind, many in enumerate(left))


# --- together


def scored_readings(win, reading, waiting, options):
    """The reading with each choice of combination fans, scored."""
    fans = Counter(tile_fans(win, reading)) + Counter(form_fans(win, reading)) + Counter(context_fans(win, reading))
    choices = [Counter()]
    if reading.sets:
        fans += Counter(set_fans(reading)) + Counter(honor_fans(win, reading)) + Counter(kong_fans(reading, options))
        fans += Counter(concealed_pung_fans(win, reading))
        choices = combination_fans(reading)
    if wait := wait_fan(win, reading, waiting, options):
        fans[wait] += 1
    return [with_fans(reading, fans + choice, win, options) for choice in choices]


def with_fans(reading, fans, win, options):
    """The reading with what is left of the fans when each has removed what it implies, row by row [3]."""
    left, removed = dict(fans), {}
    if options["strict98"] and "seven_pairs" in left:
        for fan in TILE_CLASS_FANS:
            left.pop(fan, None)
    for fan in FANS:
        if fan in left:
            for gone in implied_by(fan, options):
                if left.pop(gone, 0):
                    removed[gone] = fan
            if fan == "nine_gates" and "pung_of_terminals_or_honors" in left:
                left["pung_of_terminals_or_honors"] -= 1  # [5.5, D9]
                if options["nine_gates_absorbs_all_pungs"] or not left["pung_of_terminals_or_honors"]:
                    del left["pung_of_terminals_or_honors"]
    if not left:
        left = {"chicken_hand": 1}
    if win.flowers:
        left["flower"] = win.flowers
    return replace(reading, fans={fan: left[fan] for fan in FANS if fan in left}, removed=removed)


def implied_by(fan, options):
    implied = IMPLIED[fan]
    if not options["kong_with_concealed_pungs"] and fan in ("three_concealed_pungs", "four_concealed_pungs"):
        implied += ("two_concealed_kongs", "concealed_kong")  # [D10]
    if options["strict98"] and fan == "all_terminals":
        implied += ("triple_pung",)
    if options["strict98"] and fan in (
        "big_three_dragons",
        "little_three_dragons",
        "quadruple_chow",
        "four_pure_shifted_pungs",
        "four_pure_shifted_chows",
        "big_three_winds",
    ):
        implied += ("one_voided_suit",)
    return implied


def score(win, **options):
    """
    Return the best of all readings of a winning hand, and all the others.

    Raises
    ------
    NotAWin
        If it has no reading.
    """
    options = {**OPTIONS, **options}
    waiting = waits(win, options)
    every = [scored for each in readings(win) for scored in scored_readings(win, each, waiting, options)]
    if not every:
        raise NotAWin(win)
    every.sort(key=lambda each: each.key, reverse=True)
    extra = every[0].fans.get("mixed_kongs", 0) if options["mixed_kongs"] == "six" else 0
    return Scored(every[0].total + extra, every[0].fans, tuple(every), waiting, win.flowers)
