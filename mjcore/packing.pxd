# Python values to packed hands, with errors that say what is wrong.

from mjcore.packed cimport hand_t

cdef int read_packed(object packed, hand_t* h) except -99           # an int, at most four copies a kind
cdef int read_counts(object counts, hand_t* h) except -99           # 34 counts
cdef int check_size(const hand_t* h, int n_others) except -99       # at most 14 tiles with the others
cdef bint is_counts(object value)
