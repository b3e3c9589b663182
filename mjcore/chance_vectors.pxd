# The recurrences of chances over draws made and draws left.

from mjcore.chance_states cimport search_t

# What a state's draws lead to: vectors of the hands reached, each with the copies that lead there.
ctypedef struct outcomes_t:
    int n
    int n_sure                      # copies whose chance is one
    int copies[34]
    const double* vectors[34]


cdef inline void add_outcome(outcomes_t* outcomes, const double* vector, int copies) noexcept nogil:
    cdef int i
    for i in range(outcomes.n):
        if outcomes.vectors[i] == vector:
            outcomes.copies[i] += copies
            return
    outcomes.vectors[outcomes.n] = vector
    outcomes.copies[outcomes.n] = copies
    outcomes.n += 1


cdef inline void raise_to(double* best, const double* a, const double* b, int n) noexcept nogil:
    """The larger of two, entry by entry."""
    cdef int i
    for i in range(n):
        best[i] = a[i] if a[i] > b[i] else b[i]


cdef inline const double* better(const double* best, const double* other, double* room, int n) noexcept nogil:
    """The larger of two, entry by entry, in `room` unless one of them will do; `best` may be NULL or the room."""
    if best == NULL or best == other:
        return other
    raise_to(room, best, other, n)
    return room


cdef const double* ready_vector(search_t* search, int n_live) noexcept nogil
cdef const double* solve_strict(search_t* search, const outcomes_t* outcomes, double* sums) noexcept nogil
cdef const double* solve_exchange(search_t* search, const outcomes_t* outcomes) noexcept nogil
