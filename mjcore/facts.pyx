"""
Facts of a winning hand and of its readings, computed once and read by every rule set.

`FACTS` lists them; the conditions in rule files are made of their names.
"""

from libc.stdint cimport uint32_t, uint64_t

from mjcore.forms cimport (
    FORM_HONORS_AND_KNITTED,
    FORM_KNITTED_STRAIGHT,
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
)
from mjcore.group_relations cimport relations_t
from mjcore.groups cimport GROUP_PUNG, ROLE_NONE, ROLE_PUNG, reading_t
from mjcore.packed cimport (
    FIRST_HONOR,
    LAST_CHOW_INDEX,
    NIBBLE_ONES,
    N_KINDS,
    N_LANES,
    N_RANKS,
    hand_full,
    hand_held,
    hand_remove,
    hand_sum,
    hand_t,
    kind_bit,
    kind_index,
    kind_lane,
    kind_shift,
    kindset_size,
    lane_t,
    lowest_bit,
)
from mjcore.special_forms cimport knitted_kinds
from mjcore.win_checks cimport MELD_ADDED_KONG, MELD_CONCEALED_KONG, MELD_DIRECT_KONG, WON_SELF_DRAWN, win_t

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
READING_BYTE = STANDARD // 8
"""Bytes of the facts about waits and roles; the first byte of the facts of a reading."""

cdef enum:
    TERMINAL_RANKS = 0x101
    SIMPLE_RANKS = 0xFE
    ODD_RANKS = 0x155
    NOT_258_RANKS = 0x16D

cdef lane_t NINE_GATES = 0x311111113
cdef kindset_t GREEN_KINDS = (<kindset_t> 0xAE << N_RANKS) | kind_bit(28)
cdef kindset_t REVERSIBLE_KINDS = (<kindset_t> 0x1BA << N_RANKS) | (<kindset_t> 0x19F << 2 * N_RANKS) | kind_bit(29)

# Nibbles that add up over groups: what a group, or the eyes, are.
cdef enum:
    GROUP_CHOWS = 0
    GROUP_PUNGS = 4
    GROUP_DRAGONS = 12
    GROUP_WINDS = 16
    GROUP_TERMINALS = 20
    GROUP_OUTSIDES = 24
    GROUP_FIVES = 28

cdef uint32_t GROUP_SUMS[128]
cdef uint32_t EYES_SUMS[34]
cdef uint64_t THERMOMETER[16]


cdef void fill_tables():
    cdef int kind, rank, n
    for n in range(16):
        THERMOMETER[n] = ((<uint64_t> 1) << n) - 1
    for kind in range(N_KINDS):
        rank = kind_index(kind)
        EYES_SUMS[kind] = 0
        if kind >= FIRST_HONOR or rank == 0 or rank == N_RANKS - 1:
            EYES_SUMS[kind] |= <uint32_t> 1 << GROUP_OUTSIDES
        elif rank == 4:
            EYES_SUMS[kind] |= <uint32_t> 1 << GROUP_FIVES
        GROUP_SUMS[kind | GROUP_PUNG] = EYES_SUMS[kind] | 1 << GROUP_PUNGS
        if kind >= FIRST_HONOR + 3:
            GROUP_SUMS[kind | GROUP_PUNG] |= 1 << GROUP_WINDS
        elif kind >= FIRST_HONOR:
            GROUP_SUMS[kind | GROUP_PUNG] |= 1 << GROUP_DRAGONS
        elif EYES_SUMS[kind] >> GROUP_OUTSIDES & 1:
            GROUP_SUMS[kind | GROUP_PUNG] |= 1 << GROUP_TERMINALS
        GROUP_SUMS[kind] = 1 << GROUP_CHOWS
        if rank in (0, LAST_CHOW_INDEX):
            GROUP_SUMS[kind] |= 1 << GROUP_OUTSIDES
        if 2 <= rank <= 4:
            GROUP_SUMS[kind] |= 1 << GROUP_FIVES


fill_tables()


cdef inline void put(facts_t* facts, int place, bint value) noexcept nogil:
    facts.word[place >> 6] |= (<uint64_t> (value != 0)) << (place & 63)


cdef inline void put_count(facts_t* facts, int place, int n) noexcept nogil:
    facts.word[place >> 6] |= THERMOMETER[n] << (place & 63)


# --- facts of the hand -------------------------------------------------------------------------

cdef void hand_facts(const win_t* win, facts_t* facts) noexcept nogil:
    cdef hand_t total
    cdef kindset_t held
    cdef unsigned int m, s, p, ranks, honors
    cdef int i, kind_type, n_kongs = 0, n_concealed = 0, n_added = 0, lane
    cdef uint32_t flags = win.flags
    facts.word[0] = 0
    facts.word[1] = 0
    hand_sum(&win.concealed, &win.melded, &total)
    held = hand_held(&total)
    m = <unsigned int> held & 0x1FF
    s = <unsigned int> (held >> N_RANKS) & 0x1FF
    p = <unsigned int> (held >> 2 * N_RANKS) & 0x1FF
    honors = <unsigned int> (held >> FIRST_HONOR)
    ranks = m | s | p
    for i in range(win.n_melds):
        kind_type = win.melds[i] >> 6 & 7
        n_kongs += kind_type >= MELD_DIRECT_KONG
        n_concealed += kind_type == MELD_CONCEALED_KONG
        n_added += kind_type == MELD_ADDED_KONG
    put_count(facts, N_SUITS, (m != 0) + (s != 0) + (p != 0))
    put(facts, HAS_HONOR, honors != 0)
    put(facts, HAS_WIND, honors & 0x78 != 0)
    put(facts, HAS_DRAGON, honors & 7 != 0)
    put(facts, HAS_TERMINAL, ranks & TERMINAL_RANKS != 0)
    put(facts, HAS_SIMPLE, ranks & SIMPLE_RANKS != 0)
    put(facts, ONLY_GREEN, held & ~GREEN_KINDS == 0)
    put(facts, ONLY_REVERSIBLE, held & ~REVERSIBLE_KINDS == 0)
    put(facts, ONLY_EVEN, (ranks & ODD_RANKS | honors) == 0)
    put(facts, ONLY_258, (ranks & NOT_258_RANKS | honors) == 0)
    if holds_four(&total):
        put_count(facts, N_HOGS, kindset_size(hand_full(&total)) - n_kongs)
    put_count(facts, RANK_MIN, lowest_bit(ranks | 0x100))
    put_count(facts, RANK_MAX, highest_bit(ranks | 1))
    if win.n_melds == 0 and honors == 0:
        lane = kind_lane(win.kind)
        if hand_full_suit(win, lane):
            put(facts, NINE_GATES_PURE,
                win.concealed.lane[lane] - ((<lane_t> 1) << kind_shift(win.kind)) == NINE_GATES)
            put(facts, NINE_GATES_SHAPE, is_nine_gates(win.concealed.lane[lane] - NINE_GATES))
    put_count(facts, N_FLOWERS, win.n_flowers)
    put_count(facts, N_MELDS, win.n_melds)
    put_count(facts, N_OPEN_MELDS, win.n_melds - n_concealed)
    put_count(facts, N_KONGS, n_kongs)
    put_count(facts, N_CONCEALED_KONGS, n_concealed)
    put_count(facts, N_OPEN_KONGS, n_kongs - n_concealed)
    put_count(facts, N_ADDED_KONGS, n_added)
    put_count(facts, N_DIRECT_KONGS, n_kongs - n_concealed - n_added)
    # WON_... are in the order of these facts
    facts.word[1] |= (<uint64_t> flags) << (SELF_DRAWN & 63)
    put(facts, DEALER, win.seat_wind == FIRST_HONOR + 3)


cdef inline bint hand_full_suit(const win_t* win, int lane) noexcept nogil:
    """Whether all the concealed tiles are in one lane."""
    cdef int i
    for i in range(N_LANES):
        if i != lane and win.concealed.lane[i]:
            return False
    return True


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


cdef void group_facts(const win_t* win, const reading_t* reading, facts_t* facts) noexcept nogil:
    """Counts of groups, and the eyes."""
    cdef uint32_t sums = EYES_SUMS[reading.eyes]
    cdef unsigned int winds = 0, named
    cdef int i, group, n_winds, eyes = reading.eyes
    for i in range(reading.n_groups):
        group = reading.groups[i]
        sums += GROUP_SUMS[group]
        if group >= GROUP_PUNG + FIRST_HONOR + 3:
            winds |= 1 << (group & 3)
    put_count(facts, N_CHOWS, sums & 0xF)
    put_count(facts, N_PUNGS, sums >> GROUP_PUNGS & 0xF)
    put_count(facts, N_DRAGON_PUNGS, sums >> GROUP_DRAGONS & 0xF)
    put_count(facts, N_TERMINAL_PUNGS, sums >> GROUP_TERMINALS & 0xF)
    n_winds = sums >> GROUP_WINDS & 0xF
    if n_winds:
        put_count(facts, N_WIND_PUNGS, n_winds)
        named = 1 << (win.seat_wind & 3) | 1 << (win.round_wind & 3)
        put_count(facts, N_GUEST_WIND_PUNGS, kindset_size(winds & ~named))
        put(facts, SEAT_PUNG, winds >> (win.seat_wind & 3) & 1)
        put(facts, ROUND_PUNG, winds >> (win.round_wind & 3) & 1)
    if reading.form == FORM_STANDARD:
        put(facts, GROUPS_OUTSIDE, sums >> GROUP_OUTSIDES & 0xF == 5)
        put(facts, GROUPS_FIVE, sums >> GROUP_FIVES == 5)
    if eyes < FIRST_HONOR:
        put(facts, EYES_SUIT, True)
        put(facts, EYES_258, kind_index(eyes) % 3 == 1)
    elif eyes < FIRST_HONOR + 3:
        put(facts, EYES_DRAGON, True)
        put(facts, EYES_GREEN, eyes == FIRST_HONOR + 1)
    else:
        put(facts, EYES_WIND, True)
        put(facts, EYES_SEAT, eyes == win.seat_wind)
        put(facts, EYES_ROUND, eyes == win.round_wind)


cdef void reading_facts(const win_t* win, const reading_t* reading, const relations_t* relations,
                        facts_t* facts) noexcept nogil:
    cdef kindset_t held
    facts.word[2] = 0
    facts.word[3] = relations.found
    put(facts, STANDARD, reading.form == FORM_STANDARD)
    put(facts, SEVEN_PAIRS, reading.form == FORM_SEVEN_PAIRS)
    put(facts, THIRTEEN_ORPHANS, reading.form == FORM_THIRTEEN_ORPHANS)
    put(facts, HONORS_AND_KNITTED, reading.form == FORM_HONORS_AND_KNITTED)
    put(facts, KNITTED_STRAIGHT, reading.form == FORM_KNITTED_STRAIGHT)
    put(facts, KNITTED_NINE, reading.form == FORM_KNITTED_STRAIGHT)
    if reading.form == FORM_STANDARD or reading.form == FORM_KNITTED_STRAIGHT:
        group_facts(win, reading, facts)
    elif reading.form == FORM_HONORS_AND_KNITTED:
        held = hand_held(&win.concealed)
        put(facts, KNITTED_NINE, kindset_size(held & (kind_bit(FIRST_HONOR) - 1)) == 9)
        put(facts, SEVEN_HONORS, held >> FIRST_HONOR == 0x7F)
    elif reading.form == FORM_SEVEN_PAIRS:
        put(facts, SHIFTED_PAIRS, shifted_pairs(&win.concealed))


cdef inline bint shifted_pairs(const hand_t* h) noexcept nogil:
    cdef int lane
    for lane in range(3):
        if h.lane[lane] in (<lane_t> 0x2222222, <lane_t> 0x22222220, <lane_t> 0x222222200):
            return True
    return False


cdef void role_facts(const win_t* win, const reading_t* reading, facts_t* facts) noexcept nogil:
    """Takes the facts of a decomposition; those of another role may be in them."""
    cdef int i, n_concealed = 0
    facts.word[FACT_ROLE >> 6] &= ~((<uint64_t> 0xFF << (FACT_ROLE & 63))
                                    | (<uint64_t> 0xF << (FACT_CONCEALED_PUNGS & 63)))
    for i in range(reading.n_melds):
        n_concealed += win.melds[i] >> 6 & 7 == MELD_CONCEALED_KONG
    for i in range(reading.n_melds, reading.n_groups):
        n_concealed += reading.groups[i] >= GROUP_PUNG
    if reading.role == ROLE_PUNG and not win.flags & WON_SELF_DRAWN:
        n_concealed -= 1
    put_count(facts, FACT_CONCEALED_PUNGS, n_concealed)
    if reading.role != ROLE_NONE:
        put(facts, FACT_ROLE + reading.role - 1, True)
    if reading.form == FORM_KNITTED_STRAIGHT:
        put(facts, BODY_HOLDS_WIN, knitted_kinds(reading.order) >> win.kind & 1)
