"""Readings of a winning hand: what is in each, and which fans its groups make."""

from __future__ import annotations

from typing import NamedTuple

from mjcore.fans import ACCOUNT_ONCE, Fan, Shape
from mjcore.hand import _Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mjcore.decomposition import Decomposition
    from mjcore.rule_sets import RuleSet
    from mjcore.wins import Win

__all__ = ["ROLES", "Excluded", "Fan", "Reading"]

ROLES = ("none", "eyes", "closed", "edge", "open", "pung", "body")
"""What the winning tile completes: `Reading.win_role`."""


class Excluded(NamedTuple):
    """
    A fan whose condition holds and that is not counted, or not in full.

    Attributes
    ----------
    id : str
        The fan.
    by : str
        The id of the fan that it is part of, or ``"account_once"``.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.score("55p13789m123s [789s]", win_tile="2m").excluded[0]
    Excluded(id='all_chows', by='three_suited_terminal_chows')
    """

    id: str
    by: str


class Reading(_Frozen):
    """
    One way to read a hand: a decomposition and the group that the winning tile completes.

    Attributes
    ----------
    total : int
        What it is worth.
    decomposition : Decomposition
        The concealed tiles.
    win_role : str
        What the winning tile completes: one of `ROLES`.

    Examples
    --------
    >>> import mjcore
    >>> score = mjcore.score("22233344m44s [EEEE*]", win_tile="4m", self_drawn=True)
    >>> score.total, [(reading.total, str(reading.decomposition)) for reading in score.runner_ups]
    (96, [(35, '234m 234m 234m 44s')])
    """

    __slots__ = ("_shape", "total", "_fans")

    if TYPE_CHECKING:
        _shape: Shape
        total: int
        _fans: tuple[Fan, ...] | None

    def __init__(self, win: Win, rules: RuleSet, place: int) -> None:
        self._set(Shape(win, rules, place))

    def _set(self, shape: Shape) -> None:
        _set_shape(self, shape)
        _set_total(self, shape.total)
        _set_fans(self, None)

    @property
    def win_role(self) -> str:
        """What the winning tile completes."""
        return ROLES[self._shape.role]

    @property
    def bonus(self) -> int:
        """Points of the total that do not help to reach the minimum."""
        return self._shape.bonus

    @property
    def form(self) -> str:
        """The shape: one of `HandRules.forms`."""
        return self._shape.form

    @property
    def decomposition(self) -> Decomposition:
        """The concealed tiles in groups."""
        return self._shape.decomposition

    @property
    def fans(self) -> tuple[Fan, ...]:
        """What counts, in table order."""
        fans = self._fans
        if fans is None:
            fans = self._shape.fans
            _set_fans(self, fans)
        return fans

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """What holds and does not count, in table order, with what it is part of."""
        rows = self._shape.rules.fans
        return tuple(
            [
                _excluded(Excluded, (rows[row].id, ACCOUNT_ONCE if by < 0 else rows[by].id))
                for row, by in self._shape.excluded
            ]
        )

    def to_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        return {
            "total": self.total,
            "form": self.form,
            "decomposition": self.decomposition.text(),
            "win_role": self.win_role,
            "fans": [fan.to_dict() for fan in self.fans],
        }

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Reading) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._shape.key, self._shape.win.key, self._shape.rules

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.total}: {' + '.join(times(fan.id, fan.count) for fan in self.fans)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Reading, (self._shape.win, self._shape.rules, self._shape.place)


_set_shape, _set_total, _set_fans = (getattr(Reading, name).__set__ for name in Reading.__slots__)
_excluded = tuple.__new__  # an `Excluded`, made faster than by its class


def times(name: str, count: int) -> str:
    """Return a name and how often."""
    return name if count == 1 else f"{name} x{count}"
