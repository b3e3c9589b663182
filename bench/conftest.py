"""What the benchmarks share: compiled helpers, and the cache put back as it was."""

from __future__ import annotations

import importlib.util
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import mjcore

HERE = Path(__file__).parent

BUILD = """
from Cython.Build import cythonize
from setuptools import Extension, setup
import mjcore
setup(
    script_args=["-q", "build_ext", "--inplace"],
    ext_modules=cythonize(
        [Extension(name, [name + ".pyx"], extra_compile_args={flags!r}) for name in {names!r}],
        include_path=[mjcore.get_include()], language_level=3, quiet=True,
    ),
)
"""


def compile_helpers(folder):
    """Compile the .pyx files beside this one against the installed package; return the modules by name."""
    names = sorted(path.stem for path in HERE.glob("*.pyx"))
    for name in names:
        (folder / f"{name}.pyx").write_text((HERE / f"{name}.pyx").read_text())
    flags = ["/O2"] if sys.platform == "win32" else ["-O3"]
    (folder / "build.py").write_text(BUILD.format(names=names, flags=flags))
    done = subprocess.run([sys.executable, "build.py"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    modules = {}
    for name in names:
        (path,) = [*folder.glob(f"{name}.*.so"), *folder.glob(f"{name}.*.pyd")]
        spec = importlib.util.spec_from_file_location(name, path)
        modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(modules[name])
    return modules


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    return compile_helpers(tmp_path_factory.mktemp("compiled"))


@pytest.fixture
def no_cache():
    """Switch the cache off for one benchmark."""
    size = mjcore.cache_info().maxsize
    mjcore.cache_resize(0)
    yield
    mjcore.cache_resize(size)


@pytest.fixture
def measure(benchmark):
    """Time a call on every hand of a list; note the number of hands, the family and the versions."""

    def run(call, hands, *, group, family, jokers=0):
        benchmark.group = group
        benchmark.extra_info.update(
            calls=len(hands), family=family, python=platform.python_version(), mjcore=mjcore.__version__
        )

        def block():
            for hand in hands:
                call(hand)

        def block_with_jokers():
            for hand in hands:
                call(hand, jokers=jokers)

        benchmark(block_with_jokers if jokers else block)

    return run
