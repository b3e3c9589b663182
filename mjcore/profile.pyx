"""
Suit profiles: how many tiles a hand is away from complete, from look-ups alone.

For one suit let D[p][m] be the fewest tiles to add so that m melds and p eyes stand; the ten
numbers are the suit's profile, and there are so few different ones that a profile is a byte.
Three look-ups, three ranks each, find a suit's profile; a square table adds two profiles; the
distance of the whole hand is D[1][n].  profile_tables.py makes the tables and says how.

Two readings of copies: in `CAPPED` no kind of the finished hand has more than four; `FREE` lets a
joker stand for a fifth.  Declared melds use copies up, and eyes may be restricted; a lane that
this touches is settled by dynamic programming and joins the others as a row of ten numbers.
"""

from mjcore.forms cimport (
    FORM_HONORS_AND_KNITTED,
    FORM_KNITTED_STRAIGHT,
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
    rules_t,
)
from mjcore.packed cimport (
    ALL_KINDS,
    FIRST_HONOR,
    HONOR_MASK,
    LANE_Z,
    LAST_CHOW_INDEX,
    N_COPIES,
    N_HONORS,
    N_JOKERS_MAX,
    N_KINDS,
    N_LANES,
    N_MELDS_MAX,
    N_RANKS,
    N_TILES_MAX,
    NIBBLE_ONES,
    SUIT_MASK,
    hand_add,
    hand_count,
    hand_full,
    hand_held,
    hand_remove,
    hand_size,
    hand_sum,
    hand_t,
    hand_take_all,
    kind_bit,
    kindset_size,
    kindset_t,
    lane_count,
    lane_held,
    lane_t,
    lane_tile,
    lowest_bit,
    uint8_t,
    uint64_t,
)
from mjcore.special_forms cimport (
    TERMINALS,
    held_more,
    held_odd,
    knitted_kinds,
    orphan_kinds,
    special_allowed,
)

from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.stdint cimport int8_t, uint16_t, uint32_t

cdef extern from "mjcore_profile_tables.h" nogil:
    ctypedef struct tables_t "mjcore_tables_t":
        const uint8_t* suit1
        const uint16_t* suit2
        const uint8_t* suit3
        const uint8_t* honors1
        const uint8_t* honors2
        const uint8_t* honors3
        const uint8_t* sums
        const uint8_t* profiles
        const uint8_t* distances
        int n_profiles
        int n_suit1
        int n_suit2
        int n_honors1
        int n_honors2

    const tables_t CAPPED "mjcore_capped"
    const tables_t FREE "mjcore_free"
    const uint32_t* CHUNKS "mjcore_chunks"

cdef enum:
    NUMBER_SHIFT = 25       # of an entry of CHUNKS: the chunk's number, above its sums
    STRIDE_BITS = 7         # a row of a step holds 128 chunks
    FAR = 64                # more tiles than any hand needs
    N_ROW = 10              # D[0][0..4], D[1][0..4]
    ROW_EYES = 5
    N_PAIRS = 7
    N_ORPHANS = 13
    N_KNITTED = 9


# --- walking the tables ------------------------------------------------------------------------

# The way through one lane: the chunk numbers and the states between.
cdef struct walk_t:
    unsigned int number[3]
    unsigned int state1
    unsigned int state2
    unsigned int profile


cdef inline void walk_suit(const tables_t* t, lane_t x, walk_t* w, uint32_t* sums) noexcept nogil:
    """Find a suit's profile and add up its tiles, kinds and pairs; any bits of `x` are safe."""
    cdef uint32_t low = CHUNKS[x & 0xFFF], middle = CHUNKS[(x >> 12) & 0xFFF], high = CHUNKS[(x >> 24) & 0xFFF]
    sums[0] += low + middle + high
    w.number[0] = low >> NUMBER_SHIFT
    w.number[1] = middle >> NUMBER_SHIFT
    w.number[2] = high >> NUMBER_SHIFT
    w.state1 = t.suit1[w.number[0]]
    w.state2 = t.suit2[w.state1 << STRIDE_BITS | w.number[1]]
    w.profile = t.suit3[w.state2 << STRIDE_BITS | w.number[2]]


cdef inline void walk_honors(const tables_t* t, lane_t x, walk_t* w, uint32_t* sums) noexcept nogil:
    cdef uint32_t low = CHUNKS[x & 0xFFF], middle = CHUNKS[(x >> 12) & 0xFFF], high = CHUNKS[(x >> 24) & 0xF]
    sums[0] += low + middle + high
    w.number[0] = low >> NUMBER_SHIFT
    w.number[1] = middle >> NUMBER_SHIFT
    w.number[2] = high >> NUMBER_SHIFT
    w.state1 = t.honors1[w.number[0]]
    w.state2 = t.honors2[w.state1 << STRIDE_BITS | w.number[1]]
    w.profile = t.honors3[w.state2 << STRIDE_BITS | w.number[2]]


cdef inline void walk_lane(const tables_t* t, int lane, lane_t x, walk_t* w, uint32_t* sums) noexcept nogil:
    if lane == LANE_Z:
        walk_honors(t, x, w, sums)
    else:
        walk_suit(t, x, w, sums)


cdef inline unsigned int add_profiles(const tables_t* t, unsigned int left, unsigned int right) noexcept nogil:
    return t.sums[left * <unsigned int> t.n_profiles + right]


cdef inline int n_melds_of(int size) noexcept nogil:
    """Melds of the complete hand, from 3n + 1 or 3n + 2 concealed tiles."""
    return (size * 43) >> 7 if size < 3 * N_MELDS_MAX else N_MELDS_MAX


cdef inline const uint8_t* distances_from(const tables_t* t, unsigned int others, int n_melds) noexcept nogil:
    """Distance of the hand by the profile of one lane, the others' profile given."""
    cdef unsigned int n = t.n_profiles
    return t.distances + (<unsigned int> n_melds * n + others) * n


cdef inline kindset_t suit_useful(const tables_t* t, const walk_t* w, unsigned int others, int n_melds,
                                  int distance) noexcept nogil:
    """Places where a tile brings the hand nearer, one bit each; a fifth copy gives any answer."""
    cdef const uint8_t* reached = distances_from(t, others, n_melds)
    cdef const uint8_t* third = t.suit3 + w.number[2]
    cdef const uint8_t* high = t.suit3 + (w.state2 << STRIDE_BITS | w.number[2])
    cdef const uint16_t* middle = t.suit2 + (w.state1 << STRIDE_BITS | w.number[1])
    cdef const uint16_t* second = t.suit2 + w.number[1]
    cdef const uint8_t* low = t.suit1 + w.number[0]
    cdef unsigned int useful
    useful = reached[third[second[low[1] << STRIDE_BITS] << STRIDE_BITS]] < distance
    useful |= <unsigned int> (reached[third[second[low[5] << STRIDE_BITS] << STRIDE_BITS]] < distance) << 1
    useful |= <unsigned int> (reached[third[second[low[25] << STRIDE_BITS] << STRIDE_BITS]] < distance) << 2
    useful |= <unsigned int> (reached[third[middle[1] << STRIDE_BITS]] < distance) << 3
    useful |= <unsigned int> (reached[third[middle[5] << STRIDE_BITS]] < distance) << 4
    useful |= <unsigned int> (reached[third[middle[25] << STRIDE_BITS]] < distance) << 5
    useful |= <unsigned int> (reached[high[1]] < distance) << 6
    useful |= <unsigned int> (reached[high[5]] < distance) << 7
    useful |= <unsigned int> (reached[high[25]] < distance) << 8
    return useful


cdef inline kindset_t honors_useful(const tables_t* t, const walk_t* w, unsigned int others, int n_melds,
                                    int distance) noexcept nogil:
    """As suit_useful; the last chunk holds one kind."""
    cdef const uint8_t* reached = distances_from(t, others, n_melds)
    cdef const uint8_t* third = t.honors3 + w.number[2]
    cdef const uint8_t* middle = t.honors2 + (w.state1 << STRIDE_BITS | w.number[1])
    cdef const uint8_t* second = t.honors2 + w.number[1]
    cdef const uint8_t* low = t.honors1 + w.number[0]
    cdef unsigned int useful
    useful = reached[third[second[low[1] << STRIDE_BITS] << STRIDE_BITS]] < distance
    useful |= <unsigned int> (reached[third[second[low[5] << STRIDE_BITS] << STRIDE_BITS]] < distance) << 1
    useful |= <unsigned int> (reached[third[second[low[25] << STRIDE_BITS] << STRIDE_BITS]] < distance) << 2
    useful |= <unsigned int> (reached[third[middle[1] << STRIDE_BITS]] < distance) << 3
    useful |= <unsigned int> (reached[third[middle[5] << STRIDE_BITS]] < distance) << 4
    useful |= <unsigned int> (reached[third[middle[25] << STRIDE_BITS]] < distance) << 5
    useful |= <unsigned int> (reached[third[(w.state2 << STRIDE_BITS) + 1]] < distance) << 6
    return useful


cdef inline int standard_tables(const tables_t* t, const hand_t* h, int n_jokers, uint32_t* sums,
                                kindset_t* useful) noexcept nogil:
    """Distance of the standard form, and the kinds that lower it if `useful` is not NULL."""
    cdef walk_t m, s, p, z
    cdef unsigned int ms, pz
    cdef int distance, n_melds
    walk_suit(t, h.lane[0], &m, sums)
    walk_suit(t, h.lane[1], &s, sums)
    walk_suit(t, h.lane[2], &p, sums)
    walk_honors(t, h.lane[3], &z, sums)
    ms = add_profiles(t, m.profile, s.profile)
    pz = add_profiles(t, p.profile, z.profile)
    n_melds = n_melds_of(<int> (sums[0] & 0xFF) + n_jokers)
    distance = distances_from(t, ms, n_melds)[pz]
    if useful != NULL:
        useful[0] = (
            suit_useful(t, &m, add_profiles(t, s.profile, pz), n_melds, distance)
            | suit_useful(t, &s, add_profiles(t, m.profile, pz), n_melds, distance) << 9
            | suit_useful(t, &p, add_profiles(t, z.profile, ms), n_melds, distance) << 18
            | honors_useful(t, &z, add_profiles(t, p.profile, ms), n_melds, distance) << 27)
    return distance


# --- lanes the tables do not cover -------------------------------------------------------------

# Five bytes of a word: the fewest tiles added for 0 .. 4 melds.  Bytes stay below 128, so that a
# byte-wise minimum needs one borrow-free subtraction.
cdef extern from *:
    """
    #define MJCORE_ROW_FAR  0x4040404040ULL
    #define MJCORE_ROW_ONES 0x0101010101ULL
    #define MJCORE_ROW_HIGH 0x8080808080ULL
    static inline uint64_t mjcore_row_min(uint64_t a, uint64_t b) {
        uint64_t ge = ((a | MJCORE_ROW_HIGH) - b) & MJCORE_ROW_HIGH;     /* a >= b, by byte */
        uint64_t mask = (ge - (ge >> 7)) | ge;
        return (b & mask) | (a & ~mask);
    }
    /* more melds: the bytes move up, and what comes in from below is far */
    static inline uint64_t mjcore_row_melds(uint64_t a, int n) {
        return ((a << (8 * n)) | (MJCORE_ROW_FAR & ((1ULL << (8 * n)) - 1))) & 0xFFFFFFFFFFULL;
    }
    """
    const uint64_t ROW_FAR "MJCORE_ROW_FAR"
    const uint64_t ROW_ONES "MJCORE_ROW_ONES"
    uint64_t row_min "mjcore_row_min"(uint64_t a, uint64_t b) noexcept nogil
    uint64_t row_melds "mjcore_row_melds"(uint64_t a, int n) noexcept nogil


cdef void lane_row(int lane, lane_t x, lane_t melded, unsigned int eyes, bint capped, int n_melds,
                   uint8_t* row) noexcept nogil:
    """
    D of one lane by dynamic programming over its places, with what the tables leave out.

    `eyes` holds the places where the eyes may be; `melded` the copies that are used up; more than
    `n_melds` melds are not asked for.
    """
    cdef uint64_t without[9]        # by chows begun one place (times 3) and two places below
    cdef uint64_t with_eyes[9]
    cdef uint64_t next_without[9]
    cdef uint64_t next_with[9]
    cdef uint64_t moved
    cdef int index, chows, pungs, used, count, room, i, last, before, after
    cdef int n_places = N_HONORS if lane == LANE_Z else N_RANKS
    for i in range(9):
        without[i] = ROW_FAR
        with_eyes[i] = ROW_FAR
    without[0] = ROW_FAR & ~<uint64_t> 0xFF
    for index in range(n_places):
        count = lane_count(x, index)
        room = N_COPIES - lane_count(melded, index) if capped else 3 * N_TILES_MAX
        for i in range(9):
            next_without[i] = ROW_FAR
            next_with[i] = ROW_FAR
        for i in range(9):
            if without[i] == ROW_FAR and with_eyes[i] == ROW_FAR:
                continue
            last = i // 3
            before = i % 3
            for chows in range(3 if lane != LANE_Z and index <= LAST_CHOW_INDEX else 1):
                after = 3 * chows + last
                for pungs in range(n_melds + 1 - chows):
                    used = last + before + chows + 3 * pungs
                    if used > room:
                        break
                    moved = ROW_ONES * <uint64_t> (used - count if used > count else 0)
                    next_without[after] = row_min(next_without[after], row_melds(without[i] + moved, chows + pungs))
                    next_with[after] = row_min(next_with[after], row_melds(with_eyes[i] + moved, chows + pungs))
                    used += 2
                    if (eyes >> index) & 1 and used <= room:
                        moved = ROW_ONES * <uint64_t> (used - count if used > count else 0)
                        next_with[after] = row_min(next_with[after], row_melds(without[i] + moved, chows + pungs))
        for i in range(9):
            without[i] = row_min(next_without[i], ROW_FAR)
            with_eyes[i] = row_min(next_with[i], ROW_FAR)
    for i in range(ROW_EYES):
        row[i] = <uint8_t> (without[0] >> (8 * i))
        row[ROW_EYES + i] = <uint8_t> (with_eyes[0] >> (8 * i))


cdef void add_rows(const uint8_t* left, const uint8_t* right, uint8_t* total) noexcept nogil:
    cdef int melds, part, a, best, best_eyes
    for melds in range(ROW_EYES):
        best = FAR
        best_eyes = FAR
        for part in range(melds + 1):
            a = left[part] + right[melds - part]
            best = a if a < best else best
            a = left[ROW_EYES + part] + right[melds - part]
            best_eyes = a if a < best_eyes else best_eyes
            a = left[part] + right[ROW_EYES + melds - part]
            best_eyes = a if a < best_eyes else best_eyes
        total[melds] = <uint8_t> best
        total[ROW_EYES + melds] = <uint8_t> best_eyes


cdef inline int row_distance(const uint8_t* left, const uint8_t* right, int n_melds) noexcept nogil:
    cdef int part, a, best = FAR
    for part in range(n_melds + 1):
        a = left[ROW_EYES + part] + right[n_melds - part]
        best = a if a < best else best
        a = left[part] + right[ROW_EYES + n_melds - part]
        best = a if a < best else best
    return best


cdef inline bint lane_is_plain(int lane, const hand_t* melded, kindset_t eyes, bint capped) noexcept nogil:
    """Whether the tables cover a lane."""
    cdef kindset_t kinds = <kindset_t> (0x7F if lane == LANE_Z else 0x1FF) << (N_RANKS * lane)
    return eyes & kinds == kinds and (not capped or melded == NULL or melded.lane[lane] == 0)


cdef void any_row(const tables_t* t, int lane, lane_t x, const hand_t* melded, const rules_t* rules, bint capped,
                  int n_melds, uint8_t* row) noexcept nogil:
    cdef walk_t w
    cdef uint32_t sums = 0
    cdef int i
    if lane_is_plain(lane, melded, rules.eyes, capped):
        walk_lane(t, lane, x, &w, &sums)
        for i in range(N_ROW):
            row[i] = t.profiles[w.profile * N_ROW + <unsigned int> i]
    else:
        lane_row(lane, x, melded.lane[lane] if melded else 0,
                 <unsigned int> (rules.eyes >> (N_RANKS * lane)) & 0x1FF, capped, n_melds, row)


cdef int standard_rows(const tables_t* t, const hand_t* h, const hand_t* melded, const rules_t* rules, bint capped,
                       int n_melds, kindset_t* useful) noexcept nogil:
    """Distance of the standard form with melds or restricted eyes, and the kinds that lower it."""
    cdef uint8_t rows[4][10]
    cdef uint8_t ms[10]
    cdef uint8_t pz[10]
    cdef uint8_t others[10]
    cdef uint8_t tried[10]
    cdef hand_t drawn
    cdef int lane, index, kind, distance
    for lane in range(N_LANES):
        any_row(t, lane, h.lane[lane], melded, rules, capped, n_melds, rows[lane])
    add_rows(rows[0], rows[1], ms)
    add_rows(rows[2], rows[3], pz)
    distance = row_distance(ms, pz, n_melds)
    if useful == NULL:
        return distance
    useful[0] = 0
    for lane in range(N_LANES):
        if lane < 2:
            add_rows(rows[lane ^ 1], pz, others)
        else:
            add_rows(rows[lane ^ 1], ms, others)
        for index in range(N_HONORS if lane == LANE_Z else N_RANKS):
            kind = N_RANKS * lane + index
            if hand_count(h, kind) + (hand_count(melded, kind) if melded else 0) >= N_COPIES:
                continue
            drawn = h[0]
            hand_add(&drawn, kind)
            any_row(t, lane, drawn.lane[lane], melded, rules, capped, n_melds, tried)
            if row_distance(tried, others, n_melds) < distance:
                useful[0] |= kind_bit(kind)
    return distance


# --- the other forms ---------------------------------------------------------------------------

cdef inline int pairs_distance(int n_pairs, int n_singles) noexcept nogil:
    """A pair more costs one tile beside a single, two otherwise."""
    cdef int missing = N_PAIRS - n_pairs
    if missing <= 0:
        return 0
    return 2 * missing - (n_singles if n_singles < missing else missing)


cdef int seven_pairs_distance(const hand_t* h, bint quads, kindset_t* useful) noexcept nogil:
    """Sizes 13 and 14, with the jokers."""
    cdef kindset_t odd, single, held = hand_held(h)
    cdef int n_pairs, distance
    if quads:
        single = held_odd(h)
        n_pairs = kindset_size(held_more(h, 1)) + kindset_size(held_more(h, 3))
    else:
        single = held & ~held_more(h, 1)
        n_pairs = kindset_size(held_more(h, 1))
    distance = pairs_distance(n_pairs, kindset_size(single))
    if useful:
        useful[0] = 0
        if distance:
            useful[0] = single
            if kindset_size(single) < N_PAIRS - n_pairs:
                # a new kind begins a pair; with quads so does a third copy
                odd = held_more(h, 3) | single
                useful[0] = ALL_KINDS & ~odd | single if quads else single | (ALL_KINDS & ~held)
    return distance


cdef inline int thirteen_orphans_distance(const hand_t* h) noexcept nogil:
    """Sizes 13 and 14, with the jokers: kinds counted nibble by nibble, at most 13 in all."""
    cdef lane_t m = h.lane[0], s = h.lane[1], p = h.lane[2], z = h.lane[3], kinds, twice
    cdef lane_t ends = TERMINALS & NIBBLE_ONES
    kinds = (((m | m >> 1 | m >> 2) & ends) + ((s | s >> 1 | s >> 2) & ends) + ((p | p >> 1 | p >> 2) & ends)
             + ((z | z >> 1 | z >> 2) & NIBBLE_ONES))
    twice = ((m | s | p) & ends << 1) | ((m | s | p) & ends << 2) | (z & ~NIBBLE_ONES)
    return N_ORPHANS + 1 - <int> ((kinds * NIBBLE_ONES) >> 32 & 0xF) - (twice != 0)


cdef kindset_t thirteen_orphans_useful(const hand_t* h) noexcept nogil:
    """The kinds that are missing; any of them while there is no pair.  None of a complete hand."""
    cdef kindset_t orphans = orphan_kinds()
    return orphans & ~hand_held(h) if held_more(h, 1) & orphans else orphans


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
    cdef uint32_t sums = 0
    cdef walk_t w[4]
    cdef int kind, lane, room, held, cost, best = 2 * N_COPIES
    while left:
        kind = lowest_bit(left)
        left &= left - 1
        hand_remove(&rest, kind)
    if n_melds:
        for lane in range(N_LANES):
            walk_lane(&CAPPED, lane, rest.lane[lane], &w[lane], &sums)
        return distances_from(&CAPPED, add_profiles(&CAPPED, w[0].profile, w[1].profile), 1)[
            add_profiles(&CAPPED, w[2].profile, w[3].profile)]
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


# --- the whole hand ----------------------------------------------------------------------------

cdef inline int keep_least(int distance, int other, kindset_t* useful, kindset_t more) noexcept nogil:
    """The nearer of two forms; kinds that serve either at that distance."""
    if other < distance:
        if useful:
            useful[0] = more
        return other
    if useful != NULL and other == distance:
        useful[0] |= more
    return distance


cdef inline int hand_distance(const tables_t* t, const hand_t* h, int n_jokers, uint32_t* all_sums,
                              kindset_t* useful) noexcept nogil:
    """Tiles to add under the default rules, what the jokers stand for among them."""
    cdef uint32_t sums = 0
    cdef kindset_t more = 0
    cdef int distance = standard_tables(t, h, n_jokers, &sums, useful)
    cdef int size = <int> (sums & 0xFF) + n_jokers, n_kinds, n_pairs, pairs, orphans
    all_sums[0] = sums
    if size < N_TILES_MAX - 1:
        return distance if size % 3 else FAR
    n_kinds = (sums >> 8) & 0x3F
    n_pairs = (sums >> 14) & 0x3F
    pairs = pairs_distance(n_pairs, n_kinds - n_pairs)
    orphans = thirteen_orphans_distance(h)
    if useful == NULL:
        distance = pairs if pairs < distance else distance
        return orphans if orphans < distance else distance
    if pairs <= distance:
        seven_pairs_distance(h, False, &more)
        distance = keep_least(distance, pairs, useful, more)
    if orphans <= distance:
        distance = keep_least(distance, orphans, useful, thirteen_orphans_useful(h))
    return distance


cdef inline int default_shanten(const hand_t* h, int n_jokers, kindset_t* useful) noexcept nogil:
    cdef int distance
    cdef uint32_t sums
    if n_jokers:
        distance = hand_distance(&FREE, h, n_jokers, &sums, useful)
    else:
        distance = hand_distance(&CAPPED, h, 0, &sums, useful)
    if distance >= FAR:
        if useful != NULL:
            useful[0] = 0
        return SHANTEN_NONE
    if useful != NULL:
        useful[0] = useful[0] & ~hand_full(h) if distance > n_jokers else 0
    return distance - n_jokers - 1


cdef int hand_shanten(const hand_t* h, int n_jokers) noexcept nogil:
    return default_shanten(h, n_jokers, NULL)


cdef int hand_useful(const hand_t* h, int n_jokers, kindset_t* useful) noexcept nogil:
    return default_shanten(h, n_jokers, useful)


cdef kindset_t hand_waits(const hand_t* h, int n_jokers) noexcept nogil:
    cdef kindset_t waits
    if default_shanten(h, n_jokers, NULL) != 0 or (hand_size(h) + n_jokers) % 3 != 1:
        return 0
    default_shanten(h, n_jokers, &waits)
    return waits


cdef inline void profiles_with_tile(const tables_t* t, int lane, const walk_t* w, uint8_t* profiles) noexcept nogil:
    """The profile of a lane with one tile more, by the place of the tile; a fifth copy gives any answer."""
    cdef const uint8_t* third
    cdef const uint8_t* last
    cdef int step, i
    if lane == LANE_Z:
        third = t.honors3 + w.number[2]
        for i in range(3):
            step = 1 if i == 0 else 5 if i == 1 else 25
            profiles[i] = third[t.honors2[<unsigned int> t.honors1[w.number[0] + step] << STRIDE_BITS | w.number[1]]
                                << STRIDE_BITS]
            profiles[3 + i] = third[t.honors2[(w.state1 << STRIDE_BITS) + w.number[1] + step] << STRIDE_BITS]
        profiles[6] = third[(w.state2 << STRIDE_BITS) + 1]
        return
    third = t.suit3 + w.number[2]
    last = t.suit3 + (w.state2 << STRIDE_BITS)
    for i in range(3):
        step = 1 if i == 0 else 5 if i == 1 else 25
        profiles[i] = third[<unsigned int> t.suit2[<unsigned int> t.suit1[w.number[0] + step] << STRIDE_BITS
                                                   | w.number[1]] << STRIDE_BITS]
        profiles[3 + i] = third[<unsigned int> t.suit2[(w.state1 << STRIDE_BITS) + w.number[1] + step] << STRIDE_BITS]
        profiles[6 + i] = last[w.number[2] + step]


cdef inline kindset_t reaching(const tables_t* t, const uint8_t* profiles, int n_places, unsigned int others,
                               int n_melds, int distance) noexcept nogil:
    """Places whose profile brings the hand below a distance."""
    cdef const uint8_t* reached = distances_from(t, others, n_melds)
    cdef kindset_t useful = 0
    cdef int i
    for i in range(n_places):
        useful |= <kindset_t> (reached[profiles[i]] < distance) << i
    return useful


cdef inline void standard_discards(const tables_t* t, const hand_t* h, int n_jokers, int8_t* distance,
                                   kindset_t* useful) noexcept nogil:
    """
    Distance and useful kinds of the standard form for each kind let go.

    Only one lane of the four is walked again for each.
    """
    cdef walk_t walks[4]
    cdef walk_t walk
    cdef uint8_t with_tile[4][9]
    cdef uint8_t changed[9]
    cdef unsigned int pair[4]       # profile of the lane and its partner: m s, p z
    cdef unsigned int others, partner
    cdef uint32_t sums = 0, unused = 0
    cdef int lane, index, other, n_melds, kind, n_places
    cdef unsigned int held
    for lane in range(N_LANES):
        walk_lane(t, lane, h.lane[lane], &walks[lane], &sums)
        profiles_with_tile(t, lane, &walks[lane], with_tile[lane])
    n_melds = n_melds_of(<int> (sums & 0xFF) + n_jokers - 1)
    for lane in range(N_LANES):
        pair[lane] = add_profiles(t, walks[lane].profile, walks[lane ^ 1].profile)
    for lane in range(N_LANES):
        others = add_profiles(t, walks[lane ^ 1].profile, pair[lane ^ 2])
        held = lane_held(h.lane[lane])
        n_places = N_HONORS if lane == LANE_Z else N_RANKS
        while held:
            index = lowest_bit(held)
            held &= held - 1
            kind = N_RANKS * lane + index
            walk_lane(t, lane, h.lane[lane] - lane_tile(index), &walk, &unused)
            profiles_with_tile(t, lane, &walk, changed)
            distance[kind] = distances_from(t, others, n_melds)[walk.profile]
            useful[kind] = reaching(t, changed, n_places, others, n_melds, distance[kind]) << (N_RANKS * lane)
            partner = add_profiles(t, walk.profile, walks[lane ^ 1].profile)
            for other in range(N_LANES):
                if other == lane:
                    continue
                useful[kind] |= reaching(
                    t, with_tile[other], N_HONORS if other == LANE_Z else N_RANKS,
                    add_profiles(t, walk.profile, pair[lane ^ 2]) if other == lane ^ 1
                    else add_profiles(t, walks[other ^ 1].profile, partner),
                    n_melds, distance[kind]) << (N_RANKS * other)


cdef void hand_discards(const hand_t* h, int n_jokers, int8_t* shanten, kindset_t* useful) noexcept nogil:
    cdef hand_t rest
    cdef kindset_t held = hand_held(h), full = hand_full(h), more
    cdef int kind, count, other, size = hand_size(h) + n_jokers - 1
    cdef int n_kinds = kindset_size(held), n_pairs = kindset_size(held_more(h, 1))
    for kind in range(N_KINDS):
        shanten[kind] = SHANTEN_NONE
        useful[kind] = 0
    if size % 3 == 0:
        return
    standard_discards(&FREE if n_jokers else &CAPPED, h, n_jokers, shanten, useful)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        count = hand_count(h, kind)
        if size == N_TILES_MAX - 1:
            rest = h[0]
            hand_remove(&rest, kind)
            other = pairs_distance(n_pairs - (count == 2), n_kinds - (count == 1) - n_pairs + (count == 2))
            if other <= shanten[kind]:
                seven_pairs_distance(&rest, False, &more)
                shanten[kind] = <int8_t> keep_least(shanten[kind], other, &useful[kind], more)
            other = thirteen_orphans_distance(&rest)
            if other <= shanten[kind]:
                shanten[kind] = <int8_t> keep_least(shanten[kind], other, &useful[kind], thirteen_orphans_useful(&rest))
        useful[kind] &= ~(full & ~kind_bit(kind))
        shanten[kind] -= n_jokers + 1


cdef int shanten_sized(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules, int size,
                       kindset_t* useful) noexcept nogil:
    """As hand_shanten_rules, of a hand of `size` tiles or one more; the joker kind is not among the useful."""
    cdef hand_t naturals
    cdef kindset_t more = 0
    cdef kindset_t* wanted = &more if useful else NULL
    cdef int n_all = n_jokers + hand_take_all(h, rules.joker_kind, &naturals)
    cdef int distance = FAR, n_melds = n_melds_of(size), lane, n_special = n_all
    cdef bint capped = n_all == 0 or not rules.joker_fifth_copy, plain
    cdef const tables_t* t = &CAPPED if capped else &FREE
    cdef uint32_t sums = 0
    if useful:
        useful[0] = 0
    if rules.forms & FORM_STANDARD:
        plain = hand_size(&naturals) + n_all == size
        for lane in range(N_LANES):
            plain = plain and lane_is_plain(lane, melded, rules.eyes, capped)
        if plain and capped:
            distance = standard_tables(&CAPPED, &naturals, n_all, &sums, useful)
        elif plain:
            distance = standard_tables(&FREE, &naturals, n_all, &sums, useful)
        else:
            distance = standard_rows(t, &naturals, melded, rules, capped, n_melds, useful)
    if distance < FAR:
        distance -= n_all           # from here on without the jokers
    if not special_allowed(n_all, rules) and n_jokers == 0:
        naturals = h[0]             # copies of the joker kind may still stand as themselves
        n_special = 0
    if size >= N_TILES_MAX - 1 and special_allowed(n_special, rules):
        if rules.forms & FORM_SEVEN_PAIRS:
            lane = seven_pairs_distance(&naturals, rules.seven_pairs_quads, wanted) - n_special
            distance = keep_least(distance, lane, useful, more)
        if rules.forms & FORM_THIRTEEN_ORPHANS:
            distance = keep_least(distance, thirteen_orphans_distance(&naturals) - n_special, useful,
                                  thirteen_orphans_useful(&naturals) if useful else 0)
        if rules.forms & FORM_HONORS_AND_KNITTED and n_all == 0:
            lane = honors_and_knitted_distance(&naturals, wanted)
            distance = keep_least(distance, lane, useful, more)
    if rules.forms & FORM_KNITTED_STRAIGHT and n_all == 0 and size >= N_KNITTED + 1:
        lane = knitted_straight_distance(&naturals, melded, n_melds - 3, wanted)
        distance = keep_least(distance, lane, useful, more)
    return distance - 1


cdef int hand_shanten_rules(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules,
                            kindset_t* useful) noexcept nogil:
    cdef hand_t held = h[0]
    cdef hand_t drawn
    cdef int shanten, size = hand_size(h) + n_jokers
    if useful:
        useful[0] = 0
    if size % 3 == 0:
        return SHANTEN_NONE
    shanten = shanten_sized(h, melded, n_jokers, rules, size, useful)
    if shanten >= FAR - 1 - N_JOKERS_MAX:
        if useful:
            useful[0] = 0
        return SHANTEN_NONE
    if useful:
        if melded:
            hand_sum(h, melded, &held)
        if rules.joker_kind >= 0:
            useful[0] &= ~kind_bit(rules.joker_kind)
            if hand_count(&held, rules.joker_kind) < N_COPIES:
                drawn = h[0]
                hand_add(&drawn, rules.joker_kind)
                if shanten_sized(&drawn, melded, n_jokers, rules, size, NULL) < shanten:
                    useful[0] |= kind_bit(rules.joker_kind)
        useful[0] = useful[0] & ~hand_full(&held) if shanten >= 0 else 0
    return shanten


# --- blocks of hands ---------------------------------------------------------------------------

cdef inline bint sums_are_bad(const hand_t* h, uint32_t sums, int n_jokers) noexcept nogil:
    """Whether what walked through the tables was no hand."""
    return (((h.lane[0] | h.lane[1] | h.lane[2]) & ~SUIT_MASK) | (h.lane[3] & ~HONOR_MASK) | (sums >> 20 & 0x1F)) != 0 \
        or <int> (sums & 0xFF) + n_jokers > N_TILES_MAX


cdef inline Py_ssize_t distance_block(const tables_t* t, const hand_t* hands, Py_ssize_t n, const uint8_t* jokers,
                                      Py_ssize_t step, bint ask_hu, uint8_t* out) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint32_t sums
    cdef int distance, n_jokers
    for i in range(n):
        n_jokers = jokers[i * step]
        if t != NULL:
            distance = hand_distance(t, &hands[i], n_jokers, &sums, NULL)
        elif n_jokers:
            distance = hand_distance(&FREE, &hands[i], n_jokers, &sums, NULL)
        else:
            distance = hand_distance(&CAPPED, &hands[i], 0, &sums, NULL)
        if sums_are_bad(&hands[i], sums, n_jokers):
            return i
        if ask_hu:
            out[i] = distance == n_jokers
        elif distance >= FAR:
            return i
        else:
            out[i] = <uint8_t> (distance - n_jokers - 1)
    return n


cdef Py_ssize_t shanten_block(const hand_t* hands, Py_ssize_t n, const uint8_t* jokers, Py_ssize_t step, bint ask_hu,
                              uint8_t* out) noexcept nogil:
    if step:
        return distance_block(NULL, hands, n, jokers, step, ask_hu, out)
    if jokers[0]:
        return distance_block(&FREE, hands, n, jokers, 0, ask_hu, out)
    if ask_hu:
        return distance_block(&CAPPED, hands, n, jokers, 0, True, out)
    return distance_block(&CAPPED, hands, n, jokers, 0, False, out)


cdef Py_ssize_t waits_block(const hand_t* hands, Py_ssize_t n, const uint8_t* jokers, Py_ssize_t step,
                            kindset_t* out) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint32_t sums
    cdef int distance, n_jokers
    for i in range(n):
        n_jokers = jokers[i * step]
        distance = hand_distance(&FREE if n_jokers else &CAPPED, &hands[i], n_jokers, &sums, NULL)
        if sums_are_bad(&hands[i], sums, n_jokers):
            return i
        out[i] = 0
        if distance == n_jokers + 1 and (<int> (sums & 0xFF) + n_jokers) % 3 == 1:
            default_shanten(&hands[i], n_jokers, &out[i])
    return n


# --- the tables as data ------------------------------------------------------------------------

def table_memory(str reading, /):
    """
    Return the arrays of one reading by name: read-only memory, type code and shape.

    `profile_arrays.tables` describes them.
    """
    cdef const tables_t* t
    if reading == "capped":
        t = &CAPPED
    elif reading == "free":
        t = &FREE
    else:
        raise ValueError(f"expected a reading of capped or free, got {reading!r}")
    cdef Py_ssize_t n = t.n_profiles
    cdef Py_ssize_t stride = 1 << STRIDE_BITS
    return {
        "chunks": (read_only(CHUNKS, 4 << 12), "I", (1 << 12,)),
        "suit1": (read_only(t.suit1, stride), "B", (stride,)),
        "suit2": (read_only(t.suit2, 2 * t.n_suit1 * stride), "H", (t.n_suit1, stride)),
        "suit3": (read_only(t.suit3, t.n_suit2 * stride), "B", (t.n_suit2, stride)),
        "honors1": (read_only(t.honors1, stride), "B", (stride,)),
        "honors2": (read_only(t.honors2, t.n_honors1 * stride), "B", (t.n_honors1, stride)),
        "honors3": (read_only(t.honors3, t.n_honors2 * stride), "B", (t.n_honors2, stride)),
        "sums": (read_only(t.sums, n * n), "B", (n, n)),
        "profiles": (read_only(t.profiles, n * N_ROW), "B", (n, 2, ROW_EYES)),
        "distances": (read_only(t.distances, ROW_EYES * n * n), "B", (ROW_EYES, n, n)),
    }


cdef object read_only(const void* memory, Py_ssize_t size):
    """Constant memory of the module as a memoryview that refuses to be written to."""
    return PyMemoryView_FromMemory(<char*> memory, size, PyBUF_READ)
