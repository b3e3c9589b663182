"""Winning hands made ready to be scored, and their readings as Python values."""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from mjcore.account_once cimport N_EDGES, fan_of
from mjcore.group_relations cimport relations_of, relations_t
from mjcore.groups cimport reading_t
from mjcore.packed cimport (
    FIRST_HONOR,
    N_COPIES,
    N_KINDS,
    N_TILES_MAX,
    hand_add,
    hand_count,
    hand_read_int,
    hand_size,
    hand_write_int,
    lowest_bit,
)
from mjcore.programs cimport Program, has_row, program_t, within
from mjcore.query cimport read_tiles
from mjcore.scoring cimport hand_score
from mjcore.totals cimport fan_count, result_t
from mjcore.win_checks cimport (
    CONTEXT_CONCEALED_NOT_ROBBED,
    CONTEXT_FIRST_TURN_MELDS,
    CONTEXT_FIRST_TURN_WALL_LAST,
    CONTEXT_FOURTH_HELD,
    CONTEXT_REPLACEMENT_CLAIMED,
    CONTEXT_REPLACEMENT_NO_KONG,
    CONTEXT_ROB_HELD,
    CONTEXT_ROB_REPLACEMENT,
    CONTEXT_ROB_SELF_DRAWN,
    CONTEXT_ROB_WALL_LAST,
    CONTEXT_UNKNOWN_FLAG,
    MELD_ADDED_KONG,
    MELD_CHOW,
    MELD_CONCEALED_KONG,
    MELD_DIRECT_KONG,
    MELD_PUNG,
    N_GROUPS,
    WIN_BAD_CONTEXT,
    WIN_BAD_HAND,
    WIN_BAD_MELD,
    WIN_BAD_TILE,
    WON_ALL,
    WON_FIRST_TURN,
    WON_FOURTH_VISIBLE,
    WON_KONG_REPLACEMENT,
    WON_READY_AT_DEAL,
    WON_ROB_CONCEALED,
    WON_ROB_KONG,
    WON_SELF_DRAWN,
    WON_WALL_LAST,
    win_check,
    win_settle,
)
from mjcore.win_waits cimport win_waits


from mjcore.hand import Hand
from mjcore.tiles import LETTERS, ContextError, InvalidHandError, NotAWinError

MELD_CODES = {
    "chow": MELD_CHOW,
    "pung": MELD_PUNG,
    "direct_kong": MELD_DIRECT_KONG,
    "added_kong": MELD_ADDED_KONG,
    "concealed_kong": MELD_CONCEALED_KONG,
}
"""The type of a meld in bits 6 .. 8 of its 16."""


cdef int check_context(object flags, object seat_wind, object round_wind, object n_flowers) except -1:
    within([flags], 0, WON_ALL, "flags")
    within([seat_wind, round_wind], FIRST_HONOR + 3, N_KINDS - 1, "winds")
    within([n_flowers], 0, 8, "flowers")
    return 0


PROBLEMS = {
    WIN_BAD_HAND: "hand",
    WIN_BAD_MELD: "meld",
    WIN_BAD_TILE: "winning tile",
    WIN_BAD_CONTEXT: "context",
}
"""What win_check finds wrong."""

CONTRADICTIONS = {
    CONTEXT_ROB_SELF_DRAWN: "rob_kong contradicts self_drawn: a robbed kong is another player's tile",
    CONTEXT_ROB_REPLACEMENT: "rob_kong contradicts kong_replacement: the tile is either robbed or drawn",
    CONTEXT_REPLACEMENT_CLAIMED: "kong_replacement contradicts a win that is not self_drawn: the tile is drawn",
    CONTEXT_REPLACEMENT_NO_KONG: "kong_replacement contradicts the melds: the winner has no kong",
    CONTEXT_ROB_WALL_LAST: "rob_kong contradicts wall_last: nobody may add a kong when the wall is empty",
    CONTEXT_ROB_HELD: "rob_kong contradicts the hand: the winner holds a copy of the winning tile {tile}",
    CONTEXT_FOURTH_HELD: "fourth_visible contradicts the hand: it holds another copy of the winning tile {tile}",
    CONTEXT_CONCEALED_NOT_ROBBED: "rob_concealed contradicts a win without rob_kong",
    CONTEXT_FIRST_TURN_MELDS: "first_turn contradicts the melds: it is before any of them",
    CONTEXT_FIRST_TURN_WALL_LAST: "first_turn contradicts wall_last: the wall does not end in the first turn",
    CONTEXT_UNKNOWN_FLAG: "an unknown flag is set",
}
"""What win_settle finds wrong."""

FLAGS = {
    "self_drawn": WON_SELF_DRAWN,
    "wall_last": WON_WALL_LAST,
    "kong_replacement": WON_KONG_REPLACEMENT,
    "rob_kong": WON_ROB_KONG,
    "fourth_visible": WON_FOURTH_VISIBLE,
    "rob_concealed": WON_ROB_CONCEALED,
    "first_turn": WON_FIRST_TURN,
    "ready_at_deal": WON_READY_AT_DEAL,
}
"""Bits of the flags of a win by the name of the field of `Context`."""


cdef result_t* all_readings(const win_t* win, const program_t* program, int* n) except NULL:
    """Every reading, in memory that the caller frees."""
    cdef result_t best
    cdef result_t* results
    n[0] = hand_score(win, program, &best, &best, 0)
    results = <result_t*> calloc(n[0] + 1, sizeof(result_t))
    if results == NULL:
        raise MemoryError("no memory for the readings of a hand")
    hand_score(win, program, &best, results, n[0])
    return results


@cython.final
@cython.auto_pickle(False)
cdef class Win:
    """
    A winning hand made ready to be scored, under any rule set, any number of times.

    Parameters
    ----------
    concealed : int
        The concealed tiles, the winning tile among them.
    melds : sequence of int
        Declared melds in 16 bits each, as `mjcore.batch_score` takes them.
    win_tile : int
        The kind of the winning tile.
    flags : int
        Bits of `FLAGS`.
    seat_wind, round_wind : int
        Kinds.
    n_flowers : int
        Flowers and seasons.
    """

    def __init__(self, concealed, melds, int win_tile, unsigned int flags, int seat_wind, int round_wind,
                 int n_flowers):
        cdef int i
        self.ready = False
        melds = tuple(melds)
        if not isinstance(concealed, int) or hand_read_int(concealed, self.c.concealed.lane) < 0:
            raise ValueError("expected a packed hand")
        if len(melds) > N_GROUPS:
            raise ValueError(f"expected at most {N_GROUPS} melds, got {len(melds)}")
        if not 0 <= win_tile < N_KINDS:
            raise ValueError(f"expected a kind of 0 to {N_KINDS - 1}, got {win_tile}")
        check_context(flags, seat_wind, round_wind, n_flowers)
        self.c.n_melds = len(melds)
        for i in range(len(melds)):
            self.c.melds[i] = melds[i]
        self.c.kind = win_tile
        self.c.flags = flags
        self.c.seat_wind = seat_wind
        self.c.round_wind = round_wind
        self.c.n_flowers = n_flowers
        problem = PROBLEMS.get(win_check(&self.c))
        if problem:
            raise InvalidHandError(f"expected a winning hand in its context, got a wrong {problem}")
        self.ready = True

    @staticmethod
    def read(hand, int win_tile, context):
        """
        Return a checked win from a hand in any form, which takes the winning tile in where it is one tile short.

        Parameters
        ----------
        hand : int, str, Hand or sequence of 34 int
            The concealed tiles, with melds in a `Hand` or in brackets.
        win_tile : int
            A kind.
        context : tuple
            Flags, seat wind, round wind, flowers.
        """
        cdef Win win = Win.__new__(Win)
        cdef int n_tiles, held
        if not 0 <= win_tile < N_KINDS:
            raise ValueError(f"expected a kind of 0 to {N_KINDS - 1}, got {win_tile}")
        flags, seat_wind, round_wind, n_flowers = context
        check_context(flags, seat_wind, round_wind, n_flowers)
        if isinstance(hand, str) and "[" in hand:
            hand = Hand(hand)
        if isinstance(hand, Hand):
            hand_read_int(hand._packed, win.c.concealed.lane)
            hand_read_int(hand._melded, win.c.melded.lane)
            if len(hand.melds) > N_GROUPS:
                raise InvalidHandError(f"expected at most {N_GROUPS} melds, got {len(hand.melds)}")
            for meld in tuple(hand.melds)[:N_GROUPS]:
                win.c.melds[win.c.n_melds] = <int> meld.kind | <int> MELD_CODES[meld.type] << 6
                win.c.n_melds += 1
        else:
            read_tiles(hand, &win.c.concealed)
        win.c.kind = win_tile
        win.c.flags, win.c.seat_wind, win.c.round_wind, win.c.n_flowers = context
        n_tiles = hand_size(&win.c.concealed) + 3 * win.c.n_melds
        held = hand_count(&win.c.concealed, win_tile)
        if n_tiles == N_TILES_MAX - 1:
            if held + hand_count(&win.c.melded, win_tile) == N_COPIES:
                raise InvalidHandError(
                    f"expected at most {N_COPIES} copies of a kind, got a fifth {LETTERS[win_tile]} to win on")
            hand_add(&win.c.concealed, win_tile)
        elif n_tiles == N_TILES_MAX:
            if held == 0:
                raise InvalidHandError(
                    f"expected the winning tile among the concealed tiles, got {LETTERS[win_tile]}")
        elif n_tiles > N_TILES_MAX:
            raise InvalidHandError(f"expected 13 or {N_TILES_MAX} tiles, a meld counted as three, got {n_tiles}")
        else:
            raise NotAWinError(f"expected 13 or {N_TILES_MAX} tiles, a meld counted as three, got {n_tiles}")
        if win_check(&win.c):
            raise InvalidHandError("expected a hand with at most four copies of a kind and melds that fit")
        win.ready = True
        return win

    cdef int check_ready(self) except -1:
        if not self.ready:
            raise ValueError("expected a hand that was read")
        return 0

    def settle(self, bint normalise):
        """Set what the hand implies, and put contradictions out or raise ContextError for the first."""
        cdef int found
        self.check_ready()
        found = win_settle(&self.c, normalise)
        if found:
            raise ContextError(CONTRADICTIONS[found].format(tile=LETTERS[self.c.kind]))

    @property
    def concealed(self):
        """The concealed tiles, the winning tile among them."""
        return hand_write_int(self.c.concealed.lane)

    @property
    def melds(self):
        """The declared melds in 16 bits each."""
        return tuple([self.c.melds[i] for i in range(self.c.n_melds)])

    @property
    def win_tile(self):
        """The kind of the winning tile."""
        return self.c.kind

    @property
    def flags(self):
        """Bits of `FLAGS`, those implied among them."""
        return self.c.flags

    @property
    def context(self):
        """Flags, seat wind, round wind and flowers."""
        return self.c.flags, self.c.seat_wind, self.c.round_wind, self.c.n_flowers

    @property
    def key(self):
        """What makes it equal to another."""
        return self.concealed, self.melds, self.c.kind, self.context

    def total(self, Program program not None):
        """Return the total under a rule set, -1 where the hand is not a win."""
        cdef result_t best
        self.check_ready()
        if hand_score(&self.c, program.c, &best, NULL, 0) == 0:
            return -1
        return best.total

    def waits(self, Program program not None):
        """Return the kinds that complete the tiles before the winning one, by shape, as a mask."""
        self.check_ready()
        return win_waits(&self.c, program.c.forms, program.c.quads)

    def unmet(self, Program program not None):
        """Return which requirements, by place, no reading of the hand meets; none of a hand that has no reading."""
        cdef int i, row, n = 0
        cdef result_t* results = NULL
        cdef program_t* without
        self.check_ready()
        without = <program_t*> calloc(1, sizeof(program_t))
        if without == NULL:
            raise MemoryError("no memory for a rule set")
        try:
            without[0] = program.c[0]
            without.required[0] = without.required[1] = 0
            results = all_readings(&self.c, without, &n)
            return [row - program.c.n_fans for row in range(program.c.n_fans, program.c.n_rows)
                    if n and not any([has_row(results[i].met, row) for i in range(n)])]
        finally:
            free(results)
            free(without)

    def readings(self, Program program not None):
        """
        Return every reading as a pair: a tuple of its form, eyes, knitted order, groups, role, group of the role,
        total, bonus, counts by row, rows met, rows after account-once, chosen fans with their groups, place, the fan of
        each pair of groups that makes one; and its facts as one int.
        """
        cdef int i, n = 0
        cdef result_t* results
        self.check_ready()
        results = all_readings(&self.c, program.c, &n)
        try:
            return [(read_result(&results[i], program.c), facts_int(&results[i])) for i in range(n)]
        finally:
            free(results)

    def __reduce__(self):
        cdef int i
        return Win, (hand_write_int(self.c.concealed.lane), [self.c.melds[i] for i in range(self.c.n_melds)],
                     self.c.kind, self.c.flags, self.c.seat_wind, self.c.round_wind, self.c.n_flowers)


cdef object rows_int(const uint64_t* rows):
    return rows[0] | <object> rows[1] << 64


cdef object facts_int(const result_t* result):
    return rows_int(&result.facts.word[0]) | rows_int(&result.facts.word[2]) << 128


cdef tuple read_result(const result_t* result, const program_t* program):
    cdef int i, word
    cdef uint64_t left
    cdef const reading_t* reading = &result.reading
    cdef relations_t relations
    relations_of(reading, &relations)
    # a fan of pairs may be there more often than account-once lets it count
    pairs = [fan_of(program, result.met, relations.pair[i]) for i in range(N_EDGES)]
    counts = []
    for word in range(2):
        left = result.counted[word]
        while left:
            i = 64 * word + lowest_bit(left)
            left &= left - 1
            counts.append((i, fan_count(result, program, i)))
    return (
        reading.form, reading.eyes, reading.order, tuple([reading.groups[i] for i in range(reading.n_groups)]),
        reading.role, reading.role_group, result.total, result.bonus, tuple(counts),
        rows_int(result.met), rows_int(result.standing),
        tuple([(result.chosen[i].row, result.chosen[i].groups) for i in range(result.n_chosen)]), result.place,
        tuple([row for row in pairs if row >= 0]),
    )
