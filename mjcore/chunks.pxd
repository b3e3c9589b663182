# Rows of hands as chunk numbers: the first step of every question about a block of hands.

from libc.stdint cimport uint8_t

ctypedef struct chunks_t:
    uint8_t number[16]      # m, s, p, honors: the numbers of three chunks each, and a gap
    uint8_t size            # tiles, modulo 256
    uint8_t n_kinds
    uint8_t n_pairs         # kinds held twice or more
    uint8_t orphans         # different terminals and honors, and 1 if one of them is held twice
    uint8_t bad             # not four lanes, or a count above four: nothing else holds then
    uint8_t unused[3]

# Rows of four lanes, or of 34 bytes next to each other, `stride` bytes apart.
cdef void chunks_of_lanes(const char* base, Py_ssize_t stride, Py_ssize_t n, chunks_t* out) noexcept nogil
cdef void chunks_of_counts(const char* base, Py_ssize_t stride, Py_ssize_t n, chunks_t* out) noexcept nogil
