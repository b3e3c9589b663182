# Facts: what is true of a winning hand and of one reading of it, in no rule set's words.
#
# A fact is a bit, or a small count as a thermometer: bit i of its field says that the count is above i.
# So any comparison of a count with a number is one bit that must be set and one that must not be, and the
# count itself is the number of bits set.  Fields lie in four words, and none crosses a word:
#
#     word 0   the tiles, all of them, melds included; the waits
#     word 1   the melds and how the hand was won
#     word 2   the reading: its form, its groups, the group that the winning tile completes
#     word 3   how the chows, and the pungs of a suit, stand to one another
#
# Words 0 and 1 are the same for every reading of a hand.

from libc.stdint cimport uint64_t
from mjcore.group_relations cimport relations_t
from mjcore.groups cimport reading_t
from mjcore.packed cimport kindset_t
from mjcore.win_checks cimport win_t

cdef enum:
    N_FACT_WORDS = 4
    N_FACT_BYTES = 32

ctypedef struct facts_t:
    uint64_t word[4]

# Facts of the hand, words 0 and 1 but for the waits; of a reading without its role, words 2 and 3 (call
# relations_of first); of the role.
cdef void hand_facts(const win_t* win, facts_t* facts) noexcept nogil
cdef void wait_facts(const win_t* win, kindset_t waits, facts_t* facts) noexcept nogil
cdef void reading_facts(const win_t* win, const reading_t* reading, const relations_t* relations,
                        facts_t* facts) noexcept nogil
cdef void role_facts(const win_t* win, const reading_t* reading, facts_t* facts) noexcept nogil

# Facts that are found later than the others of their words have bytes of their own: the waits, the last of
# word 0, and what differs between the roles of one decomposition, the last two of word 2.
cdef enum:
    FACT_WAITS = 56
    FACT_ROLE = 128 + 48
    FACT_CONCEALED_PUNGS = 128 + 56

# Bytes of the four words that hold facts, the lowest ones but for those found later.
cdef enum:
    N_TILE_BYTES = 6
    N_WON_BYTES = 5
    N_GROUP_BYTES = 6
    N_RELATION_BYTES = 3
    N_ROLE_BYTES = 2
