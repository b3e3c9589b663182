"""
The standard form where the suit tables do not reach: declared melds that use copies up, restricted eyes.

A lane that this touches is settled by dynamic programming and joins the others as a row of the ten
numbers of its profile.
"""

from mjcore.forms cimport rules_t
from mjcore.packed cimport (
    ALL_KINDS,
    LANE_Z,
    LAST_CHOW_INDEX,
    N_COPIES,
    N_HONORS,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    hand_add,
    hand_count,
    hand_full,
    hand_held,
    hand_sum,
    hand_t,
    kind_bit,
    kindset_t,
    lane_count,
    lane_held,
    lane_t,
    lane_tile,
    lowest_bit,
    uint8_t,
    uint64_t,
)
from mjcore.suit_tables cimport (
    FAR,
    N_PROFILE,
    PROFILE_EYES,
    add_profiles,
    distances_from,
    standard_distance,
    standard_useful,
    tables_t,
    walk_hand,
    walk_lane,
    walk_t,
)

# The ten numbers of a profile in one word, six bits each, the highest of them zero: the fewest tiles added for
# 0 .. 4 melds without eyes, then with them.
cdef extern from *:
    """
    #define MJCORE_TEN_ONES 0x041041041041041ULL        /* 1 in each of ten fields */
    #define MJCORE_TEN_HIGH 0x820820820820820ULL        /* the highest bit of each */
    #define MJCORE_TEN_FAR  (24 * MJCORE_TEN_ONES)      /* more than any suit needs; with MOST_ADDED it fits */
    #define MJCORE_TEN_HALF 0x3FFFFFFFULL               /* the five fields without eyes */
    static inline uint64_t mjcore_ten_min(uint64_t a, uint64_t b) {
        uint64_t ge = ((a | MJCORE_TEN_HIGH) - b) & MJCORE_TEN_HIGH;     /* a >= b, by field */
        uint64_t mask = (ge - (ge >> 5)) | ge;
        return a ^ ((a ^ b) & mask);
    }
    /* more melds: the fields of both halves move up, and what comes in from below is far */
    static inline uint64_t mjcore_ten_melds(uint64_t a, int n) {
        uint64_t low = ((1ULL << (6 * n)) - 1) * (1 | 1ULL << 30);
        return ((a & ~((low << (30 - 6 * n)))) << (6 * n)) | (MJCORE_TEN_FAR & low);
    }
    """
    const uint64_t TEN_ONES "MJCORE_TEN_ONES"
    const uint64_t TEN_FAR "MJCORE_TEN_FAR"
    const uint64_t TEN_HALF "MJCORE_TEN_HALF"
    uint64_t ten_min "mjcore_ten_min"(uint64_t a, uint64_t b) noexcept nogil
    uint64_t ten_melds "mjcore_ten_melds"(uint64_t a, int n) noexcept nogil

cdef enum:
    FIELD = 6
    EYES_SHIFT = 30
    TEN_NEVER = 24
    MAX_CHOWS = 2           # begun at one place: three equal chows are three pungs
    MOST_ADDED = 7          # at one place: four chows and the eyes need six, and a pung of new tiles can be elsewhere
    N_STATES = 9            # chows begun one place below (times 3) and two places below


cdef inline uint64_t ten_added(uint64_t numbers, int used, int count) noexcept nogil:
    """The numbers with what one place needs beyond the tiles held."""
    return numbers + TEN_ONES * <uint64_t> (used - count if used > count else 0)


cdef void lane_row(int lane, lane_t x, lane_t melded, unsigned int eyes, bint capped, int n_melds,
                   uint8_t* row) noexcept nogil:
    """
    D of one lane by dynamic programming over its places, with what the tables leave out.

    `eyes` holds the places where the eyes may be; `melded` the copies that are used up; more than
    `n_melds` melds are not asked for.
    """
    cdef uint64_t states[9]
    cdef uint64_t after[9]
    cdef uint64_t made, numbers
    cdef int index, chows, pungs, used, count, room, i, last, before, melds_left, most, target
    cdef int n_places = N_HONORS if lane == LANE_Z else N_RANKS
    for i in range(N_STATES):
        states[i] = TEN_FAR
    states[0] = TEN_FAR & ~<uint64_t> 0x3F
    for index in range(n_places):
        count = lane_count(x, index)
        room = N_COPIES - lane_count(melded, index) if capped else 3 * N_TILES_MAX
        for i in range(N_STATES):
            after[i] = TEN_FAR
        for last in range(MAX_CHOWS + 1):
            for before in range(MAX_CHOWS + 1):
                numbers = states[3 * last + before]
                melds_left = n_melds - last - before        # the chows begun are melds already
                if numbers == TEN_FAR or melds_left < 0:
                    continue
                most = 0
                if lane != LANE_Z and index <= LAST_CHOW_INDEX:
                    most = MAX_CHOWS if melds_left > MAX_CHOWS else melds_left
                for chows in range(most + 1):
                    target = 3 * chows + last
                    for pungs in range(melds_left - chows + 1):
                        used = last + before + chows + 3 * pungs
                        if used > room or used > count + MOST_ADDED:
                            break
                        made = ten_melds(ten_added(numbers, used, count), chows + pungs)
                        after[target] = ten_min(after[target], made)
                        if (eyes >> index) & 1 and used + 2 <= room and used + 2 <= count + MOST_ADDED:
                            made = ten_melds(ten_added(numbers, used + 2, count), chows + pungs)
                            made = (made & TEN_HALF) << EYES_SHIFT | TEN_FAR & TEN_HALF
                            after[target] = ten_min(after[target], made)
        for i in range(N_STATES):
            states[i] = ten_min(after[i], TEN_FAR)
    for i in range(N_PROFILE):
        row[i] = <uint8_t> (states[0] >> (FIELD * i)) & 0x3F
        if row[i] >= TEN_NEVER:
            row[i] = FAR        # no finished hand has it


cdef void add_rows(const uint8_t* left, const uint8_t* right, uint8_t* total) noexcept nogil:
    cdef int melds, part, a, best, best_eyes
    for melds in range(PROFILE_EYES):
        best = FAR
        best_eyes = FAR
        for part in range(melds + 1):
            a = left[part] + right[melds - part]
            best = a if a < best else best
            a = left[PROFILE_EYES + part] + right[melds - part]
            best_eyes = a if a < best_eyes else best_eyes
            a = left[part] + right[PROFILE_EYES + melds - part]
            best_eyes = a if a < best_eyes else best_eyes
        total[melds] = <uint8_t> best
        total[PROFILE_EYES + melds] = <uint8_t> best_eyes


cdef inline int row_distance(const uint8_t* left, const uint8_t* right, int n_melds) noexcept nogil:
    cdef int part, a, best = FAR
    for part in range(n_melds + 1):
        a = left[PROFILE_EYES + part] + right[n_melds - part]
        best = a if a < best else best
        a = left[part] + right[PROFILE_EYES + n_melds - part]
        best = a if a < best else best
    return best


cdef void any_row(const tables_t* t, int lane, lane_t x, const hand_t* melded, const rules_t* rules, bint capped,
                  int n_melds, uint8_t* row) noexcept nogil:
    cdef walk_t w
    cdef int i
    if lane_is_plain(lane, melded, rules.eyes, capped):
        walk_lane(t, lane, x, &w)
        for i in range(N_PROFILE):
            row[i] = t.profiles[w.profile * N_PROFILE + <unsigned int> i]
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


# --- melds that bind nothing -------------------------------------------------------------------

cdef int unbound_distance(const tables_t* t, const hand_t* h, const hand_t* melded, int n_melds,
                          walk_t* walks) noexcept nogil:
    """
    Distance by the tables where it holds in spite of the melds, or FAR.

    As `melds_bind`, for a kind that is useful but not needed beyond the room for it: say there is room for r copies
    and c are held.  If a finished hand nearest by the tables used more, the tables would call the hand with r + 1
    copies of it nearer by r + 1 - c tiles.  If they do so for no kind of the melds, every finished hand nearest by
    the tables is one that the melds allow.
    """
    cdef walk_t walk
    cdef int distance, lane, index, more
    cdef unsigned int others
    cdef unsigned int kinds
    walk_hand(t, h, walks)
    distance = standard_distance(t, walks, n_melds)
    for lane in range(N_LANES):
        kinds = lane_held(melded.lane[lane])
        if kinds == 0:
            continue
        others = add_profiles(t, walks[lane ^ 2].profile, walks[lane ^ 3].profile)
        others = add_profiles(t, walks[lane ^ 1].profile, others)
        while kinds:
            index = lowest_bit(kinds)
            kinds &= kinds - 1
            more = N_COPIES + 1 - lane_count(melded.lane[lane], index) - lane_count(h.lane[lane], index)
            if more > distance:
                continue
            walk_lane(t, lane, h.lane[lane] + <lane_t> more * lane_tile(index), &walk)
            if distances_from(t, others, n_melds)[walk.profile] >> 1 <= distance - more:
                return FAR
    return distance


cdef int standard_melded(const tables_t* t, const hand_t* h, const hand_t* melded, const rules_t* rules, bint capped,
                         int n_melds, kindset_t* useful) noexcept nogil:
    cdef walk_t walks[4]
    cdef walk_t unused[4]
    cdef hand_t drawn
    cdef hand_t held
    cdef kindset_t kinds
    cdef int distance = FAR, after, kind
    if rules.eyes == ALL_KINDS and capped and melded != NULL:
        if useful != NULL:
            walk_hand(t, h, walks)
            useful[0] = standard_useful(t, walks, n_melds)
            if not melds_bind(useful[0], hand_held(melded)):
                return standard_distance(t, walks, n_melds)
        distance = unbound_distance(t, h, melded, n_melds, walks)
    if distance == FAR:
        return standard_rows(t, h, melded, rules, capped, n_melds, useful)
    if useful == NULL:
        return distance
    # no kind is useful that is not so by the tables
    useful[0] = 0
    hand_sum(h, melded, &held)
    kinds = standard_useful(t, walks, n_melds) & ~hand_full(&held)
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        drawn = h[0]
        hand_add(&drawn, kind)
        after = unbound_distance(t, &drawn, melded, n_melds, unused)
        if after == FAR:
            after = standard_rows(t, &drawn, melded, rules, capped, n_melds, NULL)
        if after < distance:
            useful[0] |= kind_bit(kind)
    return distance
