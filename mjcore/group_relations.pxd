# How the groups of a reading stand to one another.  Pairs and triples of groups hold at most one relation each.

from libc.stdint cimport uint8_t, uint64_t
from mjcore.groups cimport reading_t

cdef enum:
    RELATION_NONE = 0xFF
    TWO_CHOWS_SAME = 0
    TWO_CHOWS_SUITS = 1             # the same chow in two suits
    TWO_CHOWS_SIX = 2               # six ranks in a row
    TWO_CHOWS_TERMINAL = 3          # 123 and 789
    THREE_CHOWS_SAME = 4
    THREE_CHOWS_STRAIGHT = 5
    THREE_CHOWS_STEP_1 = 6
    THREE_CHOWS_STEP_2 = 7
    THREE_CHOWS_SUITS = 8           # the same chow in three suits
    THREE_CHOWS_SUITS_STRAIGHT = 9
    THREE_CHOWS_SUITS_STEP_1 = 10
    FOUR_CHOWS_SAME = 11
    FOUR_CHOWS_STEP_1 = 12
    FOUR_CHOWS_STEP_2 = 13
    FOUR_CHOWS_TERMINAL = 14        # 123 and 789 twice with eyes of 5, all of one suit
    FOUR_CHOWS_SUITS_TERMINAL = 15  # in two suits, with eyes of 5 in the third
    TWO_PUNGS_SUITS = 16            # one rank in two suits
    THREE_PUNGS_SUITS = 17
    THREE_PUNGS_STEP_1 = 18
    THREE_PUNGS_SUITS_STEP_1 = 19
    FOUR_PUNGS_STEP_1 = 20
    N_RELATIONS = 21

# The pair of groups i < j is at PAIR_PLACE[4 * i + j], the triple without group i at i.
ctypedef struct relations_t:
    uint8_t pair[6]
    uint8_t triple[4]
    uint8_t all_four
    uint64_t found                  # every relation that is there, bit by bit

cdef void relations_of(const reading_t* reading, relations_t* relations) noexcept nogil
