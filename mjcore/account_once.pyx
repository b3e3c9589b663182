"""
The principle of account-once: which fans of chows, and of pungs, count together.

A fan of four groups, else one of three and a pair of the fourth group with one of them, else pairs that form a forest.
"""

from libc.stdint cimport int64_t

from mjcore.group_relations cimport FOUR_CHOWS_SAME, FOUR_PUNGS_STEP_1, THREE_CHOWS_SAME, THREE_PUNGS_SUITS, relations_t
from mjcore.packed cimport kindset_size, lowest_bit
from mjcore.programs cimport N_ROWS_MAX, add_row, has_row, program_t
from mjcore.totals cimport absorb, add_up, is_better, result_t

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


# The pairs of groups that make a fan, by fan in table order.
cdef struct pairs_t:
    int edges                   # all of them, one bit a pair
    int n_rows
    int row[6]
    int row_edges[6]
    int edge_row[6]


cdef inline void edges_of(const program_t* program, const relations_t* relations, const result_t* result,
                          pairs_t* pairs) noexcept nogil:
    """The pairs and the fan of each, as fan_of, without a branch that no one could foresee."""
    cdef int edge
    cdef unsigned int row
    pairs.edges = 0
    for edge in range(N_EDGES):
        row = program.relation_row[relations.pair[edge]]
        pairs.edge_row[edge] = <int> row
        pairs.edges |= <int> (result.met[row >> 6 & 1] >> (row & 63) & (row < N_ROWS_MAX)) << edge


cdef inline void sort_rows(pairs_t* pairs) noexcept nogil:
    """The fans in table order, and the pairs of each."""
    cdef int edge, row, i, j, left = pairs.edges
    pairs.n_rows = 0
    while left:
        edge = lowest_bit(left)
        left &= left - 1
        row = pairs.edge_row[edge]
        i = 0
        while i < pairs.n_rows and pairs.row[i] < row:
            i += 1
        if i < pairs.n_rows and pairs.row[i] == row:
            pairs.row_edges[i] |= 1 << edge
            continue
        for j in range(pairs.n_rows, i, -1):
            pairs.row[j] = pairs.row[j - 1]
            pairs.row_edges[j] = pairs.row_edges[j - 1]
        pairs.row[i] = row
        pairs.row_edges[i] = 1 << edge
        pairs.n_rows += 1


cdef inline bint is_legal(const pairs_t* pairs, int tried) noexcept nogil:
    """Whether pairs form a forest, no group twice for one fan."""
    cdef int i
    if not IS_FOREST[tried]:
        return False
    for i in range(pairs.n_rows):
        if not IS_MATCHING[tried & pairs.row_edges[i]]:
            return False
    return True


cdef int best_of_pairs(const program_t* program, const pairs_t* pairs) noexcept nogil:
    """The legal pairs worth most; of equals, more of the first fans."""
    cdef int tried = pairs.edges, best_edges = 0, i, n
    cdef int64_t worth, best = 0
    while tried:
        if is_legal(pairs, tried):
            worth = 0
            for i in range(pairs.n_rows):
                # the counts of the fans below the points, the first fan highest
                n = kindset_size(tried & pairs.row_edges[i])
                worth += (<int64_t> (n * program.points[pairs.row[i]]) << 24) + (<int64_t> n << (3 * (5 - i)))
            if worth > best:
                best = worth
                best_edges = tried
        tried = (tried - 1) & pairs.edges
    return best_edges


cdef void choose_pairs(const program_t* program, const relations_t* relations, result_t* result) noexcept nogil:
    cdef pairs_t pairs
    cdef int edge, chosen
    edges_of(program, relations, result, &pairs)
    chosen = pairs.edges
    if chosen & (chosen - 1):
        sort_rows(&pairs)
        # nothing is worth more than all of them
        if not is_legal(&pairs, chosen):
            chosen = best_of_pairs(program, &pairs)
    while chosen:
        edge = lowest_bit(chosen)
        chosen &= chosen - 1
        choose(result, pairs.edge_row[edge], EDGE_GROUPS[edge])


# --- account-once where fans absorb one another ------------------------------------------------

cdef bint is_entangled(const program_t* program, const relations_t* relations, const result_t* result) noexcept nogil:
    """Whether a fan of pairs or triples absorbs another that holds, or is absorbed by one: points alone do not tell."""
    cdef uint64_t possible[2]
    cdef uint64_t left
    cdef int i, row, word
    if result.standing[0] & program.tangled[0] == 0 and result.standing[1] & program.tangled[1] == 0:
        return False
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


# Relations of three groups.
cdef uint64_t OF_THREE = (
    (<uint64_t> 1 << FOUR_CHOWS_SAME) - (<uint64_t> 1 << THREE_CHOWS_SAME)
    | (<uint64_t> 1 << FOUR_PUNGS_STEP_1) - (<uint64_t> 1 << THREE_PUNGS_SUITS))


cdef void account_once(const program_t* program, const relations_t* relations, result_t* result) noexcept nogil:
    cdef int row = fan_of(program, result.met, relations.all_four)
    cdef int i
    if row >= 0:
        choose(result, row, 0xF)
    elif is_entangled(program, relations, result):
        choose_by_trial(program, relations, result)
    elif relations.found & OF_THREE == 0 or not choose_triple(program, relations, result):
        choose_pairs(program, relations, result)
    for i in range(result.n_chosen):
        add_row(result.standing, result.chosen[i].row)
