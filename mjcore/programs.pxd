# A rule set made ready to run, and its conditions: which rows hold, by the bytes of the facts.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from mjcore.facts cimport (
    FACT_ROLE,
    FACT_WAITS,
    N_GROUP_BYTES,
    N_RELATION_BYTES,
    N_ROLE_BYTES,
    N_TILE_BYTES,
    N_WON_BYTES,
    facts_t,
)
from mjcore.packed cimport lowest_bit

cdef enum:
    N_ROWS_MAX = 128                # fans and requirements of a rule set
    N_TERMS_MAX = 256
    N_COUNTS_MAX = 256
    N_PARTIALS_MAX = 64

# Fields of counts that are added up.
ctypedef struct count_t:
    uint8_t word
    uint8_t shift
    uint16_t mask

# A row takes some of the count of another away.
ctypedef struct partial_t:
    uint8_t row
    uint8_t target
    uint8_t constant
    uint8_t n_counts
    uint16_t first_count

# A rule set made ready to run.  A condition is a sum of terms, each a set of bits that must be set and a set
# that must not be; term i is term i of row i below n_rows, the further terms of rows come after those.
# kill[n][v] holds the terms that a byte n of the facts, of value v, makes false.
ctypedef struct program_t:
    int n_fans
    int n_rows                      # requirements come after the fans
    int n_terms
    unsigned int forms
    bint quads
    bint counts_roles               # a count is made of facts that depend on the role
    bint counts_waits               # a count is made of them, so they are always found
    uint64_t wait_terms[4]          # terms that read them
    int minimum
    int base
    uint64_t first_terms[2]         # the first of each row
    uint64_t more_terms[4]          # the others
    uint8_t term_row[256]
    uint64_t kill[32][256][2]
    uint64_t kill_more[32][256][2]  # of the terms above 127
    uint64_t fans[2]
    uint64_t plain[2]               # fans that are neither of a family nor otherwise
    uint64_t required[2]
    uint64_t family[2]
    uint64_t bonus[2]
    uint64_t otherwise[2]
    uint64_t absorbing[2]
    uint64_t varying[2]             # rows that may count more than once
    uint64_t counting[2]            # those that count by facts
    uint64_t reduced[2]             # rows of whose count others take some
    uint64_t reducing[2]            # those others
    uint64_t absorbs[128][2]
    uint64_t tangled[2]             # rows of no family that absorb a fan of two or three groups, or are absorbed by it
    int32_t points[128]
    uint16_t first_count[128]
    uint8_t n_counts[128]
    count_t counts[256]
    partial_t partials[64]
    int n_partials
    uint8_t relation_row[256]       # by relation, RELATION_NONE too; 0xFF: no fan

cdef class Program:
    cdef program_t* c
    cdef int add_term(self, int place, int row, object needed, object barred) except -1
    cdef int add_counts(self, dict plan) except -1
    cdef int add_fields(self, int n, object count) except -1
    cdef int add_absorbs(self, dict plan) except -1
    cdef int add_tangled(self) except -1

# ValueError unless each is an int within bounds.
cdef int within(object numbers, object least, object most, str name) except -1


# --- conditions --------------------------------------------------------------------------------

cdef inline void kill_by(const program_t* program, const facts_t* facts, int first, int n,
                         uint64_t* kill) noexcept nogil:
    """Add the terms that n bytes of the facts from `first` on, all of one word, make false."""
    cdef int i
    cdef uint64_t low = kill[0], high = kill[1], left = facts.word[first >> 3] >> (8 * (first & 7))
    for i in range(n):
        low |= program.kill[first + i][left & 0xFF][0]
        high |= program.kill[first + i][left & 0xFF][1]
        left >>= 8
    kill[0] = low
    kill[1] = high
    if program.n_terms > 128:
        left = facts.word[first >> 3] >> (8 * (first & 7))
        for i in range(n):
            kill[2] |= program.kill_more[first + i][left & 0xFF][0]
            kill[3] |= program.kill_more[first + i][left & 0xFF][1]
            left >>= 8


cdef inline void kill_by_hand(const program_t* program, const facts_t* facts, uint64_t* kill) noexcept nogil:
    kill_by(program, facts, 0, N_TILE_BYTES, kill)
    kill_by(program, facts, 8, N_WON_BYTES, kill)


cdef inline void kill_by_decomposition(const program_t* program, const facts_t* facts, uint64_t* kill) noexcept nogil:
    kill_by(program, facts, 16, N_GROUP_BYTES, kill)
    kill_by(program, facts, 24, N_RELATION_BYTES, kill)


cdef inline void kill_by_role(const program_t* program, const facts_t* facts, uint64_t* kill) noexcept nogil:
    kill_by(program, facts, FACT_ROLE // 8, N_ROLE_BYTES, kill)


cdef inline void kill_by_waits(const program_t* program, const facts_t* facts, uint64_t* kill) noexcept nogil:
    kill_by(program, facts, FACT_WAITS // 8, 1, kill)


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
