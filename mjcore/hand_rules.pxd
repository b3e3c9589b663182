from mjcore.forms cimport rules_t
from mjcore.packed cimport hand_t

cdef enum:
    WAIT_POSSIBLE = 0
    WAIT_SHAPE = 1
    WAIT_LIVE = 2


cdef class HandRules:
    cdef rules_t c
    cdef int c_wait_mode
    cdef hand_t key             # every option that an answer depends on, in the spare bits of the lanes
