from mjcore.packed cimport kindset_t, uint8_t


cdef class LiveTiles:
    cdef readonly int shanten
    cdef kindset_t mask
    cdef uint8_t left[34]
