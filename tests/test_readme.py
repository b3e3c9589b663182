"""Every code block of the README does what it shows; docstring examples too."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest
from documents import ROOT, blocks, console, languages

import mjcore

RUN_BY_CI = ("python -m pip install", "pytest", "python bench/report.py")


def run_doctest(text: str, name: str) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    failures: list[str] = []
    runner.run(test, out=failures.append)
    assert runner.failures == 0, "".join(failures)
    assert runner.tries > 0


def test_every_block_has_a_test():
    assert languages() == {"python", "cython", "console", "toml"}


def test_python_blocks():
    examples = [block for block in blocks("python") if ">>>" in block]
    assert len(examples) >= 6
    run_doctest("\n".join(examples), "README.md")


@pytest.mark.parametrize(("command", "output"), console())
def test_console_blocks(command, output, tmp_path):
    """Commands of mjcore run here; installing and testing is done by .ci/run, word for word."""
    first = command.split(" && ")[0]
    if first.startswith(RUN_BY_CI):
        assert first in (ROOT / ".ci" / "run").read_text()
        command = " && ".join(command.split(" && ")[1:])
    if command.startswith("mjcore "):
        arguments = command.split()[1:]
        done = subprocess.run(
            [sys.executable, "-m", "mjcore", *arguments],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.stdout == output
        assert done.returncode == 0


def modules() -> list[str]:
    return ["mjcore", *(f"mjcore.{module.name}" for module in pkgutil.iter_modules(mjcore.__path__))]


@pytest.mark.parametrize("name", modules())
def test_docstring_examples(name):
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    failures: list[str] = []
    for test in finder.find(module, name):
        runner.run(test, out=failures.append)
    assert runner.failures == 0, "".join(failures)


def test_public_functions_have_examples():
    """What `import mjcore` offers is documented, and all but constants and errors by an example."""
    for name in mjcore.__all__:
        thing = getattr(mjcore, name)
        if callable(thing) and not (isinstance(thing, type) and issubclass(thing, Exception)):
            assert thing.__doc__, name
            if name not in ("CacheInfo", "cache_clear", "cache_resize"):
                assert ">>>" in thing.__doc__, name
