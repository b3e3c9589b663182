"""The code blocks of README.md."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def blocks(language: str) -> list[str]:
    """Return the text of each fenced block of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def languages() -> set[str]:
    """Return the languages of all fenced blocks."""
    return set(re.findall(r"^```(\w+)$", README.read_text(encoding="utf-8"), re.MULTILINE))


def console() -> list[tuple[str, str]]:
    """Return each shell command of the README with the output that stands below it."""
    pairs: list[tuple[str, str]] = []
    for block in blocks("console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                pairs.append((line[2:], ""))
            else:
                command, output = pairs[-1]
                pairs[-1] = (command, output + line + "\n")
    return pairs
