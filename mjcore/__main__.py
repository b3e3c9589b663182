"""
The command line: questions about hands given as arguments, in files or through a pipe.

A question is one row of `COMMANDS` and two small functions, one that answers in text and one that
answers in plain values for JSON.  Both get the settings once and return what is called for each hand,
so that nothing but reading and asking is left in the loop.  An option is one row of `OPTIONS`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO

from mjcore import (
    Hand,
    HandRules,
    InvalidHandError,
    InvalidNotationError,
    __version__,
    format,
    kind_of,
    parse,
    simulate_command,
    unpack,
)
from mjcore.console import (
    Bar,
    caret_lines,
    decode_line,
    encodable,
    open_bar,
    printable,
    read_blocks,
    say,
    takes_all_text,
)
from mjcore.notation import read_text
from mjcore.questions import COMMANDS, Command, HandLike, Settings
from mjcore.tiles import DIALECTS, NOTATIONS

if TYPE_CHECKING:
    from mjcore import RuleSet

RULE_SETS = ("default", "mcr", "riichi", "hk", "tuidaohu", "wuhan")
WAIT_MODES = ("possible", "shape")
WINDS = ("E", "S", "W", "N")

EXIT_BAD_HAND = 1
EXIT_NOT_COMPLETE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141

# --- options -----------------------------------------------------------------------------------

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


def _build_parser(asked: str | None) -> argparse.ArgumentParser:
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
        sub.set_defaults(command=command, parser=sub, run=_run_command, words="hands")
    sub = commands.add_parser(
        "selftest",
        help="check the installed package on built-in facts",
        description="Check the installed package on built-in facts.  Exit status 0: all passed, 1: some failed.",
        allow_abbrev=False,
    )
    sub.set_defaults(parser=sub, run=_run_selftest, words="")
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
        parser.add_argument(_flag(name), default=default, help=told, **details)
    parser.set_defaults(context_fields=CONTEXT_FIELDS)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _run_selftest(options: argparse.Namespace) -> int:
    from mjcore.selftest import run_selftest

    return run_selftest()


def _parse_arguments(argv: list[str] | None) -> argparse.Namespace:
    words = sys.argv[1:] if argv is None else argv
    asked = next((word for word in words if not word.startswith("-")), None)
    options, rest = _build_parser(asked).parse_known_args(words)
    # argparse takes the words before the first option only; those between options are left over
    if not options.words or any(word.startswith("-") and word != "-" for word in rest):
        if rest:
            options.parser.error(f"unrecognized arguments: {' '.join(rest)}")
    else:
        vars(options)[options.words].extend(rest)
    return options


def _read_settings(options: argparse.Namespace) -> Settings:
    if options.command.takes_win:
        return _read_score_settings(options)
    dialect: str = options.dialect
    changes: dict[str, Any] = {}
    flag = ""
    try:
        if options.quads:
            changes["seven_pairs_quads"] = True
        if options.no_fifth_copy:
            changes["joker_fifth_copy"] = False
        flag = "--joker-kind"
        if options.joker_kind is not None:
            changes["joker_kind"] = kind_of(options.joker_kind, dialect=dialect)
        flag = "--eyes"
        if options.eyes is not None:
            changes["eyes"] = [kind for kind, n in enumerate(unpack(parse(options.eyes, dialect=dialect))) if n]
        if "wait_mode" in options:
            changes["wait_mode"] = options.wait_mode
        rules = HandRules.preset(options.rules, **changes)
        flag = "--visible"
        visible = parse(options.visible, dialect=dialect) if vars(options).get("visible") is not None else None
        flag = "--jokers"
        if not 0 <= options.jokers <= 8:
            raise ValueError(f"expected 0 to 8 jokers, got {options.jokers}")
    except ValueError as error:
        options.parser.error(f"argument {flag}: {error}")
    settings = Settings(options.jokers, rules, visible, _notation(options), dialect)
    return replace(settings, **_read_advice_settings(options))


def _notation(options: argparse.Namespace) -> str:
    """How tiles are written: as asked for; else the language of a table decides, and JSON has letters."""
    if options.notation is not None:
        return str(options.notation)
    return "chinese" if vars(options).get("lang") == "zh" and not options.json else "letters"


def _read_advice_settings(options: argparse.Namespace) -> dict[str, Any]:
    """What `evaluate` and ranked discards are asked with, checked."""
    given = vars(options)
    settings: dict[str, Any] = {
        name: given[name] for name in ("draws", "policy", "mode", "alpha", "lang") if name in given
    }
    if given.get("rivers") is not None:
        rivers = options.rivers.split("/")
        if len(rivers) != 3:
            options.parser.error(f"argument --rivers: expected three rivers between '/', got {options.rivers!r}")
        try:
            read = [read_text(river, dialect=options.dialect) for river in rivers]
        except ValueError as error:
            options.parser.error(f"argument --rivers: {error}")
        if any(melds for _, melds in read):
            options.parser.error("argument --rivers: expected tiles, got a meld")
        settings["rivers"] = tuple(tuple(tile[0] for tile in tiles) for tiles, _ in read)
    if settings.get("draws") is not None and not 0 <= settings["draws"] <= 136:
        options.parser.error(f"argument --draws: expected 0 to 136 draws, got {settings['draws']}")
    alpha = settings.get("alpha")
    if alpha is not None and not 0 <= alpha <= 1:
        options.parser.error(f"argument --alpha: expected 0 to 1, got {alpha}")
    if alpha is not None and settings["mode"] is not None:
        options.parser.error("expected --mode or --alpha, got both")
    if "policy" in settings and settings["policy"] is None and (settings["draws"] is not None or "rivers" in settings):
        settings["policy"] = "efficiency"
    if options.jokers and (settings.get("policy") or options.command.name == "evaluate"):
        options.parser.error("argument --jokers: jokers are not rated")
    return settings


def _read_score_settings(options: argparse.Namespace) -> Settings:
    from mjcore import Context, load_rules, rule_set

    flag = "--win"
    try:
        win = None if options.win is None else kind_of(options.win, dialect=options.dialect)
        flag = "--rules"
        rules = load_rules(options.rules) if options.rules.endswith(".toml") else rule_set(options.rules)
        flag = "--option"
        if options.option:
            rules = rules.replace(options=_read_rule_options(options.option, rules))
        given = {name: getattr(options, name) for name in options.context_fields}
        for name, value in given.items():
            flag = _flag(name)
            Context(**{name: value})
        context = Context(**given)
    except (ValueError, OSError) as error:
        options.parser.error(f"argument {flag}: {error}")
    return Settings(
        0,
        HandRules(),
        None,
        _notation(options),
        options.dialect,
        win_tile=win,
        score_rules=rules,
        context=context,
        lang=options.lang,
    )


def _read_rule_options(texts: list[str], rules: RuleSet) -> dict[str, bool | str]:
    """The options of a rule set that are given as ``name`` or ``name=value``."""
    found: dict[str, bool | str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        switches = isinstance(rules.options.get(name), bool)
        if not equals:
            found[name] = True
        elif switches and value in ("true", "false"):
            found[name] = value == "true"
        else:
            found[name] = value
    return found


def _win_reader(dialect: str, win_tile: int | None) -> Callable[[str], HandLike]:
    """Read a hand and, after a '+' outside of brackets, the winning tile, as the tile drawn last."""

    def read_win(text: str) -> HandLike:
        tiles, plus, last = text.rpartition("+")
        named = plus and "]" not in last
        hand = Hand(tiles if named else text, dialect=dialect)
        try:
            kind = kind_of(last.strip(), dialect=dialect) if named else win_tile
        except InvalidNotationError as error:
            start = len(tiles) + 1 + len(last) - len(last.lstrip())
            raise InvalidNotationError(error.args[0], text, error.position + start) from None
        whole = len(hand) % 3 == 2 and not named
        return hand if kind is None or whole else hand.draw(kind)

    return read_win


def _hand_reader(dialect: str) -> Callable[[str], HandLike]:
    def read_hand(text: str) -> HandLike:
        return Hand(text, dialect=dialect) if "[" in text else parse(text, dialect=dialect)

    return read_hand


# --- running -----------------------------------------------------------------------------------


@dataclass
class _Run:
    """One run of a question over all hands."""

    command: Command
    settings: Settings
    echo: bool
    json: bool
    quiet: bool
    n_hands: int = 0
    n_bad: int = 0
    n_not_complete: int = 0
    bad_source: bool = False
    lines: list[str] = field(default_factory=list)
    bar: Bar | None = None

    def __post_init__(self) -> None:
        settings = self.settings
        takes_win = self.command.takes_win
        self.read_hand = (
            _win_reader(settings.dialect, settings.win_tile) if takes_win else _hand_reader(settings.dialect)
        )
        self.answer = self._json_answer() if self.json else self._text_answer()

    def _text_answer(self) -> Callable[[str, int, str], str]:
        answer = self.command.text(self.settings)
        read_hand = self.read_hand
        if not self.echo:
            return lambda source, number, text: answer(read_hand(text))

        def echoed(source: str, number: int, text: str) -> str:
            answered = answer(read_hand(text))
            hand = text if text.isprintable() else printable(text, " ")
            if "\n" in answered:
                answered = answered.replace("\n", f"\n{hand}\t")
            return f"{hand}\t{answered}"

        return echoed

    def _json_answer(self) -> Callable[[str, int, str], str]:
        fields = self.command.fields(self.settings)
        encode = self.encode = _json_encoder()
        settings = self.settings
        lanes = [0xFFFFFFFFF << 36 * lane for lane in range(4)]
        blank = " " if settings.notation == "chinese" else ""

        @lru_cache(maxsize=1 << 16)
        def write_suit(packed: int) -> str:
            return format(packed, settings.notation, dialect=settings.dialect)

        def answer(source: str, number: int, text: str) -> str:
            hand = self.read_hand(text)
            answered = fields(hand)
            if isinstance(hand, int) and "0" in text:
                hand = Hand(text, dialect=settings.dialect)  # knows red fives
            if isinstance(hand, int):
                canonical = blank.join([write_suit(hand & lane) for lane in lanes if hand & lane])
            else:
                canonical = hand.text(settings.notation, dialect=settings.dialect)
            asked = {"source": source, "line": number, "input": text, "hand": canonical, "jokers": settings.jokers}
            return encode(asked | answered)

        return answer

    def ask(self, source: str, number: int, text: str) -> None:
        """Answer one hand, or report what is wrong with it."""
        try:
            answered = self.answer(source, number, text)
        except ValueError as error:
            self.report(source, number, text, error)
            return
        self.n_hands += 1
        if not self.quiet:
            self.lines.append(answered)
        elif answered != "yes":
            self.n_not_complete += 1

    def ask_stream(self, source: str, stream: BinaryIO) -> None:
        """Answer the hands of a file or pipe, one a line."""
        source = encodable(source)
        number = 0
        self.bar = open_bar(stream)
        try:
            for n_bytes, lines in read_blocks(stream):
                for line in lines:
                    number += 1
                    try:
                        text = decode_line(line)
                    except InvalidHandError as error:
                        self.report(source, number, getattr(error, "text", None), error)
                        continue
                    if text:
                        self.ask(source, number, text)
                self.flush()
                if self.bar:
                    self.bar.advance(n_bytes, self.n_hands)
        finally:
            if self.bar:
                self.bar.clear()
                self.bar = None

    def report(self, source: str, number: int, text: str | None, error: ValueError) -> None:
        """Say what is wrong with a hand: an object among the answers, or lines on standard error."""
        self.n_bad += 1
        position = error.position if isinstance(error, InvalidNotationError) else None
        if self.json:
            shown = None if text is None else encodable(text)
            problem = {"type": type(error).__name__, "message": str(error), "position": position}
            self.lines.append(self.encode({"source": source, "line": number, "input": shown, "error": problem}))
            return
        self.flush()
        if self.bar:
            self.bar.clear()
        where = f"argument {number}" if source == ARGUMENTS else f"{source}:{number}"
        say(f"{where}: {error}\n" + ("" if text is None else caret_lines(text, position)))

    def flush(self) -> None:
        """Write the answers kept so far."""
        if self.lines:
            sys.stdout.write("\n".join(self.lines) + "\n")
            self.lines.clear()
        sys.stdout.flush()

    @property
    def status(self) -> int:
        """The exit status."""
        if self.bad_source or (self.quiet and self.n_bad):
            return EXIT_USAGE
        if self.n_bad:
            return EXIT_BAD_HAND
        if self.quiet and (self.n_not_complete or not self.n_hands):
            return EXIT_NOT_COMPLETE
        return 0


ARGUMENTS = "arguments"
STDIN = "<stdin>"


def _json_encoder() -> Callable[[object], str]:
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=not takes_all_text(sys.stdout)).encode


def _run_command(options: argparse.Namespace) -> int:
    hands: list[str] = options.hands
    files: list[str] = options.file or []
    if files and hands:
        options.parser.error("expected hands or --file, got both")
    if "-" in hands and len(hands) > 1:
        options.parser.error("expected hands or '-', got both")
    quiet: bool = vars(options).get("quiet", False)
    if quiet and options.json:
        options.parser.error("expected --quiet or --json, got both")
    if hands == ["-"] or (not hands and not files):
        hands, files = [], ["-"]
    echo = len(hands) != 1 if options.echo is None else options.echo
    run = _Run(options.command, _read_settings(options), echo and not quiet, options.json, quiet)
    plot: str | None = vars(options).get("plot")
    if plot is not None and len(hands) != 1:
        options.parser.error("argument --plot: expected one hand")
    try:
        for number, text in enumerate(hands, 1):
            run.ask(ARGUMENTS, number, text)
        for name in files:
            _ask_file(run, name)
    finally:
        run.flush()
    if plot is not None and not run.status:
        _plot(options, run, hands[0], plot)
    return run.status


def _plot(options: argparse.Namespace, run: _Run, text: str, path: str) -> None:
    from mjcore.plots import plot_curves
    from mjcore.quality_input import seen_tiles

    settings = run.settings
    draws = 18 if settings.draws is None else settings.draws
    try:
        plot_curves(
            run.read_hand(text),
            path,
            draws,
            visible=seen_tiles(settings.rivers, settings.visible),
            jokers=settings.jokers,
            rules=settings.rules,
        )
    except (ModuleNotFoundError, OSError, ValueError) as error:
        options.parser.error(f"argument --plot: {error}")


def _ask_file(run: _Run, name: str) -> None:
    if name == "-":
        if sys.stdin is None:
            run.bad_source = True
            say("mjcore: standard input is closed\n")
            return
        if sys.stdin.isatty():
            say("mjcore: reading hands from the terminal, one a line\n")
        run.ask_stream(STDIN, sys.stdin.buffer)
        return
    try:
        stream = open(name, "rb")  # noqa: SIM115  an error here is about the file, later ones may not be
    except (OSError, ValueError) as error:
        run.bad_source = True
        run.flush()
        say(f"mjcore: cannot read {name}: {getattr(error, 'strerror', None) or error}\n")
        return
    with stream:
        run.ask_stream(name, stream)


def main(argv: list[str] | None = None) -> int:
    """
    Run the command line.

    Parameters
    ----------
    argv : list of str, optional
        The arguments.  Default: those of the process.

    Returns
    -------
    int
        The exit status: 0 all answered, 1 some hand was in error, 2 wrong usage or a file that cannot be
        read, 130 interrupted, 141 when the reader of a pipe went away.

    Examples
    --------
    >>> main(["ting", "1112345678999m"])
    1m 2m 3m 4m 5m 6m 7m 8m 9m
    0
    """
    try:
        try:
            options = _parse_arguments(argv)
            if sys.stdout is None:
                say("mjcore: standard output is closed\n")
                return EXIT_USAGE
            if not takes_all_text(sys.stdout) and hasattr(sys.stdout, "reconfigure"):
                sys.stdout.reconfigure(errors="replace")
            status: int = options.run(options)
        except SystemExit as stop:  # argparse has printed help, version or what is wrong
            status = stop.code if isinstance(stop.code, int) else EXIT_USAGE
        sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return EXIT_BROKEN_PIPE
    except OSError as error:
        _drop_stdout()
        say(f"mjcore: {error}\n")
        return EXIT_USAGE
    return status


def _drop_stdout() -> None:
    """Let what could not be written go nowhere, so that the end of the process does not try again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
