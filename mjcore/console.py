"""Streams of the command line: lines in, a progress bar and errors out."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from mjcore.tiles import InvalidHandError, InvalidNotationError

BLOCK_BYTES = 1 << 16
LINE_MAX = 4096
"""Longest line that is read as a hand, in bytes; of a longer one only the number is kept."""

BAR_BYTES_MIN = 1 << 18
"""Smallest file that gets a progress bar: about fifteen thousand hands."""


def read_blocks(stream: BinaryIO) -> Iterator[tuple[int, list[bytes]]]:
    """
    Yield (bytes read, lines) as they arrive, so that a pipe is answered at once.

    Of a line that is too long only the beginning is kept, whatever its length.
    """
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    carry = b""
    first = True
    while block := read(BLOCK_BYTES):
        n_bytes = len(block)
        lines = (carry + block).split(b"\n")
        carry = lines.pop()[: LINE_MAX + 2]
        if first and lines:
            lines[0] = lines[0].removeprefix(b"\xef\xbb\xbf")
            first = False
        yield n_bytes, lines
    if carry:
        yield 0, [carry.removeprefix(b"\xef\xbb\xbf") if first else carry]


def decode_line(line: bytes) -> str:
    """The text of a line without blanks around it, empty where there is nothing to answer."""
    whole = line
    line = line.strip()
    if line.startswith(b"#"):
        return ""
    if len(whole) > LINE_MAX:  # its end may be missing
        raise InvalidHandError(f"expected a line of at most {LINE_MAX} bytes, got a longer one")
    try:
        return line.decode().strip()
    except UnicodeDecodeError as error:
        position = len(line[: error.start].decode())
        problem = f"expected UTF-8 text, got byte {line[error.start]:#04x}"
        raise InvalidNotationError(problem, line.decode(errors="replace"), position) from None


class Bar:
    """A progress bar on a terminal, one line that is drawn over itself and goes away at the end."""

    WIDTH = 30

    def __init__(self, terminal: TextIO, total: int, unit: str = "hands") -> None:
        self.terminal = terminal
        self.total = total
        self.unit = unit
        self.done = 0
        self.percent = -1
        self.shown = ""

    def advance(self, n_bytes: int, n_hands: int) -> None:
        """Count what was read, and draw where that makes another percent."""
        self.done = min(self.done + n_bytes, self.total)  # a file may grow while it is read
        percent = 100 * self.done // self.total
        if percent == self.percent:
            return
        filled = self.WIDTH * percent // 100
        text = f"[{'#' * filled}{'.' * (self.WIDTH - filled)}] {percent:3d} % {n_hands:,} {self.unit}"
        self.terminal.write("\r" + text.ljust(len(self.shown)))
        self.terminal.flush()
        self.percent = percent
        self.shown = text

    def clear(self) -> None:
        """Take it off the terminal."""
        if self.shown:
            self.terminal.write("\r" + " " * len(self.shown) + "\r")
            self.terminal.flush()
            self.percent = -1
            self.shown = ""


def open_bar(stream: BinaryIO) -> Bar | None:
    """Return a bar if someone looks at standard error, answers go elsewhere, and the end of a long file is known."""
    if sys.stderr is None or not sys.stderr.isatty() or sys.stdout.isatty():
        return None
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size < BAR_BYTES_MIN:
        return None
    return Bar(sys.stderr, status.st_size)


@contextmanager
def count_bar(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Give a function that counts so many more as done, on a bar if someone looks at standard error."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda n: None
        return
    bar = Bar(sys.stderr, total, unit)
    try:
        yield lambda n: bar.advance(n, bar.done + n)
    finally:
        bar.clear()


def takes_all_text(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "") == "utf8"


def say(text: str) -> None:
    """Write to standard error if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(text)


def printable(text: str, replacement: str) -> str:
    """Text that moves no cursor."""
    return "".join(character if character.isprintable() else replacement for character in text)


def encodable(text: str) -> str:
    """Text that every UTF-8 stream takes: an argument or file name may hold bytes that are no text."""
    return text.encode("utf-8", "replace").decode()


def caret_lines(text: str, position: int | None) -> str:
    """The text, or the part of a long one around a position, with a caret below the position."""
    from unicodedata import combining, east_asian_width

    start = max(0, (position or 0) - 40)
    shown = printable(text[start : start + 80], "?")
    head = "    ..." if start else "    "
    tail = "..." if start + 80 < len(text) else ""
    lines = f"{head}{shown}{tail}\n"
    if position is None:
        return lines
    columns = len(head)
    for character in shown[: position - start]:
        if not combining(character) and character not in "\ufe0e\ufe0f":
            columns += 2 if east_asian_width(character) in "WF" else 1
    return f"{lines}{' ' * columns}^\n"
