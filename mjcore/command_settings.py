"""What was given to the command line, read and checked: the settings of a question, and how its hands are read."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mjcore import Hand, HandRules, InvalidNotationError, kind_of, parse, unpack
from mjcore.command_options import flag_of
from mjcore.notation import read_text
from mjcore.questions import HandLike, Settings

if TYPE_CHECKING:
    from mjcore import RuleSet


def read_settings(options: argparse.Namespace) -> Settings:
    """Return what a command is asked with, checked; what is wrong ends the program."""
    if options.command.takes_win:
        return _read_score_settings(options)
    dialect: str = options.dialect
    changes: dict[str, Any] = {}
    flag = ""
    try:
        if options.quads:
            changes["seven_pairs_quads"] = True
        if options.no_fifth_copy:
            changes["joker_fifth_copy"] = False
        flag = "--joker-kind"
        if options.joker_kind is not None:
            changes["joker_kind"] = kind_of(options.joker_kind, dialect=dialect)
        flag = "--eyes"
        if options.eyes is not None:
            changes["eyes"] = [kind for kind, n in enumerate(unpack(parse(options.eyes, dialect=dialect))) if n]
        if "wait_mode" in options:
            changes["wait_mode"] = options.wait_mode
        rules = HandRules.preset(options.rules, **changes)
        flag = "--visible"
        visible = parse(options.visible, dialect=dialect) if vars(options).get("visible") is not None else None
        flag = "--jokers"
        if not 0 <= options.jokers <= 8:
            raise ValueError(f"expected 0 to 8 jokers, got {options.jokers}")
    except ValueError as error:
        options.parser.error(f"argument {flag}: {error}")
    settings = Settings(options.jokers, rules, visible, _notation(options), dialect)
    return replace(settings, **_read_advice_settings(options))


def _notation(options: argparse.Namespace) -> str:
    """How tiles are written: as asked for; else the language of a table decides, and JSON has letters."""
    if options.notation is not None:
        return str(options.notation)
    return "chinese" if vars(options).get("lang") == "zh" and not options.json else "letters"


def _read_advice_settings(options: argparse.Namespace) -> dict[str, Any]:
    """What `evaluate` and ranked discards are asked with, checked."""
    given = vars(options)
    settings: dict[str, Any] = {
        name: given[name] for name in ("draws", "policy", "mode", "alpha", "lang") if name in given
    }
    if given.get("rivers") is not None:
        rivers = options.rivers.split("/")
        if len(rivers) != 3:
            options.parser.error(f"argument --rivers: expected three rivers between '/', got {options.rivers!r}")
        try:
            read = [read_text(river, dialect=options.dialect) for river in rivers]
        except ValueError as error:
            options.parser.error(f"argument --rivers: {error}")
        if any(melds for _, melds in read):
            options.parser.error("argument --rivers: expected tiles, got a meld")
        settings["rivers"] = tuple(tuple(tile[0] for tile in tiles) for tiles, _ in read)
    if settings.get("draws") is not None and not 0 <= settings["draws"] <= 136:
        options.parser.error(f"argument --draws: expected 0 to 136 draws, got {settings['draws']}")
    alpha = settings.get("alpha")
    if alpha is not None and not 0 <= alpha <= 1:
        options.parser.error(f"argument --alpha: expected 0 to 1, got {alpha}")
    if alpha is not None and settings["mode"] is not None:
        options.parser.error("expected --mode or --alpha, got both")
    if "policy" in settings and settings["policy"] is None and (settings["draws"] is not None or "rivers" in settings):
        settings["policy"] = "efficiency"
    if options.jokers and (settings.get("policy") or options.command.name == "evaluate"):
        options.parser.error("argument --jokers: jokers are not rated")
    return settings


def _read_rule_set(name: str) -> RuleSet:
    from mjcore import load_rules, rule_set

    if name.endswith(".toml"):
        return load_rules(name)
    try:
        return rule_set(name)
    except ValueError as error:
        raise ValueError(f"{error}; a file of rules ends in .toml") from None


def _read_score_settings(options: argparse.Namespace) -> Settings:
    from mjcore import Context

    flag = "--win"
    try:
        win = None if options.win is None else kind_of(options.win, dialect=options.dialect)
        flag = "--rules"
        rules = _read_rule_set(options.rules)
        flag = "--option"
        if options.option:
            rules = rules.replace(options=_read_rule_options(options.option, rules))
        given = {name: getattr(options, name) for name in options.context_fields}
        for name, value in given.items():
            flag = flag_of(name)
            Context(**{name: value})
        context = Context(**given)
    except (ValueError, OSError) as error:
        options.parser.error(f"argument {flag}: {error}")
    return Settings(
        0,
        HandRules(),
        None,
        _notation(options),
        options.dialect,
        win_tile=win,
        score_rules=rules,
        context=context,
        lang=options.lang,
    )


def _read_rule_options(texts: list[str], rules: RuleSet) -> dict[str, bool | str]:
    """The options of a rule set that are given as ``name`` or ``name=value``."""
    found: dict[str, bool | str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        switches = isinstance(rules.options.get(name), bool)
        if not equals:
            found[name] = True
        elif switches and value in ("true", "false"):
            found[name] = value == "true"
        else:
            found[name] = value
    return found


def win_reader(dialect: str, win_tile: int | None) -> Callable[[str], HandLike]:
    """Read a hand and, after a '+' outside of brackets, the winning tile, as the tile drawn last."""

    def read_win(text: str) -> HandLike:
        tiles, plus, last = text.rpartition("+")
        named = plus and "]" not in last
        hand = Hand(tiles if named else text, dialect=dialect)
        try:
            kind = kind_of(last.strip(), dialect=dialect) if named else win_tile
        except InvalidNotationError as error:
            start = len(tiles) + 1 + len(last) - len(last.lstrip())
            raise InvalidNotationError(error.args[0], text, error.position + start) from None
        whole = len(hand) % 3 == 2 and not named
        return hand if kind is None or whole else hand.draw(kind)

    return read_win


def hand_reader(dialect: str) -> Callable[[str], HandLike]:
    """Read a hand, with melds in brackets if it has some."""

    def read_hand(text: str) -> HandLike:
        return Hand(text, dialect=dialect) if "[" in text else parse(text, dialect=dialect)

    return read_hand
