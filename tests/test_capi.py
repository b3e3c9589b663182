"""The Cython interface: the README's recipe against the installed package, and the exported signatures."""

from __future__ import annotations

import importlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from documents import blocks

import mjcore
import mjcore.batch

SNAPSHOT = Path(__file__).parent / "data" / "capi.json"
EXPORTING = ["kernels", "cache", "kindset", "packing", "win_checks", "totals", "scoring"]
N_HANDS = 1_000_000

DRIVER = """
import sys
import threading
import numpy as np
import bot

lanes = np.load("lanes.npy")
totals = []

def run(part):
    totals.append(bot.count_hu(part))

threads = [threading.Thread(target=run, args=(part,)) for part in np.array_split(lanes, 2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
bad = lanes[:2].copy()
bad[1, 0] = 5
print(sum(totals), bot.count_hu(bad), bot.count_hu(lanes[:0]))
print(*[bot.waits_mask(row) for row in np.load("waiting.npy")])
"""


def signatures() -> dict[str, dict[str, str]]:
    """Return what each extension exports, as Cython checks it when it is imported."""
    found: dict[str, dict[str, str]] = {}
    for name in EXPORTING:
        capsules = importlib.import_module(f"mjcore.{name}").__pyx_capi__
        found[name] = {function: repr(capsule).split('"')[1] for function, capsule in sorted(capsules.items())}
    return found


@pytest.fixture(scope="module")
def consumer(tmp_path_factory):
    """Build the two files of the README in a folder of their own."""
    folder = tmp_path_factory.mktemp("consumer")
    (setup,) = [block for block in blocks("python") if "cythonize" in block]
    (bot,) = blocks("cython")
    (folder / "setup.py").write_text(setup)
    (folder / "bot.pyx").write_text(bot)
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "performance hint" not in done.stdout + done.stderr
    return folder


def random_counts(n: int) -> np.ndarray:
    """Random hands of 14 tiles, every third one a melds-and-eyes hand."""
    rng = np.random.default_rng(7)
    order = np.argpartition(rng.random((n, 136), np.float32), 14, axis=1)[:, :14] // 4
    counts = np.zeros((n, 34), np.uint8)
    np.add.at(counts, (np.arange(n)[:, None], order), 1)
    chows = rng.integers(0, 21, (n, 2))
    pungs = rng.integers(0, 34, (n, 2))
    eyes = rng.integers(0, 34, n)
    for i in range(0, n, 3):
        made = [0] * 34
        for chow in chows[i]:
            first = 9 * (chow // 7) + chow % 7
            for kind in range(first, first + 3):
                made[kind] += 1
        for pung in pungs[i]:
            made[pung] += 3
        made[eyes[i]] += 2
        if max(made) <= 4:
            counts[i] = made
    return counts


@pytest.mark.slow
def test_recipe_of_the_readme(consumer):
    """A million hands, two threads, no interpreter lock, the same answers as from Python."""
    counts = random_counts(N_HANDS)
    lanes = mjcore.batch.pack(counts)
    packed = [int(row[0]) | int(row[1]) << 36 | int(row[2]) << 72 | int(row[3]) << 108 for row in lanes]
    expected = sum(map(mjcore.is_hu, packed))
    assert expected > N_HANDS // 5
    waiting = random.Random(3).sample(range(0, N_HANDS, 3), 300)
    short = counts[waiting]
    for row in short:
        row[np.flatnonzero(row)[0]] -= 1
    np.save(consumer / "lanes.npy", lanes)
    np.save(consumer / "waiting.npy", mjcore.batch.pack(short))
    environment = {**os.environ, "PYTHONPATH": str(consumer)}
    done = subprocess.run(
        [sys.executable, "-c", DRIVER], cwd=consumer, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    totals, masks = done.stdout.splitlines()
    assert totals.split() == [str(expected), "-1", "0"]
    assert [int(mask) for mask in masks.split()] == [mjcore.ting(row).mask for row in short]


def test_exported_signatures():
    """
    Adding is free; a removed or changed signature breaks compiled users.

    Write the snapshot anew with: python tests/test_capi.py
    """
    wanted = json.loads(SNAPSHOT.read_text())
    found = signatures()
    for module, functions in wanted.items():
        for function, signature in functions.items():
            assert found[module].get(function) == signature, f"{module}.{function}"


def test_snapshot_is_complete():
    assert json.loads(SNAPSHOT.read_text()) == signatures()


def test_public_names_are_all_there():
    """Each name of __init__.pxd compiles in one module, and the sizes that users compile in are the installed ones."""
    text = (Path(mjcore.get_include()) / "mjcore" / "__init__.pxd").read_text()
    for name in ("hand_t", "hand_is_hu", "hand_waits", "hand_is_hu_rules", "hand_add", "hand_remove", "hand_from_int"):
        assert name in text
    assert len(text.splitlines()) < 80


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(signatures(), indent=1) + "\n")
