# cython: binding=False
"""
The questions people ask about one hand: is it complete, what completes it, how does it split.

An exact int with default options takes the shortest way: digits to lanes, one look-up in the LRU
cache, on a miss the search.  Everything else is read into a query_t first, which carries the
cache key, so each function below is the same three steps.
"""

cimport cython
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from mjcore.cache cimport LRUCache, lru_find, lru_insert, lru_t
from mjcore.hand_rules cimport WAIT_SHAPE
from mjcore.forms cimport rules_t
from mjcore.kernels cimport hand_is_hu, hand_is_hu_rules, hand_waits_rules, rules_default
from mjcore.kindset cimport kindset_new
from mjcore.packed cimport (
    LANE_BITS,
    N_KINDS,
    N_TILES_MAX,
    hand_clear,
    hand_count,
    hand_full,
    hand_has_fifth,
    hand_read_int,
    hand_size,
    hand_sum,
    hand_t,
    kindset_t,
    lane_t,
    lowest_bit,
)
from mjcore.query cimport copies_of, key_operation, left_of, query_t, read_query, read_tiles
from mjcore.splits cimport N_SPLIT, hand_splits, splits_free, splits_t

from collections import namedtuple
from collections.abc import Mapping

from mjcore.cache import LRUCache
from mjcore.decomposition import read_splits
from mjcore.hand import Hand
from mjcore.tiles import InvalidHandError, as_index

CacheInfo = namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"], module="mjcore.facade")
CacheInfo.__doc__ = "Look-ups answered and not answered by the cache, its capacity and its entries."

DEFAULT_CACHE_SIZE = 16384

# Answers of decompose with more splits than this are made anew each time, to bound the memory.
SPLITS_CACHED_MAX = 64

cdef enum:
    OP_IS_HU = 0
    OP_TING = 1
    OP_DECOMPOSE = 2

cdef object ZERO = 0
cdef rules_t PLAIN = rules_default()
cdef LRUCache CACHE = LRUCache(DEFAULT_CACHE_SIZE)
cdef lru_t* LRU = &CACHE.lru


# --- questions ---------------------------------------------------------------------------------

def is_hu(hand, /, *, jokers=0, rules=None):
    """
    Return whether a hand is complete.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles; an int is read fastest.  Melds come in a `Hand` or as text in brackets.
    jokers : int, default 0
        Jokers beside the tiles, 0 .. 8; each stands for any kind.
    rules : HandRules or str, optional
        Forms and options, or the name of a preset.  Default: standard form, seven different pairs,
        thirteen orphans.

    Returns
    -------
    bool
        False for any hand that is not complete, whatever its size.

    Raises
    ------
    InvalidHandError
        If it is not a hand: a fifth copy, more than 14 tiles, melds that do not fit, no hand at all.

    Notes
    -----
    Answers are kept in the LRU cache.  README.md, Performance, has the cost beside an empty call.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.is_hu(mjcore.parse("123m456s789p11155z"))
    True
    >>> mjcore.is_hu("7m [123m] [555p] [789s] [FFF]", jokers=1)
    True
    """
    cdef hand_t h
    cdef int32_t slot
    cdef bint answer
    if type(hand) is int and jokers is ZERO and rules is None and hand_read_int(hand, h.lane) == 0:
        slot = lru_find(LRU, &h)
        if slot >= 0:
            return LRU.values[slot] != 0
        if not hand_has_fifth(&h) and hand_size(&h) <= N_TILES_MAX:
            answer = hand_is_hu(&h)
            lru_insert(LRU, &h, answer)
            return answer
        LRU.misses -= 1
    return is_hu_query(hand, jokers, rules)


cdef object is_hu_query(object hand, object jokers, object rules):
    cdef query_t query
    cdef int32_t slot
    cdef bint answer
    read_query(hand, jokers, rules, &query)
    slot = lru_find(LRU, &query.key)
    if slot >= 0:
        return LRU.values[slot] != 0
    answer = hand_is_hu_rules(&query.h, &query.melded, query.n_jokers, &query.rules)
    lru_insert(LRU, &query.key, answer)
    return answer


def ting(hand, /, *, jokers=0, rules=None, visible=None):
    """
    Return the kinds that complete a hand one tile short.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 13, 10, 7, 4 or 1 with the jokers.
    jokers : int, default 0
        Jokers among the tiles, 0 .. 8.  The tile drawn is a natural one.
    rules : HandRules or str, optional
        Forms and options; `HandRules.wait_mode` says which waits are reported.
    visible : int, str or sequence of 34 int, optional
        Tiles seen elsewhere; given, waits must have a copy left beside them too.

    Returns
    -------
    KindSet
        Empty where the hand is not ready or has another size.

    Raises
    ------
    InvalidHandError
        If it is not a hand, as in `is_hu`, or `visible` has a fifth copy.
    ValueError
        If `visible` is given although `wait_mode` is "shape", which no visible tile changes.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.ting("1112345678999m")
    KindSet('1m 2m 3m 4m 5m 6m 7m 8m 9m')
    >>> mjcore.ting("13m EE [456p] [789s] [234s]", visible="2222m")
    KindSet('')
    """
    cdef hand_t key
    cdef hand_t h
    cdef kindset_t waits
    cdef int32_t slot
    if type(hand) is int and jokers is ZERO and rules is None and visible is None \
            and hand_read_int(hand, h.lane) == 0:
        key = h
        key.lane[0] |= (<lane_t> OP_TING) << LANE_BITS
        slot = lru_find(LRU, &key)
        if slot >= 0:
            return kindset_new(LRU.values[slot] & ~hand_full(&h))
        if not hand_has_fifth(&h) and hand_size(&h) <= N_TILES_MAX:
            waits = hand_waits_rules(&h, NULL, 0, &PLAIN)
            lru_insert(LRU, &key, waits)
            return kindset_new(waits & ~hand_full(&h))
        LRU.misses -= 1
    return ting_query(hand, jokers, rules, visible)


cdef object ting_query(object hand, object jokers, object rules, object visible):
    cdef query_t query
    cdef hand_t seen
    cdef hand_t held
    cdef kindset_t waits
    read_query(hand, jokers, rules, &query)
    if visible is not None and query.wait_mode == WAIT_SHAPE:
        raise ValueError("expected no visible tiles with wait_mode 'shape'")
    waits = waits_by_shape(&query)
    if visible is not None:
        read_tiles(visible, &seen)
        waits &= left_of(&query, &seen)
    elif query.wait_mode != WAIT_SHAPE:
        hand_sum(&query.h, &query.melded, &held)
        waits &= ~hand_full(&held)
    return kindset_new(waits)


cdef kindset_t waits_by_shape(query_t* query) noexcept:
    cdef int32_t slot
    cdef kindset_t waits
    key_operation(query, OP_TING)
    slot = lru_find(LRU, &query.key)
    if slot >= 0:
        return LRU.values[slot]
    waits = hand_waits_rules(&query.h, &query.melded, query.n_jokers, &query.rules)
    lru_insert(LRU, &query.key, waits)
    return waits


def live_waits(hand, /, *, visible=None, jokers=0, rules=None):
    """
    Return how many copies are left of each kind that completes a hand by shape.

    Parameters
    ----------
    hand, jokers, rules
        As for `ting`; the wait mode does not matter.
    visible : int, str or sequence of 34 int, optional
        Tiles seen outside the hand and its melds.

    Returns
    -------
    dict of int to int
        Kind to copies left, 0 .. 4, in kind order: four less own, melded and visible ones, never below 0.

    Raises
    ------
    InvalidHandError
        As for `ting`.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.live_waits("13m EE [456p] [789s] [234s]", visible="222m")
    {1: 1}
    """
    cdef query_t query
    cdef hand_t seen
    cdef kindset_t waits
    cdef int kind
    read_query(hand, jokers, rules, &query)
    hand_clear(&seen)
    if visible is not None:
        read_tiles(visible, &seen)
    waits = waits_by_shape(&query)
    result = {}
    while waits:
        kind = lowest_bit(waits)
        waits &= waits - 1
        result[kind] = copies_of(&query, &seen, kind)
    return result


def decompose(hand, /, *, jokers=0, rules=None, limit=None):
    """
    Return every split of a complete hand into melds and eyes, each once.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles.
    jokers : int, default 0
        Jokers beside the tiles, 0 .. 8.
    rules : HandRules or str, optional
        Forms and options.
    limit : int, optional
        Most splits to return; the first ones of the order.  Default: all.

    Returns
    -------
    tuple of Decomposition
        Empty where the hand is not complete.  Standard splits first, then seven pairs, then thirteen
        orphans; the same hand always gives the same order.

    Raises
    ------
    InvalidHandError
        If it is not a hand, as in `is_hu`.

    Notes
    -----
    Jokers that are free to be anything multiply the splits: eight of them give up to about 100,000, which
    take a second or two and are not cached (answers of more than 64 splits never are).  A server that
    takes jokers from outside sets `limit`.

    Examples
    --------
    >>> import mjcore
    >>> [str(split) for split in mjcore.decompose("112233m 112233p 77s")]
    ['123m 123m 123p 123p 77s', '11m 22m 33m 77s 11p 22p 33p']
    """
    cdef query_t query
    cdef int32_t slot
    cdef size_t most = <size_t> -1
    if limit is not None:
        number = as_index(limit)
        if number is None:
            raise TypeError(f"expected a number of splits for limit, got {type(limit).__name__}")
        if number < 1:
            raise ValueError(f"expected a limit of at least 1 split, got {number}")
        most = min(number, 1 << 40)
    read_query(hand, jokers, rules, &query)
    key_operation(&query, OP_DECOMPOSE)
    slot = lru_find(LRU, &query.key)
    if slot >= 0:
        splits = CACHE.get_object(slot)
        return splits[:most] if limit is not None else splits
    splits = splits_of(&query, most)
    if len(splits) <= SPLITS_CACHED_MAX and <size_t> len(splits) < most:
        CACHE.put_object(&query.key, splits)
    return splits


cdef object splits_of(query_t* query, size_t limit):
    cdef splits_t found
    cdef int status, kind, joker_kind = query.rules.joker_kind
    found.limit = limit
    with nogil:
        status = hand_splits(&query.h, &query.melded, query.n_jokers, &query.rules, &found)
    try:
        if status < 0:
            raise MemoryError("no memory for the splits of this hand")
        data = (<char*> found.data)[:found.n * N_SPLIT] if found.n else b""
    finally:
        splits_free(&found)
    naturals = [0 if kind == joker_kind else hand_count(&query.h, kind) for kind in range(N_KINDS)]
    return read_splits(data, naturals, None if joker_kind < 0 else joker_kind, query.n_jokers)


# --- many hands --------------------------------------------------------------------------------

@cython.final
@cython.auto_pickle(False)
cdef class _Queries:
    """Checked questions, answered without the GIL."""

    cdef query_t* queries
    cdef kindset_t* waits
    cdef Py_ssize_t n

    def __cinit__(self, Py_ssize_t n):
        self.queries = <query_t*> malloc((n + 1) * sizeof(query_t))
        self.waits = <kindset_t*> malloc((n + 1) * sizeof(kindset_t))
        if self.queries == NULL or self.waits == NULL:
            raise MemoryError(f"no memory for {n} hands")
        self.n = n

    def __dealloc__(self):
        free(self.queries)
        free(self.waits)

    def answer(self, Py_ssize_t start, Py_ssize_t stop):
        cdef Py_ssize_t i
        cdef query_t* query
        cdef hand_t held
        cdef kindset_t waits
        if not 0 <= start <= stop <= self.n:
            raise ValueError(f"expected rows of 0 to {self.n}, got {start} to {stop}")
        with nogil:
            for i in range(start, stop):
                query = &self.queries[i]
                waits = hand_waits_rules(&query.h, &query.melded, query.n_jokers, &query.rules)
                if query.wait_mode != WAIT_SHAPE:
                    hand_sum(&query.h, &query.melded, &held)
                    waits &= ~hand_full(&held)
                self.waits[i] = waits


def ting_many(hands, *, workers=1, jokers=0, rules=None):
    """
    Return the waits of many hands.

    Parameters
    ----------
    hands : mapping or iterable
        Hands as for `ting`; of a mapping, its values.
    workers : int, default 1
        Threads that search at once.  The search runs without the global interpreter lock.
    jokers : int, default 0
        Jokers beside the tiles of every hand.
    rules : HandRules or str, optional
        Forms and options.

    Returns
    -------
    dict or list of KindSet
        A dict with the keys of a mapping in its order, else a list in the order of the hands.

    Raises
    ------
    InvalidHandError
        If one is not a hand; the message begins with its key or its place.

    Notes
    -----
    Every hand is read before the first is searched.  The cache is neither asked nor filled.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.ting_many({"east": "1112345678999m", "south": "19m19p19sESWNCFP"}, workers=2)["south"].mask.bit_count()
    13
    """
    from mjcore.workers import check_workers, run_chunks

    cdef Py_ssize_t i
    cdef _Queries queries
    n_workers = check_workers(workers)
    if isinstance(hands, (str, bytes, bytearray, int, Hand)):
        raise TypeError(f"expected a collection of hands, got {type(hands).__name__}")
    keyed = isinstance(hands, Mapping)
    keys = list(hands) if keyed else None
    values = [hands[key] for key in keys] if keyed else list(hands)
    queries = _Queries(len(values))
    for i, value in enumerate(values):
        try:
            read_query(value, jokers, rules, &queries.queries[i])
        except InvalidHandError as error:
            where = f"hand {keys[i]!r}" if keyed else f"hand {i}"
            raise InvalidHandError(f"{where}: {error}") from error
    run_chunks(queries.answer, len(values), n_workers)
    answers = [kindset_new(queries.waits[i]) for i in range(len(values))]
    return dict(zip(keys, answers, strict=True)) if keyed else answers


# --- the cache ---------------------------------------------------------------------------------

def cache_info():
    """
    Return hits, misses, maxsize and currsize of the cache in front of is_hu, ting and decompose.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.cache_clear()
    >>> mjcore.is_hu("11m"), mjcore.is_hu("11m"), mjcore.cache_info()
    (True, True, CacheInfo(hits=1, misses=1, maxsize=16384, currsize=1))
    """
    return CacheInfo(*CACHE.info())


def cache_clear():
    """Forget every answer and set hits and misses to zero."""
    CACHE.clear()


def cache_resize(maxsize, /):
    """
    Change how many answers the cache holds; the ones used last stay.

    Parameters
    ----------
    maxsize : int
        0 .. 2**24; 0 switches the cache off.  An entry costs 64 to 68 bytes, taken at once.

    Raises
    ------
    ValueError
        If `maxsize` is outside its range.
    MemoryError
        If there is no memory for it; the cache stays as it was.
    """
    CACHE.resize(maxsize)
