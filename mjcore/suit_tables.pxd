# The suit-profile tables and the way through them: three look-ups find a suit's profile.
#
# For one suit let D[p][m] be the fewest tiles to add so that m melds and p eyes stand; the ten
# numbers are the suit's profile, and there are so few different ones that a profile is a byte.
# A square table adds two profiles; the distance of the whole hand is D[1][n].  profile_tables.py
# makes the tables and says how; suit_tables.pyx holds them.

from libc.stdint cimport int32_t, uint16_t, uint32_t
from mjcore.packed cimport (
    LANE_M,
    LANE_P,
    LANE_S,
    LANE_Z,
    N_MELDS_MAX,
    N_RANKS,
    hand_t,
    kindset_t,
    lane_t,
    lowest_bit,
    uint8_t,
    uint64_t,
)

cdef enum:
    CAPPED = 0              # readings: no kind of the finished hand has more than four copies,
    FREE = 1                # or a joker may stand for a fifth
    BAD_SHIFT = 20          # of an entry of `chunks`: 1 if a count is above four; the sum of twelve has five bits
    NUMBER_SHIFT = 25       # and the chunk's number, above all that is added up
    STRIDE_BITS = 7         # a row of a step holds 128 chunks
    ROW = 192               # a row of a square table
    N_PROFILES_MAX = 180
    N_PROFILE = 10          # D[0][0..4], D[1][0..4]
    PROFILE_EYES = 5
    FAR = 64                # more tiles than any hand needs
    WIN_SUIT1 = 160         # entries of the tables of suits that split
    WIN_SUIT2 = 4512
    WIN_SUIT3 = 7200
    WIN_HONORS1 = 160
    WIN_HONORS2 = 416
    WIN_HONORS3 = 416

# One reading; both have the same layout, so that a reading is a pointer.
ctypedef struct tables_t:
    uint64_t own[360]               # D[0], D[1] of each profile, five numbers to a word
    uint64_t rest[1800]             # by melds and profile of the rest: what it adds to those numbers
    uint32_t chunks[4096]
    uint16_t suit2[14112]
    uint8_t suit1[160]
    uint8_t honors1[160]
    uint8_t honors2[3744]
    uint8_t honors3[7072]
    uint8_t suit3[142496]
    uint8_t sums[34560]
    uint8_t profiles[1800]
    uint8_t distances[172800]       # twice the distance, plus 1 if the second profile wants a tile
    int32_t n_profiles
    int32_t n_suit1
    int32_t n_suit2
    int32_t n_honors1
    int32_t n_honors2

cdef const tables_t* TABLES         # [CAPPED], [FREE]; set at import

# Whether a suit without jokers splits into melds, or melds and eyes.  A state is the place of its row.
ctypedef struct wins_t:
    uint16_t suit1[WIN_SUIT1]
    uint16_t suit2[WIN_SUIT2]
    uint8_t suit3[WIN_SUIT3]
    uint16_t honors1[WIN_HONORS1]
    uint16_t honors2[WIN_HONORS2]
    uint8_t honors3[WIN_HONORS3]

cdef const wins_t* WINS

cdef uint8_t HELD[128]              # by the number of a chunk: which of its three ranks are held
cdef unsigned int TILE_NUMBERS[9]   # by place: a tile in the chunk numbers of its lane, a byte each

# The way through one lane: the chunk numbers and the states between.
ctypedef struct walk_t:
    unsigned int number[3]
    unsigned int state1
    unsigned int state2
    unsigned int profile


cdef inline void walk_numbers(const tables_t* t, bint honors, walk_t* w) noexcept nogil:
    """Fill in states and profile, given the chunk numbers."""
    if honors:
        w.state1 = t.honors1[w.number[0]]
        w.state2 = t.honors2[w.state1 << STRIDE_BITS | w.number[1]]
        w.profile = t.honors3[w.state2 << STRIDE_BITS | w.number[2]]
    else:
        w.state1 = t.suit1[w.number[0]]
        w.state2 = t.suit2[w.state1 << STRIDE_BITS | w.number[1]]
        w.profile = t.suit3[w.state2 << STRIDE_BITS | w.number[2]]


cdef inline unsigned int split_sum(const uint8_t* number) noexcept nogil:
    """What the four lanes add up to by their chunk numbers: 1 where the hand is complete in the standard form."""
    cdef const wins_t* w = WINS
    return (<unsigned int> w.suit3[w.suit2[w.suit1[number[0]] + number[1]] + number[2]]
            + w.suit3[w.suit2[w.suit1[number[4]] + number[5]] + number[6]]
            + w.suit3[w.suit2[w.suit1[number[8]] + number[9]] + number[10]]
            + w.honors3[w.honors2[w.honors1[number[12]] + number[13]] + number[14]])


cdef inline lane_t chunk_numbers(lane_t x) noexcept nogil:
    """The three chunk numbers of a lane, twelve bits apart: where a count has weight 16 or 256 it gets 5 or 25."""
    return x - 11 * (x >> 4 & <lane_t> 0x0FF0FF0FF) - 55 * (x >> 8 & <lane_t> 0x00F00F00F)


cdef inline unsigned int split_value(bint honors, lane_t numbers) noexcept nogil:
    """What a lane adds to `split_sum`."""
    cdef const wins_t* w = WINS
    cdef unsigned int first = numbers & 0xFFF, second = numbers >> 12 & 0xFFF, third = <unsigned int> (numbers >> 24)
    if honors:
        return w.honors3[w.honors2[w.honors1[first] + second] + third]
    return w.suit3[w.suit2[w.suit1[first] + second] + third]


cdef inline unsigned int split_places(bint honors, lane_t numbers, unsigned int value) noexcept nogil:
    """Places whose tile makes a lane add so much; of a fifth copy it says nothing."""
    cdef unsigned int places = 0
    cdef int chunk, rank
    cdef lane_t tile
    for chunk in range(3):
        for rank in range(1 if honors and chunk == 2 else 3):
            tile = <lane_t> (1 if rank == 0 else 5 if rank == 1 else 25) << 12 * chunk
            places |= <unsigned int> (split_value(honors, numbers + tile) == value) << (3 * chunk + rank)
    return places


cdef inline uint32_t walk_lane(const tables_t* t, int lane, lane_t x, walk_t* w) noexcept nogil:
    """
    Find a lane's profile; any bits of `x` are safe.

    The sum of its chunks' entries counts tiles, kinds, pairs and nibbles above four, as `tables` says.
    """
    cdef bint honors = lane == LANE_Z
    cdef uint32_t low = t.chunks[x & 0xFFF], middle = t.chunks[(x >> 12) & 0xFFF]
    cdef uint32_t high = t.chunks[(x >> 24) & (0xF if honors else 0xFFF)]
    w.number[0] = low >> NUMBER_SHIFT
    w.number[1] = middle >> NUMBER_SHIFT
    w.number[2] = high >> NUMBER_SHIFT
    walk_numbers(t, honors, w)
    return low + middle + high


cdef inline unsigned int packed_numbers(const walk_t* w) noexcept nogil:
    """The three chunk numbers of a lane, a byte each."""
    return w.number[0] | w.number[1] << 8 | w.number[2] << 16


cdef inline void walk_packed(const tables_t* t, bint honors, unsigned int numbers, walk_t* w) noexcept nogil:
    w.number[0] = numbers & 0xFF
    w.number[1] = numbers >> 8 & 0xFF
    w.number[2] = numbers >> 16
    walk_numbers(t, honors, w)


cdef inline unsigned int add_profiles(const tables_t* t, unsigned int left, unsigned int right) noexcept nogil:
    return t.sums[left * ROW + right]


cdef inline int n_melds_of(int size) noexcept nogil:
    """Melds of the complete hand, from 3n + 1 or 3n + 2 concealed tiles."""
    return (size * 43) >> 7 if size < 3 * N_MELDS_MAX else N_MELDS_MAX


cdef inline const uint8_t* distances_from(const tables_t* t, unsigned int others, int n_melds) noexcept nogil:
    """Entries by the profile of one lane, the others' profile given."""
    return t.distances + (<unsigned int> n_melds * N_PROFILES_MAX + others) * ROW


cdef inline void profiles_with_tile(const tables_t* t, bint honors, const walk_t* w,
                                    unsigned int* profiles) noexcept nogil:
    """The profile of a lane with one tile more, by the place of the tile; a fifth copy gives any answer."""
    cdef const uint8_t* third
    cdef const uint8_t* low8
    cdef const uint16_t* low
    cdef unsigned int n1 = w.number[1]
    if honors:
        third = t.honors3 + w.number[2]
        low8 = t.honors1 + w.number[0]
        profiles[0] = third[<unsigned int> t.honors2[<unsigned int> low8[1] << STRIDE_BITS | n1] << STRIDE_BITS]
        profiles[1] = third[<unsigned int> t.honors2[<unsigned int> low8[5] << STRIDE_BITS | n1] << STRIDE_BITS]
        profiles[2] = third[<unsigned int> t.honors2[<unsigned int> low8[25] << STRIDE_BITS | n1] << STRIDE_BITS]
        low8 = t.honors2 + (w.state1 << STRIDE_BITS | n1)
        profiles[3] = third[<unsigned int> low8[1] << STRIDE_BITS]
        profiles[4] = third[<unsigned int> low8[5] << STRIDE_BITS]
        profiles[5] = third[<unsigned int> low8[25] << STRIDE_BITS]
        profiles[6] = third[(w.state2 << STRIDE_BITS) + 1]
        profiles[7] = profiles[8] = w.profile
        return
    third = t.suit3 + w.number[2]
    low8 = t.suit1 + w.number[0]
    profiles[0] = third[<unsigned int> t.suit2[<unsigned int> low8[1] << STRIDE_BITS | n1] << STRIDE_BITS]
    profiles[1] = third[<unsigned int> t.suit2[<unsigned int> low8[5] << STRIDE_BITS | n1] << STRIDE_BITS]
    profiles[2] = third[<unsigned int> t.suit2[<unsigned int> low8[25] << STRIDE_BITS | n1] << STRIDE_BITS]
    low = t.suit2 + (w.state1 << STRIDE_BITS | n1)
    profiles[3] = third[<unsigned int> low[1] << STRIDE_BITS]
    profiles[4] = third[<unsigned int> low[5] << STRIDE_BITS]
    profiles[5] = third[<unsigned int> low[25] << STRIDE_BITS]
    low8 = t.suit3 + (w.state2 << STRIDE_BITS | w.number[2])
    profiles[6] = low8[1]
    profiles[7] = low8[5]
    profiles[8] = low8[25]


cdef extern from *:
    """
    /* One bit more at the low end: whether an entry is below a number.  Two instructions, where gcc finds four. */
    #if defined(__GNUC__) && defined(__x86_64__)
    static inline unsigned int mjcore_bit_below(unsigned int bits, const uint8_t* entry, uint8_t number) {
        __asm__("cmpb %2, %1; adcl %0, %0" : "+r"(bits) : "m"(*entry), "q"(number) : "cc");
        return bits;
    }
    #else
    static inline unsigned int mjcore_bit_below(unsigned int bits, const uint8_t* entry, uint8_t number) {
        return bits + bits + (*entry < number);
    }
    #endif
    """
    unsigned int bit_below "mjcore_bit_below"(unsigned int bits, const uint8_t* entry, uint8_t number) noexcept nogil


cdef inline kindset_t reaching(const uint8_t* reached, const unsigned int* profiles, uint8_t twice) noexcept nogil:
    """Places whose profile brings the hand below half of an even number of `distances`."""
    cdef unsigned int bits = reached[profiles[8]] < twice
    bits = bit_below(bits, reached + profiles[7], twice)
    bits = bit_below(bits, reached + profiles[6], twice)
    bits = bit_below(bits, reached + profiles[5], twice)
    bits = bit_below(bits, reached + profiles[4], twice)
    bits = bit_below(bits, reached + profiles[3], twice)
    bits = bit_below(bits, reached + profiles[2], twice)
    bits = bit_below(bits, reached + profiles[1], twice)
    return bit_below(bits, reached + profiles[0], twice)


cdef inline uint32_t walk_hand(const tables_t* t, const hand_t* h, walk_t* walks) noexcept nogil:
    """Walk all lanes; the sum of the entries of their chunks."""
    cdef uint32_t sums = walk_lane(t, LANE_M, h.lane[LANE_M], &walks[LANE_M])
    sums += walk_lane(t, LANE_S, h.lane[LANE_S], &walks[LANE_S])
    sums += walk_lane(t, LANE_P, h.lane[LANE_P], &walks[LANE_P])
    return sums + walk_lane(t, LANE_Z, h.lane[LANE_Z], &walks[LANE_Z])


cdef inline kindset_t walks_held(const walk_t* walks) noexcept nogil:
    """The kinds of a hand that was walked."""
    cdef kindset_t held = 0
    cdef int lane
    for lane in range(LANE_Z, -1, -1):
        held = held << N_RANKS | (HELD[walks[lane].number[0]] | HELD[walks[lane].number[1]] << 3
                                  | HELD[walks[lane].number[2]] << 6)
    return held


cdef inline int standard_distance(const tables_t* t, const walk_t* walks, int n_melds) noexcept nogil:
    return distances_from(t, add_profiles(t, walks[LANE_M].profile, walks[LANE_S].profile), n_melds)[
        add_profiles(t, walks[LANE_P].profile, walks[LANE_Z].profile)] >> 1


cdef inline kindset_t lane_useful(const tables_t* t, int lane, const walk_t* w, unsigned int others,
                                  int n_melds) noexcept nogil:
    """Kinds of one lane that bring the hand nearer; of a fifth copy it says nothing."""
    cdef const uint8_t* reached = distances_from(t, others, n_melds)
    cdef unsigned int entry = reached[w.profile]
    cdef unsigned int with_tile[9]
    if not entry & 1:
        return 0
    profiles_with_tile(t, lane == LANE_Z, w, with_tile)
    return reaching(reached, with_tile, <uint8_t> (entry & ~<unsigned int> 1)) << (N_RANKS * lane)


cdef inline kindset_t standard_useful(const tables_t* t, const walk_t* walks, int n_melds) noexcept nogil:
    cdef unsigned int m = walks[LANE_M].profile, s = walks[LANE_S].profile
    cdef unsigned int p = walks[LANE_P].profile, z = walks[LANE_Z].profile
    cdef unsigned int ms = add_profiles(t, m, s), pz = add_profiles(t, p, z)
    return (lane_useful(t, LANE_M, &walks[LANE_M], add_profiles(t, s, pz), n_melds)
            | lane_useful(t, LANE_S, &walks[LANE_S], add_profiles(t, m, pz), n_melds)
            | lane_useful(t, LANE_P, &walks[LANE_P], add_profiles(t, z, ms), n_melds)
            | lane_useful(t, LANE_Z, &walks[LANE_Z], add_profiles(t, p, ms), n_melds))


# --- packed profiles ---------------------------------------------------------------------------
#
# Five numbers of nine bits to a word, for 0 .. 4 melds.  One tile more lowers some numbers of a
# profile by one; whether that brings the hand nearer depends on which of the numbers, with what the
# rest of the hand adds, are the distance.  For each number the places whose tile lowers it fit into
# its nine bits, so that one hand asks the same lane with many a rest for little.

cdef extern from "lowering.h" nogil:
    const uint64_t FIELD_ONES "MJCORE_FIELD_ONES"

    # For each number of a lane's profile, without eyes and with them: the places whose tile lowers it.
    ctypedef struct lowering_t "mjcore_lowering_t":
        uint64_t own[2]
        uint64_t places[2]

    uint64_t three_lanes "mjcore_three_lanes"(
        const lowering_t* a, const uint64_t* rest_a, const lowering_t* b, const uint64_t* rest_b,
        const lowering_t* c, const uint64_t* rest_c, uint64_t bound) noexcept


cdef inline void lowering_by(const tables_t* t, unsigned int profile, const unsigned int* with_tile,
                             lowering_t* lowering) noexcept nogil:
    cdef uint64_t own = t.own[2 * profile], own_eyes = t.own[2 * profile + 1], lower = 0, lower_eyes = 0
    cdef const uint64_t* lowered
    cdef int i
    # the sum of own - lowered, each shifted to its place; no number is lowered by more than one
    for i in range(N_RANKS - 1, -1, -1):
        lowered = t.own + 2 * with_tile[i]
        lower += lower + lowered[0]
        lower_eyes += lower_eyes + lowered[1]
    lowering.own[0] = own
    lowering.own[1] = own_eyes
    lowering.places[0] = (own << N_RANKS) - own - lower
    lowering.places[1] = (own_eyes << N_RANKS) - own_eyes - lower_eyes


cdef inline void lowering_places(const tables_t* t, bint honors, const walk_t* w, unsigned int full,
                                 lowering_t* lowering) noexcept nogil:
    """`full` holds the places of which there is no tile more."""
    cdef unsigned int with_tile[9]
    cdef unsigned int with_live_tile[9]     # another, so that the first one never need be in memory
    if full == 0:
        profiles_with_tile(t, honors, w, with_tile)
        lowering_by(t, w.profile, with_tile, lowering)
        return
    profiles_with_tile(t, honors, w, with_live_tile)
    while full:
        with_live_tile[lowest_bit(full)] = w.profile
        full &= full - 1
    lowering_by(t, w.profile, with_live_tile, lowering)


cdef inline uint64_t field_bound(unsigned int distance) noexcept nogil:
    """What `three_lanes` takes for a distance."""
    return (distance + 256) * FIELD_ONES
