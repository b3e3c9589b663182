"""
Games to compare policies by: which tile to let go, and how often that wins.

A policy is one of the names in `POLICIES`, or any callable of three arguments that returns a kind of the hand:

``hand``
    The packed hand, 14 tiles with the one drawn.
``rivers``
    The discards of the three opponents, oldest first: of the next to play, of the one opposite, of the last.
``visible``
    The other tiles seen, packed: one's own discards.

==================  ===============================================================================
policy              lets go
==================  ===============================================================================
random              any of its tiles
article             the tile of the highest discard score
shanten             a tile that leaves the lowest shanten
efficiency          of these the one that leaves most useful copies, then of the highest discard
                    score; discards of all players are seen, but nobody is feared
efficiency_danger   of the lowest shanten the one that leaves most useful copies, after 20 copies
                    times its danger (four for each point that danger takes from the discard score);
                    once fewer than four draws a step are left to be ready, the least dangerous tile;
                    of equal ones as efficiency does, so that both play alike alone
==================  ===============================================================================

Base, danger and gain of the discard score are those of `mjcore.rank_discards`; the first kind in order is
taken of equal tiles.  The numbers of efficiency_danger were found by trying 0 to 12 copies a point and 1 to 4
draws a step over 30,000 games: these deal in less often than plain efficiency and do not win less often.

Games are known by seed and number: the same seed deals the same walls to every policy, whatever the number
of workers.  Named policies play in C without the interpreter's lock, callables one game after another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mjcore.facade import is_hu
from mjcore.notation import format
from mjcore.simulator_kernels import POLICIES, choose_kind, four_player_games, solo_games, wall
from mjcore.tiles import N_KINDS, as_index, shown, tile_name
from mjcore.workers import check_workers, run_chunks

if TYPE_CHECKING:
    from mjcore.danger import DangerTable
    from mjcore.quality_input import DangerValues

__all__ = ["POLICIES", "Estimate", "FourPlayerResult", "Policy", "SoloResult", "four_players", "solo"]

Policy = str | Callable[[int, tuple[tuple[int, ...], ...], int], int]
Progress = Callable[[int], object]
_Result = TypeVar("_Result")

N_PLAYERS = 4
N_DEALT = 13
DRAWS = 18
"""Draws of each player until a game is drawn."""

SOLO_DRAWS_MAX = 136 - N_DEALT
DRAWS_MAX = (136 - N_PLAYERS * N_DEALT) // N_PLAYERS
GAMES_MAX = 10**9
NOBODY = 255
ROUND = 1024
"""Games of one worker between two reports of progress."""


class Estimate(NamedTuple):
    """
    A mean and its standard error.

    Examples
    --------
    >>> print(Estimate.of_share(30, 100))
    0.3000 +- 0.0458
    >>> print(Estimate.of_values([1, 2, 3, 4]))
    2.5000 +- 0.6455
    >>> Estimate.of_share(30, 100).percent()
    '30.0 +- 4.6 %'
    """

    mean: float
    error: float

    @classmethod
    def of_share(cls, n_yes: int, n: int) -> Estimate:
        """The share of yes in n independent answers: the error is sqrt(p (1 - p) / n)."""
        if n == 0:
            return cls(nan, nan)
        share = n_yes / n
        return cls(share, sqrt(share * (1 - share) / n))

    @classmethod
    def of_values(cls, values: Iterable[float]) -> Estimate:
        """The mean of independent values: the error is their standard deviation (n - 1) over sqrt(n)."""
        values = list(values)
        n = len(values)
        if n < 2:
            return cls(sum(values) / n if n else nan, nan)
        mean = sum(values) / n
        return cls(mean, sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n))

    @property
    def significance(self) -> float:
        """How many standard errors the mean is away from zero, with its sign."""
        return self.mean / self.error if self.error else nan

    def percent(self) -> str:
        """Return mean and error in percent, one digit after the point."""
        return f"{100 * self.mean:.1f} +- {100 * self.error:.1f} %"

    def to_dict(self) -> dict[str, float | None]:
        """Return plain values, None for what is not known: the mean of nothing, the error of one value."""
        return {key: None if isnan(value) else value for key, value in self._asdict().items()}

    def __str__(self) -> str:
        return f"{self.mean:.4f} +- {self.error:.4f}"


@dataclass(frozen=True)
class SoloResult:
    """
    Games of one player against the wall.

    Attributes
    ----------
    policy : str
        Its name.
    seed, draws : int
        Which walls, and how many draws of each.
    outcomes : bytes
        Of each game the draw that completed the hand, 0 if none did.
    """

    policy: str
    seed: int
    draws: int
    outcomes: bytes

    @property
    def n_games(self) -> int:
        """Games played."""
        return len(self.outcomes)

    @property
    def win_rate(self) -> Estimate:
        """Share of the games that were won."""
        return Estimate.of_share(self.n_games - self.outcomes.count(0), self.n_games)

    @property
    def draws_to_win(self) -> Estimate:
        """Mean number of draws of the games that were won."""
        return Estimate.of_values(number for number in self.outcomes if number)

    def lead_over(self, other: SoloResult) -> Estimate:
        """
        Return how much more often this policy won than another did on the same walls.

        The error is that of the differences game by game, smaller than of independent games.
        """
        if (self.seed, self.draws, self.n_games) != (other.seed, other.draws, other.n_games):
            raise ValueError("expected results of the same seed, draws and number of games")
        return Estimate.of_values(
            (mine > 0) - (theirs > 0) for mine, theirs in zip(self.outcomes, other.outcomes, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "policy": self.policy,
            "games": self.n_games,
            "seed": self.seed,
            "draws": self.draws,
            "win_rate": self.win_rate.to_dict(),
            "draws_to_win": self.draws_to_win.to_dict(),
        }

    def __str__(self) -> str:
        text = f"{self.policy}: won {self.win_rate.percent()} of {self.n_games:,} games"
        draws = self.draws_to_win
        return text if isnan(draws.error) else f"{text}, in {draws.mean:.2f} +- {draws.error:.2f} draws"


@dataclass(frozen=True)
class FourPlayerResult:
    """
    Games of four players.

    Attributes
    ----------
    policies : tuple of str
        Names of the four players' policies.  Player p sits at seat p - game (mod 4), and seat 0 plays first.
    seed, draws : int
        Which walls, and how many draws of each player.
    winners, losers : bytes
        Of each game the number of the player who won, and of the one who let go the tile that won; 255: nobody.
    turns : bytes
        Of each game the tiles drawn by all together.
    """

    policies: tuple[str, ...]
    seed: int
    draws: int
    winners: bytes
    losers: bytes
    turns: bytes

    @property
    def n_games(self) -> int:
        """Games played."""
        return len(self.winners)

    @property
    def draw_rate(self) -> Estimate:
        """Share of the games that nobody won."""
        return Estimate.of_share(self.winners.count(NOBODY), self.n_games)

    def win_rate(self, player: int) -> Estimate:
        """Share of the games that a player won, by a tile drawn or let go."""
        return Estimate.of_share(self.winners.count(player), self.n_games)

    def self_draw_rate(self, player: int) -> Estimate:
        """Share of the games that a player won by a tile drawn."""
        drawn = sum(map((player, NOBODY).__eq__, zip(self.winners, self.losers, strict=True)))
        return Estimate.of_share(drawn, self.n_games)

    def deal_in_rate(self, player: int) -> Estimate:
        """Share of the games in which a player let go the tile that won."""
        return Estimate.of_share(self.losers.count(player), self.n_games)

    def deal_in_lead_over(self, other: FourPlayerResult, player: int) -> Estimate:
        """Return how much more often a player dealt in than the same player of another result on the same walls."""
        return self._lead(other, self.losers, other.losers, player)

    def win_lead_over(self, other: FourPlayerResult, player: int) -> Estimate:
        """Return how much more often a player won than the same player of another result on the same walls."""
        return self._lead(other, self.winners, other.winners, player)

    def _lead(self, other: FourPlayerResult, mine: bytes, theirs: bytes, player: int) -> Estimate:
        if (self.seed, self.draws, self.n_games) != (other.seed, other.draws, other.n_games):
            raise ValueError("expected results of the same seed, draws and number of games")
        return Estimate.of_values((a == player) - (b == player) for a, b in zip(mine, theirs, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "games": self.n_games,
            "seed": self.seed,
            "draws": self.draws,
            "draw_rate": self.draw_rate.to_dict(),
            "players": [
                {
                    "policy": policy,
                    "win_rate": self.win_rate(player).to_dict(),
                    "self_draw_rate": self.self_draw_rate(player).to_dict(),
                    "deal_in_rate": self.deal_in_rate(player).to_dict(),
                }
                for player, policy in enumerate(self.policies)
            ],
        }

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [("player", "won", "of these drawn", "dealt in")]
        for player, policy in enumerate(self.policies):
            rates = (self.win_rate(player), self.self_draw_rate(player), self.deal_in_rate(player))
            rows.append((policy, *(rate.percent() for rate in rates)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        return "\n".join([*lines, f"nobody won {self.draw_rate.percent()} of {self.n_games:,} games"])


def solo(
    policy: Policy = "efficiency",
    n_games: int = 1000,
    seed: int = 0,
    *,
    draws: int = DRAWS,
    workers: int = 1,
    progress: Progress | None = None,
    danger_table: DangerTable | None = None,
    danger_weight: float = 5.0,
) -> SoloResult:
    """
    Deal 13 tiles and draw until the hand is complete, letting a tile go after each draw.

    Parameters
    ----------
    policy : str or callable
        What to let go; see the head of the module.
    n_games : int
        Games to play.
    seed : int
        0 .. 2**64 - 1.  Game i of a seed is always dealt from the same wall.
    draws : int, default 18
        Draws of a game, at most 123.
    workers : int, default 1
        Threads to use.  A callable is called in one thread alone.
    progress : callable, optional
        Called with the number of games played since the call before.
    danger_table, danger_weight
        As for `four_players`; nobody is dangerous here.

    Returns
    -------
    SoloResult
        Win rate and mean draws to win, with standard errors.

    Raises
    ------
    ValueError
        If there is no such policy, a number is out of range, or a callable returns a tile that is not held.
    TypeError
        If a number is none, or a callable returns what is no kind.

    Examples
    --------
    >>> from mjcore.simulator import solo
    >>> print(solo("efficiency", 2000, seed=1))
    efficiency: won 19.3 +- 0.9 % of 2,000 games, in 13.91 +- 0.16 draws
    >>> def first_held(hand, rivers, visible):
    ...     return next(kind for kind in range(34) if hand >> 4 * kind & 15)
    >>> solo(first_held, 100).win_rate
    Estimate(mean=0.0, error=0.0)
    """
    n_games = _check_number("games", n_games, 1, GAMES_MAX)
    seed = _check_number("seed", seed, 0, (1 << 64) - 1)
    draws = _check_number("draws", draws, 1, SOLO_DRAWS_MAX)
    workers = check_workers(workers)
    danger_weight = _check_weight(danger_weight)
    name = _name_of(policy)
    outcomes = bytearray(n_games)
    danger = _danger_values([policy], danger_table)
    if isinstance(policy, str):
        view = memoryview(outcomes)

        def play(start: int, stop: int) -> None:
            solo_games(name, seed, start, draws, view[start:stop], danger, danger_weight)

        deque(play_rounds(play, n_games, workers, progress), maxlen=0)
    else:
        player = _caller(policy, name)
        for game in range(n_games):
            outcomes[game] = _solo_game(player, seed, game, draws)
            if progress:
                progress(1)
    return SoloResult(name, seed, draws, bytes(outcomes))


def four_players(
    policies: Policy | Sequence[Policy] = "efficiency",
    n_games: int = 1000,
    seed: int = 0,
    *,
    draws: int = DRAWS,
    workers: int = 1,
    progress: Progress | None = None,
    danger_table: DangerTable | None = None,
    danger_weight: float = 5.0,
) -> FourPlayerResult:
    """
    Deal 13 tiles to each of four players who draw in turn; who completes a hand by a draw or a discard wins.

    A discard that completes several hands goes to the next to play.  There are no other calls, and every win
    is taken.  Players change seats from game to game, so that each plays first as often as the others.

    Parameters
    ----------
    policies : str or callable, or a sequence of four
        What each player lets go; one policy is played by all.
    n_games, seed, workers, progress
        As for `solo`.  Walls depend on the seed alone.
    draws : int, default 18
        Draws of each player, at most 21, then the game is drawn.
    danger_table : DangerTable, optional
        What the policies article and efficiency_danger fear.  Default: the table measured from self-play.
    danger_weight : float, default 5.0
        What they multiply danger by.

    Returns
    -------
    FourPlayerResult
        Win, deal-in and draw rates with standard errors.

    Raises
    ------
    ValueError, TypeError
        As for `solo`; or if there are not four policies.

    Examples
    --------
    >>> from mjcore.simulator import four_players
    >>> from mjcore import rank_discards
    >>> def by_score(hand, rivers, visible):
    ...     return rank_discards(hand, policy="article", rivers=rivers, visible=visible).best
    >>> four_players([by_score, "random", "random", "random"], 50).policies[0]
    'by_score'
    >>> print(four_players(["efficiency_danger", "efficiency", "shanten", "random"], 2000, seed=1))
    player             won            of these drawn  dealt in
    efficiency_danger  33.3 +- 1.1 %  7.6 +- 0.6 %    8.4 +- 0.6 %
    efficiency         33.8 +- 1.1 %  8.2 +- 0.6 %    10.2 +- 0.7 %
    shanten            12.3 +- 0.7 %  3.0 +- 0.4 %    18.8 +- 0.9 %
    random             0.0 +- 0.0 %   0.0 +- 0.0 %    23.1 +- 0.9 %
    nobody won 20.5 +- 0.9 % of 2,000 games
    """
    players = [policies] * N_PLAYERS if isinstance(policies, str) or callable(policies) else list(policies)
    if len(players) != N_PLAYERS:
        raise ValueError(f"expected one policy or {N_PLAYERS}, got {len(players)}")
    n_games = _check_number("games", n_games, 1, GAMES_MAX)
    seed = _check_number("seed", seed, 0, (1 << 64) - 1)
    draws = _check_number("draws", draws, 1, DRAWS_MAX)
    workers = check_workers(workers)
    danger_weight = _check_weight(danger_weight)
    names = tuple(map(_name_of, players))
    danger = _danger_values(players, danger_table)
    winners, losers, turns = bytearray(n_games), bytearray(n_games), bytearray(n_games)
    if all(isinstance(policy, str) for policy in players):
        views = [memoryview(array) for array in (winners, losers, turns)]

        def play(start: int, stop: int) -> None:
            out = tuple(view[start:stop] for view in views)
            four_player_games(names, seed, start, draws, out, danger, danger_weight)

        deque(play_rounds(play, n_games, workers, progress), maxlen=0)
    else:
        choosers = [
            _named(policy, danger, danger_weight) if isinstance(policy, str) else _caller(policy, name)
            for policy, name in zip(players, names, strict=True)
        ]
        for game in range(n_games):
            winners[game], losers[game], turns[game] = _four_player_game(choosers, seed, game, draws)
            if progress:
                progress(1)
    return FourPlayerResult(names, seed, draws, bytes(winners), bytes(losers), bytes(turns))


# --- games in Python ---------------------------------------------------------------------------


class _View(NamedTuple):
    """What a player sees when a tile has to go."""

    hand: int
    drawn: int
    draws_left: int  # after this one
    rivers: tuple[tuple[int, ...], ...]
    visible: int
    state: int  # of the game's generator
    place: str  # for errors


_Chooser = Callable[[_View], tuple[int, int]]
"""Returns the kind to let go and the state of the generator after it."""


def _named(name: str, danger: DangerValues | None, danger_weight: float) -> _Chooser:
    def choose(view: _View) -> tuple[int, int]:
        return choose_kind(name, *view[:-1], danger, danger_weight)

    return choose


def _caller(policy: Callable[..., object], name: str) -> _Chooser:
    def choose(view: _View) -> tuple[int, int]:
        answer = policy(view.hand, view.rivers, view.visible)
        kind = as_index(answer)
        if kind is None:
            raise TypeError(f"expected a kind from policy {name}, got {shown(answer)} in {view.place}")
        if not 0 <= kind < N_KINDS or not view.hand >> 4 * kind & 0xF:
            tile = tile_name(kind) if 0 <= kind < N_KINDS else shown(kind)
            raise ValueError(f"expected a tile of {format(view.hand)} from policy {name}, got {tile} in {view.place}")
        return kind, view.state

    return choose


def _solo_game(choose: _Chooser, seed: int, game: int, draws: int) -> int:
    tiles, state = wall(seed, game)
    hand = sum(map(_tile, tiles[:N_DEALT]))
    rivers: tuple[tuple[int, ...], ...] = ((), (), ())
    visible = 0
    for number, drawn in enumerate(tiles[N_DEALT : N_DEALT + draws], 1):
        hand += _tile(drawn)
        if is_hu(hand):
            return number
        place = f"draw {number} of game {game}, seed {seed}"
        kind, state = choose(_View(hand, drawn, draws - number, rivers, visible, state, place))
        hand -= _tile(kind)
        visible += _tile(kind)
    return 0


def _four_player_game(choosers: Sequence[_Chooser], seed: int, game: int, draws: int) -> tuple[int, int, int]:
    """The players who won and dealt in, and the tiles drawn."""
    tiles, state = wall(seed, game)
    hands = [sum(map(_tile, tiles[N_DEALT * seat : N_DEALT * (seat + 1)])) for seat in range(N_PLAYERS)]
    rivers: list[tuple[int, ...]] = [()] * N_PLAYERS
    player = [(seat + game) % N_PLAYERS for seat in range(N_PLAYERS)]
    for turn, drawn in enumerate(tiles[N_PLAYERS * N_DEALT :][: N_PLAYERS * draws]):
        seat = turn % N_PLAYERS
        others = [(seat + step) % N_PLAYERS for step in range(1, N_PLAYERS)]
        hands[seat] += _tile(drawn)
        if is_hu(hands[seat]):
            return player[seat], NOBODY, turn + 1
        seen = tuple(rivers[other] for other in others)
        number = turn // N_PLAYERS + 1
        place = f"draw {number} of game {game}, seed {seed}"
        view = _View(hands[seat], drawn, draws - number, seen, sum(map(_tile, rivers[seat])), state, place)
        kind, state = choosers[player[seat]](view)
        hands[seat] -= _tile(kind)
        rivers[seat] += (kind,)
        for other in others:
            if is_hu(hands[other] + _tile(kind)):
                return player[other], player[seat], turn + 1
    return NOBODY, NOBODY, N_PLAYERS * draws


# --- arguments ---------------------------------------------------------------------------------


def _tile(kind: int) -> int:
    return 1 << 4 * kind


def _check_number(what: str, value: object, least: int, most: int) -> int:
    number = as_index(value)
    if number is None:
        raise TypeError(f"expected a number of {what}, got {type(value).__name__}")
    if not least <= number <= most:
        raise ValueError(f"expected {what} of {least} to {most}, got {shown(number)}")
    return number


def _check_weight(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected a number for the danger weight, got {type(value).__name__}")
    if not 0 <= value < 1e9:
        raise ValueError(f"expected a danger weight of 0 or more, got {shown(value)}")
    return float(value)


def _name_of(policy: Policy) -> str:
    if isinstance(policy, str):
        if policy not in POLICIES:
            raise ValueError(f"expected a policy of {', '.join(POLICIES)}, got {shown(policy)}")
        return policy
    if not callable(policy):
        raise TypeError(f"expected the name of a policy or a callable, got {type(policy).__name__}")
    return str(getattr(policy, "__name__", type(policy).__name__))


def _danger_values(policies: Sequence[Policy], table: DangerTable | None) -> DangerValues | None:
    """The values of the table, as the kernels read them, if a policy asks."""
    if table is None and not {"article", "efficiency_danger"}.intersection(map(_name_of, policies)):
        return None
    from mjcore.danger import DangerTable

    if table is None:
        return DangerTable.default().values
    if not isinstance(table, DangerTable):
        raise TypeError(f"expected a DangerTable or None, got {type(table).__name__}")
    return table.values


def play_rounds(
    play: Callable[[int, int], _Result], n_games: int, workers: int, progress: Progress | None
) -> Iterator[_Result]:
    """
    Call ``play(start, stop)`` in threads until every game of 0 .. n_games is in one call; yield the results in order.

    Progress is reported from the calling thread.
    """
    for first in range(0, n_games, ROUND * workers):
        n = min(ROUND * workers, n_games - first)

        def play_some(start: int, stop: int, first: int = first) -> _Result:
            return play(first + start, first + stop)

        yield from run_chunks(play_some, n, workers)
        if progress:
            progress(n)
