# The search behind win_probability.
#
# Open a search (chance_states) for 1 .. N_DRAWS_MAX draws, no more than tiles are unseen, ask it for as many starting
# hands of one set of tiles as wanted, read the curves, close it.
# Nothing here holds the GIL but the values of finished hands, where a caller gives some, and a look at signals
# some times a second.

from mjcore.chance_states cimport search_t
from mjcore.packed cimport hand_t

# The chances of the start less one tile of a kind (-1: of the start itself, of 3n + 1 tiles); `curves` gets
# three pointers to vectors that live until the next call (score: NULL without values).  Its shanten.  Where the
# budget is reached, the search starts again with the one discard a draw that leaves most useful copies; vectors got
# before are gone then.
cdef int search_hand(search_t* search, int gone, const double** curves) noexcept nogil
cdef int live_copies(const search_t* search, const hand_t* h, int kind) noexcept nogil
