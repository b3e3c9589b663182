# The shapes that win, and the rules that say which of them do.

from mjcore.packed cimport ALL_KINDS, kindset_t

cdef enum:
    FORM_STANDARD = 1
    FORM_SEVEN_PAIRS = 2
    FORM_THIRTEEN_ORPHANS = 4
    FORM_HONORS_AND_KNITTED = 8     # Chinese Official; takes no jokers
    FORM_KNITTED_STRAIGHT = 16      # Chinese Official, also with one declared meld; takes no jokers
    FORMS_DEFAULT = 7
    FORMS_KNITTED = 24

ctypedef struct rules_t:
    unsigned int forms              # FORM_... bits
    bint seven_pairs_quads          # four of a kind is two pairs
    bint joker_fifth_copy           # a joker may play as a kind of which four are held
    bint joker_special_forms        # jokers may stand in seven pairs and thirteen orphans
    int joker_kind                  # each copy of this kind is a joker; -1 for none
    kindset_t eyes                  # kinds allowed as eyes of the standard form


cdef inline bint rules_are_default(const rules_t* rules) noexcept nogil:
    return (rules.forms == FORMS_DEFAULT and not rules.seven_pairs_quads and rules.joker_fifth_copy
            and rules.joker_special_forms and rules.joker_kind < 0 and rules.eyes == ALL_KINDS)
