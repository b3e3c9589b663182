"""Hand quality and ranked discards: formulas against a transcription of their own, rules, traps, laws, errors."""

import json
import pickle
import random
from math import log2

import numpy as np
import pytest
import reference_quality as reference
from families import vecs, wall_hands, winning_hands

import mjcore
from mjcore import Hand, InvalidHandError, Meld, batch, quality_batch
from mjcore.advice import ArticleWeights, DiscardRanking, RatedDiscard
from mjcore.quality import MODES, Survival, Target, default_targets, load_targets, read_targets
from mjcore.score_batch import BAD_HAND, BAD_MELD

N_KINDS = 34


def tiles(text):
    return mjcore.unpack(mjcore.parse(text))


def named(kinds):
    return [mjcore.tile_name(kind) for kind in kinds]


# --- random positions --------------------------------------------------------------------------


class Position:
    """A hand with melds, rivers and visible tiles, no kind above four over all of them."""

    def __init__(self, rng, size, ready):
        while not self._deal(rng, size, ready):
            pass

    def _deal(self, rng, size, ready):
        n_melds = rng.choice((0, 0, 1, 2, 3, 4))
        self.melds = []
        left = [4] * N_KINDS
        for _ in range(n_melds):
            self.melds.append(random_meld(rng))
        for kind, n in enumerate(reference.melded_counts(self.melds)):
            left[kind] -= n
        if min(left) < 0:
            return False
        concealed = size - 3 * n_melds
        if ready:
            seed = np.random.default_rng(rng.getrandbits(32))
            pool = rng.choice((range(N_KINDS), range(9), (*range(9, 18), *range(27, 34)), range(27, 34)))
            if len(pool) == 7 and concealed > 5:
                pool = (0, 8, 9, 17, 18, 26, *range(27, 34))
            counts = [int(n) for n in winning_hands(seed, 1, (14 - 3 * n_melds) // 3, pool)[0]]
            if size == 13:
                counts[rng.choice([kind for kind in range(N_KINDS) if counts[kind]])] -= 1
            elif rng.random() < 0.7:
                counts[rng.choice([kind for kind in range(N_KINDS) if counts[kind]])] -= 1
                counts[rng.randrange(N_KINDS)] += 1
        else:
            wall = [kind for kind in range(N_KINDS) for _ in range(left[kind])]
            counts = [0] * N_KINDS
            for kind in rng.sample(wall, concealed):
                counts[kind] += 1
        self.counts = counts
        left = [n - own for n, own in zip(left, counts, strict=True)]
        if min(left) < 0 or max(counts) > 4:
            return False
        wall = [kind for kind in range(N_KINDS) for _ in range(left[kind])]
        rng.shuffle(wall)
        near = [kind for kind in wall if kind < 18] if rng.random() < 0.5 else wall
        self.rivers = []
        for _ in range(3):
            n = rng.choice((0, 1, 2, 3, 6, 10))
            self.rivers.append(near[:n])
            near = near[n:]
        self.visible = [0] * N_KINDS
        for kind in near[: rng.choice((0, 5, 15))]:
            self.visible[kind] += 1
        return True

    @property
    def hand(self):
        return Hand(mjcore.pack(self.counts), melds=[make_meld(*meld) for meld in self.melds])

    def options(self):
        return {"rivers": self.rivers, "visible": mjcore.pack(self.visible)}

    def __repr__(self):
        rivers = [named(river) for river in self.rivers]
        return f"{self.hand} rivers {rivers} visible {mjcore.format(mjcore.pack(self.visible))}"


def random_meld(rng):
    name = rng.choice(("chow", "pung", "kong"))
    if name == "chow":
        kind = rng.choice([kind for kind in range(27) if kind % 9 <= 6])
        return name, (kind, kind + 1, kind + 2)
    kind = rng.randrange(N_KINDS)
    return name, (kind,) * (4 if name == "kong" else 3)


def make_meld(name, kinds):
    return {"chow": Meld.chow, "pung": Meld.pung, "kong": Meld.kong}[name](kinds[0])


def positions(seed, n, size):
    rng = random.Random(seed)
    return [Position(rng, size, i % 2 == 0) for i in range(n)]


WAITING = positions(1, 500, 13)
DISCARDING = positions(2, 120, 14)
TABLE = mjcore.DangerTable.default()


def assert_quality(answer, want, position):
    for name in ("quality", "entropy", "entropy_raw", "entropy_norm", "expected_live", "coverage"):
        assert getattr(answer, name) == pytest.approx(want[name], abs=1e-12), (name, position)
    assert list(answer.progress) == pytest.approx(want["progress"], abs=1e-12), position
    waits = [(wait.kind, wait.survival, wait.live) for wait in answer.waits]
    assert waits == want["waits"], position


# --- against the transcription -----------------------------------------------------------------


def test_evaluate_equals_the_transcription():
    n_waiting = 0
    for i, position in enumerate(WAITING):
        alpha = (0.7, 0.3, 0, 1, 0.55)[i % 5]
        answer = mjcore.evaluate(position.hand, alpha=alpha, **position.options())
        want = reference.evaluate(position.counts, position.melds, position.rivers, position.visible, alpha)
        assert_quality(answer, want, position)
        assert answer.discard is None
        assert 0 <= answer.quality <= 1
        n_waiting += bool(want["waits"])
    assert n_waiting > 150


def test_positions_reach_every_rule_of_survival():
    rules = {wait.rule for position in WAITING for wait in mjcore.evaluate(position.hand, **position.options()).waits}
    assert rules == set(Survival._fields[:4])


def test_a_hand_with_a_tile_too_many_is_taken_after_its_best_discard():
    n_complete = 0
    for position in DISCARDING:
        answer = mjcore.evaluate(position.hand, **position.options())
        if mjcore.is_hu(position.hand):
            want = reference.evaluate(position.counts, position.melds, position.rivers, position.visible)
            assert_quality(answer, want, position)
            assert (answer.discard, answer.shanten, answer.waits) == (None, -1, ())
            n_complete += 1
            continue
        options = reference.evaluate_best(
            position.counts, position.melds, position.rivers, position.visible, MODES["learning"]
        )
        best = max(want["quality"] for want in options.values())
        assert_quality(answer, options[answer.discard], position)
        assert answer.quality == pytest.approx(best, abs=1e-12)
    assert n_complete > 5


@pytest.mark.slow
def test_ranked_discards_equal_the_transcription():
    rows = TABLE.rows()
    for i, position in enumerate(DISCARDING[:60]):
        weight, before = (5, 0, 12.5)[i % 3], (0, 1, 3)[i % 3]
        want = reference.discards(
            position.counts, position.melds, position.rivers, position.visible, rows, weight, before
        )
        for policy in ("article", "efficiency"):
            ranking = mjcore.rank_discards(
                position.hand, policy=policy, danger_weight=weight, waits_before=before, **position.options()
            )
            for row in ranking:
                expected = want[row.kind]
                for name in ("base", "danger", "gain", "score"):
                    assert getattr(row, name) == pytest.approx(expected[name], abs=1e-12), (name, position)
                assert (row.shanten, row.waits) == (expected["shanten"], expected["waits"]), position
                assert dict(row.useful) == expected["useful"], position
                assert row.live == sum(expected["useful"].values())
                assert row.win is None
            # danger is summed in another order there: only scores that differ by more than rounding count
            kinds = ranking.kinds()
            rounded = {kind: {**row, "score": round(row["score"], 9)} for kind, row in want.items()}
            assert kinds == reference.order(rounded, policy), position


def test_melds_that_use_up_copies_change_what_is_useful():
    """Hands of few kinds, whose melds share kinds with the tiles."""
    rng = random.Random(11)
    n_tight = 0
    for _ in range(1500):
        base = rng.choice((0, 9, 18))
        pool = [base + rng.randrange(5) + i for i in range(5)] + [rng.randrange(27, 34)]
        wall = [kind for kind in set(pool) for _ in range(4)]
        rng.shuffle(wall)
        kong = wall[0]
        name = rng.choice(("pung", "kong"))
        melds = [(name, (kong,) * (4 if name == "kong" else 3))]
        if kong < 27 and kong % 9 < 7 and rng.random() < 0.5:
            melds = [("chow", (kong, kong + 1, kong + 2))]
        left = [4] * N_KINDS
        for kind, n in enumerate(reference.melded_counts(melds)):
            left[kind] -= n
        counts = [0] * N_KINDS
        for kind in wall:
            if sum(counts) < 11 and counts[kind] < left[kind]:
                counts[kind] += 1
        if sum(counts) < 11:
            continue
        hand = Hand(mjcore.pack(counts), melds=[make_meld(*meld) for meld in melds])
        rows = mjcore.rank_discards(hand).by_kind()
        for kind, live in mjcore.discards(hand).items():
            assert (rows[kind].shanten, dict(rows[kind].useful)) == (live.shanten, dict(live)), hand
            after = mjcore.evaluate(hand.discard(kind))
            assert (after.shanten, after.useful.kinds) == (live.shanten, live.kinds), hand
            plain = mjcore.shanten(hand.discard(kind).concealed)
            n_tight += plain != live.shanten
    assert n_tight > 20


# --- survival ----------------------------------------------------------------------------------

TWO_SIDED = "23m EE [456p] [789s] [234s]"  # waits for 1m and 4m
HONOR_PAIRS = "EE CC [456p] [789s] [234s]"  # waits for E and C
NO_RIVERS = ("", "", "")


@pytest.mark.parametrize(
    ("hand", "wait", "rivers", "rule"),
    [
        (TWO_SIDED, "4m", None, "otherwise"),
        (TWO_SIDED, "4m", NO_RIVERS, "otherwise"),
        (TWO_SIDED, "4m", ("4m", "", ""), "otherwise"),
        (TWO_SIDED, "4m", ("4m4m", "", ""), "discarded_twice"),
        (TWO_SIDED, "4m", ("4m", "", "4m"), "discarded_twice"),
        (TWO_SIDED, "4m", ("4mESWN", "4mESW", ""), "discarded_twice"),  # however long ago
        (TWO_SIDED, "4m", ("", "5m", ""), "neighbor_discarded"),
        (TWO_SIDED, "4m", ("", "", "3m"), "neighbor_discarded"),
        (TWO_SIDED, "4m", ("", "5mE", ""), "neighbor_discarded"),
        (TWO_SIDED, "4m", ("", "5mES", ""), "otherwise"),  # three rounds ago
        (TWO_SIDED, "4m", ("6m", "2m", "5s"), "otherwise"),  # no neighbours
        (TWO_SIDED, "4m", ("4m4m5m", "", ""), "discarded_twice"),  # the first rule wins
        (TWO_SIDED, "1m", ("9s", "", ""), "otherwise"),  # the kind before 1m is none of its suit
        (TWO_SIDED, "1m", ("2m", "", ""), "neighbor_discarded"),
        ("78s EE [456p] [789m] [234s]", "9s", ("1p", "", ""), "otherwise"),  # the kind after 9s is another suit
        ("78p EE [456p] [789m] [234s]", "9p", ("C", "", ""), "otherwise"),  # nor is the first honor after 9p
        (HONOR_PAIRS, "C", None, "honor_not_discarded"),
        (HONOR_PAIRS, "C", ("9pF", "E", ""), "honor_not_discarded"),
        (HONOR_PAIRS, "C", ("C", "", ""), "otherwise"),
        (HONOR_PAIRS, "E", ("E", "C", ""), "otherwise"),
    ],
)
def test_survival_rule(hand, wait, rivers, rule):
    answer = mjcore.evaluate(hand, rivers=rivers)
    found = {wait.kind: wait for wait in answer.waits}[mjcore.kind_of(wait)]
    assert found.rule == rule
    chances = {
        "discarded_twice": 0.10,
        "neighbor_discarded": 0.30,
        "honor_not_discarded": 0.95,
        "otherwise": 0.70,
    }
    assert found.survival == chances[rule]


def test_survival_chances_are_parameters():
    survival = Survival(otherwise=0.5, times=1, recent=3)
    answer = mjcore.evaluate(TWO_SIDED, rivers=("", "5mES", "1m"), survival=survival)
    assert [(wait.rule, wait.survival) for wait in answer.waits] == [
        ("discarded_twice", 0.1),
        ("neighbor_discarded", 0.3),
    ]
    assert mjcore.evaluate(TWO_SIDED, survival=survival).waits[0].survival == 0.5
    nothing = Survival(0, 0, 0, 0)
    answer = mjcore.evaluate(TWO_SIDED, survival=nothing)
    assert (answer.entropy, answer.entropy_raw, answer.expected_live) == (0, 0, 0)


# --- entropy -----------------------------------------------------------------------------------


def test_the_examples_of_the_article():
    two = mjcore.evaluate(HONOR_PAIRS)
    assert two.entropy == pytest.approx(1)
    assert two.entropy_raw == pytest.approx(-2 * 0.95 * log2(0.95))
    four = mjcore.evaluate("1112223m [456p] [789s]")
    assert len(four.waits) == 4
    assert four.entropy == pytest.approx(2)
    assert four.entropy_raw == pytest.approx(1.44, abs=0.005)
    one = mjcore.evaluate("13m EE [456p] [789s] [234s]")
    assert (one.entropy, len(one.waits)) == (0, 1)


def test_one_wait_more_may_lower_the_entropy():
    """A spread is measured: no one may take it for strength."""
    assert reference.entropies([0.1, 0.1])[0] == pytest.approx(1)
    assert reference.entropies([0.1, 0.1, 0.95])[0] == pytest.approx(0.84, abs=0.005)


def test_thirteen_waits_are_the_most():
    answer = mjcore.evaluate("19m19s19pCFPESWN")
    assert len(answer.waits) == 13
    assert answer.entropy_norm == pytest.approx(reference.entropies([0.7] * 6 + [0.95] * 7)[2])
    even = mjcore.evaluate("19m19s19pCFPESWN", survival=Survival(honor_not_discarded=0.7))
    assert even.entropy_norm == pytest.approx(1)
    assert even.entropy_norm <= 1
    assert answer.useful.total == 39


def test_a_wait_for_a_fifth_copy_is_none():
    answer = mjcore.evaluate("123456789mEEEE")
    assert (answer.shanten, answer.waits, answer.entropy) == (1, (), 0)


def test_waits_without_a_live_copy_do_not_count():
    answer = mjcore.evaluate(TWO_SIDED, rivers=("1111m", "", ""))
    assert [wait.kind for wait in answer.waits] == [3]
    assert mjcore.evaluate(TWO_SIDED, visible="1111m4444m").waits == ()
    assert mjcore.evaluate(TWO_SIDED, visible="1111m", rivers=("44m", "44m", "")).shanten == 0


# --- coverage, quality -------------------------------------------------------------------------


def progress_of(hand, name):
    return {part.target.name: part.progress for part in mjcore.evaluate(hand).parts}[name]


@pytest.mark.parametrize(
    ("hand", "name", "progress"),
    [
        ("1112345678999m", "full flush", 13 / 14),
        ("1112345678m [999s]", "full flush", 3 / 14),
        ("1112345678m [999m]", "full flush", 13 / 14),
        ("1112345678m [9999m]", "full flush", 13 / 14),  # a kong counts as three
        ("1112345678m [EEE]", "full flush", 0),
        ("1112345678m [EEE]", "half flush", 13 / 14),
        ("1112345m [123s] [EEE]", "half flush", 6 / 14),
        ("1112m [123s] [123p] [EEE]", "half flush", 0),
        ("11m 22m 33m 4444m 55m 6m", "seven pairs", 6 / 7),
        ("1111m 22m 3m [EEE] [SSS]", "seven pairs", 0),
        ("111m 222s 333p EEE S", "all pungs", 8 / 9),
        ("1111m 222s 333p EE S", "all pungs", 7 / 9),
        ("1122334455667m", "all pungs", 6 / 9),
        ("11m 22s 3p SW [CCC] [EEEE]", "all pungs", 6 / 9),
        ("11m 22s 3p SS [123m] [EEEE]", "all pungs", 0),
        ("1234567m [789m] [EEE]", "pure straight", 1),
        ("123m 456s 789p EEES", "mixed straight", 1),
        ("12m 12s 12p 3s EEE SSS", "mixed triple chow", 7 / 9),
        ("19m 19s 19p CFPESWN", "all terminals and honors", 13 / 14),
        ("19m 19s 19p C [EEE] [123m]", "all terminals and honors", 0),
        ("19m 19s 19p C [EEE] [222m]", "all terminals and honors", 0),
        ("1m 19s 19p CF [EEE] [9999m]", "all terminals and honors", 13 / 14),
        ("19m 19s 19p C [EEE] [123m]", "outside hand", 13 / 14),
        ("19m 19s 19p C [EEE] [234m]", "outside hand", 0),
        ("19m 19s 19p C [EEE] [333m]", "outside hand", 0),
        ("CCCC FF P 123456m", "big three dragons", 6 / 9),
        ("1m [CCCC] [FFF] [PPP] [123m]", "big three dragons", 1),
        ("EEEE SS W 123456m", "big four winds", 6 / 12),
        ("19m 19s 19p CFPESWN", "thirteen orphans", 1),
        ("19m 19s 19p CFPE [SSS]", "thirteen orphans", 0),
    ],
)
def test_target(hand, name, progress):
    assert progress_of(hand, name) == pytest.approx(progress)


def test_targets_are_data():
    rows = default_targets().rows
    assert [target.weight for target in rows] == [24, 24, 6, 6, 16, 8, 8, 32, 4, 88, 88, 88]
    own = read_targets([{"name": "little", "zh": "小", "weight": 2, "measure": "tiles", "sets": ["12m", "E"]}])
    assert mjcore.evaluate("1122m EEE [456p] [789s]", targets=own, alpha=0).quality == pytest.approx(4 / 14)
    assert pickle.loads(pickle.dumps(own)) == own
    assert hash(own) == hash(read_targets(own.rows))


def test_targets_from_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[[target]]\nname = "pairs"\nzh = "对"\nweight = 1\nmeasure = "pairs"\n', encoding="utf-8")
    assert load_targets(path).rows == (Target("pairs", "对", 1, "pairs"),)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"measure": "beauty"}, "target 'x': expected one of tiles, kinds, copies, pairs, pungs, got 'beauty'"),
        ({"melds": "some"}, "target 'x': expected one of any, none"),
        ({"weight": 0}, "target 'x': expected a weight above 0 and below 1e\\+09, got 0"),
        ({"sets": []}, "target 'x': expected sets of tiles for 'tiles', got 0"),
        ({"sets": ["1m", ""]}, "target 'x': expected tiles in every set"),
        ({"sets": "12m"}, "target 'x': expected a list of sets"),
        ({"measure": "pairs"}, "target 'x': expected no sets for 'pairs', got 1"),
        ({"colour": "red"}, "target 0: expected the fields of Target"),
        ({"weight": "5"}, "target 'x': expected a number for weight, got '5'"),
        ({"sets": 5}, "target 'x': expected a list of sets for sets, got 5"),
        ({"sets": [5]}, "target 'x': expected kinds in every set, expected kinds or text, got int"),
        ({"sets": ["1q"]}, "target 'x': expected kinds in every set, "),
        ({"sets": ["1m"] * 257}, "target 'x': expected at most 256 sets of all targets together, got 257"),
        ({"name": None}, "target None: expected text for name and zh"),
    ],
)
def test_bad_target(change, problem):
    row = {"name": "x", "zh": "x", "weight": 1, "measure": "tiles", "sets": ["1m"], **change}
    with pytest.raises(ValueError, match=problem):
        read_targets([row])


def test_modes():
    learning = mjcore.evaluate(TWO_SIDED)
    competitive = mjcore.evaluate(TWO_SIDED, mode="competitive")
    assert (learning.mode, learning.alpha, competitive.alpha, competitive.beta) == ("learning", 0.7, 0.3, 0.7)
    assert learning.quality == pytest.approx(0.7 * learning.entropy_norm + 0.3 * learning.coverage)
    assert float(mjcore.evaluate(TWO_SIDED, alpha=1)) == learning.entropy_norm
    assert mjcore.evaluate(TWO_SIDED, alpha=0).mode is None
    for options in ({"mode": "fast"}, {"alpha": 1.01}, {"alpha": -0.1}, {"alpha": float("nan")}, {"mode": []}):
        with pytest.raises(ValueError, match="expected a"):
            mjcore.evaluate(TWO_SIDED, **options)
    with pytest.raises(TypeError, match="expected a number for alpha, got True"):
        mjcore.evaluate(TWO_SIDED, alpha=True)
    with pytest.raises(ValueError, match="expected mode or alpha, got both"):
        mjcore.evaluate(TWO_SIDED, mode="learning", alpha=0.5)


def test_melds_may_stand_beside_the_tiles():
    assert mjcore.evaluate("23mEE", melds=["456p", Meld("[789s]"), "234s"]) == mjcore.evaluate(TWO_SIDED)


# --- discards ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "kind", "base"),
    [
        ("5m EE 789s 456p 234s 11m", "5m", 0),
        ("55m EE 789s 456p 234s 1m", "5m", 2),
        ("456m EE 789s 456p 234s", "5m", 3),
        ("345m EE 789s 456p 234s", "5m", 2),
        ("567m EE 789s 456p 234s", "5m", 2),
        ("3455667m 789s 456p E", "5m", 2 + 3 + 2 + 2),
        ("19m EE 789s 456p 234s 1s", "1m", 1),
        ("19m EE 789s 456p 234s 1s", "9m", 1),
        ("9m1s EE 789s 456p 234s 5p", "9m", 0),  # the next kind is another suit
        ("89m EE 789s 456p 234s 5p", "9m", 0),
        ("789m EE 789s 456p 23s 5p", "9m", 2),
        ("E 123m 789s 456p 234s C", "E", 1),
        ("E 123m 789s 456p 2344s", "E", 0),
        ("EE 123m 789s 456p 234s", "E", 2),
        ("EE 123m 789s 456p 23s C", "E", 3),
    ],
)
def test_base(hand, kind, base):
    assert mjcore.rank_discards(hand).by_kind()[mjcore.kind_of(kind)].base == base


def one_cell(kind, other, value):
    rows = [[0.0] * N_KINDS for _ in range(N_KINDS)]
    rows[mjcore.kind_of(kind)][mjcore.kind_of(other)] = value
    return mjcore.DangerTable(rows)


HAND = "1223344m 567s 55p E S"


@pytest.mark.parametrize(
    ("rivers", "danger"),
    [
        (None, 0),
        (NO_RIVERS, 0),
        (("9m", "", ""), 0.4),
        (("9m9m", "", ""), 0.4),
        (("9m8m", "", ""), 0.4 * 0.5 / 1.5),
        (("8m9m", "", ""), 0.4 / 1.5),
        (("9m8m7m", "", ""), 0.4 * 0.25 / 1.75),
        (("9m8m7m6m", "", ""), 0),  # old discards weigh nothing
        (("9m", "", "9m"), 1 - 0.6 * 0.6),
        (("9m", "E", "8m9m"), 1 - 0.6 * (1 - 0.4 / 1.5)),
    ],
)
def test_danger(rivers, danger):
    table = one_cell("1m", "9m", 0.4)
    rows = mjcore.rank_discards(HAND, rivers=rivers, danger_table=table).by_kind()
    assert rows[0].danger == pytest.approx(danger)
    assert all(row.danger == 0 for kind, row in rows.items() if kind)
    assert rows[0].score == pytest.approx(rows[0].gain - rows[0].base - 5 * rows[0].danger)


def test_old_discards_do_not_weigh_on_later_decisions():
    long = ["19mESWN2s3s", "C", "P"]
    short = ["N2s3s", "C", "P"]
    options = {"danger_weight": 3}
    first = mjcore.rank_discards(HAND, rivers=long, visible="", **options)
    again = mjcore.rank_discards(HAND, rivers=long, visible="", **options)
    assert first == again
    cut = mjcore.rank_discards(HAND, rivers=short, visible="19mESW", **options)
    assert [(row.kind, row.danger) for row in first] == [(row.kind, row.danger) for row in cut]


@pytest.mark.parametrize(
    ("before", "gain"), [(0, 20), (1, 10), (2, 0), (3, -8), (5, -24), (mjcore.KindSet("1m 4m 7m"), -8)]
)
def test_gain(before, gain):
    ranking = mjcore.rank_discards("239m EE", waits_before=before, policy="article")
    assert ranking.by_kind()[8].gain == gain
    lost = before if isinstance(before, int) else len(before)
    assert ranking.by_kind()[1].gain == -8 * lost


def test_waits_before_the_draw_are_known_of_a_hand_that_knows_its_drawn_tile():
    hand = Hand("23m EE [456p] [789s] [234s]").draw("9m")
    assert mjcore.rank_discards(hand).waits_before == 2
    assert mjcore.rank_discards(hand, visible="1111m").waits_before == 1
    assert mjcore.rank_discards(Hand(hand.text())).waits_before == 0
    assert mjcore.rank_discards(hand, policy="article").by_kind()[8].gain == 0


def test_policies_and_their_ties():
    ranking = mjcore.rank_discards("147m 258s 369p ESWNC", policy="article")
    rows = list(ranking)
    assert rows == sorted(rows, key=lambda row: (-row.score, row.kind))
    ranking = mjcore.rank_discards("147m 258s 369p ESWNC")
    assert list(ranking) == sorted(ranking, key=lambda row: (row.shanten, -row.live, -row.score, row.kind))
    with pytest.raises(ValueError, match="expected a policy of article, efficiency, got 'best'"):
        mjcore.rank_discards(HAND, policy="best")


def test_weights_are_parameters():
    plain = ArticleWeights(0, 0, 0, 0, 0, 0)
    ranking = mjcore.rank_discards(HAND, weights=plain, danger_weight=0, policy="article")
    assert {row.score for row in ranking} == {0}
    assert ranking.kinds() == sorted(ranking.kinds())
    recency = ArticleWeights(recency=(0.25, 0.5, 1))
    table = one_cell("1m", "9m", 0.4)
    rows = mjcore.rank_discards(HAND, rivers=("9m8m7m", "", ""), danger_table=table, weights=recency).by_kind()
    assert rows[0].danger == pytest.approx(0.4 / 1.75)


def test_win_chances_order_efficiency(monkeypatch):
    """The chances themselves have tests of their own."""
    import sys
    import types

    asked = []

    class Curve(float):
        truncated = False

    def chances(hand, draws, *, visible=None, rules=None, kinds=()):
        asked.append((mjcore.format(hand.concealed), draws, visible))
        return {kind: Curve(0.01 * kind) for kind in kinds}

    stub = types.ModuleType("mjcore.win_chance")
    stub.discard_chances = chances
    monkeypatch.setitem(sys.modules, "mjcore.win_chance", stub)
    ranking = mjcore.rank_discards(HAND, draws=9, rivers=["9m", "", "9m"], visible="N")
    assert asked == 2 * [("1223344m567s55pES", 9, mjcore.parse("99mN"))]
    assert list(ranking) == sorted(ranking, key=lambda row: (row.shanten, -row.win))
    assert all(row.win == 0.01 * row.kind for row in ranking)
    assert "%" in ranking.table()
    assert (
        mjcore.rank_discards(HAND, draws=9, policy="article").kinds()
        == mjcore.rank_discards(HAND, policy="article").kinds()
    )


def test_why_there_is_no_chance():
    """Each row has a chance or a reason, and none if no draws are given."""
    seen = set()
    for hand, draws in (("147m258s369pESWNC", 18), ("16m3479s12247pEWW", 6), (HAND, 9), ("239m EE", 3), (HAND, 0)):
        ranking = mjcore.rank_discards(hand, draws=draws)
        least = ranking[0].shanten
        for row in ranking:
            assert (row.win is None) == (row.kind in ranking.no_chance)
            reason = ranking.no_chance.get(row.kind)
            seen.add(reason)
            assert reason != "too_far" or (row.shanten > least and least > 2)
        assert sorted(ranking.no_chance) == sorted(row.kind for row in ranking if row.win is None)
        assert len(ranking.table().splitlines()) == 1 + len(ranking) + len(set(ranking.no_chance.values()))
        assert pickle.loads(pickle.dumps(ranking)).no_chance == ranking.no_chance
        assert json.loads(json.dumps(ranking.to_dict()))["no_chance"] == {
            mjcore.tile_name(kind): reason for kind, reason in ranking.no_chance.items()
        }
    assert seen == {None, "cut_off", "too_far"}
    assert mjcore.rank_discards(HAND).no_chance == {}


def test_win_chances_are_those_of_the_hand_after_each_discard():
    """FC-QUA-02: one horizon for both."""
    hand = Hand("11223457p123678s")
    ranking = mjcore.rank_discards(hand, draws=8, rivers=["9p", "", "E"])
    for row in ranking:
        visible = mjcore.parse("9pE") + (1 << 4 * row.kind)
        assert row.win == pytest.approx(float(mjcore.win_probability(hand.discard(row.kind), 8, visible=visible)))
    best = float(mjcore.win_probability(hand, 8, visible="9pE"))
    assert max(row.win for row in ranking) == pytest.approx(best)


# --- field cases -------------------------------------------------------------------------------


def test_nine_gates_shape_keeps_ready():
    """FC-AI-01"""
    best = mjcore.rank_discards("1112234568999pF")[0]
    assert (named([best.kind]), best.shanten) == (["F"], 0)
    assert dict(best.useful) == {mjcore.kind_of("7p"): 4}


def test_all_ready_discards_are_known():
    """FC-AI-04"""
    rows = [row for row in mjcore.rank_discards("11223457p123678s") if row.shanten == 0]
    found = {mjcore.tile_name(row.kind): {mjcore.tile_name(k): n for k, n in row.useful.items()} for row in rows}
    assert found == {"2p": {"6p": 4}, "7p": {"1p": 2, "2p": 2}}


def test_quality_of_fourteen_is_the_best_of_thirteen():
    """FC-QUA-02"""
    hand = mjcore.parse("11223457p123678s")
    held = [kind for kind, n in enumerate(mjcore.unpack(hand)) if n]
    after = {kind: mjcore.evaluate(hand - (1 << 4 * kind), visible=1 << 4 * kind) for kind in held}
    answer = mjcore.evaluate(hand)
    assert answer.quality == max(one.quality for one in after.values())
    assert answer._replace(discard=None) == after[answer.discard]


# --- laws --------------------------------------------------------------------------------------


def test_advice_is_a_tile_of_the_hand():
    """FC-AI-03"""
    for position in DISCARDING:
        for policy in ("article", "efficiency"):
            ranking = mjcore.rank_discards(position.hand, policy=policy, **position.options())
            assert sorted(ranking.kinds()) == [kind for kind in range(N_KINDS) if position.counts[kind]]
            assert ranking.best == ranking[0].kind


def test_same_answer_for_the_same_input():
    for position in DISCARDING[:30]:
        for policy in ("article", "efficiency"):
            first = mjcore.rank_discards(position.hand, policy=policy, **position.options())
            assert first == mjcore.rank_discards(position.hand, policy=policy, **position.options())


def permuted(values, order):
    return [kind if kind >= 27 else 9 * order[kind // 9] + kind % 9 for kind in values]


def permuted_counts(counts, order):
    out = [0] * N_KINDS
    for kind, to in enumerate(permuted(range(N_KINDS), order)):
        out[to] = counts[kind]
    return out


@pytest.mark.parametrize("order", [(1, 0, 2), (2, 0, 1), (0, 2, 1)])
def test_suits_may_be_permuted(order):
    for position in DISCARDING[::3]:
        moved = Hand(
            mjcore.pack(permuted_counts(position.counts, order)),
            melds=[make_meld(name, permuted(kinds, order)) for name, kinds in position.melds],
        )
        options = {
            "rivers": [permuted(river, order) for river in position.rivers],
            "visible": permuted_counts(position.visible, order),
        }
        there = mjcore.rank_discards(moved, **options).by_kind()
        here = mjcore.rank_discards(position.hand, **position.options()).by_kind()
        for kind, row in here.items():
            other = there[permuted([kind], order)[0]]
            for name in ("base", "gain", "shanten", "live", "waits"):
                assert getattr(row, name) == getattr(other, name)
            assert other.danger == pytest.approx(row.danger, abs=1e-12)
            assert sorted(permuted(row.useful.kinds, order)) == list(other.useful.kinds)
        before, after = mjcore.evaluate(position.hand, **position.options()), mjcore.evaluate(moved, **options)
        assert after.quality == pytest.approx(before.quality, abs=1e-12)


def test_danger_of_nothing_seen_is_nothing():
    for position in DISCARDING[:20]:
        assert all(row.danger == 0 for row in mjcore.rank_discards(position.hand))


# --- values ------------------------------------------------------------------------------------


def test_quality_is_a_plain_value():
    answer = mjcore.evaluate(TWO_SIDED, rivers=("5m", "", "E"))
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert json.loads(json.dumps(answer.to_dict())) == answer.to_dict()
    assert sum(part.share for part in answer.parts) == pytest.approx(answer.coverage)
    assert "清一色" in answer.table("zh")
    assert "四万" in answer.table("zh")
    assert "4m" in answer.table("zh", notation="letters")
    with pytest.raises(ValueError, match="expected a language of en, zh, got 'fr'"):
        answer.table("fr")
    assert str(answer) == answer.table()


def test_ranking_is_a_sequence_of_rows():
    ranking = mjcore.rank_discards(HAND, rivers=("5m", "", "E"))
    copied = pickle.loads(pickle.dumps(ranking))
    assert copied == ranking
    assert hash(copied) == hash(ranking)
    assert ranking[0] in ranking
    assert ranking[-1] == list(ranking)[-1]
    assert isinstance(ranking, DiscardRanking)
    assert isinstance(ranking[0], RatedDiscard)
    assert len(ranking) == len(ranking.table().splitlines()) - 1
    assert "向听" in ranking.table("zh")
    assert ranking[1:3] == [ranking[1], ranking[2]]
    assert ranking[::-1] == list(ranking)[::-1]
    n = len(ranking)
    for place in (n, -n - 1, 10**30):
        with pytest.raises(IndexError, match=f"expected a place of -{n} to {n - 1}, got"):
            ranking[place]
    for place in (None, "1m", 1.0, True):
        with pytest.raises(TypeError, match="expected a place or a slice, got"):
            ranking[place]
    assert json.loads(json.dumps(ranking.to_dict())) == ranking.to_dict()
    assert ranking != mjcore.rank_discards(HAND)


def test_every_form_of_a_hand():
    counts = tiles("1122345p123678s")
    for hand in (mjcore.pack(counts), counts, np.array(counts), "1122345p123678s", Hand("1122345p123678s")):
        assert mjcore.evaluate(hand) == mjcore.evaluate(mjcore.pack(counts))
    rivers = ["1m E", [3, "5s"], np.array([4, 4])]
    assert mjcore.evaluate(counts, rivers=rivers) == mjcore.evaluate(counts, rivers=[[0, 30], [3, 13], [4, 4]])


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "options", "problem"),
    [
        ("123m", {}, "expected 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 concealed tiles, got 3"),
        ("11111m", {}, "copies"),
        (TWO_SIDED, {"rivers": ["1m", "2m"]}, "expected the discards of 3 opponents for rivers, got"),
        (TWO_SIDED, {"rivers": "1m2m3m"}, "expected the discards of 3 opponents"),
        (TWO_SIDED, {"rivers": [[1], [2, 34], []]}, r"rivers\[1\]\[1\]: expected a kind, an int of 0 to 33, got 34"),
        (TWO_SIDED, {"rivers": [[1], [2, "x"], []]}, r"rivers\[1\]\[1\]: "),
        (TWO_SIDED, {"rivers": [[1], [True], []]}, r"rivers\[1\]\[0\]: "),
        (TWO_SIDED, {"rivers": [[1], 5, []]}, r"rivers\[1\]: expected a sequence of tiles, got 5"),
        (TWO_SIDED, {"rivers": ["[111m]", "", ""]}, r"rivers\[0\]: expected tiles, got a meld"),
        (TWO_SIDED, {"rivers": ["5m5m", "5m", "E5m5m"]}, r"rivers\[2\]\[2\]: expected at most 4 copies.* fifth 5m"),
        (TWO_SIDED, {"rivers": ["5m", "", ""], "visible": "5555m"}, r"rivers\[0\]\[0\]: .* got a fifth 5m"),
        (TWO_SIDED, {"visible": [5] + [0] * 33}, "got int 5 of 1m"),
        (TWO_SIDED, {"rules": "wuhan", "rivers": ["", "1q", ""]}, r"rivers\[1\]: .* at position 1 of '1q'"),
    ],
)
def test_bad_positions(hand, options, problem):
    with pytest.raises(InvalidHandError, match=problem):
        mjcore.evaluate(hand, **options)
    if hand != "123m":
        with pytest.raises(InvalidHandError, match=problem):
            mjcore.rank_discards(Hand(hand).draw("9m") if "[" in hand else hand, **options)


def test_bad_arguments_of_rank_discards():
    with pytest.raises(InvalidHandError, match="expected 2, 5, 8, 11 or 14 concealed tiles, got 13"):
        mjcore.rank_discards("1122345p123678s")
    for weight in (-1, float("nan"), 1e9, -(10**400)):
        with pytest.raises(ValueError, match="expected a danger_weight of 0 to 1e\\+09, got"):
            mjcore.rank_discards(HAND, danger_weight=weight)
    for weight in (None, True, "5", [5], 1j):
        with pytest.raises(TypeError, match="expected a number for danger_weight, got"):
            mjcore.rank_discards(HAND, danger_weight=weight)
    with pytest.raises(ValueError, match="expected 0 to 34 wait kinds before the draw, got 35"):
        mjcore.rank_discards(HAND, waits_before=35)
    with pytest.raises(TypeError, match="waits_before"):
        mjcore.rank_discards(HAND, waits_before="1m")
    with pytest.raises(ValueError, match="expected 3 weights of 0 or more for recency"):
        mjcore.rank_discards(HAND, weights=ArticleWeights(recency=(1, 2)))
    with pytest.raises(ValueError, match="expected a number between -1e\\+09 and 1e\\+09 for fellow, got nan"):
        mjcore.rank_discards(HAND, weights=ArticleWeights(fellow=float("nan")))
    with pytest.raises(TypeError, match="expected ArticleWeights for weights, got tuple"):
        mjcore.rank_discards(HAND, weights=tuple(ArticleWeights()))
    with pytest.raises(TypeError, match="expected a DangerTable for danger_table, got list"):
        mjcore.rank_discards(HAND, danger_table=[[0.0] * 34] * 34)
    with pytest.raises(InvalidHandError, match="one of the forms"):
        mjcore.rank_discards("11m", rules=mjcore.HandRules(forms=["thirteen_orphans"]))
    with pytest.raises(ValueError, match="expected a chance of 0 to 1 for otherwise, got 2"):
        mjcore.evaluate(TWO_SIDED, survival=Survival(otherwise=2))
    with pytest.raises(ValueError, match="recent discards"):
        mjcore.evaluate(TWO_SIDED, survival=Survival(recent=4))


JUNK = (
    None, True, -1, 0, 33, 34, 1 << 200, 0.5, float("nan"), "", "1m", "[111m]", "xyz", "1m1m1m1m1m", b"1m", [], [[]],
    {}, [1, 2, 3], [[1], [2], [3]], [["x"], [None], [2**70]], [[0] * 5, [], []], ["", "", ""], object(), range(34),
    (4,) * 34, np.zeros(3), np.zeros((3, 4), int), mjcore.KindSet("1m"), Hand("1m"), Meld("[123m]"),
)  # fmt: skip


def test_nothing_but_errors_of_value_and_type_comes_of_junk():
    rng = random.Random(17)
    calls = {
        mjcore.evaluate: ("rivers", "visible", "melds", "rules", "mode", "alpha", "targets"),
        mjcore.rank_discards: ("rivers", "visible", "waits_before", "danger_weight", "policy", "rules", "danger_table"),
        quality_batch.evaluate: ("rivers", "visible", "melds", "rules", "where", "alpha", "targets", "workers"),
        quality_batch.rank_discards: ("rivers", "visible", "melds", "rules", "where", "danger_weight", "workers"),
    }
    n_answers = 0
    for i in range(4000):
        call = list(calls)[i % 4]
        good = tiles(HAND) if "rank" in call.__name__ else tiles("1122345p123678s")
        hand = rng.choice(JUNK) if rng.random() < 0.2 else [good] if "batch" in call.__module__ else good
        options = {name: rng.choice(JUNK) for name in rng.sample(calls[call], rng.choice((0, 1, 1, 2)))}
        try:
            call(hand, **options)
        except (ValueError, TypeError):
            continue
        n_answers += 1
    assert n_answers > 500


# --- arrays ------------------------------------------------------------------------------------


def meld_codes(position):
    codes = [mjcore.encode_meld(make_meld(*meld)) for meld in position.melds]
    return codes + [0] * (4 - len(codes))


def river_rows(position, length=12):
    return [river + [-1] * (length - len(river)) for river in position.rivers]


def arrays(chosen):
    return {
        "melds": np.array([meld_codes(position) for position in chosen]),
        "rivers": np.array([river_rows(position) for position in chosen], np.int8),
        "visible": np.array([position.visible for position in chosen], np.uint8),
    }


@pytest.mark.parametrize("chosen", [WAITING, DISCARDING], ids=["waiting", "discarding"])
def test_batch_evaluate_equals_one_by_one(chosen):
    hands = np.array([position.counts for position in chosen])
    answers = quality_batch.evaluate(hands, mode="competitive", workers=2, **arrays(chosen))
    for i, position in enumerate(chosen):
        one = mjcore.evaluate(position.hand, mode="competitive", **position.options())
        for name in ("quality", "entropy", "entropy_raw", "entropy_norm", "expected_live", "coverage", "shanten"):
            assert getattr(answers, name)[i] == getattr(one, name)
        assert tuple(answers.progress[i]) == one.progress
        assert int(answers.waits[i]) == sum(1 << wait.kind for wait in one.waits)
        assert answers.discard[i] == (-1 if one.discard is None else one.discard)


@pytest.mark.parametrize("policy", ["efficiency", "article"])
def test_batch_rank_discards_equals_one_by_one(policy):
    hands = np.array([position.counts for position in DISCARDING])
    answers = quality_batch.rank_discards(hands, policy=policy, **arrays(DISCARDING))
    lanes = quality_batch.rank_discards(mjcore.batch.pack(hands), policy=policy, **arrays(DISCARDING))
    for i, position in enumerate(DISCARDING):
        one = mjcore.rank_discards(position.hand, policy=policy, **position.options())[0]
        got = (answers.kind[i], answers.shanten[i], answers.live[i], answers.score[i], int(answers.useful[i]))
        assert got == (one.kind, one.shanten, one.live, one.score, one.useful.kinds.mask)
    for a, b in zip(answers, lanes, strict=True):
        assert (a == b).all()


def test_the_same_codes_of_melds_everywhere():
    """One array of melds goes to scores, fan distances, qualities and discards."""
    hand, melds = Hand("2s456p9m [123s] [EEE] [7777m*]"), ["[123s]", "[EEE]", "[7777m*]"]
    assert [mjcore.decode_meld(mjcore.encode_meld(meld)) for meld in melds] == list(map(Meld, melds))
    ready = hand.discard("2s").draw("9m")
    arrays = {"melds": np.array([[*map(mjcore.encode_meld, melds), 0]], np.uint16)}
    concealed = np.array([ready.counts()])
    score = mjcore.batch.score(concealed, win_tile=8, **arrays)
    assert score.total[0] == mjcore.score(ready, win_tile="9m").total
    assert mjcore.batch.fan_distance(concealed, "prevalent_wind", **arrays)[0] == mjcore.fan_distance(
        ready, "prevalent_wind"
    )
    shorter = np.array([hand.counts()])
    assert mjcore.batch.evaluate(shorter, **arrays).coverage[0] == mjcore.evaluate(hand).coverage
    assert mjcore.batch.rank_discards(shorter, melds=arrays["melds"][0]).kind[0] == mjcore.rank_discards(hand).best
    assert mjcore.batch.encode_meld is mjcore.encode_meld


@pytest.mark.parametrize("meld", ["[123m,3]", "[340p,3]", "[EEE,2]", "[555s]", "[2222s,1]", "[2222s+]", "[0555m*]"])
def test_codes_of_melds_and_back(meld):
    code = mjcore.encode_meld(meld)
    assert 0 < code < 1 << 14
    assert mjcore.decode_meld(code) == Meld(meld)
    assert mjcore.decode_meld(np.uint16(code | 3 << 11)) == Meld(meld)


@pytest.mark.parametrize(
    "code", [0, -1, 1 << 14, True, None, 1.5, "[EEE]", 8 << 6, 1 << 6 | 30, 1 << 13 | 2 << 6, 5 << 6 | 1 << 9]
)
def test_codes_of_no_meld(code):
    with pytest.raises(InvalidHandError, match="expected "):
        mjcore.decode_meld(code)


@pytest.mark.slow
def test_arrays_refuse_the_codes_that_are_no_melds():
    """Scores and discards of arrays know the same codes as `decode_meld`, of all that 16 bits hold."""
    codes = np.arange(1, 1 << 16, dtype=np.uint16)
    melds = np.zeros((len(codes), 4), np.uint16)
    melds[:, 0] = codes
    readable = []
    for code in codes.tolist():
        try:
            mjcore.decode_meld(code)
        except InvalidHandError:
            continue
        readable.append(code)
    assert len(readable) > 1000
    hands = np.tile(np.array(mjcore.unpack(mjcore.parse("19m19p19sESWNC")), np.uint8), (len(codes), 1))
    status = mjcore.batch.score(hands, win_tile=0, melds=melds).status
    assert codes[status != BAD_MELD].tolist() == readable
    known = np.isin(codes, readable)
    mjcore.batch.rank_discards(hands, melds=melds, where=known & (status != BAD_HAND))
    distances = mjcore.batch.fan_distance(hands, "all_pungs", melds=melds, where=known & (status != BAD_HAND))
    assert (distances[known & (status != BAD_HAND)] >= 0).all()
    for row in np.flatnonzero(~known)[::97].tolist():
        with pytest.raises(InvalidHandError, match="row 0"):
            mjcore.batch.fan_distance(hands[row], "all_pungs", melds=melds[row])
        with pytest.raises(InvalidHandError, match="expected "):
            mjcore.batch.rank_discards(hands[row], melds=melds[row])


def test_policies_of_arrays_differ():
    hands = wall_hands(np.random.default_rng(6), 3000, 14)
    kinds = {policy: quality_batch.rank_discards(hands, policy=policy).kind for policy in ("efficiency", "article")}
    assert (quality_batch.rank_discards(hands).kind == kinds["efficiency"]).all()
    assert (kinds["article"] != kinds["efficiency"]).sum() > 1000
    for i in range(0, 3000, 60):
        for policy, found in kinds.items():
            assert mjcore.rank_discards(hands[i], policy=policy).best == found[i]
    for policy in ("random", None, ["article"], 1):
        with pytest.raises(ValueError, match="expected a policy of article, efficiency, got"):
            quality_batch.rank_discards(hands, policy=policy)


def test_batch_of_many_workers_and_shapes():
    hands = wall_hands(np.random.default_rng(5), 1200, 14)
    flat = quality_batch.rank_discards(hands)
    cube = quality_batch.rank_discards(hands.reshape(2, 600, 34).astype(np.int64), workers=3)
    for a, b in zip(flat, cube, strict=True):
        assert (a == b.reshape(-1)).all()
    for i in range(0, 1200, 40):
        assert mjcore.rank_discards(vecs(hands[i : i + 1])[0]).best == flat.kind[i]
    where = np.arange(1200) % 2 == 0
    some = quality_batch.rank_discards(hands, where=where)
    assert (some.kind[where] == flat.kind[where]).all()
    assert (some.kind[~where] == -1).all()
    out = tuple(np.empty_like(answer) for answer in flat)
    assert quality_batch.rank_discards(hands, out=out).kind is out[0]
    assert (out[0] == flat.kind).all()
    empty = quality_batch.evaluate(np.zeros((0, 34), np.uint8))
    assert empty.quality.shape == (0,)
    assert empty.progress.shape == (0, 12)


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"rivers": [[[0] * 4 + [0], [-1] * 5, [-1] * 5]]}, InvalidHandError, r"row 0: rivers\[0\]\[4\]: .* fifth 1m"),
        ({"rivers": [[[34], [1], [2]]]}, InvalidHandError, r"rivers\[0, 0, 0\]: expected -1 to 33, got 34"),
        ({"rivers": [[[3], [1]]]}, ValueError, "expected rivers of shape"),
        ({"rivers": [[[0.5], [1], [2]]]}, TypeError, "expected integers for rivers"),
        ({"melds": [[1 << 14, 0, 0, 0]]}, InvalidHandError, r"melds\[0, 0\]: expected 0 to 16383, got 16384"),
        ({"melds": [[-1, 0, 0, 0]]}, InvalidHandError, r"melds\[0, 0\]: expected 0 to 16383, got -1"),
        ({"melds": [[1 << 6 | 7, 0, 0, 0]]}, InvalidHandError, "row 0: expected the lowest tile .* got 8m"),
        ({"melds": [[2 << 6 | 34, 0, 0, 0]]}, InvalidHandError, "row 0: expected a kind, an int of 0 to 33, got 34"),
        ({"melds": [[30, 0, 0, 0]]}, InvalidHandError, "row 0: expected a meld of type 1 to 5, got 0 in 0x1e"),
        ({"melds": [[6 << 6, 0, 0, 0]]}, InvalidHandError, "row 0: expected a meld of type 1 to 5, got 6 in 0x180"),
        ({"melds": [[2 << 6 | 30, 0, 0, 0]]}, InvalidHandError, "row 0: expected at most 11 concealed tiles"),
        ({"melds": [[0, 0, 0]]}, ValueError, "expected a last axis of 4 melds, got shape"),
        ({"melds": [[0.0] * 4]}, TypeError, "expected integers for melds, got dtype float64"),
        ({"visible": np.zeros((2, 34), int)}, ValueError, "expected visible tiles for hands of shape"),
    ],
)
def test_bad_arrays(options, error, problem):
    with pytest.raises(error, match=problem):
        quality_batch.rank_discards([tiles(HAND)], **options)


def test_the_first_bad_row_is_named():
    hands = np.array([tiles(HAND), tiles(HAND)])
    hands[1, 0] = 0
    with pytest.raises(InvalidHandError, match="row 1: expected 2, 5, 8, 11 or 14 concealed tiles, got 13"):
        quality_batch.rank_discards(hands)
    with pytest.raises(InvalidHandError, match=r"row \(0, 1\): "):
        quality_batch.rank_discards(hands[None])
    hands[1, 5] = 5
    with pytest.raises(InvalidHandError, match="row 1: expected 0 to 4 copies of 6m, got 5"):
        quality_batch.evaluate(hands)


# --- what new users found ----------------------------------------------------------------------


def test_inner_functions_refuse_what_is_not_there():
    from mjcore import quality_answers, quality_rows
    from mjcore.advice import ArticleWeights
    from mjcore.danger import DangerTable

    hand = "123456m45s99pEE7s5p"
    with pytest.raises(TypeError):
        quality_answers.assess(hand, None, None, None, None, (1, 1, 1, 1, 2, 2), 0.5)
    with pytest.raises(TypeError):
        quality_answers.rate_discards(hand, None, None, None, None, ArticleWeights(), 5.0, None, 0, None)
    values = DangerTable.default().values
    for policy in (-1, 99):
        with pytest.raises(ValueError, match="expected a policy"):
            quality_answers.rate_discards(hand, None, None, None, values, ArticleWeights(), 5.0, None, policy, None)
    lanes = batch.pack([mjcore.unpack(mjcore.parse(hand))])
    with pytest.raises(TypeError):
        quality_rows.Positions(lanes, None, None, None, None, None)


def test_arrays_at_the_beginning_of_a_game():
    hands = np.array([mjcore.unpack(mjcore.parse("123456m45s99pEE7s5p"))] * 3, np.uint8)
    rivers = np.full((3, 3, 0), -1)
    assert np.array_equal(batch.rank_discards(hands, rivers=rivers).kind, batch.rank_discards(hands).kind)
    assert np.array_equal(batch.evaluate(hands, rivers=rivers).quality, batch.evaluate(hands).quality)
    empty = batch.evaluate(hands[:0], rivers=rivers[:0])
    assert empty.quality.shape == (0,)


def test_rows_that_are_not_asked_are_not_looked_at():
    hands = np.array([mjcore.unpack(mjcore.parse("123456m45s99pEE7s5p"))] * 3, np.uint8)
    where = [True, False, True]
    want = batch.rank_discards(hands).kind[0]
    bad = hands.copy()
    bad[1] = 9
    assert batch.rank_discards(bad, where=where).kind[[0, 2]].tolist() == [want, want]
    assert batch.evaluate(bad, where=where).quality[0] == batch.evaluate(hands).quality[0]
    melds = np.zeros((3, 4), int)
    melds[1] = 1 << 20
    rivers = np.full((3, 3, 2), -1)
    rivers[1] = 77
    visible = np.zeros_like(hands)
    visible[1] = 7
    got = batch.rank_discards(hands, melds=melds, rivers=rivers, visible=visible, where=where)
    assert got.kind[[0, 2]].tolist() == [want, want]


@pytest.mark.parametrize("recent", [0, -1, "a", 1.5, None])
def test_recent_discards_of_a_log(recent):
    with pytest.raises((ValueError, TypeError), match=r"expected (recent of 1 to|a number for recent)"):
        mjcore.fit_danger([(["9m"], "4p")], recent=recent)
    with pytest.raises(TypeError, match="expected text for source"):
        mjcore.fit_danger([(["9m"], "4p")], source=5)
