# What the search of win_chance keeps: hands in a table, for each the chances by draws made and draws left.

from libc.stdint cimport int32_t, uint8_t, uint64_t

from mjcore.forms cimport rules_t
from mjcore.packed cimport hand_t, kindset_t

cdef enum:
    N_DRAWS_MAX = 136
    N_RADIUS_MAX = 4
    N_DEPTH_MAX = 24            # more than tiles taken on the way: shanten, one to win, one for each unit of radius
    N_CURVES = 3
    CURVE_WIN = 0
    CURVE_READY = 1
    CURVE_SCORE = 2
    STRICT = -1                 # for `radius`

# Mean value of the hands that these waits finish, weighted by live copies; sets `failed` where it cannot tell.
ctypedef double (*ready_value_t)(search_t* search, const hand_t* h, kindset_t waits) noexcept nogil

# A hand that is not ready, or ready and still free to exchange.  Spare bits of the lanes of `key` hold what
# else its chances depend on.
ctypedef struct state_t:
    hand_t key
    const double* curves[3]

ctypedef struct block_of_memory_t:
    block_of_memory_t* before

# All vectors have `n_entries` numbers, ordered by draws left n = 1 .. n_draws and, for each, by draws made
# j = 0 .. n_draws - n; the wall then has n_wall - j tiles.  Entry (j, n) is at offsets[n] + j.
ctypedef struct search_t:
    rules_t rules
    hand_t melded
    hand_t start                # the tiles held at first: of 3n + 1 or 3n + 2
    uint8_t unseen[34]
    int n_jokers
    int n_wall
    int n_draws
    int n_entries
    int radius
    int gone                    # the kind let go from a start of 3n + 2 tiles, -1
    bint plain
    int offsets[138]
    # the table
    state_t* states
    int32_t* slots
    int32_t n_slots
    int32_t n_states
    int32_t n_open              # under way, not yet in the table
    int32_t room
    int32_t budget
    int32_t n_before            # states of a search that reached the budget
    bint truncated
    bint narrow                 # one discard a draw
    bint failed                 # no memory, or a value that could not be told
    bint heeds_signals
    uint64_t work               # about nanoseconds since signals were looked at
    bint interrupted            # a signal's handler raised: that exception is set, and waits for the caller
    bint inexact                # a tile thrown away came to be useful: only where jokers are drawn
    # vectors
    block_of_memory_t* memory
    double* free_from
    int32_t n_free              # vectors left in the newest block
    int32_t n_block
    const double* zeros
    const double* ones
    double share[136]           # 1 / tiles in the wall, by draws made
    const double* ready[137]    # closed forms, by live waits
    double* scratch[24]
    ready_value_t value
    void* context

cdef int search_open(search_t* search, const hand_t* start, const hand_t* melded, const hand_t* visible, int n_jokers,
                     const rules_t* rules, int n_draws, int radius, int32_t budget) noexcept nogil
cdef void search_close(search_t* search) noexcept nogil
cdef int start_over(search_t* search) noexcept nogil
cdef uint64_t bytes_of_state(int n_draws, bint with_value) noexcept nogil

# NULL where memory is out, and `failed` is set
cdef double* new_vector(search_t* search) noexcept nogil
cdef double* scratch_of(search_t* search, int depth) noexcept nogil

cdef int32_t find_state(const search_t* search, const hand_t* key) noexcept nogil      # -1 where there is none
cdef const state_t* keep_state(search_t* search, const hand_t* key, const double** curves) noexcept nogil
