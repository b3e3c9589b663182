"""Rule files of any bytes and dicts of any values: rules, or an error that says where; never anything else."""

import copy
import os
import random
import re
import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjcore
from mjcore import RuleSetError
from mjcore.rule_data import VALUES_MAX

SEED = 20261202
MCR_FILE = Path(mjcore.__file__).parent / "rules" / "mcr.toml"
TEXT = MCR_FILE.read_text(encoding="utf-8")
MCR = mjcore.rule_set("mcr").to_dict()
HOUSE = {
    "ruleset": {"id": "house", "version": "1", "extends": "mcr", "remove": ["flower"]},
    "score": {"minimum": 6},
    "options": {"strict98": {"default": True}, "seats": {"default": "a", "allowed": ["a", "b"], "about": "who"}},
    "require": [{"when": "n_melds <= 4", "reason": "no more melds"}],
    "fan": [
        {"id": "all_types", "points": 8},
        {
            "id": "extra",
            "zh": "番",
            "en": "Extra",
            "points": 3,
            "points_if": [{"when": "strict98", "points": 4}],
            "if_option": 'seats == "a"',
            "when": "n_pungs >= 2 and not self_drawn",
            "count": "n_pungs",
            "absorbs": ["no_honors", "tile_hog:1", "double_pung:n_kongs if strict98"],
            "shows": "pungs",
            "before": "chicken_hand",
        },
    ],
}
PLACE = re.compile(
    r", (fan \w+(, points_if( row \d+)?)?|fan \S+|fan row \d+|require row \d+( of mcr)?|option .+"
    r"|ruleset|score|options|require|fan): "
    r"|: expected (ruleset, score, options, require and fan|tables and lists at most|at most \d+ values), ?"
)
"""Where an error is: a row or a table, but for what is wrong with all of it."""


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no repr")


HOSTILE = [
    *(None, True, False, 0, -1, 1.0, float("nan"), float("inf"), 2**64, 10**5000, -(10**5000), b"id", b"", object()),
    *("", " ", "\n", "\x00", "\ud800", "#", "id", "flower", "x" * 10**6, "true", "not " * 100 + "true", "(" * 400),
    *(
        "n_kongs == " + "9" * 450,
        "a.b",
        "*",
        ":",
        "no_honors:0",
        "no_honors if",
        "()",
        "[]",
        "lambda: 0",
        "1 if 2 else 3",
    ),
    *("n_kongs == 1_0", "n_kongs == 0x1", "1and has_honor", "'\\d' == context_policy", "has_honor\\", "f'{has_honor}'"),
    *(
        [],
        {},
        [[]],
        [{}],
        {"": {}},
        {5: 6},
        (),
        ("a",),
        {"a"},
        [5],
        [None],
        ["\x00"],
        {"id": None},
        np.zeros(3),
        np.int64(1),
    ),
    *(np.str_("flower"), range(3), Unprintable(), type, print, ["no_honors"] * 10**4),
]


def refused_or_read(source):
    """The error of rules that are none; it can be printed."""
    try:
        mjcore.load_rules(source)
    except RuleSetError as error:
        str(error).encode()
        return str(error)
    return None


def places_of(value, path=()):
    """Every place in tables and lists."""
    if path:
        yield path
    if isinstance(value, (dict, list)):
        for name, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_of(one, (*path, name))


def changed(rules, path, value):
    """A copy with another value in a place."""
    rules = copy.deepcopy(rules)
    inner = rules
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return rules


def where(rules, path):
    """What an error must say of the place, if it is one of a row that can be named."""
    if path[0] == "fan" and len(path) > 2 and path[2] != "id":
        return rf"fan '?{rules['fan'][path[1]]['id']}\b"
    if path[0] == "fan" and len(path) == 2:
        return rf"fan row {path[1] + 1}: |fan row {path[1] + 1}\b"
    if path[0] == "require" and len(path) > 1:
        return rf"require row {path[1] + 1}: "
    if path[0] == "options" and len(path) > 1:
        return rf"option {path[1]}: |, (fan|require row) .*{path[1]}"
    return ""


@pytest.mark.parametrize("place", list(places_of(HOUSE)), ids=lambda place: ".".join(map(str, place)))
def test_any_value_in_any_place(place):
    for value in HOSTILE:
        problem = refused_or_read(changed(HOUSE, place, value))
        if problem is not None:
            assert problem.startswith("rules"), (value, problem)
            assert PLACE.search(problem), (place, problem)
            assert re.search(where(HOUSE, place), problem), (place, problem)


@pytest.mark.slow
def test_any_value_in_any_place_of_whole_rules():
    rng = random.Random(SEED)
    places = list(places_of(MCR))
    n_refused = 0
    for _ in range(600):
        place = rng.choice(places)
        problem = refused_or_read(changed(MCR, place, rng.choice(HOSTILE)))
        if problem is not None:
            n_refused += 1
            assert PLACE.search(problem), (place, problem)
            assert re.search(where(MCR, place), problem), (place, problem)
    assert n_refused > 400


@pytest.mark.parametrize("name", [5, None, "", "\ud800", "x" * 10**5, b"when", ("a", 1), float("nan")], ids=ascii)
def test_any_key_in_any_table(name):
    for place in [(), *places_of(HOUSE)]:
        inner = HOUSE
        for step in place:
            inner = inner[step]
        if isinstance(inner, dict):
            problem = refused_or_read(changed(HOUSE, (*place, name), 1))
            assert problem is not None
            assert PLACE.search(problem) or problem.startswith("rules: "), problem


def mutated(rng, content):
    """Bytes with some bytes, lines or parts put elsewhere, cut out, doubled or changed."""
    content = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(content) + 1)
        stop = min(len(content), start + rng.choice((0, 1, 1, 2, 5, 40, 400)))
        part = bytes(content[start:stop])
        other = bytes(rng.choice(string.printable.encode()) for _ in range(rng.choice((0, 1, 1, 2, 6))))
        content[start:stop] = rng.choice((other, part * 2, b"", bytes([rng.randrange(256)]), part[::-1]))
    return bytes(content)


def test_any_bytes_in_a_file(tmp_path):
    rng = random.Random(SEED)
    path = tmp_path / "house.toml"
    whole = TEXT.encode()
    rows = whole.split(b"\n[[fan]]\n")
    n_read = 0
    for _ in range(250):
        small = b"\n[[fan]]\n".join([rows[0], *rng.sample(rows[1:], 4)])
        path.write_bytes(mutated(rng, rng.choice((small, small, whole))))
        problem = refused_or_read(path)
        n_read += problem is None
        assert problem is None or problem.startswith(str(path))
    assert n_read > 5


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_encodings_that_are_read(tmp_path, encoding, newline):
    path = tmp_path / "house.toml"
    path.write_bytes(TEXT.replace("\n", newline).encode(encoding))
    assert mjcore.load_rules(path) == mjcore.rule_set("mcr")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "gb18030", "utf-8+\xff"])
def test_encodings_that_are_not(tmp_path, encoding):
    path = tmp_path / "house.toml"
    path.write_bytes(TEXT.encode("utf-8") + b"\xff" if "+" in encoding else TEXT.encode(encoding))
    with pytest.raises(RuleSetError, match=r"house\.toml: "):
        mjcore.load_rules(path)


@pytest.mark.parametrize(
    "content",
    [
        "a = " + "[" * 10_000,
        "a = " + "[" * 500 + "]" * 500,
        "a = " + "{a = " * 300 + "1" + "}" * 300,
        "[" + ".".join("a" * 1000) + "]",
        ".".join("a" * 1000) + " = 1",
        "[score]\nminimum = 0x" + "f" * 10_000,
        "[score]\nminimum = nan",
        "[score]\nminimum = 1979-05-27T07:32:00Z",
        "[[fan]]\nid = 07:32:00",
        "\x00",
        "",
    ],
    ids=lambda text: text[:20],
)
@pytest.mark.parametrize("head", ["", '[ruleset]\nid = "h"\nversion = "1"\nextends = "mcr"\n'])
def test_files_that_are_deep_or_of_other_types(tmp_path, content, head):
    path = tmp_path / "house.toml"
    path.write_text(head + content if content.startswith("[") else content + "\n" + head)
    if head and not content:
        mjcore.load_rules(path)
        return
    with pytest.raises(RuleSetError, match=r"house\.toml"):
        mjcore.load_rules(path)


def test_paths(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        mjcore.load_rules(tmp_path / "nowhere.toml")
    with pytest.raises(OSError, match=tmp_path.name):
        mjcore.load_rules(tmp_path)
    with pytest.raises(RuleSetError, match="null"):
        mjcore.load_rules("house\x00.toml")
    for source in (None, 0, True, 1.5, b"house.toml", [], ("a",), object):
        with pytest.raises(TypeError, match=r"expected a path or a dict of rules, got \w+"):
            mjcore.load_rules(source)


@pytest.mark.skipif(os.name != "posix", reason="names of other bytes")
def test_a_path_that_cannot_be_printed(tmp_path):
    class Odd:
        def __fspath__(self):
            return os.fsencode(tmp_path) + b"/\xff\n.toml"

    with open(os.fspath(Odd()), "w") as file:
        file.write("fan = 5")
    with pytest.raises(RuleSetError, match="ruleset: ") as caught:
        mjcore.load_rules(Odd())
    assert str(caught.value).isprintable()
    str(caught.value).encode()


def test_a_dict_that_would_grow_without_end():
    doubled = ["x"]
    for _ in range(12):
        doubled = [doubled] * 10
    with pytest.raises(RuleSetError, match=f"at most {VALUES_MAX} values"):
        mjcore.load_rules(changed(HOUSE, ("fan", 1, "absorbs"), ["no_honors"]) | {"require": doubled})


NAMES = st.sampled_from([*HOUSE, "id", "when", "points", "default", "extends", "mcr", "all_pungs", "has_honor", "x"])
WORDS = st.sampled_from(
    [
        *("and", "or", "not", "(", ")", "has_honor", "n_kongs", "==", "!=", "<", "<=", "2", "9", "true", "strict98"),
        *("#", "''", "\\", ",", ":", "x"),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | NAMES | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.dictionaries(NAMES, VALUES, max_size=6))
def test_any_dict(rules):
    assert refused_or_read(rules) is not None
    refused_or_read({**rules, "ruleset": {"id": "h", "version": "1", "extends": "mcr"}})


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(WORDS))
def test_any_words_as_a_condition(words):
    problem = refused_or_read(changed(HOUSE, ("fan", 1, "when"), " ".join(words)))
    assert problem is None or problem.startswith("rules, fan extra: ")
