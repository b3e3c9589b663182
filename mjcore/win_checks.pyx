"""A hand that claims to win: whether it is one that can be scored, and what its context implies or contradicts."""

from mjcore.packed cimport (
    FIRST_HONOR,
    LAST_CHOW_INDEX,
    N_KINDS,
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
