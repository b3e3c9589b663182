"""The command that plays games: its arguments, and the table or JSON it prints."""

from __future__ import annotations

import argparse
import sys

from mjcore.console import count_bar

GAMES = 10_000

EXAMPLES = """\
policies:
  random             any tile
  article            the tile of the highest discard score
  shanten            a tile that leaves the lowest shanten
  efficiency         of these the one that leaves most useful copies
  efficiency_danger  as efficiency, useful copies weighed against the danger of dealing in

examples:
  mjcore simulate efficiency shanten random --games 2000
  mjcore simulate --four efficiency_danger efficiency efficiency efficiency --workers 2

Games are known by seed and number: the same seed deals the same walls to every policy, whatever the number of
workers.  Errors are standard errors.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what the command takes."""
    parser.add_argument("policies", metavar="POLICY", nargs="*", default=[], help="default: efficiency")
    parser.add_argument(
        "--four", action="store_true", help="four players, one policy for all or four; default: one player alone"
    )
    parser.add_argument("--games", metavar="N", type=int, default=GAMES, help=f"games to play; default: {GAMES}")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="which walls; default: 0")
    parser.add_argument("--draws", metavar="N", type=int, default=18, help="draws of each player; default: 18")
    parser.add_argument("--workers", metavar="N", type=int, default=1, help="threads; default: 1")
    parser.add_argument("--danger-table", metavar="FILE", help="what is feared; default: as measured from self-play")
    parser.add_argument("--danger-weight", metavar="X", type=float, default=5.0, help="of danger in scores; default: 5")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each result")


def run_simulate(options: argparse.Namespace) -> int:
    """
    Play the games that were asked for and print what came out.

    Returns
    -------
    int
        The exit status, 0.
    """
    from mjcore.danger import DangerTable
    from mjcore.simulator import FourPlayerResult, SoloResult, four_players, solo

    names: list[str] = options.policies or ["efficiency"]
    runs = 1 if options.four else len(names)
    results: list[SoloResult] | list[FourPlayerResult]
    try:
        settings = {
            "draws": options.draws,
            "workers": options.workers,
            "danger_table": DangerTable.load(options.danger_table) if options.danger_table else None,
            "danger_weight": options.danger_weight,
        }
        with count_bar(max(runs * options.games, 1), "games") as progress:
            if options.four:
                players = names[0] if len(names) == 1 else names
                results = [four_players(players, options.games, options.seed, progress=progress, **settings)]
            else:
                results = [solo(name, options.games, options.seed, progress=progress, **settings) for name in names]
    except ValueError as error:
        options.parser.error(str(error))
    if options.json:
        from json import dumps

        lines = [dumps(result.to_dict()) for result in results]
    else:
        lines = [str(result) for result in results]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0
