"""Pictures: written with matplotlib, refused clearly without."""

from __future__ import annotations

import importlib
import re
import sys
import xml.etree.ElementTree

import pytest

import mjcore
from mjcore.plots import plot_curves

HAND = "123m456s78p1155z3m9p"


def texts(path):
    """The comments of an svg file: matplotlib writes each text beside its glyphs."""
    return re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8"))


def test_svg(tmp_path):
    path = plot_curves(HAND, tmp_path / "chances.svg", 12)
    xml.etree.ElementTree.parse(path)
    found = texts(path)
    best = mjcore.win_probability(HAND, 12)
    assert f"{mjcore.tile_name(best.discard)}, ready: {float(best):.1%}" in found
    assert "chance to win" in found
    assert "live tiles that lower shanten" in found


def test_the_same_picture_twice(tmp_path, monkeypatch):
    import matplotlib as mpl

    monkeypatch.setitem(mpl.rcParams, "svg.hashsalt", "mjcore")
    files = [plot_curves(HAND, tmp_path / name, 3).read_bytes() for name in ("a.svg", "b.svg")]
    assert files[0] == files[1]


def test_png_and_other_hands(tmp_path):
    for place, hand in enumerate(("13m44s [EEE] [789p] [222s]", "1357m2468s135p1z7z", mjcore.parse("239mEE"))):
        path = plot_curves(hand, str(tmp_path / f"{place}.PNG"), 5, visible="9s")
        assert path.read_bytes().startswith(b"\x89PNG")


def test_the_budget_is_told(tmp_path):
    path = plot_curves("1357m2468s135p1z7z", tmp_path / "cut.svg", 8, budget=10)
    assert "chance to win (search cut by the budget)" in texts(path)


def test_errors(tmp_path):
    with pytest.raises(ValueError, match=r"ends in \.svg or \.png, got 'chances\.pdf'"):
        plot_curves(HAND, tmp_path / "chances.pdf")
    with pytest.raises(ValueError, match="at least 1"):
        plot_curves(HAND, tmp_path / "chances.svg", 0)
    with pytest.raises(mjcore.InvalidHandError):
        plot_curves("123m", tmp_path / "chances.svg")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib(tmp_path, monkeypatch):
    """The module loads; only drawing needs it, and says what to install."""
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    plots = importlib.reload(sys.modules["mjcore.plots"])
    with pytest.raises(ModuleNotFoundError, match=re.escape('pip install "mjcore[plot]"')):
        plots.plot_curves(HAND, tmp_path / "chances.svg")
    assert list(tmp_path.iterdir()) == []
