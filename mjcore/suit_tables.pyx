"""The one copy of the suit-profile tables, for the kernels by a pointer and as memory for `tables`."""

from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory

from mjcore.packed cimport N_MELDS_MAX, N_RANKS

cdef extern from "mjcore_profile_tables.h" nogil:
    const void* MADE "mjcore_tables"
    size_t MADE_SIZE "sizeof(mjcore_tables_t)"
    const void* MADE_WINS "&mjcore_wins"
    size_t MADE_WINS_SIZE "sizeof(mjcore_wins_t)"

if sizeof(tables_t) != MADE_SIZE or sizeof(wins_t) != MADE_WINS_SIZE:
    raise ImportError("suit_tables.pxd does not describe the tables that profile_tables.py makes")
TABLES = <const tables_t*> MADE
WINS = <const wins_t*> MADE_WINS


cdef void fill_chunks() noexcept:
    cdef int number, place
    for number in range(125):
        HELD[number] = <uint8_t> ((number % 5 > 0) | (number // 5 % 5 > 0) << 1 | (number // 25 > 0) << 2)
    for place in range(N_RANKS):
        TILE_NUMBERS[place] = (1, 5, 25)[place % 3] << (8 * (place // 3))


fill_chunks()


def table_memory(str reading, /):
    """
    Return the arrays of one reading by name: read-only memory, type code, shape and strides.

    `profile_arrays.tables` describes them.
    """
    cdef const tables_t* t
    if reading not in ("capped", "free"):
        raise ValueError(f"expected a reading of capped or free, got {reading!r}")
    t = &TABLES[CAPPED if reading == "capped" else FREE]
    n = t.n_profiles
    stride = 1 << STRIDE_BITS
    return {
        "chunks": (read_only(t.chunks, sizeof(t.chunks)), "I", (1 << 12,), (4,)),
        "suit1": (read_only(t.suit1, stride), "B", (stride,), (1,)),
        "suit2": (read_only(t.suit2, 2 * t.n_suit1 * stride), "H", (t.n_suit1, stride), (2 * stride, 2)),
        "suit3": (read_only(t.suit3, t.n_suit2 * stride), "B", (t.n_suit2, stride), (stride, 1)),
        "honors1": (read_only(t.honors1, stride), "B", (stride,), (1,)),
        "honors2": (read_only(t.honors2, t.n_honors1 * stride), "B", (t.n_honors1, stride), (stride, 1)),
        "honors3": (read_only(t.honors3, t.n_honors2 * stride), "B", (t.n_honors2, stride), (stride, 1)),
        "sums": (read_only(t.sums, n * ROW), "B", (n, n), (ROW, 1)),
        "profiles": (read_only(t.profiles, n * N_PROFILE), "B", (n, 2, PROFILE_EYES), (N_PROFILE, PROFILE_EYES, 1)),
        "distances": (read_only(t.distances, sizeof(t.distances)), "B", (N_MELDS_MAX + 1, n, n),
                      (N_PROFILES_MAX * ROW, ROW, 1)),
    }


cdef object read_only(const void* memory, Py_ssize_t size):
    """Constant memory of the module as a memoryview that refuses to be written to."""
    return PyMemoryView_FromMemory(<char*> memory, size, PyBUF_READ)
