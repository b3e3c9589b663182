"""The compiled modules of mjcore; everything else about the package is in pyproject.toml."""

import contextlib
import multiprocessing
import os
import runpy
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

DEBUG = os.environ.get("MJCORE_DEBUG", "") not in ("", "0")
MODULES = [
    "packing",
    "suit_tables",
    "chunks",
    "melded_rows",
    "knitted_distance",
    "profile",
    "kernels",
    "splits",
    "cache",
    "kindset",
    "hand_rules",
    "facade",
    "rows",
    "batch_loops",
    "query",
    "progress",
    "quality_kernels",
    "quality_input",
    "quality_answers",
    "quality_rows",
    "chance_states",
    "chance_vectors",
    "chance_search",
    "win_chance",
    "simulator_kernels",
    "win_checks",
    "win_waits",
    "group_relations",
    "facts",
    "programs",
    "totals",
    "account_once",
    "lane_splits",
    "scoring",
    "wins",
    "group_texts",
    "fans",
    "score_loops",
    "fan_search",
    "fan_distances",
]

directives = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": not DEBUG,
    "embedsignature": True,
    "embedsignature.format": "clinic",
}
if sys.platform == "win32":
    compile_args = ["/O2"]
else:
    # -g0: debugging information takes a fifth of the time to compile, and is most of a module's size
    compile_args = ["-O0", "-UNDEBUG", "-DMJCORE_NO_SSE2"] if DEBUG else ["-O3", "-g0"]

BUILD = "build/debug" if DEBUG else "build"
HEADER = f"{BUILD}/include/mjcore_profile_tables.h"
# Where worker processes are not forked, each would run this file again.
N_TRANSLATORS = os.cpu_count() if multiprocessing.get_start_method() == "fork" else 0


@contextlib.contextmanager
def old_times(paths):
    """Give files the times they had if what is written over them is the same: then nothing is compiled again."""
    old = {path: (path.read_bytes(), path.stat()) for path in paths}
    yield
    for path, (content, stat) in old.items():
        if path.read_bytes() == content:
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def translate(extensions):
    """Make the tables and translate to C; by the module of the package run by its path, which is not built yet.

    pip installs a new Cython for each build, which is newer than any C there is and translates all of it again.
    """
    runpy.run_path("mjcore/profile_tables.py")["write_header"](HEADER)
    with old_times(Path(BUILD, "mjcore").glob("*.c")):
        made = cythonize(
            [Extension(extension.name, extension.sources) for extension in extensions],
            compiler_directives=directives,
            nthreads=N_TRANSLATORS,
            build_dir=BUILD,
        )
    sources = {extension.name: extension.sources for extension in made}
    for extension in extensions:
        extension.sources = sources[extension.name]


class BuildExt(build_ext):
    """Translate only what is to be built; say what to install where the compiler or the headers are missing."""

    def run(self):
        translate(self.extensions)
        try:
            super().run()
        except CompileError as error:
            raise SystemExit(
                f"{error}\nmjcore needs a C compiler and the headers of Python: on Debian and Ubuntu the packages "
                "gcc and python3-dev, on macOS `xcode-select --install`, on Windows the Build Tools for Visual Studio."
            ) from error


setup(
    cmdclass={"build_ext": BuildExt},
    ext_modules=[
        Extension(
            f"mjcore.{name}",
            [f"mjcore/{name}.pyx"],
            include_dirs=[os.path.dirname(HEADER), "mjcore"],
            depends=[HEADER, "mjcore/chunks_avx2.h", "mjcore/lowering.h", "setup.py"],
            extra_compile_args=compile_args,
        )
        for name in MODULES
    ],
    options={"build": {"build_base": BUILD}, "build_ext": {"parallel": os.cpu_count()}},
)
