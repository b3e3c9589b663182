"""Check what an sdist and a wheel hold: python tests/check_dist.py DIST..."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def names_in(path: str) -> set[str]:
    """Return the files of an archive, relative to the project."""
    if path.endswith(".whl"):
        with zipfile.ZipFile(path) as wheel:
            return set(wheel.namelist())
    with tarfile.open(path) as sdist:
        return {name.split("/", 1)[1] for name in sdist.getnames() if "/" in name}


def files(folder: str, *endings: str) -> set[str]:
    """Return the files of a folder that end so, relative to the project."""
    return {str(file.relative_to(ROOT)) for file in (ROOT / folder).rglob("*") if file.suffix in endings}


def problems(path: str) -> list[str]:
    """Return what is missing from an archive and what should not be there."""
    names = names_in(path)
    wanted = {"mjcore/py.typed"} | files("mjcore", ".py", ".pyx", ".pxd", ".pyi", ".h", ".toml", ".csv")
    if not path.endswith(".whl"):
        wanted |= {"setup.py", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "MANIFEST.in", ".ci/run"}
        wanted |= files("bench", ".py", ".pyx", ".ini", ".md") | files("tests", ".py", ".json", ".jsonl")
    found = [f"{path} lacks {name}" for name in sorted(wanted - names)]
    found += [f"{path} holds {name}" for name in sorted(names) if name.endswith((".c", ".cpp", ".html"))]
    if path.endswith(".whl") and not any(name.endswith((".so", ".pyd")) for name in names):
        found.append(f"{path} holds no compiled module")
    return found


if __name__ == "__main__":
    all_problems = [problem for path in sys.argv[1:] for problem in problems(path)]
    print("\n".join(all_problems) or f"hold what they should: {chr(32).join(sys.argv[1:])}")
    sys.exit(bool(all_problems) or len(sys.argv) < 2)
