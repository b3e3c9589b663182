"""Rule files: what they say, what is wrong with them by name of the row, changed copies, one change at a time."""

import copy
import pickle
import tomllib
from collections import defaultdict
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from documents import blocks
from mcr_hands import context_of, hand_text, winning_hands
from reference_mcr import EN, FANS, IMPLIED, POINTS, ZH
from test_mcr import EXAMPLES, fans_of, score_of

import mjcore
from mjcore import RuleSetError
from mjcore.__main__ import main

MCR = mjcore.rule_set("mcr")
MCR_FILE = Path(mjcore.__file__).parent / "rules" / "mcr.toml"
KNOWN = "all_simples"


def data():
    """The rule file as a dict of one's own."""
    with open(MCR_FILE, "rb") as file:
        return tomllib.load(file)


def row_of(rules, fan):
    return next(row for row in rules["fan"] if row["id"] == fan)


def example(name, **more):
    return score_of(next(case for case in EXAMPLES if case["id"] == name), **more)


# --- reading


def test_a_file_and_a_dict_are_the_same_rules():
    from_file, from_dict = mjcore.load_rules(MCR_FILE), mjcore.load_rules(data())
    assert from_file == from_dict == MCR
    assert from_file.digest == from_dict.digest == MCR.digest == mjcore.load_rules(str(MCR_FILE)).digest
    assert hash(from_file) == hash(MCR)


def test_the_rows_are_those_of_the_specification():
    rows = MCR.fans
    assert [(row.id, row.zh, row.en, row.points) for row in rows] == [
        (fan, ZH[fan], EN[fan], POINTS[fan]) for fan in FANS
    ]
    more = {
        # 5.5: one terminal pung goes with nine gates, and the other winds with three of them
        "nine_gates": {"pung_of_terminals_or_honors:1"},
        "little_four_winds": {"pung_of_terminals_or_honors:n_guest_wind_pungs"},
        "big_three_winds": {"pung_of_terminals_or_honors:n_guest_wind_pungs"},
    }
    for row in rows:
        assert set(row.absorbs) == set(IMPLIED[row.id]) | more.get(row.id, set()), row.id
    assert [row.id for row in rows if row.bonus] == ["flower"]
    assert [row.id for row in rows if row.otherwise] == ["chicken_hand"]
    assert MCR.minimum == 8


def test_the_options_of_the_specification():
    assert dict(MCR.options) == {
        "strict98": False,
        "blessings": False,
        "mixed_kongs": "five",
        "wait_ignores_exhausted": False,
        "knitted_body_wait": True,
        "knitted_waits": True,
        "rob_concealed_for_orphans": False,
        "nine_gates_absorbs_all_pungs": False,
        "kong_with_concealed_pungs": True,
        "context_policy": "strict",
        "local_001": False,
    }
    with pytest.raises(TypeError):
        MCR.options["strict98"] = True


def test_rules_are_immutable_and_pickle():
    with pytest.raises(AttributeError):
        MCR.minimum = 0
    with pytest.raises(AttributeError):
        MCR.fans[0].points = 0
    again = pickle.loads(pickle.dumps(MCR))
    assert again == MCR
    assert again.digest == MCR.digest
    assert copy.deepcopy(MCR) == MCR
    changed = MCR.replace(minimum=6)
    assert pickle.loads(pickle.dumps(changed)) == changed != MCR


def test_the_digest_sees_every_change():
    changes = [
        {"minimum": 7},
        {"options": {"strict98": True}},
        {"fans": {KNOWN: {"points": 3}}},
        {"fans": {KNOWN: {"zh": "断么"}}},
        {"remove": ["flower"]},
        {"add": [{"id": "extra", "points": 1, "when": "true"}]},
    ]
    digests = {MCR.digest, *(MCR.replace(**change).digest for change in changes)}
    assert len(digests) == len(changes) + 1


# --- what is wrong, and where


def with_row(fan, **changes):
    rules = data()
    row_of(rules, fan).update(changes)
    return rules


BAD_ROWS = [
    # a change of the row, a word that the error holds beside the id of the row
    ({"when": "n_kongz == 2"}, "n_kongz"),
    ({"when": "no_such_fact"}, "no_such_fact"),
    ({"when": "n_kongs"}, "n_kongs"),
    ({"when": "n_kongs == 9"}, "9"),
    ({"when": "self_drawn == 1"}, "self_drawn"),
    ({"when": "self_drawn and"}, "self_drawn and"),
    ({"when": ""}, "condition"),
    ({"when": 5}, "condition"),
    ({"when": "n_kongs + 1 == 2"}, "n_kongs \\+ 1"),
    ({"when": "__import__('os')"}, "import"),
    ({"when": "mixed_kongs"}, "mixed_kongs"),
    ({"when": "mixed_kongs == 5"}, "mixed_kongs"),
    ({"points": "two"}, "points"),
    ({"points": -1}, "points"),
    ({"points": 2.0}, "points"),
    ({"points": True}, "points"),
    ({"absorbs": ["no_such_fan"]}, "no_such_fan"),
    ({"absorbs": "no_honors"}, "absorbs"),
    ({"absorbs": [5]}, "absorbs"),
    ({"absorbs": ["no_honors:n_sheep"]}, "n_sheep"),
    ({"absorbs": ["no_honors if no_such_option"]}, "no_such_option"),
    ({"count": "n_sheep"}, "n_sheep"),
    ({"count": 2}, "count"),
    ({"family": "five_chows"}, "five_chows"),
    ({"family": "two_chows"}, "two_chows"),
    ({"shows": "everything"}, "everything"),
    ({"if_option": "no_such_option"}, "no_such_option"),
    ({"points_if": [{"when": "strict98", "points": "x"}]}, "points, got 'x'"),
    ({"points_if": [{"when": "strict98", "points": float("nan")}]}, "points, got nan"),
    ({"colour": "red"}, "colour"),
    ({"zh": ""}, "zh"),
    ({"en": 5}, "en"),
    ({"bonus": "yes"}, "bonus"),
]


@pytest.mark.parametrize(("changes", "word"), BAD_ROWS, ids=lambda value: str(value)[:40])
def test_an_error_names_the_row(changes, word):
    for make in (
        lambda: mjcore.load_rules(with_row(KNOWN, **changes)),
        lambda: MCR.replace(fans={KNOWN: changes}),
        lambda: MCR.replace(add=[{"id": "extra", "points": 1, "when": "true", **changes}]),
    ):
        with pytest.raises(RuleSetError, match=word) as caught:
            make()
        assert KNOWN in str(caught.value) or "extra" in str(caught.value)
        assert isinstance(caught.value, ValueError)


def test_an_error_names_the_file(tmp_path):
    path = tmp_path / "house.toml"
    text = MCR_FILE.read_text(encoding="utf-8")
    path.write_text(text.replace('when = "only_reversible"', 'when = "only_reversibel"'), encoding="utf-8")
    with pytest.raises(RuleSetError, match="only_reversibel") as caught:
        mjcore.load_rules(path)
    assert "house.toml" in str(caught.value)
    assert "reversible_tiles" in str(caught.value)
    path.write_text(text + "\n[[fan]\n", encoding="utf-8")
    with pytest.raises(RuleSetError, match=r"house\.toml"):
        mjcore.load_rules(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RuleSetError, match=r"house\.toml"):
        mjcore.load_rules(path)


@pytest.mark.parametrize("missing", ["points", "when"])
def test_a_row_without(missing):
    rules = data()
    del row_of(rules, KNOWN)[missing]
    with pytest.raises(RuleSetError, match=f"{KNOWN}.*{missing}"):
        mjcore.load_rules(rules)


def test_a_row_without_an_id():
    rules = data()
    place = next(place for place, row in enumerate(rules["fan"]) if row["id"] == "flower")
    del rules["fan"][place]["id"]
    with pytest.raises(RuleSetError, match=str(place + 1)):
        mjcore.load_rules(rules)


def test_two_rows_of_one_id():
    rules = data()
    rules["fan"].append(dict(row_of(rules, KNOWN)))
    with pytest.raises(RuleSetError, match=KNOWN):
        mjcore.load_rules(rules)


def test_two_rows_of_one_relation():
    row = {"id": "extra", "points": 1, "family": "two_chows", "when": "two_chows_same"}
    with pytest.raises(RuleSetError, match=r"extra.*two_chows_same.*pure_double_chow"):
        MCR.replace(add=[row])


@pytest.mark.parametrize(
    ("place", "value", "word"),
    [
        (("ruleset", "id"), "two words", "id"),
        (("ruleset", "version"), 1, "version"),
        (("ruleset", "forms"), ["nine_pairs"], "nine_pairs"),
        (("ruleset", "extends"), "nobody", "nobody"),
        (("ruleset", "sheep"), 1, "sheep"),
        (("score", "minimum"), "eight", "minimum"),
        (("score", "combine"), "power", "power"),
        (("score", "payment"), "later", "later"),
        (("options", "strict98"), {"default": "maybe"}, "strict98"),
        (("options", "mixed_kongs"), {"default": "seven", "allowed": ["five"]}, "seven"),
        (("options", "strict98"), {"default": False, "sheep": 1}, "sheep"),
        (("options", "n_kongs"), {"default": False}, "n_kongs"),
    ],
)
def test_errors_outside_the_rows(place, value, word):
    rules = data()
    rules[place[0]][place[1]] = value
    with pytest.raises(RuleSetError, match=word):
        mjcore.load_rules(rules)


def test_unknown_tables_and_wrong_types():
    with pytest.raises(RuleSetError, match="fans"):
        mjcore.load_rules({**data(), "fans": []})
    with pytest.raises(RuleSetError):
        mjcore.load_rules({})
    with pytest.raises(RuleSetError, match="fan"):
        mjcore.load_rules({**data(), "fan": []})
    with pytest.raises(RuleSetError):
        mjcore.load_rules({**data(), "fan": [5]})
    with pytest.raises(TypeError):
        mjcore.load_rules(5)
    with pytest.raises(OSError, match="nowhere"):
        mjcore.load_rules("nowhere.toml")


def test_a_condition_too_long_or_too_deep():
    with pytest.raises(RuleSetError, match="extra"):
        MCR.replace(add=[{"id": "extra", "points": 1, "when": "(" * 5000 + "true" + ")" * 5000}])
    with pytest.raises(RuleSetError, match="extra"):
        MCR.replace(add=[{"id": "extra", "points": 1, "when": "not " * 100 + "has_honor and " * 40 + "true"}])


# --- changed copies


def test_a_changed_value_changes_the_total():
    rules = MCR.replace(fans={"all_types": {"points": 8}})
    assert example("M45", rules=rules).total == example("M45").total + 2
    assert example("M45").total == 16
    assert MCR.fans[FANS.index("all_types")].points == 6


def test_a_removed_row():
    score = example("M45", rules=MCR.replace(remove=["all_types"]))
    assert "all_types" not in fans_of(score)
    assert score.total == 10
    # what it removed comes back
    assert fans_of(example("M44", rules=MCR.replace(remove=["all_honors"]))) == {
        "big_three_winds": 1,
        "all_pungs": 1,
        "outside_hand": 1,
        "dragon_pung": 1,
        "seat_wind": 1,
    }


def test_what_is_absorbed_comes_back():
    rules = MCR.replace(fans={"lower_four": {"absorbs": []}, "all_simples": {"absorbs": []}})
    assert fans_of(example("M12", rules=rules)) == {**fans_of(example("M12")), "no_honors": 1}


def test_a_fan_of_known_facts():
    row = {
        "id": "two_kongs",
        "zh": "双杠",
        "en": "Two Kongs",
        "points": 7,
        "when": "n_kongs == 2",
        "absorbs": ["mixed_kongs", "two_concealed_pungs"],
    }
    score = example("M38", rules=MCR.replace(add=[{**row, "before": "mixed_kongs"}]))
    assert fans_of(score)["two_kongs"] == 1
    assert not {"mixed_kongs", "two_concealed_pungs"} & fans_of(score).keys()
    assert score.total == 23 + 7 - 5 - 2
    assert "Two Kongs" in score.table()
    assert "双杠" in score.table(lang="zh")
    assert score.explain("two_kongs")
    assert {gone.by for gone in score.excluded if gone.id == "mixed_kongs"} == {"two_kongs"}


def test_a_fan_with_a_count():
    row = {"id": "each_pung", "points": 2, "when": "n_pungs >= 1", "count": "n_pungs"}
    score = example("M38", rules=MCR.replace(add=[row]))
    assert fans_of(score)["each_pung"] == 4
    assert score.total == 23 + 8
    assert fans_of(score_of(EXAMPLES[8], rules=MCR.replace(add=[row]))) == EXAMPLES[8]["fans"]


def test_a_fan_of_an_option():
    rules = data()
    rules["options"]["house"] = {"default": False}
    rules["fan"].append({"id": "extra", "points": 3, "when": "has_honor", "if_option": "house"})
    off = mjcore.load_rules(rules)
    on = off.replace(options={"house": True})
    assert len(on.fans) == len(off.fans) + 1
    assert example("M45", rules=off).total == 16
    assert example("M45", rules=on).total == 19


def test_account_once_takes_the_best_pairing_after_what_it_absorbs():
    """The fourth chow may join as the same chow, or as the same chow of another suit: whichever leaves more."""
    hand, win = "2233488m234s234p", "4m"
    plain = {"mixed_triple_chow": 1, "concealed_hand": 1, "all_chows": 1, "all_simples": 1}
    assert fans_of(mjcore.score(hand, win_tile=win)) == {**plain, "pure_double_chow": 1}
    rules = MCR.replace(fans={"pure_double_chow": {"points": 2, "absorbs": ["all_simples"]}})
    score = mjcore.score(hand, win_tile=win, rules=rules)
    assert (score.total, fans_of(score)) == (15, {**plain, "mixed_double_chow": 1})


def test_a_fan_of_which_nothing_is_left_absorbs_nothing():
    """Nine gates take the only terminal pung away, so that takes nothing."""
    rules = MCR.replace(fans={"pung_of_terminals_or_honors": {"absorbs": ["short_straight"]}})
    score = mjcore.score("1112345678999m", win_tile="4m", rules=rules)
    assert fans_of(score) == {"nine_gates": 1, "short_straight": 1}


def test_a_house_file_holds_only_what_differs(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(
        """
        [ruleset]
        id = "house"
        version = "1"
        extends = "mcr"
        remove = ["flower"]

        [score]
        minimum = 6

        [options.strict98]
        default = true

        [[fan]]
        id = "all_types"
        points = 8

        [[fan]]
        id = "white_eyes"
        zh = "白将"
        en = "White Eyes"
        points = 3
        when = "eyes_dragon and not eyes_green"
        """,
        encoding="utf-8",
    )
    house = mjcore.load_rules(path)
    assert (house.minimum, house.options["strict98"], len(house.fans)) == (6, True, len(MCR.fans))
    assert example("M45", rules=house).total == 18
    assert example("M37", rules=house).total == 3
    assert "flower" not in {row.id for row in house.fans}
    assert house == mjcore.load_rules(house.to_dict())


WINDS = ("12378m88s [EEE] [NNN]", {"win_tile": "9m", "seat_wind": "S"})
CHOWS = ("123m456m789p5s [234s]", {"win_tile": "5s"})
GREEN_PAIRS = ("2233s4466s8888sF", {"win_tile": "F"})
HOUSE_RULES = [
    # hand, total by the book, total by the rules of the house, why
    (*WINDS, 5, 9, "a new fan of a known fact: 4 points for two pungs of winds"),
    (*CHOWS, 4, 5, "other points: 3 for all chows"),
    (*GREEN_PAIRS, 114, 32, "an option: no fan of tile classes for seven pairs"),
]


@pytest.mark.parametrize(("hand", "won", "by_the_book", "here", "why"), HOUSE_RULES, ids=lambda value: str(value)[:30])
def test_three_lines_of_house_rules(tmp_path, capsys, hand, won, by_the_book, here, why):
    """What README tells a newcomer: each line does what it says, as a file, a dict, a copy and on the command line."""
    (lines,) = blocks("toml")
    assert len(lines.splitlines()) == 3
    path = tmp_path / "house.toml"
    path.write_text(lines, encoding="utf-8")
    copied = MCR.replace(
        options={"strict98": True},
        fans={"all_chows": {"points": 3}},
        add=[{"id": "two_winds", "points": 4, "when": "n_wind_pungs == 2"}],
    )
    assert mjcore.score(hand, **won).total == by_the_book, why
    for rules in (mjcore.load_rules(path), mjcore.load_rules(tomllib.loads(lines)), copied):
        assert mjcore.score(hand, rules=rules, **won).total == here, why
    winds = ["--seat-wind", won["seat_wind"]] if "seat_wind" in won else []
    assert main(["score", f"{hand} + {won['win_tile']}", "--rules", str(path), *winds]) == 0
    assert f": {here} points" in capsys.readouterr().out


def test_changes_that_are_none():
    for change in (
        {"options": {"no_such_option": True}},
        {"fans": {"no_such_fan": {"points": 1}}},
        {"remove": ["no_such_fan"]},
        {"add": [{"id": KNOWN, "points": 1, "when": "true"}]},
        {"add": [{"id": "extra", "points": 1, "when": "true", "before": "no_such_fan"}]},
    ):
        with pytest.raises(RuleSetError, match=f"no_such|{KNOWN}"):
            MCR.replace(**change)
    with pytest.raises(TypeError):
        MCR.replace(colour="red")
    with pytest.raises(RuleSetError):
        MCR.replace(minimum=-1)
    assert MCR.replace() == MCR


def test_a_dict_that_changes_later_changes_nothing():
    rules = data()
    loaded = mjcore.load_rules(rules)
    row_of(rules, "all_types")["points"] = 100
    rules["options"].clear()
    assert loaded == MCR
    told = MCR.to_dict()
    told["fan"].clear()
    assert len(MCR.to_dict()["fan"]) > 80


# --- what a rule file may not say silently


def changed_row(fan=KNOWN, **changes):
    """The three ways to a row that is wrong, each as a call."""
    return [
        lambda: mjcore.load_rules(with_row(fan, **changes)),
        lambda: MCR.replace(fans={fan: changes}),
        lambda: MCR.replace(add=[{"id": "extra", "points": 1, "when": "true", **changes}]),
    ]


def house(**tables):
    return {"ruleset": {"id": "house", "version": "1", "extends": "mcr"}, **tables}


class Stateful:
    """Pickles as a rule set with a state beside its data."""

    def __init__(self, state):
        self.state = state

    def __reduce__(self):
        return (*MCR.__reduce__(), self.state)


@pytest.mark.parametrize("state", [{"_program": None}, (None, {"_program": None}), {"sheep": 1}], ids=str)
def test_a_rule_set_takes_no_state(state):
    with pytest.raises(TypeError, match="RuleSet"):
        pickle.loads(pickle.dumps(Stateful(state)))


def test_a_rule_set_does_not_change():
    rules = MCR.replace()
    for name in ("minimum", "digest", "_program", "sheep"):
        with pytest.raises(AttributeError):
            setattr(rules, name, None)
        with pytest.raises(AttributeError):
            delattr(rules, name)
    assert not hasattr(rules, "__dict__")
    with pytest.raises(AttributeError, match="immutable"):
        rules.__init__(MCR.replace(minimum=1).to_dict(), "again")
    rules.__reduce__()[1][0]["fan"].clear()
    assert rules == MCR
    assert len(rules.to_dict()["fan"]) == len(MCR.to_dict()["fan"])


@pytest.mark.parametrize("name", ["true", "false", "and", "or", "not", "if", "None", "two words", "1st", "", "\ud800"])
def test_the_id_of_an_option(name):
    for rules in ({**data(), "options": {name: {"default": True}}}, house(options={name: {"default": True}})):
        with pytest.raises(RuleSetError, match="rules, option"):
            mjcore.load_rules(rules)


@pytest.mark.parametrize(
    "changes",
    [
        {"when": "context_policy == 'nope'"},
        {"when": "has_honor and not 'nope' != context_policy"},
        {"if_option": "context_policy == 'nope'"},
        {"absorbs": ["no_honors if context_policy == 'nope'"]},
        {"points_if": [{"when": "context_policy == 'nope'", "points": 1}]},
    ],
    ids=str,
)
def test_a_value_that_an_option_never_has(changes):
    for make in changed_row(**changes):
        with pytest.raises(RuleSetError, match=r"fan \w+: .*context_policy.*strict, normalise.*nope"):
            make()
    MCR.replace(fans={KNOWN: {"when": "has_honor and context_policy == 'normalise'"}})


@pytest.mark.parametrize(
    ("entry", "word"),
    [
        ("*:1", r"\*:1"),
        ("* : n_kongs", "n_kongs"),
        ("no_honors:0", "1 to 255 .*no_honors:0"),
        ("no_honors:000", "1 to 255"),
        ("no_honors:", "''"),
        ("no_honors:-1", "-1"),
        ("no_honors:1.5", "1.5"),
        ("no_honors:n_kongs:2", "n_kongs:2"),
        ("no_honors:0 if strict98", "1 to 255"),
        ("no_honors if ", "a condition"),
        ("no_honors if  # nothing", "a condition"),
        ("no_honors:256", "255"),
        ("no_honors:" + "9" * 5000, "255"),
        ("no_honors:\u0661", "255"),
        ("no_honors:" + "+".join(["n_flowers"] * 32), "256"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_amounts_of_absorbs(entry, word):
    for make in changed_row(absorbs=[entry]):
        with pytest.raises(RuleSetError, match=rf"fan \w+: .*{word}"):
            make()
    MCR.replace(fans={KNOWN: {"absorbs": ["no_honors:255"]}})


@pytest.mark.parametrize("entry", ["{}", "{}:1", "{} if strict98"])
def test_no_fan_absorbs_itself(entry):
    with pytest.raises(RuleSetError, match=f"fan {KNOWN}: .*itself"):
        MCR.replace(fans={KNOWN: {"absorbs": [entry.format(KNOWN)]}})
    with pytest.raises(RuleSetError, match=r"fan extra: .*itself"):
        MCR.replace(add=[{"id": "extra", "points": 1, "when": "true", "absorbs": [entry.format("extra")]}])


@pytest.mark.parametrize("fan", [KNOWN, "extra"])
def test_two_rows_of_one_id_in_a_file_that_extends(fan):
    rows = [{"id": fan, "points": points, "when": "true"} for points in (1, 2)]
    with pytest.raises(RuleSetError, match=f"rules, fan {fan}: .*twice.*row 2"):
        mjcore.load_rules(house(fan=rows))
    with pytest.raises(RuleSetError, match=f"{fan}"):
        MCR.replace(add=rows)


def test_the_id_of_a_row_does_not_change():
    for other in ("other", 5, None):
        with pytest.raises(RuleSetError, match=r"fan 'all_pungs': .*id"):
            MCR.replace(fans={"all_pungs": {"id": other}})
    row = row_of(MCR.to_dict(), "all_pungs")
    assert MCR.replace(fans={"all_pungs": row}) == MCR


def test_too_many_rows():
    n = 129 - len(MCR.fans) - 1
    rows = [{"id": f"extra_{place}", "points": 1, "when": "has_honor"} for place in range(n)]
    with pytest.raises(RuleSetError, match=r"fan: .*at most 128 .*128 and 1, 129 together"):
        MCR.replace(add=rows)
    assert len(MCR.replace(add=rows[1:]).fans) == 127


def test_too_many_amounts_and_counts():
    """What there is room for is asked while reading, by row."""
    ids = [row.id for row in MCR.fans]
    n = sum(":" in entry for row in MCR.fans for entry in row.absorbs)
    row = {"id": "extra", "points": 1, "when": "has_honor"}
    MCR.replace(add=[{**row, "absorbs": [f"{fan}:1" for fan in ids[: 64 - n]]}])
    with pytest.raises(RuleSetError, match=r"changed, fan extra: .*64 amounts.* 65"):
        MCR.replace(add=[{**row, "absorbs": [f"{fan}:1" for fan in ids[: 65 - n]]}])
    rows = [{**row, "id": f"extra_{place}", "count": "+".join(["has_honor"] * 100)} for place in range(3)]
    with pytest.raises(RuleSetError, match=r"changed, fan extra_2: .*256 facts"):
        MCR.replace(add=rows)
    several = "+".join(["has_honor"] * 100)
    with pytest.raises(RuleSetError, match=r"changed, fan extra: .*256 facts"):
        MCR.replace(add=[{**row, "absorbs": [f"{fan}:{several}" for fan in ids[:3]]}])


def test_a_count_fits_a_byte():
    for make in changed_row(count="+".join(["n_flowers"] * 32)):
        with pytest.raises(RuleSetError, match=r"fan \w+: .*at most 255.* 256"):
            make()
    count = "+".join(["n_flowers"] * 31 + ["n_kongs"])
    MCR.replace(add=[{"id": "extra", "points": 1, "when": "true", "count": count}])


def test_a_number_of_too_many_digits_in_a_file(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(f"[score]\nminimum = {'9' * 5000}\n", encoding="utf-8")
    with pytest.raises(RuleSetError, match=r"house\.toml"):
        mjcore.load_rules(path)


@pytest.mark.parametrize("row", [{"points": 1}, {"id": 5}, {"id": "two words"}, 5], ids=str)
def test_a_row_is_told_by_its_place_in_its_own_file(row):
    first = {"id": KNOWN, "points": 3}
    with pytest.raises(RuleSetError, match=r"rules, fan row 2: "):
        mjcore.load_rules(house(fan=[first, row]))
    if isinstance(row, dict):
        added = {"id": "extra", "points": 1, "when": "true"}
        with pytest.raises(RuleSetError, match=r"changed, add, fan row 2: "):
            MCR.replace(add=[added, row])


@pytest.mark.parametrize("text", ["a\x1b[31m", "a\x00", "a\ud800", "a\x9b", "a\u2028b", 5, ["a"], None], ids=ascii)
@pytest.mark.parametrize(
    ("table", "name"),
    [("fan", "zh"), ("fan", "en"), ("require", "reason"), ("options", "about"), ("ruleset", "version")],
)
def test_texts(table, name, text):
    rules = data()
    row = {
        "fan": rules["fan"][0],
        "require": rules["require"][0],
        "options": rules["options"]["strict98"],
        "ruleset": rules["ruleset"],
    }[table]
    row[name] = text
    with pytest.raises(RuleSetError, match=f"rules, .*{name}") as caught:
        mjcore.load_rules(rules)
    str(caught.value).encode()
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["has_honor # and self_drawn", "has_honor #", "has_honor and (true) #)", "#"])
def test_a_comment_in_a_condition(text):
    """It would hide what stands after it."""
    for changes in ({"when": text}, {"points_if": [{"when": text.replace("has_honor", "strict98"), "points": 1}]}):
        for make in changed_row(**changes):
            with pytest.raises(RuleSetError, match=r"fan \w+: expected a condition.*#"):
                make()
    option = {"default": "#1", "allowed": ["#1", "#2"]}
    extra = {"id": "extra", "points": 1, "when": 'has_honor and seat == "#1"'}
    rules = mjcore.load_rules(house(options={"seat": option}, fan=[extra]))
    assert fans_of(example("M45", rules=rules))["extra"] == 1


REQUIREMENT = {"when": "n_melds <= 4", "reason": "fine"}


@pytest.mark.parametrize(
    "row",
    [5, {"when": "no_such_fact", "reason": "x"}, {"when": "has_honor"}, {**REQUIREMENT, "colour": "red"}],
    ids=str,
)
def test_a_requirement_is_told_by_its_place_in_its_own_file(row):
    for rules in (house(require=[REQUIREMENT, row]), {**data(), "require": [REQUIREMENT, row]}):
        with pytest.raises(RuleSetError, match=r"^rules, require row 2: "):
            mjcore.load_rules(rules)


def test_a_requirement_of_the_rules_that_are_extended():
    option = {"default": "x", "allowed": ["x"]}
    with pytest.raises(RuleSetError, match=r"^rules, require row 1 of mcr: .*rob_concealed_for_orphans"):
        mjcore.load_rules(house(options={"rob_concealed_for_orphans": option}, require=[REQUIREMENT]))
    rules = mjcore.load_rules(house(require=[REQUIREMENT]))
    assert len(rules.requirements) == 2
    for same in (rules, rules.replace(), pickle.loads(pickle.dumps(rules))):
        assert same._inherited == ("mcr", 1)


def test_the_requirements_that_are_not_met_are_told():
    """Each that no reading meets; all where each is met by another reading."""
    hand = {"hand": "22233344m44s [EEEE*]", "win_tile": "4m"}
    chow, suit, pungs, chows = (
        {"when": "n_chows >= 1", "reason": "a chow"},
        {"when": "n_suits <= 1", "reason": "one suit"},
        {"when": "n_pungs >= 4", "reason": "pungs"},
        {"when": "n_chows >= 3", "reason": "chows"},
    )

    def told(*rows):
        with pytest.raises(mjcore.NotAWinError) as caught:
            mjcore.score(hand["hand"], win_tile=hand["win_tile"], rules=mjcore.load_rules(house(require=list(rows))))
        return str(caught.value).split(", got")[0]

    assert told(chow, suit) == "one suit"
    assert told(suit, {"when": "self_drawn", "reason": "drawn"}, chow) == "one suit or drawn"
    # 222m 333m 444m beside 234m three times
    assert told(pungs, chows).endswith("the option rob_concealed_for_orphans or pungs or chows")


def test_rows_in_a_tuple():
    rules = mjcore.load_rules({**house(), "fan": ({"id": "flower", "points": 2},)})
    assert rules == mjcore.load_rules(house(fan=[{"id": "flower", "points": 2}]))


def test_a_fan_that_is_removed_twice():
    with pytest.raises(RuleSetError, match="expected each fan to remove once, got 'flower' again"):
        MCR.replace(remove=["flower", "all_types", "flower"])


def test_rules_that_come_with_it_are_told_by_name():
    with pytest.raises(RuleSetError, match=r"^mcr, changed, option strict98: expected a value of true, false, got 7"):
        MCR.replace(options={"strict98": 7})


def test_changes_of_other_rows_in_rules_that_extend_none():
    rules = data()
    rules["ruleset"]["remove"] = ["flower"]
    with pytest.raises(RuleSetError, match=r"^rules, ruleset: remove is for rules that extend others"):
        mjcore.load_rules(rules)
    for before in ("flower", None):
        with pytest.raises(RuleSetError, match=rf"^rules, fan {KNOWN}: before is for rules that extend others"):
            mjcore.load_rules(with_row(KNOWN, before=before))
    with pytest.raises(RuleSetError, match=r"ruleset: .*got 'extends'"):
        type(MCR)(house(fan=[]), "mine")


def test_texts_of_conditions_and_allowed_values():
    for text in ("has_honor # \x1b[31m", "has_honor # \ud800", "mixed_kongs == '\x07'"):
        for make in changed_row(when=text):
            with pytest.raises(RuleSetError, match=r"fan \w+: "):
                make()
    for allowed in (["a", "a\x1b"], ["a", 5], ["a", True], ["a", None]):
        with pytest.raises(RuleSetError, match=r"option extra: .*allowed"):
            mjcore.load_rules(house(options={"extra": {"default": "a", "allowed": allowed}}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("options", value) for value in (5, 0, [], "", False, np.zeros(2), np.array([]))),
        *(("fans", value) for value in ("x", 5, 0, [], False, {"all_pungs": 5}, {"all_pungs": None}, np.zeros(2))),
        *(("add", value) for value in (None, 5, [5], "x", b"x", {"id": "extra"}, np.zeros(2), np.array(5))),
        *(("remove", value) for value in (None, 5, [5], "flower", b"flower", {"flower": 1}, np.zeros((2, 2)))),
    ],
    ids=str,
)
def test_wrong_types_of_changes(name, value):
    with pytest.raises(TypeError, match=rf"expected a (mapping|list) of .* for {name}.*, got \w+"):
        MCR.replace(**{name: value})


@pytest.mark.parametrize(
    "change",
    [
        {"options": {"strict98": np.array([True, False])}},
        {"fans": {KNOWN: {"points": np.array([1, 2])}}},
        {"fans": {KNOWN: {"absorbs": np.array(["no_honors"])}}},
        {"fans": {KNOWN: {"id": np.array([1, 2])}}},
        {"add": [{"id": np.array([1, 2])}]},
        {"add": [{"id": "extra", "points": 1, "when": "true", "before": np.array([1, 2])}]},
        {"minimum": np.array([1, 2])},
    ],
    ids=str,
)
def test_arrays_in_changes(change):
    with pytest.raises(RuleSetError):
        MCR.replace(**change)


def test_mappings_that_are_no_dicts():
    def proxies(value):
        if isinstance(value, dict):
            return MappingProxyType({name: proxies(one) for name, one in value.items()})
        return [proxies(one) for one in value] if isinstance(value, list) else value

    assert mjcore.load_rules(proxies(data())) == MCR
    assert mjcore.load_rules(proxies(house(fan=[{"id": KNOWN, "points": 3}]))).fan(KNOWN).points == 3
    assert MCR.replace(fans=proxies({KNOWN: {"points": 3}}), add=iter(())).fan(KNOWN).points == 3
    deep = data()
    deep["ruleset"]["self"] = deep
    with pytest.raises(RuleSetError, match="deep"):
        mjcore.load_rules(deep)


def test_a_rule_set_of_nothing():
    for arguments in ((None, None), (None, "x"), (data(), None), ([], "x")):
        with pytest.raises(TypeError, match=r"expected .* for (data|source), got \w+"):
            type(MCR)(*arguments)
    mine = data()
    rules = type(MCR)(mine, "mine")
    mine["fan"].clear()
    assert rules == MCR == mjcore.load_rules(rules.to_dict())


def test_a_fan_of_an_option_that_is_off():
    for ask in (MCR.place, MCR.fan, example("M45").explain):
        with pytest.raises(KeyError, match=r"big_four_winds_green_pair .*option that is off.*local_001"):
            ask("big_four_winds_green_pair")
    assert MCR.replace(options={"local_001": True}).place("big_four_winds_green_pair") == 0
    with pytest.raises(KeyError, match="did you mean chicken_hand"):
        MCR.place("chicken_hands")


# --- mutations: one row at a time

MUTATION_SEED = 20261201
N_MUTATION_HANDS = 12_000
HANDS_OF_A_FAN = 250

# Fans whose list of what they remove says again what the conditions or account-once say already: without it no
# answer changes.  The row test above keeps these lists as they are in the specification.
REMOVES_NOTHING_MORE = {
    "four_pure_shifted_chows",
    "three_kongs",
    "pure_triple_chow",
    "pure_shifted_pungs",
    "pure_straight",
    "triple_pung",
    "three_concealed_pungs",
    "half_flush",
    "two_concealed_kongs",
    "mixed_kongs",
    "two_melded_kongs",
}


@pytest.fixture(scope="module")
def hands_of_fans():
    """For each fan the hands that count it: text, winning tile, context, answer."""
    found = defaultdict(list)
    for case in EXAMPLES:
        entry = (case["hand"], case["win"], case["context"], (case["total"], case["fans"]))
        for fan in case["fans"]:
            found[fan].append(entry)
    for win in winning_hands(MUTATION_SEED, N_MUTATION_HANDS):
        hand, context = hand_text(win, with_win=False), context_of(win)
        score = mjcore.score(hand, win_tile=win.win, **context)
        entry = (hand, win.win, context, (score.total, fans_of(score)))
        for fan in entry[3][1]:
            if len(found[fan]) < HANDS_OF_A_FAN:
                found[fan].append(entry)
    return found


def breaks(rules, entries):
    """Whether any of the answers changes."""
    for hand, win, context, want in entries:
        score = mjcore.score(hand, win_tile=win, rules=rules, **context)
        if (score.total, fans_of(score)) != want:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("fan", FANS)
def test_any_change_of_a_row_changes_an_answer(hands_of_fans, fan):
    entries = hands_of_fans[fan]
    assert len(entries) >= 20
    assert not breaks(MCR.replace(fans={fan: {"zh": "x"}}), entries)
    assert breaks(MCR.replace(fans={fan: {"points": POINTS[fan] + 1}}), entries)
    assert breaks(MCR.replace(remove=[fan]), entries)
    if IMPLIED[fan]:
        assert breaks(MCR.replace(fans={fan: {"absorbs": []}}), entries) is (fan not in REMOVES_NOTHING_MORE)


def test_an_option_that_has_its_value_already_changes_nothing():
    same = MCR.replace(options=dict(MCR.options))
    assert same == MCR
    assert same.digest == MCR.digest
    there_and_back = MCR.replace(options={"strict98": True}).replace(options={"strict98": False})
    assert there_and_back == MCR
    assert MCR.replace(options={"strict98": True}) != MCR


def test_a_fan_is_changed_or_removed():
    with pytest.raises(RuleSetError, match="expected a change or to remove it, got both"):
        MCR.replace(remove=["all_chows"], fans={"all_chows": {"points": 3}})


def test_extends_is_among_the_keys_that_are_told():
    with pytest.raises(RuleSetError, match=r"expected keys of en, extends, forms, .*, got 'versoin'"):
        mjcore.load_rules({"ruleset": {"id": "h", "extends": "mcr", "versoin": "1"}})
