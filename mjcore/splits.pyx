"""
Every split of a complete hand, jokers assigned.

One walk settles the kinds from low to high: how many chows begin at a kind, how many pungs and
whether the eyes are of it.  Each split is met once, and always in the same order.
"""

from libc.stdlib cimport free, realloc

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
    LAST_CHOW_INDEX,
    N_COPIES,
    N_KINDS,
    N_TILES_MAX,
    hand_count,
    hand_held,
    hand_size,
    hand_t,
    hand_take_all,
    kind_index,
    kindset_t,
    lowest_bit,
    uint8_t,
)
from mjcore.special_forms cimport (
    held_more,
    is_seven_pairs,
    is_thirteen_orphans,
    knitted_kinds,
    orphan_kinds,
    special_allowed,
)

cdef enum:
    N_PAIRS = 7

cdef struct walk_t:
    uint8_t counts[34]
    uint8_t room[34]            # most copies the kind may end with
    uint8_t split[8]
    int n_melds                 # of a complete split
    int last                    # highest kind that holds a tile
    bint has_eyes
    kindset_t eyes
    int pairs_each              # seven pairs: most pairs of one kind
    splits_t* out


cdef int emit(walk_t* walk) noexcept nogil:
    cdef splits_t* out = walk.out
    cdef size_t capacity
    cdef uint8_t* data
    cdef int i
    if out.n == out.limit:
        return 1
    if out.n == out.capacity:
        capacity = 2 * out.capacity if out.capacity else 16
        data = <uint8_t*> realloc(out.data, capacity * N_SPLIT)
        if data == NULL:
            return -1
        out.data = data
        out.capacity = capacity
    for i in range(N_SPLIT):
        out.data[out.n * N_SPLIT + i] = walk.split[i]
    out.n += 1
    return 0


cdef int walk_standard(walk_t* walk, int kind, int before, int last, int n_jokers, int n) noexcept nogil:
    """Settle the kinds from `kind` on; `before` and `last` chows began two kinds and one kind lower."""
    cdef int chows, pungs, pair, used, cost, status, i, most_chows, left = walk.n_melds - n
    cdef int count
    if before == 0 and last == 0:
        if left == 0 and walk.has_eyes:
            return emit(walk) if n_jokers == 0 and kind > walk.last else 0
        if n_jokers == 0:
            if kind > walk.last:
                return 0
            while walk.counts[kind] == 0:
                kind += 1
    if kind == N_KINDS:
        return 0
    count = walk.counts[kind]
    most_chows = left if kind < FIRST_HONOR and kind_index(kind) <= LAST_CHOW_INDEX else 0
    for chows in range(most_chows, -1, -1):
        for pungs in range(left - chows, -1, -1):
            for pair in range(1 if walk.has_eyes or not (walk.eyes >> kind) & 1 else 2):
                used = before + last + chows + 3 * pungs + 2 * pair
                cost = used - count
                if cost < 0 or cost > n_jokers or used > walk.room[kind]:
                    continue
                for i in range(chows):
                    walk.split[2 + n + i] = <uint8_t> kind
                for i in range(pungs):
                    walk.split[2 + n + chows + i] = <uint8_t> (kind | SPLIT_PUNG)
                if pair:
                    walk.has_eyes = True
                    walk.split[1] = <uint8_t> kind
                status = walk_standard(walk, kind + 1, last, chows, n_jokers - cost, n + chows + pungs)
                for i in range(chows + pungs):
                    walk.split[2 + n + i] = SPLIT_NONE
                if pair:
                    walk.has_eyes = False
                if status:
                    return status
    return 0


cdef int walk_pairs(walk_t* walk, int kind, int n_jokers, int n) noexcept nogil:
    cdef int pairs, cost, i, status
    if n == N_PAIRS:
        return emit(walk) if n_jokers == 0 and kind > walk.last else 0
    if kind == N_KINDS:
        return 0
    for pairs in range(walk.pairs_each, -1, -1):
        cost = 2 * pairs - walk.counts[kind]
        if n + pairs > N_PAIRS or cost < 0 or cost > n_jokers:
            continue
        for i in range(pairs):
            walk.split[1 + n + i] = <uint8_t> kind
        status = walk_pairs(walk, kind + 1, n_jokers - cost, n + pairs)
        if status:
            return status
    return 0


cdef void walk_start(walk_t* walk, const hand_t* h, const hand_t* melded, const rules_t* rules,
                     splits_t* out) noexcept nogil:
    cdef int kind, room
    walk.last = -1
    walk.out = out
    walk.has_eyes = False
    walk.eyes = rules.eyes
    walk.pairs_each = 2 if rules.seven_pairs_quads else 1
    for kind in range(N_KINDS):
        walk.counts[kind] = <uint8_t> hand_count(h, kind)
        if walk.counts[kind]:
            walk.last = kind
        room = 3 * N_TILES_MAX
        if not rules.joker_fifth_copy:
            room = N_COPIES - (hand_count(melded, kind) if melded else 0)
        walk.room[kind] = <uint8_t> (room if room > walk.counts[kind] else walk.counts[kind])
    for kind in range(N_SPLIT):
        walk.split[kind] = SPLIT_NONE


cdef int special_splits(walk_t* walk, const hand_t* h, int n_jokers, const rules_t* rules) noexcept nogil:
    cdef int status, kind
    cdef kindset_t twice
    if rules.forms & FORM_SEVEN_PAIRS and is_seven_pairs(h, n_jokers, rules.seven_pairs_quads):
        walk.split[0] = FORM_SEVEN_PAIRS
        status = walk_pairs(walk, 0, n_jokers, 0)
        if status:
            return status
    if rules.forms & FORM_THIRTEEN_ORPHANS and is_thirteen_orphans(h):
        walk.split[0] = FORM_THIRTEEN_ORPHANS
        for kind in range(1, N_SPLIT):
            walk.split[kind] = SPLIT_NONE
        twice = held_more(h, 1)
        if twice == 0:
            twice = orphan_kinds()
        while twice:
            kind = lowest_bit(twice)
            twice &= twice - 1
            walk.split[1] = <uint8_t> kind
            status = emit(walk)
            if status:
                return status
    return 0


cdef int knitted_splits(walk_t* walk, const hand_t* h, const rules_t* rules, int size) noexcept nogil:
    """Chinese Official's knitted forms, of natural tiles only."""
    cdef kindset_t kinds, held = hand_held(h)
    cdef int order, kind, status
    if rules.forms & FORM_HONORS_AND_KNITTED and size == N_TILES_MAX and held_more(h, 1) == 0:
        for order in range(6):
            kinds = knitted_kinds(order) | <kindset_t> 0x7F << FIRST_HONOR
            if held & ~kinds == 0:
                walk.split[0] = FORM_HONORS_AND_KNITTED
                for kind in range(1, N_SPLIT):
                    walk.split[kind] = SPLIT_NONE
                walk.split[SPLIT_ORDER] = <uint8_t> order
                status = emit(walk)
                if status:
                    return status
                break       # honors but for few: more than one order may fit, the tiles are the same
    if rules.forms & FORM_KNITTED_STRAIGHT and size >= N_TILES_MAX - 3:
        for order in range(6):
            kinds = knitted_kinds(order)
            if kinds & ~held:
                continue
            for kind in range(1, N_SPLIT):
                walk.split[kind] = SPLIT_NONE
            walk.split[0] = FORM_KNITTED_STRAIGHT
            walk.split[SPLIT_ORDER] = <uint8_t> order
            walk.n_melds = size // 3 - 3
            walk.last = -1
            walk.eyes = ALL_KINDS
            for kind in range(N_KINDS):
                walk.counts[kind] -= (kinds >> kind) & 1
                walk.room[kind] = walk.counts[kind]
                if walk.counts[kind]:
                    walk.last = kind
            status = walk_standard(walk, 0, 0, 0, 0, 0)
            walk.last = -1
            for kind in range(N_KINDS):
                walk.counts[kind] += (kinds >> kind) & 1
                if walk.counts[kind]:
                    walk.last = kind
            if status:
                return status
    return 0


cdef int hand_splits(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules,
                     splits_t* out) noexcept nogil:
    cdef hand_t naturals
    cdef walk_t walk
    cdef int n_all = n_jokers + hand_take_all(h, rules.joker_kind, &naturals)
    cdef int size = hand_size(&naturals) + n_all
    cdef int status
    out.data = NULL
    out.n = 0
    out.capacity = 0
    if size % 3 != 2 or size > N_TILES_MAX:
        return 0
    walk_start(&walk, &naturals, melded, rules, out)
    if rules.forms & FORM_STANDARD:
        walk.n_melds = size // 3
        walk.split[0] = FORM_STANDARD
        status = walk_standard(&walk, 0, 0, 0, n_all, 0)
        if status:
            return status
    if n_all == 0:
        status = knitted_splits(&walk, h, rules, size)
        if status:
            return status
    if size != N_TILES_MAX:
        return 0
    if not special_allowed(n_all, rules):
        if n_jokers:
            return 0
        naturals = h[0]
        n_all = 0
        walk_start(&walk, &naturals, melded, rules, out)
    return special_splits(&walk, &naturals, n_all, rules)


cdef void splits_free(splits_t* splits) noexcept nogil:
    free(splits.data)
    splits.data = NULL
    splits.n = 0
    splits.capacity = 0
