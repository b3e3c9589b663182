"""A rule set made ready to run: its conditions by the bytes of the facts, what fans absorb, how often they count."""

cimport cython
from libc.stdlib cimport calloc, free

from mjcore.facts cimport N_FACT_BYTES
from mjcore.group_relations cimport FOUR_CHOWS_SAME, FOUR_CHOWS_SUITS_TERMINAL, FOUR_PUNGS_STEP_1, N_RELATIONS


def _bits_of_bytes(first, n):
    return ((1 << 8 * n) - 1) << 8 * first


KNOWN_FACTS = (
    _bits_of_bytes(0, N_TILE_BYTES) | _bits_of_bytes(FACT_WAITS // 8, 1) | _bits_of_bytes(8, N_WON_BYTES)
    | _bits_of_bytes(16, N_GROUP_BYTES) | _bits_of_bytes(FACT_ROLE // 8, N_ROLE_BYTES)
    | _bits_of_bytes(24, N_RELATION_BYTES)
)
"""The bits of the bytes that hold facts."""


cdef int set_rows(uint64_t* rows, object numbers) except -1:
    for row in numbers:
        add_row(rows, row)
    return 0


cdef int within(object numbers, object least, object most, str name) except -1:
    for number in numbers:
        if not isinstance(number, int) or not least <= number <= most:
            raise ValueError(f"expected {least} to {most} for {name}, got {number!r}")
    return 0


cdef int check_plan(dict plan) except -1:
    """Every place that is written to is there: whoever made the plan, a Program harms nothing."""
    n_fans, n_rows, terms = plan["n_fans"], plan["n_rows"], plan["terms"]
    within([n_rows], 0, N_ROWS_MAX, "n_rows")
    within([n_fans], 0, n_rows, "n_fans")
    within([len(terms)], n_rows, N_TERMS_MAX, "the number of terms")
    within([plan["forms"]], 0, 31, "forms")
    within([plan["minimum"], plan["base"]], 0, 10**6, "minimum and base")
    most = n_rows - 1
    for row, needed, barred in terms:
        within([row], 0, most, "the row of a term")
        within([needed, barred], 0, 2 ** (8 * <object> N_FACT_BYTES) - 1, "the facts of a term")
        if (needed | barred) & ~KNOWN_FACTS:
            raise ValueError(f"expected facts in a term, got {needed | barred:#x}")
    within(plan["wait_terms"], 0, len(terms) - 1, "wait_terms")
    for name in ("family", "bonus", "otherwise"):
        within(plan[name], 0, most, name)
    within([len(plan["points"])], 0, n_rows, "the number of points")
    within(plan["points"], 0, 10**6, "points")
    within(plan["relation_rows"].values(), 0, most, "relation_rows")
    counts = [*plan["counts"].values()]
    within(plan["counts"], 0, most, "counts")
    within([len(plan["partials"])], 0, N_PARTIALS_MAX, "the number of partial absorbs")
    for row, target, constant, count in plan["partials"]:
        within([row, target], 0, most, "partials")
        within([constant], 0, 255, "partials")
        counts.append(count)
    within([sum(len(count) for count in counts)], 0, N_COUNTS_MAX, "the number of facts in counts")
    for count in counts:
        for place, bits in count:
            within([place], 0, 8 * N_FACT_BYTES - 1, "the place of a fact")
            within([bits], 0, 16, "the bits of a fact")
    for row, targets in plan["absorbs"].items():
        within([row], 0, most, "absorbs")
        within(targets, 0, most, "absorbs")
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class Program:
    """
    A rule set made ready to run; `mjcore.rule_sets` makes it.

    Parameters
    ----------
    plan : dict
        What `mjcore.rule_sets.RuleSet` compiled: numbers, masks of facts as ints, lists by row.
    """

    def __cinit__(self, dict plan not None):
        cdef program_t* c
        cdef int i
        check_plan(plan)
        c = <program_t*> calloc(1, sizeof(program_t))
        if c == NULL:
            raise MemoryError("no memory for a rule set")
        self.c = c
        c.n_fans = plan["n_fans"]
        c.n_rows = plan["n_rows"]
        c.n_terms = len(plan["terms"])
        c.forms = plan["forms"]
        c.quads = plan["quads"]
        c.minimum = plan["minimum"]
        c.base = plan["base"]
        if c.n_rows > N_ROWS_MAX or c.n_terms > N_TERMS_MAX:
            raise ValueError(f"expected at most {N_ROWS_MAX} rows and {N_TERMS_MAX} terms, "
                             f"got {c.n_rows} and {c.n_terms}")
        for i, (row, needed, barred) in enumerate(plan["terms"]):
            self.add_term(i, row, needed, barred)
        c.counts_waits = plan["counts_waits"]
        c.counts_roles = plan["counts_roles"]
        for i in plan["wait_terms"]:
            c.wait_terms[i >> 6] |= <uint64_t> 1 << (i & 63)
        for i in range(c.n_fans):
            add_row(c.fans, i)
        set_rows(c.required, range(c.n_fans, c.n_rows))
        set_rows(c.family, plan["family"])
        set_rows(c.bonus, plan["bonus"])
        set_rows(c.otherwise, plan["otherwise"])
        for i, points in enumerate(plan["points"]):
            c.points[i] = points
        for i in range(256):
            c.relation_row[i] = plan["relation_rows"].get(i, 0xFF)
        self.add_counts(plan)
        self.add_absorbs(plan)
        for i in range(2):
            c.plain[i] = c.fans[i] & ~(c.family[i] | c.otherwise[i])
            c.varying[i] = c.family[i] | c.counting[i] | c.reduced[i]
        self.add_tangled()

    def __dealloc__(self):
        free(self.c)

    cdef int add_term(self, int place, int row, object needed, object barred) except -1:
        """A term is false of every byte that lacks a bit it needs or has one that it bars."""
        cdef int at, value, need, bar
        cdef uint64_t bit = <uint64_t> 1 << (place & 63)
        cdef bytes needs = needed.to_bytes(N_FACT_BYTES, "little"), bars = barred.to_bytes(N_FACT_BYTES, "little")
        if place < self.c.n_rows:
            self.c.first_terms[place >> 6] |= bit
        else:
            self.c.more_terms[place >> 6] |= bit
        self.c.term_row[place] = row
        for at in range(N_FACT_BYTES):
            need = needs[at]
            bar = bars[at]
            if need == 0 and bar == 0:
                continue
            for value in range(256):
                if need & ~value or bar & value:
                    if place < 128:
                        self.c.kill[at][value][place >> 6] |= bit
                    else:
                        self.c.kill_more[at][value][place >> 6 & 1] |= bit
        return 0

    cdef int add_counts(self, dict plan) except -1:
        cdef int n = 0, row
        fields = [*plan["counts"].items()]
        self.c.n_partials = len(plan["partials"])
        if self.c.n_partials > N_PARTIALS_MAX:
            raise ValueError(f"expected at most {N_PARTIALS_MAX} fans that are absorbed in part")
        for row, count in fields:
            self.c.first_count[row] = n
            self.c.n_counts[row] = len(count)
            add_row(self.c.counting, row)
            n = self.add_fields(n, count)
        for i, (row, target, constant, count) in enumerate(plan["partials"]):
            self.c.partials[i].row = row
            self.c.partials[i].target = target
            self.c.partials[i].constant = constant
            self.c.partials[i].first_count = n
            self.c.partials[i].n_counts = len(count)
            add_row(self.c.reduced, target)
            add_row(self.c.reducing, row)
            n = self.add_fields(n, count)
        return 0

    cdef int add_fields(self, int n, object count) except -1:
        for place, bits in count:
            if n == N_COUNTS_MAX:
                raise ValueError(f"expected at most {N_COUNTS_MAX} facts in counts")
            self.c.counts[n].word = place >> 6
            self.c.counts[n].shift = place & 63
            self.c.counts[n].mask = (1 << bits) - 1
            n += 1
        return n

    cdef int add_absorbs(self, dict plan) except -1:
        for row, targets in plan["absorbs"].items():
            add_row(self.c.absorbing, row)
            set_rows(self.c.absorbs[<int> row], targets)
        return 0

    cdef int add_tangled(self) except -1:
        cdef program_t* c = self.c
        cdef int relation, row, other
        for relation in range(N_RELATIONS):
            row = c.relation_row[relation]
            if row == 0xFF or FOUR_CHOWS_SAME <= relation <= FOUR_CHOWS_SUITS_TERMINAL or relation == FOUR_PUNGS_STEP_1:
                continue
            for other in range(c.n_rows):
                if has_row(c.family, other):
                    continue
                if has_row(c.absorbs[row], other) or has_row(c.absorbs[other], row):
                    add_row(c.tangled, other)
        return 0

    def __reduce__(self):
        raise TypeError("a Program is made from a RuleSet, which pickles")
