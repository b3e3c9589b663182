"""
The score of a winning hand: its readings, the fans of each, the best.

A reading is a form, a decomposition and the group that the winning tile completes.  The facts of the hand
are found once, those of a decomposition once for its readings; the conditions of all fans are then decided
together, by the bytes of the facts.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from mjcore.account_once cimport account_once
from mjcore.facts cimport facts_t, hand_facts, reading_facts, role_facts, wait_facts
from mjcore.forms cimport (
    FORM_HONORS_AND_KNITTED,
    FORM_KNITTED_STRAIGHT,
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
)
from mjcore.group_relations cimport relations_of, relations_t
from mjcore.groups cimport (
    GROUP_PUNG,
    NO_KIND,
    ROLE_BODY,
    ROLE_CLOSED,
    ROLE_EDGE,
    ROLE_EYES,
    ROLE_NONE,
    ROLE_OPEN,
    ROLE_PUNG,
    reading_t,
)
from mjcore.lane_splits cimport lane_splits_t, split_lanes
from mjcore.packed cimport (
    FIRST_HONOR,
    LANE_Z,
    LAST_CHOW_INDEX,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    hand_held,
    hand_t,
    kind_index,
    kindset_size,
    kindset_t,
    lane_of_places,
    lowest_bit,
)
from mjcore.programs cimport kill_by_decomposition, kill_by_hand, kill_by_role, kill_by_waits, program_t, rows_met
from mjcore.special_forms cimport held_more, is_seven_pairs_plain, is_thirteen_orphans, knitted_kinds
from mjcore.totals cimport absorb, add_up, is_better, result_t
from mjcore.win_checks cimport MELD_CHOW, N_GROUPS, win_t
from mjcore.win_waits cimport knitted_orders, win_waits

# The walk over the readings of a hand.
cdef struct search_t:
    const win_t* win
    const program_t* program
    result_t places[2]
    result_t* best              # one of the places, once there is a reading
    result_t* all
    int capacity
    int n_readings
    facts_t facts               # words 0 and 1 stand, 2 and 3 are of the decomposition at hand
    uint64_t kill_hand[4]
    uint64_t kill_waits[4]
    uint64_t met[2]             # by the reading before, if it is of the same decomposition
    bint first_role
    bint waits_known            # if not, the facts of the waits are 0 and no term that reads them holds


# --- readings ----------------------------------------------------------------------------------

cdef void find_waits(search_t* search) noexcept nogil:
    """The waits, which most hands are scored without."""
    search.waits_known = True
    wait_facts(search.win, win_waits(search.win, search.program.forms, search.program.quads), &search.facts)
    for word in range(4):
        search.kill_waits[word] = 0
    kill_by_waits(search.program, &search.facts, search.kill_waits)


cdef inline bint reads_waits(const program_t* program, const uint64_t* kill) noexcept nogil:
    """Whether a term that the waits decide is still open."""
    cdef uint64_t open_terms = program.wait_terms[0] & ~kill[0] | program.wait_terms[1] & ~kill[1]
    if program.n_terms > 128:
        open_terms |= program.wait_terms[2] & ~kill[2] | program.wait_terms[3] & ~kill[3]
    return open_terms != 0


cdef void score_reading(search_t* search, const reading_t* reading, const relations_t* relations,
                        const uint64_t* kill_reading) noexcept nogil:
    cdef const program_t* program = search.program
    # the other of two places than where the best so far is
    cdef result_t* result = &search.places[search.n_readings > 0 and search.best == &search.places[0]]
    cdef uint64_t kill[4]
    cdef int word
    cdef bint first_role = search.first_role
    search.first_role = False
    role_facts(search.win, reading, &search.facts)
    for word in range(4):
        kill[word] = kill_reading[word]
    kill_by_role(program, &search.facts, kill)
    if not search.waits_known and reads_waits(program, kill):
        find_waits(search)
    if search.waits_known:
        for word in range(4):
            kill[word] |= search.kill_waits[word]
    rows_met(program, kill, result.met)
    if search.all == NULL:
        # another role that meets the same conditions scores the same
        if not first_role and not program.counts_roles and (
                result.met[0] == search.met[0] and result.met[1] == search.met[1]):
            return
        search.met[0] = result.met[0]
        search.met[1] = result.met[1]
    if program.required[0] & ~result.met[0] or program.required[1] & ~result.met[1]:
        return
    result.place = search.n_readings
    result.reading = reading[0]
    result.facts = search.facts
    result.n_chosen = 0
    for word in range(2):
        result.standing[word] = result.met[word] & program.plain[word]
    if result.met[0] & program.family[0] or result.met[1] & program.family[1]:
        account_once(program, relations, result)
    absorb(program, result)
    add_up(program, result)
    if search.all != NULL and search.n_readings < search.capacity:
        search.all[search.n_readings] = result[0]
    if search.n_readings == 0 or is_better(program, result, search.best):
        search.best = result
    search.n_readings += 1


cdef inline int chow_role(int kind, int lowest) noexcept nogil:
    if kind == lowest + 1:
        return ROLE_CLOSED
    if kind == lowest:
        return ROLE_EDGE if kind_index(lowest) == LAST_CHOW_INDEX else ROLE_OPEN
    return ROLE_EDGE if kind_index(lowest) == 0 else ROLE_OPEN


cdef uint8_t GROUP_ROLES[128][64]       # by group and kind: the role of the tile in it, ROLE_NONE of another tile


cdef void fill_group_roles() noexcept:
    cdef int group, kind
    for group in range(128):
        for kind in range(64):
            GROUP_ROLES[group][kind] = ROLE_NONE
            if group & GROUP_PUNG:
                if group == kind | GROUP_PUNG:
                    GROUP_ROLES[group][kind] = ROLE_PUNG
            elif group <= kind <= group + 2:
                GROUP_ROLES[group][kind] = <uint8_t> chow_role(kind, group)


fill_group_roles()


cdef void score_roles(search_t* search, reading_t* reading) noexcept nogil:
    """Every reading of a decomposition; two that play the same role score the same."""
    cdef relations_t relations
    cdef uint64_t kill[4]
    cdef int i, kind = search.win.kind, role, word
    cdef unsigned int roles = 1 << ROLE_NONE
    cdef bint grouped = reading.form == FORM_STANDARD or reading.form == FORM_KNITTED_STRAIGHT
    relations_of(reading, &relations)
    reading_facts(search.win, reading, &relations, &search.facts)
    for word in range(4):
        kill[word] = search.kill_hand[word]
    kill_by_decomposition(search.program, &search.facts, kill)
    reading.role_group = NO_KIND
    search.first_role = True
    if not grouped:
        reading.role = ROLE_EYES if reading.form == FORM_SEVEN_PAIRS else ROLE_NONE
        score_reading(search, reading, &relations, kill)
        return
    if reading.eyes == kind:
        reading.role = ROLE_EYES
        score_reading(search, reading, &relations, kill)
    for i in range(reading.n_melds, reading.n_groups):
        role = GROUP_ROLES[reading.groups[i] & 0x7F][kind & 0x3F]
        if not roles >> role & 1:
            roles |= 1 << role
            reading.role = <uint8_t> role
            reading.role_group = <uint8_t> i
            score_reading(search, reading, &relations, kill)
    if reading.form == FORM_KNITTED_STRAIGHT and knitted_kinds(reading.order) >> kind & 1:
        reading.role = ROLE_BODY
        reading.role_group = NO_KIND
        score_reading(search, reading, &relations, kill)


cdef inline void begin_form(reading_t* reading, int form) noexcept nogil:
    """A reading of which nothing but the declared melds is settled."""
    reading.form = <uint8_t> form
    reading.eyes = NO_KIND
    reading.order = NO_KIND
    reading.n_groups = reading.n_melds


cdef void score_each_split(search_t* search, const lane_splits_t* lanes, int lane, uint64_t groups, int n_groups,
                           int eyes, reading_t* reading) noexcept nogil:
    """Every choice of one split a lane, from a lane on; n groups after the melds and perhaps the eyes are chosen."""
    cdef int i
    while lane < N_LANES and lanes[lane].n == 1:
        groups |= <uint64_t> lanes[lane].groups[0] << (8 * n_groups)
        n_groups += lanes[lane].n_groups
        eyes &= lanes[lane].eyes[0]         # NO_KIND has all bits
        lane += 1
    if lane < N_LANES:
        for i in range(lanes[lane].n):
            score_each_split(search, lanes, lane + 1, groups | <uint64_t> lanes[lane].groups[i] << (8 * n_groups),
                             n_groups + lanes[lane].n_groups, eyes & lanes[lane].eyes[i], reading)
        return
    for i in range(N_GROUPS):       # all four places: how many are used no one could foresee
        reading.groups[reading.n_melds + i] = <uint8_t> (groups >> 8 * i)
    reading.n_groups = <uint8_t> (reading.n_melds + n_groups)
    reading.eyes = <uint8_t> eyes
    score_roles(search, reading)


cdef void score_splits(search_t* search, const hand_t* h, reading_t* reading) noexcept nogil:
    """Every decomposition of tiles into groups and eyes, beside what the reading holds."""
    cdef lane_splits_t lanes[4]
    if split_lanes(h, lanes):
        score_each_split(search, lanes, 0, 0, 0, NO_KIND, reading)


cdef void score_knitted(search_t* search, reading_t* reading) noexcept nogil:
    """The nine knitted tiles with a group and eyes."""
    cdef const hand_t* h = &search.win.concealed
    cdef kindset_t kinds
    cdef hand_t rest
    cdef int lane, order, orders = knitted_orders(hand_held(h), 9)
    begin_form(reading, FORM_KNITTED_STRAIGHT)
    while orders:
        order = lowest_bit(orders)
        orders &= orders - 1
        kinds = knitted_kinds(order)
        rest.lane[LANE_Z] = h.lane[LANE_Z]
        for lane in range(3):
            rest.lane[lane] = h.lane[lane] - lane_of_places(<unsigned int> (kinds >> (N_RANKS * lane)) & 0x1FF)
        reading.order = <uint8_t> order
        score_splits(search, &rest, reading)


cdef void score_honors_and_knitted(search_t* search, reading_t* reading) noexcept nogil:
    cdef kindset_t held = hand_held(&search.win.concealed)
    cdef int order
    if kindset_size(held) != N_TILES_MAX:
        return
    begin_form(reading, FORM_HONORS_AND_KNITTED)
    for order in range(6):
        if held & ~(knitted_kinds(order) | <kindset_t> 0x7F << FIRST_HONOR) == 0:
            reading.order = <uint8_t> order
            score_roles(search, reading)
            return      # another order would hold the same tiles


cdef void score_singles(search_t* search, reading_t* reading) noexcept nogil:
    """The forms of single tiles, which a hand of any other form is not."""
    cdef const hand_t* h = &search.win.concealed
    if search.program.forms & FORM_HONORS_AND_KNITTED:
        score_honors_and_knitted(search, reading)
    if search.program.forms & FORM_THIRTEEN_ORPHANS and is_thirteen_orphans(h):
        begin_form(reading, FORM_THIRTEEN_ORPHANS)
        reading.eyes = <uint8_t> lowest_bit(held_more(h, 1))
        score_roles(search, reading)


cdef int hand_score(const win_t* win, const program_t* program, result_t* best, result_t* all,
                    int capacity) noexcept nogil:
    cdef search_t search
    cdef reading_t start
    cdef int i
    cdef uint16_t meld
    search.win = win
    search.program = program
    search.all = all
    search.capacity = capacity
    search.n_readings = 0
    start.n_melds = <uint8_t> win.n_melds
    for i in range(N_GROUPS):       # what is beyond the melds is written over
        meld = win.melds[i]
        start.groups[i] = <uint8_t> (meld & 0x3F | (0 if meld >> 6 & 7 == MELD_CHOW else GROUP_PUNG))
    hand_facts(win, &search.facts)
    for i in range(4):
        search.kill_hand[i] = 0
    search.waits_known = False
    if program.counts_waits or all != NULL:
        find_waits(&search)
    kill_by_hand(program, &search.facts, search.kill_hand)
    if program.forms & FORM_STANDARD:
        begin_form(&start, FORM_STANDARD)
        score_splits(&search, &win.concealed, &start)
    # nine knitted tiles are of nine groups or of no group, so the hand is of no other form with groups
    if search.n_readings == 0 and win.n_melds <= 1 and program.forms & FORM_KNITTED_STRAIGHT:
        score_knitted(&search, &start)
    if win.n_melds == 0:
        if program.forms & FORM_SEVEN_PAIRS and is_seven_pairs_plain(&win.concealed, program.quads):
            begin_form(&start, FORM_SEVEN_PAIRS)
            score_roles(&search, &start)
        if search.n_readings == 0:
            score_singles(&search, &start)
    if search.n_readings:
        best[0] = search.best[0]
    return search.n_readings


cdef void score_payments(int total, int base, int discarder, int32_t* payments) noexcept nogil:
    cdef int i
    payments[0] = 3 * base + total if discarder else 3 * (base + total)
    for i in range(1, 4):
        payments[i] = -base if discarder and discarder != i else -(base + total)
