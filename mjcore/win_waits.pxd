# The waits of a hand that wins, in every form.

from mjcore.packed cimport kindset_t
from mjcore.win_checks cimport win_t

# Kinds that complete the tiles before the winning one, by shape, in the forms given; four of a kind are two pairs.
cdef kindset_t win_waits(const win_t* win, unsigned int forms, bint quads) noexcept nogil

# Orders of which at least so many of the nine kinds are held, one bit each.
cdef int knitted_orders(kindset_t held, int least) noexcept nogil
