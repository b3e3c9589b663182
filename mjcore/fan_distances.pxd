# The targets of one fan, made by name.

from mjcore.fan_search cimport fan_t

cdef class FanTargets:
    cdef fan_t* c
