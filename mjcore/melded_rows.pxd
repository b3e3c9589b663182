# The standard form where declared melds use copies up or the eyes are restricted.

from mjcore.forms cimport rules_t
from mjcore.packed cimport LANE_Z, N_RANKS, hand_t, kindset_t
from mjcore.suit_tables cimport tables_t


cdef inline bint lane_is_plain(int lane, const hand_t* melded, kindset_t eyes, bint capped) noexcept nogil:
    """Whether the tables cover a lane."""
    cdef kindset_t kinds = <kindset_t> (0x7F if lane == LANE_Z else 0x1FF) << (N_RANKS * lane)
    return eyes & kinds == kinds and (not capped or melded == NULL or melded.lane[lane] == 0)


# Melds use copies up, which the tables do not know.  A finished hand nearest by the tables adds to the hand only kinds
# that are useful by the tables.  Where none of these is a kind of the melds, it needs no copy that is not there, so
# distance and useful kinds are those of the tables; and so they are for the hand with a useful tile more, whose nearest
# finished hands are among them.
cdef inline bint melds_bind(kindset_t useful, kindset_t melded) noexcept nogil:
    """Whether melds of some kinds may change what the tables say, given the kinds useful by the tables."""
    return useful & melded != 0


# Distance of the standard form, and the kinds that lower it if `useful` is not NULL.
cdef int standard_melded(const tables_t* t, const hand_t* h, const hand_t* melded, const rules_t* rules, bint capped,
                         int n_melds, kindset_t* useful) noexcept nogil
