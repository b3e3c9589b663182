"""The LRU cache against a plain model, and the cache behind the public questions."""

import itertools
import pickle
import random
from collections import OrderedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjcore
from mjcore import HandRules, LRUCache

KEY_MAX = (1 << 136) - 1


class Model:
    def __init__(self, maxsize):
        self.maxsize = maxsize
        self.entries = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key):
        if key in self.entries:
            self.hits += 1
            self.entries.move_to_end(key)
            return self.entries[key]
        self.misses += 1
        return None

    def put(self, key, value):
        if self.maxsize:
            self.entries[key] = value
            self.entries.move_to_end(key)
            if len(self.entries) > self.maxsize:
                self.entries.popitem(last=False)

    def clear(self):
        self.entries.clear()
        self.hits = self.misses = 0

    def keys(self):
        return list(reversed(self.entries))

    def info(self):
        return self.hits, self.misses, self.maxsize, len(self.entries)


def agree(cache, model):
    assert cache.info() == model.info()
    assert cache.keys() == model.keys()


keys = st.one_of(
    st.integers(0, 12), st.integers(0, KEY_MAX), st.sampled_from([1 << 35, 1 << 36, 1 << 72, 1 << 108, KEY_MAX])
)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("get"), keys),
        st.tuples(st.just("put"), keys, st.integers(0, 2**64 - 1)),
        st.just(("clear",)),
    ),
    max_size=60,
)


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(st.sampled_from([0, 1, 2, 7, 100]), steps)
def test_any_short_trace_like_the_model(maxsize, trace):
    cache, model = LRUCache(maxsize), Model(maxsize)
    for name, *arguments in trace:
        assert getattr(cache, name)(*arguments) == getattr(model, name)(*arguments)
        agree(cache, model)


@pytest.mark.parametrize("maxsize", [0, 1, 2, 7, 100])
@pytest.mark.parametrize("spread", [0.5, 1.0, 1.5, 10.0])
def test_long_traces_like_the_model(maxsize, spread):
    rng = random.Random(f"{maxsize} {spread}")
    pool = [rng.choice([rng.getrandbits(136), rng.getrandbits(3) << 36 * rng.randrange(4)]) for _ in range(200)]
    pool = pool[: max(2, int(maxsize * spread))]
    cache, model = LRUCache(maxsize), Model(maxsize)
    for step in range(20_000):
        key = rng.choice(pool)
        if rng.random() < 0.6:
            assert cache.get(key) == model.get(key), step
        else:
            value = rng.getrandbits(64)
            cache.put(key, value)
            model.put(key, value)
        if rng.random() < 0.0005:
            cache.clear()
            model.clear()
        if step % 50 == 0:
            agree(cache, model)
    agree(cache, model)


def test_neighbouring_keys_do_not_mix():
    """Keys that differ in one bit anywhere are different keys."""
    cache = LRUCache(1000)
    every = [0] + [1 << bit for bit in range(136)]
    for value, key in enumerate(every):
        cache.put(key, value)
    assert [cache.get(key) for key in every] == list(range(137))


def test_values_are_64_bits():
    cache = LRUCache(3)
    for value in (0, 1, 2**63, 2**64 - 1):
        cache.put(5, value)
        assert cache.get(5) == value
    assert cache.info()[3] == 1


@pytest.mark.parametrize("key", [-1, 1 << 136, 10**100])
def test_keys_are_136_bits(key):
    cache = LRUCache(3)
    for call in (lambda: cache.get(key), lambda: cache.put(key, 1)):
        with pytest.raises(ValueError, match="136 bits"):
            call()
    assert cache.info() == (0, 0, 3, 0)


@pytest.mark.parametrize("key", [True, None, 1.0, "1", b"1", (1,)])
def test_keys_are_ints(key):
    cache = LRUCache(3)
    for call in (lambda: cache.get(key), lambda: cache.put(key, 1)):
        with pytest.raises(TypeError, match="int key"):
            call()
    assert cache.info() == (0, 0, 3, 0)


@pytest.mark.parametrize("value", [-1, 2**64, 10**100, 1.5, None, "1"])
def test_values_that_are_none(value):
    cache = LRUCache(3)
    with pytest.raises((ValueError, TypeError)):
        cache.put(1, value)
    assert cache.keys() == []


@pytest.mark.parametrize("maxsize", [-1, 2**24 + 1, 2**31, 2**64, 10**100])
def test_capacity_out_of_range(maxsize):
    for make in (LRUCache, mjcore.cache_resize):
        with pytest.raises(ValueError, match="0 to 16777216 entries"):
            make(maxsize)


@pytest.mark.parametrize("maxsize", [None, True, 1.0, "1", [], float("nan")])
def test_capacity_of_wrong_type(maxsize):
    for make in (LRUCache, mjcore.cache_resize):
        with pytest.raises(TypeError, match="number of entries"):
            make(maxsize)


def test_calling_init_again_changes_nothing():
    cache = LRUCache(3)
    cache.put(1, 10)
    for arguments in ((), (1,)):
        try:
            cache.__init__(*arguments)
        except TypeError:
            continue
    assert cache.keys() == [1]
    assert cache.info() == (0, 0, 3, 1)


def test_a_cache_is_not_pickled():
    with pytest.raises(TypeError):
        pickle.dumps(LRUCache(3))


# --- the cache behind the questions --------------------------------------------------------------


@pytest.fixture(autouse=True)
def fresh_cache():
    mjcore.cache_resize(16384)
    mjcore.cache_clear()
    yield
    mjcore.cache_resize(16384)
    mjcore.cache_clear()


RULES = [
    HandRules(),
    HandRules(forms="standard"),
    HandRules(forms=("standard", "thirteen_orphans")),
    HandRules(forms="seven_pairs"),
    HandRules(seven_pairs_quads=True),
    HandRules(joker_fifth_copy=False),
    HandRules(joker_special_forms=False),
    HandRules(joker_kind="1m"),
    HandRules(joker_kind="N"),
    HandRules(joker_kind="2m", joker_fifth_copy=False),
    HandRules(eyes="258m258s258p"),
    HandRules(eyes="1m"),
    HandRules(eyes="N"),
    HandRules(eyes="C"),
    HandRules(wait_mode="shape"),
    HandRules(wait_mode="live"),
    HandRules(eyes="258m", wait_mode="shape"),
]
HANDS = [
    "11123m", "1111m", "2222m", "11112222m33p44p55p", "1111m234m", "NNNN123m", "1122m3344p5566s",
    "19m19p19sESWNCFP", "5m", "123m", "1m", "", "1111222333444m", "33445555m",
]  # fmt: skip
MELDED = [
    "1m [333m] [2222m] [EEE] [SSS]",
    "1m [333p] [222p] [EEE] [SSS]",
    "12m [123m] [2222s] [NNN] [SSS]",
    "1112m [222m] [EEE] [SSS]",
    "1112m [3333m] [EEE] [SSS]",
    "1112m [3333m+] [EEE] [SSS]",
    "1112m [333m] [EEE] [SSS]",
    "1112m [345m] [EEE] [SSS]",
    "1112m [EEE] [345m] [SSS]",
    "2m [1111m] [3333m] [EEE]",
    "2m [111p] [333p] [EEE]",
]


def ask_all(hand, jokers, rules):
    """Every answer that the cache keeps, or the class of the error."""
    answers = []
    for function in (mjcore.is_hu, mjcore.ting, mjcore.decompose, mjcore.live_waits):
        try:
            answers.append(function(hand, jokers=jokers, rules=rules))
        except mjcore.InvalidHandError as error:
            answers.append(str(error))
    return answers


def questions():
    plain = [(mjcore.parse(text), jokers, rules) for text in HANDS for jokers in range(3) for rules in RULES]
    with_melds = [(mjcore.Hand(text), jokers, rules) for text in MELDED for jokers in range(4) for rules in RULES]
    return plain + with_melds


@pytest.fixture(scope="module")
def expected():
    """Answers with the cache off."""
    mjcore.cache_resize(0)
    answers = [ask_all(*question) for question in questions()]
    assert mjcore.cache_info().currsize == 0
    return answers


def test_the_options_tried_make_a_difference(expected):
    """Each pair of neighbouring rules differs in some answer, else a leak could not be seen."""
    asked = questions()
    by_rules = {rules: [] for rules in RULES}
    for (_, _, rules), answer in zip(asked, expected, strict=True):
        by_rules[rules].append(answer)
    same = [
        (a, b)
        for a, b in itertools.combinations(RULES, 2)
        if by_rules[a] == by_rules[b] and {a.wait_mode, b.wait_mode} != {"possible", "live"}
    ]
    assert same == []


@pytest.mark.parametrize("maxsize", [0, 1, 2, 7, 100, 16384])
def test_answers_are_the_same_with_any_capacity(expected, maxsize):
    mjcore.cache_resize(maxsize)
    asked = questions()
    order = list(range(len(asked)))
    random.Random(60).shuffle(order)
    for i in order:
        assert ask_all(*asked[i]) == expected[i], asked[i]
    for i in reversed(order):
        assert ask_all(*asked[i]) == expected[i], asked[i]
    assert mjcore.cache_info().currsize <= maxsize


def test_no_option_leaks_into_the_answer_of_another(expected):
    """Every pair of questions about one hand, one after the other, on an empty cache."""
    asked = questions()
    by_hand = {}
    for i, (hand, _, _) in enumerate(asked):
        by_hand.setdefault(hand, []).append(i)
    rng = random.Random(61)
    for indices in by_hand.values():
        pairs = list(itertools.permutations(indices, 2))
        for i, j in rng.sample(pairs, 150):
            mjcore.cache_clear()
            for at in (i, j, i):
                assert ask_all(*asked[at]) == expected[at], (asked[i], asked[j])


def test_melds_do_not_leak_where_copies_matter(expected):
    """The same concealed tiles beside different melds."""
    rules = HandRules(joker_fifth_copy=False)
    hands = [mjcore.Hand(f"1112m [{meld}] [EEE] [SSS]") for meld in ("222p", "3333m", "333m", "345m", "222m", "345p")]
    mjcore.cache_resize(0)
    want = [ask_all(hand, 1, rules) for hand in hands]
    assert len({str(answer) for answer in want}) > 2
    mjcore.cache_resize(100)
    for i, j in itertools.permutations(range(len(hands)), 2):
        mjcore.cache_clear()
        for at in (i, j, i):
            assert ask_all(hands[at], 1, rules) == want[at], (hands[i], hands[j])


@pytest.mark.parametrize("modes", list(itertools.permutations(["possible", "shape", "live"])))
def test_wait_modes_do_not_leak(modes):
    want = {"possible": "4m", "shape": "1m 4m", "live": "4m"}
    for mode in modes:
        assert str(mjcore.ting("1111234m", rules=HandRules(wait_mode=mode))) == want[mode]
    assert str(mjcore.ting(mjcore.parse("1111234m"))) == "4m"
    assert mjcore.live_waits("1111234m") == {0: 0, 3: 3}


def test_is_hu_ting_and_decompose_do_not_answer_for_each_other():
    vec = mjcore.parse("11m")
    for order in itertools.permutations([mjcore.is_hu, mjcore.ting, mjcore.decompose]):
        mjcore.cache_clear()
        answers = {function: [function(vec), function(vec)] for function in order}
        assert answers[mjcore.is_hu] == [True, True]
        assert answers[mjcore.ting] == [frozenset(), frozenset()]
        assert [str(split) for split in answers[mjcore.decompose][1]] == ["11m"]
        assert mjcore.cache_info() == (3, 3, 16384, 3)


@pytest.mark.parametrize("hand", [mjcore.parse("11m"), "11m", mjcore.Hand("11m"), mjcore.unpack(2)], ids=repr)
@pytest.mark.parametrize("name", ["is_hu", "ting", "decompose", "live_waits"])
def test_hits_and_misses_are_counted_once(name, hand):
    function = getattr(mjcore, name)
    for hits in range(4):
        function(hand)
        assert mjcore.cache_info() == (hits, 1, 16384, 1)


@pytest.mark.parametrize("name", ["is_hu", "ting", "decompose", "live_waits"])
@pytest.mark.parametrize("hand", [5, -1, 1 << 136, None, "x", sum(1 << 4 * kind for kind in range(15))], ids=repr)
def test_errors_are_no_look_ups(name, hand):
    with pytest.raises(mjcore.InvalidHandError):
        getattr(mjcore, name)(hand)
    assert mjcore.cache_info() == (0, 0, 16384, 0)


def test_cache_info_names():
    info = mjcore.cache_info()
    assert (info.hits, info.misses, info.maxsize, info.currsize) == (0, 0, 16384, 0)
    assert isinstance(info, mjcore.CacheInfo)
    assert repr(info) == "CacheInfo(hits=0, misses=0, maxsize=16384, currsize=0)"


def test_cache_info_pickles():
    info = mjcore.cache_info()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(info, protocol)) == info


def test_resize_keeps_the_newest_and_the_counters():
    tiles = [mjcore.tile(kind) * 2 for kind in range(20)]
    for vec in tiles:
        mjcore.is_hu(vec)
    mjcore.cache_resize(5)
    assert mjcore.cache_info() == (0, 20, 5, 5)
    for vec in reversed(tiles[-5:]):
        mjcore.is_hu(vec)
    assert mjcore.cache_info() == (5, 20, 5, 5)
    mjcore.cache_resize(50)
    assert mjcore.cache_info() == (5, 20, 50, 5)
    for vec in tiles[-5:]:
        mjcore.is_hu(vec)
    assert mjcore.cache_info() == (10, 20, 50, 5)
    mjcore.is_hu(tiles[0])
    assert mjcore.cache_info() == (10, 21, 50, 6)


def test_eviction_follows_use_across_a_resize():
    a, b, c, d = (mjcore.tile(kind) * 2 for kind in range(4))
    mjcore.cache_resize(3)
    for vec in (a, b, c, a):
        mjcore.is_hu(vec)
    mjcore.cache_resize(2)
    mjcore.is_hu(d)
    before = mjcore.cache_info().misses
    mjcore.is_hu(a)
    assert mjcore.cache_info().misses == before, "a was used after c"
    mjcore.is_hu(c)
    assert mjcore.cache_info().misses == before + 1


def test_off_and_on_again():
    mjcore.cache_resize(0)
    for _ in range(3):
        assert mjcore.is_hu("11m") is True
        assert len(mjcore.decompose("11m")) == 1
    assert mjcore.cache_info() == (0, 6, 0, 0)
    mjcore.cache_resize(1)
    assert mjcore.is_hu("11m") is mjcore.is_hu("11m") is True
    assert mjcore.cache_info() == (1, 7, 1, 1)


def test_a_failed_resize_changes_nothing():
    mjcore.is_hu("11m")
    with pytest.raises(ValueError, match="entries"):
        mjcore.cache_resize(-1)
    mjcore.is_hu("11m")
    assert mjcore.cache_info() == (1, 1, 16384, 1)


def test_cached_splits_survive_eviction_and_resize():
    hands = [mjcore.parse(text) for text in ("11m", "123m EE", "112233m112233p77s", "19m19p19sESWNCFPP", "12m")]
    mjcore.cache_resize(0)
    want = [mjcore.decompose(vec) for vec in hands]
    rng = random.Random(62)
    for _ in range(3000):
        if rng.random() < 0.05:
            mjcore.cache_resize(rng.choice([0, 1, 2, 3, 10]))
        if rng.random() < 0.02:
            mjcore.cache_clear()
        i = rng.randrange(len(hands))
        if rng.random() < 0.3:
            mjcore.is_hu(hands[i])
            mjcore.ting(hands[i])
        assert mjcore.decompose(hands[i]) == want[i]


def test_a_hit_gives_the_very_tuple_and_many_splits_are_not_kept():
    assert mjcore.decompose("123m EE") is mjcore.decompose("123m EE")
    mjcore.cache_clear()
    assert len(mjcore.decompose("", jokers=5)) > 64
    assert mjcore.cache_info().currsize == 0
    assert mjcore.decompose("", jokers=5) == mjcore.decompose("", jokers=5)
