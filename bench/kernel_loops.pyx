# cython: boundscheck=False, wraparound=False
"""The kernels called from Cython, a block of hands at a time, without the GIL."""

from libc.stdint cimport uint64_t

from mjcore cimport hand_is_hu, hand_t, hand_waits, kindset_size, lane_t


cdef inline hand_t row(const uint64_t[:, ::1] lanes, Py_ssize_t i) noexcept nogil:
    cdef hand_t h
    h.lane[0] = lanes[i, 0]
    h.lane[1] = lanes[i, 1]
    h.lane[2] = lanes[i, 2]
    h.lane[3] = lanes[i, 3]
    return h


def read_only(const uint64_t[:, ::1] lanes):
    """Touch every hand: the floor below any answer."""
    cdef Py_ssize_t i
    cdef lane_t total = 0
    cdef hand_t h
    with nogil:
        for i in range(lanes.shape[0]):
            h = row(lanes, i)
            total += h.lane[0] ^ h.lane[1] ^ h.lane[2] ^ h.lane[3]
    return total


def count_hu(const uint64_t[:, ::1] lanes):
    """Return how many hands are complete."""
    cdef Py_ssize_t i, total = 0
    cdef hand_t h
    with nogil:
        for i in range(lanes.shape[0]):
            h = row(lanes, i)
            total += hand_is_hu(&h)
    return total


def count_waits(const uint64_t[:, ::1] lanes):
    """Return the number of waits of all hands together."""
    cdef Py_ssize_t i, total = 0
    cdef hand_t h
    with nogil:
        for i in range(lanes.shape[0]):
            h = row(lanes, i)
            total += kindset_size(hand_waits(&h, 0))
    return total
