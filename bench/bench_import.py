"""What importing mjcore adds to the bare interpreter."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = {"bare": "pass", "mjcore": "import mjcore, sys; assert 'numpy' not in sys.modules"}
PEAK = "print(next(row.split()[1] for row in open('/proc/self/status') if row.startswith('VmHWM')))"


@pytest.mark.parametrize("what", ["bare", "mjcore"])
def bench_import(benchmark, what):
    benchmark.group = "import"
    command = [sys.executable, "-I", "-c", CODE[what]]
    done = benchmark(subprocess.run, command)
    assert done.returncode == 0
    if sys.platform == "linux":
        code = f"{CODE[what]}\n{PEAK}"
        answer = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
        benchmark.extra_info["peak_kilobytes"] = int(answer.stdout)
