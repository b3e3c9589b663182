"""The knitted forms of Chinese Official: how far a hand is from them, and what brings it nearer."""

from mjcore.packed cimport (
    FIRST_HONOR,
    N_COPIES,
    N_KINDS,
    N_LANES,
    N_TILES_MAX,
    hand_add,
    hand_count,
    hand_full,
    hand_held,
    hand_remove,
    hand_t,
    kind_bit,
    kindset_size,
    kindset_t,
    lowest_bit,
)
from mjcore.special_forms cimport knitted_kinds
from mjcore.suit_tables cimport CAPPED, FAR, TABLES, add_profiles, distances_from, tables_t, walk_lane, walk_t


cdef int honors_and_knitted_distance(const hand_t* h, kindset_t* useful) noexcept nogil:
    """Fourteen different kinds of the sixteen: seven honors and nine knitted.  Sizes 13 and 14."""
    cdef kindset_t kinds, held = hand_held(h)
    cdef int order, distance, best = FAR
    for order in range(6):
        kinds = knitted_kinds(order) | <kindset_t> 0x7F << FIRST_HONOR
        distance = N_TILES_MAX - kindset_size(kinds & held)
        if distance < best:
            best = distance
            if useful:
                useful[0] = 0
        if useful != NULL and 0 < distance == best:
            useful[0] |= kinds & ~held
    return best


cdef int knitted_rest(const hand_t* h, const hand_t* melded, kindset_t kinds, int n_melds) noexcept nogil:
    """Distance of what stands beside nine knitted kinds: the eyes, and a meld unless one is declared."""
    cdef hand_t rest = h[0]
    cdef kindset_t left = kinds & hand_held(h)
    cdef const tables_t* t = &TABLES[CAPPED]
    cdef walk_t w[4]
    cdef int kind, lane, room, held, cost, best = 2 * N_COPIES
    while left:
        kind = lowest_bit(left)
        left &= left - 1
        hand_remove(&rest, kind)
    if n_melds:
        for lane in range(N_LANES):
            walk_lane(t, lane, rest.lane[lane], &w[lane])
        return distances_from(t, add_profiles(t, w[0].profile, w[1].profile), 1)[
            add_profiles(t, w[2].profile, w[3].profile)] >> 1
    for kind in range(N_KINDS):
        room = N_COPIES - (hand_count(melded, kind) if melded else 0) - <int> ((kinds >> kind) & 1)
        held = hand_count(&rest, kind)
        cost = 2 - held if held < 2 else 0
        if room >= 2 and cost < best:
            best = cost
    return best


cdef int knitted_straight_only(const hand_t* h, const hand_t* melded, int n_melds) noexcept nogil:
    cdef kindset_t kinds, gone = 0
    cdef int order, distance, best = FAR
    if melded:
        gone = hand_full(melded)
    for order in range(6):
        kinds = knitted_kinds(order)
        if kinds & gone:
            continue
        distance = N_KNITTED - kindset_size(kinds & hand_held(h)) + knitted_rest(h, melded, kinds, n_melds)
        if distance < best:
            best = distance
    return best


cdef int knitted_straight_distance(const hand_t* h, const hand_t* melded, int n_melds,
                                   kindset_t* useful) noexcept nogil:
    """Nine knitted kinds, a meld (declared or not) and the eyes: sizes 13, 14, 10 and 11."""
    cdef int kind, distance = knitted_straight_only(h, melded, n_melds)
    cdef hand_t drawn
    if useful:
        useful[0] = 0
        for kind in range(N_KINDS):
            if hand_count(h, kind) + (hand_count(melded, kind) if melded else 0) < N_COPIES:
                drawn = h[0]
                hand_add(&drawn, kind)
                if knitted_straight_only(&drawn, melded, n_melds) < distance:
                    useful[0] |= kind_bit(kind)
    return distance
