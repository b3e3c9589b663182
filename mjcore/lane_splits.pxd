# Every split of the lanes of a hand into groups and eyes, without jokers.

from libc.stdint cimport uint8_t, uint32_t
from mjcore.packed cimport hand_t, lane_t

cdef enum:
    N_LANE_SPLITS_MAX = 4       # 66677778888999 has four, and no lane of at most four copies a kind has more

# The splits of a lane, each its groups, a byte each from the lowest on, and the eyes (NO_KIND without).
ctypedef struct lane_splits_t:
    int n
    int n_groups
    uint32_t groups[4]
    uint8_t eyes[4]

# The splits of each lane; whether together they are groups and one pair of eyes.
cdef bint split_lanes(const hand_t* h, lane_splits_t* lanes) noexcept nogil
