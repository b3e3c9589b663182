"""What the command line takes: an option is one row of `OPTIONS`, what commands share are tuples of their names."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from mjcore import __version__, simulate_command
from mjcore.questions import COMMANDS
from mjcore.tiles import DIALECTS, NOTATIONS

RULE_SETS = ("default", "mcr", "riichi", "hk", "tuidaohu", "wuhan")
WAIT_MODES = ("possible", "shape")
WINDS = ("E", "S", "W", "N")

OPTIONS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "file": (
        ("--file", "-f"),
        {"metavar": "FILE", "action": "append", "help": "read hands from FILE, one a line; '-' is standard input"},
    ),
    "jokers": (
        ("--jokers",),
        {"metavar": "N", "type": int, "default": 0, "help": "jokers beside the tiles of every hand, 0 to 8"},
    ),
    "rules": (
        ("--rules",),
        {
            "choices": RULE_SETS,
            "default": "default",
            "help": "rule set; default: standard form, seven different pairs, thirteen orphans",
        },
    ),
    "quads": (("--quads",), {"action": "store_true", "help": "four of a kind are two of the seven pairs"}),
    "no_fifth_copy": (
        ("--no-fifth-copy",),
        {"action": "store_true", "help": "a joker may not play as a kind of which four copies are held"},
    ),
    "joker_kind": (
        ("--joker-kind",),
        {"metavar": "TILE", "help": "each copy of this kind is a joker; it may stand for itself too"},
    ),
    "eyes": (("--eyes",), {"metavar": "TILES", "help": "kinds that may be the eyes, for example 258m258s258p"}),
    "notation": (
        ("--notation",),
        {
            "choices": NOTATIONS,
            "help": "how tiles are written, any notation is read; default: letters, or chinese in tables of --lang zh",
        },
    ),
    "dialect": (
        ("--dialect",),
        {
            "choices": tuple(DIALECTS),
            "default": "tenhou",
            "help": "what 5z 6z 7z mean, read and written: white green "
            "red (tenhou) or red green white (cn); default: tenhou",
        },
    ),
    "json": (("--json",), {"action": "store_true", "help": "one JSON object a line, also for hands in error"}),
    "echo": (
        ("--echo",),
        {
            "action": argparse.BooleanOptionalAction,
            "help": "begin each answer with its hand as given and a tab; "
            "default: unless there is one hand only, given as an argument",
        },
    ),
    "quiet": (
        ("--quiet", "-q"),
        {
            "action": "store_true",
            "help": "print no answer; exit status 0: every hand is complete, 1: some hand is "
            "not or there is none, 2: a hand cannot be read",
        },
    ),
    "wait_mode": (
        ("--wait-mode",),
        {
            "choices": WAIT_MODES,
            "default": "possible",
            "help": "report waits with a copy left beside hand, melds and "
            "visible tiles (possible), or all by shape; default: possible",
        },
    ),
    "visible": (
        ("--visible",),
        {"metavar": "TILES", "help": "tiles seen elsewhere; given, the copies left of each wait are printed too"},
    ),
    "rivers": (
        ("--rivers",),
        {
            "metavar": "A/B/C",
            "help": "discards of the three opponents, oldest first, for example 1mE5s/9p/ "
            "(they are not repeated in --visible)",
        },
    ),
    "draws": (("--draws",), {"metavar": "N", "type": int, "help": "draws left; given, the chance to win is printed"}),
    "plot": (
        ("--plot",),
        {
            "metavar": "FILE",
            "help": "draw the chance to win by draw after each discard, and the live useful tiles, to FILE.svg or "
            "FILE.png (one hand; needs matplotlib)",
        },
    ),
    "policy": (
        ("--policy",),
        {
            "choices": ("efficiency", "article"),
            "help": "order by shanten, win chance or live copies, or by the discard score; default with --rivers or "
            "--draws: efficiency",
        },
    ),
    "mode": (
        ("--mode",),
        {"choices": ("learning", "competitive"), "help": "weight of the entropy: 0.7 (learning, default) or 0.3"},
    ),
    "alpha": (("--alpha",), {"metavar": "X", "type": float, "help": "another weight of the entropy, 0 to 1"}),
    "win": (("--win",), {"metavar": "TILE", "help": "the winning tile of hands that do not name one after a '+'"}),
    "score_rules": (
        ("--rules",),
        {"metavar": "NAME", "default": "mcr", "help": "name of a rule set, or a rule file (.toml); default: mcr"},
    ),
    "rule_option": (
        ("--option",),
        {
            "metavar": "NAME[=VALUE]",
            "action": "append",
            "default": [],
            "help": "switch an option of the rule set on, or give it a value: strict98, mixed_kongs=split, "
            "knitted_waits=false (repeatable)",
        },
    ),
    "lang": (("--lang",), {"choices": ("en", "zh"), "default": "en", "help": "language of tables; default: en"}),
}

SHARED_OPTIONS = ("file", "notation", "dialect", "json", "echo")
CONTEXT_OPTIONS: dict[type, dict[str, Any]] = {
    bool: {"action": "store_true"},
    int: {"type": int, "metavar": "N"},
    str: {"choices": WINDS},
}
"""How an option for a field of `Context` is read, by the type of the field."""

HAND_RULE_OPTIONS = ("jokers", "rules", "quads", "no_fifth_copy", "joker_kind", "eyes")

HANDS_EPILOG = """\
hands:
  One argument is one hand: quote blanks and brackets.  Any notation: 123m456s789p11z, letters for
  honors (E S W N winds, C F P red green white), Chinese, unicode tiles; melds in brackets: [123m] [EEE],
  kongs [2222s] [2222s+] [2222s*].  Without hands they are read from --file or standard input, one a
  line, UTF-8; blank lines and lines that begin with # are skipped.  Answers come in the order of hands.

JSON:
  Keys of every object: source, line, input (as given), hand (in kind order), jokers; then
  hu: hu; ting: ready, waits (each: tile, kind, left); decompose: hu, melds, splits (each: form, groups,
  group_kinds, eyes, eyes_kind, jokers, joker_kinds, hard); shanten: shanten; useful: shanten, total, useful
  (each: tile, kind, left); discards: a list of tile, kind and what useful gives, with --policy every part of the
  rating; evaluate: the quality and its parts; score: score (total, fans, payments and all else that
  Score.to_dict gives).  A hand in error is an
  object among them: source, line, input, error (type, message, position).  A kind is a number 0 to 33, in the order
  1m-9m 1s-9s 1p-9p C F P E S W N.

errors and exit status:
  A hand that cannot be read is reported on standard error as FILE:LINE: message, with the text and,
  where one character is at fault, a caret below it; the others are answered all the same.
  0 all answered; 1 some hand was in error; 2 wrong usage, or a file cannot be read; 130 interrupted.
"""


def build_parser(
    asked: str | None,
    run_command: Callable[[argparse.Namespace], int],
    run_selftest: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    """Make the parser; options that take an import to know are those of the command that is asked for."""
    parser = argparse.ArgumentParser(
        prog="mjcore",
        description="Questions about mahjong hands: exact, fast, with jokers and melds.",
        epilog="examples:\n  mjcore ting 1112345678999m\n  mjcore hu --file hands.txt --json\n  mjcore selftest\n\n"
        "mjcore COMMAND --help says more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"mjcore {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(
            command.name,
            help=command.summary,
            description=command.details,
            epilog=f"examples:\n{command.examples}\n{HANDS_EPILOG}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        sub.add_argument("hands", metavar="HAND", nargs="*", help="a hand in any notation; '-' reads standard input")
        for name in (*SHARED_OPTIONS, *(HAND_RULE_OPTIONS if command.shared else ()), *command.options):
            flags, details = OPTIONS[name]
            sub.add_argument(*flags, **details)
        if command.takes_win and command.name == asked:
            _add_context_options(sub)
        sub.set_defaults(command=command, parser=sub, run=run_command, words="hands")
    sub = commands.add_parser(
        "selftest",
        help="check the installed package on built-in facts",
        description="Check the installed package on built-in facts.  Exit status 0: all passed, 1: some failed.",
        allow_abbrev=False,
    )
    sub.set_defaults(parser=sub, run=run_selftest, words="")
    sub = commands.add_parser(
        "simulate",
        help="play games by a policy and report how often it wins",
        description="Play seeded games, alone against the wall or four players, and report rates and standard errors.",
        epilog=simulate_command.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    simulate_command.add_arguments(sub)
    sub.set_defaults(parser=sub, run=simulate_command.run_simulate, words="policies")
    return parser


def _add_context_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for each field of `Context`."""
    from mjcore import Context
    from mjcore.conditions import MEANINGS
    from mjcore.scores import CONTEXT_FIELDS

    for name, default in Context().to_dict().items():
        details = CONTEXT_OPTIONS[type(default)]
        meaning = MEANINGS.get(name) or MEANINGS.get(f"n_{name}") or name.replace("_", " ")
        told = meaning if default is False else f"{meaning}; default: {default}"
        parser.add_argument(flag_of(name), default=default, help=told, **details)
    parser.set_defaults(context_fields=CONTEXT_FIELDS)


def flag_of(name: str) -> str:
    """Return the option of a field."""
    return f"--{name.replace('_', '-')}"
