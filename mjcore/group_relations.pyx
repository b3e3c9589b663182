"""How the chows, and the pungs of suits, of a reading stand to one another."""

from mjcore.forms cimport FORM_STANDARD
from mjcore.groups cimport GROUP_PUNG, reading_t
from mjcore.packed cimport FIRST_HONOR, N_RANKS, kind_index, kind_lane, lowest_bit


cdef int pair_relation(int a, int b) noexcept nogil:
    """The relation of two chows, or of two pungs of suits."""
    cdef int apart
    if a & GROUP_PUNG:
        return TWO_PUNGS_SUITS if a != b and (a - b) % N_RANKS == 0 else RELATION_NONE
    if kind_lane(a) != kind_lane(b):
        return TWO_CHOWS_SUITS if kind_index(a) == kind_index(b) else RELATION_NONE
    apart = a - b if a > b else b - a
    if apart == 0:
        return TWO_CHOWS_SAME
    if apart == 3:
        return TWO_CHOWS_SIX
    return TWO_CHOWS_TERMINAL if apart == 6 else RELATION_NONE


# By the codes of two groups: 0 .. 26 for chows, 27 .. 53 for pungs of suits, 54 for others.
cdef uint8_t PAIR_RELATION[55][55]
cdef uint8_t GROUP_CODE[128]


cdef void fill_relations():
    cdef int a, b, kind
    for kind in range(64):
        GROUP_CODE[kind] = <uint8_t> (kind if kind < FIRST_HONOR else 54)
        GROUP_CODE[kind | GROUP_PUNG] = <uint8_t> (kind + FIRST_HONOR if kind < FIRST_HONOR else 54)
    for a in range(55):
        for b in range(55):
            PAIR_RELATION[a][b] = RELATION_NONE
            if a < FIRST_HONOR and b < FIRST_HONOR:
                PAIR_RELATION[a][b] = <uint8_t> pair_relation(a, b)
            elif FIRST_HONOR <= a < 54 and FIRST_HONOR <= b < 54:
                PAIR_RELATION[a][b] = <uint8_t> pair_relation(
                    a - FIRST_HONOR | GROUP_PUNG, b - FIRST_HONOR | GROUP_PUNG)


fill_relations()


cdef int triple_relation(int a, int b, int c) noexcept nogil:
    """Three chows, or three pungs of suits; ranks in order differ by one step, in one suit or in three."""
    cdef bint pungs = a & GROUP_PUNG != 0
    cdef int lane_a, lane_b, lane_c, step, swap
    cdef bint one_suit
    a &= ~GROUP_PUNG
    b &= ~GROUP_PUNG
    c &= ~GROUP_PUNG
    lane_a = kind_lane(a)
    lane_b = kind_lane(b)
    lane_c = kind_lane(c)
    one_suit = lane_a == lane_b and lane_b == lane_c
    if not one_suit and (lane_a == lane_b or lane_b == lane_c or lane_a == lane_c):
        return RELATION_NONE
    a = kind_index(a)
    b = kind_index(b)
    c = kind_index(c)
    if a > b:
        swap = a
        a = b
        b = swap
    if b > c:
        swap = b
        b = c
        c = swap
    if a > b:
        swap = a
        a = b
        b = swap
    step = b - a
    if c - b != step or step > 3:
        return RELATION_NONE
    if pungs:
        if step == 1:
            return THREE_PUNGS_STEP_1 if one_suit else THREE_PUNGS_SUITS_STEP_1
        return THREE_PUNGS_SUITS if step == 0 else RELATION_NONE
    if step == 0:
        return THREE_CHOWS_SAME if one_suit else THREE_CHOWS_SUITS
    if step == 1:
        return THREE_CHOWS_STEP_1 if one_suit else THREE_CHOWS_SUITS_STEP_1
    if step == 2:
        return THREE_CHOWS_STEP_2 if one_suit else RELATION_NONE
    return THREE_CHOWS_STRAIGHT if one_suit else THREE_CHOWS_SUITS_STRAIGHT


cdef int four_relation(const uint8_t* groups, int eyes) noexcept nogil:
    """Four chows, or four pungs of suits, with the eyes."""
    cdef bint pungs = groups[0] & GROUP_PUNG != 0
    cdef unsigned int starts[3]
    cdef int i, lane, first, step, n_lanes = 0, lanes = 0
    cdef unsigned int held = 0
    starts[0] = starts[1] = starts[2] = 0
    for i in range(4):
        lane = kind_lane(groups[i] & ~GROUP_PUNG)
        starts[lane] |= 1 << kind_index(groups[i] & ~GROUP_PUNG)
        lanes |= 1 << lane
    n_lanes = (lanes & 1) + (lanes >> 1 & 1) + (lanes >> 2)
    if n_lanes == 1:
        held = starts[lowest_bit(lanes)]
        first = lowest_bit(held)
        held >>= first
        if pungs:
            return FOUR_PUNGS_STEP_1 if held == 0xF else RELATION_NONE
        if held == 1:
            return FOUR_CHOWS_SAME
        if held == 0xF:
            return FOUR_CHOWS_STEP_1
        if held == 0x55:
            return FOUR_CHOWS_STEP_2
    if pungs or eyes >= FIRST_HONOR or kind_index(eyes) != 4:
        return RELATION_NONE
    lane = kind_lane(eyes)
    if n_lanes == 1 and held == 0x41 and lanes == 1 << lane:
        step = 0
        for i in range(4):
            step += kind_index(groups[i])
        return FOUR_CHOWS_TERMINAL if step == 12 else RELATION_NONE
    if n_lanes == 2 and not lanes >> lane & 1:
        for i in range(3):
            if i != lane and starts[i] != 0x41:
                return RELATION_NONE
        return FOUR_CHOWS_SUITS_TERMINAL
    return RELATION_NONE


cdef inline uint64_t relation_bit(uint8_t relation) noexcept nogil:
    return <uint64_t> 1 << (relation & 63)      # RELATION_NONE: bit 63, which is no relation


cdef void relations_of(const reading_t* reading, relations_t* relations) noexcept nogil:
    cdef int i, j, place = 0, n_chows = 0, n_pungs = 0
    cdef uint8_t code[4]
    cdef uint64_t found = 0
    for i in range(4):
        relations.triple[i] = RELATION_NONE
    relations.all_four = RELATION_NONE
    relations.found = 0
    if reading.form != FORM_STANDARD:
        for i in range(6):
            relations.pair[i] = RELATION_NONE
        return
    for i in range(4):
        code[i] = GROUP_CODE[reading.groups[i]]
        n_chows += code[i] < FIRST_HONOR
        n_pungs += code[i] >= FIRST_HONOR and code[i] < 54
    for i in range(3):
        for j in range(i + 1, 4):
            relations.pair[place] = PAIR_RELATION[code[i]][code[j]]
            found |= relation_bit(relations.pair[place])
            place += 1
    if n_chows >= 3 or n_pungs >= 3:
        for i in range(4):
            relations.triple[i] = <uint8_t> triple_without(reading.groups, i)
            found |= relation_bit(relations.triple[i])
        if n_chows == 4 or n_pungs == 4:
            relations.all_four = <uint8_t> four_relation(reading.groups, reading.eyes)
            found |= relation_bit(relations.all_four)
    relations.found = found & ((<uint64_t> 1 << N_RELATIONS) - 1)


cdef inline int triple_without(const uint8_t* groups, int skip) noexcept nogil:
    cdef int a = groups[1 if skip == 0 else 0], b = groups[2 if skip < 2 else 1], c = groups[3 if skip < 3 else 2]
    if (a ^ b | a ^ c) & GROUP_PUNG or (a & GROUP_PUNG and (
            a >= GROUP_PUNG + FIRST_HONOR or b >= GROUP_PUNG + FIRST_HONOR or c >= GROUP_PUNG + FIRST_HONOR)):
        return RELATION_NONE
    return triple_relation(a, b, c)
