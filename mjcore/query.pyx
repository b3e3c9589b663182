"""What was asked: hand, jokers and rules in any of their forms, read into one query_t with its cache key."""

from mjcore.hand_rules cimport HandRules
from mjcore.packed cimport (
    LANE_BITS,
    N_COPIES,
    N_JOKERS_MAX,
    N_KINDS,
    N_TILES_MAX,
    hand_clear,
    hand_count,
    hand_read_int,
    hand_size,
    hand_t,
    kindset_t,
    lane_t,
    uint64_t,
)
from mjcore.packing cimport check_size, is_counts, read_counts, read_packed

from mjcore.hand import Hand
from mjcore.hand_rules import HandRules
from mjcore.notation import parse
from mjcore.tiles import LETTERS, InvalidHandError, as_index, shown

cdef HandRules DEFAULT_RULES = HandRules()


cdef HandRules read_rules(object rules):
    if rules is None:
        return DEFAULT_RULES
    if isinstance(rules, HandRules):
        return <HandRules> rules
    if isinstance(rules, str):
        return HandRules.preset(rules)
    carried = getattr(rules, "hand_rules", None)
    if isinstance(carried, HandRules):
        return <HandRules> carried
    raise TypeError(f"expected HandRules, the name of a rule set or None for rules, got {type(rules).__name__}")


cdef int read_jokers(object jokers) except -99:
    number = as_index(jokers)
    if number is None:
        raise TypeError(f"expected a number of jokers, got {type(jokers).__name__}")
    if not 0 <= number <= N_JOKERS_MAX:
        raise InvalidHandError(f"expected 0 to {N_JOKERS_MAX} jokers, got {shown(number)}")
    return number


cdef int read_tiles(object value, hand_t* h) except -99:
    """Read text, 34 counts or an int: concealed tiles without melds, or visible tiles."""
    if type(value) is not int:
        if isinstance(value, str):
            value = parse(value)
        elif is_counts(value):
            return read_counts(value, h)
        elif isinstance(value, Hand):
            raise InvalidHandError("expected tiles alone, text, a packed int or 34 counts, got a Hand")
    return read_packed(value, h)


cdef int read_query(object hand, object jokers, object rules, query_t* query) except -99:
    cdef HandRules hand_rules = read_rules(rules)
    cdef int n_melds = 0, n_tiles, n_all
    cdef uint64_t meld_code = 0
    query.rules = hand_rules.c
    query.wait_mode = hand_rules.c_wait_mode
    query.n_jokers = read_jokers(jokers)
    hand_clear(&query.melded)
    if isinstance(hand, str) and "[" in hand:
        hand = Hand(hand)
    if isinstance(hand, Hand):
        n_melds = len(hand.melds)
        meld_code = hand._meld_code
        hand_read_int(hand._packed, query.h.lane)
        hand_read_int(hand._melded, query.melded.lane)
    else:
        read_tiles(hand, &query.h)
    n_tiles = hand_size(&query.h) + query.n_jokers
    if n_tiles + 3 * n_melds > N_TILES_MAX:
        check_size(&query.h, query.n_jokers + 3 * n_melds)
    if n_melds and n_tiles + 3 * n_melds < N_TILES_MAX - 1:
        raise InvalidHandError(
            f"expected {N_TILES_MAX - 1 - 3 * n_melds} or {N_TILES_MAX - 3 * n_melds} concealed tiles beside "
            f"{n_melds} melds, got {n_tiles}")
    n_all = query.n_jokers
    if query.rules.joker_kind >= 0:
        n_all += hand_count(&query.h, query.rules.joker_kind)
        if n_all > N_JOKERS_MAX:
            raise InvalidHandError(
                f"expected at most {N_JOKERS_MAX} jokers, got {query.n_jokers} and "
                f"{n_all - query.n_jokers} of {LETTERS[query.rules.joker_kind]}")
    query.key.lane[0] = query.h.lane[0] | hand_rules.key.lane[0] | (<lane_t> query.n_jokers) << (LANE_BITS + 2)
    query.key.lane[1] = query.h.lane[1]
    query.key.lane[2] = query.h.lane[2]
    query.key.lane[3] = query.h.lane[3] | hand_rules.key.lane[3]
    if meld_code and n_all and not query.rules.joker_fifth_copy:
        # only then do the melds change an answer by shape
        query.key.lane[1] |= (meld_code & 0xFFFF) << LANE_BITS
        query.key.lane[2] |= (meld_code >> 16) << LANE_BITS
    return 0


cdef kindset_t left_of(const query_t* query, const hand_t* visible) noexcept nogil:
    """Kinds of which a copy is left beside hand, melds and visible tiles."""
    cdef kindset_t left = 0
    cdef int kind
    for kind in range(N_KINDS):
        if copies_of(query, visible, kind):
            left |= (<kindset_t> 1) << kind
    return left


cdef int copies_of(const query_t* query, const hand_t* visible, int kind) noexcept nogil:
    """Copies of a kind left beside hand, melds and visible tiles, never below zero."""
    cdef int left = (N_COPIES - hand_count(&query.h, kind) - hand_count(&query.melded, kind)
                     - hand_count(visible, kind))
    return left if left > 0 else 0
