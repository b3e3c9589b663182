# cython: binding=False
"""How far a hand is from complete, and which tiles bring it nearer: shanten, useful tiles, discards."""

cimport cython
from libc.stdint cimport int8_t

from mjcore.forms cimport rules_are_default

from mjcore.hand_rules cimport HandRules
from mjcore.kindset cimport kindset_new
from mjcore.packed cimport (
    N_COPIES,
    N_KINDS,
    hand_clear,
    hand_held,
    hand_read_int,
    hand_remove,
    hand_add,
    hand_size,
    hand_t,
    kind_bit,
    kindset_size,
    kindset_t,
    lowest_bit,
    uint8_t,
)
from mjcore.profile cimport SHANTEN_NONE, hand_discards, hand_shanten, hand_shanten_rules, hand_useful
from mjcore.query cimport copies_of, query_t, read_query, read_rules, read_tiles

from collections.abc import Mapping

from mjcore.notation import kind_of
from mjcore.tiles import InvalidHandError, tile_name

cdef object ZERO = 0


@cython.final
@cython.freelist(16)
@cython.auto_pickle(False)
cdef class LiveTiles:
    """
    Kinds and how many copies of each are left: an immutable mapping in kind order.

    As a mapping it equals any other of the same items, whatever the shanten.

    Attributes
    ----------
    shanten : int
        Of the hand that was asked about.
    kinds : KindSet
        The kinds, also those of which no copy is left.
    total : int
        Copies left of all kinds together.

    Examples
    --------
    >>> import mjcore
    >>> live = mjcore.useful_tiles("9999m678m345p12sS")
    >>> live
    LiveTiles({'6m': 3, '3s': 4, 'S': 3}, shanten=1)
    >>> live["6m"], live.total, dict(live)
    (3, 10, {5: 3, 11: 4, 31: 3})
    """

    def __cinit__(self):
        self.shanten = SHANTEN_NONE
        self.mask = 0

    @property
    def kinds(self):
        """The kinds, also those of which no copy is left."""
        return kindset_new(self.mask)

    @property
    def total(self):
        """Copies left of all kinds together."""
        cdef int kind, total = 0
        for kind in range(N_KINDS):
            if (self.mask >> kind) & 1:
                total += self.left[kind]
        return total

    def __getitem__(self, kind):
        number = kind_of(kind)
        if not (self.mask >> <int> number) & 1:
            raise KeyError(kind)
        return self.left[<int> number]

    def get(self, kind, default=None):
        """Return the copies left of a kind, or the default."""
        return self[kind] if kind in self else default

    def __contains__(self, kind):
        try:
            number = kind_of(kind)
        except InvalidHandError:
            return False
        return (self.mask >> <int> number) & 1 != 0

    def __iter__(self):
        return iter(self.kinds)

    def __len__(self):
        return kindset_size(self.mask)

    def keys(self):
        """Return the kinds."""
        return self.kinds

    def values(self):
        """Return the copies left, in kind order."""
        return [self.left[<int> kind] for kind in self.kinds]

    def items(self):
        """Return pairs of kind and copies left, in kind order."""
        return [(kind, self.left[<int> kind]) for kind in self.kinds]

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    def __hash__(self):
        return hash(tuple(self.items()))

    def text(self, notation="letters", *, dialect="tenhou"):
        """
        Return each kind with its copies.

        Examples
        --------
        >>> import mjcore
        >>> mjcore.useful_tiles("13m EE [456p] [789s] [234s]").text("chinese")
        '二万:4'
        """
        return " ".join([f"{tile_name(kind, notation, dialect=dialect)}:{left}" for kind, left in self.items()])

    def __str__(self):
        return self.text()

    def __repr__(self):
        kinds = ", ".join([f"{tile_name(kind)!r}: {left}" for kind, left in self.items()])
        return f"LiveTiles({{{kinds}}}, shanten={self.shanten})"

    def __reduce__(self):
        return _restore, (self.shanten, dict(self.items()))


Mapping.register(LiveTiles)


def _restore(shanten, left):
    cdef LiveTiles live = LiveTiles.__new__(LiveTiles)
    live.shanten = shanten
    for kind, n in left.items():
        number = kind_of(kind)
        if not 0 <= n <= N_COPIES:
            raise InvalidHandError(f"expected 0 to {N_COPIES} copies of {tile_name(number)}, got {n}")
        live.mask |= kind_bit(number)
        live.left[<int> number] = n
    return live


cdef LiveTiles live_tiles(int shanten, kindset_t kinds, const query_t* query, const hand_t* seen):
    cdef LiveTiles live = LiveTiles.__new__(LiveTiles)
    cdef int kind
    live.shanten = shanten
    live.mask = kinds
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        live.left[kind] = <uint8_t> copies_of(query, seen, kind)
    return live


cdef int read_sized(object hand, object jokers, object rules, query_t* query) except -99:
    """Read a question about a hand of 3n + 1 or 3n + 2 tiles."""
    cdef int size
    read_query(hand, jokers, rules, query)
    size = hand_size(&query.h) + query.n_jokers
    if size % 3 == 0:
        raise InvalidHandError(
            f"expected 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 concealed tiles with the jokers, got {size}")
    return 0


cdef int read_with_visible(object hand, object visible, object jokers, object rules, int remainder, query_t* query,
                           hand_t* seen) except -99:
    """Read a question about a hand of 3n + `remainder` tiles and what is seen outside of it."""
    read_sized(hand, jokers, rules, query)
    cdef int size = hand_size(&query.h) + query.n_jokers
    if size % 3 != remainder:
        sizes = "2, 5, 8, 11 or 14" if remainder == 2 else "1, 4, 7, 10 or 13"
        raise InvalidHandError(f"expected {sizes} concealed tiles with the jokers, got {size}")
    hand_clear(seen)
    if visible is not None:
        read_tiles(visible, seen)
    return 0


cdef inline bint is_plain(const query_t* query) noexcept:
    return (rules_are_default(&query.rules) and (query.melded.lane[0] | query.melded.lane[1]
                                                 | query.melded.lane[2] | query.melded.lane[3]) == 0)


cdef int ask(const query_t* query, const hand_t* h, kindset_t* useful) except -99:
    cdef int answer
    if is_plain(query):
        answer = hand_shanten(h, query.n_jokers) if useful == NULL else hand_useful(h, query.n_jokers, useful)
    else:
        answer = hand_shanten_rules(h, &query.melded, query.n_jokers, &query.rules, useful)
    if answer == SHANTEN_NONE:
        raise InvalidHandError(
            f"expected a hand that one of the forms fits, got {hand_size(h) + query.n_jokers} concealed tiles")
    return answer


def shanten(hand, /, *, jokers=0, rules=None, form=None):
    """
    Return how many useful tiles a hand is away from being ready.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 3n + 1 or 3n + 2 with the jokers.
    jokers : int, default 0
        Jokers among the tiles, 0 .. 8.
    rules : HandRules or str, optional
        Forms and options.  Default: standard form, seven different pairs, thirteen orphans.
    form : str, optional
        Measure this form alone.

    Returns
    -------
    int
        -1 complete, 0 ready, n > 0 tiles away from ready.

    Raises
    ------
    InvalidHandError
        If it is not a hand, as in `is_hu`, has 3n tiles, or no form fits its size.

    Notes
    -----
    No finished hand has more than four copies of a kind over concealed tiles and melds, so a hand that
    could only wait for a fifth copy is not ready.  With a joker that may stand for a fifth copy the limit is
    off, and what is drawn may itself be a joker.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.shanten("123456789m1155z"), mjcore.shanten("123456789mEEEE"), mjcore.shanten("245568s245568m33p")
    (0, 1, 2)
    >>> mjcore.shanten("19m19p19sESWNCFP", form="standard")
    8
    """
    cdef hand_t h
    cdef query_t query
    cdef int answer
    if type(hand) is int and jokers is ZERO and rules is None and form is None and hand_read_int(hand, h.lane) == 0:
        answer = hand_shanten(&h, 0)
        if answer != SHANTEN_NONE:
            return answer
    if form is not None:
        rules = one_form(rules, form)
    read_sized(hand, jokers, rules, &query)
    return ask(&query, &query.h, NULL)


cdef HandRules one_form(object rules, object form):
    return read_rules(rules).replace(forms=(form,))


def useful_tiles(hand, /, *, visible=None, jokers=0, rules=None):
    """
    Return the kinds that lower the shanten of a hand, with the copies left of each.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 3n + 1 or 3n + 2 with the jokers.
    visible : int, str or sequence of 34 int, optional
        Tiles seen outside the hand and its melds; they change the copies, not the kinds.
    jokers : int, default 0
        Jokers among the tiles, 0 .. 8.
    rules : HandRules or str, optional
        Forms and options.

    Returns
    -------
    LiveTiles
        Kind to copies left: four less own, melded and visible ones, never below 0.  Empty for a complete hand.

    Raises
    ------
    InvalidHandError
        As for `shanten`; or if `visible` has a fifth copy.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.useful_tiles("13p567m234sNN [888s]", visible="222p")
    LiveTiles({'2p': 1}, shanten=0)
    """
    cdef query_t query
    cdef hand_t seen
    cdef kindset_t useful = 0
    cdef int answer
    hand_clear(&seen)
    if type(hand) is int and jokers is ZERO and rules is None and visible is None \
            and hand_read_int(hand, query.h.lane) == 0:
        answer = hand_useful(&query.h, 0, &useful)
        if answer != SHANTEN_NONE:
            hand_clear(&query.melded)
            return live_tiles(answer, useful, &query, &seen)
        useful = 0
    read_sized(hand, jokers, rules, &query)
    if visible is not None:
        read_tiles(visible, &seen)
    answer = ask(&query, &query.h, &useful)
    return live_tiles(answer, useful, &query, &seen)


cdef int total_left(kindset_t kinds, const query_t* query, const hand_t* seen) noexcept:
    cdef int kind, total = 0
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        total += copies_of(query, seen, kind)
    return total


def discards(hand, /, *, visible=None, jokers=0, rules=None):
    """
    Return what becomes of a hand for each tile that it can let go.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 3n + 2 with the jokers.
    visible : int, str or sequence of 34 int, optional
        Tiles seen outside the hand and its melds.
    jokers : int, default 0
        Jokers among the tiles, 0 .. 8; they are not let go.
    rules : HandRules or str, optional
        Forms and options.

    Returns
    -------
    dict of int to LiveTiles
        Each kind held to the useful tiles after it, best first: by shanten, then by copies left, then
        by kind.

    Raises
    ------
    InvalidHandError
        As for `shanten`; or if the hand has another size.

    Examples
    --------
    >>> import mjcore
    >>> for kind, live in mjcore.discards("2359m EE").items():
    ...     print(mjcore.tile_name(kind), live.shanten, live)
    Traceback (most recent call last):
    mjcore.tiles.InvalidHandError: expected 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 concealed tiles with the jokers, got 6
    >>> for kind, live in mjcore.discards("239m EE").items():
    ...     print(mjcore.tile_name(kind), live.shanten, live)
    9m 0 1m:4 4m:4
    2m 1 1m:4 2m:3 3m:3 4m:4 5m:4 7m:4 8m:4 9m:3 E:2
    3m 1 1m:4 2m:3 3m:3 4m:4 7m:4 8m:4 9m:3 E:2
    E 1 1m:4 4m:4 9m:3 E:2
    """
    cdef query_t query
    cdef hand_t seen
    cdef hand_t rest
    cdef kindset_t held, useful
    cdef int8_t shantens[34]
    cdef kindset_t all_useful[34]
    cdef int kind, answer
    cdef bint plain
    read_with_visible(hand, visible, jokers, rules, 2, &query, &seen)
    rows = []
    held = hand_held(&query.h)
    plain = is_plain(&query)
    if plain:
        hand_discards(&query.h, query.n_jokers, shantens, all_useful)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        if plain:
            answer = shantens[kind]
            useful = all_useful[kind]
        else:
            rest = query.h
            hand_remove(&rest, kind)
            answer = ask(&query, &rest, &useful)
        live = live_tiles(answer, useful, &query, &seen)
        rows.append((answer, -total_left(useful, &query, &seen), kind, live))
    rows.sort()
    return {kind: live for _, _, kind, live in rows}


def improving_tiles(hand, /, *, visible=None, jokers=0, rules=None):
    """
    Return the kinds that leave shanten as it is, but let a hand become one with more useful copies.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles: 3n + 1 with the jokers.
    visible : int, str or sequence of 34 int, optional
        Tiles seen outside the hand and its melds.
    jokers : int, default 0
        Jokers among the tiles, 0 .. 8.
    rules : HandRules or str, optional
        Forms and options.

    Returns
    -------
    dict of int to int
        Kind to how many useful copies there are after drawing it and letting the best tile go, in kind
        order; only kinds of which a copy is left and that gain at least one.

    Raises
    ------
    InvalidHandError
        As for `shanten`; or if the hand has another size.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.useful_tiles("24m 55s").total
    4
    >>> {mjcore.tile_name(kind): copies for kind, copies in mjcore.improving_tiles("24m 55s").items()}
    {'5m': 8}
    """
    cdef query_t query
    cdef query_t drawn
    cdef hand_t seen
    cdef hand_t rest
    cdef kindset_t useful, held
    cdef int kind, answer, before, best, other, now
    read_with_visible(hand, visible, jokers, rules, 1, &query, &seen)
    answer = ask(&query, &query.h, &useful)
    before = total_left(useful, &query, &seen)
    gains = {}
    for kind in range(N_KINDS):
        if (useful >> kind) & 1 or copies_of(&query, &seen, kind) == 0:
            continue
        drawn = query
        hand_add(&drawn.h, kind)
        best = before
        held = hand_held(&drawn.h) & ~kind_bit(kind)
        while held:
            other = lowest_bit(held)
            held &= held - 1
            rest = drawn.h
            hand_remove(&rest, other)
            if ask(&drawn, &rest, NULL) == answer:
                ask(&drawn, &rest, &useful)
                # the tile let go is out of play, the tile drawn is no longer in the wall
                now = total_left(useful, &drawn, &seen)
                if now > best:
                    best = now
        ask(&query, &query.h, &useful)
        if best > before:
            gains[kind] = best
    return gains
