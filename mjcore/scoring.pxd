# Scoring: every reading of a winning hand, and the one worth most under a rule set.

from libc.stdint cimport int32_t
from mjcore.programs cimport program_t
from mjcore.totals cimport result_t
from mjcore.win_checks cimport win_t

# The best reading; with `all` not NULL every reading is written to it, as far as `capacity` goes, and the
# facts of the waits are found whether a fan comes down to them or not.  Returns the number of readings,
# 0: not a win.  The hand has passed win_check and win_settle.
cdef int hand_score(const win_t* win, const program_t* program, result_t* best, result_t* all,
                    int capacity) noexcept nogil

# What each of the four pays or gets: the winner, the next player, the one opposite, the one before; `discarder`
# is 0 for a self-drawn win.
cdef void score_payments(int total, int base, int discarder, int32_t* payments) noexcept nogil
