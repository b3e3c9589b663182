"""Quality and the best discard of arrays of hands, without the GIL; quality_batch.py reads the arrays."""

cimport cython
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t

from mjcore.forms cimport rules_t
from mjcore.hand_rules cimport HandRules
from mjcore.packed cimport (
    FIRST_HONOR,
    LAST_CHOW_INDEX,
    N_COPIES,
    N_KINDS,
    N_LANES,
    N_RANKS,
    N_TILES_MAX,
    hand_count,
    hand_has_fifth,
    hand_size,
    hand_sum,
    hand_t,
)
from mjcore.profile cimport SHANTEN_NONE
from mjcore.quality_input cimport DangerValues, Targets, read_article, read_survival
from mjcore.quality_kernels cimport (
    N_OPPONENTS,
    POLICY_ARTICLE,
    POLICY_EFFICIENCY,
    article_t,
    discard_t,
    first_discard,
    hand_quality,
    melds_add,
    melds_clear,
    melds_t,
    quality_t,
    survival_t,
    view_add,
    view_clear,
    view_t,
)
from mjcore.special_forms cimport held_more
from mjcore.win_checks cimport MELD_CHOW, MELD_CONCEALED_KONG, MELD_DIRECT_KONG, meld_origin_fits

from mjcore.hand_rules import HandRules


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
    if not meld_origin_fits(code):
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
                 int policy, int8_t[::1] kinds not None, int8_t[::1] shanten not None, uint64_t[::1] useful not None,
                 uint8_t[::1] copies not None, double[::1] scores not None, Py_ssize_t start, Py_ssize_t stop):
    """
    Find the discard that a policy puts first, of rows start .. stop, and return the first bad one, or -1.

    Parameters
    ----------
    policy : int
        Place in `POLICIES`.
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
    if policy != POLICY_ARTICLE and policy != POLICY_EFFICIENCY:
        raise ValueError(f"expected a policy of {POLICY_ARTICLE} or {POLICY_EFFICIENCY}, got {policy}")
    if (not 0 <= start <= stop <= n or kinds.shape[0] != n or shanten.shape[0] != n or useful.shape[0] != n
            or copies.shape[0] != n or scores.shape[0] != n):
        raise ValueError("expected arrays with a place for each row")
    with nogil:
        for row in range(start, stop):
            if positions.has_where and not positions.where[row]:
                continue
            if read_row(positions, row, &h, &melds, &view) or hand_size(&h) % 3 != 2 or first_discard(
                    &h, &melds, &view, &positions.rules, danger.c, &weights, 0, policy, &best) < 0:
                bad = row
                break
            kinds[row] = <int8_t> best.kind
            shanten[row] = <int8_t> best.shanten
            useful[row] = best.useful
            copies[row] = <uint8_t> best.n_live
            scores[row] = best.score
    return bad
