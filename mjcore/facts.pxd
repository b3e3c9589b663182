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

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from mjcore.packed cimport N_KINDS, hand_t, kindset_t

cdef enum:
    N_FACT_WORDS = 4
    N_FACT_BYTES = 32
    N_GROUPS = 4

# A declared meld in 16 bits, 0 for none: bits 0 .. 5 its lowest kind, 6 .. 8 its type, 9 and 10 from whom it
# was claimed, 11 and 12 which of its tiles was, 13 a red five.  Only kind and type matter to a score.
cdef enum:
    MELD_CHOW = 1
    MELD_PUNG = 2
    MELD_DIRECT_KONG = 3
    MELD_ADDED_KONG = 4
    MELD_CONCEALED_KONG = 5

# How the hand was won.
cdef enum:
    WON_SELF_DRAWN = 1
    WON_WALL_LAST = 2               # the last tile of the wall, or the discard after it
    WON_KONG_REPLACEMENT = 4
    WON_ROB_KONG = 8
    WON_FOURTH_VISIBLE = 16         # the three other copies of the winning tile are public
    WON_ROB_CONCEALED = 32          # the kong that was robbed is a concealed one
    WON_FIRST_TURN = 64
    WON_READY_AT_DEAL = 128
    WON_ALL = 255

# A winning hand as it is scored.  Whoever fills it calls win_check.
ctypedef struct win_t:
    hand_t concealed                # the winning tile among them
    hand_t melded                   # copies in melds
    uint16_t melds[4]               # the first n_melds, in any order
    int n_melds
    int kind                        # the winning tile
    uint32_t flags                  # WON_...
    uint8_t seat_wind               # kinds
    uint8_t round_wind
    uint8_t n_flowers

cdef enum:
    GROUP_PUNG = 0x40               # a group is its lowest kind, with this bit for a pung or kong
    NO_KIND = 0xFF

# What the winning tile completes.
cdef enum:
    ROLE_NONE = 0                   # a form without groups
    ROLE_EYES = 1                   # the eyes, or one of seven pairs
    ROLE_CLOSED = 2                 # a chow, in its middle
    ROLE_EDGE = 3                   # 123 by the 3, 789 by the 7
    ROLE_OPEN = 4                   # any other end of a chow
    ROLE_PUNG = 5
    ROLE_BODY = 6                   # the nine knitted tiles of a knitted straight
    N_ROLES = 7

# One way to read a hand.  Declared melds are the first groups.
ctypedef struct reading_t:
    uint8_t form                    # FORM_... of forms.pxd
    uint8_t n_groups
    uint8_t n_melds
    uint8_t eyes                    # NO_KIND without
    uint8_t order                   # which knitted order, NO_KIND without
    uint8_t groups[8]               # four, and room to write four bytes at any of them
    uint8_t role
    uint8_t role_group              # place of the group that the winning tile completes, NO_KIND without

ctypedef struct facts_t:
    uint64_t word[4]

# How groups stand to one another.  Pairs and triples of groups hold at most one relation each.
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

# What win_check finds.
cdef enum:
    WIN_OK = 0
    WIN_BAD_HAND = 3                # a count, the number of tiles
    WIN_BAD_MELD = 4
    WIN_BAD_TILE = 5                # the winning tile is not among the concealed tiles
    WIN_BAD_CONTEXT = 6             # winds, more than eight flowers, flags that contradict each other

cdef enum:
    # why flags contradict each other
    CONTEXT_OK = 0
    CONTEXT_UNKNOWN_FLAG = 1
    CONTEXT_ROB_SELF_DRAWN = 2
    CONTEXT_REPLACEMENT_CLAIMED = 3
    CONTEXT_REPLACEMENT_NO_KONG = 4
    CONTEXT_ROB_WALL_LAST = 5
    CONTEXT_ROB_HELD = 6
    CONTEXT_FOURTH_HELD = 7
    CONTEXT_ROB_REPLACEMENT = 8
    CONTEXT_CONCEALED_NOT_ROBBED = 9

# Fills melded from melds and checks everything but the context.
cdef int win_check(win_t* win) noexcept nogil

# Sets what follows from the hand; then the first contradiction, which `normalise` puts out instead.
cdef int win_settle(win_t* win, bint normalise) noexcept nogil

# Facts of the hand, words 0 and 1 but for the waits; of a reading without its role, words 2 and 3 (call
# relations_of first); of the role.
cdef void hand_facts(const win_t* win, facts_t* facts) noexcept nogil
cdef void wait_facts(const win_t* win, kindset_t waits, facts_t* facts) noexcept nogil
cdef void relations_of(const reading_t* reading, relations_t* relations) noexcept nogil
cdef void reading_facts(const win_t* win, const reading_t* reading, const relations_t* relations,
                        facts_t* facts) noexcept nogil
cdef void role_facts(const win_t* win, const reading_t* reading, facts_t* facts) noexcept nogil

# Kinds that complete the tiles before the winning one, by shape, in the forms given; four of a kind are two pairs.
cdef kindset_t win_waits(const win_t* win, unsigned int forms, bint quads) noexcept nogil

# Orders of which at least so many of the nine kinds are held, one bit each.
cdef int knitted_orders(kindset_t held, int least) noexcept nogil

# Facts that are found later than the others of their words have bytes of their own: the waits, and what
# differs between the roles of one decomposition.
cdef enum:
    FACT_WAITS = 56
    FACT_ROLE = 128 + 48
    FACT_CONCEALED_PUNGS = 128 + 56
