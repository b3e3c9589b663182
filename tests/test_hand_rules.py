"""HandRules: a frozen value; wrong options are errors."""

import copy
import itertools
import pickle

import pytest

import mjcore
from mjcore import HandRules
from mjcore.hand_rules import DEFAULT_FORMS, FORMS, WAIT_MODES

OPTIONS = {
    "forms": [("standard",), ("standard", "thirteen_orphans"), ("seven_pairs",)],
    "seven_pairs_quads": [True],
    "joker_fifth_copy": [False],
    "joker_special_forms": [False],
    "joker_kind": [0, 33, "C"],
    "eyes": ["258m258s258p", "C", [0, "E"]],
    "wait_mode": ["shape", "live"],
}
PRESETS = ("default", "riichi", "hk", "tuidaohu", "wuhan")


def all_rules():
    singles = [{name: value} for name, values in OPTIONS.items() for value in values]
    pairs = [a | b for a, b in itertools.combinations(singles, 2) if not a.keys() & b.keys()]
    return [HandRules(**changes) for changes in [{}, *singles, *pairs]]


def test_defaults():
    rules = HandRules()
    assert rules.forms == DEFAULT_FORMS == FORMS[:3] == ("standard", "seven_pairs", "thirteen_orphans")
    assert (rules.seven_pairs_quads, rules.joker_fifth_copy, rules.joker_special_forms) == (False, True, True)
    assert (rules.joker_kind, rules.eyes, rules.wait_mode) == (None, set(range(34)), "possible")
    assert repr(rules) == "HandRules()"


def test_every_option_is_kept():
    for name, values in OPTIONS.items():
        for value in values:
            got = getattr(HandRules(**{name: value}), name)
            if name == "eyes":
                value = mjcore.KindSet(value)
            elif name == "joker_kind":
                value = mjcore.kind_of(value)
            assert got == value
            changed = HandRules(**{name: value})
            for other in OPTIONS:
                if other != name:
                    assert getattr(changed, other) == getattr(HandRules(), other)


def test_different_options_are_different_rules():
    rules = all_rules()
    assert len(set(rules)) == len(rules) > 60
    for i, one in enumerate(rules):
        assert [one == other for other in rules] == [i == j for j in range(len(rules))]
        assert [one != other for other in rules] == [i != j for j in range(len(rules))]


def test_repr_pickle_copy_and_replace():
    for rules in all_rules():
        assert eval(repr(rules), {"HandRules": HandRules}) == rules
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            back = pickle.loads(pickle.dumps(rules, protocol))
            assert back == rules
            assert hash(back) == hash(rules)
        assert copy.copy(rules) == copy.deepcopy(rules) == rules == rules.replace()
        assert rules.replace(wait_mode="live").wait_mode == "live"
        assert rules.replace(wait_mode="live").replace(wait_mode=rules.wait_mode) == rules
        assert rules.replace(**{name: getattr(HandRules(), name) for name in OPTIONS}) == HandRules()


def test_order_and_repetition_of_forms_mean_nothing():
    assert HandRules(forms=reversed(DEFAULT_FORMS)) == HandRules(forms=(*DEFAULT_FORMS, *DEFAULT_FORMS)) == HandRules()
    assert HandRules(forms="standard") == HandRules(forms=["standard"])
    assert HandRules(eyes=range(34)) == HandRules(eyes=None) == HandRules()
    assert HandRules(joker_kind="5m") == HandRules(joker_kind=4)


def test_presets():
    standard = ("standard",)
    assert HandRules.preset("default") == HandRules.preset("riichi") == HandRules()
    assert HandRules.preset("hk") == HandRules(forms=("standard", "thirteen_orphans"), seven_pairs_quads=True)
    assert HandRules.preset("tuidaohu") == HandRules(seven_pairs_quads=True)
    assert HandRules.preset("wuhan") == HandRules(forms=standard)
    assert HandRules.preset("wuhan", joker_kind="5m") == HandRules(forms=standard, joker_kind="5m")
    assert HandRules.preset("hk", forms=DEFAULT_FORMS) == HandRules(seven_pairs_quads=True)
    for name in PRESETS:
        assert mjcore.is_hu("123m EE", rules=name) is True


def test_what_presets_say_of_seven_pairs():
    quads, pairs = "11223355779999s", "1122335577s1199m"
    assert [mjcore.is_hu(quads, rules=name) for name in PRESETS] == [False, False, False, True, False]
    assert [mjcore.is_hu(pairs, rules=name) for name in PRESETS] == [True, True, False, True, False]
    orphans = "19m19p19sESWNCFPP"
    assert [mjcore.is_hu(orphans, rules=name) for name in PRESETS] == [True, True, True, True, False]


@pytest.mark.parametrize("name", ["", "Riichi", "mcr2", None, 1, [], {}, b"hk"])
def test_unknown_preset(name):
    with pytest.raises(ValueError, match="rule set"):
        HandRules.preset(name)


@pytest.mark.parametrize("name", ["nothing", "Riichi", ""])
def test_unknown_name_for_rules(name):
    for function in (mjcore.is_hu, mjcore.ting, mjcore.decompose, mjcore.live_waits):
        with pytest.raises(ValueError, match="rule set"):
            function("11m", rules=name)


@pytest.mark.parametrize("rules", [1, True, 1.5, [], {}, b"hk", object(), HandRules])
def test_rules_of_wrong_type(rules):
    for function in (mjcore.is_hu, mjcore.ting, mjcore.decompose, mjcore.live_waits):
        with pytest.raises(TypeError, match="HandRules"):
            function("11m", rules=rules)
    with pytest.raises(TypeError, match="HandRules"):
        mjcore.ting_many(["1m"], rules=rules)


def test_an_object_may_carry_hand_rules():
    class Rules:
        hand_rules = HandRules(seven_pairs_quads=True)

    assert mjcore.is_hu("11223355779999s", rules=Rules()) is True


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"forms": ()}, ValueError, "at least one form"),
        ({"forms": ("pairs",)}, ValueError, "forms of"),
        ({"forms": ("standard", None)}, ValueError, "forms of"),
        ({"forms": ("standard", ["seven_pairs"])}, ValueError, "forms of"),
        ({"forms": "seven"}, ValueError, "forms of"),
        ({"forms": ""}, ValueError, "forms of"),
        ({"forms": b"standard"}, ValueError, "forms of"),
        ({"forms": None}, TypeError, None),
        ({"forms": 1}, TypeError, None),
        ({"seven_pairs_quads": 1}, TypeError, "seven_pairs_quads"),
        ({"seven_pairs_quads": None}, TypeError, "seven_pairs_quads"),
        ({"joker_fifth_copy": 0}, TypeError, "joker_fifth_copy"),
        ({"joker_fifth_copy": "no"}, TypeError, "joker_fifth_copy"),
        ({"joker_special_forms": []}, TypeError, "joker_special_forms"),
        ({"joker_kind": 34}, mjcore.InvalidHandError, "0 to 33"),
        ({"joker_kind": -1}, mjcore.InvalidHandError, "0 to 33"),
        ({"joker_kind": True}, mjcore.InvalidHandError, "0 to 33"),
        ({"joker_kind": 1.0}, mjcore.InvalidHandError, "0 to 33"),
        ({"joker_kind": "55m"}, mjcore.InvalidHandError, "one tile"),
        ({"joker_kind": ""}, mjcore.InvalidHandError, "one tile"),
        ({"eyes": ""}, ValueError, "eyes"),
        ({"eyes": []}, ValueError, "eyes"),
        ({"eyes": [34]}, mjcore.InvalidHandError, "0 to 33"),
        ({"eyes": "[111m]"}, mjcore.InvalidHandError, "meld"),
        ({"eyes": "258"}, mjcore.InvalidHandError, "suit"),
        ({"eyes": 5}, TypeError, None),
        ({"eyes": True}, TypeError, None),
        ({"wait_mode": "Shape"}, ValueError, "wait_mode"),
        ({"wait_mode": None}, ValueError, "wait_mode"),
        ({"wait_mode": 1}, ValueError, "wait_mode"),
        ({"wait_mode": []}, ValueError, "wait_mode"),
        ({"unknown": 1}, TypeError, "unknown"),
    ],
)
def test_wrong_options(changes, error, words):
    for make in (HandRules, HandRules().replace, lambda **changes: HandRules.preset("hk", **changes)):
        with pytest.raises(error, match=words):
            make(**changes)


def test_options_are_named():
    with pytest.raises(TypeError):
        HandRules(("standard",))


def test_is_immutable_and_equal_to_rules_only():
    rules = HandRules(eyes="C")
    before = repr(rules)
    for name in (*OPTIONS, "new_name"):
        with pytest.raises(AttributeError):
            setattr(rules, name, None)
        with pytest.raises(AttributeError):
            delattr(rules, name)
    for options in ({}, {"eyes": "E"}):
        try:
            rules.__init__(**options)
        except TypeError:
            continue
    assert repr(rules) == before == "HandRules(eyes='C')"
    assert rules != "HandRules(eyes='C')"
    assert (rules == None) is False  # noqa: E711
    with pytest.raises(TypeError):
        _ = rules < HandRules()
    with pytest.raises(TypeError):
        type("Sub", (HandRules,), {})


def test_wait_modes_are_the_three_of_the_design():
    assert WAIT_MODES == ("possible", "shape", "live")
