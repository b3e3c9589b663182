"""What came out of games: rates with their standard errors, and how much one policy is better than another."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any, NamedTuple

from mjcore.arguments import read_items, read_number, read_whole

N_PLAYERS = 4
NOBODY = 255


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
        n = read_whole(n, "n", 0, sys.maxsize)
        n_yes = read_whole(n_yes, "n_yes", 0, n)
        if n == 0:
            return cls(nan, nan)
        share = n_yes / n
        return cls(share, sqrt(share * (1 - share) / n))

    @classmethod
    def of_values(cls, values: Iterable[float]) -> Estimate:
        """The mean of independent values: the error is their standard deviation (n - 1) over sqrt(n)."""
        values = [read_number(value, "a value") for value in read_items(values, "values", "numbers")]
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
        _check_comparable(self, other)
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
        return Estimate.of_share(self.winners.count(_read_player(player)), self.n_games)

    def self_draw_rate(self, player: int) -> Estimate:
        """Share of the games that a player won by a tile drawn."""
        drawn = sum(map((_read_player(player), NOBODY).__eq__, zip(self.winners, self.losers, strict=True)))
        return Estimate.of_share(drawn, self.n_games)

    def deal_in_rate(self, player: int) -> Estimate:
        """Share of the games in which a player let go the tile that won."""
        return Estimate.of_share(self.losers.count(_read_player(player)), self.n_games)

    def deal_in_lead_over(self, other: FourPlayerResult, player: int) -> Estimate:
        """Return how much more often a player dealt in than the same player of another result on the same walls."""
        return self._lead(other, "losers", player)

    def win_lead_over(self, other: FourPlayerResult, player: int) -> Estimate:
        """Return how much more often a player won than the same player of another result on the same walls."""
        return self._lead(other, "winners", player)

    def _lead(self, other: FourPlayerResult, which: str, player: int) -> Estimate:
        _check_comparable(self, other)
        player = _read_player(player)
        pairs = zip(getattr(self, which), getattr(other, which), strict=True)
        return Estimate.of_values((mine == player) - (theirs == player) for mine, theirs in pairs)

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


def _read_player(player: int) -> int:
    return read_whole(player, "player", 0, N_PLAYERS - 1)


def _check_comparable(one: SoloResult | FourPlayerResult, other: object) -> None:
    """Raise TypeError if the other is another kind of result, ValueError if it is one of other games."""
    if not isinstance(other, SoloResult | FourPlayerResult) or type(one) is not type(other):
        raise TypeError(f"expected a {type(one).__name__} to compare with, got {type(other).__name__}")
    if (one.seed, one.draws, one.n_games) != (other.seed, other.draws, other.n_games):
        raise ValueError("expected results of the same seed, draws and number of games")
