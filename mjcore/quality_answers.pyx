"""Quality and rated discards of one hand, as quality.py and advice.py show them."""

cimport cython

from mjcore.packed cimport hand_size, hand_t, kind_bit, kindset_t, lowest_bit, uint8_t
from mjcore.profile cimport SHANTEN_NONE
from mjcore.progress cimport LiveTiles
from mjcore.quality_input cimport (
    DangerValues,
    Targets,
    read_article,
    read_question,
    read_survival,
    read_waits_before,
)
from mjcore.quality_kernels cimport (
    article_t,
    discard_rows,
    discard_t,
    hand_quality,
    live_copies,
    live_count,
    live_t,
    melds_t,
    quality_t,
    sort_rows,
    survival_t,
    view_t,
)
from mjcore.query cimport query_t

from mjcore.progress import LiveTiles
from mjcore.quality_kernels import POLICIES, SURVIVAL_RULES
from mjcore.tiles import InvalidHandError


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
