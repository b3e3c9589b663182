"""
Facts of a winning hand and of its readings, computed once and read by every rule set.

`FACTS` lists them; the conditions in rule files are made of their names.
"""

from mjcore.forms cimport (
    FORM_HONORS_AND_KNITTED,
    FORM_KNITTED_STRAIGHT,
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
    FORMS_KNITTED,
)
from mjcore.kernels cimport hand_is_hu, standard_waits
from mjcore.packed cimport (
    ALL_KINDS,
    FIRST_HONOR,
    LAST_CHOW_INDEX,
    N_LANES,
    N_MELDS_MAX,
    N_RANKS,
    N_TILES_MAX,
    NIBBLE_ONES,
    hand_clear,
    hand_count,
    hand_full,
    hand_has_fifth,
    hand_held,
    hand_remove,
    hand_size,
    hand_sum,
    kind_bit,
    kind_index,
    kind_lane,
    kind_shift,
    kindset_size,
    lane_t,
    lowest_bit,
)
from mjcore.special_forms cimport knitted_kinds, seven_pairs_waits, thirteen_orphans_waits

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


# --- a hand that claims to win -----------------------------------------------------------------

cdef inline bint meld_add(uint16_t meld, hand_t* h) noexcept nogil:
    """Add the copies of a meld; whether it is one."""
    cdef int kind = meld & 0x3F, kind_type = meld >> 6 & 7
    cdef lane_t copies
    if kind >= N_KINDS or kind_type == 0 or kind_type > MELD_CONCEALED_KONG:
        return False
    if kind_type == MELD_CHOW:
        if kind >= FIRST_HONOR or kind_index(kind) > LAST_CHOW_INDEX:
            return False
        copies = 0x111
    else:
        copies = 3 if kind_type == MELD_PUNG else 4
    h.lane[kind_lane(kind)] += copies << kind_shift(kind)
    return True


cdef int win_check(win_t* win) noexcept nogil:
    cdef hand_t total
    cdef int i, n_kongs = 0
    if not 0 <= win.n_melds <= N_MELDS_MAX:
        return WIN_BAD_MELD
    hand_clear(&win.melded)
    for i in range(win.n_melds):
        if not meld_add(win.melds[i], &win.melded):
            return WIN_BAD_MELD
        n_kongs += win.melds[i] >> 6 & 7 >= MELD_DIRECT_KONG
    hand_sum(&win.concealed, &win.melded, &total)
    # a nibble that ran over would leave too few tiles
    if hand_has_fifth(&total) or hand_size(&total) != N_TILES_MAX + n_kongs:
        return WIN_BAD_HAND
    if hand_has_fifth(&win.concealed) or hand_size(&win.concealed) != N_TILES_MAX - 3 * win.n_melds:
        return WIN_BAD_HAND
    if not 0 <= win.kind < N_KINDS or hand_count(&win.concealed, win.kind) == 0:
        return WIN_BAD_TILE
    if not (FIRST_HONOR + 3 <= win.seat_wind < N_KINDS and FIRST_HONOR + 3 <= win.round_wind < N_KINDS):
        return WIN_BAD_CONTEXT
    return WIN_OK if win.n_flowers <= 8 else WIN_BAD_CONTEXT


cdef inline int open_copies(const win_t* win) noexcept nogil:
    """Copies of the winning kind in open melds; a concealed kong of it cannot be."""
    return hand_count(&win.melded, win.kind)


cdef inline bint has_kong(const win_t* win) noexcept nogil:
    cdef int i
    for i in range(win.n_melds):
        if win.melds[i] >> 6 & 7 >= MELD_DIRECT_KONG:
            return True
    return False


cdef int win_settle(win_t* win, bint normalise) noexcept nogil:
    cdef uint32_t flags = win.flags
    cdef int held = hand_count(&win.concealed, win.kind) - 1
    if flags & ~(<uint32_t> WON_ALL):
        return CONTEXT_UNKNOWN_FLAG
    if open_copies(win) == 3:
        win.flags |= WON_FOURTH_VISIBLE
    if flags & ~(<uint32_t> WON_SELF_DRAWN) == 0:
        return CONTEXT_OK
    if flags & WON_ROB_KONG and flags & WON_KONG_REPLACEMENT:
        if not normalise:
            return CONTEXT_ROB_REPLACEMENT
        flags &= ~(<uint32_t> (WON_KONG_REPLACEMENT if not flags & WON_SELF_DRAWN else WON_ROB_KONG))
    if flags & WON_ROB_KONG and flags & WON_SELF_DRAWN:
        if not normalise:
            return CONTEXT_ROB_SELF_DRAWN
        flags &= ~(<uint32_t> WON_ROB_KONG)
    if flags & WON_KONG_REPLACEMENT and not flags & WON_SELF_DRAWN:
        if not normalise:
            return CONTEXT_REPLACEMENT_CLAIMED
        flags &= ~(<uint32_t> WON_KONG_REPLACEMENT)
    if flags & WON_KONG_REPLACEMENT and not has_kong(win):
        if not normalise:
            return CONTEXT_REPLACEMENT_NO_KONG
        flags &= ~(<uint32_t> WON_KONG_REPLACEMENT)
    if flags & WON_ROB_KONG and (held or open_copies(win)):
        if not normalise:
            return CONTEXT_ROB_HELD
        flags &= ~(<uint32_t> WON_ROB_KONG)
    if flags & WON_ROB_KONG and flags & WON_WALL_LAST:
        if not normalise:
            return CONTEXT_ROB_WALL_LAST
        flags &= ~(<uint32_t> WON_WALL_LAST)
    if flags & WON_ROB_CONCEALED and not flags & WON_ROB_KONG:
        if not normalise:
            return CONTEXT_CONCEALED_NOT_ROBBED
        flags &= ~(<uint32_t> WON_ROB_CONCEALED)
    if flags & WON_FOURTH_VISIBLE and held:
        if not normalise:
            return CONTEXT_FOURTH_HELD
        flags &= ~(<uint32_t> WON_FOURTH_VISIBLE)
    win.flags = flags | (win.flags & WON_FOURTH_VISIBLE if open_copies(win) == 3 else 0)
    return CONTEXT_OK


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


# --- waits -------------------------------------------------------------------------------------

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
            rest.lane[lane] = h.lane[lane] - spread(<unsigned int> ((kinds & held) >> (N_RANKS * lane)) & 0x1FF)
        if missing == 0:
            waits |= standard_waits(&rest, ALL_KINDS)
        elif hand_is_hu(&rest):
            waits |= missing
    return waits


cdef inline lane_t spread(unsigned int places) noexcept nogil:
    """A tile at each place."""
    cdef lane_t x = 0
    while places:
        x |= (<lane_t> 1) << (4 * lowest_bit(places))
        places &= places - 1
    return x


cdef kindset_t win_waits(const win_t* win, unsigned int forms, bint quads) noexcept nogil:
    cdef hand_t h = win.concealed
    cdef kindset_t waits = 0
    hand_remove(&h, win.kind)
    if forms & FORM_STANDARD:
        waits = standard_waits(&h, ALL_KINDS)
    if win.n_melds <= 1 and forms & FORMS_KNITTED:
        waits |= knitted_waits(&h, win.n_melds, forms)
    if win.n_melds == 0:
        if forms & FORM_SEVEN_PAIRS:
            waits |= seven_pairs_waits(&h, 0, quads)
        if forms & FORM_THIRTEEN_ORPHANS:
            waits |= thirteen_orphans_waits(&h)
    return waits


# --- facts of a reading ------------------------------------------------------------------------

cdef int pair_relation(int a, int b) noexcept nogil:
    """The relation of two chows, or of two pungs of suits."""
    cdef int apart
    if a & GROUP_PUNG:
        return TWO_PUNGS_SUITS if a != b and (a - b) % N_RANKS == 0 else RELATION_NONE
    if kind_lane(a) != kind_lane(b):
        return TWO_CHOWS_SUITS if kind_index(a) == kind_index(b) else RELATION_NONE
    apart = a - b if a > b else b - a
    if apart == 0:
        return TWO_CHOWS_SAME
    if apart == 3:
        return TWO_CHOWS_SIX
    return TWO_CHOWS_TERMINAL if apart == 6 else RELATION_NONE


# By the codes of two groups: 0 .. 26 for chows, 27 .. 53 for pungs of suits, 54 for others.
cdef uint8_t PAIR_RELATION[55][55]
cdef uint8_t GROUP_CODE[128]


cdef void fill_relations():
    cdef int a, b, kind
    for kind in range(64):
        GROUP_CODE[kind] = <uint8_t> (kind if kind < FIRST_HONOR else 54)
        GROUP_CODE[kind | GROUP_PUNG] = <uint8_t> (kind + FIRST_HONOR if kind < FIRST_HONOR else 54)
    for a in range(55):
        for b in range(55):
            PAIR_RELATION[a][b] = RELATION_NONE
            if a < FIRST_HONOR and b < FIRST_HONOR:
                PAIR_RELATION[a][b] = <uint8_t> pair_relation(a, b)
            elif FIRST_HONOR <= a < 54 and FIRST_HONOR <= b < 54:
                PAIR_RELATION[a][b] = <uint8_t> pair_relation(
                    a - FIRST_HONOR | GROUP_PUNG, b - FIRST_HONOR | GROUP_PUNG)


fill_relations()


cdef int triple_relation(int a, int b, int c) noexcept nogil:
    """Three chows, or three pungs of suits; ranks in order differ by one step, in one suit or in three."""
    cdef bint pungs = a & GROUP_PUNG != 0
    cdef int lane_a, lane_b, lane_c, step, swap
    cdef bint one_suit
    a &= ~GROUP_PUNG
    b &= ~GROUP_PUNG
    c &= ~GROUP_PUNG
    lane_a = kind_lane(a)
    lane_b = kind_lane(b)
    lane_c = kind_lane(c)
    one_suit = lane_a == lane_b and lane_b == lane_c
    if not one_suit and (lane_a == lane_b or lane_b == lane_c or lane_a == lane_c):
        return RELATION_NONE
    a = kind_index(a)
    b = kind_index(b)
    c = kind_index(c)
    if a > b:
        swap = a
        a = b
        b = swap
    if b > c:
        swap = b
        b = c
        c = swap
    if a > b:
        swap = a
        a = b
        b = swap
    step = b - a
    if c - b != step or step > 3:
        return RELATION_NONE
    if pungs:
        if step == 1:
            return THREE_PUNGS_STEP_1 if one_suit else THREE_PUNGS_SUITS_STEP_1
        return THREE_PUNGS_SUITS if step == 0 else RELATION_NONE
    if step == 0:
        return THREE_CHOWS_SAME if one_suit else THREE_CHOWS_SUITS
    if step == 1:
        return THREE_CHOWS_STEP_1 if one_suit else THREE_CHOWS_SUITS_STEP_1
    if step == 2:
        return THREE_CHOWS_STEP_2 if one_suit else RELATION_NONE
    return THREE_CHOWS_STRAIGHT if one_suit else THREE_CHOWS_SUITS_STRAIGHT


cdef int four_relation(const uint8_t* groups, int eyes) noexcept nogil:
    """Four chows, or four pungs of suits, with the eyes."""
    cdef bint pungs = groups[0] & GROUP_PUNG != 0
    cdef unsigned int starts[3]
    cdef int i, lane, first, step, n_lanes = 0, lanes = 0
    cdef unsigned int held = 0
    starts[0] = starts[1] = starts[2] = 0
    for i in range(4):
        lane = kind_lane(groups[i] & ~GROUP_PUNG)
        starts[lane] |= 1 << kind_index(groups[i] & ~GROUP_PUNG)
        lanes |= 1 << lane
    n_lanes = (lanes & 1) + (lanes >> 1 & 1) + (lanes >> 2)
    if n_lanes == 1:
        held = starts[lowest_bit(lanes)]
        first = lowest_bit(held)
        held >>= first
        if pungs:
            return FOUR_PUNGS_STEP_1 if held == 0xF else RELATION_NONE
        if held == 1:
            return FOUR_CHOWS_SAME
        if held == 0xF:
            return FOUR_CHOWS_STEP_1
        if held == 0x55:
            return FOUR_CHOWS_STEP_2
    if pungs or eyes >= FIRST_HONOR or kind_index(eyes) != 4:
        return RELATION_NONE
    lane = kind_lane(eyes)
    if n_lanes == 1 and held == 0x41 and lanes == 1 << lane:
        step = 0
        for i in range(4):
            step += kind_index(groups[i])
        return FOUR_CHOWS_TERMINAL if step == 12 else RELATION_NONE
    if n_lanes == 2 and not lanes >> lane & 1:
        for i in range(3):
            if i != lane and starts[i] != 0x41:
                return RELATION_NONE
        return FOUR_CHOWS_SUITS_TERMINAL
    return RELATION_NONE


cdef inline uint64_t relation_bit(uint8_t relation) noexcept nogil:
    return <uint64_t> 1 << (relation & 63)      # RELATION_NONE: bit 63, which is no relation


cdef void relations_of(const reading_t* reading, relations_t* relations) noexcept nogil:
    cdef int i, j, place = 0, n_chows = 0, n_pungs = 0
    cdef uint8_t code[4]
    cdef uint64_t found = 0
    for i in range(4):
        relations.triple[i] = RELATION_NONE
    relations.all_four = RELATION_NONE
    relations.found = 0
    if reading.form != FORM_STANDARD:
        for i in range(6):
            relations.pair[i] = RELATION_NONE
        return
    for i in range(4):
        code[i] = GROUP_CODE[reading.groups[i]]
        n_chows += code[i] < FIRST_HONOR
        n_pungs += code[i] >= FIRST_HONOR and code[i] < 54
    for i in range(3):
        for j in range(i + 1, 4):
            relations.pair[place] = PAIR_RELATION[code[i]][code[j]]
            found |= relation_bit(relations.pair[place])
            place += 1
    if n_chows >= 3 or n_pungs >= 3:
        for i in range(4):
            relations.triple[i] = <uint8_t> triple_without(reading.groups, i)
            found |= relation_bit(relations.triple[i])
        if n_chows == 4 or n_pungs == 4:
            relations.all_four = <uint8_t> four_relation(reading.groups, reading.eyes)
            found |= relation_bit(relations.all_four)
    relations.found = found & ((<uint64_t> 1 << N_RELATIONS) - 1)


cdef inline int triple_without(const uint8_t* groups, int skip) noexcept nogil:
    cdef int a = groups[1 if skip == 0 else 0], b = groups[2 if skip < 2 else 1], c = groups[3 if skip < 3 else 2]
    if (a ^ b | a ^ c) & GROUP_PUNG or (a & GROUP_PUNG and (
            a >= GROUP_PUNG + FIRST_HONOR or b >= GROUP_PUNG + FIRST_HONOR or c >= GROUP_PUNG + FIRST_HONOR)):
        return RELATION_NONE
    return triple_relation(a, b, c)


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
        put(facts, BODY_HOLDS_WIN, KNITTED_KINDS[reading.order] >> win.kind & 1)
