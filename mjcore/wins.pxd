# A winning hand made ready to be scored, for Python.

from mjcore.programs cimport program_t
from mjcore.totals cimport result_t
from mjcore.win_checks cimport win_t

# Every reading, in memory that the caller frees; n is their number.
cdef result_t* all_readings(const win_t* win, const program_t* program, int* n) except NULL

cdef class Win:
    cdef win_t c
    cdef bint ready                 # read and checked
    cdef int check_ready(self) except -1

# A reading as `Win.readings` gives it.
cdef tuple read_result(const result_t* result, const program_t* program)
