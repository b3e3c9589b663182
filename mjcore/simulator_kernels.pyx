"""
Games played in C: seeded walls, the policies that have a name, and what danger is measured from.

A game is known by its seed and number: the wall is shuffled by a generator of its own, which then serves the
random policy, so that no game depends on another and any number of threads plays the same ones.
simulator.py plays the same games in Python for policies that are callables; the tests compare the two.
"""

from libc.stdint cimport int64_t, int8_t, uint8_t, uint64_t

from mjcore.forms cimport rules_t
from mjcore.kernels cimport hand_is_hu, rules_default
from mjcore.packed cimport (
    N_KINDS,
    hand_add,
    hand_clear,
    hand_count,
    hand_held,
    hand_remove,
    hand_size,
    hand_t,
    kind_bit,
    kindset_size,
    kindset_t,
    lowest_bit,
)
from mjcore.packing cimport read_packed
from mjcore.profile cimport hand_discards, hand_shanten, hand_waits
from mjcore.quality_input cimport DangerValues, read_view
from mjcore.quality_kernels cimport (
    N_RECENT,
    POLICY_ARTICLE,
    POLICY_EFFICIENCY,
    article_default,
    article_t,
    comes_before,
    discard_rows,
    discard_t,
    first_discard,
    live_copies,
    live_t,
    melds_clear,
    melds_t,
    view_clear,
    view_t,
)

from mjcore.arguments import read_whole
from mjcore.tiles import InvalidHandError

WORD_MAX = (1 << 64) - 1

cdef enum:
    N_TILES = 136
    N_DEALT = 13
    N_PLAYERS = 4
    NOBODY = 255

cdef enum:
    RANDOM = 0
    ARTICLE = 1
    SHANTEN = 2
    EFFICIENCY = 3
    EFFICIENCY_DANGER = 4

# How efficiency_danger weighs; found by trying, see simulator.py.
cdef enum:
    COPIES_A_POINT = 4      # useful copies that are given for a point of the discard score
    DRAWS_A_STEP = 4        # draws that a step towards the win takes
    COPIES_A_STEP = 1000000     # more than any danger is worth


POLICIES = ("random", "article", "shanten", "efficiency", "efficiency_danger")

ctypedef struct policy_t:
    int name
    article_t article
    const double* danger    # 34 x 34; NULL where nobody is feared


# --- chance ------------------------------------------------------------------------------------

cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t next_word(uint64_t* state) noexcept nogil:
    """SplitMix64 (Steele, Lea and Flood, 2014)."""
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    return mixed(state[0])


cdef inline int next_below(uint64_t* state, int n) noexcept nogil:
    return <int> ((next_word(state) >> 32) * <uint64_t> n >> 32)


cdef uint64_t shuffle_wall(uint64_t seed, uint64_t game, uint8_t* wall) noexcept nogil:
    """Fill in the wall of a game; the state of its generator afterwards."""
    cdef uint64_t state = seed
    cdef int i, j
    state = mixed(next_word(&state) + game)
    for i in range(N_TILES):
        wall[i] = <uint8_t> (i >> 2)
    for i in range(N_TILES - 1, 0, -1):
        j = next_below(&state, i + 1)
        wall[i], wall[j] = wall[j], wall[i]
    return state


# --- policies ----------------------------------------------------------------------------------

cdef int random_tile(const hand_t* h, uint64_t* state) noexcept nogil:
    cdef kindset_t held = hand_held(h)
    cdef int kind = 0, n = 0
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        n += hand_count(h, kind)
    n = next_below(state, n)
    held = hand_held(h)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        n -= hand_count(h, kind)
        if n < 0:
            break
    return kind


cdef int lowest_shanten(const hand_t* h) noexcept nogil:
    """The first kind, in kind order, that leaves the lowest shanten."""
    cdef int8_t shanten[34]
    cdef kindset_t useful[34]
    cdef int kind, best = 0
    hand_discards(h, 0, shanten, useful)
    for kind in range(1, N_KINDS):
        if shanten[kind] < shanten[best]:
            best = kind
    return best


cdef int waits_before(const hand_t* h, int drawn, const view_t* view) noexcept nogil:
    """Live wait kinds of the hand before the draw."""
    cdef hand_t none
    cdef hand_t rest = h[0]
    cdef live_t live
    if drawn < 0:
        return 0
    hand_remove(&rest, drawn)
    if hand_shanten(&rest, 0) != 0:
        return 0
    hand_clear(&none)
    live_copies(&rest, &none, &view.seen, &live)
    return kindset_size(hand_waits(&rest, 0) & live.at_least[0])


cdef int careful_row(const discard_t* rows, int n, int draws_left, const article_t* article) noexcept nogil:
    """
    The row of the lowest shanten, then of most useful copies less what the danger is worth in copies.

    Once fewer draws are left than it takes to make the hand ready, the least dangerous tile goes.  Equal rows are
    taken as by efficiency.
    """
    cdef int i, best = 0, shanten = rows[0].shanten
    cdef double value, best_value = 0
    cdef bint hopeless
    for i in range(1, n):
        shanten = min(shanten, rows[i].shanten)
    hopeless = DRAWS_A_STEP * shanten > draws_left
    for i in range(n):
        if hopeless:
            value = -rows[i].danger
        else:
            value = (rows[i].n_live - COPIES_A_STEP * rows[i].shanten
                     - COPIES_A_POINT * article.danger * rows[i].danger)
        if i and value < best_value:
            continue
        if i == 0 or value > best_value or comes_before(&rows[i], &rows[best], POLICY_EFFICIENCY):
            best = i
            best_value = value
    return best


cdef int choose(const policy_t* policy, const hand_t* h, int drawn, int draws_left, const view_t* view,
                uint64_t* state) noexcept nogil:
    """The kind to let go."""
    cdef discard_t rows[14]
    cdef discard_t first
    cdef melds_t melds
    cdef rules_t rules
    cdef int n, before
    if policy.name == RANDOM:
        return random_tile(h, state)
    if policy.name == SHANTEN:
        return lowest_shanten(h)
    melds_clear(&melds)
    rules = rules_default()
    before = waits_before(h, drawn, view)
    if policy.name == EFFICIENCY:
        return first_discard(h, &melds, view, &rules, NULL, &policy.article, before, POLICY_EFFICIENCY, &first)
    if policy.name == ARTICLE:
        return first_discard(h, &melds, view, &rules, policy.danger, &policy.article, before, POLICY_ARTICLE, &first)
    n = discard_rows(h, &melds, view, &rules, policy.danger, &policy.article, before, rows)
    return rows[careful_row(rows, n, draws_left, &policy.article)].kind


# --- games -------------------------------------------------------------------------------------

cdef inline void show_discard(view_t* view, int opponent, int kind) noexcept nogil:
    """Put a tile on the table; of an opponent (0 .. 2) it is the newest discard, -1 is the player itself."""
    cdef int i
    hand_add(&view.seen, kind)
    if opponent >= 0:
        hand_add(&view.river, kind)
        for i in range(N_RECENT - 1, 0, -1):
            view.recent[opponent][i] = view.recent[opponent][i - 1]
        view.recent[opponent][0] = <int8_t> kind


cdef int play_solo(const policy_t* policy, uint64_t seed, uint64_t game, int n_draws) noexcept nogil:
    """The number of the draw that completes the hand, 0 if none does."""
    cdef uint8_t wall[136]
    cdef hand_t h
    cdef view_t view
    cdef uint64_t state = shuffle_wall(seed, game, wall)
    cdef int i, kind
    hand_clear(&h)
    view_clear(&view)
    for i in range(N_DEALT):
        hand_add(&h, wall[i])
    for i in range(n_draws):
        kind = wall[N_DEALT + i]
        hand_add(&h, kind)
        if hand_is_hu(&h):
            return i + 1
        kind = choose(policy, &h, kind, n_draws - 1 - i, &view, &state)
        hand_remove(&h, kind)
        show_discard(&view, -1, kind)
    return 0


ctypedef struct table_t:
    hand_t hands[4]         # by seat
    view_t views[4]         # what each sees: opponents 0 next to play, 1 opposite, 2 last
    int winner              # seats; NOBODY
    int loser               # who let go the tile that won; NOBODY if the winner drew it
    int turns               # tiles drawn
    int64_t* ready          # [j] += 1: a ready player's last discards include j; NULL if not counted
    int64_t* waiting        # [i][j] += 1: and it waits on i


cdef void count_ready(table_t* table, int seat) noexcept nogil:
    cdef kindset_t waits, rest, recent = 0
    cdef const int8_t* last = table.views[(seat + 3) & 3].recent[0]
    cdef int i, kind, wait
    if hand_shanten(&table.hands[seat], 0) != 0:
        return
    waits = hand_waits(&table.hands[seat], 0)
    for i in range(N_RECENT):
        if last[i] >= 0:
            recent |= kind_bit(last[i])
    while recent:
        kind = lowest_bit(recent)
        recent &= recent - 1
        table.ready[kind] += 1
        rest = waits
        while rest:
            wait = lowest_bit(rest)
            rest &= rest - 1
            table.waiting[N_KINDS * wait + kind] += 1


cdef void play_four(const policy_t* policies, uint64_t seed, uint64_t game, int n_draws, table_t* table) noexcept nogil:
    """Player p sits at seat p - game (mod 4), so that each plays first as often as the others."""
    cdef uint8_t wall[136]
    cdef hand_t claimed
    cdef uint64_t state = shuffle_wall(seed, game, wall)
    cdef int first = <int> (game & 3), i, seat, other, step, kind
    table.winner = NOBODY
    table.loser = NOBODY
    for seat in range(N_PLAYERS):
        view_clear(&table.views[seat])
        hand_clear(&table.hands[seat])
        for i in range(N_DEALT):
            hand_add(&table.hands[seat], wall[N_DEALT * seat + i])
    for i in range(N_PLAYERS * n_draws):
        seat = i & 3
        kind = wall[N_PLAYERS * N_DEALT + i]
        table.turns = i + 1
        hand_add(&table.hands[seat], kind)
        if hand_is_hu(&table.hands[seat]):
            table.winner = seat
            return
        kind = choose(&policies[(seat + first) & 3], &table.hands[seat], kind, n_draws - 1 - i // N_PLAYERS,
                      &table.views[seat], &state)
        hand_remove(&table.hands[seat], kind)
        show_discard(&table.views[seat], -1, kind)
        for step in range(1, N_PLAYERS):
            other = (seat + step) & 3
            show_discard(&table.views[other], N_PLAYERS - 1 - step, kind)
            claimed = table.hands[other]
            hand_add(&claimed, kind)
            if hand_is_hu(&claimed):
                table.winner = other
                table.loser = seat
                return
        if table.ready != NULL:
            count_ready(table, seat)


cdef inline uint8_t player_of(int seat, uint64_t game) noexcept nogil:
    return NOBODY if seat == NOBODY else <uint8_t> ((<uint64_t> seat + game) & 3)


# --- calls from Python -------------------------------------------------------------------------

cdef int read_policy(str name, DangerValues danger, double danger_weight, policy_t* policy) except -1:
    policy.name = POLICIES.index(name)
    policy.article = article_default()
    policy.article.danger = danger_weight
    policy.danger = NULL if danger is None else danger.c
    return 0


def wall(object seed, object game):
    """Return the tiles of a game's wall, first drawn first, and the state of its generator after the shuffle."""
    cdef uint8_t tiles[136]
    cdef uint64_t state = shuffle_wall(read_whole(seed, "seed", 0, WORD_MAX), read_whole(game, "game", 0, WORD_MAX),
                                       tiles)
    return bytes(tiles[:N_TILES]), state


def choose_kind(str name, object hand, int drawn, int draws_left, object rivers, object visible, uint64_t state,
                DangerValues danger, double danger_weight):
    """
    Return the kind that a policy lets go, and the state of the generator after it.

    `hand` is a packed hand of 14 tiles, `drawn` the tile drawn or -1, `draws_left` the number of those to come,
    `rivers` the discards of the opponents, `visible` the other tiles seen.
    """
    cdef policy_t policy
    cdef view_t view
    cdef hand_t h
    cdef int kind
    read_policy(name, danger, danger_weight, &policy)
    read_view(rivers, visible, &view)
    read_packed(hand, &h)
    if hand_size(&h) != N_DEALT + 1 or drawn >= N_KINDS or drawn >= 0 and hand_count(&h, drawn) == 0:
        raise InvalidHandError(f"expected 14 tiles with the one drawn, got {hand_size(&h)} and {drawn} drawn")
    kind = choose(&policy, &h, drawn, draws_left, &view, &state)
    return kind, state


def solo_games(str name, uint64_t seed, uint64_t start, int n_draws, uint8_t[::1] out, DangerValues danger,
               double danger_weight):
    """Play the games `start` and following; write the draw that won each, 0 for none, without the GIL."""
    cdef policy_t policy
    cdef Py_ssize_t i
    read_policy(name, danger, danger_weight, &policy)
    with nogil:
        for i in range(out.shape[0]):
            out[i] = <uint8_t> play_solo(&policy, seed, start + <uint64_t> i, n_draws)


def four_player_games(object names, uint64_t seed, uint64_t start, int n_draws, tuple out, DangerValues danger,
                      double danger_weight):
    """
    Play the games `start` and following without the GIL.

    Written of each: the number of the policy that won, of the one that dealt in (255: nobody), the tiles drawn.
    """
    cdef uint8_t[::1] winners = out[0]
    cdef uint8_t[::1] losers = out[1]
    cdef uint8_t[::1] turns = out[2]
    cdef policy_t policies[4]
    cdef table_t table
    cdef Py_ssize_t i
    cdef int player
    for player in range(N_PLAYERS):
        read_policy(names[player], danger, danger_weight, &policies[player])
    table.ready = NULL
    table.waiting = NULL
    with nogil:
        for i in range(winners.shape[0]):
            play_four(policies, seed, start + <uint64_t> i, n_draws, &table)
            winners[i] = player_of(table.winner, start + <uint64_t> i)
            losers[i] = player_of(table.loser, start + <uint64_t> i)
            turns[i] = <uint8_t> table.turns


def count_waits(uint64_t seed, uint64_t start, Py_ssize_t n_games, int n_draws, int64_t[::1] ready,
                int64_t[:, ::1] waiting):
    """
    Play games of four efficiency policies without the GIL and add up what ready players wait on.

    After each discard of a player who is ready: ``ready[j]`` counts the kinds j among its last three discards,
    ``waiting[i, j]`` those of them with which it waits on kind i.
    """
    cdef policy_t policies[4]
    cdef table_t table
    cdef Py_ssize_t i
    cdef int player
    for player in range(N_PLAYERS):
        read_policy("efficiency", None, 0.0, &policies[player])
    table.ready = &ready[0]
    table.waiting = &waiting[0, 0]
    with nogil:
        for i in range(n_games):
            play_four(policies, seed, start + <uint64_t> i, n_draws, &table)
