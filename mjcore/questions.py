"""The questions of the command line: one row of `COMMANDS` and two small functions each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from mjcore import (
    Decomposition,
    Hand,
    HandRules,
    InvalidHandError,
    KindSet,
    LiveTiles,
    decompose,
    discards,
    is_hu,
    live_waits,
    shanten,
    tile_name,
    ting,
    useful_tiles,
)

if TYPE_CHECKING:
    from mjcore import Context, DiscardRanking, HandQuality, RuleSet, Score

HandLike = int | Hand
Answer = Callable[[HandLike], str]
Fields = Callable[[HandLike], dict[str, object]]


@dataclass(frozen=True)
class Settings:
    """What the options say, read once."""

    jokers: int
    rules: HandRules
    visible: int | None
    notation: str
    dialect: str
    rivers: tuple[tuple[int, ...], ...] | None = None
    draws: int | None = None
    policy: str | None = None
    mode: str | None = None
    alpha: float | None = None
    win_tile: int | None = None
    score_rules: RuleSet | str = "mcr"
    context: Context | None = None
    lang: str = "en"

    def name(self, kind: int) -> str:
        """Return the name of a kind in the notation asked for."""
        return tile_name(kind, self.notation, dialect=self.dialect)


def hu_text(settings: Settings) -> Answer:
    """Answer yes or no."""
    jokers = settings.jokers
    rules = settings.rules
    if not jokers and rules == HandRules():
        return lambda hand: "yes" if is_hu(hand) else "no"
    return lambda hand: "yes" if is_hu(hand, jokers=jokers, rules=rules) else "no"


def hu_fields(settings: Settings) -> Fields:
    """Answer true or false."""
    return lambda hand: {"hu": is_hu(hand, jokers=settings.jokers, rules=settings.rules)}


def ting_text(settings: Settings) -> Answer:
    """Answer the names of the waits; with visible tiles the copies left of each."""
    jokers = settings.jokers
    rules = settings.rules

    def copies(hand: HandLike) -> str:
        return " ".join(f"{settings.name(kind)}:{left}" for kind, left in _copies_left(settings, hand)) or "-"

    @lru_cache(maxsize=1 << 14)
    def names(mask: int) -> str:
        return KindSet.from_mask(mask).text(settings.notation, dialect=settings.dialect) or "-"

    if settings.visible is not None:
        return copies
    return lambda hand: names(ting(hand, jokers=jokers, rules=rules).mask)


def ting_fields(settings: Settings) -> Fields:
    """Answer the waits as names and kinds, with the copies left of each."""

    def fields(hand: HandLike) -> dict[str, object]:
        waits = [
            {"tile": settings.name(kind), "kind": kind, "left": left} for kind, left in _copies_left(settings, hand)
        ]
        return {"ready": bool(waits), "waits": waits}

    return fields


def _copies_left(settings: Settings, hand: HandLike) -> list[tuple[int, int]]:
    live = live_waits(hand, visible=settings.visible, jokers=settings.jokers, rules=settings.rules)
    by_shape = settings.rules.wait_mode == "shape"
    return [(kind, left) for kind, left in live.items() if left or by_shape]


def decompose_text(settings: Settings) -> Answer:
    """Answer one line for each split: its groups, form, hard or soft, what the jokers became."""

    def text(hand: HandLike) -> str:
        melds = _melds(settings, hand)
        lines = []
        for split in decompose(hand, jokers=settings.jokers, rules=settings.rules):
            groups = " ".join([split.text(settings.notation, dialect=settings.dialect), *melds])
            columns = [groups, split.form, "hard" if split.hard else "soft"]
            if split.jokers:
                columns.append("jokers " + " ".join(settings.name(kind) for kind in split.jokers))
            lines.append("\t".join(columns))
        return "\n".join(lines) or "-"

    return text


def decompose_fields(settings: Settings) -> Fields:
    """Answer the splits as names and kinds."""

    def split_fields(split: Decomposition) -> dict[str, object]:
        return {
            "form": split.form,
            "groups": split.text(settings.notation, dialect=settings.dialect).split(" "),
            "group_kinds": [list(group) for group in split.groups],
            "eyes": None if split.eyes is None else settings.name(split.eyes),
            "eyes_kind": split.eyes,
            "jokers": [settings.name(kind) for kind in split.jokers],
            "joker_kinds": list(split.jokers),
            "hard": split.hard,
        }

    def fields(hand: HandLike) -> dict[str, object]:
        splits = decompose(hand, jokers=settings.jokers, rules=settings.rules)
        return {
            "hu": bool(splits),
            "melds": _melds(settings, hand),
            "splits": [split_fields(split) for split in splits],
        }

    return fields


def shanten_text(settings: Settings) -> Answer:
    """Answer the number: -1 complete, 0 ready."""
    jokers = settings.jokers
    rules = settings.rules
    return lambda hand: str(shanten(hand, jokers=jokers, rules=rules))


def shanten_fields(settings: Settings) -> Fields:
    """Answer the number."""
    return lambda hand: {"shanten": shanten(hand, jokers=settings.jokers, rules=settings.rules)}


def useful_text(settings: Settings) -> Answer:
    """Answer shanten, the copies left in all, and each useful kind with its copies."""

    def text(hand: HandLike) -> str:
        return _live_text(settings, _useful(settings, hand))

    return text


def useful_fields(settings: Settings) -> Fields:
    """Answer shanten, the copies left in all, and each useful kind with its copies."""
    return lambda hand: _live_fields(settings, _useful(settings, hand))


def discards_text(settings: Settings) -> Answer:
    """Answer one line for each tile that can go, the best first: the tile, then what `useful` says after it."""
    if settings.policy is not None:
        return lambda hand: _ranking(settings, hand).table(
            settings.lang, notation=settings.notation, dialect=settings.dialect
        )

    def text(hand: HandLike) -> str:
        rows = _discards(settings, hand).items()
        return "\n".join(f"{settings.name(kind)}\t{_live_text(settings, live)}" for kind, live in rows)

    return text


def discards_fields(settings: Settings) -> Fields:
    """Answer the tiles that can go, the best first."""
    if settings.policy is not None:
        return lambda hand: _ranking(settings, hand).to_dict(settings.notation, dialect=settings.dialect)

    def fields(hand: HandLike) -> dict[str, object]:
        rows = _discards(settings, hand).items()
        return {
            "discards": [
                {"tile": settings.name(kind), "kind": kind, **_live_fields(settings, live)} for kind, live in rows
            ]
        }

    return fields


def _ranking(settings: Settings, hand: HandLike) -> DiscardRanking:
    from mjcore import rank_discards

    return rank_discards(
        hand,
        policy=settings.policy or "efficiency",
        rivers=settings.rivers,
        visible=settings.visible,
        draws=settings.draws,
        rules=settings.rules,
    )


def evaluate_text(settings: Settings) -> Answer:
    """Answer the quality of the hand with its parts, one a line."""
    return lambda hand: _quality(settings, hand).table(
        settings.lang, notation=settings.notation, dialect=settings.dialect
    )


def evaluate_fields(settings: Settings) -> Fields:
    """Answer the quality of the hand with its parts."""
    return lambda hand: _quality(settings, hand).to_dict(settings.notation, dialect=settings.dialect)


def _quality(settings: Settings, hand: HandLike) -> HandQuality:
    from mjcore import evaluate

    return evaluate(
        hand,
        mode=settings.mode,
        alpha=settings.alpha,
        rivers=settings.rivers,
        visible=settings.visible,
        rules=settings.rules,
    )


def score_text(settings: Settings) -> Answer:
    """Answer the table of the score."""
    return lambda hand: _score(settings, hand).table(settings.lang)


def score_fields(settings: Settings) -> Fields:
    """Answer the score as plain values."""
    return lambda hand: {"score": _score(settings, hand).to_dict()}


def _score(settings: Settings, hand: HandLike) -> Score:
    from mjcore import score

    win_tile = hand.drawn if isinstance(hand, Hand) and hand.drawn is not None else settings.win_tile
    if win_tile is None:
        raise InvalidHandError("expected a winning tile, as in '123m456m789mEE12p + 3p' or by --win")
    return score(hand, win_tile=win_tile, rules=settings.score_rules, context=settings.context)


def _useful(settings: Settings, hand: HandLike) -> LiveTiles:
    return useful_tiles(hand, visible=settings.visible, jokers=settings.jokers, rules=settings.rules)


def _discards(settings: Settings, hand: HandLike) -> dict[int, LiveTiles]:
    return discards(hand, visible=settings.visible, jokers=settings.jokers, rules=settings.rules)


def _live_text(settings: Settings, live: LiveTiles) -> str:
    return f"{live.shanten}\t{live.total}\t{live.text(settings.notation, dialect=settings.dialect) or '-'}"


def _live_fields(settings: Settings, live: LiveTiles) -> dict[str, object]:
    tiles = [{"tile": settings.name(kind), "kind": kind, "left": left} for kind, left in live.items()]
    return {"shanten": live.shanten, "total": live.total, "useful": tiles}


def _melds(settings: Settings, hand: HandLike) -> list[str]:
    if isinstance(hand, int):
        return []
    return [meld.text(settings.notation, dialect=settings.dialect).replace(" ", "") for meld in hand.melds]


@dataclass(frozen=True)
class Command:
    """A question of the command line."""

    name: str
    summary: str
    details: str
    examples: str
    text: Callable[[Settings], Answer]
    fields: Callable[[Settings], Fields]
    options: tuple[str, ...] = ()
    shared: bool = True
    """Whether it takes jokers and the options of hand rules."""
    takes_win: bool = False
    """Whether a hand may be followed by '+' and a winning tile; it takes the fields of `Context` as options."""


COMMANDS = (
    Command(
        "hu",
        "is the hand complete?",
        "Say for each hand whether it is complete: yes or no.  Both answers leave the exit status at 0; "
        "scripts that want it to tell use --quiet.",
        """\
  mjcore hu 123m456s789p11155z              yes
  mjcore hu '7m [123m] [555p] [789s] [FFF]' --jokers 1
  mjcore hu 11223355779999s --rules tuidaohu
  mjcore hu --json --file hands.txt
  if mjcore hu --quiet "$hand"; then echo won; fi
""",
        hu_text,
        hu_fields,
        ("quiet",),
    ),
    Command(
        "ting",
        "which tiles complete the hand?",
        "Print for each hand that is one tile short the kinds that complete it, or '-' for none.",
        """\
  mjcore ting 1112345678999m                1m 2m 3m 4m 5m 6m 7m 8m 9m
  mjcore ting '13m EE [456p] [789s] [234s]' --visible 222m
                                            2m:1
  mjcore ting 2222m --wait-mode shape       2m
  mjcore ting --notation chinese < hands.txt
""",
        ting_text,
        ting_fields,
        ("wait_mode", "visible"),
    ),
    Command(
        "decompose",
        "how does the hand split?",
        "Print every split of each complete hand, one a line, or '-' for none: its groups, its form, hard (no joker "
        "stands for another kind) or soft, and what the jokers became.  Tabs separate these columns.",
        """\
  mjcore decompose 111222333mEE
      123m 123m 123m EE  standard  hard
      111m 222m 333m EE  standard  hard
  mjcore decompose 46mEE --jokers 1 --json
""",
        decompose_text,
        decompose_fields,
    ),
    Command(
        "shanten",
        "how far is the hand from ready?",
        "Print for each hand how many useful tiles it is away from ready: -1 complete, 0 ready.",
        """\
  mjcore shanten 123456789mEEEE             1
  mjcore shanten 'SE [SSS] [WWW] [NNN] [EEE]'
""",
        shanten_text,
        shanten_fields,
    ),
    Command(
        "useful",
        "which tiles bring the hand nearer?",
        "Print for each hand its shanten, the copies left of all useful tiles, and each with its copies.",
        """\
  mjcore useful 9999m678m345p12sS           1  10  6m:3 3s:4 S:3
""",
        useful_text,
        useful_fields,
        ("visible",),
    ),
    Command(
        "discards",
        "which tile should go?",
        "Print for each tile of a hand that has one to let go, the best first: the tile, shanten after it, the "
        "copies left of all useful tiles, and each with its copies.  With --policy, --rivers or --draws print a table "
        "of every part of the rating instead: win chance, waits, base, danger, gain and score.",
        """\
  mjcore discards 239mEE
  mjcore discards 239mEE --draws 10 --plot curves.svg
  mjcore discards 1112234568999pF --policy article --rivers 9mE/2s/C
""",
        discards_text,
        discards_fields,
        ("visible", "policy", "rivers", "draws", "lang", "plot"),
    ),
    Command(
        "evaluate",
        "how good is the hand?",
        "Print the quality Q of each hand with its parts: listening entropy, the waits with their chance to survive, "
        "and how far it is on the way to each target of fan coverage.",
        """\
  mjcore evaluate 1112345678999m
  mjcore evaluate '23m EE [456p] [789s] [234s]' --rivers 5mE/C/4m4m --mode competitive --lang zh
""",
        evaluate_text,
        evaluate_fields,
        ("visible", "mode", "alpha", "rivers", "lang"),
    ),
    Command(
        "score",
        "what is the hand worth?",
        "Print the score of each winning hand as a table.  The winning tile follows the hand after a '+', or is given "
        "by --win for all hands; a hand one tile short takes it in.  What the options say of the win and of the rules "
        "holds for all hands, those of files too.",
        """\
  mjcore score '2233445566778p + 8p'
  mjcore score '55p13789m123s [789s] + 2m' --self-drawn --seat-wind S --lang zh
  mjcore score '19m19s19pESWCCFP + N' --rob-kong --rob-concealed --option rob_concealed_for_orphans
  mjcore score --file wins.txt --option strict98 --option mixed_kongs=split --json
""",
        score_text,
        score_fields,
        ("win", "score_rules", "rule_option", "lang"),
        shared=False,
        takes_win=True,
    ),
)
