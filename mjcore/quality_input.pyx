"""What quality and discard advice are asked with, read and checked: targets, danger, rivers, melds, constants."""

cimport cython

from mjcore.packed cimport (
    N_COPIES,
    N_KINDS,
    hand_count,
    hand_remove,
    hand_t,
    hand_write_int,
    kindset_size,
    kindset_t,
    uint64_t,
)
from mjcore.quality_kernels cimport (
    MEASURE_PAIRS,
    N_OPPONENTS,
    N_RECENT,
    N_SETS_MAX,
    N_TARGETS_MAX,
    article_t,
    hand_shape,
    live_copies,
    live_t,
    live_waits,
    melds_add,
    melds_clear,
    melds_t,
    survival_t,
    target_t,
    view_add,
    view_clear,
    view_t,
)
from mjcore.query cimport query_t, read_query, read_tiles

from mjcore.arguments import read_number
from mjcore.hand import Hand
from mjcore.kindset import KindSet
from mjcore.notation import kind_of, read_text
from mjcore.quality_kernels import MEASURES, MELD_CONDITIONS
from mjcore.tiles import InvalidHandError, as_index, shown, tile_name

WEIGHT_MAX = 1e9


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
        for name, zh, weight, measure, sets, melds in self.rows:
            if not isinstance(name, str) or not isinstance(zh, str):
                raise ValueError(f"target {shown(name)}: expected text for name and zh, got {shown(name)}, {shown(zh)}")
            target = &self.c.targets[self.c.n]
            self.c.n += 1
            for word, known in ((measure, MEASURES), (melds, MELD_CONDITIONS)):
                if not isinstance(word, str) or word not in known:
                    raise ValueError(f"target {name!r}: expected one of {', '.join(known)}, got {shown(word)}")
            try:
                target.weight = read_number(weight, "weight")
            except TypeError as error:
                raise ValueError(f"target {name!r}: {error}") from error
            if not 0 < target.weight < WEIGHT_MAX:
                raise ValueError(f"target {name!r}: expected a weight above 0 and below {WEIGHT_MAX:g}, got "
                                 f"{shown(weight)}")
            target.measure = <int> MEASURES.index(measure)
            target.melds = <int> MELD_CONDITIONS.index(melds)
            target.first_set = n_sets
            target.n_sets = len(sets)
            if (target.measure < MEASURE_PAIRS) != (len(sets) > 0):
                wanted = "sets of tiles" if target.measure < MEASURE_PAIRS else "no sets"
                raise ValueError(f"target {name!r}: expected {wanted} for {measure!r}, got {len(sets)}")
            if n_sets + len(sets) > N_SETS_MAX:
                raise ValueError(f"target {name!r}: expected at most {N_SETS_MAX} sets of all targets together, got "
                                 f"{n_sets + len(sets)}")
            for tiles in sets:
                try:
                    self.c.sets[n_sets] = KindSet(tiles).mask
                except (InvalidHandError, TypeError) as error:
                    raise ValueError(f"target {name!r}: expected kinds in every set, {error}") from error
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


def seen_tiles(object rivers, object visible):
    """Return rivers and visible tiles together as a packed int."""
    cdef view_t view
    read_view(rivers, visible, &view)
    return hand_write_int(view.seen.lane)
