"""
Seeded makers of winning hands of Chinese Official mahjong in their context, as `reference_mcr.Win`.

Each family builds hands from sets and a pair (or a special form), lays some sets open, picks the
winning tile among the concealed tiles and a context without contradictions.  Together the families
reach every fan of the table.
"""

import random

import MahjongGB
import numpy as np
from reference_mcr import DRAGONS, GREEN, HONORS, KNITTED, N_KINDS, ORPHANS, REVERSIBLE, TERMINALS, WINDS, ZH, Win

import mjcore
from mjcore.score_batch import flags_of

GB_NAMES = (
    [f"{letter}{rank}" for letter in "WTB" for rank in range(1, 10)] + ["J1", "J2", "J3"] + ["F1", "F2", "F3", "F4"]
)
GB_FANS = {zh: fan for fan, zh in ZH.items()} | {
    "独听・边张": "edge_wait",
    "独听・嵌张": "closed_wait",
    "独听・单钓": "single_wait",
}
OPEN_KONGS = ("direct_kong", "added_kong")
MELD_CODES = {"chow": 1, "pung": 2, "direct_kong": 3, "added_kong": 4, "concealed_kong": 5}
BRACKETS = {"direct_kong": "", "added_kong": "+", "concealed_kong": "*"}
FLAGS = ("self_drawn", "wall_last", "kong_replacement", "rob_kong", "fourth_visible")

CHOW_TRIPLES = (
    ((0, 0), (0, 0), (0, 0)),
    ((0, 0), (0, 3), (0, 6)),
    ((0, 0), (0, 1), (0, 2)),
    ((0, 0), (0, 2), (0, 4)),
    ((0, 0), (1, 0), (2, 0)),
    ((0, 0), (1, 3), (2, 6)),
    ((0, 0), (1, 1), (2, 2)),
)
CHOW_FOURS = (
    ((0, 0), (0, 0), (0, 0), (0, 0)),
    ((0, 0), (0, 1), (0, 2), (0, 3)),
    ((0, 0), (0, 2), (0, 4), (0, 6)),
    ((0, 0), (0, 0), (0, 6), (0, 6)),
    ((0, 0), (0, 6), (1, 0), (1, 6)),
)
PUNG_TRIPLES = (((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0)), ((0, 0), (1, 1), (2, 2)))
PUNG_FOURS = (((0, 0), (0, 1), (0, 2), (0, 3)),)


# --- as text and as the peers want it


def hand_text(win, *, with_win=True):
    """Concealed tiles and melds in notation."""
    counts = list(win.concealed if with_win else win.before)
    return " ".join([mjcore.format(mjcore.pack(counts)), *map(meld_text, win.melds)])


def meld_text(meld):
    type, kind = meld
    if type == "chow":
        return "[" + "".join(mjcore.tile_name(kind + place) for place in range(3)) + "]"
    many = 3 if type == "pung" else 4
    return f"[{mjcore.tile_name(kind) * many}{BRACKETS.get(type, '')}]"


def context_of(win):
    """The fields of a context that are not what they are by default."""
    fields = {flag: True for flag in FLAGS if getattr(win, flag)}
    fields |= {name: mjcore.tile_name(getattr(win, name)) for name in ("seat_wind", "round_wind")}
    return fields | ({"flowers": win.flowers} if win.flowers else {})


def arrays(wins, *, waiting=False):
    """The arguments of `batch_score` for hands; waiting ones are without their winning tile."""
    melds = np.zeros((len(wins), 4), np.uint16)
    for row, win in enumerate(wins):
        for place, (type, kind) in enumerate(win.melds):
            melds[row, place] = kind | MELD_CODES[type] << 6
    return {
        "hands": np.array([win.before if waiting else win.concealed for win in wins], np.uint8),
        "win_tile": np.array([win.win for win in wins], np.uint8),
        "melds": melds,
        "flags": flags_of(**{name: np.array([getattr(win, name) for win in wins]) for name in FLAGS}),
        "seat_wind": np.array([win.seat_wind for win in wins], np.uint8),
        "round_wind": np.array([win.round_wind for win in wins], np.uint8),
        "flowers": np.array([win.flowers for win in wins], np.uint8),
    }


def described(win):
    """The whole case in one line, for a message."""
    fields = ", ".join(f"{name}={value}" for name, value in context_of(win).items())
    return f"{hand_text(win, with_win=False)} + {mjcore.tile_name(win.win)} ({fields})"


def gb_melds(win):
    packs = []
    for type, kind in win.melds:
        if type == "chow":
            packs.append(("CHI", GB_NAMES[kind + 1], 1))
        else:
            packs.append(("PENG" if type == "pung" else "GANG", GB_NAMES[kind], 0 if type == "concealed_kong" else 1))
    return tuple(packs)


def gb_score(win):
    """Total and counts of fans of PyMahjongGB, the fans by the ids of the table."""
    fans = MahjongGB.MahjongFanCalculator(*gb_arguments(win))
    counts = {}
    for _, many, name, _ in fans:
        counts[GB_FANS[name]] = counts.get(GB_FANS[name], 0) + many
    return sum(points * many for points, many, _, _ in fans), counts


def gb_arguments(win):
    """The arguments of its calculator."""
    return (
        gb_melds(win),
        tuple(GB_NAMES[kind] for kind, many in enumerate(win.before) for _ in range(many)),
        GB_NAMES[win.win],
        win.flowers,
        win.self_drawn,
        win.fourth_visible,
        win.kong_replacement or win.rob_kong,
        win.wall_last,
        win.seat_wind - 30,
        win.round_wind - 30,
        True,
    )


# --- the parts of a hand


class Dealer:
    """Hands from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, share):
        return self.random.random() < share

    def random_set(self, kinds=range(N_KINDS), chows=0.6):
        """A chow or a pung whose tiles are all among the kinds."""
        starts = [kind for kind in kinds if kind < 27 and kind % 9 <= 6 and kind + 1 in kinds and kind + 2 in kinds]
        if starts and self.chance(chows):
            return ("chow", self.random.choice(starts))
        return ("pung", self.random.choice(list(kinds)))

    def template(self, type, places, top):
        """Sets of a type from (suit, rank) pairs: suits permuted, ranks moved up as far as they go."""
        suits = self.random.sample(range(3), 3)
        shift = self.random.randint(0, top - max(rank for _, rank in places))
        return [(type, 9 * suits[suit] + rank + shift) for suit, rank in places]

    def pool(self, name):
        """The kinds that a family takes its sets from."""
        suits = self.random.sample(range(3), 3)
        of = lambda suit, low, high: list(range(9 * suit + low - 1, 9 * suit + high))  # noqa: E731
        low, high = {
            "upper": (7, 9),
            "middle": (4, 6),
            "lower": (1, 3),
            "upper_four": (6, 9),
            "lower_four": (1, 4),
        }.get(name, (1, 9))
        if name == "flush":
            return of(suits[0], 1, 9)
        if name == "half_flush":
            return of(suits[0], 1, 9) + list(HONORS)
        if name == "two_suits":
            return of(suits[0], 1, 9) + of(suits[1], 1, 9)
        if name == "few":
            return of(suits[0], 1, 5) + of(suits[1], 3, 7)
        if name in ("green", "reversible", "terminals", "honors", "winds", "dragons"):
            return list(
                {
                    "green": GREEN,
                    "reversible": REVERSIBLE,
                    "terminals": TERMINALS,
                    "honors": HONORS,
                    "winds": (*WINDS, *of(suits[0], 1, 9)),
                    "dragons": (*DRAGONS, *of(suits[0], 1, 9)),
                }[name]
            )
        if name == "orphans":
            return list(ORPHANS)
        if name == "even":
            return [kind for kind in range(27) if kind % 9 % 2 == 1]
        if name == "simples":
            return [kind for kind in range(27) if 0 < kind % 9 < 8]
        return [kind for suit in range(3) for kind in of(suit, low, high)] + (list(HONORS) if name == "plain" else [])

    # --- hands

    def finish(self, sets, pair, *, melded=None, kongs=0.1, concealed_share=0.3, extra=()):
        """
        A hand of sets, a pair and further tiles, with some of the sets declared; None when it has a fifth copy.

        The winning tile is one of the concealed ones, the context one that does not contradict itself.
        """
        kinds = [kind + place for type, kind in sets for place in ((0, 1, 2) if type == "chow" else (0, 0, 0))]
        counts = [0] * N_KINDS
        for kind in [*kinds, *([pair, pair] if pair is not None else []), *extra]:
            counts[kind] += 1
        if max(counts) > 4:
            return None
        n_melds = self.random.choice((0, 0, 1, 1, 2, 2, 3, 3, 4)) if melded is None else melded
        declared = set(self.random.sample(range(len(sets)), min(n_melds, len(sets))))
        melds, concealed = [], list(counts)
        for place, (type, kind) in enumerate(sets):
            if place in declared:
                tiles = (0, 1, 2) if type == "chow" else (0, 0, 0)
                for step in tiles:
                    concealed[kind + step] -= 1
                if type == "pung" and counts[kind] == 3 and self.chance(kongs):
                    melds.append((self.kong_type(concealed_share), kind))
                else:
                    melds.append((type, kind))
        return self.in_context(concealed, melds)

    def kong_type(self, concealed_share):
        return "concealed_kong" if self.chance(concealed_share) else self.random.choice(OPEN_KONGS)

    def in_context(self, concealed, melds, win=None):
        if win is None:
            win = self.random.choice([kind for kind, many in enumerate(concealed) for _ in range(many)])
        self_drawn = self.chance(0.4)
        wall_last = self.chance(0.1)
        own = concealed[win] - 1
        melded = sum(
            1 if type == "chow" else 3
            for type, kind in melds
            if win in (range(kind, kind + 3) if type == "chow" else (kind,))
        )
        has_kong = any("kong" in type for type, _ in melds)
        kong_replacement = self_drawn and has_kong and self.chance(0.3)
        rob_kong = not self_drawn and not wall_last and own + melded == 0 and self.chance(0.1)
        return Win(
            tuple(concealed),
            tuple(melds),
            win,
            self_drawn=self_drawn,
            wall_last=wall_last,
            kong_replacement=kong_replacement,
            rob_kong=rob_kong,
            fourth_visible=own == 0 and self.chance(0.15),
            seat_wind=self.random.choice(WINDS),
            round_wind=self.random.choice(WINDS),
            flowers=self.random.randint(1, 8) if self.chance(0.1) else 0,
        )

    def from_pool(self, name, chows=0.6):
        pool = self.pool(name)
        sets = [self.random_set(pool, chows) for _ in range(4)]
        return self.finish(sets, self.random.choice(pool))

    def from_template(self, type, choices, top):
        """Sets of a named combination, the rest at random."""
        sets = self.template(type, self.random.choice(choices), top)
        base = 9 * (sets[0][1] // 9)
        pool = range(base, base + 9) if self.chance(0.4) else range(N_KINDS)
        while len(sets) < 4:
            sets.append(self.random_set(pool, 0.8 if type == "chow" else 0.3))
        return self.finish(sets, self.random.choice(list(pool)))

    def double_dragon(self):
        suits = self.random.sample(range(3), 3)
        if self.chance(0.5):
            chows, pair = [9 * suits[0], 9 * suits[0], 9 * suits[0] + 6, 9 * suits[0] + 6], 9 * suits[0] + 4
        else:
            chows = [9 * suit + rank for suit in suits[:2] for rank in (0, 6)]
            pair = 9 * suits[2] + 4 if self.chance(0.7) else self.random.randrange(N_KINDS)
        return self.finish([("chow", start) for start in chows], pair)

    def fives(self):
        sets = []
        for _ in range(4):
            base = 9 * self.random.randrange(3)
            sets.append(("chow", base + self.random.choice((2, 3, 4))) if self.chance(0.8) else ("pung", base + 4))
        return self.finish(sets, 9 * self.random.randrange(3) + 4)

    def outside(self):
        sets = []
        for _ in range(4):
            if self.chance(0.6):
                sets.append(("chow", 9 * self.random.randrange(3) + self.random.choice((0, 6))))
            else:
                sets.append(("pung", self.random.choice(ORPHANS)))
        return self.finish(sets, self.random.choice(ORPHANS))

    def honor_sets(self):
        """Three or four sets of winds, or two or three of dragons, with what is left at random."""
        group = self.random.choice((WINDS, WINDS, DRAGONS))
        many = self.random.choice((3, 4) if group == WINDS else (2, 3))
        chosen = self.random.sample(group, many)
        sets = [("pung", kind) for kind in chosen]
        base = 9 * self.random.randrange(3)
        pool = self.random.choice((list(range(base, base + 9)), list(HONORS), list(range(N_KINDS))))
        while len(sets) < 4:
            sets.append(self.random_set(pool, 0.5))
        left = [kind for kind in group if kind not in chosen]
        return self.finish(sets, self.random.choice(left if left and self.chance(0.5) else pool))

    def kong_hand(self):
        pool = self.pool(self.random.choice(("plain", "two_suits", "half_flush", "orphans", "winds")))
        many = self.random.choice((2, 2, 3, 3, 4))
        sets = [self.random_set(pool, 0.0 if place < many else 0.6) for place in range(4)]
        return self.finish(
            sets,
            self.random.choice(pool),
            melded=self.random.randint(many, 4),
            kongs=1.0,
            concealed_share=self.random.choice((0.2, 0.5, 0.9)),
        )

    def pungs(self):
        pool = self.pool(self.random.choice(("plain", "two_suits", "simples", "terminals", "flush", "even")))
        sets = [self.random_set(pool, 0.05) for _ in range(4)]
        return self.finish(
            sets, self.random.choice(pool), melded=self.random.choice((0, 0, 0, 1, 2)), kongs=0.4, concealed_share=0.6
        )

    def chicken(self):
        """Near to a hand without any fan: three suits, chows that do not go together, one pung, an honor pair."""
        suits = self.random.sample(range(3), 3)
        starts = self.random.sample(range(7), 3)
        sets = [("chow", 9 * suit + start) for suit, start in zip(suits, starts, strict=True)]
        sets.append(("pung", 9 * self.random.randrange(3) + self.random.randint(1, 7)))
        win = self.finish(sets, self.random.choice(HONORS), melded=self.random.choice((1, 2, 3)), kongs=0.0)
        if win is None or self.chance(0.3):
            return win
        return Win(
            win.concealed, win.melds, win.win, seat_wind=win.seat_wind, round_wind=win.round_wind, flowers=win.flowers
        )

    def melded(self):
        pool = self.pool(self.random.choice(("plain", "two_suits", "simples")))
        return self.finish([self.random_set(pool) for _ in range(4)], self.random.choice(pool), melded=4)

    def seven_pairs(self):
        name = self.random.choice(
            (
                "plain",
                "flush",
                "half_flush",
                "two_suits",
                "green",
                "reversible",
                "honors",
                "terminals",
                "orphans",
                "upper",
                "middle",
                "lower",
                "upper_four",
                "lower_four",
            )
        )
        pool = self.pool(name)
        pairs = [self.random.choice(pool) for _ in range(7)]
        counts = [2 * pairs.count(kind) for kind in range(N_KINDS)]
        return self.in_context(counts, ()) if max(counts) <= 4 else None

    def seven_shifted_pairs(self):
        first = 9 * self.random.randrange(3) + self.random.randrange(3)
        return self.in_context([2 * (first <= kind < first + 7) for kind in range(N_KINDS)], ())

    def thirteen_orphans(self):
        twice = self.random.choice(ORPHANS)
        return self.in_context([(kind in ORPHANS) + (kind == twice) for kind in range(N_KINDS)], ())

    def nine_gates(self):
        base, win = 9 * self.random.randrange(3), self.random.randrange(9)
        counts = [0] * N_KINDS
        counts[base : base + 9] = [3, 1, 1, 1, 1, 1, 1, 1, 3]
        counts[base + win] += 1
        fits = [base + place for place in range(9) if counts[base + place] > (3 if place in (0, 8) else 1)]
        return self.in_context(counts, (), self.random.choice(fits) if self.chance(0.7) else None)

    def honors_and_knitted(self):
        n_honors = self.random.choice((5, 6, 7))
        kinds = self.random.sample(HONORS, n_honors) + self.random.sample(self.random.choice(KNITTED), 14 - n_honors)
        return self.in_context([int(kind in kinds) for kind in range(N_KINDS)], ())

    def knitted_straight(self):
        body = self.random.choice(KNITTED)
        pool = self.random.choice((body, range(N_KINDS), range(N_KINDS), HONORS))
        return self.finish(
            [self.random_set(range(N_KINDS))],
            self.random.choice(pool),
            melded=self.random.choice((0, 0, 1)),
            kongs=0.3,
            extra=body,
        )


POOLS = (
    "plain",
    "suits",
    "flush",
    "half_flush",
    "two_suits",
    "few",
    "green",
    "reversible",
    "terminals",
    "honors",
    "orphans",
    "winds",
    "dragons",
    "even",
    "simples",
    "upper",
    "middle",
    "lower",
    "upper_four",
    "lower_four",
)

# a maker and how often it is called among the others
FAMILIES = {
    **{
        name: (lambda dealer, name=name: dealer.from_pool(name), 40 if name in ("plain", "suits") else 10)
        for name in POOLS
    },
    "chow_triples": (lambda dealer: dealer.from_template("chow", CHOW_TRIPLES, 6), 60),
    "chow_fours": (lambda dealer: dealer.from_template("chow", CHOW_FOURS[:3], 6), 15),
    "pung_triples": (lambda dealer: dealer.from_template("pung", PUNG_TRIPLES, 8), 30),
    "pung_fours": (lambda dealer: dealer.from_template("pung", PUNG_FOURS, 8), 10),
    "double_dragon": (Dealer.double_dragon, 10),
    "fives": (Dealer.fives, 15),
    "outside": (Dealer.outside, 15),
    "honor_sets": (Dealer.honor_sets, 20),
    "kong_hand": (Dealer.kong_hand, 30),
    "pungs": (Dealer.pungs, 30),
    "chicken": (Dealer.chicken, 30),
    "melded": (Dealer.melded, 15),
    "seven_pairs": (Dealer.seven_pairs, 30),
    "seven_shifted_pairs": (Dealer.seven_shifted_pairs, 3),
    "thirteen_orphans": (Dealer.thirteen_orphans, 5),
    "nine_gates": (Dealer.nine_gates, 10),
    "honors_and_knitted": (Dealer.honors_and_knitted, 15),
    "knitted_straight": (Dealer.knitted_straight, 40),
}


def winning_hands(seed, n, families=tuple(FAMILIES)):
    """Make `n` hands, of each family as many as its weight says, in random order."""
    dealer = Dealer(seed)
    weights = [FAMILIES[name][1] for name in families]
    made = 0
    while made < n:
        win = FAMILIES[dealer.random.choices(families, weights)[0]][0](dealer)
        if win is not None:
            made += 1
            yield win
