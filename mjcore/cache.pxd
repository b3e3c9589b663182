# A true LRU from a packed key to a 64-bit answer, in arrays allocated once.

from libc.stdint cimport int32_t
from mjcore.packed cimport hand_t, uint64_t

cdef enum:
    LRU_CAPACITY_MAX = 1 << 24
    LRU_SLOT_BYTES = 32 + 8 + 3 * 4     # key, value, three links; buckets add at most 8 a slot

ctypedef struct lru_t:
    hand_t* keys            # compared in full
    uint64_t* values
    int32_t* chain          # next slot of the same bucket, -1 at the end
    int32_t* newer          # neighbours in order of use, -1 at the ends
    int32_t* older
    int32_t* buckets        # first slot of each bucket, -1 where empty
    int bucket_bits
    int32_t capacity        # 0: off
    int32_t size
    int32_t newest
    int32_t oldest
    uint64_t multiplier[4]  # odd, drawn when the table is made: chains cannot be aimed at
    uint64_t hits
    uint64_t misses

cdef int lru_init(lru_t* lru, int32_t capacity, const uint64_t* multiplier) noexcept nogil   # -1: no memory
cdef void lru_release(lru_t* lru) noexcept nogil
cdef void lru_empty(lru_t* lru) noexcept nogil
cdef void lru_touch(lru_t* lru, int32_t slot) noexcept nogil
cdef int32_t lru_insert(lru_t* lru, const hand_t* key, uint64_t value) noexcept nogil


cdef inline uint64_t lru_bucket(const lru_t* lru, const hand_t* key) noexcept nogil:
    return (key.lane[0] * lru.multiplier[0] + key.lane[1] * lru.multiplier[1]
            + key.lane[2] * lru.multiplier[2] + key.lane[3] * lru.multiplier[3]) >> (64 - lru.bucket_bits)


cdef inline int32_t lru_find(lru_t* lru, const hand_t* key) noexcept nogil:
    """The slot of a key, made the newest, or -1; counts the hit or the miss."""
    cdef int32_t slot
    cdef const hand_t* held
    if lru.capacity:
        slot = lru.buckets[lru_bucket(lru, key)]
        while slot >= 0:
            held = &lru.keys[slot]
            if ((held.lane[0] ^ key.lane[0]) | (held.lane[1] ^ key.lane[1])
                    | (held.lane[2] ^ key.lane[2]) | (held.lane[3] ^ key.lane[3])) == 0:
                lru.hits += 1
                if slot != lru.newest:
                    lru_touch(lru, slot)
                return slot
            slot = lru.chain[slot]
    lru.misses += 1
    return -1


cdef class LRUCache:
    cdef lru_t lru
    cdef list objects                                       # for answers that are Python objects
    cdef int resize(self, object maxsize) except -99
    cdef void put_object(self, const hand_t* key, object value)
    cdef object get_object(self, int32_t slot)
