# A winning hand as it comes in: its tiles and melds, how it was won, and whether it can be scored.

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from mjcore.packed cimport FIRST_HONOR, hand_t, kind_index

cdef enum:
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

cdef enum:
    SUM_KONGS = 0
    SUM_CONCEALED_KONGS = 4
    SUM_ADDED_KONGS = 8
    SUM_OPEN_PUNGS = 12             # pungs and kongs that are not concealed

cdef enum:
    KNOWN_MELD_BITS = 0x3FFF

# Whether the bits of a meld above its kind and type, which are those of a meld, are such that `decode_meld` reads it:
# a concealed kong was claimed from nobody, and a red five is a five.
cdef inline bint meld_origin_fits(unsigned int meld) noexcept nogil:
    cdef int kind = meld & 0x3F, kind_type = meld >> 6 & 7, first = kind_index(kind)
    if meld < 0x200:
        return True
    if meld > KNOWN_MELD_BITS or kind_type == MELD_CONCEALED_KONG and meld >> 9 & 3:
        return False
    return not meld >> 13 or kind < FIRST_HONOR and (2 <= first <= 4 if kind_type == MELD_CHOW else first == 4)

# A winning hand as it is scored.  Whoever fills it calls win_check.
ctypedef struct win_t:
    hand_t concealed                # the winning tile among them
    hand_t melded                   # copies in melds
    uint16_t melds[4]               # the first n_melds, in any order
    int n_melds
    uint32_t meld_sums              # how many of them are what, a nibble each: SUM_...
    int kind                        # the winning tile
    uint32_t flags                  # WON_...
    uint8_t seat_wind               # kinds
    uint8_t round_wind
    uint8_t n_flowers

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
    CONTEXT_FIRST_TURN_MELDS = 10
    CONTEXT_FIRST_TURN_WALL_LAST = 11

# Fills melded and meld_sums from melds and checks everything but the context.
cdef int win_check(win_t* win) noexcept nogil
cdef int win_check_sized(win_t* win, int size) noexcept nogil      # the number of concealed tiles is known

# Sets what follows from the hand; then the first contradiction, which `normalise` puts out instead.
cdef int win_settle(win_t* win, bint normalise) noexcept nogil
