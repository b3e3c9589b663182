from mjcore.packed cimport kindset_t


cdef class KindSet:
    cdef readonly kindset_t mask


cdef KindSet kindset_new(kindset_t mask)
