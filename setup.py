"""The compiled modules of mjcore; everything else about the package is in pyproject.toml."""

import os
import runpy
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("MJCORE_DEBUG", "") not in ("", "0")
MODULES = [
    "packing",
    "profile",
    "kernels",
    "splits",
    "cache",
    "kindset",
    "hand_rules",
    "facade",
    "array_loops",
    "batch_loops",
    "query",
    "progress",
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
    compile_args = ["-O0", "-UNDEBUG"] if DEBUG else ["-O3"]

# The tables are made by a module of the package, run by its path: the package is not built yet.
HEADER = "build/include/mjcore_profile_tables.h"
runpy.run_path("mjcore/profile_tables.py")["write_header"](HEADER)

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"mjcore.{name}",
                [f"mjcore/{name}.pyx"],
                include_dirs=[os.path.dirname(HEADER)],
                depends=[HEADER],
                extra_compile_args=compile_args,
            )
            for name in MODULES
        ],
        compiler_directives=directives,
        build_dir="build",
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
