"""KindSet behaves like a frozenset of kinds."""

import collections.abc
import copy
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjcore
from mjcore import KindSet
from mjcore.tiles import NOTATIONS

kinds = st.frozensets(st.integers(0, 33))
model_settings = settings(max_examples=300, derandomize=True, deadline=None, database=None)
OPERATORS = [operator.and_, operator.or_, operator.xor, operator.sub]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


class Nothing:
    """An object of no use, whose name does not change from run to run."""

    def __repr__(self):
        return "Nothing()"


RUBBISH = [
    None,
    True,
    False,
    -1,
    34,
    10**30,
    -(10**30),
    1.0,
    0.5,
    float("nan"),
    "",
    "1",
    "m",
    "10m",
    "1m1m",
    "1m 2m",
    "[111m]",
    "X",
    "e",
    b"1m",
    (),
    (0,),
    [],
    {},
    set(),
    Nothing(),
    int,
    KindSet,
    KindSet("1m"),
]


def same(got, want):
    assert isinstance(got, KindSet)
    assert list(got) == sorted(want)
    assert got == want
    assert want == got


@model_settings
@given(kinds)
def test_is_built_and_read_like_the_model(model):
    for built in (KindSet(model), KindSet(sorted(model)), KindSet(iter(model)), KindSet(KindSet(model))):
        same(built, model)
    got = KindSet(model)
    assert got.mask == int(got) == sum(1 << kind for kind in model)
    assert KindSet.from_mask(got.mask) == got
    assert len(got) == len(model)
    assert bool(got) is bool(model)
    assert hash(got) == hash(model)
    assert [kind in got for kind in range(34)] == [kind in model for kind in range(34)]
    assert [mjcore.tile_name(kind) in got for kind in range(34)] == [kind in model for kind in range(34)]
    same(~got, frozenset(range(34)) - model)
    assert {got: 1}[model] == 1
    assert eval(repr(got), {"KindSet": KindSet}) == got
    for notation in NOTATIONS:
        for dialect in ("tenhou", "cn"):
            text = got.text(notation, dialect=dialect)
            assert len(text.split()) == len(model)
            assert frozenset(mjcore.kind_of(name, dialect=dialect) for name in text.split()) == model
        assert format(got, notation) == got.text(notation)
        assert KindSet(got.text(notation)) == got
    assert str(got) == format(got) == f"{got}" == got.text()


@model_settings
@given(kinds, kinds)
def test_operators_and_comparisons_like_the_model(a, b):
    for left, right in (
        (KindSet(a), KindSet(b)),
        (KindSet(a), b),
        (a, KindSet(b)),
        (KindSet(a), set(b)),
        (set(a), KindSet(b)),
    ):
        for operation in OPERATORS:
            same(operation(left, right), operation(a, b))
        for compare in COMPARISONS:
            assert compare(left, right) is compare(a, b), (compare, left, right)
    for compare in COMPARISONS:
        assert compare(KindSet(a), KindSet(a)) is compare(a, a)
    assert KindSet(a).isdisjoint(KindSet(b)) is KindSet(a).isdisjoint(b) is a.isdisjoint(b)
    assert KindSet(a).isdisjoint(list(b)) is KindSet(a).isdisjoint(iter(b)) is a.isdisjoint(b)


@model_settings
@given(kinds, st.frozensets(st.one_of(st.integers(-5, 40), st.text(max_size=2), st.none())))
def test_comparisons_with_sets_of_other_things_like_the_model(a, b):
    for compare in COMPARISONS:
        assert compare(KindSet(a), b) is compare(a, b)
        assert compare(b, KindSet(a)) is compare(b, a)


@model_settings
@given(kinds, kinds)
def test_dict_views_are_sets_too(a, b):
    for operation in OPERATORS:
        same(operation(KindSet(a), dict.fromkeys(b).keys()), operation(a, b))
    for compare in COMPARISONS:
        assert compare(KindSet(a), dict.fromkeys(b).keys()) is compare(a, b)


def test_in_place_operators_make_a_new_set():
    first = waits = KindSet("1m")
    waits |= KindSet("2m")
    assert (str(first), str(waits)) == ("1m", "1m 2m")


@pytest.mark.parametrize("operation", OPERATORS)
@pytest.mark.parametrize("other", [None, 1, "1m", [0], (0,), {0: 1}, 1.5], ids=repr)
def test_operators_want_a_set(operation, other):
    with pytest.raises(TypeError):
        operation(KindSet("1m"), other)
    with pytest.raises(TypeError):
        operation(other, KindSet("1m"))


@pytest.mark.parametrize("compare", COMPARISONS[2:])
@pytest.mark.parametrize("other", [None, 1, "1m", [0], (0,)], ids=repr)
def test_order_wants_a_set(compare, other):
    with pytest.raises(TypeError):
        compare(KindSet("1m"), other)


@pytest.mark.parametrize("other", [None, 1, "1m", [0], (0,), b"", Nothing()], ids=repr)
def test_is_equal_to_sets_only(other):
    assert (KindSet("1m") == other) is False
    assert (KindSet("1m") != other) is True


@pytest.mark.parametrize("value", RUBBISH, ids=repr)
def test_rubbish_is_not_in_it(value):
    assert (value in KindSet(range(34))) is False
    assert (value in KindSet()) is False


def test_an_int_too_long_to_print_is_not_in_it():
    assert (10**5000 in KindSet("1m")) is False
    assert (-(10**5000) in KindSet("1m")) is False


@pytest.mark.parametrize("value", RUBBISH, ids=repr)
def test_rubbish_is_no_kind(value):
    with pytest.raises(mjcore.InvalidHandError):
        KindSet([0, value])


@pytest.mark.parametrize("value", [None, 1, 1.5, True, Nothing(), int], ids=repr)
def test_is_made_from_something_iterable(value):
    with pytest.raises(TypeError):
        KindSet(value)


@pytest.mark.parametrize(
    ("text", "mask"),
    [
        ("", 0),
        ("1m", 1),
        ("14m E", 0b1001 | 1 << 30),
        ("1m1m1m1m1m", 1),
        ("0m5m", 16),
        ("9pN", 1 << 26 | 1 << 33),
        ("一万 东 红中", 1 | 1 << 30 | 1 << 27),
        ("🀇🀄", 1 | 1 << 27),
        ("7z", 1 << 27),
        ("123456789m", 511),
    ],
)
def test_from_text(text, mask):
    assert KindSet(text).mask == mask


@pytest.mark.parametrize("text", ["1", "m", "[111m]", "1m[EEE]", "10m", "x"])
def test_text_that_is_no_list_of_kinds(text):
    with pytest.raises(mjcore.InvalidHandError):
        KindSet(text)


def test_masks_are_ints_of_34_bits():
    for mask in (-1, 1 << 34, 10**5000, True, None, 1.0, "1", b"", []):
        with pytest.raises(mjcore.InvalidHandError, match="mask of 34 bits"):
            KindSet.from_mask(mask)


def test_all_masks_of_one_bit():
    for kind in range(34):
        assert list(KindSet.from_mask(1 << kind)) == [kind]
    assert list(KindSet.from_mask((1 << 34) - 1)) == list(range(34))


def test_is_a_set_but_no_frozenset():
    assert isinstance(KindSet(), collections.abc.Set)
    assert not isinstance(KindSet(), (set, frozenset, collections.abc.MutableSet))


def test_equality_agrees_with_membership_for_numpy_integers():
    assert np.int64(3) in KindSet("4m")
    assert KindSet("4m") == {np.int64(3)}
    assert KindSet("4m") >= {np.int64(3)}


def test_isdisjoint_reads_text_as_the_constructor_does():
    """Either an error or the answer for the kinds named, never the answer for single characters."""
    try:
        answer = KindSet("1m").isdisjoint("1m")
    except (TypeError, ValueError):
        return
    assert answer is False


@pytest.mark.parametrize("value", [KindSet(), KindSet("1m E"), KindSet(range(34))], ids=str)
def test_pickle_and_copy(value):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(value, protocol))
        assert back == value
        assert type(back) is KindSet
    assert copy.copy(value) == copy.deepcopy(value) == value
    assert copy.deepcopy([value]) == [value]


def test_is_immutable():
    value = KindSet("1m")
    with pytest.raises(AttributeError):
        value.mask = 3
    with pytest.raises(AttributeError):
        del value.mask
    with pytest.raises(AttributeError):
        value.other = 3
    for arguments in ((), ("9m",)):
        try:
            value.__init__(*arguments)
        except TypeError:
            continue
    for name in ("add", "discard", "remove", "clear", "update"):
        assert not hasattr(value, name)
    assert (value.mask, list(value)) == (1, [0])


def test_is_final():
    with pytest.raises(TypeError):
        type("Sub", (KindSet,), {})


def test_format_specs():
    """A notation by name, else what text does with it."""
    assert f"{KindSet('1m E'):chinese}" == "一万 东"
    assert f"{KindSet('1m E'):>6}" == "  1m E"
    with pytest.raises(ValueError, match="format"):
        f"{KindSet('1m'):no such spec}"


def test_iterators_are_independent():
    value = KindSet("123m")
    first, second = iter(value), iter(value)
    assert (next(first), next(first), next(second)) == (0, 1, 0)
