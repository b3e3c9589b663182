# The standard form where declared melds use copies up or the eyes are restricted.

from mjcore.forms cimport rules_t
from mjcore.packed cimport LANE_Z, N_RANKS, hand_t, kindset_t
from mjcore.suit_tables cimport tables_t


cdef inline bint lane_is_plain(int lane, const hand_t* melded, kindset_t eyes, bint capped) noexcept nogil:
    """Whether the tables cover a lane."""
    cdef kindset_t kinds = <kindset_t> (0x7F if lane == LANE_Z else 0x1FF) << (N_RANKS * lane)
    return eyes & kinds == kinds and (not capped or melded == NULL or melded.lane[lane] == 0)


# Distance of the standard form, and the kinds that lower it if `useful` is not NULL.
cdef int standard_melded(const tables_t* t, const hand_t* h, const hand_t* melded, const rules_t* rules, bint capped,
                         int n_melds, kindset_t* useful) noexcept nogil
