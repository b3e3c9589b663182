# Which fans of chows, and of pungs, count together.

from libc.stdint cimport uint8_t, uint64_t
from mjcore.group_relations cimport RELATION_NONE, relations_t
from mjcore.programs cimport has_row, program_t
from mjcore.totals cimport result_t

cdef enum:
    N_EDGES = 6                 # pairs of four groups

# Adds what stands to a result of which the rows met, and what stands beside, are known.
cdef void account_once(const program_t* program, const relations_t* relations, result_t* result) noexcept nogil


cdef inline int fan_of(const program_t* program, const uint64_t* met, uint8_t relation) noexcept nogil:
    """The fan that a relation makes here, -1 for none."""
    cdef int row
    if relation == RELATION_NONE:
        return -1
    row = program.relation_row[relation]
    return row if row != 0xFF and has_row(met, row) else -1
