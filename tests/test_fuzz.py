"""Anything at all given to any public function: an answer or one of the errors that are named."""

import gc
import inspect
import itertools
import random
import resource
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjcore
from mjcore import Hand, HandRules, KindSet, LRUCache, Meld, batch


class Own(Exception):
    """What an object given by the caller raises."""


def raising(*names):
    def method(self, *arguments):
        raise Own

    return type("Raising", (), dict.fromkeys(names, method))()


def returning(**results):
    return type("Returning", (), {name: lambda self, *_, result=result: result for name, result in results.items()})()


class Endless:
    """A sequence of counts that lies about its length."""

    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        raise Own


class Items:
    """A sequence of one item again and again, whose length need not be true."""

    def __init__(self, length, item, stop=40):
        self.length, self.item, self.stop = length, item, stop

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        if isinstance(index, int) and 0 <= index < self.stop:
            return self.item
        raise IndexError


CYCLE = []
CYCLE.append(CYCLE)
LITTLE_RUBBISH = [
    None,
    True,
    False,
    0,
    1,
    -1,
    5,
    33,
    34,
    1 << 136,
    (1 << 136) - 1,
    -(1 << 136),
    10**5000,
    -(10**5000),
    1 << 63,
    1 << 64,
    0.0,
    1.5,
    -1.0,
    float("nan"),
    float("inf"),
    1j,
    "",
    "1m",
    "11m",
    "123m EE",
    "x",
    "\x00",
    "\ud800",
    "[111m]",
    "[",
    "]",
    "1" * 1001,
    "立直",
    "🀄\ufe0f",
    "standard",
    "letters",
    "tenhou",
    "deck",
    "hk",
    "shape",
    b"",
    b"1m",
    bytes(34),
    bytearray(34),
    memoryview(bytes(34)),
    memoryview(bytes(34)).cast("B", (2, 17)),
    memoryview(bytes(32)).cast("Q"),
    [],
    [0] * 34,
    [1] * 34,
    [0] * 47,
    [None] * 34,
    ["1m"] * 34,
    [[0] * 34],
    (),
    (0,),
    (0,) * 34,
    (0, 0, 0),
    {},
    {0: 1},
    {"1m": 1},
    dict.fromkeys(range(34), 0),
    set(),
    {1},
    frozenset({1, "x"}),
    range(34),
    range(10**9),
    slice(1),
    CYCLE,
    object(),
    int,
    str,
    list,
    Hand,
    np.ndarray,
    len,
    inspect,
    NotImplemented,
    ...,
    Own(),
    Hand("11m [EEE]"),
    Hand("5m", drawn="5m"),
    Meld("111m"),
    KindSet("1m"),
    HandRules(),
    HandRules(wait_mode="shape"),
    LRUCache(2),
    mjcore.decompose("11m")[0],
    np.bool_(True),
    np.int8(1),
    np.int64(-1),
    np.uint64(2**64 - 1),
    np.float64(1),
    np.float64("nan"),
    np.str_("1m"),
    np.bytes_(b"1m"),
    np.datetime64("2020"),
    np.array(2),
    np.array(2.0),
    np.array(True),
    np.array("1m"),
    np.array(None),
    np.zeros(34, np.uint8),
    np.zeros(34, bool),
    np.zeros(34),
    np.zeros(34, object),
    np.zeros((2, 34), np.uint8),
    np.zeros((0, 34), int),
    np.zeros(0),
    np.zeros(34, [("a", "i4")]),
    np.zeros(2, [("a", "i4")])[0],
    np.zeros((3, 4), np.uint64),
    np.full((2, 4), 2**64 - 1, np.uint64),
    np.full((2, 34), -1),
    np.zeros((34, 2), int).T,
    np.arange(34).astype(">i4"),
    raising("__index__"),
    raising("__len__", "__getitem__"),
    raising("__iter__"),
    raising("__hash__"),
    raising("__eq__"),
    raising("__repr__"),
    raising("__bool__"),
    raising("__index__", "__len__", "__getitem__", "__iter__", "__repr__"),
    raising("__array__"),
    raising("__float__", "__int__"),
    Endless(34),
    Endless(47),
    Endless(0),
    Endless(10**9),
    returning(__index__=1),
    returning(__index__="1"),
    returning(__index__=1.5),
    returning(__index__=float("inf")),
    returning(__index__=None),
    returning(__index__=10**5000),
    Items(-1, 0),
    Items(34, 0),
    Items(34, 7),
    Items("x", 0),
    Items(34, None),
    Items(34, "1m"),
    Items(47, 0, 47),
    returning(__iter__=None),
    returning(__array__=1),
]
# What would only fill the memory of the caller's own process is not tried where a whole iterable is read.
ITERATED = [value for value in LITTLE_RUBBISH if not (isinstance(value, range) and len(value) > 1000)]
GENERATORS = [lambda: iter([0] * 34), lambda: (kind for kind in [1, None]), lambda: iter(["1m"]), lambda: iter(())]
# The last two are what an object itself raises; a memoryview of two dimensions does so when it is iterated.
ALLOWED_CLASSES = (mjcore.MjcoreError, ValueError, TypeError, Own, NotImplementedError)


@pytest.fixture(autouse=True)
def cache_as_before():
    size = mjcore.cache_info().maxsize
    yield
    mjcore.cache_resize(size)


def survives(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except ALLOWED_CLASSES:
        return
    except BaseException as error:
        shown = []
        for value in (*arguments, *options.values()):
            try:
                shown.append(repr(value)[:80])
            except Exception:
                shown.append(type(value).__name__)
        pytest.fail(f"{function} of {shown} {list(options)}: {type(error).__name__}: {error}")


def read_kind_set(value):
    kinds = KindSet("123m E")
    assert (value in kinds) in (True, False)
    for name in (
        "__eq__",
        "__ne__",
        "__lt__",
        "__le__",
        "__gt__",
        "__ge__",
        "__and__",
        "__or__",
        "__xor__",
        "__sub__",
        "__rand__",
        "__ror__",
        "__rxor__",
        "__rsub__",
    ):
        survives(getattr(kinds, name), value)
    survives(kinds.isdisjoint, value)


def entries():
    """Every way in: a name, a function of one value, and the values tried."""
    ways = {
        "is_hu": mjcore.is_hu,
        "ting": mjcore.ting,
        "live_waits": mjcore.live_waits,
        "decompose": mjcore.decompose,
        "parse": mjcore.parse,
        "parse dialect": lambda value: mjcore.parse("1z", dialect=value),
        "parse red_fives": lambda value: mjcore.parse("1z", red_fives=value),
        "format": mjcore.format,
        "format notation": lambda value: mjcore.format(1, value),
        "format dialect": lambda value: mjcore.format(1, "mpsz", dialect=value),
        "format red_fives": lambda value: mjcore.format(4 << 16, red_fives=value),
        "format red_fives item": lambda value: mjcore.format(4 << 16, red_fives=(value, 0, 0)),
        "tile": mjcore.tile,
        "kind_of": mjcore.kind_of,
        "tile_name": mjcore.tile_name,
        "tile_name notation": lambda value: mjcore.tile_name(1, value),
        "pack": mjcore.pack,
        "pack item": lambda value: mjcore.pack([value] * 34),
        "unpack": mjcore.unpack,
        "from_codes": lambda value: mjcore.from_codes(value, "deck"),
        "from_codes item": lambda value: mjcore.from_codes([value], "tens"),
        "from_codes mjai": lambda value: mjcore.from_codes([value], "mjai"),
        "from_codes system": lambda value: mjcore.from_codes([1], value),
        "to_codes": lambda value: mjcore.to_codes(value, "tenhou136"),
        "to_codes system": lambda value: mjcore.to_codes(1, value),
        "from_tens_counts": mjcore.from_tens_counts,
        "from_tens_counts item": lambda value: mjcore.from_tens_counts([value] * 47),
        "to_tens_counts": mjcore.to_tens_counts,
        "Hand": Hand,
        "Hand melds": lambda value: Hand("1m", value),
        "Hand meld": lambda value: Hand("1m", [value]),
        "Hand drawn": lambda value: Hand("1m", drawn=value),
        "Hand dialect": lambda value: Hand("1m", dialect=value),
        "Hand equals": lambda value: Hand("1m") == value,
        "Hand text": lambda value: Hand("1m [111z]").text(value),
        "Meld": Meld,
        "Meld.chow": Meld.chow,
        "Meld.pung": Meld.pung,
        "Meld.kong": Meld.kong,
        "Meld.kong type": lambda value: Meld.kong("1m", value),
        "Meld claimed_from": lambda value: Meld.pung("1m", claimed_from=value),
        "Meld equals": lambda value: Meld("111m") == value,
        "KindSet": KindSet,
        "KindSet item": lambda value: KindSet([value]),
        "KindSet.from_mask": KindSet.from_mask,
        "KindSet other": read_kind_set,
        "KindSet text": lambda value: KindSet("E").text(value),
        "HandRules.preset": HandRules.preset,
        "HandRules equals": lambda value: HandRules() == value,
        "visible": lambda value: mjcore.ting("1m", visible=value),
        "visible live": lambda value: mjcore.live_waits("1m", visible=value),
        "ting_many": mjcore.ting_many,
        "ting_many item": lambda value: mjcore.ting_many([1, value]),
        "ting_many mapping": lambda value: mjcore.ting_many({"a": 1, "b": value}),
        "ting_many workers": lambda value: mjcore.ting_many([1], workers=value),
        "cache_resize": mjcore.cache_resize,
        "LRUCache": LRUCache,
        "LRUCache.get": lambda value: LRUCache(2).get(value),
        "LRUCache.put key": lambda value: LRUCache(2).put(value, 1),
        "LRUCache.put value": lambda value: LRUCache(2).put(1, value),
        "batch.pack": batch.pack,
        "batch.unpack": batch.unpack,
        "batch.pack out": lambda value: batch.pack(np.zeros((2, 34), np.uint8), out=value),
        "batch.unpack out": lambda value: batch.unpack(np.zeros((2, 4), np.uint64), out=value),
        "Decomposition equals": lambda value: mjcore.decompose("11m")[0] == value,
        "Decomposition text": lambda value: mjcore.decompose("11m")[0].text(value),
    }
    for name in (
        "forms",
        "seven_pairs_quads",
        "joker_fifth_copy",
        "joker_special_forms",
        "joker_kind",
        "eyes",
        "wait_mode",
    ):
        ways[f"HandRules {name}"] = lambda value, name=name: HandRules(**{name: value})
    for question in (mjcore.is_hu, mjcore.ting, mjcore.live_waits, mjcore.decompose):
        ways[f"{question.__name__} jokers"] = lambda value, question=question: question(1, jokers=value)
        ways[f"{question.__name__} rules"] = lambda value, question=question: question(1, rules=value)
    return ways


ENTRIES = entries()


@pytest.mark.parametrize("name", ENTRIES)
def test_rubbish_gives_an_answer_or_a_named_error(name):
    values = ITERATED
    if name in ("batch.pack", "batch.unpack", "cache_resize", "LRUCache"):
        values = [value for value in ITERATED if not isinstance(value, Endless)]
    for value in values:
        survives(ENTRIES[name], value)
    for make in GENERATORS:
        survives(ENTRIES[name], make())


@pytest.mark.parametrize(
    "name", ["is_hu", "ting", "decompose", "pack", "unpack", "tile", "Hand", "from_tens_counts", "pack item"]
)
def test_a_range_of_a_thousand_millions_is_refused_at_once(name):
    with pytest.raises(mjcore.InvalidHandError):
        ENTRIES[name](range(10**9))


@pytest.mark.parametrize("result", ["1", 1.5, float("inf"), None, b"1", [1]], ids=repr)
@pytest.mark.parametrize(
    "name",
    [
        "is_hu",
        "ting",
        "unpack",
        "pack item",
        "tile",
        "tile_name",
        "KindSet item",
        "KindSet.from_mask",
        "from_codes item",
        "is_hu jokers",
        "ting_many workers",
        "cache_resize",
        "LRUCache",
        "Meld.pung",
        "Hand drawn",
    ],
)
def test_an_index_that_is_no_int_is_refused(name, result):
    """As operator.index does: never an answer from a float or text that poses as an int."""
    with pytest.raises((TypeError, ValueError)):
        ENTRIES[name](returning(__index__=result))


@pytest.mark.parametrize("names", [("__index__",), ("__len__", "__getitem__"), ("__iter__",)], ids=str)
def test_what_an_object_raises_comes_out(names):
    value = raising(*names)
    for name in {
        "__index__": ["is_hu", "tile", "unpack", "is_hu jokers"],
        "__len__": ["is_hu", "pack"],
        "__iter__": ["KindSet"],
    }[names[0]]:
        with pytest.raises(Own):
            ENTRIES[name](value)


PIECES = [
    "1",
    "2",
    "5",
    "9",
    "0",
    "123",
    "m",
    "s",
    "p",
    "z",
    "1m",
    "11m",
    "123m",
    "E",
    "EEE",
    "C",
    " ",
    "[",
    "]",
    "[111m]",
    "+",
    "*",
    ",1",
    ",",
    "一",
    "五",
    "万",
    "條",
    "东",
    "风",
    "红",
    "中",
    "发",
    "🀀",
    "🀄",
    "🀪",
    "\ufe0f",
    "\x00",
    "\ud800",
    "q",
    "１",
]
any_text = st.one_of(
    st.text(max_size=12),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.text(alphabet="0123456789mspzESWNCFP[]+*, ", max_size=12),
)
fuzz_settings = settings(max_examples=600, derandomize=True, deadline=None, database=None)


@fuzz_settings
@given(any_text, st.sampled_from(["tenhou", "cn"]), st.booleans())
def test_any_text_is_a_hand_or_an_error_with_a_position(text, dialect, red_fives):
    try:
        vec = mjcore.parse(text, dialect=dialect, red_fives=red_fives)
    except mjcore.InvalidNotationError as error:
        assert error.text == text  # noqa: PT017
        assert 0 <= error.position < max(1, len(text))  # noqa: PT017
        assert str(error)  # noqa: PT017
    else:
        assert mjcore.parse(mjcore.format(vec)) == vec


@fuzz_settings
@given(any_text)
def test_any_text_is_a_hand_with_melds_or_an_error(text):
    try:
        hand = Hand(text)
    except mjcore.InvalidNotationError as error:
        assert error.text == text  # noqa: PT017
        assert 0 <= error.position < max(1, len(text))  # noqa: PT017
    except mjcore.InvalidHandError as error:
        assert str(error)  # noqa: PT017
    else:
        assert Hand(hand.text()) == hand
    for function in (Meld, KindSet, mjcore.kind_of, mjcore.is_hu, mjcore.ting):
        survives(function, text)


@fuzz_settings
@given(st.one_of(st.integers(-(1 << 140), 1 << 140), st.lists(st.integers(-1, 6), min_size=33, max_size=35)))
def test_any_number_or_list_is_a_hand_or_an_error(value):
    for name in ("is_hu", "ting", "live_waits", "decompose", "unpack", "format", "pack", "Hand", "ting_many item"):
        survives(ENTRIES[name], value)


@fuzz_settings
@given(
    st.lists(st.integers(0, 33), max_size=16),
    st.integers(-1, 9),
    st.fixed_dictionaries(
        {},
        optional={
            "forms": st.sets(st.sampled_from(["standard", "seven_pairs", "thirteen_orphans"]), min_size=1),
            "seven_pairs_quads": st.booleans(),
            "joker_fifth_copy": st.booleans(),
            "joker_special_forms": st.booleans(),
            "joker_kind": st.one_of(st.none(), st.integers(0, 33)),
            "eyes": st.sets(st.integers(0, 33), min_size=1),
            "wait_mode": st.sampled_from(["possible", "shape", "live"]),
        },
    ),
)
def test_any_hand_with_any_options(kinds, jokers, options):
    """The answers agree with each other, or all of them are the same error."""
    vec = 0
    for kind in kinds:
        if vec >> 4 * kind & 15 < 4:
            vec += 1 << 4 * kind
    rules = HandRules(**options)
    try:
        complete = mjcore.is_hu(vec, jokers=jokers, rules=rules)
    except mjcore.InvalidHandError as error:
        for question in (mjcore.ting, mjcore.live_waits, mjcore.decompose):
            with pytest.raises(mjcore.InvalidHandError) as caught:
                question(vec, jokers=jokers, rules=rules)
            assert str(caught.value) == str(error)  # noqa: PT017
        return
    waits = mjcore.ting(vec, jokers=jokers, rules=rules)
    shape = mjcore.live_waits(vec, jokers=jokers, rules=rules)
    assert set(waits) <= set(shape), mjcore.format(vec)
    assert not (complete and shape), mjcore.format(vec)
    if jokers < 5:
        assert bool(mjcore.decompose(vec, jokers=jokers, rules=rules)) is complete, mjcore.format(vec)
    for kind in waits:
        if vec >> 4 * kind & 15 < 4 and kind != rules.joker_kind:
            assert mjcore.is_hu(vec + (1 << 4 * kind), jokers=jokers, rules=rules), mjcore.format(vec)


def calls():
    """One good and one bad call of each entry point, to be made many times."""
    hand, vec, rules = (
        Hand("123m55p [EEE] [7777s*] [SSS]"),
        mjcore.parse("1112345678999m"),
        HandRules(seven_pairs_quads=True),
    )
    counts = mjcore.unpack(vec)
    array, lanes = np.zeros((3, 34), np.uint8), np.zeros((3, 4), np.uint64)
    bad_array, bad_lanes = np.full((3, 34), 5, np.uint8), np.full((3, 4), 5, np.uint64)
    cache = LRUCache(10)
    numbers = itertools.count()
    return {
        "is_hu": (lambda: mjcore.is_hu(vec), lambda: mjcore.is_hu(5)),
        "is_hu miss": (lambda: mjcore.is_hu(mjcore.tile(next(numbers) % 34) * 2), lambda: mjcore.is_hu(-1)),
        "is_hu Hand": (lambda: mjcore.is_hu(hand, jokers=0, rules=rules), lambda: mjcore.is_hu(hand, jokers=3)),
        "ting": (lambda: mjcore.ting(vec), lambda: mjcore.ting(None)),
        "ting counts": (lambda: mjcore.ting(counts, jokers=1), lambda: mjcore.ting([5] * 34)),
        "live_waits": (lambda: mjcore.live_waits(vec, visible="1p"), lambda: mjcore.live_waits(vec, visible=5)),
        "decompose": (lambda: mjcore.decompose("123m55p"), lambda: mjcore.decompose("123m55")),
        "decompose many": (lambda: mjcore.decompose("", jokers=5), lambda: mjcore.decompose(1 << 136)),
        "ting_many": (lambda: mjcore.ting_many([vec, hand]), lambda: mjcore.ting_many([vec, 5])),
        "ting_many keys": (lambda: mjcore.ting_many({"a": vec}), lambda: mjcore.ting_many({"a": "x"})),
        "parse": (lambda: mjcore.parse("123m"), lambda: mjcore.parse("12q")),
        "format": (lambda: mjcore.format(vec, "chinese"), lambda: mjcore.format(vec, "x")),
        "pack": (lambda: mjcore.pack(counts), lambda: mjcore.pack([None] * 34)),
        "unpack": (lambda: mjcore.unpack(vec), lambda: mjcore.unpack("x")),
        "Hand": (lambda: Hand("123m [EEE]"), lambda: Hand("123m [ESW]")),
        "Meld": (lambda: Meld("[123m,1]"), lambda: Meld("[13m]")),
        "KindSet": (lambda: KindSet("123m") | {5} == {1}, lambda: KindSet([99])),
        "HandRules": (lambda: rules.replace(eyes="1m"), lambda: HandRules(eyes="")),
        "codes": (lambda: mjcore.from_codes([11, 12], "deck"), lambda: mjcore.from_codes([99], "deck")),
        "batch.pack": (lambda: batch.pack(array), lambda: batch.pack(bad_array)),
        "batch.unpack": (lambda: batch.unpack(lanes), lambda: batch.unpack(bad_lanes)),
        "LRUCache": (lambda: cache.put(next(numbers), 1), lambda: cache.get(-1)),
        "LRUCache made": (lambda: LRUCache(100), lambda: LRUCache(-1)),
        "cache_resize": (lambda: mjcore.cache_resize(next(numbers) % 50), lambda: mjcore.cache_resize(-1)),
        "cache_clear": (mjcore.cache_clear, lambda: mjcore.cache_resize(None)),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", calls())
def test_python_memory_does_not_grow(name):
    good, bad = calls()[name]

    def work(n):
        for _ in range(n):
            good()
            try:
                bad()
            except (ValueError, TypeError):
                continue
            pytest.fail(f"{name}: expected an error")

    n = 5 if name == "decompose many" else 150
    work(n)
    gc.freeze()  # or each collection walks all that the other tests hold
    tracemalloc.start()
    try:
        grown = []
        for _ in range(5):  # a collection also empties the lists of freed tuples that CPython keeps
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            work(n)
            gc.collect()
            grown.append(tracemalloc.get_traced_memory()[0] - before)
    finally:
        tracemalloc.stop()
        gc.unfreeze()
    assert min(grown) < 16 * n, f"{grown} bytes"


@pytest.mark.parametrize(
    "name", [name for name in calls() if name not in ("decompose many", "ting_many", "ting_many keys")]
)
def test_process_memory_does_not_grow(name):
    """Also what is not Python's own: the peak of the process over many calls."""
    good, _ = calls()[name]
    n = 60_000 if name in ("is_hu", "is_hu miss", "ting", "unpack", "LRUCache", "pack") else 3_000

    def work():
        for _ in range(n):
            good()

    work()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work()
    work()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096, "kilobytes"


def test_random_calls_in_random_order():
    rng = random.Random(90)
    ways = list(ENTRIES.values())
    values = [value for value in ITERATED if not isinstance(value, Endless)]
    for _ in range(5_000):
        survives(rng.choice(ways), rng.choice(values))
