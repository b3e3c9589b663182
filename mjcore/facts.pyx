"""
Facts of a winning hand and of its readings, computed once and read by every rule set.

`FACTS` lists them; the conditions in rule files are made of their names.
"""

from libc.stdint cimport uint64_t

from mjcore.forms cimport FORM_HONORS_AND_KNITTED, FORM_KNITTED_STRAIGHT, FORM_SEVEN_PAIRS, FORM_STANDARD
from mjcore.group_relations cimport relations_t
from mjcore.groups cimport GROUP_PUNG, ROLE_NONE, ROLE_PUNG, reading_t
from mjcore.packed cimport (
    FIRST_HONOR,
    LAST_CHOW_INDEX,
    NIBBLE_ONES,
    N_KINDS,
    N_RANKS,
    hand_full,
    hand_held,
    hand_remove,
    hand_sum,
    hand_t,
    kind_bit,
    kind_index,
    kind_lane,
    kindset_size,
    lane_held,
    lane_t,
    lane_tile,
    lowest_bit,
)
from mjcore.special_forms cimport knitted_kinds
from mjcore.win_checks cimport SUM_ADDED_KONGS, SUM_CONCEALED_KONGS, SUM_KONGS, SUM_OPEN_PUNGS, WON_SELF_DRAWN, win_t

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    static __forceinline int mjcore_high(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    #else
    static inline int mjcore_high(uint64_t x) { return 63 - __builtin_clzll(x); }
    #endif
    """
    int highest_bit "mjcore_high"(uint64_t x) noexcept nogil        # x must not be 0

cdef enum:
    # word 0: tiles and waits
    N_SUITS = 0
    HAS_HONOR = 3
    HAS_WIND = 4
    HAS_DRAGON = 5
    HAS_TERMINAL = 6
    HAS_SIMPLE = 7
    ONLY_GREEN = 8
    ONLY_REVERSIBLE = 9
    ONLY_EVEN = 10
    ONLY_258 = 11
    N_HOGS = 12
    RANK_MIN = 16
    RANK_MAX = 24
    NINE_GATES_SHAPE = 32
    NINE_GATES_PURE = 33
    N_FLOWERS = 40
    N_WAITS = FACT_WAITS
    N_POSSIBLE_WAITS = FACT_WAITS + 4
    # word 1: melds and how the hand was won
    N_MELDS = 64
    N_OPEN_MELDS = 68
    N_KONGS = 72
    N_CONCEALED_KONGS = 76
    N_OPEN_KONGS = 80
    N_ADDED_KONGS = 84
    N_DIRECT_KONGS = 88
    SELF_DRAWN = 92
    WALL_LAST = 93
    KONG_REPLACEMENT = 94
    ROB_KONG = 95
    FOURTH_VISIBLE = 96
    ROB_CONCEALED = 97
    FIRST_TURN = 98
    READY_AT_DEAL = 99
    DEALER = 100
    # word 2: the reading
    STANDARD = 128
    SEVEN_PAIRS = 129
    THIRTEEN_ORPHANS = 130
    HONORS_AND_KNITTED = 131
    KNITTED_STRAIGHT = 132
    KNITTED_NINE = 133
    SEVEN_HONORS = 134
    SHIFTED_PAIRS = 135
    N_CHOWS = 136
    N_PUNGS = 140
    N_DRAGON_PUNGS = 148
    SEAT_PUNG = 151
    N_WIND_PUNGS = 152
    N_TERMINAL_PUNGS = 156
    N_GUEST_WIND_PUNGS = 160
    ROUND_PUNG = 164
    GROUPS_OUTSIDE = 165
    GROUPS_FIVE = 166
    EYES_SUIT = 168
    EYES_DRAGON = 169
    EYES_WIND = 170
    EYES_SEAT = 171
    EYES_ROUND = 172
    EYES_GREEN = 173
    EYES_258 = 174
    WIN_EYES = FACT_ROLE
    WIN_CLOSED = FACT_ROLE + 1
    WIN_EDGE = FACT_ROLE + 2
    WIN_OPEN = FACT_ROLE + 3
    WIN_PUNG = FACT_ROLE + 4
    WIN_BODY = FACT_ROLE + 5
    BODY_HOLDS_WIN = FACT_ROLE + 6
    # word 3: relations, in their order
    FIRST_RELATION = 192

FACTS = (
    # name, "bit" or "count", place, bits, whether it depends on the role, meaning
    ("n_suits", "count", N_SUITS, 3, "suits of which there is a tile, 0 to 3"),
    ("has_honor", "bit", HAS_HONOR, 1, "there is an honor"),
    ("has_wind", "bit", HAS_WIND, 1, "there is a wind"),
    ("has_dragon", "bit", HAS_DRAGON, 1, "there is a dragon"),
    ("has_terminal", "bit", HAS_TERMINAL, 1, "there is a 1 or 9"),
    ("has_simple", "bit", HAS_SIMPLE, 1, "there is a tile of rank 2 to 8"),
    ("only_green", "bit", ONLY_GREEN, 1, "every tile is 2s 3s 4s 6s 8s or the green dragon"),
    ("only_reversible", "bit", ONLY_REVERSIBLE, 1,
     "every tile looks the same upside down: 1p 2p 3p 4p 5p 8p 9p 2s 4s 5s 6s 8s 9s and the white dragon"),
    ("only_even", "bit", ONLY_EVEN, 1, "every tile is a 2, 4, 6 or 8"),
    ("only_258", "bit", ONLY_258, 1, "every tile is a 2, 5 or 8"),
    ("n_hogs", "count", N_HOGS, 3, "kinds with four copies that are no kong, 0 to 3"),
    ("rank_min", "rank", RANK_MIN, 8, "lowest rank of a suit tile; 9 where there is none"),
    ("rank_max", "rank", RANK_MAX, 8, "highest rank of a suit tile; 1 where there is none"),
    ("nine_gates_shape", "bit", NINE_GATES_SHAPE, 1, "no melds, 1112345678999 of one suit and one more of it"),
    ("nine_gates_pure", "bit", NINE_GATES_PURE, 1, "no melds, 1112345678999 of one suit before the winning tile"),
    ("n_waits", "count", N_WAITS, 4, "kinds that complete the tiles before the winning one, by shape; 4 for more"),
    ("n_possible_waits", "count", N_POSSIBLE_WAITS, 4,
     "the same without kinds of which hand and melds held all four; 4 for more"),
    ("n_flowers", "count", N_FLOWERS, 8, "flowers and seasons, 0 to 8"),
    ("n_melds", "count", N_MELDS, 4, "declared melds"),
    ("n_open_melds", "count", N_OPEN_MELDS, 4, "declared melds that are no concealed kong"),
    ("n_kongs", "count", N_KONGS, 4, "kongs"),
    ("n_concealed_kongs", "count", N_CONCEALED_KONGS, 4, "concealed kongs"),
    ("n_open_kongs", "count", N_OPEN_KONGS, 4, "kongs that are not concealed"),
    ("n_added_kongs", "count", N_ADDED_KONGS, 4, "kongs made of an open pung"),
    ("n_direct_kongs", "count", N_DIRECT_KONGS, 4, "kongs made of three concealed tiles and a claimed one"),
    ("self_drawn", "bit", SELF_DRAWN, 1, "won by drawing"),
    ("wall_last", "bit", WALL_LAST, 1, "won on the last tile of the wall, or the discard after it"),
    ("kong_replacement", "bit", KONG_REPLACEMENT, 1, "won on the replacement tile of an own kong"),
    ("rob_kong", "bit", ROB_KONG, 1, "won on a tile with which another player made a kong"),
    ("fourth_visible", "bit", FOURTH_VISIBLE, 1, "the three other copies of the winning tile are public"),
    ("rob_concealed", "bit", ROB_CONCEALED, 1, "the kong that was robbed is a concealed one"),
    ("first_turn", "bit", FIRST_TURN, 1, "won in the first turn, before any meld"),
    ("ready_at_deal", "bit", READY_AT_DEAL, 1, "declared ready with the tiles dealt"),
    ("dealer", "bit", DEALER, 1, "the winner sits east"),
    ("standard", "bit", STANDARD, 1, "the form: melds and eyes"),
    ("seven_pairs", "bit", SEVEN_PAIRS, 1, "the form: seven pairs"),
    ("thirteen_orphans", "bit", THIRTEEN_ORPHANS, 1, "the form: thirteen orphans"),
    ("honors_and_knitted", "bit", HONORS_AND_KNITTED, 1, "the form: 14 different honors and tiles of a knitted set"),
    ("knitted_straight", "bit", KNITTED_STRAIGHT, 1, "the form: nine knitted tiles, one meld and eyes"),
    ("knitted_nine", "bit", KNITTED_NINE, 1, "all nine tiles of a knitted set, in either of the two forms"),
    ("seven_honors", "bit", SEVEN_HONORS, 1, "honors and knitted with each of the seven honors"),
    ("shifted_pairs", "bit", SHIFTED_PAIRS, 1, "seven pairs of consecutive ranks of one suit"),
    ("n_chows", "count", N_CHOWS, 4, "chows"),
    ("n_pungs", "count", N_PUNGS, 4, "pungs and kongs"),
    ("n_concealed_pungs", "count", FACT_CONCEALED_PUNGS, 4,
     "concealed kongs, and pungs of concealed tiles but one that another player's tile completes"),
    ("n_dragon_pungs", "count", N_DRAGON_PUNGS, 3, "pungs and kongs of dragons"),
    ("n_wind_pungs", "count", N_WIND_PUNGS, 4, "pungs and kongs of winds"),
    ("n_terminal_pungs", "count", N_TERMINAL_PUNGS, 4, "pungs and kongs of 1 or 9"),
    ("n_guest_wind_pungs", "count", N_GUEST_WIND_PUNGS, 4, "pungs and kongs of winds of neither seat nor round"),
    ("seat_pung", "bit", SEAT_PUNG, 1, "a pung or kong of the seat wind"),
    ("round_pung", "bit", ROUND_PUNG, 1, "a pung or kong of the round wind"),
    ("groups_outside", "bit", GROUPS_OUTSIDE, 1, "standard form, each group and the eyes have a terminal or honor"),
    ("groups_five", "bit", GROUPS_FIVE, 1, "standard form, each group and the eyes have a 5"),
    ("eyes_suit", "bit", EYES_SUIT, 1, "the eyes are of a suit"),
    ("eyes_dragon", "bit", EYES_DRAGON, 1, "the eyes are dragons"),
    ("eyes_wind", "bit", EYES_WIND, 1, "the eyes are winds"),
    ("eyes_seat", "bit", EYES_SEAT, 1, "the eyes are the seat wind"),
    ("eyes_round", "bit", EYES_ROUND, 1, "the eyes are the round wind"),
    ("eyes_green", "bit", EYES_GREEN, 1, "the eyes are the green dragon"),
    ("eyes_258", "bit", EYES_258, 1, "the eyes are 2, 5 or 8"),
    ("win_eyes", "bit", WIN_EYES, 1, "the winning tile completes the eyes, or a pair of seven pairs"),
    ("win_closed", "bit", WIN_CLOSED, 1, "the winning tile is the middle of a chow"),
    ("win_edge", "bit", WIN_EDGE, 1, "the winning tile is the 3 of 123 or the 7 of 789"),
    ("win_open", "bit", WIN_OPEN, 1, "the winning tile is any other end of a chow"),
    ("win_pung", "bit", WIN_PUNG, 1, "the winning tile completes a pung"),
    ("win_body", "bit", WIN_BODY, 1, "the winning tile completes the knitted tiles of a knitted straight"),
    ("body_holds_win", "bit", BODY_HOLDS_WIN, 1, "a copy of the winning tile is among those knitted tiles"),
    *((name, "relation", FIRST_RELATION + place, 1, meaning) for place, (name, meaning) in enumerate((
        ("two_chows_same", "two equal chows"),
        ("two_chows_suits", "the same chow in two suits"),
        ("two_chows_six", "two chows of one suit, six ranks in a row"),
        ("two_chows_terminal", "123 and 789 of one suit"),
        ("three_chows_same", "three equal chows"),
        ("three_chows_straight", "123, 456 and 789 of one suit"),
        ("three_chows_step_1", "three chows of one suit, each one rank above the last"),
        ("three_chows_step_2", "three chows of one suit, each two ranks above the last"),
        ("three_chows_suits", "the same chow in three suits"),
        ("three_chows_suits_straight", "123, 456 and 789, one in each suit"),
        ("three_chows_suits_step_1", "three chows, one in each suit, each one rank above the last"),
        ("four_chows_same", "four equal chows"),
        ("four_chows_step_1", "four chows of one suit, each one rank above the last"),
        ("four_chows_step_2", "four chows of one suit, each two ranks above the last"),
        ("four_chows_terminal", "123 and 789 twice and eyes of 5, all of one suit"),
        ("four_chows_suits_terminal", "123 and 789 in two suits and eyes of 5 in the third"),
        ("two_pungs_suits", "pungs of one rank in two suits"),
        ("three_pungs_suits", "pungs of one rank in three suits"),
        ("three_pungs_step_1", "three pungs of one suit, each one rank above the last"),
        ("three_pungs_suits_step_1", "three pungs, one in each suit, each one rank above the last"),
        ("four_pungs_step_1", "four pungs of one suit, each one rank above the last"),
    ))),
)
"""Name, type, place of the lowest bit, bits and meaning of every fact.  A rank is a count from 1 on."""

RELATION_PLACE = FIRST_RELATION
"""Place of the first relation."""

WAIT_BYTES = (FACT_WAITS // 8,)
ROLE_BYTES = (FACT_ROLE // 8, FACT_CONCEALED_PUNGS // 8)
"""Bytes of the facts about waits and roles."""

cdef lane_t NINE_GATES = 0x311111113

# The green tiles, and those that look the same upside down: the nibbles of their lanes.
cdef lane_t GREEN_BAMBOO = 0xF0F0FFF0
cdef lane_t GREEN_HONORS = 0xF0
cdef lane_t REVERSIBLE_BAMBOO = 0xFF0FFF0F0
cdef lane_t REVERSIBLE_DOTS = 0xFF00FFFFF
cdef lane_t REVERSIBLE_HONORS = 0xF00

# Nibbles that add up over groups: what a group, or the eyes, are; and a bit for a pung of each wind.
cdef enum:
    GROUP_CHOWS = 0
    GROUP_PUNGS = 4
    GROUP_DRAGONS = 12
    GROUP_WINDS = 16
    GROUP_TERMINALS = 20
    GROUP_OUTSIDES = 24
    GROUP_FIVES = 28
    GROUP_EACH_WIND = 32

cdef uint64_t GROUP_SUMS[128]
cdef uint64_t EYES_SUMS[34]
cdef uint64_t EYES_FACTS[34]
cdef uint64_t THERMOMETER[16]

# Facts of word 0 by the ranks of the suit tiles, whatever suit.
cdef uint64_t RANK_FACTS[512]


cdef inline void put(facts_t* facts, int place, bint value) noexcept nogil:
    facts.word[place >> 6] |= (<uint64_t> (value != 0)) << (place & 63)


cdef inline void put_count(facts_t* facts, int place, int n) noexcept nogil:
    facts.word[place >> 6] |= THERMOMETER[n] << (place & 63)


cdef void fill_tables():
    cdef int kind, rank, n
    for n in range(16):
        THERMOMETER[n] = ((<uint64_t> 1) << n) - 1
    for kind in range(N_KINDS):
        rank = kind_index(kind)
        EYES_SUMS[kind] = 0
        if kind >= FIRST_HONOR or rank == 0 or rank == N_RANKS - 1:
            EYES_SUMS[kind] |= <uint64_t> 1 << GROUP_OUTSIDES
        elif rank == 4:
            EYES_SUMS[kind] |= <uint64_t> 1 << GROUP_FIVES
        GROUP_SUMS[kind | GROUP_PUNG] = EYES_SUMS[kind] | <uint64_t> 1 << GROUP_PUNGS
        if kind >= FIRST_HONOR + 3:
            GROUP_SUMS[kind | GROUP_PUNG] |= (<uint64_t> 1 << GROUP_WINDS
                                              | <uint64_t> 1 << (GROUP_EACH_WIND + (kind & 3)))
        elif kind >= FIRST_HONOR:
            GROUP_SUMS[kind | GROUP_PUNG] |= <uint64_t> 1 << GROUP_DRAGONS
        elif EYES_SUMS[kind] >> GROUP_OUTSIDES & 1:
            GROUP_SUMS[kind | GROUP_PUNG] |= <uint64_t> 1 << GROUP_TERMINALS
        GROUP_SUMS[kind] = <uint64_t> 1 << GROUP_CHOWS
        if rank in (0, LAST_CHOW_INDEX):
            GROUP_SUMS[kind] |= <uint64_t> 1 << GROUP_OUTSIDES
        if 2 <= rank <= 4:
            GROUP_SUMS[kind] |= <uint64_t> 1 << GROUP_FIVES


fill_tables()


cdef void fill_eyes_facts():
    cdef int eyes
    cdef facts_t facts
    for eyes in range(N_KINDS):
        facts.word[2] = 0
        put(&facts, EYES_SUIT, eyes < FIRST_HONOR)
        put(&facts, EYES_258, eyes < FIRST_HONOR and kind_index(eyes) % 3 == 1)
        put(&facts, EYES_DRAGON, FIRST_HONOR <= eyes < FIRST_HONOR + 3)
        put(&facts, EYES_GREEN, eyes == FIRST_HONOR + 1)
        put(&facts, EYES_WIND, eyes >= FIRST_HONOR + 3)
        EYES_FACTS[eyes] = facts.word[2]


fill_eyes_facts()


cdef void fill_tile_facts():
    cdef int held
    cdef facts_t facts
    for held in range(512):
        facts.word[0] = 0
        put(&facts, HAS_TERMINAL, held & 0x101 != 0)
        put(&facts, HAS_SIMPLE, held & 0xFE != 0)
        put(&facts, ONLY_EVEN, held & 0x155 == 0)
        put(&facts, ONLY_258, held & 0x16D == 0)
        put_count(&facts, RANK_MIN, lowest_bit(held | 0x100))
        put_count(&facts, RANK_MAX, highest_bit(held | 1))
        RANK_FACTS[held] = facts.word[0]


fill_tile_facts()


# --- facts of the hand -------------------------------------------------------------------------

cdef void hand_facts(const win_t* win, facts_t* facts) noexcept nogil:
    cdef hand_t total
    cdef lane_t m, s, p, honors
    cdef int n_suits
    hand_sum(&win.concealed, &win.melded, &total)
    m = total.lane[0]
    s = total.lane[1]
    p = total.lane[2]
    honors = total.lane[3]
    n_suits = (m != 0) + (s != 0) + (p != 0)
    facts.word[0] = RANK_FACTS[lane_held(m | s | p)]
    if honors:
        facts.word[0] &= ~((<uint64_t> 1 << ONLY_EVEN) | (<uint64_t> 1 << ONLY_258))
        put(facts, HAS_HONOR, True)
        put(facts, HAS_WIND, honors >> 12 != 0)
        put(facts, HAS_DRAGON, honors & 0xFFF != 0)
    put_count(facts, N_SUITS, n_suits)
    put(facts, ONLY_GREEN, (m | p | s & ~GREEN_BAMBOO | honors & ~GREEN_HONORS) == 0)
    put(facts, ONLY_REVERSIBLE, (m | s & ~REVERSIBLE_BAMBOO | p & ~REVERSIBLE_DOTS | honors & ~REVERSIBLE_HONORS) == 0)
    if holds_four(&total):
        put_count(facts, N_HOGS, kindset_size(hand_full(&total)) - <int> (win.meld_sums >> SUM_KONGS & 0xF))
    if n_suits == 1 and honors == 0 and win.n_melds == 0:
        nine_gates_facts(win, facts)
    put_count(facts, N_FLOWERS, win.n_flowers)
    facts.word[1] = (<uint64_t> win.flags) << (SELF_DRAWN & 63)      # WON_... are in the order of these facts
    put(facts, DEALER, win.seat_wind == FIRST_HONOR + 3)
    if win.n_melds:
        meld_facts(win, facts)


cdef inline void meld_facts(const win_t* win, facts_t* facts) noexcept nogil:
    cdef int n_kongs = win.meld_sums >> SUM_KONGS & 0xF
    cdef int n_concealed = win.meld_sums >> SUM_CONCEALED_KONGS & 0xF
    cdef int n_added = win.meld_sums >> SUM_ADDED_KONGS & 0xF
    put_count(facts, N_MELDS, win.n_melds)
    put_count(facts, N_OPEN_MELDS, win.n_melds - n_concealed)
    if n_kongs:
        put_count(facts, N_KONGS, n_kongs)
        put_count(facts, N_CONCEALED_KONGS, n_concealed)
        put_count(facts, N_OPEN_KONGS, n_kongs - n_concealed)
        put_count(facts, N_ADDED_KONGS, n_added)
        put_count(facts, N_DIRECT_KONGS, n_kongs - n_concealed - n_added)


cdef void nine_gates_facts(const win_t* win, facts_t* facts) noexcept nogil:
    """Of a hand of one suit without melds."""
    cdef lane_t x = win.concealed.lane[kind_lane(win.kind)]
    put(facts, NINE_GATES_PURE, x - lane_tile(kind_index(win.kind)) == NINE_GATES)
    put(facts, NINE_GATES_SHAPE, is_nine_gates(x - NINE_GATES))


cdef inline bint is_nine_gates(lane_t rest) noexcept nogil:
    """Whether one tile is left: a borrow would leave much more."""
    return rest != 0 and rest & (rest - 1) == 0 and rest & ~NIBBLE_ONES == 0


cdef inline int up_to_four(kindset_t kinds) noexcept nogil:
    cdef int n = 0
    while kinds and n < 4:
        kinds &= kinds - 1
        n += 1
    return n


cdef inline bint holds_four(const hand_t* h) noexcept nogil:
    """Whether a kind has four copies; none has more."""
    return (h.lane[0] | h.lane[1] | h.lane[2] | h.lane[3]) & (4 * NIBBLE_ONES) != 0


cdef void wait_facts(const win_t* win, kindset_t waits, facts_t* facts) noexcept nogil:
    cdef hand_t total
    put_count(facts, N_WAITS, up_to_four(waits))
    hand_sum(&win.concealed, &win.melded, &total)
    hand_remove(&total, win.kind)
    if holds_four(&total):
        waits &= ~hand_full(&total)
    put_count(facts, N_POSSIBLE_WAITS, up_to_four(waits))


# --- facts of a reading ------------------------------------------------------------------------

cdef inline void wind_facts(const win_t* win, uint64_t sums, facts_t* facts) noexcept nogil:
    cdef unsigned int winds = sums >> GROUP_EACH_WIND & 0xF
    cdef unsigned int named = 1 << (win.seat_wind & 3) | 1 << (win.round_wind & 3)
    put_count(facts, N_WIND_PUNGS, sums >> GROUP_WINDS & 0xF)
    put_count(facts, N_GUEST_WIND_PUNGS, kindset_size(winds & ~named))
    put(facts, SEAT_PUNG, winds >> (win.seat_wind & 3) & 1)
    put(facts, ROUND_PUNG, winds >> (win.round_wind & 3) & 1)


cdef inline void group_facts(const win_t* win, const reading_t* reading, facts_t* facts) noexcept nogil:
    """Counts of groups, and the eyes."""
    cdef uint64_t sums = EYES_SUMS[reading.eyes]
    cdef int i
    for i in range(reading.n_groups):
        sums += GROUP_SUMS[reading.groups[i]]
    facts.word[2] |= EYES_FACTS[reading.eyes]
    put_count(facts, N_CHOWS, sums & 0xF)
    if sums >> GROUP_PUNGS & 0xF:
        put_count(facts, N_PUNGS, sums >> GROUP_PUNGS & 0xF)
        put_count(facts, N_DRAGON_PUNGS, sums >> GROUP_DRAGONS & 0xF)
        put_count(facts, N_TERMINAL_PUNGS, sums >> GROUP_TERMINALS & 0xF)
        if sums >> GROUP_WINDS & 0xF:
            wind_facts(win, sums, facts)
    # all four groups and the eyes
    put(facts, GROUPS_OUTSIDE, sums >> GROUP_OUTSIDES & 0xF == 5)
    put(facts, GROUPS_FIVE, sums >> GROUP_FIVES & 0xF == 5)
    if reading.eyes >= FIRST_HONOR + 3:
        put(facts, EYES_SEAT, reading.eyes == win.seat_wind)
        put(facts, EYES_ROUND, reading.eyes == win.round_wind)


cdef void reading_facts(const win_t* win, const reading_t* reading, const relations_t* relations,
                        facts_t* facts) noexcept nogil:
    cdef kindset_t held
    facts.word[2] = 0
    facts.word[3] = relations.found
    if reading.form == FORM_STANDARD:
        put(facts, STANDARD, True)
        group_facts(win, reading, facts)
    elif reading.form == FORM_KNITTED_STRAIGHT:
        put(facts, KNITTED_STRAIGHT, True)
        put(facts, KNITTED_NINE, True)
        group_facts(win, reading, facts)
    elif reading.form == FORM_HONORS_AND_KNITTED:
        held = hand_held(&win.concealed)
        put(facts, HONORS_AND_KNITTED, True)
        put(facts, KNITTED_NINE, kindset_size(held & (kind_bit(FIRST_HONOR) - 1)) == 9)
        put(facts, SEVEN_HONORS, held >> FIRST_HONOR == 0x7F)
    elif reading.form == FORM_SEVEN_PAIRS:
        put(facts, SEVEN_PAIRS, True)
        put(facts, SHIFTED_PAIRS, shifted_pairs(&win.concealed))
    else:
        put(facts, THIRTEEN_ORPHANS, True)


cdef inline bint shifted_pairs(const hand_t* h) noexcept nogil:
    cdef int lane
    for lane in range(3):
        if h.lane[lane] in (<lane_t> 0x2222222, <lane_t> 0x22222220, <lane_t> 0x222222200):
            return True
    return False


cdef void role_facts(const win_t* win, const reading_t* reading, facts_t* facts) noexcept nogil:
    """Takes the facts of a decomposition; those of another role may be in them."""
    # of the pungs, those that are neither open nor completed by another player's tile
    cdef int n_taken = <int> (win.meld_sums >> SUM_OPEN_PUNGS & 0xF)
    n_taken += reading.role == ROLE_PUNG and not win.flags & WON_SELF_DRAWN
    facts.word[FACT_ROLE >> 6] &= ~((<uint64_t> 0xFF << (FACT_ROLE & 63))
                                    | (<uint64_t> 0xF << (FACT_CONCEALED_PUNGS & 63)))
    facts.word[FACT_CONCEALED_PUNGS >> 6] |= (
        (facts.word[N_PUNGS >> 6] >> (N_PUNGS & 63) & 0xF) >> n_taken << (FACT_CONCEALED_PUNGS & 63))
    if reading.role != ROLE_NONE:
        put(facts, FACT_ROLE + reading.role - 1, True)
    if reading.form == FORM_KNITTED_STRAIGHT:
        put(facts, BODY_HOLDS_WIN, knitted_kinds(reading.order) >> win.kind & 1)
