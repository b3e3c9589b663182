"""
Rows of hands as they stand in an array, read into packed hands without the GIL.

The rows come through the buffer protocol: any integer dtype, any strides, read-only or not.  A row is
copied once into a hand of its own before it is checked, so another thread that writes to the array
meanwhile changes which hand is asked about, and nothing else.
"""

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from mjcore.chunks cimport block_of_counts, block_of_lanes, block_t
from mjcore.packed cimport N_COPIES, N_KINDS, N_LANES, hand_t, kind_lane, kind_shift, lane_t

cdef enum:
    SPOILED = 7             # nibble of a count that is not 0 .. 4

ctypedef fused count_t:
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t

cdef extern from *:
    """
    /* Nine counts of one byte each into nine nibbles; a count above four becomes 7.  The bytes are read
       as one word and a rest, on machines that store the low byte first. */
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define MJCORE_LITTLE 0
    #else
    #define MJCORE_LITTLE 1
    #endif
    static inline uint64_t mjcore_pack_byte(uint64_t b) { return b > 4 ? 7 : b; }
    static inline uint64_t mjcore_pack_bytes(const uint8_t *c, int n) {
        uint64_t x = 0;
        if (MJCORE_LITTLE && n == 8) {
            memcpy(&x, c, 8);
            if ((x | (x + 0x7B7B7B7B7B7B7B7BULL)) & 0x8080808080808080ULL) {
                int i;
                uint64_t y = 0;
                for (i = 0; i < 8; i++) y |= mjcore_pack_byte(c[i]) << (4 * i);
                return y;
            }
            x = (x | (x >> 4)) & 0x00FF00FF00FF00FFULL;
            x = (x | (x >> 8)) & 0x0000FFFF0000FFFFULL;
            return (x | (x >> 16)) & 0xFFFFFFFFULL;
        } else {
            int i;
            for (i = 0; i < n; i++) x |= mjcore_pack_byte(c[i]) << (4 * i);
            return x;
        }
    }
    static inline void mjcore_pack_row(const uint8_t *c, uint64_t *lane) {
        lane[0] = mjcore_pack_bytes(c, 8) | mjcore_pack_byte(c[8]) << 32;
        lane[1] = mjcore_pack_bytes(c + 9, 8) | mjcore_pack_byte(c[17]) << 32;
        lane[2] = mjcore_pack_bytes(c + 18, 8) | mjcore_pack_byte(c[26]) << 32;
        /* the last eight bytes, 26 .. 33; the first of them belongs to the lane before */
        lane[3] = mjcore_pack_bytes(c + 26, 8) >> 4;
    }
    """
    void pack_row "mjcore_pack_row"(const uint8_t* counts, lane_t* lane) noexcept nogil


cdef void read_counts_as(const count_t* dtype, const char* base, Py_ssize_t row_stride, Py_ssize_t stride,
                         Py_ssize_t n, hand_t* hands) noexcept nogil:
    """Pack rows of 34 counts of one dtype."""
    cdef Py_ssize_t i
    cdef int kind
    cdef uint64_t count
    cdef const char* row
    for i in range(n):
        row = base + i * row_stride
        hands[i].lane[0] = hands[i].lane[1] = hands[i].lane[2] = hands[i].lane[3] = 0
        for kind in range(N_KINDS):
            count = <uint64_t> (<const count_t*> (row + kind * stride))[0]
            if count > N_COPIES:
                count = SPOILED
            hands[i].lane[kind_lane(kind)] |= count << kind_shift(kind)


cdef void read_lanes(const char* base, Py_ssize_t row_stride, Py_ssize_t stride, Py_ssize_t n,
                     hand_t* hands) noexcept nogil:
    cdef Py_ssize_t i
    cdef int lane
    for i in range(n):
        for lane in range(N_LANES):
            hands[i].lane[lane] = (<const uint64_t*> (base + i * row_stride + lane * stride))[0]


@cython.final
@cython.auto_pickle(False)
cdef class Rows:
    """A two-dimensional integer array held open: 34 counts or 4 lanes a row."""

    def __cinit__(self, array):
        self.is_open = False
        PyObject_GetBuffer(array, &self.buffer, PyBUF_STRIDES | PyBUF_FORMAT)
        self.is_open = True
        if self.buffer.ndim != 2 or self.buffer.shape[1] not in (N_LANES, N_KINDS):
            raise ValueError("expected rows of 34 counts or 4 lanes")
        self.has_lanes = self.buffer.shape[1] == N_LANES
        self.code = self.buffer.format[0]
        if self.buffer.itemsize not in (1, 2, 4, 8) or self.code not in b"bBhHiIlLqQ" \
                or self.has_lanes and (self.buffer.itemsize != 8 or self.code not in b"LQ"):
            raise TypeError("expected native integers, and unsigned ones of 64 bits for lanes")

    def __dealloc__(self):
        if self.is_open:
            PyBuffer_Release(&self.buffer)

    def __len__(self):
        return self.buffer.shape[0]

    cdef void read(self, Py_ssize_t start, Py_ssize_t n, hand_t* hands) noexcept nogil:
        """Copy some rows into hands; what is not 0 .. 4 becomes a nibble that is refused later."""
        cdef Py_ssize_t row_stride = self.buffer.strides[0], stride = self.buffer.strides[1], i
        cdef const char* base = <const char*> self.buffer.buf + start * row_stride
        cdef bint is_signed = self.code > 96       # lower case: b h i l q
        if self.has_lanes:
            read_lanes(base, row_stride, stride, n, hands)
        elif self.buffer.itemsize == 1 and stride == 1:
            for i in range(n):      # a negative int8 is a byte above four
                pack_row(<const uint8_t*> (base + i * row_stride), hands[i].lane)
        elif self.buffer.itemsize == 1:
            read_counts_as(<const uint8_t*> NULL, base, row_stride, stride, n, hands)
        elif self.buffer.itemsize == 2:
            if is_signed:
                read_counts_as(<const int16_t*> NULL, base, row_stride, stride, n, hands)
            else:
                read_counts_as(<const uint16_t*> NULL, base, row_stride, stride, n, hands)
        elif self.buffer.itemsize == 4:
            if is_signed:
                read_counts_as(<const int32_t*> NULL, base, row_stride, stride, n, hands)
            else:
                read_counts_as(<const uint32_t*> NULL, base, row_stride, stride, n, hands)
        elif is_signed:
            read_counts_as(<const int64_t*> NULL, base, row_stride, stride, n, hands)
        else:
            read_counts_as(<const uint64_t*> NULL, base, row_stride, stride, n, hands)

    cdef void read_block(self, Py_ssize_t start, Py_ssize_t n, bint ask_hu, block_t* block) noexcept nogil:
        """Read some rows as chunk numbers; at most a block of them."""
        cdef Py_ssize_t row_stride = self.buffer.strides[0], stride = self.buffer.strides[1]
        cdef const char* base = <const char*> self.buffer.buf + start * row_stride
        cdef hand_t hands[64]
        if self.has_lanes and stride == sizeof(lane_t):
            block_of_lanes(base, row_stride, n, ask_hu, block)
        elif self.buffer.itemsize == 1 and stride == 1 and not self.has_lanes:
            block_of_counts(base, row_stride, n, ask_hu, block)
        else:
            self.read(start, n, hands)
            block_of_lanes(<const char*> hands, sizeof(hand_t), n, ask_hu, block)
