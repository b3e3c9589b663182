"""A hand that claims to win: whether it is one that can be scored, and what its context implies or contradicts."""

from mjcore.packed cimport (
    FIRST_HONOR,
    LAST_CHOW_INDEX,
    NIBBLE_ONES,
    N_KINDS,
    N_LANES,
    N_MELDS_MAX,
    N_TILES_MAX,
    hand_clear,
    hand_count,
    hand_has_fifth,
    hand_size,
    hand_sum,
    hand_t,
    kind_index,
    kind_lane,
    kind_shift,
    lane_t,
)

# By kind and type: the copies of a meld from its lowest kind on, 0 where there is no such meld; by type, what it is.
cdef uint16_t MELD_COPIES[512]
cdef uint32_t MELD_SUMS[8]


cdef void fill_melds():
    cdef int kind, kind_type
    for kind_type in range(8):
        for kind in range(64):
            MELD_COPIES[kind_type << 6 | kind] = 0
        for kind in range(N_KINDS):
            if kind_type == MELD_CHOW and kind < FIRST_HONOR and kind_index(kind) <= LAST_CHOW_INDEX:
                MELD_COPIES[kind_type << 6 | kind] = 0x111
            elif MELD_PUNG <= kind_type <= MELD_CONCEALED_KONG:
                MELD_COPIES[kind_type << 6 | kind] = 3 if kind_type == MELD_PUNG else 4
        MELD_SUMS[kind_type] = (
            (kind_type >= MELD_DIRECT_KONG) << SUM_KONGS | (kind_type == MELD_CONCEALED_KONG) << SUM_CONCEALED_KONGS
            | (kind_type == MELD_ADDED_KONG) << SUM_ADDED_KONGS
            | (MELD_PUNG <= kind_type <= MELD_ADDED_KONG) << SUM_OPEN_PUNGS)


fill_melds()


cdef int win_check(win_t* win) noexcept nogil:
    return win_check_sized(win, hand_size(&win.concealed))


cdef int win_check_sized(win_t* win, int size) noexcept nogil:
    cdef hand_t total
    cdef int i, lane
    cdef unsigned int meld
    cdef lane_t copies, over = 0
    cdef bint is_bad = False
    if not 0 <= win.n_melds <= N_MELDS_MAX:
        return WIN_BAD_MELD
    hand_clear(&win.melded)
    win.meld_sums = 0
    for i in range(N_MELDS_MAX):        # how many there are no one could foresee; a meld 0 adds nothing
        meld = win.melds[i] if i < win.n_melds else 0
        copies = MELD_COPIES[meld & 0x1FF]
        is_bad |= (copies == 0) & (i < win.n_melds)
        lane = kind_lane(meld & 0x3F) & 3     # of a meld that is none too
        win.melded.lane[lane] += copies << kind_shift(meld & 0x3F)
        over |= win.melded.lane[lane]
        win.meld_sums += MELD_SUMS[meld >> 6 & 7]
    if is_bad:
        return WIN_BAD_MELD
    for lane in range(N_LANES):
        over |= win.concealed.lane[lane]
    # a nibble would run over with the fourth kong of a kind, the second of which has set its highest bit
    if over & (8 * NIBBLE_ONES):
        return WIN_BAD_HAND
    hand_sum(&win.concealed, &win.melded, &total)
    if hand_has_fifth(&total) or size != N_TILES_MAX - 3 * win.n_melds:
        return WIN_BAD_HAND
    if not 0 <= win.kind < N_KINDS or hand_count(&win.concealed, win.kind) == 0:
        return WIN_BAD_TILE
    if not (FIRST_HONOR + 3 <= win.seat_wind < N_KINDS and FIRST_HONOR + 3 <= win.round_wind < N_KINDS):
        return WIN_BAD_CONTEXT
    return WIN_OK if win.n_flowers <= 8 else WIN_BAD_CONTEXT


cdef inline int open_copies(const win_t* win) noexcept nogil:
    """Copies of the winning kind in open melds; a concealed kong of it cannot be."""
    return hand_count(&win.melded, win.kind)


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
    if flags & WON_KONG_REPLACEMENT and not win.meld_sums >> SUM_KONGS & 0xF:
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
    if flags & WON_FIRST_TURN and (win.n_melds or flags & WON_WALL_LAST):
        if not normalise:
            return CONTEXT_FIRST_TURN_MELDS if win.n_melds else CONTEXT_FIRST_TURN_WALL_LAST
        flags &= ~(<uint32_t> WON_FIRST_TURN)
    if flags & WON_FOURTH_VISIBLE and held:
        if not normalise:
            return CONTEXT_FOURTH_HELD
        flags &= ~(<uint32_t> WON_FOURTH_VISIBLE)
    win.flags = flags | (win.flags & WON_FOURTH_VISIBLE if open_copies(win) == 3 else 0)
    return CONTEXT_OK
