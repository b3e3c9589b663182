"""
The principle of account-once: which fans of chows, and of pungs, count together.

A fan of four groups, else one of three and a pair of the fourth group with one of them, else pairs that form a forest.
"""

from libc.stdint cimport int64_t

from mjcore.group_relations cimport relations_t
from mjcore.packed cimport kindset_size, lowest_bit
from mjcore.programs cimport add_row, has_row, program_t
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
