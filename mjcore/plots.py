"""Pictures of chances: the win curve of each discard, and the live tiles that are useful after it."""

from __future__ import annotations

from pathlib import Path

from mjcore.arguments import read_path
from mjcore.progress import discards, useful_tiles
from mjcore.tiles import tile_name
from mjcore.win_chance import discard_chances, win_probability

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from typing import Any, SupportsIndex

    from matplotlib.axes import Axes

    from mjcore.facade import _HandLike, _RulesLike, _TilesLike
    from mjcore.progress import LiveTiles
    from mjcore.win_curve import WinCurve

FORMATS = (".svg", ".png")
N_CURVES_MAX = 8
"""Most discards in one picture: the best ones."""


def check_target(path: str | os.PathLike[str]) -> Path:
    """
    Return where a plot is to go, if there can be one.

    Raises
    ------
    ValueError
        If the name does not end as a format does.
    ModuleNotFoundError
        If matplotlib is not installed.
    """
    target = Path(read_path(path))
    if target.suffix.lower() not in FORMATS:
        raise ValueError(f"expected a file name that ends in {' or '.join(FORMATS)}, got {target.name!r}")
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'plots need matplotlib, which is not installed: pip install "mjcore[plot]"', name="matplotlib"
        ) from error
    return target


def plot_curves(
    hand: _HandLike,
    path: str | os.PathLike[str],
    draws: SupportsIndex = 18,
    *,
    visible: _TilesLike | None = None,
    jokers: SupportsIndex = 0,
    rules: _RulesLike | None = None,
    **options: Any,
) -> Path:
    """
    Draw the chance to win by draw, a curve for each discard, and the live useful tiles after it.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles; of 3n + 1 there is one curve.
    path : path-like
        Where to write: a name that ends in ``.svg`` or ``.png``.  A file that is there is replaced.
    draws : int, default 18
        Own draws left, at least 1.
    visible, jokers, rules
        As for `win_probability`.
    **options
        Others of `win_probability`: model, radius, budget.

    Returns
    -------
    Path
        What was written.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is not installed: ``pip install "mjcore[plot]"``.
    ValueError
        If the name ends otherwise, or as for `win_probability`.

    Notes
    -----
    Of more than eight discards the best are drawn, by shanten after them and then by their chance.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_curves("123m456s78p1155z3m9p", pathlib.Path(folder, "chances.svg"), 12).suffix
    '.svg'
    """
    target = check_target(path)
    given = {"visible": visible, "jokers": jokers, "rules": rules}
    from matplotlib.figure import Figure

    curves, live = _chances(hand, draws, given, options)
    figure = Figure(figsize=(9, 7), layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=(3, 2))
    _draw_chances(above, curves)
    _draw_live(below, live)
    figure.savefig(target, metadata={"Date": None} if target.suffix.lower() == ".svg" else None)
    return target


def _chances(
    hand: _HandLike, draws: SupportsIndex, given: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[dict[str, WinCurve], dict[str, LiveTiles]]:
    """Curves and useful tiles by what is let go, the best first; nothing is let go of 3n + 1 tiles."""
    whole = win_probability(hand, draws, **given, **options)
    if not whole.win:
        raise ValueError("expected draws of at least 1 to draw a curve of")
    if whole.discard is None:
        return {"as it is": whole}, {"as it is": useful_tiles(hand, **given)}
    curves = discard_chances(hand, draws, **given, **options)
    live = discards(hand, **given)
    best = sorted(curves, key=lambda kind: (curves[kind].shanten, -float(curves[kind]), kind))[:N_CURVES_MAX]
    return (
        {_name(kind, curves[kind].shanten): curves[kind] for kind in best},
        {_name(kind, curves[kind].shanten): live[kind] for kind in best},
    )


def _name(kind: int, shanten: int) -> str:
    return f"{tile_name(kind)}, {'ready' if shanten == 0 else f'{shanten}-shanten'}"


def _draw_chances(axes: Axes, curves: Mapping[str, WinCurve]) -> None:
    from matplotlib.ticker import MaxNLocator

    for place, (name, curve) in enumerate(curves.items()):
        numbers = range(1, len(curve.win) + 1)
        chances = [100 * chance for chance in curve.win]
        # the first is the broadest, so that equal curves show side by side
        width = 1.2 + 0.8 * (len(curves) - 1 - place)
        axes.plot(numbers, chances, linewidth=width, label=f"{name}: {float(curve):.1%}")
    cut = any(curve.truncated for curve in curves.values())
    axes.set_title("chance to win" + (" (search cut by the budget)" if cut else ""))
    axes.set_xlabel("own draws")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("%")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(title="let go")


def _draw_live(axes: Axes, live: Mapping[str, LiveTiles]) -> None:
    """A bar for each discard, in pieces by useful kind."""
    for place, tiles in enumerate(live.values()):
        left = 0
        for kind, copies in tiles.items():
            if copies:
                axes.barh(place, copies, left=left, color=f"C{place % 10}", edgecolor="white")
                axes.text(left + copies / 2, place, tile_name(kind), ha="center", va="center", fontsize=7)
                left += copies
        axes.text(left, place, f" {left}", va="center")
    axes.set_yticks(range(len(live)), list(live))
    axes.invert_yaxis()
    axes.set_title("live tiles that lower shanten")
    axes.set_xlabel("copies")
    axes.margins(x=0.08)
