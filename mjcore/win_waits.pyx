"""Kinds that complete the tiles before the winning one, in every form."""

from libc.stdint cimport uint8_t

from mjcore.forms cimport (
    FORMS_KNITTED,
    FORM_HONORS_AND_KNITTED,
    FORM_KNITTED_STRAIGHT,
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
)
from mjcore.kernels cimport hand_is_hu, standard_waits
from mjcore.packed cimport (
    ALL_KINDS,
    FIRST_HONOR,
    LANE_Z,
    NIBBLE_ONES,
    N_COPIES,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    hand_held,
    hand_remove,
    hand_t,
    kindset_size,
    kindset_t,
    lane_of_places,
    lane_t,
    lowest_bit,
)
from mjcore.special_forms cimport knitted_kinds, seven_pairs_waits, thirteen_orphans_waits
from mjcore.suit_tables cimport chunk_numbers, split_places, split_value
from mjcore.win_checks cimport win_t

cdef uint8_t KNITTED_COUNTS[512]      # of a set of ranks: how many are of 147, of 258, of 369, two bits each
cdef uint8_t KNITTED_MOST[512]        # the most of the three
cdef kindset_t KNITTED_KINDS[6]
cdef uint8_t KNITTED_SHIFTS[6][3]     # of an order: where the counts of its ranks stand, for m, s and p


cdef void fill_knitted():
    cdef int held, rank, order, first, second
    for held in range(512):
        KNITTED_COUNTS[held] = 0
        for rank in range(N_RANKS):
            KNITTED_COUNTS[held] += <uint8_t> ((held >> rank & 1) << (2 * (rank % 3)))
        KNITTED_MOST[held] = max(KNITTED_COUNTS[held] & 3, KNITTED_COUNTS[held] >> 2 & 3, KNITTED_COUNTS[held] >> 4)
    for order in range(6):
        KNITTED_KINDS[order] = knitted_kinds(order)
        first = order // 2
        second = (first + 1 + order % 2) % 3
        KNITTED_SHIFTS[order][0] = <uint8_t> (2 * first)
        KNITTED_SHIFTS[order][1] = <uint8_t> (2 * second)
        KNITTED_SHIFTS[order][2] = <uint8_t> (2 * (3 - first - second))


fill_knitted()


cdef int knitted_orders(kindset_t held, int least) noexcept nogil:
    """Orders of which at least so many of the nine kinds are held, one bit each."""
    cdef unsigned int m = held & 0x1FF, s = held >> N_RANKS & 0x1FF, p = held >> 2 * N_RANKS & 0x1FF
    cdef int order, orders = 0
    if KNITTED_MOST[m] + KNITTED_MOST[s] + KNITTED_MOST[p] < least:
        return 0
    for order in range(6):
        orders |= ((KNITTED_COUNTS[m] >> KNITTED_SHIFTS[order][0] & 3)
                   + (KNITTED_COUNTS[s] >> KNITTED_SHIFTS[order][1] & 3)
                   + (KNITTED_COUNTS[p] >> KNITTED_SHIFTS[order][2] & 3) >= least) << order
    return orders


cdef kindset_t knitted_waits(const hand_t* h, int n_melds, unsigned int forms) noexcept nogil:
    cdef kindset_t held = hand_held(h), kinds, missing, waits = 0
    cdef hand_t rest
    cdef int order, lane, orders
    if n_melds == 0 and forms & FORM_HONORS_AND_KNITTED and kindset_size(held) == N_TILES_MAX - 1:
        for order in range(6):
            kinds = KNITTED_KINDS[order] | <kindset_t> 0x7F << FIRST_HONOR
            if held & ~kinds == 0:
                waits |= kinds & ~held
    if not forms & FORM_KNITTED_STRAIGHT:
        return waits
    orders = knitted_orders(held, 8)
    while orders:
        order = lowest_bit(orders)
        orders &= orders - 1
        kinds = KNITTED_KINDS[order]
        missing = kinds & ~held
        for lane in range(N_LANES):
            rest.lane[lane] = h.lane[lane] - lane_of_places(<unsigned int> ((kinds & held) >> (N_RANKS * lane)) & 0x1FF)
        if missing == 0:
            waits |= standard_waits(&rest, ALL_KINDS)
        elif hand_is_hu(&rest):
            waits |= missing
    return waits


cdef inline bint one_is_odd(const hand_t* h) noexcept nogil:
    """Whether of one kind alone there is an odd number of copies."""
    # each lane in a bit of its own of the nibbles
    cdef lane_t odd = (h.lane[0] & NIBBLE_ONES | (h.lane[1] & NIBBLE_ONES) << 1
                       | (h.lane[2] & NIBBLE_ONES) << 2 | (h.lane[3] & NIBBLE_ONES) << 3)
    return odd & (odd - 1) == 0


cdef inline kindset_t waits_by_splits(const hand_t* h) noexcept nogil:
    """As standard_waits for any eyes, of a hand without four of a kind."""
    cdef lane_t numbers[4]
    cdef unsigned int values[4]
    cdef unsigned int total = 0, others
    cdef kindset_t waits = 0
    cdef int lane
    for lane in range(N_LANES):
        numbers[lane] = chunk_numbers(h.lane[lane])
        values[lane] = split_value(lane == LANE_Z, numbers[lane])
        total += values[lane]
    for lane in range(N_LANES):
        others = total - values[lane]
        if others <= 1:
            waits |= <kindset_t> split_places(lane == LANE_Z, numbers[lane], 1 - others) << (N_RANKS * lane)
    return waits


cdef kindset_t win_waits(const win_t* win, unsigned int forms, bint quads) noexcept nogil:
    cdef hand_t h = win.concealed
    cdef kindset_t waits = 0
    cdef bint has_four
    hand_remove(&h, win.kind)
    if forms & FORM_STANDARD:
        # a fifth copy completes a hand by shape, and the tables do not know it
        has_four = (h.lane[0] | h.lane[1] | h.lane[2] | h.lane[3]) & N_COPIES * NIBBLE_ONES != 0
        waits = standard_waits(&h, ALL_KINDS) if has_four else waits_by_splits(&h)
    # eight knitted kinds are of as many groups, more than a hand has that waits for its last group or eyes
    if waits == 0 and win.n_melds <= 1 and forms & FORMS_KNITTED:
        waits = knitted_waits(&h, win.n_melds, forms)
    if win.n_melds == 0:
        if forms & FORM_SEVEN_PAIRS and one_is_odd(&h):
            waits |= seven_pairs_waits(&h, 0, quads)
        if forms & FORM_THIRTEEN_ORPHANS:
            waits |= thirteen_orphans_waits(&h)
    return waits
