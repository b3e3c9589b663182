# cython: binding=False
"""
The search for how far a hand is from a win with one fan; fan_distances.pyx asks it.

A target (see fan_targets.py) fixes some tiles and leaves some sets and the eyes open.  What the best filling of
one part of the tiles is worth, for every number of open sets, with eyes and without, is one scores_t; parts are
put together like shanten profiles.  A score counts the tiles of the hand that stay: the distance is the size of
the complete hand, less the best score, less one.
"""

from mjcore.packed cimport (
    LANE_Z,
    NIBBLE_HIGHS,
    NIBBLE_ONES,
    N_COPIES,
    N_TILES_MAX,
    hand_held,
    hand_t,
    kind_index,
    kind_lane,
    kindset_size,
    kindset_t,
    lane_count,
    lane_full,
    lane_held,
    lane_size,
    lane_t,
    uint64_t,
)

cdef enum:
    FORM_SETS = 0
    FORM_PAIRS = 1
    FORM_ORPHANS = 2
    FORM_KNITTED = 3
    N_PAIRS = 7
    N_SETS_MAX = 4
    N_TO_BOUND = 6          # targets that may be better, from which on a bound pays
    N_OPEN_TO_BOUND = 2     # open sets up to which it does
    DRAGON_BITS = 12        # of the honor lane
    FEASIBLE = 64           # in a byte of scores; tiles kept are added to it
    KEPT_MASK = 63

cdef extern from *:
    """
    /* Byte m of a word: FEASIBLE + tiles kept with m concealed sets; less than FEASIBLE: it cannot be.
       Bytes stay below 128, so all of them are compared at once. */
    #define MJCORE_BYTES     0x0101010101ULL
    #define MJCORE_FEASIBLES 0x4040404040ULL
    #define MJCORE_HALVES    0x8080808080ULL
    #define MJCORE_ORPHAN_KINDS 0x3FC060301ULL   /* 1 and 9 of the suits, the seven honors */
    static inline uint64_t mjcore_larger(uint64_t a, uint64_t b) {
        uint64_t high = ((a | MJCORE_HALVES) - b) & MJCORE_HALVES;
        uint64_t take = high - (high >> 7);
        return (a & take) | (b & ~take);
    }
    """
    const uint64_t BYTES "MJCORE_BYTES"
    const uint64_t FEASIBLES "MJCORE_FEASIBLES"
    const kindset_t ORPHAN_KINDS "MJCORE_ORPHAN_KINDS"
    uint64_t larger "mjcore_larger"(uint64_t a, uint64_t b) noexcept nogil

# word[p]: with p pairs
ctypedef struct scores_t:
    uint64_t word[2]

ctypedef struct part_state_t:
    lane_t need             # of the plan, without what the melds are
    int missing             # tiles of need that the hand does not have
    int n_concealed         # groups of the plan that are not declared
    int n_open              # most open sets that any target may want here
    bint possible
    bint filled             # a meld or a tile must be here
    bint done
    scores_t scores

# The hand cut into parts.
ctypedef struct parts_t:
    lane_t held[5]
    lane_t melded[5]
    uint8_t melds[5][4]
    int n_melds[5]


# --- lanes ---------------------------------------------------------------------------------------


cdef inline lane_t lane_beyond(lane_t x, lane_t y) noexcept nogil:
    """Nibble by nibble, what x has more than y; all below 8."""
    cdef lane_t difference = (x | NIBBLE_HIGHS) - y
    cdef lane_t kept = difference & NIBBLE_HIGHS
    return difference & (kept - (kept >> 3))


cdef inline unsigned int lane_places(lane_t x, int n) noexcept nogil:
    """Places with n (1 .. 4) tiles or more."""
    return lane_held(((x + (8 - n) * NIBBLE_ONES) >> 3) & NIBBLE_ONES)


cdef inline int bits(unsigned int places) noexcept nogil:
    return kindset_size(places)


cdef inline int smaller(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int meld_place(uint8_t meld) noexcept nogil:
    cdef int kind = meld & 0x3F
    return kind_index(kind) if kind < FIRST_WIND else kind - FIRST_WIND


cdef inline int meld_part(uint8_t meld) noexcept nogil:
    cdef int kind = meld & 0x3F
    return kind_lane(kind) if kind < FIRST_WIND else N_PARTS - 1


cdef void cut(const hand_t* h, lane_t* parts) noexcept nogil:
    cdef int part
    for part in range(3):
        parts[part] = h.lane[part]
    parts[3] = h.lane[LANE_Z] & ((1 << DRAGON_BITS) - 1)
    parts[4] = h.lane[LANE_Z] >> DRAGON_BITS


cdef void make_parts(const fan_hand_t* hand, parts_t* parts) noexcept nogil:
    cdef int i, part
    cut(&hand.h, parts.held)
    cut(&hand.melded, parts.melded)
    for part in range(N_PARTS):
        parts.n_melds[part] = 0
    for i in range(hand.n_melds):
        part = meld_part(hand.melds[i])
        parts.melds[part][parts.n_melds[part]] = hand.melds[i]
        parts.n_melds[part] += 1


# --- one part ------------------------------------------------------------------------------------


cdef bint take_meld(const plan_t* plan, uint8_t meld, unsigned int* taken, part_state_t* state) noexcept nogil:
    """Let a meld be one of the groups of the plan, or else an open set; whether it may be."""
    cdef int i
    cdef unsigned int sets
    for i in range(plan.n_groups):
        if plan.groups[i] == meld and not (taken[0] >> i) & 1:
            taken[0] |= 1 << i
            state.need -= plan.group_tiles[i]
            state.n_concealed -= 1
            return True
    sets = plan.chows if meld >> 6 == CHOW else plan.pungs
    return (sets >> meld_place(meld)) & 1


cdef void prepare(const plan_t* plan, const parts_t* parts, part_state_t* state) noexcept nogil:
    cdef int i
    cdef unsigned int taken = 0
    cdef lane_t beside = parts.melded[plan.part]
    state.need = plan.need
    state.n_concealed = plan.n_groups
    state.n_open = 0
    state.done = False
    state.possible = True
    state.filled = plan.need != 0 or parts.n_melds[plan.part] > 0
    for i in range(parts.n_melds[plan.part]):
        if not take_meld(plan, parts.melds[plan.part][i], &taken, state):
            state.possible = False
    # more than four copies with the melds: only then does 3 more reach the highest bit of a nibble
    if (state.need + beside + 3 * NIBBLE_ONES) & NIBBLE_HIGHS:
        state.possible = False
    state.missing = lane_size(lane_beyond(state.need, parts.held[plan.part]))


cdef inline void raise_to(uint64_t* word, uint64_t scores) noexcept nogil:
    word[0] = larger(word[0], scores)


cdef void fill(lane_t spare, lane_t room, const plan_t* plan, int n_open, scores_t* best) noexcept nogil:
    """
    Score every number of open sets in one part.

    Place by place; a state is how many chows began one and two places before.  `spare` are the tiles
    that open sets may keep, `room` the copies that they may have.
    """
    cdef scores_t first[25]
    cdef scores_t second[25]
    cdef scores_t* now = first      # [5 * chows one place before + chows two places before]
    cdef scores_t* then = second
    cdef scores_t* spent
    cdef int place, one, two, three, most, copies, left, kept, room_here, spare_here
    cdef int most_one = 0, most_two = 0
    cdef uint64_t keep = ((<uint64_t> 1) << (8 * (n_open + 1))) - 1
    cdef uint64_t plain, paired
    cdef scores_t* into
    now[0].word[0] = FEASIBLE
    now[0].word[1] = 0
    for place in range(plan.n_places):
        room_here = lane_count(room, place)
        spare_here = lane_count(spare, place)
        most = 0
        if (plan.chows >> place) & 1:
            # three equal chows are three pungs, where those are allowed
            most = smaller(n_open, 2 if (plan.pungs >> place) & 7 == 7 else N_SETS_MAX)
        for three in range(most + 1):
            for one in range(most_one + 1):
                then[5 * three + one].word[0] = then[5 * three + one].word[1] = 0
        for one in range(most_one + 1):
            for two in range(most_two + 1):
                plain = now[5 * one + two].word[0]
                paired = now[5 * one + two].word[1]
                left = room_here - one - two
                if left < 0 or not (plain | paired) & FEASIBLES:
                    continue
                for three in range(smaller(most, left) + 1):
                    copies = one + two + three
                    into = &then[5 * three + one]
                    kept = smaller(copies, spare_here)
                    raise_to(&into.word[0], (plain + kept * BYTES) & keep)
                    raise_to(&into.word[1], (paired + kept * BYTES) & keep)
                    if (plan.eyes >> place) & 1 and copies + 2 <= room_here:
                        kept = smaller(copies + 2, spare_here)
                        raise_to(&into.word[1], (plain + kept * BYTES) & keep)
                    if (plan.pungs >> place) & 1 and copies + 3 <= room_here:
                        kept = smaller(copies + 3, spare_here)
                        raise_to(&into.word[0], ((plain + kept * BYTES) << 8) & keep)
                        raise_to(&into.word[1], ((paired + kept * BYTES) << 8) & keep)
                    plain = (plain << 8) & keep
                    paired = (paired << 8) & keep
        most_two = most_one
        most_one = most
        spent = now
        now = then
        then = spent
    best[0] = now[0]


cdef inline lane_t plan_ones(const plan_t* plan) noexcept nogil:
    """A one in each place of the part."""
    return NIBBLE_ONES >> (36 - 4 * plan.n_places)


cdef const scores_t* score(const plan_t* plan, const parts_t* parts, part_state_t* state) noexcept nogil:
    """Scores of a part, by the number of its concealed sets, those of the plan counted."""
    cdef lane_t room = N_COPIES * plan_ones(plan) - parts.melded[plan.part] - state.need
    cdef lane_t spare = lane_beyond(parts.held[plan.part], state.need)
    cdef int i
    if not state.done:
        state.done = True
        fill(spare, room, plan, state.n_open, &state.scores)
        if plan.present and not state.filled:
            state.scores.word[0] &= ~<uint64_t> 0xFF
        for i in range(2):
            state.scores.word[i] += (lane_size(state.need) - state.missing) * BYTES
            state.scores.word[i] <<= 8 * state.n_concealed
        if plan.pairs:
            state.scores.word[1] = state.scores.word[0]
            state.scores.word[0] = 0
    return &state.scores


cdef inline int score_of(uint64_t word, int n) noexcept nogil:
    return <int> (word >> (8 * n)) & 0x7F


cdef void join(const scores_t* a, const scores_t* b, scores_t* both) noexcept nogil:
    cdef scores_t total
    cdef int n, value
    cdef uint64_t kept
    total.word[0] = total.word[1] = 0
    for n in range(N_SETS_MAX + 1):
        value = score_of(a.word[0], n)
        if value >= FEASIBLE:
            kept = (value & KEPT_MASK) * BYTES
            raise_to(&total.word[0], bytes_up(b.word[0] + kept, n))
            raise_to(&total.word[1], bytes_up(b.word[1] + kept, n))
        value = score_of(a.word[1], n)
        if value >= FEASIBLE:
            raise_to(&total.word[1], bytes_up(b.word[0] + (value & KEPT_MASK) * BYTES, n))
    both[0] = total


cdef inline uint64_t bytes_up(uint64_t word, int n) noexcept nogil:
    return (word << (8 * n)) & (FEASIBLES | (FEASIBLES - BYTES))


cdef int join_last(const scores_t* a, const scores_t* b, int n_sets) noexcept nogil:
    """The score with n_sets concealed sets and the eyes; below FEASIBLE: there is none."""
    cdef int n, first, second, best = 0
    for n in range(n_sets + 1):
        first = score_of(a.word[0], n)
        second = score_of(b.word[1], n_sets - n)
        if first >= FEASIBLE and second >= FEASIBLE and first + second > best:
            best = first + second
        first = score_of(a.word[1], n)
        second = score_of(b.word[0], n_sets - n)
        if first >= FEASIBLE and second >= FEASIBLE and first + second > best:
            best = first + second
    return best - FEASIBLE


# --- the forms -----------------------------------------------------------------------------------


ctypedef struct search_t:
    parts_t parts
    part_state_t states[64]
    scores_t honors
    int honor_plans         # of which `honors` are the scores


cdef int sets_kept(const fan_t* fan, const target_t* target, int n_sets, search_t* search) noexcept nogil:
    """Tiles that a target with sets keeps; negative: it cannot be."""
    cdef int part
    cdef uint8_t plan
    cdef scores_t total
    cdef const scores_t* scores[5]
    for part in range(N_PARTS):
        plan = target.plans[part]
        scores[part] = score(&fan.plans[plan], &search.parts, &search.states[plan])
    if search.honor_plans != target.plans[3] << 8 | target.plans[4]:
        search.honor_plans = target.plans[3] << 8 | target.plans[4]
        join(scores[3], scores[4], &search.honors)
    join(&search.honors, scores[0], &total)
    join(&total, scores[1], &total)
    return join_last(&total, scores[2], n_sets) - FEASIBLE


cdef int pairs_kept(const fan_t* fan, const target_t* target, const parts_t* parts) noexcept nogil:
    """
    Tiles that seven pairs keep; negative: they cannot be.

    A pair more of a kind never keeps more than the pair before it, so the best ones are taken one by one.
    """
    cdef int part, n_left = N_PAIRS, n_two = 0, n_one = 0, n_none = 0, kept = 0
    cdef int twos, ones, nones
    cdef const plan_t* plan
    cdef unsigned int one, two, three, four, free_kinds
    for part in range(N_PARTS):
        plan = &fan.plans[target.plans[part]]
        one = lane_held(parts.held[part])
        two = lane_places(parts.held[part], 2)
        three = lane_places(parts.held[part], 3)
        four = lane_full(parts.held[part])
        free_kinds = plan.eyes & ~plan.pairs
        kept += bits(plan.pairs & one) + bits(plan.pairs & two)
        n_left -= bits(plan.pairs)
        twos = bits(free_kinds & two) + bits(plan.eyes & four)
        ones = bits(free_kinds & one & ~two) + bits(plan.eyes & three & ~four)
        nones = bits(free_kinds) + bits(plan.eyes) - twos - ones
        if plan.present and plan.pairs == 0:
            n_left -= 1
            if twos:
                twos -= 1
                kept += 2
            elif ones:
                ones -= 1
                kept += 1
            else:
                nones -= 1
        n_two += twos
        n_one += ones
        n_none += nones
    if n_left < 0 or n_none < 0 or n_two + n_one + n_none < n_left:
        return -1
    n_two = smaller(n_two, n_left)
    return kept + 2 * n_two + smaller(n_one, n_left - n_two)


cdef int orphans_kept(const hand_t* h) noexcept nogil:
    cdef hand_t more
    cdef int lane
    cdef kindset_t pairs
    for lane in range(4):
        more.lane[lane] = (h.lane[lane] >> 1) & (3 * NIBBLE_ONES)
    pairs = hand_held(&more) & ORPHAN_KINDS
    return kindset_size(hand_held(h) & ORPHAN_KINDS) + (pairs != 0)


cdef int knitted_kept(const fan_t* fan, const target_t* target, const parts_t* parts) noexcept nogil:
    """Tiles that different honors and tiles of a knitted set keep."""
    cdef int part, n_honors, kept, best = 0, n_knitted = 0
    cdef int held_honors = bits(lane_held(parts.held[3])) + bits(lane_held(parts.held[4]))
    for part in range(3):
        n_knitted += bits(lane_held(parts.held[part]) & fan.plans[target.plans[part]].eyes)
    for n_honors in range(target.honors_min, target.honors_max + 1):
        kept = smaller(held_honors, n_honors) + smaller(n_knitted, N_TILES_MAX - n_honors)
        if kept > best:
            best = kept
    return best


cdef int special_kept(const fan_t* fan, const target_t* target, const fan_hand_t* hand,
                      const parts_t* parts) noexcept nogil:
    """Tiles that a form without sets keeps; negative: it cannot be."""
    if hand.n_melds:
        return -1
    if target.form == FORM_PAIRS:
        return pairs_kept(fan, target, parts)
    if target.form == FORM_ORPHANS:
        return orphans_kept(&hand.h)
    return knitted_kept(fan, target, parts)


cdef int least_missing(const fan_t* fan, const target_t* target, int n_melds, search_t* search,
                       int* open_sets) noexcept nogil:
    """Tiles that a target needs and misses; FAN_NONE: it cannot be.  Tells the parts how much they may fill."""
    cdef int part, missing = 0, n_open = target.n_sets - n_melds
    cdef part_state_t* state
    for part in range(N_PARTS):
        state = &search.states[target.plans[part]]
        if not state.possible:
            return FAN_NONE
        missing += state.missing
        n_open -= state.n_concealed
    if n_open < 0:
        return FAN_NONE
    open_sets[0] = n_open
    for part in range(N_PARTS):
        state = &search.states[target.plans[part]]
        if state.n_open < n_open:
            state.n_open = n_open
    return missing


cdef void bound_open(const fan_t* fan, int n_open, search_t* search, int* missing) noexcept nogil:
    """
    Tell how many tiles any number of open sets, with the eyes, miss at least.

    They keep no more than the same sets do where no tile is needed for anything else, and every set and
    eyes that any target allows may be taken.
    """
    cdef scores_t total
    cdef scores_t one
    cdef int part, n, kept
    cdef const plan_t* plan
    for part in range(N_PARTS):
        plan = &fan.widest[part]
        fill(search.parts.held[part], N_COPIES * plan_ones(plan) - search.parts.melded[part], plan, n_open, &one)
        if part == 0:
            total = one
        else:
            join(&total, &one, &total)
    for n in range(n_open + 1):
        kept = score_of(total.word[1], n) - FEASIBLE
        missing[n] = 3 * n + 2 - kept if kept >= 0 else 0


cdef void bound_targets(const fan_t* fan, const int* n_open, int best, search_t* search, int* least) noexcept nogil:
    """Raise what the targets below `best` miss at least by what their open sets and eyes do."""
    cdef int missing[5]
    cdef int i, most_open = 0
    for i in range(fan.n_targets):
        if least[i] < best and n_open[i] > most_open:
            most_open = n_open[i]
    if most_open > N_OPEN_TO_BOUND:
        return
    bound_open(fan, most_open, search, missing)
    for i in range(fan.n_targets):
        if least[i] < best and fan.targets[i].open_eyes:
            least[i] += missing[n_open[i]]


cdef int best_of_sets(const fan_t* fan, int n_melds, int best, search_t* search) noexcept nogil:
    """The fewest tiles that a target with sets misses, or `best`; those that promise most are looked at first."""
    cdef int least[64]
    cdef int n_open[64]
    cdef int i, level, nearest = -1, n_better = 0
    for i in range(fan.n_targets):
        least[i] = FAN_NONE
        if fan.targets[i].form == FORM_SETS:
            least[i] = least_missing(fan, &fan.targets[i], n_melds, search, &n_open[i])
            if least[i] < FAN_NONE and (nearest < 0 or least[i] < least[nearest]):
                nearest = i
    if nearest < 0 or least[nearest] >= best:
        return best
    level = least[nearest]
    best = sets_missing(fan, nearest, n_melds, best, search)
    least[nearest] = FAN_NONE
    for i in range(fan.n_targets):
        n_better += least[i] < best
    if n_better >= N_TO_BOUND:
        bound_targets(fan, n_open, best, search, least)
    while level < best and level <= N_TILES_MAX:
        for i in range(fan.n_targets):
            if least[i] == level and level < best:
                best = sets_missing(fan, i, n_melds, best, search)
        level += 1
    return best


cdef int fan_hand_distance(const fan_t* fan, const fan_hand_t* hand) noexcept nogil:
    cdef search_t search
    cdef int i, kept
    cdef int size = N_TILES_MAX - 3 * hand.n_melds
    cdef int best = FAN_NONE
    make_parts(hand, &search.parts)
    search.honor_plans = -1
    for i in range(fan.n_plans):
        prepare(&fan.plans[i], &search.parts, &search.states[i])
    for i in range(fan.n_targets):
        if fan.targets[i].form != FORM_SETS:
            kept = special_kept(fan, &fan.targets[i], hand, &search.parts)
            if kept >= 0 and size - kept < best:
                best = size - kept
    best = best_of_sets(fan, hand.n_melds, best, &search)
    return FAN_NONE if best == FAN_NONE else best - 1


cdef int sets_missing(const fan_t* fan, int i, int n_melds, int best, search_t* search) noexcept nogil:
    """The fewest tiles that a target or the best one before it misses."""
    cdef int kept = sets_kept(fan, &fan.targets[i], fan.targets[i].n_sets - n_melds, search)
    return best if kept < 0 else smaller(best, N_TILES_MAX - 3 * n_melds - kept)
