"""
Hand quality and discard advice on packed hands, without the GIL.

quality.py and advice.py say what the numbers mean and hold the constants; here they are computed.
"""

from libc.math cimport floor, log2

from mjcore.forms cimport rules_are_default
from mjcore.melded_rows cimport melds_bind
from mjcore.packed cimport (
    FIRST_HONOR,
    N_RANKS,
    N_TILES_MAX,
    hand_add,
    hand_clear,
    hand_held,
    hand_remove,
    hand_size,
    hand_sum,
    kind_bit,
    lowest_bit,
)
from mjcore.profile cimport SHANTEN_NONE, hand_discards, hand_shanten_rules, hand_useful
from mjcore.special_forms cimport orphan_kinds

cdef double WAITS_MOST = 13.0       # kinds that a jokerless hand can wait for at once
cdef double ENTROPY_MOST = log2(WAITS_MOST)
cdef double WIN_STEPS = 1e10         # chances that differ by less are equal: sums in another order differ by rounding

MEASURES = ("tiles", "kinds", "copies", "pairs", "pungs")
MELD_CONDITIONS = ("any", "none", "no_chow", "within", "outside")
POLICIES = ("article", "efficiency")
SURVIVAL_RULES = ("discarded_twice", "neighbor_discarded", "honor_not_discarded", "otherwise")


# --- what is seen ------------------------------------------------------------------------------

cdef void view_clear(view_t* view) noexcept nogil:
    cdef int opponent, i
    hand_clear(&view.river)
    hand_clear(&view.seen)
    for opponent in range(N_OPPONENTS):
        for i in range(N_RECENT):
            view.recent[opponent][i] = -1


cdef void view_add(view_t* view, int opponent, int kind) noexcept nogil:
    cdef int i
    hand_add(&view.river, kind)
    hand_add(&view.seen, kind)
    for i in range(N_RECENT - 1, 0, -1):
        view.recent[opponent][i] = view.recent[opponent][i - 1]
    view.recent[opponent][0] = <int8_t> kind


cdef void melds_clear(melds_t* melds) noexcept nogil:
    melds.n = 0
    melds.chow = False
    melds.all_kinds = 0
    hand_clear(&melds.tiles)
    hand_clear(&melds.threes)


cdef void melds_add(melds_t* melds, bint chow, bint kong, int kind) noexcept nogil:
    cdef int i
    melds.kinds[melds.n] = kind_bit(kind) * <kindset_t> (7 if chow else 1)
    melds.all_kinds |= melds.kinds[melds.n]
    melds.n += 1
    melds.chow = melds.chow or chow
    for i in range(3):
        hand_add(&melds.threes, kind + i if chow else kind)
        hand_add(&melds.tiles, kind + i if chow else kind)
    if kong:
        hand_add(&melds.tiles, kind)


# --- coverage ----------------------------------------------------------------------------------

cdef inline bint melds_fit(const melds_t* melds, int condition, kindset_t tiles) noexcept nogil:
    """Whether melds leave a target open, as far as one set of tiles is asked."""
    cdef int i
    if condition == MELDS_NONE:
        return melds.n == 0
    if condition == MELDS_NO_CHOW:
        return not melds.chow
    for i in range(melds.n):
        if condition == MELDS_WITHIN and melds.kinds[i] & ~tiles:
            return False
        if condition == MELDS_OUTSIDE and not melds.kinds[i] & orphan_kinds():
            return False
    return True


cdef double hand_coverage(const hand_t* h, const melds_t* melds, const targets_t* targets,
                          double* progress) noexcept nogil:
    """The weighted mean of the progress towards each target; the concealed tiles are 3n + 1 or 3n + 2."""
    cdef hand_t tiles
    cdef kindset_t more[4]
    cdef kindset_t inside
    cdef const target_t* target
    cdef int i, k, n, best, full
    cdef double sum = 0, part
    hand_sum(h, &melds.threes, &tiles)
    for n in range(N_COPIES):
        more[n] = held_more(&tiles, n)
    for i in range(targets.n):
        target = &targets.targets[i]
        part = 0
        if target.measure == MEASURE_PAIRS:
            if melds_fit(melds, target.melds, 0):
                part = (kindset_size(more[1]) + kindset_size(more[3])) / 7.0
        elif target.measure == MEASURE_PUNGS:
            if melds_fit(melds, target.melds, 0):
                n = 2 * kindset_size(more[2]) + kindset_size(more[1] & ~more[2])
                part = (n if n < 9 else 9) / 9.0
        else:
            for k in range(target.first_set, target.first_set + target.n_sets):
                inside = targets.sets[k]
                if not melds_fit(melds, target.melds, inside):
                    continue
                best = kindset_size(more[0] & inside)
                full = kindset_size(inside)
                if target.measure != MEASURE_KINDS:
                    best += kindset_size(more[1] & inside) + kindset_size(more[2] & inside)
                    full *= 3
                if target.measure == MEASURE_TILES:
                    best += kindset_size(more[3] & inside)
                    full = N_TILES_MAX
                if best > part * full:
                    part = best / <double> full
        progress[i] = part
        sum += target.weight * part
    return sum / targets.weight


# --- entropy -----------------------------------------------------------------------------------

cdef survival_t survival_default() noexcept nogil:
    cdef survival_t survival
    survival.chance[SURVIVAL_TWICE] = 0.10
    survival.chance[SURVIVAL_NEIGHBOR] = 0.30
    survival.chance[SURVIVAL_HONOR] = 0.95
    survival.chance[SURVIVAL_OTHERWISE] = 0.70
    survival.times = 2
    survival.recent = 2
    return survival


cdef int wait_rule(int kind, const view_t* view, const survival_t* survival) noexcept nogil:
    """The first rule of survival that applies to a wait."""
    cdef int opponent, i, other
    if kind >= FIRST_HONOR:
        return SURVIVAL_OTHERWISE if hand_count(&view.river, kind) else SURVIVAL_HONOR
    if hand_count(&view.river, kind) >= survival.times:
        return SURVIVAL_TWICE
    for opponent in range(N_OPPONENTS):
        for i in range(survival.recent):
            other = view.recent[opponent][i]
            if 0 <= other < FIRST_HONOR and other // N_RANKS == kind // N_RANKS and (
                    other == kind - 1 or other == kind + 1):
                return SURVIVAL_NEIGHBOR
    return SURVIVAL_OTHERWISE


cdef void weigh_waits(const view_t* view, const live_t* live, const survival_t* survival,
                      quality_t* out) noexcept nogil:
    """Entropy and expected live copies of the waits of `out`."""
    cdef kindset_t left = out.waits
    cdef int kind
    cdef double sum = 0, chance, share
    out.entropy = out.entropy_raw = out.entropy_norm = out.expected_live = 0
    while left:
        kind = lowest_bit(left)
        left &= left - 1
        out.rule[kind] = <uint8_t> wait_rule(kind, view, survival)
        out.chance[kind] = survival.chance[out.rule[kind]]
        sum += out.chance[kind]
    left = out.waits
    while left:
        kind = lowest_bit(left)
        left &= left - 1
        chance = out.chance[kind]
        if chance > 0:
            out.entropy_raw -= chance * log2(chance)
            share = chance / sum
            if share < 1:
                out.entropy -= share * log2(share)
        out.expected_live += chance * live_count(live, kind_bit(kind))
    share = out.entropy / ENTROPY_MOST
    out.entropy_norm = share if share < 1 else 1


# --- quality -----------------------------------------------------------------------------------

cdef int hand_shape(const hand_t* h, const melds_t* melds, const rules_t* rules,
                    kindset_t* useful) noexcept nogil:
    cdef int shanten
    if rules_are_default(rules):
        shanten = hand_useful(h, 0, useful)
        if not melds_bind(useful[0], melds.all_kinds):
            return shanten
    return hand_shanten_rules(h, &melds.tiles, 0, rules, useful)


cdef bint shape_discards(const hand_t* h, const melds_t* melds, const rules_t* rules, int8_t* shanten,
                         kindset_t* useful) noexcept nogil:
    """Shanten and useful kinds by kind let go; False where no form fits the size."""
    cdef hand_t rest
    cdef kindset_t held = hand_held(h)
    cdef int kind, least = SHANTEN_NONE
    cdef bint by_tables = rules_are_default(rules)
    if by_tables:
        hand_discards(h, 0, shanten, useful)
        if melds.n == 0:
            return hand_size(h) % 3 == 2
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        if not by_tables or melds_bind(useful[kind], melds.all_kinds):
            rest = h[0]
            hand_remove(&rest, kind)
            shanten[kind] = <int8_t> hand_shanten_rules(&rest, &melds.tiles, 0, rules, &useful[kind])
        if shanten[kind] < least:
            least = shanten[kind]
    return least < SHANTEN_NONE


cdef void weigh(const hand_t* h, const melds_t* melds, const view_t* view, const live_t* live,
                const targets_t* targets, const survival_t* survival, double alpha, quality_t* out) noexcept nogil:
    """Fill in all that depends on shanten and useful kinds of `out`."""
    out.waits = live_waits(out.shanten, out.useful, live) if hand_size(h) % 3 == 1 else 0
    weigh_waits(view, live, survival, out)
    out.coverage = hand_coverage(h, melds, targets, out.progress)
    out.quality = alpha * out.entropy_norm + (1 - alpha) * out.coverage


cdef void hand_quality(const hand_t* h, const melds_t* melds, const view_t* view, const rules_t* rules,
                       const targets_t* targets, const survival_t* survival, double alpha,
                       quality_t* out) noexcept nogil:
    cdef quality_t tried
    cdef live_t live
    cdef hand_t rest
    cdef int8_t shanten[34]
    cdef kindset_t useful[34]
    cdef kindset_t held
    cdef int kind
    out.discard = -1
    out.shanten = hand_shape(h, melds, rules, &out.useful)
    live_copies(h, &melds.tiles, &view.seen, &live)
    if out.shanten == SHANTEN_NONE:
        return
    if hand_size(h) % 3 == 1 or out.shanten < 0:
        weigh(h, melds, view, &live, targets, survival, alpha, out)
        return
    out.quality = -1
    shape_discards(h, melds, rules, shanten, useful)
    held = hand_held(h)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        rest = h[0]
        hand_remove(&rest, kind)
        tried.shanten = shanten[kind]
        tried.useful = useful[kind]
        if tried.shanten == SHANTEN_NONE:
            continue
        weigh(&rest, melds, view, &live, targets, survival, alpha, &tried)
        if tried.quality > out.quality:
            out[0] = tried
            out.discard = kind


# --- discards ----------------------------------------------------------------------------------

cdef article_t article_default() noexcept nogil:
    cdef article_t article
    article.held_twice = 2
    article.both_neighbors = 3
    article.two_on_a_side = 2
    article.fellow = 1
    article.more_waits = 10
    article.fewer_waits = 8
    article.recency[0] = 1
    article.recency[1] = 0.5
    article.recency[2] = 0.25
    article.danger = 5
    return article


cdef inline double base_of(const hand_t* h, kindset_t held, int kind, const article_t* article) noexcept nogil:
    cdef int suit = kind // N_RANKS * N_RANKS, rank = kind - suit
    cdef unsigned int places, honors = <unsigned int> (held >> FIRST_HONOR)
    cdef double base = article.held_twice if hand_count(h, kind) >= 2 else 0
    if kind >= FIRST_HONOR:
        return base + article.fellow if honors & (honors - 1) else base
    places = <unsigned int> (held >> suit & 0x1FF) << 2 >> rank     # bits 0 .. 4: two below to two above
    if places & 0xA == 0xA:
        base += article.both_neighbors
    if places & 0x18 == 0x18:
        base += article.two_on_a_side
    if places & 3 == 3:
        base += article.two_on_a_side
    if (rank == 0 or rank == N_RANKS - 1) and held >> suit & 0x101 == 0x101:
        base += article.fellow
    return base


cdef double tile_base(const hand_t* h, int kind, const article_t* article) noexcept nogil:
    return base_of(h, hand_held(h), kind, article)


cdef double tile_danger(int kind, const view_t* view, const double* table, const article_t* article) noexcept nogil:
    cdef int opponent, i, other
    cdef double safe = 1, sum, weights
    for opponent in range(N_OPPONENTS):
        sum = weights = 0
        for i in range(N_RECENT):
            other = view.recent[opponent][i]
            if other < 0:
                break
            sum += article.recency[i] * table[N_KINDS * kind + other]
            weights += article.recency[i]
        if weights > 0:
            safe *= 1 - sum / weights
    return 1 - safe


cdef inline void rate(const hand_t* h, kindset_t held, const view_t* view, const live_t* live, const double* table,
                      const article_t* article, int waits_before, discard_t* row) noexcept nogil:
    """Fill in the layers of the score, given the kind, shanten and useful kinds."""
    cdef int more
    row.n_waits = kindset_size(live_waits(row.shanten, row.useful, live))
    more = row.n_waits - waits_before
    row.base = base_of(h, held, row.kind, article)
    row.danger = tile_danger(row.kind, view, table, article) if table != NULL else 0
    row.gain = article.more_waits * more if more > 0 else article.fewer_waits * more
    row.score = row.gain - row.base - article.danger * row.danger


cdef int discard_rows(const hand_t* h, const melds_t* melds, const view_t* view, const rules_t* rules,
                      const double* table, const article_t* article, int waits_before,
                      discard_t* rows) noexcept nogil:
    cdef live_t live
    cdef int8_t shanten[34]
    cdef kindset_t useful[34]
    cdef kindset_t held = hand_held(h), left = held
    cdef discard_t* row
    cdef int n = 0
    if not shape_discards(h, melds, rules, shanten, useful):
        return 0
    live_copies(h, &melds.tiles, &view.seen, &live)
    while left:
        row = &rows[n]
        n += 1
        row.kind = lowest_bit(left)
        left &= left - 1
        row.shanten = shanten[row.kind]
        row.useful = useful[row.kind]
        row.n_live = live_count(&live, row.useful)
        row.win = -1
        rate(h, held, view, &live, table, article, waits_before, row)
    return n


cdef bint comes_before(const discard_t* one, const discard_t* other, int policy) noexcept nogil:
    if policy == POLICY_EFFICIENCY:
        if one.shanten != other.shanten:
            return one.shanten < other.shanten
        if floor(one.win * WIN_STEPS) != floor(other.win * WIN_STEPS):
            return one.win > other.win
        if one.win < 0 and one.n_live != other.n_live:
            return one.n_live > other.n_live
    if one.score != other.score:
        return one.score > other.score
    return one.kind < other.kind


cdef void sort_rows(discard_t* rows, int n, int policy) noexcept nogil:
    cdef discard_t row
    cdef int i, at
    for i in range(1, n):
        row = rows[i]
        at = i
        while at > 0 and comes_before(&row, &rows[at - 1], policy):
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = row


cdef int efficient_discard(const hand_t* h, const melds_t* melds, const view_t* view, const rules_t* rules,
                           const double* table, const article_t* article, int waits_before,
                           discard_t* best) noexcept nogil:
    cdef live_t live
    cdef int8_t shanten[34]
    cdef kindset_t useful[34]
    cdef kindset_t held = hand_held(h), left = held, equal = 0
    cdef discard_t row
    cdef int kind, least = SHANTEN_NONE, most = -1, n
    if not shape_discards(h, melds, rules, shanten, useful):
        return -1
    live_copies(h, &melds.tiles, &view.seen, &live)
    while left:
        kind = lowest_bit(left)
        left &= left - 1
        if shanten[kind] > least:
            continue
        n = live_count(&live, useful[kind])
        if shanten[kind] < least or n > most:
            least = shanten[kind]
            most = n
            equal = 0
        if n == most:
            equal |= kind_bit(kind)
    best.kind = -1
    while equal:
        row.kind = lowest_bit(equal)
        equal &= equal - 1
        row.shanten = least
        row.useful = useful[row.kind]
        row.n_live = most
        row.win = -1
        rate(h, held, view, &live, table, article, waits_before, &row)
        if best.kind < 0 or row.score > best.score:
            best[0] = row
    return best.kind


cdef int first_discard(const hand_t* h, const melds_t* melds, const view_t* view, const rules_t* rules,
                       const double* table, const article_t* article, int waits_before, int policy,
                       discard_t* best) noexcept nogil:
    cdef discard_t rows[14]
    cdef int i, n, first = 0
    if policy == POLICY_EFFICIENCY:
        return efficient_discard(h, melds, view, rules, table, article, waits_before, best)
    n = discard_rows(h, melds, view, rules, table, article, waits_before, rows)
    if n == 0:
        return -1
    for i in range(1, n):
        if comes_before(&rows[i], &rows[first], policy):
            first = i
    best[0] = rows[first]
    return best.kind
