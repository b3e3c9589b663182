"""
What the search of win_chance keeps: a table of hands, each with its vectors, and the memory they stand in.

Vectors have one number for each pair of draws made and draws left; chance_states.pxd says in which order.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from mjcore.forms cimport rules_are_default, rules_t
from mjcore.packed cimport N_COPIES, N_KINDS, hand_count, hand_t

cdef enum:
    N_SLOTS_FIRST = 64
    N_ROOM_FIRST = 32
    N_VECTORS_FIRST = 12
    N_VECTORS_BLOCK_MAX = 512


# --- opening and closing -----------------------------------------------------------------------

cdef uint64_t bytes_of_state(int n_draws, bint with_value) noexcept nogil:
    """Memory a state takes at most, its places in the table included."""
    cdef uint64_t n_vectors = 3 if with_value else 2
    return n_vectors * n_draws * (n_draws + 1) // 2 * sizeof(double) + 2 * sizeof(state_t) + 4 * sizeof(int32_t)


cdef int search_open(search_t* search, const hand_t* start, const hand_t* melded, const hand_t* visible, int n_jokers,
                     const rules_t* rules, int n_draws, int radius, int32_t budget) noexcept nogil:
    """0, or -1 where there is no memory; to be closed in either case."""
    cdef int kind, left, n
    memset(search, 0, sizeof(search_t))
    search.rules = rules[0]
    search.melded = melded[0]
    search.start = start[0]
    search.n_jokers = n_jokers
    search.n_draws = n_draws
    search.radius = radius
    search.budget = budget
    search.gone = -1
    search.plain = (rules_are_default(rules)
                    and (melded.lane[0] | melded.lane[1] | melded.lane[2] | melded.lane[3]) == 0)
    for kind in range(N_KINDS):
        left = N_COPIES - hand_count(start, kind) - hand_count(melded, kind) - hand_count(visible, kind)
        search.unseen[kind] = <uint8_t> left if left > 0 else 0
        search.n_wall += search.unseen[kind]
    for n in range(1, n_draws + 1):
        search.offsets[n] = search.n_entries
        search.n_entries += n_draws - n + 1
    for n in range(n_draws if n_draws < search.n_wall else search.n_wall):
        search.share[n] = 1.0 / (search.n_wall - n)
    search.n_slots = N_SLOTS_FIRST
    search.slots = <int32_t*> malloc(N_SLOTS_FIRST * sizeof(int32_t))
    search.room = N_ROOM_FIRST
    search.states = <state_t*> malloc(N_ROOM_FIRST * sizeof(state_t))
    search.n_block = N_VECTORS_FIRST
    if search.slots == NULL or search.states == NULL:
        search.failed = True
        return -1
    memset(search.slots, 0xFF, N_SLOTS_FIRST * sizeof(int32_t))
    search.zeros = constant_vector(search, 0.0)
    search.ones = constant_vector(search, 1.0)
    return -1 if search.failed else 0


cdef void search_close(search_t* search) noexcept nogil:
    cdef int depth
    free_vectors(search)
    for depth in range(N_DEPTH_MAX):
        free(search.scratch[depth])
        search.scratch[depth] = NULL
    free(search.slots)
    free(search.states)
    search.slots = NULL
    search.states = NULL


cdef void free_vectors(search_t* search) noexcept nogil:
    cdef block_of_memory_t* block
    while search.memory != NULL:
        block = search.memory
        search.memory = block.before
        free(block)
    search.n_free = 0


# --- memory ------------------------------------------------------------------------------------

cdef double* new_vector(search_t* search) noexcept nogil:
    """A vector with any content, or NULL where memory is out."""
    cdef block_of_memory_t* block
    cdef double* vector
    cdef uint64_t n_bytes
    if search.n_free == 0:
        n_bytes = sizeof(block_of_memory_t) + <uint64_t> search.n_block * search.n_entries * sizeof(double)
        block = <block_of_memory_t*> malloc(n_bytes)
        if block == NULL:
            search.failed = True
            return NULL
        block.before = search.memory
        search.memory = block
        search.free_from = <double*> (block + 1)
        search.n_free = search.n_block
        if search.n_block < N_VECTORS_BLOCK_MAX:
            search.n_block *= 2
    vector = search.free_from
    search.free_from += search.n_entries
    search.n_free -= 1
    return vector


cdef const double* constant_vector(search_t* search, double value) noexcept nogil:
    cdef double* vector = new_vector(search)
    cdef int i
    if vector != NULL:
        for i in range(search.n_entries):
            vector[i] = value
    return vector


cdef double* scratch_of(search_t* search, int depth) noexcept nogil:
    """Room for a vector to each kind and curve, and one more; NULL where memory is out."""
    if search.scratch[depth] == NULL:
        search.scratch[depth] = <double*> malloc(
            <uint64_t> (N_CURVES * N_KINDS + 1) * search.n_entries * sizeof(double))
        if search.scratch[depth] == NULL:
            search.failed = True
    return search.scratch[depth]


# --- the table ---------------------------------------------------------------------------------

cdef inline uint64_t hash_of(const hand_t* key) noexcept nogil:
    cdef uint64_t x = key.lane[0] * <uint64_t> 0x9E3779B97F4A7C15
    x = (x ^ (x >> 29) ^ key.lane[1]) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 31) ^ key.lane[2]) * <uint64_t> 0x94D049BB133111EB
    x = (x ^ (x >> 29) ^ key.lane[3]) * <uint64_t> 0x9E3779B97F4A7C15
    return x ^ (x >> 32)


cdef inline bint same_key(const hand_t* a, const hand_t* b) noexcept nogil:
    return ((a.lane[0] ^ b.lane[0]) | (a.lane[1] ^ b.lane[1]) | (a.lane[2] ^ b.lane[2]) | (a.lane[3] ^ b.lane[3])) == 0


cdef int32_t find_state(const search_t* search, const hand_t* key) noexcept nogil:
    cdef uint64_t at = hash_of(key)
    cdef int32_t state
    while True:
        at &= <uint64_t> (search.n_slots - 1)
        state = search.slots[at]
        if state < 0 or same_key(&search.states[state].key, key):
            return state
        at += 1


cdef void place_state(search_t* search, int32_t state) noexcept nogil:
    cdef uint64_t at = hash_of(&search.states[state].key) & <uint64_t> (search.n_slots - 1)
    while search.slots[at] >= 0:
        at = (at + 1) & <uint64_t> (search.n_slots - 1)
    search.slots[at] = state


cdef int grow_table(search_t* search) noexcept nogil:
    """Make room for one state more; -1 where memory is out."""
    cdef state_t* states
    cdef int32_t* slots
    cdef int32_t state
    if search.n_states == search.room:
        states = <state_t*> realloc(search.states, 2 * <uint64_t> search.room * sizeof(state_t))
        if states == NULL:
            search.failed = True
            return -1
        search.states = states
        search.room *= 2
    if 2 * search.n_states >= search.n_slots:
        slots = <int32_t*> malloc(2 * <uint64_t> search.n_slots * sizeof(int32_t))
        if slots == NULL:
            search.failed = True
            return -1
        free(search.slots)
        search.slots = slots
        search.n_slots *= 2
        memset(slots, 0xFF, <uint64_t> search.n_slots * sizeof(int32_t))
        for state in range(search.n_states):
            place_state(search, state)
    return 0


cdef const state_t* keep_state(search_t* search, const hand_t* key, const double** curves) noexcept nogil:
    cdef state_t* state
    cdef int curve
    if grow_table(search) < 0:
        return NULL
    state = &search.states[search.n_states]
    state.key = key[0]
    for curve in range(N_CURVES):
        state.curves[curve] = curves[curve]
    place_state(search, search.n_states)
    search.n_states += 1
    return state


cdef int start_over(search_t* search) noexcept nogil:
    """Forget all hands and vectors; -1 where memory is out."""
    cdef int i
    free_vectors(search)
    for i in range(N_DRAWS_MAX + 1):
        search.ready[i] = NULL
    memset(search.slots, 0xFF, <uint64_t> search.n_slots * sizeof(int32_t))
    search.n_before += search.n_states
    search.n_states = 0
    search.n_block = N_VECTORS_FIRST
    search.zeros = constant_vector(search, 0.0)
    search.ones = constant_vector(search, 1.0)
    return -1 if search.failed else 0
