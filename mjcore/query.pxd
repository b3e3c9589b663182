# A question as it is asked, read and checked once.

from mjcore.forms cimport rules_t
from mjcore.hand_rules cimport HandRules
from mjcore.packed cimport LANE_BITS, hand_t, kindset_t, lane_t

ctypedef struct query_t:
    hand_t h
    hand_t melded
    hand_t key
    rules_t rules
    int n_jokers
    int wait_mode

cdef HandRules read_rules(object rules)
cdef int read_jokers(object jokers) except -99
cdef int read_tiles(object value, hand_t* h) except -99             # concealed or visible tiles, no melds
cdef int read_query(object hand, object jokers, object rules, query_t* query) except -99
cdef kindset_t left_of(const query_t* query, const hand_t* visible) noexcept nogil
cdef int copies_of(const query_t* query, const hand_t* visible, int kind) noexcept nogil


cdef inline void key_operation(query_t* query, int operation) noexcept nogil:
    query.key.lane[0] |= (<lane_t> operation) << LANE_BITS
