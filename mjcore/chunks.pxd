# Blocks of hands as chunk numbers: the first step of every question about many hands.

from libc.stdint cimport uint8_t

cdef enum:
    BLOCK = 64              # rows of a block

ctypedef struct block_t:
    uint8_t number[64][16]  # m, s, p, honors: the numbers of three chunks each, and a gap
    uint8_t size[64]        # tiles, modulo 256
    uint8_t bad[64]         # not four lanes, or a count above four: nothing else holds then
    uint8_t n_kinds[64]
    uint8_t n_pairs[64]     # kinds held twice or more
    uint8_t n_orphans[64]   # different terminals and honors, and 1 if one of them is held twice
    uint8_t special[64]     # distance of seven different pairs or thirteen orphans, whichever is nearer

# At most a block of rows of four lanes, or of 34 bytes next to each other, `stride` bytes apart.  Where `ask_hu`
# only number, size, bad and whether special is 0 are of use: for a complete hand of either form it is.
cdef void block_of_lanes(const char* base, Py_ssize_t stride, Py_ssize_t n, bint ask_hu, block_t* out) noexcept nogil
cdef void block_of_counts(const char* base, Py_ssize_t stride, Py_ssize_t n, bint ask_hu, block_t* out) noexcept nogil
