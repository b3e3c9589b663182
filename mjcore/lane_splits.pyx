"""Every split of a lane into groups, and of a whole hand lane by lane."""

from mjcore.groups cimport GROUP_PUNG, NO_KIND
from mjcore.packed cimport LANE_Z, LAST_CHOW_INDEX, N_LANES, N_RANKS, eyes_index, hand_t, lane_t, lowest_bit


cdef void split_melds(lane_t x, int lane, int n, lane_split_t* at, lane_splits_t* out) noexcept nogil:
    """Every split of the rest of a lane into groups, after n groups that are settled."""
    cdef int index, count, n_chows, n_pungs, i, first
    cdef lane_t rest
    if x == 0:
        if out.n < N_LANE_SPLITS_MAX:
            out.split[out.n] = at[0]
            out.n_groups = n
            out.n += 1
        return
    index = lowest_bit(x) >> 2
    count = <int> (x >> (4 * index)) & 7
    first = N_RANKS * lane + index
    for n_pungs in range(count >= 3, -1, -1):
        n_chows = count - 3 * n_pungs
        if n_chows and (lane == LANE_Z or index > LAST_CHOW_INDEX or <int> (x >> (4 * index + 4) & 7) < n_chows
                        or <int> (x >> (4 * index + 8) & 7) < n_chows):
            continue
        for i in range(n_chows):
            at.groups[n + i] = <uint8_t> first
        if n_pungs:
            at.groups[n + n_chows] = <uint8_t> (first | GROUP_PUNG)
        rest = x - (<lane_t> (3 * n_pungs) << (4 * index)) - n_chows * (<lane_t> 0x111 << (4 * index))
        split_melds(rest, lane, n + n_chows + n_pungs, at, out)


cdef void split_lane(lane_t x, int lane, lane_splits_t* out) noexcept nogil:
    """Every split of a lane, with eyes where its number of tiles leaves two modulo three."""
    cdef lane_split_t at
    cdef int index, step
    out.n_groups = 0
    at.eyes = NO_KIND
    if x == 0:
        out.n = 1
        out.split[0] = at
        return
    out.n = 0
    if x % 3 == 0:              # 16 is one modulo three
        split_melds(x, lane, 0, &at, out)
        return
    if lane == LANE_Z:
        index = 0
        step = 1
    else:
        # the rank of the eyes is fixed modulo three, as every group is a multiple of three
        index = <int> eyes_index(x)
        step = 3
    while index < N_RANKS:
        if x >> (4 * index) & 6:
            at.eyes = <uint8_t> (N_RANKS * lane + index)
            split_melds(x - (<lane_t> 2 << (4 * index)), lane, 0, &at, out)
        index += step


cdef bint split_lanes(const hand_t* h, lane_splits_t* lanes) noexcept nogil:
    """The splits of each lane; whether together they are groups and one pair of eyes."""
    cdef int lane, over, n_eyes = 0
    for lane in range(N_LANES):
        over = <int> (h.lane[lane] % 3)
        if over == 1:
            return False
        n_eyes += over == 2
    if n_eyes != 1:
        return False
    for lane in range(N_LANES):
        split_lane(h.lane[lane], lane, &lanes[lane])
        if lanes[lane].n == 0:
            return False
    return True
