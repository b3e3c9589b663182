"""
Suit profiles: how many tiles a hand is away from complete, from look-ups alone.

suit_tables.pxd finds the profile of each lane and the distance of the standard form; what declared melds
and restricted eyes change is in melded_rows.pyx, the knitted forms are in knitted_distance.pyx.  Here the
forms are put together: the distance of a hand, what lowers it, and what becomes of it for each tile let go.
"""

from mjcore.forms cimport (
    FORM_HONORS_AND_KNITTED,
    FORM_KNITTED_STRAIGHT,
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
    rules_t,
)
from mjcore.chunks cimport block_t
from mjcore.knitted_distance cimport N_KNITTED, honors_and_knitted_distance, knitted_straight_distance
from mjcore.melded_rows cimport lane_is_plain, standard_melded
from mjcore.packed cimport (
    LANE_Z,
    N_COPIES,
    N_JOKERS_MAX,
    N_KINDS,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    NIBBLE_ONES,
    hand_add,
    hand_count,
    hand_full,
    hand_held,
    hand_size,
    hand_sum,
    hand_t,
    hand_take_all,
    kind_bit,
    kindset_size,
    kindset_t,
    lowest_bit,
    uint8_t,
)
from mjcore.special_forms cimport (
    held_more,
    orphan_kinds,
    orphans_distance,
    orphans_held,
    orphans_useful,
    pairs_distance,
    pairs_useful,
    quads_distance,
    quads_useful,
    special_allowed,
)
from mjcore.suit_tables cimport (
    BAD_SHIFT,
    CAPPED,
    FAR,
    FREE,
    N_PROFILES_MAX,
    ROW,
    TABLES,
    TILE_NUMBERS,
    add_profiles,
    distances_from,
    field_bound,
    lowering_places,
    lowering_t,
    n_melds_of,
    packed_numbers,
    profiles_with_tile,
    reaching,
    split_sum,
    standard_distance,
    standard_useful,
    tables_t,
    three_lanes,
    walk_hand,
    walk_numbers,
    walk_packed,
    walk_t,
    walks_held,
)

from libc.stdint cimport int8_t, uint32_t, uint64_t


# --- the whole hand under the default rules ----------------------------------------------------

cdef inline int least(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline kindset_t special_useful(const hand_t* h, int distance, int n_pairs, int n_kinds,
                                     int n_orphans) noexcept nogil:
    """Kinds that bring those of the other two forms nearer that are at a distance."""
    cdef kindset_t held = hand_held(h), twice = held_more(h, 1), useful = 0
    if pairs_distance(n_pairs, n_kinds) == distance:
        useful = pairs_useful(held, twice, n_pairs, n_kinds)
    if orphans_distance(n_orphans) == distance:
        useful |= orphans_useful(held, twice)
    return useful


cdef inline int hand_distance(const hand_t* h, int n_jokers, kindset_t* useful) noexcept nogil:
    """Tiles to add, what jokers stand for among them, by the default forms; FAR where none fits, or it is no hand."""
    cdef walk_t walks[4]
    cdef const tables_t* t = &TABLES[FREE if n_jokers else CAPPED]
    cdef uint32_t sums = walk_hand(t, h, walks)
    cdef int size = <int> (sums & 0xFF) + n_jokers, n_kinds = (sums >> 8) & 0x3F, n_pairs = (sums >> 14) & 0x3F
    cdef int standard = FAR, special = FAR, distance
    if size % 3 == 0 or size > N_TILES_MAX or sums >> BAD_SHIFT & 0x1F:
        return FAR
    standard = standard_distance(t, walks, n_melds_of(size))
    if size >= N_TILES_MAX - 1:
        special = least(pairs_distance(n_pairs, n_kinds), orphans_distance(orphans_held(h)))
    distance = least(standard, special)
    if useful != NULL:
        useful[0] = standard_useful(t, walks, n_melds_of(size)) if standard == distance else 0
        if special == distance:
            useful[0] |= special_useful(h, distance, n_pairs, n_kinds, orphans_held(h))
        useful[0] &= ~hand_full(h)
    return distance


cdef int hand_shanten(const hand_t* h, int n_jokers) noexcept nogil:
    cdef int distance = hand_distance(h, n_jokers, NULL)
    return distance - n_jokers - 1 if distance < FAR else SHANTEN_NONE


cdef int hand_useful(const hand_t* h, int n_jokers, kindset_t* useful) noexcept nogil:
    cdef int distance
    useful[0] = 0
    distance = hand_distance(h, n_jokers, useful)
    if distance <= n_jokers:
        useful[0] = 0
    return distance - n_jokers - 1 if distance < FAR else SHANTEN_NONE


cdef kindset_t hand_waits(const hand_t* h, int n_jokers) noexcept nogil:
    cdef kindset_t waits
    if (hand_size(h) + n_jokers) % 3 != 1 or hand_shanten(h, n_jokers) != 0:
        return 0
    hand_useful(h, n_jokers, &waits)
    return waits


cdef inline int keep_least(int distance, int other, kindset_t* useful, kindset_t more) noexcept nogil:
    """The nearer of two forms; kinds that serve either at that distance."""
    if other < distance:
        if useful:
            useful[0] = more
        return other
    if useful != NULL and other == distance:
        useful[0] |= more
    return distance


# --- a tile let go -----------------------------------------------------------------------------

cdef inline void standard_discards(const tables_t* t, const hand_t* h, const walk_t* walks, kindset_t held,
                                   kindset_t full, int n_melds, int less, int8_t* distance,
                                   kindset_t* useful) noexcept nogil:
    """
    Distance, less a number, and useful kinds of the standard form for each kind let go; `held` and `full` are the
    hand's.

    Only one lane of the four is walked again for each; what a tile does to the others is known beforehand.
    """
    cdef walk_t walk
    cdef lowering_t lowering[4]
    cdef unsigned int with_tile[9]
    cdef const uint8_t* reached
    cdef const uint64_t* rest = t.rest + 2 * <unsigned int> n_melds * N_PROFILES_MAX
    cdef const uint8_t* beside_sums
    cdef const uint8_t* pair_sums
    cdef const uint8_t* third_sums
    cdef const uint8_t* fourth_sums
    cdef unsigned int pair[4]       # profile of the lane and its partner: m s, p z
    cdef unsigned int profile, partner, entry, places, numbers
    cdef uint64_t bound
    cdef kindset_t kinds, places_found
    cdef int lane, kind, index, beside, third, fourth
    for lane in range(N_LANES):
        lowering_places(t, lane == LANE_Z, &walks[lane], <unsigned int> (full >> (N_RANKS * lane)) & 0x1FF,
                        &lowering[lane])
        pair[lane] = add_profiles(t, walks[lane].profile, walks[lane ^ 1].profile)
    for lane in range(N_LANES):
        beside = lane ^ 1
        third = lane ^ 2
        fourth = lane ^ 3
        reached = distances_from(t, add_profiles(t, walks[beside].profile, pair[third]), n_melds)
        beside_sums = t.sums + ROW * walks[beside].profile
        pair_sums = t.sums + ROW * pair[third]
        third_sums = t.sums + ROW * walks[third].profile
        fourth_sums = t.sums + ROW * walks[fourth].profile
        numbers = packed_numbers(&walks[lane])
        places = <unsigned int> (held >> (N_RANKS * lane)) & 0x1FF
        while places:
            index = lowest_bit(places)
            places &= places - 1
            kind = N_RANKS * lane + index
            walk_packed(t, lane == LANE_Z, numbers - TILE_NUMBERS[index], &walk)
            profile = walk.profile
            entry = reached[profile]
            kinds = 0
            if entry & 1:
                profiles_with_tile(t, lane == LANE_Z, &walk, with_tile)
                kinds = reaching(reached, with_tile, <uint8_t> (entry & ~<unsigned int> 1)) << (N_RANKS * lane)
            entry >>= 1
            bound = field_bound(entry)
            partner = beside_sums[profile]
            places_found = three_lanes(
                &lowering[beside], rest + 2 * <unsigned int> pair_sums[profile],
                &lowering[third], rest + 2 * <unsigned int> fourth_sums[partner],
                &lowering[fourth], rest + 2 * <unsigned int> third_sums[partner], bound)
            kinds |= ((places_found & 0x1FF) << (N_RANKS * beside)
                      | (places_found >> N_RANKS & 0x1FF) << (N_RANKS * third)
                      | places_found >> 2 * N_RANKS << (N_RANKS * fourth))
            distance[kind] = <int8_t> (<int> entry - less)
            useful[kind] = kinds


# What seven pairs and thirteen orphans ask of a hand.
cdef struct special_t:
    kindset_t held
    kindset_t twice
    int n_pairs
    int n_kinds


cdef inline void discard_alike(const special_t* hand, kindset_t kinds, int copies, bint orphans, int distance,
                               int8_t* distances, kindset_t* useful) noexcept nogil:
    """Put one form, at a distance after it, beside what is known of each of some kinds let go, all held as often."""
    cdef kindset_t held, twice
    cdef int kind
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        if distance > distances[kind]:
            continue
        held = hand.held ^ (kind_bit(kind) if copies == 1 else 0)
        twice = hand.twice ^ (kind_bit(kind) if copies == 2 else 0)
        distances[kind] = <int8_t> keep_least(
            distances[kind], distance, &useful[kind], orphans_useful(held, twice) if orphans
            else pairs_useful(held, twice, hand.n_pairs - (copies == 2), hand.n_kinds - (copies == 1)))


cdef inline void special_discards(const hand_t* h, const special_t* hand, int most, int less, int8_t* distances,
                                  kindset_t* useful) noexcept nogil:
    """
    Put seven pairs and thirteen orphans beside the distances, less a number, and useful kinds of the standard form.

    No distance is above `most`: a form that is further away before anything is let go changes nothing.
    """
    cdef kindset_t orphans = orphan_kinds(), thrice
    cdef int n_orphans = kindset_size(hand.held & orphans), n_orphan_pairs = kindset_size(hand.twice & orphans)
    cdef kindset_t kinds[4]             # those of which there are one, two, more copies
    cdef int copies, after
    if (pairs_distance(hand.n_pairs, hand.n_kinds) > most
            and orphans_distance(n_orphans + (n_orphan_pairs > 0)) > most):
        return
    thrice = held_more(h, 2)
    kinds[1] = hand.held ^ hand.twice
    kinds[2] = hand.twice ^ thrice
    kinds[3] = thrice
    for copies in range(1, 4):
        after = pairs_distance(hand.n_pairs - (copies == 2), hand.n_kinds - (copies == 1))
        if after <= most:
            discard_alike(hand, kinds[copies], copies, False, after - less, distances, useful)
        after = orphans_distance(n_orphans + (n_orphan_pairs > 0))
        if after <= most:
            discard_alike(hand, kinds[copies] & ~orphans, copies, True, after - less, distances, useful)
        after = orphans_distance(n_orphans - (copies == 1) + (n_orphan_pairs > (copies == 2)))
        if after <= most:
            discard_alike(hand, kinds[copies] & orphans, copies, True, after - less, distances, useful)


cdef kindset_t hand_discards(const hand_t* h, int n_jokers, int8_t* shanten, kindset_t* useful) noexcept nogil:
    cdef const tables_t* t = &TABLES[FREE if n_jokers else CAPPED]
    cdef walk_t walks[4]
    cdef special_t special
    cdef kindset_t full = 0, kinds
    cdef uint32_t sums
    cdef int kind, size, n_melds
    for kind in range(N_KINDS):
        shanten[kind] = SHANTEN_NONE
        useful[kind] = 0
    sums = walk_hand(t, h, walks)
    size = <int> (sums & 0xFF) + n_jokers - 1
    if size % 3 == 0 or size > N_TILES_MAX - 1:
        return 0
    special.held = walks_held(walks)
    if (h.lane[0] | h.lane[1] | h.lane[2] | h.lane[3]) & (N_COPIES * NIBBLE_ONES):
        full = hand_full(h)
    n_melds = n_melds_of(size)
    standard_discards(t, h, walks, special.held, full, n_melds, n_jokers + 1, shanten, useful)
    if size == N_TILES_MAX - 1:
        special.twice = held_more(h, 1)
        special.n_kinds = (sums >> 8) & 0x3F
        special.n_pairs = (sums >> 14) & 0x3F
        # a tile less is a tile further away at most
        special_discards(h, &special, standard_distance(t, walks, n_melds) + 1, n_jokers + 1, shanten, useful)
    kinds = special.held if full else 0
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        useful[kind] &= ~full | kind_bit(kind)
    return special.held


# --- any rules ---------------------------------------------------------------------------------

cdef int shanten_sized(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules, int size,
                       kindset_t* useful) noexcept nogil:
    """As hand_shanten_rules, of a hand of `size` tiles or one more; the joker kind is not among the useful."""
    cdef hand_t naturals
    cdef walk_t walks[4]
    cdef kindset_t more = 0, held, twice
    cdef kindset_t* wanted = &more if useful else NULL
    cdef int n_pairs, n_kinds
    cdef int n_all = n_jokers + hand_take_all(h, rules.joker_kind, &naturals)
    cdef int distance = FAR, other, n_melds = n_melds_of(size), lane, n_special = n_all
    cdef bint capped = n_all == 0 or not rules.joker_fifth_copy, plain = True
    cdef const tables_t* t = &TABLES[CAPPED if capped else FREE]
    if useful:
        useful[0] = 0
    if rules.forms & FORM_STANDARD:
        for lane in range(N_LANES):
            plain = plain and lane_is_plain(lane, melded, rules.eyes, capped)
        if plain:
            walk_hand(t, &naturals, walks)
            distance = standard_distance(t, walks, n_melds)
            if useful:
                useful[0] = standard_useful(t, walks, n_melds)
        else:
            distance = standard_melded(t, &naturals, melded, rules, capped, n_melds, useful)
    if distance < FAR:
        distance -= n_all           # from here on without the jokers
    if not special_allowed(n_all, rules) and n_jokers == 0:
        naturals = h[0]             # copies of the joker kind may still stand as themselves
        n_special = 0
    if size >= N_TILES_MAX - 1 and special_allowed(n_special, rules):
        held = hand_held(&naturals)
        twice = held_more(&naturals, 1)
        if rules.forms & FORM_SEVEN_PAIRS and rules.seven_pairs_quads:
            distance = keep_least(distance, quads_distance(&naturals) - n_special, useful,
                                  quads_useful(&naturals) if useful else 0)
        elif rules.forms & FORM_SEVEN_PAIRS:
            n_pairs = kindset_size(twice)
            n_kinds = kindset_size(held)
            distance = keep_least(distance, pairs_distance(n_pairs, n_kinds) - n_special, useful,
                                  pairs_useful(held, twice, n_pairs, n_kinds))
        if rules.forms & FORM_THIRTEEN_ORPHANS:
            distance = keep_least(distance, orphans_distance(orphans_held(&naturals)) - n_special, useful,
                                  orphans_useful(held, twice))
        if rules.forms & FORM_HONORS_AND_KNITTED and n_all == 0:
            other = honors_and_knitted_distance(&naturals, wanted)
            distance = keep_least(distance, other, useful, more)
    if rules.forms & FORM_KNITTED_STRAIGHT and n_all == 0 and size >= N_KNITTED + 1:
        other = knitted_straight_distance(&naturals, melded, n_melds - 3, wanted)
        distance = keep_least(distance, other, useful, more)
    return distance - 1


cdef int hand_shanten_rules(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules,
                            kindset_t* useful) noexcept nogil:
    cdef hand_t held = h[0]
    cdef hand_t drawn
    cdef int shanten, size = hand_size(h) + n_jokers
    if useful:
        useful[0] = 0
    if size % 3 == 0:
        return SHANTEN_NONE
    shanten = shanten_sized(h, melded, n_jokers, rules, size, useful)
    if shanten >= FAR - 1 - N_JOKERS_MAX:
        if useful:
            useful[0] = 0
        return SHANTEN_NONE
    if useful:
        if melded:
            hand_sum(h, melded, &held)
        if rules.joker_kind >= 0:
            useful[0] &= ~kind_bit(rules.joker_kind)
            if hand_count(&held, rules.joker_kind) < N_COPIES:
                drawn = h[0]
                hand_add(&drawn, rules.joker_kind)
                if shanten_sized(&drawn, melded, n_jokers, rules, size, NULL) < shanten:
                    useful[0] |= kind_bit(rules.joker_kind)
        useful[0] = useful[0] & ~hand_full(&held) if shanten >= 0 else 0
    return shanten


# --- blocks of hands ---------------------------------------------------------------------------

cdef inline int row_distance(const tables_t* t, const block_t* block, Py_ssize_t i, const hand_t* h, int n_jokers,
                             kindset_t* useful) noexcept nogil:
    """As hand_distance, from the chunk numbers; the hand itself is looked at for `useful` alone."""
    cdef walk_t walks[4]
    cdef int lane, size = block.size[i] + n_jokers, standard, special, distance
    for lane in range(N_LANES):
        walks[lane].number[0] = block.number[i][4 * lane]
        walks[lane].number[1] = block.number[i][4 * lane + 1]
        walks[lane].number[2] = block.number[i][4 * lane + 2]
        walk_numbers(t, lane == LANE_Z, &walks[lane])
    standard = standard_distance(t, walks, n_melds_of(size))
    special = block.special[i] if size >= N_TILES_MAX - 1 else FAR
    distance = least(standard, special)
    if useful != NULL:
        useful[0] = standard_useful(t, walks, n_melds_of(size)) if standard == distance else 0
        if special == distance:
            useful[0] |= special_useful(h, distance, block.n_pairs[i], block.n_kinds[i], block.n_orphans[i])
        useful[0] &= ~hand_full(h)
    return distance


cdef inline bint row_is_bad(const block_t* block, Py_ssize_t i, int n_jokers) noexcept nogil:
    return block.bad[i] or block.size[i] + n_jokers > N_TILES_MAX


cdef inline Py_ssize_t distance_block(const tables_t* t, const block_t* block, Py_ssize_t n, const uint8_t* jokers,
                                      bint one_number, bint ask_hu, uint8_t* out) noexcept nogil:
    """`t` is the reading where all hands have one number of jokers, else the first of both readings."""
    cdef Py_ssize_t i
    cdef int distance, n_jokers = jokers[0]
    cdef const tables_t* readings = t
    for i in range(n):
        if not one_number:
            n_jokers = jokers[i]
            t = readings + (n_jokers != 0)
        if row_is_bad(block, i, n_jokers):
            return i
        distance = row_distance(t, block, i, NULL, n_jokers, NULL)
        if ask_hu:
            out[i] = distance == n_jokers and (block.size[i] + n_jokers) % 3 == 2
        elif (block.size[i] + n_jokers) % 3 == 0:
            return i
        else:
            out[i] = <uint8_t> (distance - n_jokers - 1)
    return n


cdef inline Py_ssize_t plain_hu_block(const block_t* block, Py_ssize_t n, uint8_t* out) noexcept nogil:
    """As distance_block asked for complete hands, without jokers: the tables of splits are smaller."""
    cdef Py_ssize_t i
    cdef bint wrong = False
    for i in range(n):
        wrong |= block.bad[i] | (block.size[i] > N_TILES_MAX)
    if wrong:
        for i in range(n):
            if row_is_bad(block, i, 0):
                return i
    for i in range(n):
        out[i] = (split_sum(block.number[i]) == 1) | (block.special[i] == 0)
    return n


cdef Py_ssize_t shanten_block(const block_t* block, Py_ssize_t n, const uint8_t* jokers, Py_ssize_t step,
                              bint ask_hu, uint8_t* out) noexcept nogil:
    cdef const tables_t* t = &TABLES[FREE if jokers[0] else CAPPED]
    if ask_hu and not step and jokers[0] == 0:
        return plain_hu_block(block, n, out)
    if step:
        return distance_block(TABLES, block, n, jokers, False, ask_hu, out)
    if ask_hu:
        return distance_block(t, block, n, jokers, True, True, out)
    return distance_block(t, block, n, jokers, True, False, out)


cdef Py_ssize_t waits_block(const hand_t* hands, const block_t* block, Py_ssize_t n, const uint8_t* jokers,
                            Py_ssize_t step, kindset_t* out) noexcept nogil:
    cdef const tables_t* t
    cdef Py_ssize_t i
    cdef int n_jokers
    for i in range(n):
        n_jokers = jokers[i * step]
        if row_is_bad(block, i, n_jokers):
            return i
        out[i] = 0
        t = TABLES + (n_jokers != 0)
        if (block.size[i] + n_jokers) % 3 == 1 and row_distance(t, block, i, NULL, n_jokers, NULL) == n_jokers + 1:
            row_distance(t, block, i, &hands[i], n_jokers, &out[i])
    return n


cdef Py_ssize_t useful_block(const hand_t* hands, const block_t* block, Py_ssize_t n, const uint8_t* jokers,
                             Py_ssize_t step, uint8_t* out, kindset_t* useful) noexcept nogil:
    cdef Py_ssize_t i
    cdef int n_jokers, distance
    for i in range(n):
        n_jokers = jokers[i * step]
        if row_is_bad(block, i, n_jokers) or (block.size[i] + n_jokers) % 3 == 0:
            return i
        distance = row_distance(TABLES + (n_jokers != 0), block, i, &hands[i], n_jokers, &useful[i])
        if distance <= n_jokers:
            useful[i] = 0
        out[i] = <uint8_t> (distance - n_jokers - 1)
    return n
