"""What is left of the fans of a reading when each has taken what it absorbs, how often each counts, and the sum."""

from mjcore.facts cimport facts_t
from mjcore.packed cimport lowest_bit
from mjcore.programs cimport count_t, has_row, partial_t, program_t

cdef inline int count_of(const program_t* program, const facts_t* facts, int first, int n) noexcept nogil:
    cdef int i, total = 0
    cdef const count_t* count
    for i in range(first, first + n):
        count = &program.counts[i]
        # a count is so many bits from its lowest on, and a 0 above them
        total += lowest_bit(~(facts.word[count.word] >> count.shift & count.mask))
    return total


cdef int less(const result_t* result, const program_t* program, int row, int n) noexcept nogil:
    """A count without what other fans take of it."""
    cdef int i
    cdef const partial_t* partial
    if result.counted[0] & program.reducing[0] == 0 and result.counted[1] & program.reducing[1] == 0:
        return n
    for i in range(program.n_partials):
        partial = &program.partials[i]
        if partial.target == row and has_row(result.counted, partial.row):
            n -= partial.constant + count_of(program, &result.facts, partial.first_count, partial.n_counts)
    return n if n > 0 else 0


cdef int fan_count(const result_t* result, const program_t* program, int row) noexcept nogil:
    cdef int n = 1, i
    if not has_row(result.counted, row):
        return 0
    if has_row(program.family, row):
        n = 0
        for i in range(result.n_chosen):
            n += result.chosen[i].row == row
    elif has_row(program.counting, row):
        n = count_of(program, &result.facts, program.first_count[row], program.n_counts[row])
    return less(result, program, row, n) if has_row(program.reduced, row) else n


cdef void absorb(const program_t* program, result_t* result) noexcept nogil:
    """Apply the rows in table order; a fan that is gone takes nothing with it."""
    cdef uint64_t left
    cdef int row, word
    result.counted[0] = result.standing[0]
    result.counted[1] = result.standing[1]
    for word in range(2):
        left = result.counted[word] & program.absorbing[word]
        while left:
            row = 64 * word + lowest_bit(left)
            left &= left - 1
            if has_row(program.reduced, row) and fan_count(result, program, row) == 0:
                continue
            result.counted[0] &= ~program.absorbs[row][0]
            result.counted[1] &= ~program.absorbs[row][1]
            left &= result.counted[word]


cdef void add_up(const program_t* program, result_t* result) noexcept nogil:
    cdef uint64_t left, varying
    cdef int row, word, n, i, total = 0, bonus = 0
    cdef bint others = False
    for word in range(2):
        left = result.counted[word]
        others |= left & ~(program.bonus[word] | program.varying[word]) != 0
        varying = left & (program.counting[word] | program.reduced[word])
        left &= ~program.varying[word]
        while left:
            row = 64 * word + lowest_bit(left)
            left &= left - 1
            total += program.points[row]
        while varying:
            row = 64 * word + lowest_bit(varying)
            varying &= varying - 1
            n = fan_count(result, program, row)
            if n == 0:
                result.counted[word] &= ~((<uint64_t> 1) << (row & 63))
                continue
            total += n * program.points[row]
            others |= not has_row(program.bonus, row)
        left = 0 if program.bonus[word] == 0 else result.counted[word] & program.bonus[word]
        while left:
            row = 64 * word + lowest_bit(left)
            left &= left - 1
            bonus += fan_count(result, program, row) * program.points[row]
    for i in range(result.n_chosen):
        row = result.chosen[i].row
        if has_row(result.counted, row) and not has_row(program.reduced, row):
            total += program.points[row]
            others |= not has_row(program.bonus, row)
    if not others:
        for word in range(2):
            left = result.met[word] & program.otherwise[word]
            result.counted[word] |= left
            result.standing[word] |= left
            while left:
                total += program.points[64 * word + lowest_bit(left)]
                left &= left - 1
    result.total = total
    result.bonus = bonus


cdef bint is_better(const program_t* program, const result_t* a, const result_t* b) noexcept nogil:
    """A larger total; of equals, more of the first fan in which they differ."""
    cdef uint64_t differing, varying
    cdef int word, row, first, n, m
    if a.total != b.total:
        return a.total > b.total
    for word in range(2):
        differing = a.counted[word] ^ b.counted[word]
        first = lowest_bit(differing) if differing else 64
        varying = a.counted[word] & b.counted[word] & program.varying[word]
        while varying and lowest_bit(varying) < first:
            row = 64 * word + lowest_bit(varying)
            varying &= varying - 1
            n = fan_count(a, program, row)
            m = fan_count(b, program, row)
            if n != m:
                return n > m
        if differing:
            return a.counted[word] >> first & 1
    return False
