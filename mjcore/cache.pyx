"""
A least-recently-used cache in C arrays, keyed on four lanes.

A key is a packed hand whose spare bits name everything else the answer depends on; keys are
compared in full.  Links are indices, kept apart from the keys, so a look-up touches one
bucket, one key and, unless the entry is the newest already, four links.
"""

import os

cimport cython
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc

from mjcore.packed cimport hand_read_int, hand_t, hand_write_int, uint64_t

from mjcore.tiles import as_index, shown


cdef void lru_release(lru_t* lru) noexcept nogil:
    free(lru.keys)
    free(lru.values)
    free(lru.chain)
    free(lru.newer)
    free(lru.older)
    free(lru.buckets)
    lru.keys = NULL
    lru.values = NULL
    lru.chain = NULL
    lru.newer = NULL
    lru.older = NULL
    lru.buckets = NULL
    lru.capacity = 0
    lru.size = 0


cdef int lru_init(lru_t* lru, int32_t capacity, const uint64_t* multiplier) noexcept nogil:
    cdef int i
    lru.keys = NULL
    lru.values = NULL
    lru.chain = NULL
    lru.newer = NULL
    lru.older = NULL
    lru.buckets = NULL
    lru.capacity = 0
    lru.size = 0
    lru.newest = -1
    lru.oldest = -1
    lru.hits = 0
    lru.misses = 0
    for i in range(4):
        lru.multiplier[i] = multiplier[i] | 1
    lru.bucket_bits = 1
    while (1 << lru.bucket_bits) < 2 * capacity:
        lru.bucket_bits += 1
    if capacity == 0:
        return 0
    # calloc: pages that are never used never become resident
    lru.keys = <hand_t*> calloc(capacity, sizeof(hand_t))
    lru.values = <uint64_t*> calloc(capacity, sizeof(uint64_t))
    lru.chain = <int32_t*> calloc(capacity, sizeof(int32_t))
    lru.newer = <int32_t*> calloc(capacity, sizeof(int32_t))
    lru.older = <int32_t*> calloc(capacity, sizeof(int32_t))
    lru.buckets = <int32_t*> malloc((<size_t> 1 << lru.bucket_bits) * sizeof(int32_t))
    if (lru.keys == NULL or lru.values == NULL or lru.chain == NULL or lru.newer == NULL
            or lru.older == NULL or lru.buckets == NULL):
        lru_release(lru)
        return -1
    lru.capacity = capacity
    lru_empty(lru)
    return 0


cdef void lru_empty(lru_t* lru) noexcept nogil:
    cdef size_t bucket
    if lru.capacity:
        for bucket in range(<size_t> 1 << lru.bucket_bits):
            lru.buckets[bucket] = -1
    lru.size = 0
    lru.newest = -1
    lru.oldest = -1
    lru.hits = 0
    lru.misses = 0


cdef inline void unlink_use(lru_t* lru, int32_t slot) noexcept nogil:
    cdef int32_t newer = lru.newer[slot], older = lru.older[slot]
    if newer >= 0:
        lru.older[newer] = older
    else:
        lru.newest = older
    if older >= 0:
        lru.newer[older] = newer
    else:
        lru.oldest = newer


cdef inline void link_newest(lru_t* lru, int32_t slot) noexcept nogil:
    lru.newer[slot] = -1
    lru.older[slot] = lru.newest
    if lru.newest >= 0:
        lru.newer[lru.newest] = slot
    else:
        lru.oldest = slot
    lru.newest = slot


cdef void lru_touch(lru_t* lru, int32_t slot) noexcept nogil:
    unlink_use(lru, slot)
    link_newest(lru, slot)


cdef int32_t lru_evict(lru_t* lru) noexcept nogil:
    """Free the slot used longest ago."""
    cdef int32_t slot = lru.oldest
    cdef int32_t* link = &lru.buckets[lru_bucket(lru, &lru.keys[slot])]
    while link[0] != slot:
        link = &lru.chain[link[0]]
    link[0] = lru.chain[slot]
    unlink_use(lru, slot)
    return slot


cdef int32_t lru_insert(lru_t* lru, const hand_t* key, uint64_t value) noexcept nogil:
    """Store an answer as the newest entry; its slot, or -1 where the cache is off."""
    cdef int32_t slot
    cdef uint64_t bucket
    cdef hand_t held
    if lru.capacity == 0:
        return -1
    bucket = lru_bucket(lru, key)
    slot = lru.buckets[bucket]
    while slot >= 0:
        # the key may have come in while the answer was made
        held = lru.keys[slot]
        if (held.lane[0] == key.lane[0] and held.lane[1] == key.lane[1]
                and held.lane[2] == key.lane[2] and held.lane[3] == key.lane[3]):
            lru.values[slot] = value
            lru_touch(lru, slot)
            return slot
        slot = lru.chain[slot]
    if lru.size < lru.capacity:
        slot = lru.size
        lru.size += 1
    else:
        slot = lru_evict(lru)
    lru.keys[slot] = key[0]
    lru.values[slot] = value
    lru.chain[slot] = lru.buckets[bucket]
    lru.buckets[bucket] = slot
    link_newest(lru, slot)
    return slot


@cython.final
cdef class LRUCache:
    """LRUCache(maxsize=16384)
--

    A fixed-capacity LRU cache from 136-bit keys to 64-bit answers.

    Parameters
    ----------
    maxsize : int, default 16384
        Most entries held, 0 .. 2**24.  0 switches the cache off: nothing is stored and every
        look-up is a miss.

    Raises
    ------
    ValueError
        If `maxsize` is outside its range.
    MemoryError
        If the arrays cannot be allocated.

    Notes
    -----
    All memory is taken on construction: 52 bytes an entry, 4 to 8 for buckets and 8 for an object
    reference; nothing is allocated later.  A reader gets a copy of an answer, never a pointer into
    the table.  Every call holds the global interpreter lock from beginning to end, which makes
    each one atomic; nothing is claimed for a build of Python without that lock.

    Examples
    --------
    >>> cache = LRUCache(2)
    >>> cache.put(1, 10), cache.put(2, 20), cache.get(1), cache.put(3, 30)
    (None, None, 10, None)
    >>> cache.get(2) is None
    True
    >>> cache.info()
    (1, 1, 2, 2)
    """

    def __cinit__(self, maxsize=16384):
        cdef int32_t capacity = check_capacity(maxsize)
        cdef uint64_t multiplier[4]
        seed = os.urandom(32)
        for i in range(4):
            multiplier[i] = int.from_bytes(seed[8 * i:8 * i + 8], "little")
        if lru_init(&self.lru, capacity, multiplier):
            raise MemoryError(f"no memory for a cache of {maxsize} entries")
        self.objects = [None] * capacity

    def __dealloc__(self):
        lru_release(&self.lru)

    def __reduce__(self):
        raise TypeError("expected something to pickle, got an LRUCache, which belongs to one process")

    def get(self, key, /):
        """Return the answer stored for a 136-bit key, or None."""
        cdef hand_t lanes
        cdef int32_t slot
        read_key(key, &lanes)
        slot = lru_find(&self.lru, &lanes)
        return None if slot < 0 else self.lru.values[slot]

    def put(self, key, value, /):
        """Store an answer, 0 .. 2**64 - 1, under a 136-bit key."""
        cdef hand_t lanes
        if type(value) is not int:
            raise TypeError(f"expected an int to store, got {type(value).__name__}")
        if not 0 <= value < 1 << 64:
            raise ValueError("expected an int of 64 bits to store")
        read_key(key, &lanes)
        lru_insert(&self.lru, &lanes, value)

    def keys(self):
        """Return the keys, the one used last first."""
        cdef int32_t slot = self.lru.newest
        result = []
        while slot >= 0:
            result.append(hand_write_int(self.lru.keys[slot].lane))
            slot = self.lru.older[slot]
        return result

    def info(self):
        """Return hits, misses, maxsize and currsize."""
        return self.lru.hits, self.lru.misses, self.lru.capacity, self.lru.size

    def clear(self):
        """Forget every entry and set both counters to zero."""
        # allocated first: collecting garbage may run code that asks this cache
        cdef list objects = [None] * self.lru.capacity
        if len(objects) != self.lru.capacity:
            self.clear()        # such code has changed the capacity
            return
        lru_empty(&self.lru)
        objects, self.objects = self.objects, objects

    cdef int resize(self, object maxsize) except -99:
        """Change the capacity; the entries used last stay, and so do the counters."""
        cdef lru_t table
        cdef list old_objects
        cdef int32_t slot, moved, skipped
        cdef int32_t capacity = check_capacity(maxsize)
        # allocated first: collecting garbage may run code that asks this cache
        cdef list objects = [None] * capacity
        if lru_init(&table, capacity, self.lru.multiplier):
            raise MemoryError(f"no memory for a cache of {maxsize} entries")
        old_objects = self.objects
        slot = self.lru.oldest
        skipped = self.lru.size - capacity
        while slot >= 0:
            if skipped > 0:
                skipped -= 1
            else:
                moved = lru_insert(&table, &self.lru.keys[slot], self.lru.values[slot])
                if moved >= 0:
                    objects[moved] = old_objects[slot]
            slot = self.lru.newer[slot]
        table.hits = self.lru.hits
        table.misses = self.lru.misses
        lru_release(&self.lru)
        self.lru = table
        self.objects = objects
        return 0

    cdef void put_object(self, const hand_t* key, object value):
        cdef int32_t slot = lru_insert(&self.lru, key, 0)
        if slot >= 0:
            self.objects[slot] = value

    cdef object get_object(self, int32_t slot):
        return self.objects[slot]


cdef int32_t check_capacity(maxsize) except -99:
    n = as_index(maxsize)
    if n is None:
        raise TypeError(f"expected a number of entries, got {type(maxsize).__name__}")
    if not 0 <= n <= LRU_CAPACITY_MAX:
        raise ValueError(f"expected 0 to {LRU_CAPACITY_MAX} entries, got {shown(n)}")
    return n


cdef int read_key(key, hand_t* lanes) except -99:
    if type(key) is not int:
        raise TypeError(f"expected an int key, got {type(key).__name__}")
    if hand_read_int(key, lanes.lane):
        raise ValueError("expected a key of 136 bits")
    return 0
