"""
mjcore: an exact and fast mahjong hand engine.

Examples
--------
>>> import mjcore
>>> mjcore.is_hu("123m456s789p11155z")
True
>>> print(mjcore.ting("1112345678999m"))
1m 2m 3m 4m 5m 6m 7m 8m 9m
"""

from __future__ import annotations

try:
    from mjcore.cache import LRUCache
except ModuleNotFoundError as _missing:
    if _missing.name != "mjcore.cache":
        raise
    raise ModuleNotFoundError(
        f"mjcore was found as sources that are not built, in {__path__[0]}: start Python in another folder if it is "
        "installed, or install it with `python -m pip install -e .`",
        name=_missing.name,
    ) from None
from mjcore.codes import CODE_SYSTEMS, from_codes, from_tens_counts, to_codes, to_tens_counts
from mjcore.decomposition import Decomposition
from mjcore.facade import (
    CacheInfo,
    cache_clear,
    cache_info,
    cache_resize,
    decompose,
    is_hu,
    live_waits,
    ting,
    ting_many,
)
from mjcore.hand import Hand, Meld
from mjcore.hand_rules import HandRules
from mjcore.kindset import KindSet
from mjcore.later import import_later, names_of
from mjcore.notation import format, kind_of, parse, tile
from mjcore.packing import pack, unpack
from mjcore.progress import LiveTiles, discards, improving_tiles, shanten, useful_tiles
from mjcore.tiles import (
    ContextError,
    InvalidHandError,
    InvalidNotationError,
    MjcoreError,
    NotAWinError,
    RuleSetError,
    tile_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mjcore import batch as batch
    from mjcore import plots as plots
    from mjcore import simulator as simulator
    from mjcore.advice import DiscardRanking, rank_discards
    from mjcore.calls import CallAdvice, call_advice
    from mjcore.danger import DangerTable, fit_danger
    from mjcore.fan_distances import fan_distance
    from mjcore.meld_codes import decode_meld, encode_meld
    from mjcore.profile_arrays import Tables
    from mjcore.quality import HandQuality, evaluate
    from mjcore.readings import Excluded, Fan, Reading
    from mjcore.rule_checks import FanRow
    from mjcore.rule_sets import RuleSet, load_rules, rule_set
    from mjcore.scores import Context, Score, score
    from mjcore.win_chance import discard_chances, win_probability
    from mjcore.win_curve import WinCurve

__version__ = "0.1.0"

__all__ = [
    "CODE_SYSTEMS",
    "CacheInfo",
    "CallAdvice",
    "Context",
    "ContextError",
    "DangerTable",
    "Decomposition",
    "DiscardRanking",
    "Excluded",
    "Fan",
    "FanRow",
    "Hand",
    "HandQuality",
    "HandRules",
    "InvalidHandError",
    "InvalidNotationError",
    "KindSet",
    "LRUCache",
    "LiveTiles",
    "Meld",
    "MjcoreError",
    "NotAWinError",
    "Reading",
    "RuleSet",
    "RuleSetError",
    "Score",
    "WinCurve",
    "cache_clear",
    "cache_info",
    "cache_resize",
    "call_advice",
    "decode_meld",
    "decompose",
    "discard_chances",
    "discards",
    "encode_meld",
    "evaluate",
    "fan_distance",
    "fit_danger",
    "format",
    "from_codes",
    "from_tens_counts",
    "get_include",
    "improving_tiles",
    "is_hu",
    "kind_of",
    "live_waits",
    "load_rules",
    "pack",
    "parse",
    "rank_discards",
    "rule_set",
    "score",
    "shanten",
    "tables",
    "tile",
    "tile_name",
    "ting",
    "ting_many",
    "to_codes",
    "to_tens_counts",
    "unpack",
    "useful_tiles",
    "win_probability",
]

# Names that not every program needs.
__getattr__, __dir__ = import_later(
    globals(),
    {
        **names_of("mjcore.calls", "CallAdvice", "call_advice"),
        **names_of("mjcore.danger", "DangerTable", "fit_danger"),
        **names_of("mjcore.advice", "DiscardRanking", "rank_discards"),
        **names_of("mjcore.quality", "HandQuality", "evaluate"),
        **names_of("mjcore.meld_codes", "decode_meld", "encode_meld"),
        **names_of("mjcore.win_chance", "discard_chances", "win_probability"),
        **names_of("mjcore.win_curve", "WinCurve"),
        **names_of("mjcore.rule_checks", "FanRow"),
        **names_of("mjcore.rule_sets", "RuleSet", "load_rules", "rule_set"),
        **names_of("mjcore.readings", "Excluded", "Fan", "Reading"),
        **names_of("mjcore.scores", "Context", "Score", "score"),
        **names_of("mjcore.fan_distances", "fan_distance"),
        **{name: (f"mjcore.{name}", "") for name in ("batch", "plots", "simulator")},
    },
)


def tables(reading: str = "capped") -> Tables:
    """
    Return the suit-profile tables as read-only arrays; `mjcore.profile_arrays.tables` says all about them.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.tables().sums.shape, mjcore.tables("free").sums.shape
    ((180, 180), (164, 164))
    """
    from mjcore import profile_arrays

    return profile_arrays.tables(reading)


def get_include() -> str:
    """
    Return the directory to give to ``cythonize(include_path=[...])`` so that ``cimport mjcore`` works.

    Examples
    --------
    >>> import os, mjcore
    >>> os.path.exists(os.path.join(mjcore.get_include(), "mjcore", "__init__.pxd"))
    True
    """
    import os

    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
