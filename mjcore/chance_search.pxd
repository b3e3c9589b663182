# The search behind win_probability.
#
# Open a search (chance_states) for 1 .. N_DRAWS_MAX draws, no more than tiles are unseen, ask it for as many starting
# hands of one set of tiles as wanted, read the curves, close it.
# Nothing here holds the GIL but the values of finished hands, where a caller gives some, and a look at signals
# some times a second.

from libc.stdint cimport int32_t

from mjcore.chance_states cimport search_t
from mjcore.forms cimport rules_t
from mjcore.packed cimport hand_t

# The chances of the start less one tile of a kind (-1: of the start itself, of 3n + 1 tiles); `curves` gets
# three pointers to vectors that live until the next call (score: NULL without values).  Its shanten.  Where the
# budget is reached, the search starts again with the one discard a draw that leaves most useful copies; vectors got
# before are gone then.
cdef int search_hand(search_t* search, int gone, const double** curves) noexcept nogil
cdef int live_copies(const search_t* search, const hand_t* h, int kind) noexcept nogil

cdef enum:
    CHANCE_EXACT = 0
    CHANCE_LOWER_BOUND = 1      # the budget was reached
    CHANCE_NONE = -1            # no form fits, more draws than unseen tiles, a drawn joker that counts, no memory

# For other modules, without the GIL and without a look at signals: the chance to complete a hand of 3n + 1 or 3n + 2
# tiles within 1, 2, .. n_draws (at most 136) own draws by the strict model, written to `win`; a CHANCE_... value.
# `melded` and `visible` may be NULL; at most `budget` hands are kept, see win_probability for their size.
cdef int hand_win_chance(const hand_t* h, const hand_t* melded, const hand_t* visible, int n_jokers,
                         const rules_t* rules, int n_draws, int32_t budget, double* win) noexcept nogil
