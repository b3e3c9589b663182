# How a complete hand splits into melds and eyes.

from mjcore.forms cimport rules_t
from mjcore.packed cimport hand_t, uint8_t

# Splits of a hand, N_SPLIT bytes each: the form, then
#   standard            the eyes, then up to four melds in order of their lowest kind,
#   seven pairs         the seven kinds in order, four of a kind twice,
#   thirteen orphans    the kind held twice,
#   the knitted forms   as standard, and in the last place which of the six orders is knitted.
# A meld is its lowest kind, with SPLIT_PUNG set for a pung; unused places hold SPLIT_NONE.
cdef enum:
    N_SPLIT = 8
    SPLIT_PUNG = 0x40
    SPLIT_NONE = 0xFF
    SPLIT_ORDER = 7

# Before a call set `limit`, the most splits to write (<size_t> -1: all); afterwards call splits_free,
# whatever the status was.
ctypedef struct splits_t:
    uint8_t* data
    size_t n
    size_t capacity
    size_t limit                    # stop with status 1 once this many are found

# Fills `out` (release it with splits_free).  0: all found; 1: stopped at the limit; -1: no memory.
cdef int hand_splits(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules,
                     splits_t* out) noexcept nogil
cdef void splits_free(splits_t* splits) noexcept nogil
