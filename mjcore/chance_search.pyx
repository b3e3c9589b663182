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

from libc.stdint cimport int8_t, int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from mjcore.chance_states cimport (
    CURVE_READY,
    CURVE_SCORE,
    CURVE_WIN,
    N_CURVES,
    N_DEPTH_MAX,
    N_DRAWS_MAX,
    STRICT,
    find_state,
    keep_state,
    new_vector,
    scratch_of,
    search_close,
    search_open,
    search_t,
    start_over,
)
from mjcore.chance_vectors cimport (
    add_outcome,
    better,
    outcomes_t,
    raise_to,
    ready_vector,
    solve_exchange,
    solve_strict,
)
from mjcore.forms cimport FORMS_KNITTED, rules_t
from mjcore.packed cimport (
    FIRST_HONOR,
    LANE_BITS,
    LANE_M,
    LANE_S,
    N_KINDS,
    hand_add,
    hand_clear,
    hand_count,
    hand_held,
    hand_remove,
    hand_size,
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

cdef enum:
    WORK_MAX = 50_000_000       # between two looks at signals
    WORK_OF_RULES = 50          # a discard by any rules takes as long as so many by the tables

# A hand of 3n + 1 tiles on its way through the search.
ctypedef struct spot_t:
    hand_t h
    kindset_t useful                # by shape, live or not
    int shanten
    int slack                       # what may still be paid for exchanges
    int depth


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


cdef inline int larger(int a, int b) noexcept nogil:
    return a if a > b else b


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
    if search.heeds_signals and search.work > WORK_MAX and signal_raised(search):
        return
    search.n_open += 1
    solve(search, spot, curves)
    search.n_open -= 1
    if not search.failed:
        keep_state(search, &key, curves)


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


# --- chances without Python --------------------------------------------------------------------

cdef int better_discards(search_t* search, const hand_t* h, double* win) noexcept nogil:
    """Raise the chances to those after the best discard of 3n + 2 tiles, or to those of 3n + 1; a CHANCE_... value."""
    cdef kindset_t kinds = hand_held(h)
    cdef const double* curves[3]
    cdef hand_t rest
    cdef int n, kind
    cdef bint discards = (hand_size(h) + search.n_jokers) % 3 == 2
    if not discards:
        kinds = 1
    while kinds:
        kind = lowest_bit(kinds) if discards else -1
        kinds &= kinds - 1
        rest = h[0]
        if discards:
            hand_remove(&rest, kind)
        if hand_shanten_rules(&rest, &search.melded, search.n_jokers, &search.rules, NULL) > search.n_draws:
            continue
        search_hand(search, kind, curves)
        if search.failed or search.inexact:
            return CHANCE_NONE
        for n in range(search.n_draws):
            win[n] = max(win[n], curves[CURVE_WIN][search.offsets[n + 1]])
    return CHANCE_LOWER_BOUND if search.truncated else CHANCE_EXACT


cdef int hand_win_chance(const hand_t* h, const hand_t* melded, const hand_t* visible, int n_jokers,
                         const rules_t* rules, int n_draws, int32_t budget, double* win) noexcept nogil:
    cdef search_t search
    cdef hand_t nothing
    cdef int n, status = CHANCE_NONE
    cdef int shanten = hand_shanten_rules(h, melded, n_jokers, rules, NULL)
    if shanten == SHANTEN_NONE or budget < 1 or not 0 <= n_draws <= N_DRAWS_MAX:
        return CHANCE_NONE
    for n in range(n_draws):
        win[n] = 1 if shanten < 0 else 0
    if shanten < 0 or n_draws == 0:
        return CHANCE_EXACT
    hand_clear(&nothing)
    if search_open(&search, h, melded if melded != NULL else &nothing, visible if visible != NULL else &nothing,
                   n_jokers, rules, n_draws, STRICT, budget) == 0 and n_draws <= search.n_wall:
        status = better_discards(&search, h, win)
    search_close(&search)
    return status
