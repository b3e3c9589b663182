"""
Hand quality and discard advice on packed hands, without the GIL.

quality.py and advice.py say what the numbers mean and hold the constants; here they are computed.
"""

cimport cython
from libc.math cimport floor, log2
from libc.stdint cimport uint16_t

from mjcore.facts cimport MELD_CHOW, MELD_CONCEALED_KONG, MELD_DIRECT_KONG
from mjcore.forms cimport rules_are_default
from mjcore.packed cimport (
    LAST_CHOW_INDEX,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    FIRST_HONOR,
    hand_add,
    hand_clear,
    hand_has_fifth,
    hand_held,
    hand_remove,
    hand_size,
    hand_sum,
    hand_write_int,
    kind_bit,
    lowest_bit,
)
from mjcore.profile cimport SHANTEN_NONE, hand_discards, hand_shanten_rules, hand_useful
from mjcore.hand_rules cimport HandRules
from mjcore.progress cimport LiveTiles
from mjcore.query cimport query_t, read_query, read_tiles
from mjcore.special_forms cimport orphan_kinds

from mjcore.hand import Hand
from mjcore.hand_rules import HandRules
from mjcore.kindset import KindSet
from mjcore.notation import kind_of, read_text
from mjcore.progress import LiveTiles
from mjcore.tiles import InvalidHandError, as_index, shown, tile_name

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

# Melds use copies up, which the tables do not know.  Where a finished hand nearest by the tables needs a copy that
# is not there, one more tile of that kind brings the hand nearer by the tables.  So where no kind of the melds is
# useful by the tables, their answer holds, and that of a hand with a useful tile more too.

cdef inline int hand_shape(const hand_t* h, const melds_t* melds, const rules_t* rules,
                           kindset_t* useful) noexcept nogil:
    cdef int shanten
    if rules_are_default(rules):
        shanten = hand_useful(h, 0, useful)
        if not useful[0] & melds.all_kinds:
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
        if not by_tables or useful[kind] & melds.all_kinds:
            rest = h[0]
            hand_remove(&rest, kind)
            shanten[kind] = <int8_t> hand_shanten_rules(&rest, &melds.tiles, 0, rules, &useful[kind])
        if shanten[kind] < least:
            least = shanten[kind]
    return least < SHANTEN_NONE


cdef inline kindset_t live_waits(int shanten, kindset_t useful, const live_t* live) noexcept nogil:
    return useful & live.at_least[0] if shanten == 0 else 0


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


# --- Python values -----------------------------------------------------------------------------

@cython.final
@cython.auto_pickle(False)
cdef class Targets:
    """
    Rows of targets of fan coverage in the form the kernels read; `mjcore.quality.read_targets` makes them.

    Parameters
    ----------
    rows : iterable of (name, zh, weight, measure, sets, melds)
        As in quality_targets.toml.

    Raises
    ------
    ValueError
        If a row is not one; the message names it.
    """

    def __cinit__(self, rows):
        cdef target_t* target
        cdef int n_sets = 0
        self.rows = tuple(rows)
        self.c.n = 0
        self.c.weight = 0
        if not 1 <= len(self.rows) <= N_TARGETS_MAX:
            raise ValueError(f"expected 1 to {N_TARGETS_MAX} targets, got {len(self.rows)}")
        for name, _, weight, measure, sets, melds in self.rows:
            target = &self.c.targets[self.c.n]
            self.c.n += 1
            for word, known in ((measure, MEASURES), (melds, MELD_CONDITIONS)):
                if word not in known:
                    raise ValueError(f"target {name!r}: expected one of {', '.join(known)}, got {shown(word)}")
            if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 < weight < 1e9:
                raise ValueError(f"target {name!r}: expected a weight above 0, got {shown(weight)}")
            target.measure = <int> MEASURES.index(measure)
            target.melds = <int> MELD_CONDITIONS.index(melds)
            target.weight = weight
            target.first_set = n_sets
            target.n_sets = len(sets)
            if (target.measure < MEASURE_PAIRS) != (len(sets) > 0) or n_sets + len(sets) > N_SETS_MAX:
                raise ValueError(f"target {name!r}: expected sets of tiles for {measure!r}, got {len(sets)}"
                                 if target.measure < MEASURE_PAIRS else
                                 f"target {name!r}: expected no sets for {measure!r}, got {len(sets)}")
            for tiles in sets:
                self.c.sets[n_sets] = KindSet(tiles).mask
                if self.c.sets[n_sets] == 0:
                    raise ValueError(f"target {name!r}: expected tiles in every set, got none")
                n_sets += 1
            self.c.weight += target.weight

    def __len__(self):
        return self.c.n

    def __eq__(self, other):
        return self.rows == (<Targets> other).rows if isinstance(other, Targets) else NotImplemented

    def __hash__(self):
        return hash(self.rows)

    def __reduce__(self):
        return Targets, (self.rows,)


@cython.final
@cython.auto_pickle(False)
cdef class DangerValues:
    """
    The 34 x 34 chances of a danger table in the form the kernels read.

    Parameters
    ----------
    values : sequence of 1156 float
        Row by row: the tile let go, then the opponent's discard; each 0 to 1.
    """

    def __cinit__(self, values):
        cdef int i
        if len(values) != N_KINDS * N_KINDS:
            raise ValueError(f"expected {N_KINDS} x {N_KINDS} chances, got {len(values)}")
        for i, value in enumerate(values):
            self.c[i] = value
            if not 0 <= self.c[i] <= 1:
                raise ValueError(f"expected chances of 0 to 1, got {value!r} for {tile_name(i // N_KINDS)} after "
                                 f"{tile_name(i % N_KINDS)}")

    def __getitem__(self, Py_ssize_t i):
        if not 0 <= i < N_KINDS * N_KINDS:
            raise IndexError(i)
        return self.c[i]

    def __len__(self):
        return N_KINDS * N_KINDS

    def __iter__(self):
        return iter([self.c[i] for i in range(N_KINDS * N_KINDS)])

    def __reduce__(self):
        return DangerValues, (tuple(self),)


cdef int read_river(object river, int opponent, view_t* view) except -99:
    cdef int kind, place = 0
    if isinstance(river, str):
        try:
            tiles, melds = read_text(river)
        except InvalidHandError as error:
            raise InvalidHandError(f"rivers[{opponent}]: {error}") from error
        if melds:
            raise InvalidHandError(f"rivers[{opponent}]: expected tiles, got a meld in {shown(river)}")
        river = [tile[0] for tile in tiles]
    for tile in river:
        if type(tile) is int and 0 <= tile < N_KINDS:
            kind = tile
        else:
            try:
                kind = kind_of(tile)
            except InvalidHandError as error:
                raise InvalidHandError(f"rivers[{opponent}][{place}]: {error}") from None
        if hand_count(&view.seen, kind) >= N_COPIES:
            raise InvalidHandError(
                f"rivers[{opponent}][{place}]: expected at most {N_COPIES} copies of a kind over rivers and visible "
                f"tiles, got a fifth {tile_name(kind)}")
        view_add(view, opponent, kind)
        place += 1
    return 0


cdef int read_view(object rivers, object visible, view_t* view) except -99:
    """Read the discards of three opponents, oldest first, and the other tiles that can be seen."""
    cdef int opponent = 0
    view_clear(view)
    if visible is not None:
        read_tiles(visible, &view.seen)
    if rivers is None:
        return 0
    if isinstance(rivers, (str, bytes)) or not hasattr(rivers, "__len__") or len(rivers) != N_OPPONENTS:
        raise InvalidHandError(f"expected the discards of {N_OPPONENTS} opponents for rivers, got {shown(rivers)}")
    for river in rivers:
        if not isinstance(river, str) and not hasattr(river, "__iter__"):
            raise InvalidHandError(f"rivers[{opponent}]: expected a sequence of tiles, got {shown(river)}")
        read_river(river, opponent, view)
        opponent += 1
    return 0


cdef int read_melds(object hand, melds_t* melds) except -99:
    """The melds of a `Hand`; any other hand has none."""
    cdef uint64_t code
    melds_clear(melds)
    if isinstance(hand, Hand):
        code = hand._meld_code
        while code:
            melds_add(melds, code >> 6 & 3 == 1, code >> 6 & 3 == 3, code & 0x3F)
            code >>= 8
    return 0


cdef object read_question(object hand, object rules, object rivers, object visible, query_t* query, melds_t* melds,
                          view_t* view):
    if isinstance(hand, str) and "[" in hand:
        hand = Hand(hand)
    read_query(hand, 0, rules, query)
    read_melds(hand, melds)
    read_view(rivers, visible, view)
    return hand


cdef object no_form(const hand_t* h):
    return InvalidHandError(f"expected a hand that one of the forms fits, got {hand_size(h)} concealed tiles")


cdef LiveTiles live_tiles(int shanten, kindset_t kinds, const live_t* live):
    cdef LiveTiles tiles = LiveTiles.__new__(LiveTiles)
    cdef int kind
    tiles.shanten = shanten
    tiles.mask = kinds
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        tiles.left[kind] = <uint8_t> live_count(live, kind_bit(kind))
    return tiles


def assess(object hand, object rivers, object visible, object rules, Targets targets not None, object survival,
           double alpha):
    """
    Return the numbers of `mjcore.quality.HandQuality` as a tuple; parameters as for `mjcore.evaluate`.

    Returns
    -------
    tuple
        quality, entropy, entropy_raw, entropy_norm, expected_live, coverage, progress of each target, shanten,
        waits (kind, survival chance, rule, live copies), useful tiles, discard or None.
    """
    cdef query_t query
    cdef melds_t melds
    cdef view_t view
    cdef live_t live
    cdef survival_t chances
    cdef quality_t q
    cdef kindset_t left
    cdef int i, kind
    read_question(hand, rules, rivers, visible, &query, &melds, &view)
    if hand_size(&query.h) % 3 == 0:
        raise InvalidHandError(
            f"expected 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 concealed tiles, got {hand_size(&query.h)}")
    read_survival(survival, &chances)
    hand_quality(&query.h, &melds, &view, &query.rules, &targets.c, &chances, alpha, &q)
    if q.shanten == SHANTEN_NONE:
        raise no_form(&query.h)
    live_copies(&query.h, &melds.tiles, &view.seen, &live)
    waits = []
    left = q.waits
    while left:
        kind = lowest_bit(left)
        left &= left - 1
        waits.append((kind, q.chance[kind], SURVIVAL_RULES[q.rule[kind]], live_count(&live, kind_bit(kind))))
    return (q.quality, q.entropy, q.entropy_raw, q.entropy_norm, q.expected_live, q.coverage,
            tuple([q.progress[i] for i in range(targets.c.n)]), q.shanten, waits,
            live_tiles(q.shanten, q.useful, &live), None if q.discard < 0 else q.discard)


cdef int read_article(object article, double danger_weight, article_t* weights) except -99:
    cdef int i
    (weights.held_twice, weights.both_neighbors, weights.two_on_a_side, weights.fellow, weights.more_waits,
     weights.fewer_waits, recency) = article
    recency = tuple(recency)
    if len(recency) != N_RECENT:
        raise ValueError(f"expected {N_RECENT} weights of recency, got {len(recency)}")
    weights.danger = danger_weight
    for i in range(N_RECENT):
        weights.recency[i] = recency[i]
    return 0


cdef int read_survival(object survival, survival_t* chances) except -99:
    cdef int i
    survival = tuple(survival)
    if len(survival) != 6 or not 0 <= survival[4] <= N_COPIES + 1 or not 0 <= survival[5] <= N_RECENT:
        raise ValueError(f"expected four chances, times and recent discards for survival, got {survival!r}")
    for i in range(4):
        chances.chance[i] = survival[i]
    chances.times = survival[4]
    chances.recent = survival[5]
    return 0


cdef int read_waits_before(object given, object hand, const query_t* query, const melds_t* melds,
                           const view_t* view) except -99:
    """Wait kinds of the hand before the draw: given, or of a hand whose drawn tile is known."""
    cdef hand_t before
    cdef live_t live
    cdef kindset_t useful
    cdef int shanten
    if given is None:
        if not isinstance(hand, Hand) or hand.drawn is None:
            return 0
        before = query.h
        hand_remove(&before, <int> hand.drawn)
        live_copies(&before, &melds.tiles, &view.seen, &live)
        shanten = hand_shape(&before, melds, &query.rules, &useful)
        return kindset_size(live_waits(shanten, useful, &live))
    if isinstance(given, KindSet):
        return len(given)
    number = as_index(given)
    if number is None:
        raise TypeError(f"expected a number of wait kinds or a KindSet for waits_before, got {type(given).__name__}")
    if not 0 <= number <= N_KINDS:
        raise ValueError(f"expected 0 to {N_KINDS} wait kinds before the draw, got {shown(number)}")
    return number


@cython.final
@cython.auto_pickle(False)
cdef class RatedRows:
    """Rows of `rate_discards`: a sequence of tuples that are made when they are looked at."""

    cdef discard_t rows[14]
    cdef live_t live
    cdef int n
    cdef readonly int waits_before

    def __len__(self):
        return self.n

    def __getitem__(self, Py_ssize_t place):
        cdef discard_t* row
        if place < 0:
            place += self.n
        if not 0 <= place < self.n:
            raise IndexError(place)
        row = &self.rows[place]
        return (row.kind, row.base, row.danger, row.gain, row.score, row.shanten,
                live_tiles(row.shanten, row.useful, &self.live), row.n_live, row.n_waits,
                None if row.win < 0 else row.win)

    def __iter__(self):
        return iter([self[place] for place in range(self.n)])

    def __reduce__(self):
        return list, (list(self),)


def rate_discards(object hand, object rivers, object visible, object rules, DangerValues danger not None,
                  object article, double danger_weight, object waits_before, int policy, object win):
    """
    Return a row for each tile of a hand, ordered by a policy; parameters as for `mjcore.rank_discards`.

    Parameters
    ----------
    article : tuple
        The constants of `mjcore.advice.ArticleWeights`.
    policy : int
        Place in `POLICIES`.
    win : callable or None
        What gives the win chance after a kind is let go.

    Returns
    -------
    RatedRows
        Tuples of kind, base, danger, gain, score, shanten, useful tiles, live copies, wait kinds, win chance.
    """
    cdef query_t query
    cdef melds_t melds
    cdef view_t view
    cdef article_t weights
    cdef int i
    cdef RatedRows rated
    hand = read_question(hand, rules, rivers, visible, &query, &melds, &view)
    if hand_size(&query.h) % 3 != 2:
        raise InvalidHandError(f"expected 2, 5, 8, 11 or 14 concealed tiles, got {hand_size(&query.h)}")
    if not 0 <= policy < len(POLICIES):
        raise ValueError(f"expected a policy of 0 to {len(POLICIES) - 1}, got {policy}")
    read_article(article, danger_weight, &weights)
    rated = RatedRows.__new__(RatedRows)
    rated.waits_before = read_waits_before(waits_before, hand, &query, &melds, &view)
    rated.n = discard_rows(&query.h, &melds, &view, &query.rules, danger.c, &weights, rated.waits_before, rated.rows)
    if rated.n == 0:
        raise no_form(&query.h)
    if win is not None:
        for i in range(rated.n):
            rated.rows[i].win = win(rated.rows[i].kind)
    sort_rows(rated.rows, rated.n, policy)
    live_copies(&query.h, &melds.tiles, &view.seen, &rated.live)
    return rated


def seen_tiles(object rivers, object visible):
    """Return rivers and visible tiles together as a packed int."""
    cdef view_t view
    read_view(rivers, visible, &view)
    return hand_write_int(view.seen.lane)


# --- arrays ------------------------------------------------------------------------------------

@cython.final
@cython.auto_pickle(False)
cdef class Positions:
    """
    Arrays of hands with what belongs to each, contiguous and not changed by anyone.

    Parameters
    ----------
    hands : (n, 4) uint64
        Lanes.
    melds : (n, 4) uint16 or None
        Codes of declared melds, as `mjcore.encode_meld` gives them; 0 for none.
    visible : (n, 4) uint64 or None
        Lanes.
    rivers : (n, 3, length) int8 or None
        Kinds, oldest first; -1 fills up.
    where : (n,) uint8 or None
        Rows to answer.
    rules : HandRules
        Forms and options.
    """

    cdef const uint64_t[:, ::1] hands
    cdef const uint16_t[:, ::1] melds
    cdef const uint64_t[:, ::1] visible
    cdef const int8_t[:, :, ::1] rivers
    cdef const uint8_t[::1] where
    cdef bint has_melds
    cdef bint has_visible
    cdef bint has_rivers
    cdef bint has_where
    cdef rules_t rules

    def __cinit__(self, hands, melds, visible, rivers, where, HandRules rules not None):
        self.hands = hands
        self.melds = melds
        self.visible = visible
        self.rivers = rivers
        self.where = where
        self.has_melds = melds is not None
        self.has_visible = visible is not None
        self.has_rivers = rivers is not None
        self.has_where = where is not None
        self.rules = rules.c
        n = len(hands)
        if (self.hands.shape[1] != N_LANES or self.has_melds and (len(melds) != n or self.melds.shape[1] != 4)
                or self.has_visible and (len(visible) != n or self.visible.shape[1] != N_LANES)
                or self.has_rivers and (len(rivers) != n or self.rivers.shape[1] != N_OPPONENTS)
                or self.has_where and len(where) != n):
            raise ValueError("expected arrays with a place for each row")

    def __len__(self):
        return self.hands.shape[0]


cdef inline bint read_meld(unsigned int code, melds_t* melds) noexcept nogil:
    """Add the meld of a code; whether it is one."""
    cdef int kind = code & 0x3F, kind_type = code >> 6 & 7
    if kind >= N_KINDS or not MELD_CHOW <= kind_type <= MELD_CONCEALED_KONG:
        return False
    if kind_type == MELD_CHOW and (kind >= FIRST_HONOR or kind % N_RANKS > LAST_CHOW_INDEX):
        return False
    melds_add(melds, kind_type == MELD_CHOW, kind_type >= MELD_DIRECT_KONG, kind)
    return True


cdef int read_row(Positions positions, Py_ssize_t row, hand_t* h, melds_t* melds, view_t* view) noexcept nogil:
    """Read one row; -1 where it is no hand."""
    cdef hand_t total
    cdef int lane, i, opponent, kind
    cdef Py_ssize_t place
    for lane in range(N_LANES):
        h.lane[lane] = positions.hands[row, lane]
    melds_clear(melds)
    if positions.has_melds:
        for i in range(4):
            if positions.melds[row, i] and not read_meld(positions.melds[row, i], melds):
                return -1
        hand_sum(h, &melds.tiles, &total)
        if held_more(&total, 4) or hand_has_fifth(&melds.tiles):
            return -1
        i = hand_size(h) + 3 * melds.n
        if i > N_TILES_MAX or melds.n and i < N_TILES_MAX - 1:
            return -1
    if hand_size(h) > N_TILES_MAX:
        return -1
    view_clear(view)
    if positions.has_visible:
        for lane in range(N_LANES):
            view.seen.lane[lane] = positions.visible[row, lane]
    if positions.has_rivers:
        for opponent in range(N_OPPONENTS):
            for place in range(positions.rivers.shape[2]):
                kind = positions.rivers[row, opponent, place]
                if kind < 0:
                    continue
                if kind >= N_KINDS or hand_count(&view.seen, kind) >= N_COPIES:
                    return -1
                view_add(view, opponent, kind)
    return 0


def evaluate_rows(Positions positions not None, Targets targets not None, object survival, double alpha,
                  double[:, ::1] numbers not None, double[:, ::1] progress not None, int8_t[::1] shanten not None,
                  uint64_t[::1] waits not None, int8_t[::1] discards not None, Py_ssize_t start, Py_ssize_t stop):
    """
    Evaluate rows start .. stop and return the first bad one, or -1.

    Parameters
    ----------
    numbers : (n, 6) float64
        Answers: quality, entropy, entropy_raw, entropy_norm, expected_live, coverage.
    progress, shanten, waits, discards : arrays of n rows
        The other answers; -1 where no tile was let go.
    """
    cdef hand_t h
    cdef melds_t melds
    cdef view_t view
    cdef survival_t chances
    cdef quality_t q
    cdef Py_ssize_t row, n = positions.hands.shape[0], bad = -1
    cdef int i
    read_survival(survival, &chances)
    if (not 0 <= start <= stop <= n or numbers.shape[0] != n or numbers.shape[1] != 6 or progress.shape[0] != n
            or progress.shape[1] != targets.c.n or shanten.shape[0] != n or waits.shape[0] != n
            or discards.shape[0] != n):
        raise ValueError("expected arrays with a place for each row")
    with nogil:
        for row in range(start, stop):
            if positions.has_where and not positions.where[row]:
                continue
            if read_row(positions, row, &h, &melds, &view) or hand_size(&h) % 3 == 0:
                bad = row
                break
            hand_quality(&h, &melds, &view, &positions.rules, &targets.c, &chances, alpha, &q)
            if q.shanten == SHANTEN_NONE:
                bad = row
                break
            numbers[row, 0] = q.quality
            numbers[row, 1] = q.entropy
            numbers[row, 2] = q.entropy_raw
            numbers[row, 3] = q.entropy_norm
            numbers[row, 4] = q.expected_live
            numbers[row, 5] = q.coverage
            for i in range(targets.c.n):
                progress[row, i] = q.progress[i]
            shanten[row] = <int8_t> q.shanten
            waits[row] = q.waits
            discards[row] = <int8_t> q.discard
    return bad


def discard_best(Positions positions not None, DangerValues danger not None, object article, double danger_weight,
                 int8_t[::1] kinds not None, int8_t[::1] shanten not None, uint64_t[::1] useful not None,
                 uint8_t[::1] copies not None, double[::1] scores not None, Py_ssize_t start, Py_ssize_t stop):
    """
    Find the best discard by efficiency of rows start .. stop and return the first bad one, or -1.

    Parameters
    ----------
    kinds, shanten, useful, copies, scores : arrays of n rows
        Answers: the kind, then shanten, useful kinds and live copies after it, and its discard score.
    """
    cdef hand_t h
    cdef melds_t melds
    cdef view_t view
    cdef article_t weights
    cdef discard_t best
    cdef Py_ssize_t row, n = positions.hands.shape[0], bad = -1
    read_article(article, danger_weight, &weights)
    if (not 0 <= start <= stop <= n or kinds.shape[0] != n or shanten.shape[0] != n or useful.shape[0] != n
            or copies.shape[0] != n or scores.shape[0] != n):
        raise ValueError("expected arrays with a place for each row")
    with nogil:
        for row in range(start, stop):
            if positions.has_where and not positions.where[row]:
                continue
            if read_row(positions, row, &h, &melds, &view) or hand_size(&h) % 3 != 2 or efficient_discard(
                    &h, &melds, &view, &positions.rules, danger.c, &weights, 0, &best) < 0:
                bad = row
                break
            kinds[row] = <int8_t> best.kind
            shanten[row] = <int8_t> best.shanten
            useful[row] = best.useful
            copies[row] = <uint8_t> best.n_live
            scores[row] = best.score
    return bad
