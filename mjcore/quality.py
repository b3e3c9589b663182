"""
How good is a hand: listening entropy, fan coverage and their mean Q, each with its parts.

These are the documented formulas of a well-known article, exactly, every constant a named parameter.  What
they leave open is settled so:

entropy
    The waits that are still live share their survival chances p: ``pi = p / sum p``, ``H = -sum pi log2 pi``
    bits.  H measures how evenly a wait is spread, not how strong it is: one wait gives 0 like none at all,
    and one wait more may lower it.  `HandQuality.expected_live`, the sum of p times live copies, says how
    strong.  `HandQuality.entropy_raw` is ``-sum p log2 p``, the formula as the article writes it.
    `HandQuality.entropy_norm` is ``H / log2(13)``, at most 1: 13 kinds are the most a hand waits for.
survival
    Of each wait by the first rule that applies: `Survival` has them in order.
coverage
    ``C = sum w d / sum w`` over the targets, d from 0 to 1 being how far the hand is on the way there.
quality
    ``Q = alpha entropy_norm + (1 - alpha) C``.

A hand that is not ready has no waits and entropy 0; `mjcore.win_probability` tells such hands apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mjcore.arguments import read_items, read_number, read_path, read_whole
from mjcore.hand import Hand, Meld
from mjcore.quality_answers import assess
from mjcore.quality_input import Targets
from mjcore.tiles import shown, tile_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from mjcore.facade import _HandLike, _RulesLike, _TilesLike
    from mjcore.progress import LiveTiles

    _Rivers = Sequence[Iterable[int | str] | str]

MODES: dict[str, float] = {"learning": 0.7, "competitive": 0.3}
"""Weight of the normalised entropy by the name of a mode; coverage has the rest."""

__all__ = [
    "MODES",
    "CoveragePart",
    "HandQuality",
    "Survival",
    "Target",
    "Targets",
    "Wait",
    "default_targets",
    "evaluate",
    "load_targets",
    "read_targets",
]


class Survival(NamedTuple):
    """
    Chance that a wait can still be had, by the first rule that applies.

    Attributes
    ----------
    discarded_twice : float
        Of a suited tile that the opponents discarded `times` times or more.
    neighbor_discarded : float
        Of a suited tile of which an opponent discarded a neighbour (rank -1 or +1 of the suit) among the
        last `recent` discards.
    honor_not_discarded : float
        Of an honor that no opponent discarded.
    otherwise : float
        Of any other wait.
    times, recent : int
        Discards of the tile itself; discards of each opponent that are recent, at most 3.
    """

    discarded_twice: float = 0.10
    neighbor_discarded: float = 0.30
    honor_not_discarded: float = 0.95
    otherwise: float = 0.70
    times: int = 2
    recent: int = 2


_DEFAULT_SURVIVAL = Survival()


class Target(NamedTuple):
    """
    A target of fan coverage; quality_targets.toml says what the fields mean.

    Examples
    --------
    >>> from mjcore.quality import default_targets
    >>> default_targets().rows[1]
    Target(name='seven pairs', zh='七对', weight=24, measure='pairs', sets=(), melds='none')
    """

    name: str
    zh: str
    weight: float
    measure: str
    sets: tuple[str, ...] = ()
    melds: str = "any"


class Wait(NamedTuple):
    """A live wait: kind, survival chance, the rule of `Survival` that gave it, copies left."""

    kind: int
    survival: float
    rule: str
    live: int


class CoveragePart(NamedTuple):
    """A target, how far the hand is on the way to it (0 to 1), and what that adds to the coverage."""

    target: Target
    progress: float
    share: float


class HandQuality(NamedTuple):
    """
    The quality of a hand with all its parts, as `evaluate` returns it.

    Attributes
    ----------
    quality : float
        Q, 0 to 1; ``float(answer)`` too.
    entropy, entropy_raw, entropy_norm : float
        Listening entropy in bits, as the article writes it, and as a part of the most possible.
    expected_live : float
        Live copies of the waits, each times its survival chance.
    coverage : float
        Fan coverage, 0 to 1.
    progress : tuple of float
        How far the hand is on the way to each target; `parts` names them.
    shanten : int
        Of the hand that was looked at: -1 complete, 0 ready.
    waits : tuple of Wait
        Kinds with a live copy that complete the hand, in kind order.
    useful : LiveTiles
        Kinds that lower shanten, with the copies left.
    discard : int or None
        The kind let go first, where the hand had one tile too many.
    alpha : float
        Weight of the normalised entropy in Q.
    mode : str or None
        Name of the mode.
    targets : Targets
        The targets.

    Examples
    --------
    >>> import mjcore
    >>> answer = mjcore.evaluate("13m EE [456p] [789s] [234s]")
    >>> answer.waits
    (Wait(kind=1, survival=0.7, rule='otherwise', live=4),)
    >>> answer.parts[4].target.name, answer.parts[4].progress == 6 / 9
    ('pure straight', True)
    """

    quality: float
    entropy: float
    entropy_raw: float
    entropy_norm: float
    expected_live: float
    coverage: float
    progress: tuple[float, ...]
    shanten: int
    waits: tuple[Wait, ...]
    useful: LiveTiles
    discard: int | None
    alpha: float
    mode: str | None
    targets: Targets

    @property
    def beta(self) -> float:
        """Weight of the coverage in Q."""
        return 1 - self.alpha

    @property
    def parts(self) -> tuple[CoveragePart, ...]:
        """The targets with their progress and what each adds to the coverage."""
        total = sum(target.weight for target in self.targets.rows)
        return tuple(
            CoveragePart(target, part, target.weight * part / total)
            for target, part in zip(self.targets.rows, self.progress, strict=True)
        )

    def __float__(self) -> float:
        return self.quality

    def to_dict(self, notation: str = "letters", *, dialect: str = "tenhou") -> dict[str, object]:
        """
        Return plain values, as JSON takes them, with tiles named in a notation.

        Examples
        --------
        >>> import mjcore
        >>> answer = mjcore.evaluate("1112345678999m").to_dict()
        >>> answer["shanten"], answer["waits"][0]
        (0, {'tile': '1m', 'kind': 0, 'survival': 0.7, 'rule': 'otherwise', 'live': 1})
        """
        from mjcore.words import check_notation

        check_notation(notation, dialect)

        def name(kind: int) -> str:
            return tile_name(kind, notation, dialect=dialect)

        return {
            "quality": self.quality,
            "mode": self.mode,
            "alpha": self.alpha,
            "beta": self.beta,
            "entropy": self.entropy,
            "entropy_raw": self.entropy_raw,
            "entropy_norm": self.entropy_norm,
            "expected_live": self.expected_live,
            "coverage": self.coverage,
            "parts": [
                {
                    "target": part.target.name,
                    "zh": part.target.zh,
                    "weight": part.target.weight,
                    "progress": part.progress,
                    "share": part.share,
                }
                for part in self.parts
            ],
            "discard": None if self.discard is None else name(self.discard),
            "shanten": self.shanten,
            "waits": [{"tile": name(wait.kind), **wait._asdict()} for wait in self.waits],
            "useful": {
                "total": self.useful.total,
                "tiles": [{"tile": name(kind), "kind": kind, "live": left} for kind, left in self.useful.items()],
            },
        }

    def table(self, language: str = "en", *, notation: str | None = None, dialect: str = "tenhou") -> str:
        """
        Return the answer as lines of text.

        Parameters
        ----------
        language : {"en", "zh"}
            Language of the words.
        notation : str, optional
            Of the tiles.  Default: letters, or Chinese names in Chinese.

        Raises
        ------
        ValueError
            If there is no such language.

        Examples
        --------
        >>> import mjcore
        >>> print(mjcore.evaluate("13m EE [456p] [789s] [234s]", rivers=["1m", "", "E"]).table())
        quality   0.0282 = 0.7 x 0.0000 + 0.3 x 0.0941 (learning)
        entropy   0.0000 bits, raw 0.5211, norm 0.0000; expected live 1.2
        shanten   0; useful 2m:4
          wait 2m  survival 0.3 x 4 live  neighbor_discarded
        coverage  0.0941
          full flush                24  0.0000
          seven pairs               24  0.0000
          half flush                 6  0.0000
          all pungs                  6  0.0000
          pure straight             16  0.6667
          mixed straight             8  0.8889
          mixed triple chow          8  0.5556
          all terminals and honors  32  0.0000
          outside hand               4  0.0000
          big three dragons         88  0.0000
          big four winds            88  0.1667
          thirteen orphans          88  0.0000
        """
        from mjcore.words import aligned, columns, padded, table_notation, translate

        notation = table_notation(language, notation, dialect)

        def say(word: str) -> str:
            return translate(word, language)

        width = 2 + max(columns(say(word)) for word in ("quality", "entropy", "shanten", "discard", "coverage"))
        mode = "" if self.mode is None else f" ({say(self.mode)})"
        useful = self.useful.text(notation, dialect=dialect) or "-"
        lines = [
            f"{padded(say('quality'), width)}{self.quality:.4f} = {self.alpha:g} x {self.entropy_norm:.4f} + "
            f"{self.beta:g} x {self.coverage:.4f}{mode}",
            f"{padded(say('entropy'), width)}{self.entropy:.4f} {say('bits')}, {say('raw')} {self.entropy_raw:.4f}, "
            f"{say('norm')} {self.entropy_norm:.4f}; {say('expected live')} {self.expected_live:g}",
        ]
        if self.discard is not None:
            lines.append(padded(say("discard"), width) + tile_name(self.discard, notation, dialect=dialect))
        lines.append(f"{padded(say('shanten'), width)}{self.shanten}; {say('useful')} {useful}")
        for wait in self.waits:
            tile = tile_name(wait.kind, notation, dialect=dialect)
            lines.append(
                f"  {say('wait')} {tile}  {say('survival')} {wait.survival:g} x {wait.live} {say('live')}  "
                f"{say(wait.rule)}"
            )
        lines.append(f"{padded(say('coverage'), width)}{self.coverage:.4f}")
        rows = [
            [f"  {target.zh if language == 'zh' else target.name}", f"{target.weight:g}", f"{part:.4f}"]
            for target, part in zip(self.targets.rows, self.progress, strict=True)
        ]
        lines.append(aligned(rows))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()


_default: Targets | None = None


def default_targets() -> Targets:
    """
    Return the twelve targets that the package comes with.

    Examples
    --------
    >>> from mjcore.quality import default_targets
    >>> len(default_targets()), sum(target.weight for target in default_targets().rows)
    (12, 392)
    """
    global _default
    if _default is None:
        from pathlib import Path

        _default = load_targets(Path(__file__).with_name("quality_targets.toml"))
    return _default


def load_targets(path: str | PathLike[str]) -> Targets:
    """
    Read targets from a TOML file of the form of quality_targets.toml.

    Raises
    ------
    ValueError
        If a row is not a target; the message names it.
    """
    import tomllib

    with open(read_path(path), "rb") as file:
        return read_targets(tomllib.load(file).get("target", []))


def read_targets(targets: Targets | Iterable[Target | Mapping[str, object]]) -> Targets:
    """
    Return targets in the form that `evaluate` takes, ready to be used many times.

    Parameters
    ----------
    targets : iterable of Target or mapping
        Rows; a mapping has the fields of `Target` as keys.

    Raises
    ------
    ValueError
        If a row is not a target; the message names it.

    Examples
    --------
    >>> import mjcore
    >>> from mjcore.quality import Target, read_targets
    >>> pairs = read_targets([Target("seven pairs", "七对", 24, "pairs", melds="none")])
    >>> mjcore.evaluate("1122334455667m", targets=pairs, alpha=0).coverage == 6 / 7
    True
    """
    if isinstance(targets, Targets):
        return targets
    rows: list[Target] = []
    for row in read_items(targets, "targets", "targets"):
        try:
            target = row if isinstance(row, Target) else Target(**row)
        except TypeError as error:
            raise ValueError(f"target {len(rows)}: expected the fields of Target, got {shown(row)}") from error
        try:
            sets = tuple(read_items(target.sets, "sets", "a list of sets"))
        except TypeError as error:
            raise ValueError(f"target {shown(target.name)}: {error}") from error
        rows.append(target._replace(sets=sets))
    return Targets(rows)


def evaluate(
    hand: _HandLike,
    /,
    *,
    mode: str | None = None,
    alpha: float | None = None,
    rivers: _Rivers | None = None,
    visible: _TilesLike | None = None,
    melds: Iterable[Meld | str] | None = None,
    rules: _RulesLike | None = None,
    targets: Targets | Iterable[Target | Mapping[str, object]] | None = None,
    survival: Survival = _DEFAULT_SURVIVAL,
) -> HandQuality:
    """
    Return how good a hand is, with every part of the number.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 3n + 1 or 3n + 2, without jokers beside them (see Notes).  A hand with one tile too
        many that is not complete has the quality of what is left by the best discard, the one of the lowest kind
        among equals.
    mode : {"learning", "competitive"}, default "learning"
        Weight of the entropy: 0.7 or 0.3.
    alpha : float, optional
        Any other weight, 0 to 1, in place of a mode.
    rivers : three sequences of kinds, or three texts, optional
        Discards of the opponents, oldest first.
    visible : int, str or sequence of 34 int, optional
        Other tiles seen outside the hand and its melds; what is in a river is not repeated here.
    melds : iterable of Meld or str, optional
        Declared melds, where `hand` does not say them.
    rules : HandRules or str, optional
        Forms and options.
    targets : Targets or iterable of Target, optional
        Targets of the coverage.  Default: the twelve of quality_targets.toml.
    survival : Survival, optional
        Survival chances of the waits.

    Returns
    -------
    HandQuality
        Q, entropy, coverage and their parts.

    Raises
    ------
    InvalidHandError
        As for `shanten`; or if a river or the visible tiles hold what is no tile or a fifth copy; the message
        names the place and the tile.
    ValueError
        If the mode is unknown, alpha is outside 0 to 1, both are given, or a target is none.
    TypeError
        If something has another type than it should.

    Notes
    -----
    The formulas know no jokers: a joker waits for every kind at once, and belongs to every target.  Jokers beside
    the tiles are therefore not taken.  A `HandRules.joker_kind` counts for shanten, useful tiles and waits; to the
    coverage its copies are the tiles that they are.

    Examples
    --------
    >>> import mjcore
    >>> answer = mjcore.evaluate("23m EE [456p] [789s] [234s]", mode="competitive")
    >>> answer.entropy, answer.shanten, answer.useful
    (1.0, 0, LiveTiles({'1m': 4, '4m': 4}, shanten=0))
    >>> round(answer.quality, 4), round(answer.coverage, 4)
    (0.1485, 0.0964)
    """
    weight, mode = read_mode(mode, alpha)
    if melds is not None:
        declared = read_items(melds, "melds", "a list of melds")
        hand = Hand(hand, melds=[meld if isinstance(meld, Meld) else Meld(meld) for meld in declared])
    read = default_targets() if targets is None else read_targets(targets)
    numbers = assess(hand, rivers, visible, rules, read, check_survival(survival), weight)
    waits = tuple([Wait(*wait) for wait in numbers[8]])
    return HandQuality._make((*numbers[:8], waits, *numbers[9:], weight, mode, read))


def read_mode(mode: str | None, alpha: float | None) -> tuple[float, str | None]:
    """
    Return the weight of the entropy and the name of the mode, if it has one.

    Raises
    ------
    ValueError
        If the mode is unknown, alpha is not 0 to 1, or both are given.
    TypeError
        If alpha is no number.
    """
    if alpha is None:
        mode = "learning" if mode is None else mode
        if not isinstance(mode, str) or mode not in MODES:
            raise ValueError(f"expected a mode of {', '.join(MODES)}, got {shown(mode)}")
        return MODES[mode], mode
    if mode is not None:
        raise ValueError(f"expected mode or alpha, got both: {shown(mode)} and {shown(alpha)}")
    weight = read_number(alpha, "alpha")
    if not 0 <= weight <= 1:
        raise ValueError(f"expected an alpha of 0 to 1, got {shown(alpha)}")
    return weight, None


TIMES_MAX, RECENT_MAX = 4, 3


def check_survival(survival: Survival) -> Survival:
    """
    Return survival chances that the kernels take.

    Raises
    ------
    ValueError
        If a chance is outside 0 to 1 or a number of discards has no meaning.
    TypeError
        If something is no number, or the whole is no `Survival`.
    """
    if survival is _DEFAULT_SURVIVAL:
        return survival
    if not isinstance(survival, Survival):
        raise TypeError(f"expected Survival for survival, got {type(survival).__name__}")
    chances = [read_number(value, name) for name, value in zip(Survival._fields[:4], survival[:4], strict=True)]
    for name, chance in zip(Survival._fields[:4], chances, strict=True):
        if not 0 <= chance <= 1:
            raise ValueError(f"expected a chance of 0 to 1 for {name}, got {chance:g}")
    times = read_whole(survival.times, "times", 1, TIMES_MAX)
    recent = read_whole(survival.recent, "recent discards", 0, RECENT_MAX)
    return Survival._make((*chances, times, recent))
