# The search: is a hand complete, what completes it.
#
# Every function trusts its input (no nibble above four, at most 14 tiles with the jokers,
# 0 .. 8 jokers) and runs without the GIL.  hand_check says whether a hand may be passed.

from mjcore.forms cimport rules_t
from mjcore.packed cimport hand_t, kindset_t

cdef rules_t rules_default() noexcept nogil

# 0: a hand; 1: a kind above four copies; 2: more than 14 tiles; 3: a bit outside the 34 nibbles
cdef int hand_check(const hand_t* h) noexcept nogil

# The default rules, no jokers, no melds.
cdef bint hand_is_hu(const hand_t* h) noexcept nogil

# Any rules.  `melded` holds the copies used up by declared melds (NULL: none).
cdef bint hand_is_hu_rules(const hand_t* h, const hand_t* melded, int n_jokers,
                           const rules_t* rules) noexcept nogil
cdef kindset_t hand_waits_rules(const hand_t* h, const hand_t* melded, int n_jokers,
                                const rules_t* rules) noexcept nogil    # by shape

# The standard form alone, without jokers, by shape; a fifth copy counts.
cdef kindset_t standard_waits(const hand_t* h, kindset_t eyes) noexcept nogil

cdef int mjcore_abi() noexcept nogil    # MJCORE_ABI of the installed binary
