# Rows of hands as they stand in an array; what loops over arrays read them with.

from mjcore.chunks cimport block_t
from mjcore.packed cimport HONOR_MASK, SUIT_MASK, hand_has_fifth, hand_t


cdef class Rows:
    cdef Py_buffer buffer
    cdef bint is_open
    cdef bint has_lanes
    cdef char code

    cdef void read(self, Py_ssize_t start, Py_ssize_t n, hand_t* hands) noexcept nogil
    cdef void read_block(self, Py_ssize_t start, Py_ssize_t n, bint ask_hu, block_t* block) noexcept nogil


cdef inline bint is_no_hand(const hand_t* h) noexcept nogil:
    """Whether the lanes have spare bits set, or a count is above four."""
    return ((h.lane[0] | h.lane[1] | h.lane[2]) & ~SUIT_MASK) | (h.lane[3] & ~HONOR_MASK) or hand_has_fifth(h)
