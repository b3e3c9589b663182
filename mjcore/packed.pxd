# The packed hand: layout, lanes, and every bit trick under a name of its own.
#
# A hand is a 136-bit number, four bits for each of 34 kinds, kind 0 lowest.
# In C the number is cut into four lanes, one suit a lane, so that suit-local code
# touches one machine word:
#
#     lane      bits of the int    kinds     nibble r of the lane      spare bits
#     LANE_M    0 .. 35            0 .. 8    rank r + 1 of characters  36 .. 63
#     LANE_S    36 .. 71           9 .. 17   rank r + 1 of bamboo      36 .. 63
#     LANE_P    72 .. 107          18 .. 26  rank r + 1 of dots        36 .. 63
#     LANE_Z    108 .. 135         27 .. 33  C F P E S W N             28 .. 63
#
# A nibble holds 0 .. 4.  Spare bits are zero in a hand; the cache keeps options there.
# A kernel may hold a fifth copy for a moment (a wait by shape); no nibble exceeds 5.

from libc.stdint cimport uint8_t, uint64_t

ctypedef uint64_t lane_t
ctypedef uint64_t kindset_t     # bit k set: kind k is in the set

ctypedef struct hand_t:
    lane_t lane[4]

cdef enum:
    # Raised whenever the layout or the meaning of anything exported changes.
    MJCORE_ABI = 1

cdef enum:
    LANE_M = 0
    LANE_S = 1
    LANE_P = 2
    LANE_Z = 3
    N_LANES = 4
    N_KINDS = 34
    N_RANKS = 9
    N_HONORS = 7
    FIRST_HONOR = 27
    LAST_CHOW_INDEX = 6     # the highest place in a suit where a chow begins
    N_COPIES = 4
    N_TILES_MAX = 14        # concealed tiles of a complete hand without melds
    N_MELDS_MAX = 4
    N_JOKERS_MAX = 8
    LANE_BITS = 36
    HONOR_BITS = 28
    NIBBLE_BITS = 4

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static __forceinline int mjcore_ctz(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    #else
    static inline int mjcore_ctz(uint64_t x) { return __builtin_ctzll(x); }
    #endif

    #define MJCORE_SUIT_MASK   0xFFFFFFFFFULL     /* nine nibbles */
    #define MJCORE_HONOR_MASK  0xFFFFFFFULL       /* seven nibbles */
    #define MJCORE_ONES        0x111111111ULL     /* lowest bit of nine nibbles */
    #define MJCORE_HIGHS       0x888888888ULL     /* highest bit of nine nibbles */
    #define MJCORE_ALL_KINDS   0x3FFFFFFFFULL

    /* Population count without a machine flag: sums fields of 2, 4, 8 bits. */
    static inline int mjcore_popcount(uint64_t x) {
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        return (int)((((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
    }

    /* Python int <-> lanes.  Reading returns 0, or -1 where the value is negative or wider than 136 bits.
       The digits are read in place where their layout is known; MJCORE_PUBLIC_LONG_API forces the other way. */
    #if !defined(MJCORE_PUBLIC_LONG_API) && !defined(PYPY_VERSION) && !defined(Py_LIMITED_API) \\
        && PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030F0000 && PYLONG_BITS_IN_DIGIT == 30
    #define MJCORE_DIGITS_IN_PLACE 1
    #else
    #define MJCORE_DIGITS_IN_PLACE 0
    #endif

    #if MJCORE_DIGITS_IN_PLACE
    static inline int mjcore_lanes_from_long(PyObject *o, uint64_t *lane) {
        const digit *d;
        Py_ssize_t n;
        uint64_t d0, d1, d2, d3, d4, low;
    #if PY_VERSION_HEX >= 0x030C0000
        uintptr_t tag = ((PyLongObject *)o)->long_value.lv_tag;
        if ((tag & 3) == 2) return -1;
        n = (Py_ssize_t)(tag >> 3);
        d = ((PyLongObject *)o)->long_value.ob_digit;
    #else
        n = Py_SIZE(o);
        d = ((PyLongObject *)o)->ob_digit;
    #endif
        if ((size_t)n > 5) return -1;
        /* no branch on the number of digits, which nobody can predict: a digit that is not there
           is read from place 0 and put out */
        d0 = d[0] & -(uint64_t)(n > 0);
        d1 = d[n > 1 ? 1 : 0] & -(uint64_t)(n > 1);
        d2 = d[n > 2 ? 2 : 0] & -(uint64_t)(n > 2);
        d3 = d[n > 3 ? 3 : 0] & -(uint64_t)(n > 3);
        d4 = d[n > 4 ? 4 : 0] & -(uint64_t)(n > 4);
        low = d0 | d1 << 30;
        lane[0] = low & MJCORE_SUIT_MASK;
        lane[1] = (low >> 36 | d2 << 24) & MJCORE_SUIT_MASK;
        lane[2] = (d2 >> 12 | d3 << 18) & MJCORE_SUIT_MASK;
        lane[3] = d3 >> 18 | d4 << 12;
        return lane[3] > MJCORE_HONOR_MASK ? -1 : 0;
    }
    #else
    static inline int mjcore_lanes_from_long(PyObject *o, uint64_t *lane) {
        int i;
        PyObject *shift = PyLong_FromLong(36), *rest = o;
        if (!shift) { PyErr_Clear(); return -1; }
        Py_INCREF(rest);
        for (i = 0; i < 4; i++) {
            PyObject *next;
            uint64_t low = PyLong_AsUnsignedLongLongMask(rest);
            lane[i] = i < 3 ? low & MJCORE_SUIT_MASK : low;
            next = PyNumber_Rshift(rest, shift);
            Py_DECREF(rest);
            rest = next;
            if (!rest) { PyErr_Clear(); Py_DECREF(shift); return -1; }
        }
        i = PyObject_IsTrue(rest);      /* a negative int shifts to -1 */
        Py_DECREF(rest);
        Py_DECREF(shift);
        return i || lane[3] > MJCORE_HONOR_MASK ? -1 : 0;
    }
    #endif

    static inline PyObject *mjcore_long_from_lanes(const uint64_t *lane) {
        uint64_t word[3];
        unsigned char bytes[24];
        int i;
        word[0] = lane[0] | lane[1] << 36;
        word[1] = lane[1] >> 28 | lane[2] << 8 | lane[3] << 44;
        word[2] = lane[3] >> 20;
        for (i = 0; i < 24; i++) bytes[i] = (unsigned char)(word[i >> 3] >> (8 * (i & 7)));
    #if PY_VERSION_HEX >= 0x030D0000
        return PyLong_FromUnsignedNativeBytes(bytes, sizeof bytes, Py_ASNATIVEBYTES_LITTLE_ENDIAN);
    #else
        return _PyLong_FromByteArray(bytes, sizeof bytes, 1, 0);
    #endif
    }
    """
    const lane_t SUIT_MASK "MJCORE_SUIT_MASK"
    const lane_t HONOR_MASK "MJCORE_HONOR_MASK"
    const lane_t NIBBLE_ONES "MJCORE_ONES"
    const lane_t NIBBLE_HIGHS "MJCORE_HIGHS"
    const kindset_t ALL_KINDS "MJCORE_ALL_KINDS"
    int lowest_bit "mjcore_ctz"(uint64_t x) noexcept nogil          # x must not be 0
    int kindset_size "mjcore_popcount"(kindset_t kinds) noexcept nogil
    int hand_read_int "mjcore_lanes_from_long"(object packed, lane_t* lane) noexcept
    object hand_write_int "mjcore_long_from_lanes"(const lane_t* lane)


# --- kinds -------------------------------------------------------------------------------------

cdef inline int kind_lane(int kind) noexcept nogil:
    return (kind * 57) >> 9                     # kind // 9 for 0 .. 33

cdef inline int kind_index(int kind) noexcept nogil:
    return kind - N_RANKS * kind_lane(kind)     # place inside the lane

cdef inline int kind_shift(int kind) noexcept nogil:
    return NIBBLE_BITS * kind_index(kind)

cdef inline kindset_t kind_bit(int kind) noexcept nogil:
    return (<kindset_t> 1) << kind


# --- one lane ----------------------------------------------------------------------------------

cdef inline int lane_count(lane_t x, int index) noexcept nogil:
    return <int> (x >> (NIBBLE_BITS * index)) & 0xF

cdef inline lane_t lane_tile(int index) noexcept nogil:
    return (<lane_t> 1) << (NIBBLE_BITS * index)

cdef inline int lane_size(lane_t x) noexcept nogil:
    """Tiles in the lane: the sum of its nibbles, spare bits zero."""
    cdef lane_t pairs = (x & 0x0F0F0F0F0FULL) + ((x >> 4) & 0x0F0F0F0F0FULL)
    return <int> ((pairs * 0x0101010101010101ULL) >> 56)

cdef inline unsigned int lane_held(lane_t x) noexcept nogil:
    """Places that hold a tile, one bit a place (bit 0 for index 0)."""
    cdef lane_t y = x | (x >> 1) | (x >> 2)     # counts stay below 8
    y &= NIBBLE_ONES
    # nine bits at stride 4 drawn together: pairs, then fours, then eight and one
    y = (y | (y >> 3)) & 0x303030303ULL
    y = (y | (y >> 6)) & 0xF000F000FULL
    y = ((y | (y >> 12)) & 0xFF) | ((y >> 24) & 0x100)
    return <unsigned int> y

cdef inline unsigned int lane_full(lane_t x) noexcept nogil:
    """Places that hold four copies or more."""
    return lane_held((x >> 2) & NIBBLE_ONES)

cdef inline unsigned int eyes_index(lane_t x) noexcept nogil:
    """
    Index modulo three of the eyes of a suit that is melds and eyes, or of the tile that it is short of melds.

    A meld's sum of indices is a multiple of three.
    """
    return <unsigned int> ((2 * (x & 0x0F00F00F0ULL) + (x & 0xF00F00F00ULL)) % 3)

cdef inline unsigned int n_chows_begun(lane_t c) noexcept nogil:
    """Chows that begin at the lowest index of a suit in melds, which holds c (0 .. 5) tiles: c modulo three."""
    return (0x210210U >> (4 * c)) & 3

cdef inline lane_t lane_of_places(unsigned int places) noexcept nogil:
    """A tile at each place of a set."""
    cdef lane_t x = 0
    while places:
        x |= lane_tile(lowest_bit(places))
        places &= places - 1
    return x


# --- a hand ------------------------------------------------------------------------------------

cdef inline void hand_clear(hand_t* h) noexcept nogil:
    h.lane[0] = 0
    h.lane[1] = 0
    h.lane[2] = 0
    h.lane[3] = 0

cdef inline int hand_count(const hand_t* h, int kind) noexcept nogil:
    return <int> (h.lane[kind_lane(kind)] >> kind_shift(kind)) & 0xF

cdef inline void hand_add(hand_t* h, int kind) noexcept nogil:
    """Add one tile; the caller knows that a copy is left."""
    h.lane[kind_lane(kind)] += (<lane_t> 1) << kind_shift(kind)

cdef inline void hand_remove(hand_t* h, int kind) noexcept nogil:
    """Take one tile away; the caller knows that it is there."""
    h.lane[kind_lane(kind)] -= (<lane_t> 1) << kind_shift(kind)

cdef inline int hand_take_all(const hand_t* h, int kind, hand_t* rest) noexcept nogil:
    """Copy a hand without a kind (-1: no kind); the number of copies taken out."""
    cdef int n
    rest[0] = h[0]
    if kind < 0:
        return 0
    n = hand_count(h, kind)
    rest.lane[kind_lane(kind)] -= (<lane_t> n) << kind_shift(kind)
    return n

cdef inline int hand_size(const hand_t* h) noexcept nogil:
    """Number of tiles."""
    cdef lane_t low = 0x0F0F0F0F0FULL
    cdef lane_t pairs
    pairs = (h.lane[0] & low) + ((h.lane[0] >> 4) & low)
    pairs += (h.lane[1] & low) + ((h.lane[1] >> 4) & low)
    pairs += (h.lane[2] & low) + ((h.lane[2] >> 4) & low)
    pairs += (h.lane[3] & low) + ((h.lane[3] >> 4) & low)
    return <int> ((pairs * 0x0101010101010101ULL) >> 56)

cdef inline bint hand_has_fifth(const hand_t* h) noexcept nogil:
    """Whether any nibble is above four."""
    cdef lane_t three = 3 * NIBBLE_ONES
    cdef lane_t bad = h.lane[0] | (h.lane[0] + three)
    bad |= h.lane[1] | (h.lane[1] + three)
    bad |= h.lane[2] | (h.lane[2] + three)
    bad |= h.lane[3] | (h.lane[3] + three)
    return (bad & NIBBLE_HIGHS) != 0

cdef inline kindset_t hand_held(const hand_t* h) noexcept nogil:
    """Kinds of which the hand holds a tile."""
    return (<kindset_t> lane_held(h.lane[0])
            | (<kindset_t> lane_held(h.lane[1])) << 9
            | (<kindset_t> lane_held(h.lane[2])) << 18
            | (<kindset_t> lane_held(h.lane[3])) << 27)

cdef inline kindset_t hand_full(const hand_t* h) noexcept nogil:
    """Kinds of which the hand holds four copies or more."""
    return (<kindset_t> lane_full(h.lane[0])
            | (<kindset_t> lane_full(h.lane[1])) << 9
            | (<kindset_t> lane_full(h.lane[2])) << 18
            | (<kindset_t> lane_full(h.lane[3])) << 27)

cdef inline void hand_sum(const hand_t* a, const hand_t* b, hand_t* total) noexcept nogil:
    """Add two hands nibble by nibble; no nibble may pass 15."""
    total.lane[0] = a.lane[0] + b.lane[0]
    total.lane[1] = a.lane[1] + b.lane[1]
    total.lane[2] = a.lane[2] + b.lane[2]
    total.lane[3] = a.lane[3] + b.lane[3]

cdef inline void hand_from_counts(hand_t* h, const uint8_t* counts) noexcept nogil:
    """Pack 34 counts; only the low four bits of each are read."""
    cdef int kind
    hand_clear(h)
    for kind in range(N_KINDS):
        h.lane[kind_lane(kind)] |= (<lane_t> (counts[kind] & 0xF)) << kind_shift(kind)

cdef inline void hand_to_counts(const hand_t* h, uint8_t* counts) noexcept nogil:
    cdef int kind
    for kind in range(N_KINDS):
        counts[kind] = <uint8_t> hand_count(h, kind)


# --- Python ints, with the GIL -----------------------------------------------------------------

cdef inline int hand_from_int(object packed, hand_t* h) noexcept:
    """Read an int; -1 where it is none, is negative or wider than 136 bits.  Counts are not checked."""
    hand_clear(h)
    return hand_read_int(packed, h.lane) if isinstance(packed, int) else -1

cdef inline object hand_to_int(const hand_t* h):
    return hand_write_int(h.lane)
