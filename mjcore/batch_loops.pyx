"""Questions about arrays of hands: rows are read block by block, checked, and answered, without the GIL."""

from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.string cimport memset

from mjcore.chunks cimport BLOCK, block_of_lanes, block_t
from mjcore.forms cimport rules_are_default, rules_t
from mjcore.hand_rules cimport WAIT_SHAPE, HandRules
from mjcore.kernels cimport hand_is_hu_rules, hand_waits_rules
from mjcore.packed cimport (
    N_COPIES,
    N_JOKERS_MAX,
    N_KINDS,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    NIBBLE_ONES,
    hand_count,
    hand_full,
    hand_held,
    hand_remove,
    hand_size,
    hand_sum,
    hand_t,
    kindset_t,
    lane_t,
    lowest_bit,
)
from mjcore.profile cimport (
    SHANTEN_NONE,
    hand_discards,
    hand_shanten,
    hand_shanten_rules,
    hand_useful,
    hand_waits,
    shanten_block,
    useful_block,
    waits_block,
)
from mjcore.rows cimport Rows, is_no_hand

cdef enum:
    OP_IS_HU = 0
    OP_SHANTEN = 1
    OP_WAITS = 2
    OP_USEFUL = 3
    OP_DISCARDS = 4

cdef inline bint row_is_bad(const hand_t* h, int n_jokers, int n_melds, int operation) noexcept nogil:
    """Whether a row is not a hand, or has a size that its question has no answer for."""
    cdef int size
    if is_no_hand(h):
        return True
    size = hand_size(h) + n_jokers
    if size + 3 * n_melds > N_TILES_MAX or n_melds and size + 3 * n_melds < N_TILES_MAX - 1:
        return True
    if operation == OP_SHANTEN or operation == OP_USEFUL:
        return size % 3 == 0
    return operation == OP_DISCARDS and size % 3 != 2


cdef lane_t PLACES[512]         # by nine bits: the nibbles of those places


cdef void fill_places() noexcept:
    cdef int bits, place
    for bits in range(512):
        PLACES[bits] = 0
        for place in range(N_RANKS):
            if (bits >> place) & 1:
                PLACES[bits] |= <lane_t> 0xF << (4 * place)


fill_places()


cdef inline void hand_left(const hand_t* h, const hand_t* visible, hand_t* left) noexcept nogil:
    """Live copies of each kind: four less own and visible ones, never below zero."""
    cdef hand_t gone
    cdef lane_t four = N_COPIES * NIBBLE_ONES, none
    cdef int lane
    if visible == NULL:
        for lane in range(N_LANES):
            left.lane[lane] = four - h.lane[lane]
        return
    hand_sum(h, visible, &gone)
    for lane in range(N_LANES):
        none = (((gone.lane[lane] + four) >> 3) & NIBBLE_ONES) * 0xF     # nibbles of four or more: at most eight
        left.lane[lane] = (four - (gone.lane[lane] & ~none)) & ~none


cdef inline int copies_of_kinds(const hand_t* left, kindset_t kinds) noexcept nogil:
    """Copies of some kinds together."""
    cdef lane_t low = <lane_t> 0x0F0F0F0F0F, ms, pz
    ms = (left.lane[0] & PLACES[kinds & 0x1FF]) + (left.lane[1] & PLACES[(kinds >> 9) & 0x1FF])
    pz = (left.lane[2] & PLACES[(kinds >> 18) & 0x1FF]) + (left.lane[3] & PLACES[(kinds >> 27) & 0x7F])
    ms = (ms & low) + ((ms >> 4) & low) + (pz & low) + ((pz >> 4) & low)
    return <int> ((ms * <lane_t> 0x0101010101010101) >> 56)


cdef kindset_t discards_rules(const hand_t* h, int n_jokers, const rules_t* rules, int8_t* shanten,
                              kindset_t* useful) noexcept nogil:
    """As hand_discards, by any rules."""
    cdef kindset_t held = hand_held(h)
    cdef hand_t rest
    cdef int kind
    for kind in range(N_KINDS):
        shanten[kind] = SHANTEN_NONE
        useful[kind] = 0
        if held >> kind & 1:
            rest = h[0]
            hand_remove(&rest, kind)
            shanten[kind] = <int8_t> hand_shanten_rules(&rest, NULL, n_jokers, rules, &useful[kind])
    return held


def by_tables(HandRules hand_rules not None):
    """Whether hands under these rules are answered by the tables alone, which takes nanoseconds."""
    return rules_are_default(&hand_rules.c)


def answer(int operation, Rows rows not None, Rows visible, const uint8_t[::1] jokers not None,
           const uint8_t[::1] melds not None, const uint8_t[::1] where, HandRules hand_rules not None,
           uint8_t[::1] small not None, uint64_t[::1] masks not None, uint8_t[::1] counts not None,
           bint only_check, Py_ssize_t start, Py_ssize_t stop):
    """
    Answer rows start .. stop, or only check them, and return the first bad one, or -1.

    Parameters
    ----------
    operation : int
        Which question.
    rows, visible : Rows
        The hands; tiles seen elsewhere, or None.
    jokers, melds, where : (n,) or (1,) uint8
        Jokers and melds of each row or of all; whether to answer it, or None for all.
    hand_rules : HandRules
        Forms and options.
    small, masks, counts : arrays
        Answers: booleans or shanten, masks of kinds, live copies; 34 to a row for discards.
    only_check : bool
        Whether to leave them alone.

    Raises
    ------
    ValueError
        If the rows are not there.
    """
    cdef hand_t hands[64]
    cdef hand_t seen[64]
    cdef hand_t left
    cdef block_t block
    cdef Py_ssize_t at, i, row, n, bad_at, bad = -1
    cdef int n_jokers, n_melds, kind
    cdef kindset_t held
    cdef rules_t rules = hand_rules.c
    cdef bint plain = rules_are_default(&rules)
    cdef bint by_shape = operation == OP_WAITS and hand_rules.c_wait_mode == WAIT_SHAPE
    cdef Py_ssize_t joker_step = 0 if jokers.shape[0] == 1 else 1
    cdef Py_ssize_t meld_step = 0 if melds.shape[0] == 1 else 1
    cdef bint has_where = where is not None, has_visible = visible is not None
    cdef hand_t* beside = NULL
    # the common questions take a whole block; n_melds asks for a check of sizes that these do not make
    cdef bint at_once = (plain and not has_where and not has_visible and operation <= OP_USEFUL and not only_check
                         and not by_shape and melds.shape[0] == 1 and melds[0] == 0)
    cdef bint ask_hu = operation == OP_IS_HU and joker_step == 0 and jokers.shape[0] and jokers[0] == 0
    if not OP_IS_HU <= operation <= OP_DISCARDS:
        raise ValueError(f"expected a question of 0 to {OP_DISCARDS}, got {operation}")
    if not 0 <= start <= stop <= rows.buffer.shape[0]:
        raise ValueError(f"expected rows within {rows.buffer.shape[0]}, got {start} to {stop}")
    n = rows.buffer.shape[0] * (N_KINDS if operation == OP_DISCARDS else 1)
    if (small.shape[0] < (n if operation != OP_WAITS else 0) or masks.shape[0] < (n if operation >= OP_WAITS else 0)
            or counts.shape[0] < (n if operation >= OP_USEFUL else 0)
            or has_where and where.shape[0] < rows.buffer.shape[0]
            or has_visible and visible.buffer.shape[0] < rows.buffer.shape[0]
            or jokers.shape[0] not in (1, rows.buffer.shape[0]) or melds.shape[0] not in (1, rows.buffer.shape[0])):
        raise ValueError("expected arrays with a place for each row")
    with nogil:
        at = start
        while at < stop and bad < 0:
            n = stop - at if stop - at < BLOCK else BLOCK
            if at_once:
                if operation >= OP_WAITS:
                    rows.read(at, n, hands)
                    block_of_lanes(<const char*> hands, sizeof(hand_t), n, False, &block)
                if operation == OP_WAITS:
                    i = waits_block(hands, &block, n, &jokers[at * joker_step], joker_step, &masks[at])
                elif operation == OP_USEFUL:
                    bad_at = useful_block(hands, &block, n, &jokers[at * joker_step], joker_step, &small[at],
                                          &masks[at])
                    for i in range(bad_at):
                        hand_left(&hands[i], NULL, &left)
                        counts[at + i] = <uint8_t> copies_of_kinds(&left, masks[at + i])
                    i = bad_at
                else:
                    rows.read_block(at, n, ask_hu, &block)
                    i = shanten_block(&block, n, &jokers[at * joker_step], joker_step, operation == OP_IS_HU,
                                      &small[at])
                if i < n:
                    bad = at + i
                at += n
                continue
            rows.read(at, n, hands)
            if has_visible:
                visible.read(at, n, seen)
            for i in range(n):
                row = at + i
                if has_where and not where[row]:
                    if operation == OP_DISCARDS and not only_check:
                        for kind in range(N_KINDS):
                            small[N_KINDS * row + kind] = counts[N_KINDS * row + kind] = 0
                            masks[N_KINDS * row + kind] = 0
                    continue
                n_jokers = jokers[row * joker_step]
                n_melds = melds[row * meld_step]
                if n_jokers > N_JOKERS_MAX or row_is_bad(&hands[i], n_jokers, n_melds, operation) \
                        or rules.joker_kind >= 0 and n_jokers + hand_count(&hands[i], rules.joker_kind) > N_JOKERS_MAX:
                    bad = row
                    break
                if has_visible:
                    beside = &seen[i]
                    if is_no_hand(beside):
                        bad = row
                        break
                if only_check:
                    continue
                if operation == OP_IS_HU:
                    if plain:
                        small[row] = hand_shanten(&hands[i], n_jokers) == -1
                    else:
                        small[row] = hand_is_hu_rules(&hands[i], NULL, n_jokers, &rules)
                elif operation == OP_SHANTEN:
                    if plain:
                        small[row] = <uint8_t> hand_shanten(&hands[i], n_jokers)
                    else:
                        small[row] = <uint8_t> hand_shanten_rules(&hands[i], NULL, n_jokers, &rules, NULL)
                elif operation == OP_WAITS:
                    if by_shape:
                        masks[row] = hand_waits_rules(&hands[i], NULL, n_jokers, &rules)
                    elif plain:
                        masks[row] = hand_waits(&hands[i], n_jokers)
                    else:
                        masks[row] = hand_waits_rules(&hands[i], NULL, n_jokers, &rules) & ~hand_full(&hands[i])
                elif operation == OP_USEFUL:
                    if plain:
                        small[row] = <uint8_t> hand_useful(&hands[i], n_jokers, &masks[row])
                    else:
                        small[row] = <uint8_t> hand_shanten_rules(&hands[i], NULL, n_jokers, &rules, &masks[row])
                    hand_left(&hands[i], beside, &left)
                    counts[row] = <uint8_t> copies_of_kinds(&left, masks[row])
                else:
                    if plain:
                        held = hand_discards(&hands[i], n_jokers, <int8_t*> &small[N_KINDS * row],
                                             &masks[N_KINDS * row])
                    else:
                        held = discards_rules(&hands[i], n_jokers, &rules, <int8_t*> &small[N_KINDS * row],
                                              &masks[N_KINDS * row])
                    hand_left(&hands[i], beside, &left)
                    memset(&counts[N_KINDS * row], 0, N_KINDS)
                    while held:
                        kind = lowest_bit(held)
                        held &= held - 1
                        counts[N_KINDS * row + kind] = <uint8_t> copies_of_kinds(&left, masks[N_KINDS * row + kind])
            at += n
    return bad


def describe(Rows rows not None, Rows visible, Py_ssize_t row):
    """Return counts and lanes of one row, and of what is visible beside it or None, to say what is wrong with it."""
    cdef hand_t h
    cdef hand_t seen
    if not 0 <= row < rows.buffer.shape[0] or visible is not None and row >= visible.buffer.shape[0]:
        raise ValueError(f"expected a row within {rows.buffer.shape[0]}, got {row}")
    rows.read(row, 1, &h)
    if visible is not None:
        visible.read(row, 1, &seen)
    return shown(&h), None if visible is None else shown(&seen)


cdef tuple shown(const hand_t* h):
    return [hand_count(h, kind) for kind in range(N_KINDS)], [h.lane[lane] for lane in range(N_LANES)]


def rewrite(Rows rows not None, uint64_t[:, ::1] lanes, uint8_t[:, ::1] counts, /):
    """Write rows as lanes or as counts, whichever is not None, up to the first that is no hand: its place, or -1."""
    cdef hand_t h
    cdef Py_ssize_t row, n = rows.buffer.shape[0], bad = -1
    cdef int place
    cdef bint as_lanes = lanes is not None, as_counts = counts is not None
    if as_lanes and (lanes.shape[0] != n or lanes.shape[1] != N_LANES):
        raise ValueError(f"expected an array of {n} rows of {N_LANES}")
    if as_counts and (counts.shape[0] != n or counts.shape[1] != N_KINDS):
        raise ValueError(f"expected an array of {n} rows of {N_KINDS}")
    with nogil:
        for row in range(n):
            rows.read(row, 1, &h)
            if is_no_hand(&h):
                bad = row
                break
            if as_lanes:
                for place in range(N_LANES):
                    lanes[row, place] = h.lane[place]
            if as_counts:
                for place in range(N_KINDS):
                    counts[row, place] = <uint8_t> hand_count(&h, place)
    return bad
