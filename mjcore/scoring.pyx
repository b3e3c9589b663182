"""
The score of a winning hand: its readings, the fans of each, the best.

A reading is a form, a decomposition and the group that the winning tile completes.  The facts of the hand
are found once, those of a decomposition once for its readings; the conditions of all fans are then decided
together, by the bytes of the facts.
"""

cimport cython
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from mjcore.facts cimport (
    CONTEXT_CONCEALED_NOT_ROBBED,
    CONTEXT_FOURTH_HELD,
    CONTEXT_REPLACEMENT_CLAIMED,
    CONTEXT_REPLACEMENT_NO_KONG,
    CONTEXT_ROB_HELD,
    CONTEXT_ROB_REPLACEMENT,
    CONTEXT_ROB_SELF_DRAWN,
    CONTEXT_ROB_WALL_LAST,
    CONTEXT_UNKNOWN_FLAG,
    MELD_ADDED_KONG,
    MELD_CONCEALED_KONG,
    MELD_DIRECT_KONG,
    MELD_PUNG,
    GROUP_PUNG,
    MELD_CHOW,
    N_GROUPS,
    NO_KIND,
    RELATION_NONE,
    WIN_BAD_CONTEXT,
    WIN_BAD_HAND,
    WIN_BAD_MELD,
    WIN_BAD_TILE,
    WON_ALL,
    WON_FIRST_TURN,
    WON_FOURTH_VISIBLE,
    WON_KONG_REPLACEMENT,
    WON_READY_AT_DEAL,
    WON_ROB_CONCEALED,
    WON_ROB_KONG,
    WON_SELF_DRAWN,
    WON_WALL_LAST,
    ROLE_BODY,
    ROLE_CLOSED,
    ROLE_EDGE,
    ROLE_EYES,
    ROLE_NONE,
    ROLE_OPEN,
    ROLE_PUNG,
    relations_t,
    hand_facts,
    reading_facts,
    relations_of,
    role_facts,
    knitted_orders,
    wait_facts,
    win_check,
    win_settle,
    win_waits,
)
from mjcore.forms cimport (
    FORM_HONORS_AND_KNITTED,
    FORM_KNITTED_STRAIGHT,
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
)
from mjcore.packed cimport (
    FIRST_HONOR,
    LANE_Z,
    LAST_CHOW_INDEX,
    N_COPIES,
    N_KINDS,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    hand_add,
    hand_count,
    hand_held,
    hand_read_int,
    hand_write_int,
    hand_size,
    hand_t,
    kind_index,
    kindset_size,
    lane_t,
    lowest_bit,
)
from mjcore.query cimport read_tiles
from mjcore.special_forms cimport (
    held_more,
    is_seven_pairs_plain,
    is_thirteen_orphans,
    knitted_kinds,
)

from mjcore.hand import Hand
from mjcore.tiles import LETTERS, ContextError, InvalidHandError, NotAWinError

MELD_CODES = {
    "chow": MELD_CHOW,
    "pung": MELD_PUNG,
    "direct_kong": MELD_DIRECT_KONG,
    "added_kong": MELD_ADDED_KONG,
    "concealed_kong": MELD_CONCEALED_KONG,
}
"""The type of a meld in bits 6 .. 8 of its 16."""

cdef enum:
    N_LANE_SPLITS_MAX = 4       # 66677778888999 has four, and no lane of at most four copies a kind has more
    N_EDGES = 6

# The splits of a lane, each the eyes (NO_KIND without) and its groups.
cdef struct lane_split_t:
    uint8_t eyes
    uint8_t groups[4]

cdef struct lane_splits_t:
    int n
    int n_groups
    lane_split_t split[4]

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

cdef enum:
    PAIR_01 = 0
    PAIR_02 = 1
    PAIR_03 = 2
    PAIR_12 = 3
    PAIR_13 = 4
    PAIR_23 = 5

# Of a set of pairs of four groups: whether it is a forest, and whether no group is in two pairs.
cdef uint8_t IS_FOREST[64]
cdef uint8_t IS_MATCHING[64]
cdef uint8_t EDGE_GROUPS[6]
cdef uint8_t EDGE_OF[4][4]


cdef void fill_edges():
    cdef int edges, edge, i, j, a, b, place = 0
    cdef int root[4]
    for i in range(3):
        for j in range(i + 1, 4):
            EDGE_GROUPS[place] = <uint8_t> (1 << i | 1 << j)
            EDGE_OF[i][j] = EDGE_OF[j][i] = <uint8_t> place
            place += 1
    for edges in range(64):
        IS_FOREST[edges] = IS_MATCHING[edges] = True
        for i in range(4):
            root[i] = i
        a = 0
        for edge in range(N_EDGES):
            if not edges >> edge & 1:
                continue
            if a & EDGE_GROUPS[edge]:
                IS_MATCHING[edges] = False
            a |= EDGE_GROUPS[edge]
            i = lowest_bit(EDGE_GROUPS[edge])
            j = lowest_bit(EDGE_GROUPS[edge] & (EDGE_GROUPS[edge] - 1))
            if root[i] == root[j]:
                IS_FOREST[edges] = False
            b = root[j]
            for place in range(4):
                if root[place] == b:
                    root[place] = root[i]


fill_edges()


# --- conditions --------------------------------------------------------------------------------

cdef extern from *:
    """
    /* Byte n of words, the lowest byte of each word first. */
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define MJCORE_BYTE(words, n) (((const unsigned char *)(words))[(n) ^ 7])
    #else
    #define MJCORE_BYTE(words, n) (((const unsigned char *)(words))[n])
    #endif
    """
    unsigned int byte_of "MJCORE_BYTE"(const uint64_t* words, int n) noexcept nogil


cdef inline void kill_by(const program_t* program, int part, const facts_t* facts, uint64_t* kill) noexcept nogil:
    """Add the terms that the bytes of a part of the facts make false."""
    cdef int i
    cdef const uint64_t* killed
    cdef uint64_t low = kill[0], high = kill[1]
    for i in range(program.n_bytes[part]):
        killed = program.kill[program.bytes[part][i]][byte_of(facts.word, program.bytes[part][i])]
        low |= killed[0]
        high |= killed[1]
    kill[0] = low
    kill[1] = high
    if program.n_terms > 128:
        for i in range(program.n_bytes[part]):
            killed = program.kill_more[program.bytes[part][i]][byte_of(facts.word, program.bytes[part][i])]
            kill[2] |= killed[0]
            kill[3] |= killed[1]


cdef inline void rows_met(const program_t* program, const uint64_t* kill, uint64_t* met) noexcept nogil:
    """Rows of which a term is true."""
    cdef uint64_t left
    cdef int word, row
    met[0] = program.first_terms[0] & ~kill[0]
    met[1] = program.first_terms[1] & ~kill[1]
    for word in range(program.n_rows >> 6, (program.n_terms + 63) >> 6):
        left = program.more_terms[word] & ~kill[word]
        while left:
            row = program.term_row[64 * word + lowest_bit(left)]
            left &= left - 1
            met[row >> 6] |= (<uint64_t> 1) << (row & 63)


cdef inline bint has_row(const uint64_t* rows, int row) noexcept nogil:
    return rows[row >> 6] >> (row & 63) & 1


cdef inline void add_row(uint64_t* rows, int row) noexcept nogil:
    rows[row >> 6] |= (<uint64_t> 1) << (row & 63)


# --- account-once ------------------------------------------------------------------------------

cdef inline int fan_of(const program_t* program, const uint64_t* met, uint8_t relation) noexcept nogil:
    """The fan that a relation makes here, -1 for none."""
    cdef int row
    if relation == RELATION_NONE:
        return -1
    row = program.relation_row[relation]
    return row if row != 0xFF and has_row(met, row) else -1


cdef inline void choose(result_t* result, int row, int groups) noexcept nogil:
    result.chosen[result.n_chosen].row = <uint8_t> row
    result.chosen[result.n_chosen].groups = <uint8_t> groups
    result.n_chosen += 1


cdef bint choose_triple(const program_t* program, const relations_t* relations, result_t* result) noexcept nogil:
    """The best fan of three groups, and the best pair of the fourth group with one of them."""
    cdef int skip, other, row, pair_row, points
    cdef int best = -1, best_row = -1, best_pair_row = -1, best_skip = 0, best_edge = 0
    cdef int with_row, with_edge, edge
    for skip in range(4):
        row = fan_of(program, result.met, relations.triple[skip])
        if row < 0:
            continue
        with_row = -1
        with_edge = 0
        for other in range(4):
            if other == skip:
                continue
            edge = EDGE_OF[skip][other]
            pair_row = fan_of(program, result.met, relations.pair[edge])
            if pair_row < 0 or has_row(program.absorbs[row], pair_row):
                continue
            if with_row < 0 or program.points[pair_row] > program.points[with_row] or (
                    program.points[pair_row] == program.points[with_row] and pair_row < with_row):
                with_row = pair_row
                with_edge = edge
        points = program.points[row] + (program.points[with_row] if with_row >= 0 else 0)
        if points > best or (points == best and (row < best_row or (row == best_row and with_row >= 0 and (
                best_pair_row < 0 or with_row < best_pair_row)))):
            best = points
            best_row = row
            best_pair_row = with_row
            best_skip = skip
            best_edge = with_edge
    if best_row < 0:
        return False
    choose(result, best_row, 0xF ^ 1 << best_skip)
    if best_pair_row >= 0:
        choose(result, best_pair_row, EDGE_GROUPS[best_edge])
    return True


cdef void choose_pairs(const program_t* program, const relations_t* relations, result_t* result) noexcept nogil:
    """Pairs that form a forest, no group twice for one fan, worth most; of equals, more of the first fans."""
    cdef int edge, edges = 0, tried, left, row, i, j, n_rows = 0, best_edges = 0
    cdef int rows[6]
    cdef int row_edges[6]
    cdef int edge_row[6]
    cdef int64_t worth, best = 0
    for edge in range(N_EDGES):
        row = fan_of(program, result.met, relations.pair[edge])
        edge_row[edge] = row
        if row < 0:
            continue
        edges |= 1 << edge
        i = 0
        while i < n_rows and rows[i] < row:
            i += 1
        if i < n_rows and rows[i] == row:
            row_edges[i] |= 1 << edge
            continue
        for j in range(n_rows, i, -1):
            rows[j] = rows[j - 1]
            row_edges[j] = row_edges[j - 1]
        rows[i] = row
        row_edges[i] = 1 << edge
        n_rows += 1
    if edges == 0:
        return
    if edges & (edges - 1) == 0:
        best_edges = edges
    else:
        tried = edges
        while tried:
            if IS_FOREST[tried]:
                worth = 0
                for i in range(n_rows):
                    left = tried & row_edges[i]
                    if not IS_MATCHING[left]:
                        worth = -1
                        break
                    # the counts of the fans below the points, the first fan highest
                    j = kindset_size(left)
                    worth += (<int64_t> (j * program.points[rows[i]]) << 24) + (<int64_t> j << (3 * (5 - i)))
                if worth > best:
                    best = worth
                    best_edges = tried
            tried = (tried - 1) & edges
    while best_edges:
        edge = lowest_bit(best_edges)
        best_edges &= best_edges - 1
        choose(result, edge_row[edge], EDGE_GROUPS[edge])


# --- what fans absorb, and the sum -------------------------------------------------------------

cdef inline int count_of(const program_t* program, const facts_t* facts, int first, int n) noexcept nogil:
    cdef int i, total = 0
    cdef const count_t* count
    for i in range(first, first + n):
        count = &program.counts[i]
        total += kindset_size(facts.word[count.word] >> count.shift & count.mask)
    return total


cdef int less(const result_t* result, const program_t* program, int row, int n) noexcept nogil:
    """A count without what other fans take of it."""
    cdef int i
    cdef const partial_t* partial
    for i in range(program.n_partials):
        partial = &program.partials[i]
        if partial.target == row and has_row(result.counted, partial.row):
            n -= partial.constant + count_of(program, &result.facts, partial.first_count, partial.n_counts)
    return n if n > 0 else 0


cdef inline int own_count(const result_t* result, const program_t* program, int row) noexcept nogil:
    """How often a row that is not of a family counts."""
    cdef int n = 1
    if has_row(program.counting, row):
        n = count_of(program, &result.facts, program.first_count[row], program.n_counts[row])
    if has_row(program.reduced, row):
        n = less(result, program, row, n)
    return n


cdef int fan_count(const result_t* result, const program_t* program, int row) noexcept nogil:
    cdef int n, i
    if not has_row(result.counted, row):
        return 0
    if not has_row(program.family, row):
        return own_count(result, program, row)
    n = 0
    for i in range(result.n_chosen):
        n += result.chosen[i].row == row
    return less(result, program, row, n) if has_row(program.reduced, row) else n


cdef inline void absorb(const program_t* program, result_t* result) noexcept nogil:
    """Apply the rows in table order; a fan that is gone takes nothing with it."""
    cdef uint64_t left
    cdef int row, word
    result.counted[0] = result.standing[0]
    result.counted[1] = result.standing[1]
    for word in range(2):
        left = result.counted[word] & program.absorbing[word]
        while left:
            row = 64 * word + lowest_bit(left)
            left &= left - 1
            if has_row(program.reduced, row) and fan_count(result, program, row) == 0:
                continue
            result.counted[0] &= ~program.absorbs[row][0]
            result.counted[1] &= ~program.absorbs[row][1]
            left &= result.counted[word]


cdef void add_up(const program_t* program, result_t* result) noexcept nogil:
    cdef uint64_t left, varying
    cdef int row, word, n, i, total = 0, bonus = 0
    cdef bint others = False
    for word in range(2):
        left = result.counted[word]
        others |= left & ~(program.bonus[word] | program.varying[word]) != 0
        varying = left & (program.counting[word] | program.reduced[word])
        left &= ~program.varying[word]
        while left:
            row = 64 * word + lowest_bit(left)
            left &= left - 1
            total += program.points[row]
        while varying:
            row = 64 * word + lowest_bit(varying)
            varying &= varying - 1
            n = fan_count(result, program, row)
            if n == 0:
                result.counted[word] &= ~((<uint64_t> 1) << (row & 63))
                continue
            total += n * program.points[row]
            others |= not has_row(program.bonus, row)
        left = 0 if program.bonus[word] == 0 else result.counted[word] & program.bonus[word]
        while left:
            row = 64 * word + lowest_bit(left)
            left &= left - 1
            bonus += fan_count(result, program, row) * program.points[row]
    for i in range(result.n_chosen):
        row = result.chosen[i].row
        if has_row(result.counted, row) and not has_row(program.reduced, row):
            total += program.points[row]
            others |= not has_row(program.bonus, row)
    if not others:
        for word in range(2):
            left = result.met[word] & program.otherwise[word]
            result.counted[word] |= left
            result.standing[word] |= left
            while left:
                total += program.points[64 * word + lowest_bit(left)]
                left &= left - 1
    result.total = total
    result.bonus = bonus


cdef bint is_better(const program_t* program, const result_t* a, const result_t* b) noexcept nogil:
    """A larger total; of equals, more of the first fan in which they differ."""
    cdef uint64_t differing, varying
    cdef int word, row, first, n, m
    if a.total != b.total:
        return a.total > b.total
    for word in range(2):
        differing = a.counted[word] ^ b.counted[word]
        first = lowest_bit(differing) if differing else 64
        varying = a.counted[word] & b.counted[word] & program.varying[word]
        while varying and lowest_bit(varying) < first:
            row = 64 * word + lowest_bit(varying)
            varying &= varying - 1
            n = fan_count(a, program, row)
            m = fan_count(b, program, row)
            if n != m:
                return n > m
        if differing:
            return a.counted[word] >> first & 1
    return False


# --- account-once where fans absorb one another ------------------------------------------------

cdef bint is_entangled(const program_t* program, const relations_t* relations, const result_t* result) noexcept nogil:
    """Whether a fan of pairs or triples absorbs another that holds, or is absorbed by one: points alone do not tell."""
    cdef uint64_t possible[2]
    cdef uint64_t left
    cdef int i, row, word
    possible[0] = possible[1] = 0
    for i in range(N_EDGES + 4):
        row = fan_of(program, result.met, relations.pair[i] if i < N_EDGES else relations.triple[i - N_EDGES])
        if row < 0:
            continue
        add_row(possible, row)
        if program.absorbs[row][0] & result.standing[0] or program.absorbs[row][1] & result.standing[1]:
            return True
    for word in range(2):
        left = result.standing[word] & program.absorbing[word]
        while left:
            row = 64 * word + lowest_bit(left)
            left &= left - 1
            if program.absorbs[row][0] & possible[0] or program.absorbs[row][1] & possible[1]:
                return True
    return False


cdef void try_chosen(const program_t* program, result_t* tried, result_t* best, bint* any) noexcept nogil:
    """Keep a choice if it makes the better score; `tried` is as before afterwards, nothing chosen."""
    cdef result_t whole = tried[0]
    cdef int i
    for i in range(whole.n_chosen):
        add_row(whole.standing, whole.chosen[i].row)
    absorb(program, &whole)
    add_up(program, &whole)
    if not any[0] or is_better(program, &whole, best):
        best[0] = whole
        best.n_chosen = whole.n_chosen
        any[0] = True
    tried.n_chosen = 0


cdef void choose_by_trial(const program_t* program, const relations_t* relations, result_t* result) noexcept nogil:
    """Every legal choice in turn."""
    cdef result_t best = result[0]
    cdef bint any = False
    cdef int skip, other, row, edge, edges = 0, tried, left
    cdef int same[6]
    for skip in range(4):
        row = fan_of(program, result.met, relations.triple[skip])
        if row < 0:
            continue
        choose(result, row, 0xF ^ 1 << skip)
        try_chosen(program, result, &best, &any)
        for other in range(4):
            edge = EDGE_OF[skip][other]
            if other != skip and fan_of(program, result.met, relations.pair[edge]) >= 0:
                choose(result, row, 0xF ^ 1 << skip)
                choose(result, fan_of(program, result.met, relations.pair[edge]), EDGE_GROUPS[edge])
                try_chosen(program, result, &best, &any)
    if not any:
        for edge in range(N_EDGES):
            row = fan_of(program, result.met, relations.pair[edge])
            if row >= 0:
                edges |= 1 << edge
        for edge in range(N_EDGES):
            # the pairs of the same fan
            row = fan_of(program, result.met, relations.pair[edge])
            same[edge] = 0
            for other in range(N_EDGES):
                if edges >> other & 1 and fan_of(program, result.met, relations.pair[other]) == row:
                    same[edge] |= 1 << other
        tried = edges
        while tried:
            left = tried
            while left and IS_FOREST[tried] and IS_MATCHING[tried & same[lowest_bit(left)]]:
                left &= left - 1
            if left == 0:
                left = tried
                while left:
                    edge = lowest_bit(left)
                    left &= left - 1
                    choose(result, fan_of(program, result.met, relations.pair[edge]), EDGE_GROUPS[edge])
                try_chosen(program, result, &best, &any)
            tried = (tried - 1) & edges
    if any:
        for skip in range(best.n_chosen):
            choose(result, best.chosen[skip].row, best.chosen[skip].groups)


cdef void account_once(const program_t* program, const relations_t* relations, result_t* result) noexcept nogil:
    cdef int row = fan_of(program, result.met, relations.all_four)
    cdef int i
    if row >= 0:
        choose(result, row, 0xF)
    elif is_entangled(program, relations, result):
        choose_by_trial(program, relations, result)
    elif not choose_triple(program, relations, result):
        choose_pairs(program, relations, result)
    for i in range(result.n_chosen):
        add_row(result.standing, result.chosen[i].row)


# --- readings ----------------------------------------------------------------------------------

cdef void find_waits(search_t* search) noexcept nogil:
    """The waits, which most hands are scored without."""
    search.waits_known = True
    wait_facts(search.win, win_waits(search.win, search.program.forms, search.program.quads), &search.facts)
    for word in range(4):
        search.kill_waits[word] = 0
    kill_by(search.program, 3, &search.facts, search.kill_waits)


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
    kill_by(program, 2, &search.facts, kill)
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


cdef void score_roles(search_t* search, reading_t* reading) noexcept nogil:
    """Every reading of a decomposition; two that play the same role score the same."""
    cdef relations_t relations
    cdef uint64_t kill[4]
    cdef int i, kind = search.win.kind, role, group, word
    cdef unsigned int roles = 0
    cdef bint grouped = reading.form == FORM_STANDARD or reading.form == FORM_KNITTED_STRAIGHT
    relations_of(reading, &relations)
    reading_facts(search.win, reading, &relations, &search.facts)
    for word in range(4):
        kill[word] = search.kill_hand[word]
    kill_by(search.program, 1, &search.facts, kill)
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
        group = reading.groups[i]
        if group & GROUP_PUNG:
            if group != kind | GROUP_PUNG:
                continue
            role = ROLE_PUNG
        elif group <= kind and kind <= group + 2:
            role = chow_role(kind, group)
        else:
            continue
        if not roles >> role & 1:
            roles |= 1 << role
            reading.role = <uint8_t> role
            reading.role_group = <uint8_t> i
            score_reading(search, reading, &relations, kill)
    if reading.form == FORM_KNITTED_STRAIGHT and knitted_kinds(reading.order) >> kind & 1:
        reading.role = ROLE_BODY
        reading.role_group = NO_KIND
        score_reading(search, reading, &relations, kill)


# --- decompositions ----------------------------------------------------------------------------

cdef void split_melds(lane_t x, int lane, int n, lane_split_t* at, lane_splits_t* out) noexcept nogil:
    """Every split of the rest of a lane into groups, after n groups that are settled."""
    cdef int index, count, n_chows, n_pungs, i, first
    cdef lane_t rest
    if x == 0:
        if out.n < N_LANE_SPLITS_MAX:
            out.split[out.n] = at[0]
            out.n_groups = n
            out.n += 1
        return
    index = lowest_bit(x) >> 2
    count = <int> (x >> (4 * index)) & 7
    first = N_RANKS * lane + index
    for n_pungs in range(count >= 3, -1, -1):
        n_chows = count - 3 * n_pungs
        if n_chows and (lane == LANE_Z or index > LAST_CHOW_INDEX or <int> (x >> (4 * index + 4) & 7) < n_chows
                        or <int> (x >> (4 * index + 8) & 7) < n_chows):
            continue
        for i in range(n_chows):
            at.groups[n + i] = <uint8_t> first
        if n_pungs:
            at.groups[n + n_chows] = <uint8_t> (first | GROUP_PUNG)
        rest = x - (<lane_t> (3 * n_pungs) << (4 * index)) - n_chows * (<lane_t> 0x111 << (4 * index))
        split_melds(rest, lane, n + n_chows + n_pungs, at, out)


cdef void split_lane(lane_t x, int lane, lane_splits_t* out) noexcept nogil:
    """Every split of a lane, with eyes where its number of tiles leaves two modulo three."""
    cdef lane_split_t at
    cdef int index, step
    out.n_groups = 0
    at.eyes = NO_KIND
    if x == 0:
        out.n = 1
        out.split[0] = at
        return
    out.n = 0
    if x % 3 == 0:              # 16 is one modulo three
        split_melds(x, lane, 0, &at, out)
        return
    if lane == LANE_Z:
        index = 0
        step = 1
    else:
        # the rank of the eyes is fixed modulo three, as every group is a multiple of three
        index = eyes_index(x)
        step = 3
    while index < N_RANKS:
        if x >> (4 * index) & 6:
            at.eyes = <uint8_t> (N_RANKS * lane + index)
            split_melds(x - (<lane_t> 2 << (4 * index)), lane, 0, &at, out)
        index += step


cdef inline int eyes_index(lane_t x) noexcept nogil:
    cdef lane_t ones = x & <lane_t> 0x0F00F00F0, twos = x & <lane_t> 0xF00F00F00
    return <int> ((2 * ones + twos) % 3)


cdef bint split_lanes(const hand_t* h, lane_splits_t* lanes) noexcept nogil:
    """The splits of each lane; whether together they are groups and one pair of eyes."""
    cdef int lane, over, n_eyes = 0
    for lane in range(N_LANES):
        over = <int> (h.lane[lane] % 3)
        if over == 1:
            return False
        n_eyes += over == 2
    if n_eyes != 1:
        return False
    for lane in range(N_LANES):
        split_lane(h.lane[lane], lane, &lanes[lane])
        if lanes[lane].n == 0:
            return False
    return True


cdef inline void take_split(const lane_splits_t* lane, int i, reading_t* reading) noexcept nogil:
    # four bytes at once; what is beyond the groups is written over or not looked at
    memcpy(&reading.groups[reading.n_groups], lane.split[i].groups, N_GROUPS)
    reading.n_groups += <uint8_t> lane.n_groups
    if lane.split[i].eyes != NO_KIND:
        reading.eyes = lane.split[i].eyes


cdef void score_splits(search_t* search, const hand_t* h, const reading_t* start) noexcept nogil:
    """Every decomposition of tiles into groups and eyes, beside what the reading holds."""
    cdef lane_splits_t lanes[4]
    cdef reading_t reading
    cdef int m, s, p, z
    if not split_lanes(h, lanes):
        return
    for m in range(lanes[0].n):
        for s in range(lanes[1].n):
            for p in range(lanes[2].n):
                for z in range(lanes[3].n):
                    reading = start[0]
                    take_split(&lanes[0], m, &reading)
                    take_split(&lanes[1], s, &reading)
                    take_split(&lanes[2], p, &reading)
                    take_split(&lanes[3], z, &reading)
                    score_roles(search, &reading)


cdef inline lane_t lane_of(kindset_t kinds, int lane) noexcept nogil:
    """One tile of each of the kinds in a lane."""
    cdef unsigned int left = <unsigned int> (kinds >> (N_RANKS * lane)) & 0x1FF
    cdef lane_t x = 0
    while left:
        x |= <lane_t> 1 << (4 * lowest_bit(left))
        left &= left - 1
    return x


cdef void score_knitted(search_t* search, const reading_t* start) noexcept nogil:
    """The nine knitted tiles with a group and eyes."""
    cdef const hand_t* h = &search.win.concealed
    cdef kindset_t kinds
    cdef hand_t rest
    cdef reading_t reading = start[0]
    cdef int lane, order, orders = knitted_orders(hand_held(h), 9)
    reading.form = FORM_KNITTED_STRAIGHT
    while orders:
        order = lowest_bit(orders)
        orders &= orders - 1
        kinds = knitted_kinds(order)
        rest.lane[LANE_Z] = h.lane[LANE_Z]
        for lane in range(3):
            rest.lane[lane] = h.lane[lane] - lane_of(kinds, lane)
        reading.order = <uint8_t> order
        score_splits(search, &rest, &reading)


cdef void score_honors_and_knitted(search_t* search, const reading_t* start) noexcept nogil:
    cdef kindset_t held = hand_held(&search.win.concealed)
    cdef reading_t reading = start[0]
    cdef int order
    if kindset_size(held) != N_TILES_MAX:
        return
    reading.form = FORM_HONORS_AND_KNITTED
    for order in range(6):
        if held & ~(knitted_kinds(order) | <kindset_t> 0x7F << FIRST_HONOR) == 0:
            reading.order = <uint8_t> order
            score_roles(search, &reading)
            return      # another order would hold the same tiles


cdef void score_singles(search_t* search, reading_t* start) noexcept nogil:
    """The forms of single tiles, which a hand of any other form is not."""
    cdef const hand_t* h = &search.win.concealed
    if search.program.forms & FORM_HONORS_AND_KNITTED:
        score_honors_and_knitted(search, start)
    if search.program.forms & FORM_THIRTEEN_ORPHANS and is_thirteen_orphans(h):
        start.form = FORM_THIRTEEN_ORPHANS
        start.eyes = <uint8_t> lowest_bit(held_more(h, 1))
        score_roles(search, start)


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
    start.form = FORM_STANDARD
    start.eyes = NO_KIND
    start.order = NO_KIND
    start.n_melds = start.n_groups = <uint8_t> win.n_melds
    for i in range(win.n_melds):
        meld = win.melds[i]
        start.groups[i] = <uint8_t> (meld & 0x3F | (0 if meld >> 6 & 7 == MELD_CHOW else GROUP_PUNG))
    hand_facts(win, &search.facts)
    for i in range(4):
        search.kill_hand[i] = 0
    search.waits_known = False
    if program.counts_waits or all != NULL:
        find_waits(&search)
    kill_by(program, 0, &search.facts, search.kill_hand)
    if program.forms & FORM_STANDARD:
        score_splits(&search, &win.concealed, &start)
    if win.n_melds <= 1 and program.forms & FORM_KNITTED_STRAIGHT:
        score_knitted(&search, &start)
    if win.n_melds == 0:
        if program.forms & FORM_SEVEN_PAIRS and is_seven_pairs_plain(&win.concealed, program.quads):
            start.form = FORM_SEVEN_PAIRS
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


# --- rule sets and hands made ready ------------------------------------------------------------

cdef int set_rows(uint64_t* rows, object numbers) except -1:
    for row in numbers:
        add_row(rows, row)
    return 0


cdef int within(object numbers, object least, object most, str name) except -1:
    for number in numbers:
        if not isinstance(number, int) or not least <= number <= most:
            raise ValueError(f"expected {least} to {most} for {name}, got {number!r}")
    return 0


cdef int check_plan(dict plan) except -1:
    """Every place that is written to is there: whoever made the plan, a Program harms nothing."""
    n_fans, n_rows, terms = plan["n_fans"], plan["n_rows"], plan["terms"]
    within([n_rows], 0, N_ROWS_MAX, "n_rows")
    within([n_fans], 0, n_rows, "n_fans")
    within([len(terms)], n_rows, N_TERMS_MAX, "the number of terms")
    within([plan["forms"]], 0, 31, "forms")
    within([plan["minimum"], plan["base"]], 0, 10**6, "minimum and base")
    most = n_rows - 1
    for row, needed, barred in terms:
        within([row], 0, most, "the row of a term")
        within([needed, barred], 0, 2 ** (8 * <object> N_FACT_BYTES) - 1, "the facts of a term")
    for name in ("hand", "decomposition", "role", "waits"):
        within([len(plan["bytes"][name])], 0, N_FACT_BYTES, "the number of bytes")
        within(plan["bytes"][name], 0, N_FACT_BYTES - 1, "bytes")
    within(plan["wait_terms"], 0, len(terms) - 1, "wait_terms")
    for name in ("family", "bonus", "otherwise"):
        within(plan[name], 0, most, name)
    within([len(plan["points"])], 0, n_rows, "the number of points")
    within(plan["points"], 0, 10**6, "points")
    within(plan["relation_rows"].values(), 0, most, "relation_rows")
    counts = [*plan["counts"].values()]
    within(plan["counts"], 0, most, "counts")
    within([len(plan["partials"])], 0, N_PARTIALS_MAX, "the number of partial absorbs")
    for row, target, constant, count in plan["partials"]:
        within([row, target], 0, most, "partials")
        within([constant], 0, 255, "partials")
        counts.append(count)
    within([sum(len(count) for count in counts)], 0, N_COUNTS_MAX, "the number of facts in counts")
    for count in counts:
        for place, bits in count:
            within([place], 0, 8 * N_FACT_BYTES - 1, "the place of a fact")
            within([bits], 0, 16, "the bits of a fact")
    for row, targets in plan["absorbs"].items():
        within([row], 0, most, "absorbs")
        within(targets, 0, most, "absorbs")
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class Program:
    """
    A rule set made ready to run; `mjcore.rule_sets` makes it.

    Parameters
    ----------
    plan : dict
        What `mjcore.rule_sets.RuleSet` compiled: numbers, masks of facts as ints, lists by row.
    """

    def __cinit__(self, dict plan not None):
        cdef program_t* c
        cdef int i, part
        check_plan(plan)
        c = <program_t*> calloc(1, sizeof(program_t))
        if c == NULL:
            raise MemoryError("no memory for a rule set")
        self.c = c
        c.n_fans = plan["n_fans"]
        c.n_rows = plan["n_rows"]
        c.n_terms = len(plan["terms"])
        c.forms = plan["forms"]
        c.quads = plan["quads"]
        c.minimum = plan["minimum"]
        c.base = plan["base"]
        if c.n_rows > N_ROWS_MAX or c.n_terms > N_TERMS_MAX:
            raise ValueError(f"expected at most {N_ROWS_MAX} rows and {N_TERMS_MAX} terms, "
                             f"got {c.n_rows} and {c.n_terms}")
        for name, part in (("hand", 0), ("decomposition", 1), ("role", 2), ("waits", 3)):
            c.n_bytes[part] = len(plan["bytes"][name])
            for i, place in enumerate(plan["bytes"][name]):
                c.bytes[part][i] = place
        for i, (row, needed, barred) in enumerate(plan["terms"]):
            self.add_term(i, row, needed, barred)
        c.counts_waits = plan["counts_waits"]
        c.counts_roles = plan["counts_roles"]
        for i in plan["wait_terms"]:
            c.wait_terms[i >> 6] |= <uint64_t> 1 << (i & 63)
        for i in range(c.n_fans):
            add_row(c.fans, i)
        set_rows(c.required, range(c.n_fans, c.n_rows))
        set_rows(c.family, plan["family"])
        set_rows(c.bonus, plan["bonus"])
        set_rows(c.otherwise, plan["otherwise"])
        for i, points in enumerate(plan["points"]):
            c.points[i] = points
        for i in range(N_RELATIONS):
            c.relation_row[i] = plan["relation_rows"].get(i, 0xFF)
        self.add_counts(plan)
        self.add_absorbs(plan)
        for i in range(2):
            c.plain[i] = c.fans[i] & ~(c.family[i] | c.otherwise[i])
            c.varying[i] = c.family[i] | c.counting[i] | c.reduced[i]

    def __dealloc__(self):
        free(self.c)

    cdef int add_term(self, int place, int row, object needed, object barred) except -1:
        """A term is false of every byte that lacks a bit it needs or has one that it bars."""
        cdef int at, value, need, bar
        cdef uint64_t bit = <uint64_t> 1 << (place & 63)
        cdef bytes needs = needed.to_bytes(N_FACT_BYTES, "little"), bars = barred.to_bytes(N_FACT_BYTES, "little")
        if place < self.c.n_rows:
            self.c.first_terms[place >> 6] |= bit
        else:
            self.c.more_terms[place >> 6] |= bit
        self.c.term_row[place] = row
        for at in range(N_FACT_BYTES):
            need = needs[at]
            bar = bars[at]
            if need == 0 and bar == 0:
                continue
            for value in range(256):
                if need & ~value or bar & value:
                    if place < 128:
                        self.c.kill[at][value][place >> 6] |= bit
                    else:
                        self.c.kill_more[at][value][place >> 6 & 1] |= bit
        return 0

    cdef int add_counts(self, dict plan) except -1:
        cdef int n = 0, row
        fields = [*plan["counts"].items()]
        self.c.n_partials = len(plan["partials"])
        if self.c.n_partials > N_PARTIALS_MAX:
            raise ValueError(f"expected at most {N_PARTIALS_MAX} fans that are absorbed in part")
        for row, count in fields:
            self.c.first_count[row] = n
            self.c.n_counts[row] = len(count)
            add_row(self.c.counting, row)
            n = self.add_fields(n, count)
        for i, (row, target, constant, count) in enumerate(plan["partials"]):
            self.c.partials[i].row = row
            self.c.partials[i].target = target
            self.c.partials[i].constant = constant
            self.c.partials[i].first_count = n
            self.c.partials[i].n_counts = len(count)
            add_row(self.c.reduced, target)
            n = self.add_fields(n, count)
        return 0

    cdef int add_fields(self, int n, object count) except -1:
        for place, bits in count:
            if n == N_COUNTS_MAX:
                raise ValueError(f"expected at most {N_COUNTS_MAX} facts in counts")
            self.c.counts[n].word = place >> 6
            self.c.counts[n].shift = place & 63
            self.c.counts[n].mask = (1 << bits) - 1
            n += 1
        return n

    cdef int add_absorbs(self, dict plan) except -1:
        for row, targets in plan["absorbs"].items():
            add_row(self.c.absorbing, row)
            set_rows(self.c.absorbs[<int> row], targets)
        return 0

    def __reduce__(self):
        raise TypeError("a Program is made from a RuleSet, which pickles")


cdef int check_context(object flags, object seat_wind, object round_wind, object n_flowers) except -1:
    within([flags], 0, WON_ALL, "flags")
    within([seat_wind, round_wind], FIRST_HONOR + 3, N_KINDS - 1, "winds")
    within([n_flowers], 0, 8, "flowers")
    return 0


PROBLEMS = {
    WIN_BAD_HAND: "hand",
    WIN_BAD_MELD: "meld",
    WIN_BAD_TILE: "winning tile",
    WIN_BAD_CONTEXT: "context",
}
"""What win_check finds wrong."""

CONTRADICTIONS = {
    CONTEXT_ROB_SELF_DRAWN: "rob_kong contradicts self_drawn: a robbed kong is another player's tile",
    CONTEXT_ROB_REPLACEMENT: "rob_kong contradicts kong_replacement: the tile is either robbed or drawn",
    CONTEXT_REPLACEMENT_CLAIMED: "kong_replacement contradicts a win that is not self_drawn: the tile is drawn",
    CONTEXT_REPLACEMENT_NO_KONG: "kong_replacement contradicts the melds: the winner has no kong",
    CONTEXT_ROB_WALL_LAST: "rob_kong contradicts wall_last: nobody may add a kong when the wall is empty",
    CONTEXT_ROB_HELD: "rob_kong contradicts the hand: the winner holds a copy of the winning tile {tile}",
    CONTEXT_FOURTH_HELD: "fourth_visible contradicts the hand: it holds another copy of the winning tile {tile}",
    CONTEXT_CONCEALED_NOT_ROBBED: "rob_concealed contradicts a win without rob_kong",
    CONTEXT_UNKNOWN_FLAG: "an unknown flag is set",
}
"""What win_settle finds wrong."""

FLAGS = {
    "self_drawn": WON_SELF_DRAWN,
    "wall_last": WON_WALL_LAST,
    "kong_replacement": WON_KONG_REPLACEMENT,
    "rob_kong": WON_ROB_KONG,
    "fourth_visible": WON_FOURTH_VISIBLE,
    "rob_concealed": WON_ROB_CONCEALED,
    "first_turn": WON_FIRST_TURN,
    "ready_at_deal": WON_READY_AT_DEAL,
}
"""Bits of the flags of a win by the name of the field of `Context`."""


@cython.final
@cython.auto_pickle(False)
cdef class Win:
    """
    A winning hand made ready to be scored, under any rule set, any number of times.

    Parameters
    ----------
    concealed : int
        The concealed tiles, the winning tile among them.
    melds : sequence of int
        Declared melds in 16 bits each, as `mjcore.batch_score` takes them.
    win_tile : int
        The kind of the winning tile.
    flags : int
        Bits of `FLAGS`.
    seat_wind, round_wind : int
        Kinds.
    n_flowers : int
        Flowers and seasons.
    """

    def __init__(self, concealed, melds, int win_tile, unsigned int flags, int seat_wind, int round_wind,
                 int n_flowers):
        cdef int i
        self.ready = False
        melds = tuple(melds)
        if not isinstance(concealed, int) or hand_read_int(concealed, self.c.concealed.lane) < 0:
            raise ValueError("expected a packed hand")
        if len(melds) > N_GROUPS:
            raise ValueError(f"expected at most {N_GROUPS} melds, got {len(melds)}")
        if not 0 <= win_tile < N_KINDS:
            raise ValueError(f"expected a kind of 0 to {N_KINDS - 1}, got {win_tile}")
        check_context(flags, seat_wind, round_wind, n_flowers)
        self.c.n_melds = len(melds)
        for i in range(len(melds)):
            self.c.melds[i] = melds[i]
        self.c.kind = win_tile
        self.c.flags = flags
        self.c.seat_wind = seat_wind
        self.c.round_wind = round_wind
        self.c.n_flowers = n_flowers
        problem = PROBLEMS.get(win_check(&self.c))
        if problem:
            raise InvalidHandError(f"expected a winning hand in its context, got a wrong {problem}")
        self.ready = True

    @staticmethod
    def read(hand, int win_tile, context):
        """
        Return a checked win from a hand in any form, which takes the winning tile in where it is one tile short.

        Parameters
        ----------
        hand : int, str, Hand or sequence of 34 int
            The concealed tiles, with melds in a `Hand` or in brackets.
        win_tile : int
            A kind.
        context : tuple
            Flags, seat wind, round wind, flowers.
        """
        cdef Win win = Win.__new__(Win)
        cdef int n_tiles, held
        if not 0 <= win_tile < N_KINDS:
            raise ValueError(f"expected a kind of 0 to {N_KINDS - 1}, got {win_tile}")
        flags, seat_wind, round_wind, n_flowers = context
        check_context(flags, seat_wind, round_wind, n_flowers)
        if isinstance(hand, str) and "[" in hand:
            hand = Hand(hand)
        if isinstance(hand, Hand):
            hand_read_int(hand._packed, win.c.concealed.lane)
            hand_read_int(hand._melded, win.c.melded.lane)
            if len(hand.melds) > N_GROUPS:
                raise InvalidHandError(f"expected at most {N_GROUPS} melds, got {len(hand.melds)}")
            for meld in tuple(hand.melds)[:N_GROUPS]:
                win.c.melds[win.c.n_melds] = <int> meld.kind | <int> MELD_CODES[meld.type] << 6
                win.c.n_melds += 1
        else:
            read_tiles(hand, &win.c.concealed)
        win.c.kind = win_tile
        win.c.flags, win.c.seat_wind, win.c.round_wind, win.c.n_flowers = context
        n_tiles = hand_size(&win.c.concealed) + 3 * win.c.n_melds
        held = hand_count(&win.c.concealed, win_tile)
        if n_tiles == N_TILES_MAX - 1:
            if held + hand_count(&win.c.melded, win_tile) == N_COPIES:
                raise InvalidHandError(
                    f"expected at most {N_COPIES} copies of a kind, got a fifth {LETTERS[win_tile]} to win on")
            hand_add(&win.c.concealed, win_tile)
        elif n_tiles == N_TILES_MAX:
            if held == 0:
                raise InvalidHandError(
                    f"expected the winning tile among the concealed tiles, got {LETTERS[win_tile]}")
        elif n_tiles > N_TILES_MAX:
            raise InvalidHandError(f"expected 13 or {N_TILES_MAX} tiles, a meld counted as three, got {n_tiles}")
        else:
            raise NotAWinError(f"expected 13 or {N_TILES_MAX} tiles, a meld counted as three, got {n_tiles}")
        if win_check(&win.c):
            raise InvalidHandError("expected a hand with at most four copies of a kind and melds that fit")
        win.ready = True
        return win

    cdef int check_ready(self) except -1:
        if not self.ready:
            raise ValueError("expected a hand that was read")
        return 0

    def settle(self, bint normalise):
        """Set what the hand implies, and put contradictions out or raise ContextError for the first."""
        cdef int found
        self.check_ready()
        found = win_settle(&self.c, normalise)
        if found:
            raise ContextError(CONTRADICTIONS[found].format(tile=LETTERS[self.c.kind]))

    @property
    def concealed(self):
        """The concealed tiles, the winning tile among them."""
        return hand_write_int(self.c.concealed.lane)

    @property
    def melds(self):
        """The declared melds in 16 bits each."""
        return tuple([self.c.melds[i] for i in range(self.c.n_melds)])

    @property
    def win_tile(self):
        """The kind of the winning tile."""
        return self.c.kind

    @property
    def flags(self):
        """Bits of `FLAGS`, those implied among them."""
        return self.c.flags

    @property
    def context(self):
        """Flags, seat wind, round wind and flowers."""
        return self.c.flags, self.c.seat_wind, self.c.round_wind, self.c.n_flowers

    @property
    def key(self):
        """What makes it equal to another."""
        return self.concealed, self.melds, self.c.kind, self.context

    def total(self, Program program not None):
        """Return the total under a rule set, -1 where the hand is not a win."""
        cdef result_t best
        self.check_ready()
        if hand_score(&self.c, program.c, &best, NULL, 0) == 0:
            return -1
        return best.total

    def waits(self, Program program not None):
        """Return the kinds that complete the tiles before the winning one, by shape, as a mask."""
        self.check_ready()
        return win_waits(&self.c, program.c.forms, program.c.quads)

    def score(self, Program program not None):
        """Return the best reading as `readings` does, None where the hand is not a win."""
        cdef result_t best
        self.check_ready()
        return read_result(&best, program.c) if hand_score(&self.c, program.c, &best, NULL, 0) else None

    def readings(self, Program program not None):
        """
        Return every reading as a pair: a tuple of its form, eyes, knitted order, groups, role, group of the role,
        total, bonus, counts by row, rows met, rows after account-once, chosen fans with their groups, place, the fan of
        each pair of groups that makes one; and its facts as one int.
        """
        cdef result_t best
        cdef int i, n
        cdef result_t* results
        self.check_ready()
        n = hand_score(&self.c, program.c, &best, &best, 0)
        results = <result_t*> calloc(n + 1, sizeof(result_t))
        if results == NULL:
            raise MemoryError("no memory for the readings of a hand")
        try:
            hand_score(&self.c, program.c, &best, results, n)
            return [(read_result(&results[i], program.c), facts_int(&results[i])) for i in range(n)]
        finally:
            free(results)

    def __reduce__(self):
        cdef int i
        return Win, (hand_write_int(self.c.concealed.lane), [self.c.melds[i] for i in range(self.c.n_melds)],
                     self.c.kind, self.c.flags, self.c.seat_wind, self.c.round_wind, self.c.n_flowers)


cdef object rows_int(const uint64_t* rows):
    return rows[0] | <object> rows[1] << 64


cdef object facts_int(const result_t* result):
    return rows_int(&result.facts.word[0]) | rows_int(&result.facts.word[2]) << 128


cdef tuple read_result(const result_t* result, const program_t* program):
    cdef int i, word
    cdef uint64_t left
    cdef const reading_t* reading = &result.reading
    cdef relations_t relations
    relations_of(reading, &relations)
    # a fan of pairs may be there more often than account-once lets it count
    pairs = [fan_of(program, result.met, relations.pair[i]) for i in range(N_EDGES)]
    counts = []
    for word in range(2):
        left = result.counted[word]
        while left:
            i = 64 * word + lowest_bit(left)
            left &= left - 1
            counts.append((i, fan_count(result, program, i)))
    return (
        reading.form, reading.eyes, reading.order, tuple([reading.groups[i] for i in range(reading.n_groups)]),
        reading.role, reading.role_group, result.total, result.bonus, tuple(counts),
        rows_int(result.met), rows_int(result.standing),
        tuple([(result.chosen[i].row, result.chosen[i].groups) for i in range(result.n_chosen)]), result.place,
        tuple([row for row in pairs if row >= 0]),
    )
