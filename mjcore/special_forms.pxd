# The forms beside the standard one: pairs, terminals and honors, knitted kinds.

from mjcore.forms cimport rules_t
from mjcore.packed cimport (
    ALL_KINDS,
    FIRST_HONOR,
    LANE_M,
    LANE_P,
    LANE_S,
    LANE_Z,
    N_LANES,
    N_RANKS,
    NIBBLE_ONES,
    hand_held,
    hand_t,
    kindset_size,
    kindset_t,
    lane_t,
)

cdef extern from *:
    """
    /* nibbles of rank 1 and 9 */
    #define MJCORE_TERMINALS 0xF0000000FULL
    """
    const lane_t TERMINALS "MJCORE_TERMINALS"

cdef enum:
    N_PAIRS = 7
    N_ORPHANS = 13


cdef inline bint special_allowed(int n_jokers, const rules_t* rules) noexcept nogil:
    return n_jokers == 0 or rules.joker_special_forms


cdef inline kindset_t held_odd(const hand_t* h) noexcept nogil:
    cdef hand_t odd
    cdef int lane
    for lane in range(N_LANES):
        odd.lane[lane] = h.lane[lane] & NIBBLE_ONES
    return hand_held(&odd)


cdef inline kindset_t held_more(const hand_t* h, int n) noexcept nogil:
    """Kinds of which the hand holds more than `n` (1 .. 4)."""
    cdef hand_t more
    cdef int lane
    for lane in range(N_LANES):
        more.lane[lane] = ((h.lane[lane] + (7 - n) * NIBBLE_ONES) >> 3) & NIBBLE_ONES
    return hand_held(&more)


cdef inline bint is_seven_pairs(const hand_t* h, int n_jokers, bint quads) noexcept nogil:
    """Size with jokers is 14.  Jokers left over are pairs of their own; no kind is more than two pairs."""
    if held_more(h, 4 if quads else 2):
        return False
    return kindset_size(held_odd(h)) <= n_jokers


cdef inline bint is_seven_pairs_plain(const hand_t* h, bint quads) noexcept nogil:
    cdef lane_t wrong = (9 if quads else 0xD) * NIBBLE_ONES
    return ((h.lane[0] | h.lane[1] | h.lane[2] | h.lane[3]) & wrong) == 0


cdef inline kindset_t seven_pairs_waits(const hand_t* h, int n_jokers, bint quads) noexcept nogil:
    """Size with jokers is 13."""
    cdef kindset_t odd = held_odd(h), waits = 0
    cdef int n = kindset_size(odd)
    if not quads and held_more(h, 2):
        return 0
    if n - 1 <= n_jokers:
        waits = odd
    if n + 1 <= n_jokers:
        waits |= ALL_KINDS & ~(odd | (held_more(h, 3) if quads else held_more(h, 1)))
    return waits


cdef inline bint all_orphans(const hand_t* h) noexcept nogil:
    return ((h.lane[0] | h.lane[1] | h.lane[2]) & ~TERMINALS) == 0


cdef inline kindset_t orphan_kinds() noexcept nogil:
    return ((<kindset_t> 0x101) | (<kindset_t> 0x101) << 9 | (<kindset_t> 0x101) << 18
            | (<kindset_t> 0x7F) << FIRST_HONOR)


cdef inline bint is_thirteen_orphans(const hand_t* h) noexcept nogil:
    """Size with jokers is 14."""
    cdef kindset_t twice
    if not all_orphans(h):
        return False
    twice = held_more(h, 1)
    return (twice & (twice - 1)) == 0 and held_more(h, 2) == 0


cdef inline kindset_t thirteen_orphans_waits(const hand_t* h) noexcept nogil:
    """Size with jokers is 13."""
    cdef kindset_t twice
    if not is_thirteen_orphans(h):
        return 0
    twice = held_more(h, 1)
    return orphan_kinds() & ~hand_held(h) if twice else orphan_kinds()


cdef inline int pairs_distance(int n_pairs, int n_kinds) noexcept nogil:
    """Tiles to seven pairs, from the kinds held twice and all kinds held: one beside a single, two otherwise."""
    cdef int distance = 2 * N_PAIRS - n_pairs - (n_kinds if n_kinds < N_PAIRS else N_PAIRS)
    return distance if distance > 0 else 0


cdef inline kindset_t pairs_useful(kindset_t held, kindset_t twice, int n_pairs, int n_kinds) noexcept nogil:
    """Kinds that bring seven different pairs nearer: beside a single; a new kind where singles are too few."""
    if n_pairs >= N_PAIRS:
        return 0
    return ALL_KINDS & ~twice if n_kinds < N_PAIRS else held & ~twice


cdef inline int quads_distance(const hand_t* h) noexcept nogil:
    """As pairs_distance, four of a kind being two pairs."""
    cdef int n_pairs = kindset_size(held_more(h, 1)) + kindset_size(held_more(h, 3))
    return pairs_distance(n_pairs, n_pairs + kindset_size(held_odd(h)))


cdef inline kindset_t quads_useful(const hand_t* h) noexcept nogil:
    """As pairs_useful; a third copy begins a pair."""
    cdef kindset_t odd = held_odd(h)
    cdef int n_pairs = kindset_size(held_more(h, 1)) + kindset_size(held_more(h, 3))
    if n_pairs >= N_PAIRS:
        return 0
    return ALL_KINDS & ~held_more(h, 3) | odd if n_pairs + kindset_size(odd) < N_PAIRS else odd


cdef inline int orphans_held(const hand_t* h) noexcept nogil:
    """Different terminals and honors, and 1 if one of them is held twice.  The 13 nibbles are drawn into one word."""
    cdef lane_t ones = 0x1111111111111
    cdef lane_t x = ((h.lane[LANE_M] & TERMINALS) | (h.lane[LANE_S] & TERMINALS) << 4
                     | (h.lane[LANE_P] & TERMINALS) << 8)
    x = (x & 0xFFF) | (x >> 20 & 0xFFF000) | (h.lane[LANE_Z] & 0xFFFFFFF) << 24
    return <int> (((x | x >> 1 | x >> 2) & ones) * ones >> 48 & 0xF) + (x & ~ones != 0)


cdef inline int orphans_distance(int n_held) noexcept nogil:
    return N_ORPHANS + 1 - n_held


cdef inline kindset_t orphans_useful(kindset_t held, kindset_t twice) noexcept nogil:
    """The kinds that are missing; any of them while there is no pair.  None of a complete hand."""
    cdef kindset_t orphans = orphan_kinds()
    return orphans & ~held if twice & orphans else orphans


cdef inline kindset_t knitted_kinds(int order) noexcept nogil:
    """The nine kinds of one of the six knitted arrangements: 147, 258 and 369, one to each suit."""
    cdef int first = order // 2, second = (first + 1 + order % 2) % 3, third = 3 - first - second
    return ((<kindset_t> 0x49 << first) | (<kindset_t> 0x49 << (N_RANKS + second))
            | (<kindset_t> 0x49 << (2 * N_RANKS + third)))
