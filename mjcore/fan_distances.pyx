# cython: binding=False
"""How far a hand is from a win with one fan: targets of the fan, one hand, arrays of hands."""

cimport cython
from libc.stdint cimport int8_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free

from mjcore.fan_search cimport (
    CHOW,
    FAN_NONE,
    FIRST_WIND,
    N_PLANS_MAX,
    N_TARGETS_MAX,
    PUNG,
    fan_hand_distance,
    fan_hand_t,
    fan_t,
    plan_t,
    target_t,
)
from mjcore.packed cimport (
    FIRST_HONOR,
    HONOR_MASK,
    LAST_CHOW_INDEX,
    N_COPIES,
    N_KINDS,
    N_TILES_MAX,
    SUIT_MASK,
    hand_clear,
    hand_has_fifth,
    hand_read_int,
    hand_size,
    hand_sum,
    hand_t,
    kind_index,
    kind_lane,
    lane_tile,
    uint64_t,
)
from mjcore.query cimport read_tiles
from mjcore.win_checks cimport meld_origin_fits

from mjcore.hand import Hand
from mjcore.notation import kind_of
from mjcore.tiles import InvalidHandError, as_index, shown

cdef enum:
    KONG = 3
    MELD_TYPES_MAX = 5      # of an array of melds: three sorts of kong


# --- targets from Python -------------------------------------------------------------------------


cdef unsigned int place_mask(object members, int first):
    cdef unsigned int mask = 0
    for kind in members:
        mask |= 1 << (<int> kind - first)
    return mask


cdef int compile_plan(object described, object members, plan_t* plan) except -1:
    cdef int first = members[0], place
    plan.part = described.lane
    plan.n_places = len(members)
    plan.present = described.present
    plan.pairs = place_mask(described.pairs, first)
    plan.singles = place_mask(described.singles, first)
    plan.chows = place_mask(described.chows, first)
    plan.pungs = place_mask(described.pungs, first)
    plan.eyes = place_mask(described.eyes, first)
    plan.n_groups = len(described.groups)
    for i, group in enumerate(described.groups):
        plan.groups[<int> i] = <int> group.type << 6 | <int> group.kind
        for kind in group.tiles:
            plan.group_tiles[<int> i] += lane_tile(<int> kind - first)
        plan.need += plan.group_tiles[<int> i]
    for place in range(plan.n_places):
        plan.need += (((plan.singles >> place) & 1) + 2 * ((plan.pairs >> place) & 1)) * lane_tile(place)
    return 0


cdef void widen(plan_t* widest, const plan_t* plan) noexcept:
    widest.part = plan.part
    widest.n_places = plan.n_places
    widest.chows |= plan.chows
    widest.pungs |= plan.pungs
    widest.eyes |= plan.eyes | plan.pairs


@cython.final
cdef class FanTargets:
    """FanTargets(fan, wind)
--

    The targets of a fan, ready for the search; equal parts of them are kept once."""

    def __cinit__(self, fan, wind):
        # not before a fan is asked about: making the tables takes longer than the import of all the rest
        from mjcore.fan_targets import LANES, targets_of

        targets = targets_of(fan, wind)
        plans = {}
        self.c = <fan_t*> calloc(1, sizeof(fan_t))
        if self.c == NULL:
            raise MemoryError
        if len(targets) > N_TARGETS_MAX:
            raise ValueError(f"expected at most {N_TARGETS_MAX} targets of a fan, got {len(targets)}")
        for i, described in enumerate(targets):
            self._add(i, described, LANES, plans)

    def _add(self, int i, described, tuple lanes, dict plans):
        cdef target_t* target = &self.c.targets[i]
        target.form = described.form
        target.n_sets = described.n_sets
        target.honors_min, target.honors_max = described.honors
        target.open_eyes = not any([plan.pairs for plan in described.plans])
        for part, plan in enumerate(described.plans):
            if plan not in plans:
                if len(plans) == N_PLANS_MAX:
                    raise ValueError(f"expected at most {N_PLANS_MAX} different parts in the targets of a fan")
                plans[plan] = len(plans)
                compile_plan(plan, lanes[<int> part], &self.c.plans[<int> plans[plan]])
            target.plans[<int> part] = plans[plan]
            widen(&self.c.widest[<int> part], &self.c.plans[<int> plans[plan]])
        self.c.n_targets = i + 1
        self.c.n_plans = len(plans)

    def __dealloc__(self):
        free(self.c)

    def __reduce__(self):
        raise TypeError("expected to be made again, not pickled")


cdef object MCR = "mcr"
cdef object EAST = "E"
cdef int EAST_KIND = kind_of(EAST)
cdef dict made = {}         # by fan and the wind that it means


cpdef FanTargets fan_targets_for(object fan, object rules, object seat_wind, object round_wind):
    """Return the targets of a fan, made on the first call."""
    cdef int wind = EAST_KIND, seat, round
    if not (rules is MCR and seat_wind is EAST and round_wind is EAST):
        check_rules(fan, rules)
        seat, round = wind_kind(seat_wind, "seat_wind"), wind_kind(round_wind, "round_wind")
        if isinstance(fan, str):
            wind = seat if fan == "seat_wind" else round if fan == "prevalent_wind" else EAST_KIND
    key = fan, wind
    found = made.get(key) if isinstance(fan, str) else None
    if found is None:
        found = FanTargets(fan, wind)
        made[key] = found
    return <FanTargets> found


cdef int check_rules(object fan, object rules) except -1:
    """The targets are those of MCR: other rules may differ in all but the condition of the fan and the forms."""
    from mjcore.rule_sets import RuleSet, rule_set

    if isinstance(rules, str):
        if rules == "mcr":
            return 0
        rules = rule_set(rules)
    if not isinstance(rules, RuleSet):
        raise TypeError(f"expected a rule set or its name for rules, got {type(rules).__name__}")
    mcr = rule_set("mcr")
    conditions = {row.id: row.when for row in rules.fans}
    if fan not in conditions:
        raise ValueError(f"expected a fan of the rules, got {shown(fan)}")
    when = {row.id: row.when for row in mcr.fans}.get(fan)
    changed = [name for name, value in mcr.options.items() if rules.options.get(name) != value and name in when]
    if conditions[fan] != when or changed or rules.hand_rules != mcr.hand_rules:
        raise ValueError(f"expected the condition of mcr for {fan}, got rules that change it or the forms")
    return 0


cdef int wind_kind(object wind, str name) except -1:
    try:
        kind = kind_of(wind)
    except ValueError:
        kind = -1
    if FIRST_WIND <= kind < N_KINDS:
        return kind
    is_wrong_type = not isinstance(wind, str) and as_index(wind) is None
    raise (TypeError if is_wrong_type else ValueError)(
        f"expected a wind (E, S, W, N) for {name}, got {shown(wind)}")


# --- questions -----------------------------------------------------------------------------------


cdef int read_hand(object hand, fan_hand_t* read) except -1:
    cdef int i
    cdef unsigned long long code
    cdef int size
    hand_clear(&read.melded)
    read.n_melds = 0
    if isinstance(hand, str) and "[" in hand:
        hand = Hand(hand)
    if isinstance(hand, Hand):
        hand_read_int(hand._packed, read.h.lane)
        hand_read_int(hand._melded, read.melded.lane)
        code = hand._meld_code
        if len(hand.melds) > 4:
            raise InvalidHandError(f"expected at most 4 melds, got {len(hand.melds)}")
        read.n_melds = len(hand.melds)
        for i in range(read.n_melds):
            read.melds[i] = (code >> 8 * i) & 0xFF
            if read.melds[i] >> 6 == KONG:
                read.melds[i] -= 1 << 6
    else:
        read_tiles(hand, &read.h)
    size = hand_size(&read.h) + 3 * read.n_melds
    if not N_TILES_MAX - 1 <= size <= N_TILES_MAX:
        raise InvalidHandError(
            f"expected {N_TILES_MAX - 1} or {N_TILES_MAX} tiles, a meld counted as three, got {size}")
    if not is_hand(read):
        raise InvalidHandError("expected at most four copies of a kind over concealed tiles and melds")
    return 0


def fan_distance(hand, /, fan, rules="mcr", *, seat_wind="E", round_wind="E"):
    """
    Return how many tiles a hand is away from being ready for a win with a fan.

    Parameters
    ----------
    hand : int, Hand, str, sequence of 34 int
        The concealed tiles and the melds, which stay as they are: 13 or 14 tiles, a meld counted as three.
    fan : str
        Id of a fan that tiles alone decide: one of `mjcore.fan_targets.EXACT_FANS`.
    rules : RuleSet or str, default "mcr"
        Chinese Official, or rules made from it that have the fan under the same condition.
    seat_wind, round_wind : int or str, default "E"
        The winds that "seat_wind" and "prevalent_wind" mean.

    Returns
    -------
    int or None
        -1 the hand can be read so that the fan's condition is met, 0 one tile away, n > 0 tiles away from
        ready; None where no win with the fan is left beside the melds.

    Raises
    ------
    InvalidHandError
        If it is not a hand of 13 or 14 tiles.
    TypeError
        If fan is no text, rules are none, or a wind is neither text nor a kind.
    ValueError
        If how the win comes about decides the fan too (waits, concealed pungs, kongs, flags), or there is no
        such fan; the message lists the fans that have distances.

    Notes
    -----
    The condition counts, whether or not another fan then implies the fan away.  No complete hand has more than
    four copies of a kind over concealed tiles and melds.  Tiles seen elsewhere play no part, and there are no jokers.

    Examples
    --------
    >>> import mjcore
    >>> hand = "123m 456m 79m 3p EE [789s]"
    >>> mjcore.fan_distance(hand, "pure_straight"), mjcore.fan_distance(hand, "mixed_straight")
    (0, 1)
    >>> mjcore.fan_distance("123m 456m 789m 33p [789s]", "pure_straight")
    -1
    >>> print(mjcore.fan_distance(hand, "all_pungs"))
    None
    """
    cdef fan_hand_t read
    cdef FanTargets targets = fan_targets_for(fan, rules, seat_wind, round_wind)
    cdef int answer
    read_hand(hand, &read)
    answer = fan_hand_distance(targets.c, &read)
    return None if answer == FAN_NONE else answer


# --- arrays --------------------------------------------------------------------------------------


cdef bint read_melds(const uint16_t* melds, fan_hand_t* hand) noexcept nogil:
    """Read four melds, 0 for none; whether they are melds."""
    cdef int i, meld_type, kind, place, copies
    cdef hand_t tiles
    hand_clear(&hand.melded)
    hand.n_melds = 0
    for i in range(4):
        if melds[i] == 0:
            continue
        kind = melds[i] & 0x3F
        meld_type = (melds[i] >> 6) & 7
        if kind >= N_KINDS or not CHOW <= meld_type <= MELD_TYPES_MAX or not meld_origin_fits(melds[i]):
            return False
        hand_clear(&tiles)
        place = kind_index(kind)
        if meld_type == CHOW:
            if kind >= FIRST_HONOR or place > LAST_CHOW_INDEX:
                return False
            tiles.lane[kind_lane(kind)] = lane_tile(place) + lane_tile(place + 1) + lane_tile(place + 2)
        else:
            copies = 3 if meld_type == PUNG else N_COPIES
            tiles.lane[kind_lane(kind)] = copies * lane_tile(place)
        hand_sum(&hand.melded, &tiles, &hand.melded)
        if hand_has_fifth(&hand.melded):
            return False
        hand.melds[hand.n_melds] = <uint8_t> ((CHOW if meld_type == CHOW else PUNG) << 6 | kind)
        hand.n_melds += 1
    return True


cdef bint is_hand(const fan_hand_t* hand) noexcept nogil:
    cdef hand_t total
    cdef int size
    if (hand.h.lane[0] | hand.h.lane[1] | hand.h.lane[2]) & ~SUIT_MASK or hand.h.lane[3] & ~HONOR_MASK:
        return False
    if hand_has_fifth(&hand.h):
        return False
    hand_sum(&hand.h, &hand.melded, &total)
    size = hand_size(&hand.h) + 3 * hand.n_melds
    return not hand_has_fifth(&total) and N_TILES_MAX - 1 <= size <= N_TILES_MAX


def answer_rows(FanTargets targets, const uint64_t[:, :] lanes, const uint16_t[:, :] melds, const uint8_t[:] asked,
                int8_t[::1] distances, Py_ssize_t start, Py_ssize_t stop):
    """
    Write the distances of some rows; return the first row that is no hand, or -1.

    Melds of one row are those of every hand; a row that is not asked about is not looked at.
    """
    cdef Py_ssize_t row, bad = -1, meld_row
    cdef int i
    cdef fan_hand_t hand
    cdef uint16_t declared[4]
    if not 0 <= start <= stop <= min(lanes.shape[0], distances.shape[0]) or lanes.shape[1] != 4 \
            or melds.shape[1] != 4 or melds.shape[0] not in (1, lanes.shape[0]) \
            or asked is not None and asked.shape[0] != lanes.shape[0]:
        raise ValueError("expected rows of four lanes and four melds, and an answer for each")
    with nogil:
        for row in range(start, stop):
            if asked is not None and not asked[row]:
                continue
            meld_row = row if melds.shape[0] > 1 else 0
            for i in range(4):
                hand.h.lane[i] = lanes[row, i]
                declared[i] = melds[meld_row, i]
            if not read_melds(declared, &hand) or not is_hand(&hand):
                bad = row
                break
            distances[row] = <int8_t> fan_hand_distance(targets.c, &hand)
    return bad
