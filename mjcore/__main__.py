"""
The command line: questions about hands given as arguments, in files or through a pipe.

A question is one row of `COMMANDS` and two small functions, one that answers in text and one that
answers in plain values for JSON.  Both get the settings once and return what is called for each hand,
so that nothing but reading and asking is left in the loop.  command_options.py has the options,
command_settings.py reads what was given for them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import BinaryIO

from mjcore import (
    Hand,
    InvalidHandError,
    InvalidNotationError,
    format,
)
from mjcore.command_options import build_parser
from mjcore.command_settings import hand_reader, read_settings, win_reader
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
from mjcore.questions import Command, Settings

EXIT_BAD_HAND = 1
EXIT_NOT_COMPLETE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def _run_selftest(options: argparse.Namespace) -> int:
    from mjcore.selftest import run_selftest

    return run_selftest()


def _parse_arguments(argv: list[str] | None) -> argparse.Namespace:
    words = sys.argv[1:] if argv is None else argv
    asked = next((word for word in words if not word.startswith("-")), None)
    options, rest = build_parser(asked, _run_command, _run_selftest).parse_known_args(words)
    # argparse takes the words before the first option only; those between options are left over
    if not options.words or any(word.startswith("-") and word != "-" for word in rest):
        if rest:
            options.parser.error(f"unrecognized arguments: {' '.join(rest)}")
    else:
        vars(options)[options.words].extend(rest)
    return options


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
        self.read_hand = win_reader(settings.dialect, settings.win_tile) if takes_win else hand_reader(settings.dialect)
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
    run = _Run(options.command, read_settings(options), echo and not quiet, options.json, quiet)
    plot: str | None = vars(options).get("plot")
    if plot is not None and len(hands) != 1:
        options.parser.error("argument --plot: expected one hand")
    if plot is not None:
        _check_plot(options, plot)
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


def _check_plot(options: argparse.Namespace, path: str) -> None:
    """Refuse a plot that cannot be made before anything is answered."""
    from mjcore.plots import check_target

    try:
        check_target(path)
    except (ModuleNotFoundError, ValueError) as error:
        options.parser.error(f"argument --plot: {error}")


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
    except (OSError, ValueError) as error:
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
