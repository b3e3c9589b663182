# Scoring: every reading of a winning hand, and the one worth most under a rule set.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from mjcore.facts cimport N_FACT_BYTES, N_RELATIONS, facts_t, reading_t, win_t
from mjcore.packed cimport kindset_t

cdef enum:
    N_ROWS_MAX = 128                # fans and requirements of a rule set
    N_TERMS_MAX = 256
    N_COUNTS_MAX = 256
    N_PARTIALS_MAX = 64
    N_CHOSEN_MAX = 8
    N_TWO_FANS_MAX = 8

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
    uint8_t n_bytes[4]              # read of the hand, of a decomposition, of the role, of the waits
    uint8_t bytes[4][32]
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
    uint64_t absorbs[128][2]
    int32_t points[128]
    uint16_t first_count[128]
    uint8_t n_counts[128]
    count_t counts[256]
    partial_t partials[64]
    int n_partials
    uint8_t relation_row[21]        # 0xFF: no fan

# A fan that account-once let stand, and the groups that make it, one bit a place.
ctypedef struct chosen_t:
    uint8_t row
    uint8_t groups

ctypedef struct result_t:
    reading_t reading
    facts_t facts
    uint64_t met[2]                 # rows whose condition holds
    uint64_t standing[2]            # after account-once
    uint64_t counted[2]             # after what they absorb
    chosen_t chosen[8]
    int n_chosen
    int place                       # which of the readings it is, from 0
    int total                       # with the bonus fans
    int bonus

# The best reading; with `all` not NULL every reading is written to it, as far as `capacity` goes, and the
# facts of the waits are found whether a fan comes down to them or not.  Returns the number of readings,
# 0: not a win.  The hand has passed win_check and win_settle.
cdef int hand_score(const win_t* win, const program_t* program, result_t* best, result_t* all,
                    int capacity) noexcept nogil

# How often a fan of a result counts.
cdef int fan_count(const result_t* result, const program_t* program, int row) noexcept nogil

# What each of the four pays or gets: the winner, the next player, the one opposite, the one before; `discarder`
# is 0 for a self-drawn win.
cdef void score_payments(int total, int base, int discarder, int32_t* payments) noexcept nogil


cdef class Program:
    cdef program_t* c
    cdef int add_term(self, int place, int row, object needed, object barred) except -1
    cdef int add_counts(self, dict plan) except -1
    cdef int add_fields(self, int n, object count) except -1
    cdef int add_absorbs(self, dict plan) except -1

cdef class Win:
    cdef win_t c
    cdef bint ready                 # read and checked
    cdef int check_ready(self) except -1
