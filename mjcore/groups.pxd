# One reading of a winning hand: its form, its groups, and what the winning tile completes.

from libc.stdint cimport uint8_t

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
    uint8_t groups[8]               # four, and room to write four after any number of melds
    uint8_t role
    uint8_t role_group              # place of the group that the winning tile completes, NO_KIND without
