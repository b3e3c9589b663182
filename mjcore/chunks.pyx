"""
Rows of hands as chunk numbers, by AVX2 where the machine has it and by look-ups elsewhere.

A chunk is three counts of a suit; its number, ``c0 + 5 * c1 + 25 * c2``, is what the suit tables are
read with.  Reading a block of rows first and walking the tables afterwards is faster than a row at a time.
"""

from libc.stdint cimport uint32_t

from mjcore.packed cimport HONOR_MASK, LANE_Z, N_COPIES, N_LANES, N_RANKS, SUIT_MASK, hand_t, lane_t
from mjcore.special_forms cimport orphans_distance, orphans_held, pairs_distance
from mjcore.suit_tables cimport BAD_SHIFT, CAPPED, NUMBER_SHIFT, TABLES, tables_t

cdef extern from "chunks_avx2.h" nogil:
    bint has_avx2 "mjcore_has_avx2"()
    void lanes_avx2 "mjcore_lanes_avx2"(const char* base, Py_ssize_t stride, Py_ssize_t n, bint ask_hu, void* out)
    void counts_avx2 "mjcore_counts_avx2"(const char* base, Py_ssize_t stride, Py_ssize_t n, bint ask_hu, void* out)

cdef bint AVX2 = has_avx2()


cdef inline void read_hand(const tables_t* t, const hand_t* h, Py_ssize_t i, block_t* out) noexcept nogil:
    cdef uint32_t sums = 0, entry
    cdef int lane, place
    for lane in range(N_LANES):
        for place in range(3):
            entry = t.chunks[(h.lane[lane] >> (12 * place)) & 0xFFF]
            out.number[i][4 * lane + place] = <uint8_t> (entry >> NUMBER_SHIFT)
            sums += entry
    out.size[i] = sums & 0xFF
    out.n_kinds[i] = (sums >> 8) & 0x3F
    out.n_pairs[i] = (sums >> 14) & 0x3F
    out.n_orphans[i] = <uint8_t> orphans_held(h)
    out.bad[i] = (((h.lane[0] | h.lane[1] | h.lane[2]) & ~SUIT_MASK) | (h.lane[LANE_Z] & ~HONOR_MASK)
                  | (sums >> BAD_SHIFT & 0x1F)) != 0
    out.special[i] = <uint8_t> min(pairs_distance(out.n_pairs[i], out.n_kinds[i]), orphans_distance(out.n_orphans[i]))


cdef inline lane_t lane_of_counts(const uint8_t* counts, int n) noexcept nogil:
    """A lane of bytes; a byte above four becomes a nibble above four."""
    cdef lane_t x = 0
    cdef int i
    for i in range(n):
        x |= <lane_t> (counts[i] if counts[i] <= N_COPIES else N_COPIES + 1) << (4 * i)
    return x


cdef void block_of_lanes(const char* base, Py_ssize_t stride, Py_ssize_t n, bint ask_hu, block_t* out) noexcept nogil:
    cdef Py_ssize_t i
    cdef hand_t h
    if AVX2:
        lanes_avx2(base, stride, n, ask_hu, out)
        return
    for i in range(n):
        h = (<const hand_t*> (base + i * stride))[0]    # copied first: another thread may write meanwhile
        read_hand(&TABLES[CAPPED], &h, i, out)


cdef void block_of_counts(const char* base, Py_ssize_t stride, Py_ssize_t n, bint ask_hu, block_t* out) noexcept nogil:
    cdef Py_ssize_t i
    cdef int lane
    cdef const uint8_t* row
    cdef hand_t h
    if AVX2:
        counts_avx2(base, stride, n, ask_hu, out)
        return
    for i in range(n):
        row = <const uint8_t*> (base + i * stride)
        for lane in range(3):
            h.lane[lane] = lane_of_counts(row + N_RANKS * lane, N_RANKS)
        h.lane[LANE_Z] = lane_of_counts(row + N_RANKS * LANE_Z, 7)
        read_hand(&TABLES[CAPPED], &h, i, out)


def use_avx2(on, /):
    """
    Read rows with AVX2 or without, for tests and measurements; return whether it is in use now.

    A machine without AVX2 keeps to its own way.
    """
    global AVX2
    AVX2 = on and has_avx2()
    return AVX2
