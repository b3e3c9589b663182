# Suit profiles: how many tiles a hand is away from complete, from look-ups alone.
#
# Shanten is -1 complete, 0 ready.  Like the kernels these trust their input and run without the GIL.

from libc.stdint cimport int8_t
from mjcore.chunks cimport block_t
from mjcore.forms cimport rules_t
from mjcore.packed cimport hand_t, kindset_t, uint8_t

cdef enum:
    SHANTEN_NONE = 99       # no form fits the size of the hand, or no tile of the kind is held

# Default rules.  A joker may stand for a fifth copy; kinds reported always have a copy left in the
# deck beside the hand's own.
cdef int hand_shanten(const hand_t* h, int n_jokers) noexcept nogil
cdef int hand_useful(const hand_t* h, int n_jokers, kindset_t* useful) noexcept nogil   # and what lowers it
cdef kindset_t hand_waits(const hand_t* h, int n_jokers) noexcept nogil     # sizes 3n + 1; empty unless ready

# For each kind of a hand of 3n + 2 tiles: shanten and useful kinds once a tile of it is let go.  Returns those kinds.
cdef kindset_t hand_discards(const hand_t* h, int n_jokers, int8_t* shanten, kindset_t* useful) noexcept nogil

# Any rules, melds and jokers.  `melded` holds the copies used up by declared melds (NULL: none),
# `useful` may be NULL.
cdef int hand_shanten_rules(const hand_t* h, const hand_t* melded, int n_jokers, const rules_t* rules,
                            kindset_t* useful) noexcept nogil

# Blocks of hands under the default rules, with `step` 0 one number of jokers for all.  They return the
# place of the first that is no hand or has no answer, n where there is none.
cdef Py_ssize_t shanten_block(const block_t* block, Py_ssize_t n, const uint8_t* jokers, Py_ssize_t step,
                              bint ask_hu, uint8_t* out) noexcept nogil
cdef Py_ssize_t waits_block(const hand_t* hands, const block_t* block, Py_ssize_t n, const uint8_t* jokers,
                            Py_ssize_t step, kindset_t* out) noexcept nogil
cdef Py_ssize_t useful_block(const hand_t* hands, const block_t* block, Py_ssize_t n, const uint8_t* jokers,
                             Py_ssize_t step, uint8_t* out, kindset_t* useful) noexcept nogil
