"""The loop over arrays of winning hands: each row is read once, checked and scored, without the GIL."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from mjcore.chunks cimport BLOCK
from mjcore.packed cimport N_KINDS, N_TILES_MAX, hand_add, hand_size, hand_t, lowest_bit
from mjcore.programs cimport Program, program_t
from mjcore.rows cimport Rows, is_no_hand
from mjcore.scoring cimport hand_score, score_payments
from mjcore.totals cimport fan_count, result_t
from mjcore.win_checks cimport (
    N_GROUPS,
    WIN_BAD_CONTEXT,
    WIN_BAD_HAND,
    WIN_BAD_MELD,
    WIN_BAD_TILE,
    WON_SELF_DRAWN,
    meld_origin_fits,
    win_check_sized,
    win_settle,
    win_t,
)

cdef enum:
    STATUS_OK = 0
    STATUS_NOT_A_WIN = 1
    STATUS_BELOW_MINIMUM = 2
    # 3 .. 6 are WIN_BAD_...
    STATUS_NOT_ASKED = 7

OK, NOT_A_WIN, BELOW_MINIMUM = STATUS_OK, STATUS_NOT_A_WIN, STATUS_BELOW_MINIMUM
BAD_HAND, BAD_MELD, BAD_WIN_TILE, BAD_CONTEXT = WIN_BAD_HAND, WIN_BAD_MELD, WIN_BAD_TILE, WIN_BAD_CONTEXT
NOT_ASKED = STATUS_NOT_ASKED


cdef extern from *:
    """
    /* A byte of 0 or 1 for each of n bits. */
    static inline void mjcore_spread_bits(uint64_t bits, uint8_t* out, int n) {
        int at = 0;
    #if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        for (; at + 8 <= n; at += 8, bits >>= 8) {
            uint64_t spread = ((bits & 0xFF) * 0x0101010101010101ULL) & 0x8040201008040201ULL;
            spread = (spread + 0x7F7F7F7F7F7F7F7FULL) >> 7 & 0x0101010101010101ULL;
            memcpy(out + at, &spread, 8);
        }
    #endif
        for (; at < n; at++, bits >>= 1) out[at] = bits & 1;
    }
    """
    void spread_bits "mjcore_spread_bits"(uint64_t bits, uint8_t* out, int n) noexcept nogil


cdef inline bint read_melds(const uint16_t* melds, win_t* win) noexcept nogil:
    """Read four codes, 0 for none; whether what is above kind and type fits them."""
    cdef int i
    win.n_melds = 0
    for i in range(N_GROUPS):
        win.melds[win.n_melds] = melds[i]       # without a branch, which no one could foresee
        win.n_melds += melds[i] != 0
    if (melds[0] | melds[1] | melds[2] | melds[3]) < 1 << 9:
        return True
    for i in range(win.n_melds):
        if not meld_origin_fits(win.melds[i]):
            return False
    return True


cdef inline int prepare(win_t* win, bint normalise) noexcept nogil:
    """Take the winning tile in where it is missing, and check everything; a WIN_... value."""
    cdef int status, size = hand_size(&win.concealed)
    if win.kind >= N_KINDS:
        return WIN_BAD_TILE
    if size + 3 * win.n_melds == N_TILES_MAX - 1:
        hand_add(&win.concealed, win.kind)
        size += 1
    status = win_check_sized(win, size)
    if status == 0 and win_settle(win, normalise):
        return WIN_BAD_CONTEXT
    return status


cdef inline int score_one(win_t* win, const program_t* program, int32_t* total, int32_t* payments,
                          uint8_t* counts) noexcept nogil:
    cdef result_t best
    cdef uint64_t varying
    cdef int word, row, n
    if hand_score(win, program, &best, NULL, 0) == 0:
        return STATUS_NOT_A_WIN
    total[0] = best.total
    spread_bits(best.counted[0], counts, program.n_fans if program.n_fans < 64 else 64)
    spread_bits(best.counted[1], counts + 64, program.n_fans - 64)
    for word in range(2):
        varying = best.counted[word] & program.varying[word]
        while varying:
            row = 64 * word + lowest_bit(varying)
            varying &= varying - 1
            n = fan_count(&best, program, row)
            counts[row] = <uint8_t> (n if n < 255 else 255)
    if best.total - best.bonus < program.minimum:
        return STATUS_BELOW_MINIMUM
    score_payments(best.total, program.base, not win.flags & WON_SELF_DRAWN, payments)
    return STATUS_OK


def score_rows(Rows hands not None, const uint16_t[:, ::1] melds not None,
               const uint8_t[::1] win_tiles not None, const uint32_t[::1] flags not None,
               const uint8_t[:, ::1] others not None, const uint8_t[::1] asked, Program program not None,
               bint normalise, int32_t[::1] totals not None, uint8_t[::1] status not None,
               int32_t[:, ::1] payments not None, uint8_t[:, ::1] counts not None, Py_ssize_t start, Py_ssize_t stop):
    """
    Score the rows from `start` to `stop`.

    Parameters
    ----------
    hands : Rows
        Concealed tiles.
    melds, win_tiles, flags
        As for `mjcore.batch_score`.
    others : (n, 3) uint8
        Seat wind, round wind, flowers.
    asked : (n,) uint8, or None
        Rows to answer.
    program, normalise
        The rules, and what becomes of flags that contradict each other.
    totals, status, payments, counts
        Filled.  A count above 255 is 255.

    Raises
    ------
    ValueError
        If the rows are not there.
    """
    cdef Py_ssize_t row, at, i, n = hands.buffer.shape[0]
    cdef hand_t block[64]
    cdef win_t win
    cdef int found
    cdef bint all_asked = asked is None
    if not 0 <= start <= stop <= n:
        raise ValueError(f"expected rows within {n}, got {start} to {stop}")
    if (melds.shape[0] < n or melds.shape[1] != N_GROUPS or win_tiles.shape[0] < n or flags.shape[0] < n
            or others.shape[0] < n or others.shape[1] != 3 or not all_asked and asked.shape[0] < n
            or totals.shape[0] < n or status.shape[0] < n or payments.shape[0] < n or payments.shape[1] != 4
            or counts.shape[0] < n or counts.shape[1] < program.c.n_fans):
        raise ValueError("expected arrays with a place for each row")
    with nogil:
        at = start
        while at < stop:
            n = stop - at if stop - at < BLOCK else BLOCK
            hands.read(at, n, block)
            for i in range(n):
                row = at + i
                win.concealed = block[i]
                win.kind = win_tiles[row]
                win.flags = flags[row]
                win.seat_wind = others[row, 0]
                win.round_wind = others[row, 1]
                win.n_flowers = others[row, 2]
                totals[row] = -1
                payments[row, 0] = payments[row, 1] = payments[row, 2] = payments[row, 3] = 0
                if not all_asked and not asked[row]:
                    found = STATUS_NOT_ASKED
                elif is_no_hand(&block[i]):
                    found = WIN_BAD_HAND
                elif not read_melds(&melds[row, 0], &win):
                    found = WIN_BAD_MELD
                else:
                    found = prepare(&win, normalise)
                    if found == 0:
                        found = score_one(&win, program.c, &totals[row], &payments[row, 0], &counts[row, 0])
                if totals[row] < 0:
                    memset(&counts[row, 0], 0, counts.shape[1])
                status[row] = <uint8_t> found
            at += n
