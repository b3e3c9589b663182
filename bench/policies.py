"""
Print the table of policies in README.md: how often each wins, with standard errors.

    python bench/policies.py --games 20000 --seed 1 --workers 2

Alone against the wall, and as one of four players, the other three playing efficiency.  The same walls are
dealt to every policy, so that the numbers of two lines differ less by luck than their errors say.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import pairwise

from mjcore.simulator import POLICIES, Estimate, four_players, solo

GAMES = 20_000
SEED = 1
RIVALS = ["efficiency"] * 3


def table(games: int = GAMES, seed: int = SEED, workers: int = 2) -> list[str]:
    """Return the lines of the table as Markdown, and below it how sure the differences are."""
    alone = {name: solo(name, games, seed, workers=workers) for name in POLICIES}
    of_four = {name: four_players([name, *RIVALS], games, seed, workers=workers) for name in POLICIES}
    lines = [
        "| policy | alone: won, % | draws to win | one of four: won, % | dealt in, % | nobody won, % |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in POLICIES:
        draws, four = alone[name].draws_to_win, of_four[name]
        cells = [
            percent(alone[name].win_rate),
            f"{draws.mean:.2f} ± {draws.error:.2f}" if draws.error > 0 else "-",
            percent(four.win_rate(0)),
            percent(four.deal_in_rate(0)),
            percent(four.draw_rate),
        ]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    lines += ["", "Differences in percentage points, taken game by game on the same walls:", ""]
    for better, worse in pairwise(["efficiency", "shanten", "random"]):
        lines.append(
            f"- alone, `{better}` wins {points(alone[better].lead_over(alone[worse]))} more often than `{worse}`;"
        )
    careful, plain = of_four["efficiency_danger"], of_four["efficiency"]
    lines += [
        f"- of four, `efficiency_danger` deals in {points(plain.deal_in_lead_over(careful, 0))} less often than",
        f"  `efficiency`, and wins {points(careful.win_lead_over(plain, 0))} more often.",
    ]
    return lines


def percent(rate: Estimate) -> str:
    """Return a rate and its error in percent."""
    return f"{100 * rate.mean:.1f} ± {100 * rate.error:.1f}"


def points(lead: Estimate) -> str:
    """Return a difference in percentage points, and how sure it is."""
    return f"{percent(lead)} ({lead.significance:.1f} standard errors)"


def speed(games: int, workers: int) -> str:
    """Return how many games of the efficiency policy are played in a second."""
    rates = []
    for play in (solo, four_players):
        start = time.perf_counter()
        play("efficiency", games, workers=workers)
        rates.append(f"{games / (time.perf_counter() - start):,.0f}")
    return f"Games a second with {workers} workers: {rates[0]} alone, {rates[1]} of four."


def main() -> None:
    """Play, and print."""
    parser = argparse.ArgumentParser(description="Print the table of policies.")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    print("\n".join(table(options.games, options.seed, options.workers)))
    print(speed(options.games, options.workers), file=sys.stderr)


if __name__ == "__main__":
    main()
