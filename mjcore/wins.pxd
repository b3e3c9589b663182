# A winning hand made ready to be scored, for Python.

from mjcore.win_checks cimport win_t

cdef class Win:
    cdef win_t c
    cdef bint ready                 # read and checked
    cdef int check_ready(self) except -1
