"""The chances of one hand from those of the hands that its draws lead to: the recurrences over draws made and left."""

from mjcore.chance_states cimport new_vector, search_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define MJCORE_RESTRICT __restrict
    #else
    #define MJCORE_RESTRICT __restrict__
    #endif

    /* Told that nothing overlaps, the compiler works on several numbers at once. */
    static void mjcore_add_times(double *MJCORE_RESTRICT sums, const double *MJCORE_RESTRICT other, double times,
                                 int n) {
        int i;
        for (i = 0; i < n; i++) sums[i] += times * other[i];
    }

    static void mjcore_add_gains(double *MJCORE_RESTRICT row, const double *MJCORE_RESTRICT taken,
                                 const double *MJCORE_RESTRICT last, const double *MJCORE_RESTRICT share,
                                 double copies, int n) {
        int i;
        for (i = 0; i < n; i++) {
            double gain = taken[i] - last[i];
            row[i] += copies * share[i] * (gain > 0 ? gain : 0);
        }
    }
    """
    void add_times "mjcore_add_times"(double* sums, const double* other, double times, int n) noexcept nogil
    void add_gains "mjcore_add_gains"(double* row, const double* taken, const double* last, const double* share,
                                      double copies, int n) noexcept nogil


cdef const double* ready_vector(search_t* search, int n_live) noexcept nogil:
    """1 - C(N - u, n) / C(N, n): the chance that one of u tiles is among the next n of N."""
    cdef double* vector
    cdef double* row
    cdef const double* before
    cdef int n, j, wall, misses
    if n_live == 0:
        return search.zeros
    if search.ready[n_live] != NULL:
        return search.ready[n_live]
    vector = new_vector(search)
    if vector == NULL:
        return search.zeros
    for n in range(1, search.n_draws + 1):
        row = vector + search.offsets[n]
        before = search.zeros
        if n > 1:
            before = vector + search.offsets[n - 1] + 1
        for j in range(search.n_draws - n + 1):
            wall = search.n_wall - j
            misses = wall - n_live if wall > n_live else 0
            row[j] = (wall - misses + misses * before[j]) / wall
    search.ready[n_live] = vector
    return vector


cdef const double* solve_strict(search_t* search, const outcomes_t* outcomes, double* sums) noexcept nogil:
    """Useful tiles are taken, all others thrown away.  `sums` is room for a vector."""
    cdef double* vector = new_vector(search)
    cdef double* row
    cdef const double* last
    cdef const double* taken
    cdef int i, g, n, j, wall, copies, n_useful = outcomes.n_sure
    if vector == NULL:
        return search.zeros
    for i in range(search.n_entries):
        sums[i] = outcomes.n_sure
    for g in range(outcomes.n):
        copies = outcomes.copies[g]
        n_useful += copies
        add_times(sums, outcomes.vectors[g], copies, search.n_entries)
    for j in range(search.n_draws):
        wall = search.n_wall - j
        vector[j] = (outcomes.n_sure if outcomes.n_sure < wall else wall) * search.share[j]
    for n in range(2, search.n_draws + 1):
        row = vector + search.offsets[n]
        last = vector + search.offsets[n - 1] + 1
        taken = sums + search.offsets[n - 1] + 1
        for j in range(search.n_draws - n + 1):
            wall = search.n_wall - j
            row[j] = (taken[j] + (wall - n_useful if wall > n_useful else 0) * last[j]) * search.share[j]
    return vector


cdef const double* solve_exchange(search_t* search, const outcomes_t* outcomes) noexcept nogil:
    """A tile is taken where that is better than to throw it away."""
    cdef double* vector = new_vector(search)
    cdef double* row
    cdef const double* last
    cdef int n, j, g, wall, total = outcomes.n_sure
    if vector == NULL:
        return search.zeros
    for g in range(outcomes.n):
        total += outcomes.copies[g]
    for n in range(1, search.n_draws + 1):
        row = vector + search.offsets[n]
        last = search.zeros
        if n > 1:
            last = vector + search.offsets[n - 1] + 1
        for j in range(search.n_draws - n + 1):
            wall = search.n_wall - j
            row[j] = last[j] + (outcomes.n_sure if outcomes.n_sure < wall else wall) * search.share[j] * (1 - last[j])
        if n == 1:
            continue
        if total > search.n_wall - (search.n_draws - n):
            for j in range(search.n_draws - n + 1):
                row[j] += best_takes(outcomes, search.offsets[n - 1] + 1 + j, last[j],
                                     search.n_wall - j - outcomes.n_sure) * search.share[j]
            continue
        for g in range(outcomes.n):
            add_gains(row, outcomes.vectors[g] + search.offsets[n - 1] + 1, last, search.share, outcomes.copies[g],
                      search.n_draws - n + 1)
    return vector


cdef double best_takes(const outcomes_t* outcomes, int entry, double stay, int room) noexcept nogil:
    """Sum of gains over copies, of as many tiles as the wall has room for, the best first."""
    cdef bint used[34]
    cdef double total = 0, gain, most
    cdef int g, best, copies
    for g in range(outcomes.n):
        used[g] = False
    while room > 0:
        best = -1
        most = 0
        for g in range(outcomes.n):
            gain = outcomes.vectors[g][entry] - stay
            if not used[g] and gain > most:
                most = gain
                best = g
        if best < 0:
            break
        used[best] = True
        copies = outcomes.copies[best] if outcomes.copies[best] < room else room
        total += copies * most
        room -= copies
    return total
