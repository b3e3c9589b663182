"""
Print the table of policies in README.md: how often each wins, with standard errors.

    python bench/policies.py --games 20000 --seed 1 --workers 2

Alone against the wall, and as one of four players, the other three playing efficiency.  The same walls are
dealt to every policy, so that the numbers of a line differ less by luck than their errors say.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise

from mjcore.simulator import POLICIES, Estimate, four_players, solo

RIVALS = ["efficiency"] * 3


def table(games: int, seed: int, workers: int) -> str:
    """Return the table as Markdown, and below it how it was made and how sure the differences are."""
    lines = [
        "| policy | alone: won | draws to win | one of four: won | dealt in | nobody won |",
        "|---|---|---|---|---|---|",
    ]
    seconds = {"alone": 0.0, "of four": 0.0}
    results = {}
    for name in POLICIES:
        start = time.perf_counter()
        alone = solo(name, games, seed, workers=workers)
        seconds["alone"] += time.perf_counter() - start
        start = time.perf_counter()
        four = four_players([name, *RIVALS], games, seed, workers=workers)
        seconds["of four"] += time.perf_counter() - start
        results[name] = alone, four
        draws = alone.draws_to_win
        cells = [
            f"`{name}`",
            alone.win_rate.percent(),
            "-" if draws.error != draws.error else f"{draws.mean:.2f} +- {draws.error:.2f}",
            four.win_rate(0).percent(),
            four.deal_in_rate(0).percent(),
            four.draw_rate.percent(),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    rates = ", ".join(f"{len(POLICIES) * games / spent:,.0f} games {what} a second" for what, spent in seconds.items())
    lines += ["", f"{games:,} games a cell, seed {seed}, +- one standard error; {rates} with {workers} workers."]
    lines.append("Percentage points on the same walls, game by game:")
    for better, worse in pairwise(["efficiency", "shanten", "random"]):
        lead = results[better][0].lead_over(results[worse][0])
        lines.append(f"- alone, `{better}` wins {points(lead)} more often than `{worse}`;")
    careful, plain = results["efficiency_danger"][1], results["efficiency"][1]
    lines.append(f"- of four, `efficiency_danger` wins {points(careful.win_lead_over(plain, 0))} more often than")
    lines.append(f"  `efficiency`, and deals in {points(plain.deal_in_lead_over(careful, 0))} less often.")
    return "\n".join(lines)


def points(lead: Estimate) -> str:
    """Return a difference in percentage points, and how sure it is."""
    return f"{100 * lead.mean:.1f} +- {100 * lead.error:.1f} ({lead.significance:.1f} standard errors)"


def main() -> None:
    """Play, and print."""
    parser = argparse.ArgumentParser(description="Print the table of policies.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    print(table(options.games, options.seed, options.workers))


if __name__ == "__main__":
    main()
