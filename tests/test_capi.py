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
EXPORTING = [
    "kernels",
    "cache",
    "kindset",
    "packing",
    "win_checks",
    "totals",
    "scoring",
    "quality_kernels",
    "chance_search",
]
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


ADVISOR = """
from libc.stdint cimport int8_t
from mjcore cimport (
    CHANCE_EXACT, DangerValues, POLICY_ARTICLE, POLICY_EFFICIENCY, Targets, article_default, article_t, discard_t,
    first_discard, hand_from_int, hand_quality, hand_t, hand_win_chance, melds_add, melds_clear, melds_t, quality_t,
    rules_default, rules_t, survival_default, survival_t, view_add, view_clear, view_t)

def advise(object hand, object river, Targets targets, DangerValues danger):
    '''Quality, best discards by both policies and chances of a hand beside one meld, a pung of the east wind.'''
    cdef hand_t h
    cdef melds_t melds
    cdef view_t view
    cdef quality_t quality
    cdef discard_t efficient, article
    cdef article_t weights = article_default()
    cdef survival_t survival = survival_default()
    cdef rules_t rules = rules_default()
    cdef double win[5]
    cdef int status
    hand_from_int(hand, &h)
    melds_clear(&melds)
    melds_add(&melds, False, False, 30)
    view_clear(&view)
    for kind in river:
        view_add(&view, 1, kind)
    with nogil:
        hand_quality(&h, &melds, &view, &rules, &targets.c, &survival, 0.7, &quality)
        first_discard(&h, &melds, &view, &rules, danger.c, &weights, 0, POLICY_EFFICIENCY, &efficient)
        first_discard(&h, &melds, &view, &rules, danger.c, &weights, 0, POLICY_ARTICLE, &article)
        status = hand_win_chance(&h, &melds.tiles, &view.seen, 0, &rules, 5, 50_000, win)
    return quality.quality, quality.discard, efficient.kind, article.kind, status == CHANCE_EXACT, list(win)
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
    (bot,) = blocks("cython")
    built(folder, "bot", bot)
    return folder


def built(folder: Path, name: str, source: str) -> None:
    """Compile a module that cimports mjcore, in a folder of its own."""
    (setup,) = [block for block in blocks("python") if "cythonize" in block]
    (folder / "setup.py").write_text(setup.replace("bot.pyx", f"{name}.pyx"))
    (folder / f"{name}.pyx").write_text(source)
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "performance hint" not in done.stdout + done.stderr


@pytest.mark.slow
def test_quality_discards_and_chances_from_cython(tmp_path, monkeypatch):
    """The same numbers as from Python, for hands beside a meld."""
    built(tmp_path, "advisor", ADVISOR)
    monkeypatch.syspath_prepend(tmp_path)
    import advisor

    from mjcore.danger import DangerTable
    from mjcore.quality import default_targets

    rng = random.Random(8)
    for _ in range(60):
        deck = [kind for kind in range(34) if kind != 30 for _ in range(4)]
        chosen = rng.sample(deck, 14)
        hand, river = mjcore.Hand(mjcore.pack(np.bincount(chosen[:11], minlength=34)), ["[EEE]"]), chosen[11:]
        rivers = [[], river, []]
        answer = advisor.advise(hand.concealed, river, default_targets(), DangerTable.default().values)
        quality = mjcore.evaluate(hand, rivers=rivers)
        chances = mjcore.win_probability(hand, 5, visible=mjcore.pack(np.bincount(river, minlength=34)))
        assert answer[:5] == (
            quality.quality,
            -1 if quality.discard is None else quality.discard,
            mjcore.rank_discards(hand, rivers=rivers).best,
            mjcore.rank_discards(hand, rivers=rivers, policy="article").best,
            not chances.truncated,
        )
        assert answer[5] == list(chances.win)


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
    for name in (
        "hand_t",
        "hand_is_hu",
        "hand_waits",
        "hand_is_hu_rules",
        "hand_add",
        "hand_remove",
        "hand_from_int",
        "hand_quality",
        "hand_win_chance",
        "first_discard",
    ):
        assert name in text
    assert len(text.splitlines()) < 80


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(signatures(), indent=1) + "\n")
