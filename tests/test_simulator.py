"""The simulator: walls, games in C and in Python, policies, standard errors, and what the policies are worth."""

from __future__ import annotations

import importlib.util
import io
import json
import random
import re
import statistics
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from documents import README, ROOT

import mjcore
from mjcore import danger_selfplay, simulator, simulator_games
from mjcore.__main__ import main
from mjcore.advice import rank_discards
from mjcore.console import count_bar
from mjcore.danger import DangerTable, fit_danger
from mjcore.simulator import POLICIES, Estimate, four_players, solo
from mjcore.simulator_kernels import choose_kind, wall
from mjcore.simulator_results import NOBODY

WORD = (1 << 64) - 1
DANGER = np.asarray(DangerTable.default(), dtype=float)

# --- an independent transcription: walls, ratings, policies ------------------------------------


class Chance:
    """SplitMix64."""

    def __init__(self, state):
        self.state = state

    @staticmethod
    def mixed(z):
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
        return z ^ (z >> 31)

    def word(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
        return self.mixed(self.state)

    def below(self, n):
        return (self.word() >> 32) * n >> 32


def reference_wall(seed, game):
    chance = Chance(Chance.mixed((Chance(seed).word() + game) & WORD))
    tiles = [i // 4 for i in range(136)]
    for i in range(135, 0, -1):
        j = chance.below(i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return bytes(tiles), chance


def tiles_of(packed):
    return [kind for kind, n in enumerate(mjcore.unpack(packed)) for _ in range(n)]


def keeping_value(counts, kind):
    """base(i) of the three-layer score."""
    value = 2 if counts[kind] >= 2 else 0
    if kind >= 27:
        return value + any(counts[other] for other in range(27, 34) if other != kind)
    suit, rank = divmod(kind, 9)

    def held(other):
        return 0 <= other <= 8 and counts[9 * suit + other] > 0

    value += 3 * (held(rank - 1) and held(rank + 1))
    value += 2 * (held(rank + 1) and held(rank + 2))
    value += 2 * (held(rank - 1) and held(rank - 2))
    if rank in (0, 8):
        value += held(8 - rank)
    return value


def danger_of(kind, rivers):
    safe = 1.0
    for river in rivers:
        recent = river[-3:][::-1]
        weights = [1, 0.5, 0.25][: len(recent)]
        if recent:
            share = sum(w * DANGER[kind][j] for w, j in zip(weights, recent, strict=True)) / sum(weights)
            safe *= 1 - share
    return 1 - safe


def rated(view):
    """(kind, shanten, useful copies, base, danger, gain) of each tile that may go."""
    counts = mjcore.unpack(view.hand)
    seen = Counter(tiles_of(view.visible)) + Counter(kind for river in view.rivers for kind in river)
    left = [4 - counts[kind] - seen[kind] for kind in range(34)]
    after = mjcore.discards(view.hand)

    def n_waits(kind):
        return sum(left[wait] > 0 for wait in after[kind]) if after[kind].shanten == 0 else 0

    before = n_waits(view.drawn) if view.drawn >= 0 else 0
    rows = []
    for kind in sorted(after):
        copies = sum(max(0, left[useful]) for useful in after[kind])
        now = n_waits(kind)
        gain = 10 * (now - before) if now > before else -8 * (before - now)
        rows.append(
            (kind, after[kind].shanten, copies, keeping_value(counts, kind), danger_of(kind, view.rivers), gain)
        )
    return rows


def reference_choice(name, view):
    if name == "random":
        chance = Chance(view.state)
        tiles = tiles_of(view.hand)
        return tiles[chance.below(len(tiles))], chance.state
    keys = {
        "article": lambda shanten, copies, base, danger, gain: (base + 5 * danger - gain,),
        "shanten": lambda shanten, copies, base, danger, gain: (shanten,),
        "efficiency": lambda shanten, copies, base, danger, gain: (shanten, -copies, base - gain),
        "efficiency_danger": lambda shanten, copies, base, danger, gain: (
            (danger, shanten, -copies, base + 5 * danger - gain)
            if 4 * lowest > view.draws_left
            else (shanten, 20 * danger - copies, -copies, base + 5 * danger - gain)
        ),
    }
    rows = rated(view)
    lowest = min(row[1] for row in rows)
    return min((*(round(part, 9) for part in keys[name](*row[1:])), row[0]) for row in rows)[-1], view.state


def reference_player(name):
    return lambda view: reference_choice(name, view)


# --- walls and games ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, WORD])
@pytest.mark.parametrize("game", [0, 1, 12345, 1 << 39])
def test_wall(seed, game):
    tiles, state = wall(seed, game)
    expected, chance = reference_wall(seed, game)
    assert tiles == expected
    assert state == chance.state
    assert Counter(tiles) == dict.fromkeys(range(34), 4)


def test_walls_are_shuffled_evenly():
    """Every kind comes first as often as others, within five standard errors."""
    n = 34 * 500
    first = Counter(wall(7, game)[0][0] for game in range(n))
    last = Counter(wall(7, game)[0][-1] for game in range(n))
    for counted in (first, last):
        assert all(abs(counted[kind] - 500) < 5 * 500**0.5 for kind in range(34))
    assert len({wall(seed, game)[0] for seed in range(50) for game in range(50)}) == 2500


@pytest.mark.parametrize("name", POLICIES)
def test_solo_games_are_the_reference_games(name):
    played = solo(name, 120, seed=3).outcomes
    assert list(played) == [simulator_games.solo_game(reference_player(name), 3, game, 18) for game in range(120)]


@pytest.mark.parametrize(
    "names",
    [
        *([name] * 4 for name in POLICIES),
        ["random", "article", "shanten", "efficiency"],
        ["efficiency_danger", "efficiency", "efficiency", "article"],
    ],
    ids="-".join,
)
def test_four_player_games_are_the_reference_games(names):
    n = 40
    played = four_players(names, n, seed=4)
    players = [reference_player(name) for name in names]
    games = [simulator_games.four_player_game(players, 4, game, 18) for game in range(n)]
    assert list(zip(played.winners, played.losers, played.turns, strict=True)) == games


@pytest.mark.parametrize("names", [["shanten", "efficiency", "efficiency_danger", "random"], ["article"] * 4])
def test_a_callable_among_names_plays_the_same_games(names):
    """A named policy given as a callable takes the way through Python; the others are asked in C."""

    def shanten(hand, rivers, visible):
        return choose_kind("shanten", hand, -1, 0, rivers, visible, 0, None, 0.0)[0]

    mixed = [shanten, *names[1:]]
    named = four_players(["shanten", *names[1:]], 60, seed=5)
    called = four_players(mixed, 60, seed=5)
    assert (named.winners, named.losers, named.turns) == (called.winners, called.losers, called.turns)
    assert solo(shanten, 60, seed=5) == solo("shanten", 60, seed=5)


class Watcher:
    """Lets go the last tile, and checks what it is shown."""

    def __init__(self):
        self.n_asked = 0

    def __call__(self, hand, rivers, visible):
        self.n_asked += 1
        tiles = tiles_of(hand)
        assert len(tiles) == 14
        assert not mjcore.is_hu(hand)
        everything = Counter(tiles) + Counter(tiles_of(visible)) + Counter(kind for river in rivers for kind in river)
        assert max(everything.values()) <= 4
        own, others = len(tiles_of(visible)), [len(river) for river in rivers]
        assert all(number in (own, own + 1) for number in others) or not any(others)
        assert others == sorted(others)  # those next to play have played less
        return tiles[-1]


def test_games_conserve_tiles():
    watcher = Watcher()
    result = four_players(watcher, 20, seed=1)
    assert watcher.n_asked == sum(
        turns - (loser == NOBODY and winner != NOBODY)
        for turns, winner, loser in zip(result.turns, result.winners, result.losers, strict=True)
    )
    solo(watcher, 20, seed=1)


def test_hands_follow_the_wall():
    """Of one game, every hand shown is what was dealt and drawn less what was let go."""
    seen = []

    def first_tile(hand, rivers, visible):
        seen.append((hand, rivers, visible))
        return tiles_of(hand)[0]

    four_players(first_tile, 1, seed=9, draws=5)
    tiles = wall(9, 0)[0]
    hands = [Counter(tiles[13 * seat : 13 * seat + 13]) for seat in range(4)]
    rivers = [[] for _ in range(4)]
    for turn, (hand, others, visible) in enumerate(seen):
        seat = turn % 4
        hands[seat][tiles[52 + turn]] += 1
        assert Counter(tiles_of(hand)) == +hands[seat]
        assert sorted(rivers[seat]) == tiles_of(visible)
        assert others == tuple(tuple(rivers[(seat + step) % 4]) for step in (1, 2, 3))
        rivers[seat].append(tiles_of(hand)[0])
        hands[seat][rivers[seat][-1]] -= 1


def test_wins_are_wins():
    """A claimed win is complete with the tile let go, and the first in turn takes it."""
    played = four_players("efficiency", 200, seed=2)
    assert played.winners.count(NOBODY) + sum(map(played.winners.count, range(4))) == 200
    for winner, loser in zip(played.winners, played.losers, strict=True):
        assert winner != loser or winner == NOBODY
    assert all(loser == NOBODY or winner != NOBODY for winner, loser in zip(played.winners, played.losers, strict=True))
    assert max(played.turns) <= 72


def test_nobody_is_feared_alone():
    assert solo("efficiency_danger", 300, seed=1).outcomes == solo("efficiency", 300, seed=1).outcomes


# --- seeds and workers -------------------------------------------------------------------------


def test_seeds_reproduce():
    assert solo("efficiency", 300, seed=1) == solo("efficiency", 300, seed=1)
    assert solo("random", 300, seed=1, draws=60) == solo("random", 300, seed=1, draws=60)
    assert solo("efficiency", 300, seed=1).outcomes != solo("efficiency", 300, seed=2).outcomes
    assert solo("efficiency", 300, seed=1).outcomes[:100] == solo("efficiency", 100, seed=1).outcomes
    assert four_players("random", 50, seed=1) == four_players("random", 50, seed=1)


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_change_nothing(workers):
    n = 2 * simulator.ROUND + 77
    for name in ("random", "efficiency"):
        assert solo(name, n, seed=6, workers=workers) == solo(name, n, seed=6)
    names = ["random", "article", "efficiency_danger", "shanten"]
    assert four_players(names, n, seed=6, workers=workers) == four_players(names, n, seed=6)


def test_progress_counts_all_games():
    for policy in ("shanten", lambda hand, rivers, visible: tiles_of(hand)[0]):
        reported = []
        solo(policy, 30, progress=reported.append)
        assert sum(reported) == 30
        reported.clear()
        four_players(policy, 30, progress=reported.append)
        assert sum(reported) == 30


# --- bad input ---------------------------------------------------------------------------------


def test_a_tile_that_is_not_held():
    def wishful(hand, rivers, visible):
        return next(kind for kind in range(34) if not hand >> 4 * kind & 0xF)

    for play in (solo, four_players):
        with pytest.raises(ValueError, match=r"expected a tile of .* from policy wishful, got \w+ in draw 1 of game 0"):
            play(wishful, 3, seed=8)


@pytest.mark.parametrize("answer", [34, -1, 1 << 70])
def test_a_number_that_is_no_kind(answer):
    with pytest.raises(ValueError, match="expected a tile of"):
        solo(lambda hand, rivers, visible: answer, 1)


@pytest.mark.parametrize("answer", [None, "1m", True, 1.0])
def test_an_answer_that_is_no_number(answer):
    with pytest.raises(TypeError, match="expected a kind from policy <lambda>"):
        solo(lambda hand, rivers, visible: answer, 1)


def test_numpy_kinds_are_kinds():
    assert solo(lambda hand, rivers, visible: np.int8(tiles_of(hand)[0]), 5).n_games == 5


@pytest.mark.parametrize(
    ("play", "arguments", "options", "error", "match"),
    [
        (solo, ("greedy",), {}, ValueError, "expected a policy of random, article"),
        (solo, (7,), {}, TypeError, "expected the name of a policy or a callable, got int"),
        (solo, ("random", 0), {}, ValueError, "expected games of 1 to"),
        (solo, ("random", 1.5), {}, TypeError, "expected a number for games, got float"),
        (solo, ("random", 1, -1), {}, ValueError, "expected seed of 0 to"),
        (solo, ("random", 1, 1 << 64), {}, ValueError, "expected seed of 0 to"),
        (solo, ("random",), {"draws": 124}, ValueError, "expected draws of 1 to 123"),
        (solo, ("random",), {"workers": 0}, ValueError, "expected 1 to 256 workers"),
        (solo, ("random",), {"danger_weight": -1}, ValueError, "expected a danger_weight of 0 to 1e\\+09, got -1"),
        (
            four_players,
            ("random",),
            {"danger_weight": True},
            TypeError,
            "expected a number for danger_weight, got True",
        ),
        (
            solo,
            ("random",),
            {"danger_table": [[0.0] * 34] * 34},
            TypeError,
            "expected a DangerTable for danger_table, got list",
        ),
        (four_players, ("random",), {"draws": 22}, ValueError, "expected draws of 1 to 21"),
        (four_players, (["random"] * 3,), {}, ValueError, "expected one policy or 4, got 3"),
        (four_players, (["random"] * 3 + ["greedy"],), {}, ValueError, "expected a policy of"),
    ],
)
def test_bad_arguments(play, arguments, options, error, match):
    with pytest.raises(error, match=match):
        play(*arguments, **options)


@pytest.mark.parametrize(("hand", "drawn"), [(0, -1), (mjcore.parse("1112345678999m"), -1), ("random", 99), (-1, 0)])
def test_a_choice_from_no_hand(hand, drawn):
    hand = next(random_views(1, 1))[0] if hand == "random" else hand
    with pytest.raises(mjcore.InvalidHandError):
        choose_kind("article", hand, drawn, 0, ((), (), ()), 0, 0, None, 5.0)


@pytest.mark.parametrize("draws", [1, 21])
def test_the_shortest_and_the_longest_game(draws):
    assert max(four_players("shanten", 50, draws=draws).turns) <= 4 * draws
    assert solo("random", 50, draws=123).n_games == 50


# --- statistics --------------------------------------------------------------------------------


def test_standard_errors():
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    estimate = Estimate.of_values(values)
    assert estimate.mean == pytest.approx(statistics.mean(values))
    assert estimate.error == pytest.approx(statistics.stdev(values) / 8**0.5)
    assert Estimate.of_share(1, 4) == pytest.approx((0.25, (0.25 * 0.75 / 4) ** 0.5))
    assert Estimate.of_share(0, 5) == (0, 0)
    assert all(np.isnan(Estimate.of_share(0, 0)))
    assert Estimate.of_values([2]).mean == 2
    assert np.isnan(Estimate.of_values([2]).error)


def test_standard_errors_of_results():
    result = solo("efficiency", 500, seed=1)
    wins = [number for number in result.outcomes if number]
    share = len(wins) / 500
    assert result.win_rate == pytest.approx((share, (share * (1 - share) / 500) ** 0.5))
    assert result.draws_to_win == pytest.approx((statistics.mean(wins), statistics.stdev(wins) / len(wins) ** 0.5))
    other = solo("shanten", 500, seed=1)
    differences = [(a > 0) - (b > 0) for a, b in zip(result.outcomes, other.outcomes, strict=True)]
    assert result.lead_over(other) == pytest.approx(
        (statistics.mean(differences), statistics.stdev(differences) / 500**0.5)
    )
    with pytest.raises(ValueError, match="expected results of the same seed"):
        result.lead_over(solo("shanten", 500, seed=2))


def test_standard_errors_are_those_of_repeated_runs():
    """The spread of the win rate over 100 seeds is what the error of one of them says, within four errors of it."""
    runs = [solo("efficiency", 400, seed=seed) for seed in range(100)]
    spread = statistics.stdev(run.win_rate.mean for run in runs)
    error = statistics.mean(run.win_rate.error for run in runs)
    assert abs(spread / error - 1) < 4 / (2 * 99) ** 0.5
    spread = statistics.stdev(run.draws_to_win.mean for run in runs)
    error = statistics.mean(run.draws_to_win.error for run in runs)
    assert abs(spread / error - 1) < 4 / (2 * 99) ** 0.5


def test_rates_add_up():
    result = four_players(["efficiency_danger", "efficiency", "shanten", "random"], 400, seed=1)
    won = sum(result.win_rate(player).mean for player in range(4))
    assert won + result.draw_rate.mean == pytest.approx(1)
    dealt_in = sum(result.deal_in_rate(player).mean for player in range(4))
    drawn = sum(result.self_draw_rate(player).mean for player in range(4))
    assert dealt_in + drawn == pytest.approx(won)
    text = str(result)
    assert all(name in text for name in result.policies)
    assert result.to_dict()["players"][3]["policy"] == "random"


def test_first_to_play_is_shared():
    """Four players of one policy win equally often, though the first to play has an advantage."""
    result = four_players("efficiency", 20_000, seed=1, workers=2)
    rates = [result.win_rate(player) for player in range(4)]
    mean = sum(rate.mean for rate in rates) / 4
    assert all(abs(rate.mean - mean) < 4 * rate.error for rate in rates)


# --- what the policies are worth ---------------------------------------------------------------


def test_efficiency_beats_shanten_beats_random():
    """By more than three standard errors, on the same walls and taken as independent games."""
    n = 5000
    results = [solo(name, n, seed=1, workers=2) for name in ("efficiency", "shanten", "random")]
    for better, worse in pairwise(results):
        assert better.lead_over(worse).significance > 3
        lead = better.win_rate.mean - worse.win_rate.mean
        assert lead > 3 * (better.win_rate.error**2 + worse.win_rate.error**2) ** 0.5


@pytest.mark.slow
def test_danger_lowers_the_deal_in_rate():
    n = 20_000
    efficiency = four_players("efficiency", n, seed=1, workers=2)
    careful = four_players(["efficiency_danger", "efficiency", "efficiency", "efficiency"], n, seed=1, workers=2)
    assert careful.deal_in_lead_over(efficiency, 0).significance < -3


def bench_policies():
    spec = importlib.util.spec_from_file_location("policies", ROOT / "bench" / "policies.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_has_a_line_for_each_policy():
    lines = bench_policies().table(games=100, seed=2, workers=1)
    assert [line.split("`")[1] for line in lines[2:7]] == list(POLICIES)


@pytest.mark.slow
def test_the_table_of_the_readme():
    assert "\n".join(bench_policies().table()) in README.read_text(encoding="utf-8")


# --- the danger table --------------------------------------------------------------------------


def test_danger_counts_are_those_of_the_games():
    """The table of a few games, fitted again to what a game in Python shows."""
    logs = []
    for game in range(40):
        rivers = [[] for _ in range(4)]
        moments = []

        def note(view, rivers=rivers, moments=moments):
            kind, state = reference_choice("efficiency", view)
            river = rivers[len(moments) % 4]
            river.append(kind)
            moments.append((view.hand - (1 << 4 * kind), river[-3:]))
            return kind, state

        _, loser, _ = simulator_games.four_player_game([note] * 4, 11, game, 18)
        if loser != NOBODY:
            moments.pop()
        logs += [(recent, mjcore.ting(hand)) for hand, recent in moments if mjcore.shanten(hand) == 0]
    ready, waiting = danger_selfplay.count(40, 11)
    assert ready.tolist() == [sum(kind in recent for recent, _ in logs) for kind in range(34)]
    assert waiting.sum() == sum(len(set(recent)) * len(waits) for recent, waits in logs)
    fitted = fit_danger(logs)
    table = danger_selfplay.table_of(ready, waiting)
    assert np.asarray(table) == pytest.approx(np.asarray(fitted), rel=5e-6)


@pytest.mark.parametrize("table", [DangerTable.default(), danger_selfplay.selfplay_table(300, 5)], ids=["kept", "new"])
def test_danger_table_properties(table):
    table = np.asarray(table)
    assert table.shape == (34, 34)
    assert (table >= 0).all()
    assert (table <= 1).all()
    suited, honors = np.arange(27), np.arange(27, 34)
    mirrored = np.concatenate([9 * (suited // 9) + 8 - suited % 9, honors])
    assert (table == table[np.ix_(mirrored, mirrored)]).all()
    for suits in ([1, 0, 2], [2, 0, 1]):
        moved = np.concatenate([*(np.arange(9) + 9 * suit for suit in suits), honors])
        assert (table == table[np.ix_(moved, moved)]).all()
    moved = np.concatenate([suited, np.roll(honors, 1)])
    assert (table == table[np.ix_(moved, moved)]).all()
    # one suit counted from above, the others as they are
    half = np.concatenate([mirrored[:9], suited[9:], honors])
    assert (table == table[np.ix_(half, half)]).all()


def test_the_danger_table_that_is_kept():
    """What is known of the game shows: a kind just let go is safe, middle tiles are dangerous, honors are not."""
    table = np.asarray(DangerTable.default())
    assert np.diag(table).max() < 0.01
    assert table[3:6, 9:].mean() > table[[0, 8], 9:].mean() > table[27:, :].mean()
    assert "danger_selfplay --games 200000 --seed 1" in DangerTable.default().source


def test_danger_file_is_reproduced(tmp_path, capsys):
    texts = []
    for workers in ("1", "2", "3"):
        file = tmp_path / f"{workers}.csv"
        arguments = ["--games", "3000", "--seed", "2", "--workers", workers, "--output", str(file)]
        assert danger_selfplay.main(arguments) == 0
        texts.append(file.read_text())
    assert texts[0] == texts[1] == texts[2]
    assert capsys.readouterr() == ("", "")
    loaded = DangerTable.load(tmp_path / "1.csv")
    assert "--games 3000 --seed 2\n" in loaded.source
    assert f"mjcore {mjcore.__version__};" in loaded.source
    assert np.abs(np.asarray(loaded) - np.asarray(danger_selfplay.selfplay_table(3000, 2))).max() < 1e-6


@pytest.mark.slow
def test_the_kept_danger_file_is_what_its_source_says(tmp_path):
    assert danger_selfplay.main(["--workers", "2", "--output", str(tmp_path / "danger.csv")]) == 0
    new, kept = ((path / "danger.csv").read_text(encoding="utf-8") for path in (tmp_path, danger_selfplay.DATA.parent))
    assert re.sub("mjcore [0-9.]+;", "", new) == re.sub("mjcore [0-9.]+;", "", kept)


@pytest.mark.parametrize("arguments", [["--games", "0"], ["--seed", "-1"], ["--workers", "0"], ["--games", "many"]])
def test_bad_arguments_of_the_script(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        danger_selfplay.main(arguments)
    assert arguments[0] in capsys.readouterr().err


# --- the command line --------------------------------------------------------------------------


def test_simulate_alone(capsys):
    assert main(["simulate", "efficiency", "--games", "300", "--seed", "1", "random"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [str(solo("efficiency", 300, seed=1)), str(solo("random", 300, seed=1))]


def test_simulate_four(capsys):
    names = ["efficiency_danger", "efficiency", "shanten", "random"]
    assert main(["simulate", "--four", *names, "--games", "300", "--seed", "1", "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == four_players(names, 300, seed=1).to_dict()
    assert main(["simulate", "--four", "shanten", "--games", "30", "--draws", "5"]) == 0
    assert capsys.readouterr().out == f"{four_players('shanten', 30, draws=5)}\n"


def test_simulate_takes_a_table(capsys, tmp_path):
    DangerTable([[0.0] * 34] * 34).save(tmp_path / "fearless.csv")
    arguments = ["simulate", "--four", "efficiency_danger", "--games", "300", "--danger-table"]
    assert main([*arguments, str(tmp_path / "fearless.csv")]) == 0
    fearless = capsys.readouterr().out
    assert main([*arguments, str(danger_selfplay.DATA)]) == 0
    assert capsys.readouterr().out == f"{four_players('efficiency_danger', 300)}\n" != fearless
    assert main([*arguments, str(tmp_path / "none.csv")]) == 2
    assert main(["simulate", "--four", "efficiency_danger", "--games", "300", "--danger-weight", "0"]) == 0
    capsys.readouterr()


def test_json_knows_no_nan(capsys):
    assert main(["simulate", "random", "--games", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["draws_to_win"] == {"mean": None, "error": None}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["greedy"], "expected a policy of random"),
        (["--four", "random", "random"], "expected one policy or 4, got 2"),
        (["--games", "0"], "expected games of 1 to"),
        (["--workers", "0"], "expected 1 to 256 workers"),
        (["--danger-weight", "nan"], "expected a danger_weight of 0 to 1e+09, got nan"),
        (["--sixfold"], "unrecognized arguments: --sixfold"),
    ],
)
def test_wrong_usage(arguments, message, capsys):
    assert main(["simulate", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_bar_on_a_terminal(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", terminal)
    with count_bar(300, "games") as progress:
        solo("random", 300, progress=progress)
        assert "] 100 % 300 games" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")


# --- agreement with rank_discards --------------------------------------------------------------


def random_views(n, seed):
    """Hands and rivers of four random players in the middle of a game."""
    rng = random.Random(seed)
    for _ in range(n):
        tiles = [kind for kind in range(34) for _ in range(4)]
        rng.shuffle(tiles)
        hand = [tiles.pop() for _ in range(14)]
        n_played = rng.randrange(0, 18)
        rivers = tuple(tuple(tiles.pop() for _ in range(n_played)) for _ in range(3))
        visible = sum(1 << 4 * tiles.pop() for _ in range(n_played))
        yield sum(1 << 4 * kind for kind in hand), rivers, visible


@pytest.mark.parametrize("name", ["article", "efficiency", "efficiency_danger"])
def test_named_policies_are_those_of_rank_discards(name):
    values = DangerTable.default().values
    for hand, rivers, visible in random_views(300, 12):
        drawn = tiles_of(hand)[5]
        live = mjcore.discards(hand)[drawn]
        everything = visible + hand + sum(1 << 4 * kind for river in rivers for kind in river)
        before = sum((everything >> 4 * kind & 0xF) < 4 for kind in live) if live.shanten == 0 else 0
        if name == "efficiency":
            # nobody is feared, all discards are seen
            best = rank_discards(hand, visible=everything - hand, waits_before=before).best
        else:
            ranking = rank_discards(hand, policy="article", rivers=rivers, visible=visible, waits_before=before)
            best = ranking.best
        if name == "efficiency_danger":
            lowest = min(row.shanten for row in ranking)
            for draws_left in (0, 3, 17):
                if 4 * lowest > draws_left:
                    best = min(ranking, key=lambda row: (row.danger, row.shanten, -row.live, -row.score, row.kind)).kind
                else:
                    rows = [row for row in ranking if row.shanten == lowest]
                    best = min(rows, key=lambda row: (20 * row.danger - row.live, -row.score, row.kind)).kind
                assert choose_kind(name, hand, drawn, draws_left, rivers, visible, 0, values, 5.0)[0] == best
        assert choose_kind(name, hand, drawn, 17, rivers, visible, 0, values, 5.0)[0] == best


def test_only_the_last_three_discards_are_feared():
    values = DangerTable.default().values
    for hand, rivers, visible in random_views(100, 13):
        cut = tuple(river[-3:] for river in rivers)
        older = sum(1 << 4 * kind for river in rivers for kind in river[:-3])
        for name in ("article", "efficiency_danger"):
            chosen = choose_kind(name, hand, -1, 9, rivers, visible, 0, values, 5.0)
            assert chosen == choose_kind(name, hand, -1, 9, cut, visible + older, 0, values, 5.0)
