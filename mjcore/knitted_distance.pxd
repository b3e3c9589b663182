# The knitted forms of Chinese Official: distance, and what lowers it if `useful` is not NULL.

from mjcore.packed cimport hand_t, kindset_t

cdef enum:
    N_KNITTED = 9

# Sizes 13 and 14.
cdef int honors_and_knitted_distance(const hand_t* h, kindset_t* useful) noexcept nogil

# Nine knitted kinds, a meld (declared or not) and the eyes: sizes 13, 14, 10 and 11.
cdef int knitted_straight_distance(const hand_t* h, const hand_t* melded, int n_melds,
                                   kindset_t* useful) noexcept nogil
