# The search: is a hand complete, what completes it, how does it split.
#
# Every function trusts its input (no nibble above four, at most 14 tiles with the jokers,
# 0 .. 8 jokers) and runs without the GIL.  hand_check says whether a hand may be passed.

from mjcore.packed cimport hand_t, kindset_t, lane_t, uint8_t

cdef enum:
    FORM_STANDARD = 1
    FORM_SEVEN_PAIRS = 2
    FORM_THIRTEEN_ORPHANS = 4
    FORMS_DEFAULT = 7

ctypedef struct rules_t:
    unsigned int forms              # FORM_... bits
    bint seven_pairs_quads          # four of a kind is two pairs
    bint joker_fifth_copy           # a joker may play as a kind of which four are held
    bint joker_special_forms        # jokers may stand in seven pairs and thirteen orphans
    int joker_kind                  # each copy of this kind is a joker; -1 for none
    kindset_t eyes                  # kinds allowed as eyes of the standard form

# Splits of a hand, N_SPLIT bytes each: the form, then
#   standard            the eyes, then up to four melds in order of their lowest kind,
#   seven pairs         the seven kinds in order, four of a kind twice,
#   thirteen orphans    the kind held twice.
# A meld is its lowest kind, with SPLIT_PUNG set for a pung; unused places hold SPLIT_NONE.
cdef enum:
    N_SPLIT = 8
    SPLIT_PUNG = 0x40
    SPLIT_NONE = 0xFF

ctypedef struct splits_t:
    uint8_t* data
    size_t n
    size_t capacity
    size_t limit                    # stop with status 1 once this many are found

cdef rules_t rules_default() noexcept nogil

# 0: a hand; 1: a kind above four copies; 2: more than 14 tiles; 3: a bit outside the 34 nibbles
cdef int hand_check(const hand_t* h) noexcept nogil

# The default rules, no jokers, no melds.
cdef bint hand_is_hu(const hand_t* h) noexcept nogil
cdef kindset_t hand_waits(const hand_t* h) noexcept nogil           # kinds with a copy left

# Any rules.  `melded` holds the copies used up by declared melds (NULL: none).
cdef bint hand_is_hu_rules(const hand_t* h, const hand_t* melded, int n_jokers,
                           const rules_t* rules) noexcept nogil
cdef kindset_t hand_waits_rules(const hand_t* h, const hand_t* melded, int n_jokers,
                                const rules_t* rules) noexcept nogil    # by shape

# Fills `out` (release it with splits_free).  0: all found; 1: stopped at the limit; -1: no memory.
cdef int hand_splits(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules,
                     splits_t* out) noexcept nogil
cdef void splits_free(splits_t* splits) noexcept nogil

cdef int mjcore_abi() noexcept nogil    # MJCORE_ABI of the installed binary
