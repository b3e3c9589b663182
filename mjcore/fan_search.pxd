# How far a hand is from a fan: the targets of one fan as plain structs, and the search over them.

from libc.stdint cimport uint8_t

from mjcore.packed cimport hand_t, lane_t

cdef enum:
    CHOW = 1            # types of a meld
    PUNG = 2
    FIRST_WIND = 30
    N_PARTS = 5         # the three suits, dragons, winds
    N_PLANS_MAX = 64
    N_TARGETS_MAX = 64
    FAN_NONE = 99       # no win with the fan is left beside the melds

# One part of a target: what it must hold, what may fill the rest.  Masks have a bit for each place.
ctypedef struct plan_t:
    lane_t need                 # tiles of its groups, pairs and singles together
    lane_t group_tiles[4]
    uint8_t groups[4]           # as fan_hand_t has melds
    int part
    int n_groups
    int n_places
    bint present                # may not be empty
    unsigned int pairs
    unsigned int singles
    unsigned int chows
    unsigned int pungs
    unsigned int eyes

ctypedef struct target_t:
    int form
    int n_sets
    int honors_min
    int honors_max
    bint open_eyes              # no part needs a pair
    uint8_t plans[5]

ctypedef struct fan_t:
    int n_plans
    int n_targets
    plan_t plans[64]
    plan_t widest[5]            # of each part, all that any plan lets fill the rest
    target_t targets[64]

# A hand with melds: bits 0-5 of a meld are its lowest kind, bits 6-7 are 1 for a chow, 2 for a pung or kong.
ctypedef struct fan_hand_t:
    hand_t h
    hand_t melded
    int n_melds
    uint8_t melds[4]

# -1 holds the fan, 0 one tile away, ..., FAN_NONE; the hand is checked: 13 or 14 tiles, a meld counted as three
cdef int fan_hand_distance(const fan_t* fan, const fan_hand_t* hand) noexcept nogil
