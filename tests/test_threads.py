"""Many threads at once: the same answers, whatever the others do meanwhile."""

import gc
import random
import sys
import threading
import time
from collections import OrderedDict, UserDict
from types import MappingProxyType

import numpy as np
import pytest

import mjcore
from mjcore import Hand, HandRules, KindSet, batch
from mjcore import workers as pool

N_THREADS = 8


@pytest.fixture(autouse=True)
def switch_often():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)
    mjcore.cache_resize(16384)
    mjcore.cache_clear()


def run_together(*works):
    """Start all works at one moment; raise what the first of them raised."""
    barrier = threading.Barrier(len(works))
    errors = []

    def call(work):
        barrier.wait()
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=call, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def random_hands(n, seed):
    rng = random.Random(seed)
    wall = [kind for kind in range(34) for _ in range(4)]
    hands = []
    for _ in range(n):
        tiles = wall[:36] if rng.random() < 0.7 else wall
        hands.append(sum(1 << 4 * kind for kind in rng.sample(tiles, rng.choice([2, 3, 4, 5, 7, 8, 12, 13, 14]))))
    return hands


def ask(vec):
    return mjcore.is_hu(vec), mjcore.ting(vec), mjcore.decompose(vec), mjcore.live_waits(vec)


def test_many_threads_miss_on_the_same_hand():
    hands = random_hands(300, 100)
    mjcore.cache_resize(0)
    want = {vec: ask(vec) for vec in hands}
    mjcore.cache_resize(64)

    def work():
        for vec in hands:
            assert ask(vec) == want[vec], mjcore.format(vec)

    for _ in range(3):
        mjcore.cache_clear()
        run_together(*[work] * N_THREADS)


def test_slow_misses_on_the_same_hand():
    """The search of decompose runs without the lock, so several threads do search."""
    want = mjcore.decompose("123m", jokers=5)
    for _ in range(5):
        mjcore.cache_clear()
        answers = []
        run_together(*[lambda answers=answers: answers.append(mjcore.decompose("123m", jokers=5))] * N_THREADS)
        assert answers == [want] * N_THREADS


def test_resizing_and_clearing_meanwhile():
    hands = random_hands(200, 101)
    mjcore.cache_resize(0)
    want = {vec: ask(vec) for vec in hands}
    stop = threading.Event()

    def ask_all():
        try:
            for _ in range(4):
                for vec in hands:
                    assert ask(vec) == want[vec], mjcore.format(vec)
        finally:
            stop.set()

    def resize():
        rng = random.Random(102)
        while not stop.is_set():
            mjcore.cache_resize(rng.choice([0, 1, 2, 10, 1000]))
            mjcore.cache_info()

    def clear():
        while not stop.is_set():
            mjcore.cache_clear()

    run_together(ask_all, ask_all, ask_all, ask_all, resize, clear)
    info = mjcore.cache_info()
    assert 0 <= info.currsize <= info.maxsize


def test_counters_add_up():
    vec = mjcore.parse("123m55p")
    mjcore.cache_clear()

    def work():
        for _ in range(2000):
            mjcore.is_hu(vec)

    run_together(*[work] * N_THREADS)
    info = mjcore.cache_info()
    assert info.hits + info.misses == 2000 * N_THREADS
    assert (info.misses, info.currsize) == (1, 1)


def test_one_lru_cache_from_many_threads():
    cache = mjcore.LRUCache(50)

    def work():
        rng = random.Random(103)
        for _ in range(5000):
            key = rng.randrange(100) << 40
            got = cache.get(key)
            assert got is None or got == key & 0xFFFF_FFFF_FFFF
            cache.put(key, key & 0xFFFF_FFFF_FFFF)
            if rng.random() < 0.001:
                cache.clear()
                cache.keys()

    run_together(*[work] * N_THREADS)
    keys = cache.keys()
    assert len(keys) == len(set(keys)) == cache.info()[3] <= 50


def test_options_of_one_thread_do_not_reach_another():
    hand = mjcore.parse("11223355779999s")
    quads = HandRules(seven_pairs_quads=True)

    def work(rules, want):
        for _ in range(3000):
            assert mjcore.is_hu(hand, rules=rules) is want

    run_together(*[lambda: work(None, False), lambda: work(quads, True)] * 4)


@pytest.mark.parametrize("call", [mjcore.cache_clear, lambda: mjcore.cache_resize(128)], ids=["clear", "resize"])
def test_a_finalizer_may_ask_while_the_cache_is_emptied(call):
    """The garbage collector can run any code inside an allocation, also a question."""
    hand = mjcore.parse("123m55p")
    want = mjcore.decompose(hand)
    alive = [True]

    class Asking:
        def __init__(self):
            self.me = self

        def __del__(self):
            if alive[0]:
                mjcore.decompose(hand)
                Asking()

    thresholds = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(20):
            Asking()
            call()
            assert mjcore.decompose(hand) == want
    finally:
        alive[0] = False
        gc.set_threshold(*thresholds)
        gc.collect()
    assert mjcore.decompose(hand) == want


def test_a_finalizer_may_resize_while_the_cache_is_resized():
    hands = random_hands(300, 104)
    mjcore.cache_resize(0)
    want = {vec: mjcore.decompose(vec) for vec in hands}
    alive = [True]
    sizes = random.Random(105)

    class Resizing:
        def __init__(self):
            self.me = self

        def __del__(self):
            if alive[0]:
                mjcore.cache_resize(sizes.choice([1, 10, 300, 3000]))
                Resizing()

    thresholds = gc.get_threshold()
    mjcore.cache_resize(1000)
    for vec in hands:
        mjcore.decompose(vec)
    gc.set_threshold(1, 1, 1)
    try:
        Resizing()
        for vec in hands[:60]:
            mjcore.cache_resize(sizes.choice([1, 10, 300, 3000]))
            assert mjcore.decompose(vec) == want[vec], mjcore.format(vec)
    finally:
        alive[0] = False
        gc.set_threshold(*thresholds)
        gc.collect()


# --- many hands ----------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [0, 1, 255, 256, 257, 511, 512, 513, 2000])
def test_ting_many_keeps_the_order(n, workers):
    hands = random_hands(n, 106)
    want = [mjcore.ting(vec) for vec in hands]
    assert mjcore.ting_many(hands, workers=workers) == want
    assert mjcore.ting_many(tuple(hands), workers=workers) == want
    assert mjcore.ting_many(iter(hands), workers=workers) == want
    assert mjcore.ting_many((vec for vec in hands), workers=workers) == want


@pytest.mark.parametrize("make", [dict, OrderedDict, UserDict, lambda pairs: MappingProxyType(dict(pairs))])
def test_ting_many_keeps_the_keys(make):
    hands = random_hands(600, 107)
    keys = [(i * 7919) % 600 for i in range(600)]
    answers = mjcore.ting_many(make(list(zip(keys, hands, strict=True))), workers=2)
    assert type(answers) is dict
    assert list(answers) == keys
    assert list(answers.values()) == [mjcore.ting(vec) for vec in hands]
    assert mjcore.ting_many(make([])) == {}


def test_ting_many_reads_every_form_of_hand():
    hands = [
        "1112345678999m",
        Hand("13m EE [456p] [789s] [234s]"),
        [0] * 34,
        mjcore.parse("5m"),
        np.zeros(34, np.uint8),
    ]
    assert mjcore.ting_many(hands) == [mjcore.ting(hand) for hand in hands]
    assert mjcore.ting_many(np.zeros((600, 34), np.int16), workers=2) == [KindSet()] * 600


@pytest.mark.parametrize("mode", ["possible", "shape", "live"])
@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_ting_many_with_options(mode, jokers):
    rules = HandRules(wait_mode=mode, joker_fifth_copy=False, eyes="258m1s")
    hands = [vec for vec in random_hands(700, 108) if sum(mjcore.unpack(vec)) + jokers <= 14]
    want = [mjcore.ting(vec, jokers=jokers, rules=rules) for vec in hands]
    assert mjcore.ting_many(hands, workers=2, jokers=jokers, rules=rules) == want
    assert any(want)


def test_ting_many_leaves_the_cache_alone():
    mjcore.cache_clear()
    mjcore.ting_many(random_hands(600, 109), workers=2)
    assert mjcore.cache_info() == (0, 0, 16384, 0)


@pytest.mark.parametrize("workers", [1, 4])
def test_errors_name_the_place_or_the_key(workers):
    hands = random_hands(600, 110)
    with pytest.raises(mjcore.InvalidHandError, match=r"^hand 517: .*5 of 1m"):
        mjcore.ting_many([*hands[:517], 5, *hands[518:]], workers=workers)
    with pytest.raises(mjcore.InvalidHandError, match=r"^hand 'east': .*position 2 of '12q'") as caught:
        mjcore.ting_many({"north": "1m", "east": "12q", "south": -1}, workers=workers)
    assert isinstance(caught.value.__cause__, mjcore.InvalidNotationError)
    with pytest.raises(mjcore.InvalidHandError, match=r"^hand \(1, 'a'\): .*at most 14"):
        mjcore.ting_many({(1, "a"): [1] * 34}, workers=workers)


@pytest.mark.parametrize("hands", ["1m", 5, True, Hand("1m"), None, 1.5])
def test_ting_many_wants_a_collection(hands):
    with pytest.raises(TypeError):
        mjcore.ting_many(hands)


@pytest.mark.parametrize("workers", [0, -1, 257, 10**30])
def test_numbers_of_workers(workers):
    with pytest.raises(ValueError, match="1 to 256 workers"):
        mjcore.ting_many(["1m"], workers=workers)


@pytest.mark.parametrize("workers", [None, True, 1.0, "2", []])
def test_workers_of_wrong_type(workers):
    with pytest.raises(TypeError, match="number of workers"):
        mjcore.ting_many(["1m"], workers=workers)


def test_ting_many_from_many_threads():
    hands = random_hands(800, 111)
    want = [mjcore.ting(vec) for vec in hands]

    def work():
        for workers in (1, 2, 3):
            assert mjcore.ting_many(hands, workers=workers) == want

    run_together(*[work] * N_THREADS)


def test_different_numbers_of_workers_do_not_add_up_to_many_threads():
    """Never more threads than the largest number of workers asked for."""
    hands = [0] * (256 * 24)
    before = {thread.ident for thread in threading.enumerate() if not thread.name.startswith("mjcore")}
    for workers in range(1, 25):
        assert mjcore.ting_many(hands, workers=workers) == [KindSet()] * len(hands)
    started = [thread for thread in threading.enumerate() if thread.ident not in before]
    assert len(started) <= 24


def test_the_caller_sees_the_hands_it_gave():
    hands = random_hands(300, 112)
    given = list(hands)
    mapping = dict(enumerate(hands))
    mjcore.ting_many(given, workers=2)
    mjcore.ting_many(mapping, workers=2)
    assert given == hands
    assert list(mapping.values()) == hands


# --- arrays that another thread changes ------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.uint64])
def test_pack_while_another_thread_writes(dtype):
    """An answer of clean nibbles, or an error; what was changed meanwhile stays within its kind."""
    counts = np.zeros((20_000, 34), dtype)
    stop = threading.Event()
    top = np.iinfo(dtype).max

    def write():
        while not stop.is_set():
            counts[10_000:] = top
            counts[:] = 0
            counts[5_000, 3] = 4

    def read():
        try:
            answered = 0
            for _ in range(25):
                try:
                    lanes = batch.pack(counts)
                except mjcore.InvalidHandError as error:
                    assert "row " in str(error)  # noqa: PT017
                    continue
                answered += 1
                assert int(lanes[:, :3].max(initial=0)) < 1 << 36
                assert int(lanes[:, 3].max(initial=0)) < 1 << 28
        finally:
            stop.set()

    run_together(read, write)
    counts[:] = 1
    assert (batch.unpack(batch.pack(counts)) == 1).all()


def test_unpack_while_another_thread_writes():
    lanes = np.zeros((20_000, 4), np.uint64)
    stop = threading.Event()

    def write():
        while not stop.is_set():
            lanes[10_000:] = np.uint64(2**64 - 1)
            lanes[:] = 0

    def read():
        try:
            for _ in range(25):
                try:
                    counts = batch.unpack(lanes)
                except mjcore.InvalidHandError as error:
                    assert "row " in str(error)  # noqa: PT017
                    continue
                assert int(counts.max(initial=0)) < 16
        finally:
            stop.set()

    run_together(read, write)
    lanes[:] = 0
    assert not batch.unpack(lanes).any()


def test_pack_from_many_threads():
    rng = np.random.default_rng(113)
    counts = rng.integers(0, 5, (5000, 34), dtype=np.uint8)
    want = batch.pack(counts)

    def work():
        for _ in range(5):
            assert np.array_equal(batch.pack(counts), want)
            assert np.array_equal(batch.unpack(want), counts)

    run_together(*[work] * N_THREADS)


def test_hands_are_read_before_the_search():
    """A list that another thread changes: the hands at the time of the call, or an error."""
    hands = [mjcore.parse("5m")] * 3000
    allowed = {KindSet("5m"), KindSet("6m")}
    stop = threading.Event()

    def write():
        while not stop.is_set():
            hands[1500] = mjcore.parse("6m")
            hands[1500] = mjcore.parse("5m")

    def read():
        try:
            for _ in range(30):
                assert set(mjcore.ting_many(hands, workers=2)) <= allowed
        finally:
            stop.set()

    run_together(read, write)


def test_every_row_is_in_one_piece(monkeypatch):
    monkeypatch.setattr(pool, "PIECE", 100)
    for n in (0, 1, 99, 100, 101, 1000, 1717):
        for n_workers in (1, 2, 3):
            pieces = pool.run_chunks(lambda start, stop: (start, stop), n, n_workers)
            assert [row for start, stop in pieces for row in range(start, stop)] == list(range(n))
            assert max(stop - start for start, stop in pieces) <= 100


@pytest.mark.parametrize("n_workers", [1, 2])
def test_an_interrupt_ends_the_pieces_of_all_threads(monkeypatch, n_workers):
    monkeypatch.setattr(pool, "PIECE", 100)
    begun = []

    def work(start, stop):
        begun.append(start)
        if start == 200:
            raise KeyboardInterrupt
        time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        pool.run_chunks(work, 100_000, n_workers)
    assert len(begun) < 100
