"""Loops over arrays of hands: a check pass that names the first bad row, then the work, both without the GIL."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from mjcore.packed cimport (
    HONOR_MASK,
    N_COPIES,
    N_KINDS,
    N_LANES,
    SUIT_MASK,
    hand_has_fifth,
    hand_t,
    kind_lane,
    kind_shift,
    lane_count,
    lane_t,
)

ctypedef fused count_t:
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t


def find_bad_counts(const count_t[:, :] counts):
    """Return (row, kind) of the first count that is not 0 .. 4, or None."""
    cdef Py_ssize_t row = -1
    cdef int kind = 0
    cdef bint bad = False
    with nogil:
        for row in range(counts.shape[0]):
            for kind in range(N_KINDS):
                if <uint64_t> counts[row, kind] > <uint64_t> N_COPIES:
                    bad = True
                    break
            if bad:
                break
    return (row, kind) if bad else None


def pack_counts(const count_t[:, :] counts, uint64_t[:, :] lanes):
    """Pack checked counts; a count changed meanwhile spoils no other kind."""
    cdef Py_ssize_t row
    cdef int kind
    cdef lane_t lane[4]
    with nogil:
        for row in range(counts.shape[0]):
            lane[0] = lane[1] = lane[2] = lane[3] = 0
            for kind in range(N_KINDS):
                lane[kind_lane(kind)] |= (<lane_t> (<unsigned int> counts[row, kind] & 7)) << kind_shift(kind)
            for kind in range(N_LANES):
                lanes[row, kind] = lane[kind]


def find_bad_lanes(const uint64_t[:, :] lanes):
    """Return the first row that is not four lanes of counts 0 .. 4, or None."""
    cdef Py_ssize_t row = -1
    cdef hand_t h
    cdef int lane
    cdef bint bad = False
    with nogil:
        for row in range(lanes.shape[0]):
            for lane in range(N_LANES):
                h.lane[lane] = lanes[row, lane]
            bad = ((h.lane[0] | h.lane[1] | h.lane[2]) & ~SUIT_MASK) != 0 or h.lane[3] & ~HONOR_MASK != 0 \
                or hand_has_fifth(&h)
            if bad:
                break
    return row if bad else None


def unpack_lanes(const uint64_t[:, :] lanes, uint8_t[:, :] counts):
    """Unpack checked lanes."""
    cdef Py_ssize_t row
    cdef int kind
    with nogil:
        for row in range(lanes.shape[0]):
            for kind in range(N_KINDS):
                counts[row, kind] = <uint8_t> lane_count(lanes[row, kind_lane(kind)], kind_shift(kind) >> 2)
