# Every split of the lanes of a hand into groups and eyes, without jokers.

from libc.stdint cimport uint8_t
from mjcore.packed cimport hand_t, lane_t

cdef enum:
    N_LANE_SPLITS_MAX = 4       # 66677778888999 has four, and no lane of at most four copies a kind has more

# The splits of a lane, each the eyes (NO_KIND without) and its groups.
ctypedef struct lane_split_t:
    uint8_t eyes
    uint8_t groups[8]           # four, and room to write beyond them

ctypedef struct lane_splits_t:
    int n
    int n_groups
    lane_split_t split[4]

# The splits of each lane; whether together they are groups and one pair of eyes.
cdef bint split_lanes(const hand_t* h, lane_splits_t* lanes) noexcept nogil
