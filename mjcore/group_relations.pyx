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


# A step says how one group stands to another: suits apart (modulo three) and ranks apart, for chows and for pungs
# of suits; 0 for groups that no relation joins.  Two steps in a row tell the relation of three groups.
cdef enum:
    FIRST_CHOW_STEP = 1             # suits apart times 13, and 0 .. 12 for -6 .. 6 ranks
    FIRST_PUNG_STEP = 40            # suits apart times 17, and 0 .. 16 for -8 .. 8 ranks
    N_STEPS = 91

# By the codes of two groups: 0 .. 26 for chows, 27 .. 53 for pungs of suits, 54 for others.
cdef uint8_t GROUP_CODE[128]
cdef uint8_t STEP[55][55]
cdef uint8_t PAIR_RELATION[55][55]
cdef uint8_t TRIPLE_RELATION[91][91]


cdef int step_of(int a, int b) noexcept nogil:
    """The step from one chow, or one pung of a suit, to another."""
    cdef int suits, ranks
    if (a ^ b) & GROUP_PUNG:
        return 0
    suits = (kind_lane(b & ~GROUP_PUNG) - kind_lane(a & ~GROUP_PUNG) + 3) % 3
    ranks = kind_index(b & ~GROUP_PUNG) - kind_index(a & ~GROUP_PUNG)
    if a & GROUP_PUNG:
        return FIRST_PUNG_STEP + 17 * suits + ranks + 8
    return FIRST_CHOW_STEP + 13 * suits + ranks + 6 if -6 <= ranks <= 6 else 0


cdef int triple_relation(bint pungs, int suits, int ranks, int more_suits, int more_ranks) noexcept nogil:
    """Of three groups, each so many suits and ranks from the one before; in order of rank they differ by one step."""
    cdef int low = min(0, ranks, ranks + more_ranks), high = max(0, ranks, ranks + more_ranks)
    cdef int step = (high - low) // 2
    cdef bint one_suit = suits == 0 and more_suits == 0
    if not one_suit and (suits == 0 or suits != more_suits):
        return RELATION_NONE
    # the middle one is as far from both
    if high - low != 2 * step or step > 3 or 2 * ranks + more_ranks != 3 * (low + step):
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


cdef void fill_triples(bint pungs, int first, int farthest):
    """Of the steps from `first` on, up to so many ranks."""
    cdef int suits, ranks, more_suits, more_ranks, n = 2 * farthest + 1
    for suits in range(3):
        for ranks in range(n):
            for more_suits in range(3):
                for more_ranks in range(n):
                    TRIPLE_RELATION[first + n * suits + ranks][first + n * more_suits + more_ranks] = <uint8_t> (
                        triple_relation(pungs, suits, ranks - farthest, more_suits, more_ranks - farthest))


cdef void fill_relations():
    cdef int a, b, kind
    cdef int group[54]
    for kind in range(64):
        GROUP_CODE[kind] = <uint8_t> (kind if kind < FIRST_HONOR else 54)
        GROUP_CODE[kind | GROUP_PUNG] = <uint8_t> (kind + FIRST_HONOR if kind < FIRST_HONOR else 54)
    for kind in range(FIRST_HONOR):
        group[kind] = kind
        group[kind + FIRST_HONOR] = kind | GROUP_PUNG
    for a in range(55):
        for b in range(55):
            STEP[a][b] = 0
            PAIR_RELATION[a][b] = RELATION_NONE
            if a < 54 and b < 54:
                STEP[a][b] = <uint8_t> step_of(group[a], group[b])
                if (a < FIRST_HONOR) == (b < FIRST_HONOR):
                    PAIR_RELATION[a][b] = <uint8_t> pair_relation(group[a], group[b])
    for a in range(N_STEPS):
        for b in range(N_STEPS):
            TRIPLE_RELATION[a][b] = RELATION_NONE
    fill_triples(False, FIRST_CHOW_STEP, 6)
    fill_triples(True, FIRST_PUNG_STEP, 8)


fill_relations()


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


# Any relation of four groups comes with one of these.
cdef uint64_t LEADS_TO_FOUR = (
    <uint64_t> 1 << TWO_CHOWS_TERMINAL | <uint64_t> 1 << THREE_CHOWS_SAME | <uint64_t> 1 << THREE_CHOWS_STEP_1
    | <uint64_t> 1 << THREE_CHOWS_STEP_2 | <uint64_t> 1 << THREE_PUNGS_STEP_1)


cdef inline uint64_t relation_bit(uint8_t relation) noexcept nogil:
    return <uint64_t> 1 << (relation & 63)      # RELATION_NONE: bit 63, which is no relation


cdef inline uint64_t add_pair(relations_t* relations, int place, int a, int b) noexcept nogil:
    relations.pair[place] = PAIR_RELATION[a][b]
    return relation_bit(relations.pair[place])


cdef inline uint64_t add_triple(relations_t* relations, int skip, int step, int next_step) noexcept nogil:
    relations.triple[skip] = TRIPLE_RELATION[step][next_step]
    return relation_bit(relations.triple[skip])


cdef inline bint are_alike(int a, int b, int c, int d) noexcept nogil:
    """Four chows, or four pungs of suits."""
    if a < FIRST_HONOR:
        return b < FIRST_HONOR and c < FIRST_HONOR and d < FIRST_HONOR
    return a < 54 and FIRST_HONOR <= b < 54 and FIRST_HONOR <= c < 54 and FIRST_HONOR <= d < 54


cdef void relations_of(const reading_t* reading, relations_t* relations) noexcept nogil:
    cdef int a, b, c, d, i
    cdef uint64_t found
    relations.all_four = RELATION_NONE
    relations.found = 0
    if reading.form != FORM_STANDARD:
        for i in range(6):
            relations.pair[i] = RELATION_NONE
        for i in range(4):
            relations.triple[i] = RELATION_NONE
        return
    a = GROUP_CODE[reading.groups[0]]
    b = GROUP_CODE[reading.groups[1]]
    c = GROUP_CODE[reading.groups[2]]
    d = GROUP_CODE[reading.groups[3]]
    found = (add_pair(relations, 0, a, b) | add_pair(relations, 1, a, c) | add_pair(relations, 2, a, d)
             | add_pair(relations, 3, b, c) | add_pair(relations, 4, b, d) | add_pair(relations, 5, c, d)
             | add_triple(relations, 0, STEP[b][c], STEP[c][d]) | add_triple(relations, 1, STEP[a][c], STEP[c][d])
             | add_triple(relations, 2, STEP[a][b], STEP[b][d]) | add_triple(relations, 3, STEP[a][b], STEP[b][c]))
    if found & LEADS_TO_FOUR and are_alike(a, b, c, d):
        relations.all_four = <uint8_t> four_relation(reading.groups, reading.eyes)
        found |= relation_bit(relations.all_four)
    relations.found = found & ((<uint64_t> 1 << N_RELATIONS) - 1)
