"""The fans of one reading of a winning hand: the groups that make each, what is excluded, the decomposition."""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport free

from mjcore.account_once cimport fan_of
from mjcore.forms cimport FORM_HONORS_AND_KNITTED, FORM_KNITTED_STRAIGHT, FORM_SEVEN_PAIRS, FORM_STANDARD
from mjcore.group_relations cimport relations_of, relations_t
from mjcore.group_texts cimport group_text, meld_as_text, tiles_text
from mjcore.groups cimport GROUP_PUNG, NO_KIND
from mjcore.packed cimport FIRST_HONOR, N_KINDS, hand_count, hand_t, hand_sum, kind_index, lowest_bit
from mjcore.programs cimport Program, has_row, program_t
from mjcore.scoring cimport hand_score
from mjcore.totals cimport fan_count, result_t
from mjcore.win_checks cimport (
    MELD_ADDED_KONG,
    MELD_CONCEALED_KONG,
    MELD_DIRECT_KONG,
    WON_SELF_DRAWN,
    win_t,
)
from mjcore.wins cimport Win, all_readings, read_result

from mjcore.decomposition import FORM_NAMES, Decomposition, _knitted, _meld

ACCOUNT_ONCE = "account_once"
"""The principle in `Excluded.by` of a chow or pung fan for which no unused set was left."""

cdef enum:
    # words of `shows`, in the order of the groups that are asked about last
    SHOW_NONE = 0
    SHOW_WIN = 1
    SHOW_EYES = 2
    SHOW_BODY = 3
    SHOW_HOGS = 4
    SHOW_ALL = 5
    SHOW_GROUPS = 6
    SHOW_CHOWS = 7
    SHOW_PUNGS = 8
    SHOW_KONGS = 9
    SHOW_CONCEALED_KONGS = 10
    SHOW_OPEN_KONGS = 11
    SHOW_CONCEALED_PUNGS = 12
    SHOW_DRAGON_PUNGS = 13
    SHOW_WIND_PUNGS = 14
    SHOW_GUEST_WIND_PUNGS = 15
    SHOW_SEAT_PUNG = 16
    SHOW_ROUND_PUNG = 17
    SHOW_TERMINAL_PUNGS = 18
    N_SHOWS = 19

cdef dict SHOW_PLACES = {
    name: place for place, name in enumerate((
        "none", "win", "eyes", "body", "hogs", "all", "groups", "chows", "pungs", "kongs", "concealed_kongs",
        "open_kongs", "concealed_pungs", "dragon_pungs", "wind_pungs", "guest_wind_pungs", "seat_pung", "round_pung",
        "terminal_pungs"))
}

cdef tuple set_decomposition = tuple([getattr(Decomposition, name).__set__ for name in Decomposition.__slots__])


@cython.final
@cython.auto_pickle(False)
cdef class Fan:
    """
    A fan of a score.

    Attributes
    ----------
    id, zh, en : str
        Its id and its names.
    points : int
        What it is worth each time.
    count : int
        How often it counts.
    groups : tuple of tuple of str
        The groups or tiles that make it, once for each time that it counts where that can be told apart.
        Declared melds are in brackets.

    Examples
    --------
    >>> import mjcore
    >>> fan = mjcore.score("789sNNFF [123m] [456p]", win_tile="F").fans[0]
    >>> fan.id, fan.zh, fan.total, fan.groups
    ('mixed_straight', '花龙', 8, (('[123m]', '[456p]', '789s'),))
    """

    cdef readonly str id
    cdef readonly str zh
    cdef readonly str en
    cdef readonly object points
    cdef readonly object count
    cdef tuple made_groups          # None until they are asked for
    cdef Shape shape                # what they are found from
    cdef int place

    def __init__(self, str id not None, str zh not None, str en not None, points, count, tuple groups not None):
        if self.id is not None:
            raise AttributeError("Fan is immutable")
        self.id = id
        self.zh = zh
        self.en = en
        self.points = points
        self.count = count
        self.made_groups = groups

    @property
    def groups(self):
        """The groups or tiles that make it."""
        if self.made_groups is None and self.shape is not None:
            self.made_groups = self.shape.fan_groups(self.place, self.count)
        return self.made_groups

    @property
    def total(self):
        """Points times count."""
        return self.points * self.count

    def name(self, lang="en"):
        """Return its name in a language."""
        return self.zh if lang == "zh" else self.en

    def to_dict(self):
        """Return plain values, for JSON."""
        return {
            "id": self.id,
            "zh": self.zh,
            "en": self.en,
            "points": self.points,
            "count": self.count,
            "total": self.total,
            "groups": [list(group) for group in self.groups],
        }

    cdef tuple key(self):
        return self.id, self.zh, self.en, self.points, self.count, self.groups

    def __eq__(self, other):
        return self.key() == (<Fan> other).key() if isinstance(other, Fan) else NotImplemented

    def __hash__(self):
        return hash(self.key())

    def __repr__(self):
        names = ("id", "zh", "en", "points", "count", "groups")
        return f"Fan({', '.join([f'{name}={value!r}' for name, value in zip(names, self.key())])})"

    def __reduce__(self):
        return Fan, self.key()

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


cdef Fan make_fan(object row, int place, int count, Shape shape):
    cdef Fan fan = Fan.__new__(Fan)
    fan.id = row.id
    fan.zh = row.zh
    fan.en = row.en
    fan.points = row.points
    fan.count = count
    fan.place = place
    fan.shape = shape
    return fan


@cython.final
@cython.auto_pickle(False)
cdef class Shape:
    """
    What is in one reading of a winning hand, found when it is asked for.

    Parameters
    ----------
    win : Win
        The hand.
    rules : RuleSet
        What it is scored by.
    place : int
        Which of the readings, from 0; -1: the best.

    Raises
    ------
    LookupError
        If there is no such reading.
    """

    cdef result_t c
    cdef win_t w
    cdef readonly Win win
    cdef readonly object rules
    cdef readonly int place
    cdef Program program
    cdef tuple rows                 # of the rule set
    cdef object made_decomposition
    cdef list made_parts

    def __cinit__(self, Win win not None, rules, int place=-1):
        cdef result_t* found
        cdef int n = 0
        win.check_ready()
        self.win = win
        self.w = win.c
        self.rules = rules
        self.rows = rules.fans
        self.program = rules._program
        if self.rows is None or self.program is None or len(self.rows) != self.program.c.n_fans:
            raise TypeError("expected a rule set")
        self.place = place
        # the place and the facts of waits are those of all readings only where all are asked for
        if place < 0:
            if hand_score(&self.w, self.program.c, &self.c, NULL, 0) == 0:
                raise LookupError("expected a reading of the hand")
            return
        found = all_readings(&self.w, self.program.c, &n)
        try:
            if place >= n:
                raise LookupError("expected a reading of the hand")
            self.c = found[place]
        finally:
            free(found)

    @property
    def total(self):
        """Points, with the bonus fans."""
        return self.c.total

    @property
    def bonus(self):
        """Points of bonus fans."""
        return self.c.bonus

    @property
    def role(self):
        """What the winning tile completes, a place in `ROLES`."""
        return self.c.reading.role

    @property
    def form(self):
        """The shape: one of `HandRules.forms`."""
        return FORM_NAMES[self.c.reading.form]

    @property
    def key(self):
        """What tells it from the other readings of its hand."""
        return read_result(&self.c, self.program.c)[:12]

    @property
    def facts(self):
        """Its facts as one int, those of the waits among them."""
        key = self.key
        return next(facts for raw, facts in self.win.readings(self.program) if raw[:12] == key)

    # --- fans

    @property
    def fans(self):
        """What counts, in table order."""
        cdef uint64_t left
        cdef int word, row
        cdef list fans = []
        for word in range(2):
            left = self.c.counted[word]
            while left:
                row = 64 * word + lowest_bit(left)
                left &= left - 1
                fans.append(make_fan(self.rows[row], row, fan_count(&self.c, self.program.c, row), self))
        return tuple(fans)

    def count(self, int row):
        """Return how often a row counts."""
        return fan_count(&self.c, self.program.c, row) if 0 <= row < self.program.c.n_fans else 0

    @property
    def excluded(self):
        """
        What holds and does not count, as pairs of places: a row, and the row that it is part of.

        -1 instead of the second row says that account-once left it out.
        """
        # Goes through the rows as the kernel does, and writes down what takes what away.
        cdef const program_t* program = self.program.c
        cdef uint64_t left[2]
        cdef uint64_t gone[2]
        cdef uint64_t todo
        cdef int by[128]
        cdef int word, row, i, other
        cdef list found = []
        for i in range(2):
            left[i] = self.c.standing[i]
            gone[i] = self.c.met[i] & program.family[i] & ~self.c.standing[i]
        for row in range(program.n_rows):
            by[row] = -1
        for word in range(2):
            todo = left[word] & program.absorbing[word]
            while todo:
                row = 64 * word + lowest_bit(todo)
                todo &= todo - 1
                if not has_row(self.c.counted, row):        # partial absorbs left nothing of it
                    continue
                for i in range(2):
                    taken = left[i] & program.absorbs[row][i]
                    left[i] &= ~taken
                    gone[i] |= taken
                    while taken:
                        by[64 * i + lowest_bit(taken)] = row
                        taken &= taken - 1
                todo &= left[word]
        for word in range(2):
            todo = gone[word]
            while todo:
                row = 64 * word + lowest_bit(todo)
                todo &= todo - 1
                found.append((row, by[row]))
        self.add_left_over(found)
        for i in range(program.n_partials):
            row, other = program.partials[i].row, program.partials[i].target
            if has_row(left, row) and has_row(left, other):
                found.append((other, row))
        return found

    cdef int add_left_over(self, list found) except -1:
        """Add fans of pairs that are there more often than account-once lets them count."""
        cdef relations_t relations
        cdef int i, j, row, n
        cdef int pair_row[6]
        cdef set rows = set()
        if self.c.n_chosen == 0:
            return 0
        relations_of(&self.c.reading, &relations)
        for i in range(6):
            pair_row[i] = fan_of(self.program.c, self.c.met, relations.pair[i])
        for i in range(self.c.n_chosen):
            row = self.c.chosen[i].row
            n = 0
            for j in range(6):
                n += pair_row[j] == row
            for j in range(self.c.n_chosen):
                n -= self.c.chosen[j].row == row
            if n > 0 and has_row(self.c.counted, row):
                rows.add(row)
        for place in sorted(rows):
            found.append((place, -1))
        return 0

    # --- groups

    def groups(self, int row):
        """Return the groups that make a fan."""
        if not 0 <= row < self.program.c.n_fans:
            raise IndexError("expected the place of a fan")
        return self.fan_groups(row, fan_count(&self.c, self.program.c, row))

    cdef tuple fan_groups(self, int row, int count):
        cdef tuple shows, parts
        cdef int i
        if has_row(self.program.c.family, row):
            return tuple([
                self.some_groups(self.c.chosen[i].groups) for i in range(self.c.n_chosen)
                if self.c.chosen[i].row == row])
        shows = self.rows[row].shows
        parts = ()
        for i in range(len(shows)):
            parts += self.parts(SHOW_PLACES[shows[i]])
        if len(parts) == count > 1:
            return tuple([(part,) for part in parts])
        return (parts,) if parts else ()

    cdef tuple some_groups(self, int groups):
        """The texts of groups, one bit each."""
        cdef tuple texts = self.parts(SHOW_GROUPS)
        cdef int i
        return tuple([texts[i] for i in range(self.c.reading.n_groups) if groups >> i & 1])

    cdef tuple parts(self, int word):
        """The groups or tiles that a word of `shows` means; SHOW_GROUPS are all but the eyes."""
        if self.made_parts is None:
            self.made_parts = [None] * N_SHOWS
        parts = self.made_parts[word]
        if parts is None:
            parts = self.made_parts[word] = self.find_parts(word)
        return parts

    cdef tuple find_parts(self, int word):
        cdef int i, eyes = self.c.reading.eyes
        if word == SHOW_NONE:
            return ()
        if word == SHOW_WIN:
            return (tiles_text((self.w.kind,)),)
        if word == SHOW_EYES:
            return () if eyes == NO_KIND else (tiles_text((eyes, eyes)),)
        if word == SHOW_BODY:
            return self.body()
        if word == SHOW_HOGS:
            return self.hogs()
        if word == SHOW_GROUPS:
            return tuple([
                meld_as_text(self.w.melds[i]) if i < self.c.reading.n_melds
                else group_text(self.c.reading.groups[i] & 0x7F)
                for i in range(self.c.reading.n_groups)])
        if word == SHOW_ALL:
            if self.c.reading.form == FORM_STANDARD:
                return self.parts(SHOW_GROUPS) + self.parts(SHOW_EYES)
            if self.c.reading.form == FORM_KNITTED_STRAIGHT:
                return self.parts(SHOW_BODY) + self.parts(SHOW_GROUPS) + self.parts(SHOW_EYES)
            return tuple([tiles_text(group) for group in self.decomposition.groups])
        texts = self.parts(SHOW_GROUPS)
        return tuple([texts[i] for i in range(self.c.reading.n_groups) if self.is_shown(word, i)])

    cdef tuple body(self):
        """The knitted tiles; those of honors and knitted as far as they are held."""
        cdef int kind
        if self.c.reading.order == NO_KIND:
            return ()
        kinds = tuple([kind for kind in _knitted(self.c.reading.order) if hand_count(&self.w.concealed, kind)])
        return (tiles_text(kinds),) if kinds else ()

    cdef tuple hogs(self):
        """Four copies of a kind that are no kong."""
        cdef hand_t total
        cdef uint64_t kongs = 0
        cdef int i, kind
        hand_sum(&self.w.concealed, &self.w.melded, &total)
        for i in range(self.w.n_melds):
            if self.w.melds[i] >> 6 & 7 >= MELD_DIRECT_KONG:
                kongs |= <uint64_t> 1 << (self.w.melds[i] & 0x3F)
        return tuple([
            tiles_text((kind,) * 4) for kind in range(N_KINDS)
            if hand_count(&total, kind) == 4 and not kongs >> kind & 1])

    cdef bint is_shown(self, int word, int i):
        """Whether a group is what a word means."""
        cdef int group = self.c.reading.groups[i], kind = group & ~GROUP_PUNG
        cdef int kind_type = self.w.melds[i] >> 6 & 7 if i < self.c.reading.n_melds else 0
        if word == SHOW_CHOWS:
            return not group & GROUP_PUNG
        if not group & GROUP_PUNG:
            return False
        if word == SHOW_PUNGS:
            return True
        if word == SHOW_KONGS:
            return kind_type >= MELD_DIRECT_KONG
        if word == SHOW_CONCEALED_KONGS:
            return kind_type == MELD_CONCEALED_KONG
        if word == SHOW_OPEN_KONGS:
            return kind_type == MELD_DIRECT_KONG or kind_type == MELD_ADDED_KONG
        if word == SHOW_CONCEALED_PUNGS:
            if kind_type:
                return kind_type == MELD_CONCEALED_KONG
            return self.c.reading.role_group != i or self.w.flags & WON_SELF_DRAWN
        if word == SHOW_DRAGON_PUNGS:
            return FIRST_HONOR <= kind < FIRST_HONOR + 3
        if word == SHOW_WIND_PUNGS:
            return kind >= FIRST_HONOR + 3
        if word == SHOW_GUEST_WIND_PUNGS:
            return kind >= FIRST_HONOR + 3 and kind != self.w.seat_wind and kind != self.w.round_wind
        if word == SHOW_SEAT_PUNG:
            return kind == self.w.seat_wind
        if word == SHOW_ROUND_PUNG:
            return kind == self.w.round_wind
        return kind < FIRST_HONOR and kind_index(kind) in (0, 8)

    # --- decomposition

    @property
    def decomposition(self):
        """The concealed tiles."""
        if self.made_decomposition is None:
            self.made_decomposition = self.decompose()
        return self.made_decomposition

    cdef object decompose(self):
        cdef int form = self.c.reading.form, i, j, kind, n_melds = 0, code, eyes = self.c.reading.eyes
        cdef int codes[4]
        cdef tuple melds = (), pairs = (), singles = ()
        if form == FORM_SEVEN_PAIRS:
            pairs = tuple([
                kind for kind in range(N_KINDS) for _ in range(hand_count(&self.w.concealed, kind) // 2)])
        elif form == FORM_HONORS_AND_KNITTED:
            singles = tuple([kind for kind in range(N_KINDS) if hand_count(&self.w.concealed, kind)])
        else:
            # by lowest kind, a chow before a pung
            for i in range(self.c.reading.n_melds, self.c.reading.n_groups):
                code = self.c.reading.groups[i]
                j = n_melds
                while j and group_order(codes[j - 1]) > group_order(code):
                    codes[j] = codes[j - 1]
                    j -= 1
                codes[j] = code
                n_melds += 1
            melds = tuple([_meld(codes[i]) for i in range(n_melds)])
            if self.c.reading.order != NO_KIND:
                singles = _knitted(self.c.reading.order)
        made = object.__new__(Decomposition)
        values = (FORM_NAMES[form], melds, None if eyes == NO_KIND else eyes, pairs, (), True, singles)
        for put, value in zip(set_decomposition, values):
            put(made, value)
        return made


cdef inline int group_order(int group) noexcept nogil:
    return 2 * (group & ~GROUP_PUNG) + (group & GROUP_PUNG != 0)
