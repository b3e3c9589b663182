"""The answer of `win_probability`: chances by draw, and how they were found."""

from __future__ import annotations

from dataclasses import asdict, dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class WinCurve:
    """
    Chances of a hand within 1, 2, .. n own draws; ``float(curve)`` is the chance to win within all of them.

    Attributes
    ----------
    win : tuple of float
        Place k: the best chance to have won within k + 1 draws, played for just so many.
    ready : tuple of float
        The same to be ready at least, played for that alone.
    shanten : int
        Of the hand, -1 if it is complete already.
    n_states : int
        Hands that the search kept.
    truncated : bool
        Whether the budget cut the search: the strict chances are then lower bounds, those of the exchange model
        only lower than without the cut.
    model : str
        "strict" or "exchange".
    radius : int or None
        What the exchanges may cost; None in the strict model.
    discard : int or None
        Of a hand that must let a tile go: the kind that is best for all the draws, by score if there is one.
    score : tuple of float or None
        Place k: the best expected value within k + 1 draws, played for that; of a complete hand its value.

    Examples
    --------
    >>> import mjcore
    >>> curve = mjcore.win_probability("123m456s789p1115z", draws=4)
    >>> curve.shanten, [round(chance, 4) for chance in curve.win], round(float(curve), 4)
    (0, [0.0244, 0.0484, 0.072, 0.0952], 0.0952)
    """

    win: tuple[float, ...]
    ready: tuple[float, ...]
    shanten: int
    n_states: int
    truncated: bool
    model: str
    radius: int | None = None
    discard: int | None = None
    score: tuple[float, ...] | None = None

    def __float__(self) -> float:
        return self.win[-1] if self.win else float(self.shanten < 0)

    def to_dict(self) -> dict[str, Any]:
        """
        Return the fields by name, for JSON.

        Examples
        --------
        >>> import mjcore
        >>> mjcore.win_probability("1m", draws=1).to_dict()["win"]
        (0.022222222222222223,)
        """
        return asdict(self)
