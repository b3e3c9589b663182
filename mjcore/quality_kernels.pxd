# Hand quality and discard advice on packed hands: the documented formulas, without the GIL.

from libc.stdint cimport int8_t, uint8_t
from mjcore.forms cimport rules_t
from mjcore.packed cimport N_COPIES, N_KINDS, hand_count, hand_t, kindset_size, kindset_t, uint64_t
from mjcore.special_forms cimport held_more

cdef enum:
    N_OPPONENTS = 3
    N_RECENT = 3            # discards of an opponent that danger looks at
    N_TARGETS_MAX = 64
    N_SETS_MAX = 256
    N_ROWS_MAX = 14         # different tiles of a hand

cdef enum:                  # how far a hand is on the way to a target
    MEASURE_TILES = 0       # tiles within a set, of 14
    MEASURE_KINDS = 1       # kinds of a set present, of all its kinds
    MEASURE_COPIES = 2      # at most three copies of each kind of a set, of three each
    MEASURE_PAIRS = 3       # pairs, of seven
    MEASURE_PUNGS = 4       # two for a pung and one for a pair, of nine

cdef enum:                  # melds that do not rule a target out
    MELDS_ANY = 0
    MELDS_NONE = 1
    MELDS_NO_CHOW = 2
    MELDS_WITHIN = 3        # of tiles of the set alone
    MELDS_OUTSIDE = 4       # with a terminal or honor each

cdef enum:                  # why a wait survives as it does, in the order of the rules
    SURVIVAL_TWICE = 0
    SURVIVAL_NEIGHBOR = 1
    SURVIVAL_HONOR = 2
    SURVIVAL_OTHERWISE = 3

cdef enum:                  # policies: what comes first
    POLICY_ARTICLE = 0
    POLICY_EFFICIENCY = 1

# What is seen outside the hand.
ctypedef struct view_t:
    hand_t river            # discards of the opponents together
    hand_t seen             # those and the other visible tiles: at most four of a kind
    int8_t recent[3][3]     # of each opponent, the newest first; -1 where there is none

ctypedef struct melds_t:
    int n
    bint chow
    kindset_t kinds[4]
    kindset_t all_kinds
    hand_t tiles            # all of them, four of a kong
    hand_t threes           # three of each

# Copies left: bit k of at_least[n - 1] where n copies of kind k or more are left.
ctypedef struct live_t:
    kindset_t at_least[4]

ctypedef struct target_t:
    int measure
    int melds
    int first_set
    int n_sets
    double weight

ctypedef struct targets_t:
    int n
    double weight
    target_t targets[64]
    kindset_t sets[256]

ctypedef struct survival_t:
    double chance[4]        # by rule
    int times               # discards of the tile itself that make the first rule
    int recent              # discards of each opponent that the second looks at, at most N_RECENT

ctypedef struct quality_t:
    double quality
    double entropy
    double entropy_raw
    double entropy_norm
    double expected_live
    double coverage
    double progress[64]     # by target
    double chance[34]       # of each wait
    uint8_t rule[34]
    kindset_t waits         # live ones; empty unless ready
    kindset_t useful
    int shanten
    int discard             # -1 where none was let go

ctypedef struct article_t:
    double held_twice
    double both_neighbors
    double two_on_a_side
    double fellow
    double more_waits
    double fewer_waits
    double recency[3]
    double danger

ctypedef struct discard_t:
    double base
    double danger
    double gain
    double score
    double win              # -1 where it is not asked for
    kindset_t useful
    int kind
    int shanten
    int n_live              # live copies of the useful kinds
    int n_waits             # live kinds, 0 unless ready


cdef inline void live_copies(const hand_t* h, const hand_t* melded, const hand_t* seen, live_t* live) noexcept nogil:
    cdef hand_t gone
    cdef int lane, n
    for lane in range(4):
        gone.lane[lane] = h.lane[lane] + melded.lane[lane] + seen.lane[lane]       # eight at most
    for n in range(N_COPIES):
        live.at_least[n] = ~held_more(&gone, N_COPIES - 1 - n) & <kindset_t> 0x3FFFFFFFF


cdef inline int live_count(const live_t* live, kindset_t kinds) noexcept nogil:
    """Copies left of some kinds together."""
    return (kindset_size(live.at_least[0] & kinds) + kindset_size(live.at_least[1] & kinds)
            + kindset_size(live.at_least[2] & kinds) + kindset_size(live.at_least[3] & kinds))


cdef inline kindset_t live_waits(int shanten, kindset_t useful, const live_t* live) noexcept nogil:
    return useful & live.at_least[0] if shanten == 0 else 0


cdef void view_clear(view_t* view) noexcept nogil
cdef void view_add(view_t* view, int opponent, int kind) noexcept nogil        # the newest discard of an opponent
cdef void melds_clear(melds_t* melds) noexcept nogil
cdef void melds_add(melds_t* melds, bint chow, bint kong, int kind) noexcept nogil
cdef double hand_coverage(const hand_t* h, const melds_t* melds, const targets_t* targets,
                          double* progress) noexcept nogil
cdef int wait_rule(int kind, const view_t* view, const survival_t* survival) noexcept nogil

# Shanten, SHANTEN_NONE where no form fits the size, and the kinds that lower it.
cdef int hand_shape(const hand_t* h, const melds_t* melds, const rules_t* rules, kindset_t* useful) noexcept nogil

# Shanten is SHANTEN_NONE where no form fits the size.  A hand of 3n + 2 tiles that is not complete is taken after
# the discard that leaves the highest quality.
cdef void hand_quality(const hand_t* h, const melds_t* melds, const view_t* view, const rules_t* rules,
                       const targets_t* targets, const survival_t* survival, double alpha,
                       quality_t* out) noexcept nogil

cdef survival_t survival_default() noexcept nogil
cdef article_t article_default() noexcept nogil
cdef double tile_base(const hand_t* h, int kind, const article_t* article) noexcept nogil
cdef double tile_danger(int kind, const view_t* view, const double* table, const article_t* article) noexcept nogil

# Rows in the order of kinds; `table` holds 34 x 34 chances or is NULL for no danger.  Their number, at most 14.
cdef int discard_rows(const hand_t* h, const melds_t* melds, const view_t* view, const rules_t* rules,
                      const double* table, const article_t* article, int waits_before,
                      discard_t* rows) noexcept nogil
cdef bint comes_before(const discard_t* one, const discard_t* other, int policy) noexcept nogil
cdef void sort_rows(discard_t* rows, int n, int policy) noexcept nogil

# The kind to let go by efficiency, without rows: the same answer as the first row; -1 where no form fits.
cdef int efficient_discard(const hand_t* h, const melds_t* melds, const view_t* view, const rules_t* rules,
                           const double* table, const article_t* article, int waits_before,
                           discard_t* best) noexcept nogil

# The same by any policy.
cdef int first_discard(const hand_t* h, const melds_t* melds, const view_t* view, const rules_t* rules,
                       const double* table, const article_t* article, int waits_before, int policy,
                       discard_t* best) noexcept nogil
