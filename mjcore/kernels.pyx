"""
The search on the packed hand: win check and waits, with and without jokers.

Why a branch cannot win, the prune rules, each with its number where it is applied:

P1  Sixteen is one modulo three, so a lane modulo three is its number of tiles modulo three.
    Melds take three tiles and the eyes two: one lane leaves two, the others nothing.
P2  Index times count, summed over a suit, is a multiple of three for every meld, so eyes at
    index i need 2i to match the sum modulo three: three candidates at most, not nine.
P3  At the lowest index of a suit without eyes, exactly count modulo three chows begin: three
    equal chows are three pungs.  There is nothing to choose, and one borrow ends the search.
P4  A natural tile completes a hand only by joining a tile that is held: the same kind or one
    at most two ranks away.
P5  With jokers, a chow takes the natural tiles that are there (swapping one for a joker gains
    nothing), and at most two equal chows are tried (P3).
P6  A branch that needs more jokers than the hand has left is dropped.
P7  A natural tile of which a copy is left saves at most one joker.  A hand that needs more than
    one joker beyond those it holds waits for no such tile.
"""

from mjcore.forms cimport (
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
    FORMS_DEFAULT,
    FORMS_KNITTED,
    rules_t,
)
from mjcore.packed cimport (
    ALL_KINDS,
    FIRST_HONOR,
    HONOR_MASK,
    LANE_Z,
    LAST_CHOW_INDEX,
    MJCORE_ABI,
    N_COPIES,
    N_HONORS,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    NIBBLE_ONES,
    SUIT_MASK,
    eyes_index,
    hand_add,
    hand_full,
    hand_has_fifth,
    hand_size,
    hand_sum,
    hand_t,
    hand_take_all,
    kind_bit,
    kindset_t,
    lane_count,
    lane_held,
    lane_t,
    lane_tile,
    lowest_bit,
    n_chows_begun,
)
from mjcore.special_forms cimport (
    all_orphans,
    is_seven_pairs,
    is_seven_pairs_plain,
    is_thirteen_orphans,
    seven_pairs_waits,
    special_allowed,
    thirteen_orphans_waits,
)
from mjcore.profile cimport hand_shanten_rules, hand_waits

cdef enum:
    NEVER = 64          # more jokers than any hand has; sums of a few stay small

cdef extern from *:
    """
    /* Jokers needed to make n natural tiles of a kind, beside its chows, into pungs (PUNGS)
       or into pungs and the eyes (EYES); five copies stand for a moment in waits by shape. */
    static const unsigned char MJCORE_PUNGS[6] = {0, 2, 1, 0, 2, 1};
    static const unsigned char MJCORE_EYES[6] = {64, 1, 0, 2, 1, 0};
    """
    const unsigned char* PUNGS "MJCORE_PUNGS"
    const unsigned char* EYES "MJCORE_EYES"


# --- lanes without jokers ----------------------------------------------------------------------

cdef inline bint suit_is_melds(lane_t x) noexcept nogil:
    cdef unsigned int chows
    while x:
        x >>= lowest_bit(x) & ~3
        chows = n_chows_begun(x & 7)                            # P3
        x = (x >> 4) - chows * <lane_t> 0x11
        if x & <lane_t> 0x8888888888888888:
            return False
    return True


cdef inline bint suit_is_complete(lane_t x, unsigned int eyes) noexcept nogil:
    """Melds and the eyes, which must be at an index in `eyes`."""
    cdef unsigned int index = eyes_index(x)     # P2
    while index < N_RANKS:
        if (x >> (4 * index)) & 6 and (eyes >> index) & 1 and suit_is_melds(x - (<lane_t> 2 << (4 * index))):
            return True
        index += 3
    return False


cdef inline lane_t honors_not_pungs(lane_t x) noexcept nogil:
    """The lowest bit of each nibble that is neither 0 nor 3."""
    return ((x ^ (x >> 1)) | (x >> 2)) & NIBBLE_ONES


cdef inline bint honors_are_complete(lane_t x, unsigned int eyes) noexcept nogil:
    cdef lane_t odd = honors_not_pungs(x)
    cdef int shift
    if odd == 0 or odd & (odd - 1):
        return False
    shift = lowest_bit(odd)
    return (x >> shift) & 7 in (2, 5) and (eyes >> (shift >> 2)) & 1


cdef inline bint lane_is_melds(int lane, lane_t x) noexcept nogil:
    if lane == LANE_Z:
        return honors_not_pungs(x) == 0
    return suit_is_melds(x)


cdef inline bint lane_is_complete(int lane, lane_t x, kindset_t eyes) noexcept nogil:
    if lane == LANE_Z:
        return honors_are_complete(x, <unsigned int> (eyes >> FIRST_HONOR))
    return suit_is_complete(x, <unsigned int> (eyes >> (N_RANKS * lane)))


cdef inline unsigned int near(lane_t x) noexcept nogil:
    """Places within two ranks of a held tile (P4)."""
    cdef unsigned int held = lane_held(x)
    return (held | held << 1 | held << 2 | held >> 1 | held >> 2) & 0x1FF


# --- standard form without jokers --------------------------------------------------------------

cdef inline bint is_standard(const hand_t* h, kindset_t eyes) noexcept nogil:
    cdef lane_t m = h.lane[0], s = h.lane[1], p = h.lane[2], z = h.lane[3]
    cdef unsigned int over_m = <unsigned int> (m % 3), over_s = <unsigned int> (s % 3)
    cdef unsigned int over_p = <unsigned int> (p % 3), over_z = <unsigned int> (z % 3)
    if over_m + over_s + over_p + over_z != 2 or (over_m | over_s | over_p | over_z) != 2:      # P1
        return False
    if over_z:
        return (honors_are_complete(z, <unsigned int> (eyes >> FIRST_HONOR))
                and suit_is_melds(m) and suit_is_melds(s) and suit_is_melds(p))
    if honors_not_pungs(z):
        return False
    if over_m:
        return suit_is_melds(s) and suit_is_melds(p) and suit_is_complete(m, <unsigned int> eyes)
    if over_s:
        return suit_is_melds(m) and suit_is_melds(p) and suit_is_complete(s, <unsigned int> (eyes >> 9))
    return suit_is_melds(m) and suit_is_melds(s) and suit_is_complete(p, <unsigned int> (eyes >> 18))


cdef kindset_t lane_waits_eyes(int lane, lane_t x, kindset_t eyes) noexcept nogil:
    """Kinds that make melds and the eyes of the lane."""
    cdef kindset_t waits = 0
    cdef unsigned int left = lane_held(x) if lane == LANE_Z else near(x)
    cdef int index
    while left:
        index = lowest_bit(left)
        left &= left - 1
        if lane_is_complete(lane, x + lane_tile(index), eyes):
            waits |= kind_bit(N_RANKS * lane + index)
    return waits


cdef kindset_t lane_waits_melds(int lane, lane_t x) noexcept nogil:
    """Kinds that make melds of the lane."""
    cdef kindset_t waits = 0
    cdef unsigned int left
    cdef int index
    if lane == LANE_Z:
        left = lane_held(x)
    else:
        # the index of the new tile is fixed modulo three, as in P2
        left = near(x) & (<unsigned int> 0x49) << eyes_index(x)
    while left:
        index = lowest_bit(left)
        left &= left - 1
        if lane_is_melds(lane, x + lane_tile(index)):
            waits |= kind_bit(N_RANKS * lane + index)
    return waits


cdef kindset_t standard_waits(const hand_t* h, kindset_t eyes) noexcept nogil:
    """By shape.  The new tile goes to a lane one over, or to one of two lanes two over (P1)."""
    cdef int lane, over, first = -1, second = -1, n_ones = 0
    cdef kindset_t waits = 0
    for lane in range(N_LANES):
        over = <int> (h.lane[lane] % 3)
        if over == 0:
            if not lane_is_melds(lane, h.lane[lane]):
                return 0
            continue
        n_ones += over == 1
        if first < 0:
            first = lane
        elif second < 0:
            second = lane
        else:
            return 0
    if n_ones == 1 and second < 0:
        return lane_waits_eyes(first, h.lane[first], eyes)
    if n_ones == 0 and second >= 0:
        if lane_is_complete(second, h.lane[second], eyes):
            waits = lane_waits_melds(first, h.lane[first])
        if lane_is_complete(first, h.lane[first], eyes):
            waits |= lane_waits_melds(second, h.lane[second])
    return waits


# --- standard form with jokers -----------------------------------------------------------------

# Fewest jokers that make a lane melds, and melds with the eyes; NEVER where it cannot be.
cdef struct need_t:
    int melds
    int eyes


cdef inline int least(int a, int b) noexcept nogil:
    return a if a < b else b


cdef need_t suit_need(lane_t x, int rank, unsigned int eyes, int budget) noexcept nogil:
    """
    Jokers for a suit from index `rank` on, a joker playing as any kind any number of times.

    Eyes of two jokers are the caller's to count.
    """
    cdef need_t best, rest
    cdef int count, chows, chow_cost, cost_melds, cost_eyes, n_next
    best.eyes = NEVER
    if x == 0:
        best.melds = 0
        return best
    best.melds = NEVER
    n_next = lowest_bit(x) >> 2
    rank += n_next
    x >>= 4 * n_next
    count = <int> (x & 7)
    x >>= 4
    chows = 0
    chow_cost = 0
    while True:
        cost_melds = chow_cost + PUNGS[count]
        cost_eyes = chow_cost + EYES[count] if (eyes >> rank) & 1 else NEVER
        if least(cost_melds, cost_eyes) <= budget:                                         # P6
            rest = suit_need(x, rank + 1, eyes, budget - least(cost_melds, cost_eyes))
            best.melds = least(best.melds, cost_melds + rest.melds)
            best.eyes = least(best.eyes, least(cost_melds + rest.eyes, cost_eyes + rest.melds))
        if chows == 2 or count == 0 or (x & 0x77) == 0:                                    # P5
            return best
        chows += 1
        count -= 1
        chow_cost += ((x & 0x07) == 0) + ((x & 0x70) == 0)
        if chow_cost > budget:
            return best
        x -= (<lane_t> ((x & 0x07) != 0)) + ((<lane_t> ((x & 0x70) != 0)) << 4)


cdef need_t honors_need(lane_t x, unsigned int eyes) noexcept nogil:
    cdef need_t need
    cdef int index, count, gain = NEVER
    need.melds = 0
    while x:
        index = lowest_bit(x) >> 2
        count = lane_count(x, index)
        x ^= (<lane_t> count) << (4 * index)
        need.melds += PUNGS[count]
        if (eyes >> index) & 1:
            gain = least(gain, <int> EYES[count] - <int> PUNGS[count])
    need.eyes = need.melds + gain
    return need


cdef need_t capped_need(int lane, lane_t x, lane_t melded, int index, int before, int last,
                        unsigned int eyes, int budget) noexcept nogil:
    """
    Jokers for a lane from `index` on, no kind raised above four copies by a joker.

    `before` and `last` chows began two places and one place lower.
    """
    cdef need_t best, rest
    cdef int count, room, chows, pungs, pair, used, cost, i
    best.melds = NEVER
    best.eyes = NEVER
    if x == 0 and before == 0 and last == 0:
        best.melds = 0
        for i in range(index, N_HONORS if lane == LANE_Z else N_RANKS):
            if (eyes >> i) & 1 and lane_count(melded, i - index) <= N_COPIES - 2:
                best.eyes = 2
        return best
    count = <int> (x & 7)
    room = N_COPIES - <int> (melded & 7)
    if room < count:
        room = count
    for chows in range(3):                                                                 # P5
        if chows and (lane == LANE_Z or index > LAST_CHOW_INDEX or (x & 0x777) == 0):
            break
        for pungs in range(2):
            for pair in range(2):
                used = before + last + chows + 3 * pungs + 2 * pair
                cost = used - count
                if used < count or used > room or cost > budget:                           # P6
                    continue
                if pungs and before + last + chows >= count or pair and not (eyes >> index) & 1:
                    continue
                rest = capped_need(lane, x >> 4, melded >> 4, index + 1, last, chows, eyes, budget - cost)
                if pair:
                    best.eyes = least(best.eyes, cost + rest.melds)
                else:
                    best.melds = least(best.melds, cost + rest.melds)
                    best.eyes = least(best.eyes, cost + rest.eyes)
    return best


cdef inline need_t lane_need(int lane, lane_t x, const hand_t* melded, int budget,
                             const rules_t* rules) noexcept nogil:
    cdef unsigned int eyes = <unsigned int> (rules.eyes >> (N_RANKS * lane)) & 0x1FF
    if not rules.joker_fifth_copy:
        return capped_need(lane, x, melded.lane[lane] if melded else 0, 0, 0, 0, eyes, budget)
    if lane == LANE_Z:
        return honors_need(x, eyes)
    return suit_need(x, 0, eyes, budget)


cdef inline int total_need(const need_t* need, int skip, need_t* others, const rules_t* rules) noexcept nogil:
    """Jokers for all lanes but `skip` (-1: none), and for melds and eyes together."""
    cdef int lane
    others.melds = 0
    others.eyes = NEVER
    for lane in range(N_LANES):
        if lane != skip:
            others.eyes = least(others.eyes + need[lane].melds, others.melds + need[lane].eyes)
            others.melds += need[lane].melds
    # Under the four-copy reading capped_need counts eyes of two jokers itself.
    if rules.joker_fifth_copy and rules.eyes:
        others.eyes = least(others.eyes, others.melds + 2)
    return others.eyes


cdef bint is_standard_jokers(const hand_t* h, const hand_t* melded, int n_jokers,
                             const rules_t* rules) noexcept nogil:
    """Jokers beyond the need are a multiple of three, melds of their own."""
    cdef need_t need[4]
    cdef need_t all_lanes
    cdef int lane, budget = n_jokers
    for lane in range(N_LANES):
        need[lane] = lane_need(lane, h.lane[lane], melded, budget, rules)
        budget -= least(need[lane].melds, need[lane].eyes)
        if budget < 0:                                                                     # P6
            return False
    return total_need(need, -1, &all_lanes, rules) <= n_jokers


cdef kindset_t standard_waits_jokers(const hand_t* h, const hand_t* melded, int n_jokers,
                                     const rules_t* rules) noexcept nogil:
    """By shape, of natural tiles drawn."""
    cdef need_t need[4]
    cdef need_t others
    cdef need_t tried
    cdef kindset_t waits = 0
    cdef unsigned int left
    cdef int lane, index, n, budget = n_jokers + 1
    cdef lane_t x
    for lane in range(N_LANES):
        need[lane] = lane_need(lane, h.lane[lane], melded, budget, rules)
        budget -= least(need[lane].melds, need[lane].eyes)
        if budget < 0:                                                                     # P7
            return 0
    n = total_need(need, -1, &others, rules)
    if n > n_jokers + 1:                                                                   # P7
        return 0
    if rules.joker_fifth_copy and n + 2 <= n_jokers:
        return ALL_KINDS                        # the new tile and two jokers are a pung
    for lane in range(N_LANES):
        total_need(need, lane, &others, rules)
        if least(others.melds, others.eyes) > n_jokers:
            continue
        x = h.lane[lane]
        left = 0x7F if lane == LANE_Z else 0x1FF
        while left:
            index = lowest_bit(left)
            left &= left - 1
            tried = lane_need(lane, x + lane_tile(index), melded,
                              n_jokers - least(others.melds, others.eyes), rules)
            if least(tried.melds + others.eyes, tried.eyes + others.melds) <= n_jokers:
                waits |= kind_bit(N_RANKS * lane + index)
    return waits


# --- the whole hand ----------------------------------------------------------------------------

cdef rules_t rules_default() noexcept nogil:
    cdef rules_t rules
    rules.forms = FORMS_DEFAULT
    rules.seven_pairs_quads = False
    rules.joker_fifth_copy = True
    rules.joker_special_forms = True
    rules.joker_kind = -1
    rules.eyes = ALL_KINDS
    return rules


cdef int hand_check(const hand_t* h) noexcept nogil:
    if ((h.lane[0] | h.lane[1] | h.lane[2]) & ~SUIT_MASK) or h.lane[3] & ~HONOR_MASK:
        return 3
    if hand_has_fifth(h):
        return 1
    return 2 if hand_size(h) > N_TILES_MAX else 0


cdef bint hand_is_hu(const hand_t* h) noexcept nogil:
    if is_standard(h, ALL_KINDS):
        return True
    if is_seven_pairs_plain(h, False):
        return hand_size(h) == N_TILES_MAX
    return all_orphans(h) and hand_size(h) == N_TILES_MAX and is_thirteen_orphans(h)


cdef bint hand_is_hu_rules(const hand_t* h, const hand_t* melded, int n_jokers,
                           const rules_t* rules) noexcept nogil:
    cdef hand_t naturals
    cdef rules_t knitted
    cdef int n_all = n_jokers + hand_take_all(h, rules.joker_kind, &naturals)
    cdef int size = hand_size(&naturals) + n_all
    if size % 3 != 2:
        return False
    if rules.forms & FORM_STANDARD:
        if n_all == 0:
            if is_standard(h, rules.eyes):
                return True
        elif is_standard_jokers(&naturals, melded, n_all, rules):
            return True
    if rules.forms & FORMS_KNITTED and n_all == 0 and size > N_TILES_MAX - 4:
        knitted = rules[0]
        knitted.forms = rules.forms & FORMS_KNITTED
        if hand_shanten_rules(h, melded, 0, &knitted, NULL) == -1:
            return True
    if size != N_TILES_MAX:
        return False
    if not special_allowed(n_all, rules):
        # copies of the joker kind may still stand as themselves
        if n_jokers:
            return False
        naturals = h[0]
        n_all = 0
    if rules.forms & FORM_SEVEN_PAIRS and is_seven_pairs(&naturals, n_all, rules.seven_pairs_quads):
        return True
    return rules.forms & FORM_THIRTEEN_ORPHANS and is_thirteen_orphans(&naturals)


cdef kindset_t searched_waits(const hand_t* h, const hand_t* naturals, const hand_t* melded, int n_jokers, int n_all,
                              const rules_t* rules) noexcept nogil:
    """Waits by shape among the kinds of which a copy may be left, form by form."""
    cdef kindset_t waits = 0
    if rules.forms & FORM_STANDARD:
        if n_all == 0:
            waits = standard_waits(h, rules.eyes)
        else:
            waits = standard_waits_jokers(naturals, melded, n_all, rules)
    if hand_size(naturals) + n_all == N_TILES_MAX - 1:
        if special_allowed(n_all, rules):
            if rules.forms & FORM_SEVEN_PAIRS:
                waits |= seven_pairs_waits(naturals, n_all, rules.seven_pairs_quads)
            if rules.forms & FORM_THIRTEEN_ORPHANS:
                waits |= thirteen_orphans_waits(naturals)
        elif n_jokers == 0:
            if rules.forms & FORM_SEVEN_PAIRS:
                waits |= seven_pairs_waits(h, 0, rules.seven_pairs_quads)
            if rules.forms & FORM_THIRTEEN_ORPHANS:
                waits |= thirteen_orphans_waits(h)
    return waits


cdef kindset_t drawn_wins(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules,
                          kindset_t kinds) noexcept nogil:
    """The kinds among some that complete the hand, each one tried."""
    cdef kindset_t waits = 0
    cdef hand_t drawn
    cdef int kind
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        drawn = h[0]
        hand_add(&drawn, kind)
        if hand_is_hu_rules(&drawn, melded, n_jokers, rules):
            waits |= kind_bit(kind)
    return waits


cdef kindset_t hand_waits_rules(const hand_t* h, const hand_t* melded, int n_jokers,
                                const rules_t* rules) noexcept nogil:
    cdef hand_t naturals
    cdef hand_t held = h[0]
    cdef kindset_t waits = 0, tried
    cdef int n_all = n_jokers + hand_take_all(h, rules.joker_kind, &naturals)
    if (hand_size(&naturals) + n_all) % 3 != 1:
        return 0
    if rules.eyes == ALL_KINDS and (n_all == 0 or rules.joker_fifth_copy) and special_allowed(n_all, rules):
        # Melds change nothing here: without jokers they use up copies, which is not a matter of shape.
        if rules.forms == FORMS_DEFAULT and not rules.seven_pairs_quads:
            waits = hand_waits(&naturals, n_all)
        elif hand_shanten_rules(&naturals, NULL, n_all, rules, NULL) == 0:
            hand_shanten_rules(&naturals, NULL, n_all, rules, &waits)
    else:
        waits = searched_waits(h, &naturals, melded, n_jokers, n_all, rules)
    # What the profiles and P7 leave out is tried: a fifth natural copy, and the joker kind, of which
    # a drawn copy may play as a joker or as itself.
    if melded != NULL and n_all:
        hand_sum(h, melded, &held)
    tried = hand_full(&held)
    if rules.joker_kind >= 0:
        tried |= kind_bit(rules.joker_kind)
    return waits & ~tried | drawn_wins(h, melded, n_jokers, rules, tried)


cdef int mjcore_abi() noexcept nogil:
    return MJCORE_ABI
