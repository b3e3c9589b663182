"""
Chances to win within so many draws: a search over hands that keeps each hand's answer.

A state is a hand of 3n + 1 tiles.  Let D be its distance (shanten + 1) and call a finished hand T a target if
it lacks exactly D tiles.  The kinds useful to the hand are those its targets lack.

Why the strict model may keep answers by the hand alone.  Take a useful tile t, let go d, so that the distance
is D - 1, and let T be any target of the new hand h + t - d.  T lacks D - 1 tiles of it, so at most D of h, so
exactly D: T is a target of h too, it lacks t, and d is no part of it.  By induction

- targets only ever drop out, so what is useful later was useful all along: a tile that was drawn and thrown away
  at once will never be useful again;
- no tile let go is ever useful again.

So every copy of a useful kind that was unseen at the start is still in the wall, unless it was taken, and then it
is in the hand: live copies = unseen at the start - (held now - held at the start).  The wall's size is that at the
start less the draws made.  Nothing else of the past matters to the next draw, which is each tile of the wall with
the same chance; the order of the rest stays uniform whatever has been seen.  Chances therefore depend on the
hand, the draws made and the draws left, and for the last two every hand has one vector.  `inexact` is set if a
step breaks the argument, which needs the distance to be to one fixed family of targets: a drawn joker changes
the family where it may stand for a fifth copy.

The exchange model lets a player refuse any tile, and take tiles that do not lower shanten, at a price: a take that
keeps shanten costs 1, one that raises it costs 2, and all may cost `radius` together.  A tile thrown away may now
be wanted later, so the copies left are not known from the hand.  At least those held beyond the start have gone and
at least that many draws were made: the copies used are an upper bound, kind by kind, and of all bounded
walls the best one of the right size is taken (a linear programme with one constraint: best kinds first).  By
induction over the draws left the answer is at least that of the best player who keeps to the price.

What is thrown away by all: a lone tile that no kind near it is useful to takes part in no target, so hands that
differ in such tiles have the same chances and share a state (only where nothing can be exchanged any more).
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from mjcore.forms cimport FORMS_KNITTED, rules_are_default, rules_t
from mjcore.packed cimport (
    FIRST_HONOR,
    LANE_BITS,
    LANE_M,
    LANE_S,
    N_COPIES,
    N_KINDS,
    hand_add,
    hand_count,
    hand_held,
    hand_remove,
    hand_t,
    kind_bit,
    kindset_t,
    lane_t,
    lowest_bit,
)
from mjcore.profile cimport SHANTEN_NONE, hand_discards, hand_shanten_rules, hand_useful
from mjcore.special_forms cimport held_more, orphans_distance, orphans_held

cdef extern from "Python.h":
    int PyErr_CheckSignals() noexcept

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define MJCORE_RESTRICT __restrict
    #else
    #define MJCORE_RESTRICT __restrict__
    #endif

    /* Told that nothing overlaps, the compiler works on several numbers at once. */
    static void mjcore_add_times(double *MJCORE_RESTRICT sums, const double *MJCORE_RESTRICT other, double times,
                                 int n) {
        int i;
        for (i = 0; i < n; i++) sums[i] += times * other[i];
    }

    static void mjcore_add_gains(double *MJCORE_RESTRICT row, const double *MJCORE_RESTRICT taken,
                                 const double *MJCORE_RESTRICT last, const double *MJCORE_RESTRICT share,
                                 double copies, int n) {
        int i;
        for (i = 0; i < n; i++) {
            double gain = taken[i] - last[i];
            row[i] += copies * share[i] * (gain > 0 ? gain : 0);
        }
    }
    """
    void add_times "mjcore_add_times"(double* sums, const double* other, double times, int n) noexcept nogil
    void add_gains "mjcore_add_gains"(double* row, const double* taken, const double* last, const double* share,
                                      double copies, int n) noexcept nogil

cdef enum:
    N_SLOTS_FIRST = 64
    N_ROOM_FIRST = 32
    N_VECTORS_FIRST = 12
    N_VECTORS_BLOCK_MAX = 512
    WORK_MAX = 50_000_000       # between two looks at signals
    WORK_OF_RULES = 50          # a discard by any rules takes as long as so many by the tables

# What a state's draws lead to: vectors of the hands reached, each with the copies that lead there.
ctypedef struct outcomes_t:
    int n
    int n_sure                      # copies whose chance is one
    int copies[34]
    const double* vectors[34]

# A hand of 3n + 1 tiles on its way through the search.
ctypedef struct spot_t:
    hand_t h
    kindset_t useful                # by shape, live or not
    int shanten
    int slack                       # what may still be paid for exchanges
    int depth


# --- opening and closing -----------------------------------------------------------------------

cdef uint64_t bytes_of_state(int n_draws, bint with_value) noexcept nogil:
    """Memory a state takes at most, its places in the table included."""
    cdef uint64_t n_vectors = 3 if with_value else 2
    return n_vectors * n_draws * (n_draws + 1) // 2 * sizeof(double) + 2 * sizeof(state_t) + 4 * sizeof(int32_t)


cdef int search_open(search_t* search, const hand_t* start, const hand_t* melded, const hand_t* visible, int n_jokers,
                     const rules_t* rules, int n_draws, int radius, int32_t budget) noexcept nogil:
    """0, or -1 where there is no memory; to be closed in either case."""
    cdef int kind, left, n
    memset(search, 0, sizeof(search_t))
    search.rules = rules[0]
    search.melded = melded[0]
    search.start = start[0]
    search.n_jokers = n_jokers
    search.n_draws = n_draws
    search.radius = radius
    search.budget = budget
    search.gone = -1
    search.plain = (rules_are_default(rules)
                    and (melded.lane[0] | melded.lane[1] | melded.lane[2] | melded.lane[3]) == 0)
    for kind in range(N_KINDS):
        left = N_COPIES - hand_count(start, kind) - hand_count(melded, kind) - hand_count(visible, kind)
        search.unseen[kind] = <uint8_t> left if left > 0 else 0
        search.n_wall += search.unseen[kind]
    for n in range(1, n_draws + 1):
        search.offsets[n] = search.n_entries
        search.n_entries += n_draws - n + 1
    for n in range(n_draws if n_draws < search.n_wall else search.n_wall):
        search.share[n] = 1.0 / (search.n_wall - n)
    search.n_slots = N_SLOTS_FIRST
    search.slots = <int32_t*> malloc(N_SLOTS_FIRST * sizeof(int32_t))
    search.room = N_ROOM_FIRST
    search.states = <state_t*> malloc(N_ROOM_FIRST * sizeof(state_t))
    search.n_block = N_VECTORS_FIRST
    if search.slots == NULL or search.states == NULL:
        search.failed = True
        return -1
    memset(search.slots, 0xFF, N_SLOTS_FIRST * sizeof(int32_t))
    search.zeros = constant_vector(search, 0.0)
    search.ones = constant_vector(search, 1.0)
    return -1 if search.failed else 0


cdef void search_close(search_t* search) noexcept nogil:
    cdef int depth
    free_vectors(search)
    for depth in range(N_DEPTH_MAX):
        free(search.scratch[depth])
        search.scratch[depth] = NULL
    free(search.slots)
    free(search.states)
    search.slots = NULL
    search.states = NULL


cdef void free_vectors(search_t* search) noexcept nogil:
    cdef block_of_memory_t* block
    while search.memory != NULL:
        block = search.memory
        search.memory = block.before
        free(block)
    search.n_free = 0


# --- memory ------------------------------------------------------------------------------------

cdef double* new_vector(search_t* search) noexcept nogil:
    """A vector with any content, or NULL where memory is out."""
    cdef block_of_memory_t* block
    cdef double* vector
    cdef uint64_t n_bytes
    if search.n_free == 0:
        n_bytes = sizeof(block_of_memory_t) + <uint64_t> search.n_block * search.n_entries * sizeof(double)
        block = <block_of_memory_t*> malloc(n_bytes)
        if block == NULL:
            search.failed = True
            return NULL
        block.before = search.memory
        search.memory = block
        search.free_from = <double*> (block + 1)
        search.n_free = search.n_block
        if search.n_block < N_VECTORS_BLOCK_MAX:
            search.n_block *= 2
    vector = search.free_from
    search.free_from += search.n_entries
    search.n_free -= 1
    return vector


cdef const double* constant_vector(search_t* search, double value) noexcept nogil:
    cdef double* vector = new_vector(search)
    cdef int i
    if vector != NULL:
        for i in range(search.n_entries):
            vector[i] = value
    return vector


cdef double* scratch_of(search_t* search, int depth) noexcept nogil:
    """Room for a vector to each kind and curve, and one more; NULL where memory is out."""
    if search.scratch[depth] == NULL:
        search.scratch[depth] = <double*> malloc(
            <uint64_t> (N_CURVES * N_KINDS + 1) * search.n_entries * sizeof(double))
        if search.scratch[depth] == NULL:
            search.failed = True
    return search.scratch[depth]


# --- the table ---------------------------------------------------------------------------------

cdef inline uint64_t hash_of(const hand_t* key) noexcept nogil:
    cdef uint64_t x = key.lane[0] * <uint64_t> 0x9E3779B97F4A7C15
    x = (x ^ (x >> 29) ^ key.lane[1]) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 31) ^ key.lane[2]) * <uint64_t> 0x94D049BB133111EB
    x = (x ^ (x >> 29) ^ key.lane[3]) * <uint64_t> 0x9E3779B97F4A7C15
    return x ^ (x >> 32)


cdef inline bint same_key(const hand_t* a, const hand_t* b) noexcept nogil:
    return ((a.lane[0] ^ b.lane[0]) | (a.lane[1] ^ b.lane[1]) | (a.lane[2] ^ b.lane[2]) | (a.lane[3] ^ b.lane[3])) == 0


cdef int32_t find_state(const search_t* search, const hand_t* key) noexcept nogil:
    cdef uint64_t at = hash_of(key)
    cdef int32_t state
    while True:
        at &= <uint64_t> (search.n_slots - 1)
        state = search.slots[at]
        if state < 0 or same_key(&search.states[state].key, key):
            return state
        at += 1


cdef void place_state(search_t* search, int32_t state) noexcept nogil:
    cdef uint64_t at = hash_of(&search.states[state].key) & <uint64_t> (search.n_slots - 1)
    while search.slots[at] >= 0:
        at = (at + 1) & <uint64_t> (search.n_slots - 1)
    search.slots[at] = state


cdef int grow_table(search_t* search) noexcept nogil:
    """Make room for one state more; -1 where memory is out."""
    cdef state_t* states
    cdef int32_t* slots
    cdef int32_t state
    if search.n_states == search.room:
        states = <state_t*> realloc(search.states, 2 * <uint64_t> search.room * sizeof(state_t))
        if states == NULL:
            search.failed = True
            return -1
        search.states = states
        search.room *= 2
    if 2 * search.n_states >= search.n_slots:
        slots = <int32_t*> malloc(2 * <uint64_t> search.n_slots * sizeof(int32_t))
        if slots == NULL:
            search.failed = True
            return -1
        free(search.slots)
        search.slots = slots
        search.n_slots *= 2
        memset(slots, 0xFF, <uint64_t> search.n_slots * sizeof(int32_t))
        for state in range(search.n_states):
            place_state(search, state)
    return 0


cdef const state_t* keep_state(search_t* search, const hand_t* key, const double** curves) noexcept nogil:
    cdef state_t* state
    cdef int curve
    if grow_table(search) < 0:
        return NULL
    state = &search.states[search.n_states]
    state.key = key[0]
    for curve in range(N_CURVES):
        state.curves[curve] = curves[curve]
    place_state(search, search.n_states)
    search.n_states += 1
    return state


# --- the key -----------------------------------------------------------------------------------

cdef inline kindset_t near_kinds(kindset_t kinds) noexcept nogil:
    """The kinds and those within two ranks of them in their suits."""
    cdef kindset_t suits = kinds & (kind_bit(FIRST_HONOR) - 1)
    cdef kindset_t not_first = ~<kindset_t> 0x40201, not_last = ~<kindset_t> 0x4020100
    cdef kindset_t once = ((suits & not_last) << 1) | ((suits & not_first) >> 1)
    return kinds | once | ((once & not_last) << 1) | ((once & not_first) >> 1)


cdef inline kindset_t idle_kinds(const search_t* search, const spot_t* spot) noexcept nogil:
    """Lone tiles that take part in no target: nothing near them is held or useful."""
    cdef kindset_t held = hand_held(&spot.h)
    cdef kindset_t lone = held & ~held_more(&spot.h, 1) & ~near_kinds(spot.useful)
    cdef kindset_t left = lone, kind
    if search.rules.forms & FORMS_KNITTED:
        return 0
    if orphans_distance(orphans_held(&spot.h)) <= spot.shanten + 1 + search.n_jokers:
        return 0
    if search.rules.joker_kind >= 0:
        left &= ~kind_bit(search.rules.joker_kind)
        lone = left
    while left:
        kind = left & (0 - left)
        left ^= kind
        if near_kinds(kind) & held & ~kind:
            lone ^= kind
    return lone


cdef void key_of(const search_t* search, const spot_t* spot, hand_t* key) noexcept nogil:
    """
    What the chances of a spot depend on.

    The kind let go at the start matters as long as it may be drawn again, for one copy of it is not in the wall.
    """
    cdef kindset_t idle
    key[0] = spot.h
    if spot.slack == 0:
        idle = idle_kinds(search, spot)
        while idle:
            hand_remove(key, lowest_bit(idle))
            idle &= idle - 1
    else:
        key.lane[LANE_M] |= <lane_t> spot.slack << LANE_BITS
    if search.gone >= 0 and (spot.slack > 0 or spot.useful & kind_bit(search.gone)):
        key.lane[LANE_S] |= <lane_t> (search.gone + 1) << LANE_BITS


# --- the wall ----------------------------------------------------------------------------------

cdef int live_copies(const search_t* search, const hand_t* h, int kind) noexcept nogil:
    """Copies of a kind in the wall: those unseen at the start that are not held since."""
    cdef int taken = hand_count(h, kind) - hand_count(&search.start, kind) + (kind == search.gone)
    cdef int left = search.unseen[kind] - (taken if taken > 0 else 0)
    return left if left > 0 else 0


cdef int live_total(const search_t* search, const hand_t* h, kindset_t kinds) noexcept nogil:
    cdef int total = 0
    while kinds:
        total += live_copies(search, h, lowest_bit(kinds))
        kinds &= kinds - 1
    return total


cdef kindset_t live_kinds(const search_t* search, const hand_t* h) noexcept nogil:
    cdef kindset_t kinds = 0
    cdef int kind
    for kind in range(N_KINDS):
        if live_copies(search, h, kind):
            kinds |= kind_bit(kind)
    return kinds


cdef const double* ready_vector(search_t* search, int n_live) noexcept nogil:
    """1 - C(N - u, n) / C(N, n): the chance that one of u tiles is among the next n of N."""
    cdef double* vector
    cdef double* row
    cdef const double* before
    cdef int n, j, wall, misses
    if n_live == 0:
        return search.zeros
    if search.ready[n_live] != NULL:
        return search.ready[n_live]
    vector = new_vector(search)
    if vector == NULL:
        return search.zeros
    for n in range(1, search.n_draws + 1):
        row = vector + search.offsets[n]
        before = search.zeros
        if n > 1:
            before = vector + search.offsets[n - 1] + 1
        for j in range(search.n_draws - n + 1):
            wall = search.n_wall - j
            misses = wall - n_live if wall > n_live else 0
            row[j] = (wall - misses + misses * before[j]) / wall
    search.ready[n_live] = vector
    return vector


# --- what a hand becomes -----------------------------------------------------------------------

cdef void look_at_discards(const search_t* search, const hand_t* h, int shanten_max, int8_t* shanten,
                           kindset_t* useful) noexcept nogil:
    """As hand_discards, by any rules; beyond the shanten asked for nothing is said of useful kinds."""
    cdef kindset_t held
    cdef hand_t rest
    cdef int kind
    if search.plain:
        hand_discards(h, search.n_jokers, shanten, useful)
        return
    for kind in range(N_KINDS):
        shanten[kind] = SHANTEN_NONE
    held = hand_held(h)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        rest = h[0]
        hand_remove(&rest, kind)
        shanten[kind] = <int8_t> hand_shanten_rules(&rest, &search.melded, search.n_jokers, &search.rules, NULL)
        if shanten[kind] <= shanten_max:
            hand_shanten_rules(&rest, &search.melded, search.n_jokers, &search.rules, &useful[kind])


cdef inline void add_outcome(outcomes_t* outcomes, const double* vector, int copies) noexcept nogil:
    cdef int i
    for i in range(outcomes.n):
        if outcomes.vectors[i] == vector:
            outcomes.copies[i] += copies
            return
    outcomes.vectors[outcomes.n] = vector
    outcomes.copies[outcomes.n] = copies
    outcomes.n += 1


cdef inline int larger(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline void raise_to(double* best, const double* a, const double* b, int n) noexcept nogil:
    """The larger of two, entry by entry."""
    cdef int i
    for i in range(n):
        best[i] = a[i] if a[i] > b[i] else b[i]


cdef inline const double* better(const double* best, const double* other, double* room, int n) noexcept nogil:
    """The larger of two, entry by entry, in `room` unless one of them will do; `best` may be NULL or the room."""
    if best == NULL or best == other:
        return other
    raise_to(room, best, other, n)
    return room


cdef int best_discard(const search_t* search, const hand_t* full, const int8_t* shanten, const kindset_t* useful,
                      int wanted) noexcept nogil:
    """The discard to a shanten that leaves the most live copies of useful kinds, -1 where there is none."""
    cdef kindset_t held = hand_held(full)
    cdef hand_t rest
    cdef int kind, best = -1, live, most = -1
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        if shanten[kind] == wanted:
            rest = full[0]
            hand_remove(&rest, kind)
            live = live_total(search, &rest, useful[kind])
            if live > most:
                most = live
                best = kind
    return best


cdef void take_tile(search_t* search, const spot_t* spot, int drawn, outcomes_t* outcomes) noexcept nogil:
    """Add what drawing a tile leads to: the best, for each number of draws, of the discards allowed."""
    cdef spot_t after
    cdef hand_t full = spot.h
    cdef int8_t shanten[34]
    cdef kindset_t useful[34]
    cdef const double* best[3]
    cdef const double* curves[3]
    cdef double* room = scratch_of(search, spot.depth)
    cdef kindset_t held = hand_held(&spot.h) & ~kind_bit(drawn)     # the tile drawn may go too: that is no take
    cdef int copies = live_copies(search, &spot.h, drawn), lowest = spot.shanten - (spot.useful >> drawn & 1)
    cdef int kind, curve, only = -1
    cdef int most_live[2]           # of the hands whose curve is a closed form, -1 where there are none
    cdef bint ready = False
    if search.failed:
        return
    hand_add(&full, drawn)
    search.work += 1000 if search.plain else 1000 * WORK_OF_RULES
    look_at_discards(search, &full, spot.shanten - 1 + spot.slack, shanten, useful)
    if search.narrow:
        only = best_discard(search, &full, shanten, useful, lowest)
    for curve in range(N_CURVES):
        best[curve] = NULL
    most_live[CURVE_WIN] = most_live[CURVE_READY] = -1
    after.depth = spot.depth + 1
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        after.shanten = shanten[kind]
        after.slack = spot.slack - (after.shanten - (spot.shanten - 1))
        if after.slack < 0 or after.depth == N_DEPTH_MAX:
            continue
        if only >= 0 and kind != only:
            search.truncated = True
            continue
        after.h = full
        hand_remove(&after.h, kind)
        after.useful = useful[kind]
        if search.radius == STRICT and breaks_the_argument(search, spot, &after, kind):
            search.inexact = True
        ready = ready or after.shanten == 0
        if after.slack == 0:
            if not spot.useful >> drawn & 1 and idle_kinds(search, &after) & kind_bit(drawn):
                continue            # what remains open now was open before
            if after.shanten <= 1:
                curve = CURVE_READY if after.shanten else CURVE_WIN
                most_live[curve] = larger(most_live[curve], live_total(search, &after.h, after.useful))
            if after.shanten == 0 and search.value == NULL:
                continue
        spot_curves(search, &after, curves)
        if search.failed:
            return
        for curve in range(N_CURVES):
            if curves[curve] != NULL and not (curve == CURVE_READY and after.slack == 0 and after.shanten == 1):
                best[curve] = better(best[curve], curves[curve],
                                     room + (N_KINDS * curve + drawn) * search.n_entries, search.n_entries)
    for curve in range(CURVE_READY + 1):
        if most_live[curve] >= 0:
            best[curve] = better(best[curve], ready_vector(search, most_live[curve]),
                                 room + (N_KINDS * curve + drawn) * search.n_entries, search.n_entries)
    for curve in range(N_CURVES):
        if curve == CURVE_READY and ready:
            outcomes[curve].n_sure += copies
        elif best[curve] != NULL:
            add_outcome(&outcomes[curve], best[curve], copies)


cdef inline bint breaks_the_argument(const search_t* search, const spot_t* before, const spot_t* after,
                                     int gone) noexcept nogil:
    """Whether a kind has become useful that was not, or of which a tile has just been let go."""
    cdef kindset_t fresh = after.useful & (~before.useful | kind_bit(gone))
    return fresh != 0 and live_total(search, &after.h, fresh) != 0


# --- the chances of one state ------------------------------------------------------------------

cdef const double* solve_strict(search_t* search, const outcomes_t* outcomes, double* sums) noexcept nogil:
    """Useful tiles are taken, all others thrown away.  `sums` is room for a vector."""
    cdef double* vector = new_vector(search)
    cdef double* row
    cdef const double* last
    cdef const double* taken
    cdef int i, g, n, j, wall, copies, n_useful = outcomes.n_sure
    if vector == NULL:
        return search.zeros
    for i in range(search.n_entries):
        sums[i] = outcomes.n_sure
    for g in range(outcomes.n):
        copies = outcomes.copies[g]
        n_useful += copies
        add_times(sums, outcomes.vectors[g], copies, search.n_entries)
    for j in range(search.n_draws):
        wall = search.n_wall - j
        vector[j] = (outcomes.n_sure if outcomes.n_sure < wall else wall) * search.share[j]
    for n in range(2, search.n_draws + 1):
        row = vector + search.offsets[n]
        last = vector + search.offsets[n - 1] + 1
        taken = sums + search.offsets[n - 1] + 1
        for j in range(search.n_draws - n + 1):
            wall = search.n_wall - j
            row[j] = (taken[j] + (wall - n_useful if wall > n_useful else 0) * last[j]) * search.share[j]
    return vector


cdef const double* solve_exchange(search_t* search, const outcomes_t* outcomes) noexcept nogil:
    """A tile is taken where that is better than to throw it away."""
    cdef double* vector = new_vector(search)
    cdef double* row
    cdef const double* last
    cdef int n, j, g, wall, total = outcomes.n_sure
    if vector == NULL:
        return search.zeros
    for g in range(outcomes.n):
        total += outcomes.copies[g]
    for n in range(1, search.n_draws + 1):
        row = vector + search.offsets[n]
        last = search.zeros
        if n > 1:
            last = vector + search.offsets[n - 1] + 1
        for j in range(search.n_draws - n + 1):
            wall = search.n_wall - j
            row[j] = last[j] + (outcomes.n_sure if outcomes.n_sure < wall else wall) * search.share[j] * (1 - last[j])
        if n == 1:
            continue
        if total > search.n_wall - (search.n_draws - n):
            for j in range(search.n_draws - n + 1):
                row[j] += best_takes(outcomes, search.offsets[n - 1] + 1 + j, last[j],
                                     search.n_wall - j - outcomes.n_sure) * search.share[j]
            continue
        for g in range(outcomes.n):
            add_gains(row, outcomes.vectors[g] + search.offsets[n - 1] + 1, last, search.share, outcomes.copies[g],
                      search.n_draws - n + 1)
    return vector


cdef double best_takes(const outcomes_t* outcomes, int entry, double stay, int room) noexcept nogil:
    """Sum of gains over copies, of as many tiles as the wall has room for, the best first."""
    cdef bint used[34]
    cdef double total = 0, gain, most
    cdef int g, best, copies
    for g in range(outcomes.n):
        used[g] = False
    while room > 0:
        best = -1
        most = 0
        for g in range(outcomes.n):
            gain = outcomes.vectors[g][entry] - stay
            if not used[g] and gain > most:
                most = gain
                best = g
        if best < 0:
            break
        used[best] = True
        copies = outcomes.copies[best] if outcomes.copies[best] < room else room
        total += copies * most
        room -= copies
    return total


cdef void draw_all(search_t* search, const spot_t* spot, outcomes_t* outcomes) noexcept nogil:
    """What each draw leads to that is worth a thought: useful ones, and any others while exchanges can be paid."""
    cdef kindset_t kinds = live_kinds(search, &spot.h)
    cdef int curve
    for curve in range(N_CURVES):
        outcomes[curve].n = 0
        outcomes[curve].n_sure = 0
    if spot.shanten == 0:
        outcomes[CURVE_WIN].n_sure = live_total(search, &spot.h, spot.useful)
        kinds &= ~spot.useful
    if spot.slack == 0:
        kinds &= spot.useful
    while kinds and not search.failed:
        take_tile(search, spot, lowest_bit(kinds), outcomes)
        kinds &= kinds - 1


cdef const double* valued(search_t* search, const spot_t* spot) noexcept nogil:
    """Expected value of a ready hand: its chance times the mean value of its waits."""
    cdef int n_live = live_total(search, &spot.h, spot.useful), i
    cdef const double* ready
    cdef double* vector
    cdef double mean
    if n_live == 0:
        return search.zeros
    ready = ready_vector(search, n_live)
    mean = search.value(search, &spot.h, spot.useful)
    vector = new_vector(search)
    if vector == NULL:
        return search.zeros
    for i in range(search.n_entries):
        vector[i] = mean * ready[i]
    return vector


cdef void poor_curves(search_t* search, const spot_t* spot, const double** curves) noexcept nogil:
    """What is surely reached without a further state: the closed form of a ready hand, or nothing."""
    search.truncated = True
    curves[CURVE_WIN] = search.zeros
    curves[CURVE_READY] = search.zeros
    curves[CURVE_SCORE] = search.zeros if search.value != NULL else NULL
    if spot.shanten == 0:
        curves[CURVE_WIN] = ready_vector(search, live_total(search, &spot.h, spot.useful))
        curves[CURVE_READY] = search.ones


cdef void solve(search_t* search, const spot_t* spot, const double** curves) noexcept nogil:
    """The chances of a spot from those of the hands it can become."""
    cdef outcomes_t outcomes[3]
    cdef double* room
    cdef int curve
    curves[CURVE_READY] = search.ones
    curves[CURVE_SCORE] = NULL
    if spot.shanten == 0 and spot.slack == 0:
        curves[CURVE_WIN] = ready_vector(search, live_total(search, &spot.h, spot.useful))
        if search.value != NULL:
            curves[CURVE_SCORE] = valued(search, spot)
        return
    room = scratch_of(search, spot.depth)
    if search.failed:
        return
    draw_all(search, spot, outcomes)
    if search.failed:
        return
    for curve in range(N_CURVES):
        if curve == CURVE_READY and spot.shanten == 1 and spot.slack == 0:
            curves[curve] = ready_vector(search, live_total(search, &spot.h, spot.useful))
            continue
        if (curve == CURVE_READY and spot.shanten == 0) or (curve == CURVE_SCORE and search.value == NULL):
            continue
        if search.radius == STRICT:
            curves[curve] = solve_strict(search, &outcomes[curve], room + N_CURVES * N_KINDS * search.n_entries)
        else:
            curves[curve] = solve_exchange(search, &outcomes[curve])


cdef bint signal_raised(search_t* search) noexcept nogil:
    """Whether a signal came whose handler raised, as Ctrl-C does."""
    search.work = 0
    with gil:
        search.interrupted = PyErr_CheckSignals() < 0
    search.failed = search.failed or search.interrupted
    return search.interrupted


cdef void spot_curves(search_t* search, const spot_t* spot, const double** curves) noexcept nogil:
    cdef hand_t key
    cdef int32_t state
    cdef int curve
    key_of(search, spot, &key)
    state = find_state(search, &key)
    if state >= 0:
        for curve in range(N_CURVES):
            curves[curve] = search.states[state].curves[curve]
        return
    if search.n_states + search.n_open >= search.budget:
        poor_curves(search, spot, curves)
        return
    search.work += <uint64_t> N_KINDS * search.n_entries
    if search.work > WORK_MAX and signal_raised(search):
        return
    search.n_open += 1
    solve(search, spot, curves)
    search.n_open -= 1
    if not search.failed:
        keep_state(search, &key, curves)


cdef int start_over(search_t* search) noexcept nogil:
    """Forget all hands and vectors; -1 where memory is out."""
    cdef int i
    free_vectors(search)
    for i in range(N_DRAWS_MAX + 1):
        search.ready[i] = NULL
    memset(search.slots, 0xFF, <uint64_t> search.n_slots * sizeof(int32_t))
    search.n_before += search.n_states
    search.n_states = 0
    search.n_block = N_VECTORS_FIRST
    search.zeros = constant_vector(search, 0.0)
    search.ones = constant_vector(search, 1.0)
    return -1 if search.failed else 0


cdef void search_narrow(search_t* search, const spot_t* spot, const double** curves) noexcept nogil:
    """Search again with one discard a draw; both answers are lower bounds, so the larger is taken."""
    cdef uint64_t n_bytes = search.n_entries * sizeof(double)
    cdef double* kept = <double*> malloc(N_CURVES * n_bytes)
    cdef double* vector
    cdef int curve
    if kept == NULL:
        search.failed = True
        return
    for curve in range(N_CURVES):
        if curves[curve] != NULL:
            memcpy(kept + curve * search.n_entries, curves[curve], n_bytes)
    search.narrow = True
    if start_over(search) == 0:
        spot_curves(search, spot, curves)
        for curve in range(N_CURVES):
            vector = NULL if search.failed or curves[curve] == NULL else new_vector(search)
            if vector != NULL:
                raise_to(vector, kept + curve * search.n_entries, curves[curve], search.n_entries)
                curves[curve] = vector
    free(kept)


cdef int search_hand(search_t* search, int gone, const double** curves) noexcept nogil:
    cdef spot_t spot
    spot.h = search.start
    if gone >= 0:
        hand_remove(&spot.h, gone)
    search.gone = gone
    spot.depth = 0
    spot.slack = 0 if search.radius == STRICT else search.radius
    if search.plain:
        spot.shanten = hand_useful(&spot.h, search.n_jokers, &spot.useful)
    else:
        spot.shanten = hand_shanten_rules(&spot.h, &search.melded, search.n_jokers, &search.rules, &spot.useful)
    spot_curves(search, &spot, curves)
    if search.truncated and not search.narrow and not search.failed:
        search_narrow(search, &spot, curves)
    return spot.shanten
