"""Every split of a lane into groups, and of a whole hand lane by lane."""

from libc.stdint cimport uint8_t, uint32_t

from mjcore.groups cimport GROUP_PUNG, NO_KIND
from mjcore.packed cimport (
    FIRST_HONOR,
    LANE_Z,
    LAST_CHOW_INDEX,
    NIBBLE_ONES,
    N_LANES,
    N_RANKS,
    eyes_index,
    hand_t,
    lane_t,
    lowest_bit,
    n_chows_begun,
)

cdef inline uint32_t grouped(int group, int n) noexcept nogil:
    """A group at its place among the four of a split."""
    return <uint32_t> group << 8 * n


cdef void split_melds(lane_t x, int lane, int n, uint32_t groups, int eyes, lane_splits_t* out) noexcept nogil:
    """Every split of the rest of a suit into groups, after n groups that are settled."""
    cdef int index, count, n_chows, n_pungs, i, first
    cdef uint32_t more
    cdef lane_t rest
    if x == 0:
        add_split(groups, n, eyes, out)
        return
    index = lowest_bit(x) >> 2
    count = <int> (x >> (4 * index)) & 7
    first = N_RANKS * lane + index
    for n_pungs in range(count >= 3, -1, -1):
        n_chows = count - 3 * n_pungs
        if n_chows and (index > LAST_CHOW_INDEX or <int> (x >> (4 * index + 4) & 7) < n_chows
                        or <int> (x >> (4 * index + 8) & 7) < n_chows):
            continue
        more = groups
        for i in range(n_chows):
            more |= grouped(first, n + i)
        if n_pungs:
            more |= grouped(first | GROUP_PUNG, n + n_chows)
        rest = x - (<lane_t> (3 * n_pungs) << (4 * index)) - n_chows * (<lane_t> 0x111 << (4 * index))
        split_melds(rest, lane, n + n_chows + n_pungs, more, eyes, out)


cdef inline void add_split(uint32_t groups, int n_groups, int eyes, lane_splits_t* out) noexcept nogil:
    if out.n < N_LANE_SPLITS_MAX:
        out.groups[out.n] = groups
        out.eyes[out.n] = <uint8_t> eyes
        out.n_groups = n_groups
        out.n += 1


cdef inline bint splits_once(lane_t x) noexcept nogil:
    """Whether a suit has one split into groups at most: three pungs in a row of ranks alone are chows as well."""
    cdef lane_t threes = (x + 5 * NIBBLE_ONES) & (8 * NIBBLE_ONES)
    return threes & (threes >> 4) & (threes >> 8) == 0


cdef inline void add_splits(lane_t x, int lane, int eyes, lane_splits_t* out) noexcept nogil:
    """Every split of a suit into groups, beside the eyes."""
    cdef int n = 0, index, count, kind = N_RANKS * lane
    cdef unsigned int n_chows
    cdef uint32_t groups = 0
    if not splits_once(x):
        split_melds(x, lane, 0, 0, eyes, out)
        return
    while x:
        index = lowest_bit(x) >> 2
        x >>= 4 * index
        kind += index
        count = x & 7
        n_chows = n_chows_begun(count)
        x = (x >> 4) - n_chows * <lane_t> 0x11
        if x & <lane_t> 0x8888888888888888:
            return
        groups |= grouped(kind * (0x101 >> (16 - 8 * n_chows)), n)         # once, twice or not at all
        n += n_chows
        if count >= 3:
            groups |= grouped(kind | GROUP_PUNG, n)
            n += 1
        kind += 1
    add_split(groups, n, eyes, out)


cdef inline void split_suit(lane_t x, int lane, bint has_eyes, lane_splits_t* out) noexcept nogil:
    cdef lane_t pairs
    cdef int index
    if not has_eyes:
        add_splits(x, lane, NO_KIND, out)
        return
    # every third index from the first one that the eyes may have
    pairs = (x >> 1 | x >> 2) & (<lane_t> 0x1001001 << (4 * eyes_index(x)))
    while pairs:
        index = lowest_bit(pairs) >> 2
        pairs &= pairs - 1
        add_splits(x - (<lane_t> 2 << (4 * index)), lane, N_RANKS * lane + index, out)


cdef inline void split_honors(lane_t x, bint has_eyes, lane_splits_t* out) noexcept nogil:
    cdef int index, n = 0, eyes = NO_KIND
    cdef uint32_t groups = 0
    while x:
        index = lowest_bit(x) >> 2
        if x >> (4 * index) & 7 == 3:
            groups |= grouped(FIRST_HONOR + index | GROUP_PUNG, n)
            n += 1
        elif x >> (4 * index) & 7 == 2 and has_eyes and eyes == NO_KIND:
            eyes = FIRST_HONOR + index
        else:
            return
        x &= ~(<lane_t> 7 << (4 * index))
    add_split(groups, n, eyes, out)


cdef bint split_lanes(const hand_t* h, lane_splits_t* lanes) noexcept nogil:
    """The splits of each lane; whether together they are groups and one pair of eyes."""
    cdef int lane, n_eyes = 0
    cdef int over[4]
    for lane in range(N_LANES):
        over[lane] = <int> (h.lane[lane] % 3)       # the number of tiles modulo three, as 16 is one
        if over[lane] == 1:
            return False
        n_eyes += over[lane] == 2
    if n_eyes != 1:
        return False
    for lane in range(N_LANES):
        lanes[lane].n = 0
        if lane == LANE_Z:
            split_honors(h.lane[lane], over[lane] == 2, &lanes[lane])
        else:
            split_suit(h.lane[lane], lane, over[lane] == 2, &lanes[lane])
        if lanes[lane].n == 0:
            return False
    return True
