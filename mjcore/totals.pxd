# The fans of a reading, after account-once and what they absorb, and what they add up to.

from libc.stdint cimport uint8_t, uint64_t
from mjcore.facts cimport facts_t
from mjcore.groups cimport reading_t
from mjcore.programs cimport program_t

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

# How often a fan of a result counts.
cdef int fan_count(const result_t* result, const program_t* program, int row) noexcept nogil

# Fills counted from what stands after account-once; fills total and bonus from what is counted.
cdef void absorb(const program_t* program, result_t* result) noexcept nogil
cdef void add_up(const program_t* program, result_t* result) noexcept nogil

cdef bint is_better(const program_t* program, const result_t* a, const result_t* b) noexcept nogil
