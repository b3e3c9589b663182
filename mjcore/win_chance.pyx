# cython: binding=False
"""The chance to win within so many draws, of one hand or of all its discards; the search is in chance_search.pyx."""

from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, uint64_t

from mjcore.chance_search cimport live_copies, search_hand
from mjcore.chance_states cimport (
    CURVE_READY,
    CURVE_SCORE,
    CURVE_WIN,
    N_DRAWS_MAX,
    N_RADIUS_MAX,
    STRICT,
    bytes_of_state,
    search_close,
    search_open,
    search_t,
)
from mjcore.hand_rules cimport HandRules
from mjcore.packed cimport (
    ALL_KINDS,
    hand_add,
    hand_clear,
    hand_held,
    hand_remove,
    hand_size,
    hand_t,
    hand_to_int,
    kind_bit,
    kindset_t,
    lowest_bit,
)
from mjcore.profile cimport SHANTEN_NONE, hand_shanten_rules
from mjcore.query cimport query_t, read_query, read_rules, read_tiles

from mjcore.arguments import read_number, read_whole
from mjcore.hand import Hand
from mjcore.kindset import KindSet
from mjcore.tiles import InvalidHandError, shown
from mjcore.win_curve import WinCurve

MEMORY_DEFAULT = 64 << 20
HANDS_DEFAULT = 50_000      # of few draws more would fit, and take seconds
VALUE_MAX = 1e300           # so that sums over the copies of all waits stay finite
MODELS = ("strict", "exchange")


# --- what is asked -----------------------------------------------------------------------------

cdef class _Question:
    """A question read and checked, and its search; `close` gives the memory back."""

    cdef query_t query
    cdef hand_t seen
    cdef search_t search
    cdef int n_draws
    cdef int radius
    cdef int32_t budget
    cdef object values

    def __cinit__(self):
        hand_clear(&self.seen)

    def __dealloc__(self):
        search_close(&self.search)

    cdef int size(self) noexcept:
        return hand_size(&self.query.h) + self.query.n_jokers

    cdef int shanten(self) noexcept:
        return hand_shanten_rules(&self.query.h, &self.query.melded, self.query.n_jokers, &self.query.rules, NULL)

    cdef int open(self) except -1:
        """Get the search ready; draws of which there are none need no search."""
        cdef int status
        with nogil:
            status = search_open(&self.search, &self.query.h, &self.query.melded, &self.seen, self.query.n_jokers,
                                 &self.query.rules, self.n_draws, self.radius, self.budget)
        if status < 0:
            raise MemoryError("no memory to search for chances")
        self.search.heeds_signals = True
        if self.values is not None:
            self.search.value = ready_value
            self.search.context = <void*> <PyObject*> self.values
        return 0

    cdef int run(self, int gone, const double** curves) except -99:
        cdef int shanten
        with nogil:
            shanten = search_hand(&self.search, gone, curves)
        if self.search.interrupted:
            raise_what_is_set()
        if self.values is not None:
            (<_Values> self.values).check()
        if self.search.failed:
            raise MemoryError("no memory to search for chances")
        if self.search.inexact:
            raise InvalidHandError(
                "expected a hand whose jokers are all in it: with a drawn joker that may stand for a fifth copy the "
                "strict model is not exact; use model='exchange'")
        return shanten


cdef int raise_what_is_set() except -1:
    """Hand on the exception that a signal's handler raised in the midst of a search."""
    return -1


cdef int read_budget(object budget, int n_draws, bint with_value) except -99:
    if budget is None:
        return min(HANDS_DEFAULT, <int32_t> (<uint64_t> MEMORY_DEFAULT // bytes_of_state(n_draws, with_value)))
    return read_whole(budget, "budget", 1, (1 << 31) - 1)


cdef int read_radius(object model, object radius) except -99:
    if not isinstance(model, str) or model not in MODELS:
        raise ValueError(f"expected a model of {', '.join(MODELS)}, got {shown(model)}")
    steps = read_whole(radius, "radius", 0, N_RADIUS_MAX)
    return STRICT if model == "strict" else steps


cdef HandRules read_forms(object rules, object forms):
    cdef HandRules hand_rules = read_rules(rules)
    return hand_rules if forms is None else hand_rules.replace(forms=forms)


cdef _Question read_question(object hand, object draws, object model, object radius, object visible, object rules,
                             object jokers, object forms, object budget, object value):
    cdef _Question asked = _Question.__new__(_Question)
    if value is not None and not callable(value):
        value = scoring_rules(value)
        if rules is None:
            rules = value.hand_rules
    if isinstance(hand, str) and "[" in hand:
        hand = Hand(hand)
    read_query(hand, jokers, read_forms(rules, forms), &asked.query)
    if asked.size() % 3 == 0:
        raise InvalidHandError(
            f"expected 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 concealed tiles with the jokers, got {asked.size()}")
    if asked.shanten() == SHANTEN_NONE:
        raise InvalidHandError(f"expected a hand that one of the forms fits, got {asked.size()} concealed tiles")
    if visible is not None:
        read_tiles(visible, &asked.seen)
    asked.n_draws = read_whole(draws, "draws", 0, N_DRAWS_MAX)
    asked.radius = read_radius(model, radius)
    asked.budget = read_budget(budget, asked.n_draws, value is not None)
    if value is not None:
        if asked.radius != STRICT:
            raise ValueError("expected model='strict' with a value: only there is it known which hands are finished")
        asked.values = _Values(value, hand.melds if isinstance(hand, Hand) else ())
    asked.open()
    if asked.n_draws > asked.search.n_wall:
        raise ValueError(f"expected draws of 0 to {asked.search.n_wall}, the tiles unseen, got {asked.n_draws}")
    return asked


# --- the value of finished hands ---------------------------------------------------------------

cdef class _Values:
    """Values of finished hands, each asked for once; an error of the caller's function waits for `check`."""

    cdef object value
    cdef object melds
    cdef object known
    cdef object error

    def __init__(self, value, melds):
        self.value = value if callable(value) else scored_by(value)
        self.melds = melds
        self.known = {}
        self.error = None

    cdef double of(self, const hand_t* h, int kind) except *:
        cdef hand_t full = h[0]
        hand_add(&full, kind)
        return self.of_finished(&full, kind)

    cdef double of_finished(self, const hand_t* full, int kind) except *:
        packed = hand_to_int(full)
        key = (packed, kind)
        known = self.known.get(key)
        if known is None:
            hand = Hand(packed, self.melds, drawn=kind)
            self.known[key] = known = read_value(self.value(hand, kind), hand)
        return known

    cdef int check(self) except -1:
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return 0


cdef double read_value(object value, object hand) except *:
    """A number that can be added up and is never less than to go on without a win."""
    cdef double number = read_number(value, f"the value of {hand}")
    if not 0 <= number <= VALUE_MAX:
        raise ValueError(f"expected a value of 0 to {VALUE_MAX:g} for {hand}, got {shown(value)}")
    return number


cdef object scoring_rules(object value):
    """The rule set of `score` that is given for a value, or the name of one."""
    import mjcore

    if isinstance(value, str):
        return mjcore.rule_set(value)
    if not isinstance(value, mjcore.RuleSet):
        raise TypeError(f"expected a function of hand and winning kind for value, got {shown(value)}")
    return value


cdef object scored_by(object rules):
    """The value of a hand under scoring rules: its total on a self-drawn win, 0 below the minimum."""
    import mjcore
    from mjcore import tiles

    def total(hand, kind):
        try:
            score = mjcore.score(hand, win_tile=kind, rules=rules, self_drawn=True)
        except tiles.NotAWinError:
            return 0
        return score.total if score.minimum_met else 0

    return total


cdef double ready_value(search_t* search, const hand_t* h, kindset_t waits) noexcept with gil:
    """Mean over the live waits of a ready hand, each with its copies."""
    cdef _Values values = <_Values> <object> <PyObject*> search.context
    cdef double total = 0
    cdef int kind, copies, n_live = 0
    if values.error is not None:
        return 0
    try:
        while waits:
            kind = lowest_bit(waits)
            waits &= waits - 1
            copies = live_copies(search, h, kind)
            if copies:
                total += copies * values.of(h, kind)
                n_live += copies
    except BaseException as error:
        values.error = error
        search.failed = True
        return 0
    return total / n_live if n_live else 0


# --- answers -----------------------------------------------------------------------------------

cdef tuple curve_of(const search_t* search, const double* vector):
    """The entries of no draws made, by draws left."""
    cdef int n
    return tuple([vector[search.offsets[n]] for n in range(1, search.n_draws + 1)])


cdef object made(_Question asked, int shanten, tuple win, tuple ready, object score, object discard):
    return WinCurve(win, ready, shanten, asked.search.n_states + asked.search.n_before, asked.search.truncated != 0,
                    MODELS[0] if asked.radius == STRICT else MODELS[1],
                    None if asked.radius == STRICT else asked.radius, discard, score)


cdef object answer_of(_Question asked, int gone):
    """The curves of the hand less a kind, -1 for the hand as it is."""
    cdef const double* curves[3]
    cdef int shanten
    cdef hand_t rest = asked.query.h
    if gone >= 0:
        hand_remove(&rest, gone)
    shanten = hand_shanten_rules(&rest, &asked.query.melded, asked.query.n_jokers, &asked.query.rules, NULL)
    if asked.n_draws < shanten or asked.n_draws == 0:
        # each draw brings the hand one step nearer at most: it is not even ready after the last
        none = (0.0,) * asked.n_draws
        return made(asked, shanten, none, none, None if asked.values is None else none, None)
    shanten = asked.run(gone, curves)
    return made(asked, shanten, curve_of(&asked.search, curves[CURVE_WIN]),
                curve_of(&asked.search, curves[CURVE_READY]),
                None if asked.values is None else curve_of(&asked.search, curves[CURVE_SCORE]), None)


cdef object answer_of_complete(_Question asked, object hand):
    """Won already: the chance is 1, and the value that of the drawn tile, or of the tile that is worth most."""
    cdef kindset_t held = hand_held(&asked.query.h)
    cdef double value = 0
    sure = (1.0,) * asked.n_draws
    if asked.values is None:
        return made(asked, -1, sure, sure, None, None)
    if isinstance(hand, Hand) and hand.drawn is not None:
        held = kind_bit(hand.drawn)
    while held:
        value = max(value, (<_Values> asked.values).of_finished(&asked.query.h, lowest_bit(held)))
        held &= held - 1
    return made(asked, -1, sure, sure, (value,) * asked.n_draws, None)


cdef dict answers_by_discard(_Question asked, kindset_t kinds):
    cdef kindset_t held = hand_held(&asked.query.h) & kinds
    cdef int kind
    answers = {}
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        answers[kind] = answer_of(asked, kind)
    return answers


cdef tuple best_by_draw(curves):
    return tuple([max(chances) for chances in zip(*curves)])


cdef double last_of(curve) except *:
    """What a discard is chosen by."""
    if curve.score:
        return curve.score[len(curve.score) - 1]
    return float(curve)


cdef object best_answer(_Question asked):
    """The best over all discards, for each number of draws."""
    answers = answers_by_discard(asked, ALL_KINDS)
    curves = list(answers.values())
    scores = None if asked.values is None else best_by_draw([curve.score for curve in curves])
    best = max(answers, key=lambda kind: (last_of(answers[kind]), -answers[kind].shanten, -kind))
    return made(asked, asked.shanten(), best_by_draw([curve.win for curve in curves]),
                best_by_draw([curve.ready for curve in curves]), scores, best)


def win_probability(hand, draws=18, *, model="strict", radius=1, visible=None, rules=None, jokers=0, forms=None,
                    budget=None, value=None):
    """
    Return the chance to complete a hand within so many own draws, without calls.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 3n + 1 or 3n + 2 with the jokers.
    draws : int, default 18
        Own draws left, 0 .. 136 and no more than tiles are unseen.
    model : {"strict", "exchange"}
        Strict: each draw that lowers shanten is taken and a tile let go so that shanten stays so; any other is
        thrown away at once.  Exchange: see Notes.
    radius : int, default 1
        What exchanges may cost in the exchange model, 0 .. 4.
    visible : int, str or sequence of 34 int, optional
        Tiles seen outside the hand and its melds; they are not in the wall.
    rules : HandRules or str, optional
        Forms and options.
    jokers : int, default 0
        Jokers among the tiles, 0 .. 8, beside the 136 tiles; no further one is drawn.  Copies of
        `HandRules.joker_kind` are drawn like any tile.
    forms : iterable of str, optional
        The forms that win, in place of those of the rules.
    budget : int, optional
        Most hands to keep.  Default: as many as fit into 64 MiB, about 23,000 for 18 draws.
    value : callable or rules of `score`, optional
        ``value(hand, kind)`` is what a finished `Hand`, self-drawn with that kind, is worth, 0 to 1e300; with
        rules it is the total of `score`, 0 below the minimum.  The result then has `WinCurve.score`, strict model
        only.  Each finished hand is asked for once.

    Returns
    -------
    WinCurve
        Per draw the chance to win and to be ready.  A hand of 3n + 2 tiles gets, draw by draw, the best over all
        its discards; a complete one has the chance 1 and the value of its drawn tile, or of the tile that is worth
        most where none is known to be drawn.

    Raises
    ------
    InvalidHandError
        As for `shanten`; or if the strict model is not exact because a joker may be drawn.
    ValueError
        If a number is out of its range, or there is no such model.
    TypeError
        If something has another type than it should.

    Notes
    -----
    Draws come from the unseen tiles, each with the same chance, without replacement.

    The strict model is exact: what is useful to a hand later was useful from the start, so no tile that was thrown
    away is ever missed, and the live copies follow from the hand alone; the proof is at the top of
    chance_search.pyx.  The discard is the best for each number of draws left.  To take every useful tile is not
    always best, so a better player exists; and more live tiles may even hurt, unless the hand is ready.  A ready hand
    with u live waits among N unseen tiles has 1 - C(N - u, n) / C(N, n).

    In the exchange model any tile may be refused, and tiles taken that keep shanten (cost 1) or raise it by one
    (cost 2), as long as all costs stay within the radius.  Which copies are gone is then not known from the
    hand; they are counted too few, so the answer is an upper estimate: at least the chance of the best player who
    keeps to the radius, never above 1.  bench/win_chance.py measures the gap.

    Where the budget is reached, `WinCurve.truncated` is True: hands not met before then count as never won (unless
    they are ready), and a second search follows each draw by the one discard that leaves most useful copies, for the
    same budget.  The better of both is given: in the strict model lower bounds.

    The search looks at signals some times a second, so Ctrl-C ends it.

    Memory: at most that of budget + 1000 hands, each 16 n (n + 1) / 2 + 144 bytes for n draws (half as much again with
    a value): 2.9 KB for 18.  Time: bench/win_chance.py.

    Examples
    --------
    >>> import mjcore
    >>> curve = mjcore.win_probability("1199m2266s3388p1z", draws=2)     # ready, three copies left of 123
    >>> [round(chance, 6) for chance in curve.win]
    [0.02439, 0.048381]
    >>> round(float(mjcore.win_probability("123m456s78p1155z3m", 18)), 3)
    0.338
    """
    cdef _Question asked = read_question(hand, draws, model, radius, visible, rules, jokers, forms, budget, value)
    if asked.size() % 3 == 1:
        return answer_of(asked, -1)
    if asked.shanten() < 0:
        return answer_of_complete(asked, hand)
    return best_answer(asked)


def discard_chances(hand, draws=18, *, model="strict", radius=1, visible=None, rules=None, jokers=0, forms=None,
                    budget=None, value=None, kinds=None):
    """
    Return the chances after each tile that a hand can let go, by one search.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 3n + 2 with the jokers.
    draws, model, radius, visible, rules, jokers, forms, budget, value
        As for `win_probability`; the budget is that of all discards together.

    kinds : KindSet or iterable of kinds, optional
        Only these discards.

    Returns
    -------
    dict of int to WinCurve
        By kind, of the kinds held.  `WinCurve.n_states` counts the hands kept so far.

    Raises
    ------
    InvalidHandError, ValueError
        As for `win_probability`; or if the hand has another size.

    Notes
    -----
    A discard that raises shanten has, in the strict model, the freedom of an exchange that the others lack, and is
    not seldom rated above them.  Compare discards of one shanten, or use the exchange model.  Those that raise shanten
    also take most of the time: leave them out by `kinds` where it matters.

    Examples
    --------
    >>> import mjcore
    >>> for kind, curve in mjcore.discard_chances("239m EE", draws=3).items():
    ...     print(mjcore.tile_name(kind), curve.shanten, round(float(curve), 4))
    2m 1 0.0229
    3m 1 0.0179
    9m 0 0.1735
    E 1 0.0108
    """
    cdef _Question asked = read_question(hand, draws, model, radius, visible, rules, jokers, forms, budget, value)
    if asked.size() % 3 != 2:
        raise InvalidHandError(
            f"expected 2, 5, 8, 11 or 14 concealed tiles with the jokers, got {asked.size()}")
    return answers_by_discard(asked, ALL_KINDS if kinds is None else KindSet(kinds).mask)
