"""
Which tile should go, and whether to call: every number of the advice beside it.

Each different tile of a hand has three layers:

base
    What it is worth to keep: 2 if it is held at least twice; of a suited tile 3 if both neighbours are held,
    2 for two tiles next above, 2 for two next below; 1 for a terminal if the other terminal of the suit is
    held, for an honor if another honor is.
danger
    Chance that it deals into some opponent, judged from the last three discards of each by a `DangerTable`,
    the newest counting most: ``q = sum w T / sum w`` for one opponent, ``1 - product (1 - q)`` for all.
gain
    10 for each live wait kind more than before the draw, -8 for each one less.

and the discard score ``gain - base - danger_weight danger``: the base speaks against letting it go.  Beside
them stands what is measured: shanten and useful copies afterwards, and the chance to win if draws are given.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, overload

from mjcore.arguments import read_items, read_number
from mjcore.danger import N_RECENT, DangerTable
from mjcore.hand import Hand
from mjcore.progress import discards
from mjcore.quality_answers import rate_discards
from mjcore.quality_input import seen_tiles
from mjcore.quality_kernels import POLICIES
from mjcore.tiles import LETTERS, as_index, shown, tile_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from mjcore.facade import _HandLike, _RulesLike, _TilesLike
    from mjcore.kindset import KindSet
    from mjcore.progress import LiveTiles
    from mjcore.quality import _Rivers
    from mjcore.quality_answers import RatedRows

DANGER_WEIGHT = 5.0
"""Default weight of danger in the discard score."""

WEIGHT_MAX = 1e9


class ArticleWeights(NamedTuple):
    """
    The constants of base, gain and danger.

    Attributes
    ----------
    held_twice, both_neighbors, two_on_a_side, fellow : float
        Parts of the base: a tile held twice; both neighbours; two tiles next above, or below; another
        terminal of the suit or another honor.
    more_waits, fewer_waits : float
        For each wait kind more, and less.
    recency : tuple of 3 float
        Weights of an opponent's discards, the newest first.
    """

    held_twice: float = 2.0
    both_neighbors: float = 3.0
    two_on_a_side: float = 2.0
    fellow: float = 1.0
    more_waits: float = 10.0
    fewer_waits: float = 8.0
    recency: tuple[float, float, float] = (1.0, 0.5, 0.25)


class RatedDiscard(NamedTuple):
    """
    A tile that can go, with every part of its rating.

    Attributes
    ----------
    kind : int
        The tile.
    base, danger, gain, score : float
        The three layers and the discard score.
    shanten : int
        After it is gone.
    useful : LiveTiles
        Kinds that lower shanten then, with the copies left.
    live : int
        Copies of them together.
    waits : int
        Wait kinds with a copy left; 0 unless ready.
    win : float or None
        Chance to win within the draws given.
    """

    kind: int
    base: float
    danger: float
    gain: float
    score: float
    shanten: int
    useful: LiveTiles
    live: int
    waits: int
    win: float | None

    def to_dict(self, notation: str = "letters", *, dialect: str = "tenhou") -> dict[str, object]:
        """Return plain values, as JSON takes them, with tiles named in a notation."""
        from mjcore.words import check_notation

        check_notation(notation, dialect)

        def name(kind: int) -> str:
            return tile_name(kind, notation, dialect=dialect)

        tiles = [{"tile": name(kind), "kind": kind, "live": left} for kind, left in self.useful.items()]
        return {"tile": name(self.kind), **self._asdict(), "useful": tiles}


class DiscardRanking:
    """
    The different tiles of a hand, the one to let go first; a sequence of `RatedDiscard`.

    Attributes
    ----------
    policy : str
        What ordered them.
    draws : int or None
        Draws that the win chances are for.
    waits_before : int
        Wait kinds of the hand before the draw.
    danger_weight : float
        Weight of danger in the score.
    no_chance : dict of int to str
        Of kinds that have no chance to win though `draws` is given, why: "cut_off", the search of one that
        stands beside it was cut off by its budget; "too_far", it raises shanten and the hand is far from ready.

    Examples
    --------
    >>> import mjcore
    >>> ranking = mjcore.rank_discards("239m EE")
    >>> ranking
    <DiscardRanking by efficiency: 9m 2m 3m E>
    >>> ranking[0].shanten, ranking[0].live, ranking.by_kind()[2].shanten
    (0, 8, 1)
    """

    __slots__ = ("_rows", "policy", "draws", "waits_before", "danger_weight", "no_chance")

    def __init__(
        self,
        rows: RatedRows | list[tuple[Any, ...]],
        policy: str,
        draws: int | None,
        waits_before: int,
        danger_weight: float,
        no_chance: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self._rows = rows
        self.policy = policy
        self.draws = draws
        self.waits_before = waits_before
        self.danger_weight = danger_weight
        self.no_chance = dict(no_chance)

    @property
    def best(self) -> int:
        """The kind to let go."""
        return self[0].kind

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> RatedDiscard: ...
    @overload
    def __getitem__(self, place: slice) -> list[RatedDiscard]: ...
    def __getitem__(self, place: int | slice) -> RatedDiscard | list[RatedDiscard]:
        if isinstance(place, slice):
            return list(self)[place]
        number, n = as_index(place), len(self)
        if number is None:
            raise TypeError(f"expected a place or a slice, got {shown(place)}")
        if not -n <= number < n:
            raise IndexError(f"expected a place of -{n} to {n - 1}, got {shown(number)}")
        return RatedDiscard._make(self._rows[number])

    def __iter__(self) -> Iterator[RatedDiscard]:
        return map(RatedDiscard._make, self._rows)

    def __contains__(self, row: object) -> bool:
        return any(row == one for one in self)

    def kinds(self) -> list[int]:
        """Return the kinds in order."""
        return [row.kind for row in self]

    def by_kind(self) -> dict[int, RatedDiscard]:
        """Return the rows by kind, in order."""
        return {row.kind: row for row in self}

    def to_dict(self, notation: str = "letters", *, dialect: str = "tenhou") -> dict[str, object]:
        """
        Return plain values, as JSON takes them, with tiles named in a notation.

        Examples
        --------
        >>> import mjcore
        >>> mjcore.rank_discards("239m EE").to_dict()["discards"][0]["tile"]
        '9m'
        """
        return {
            "policy": self.policy,
            "draws": self.draws,
            "waits_before": self.waits_before,
            "danger_weight": self.danger_weight,
            "no_chance": {
                tile_name(kind, notation, dialect=dialect): reason for kind, reason in self.no_chance.items()
            },
            "discards": [row.to_dict(notation, dialect=dialect) for row in self],
        }

    def table(self, language: str = "en", *, notation: str | None = None, dialect: str = "tenhou") -> str:
        """
        Return the rows as lines of text.

        Parameters
        ----------
        language : {"en", "zh"}
            Language of the words.
        notation : str, optional
            Of the tiles.  Default: letters, or Chinese names in Chinese.

        Examples
        --------
        >>> import mjcore
        >>> print(mjcore.rank_discards("239m EE").table())
        tile  shanten  live  kinds  waits  base  danger  gain  score  useful
        9m          0     8      2      2     0   0.000    20     20  1m:4 4m:4
        2m          1    31      9      0     0   0.000     0      0  1m:4 2m:3 3m:3 4m:4 5m:4 7m:4 8m:4 9m:3 E:2
        3m          1    27      8      0     0   0.000     0      0  1m:4 2m:3 3m:3 4m:4 7m:4 8m:4 9m:3 E:2
        E           1    13      4      0     2   0.000     0     -2  1m:4 4m:4 9m:3 E:2
        """
        from mjcore.words import explain, headed, percent, table_notation

        notation = table_notation(language, notation, dialect)
        heads = ["tile", "shanten", "live", "kinds", "waits", "base", "danger", "gain", "score", "useful"]
        if self.draws is not None:
            heads.insert(2, "chance")
        rows = []
        for row in self:
            cells = [
                tile_name(row.kind, notation, dialect=dialect),
                f"{row.shanten}",
                f"{row.live}",
                f"{sum(left > 0 for left in row.useful.values())}",
                f"{row.waits}",
                f"{row.base:g}",
                f"{row.danger:.3f}",
                f"{row.gain:g}",
                f"{row.score:.4g}",
                row.useful.text(notation, dialect=dialect) or "-",
            ]
            if self.draws is not None:
                cells.insert(2, percent(row.win))
            rows.append(cells)
        table = headed(heads, rows, language, frozenset({0, len(heads) - 1}))
        reasons = dict.fromkeys(self.no_chance.values())
        return "\n".join([table, *(explain(reason, (RAISING_UP_TO,), language) for reason in reasons)])

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<DiscardRanking by {self.policy}: {' '.join(LETTERS[row.kind] for row in self)}>"

    def __eq__(self, other: object) -> bool:
        return self._state() == other._state() if isinstance(other, DiscardRanking) else NotImplemented

    def __hash__(self) -> int:
        return hash((tuple(self._rows), *self._state()[1:-1]))

    def _state(self) -> tuple[list[tuple[Any, ...]], str, int | None, int, float, dict[int, str]]:
        return list(self._rows), self.policy, self.draws, self.waits_before, self.danger_weight, self.no_chance

    def __reduce__(self) -> tuple[object, ...]:
        return DiscardRanking, self._state()


_ARTICLE = ArticleWeights()


def rank_discards(
    hand: _HandLike,
    /,
    *,
    policy: str = "efficiency",
    rivers: _Rivers | None = None,
    visible: _TilesLike | None = None,
    draws: int | None = None,
    danger_weight: float = DANGER_WEIGHT,
    danger_table: DangerTable | None = None,
    waits_before: int | KindSet | None = None,
    rules: _RulesLike | None = None,
    weights: ArticleWeights = _ARTICLE,
) -> DiscardRanking:
    """
    Return the different tiles of a hand with one too many, rated and in order, the one to let go first.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 3n + 2.
    policy : {"efficiency", "article"}
        The order.  Efficiency: by shanten, then the chance to win if `draws` is given, else live useful copies,
        then the discard score.  Article: by the discard score.  Equal rows stand in kind order.
    rivers : three sequences of kinds, or three texts, optional
        Discards of the opponents, oldest first.  Danger looks at the last three of each, and at nothing else.
    visible : int, str or sequence of 34 int, optional
        Other tiles seen outside the hand and its melds; what is in a river is not repeated here.
    draws : int, optional
        Draws left; given, rows have their chance to win by `mjcore.win_probability`: those of the least shanten
        unless the search of one was cut off, the others if that shanten is at most 2.  `DiscardRanking.no_chance`
        and the last line of its table say why some have none.
    danger_weight : float, default 5
        Weight of danger in the discard score.
    danger_table : DangerTable, optional
        Default: the one of the package.
    waits_before : int or KindSet, optional
        Live wait kinds of the hand before the draw.  Default: found if `hand` is a `Hand` that knows its drawn
        tile, else 0.
    rules : HandRules or str, optional
        Forms and options.
    weights : ArticleWeights, optional
        The other constants of the score.

    Returns
    -------
    DiscardRanking
        A row for each different tile.

    Raises
    ------
    InvalidHandError
        As for `discards`; or if a river or the visible tiles hold what is no tile or a fifth copy.
    ValueError
        If the policy is unknown or a number is outside its range.
    TypeError
        If something has another type than it should.

    Examples
    --------
    >>> import mjcore
    >>> ranking = mjcore.rank_discards("1112234568999pF")
    >>> mjcore.tile_name(ranking.best), ranking[0].shanten, ranking[0].useful
    ('F', 0, LiveTiles({'7p': 4}, shanten=0))
    >>> mjcore.rank_discards("1112234568999pF", policy="article", rivers=["F2s", "", "9m"]).kinds()[0] == 28
    True
    """
    place = check_policy(policy)
    danger_weight = read_danger_weight(danger_weight)
    table = read_danger_table(danger_table)
    check_weights(weights)
    chances: dict[int, float] = {}
    no_chance: dict[int, str] = {}
    if draws is not None:
        chances, no_chance = _win_chances(hand, draws, rivers, visible, rules)
    rows = rate_discards(
        hand,
        rivers,
        visible,
        rules,
        table.values,
        weights,
        danger_weight,
        waits_before,
        place,
        None if draws is None else lambda kind: chances.get(kind, -1.0),
    )
    return DiscardRanking(rows, policy, draws, rows.waits_before, danger_weight, no_chance)


def check_policy(policy: str) -> int:
    """Return the place of a policy among those of the kernels; ValueError if there is no such policy."""
    if not isinstance(policy, str) or policy not in POLICIES:
        raise ValueError(f"expected a policy of {', '.join(POLICIES)}, got {shown(policy)}")
    return POLICIES.index(policy)


def check_weights(weights: ArticleWeights) -> None:
    """Raise TypeError or ValueError if they are not the constants of the score."""
    if weights is _ARTICLE:
        return
    if not isinstance(weights, ArticleWeights):
        raise TypeError(f"expected ArticleWeights for weights, got {type(weights).__name__}")
    recency = [read_number(weight, "recency") for weight in read_items(weights.recency, "recency", "weights")]
    if len(recency) != N_RECENT or not all(0 <= weight < WEIGHT_MAX for weight in recency):
        raise ValueError(f"expected {N_RECENT} weights of 0 or more for recency, got {shown(weights.recency)}")
    for name, value in zip(ArticleWeights._fields[:6], weights[:6], strict=True):
        if not -WEIGHT_MAX < read_number(value, name) < WEIGHT_MAX:
            raise ValueError(
                f"expected a number between -{WEIGHT_MAX:g} and {WEIGHT_MAX:g} for {name}, got {shown(value)}"
            )


def read_danger_table(table: DangerTable | None) -> DangerTable:
    """Return the table given, or that of the package; TypeError if it is none."""
    if table is None:
        return DangerTable.default()
    if not isinstance(table, DangerTable):
        raise TypeError(f"expected a DangerTable for danger_table, got {type(table).__name__}")
    return table


def read_danger_weight(danger_weight: float) -> float:
    """Return it as a float; TypeError if it is no number, ValueError if it is below 0."""
    weight = read_number(danger_weight, "danger_weight")
    if not 0 <= weight < WEIGHT_MAX:
        raise ValueError(f"expected a danger_weight of 0 to {WEIGHT_MAX:g}, got {shown(danger_weight)}")
    return weight


RAISING_UP_TO = 2
"""Shanten up to which discards that raise it have their chance too; beyond, their search takes too long."""


def _win_chances(
    hand: _HandLike, draws: int, rivers: _Rivers | None, visible: _TilesLike | None, rules: _RulesLike | None
) -> tuple[dict[int, float], dict[int, str]]:
    """
    The chance to win after each kind is let go, that tile seen from then on; and why some kinds have none.

    Chances of which a search was cut off are lower bounds that say nothing beside each other: then there are none.
    """
    from mjcore.win_chance import discard_chances

    held = hand if isinstance(hand, Hand) else Hand(hand)
    seen = seen_tiles(rivers, visible)
    after = {kind: live.shanten for kind, live in discards(held, visible=seen, rules=rules).items()}
    least = min(after.values())
    chances: dict[int, float] = {}
    no_chance: dict[int, str] = {}
    for raising in (False, True):
        kinds = [kind for kind, shanten in after.items() if (shanten > least) is raising]
        if raising and least > RAISING_UP_TO:
            no_chance |= dict.fromkeys(kinds, "too_far")
            continue
        if no_chance or not kinds:
            no_chance |= dict.fromkeys(kinds, "cut_off")
            continue
        curves = discard_chances(held, draws, visible=seen, rules=rules, kinds=kinds)
        if any(curve.truncated for curve in curves.values()):
            no_chance |= dict.fromkeys(kinds, "cut_off")
        else:
            chances |= {kind: float(curve) for kind, curve in curves.items()}
    return chances, no_chance
