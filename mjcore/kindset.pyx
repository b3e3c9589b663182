"""A set of tile kinds in one machine word."""

from collections.abc import Set

cimport cython
from cpython.object cimport Py_EQ, Py_GT, Py_LE, Py_LT, Py_NE

from mjcore.packed cimport ALL_KINDS, N_KINDS, kind_bit, kindset_size, kindset_t, lowest_bit

from mjcore.notation import kind_of, read_text
from mjcore.tiles import NOTATIONS, InvalidHandError, as_index, check_kind, shown, tile_name

cdef tuple NOTHING = ()


@cython.final
@cython.freelist(64)
cdef class KindSet:
    """KindSet(kinds=())
--

    An immutable set of kinds, in kind order.

    Parameters
    ----------
    kinds : iterable of int or str, str, or KindSet, optional
        Kinds as numbers 0 .. 33 or names, or one text that holds them all.

    Attributes
    ----------
    mask : int
        Bit k is set where kind k is in the set.

    Raises
    ------
    InvalidHandError
        If something is not a kind.

    Examples
    --------
    >>> import mjcore
    >>> waits = mjcore.KindSet("14m E")
    >>> list(waits), len(waits), "4m" in waits, 30 in waits
    ([0, 3, 30], 3, True, True)
    >>> print(waits), waits.text("chinese")
    1m 4m E
    (None, '一万 四万 东')
    >>> waits - {0} | mjcore.KindSet("C"), bin(waits.mask)[-4:]
    (KindSet('4m C E'), '1001')
    """

    def __cinit__(self, kinds=()):
        cdef kindset_t mask = 0
        if kinds is NOTHING:
            return
        if isinstance(kinds, KindSet):
            mask = (<KindSet> kinds).mask
        elif isinstance(kinds, str):
            tiles, melds = read_text(kinds)
            if melds:
                raise InvalidHandError(f"expected kinds, got a meld in {kinds!r}")
            for kind, _, _ in tiles:
                mask |= kind_bit(kind)
        else:
            if not hasattr(kinds, "__iter__"):
                raise TypeError(f"expected kinds or text, got {type(kinds).__name__}")
            for kind in kinds:
                mask |= kind_bit(kind_of(kind))
        self.mask = mask

    def __init__(self, kinds=()):
        """All is done in __cinit__, which runs once; this says what the arguments are."""

    @staticmethod
    def from_mask(mask, /):
        """
        Return the set whose mask is given.

        Raises
        ------
        InvalidHandError
            If `mask` is not an int of 34 bits.
        """
        number = as_index(mask)
        if number is None or not 0 <= number <= ALL_KINDS:
            raise InvalidHandError(f"expected a mask of 34 bits, got {shown(mask)}")
        return kindset_new(number)

    def text(self, notation="letters", *, dialect="tenhou"):
        """
        Return the names of the kinds, with blanks between.

        Parameters
        ----------
        notation : {"letters", "mpsz", "chinese", "unicode"}
            How to write them.
        dialect : {"tenhou", "cn"}
            Which z-digits honors get in mpsz.
        """
        return " ".join([tile_name(kind, notation, dialect=dialect) for kind in self])

    def __str__(self):
        return self.text()

    def __format__(self, spec):
        return self.text(spec) if spec in NOTATIONS else format(self.text(), spec)

    def __repr__(self):
        return f"KindSet({self.text()!r})"

    def __len__(self):
        return kindset_size(self.mask)

    def __bool__(self):
        return self.mask != 0

    def __iter__(self):
        cdef kindset_t left = self.mask
        kinds = []
        while left:
            kinds.append(lowest_bit(left))
            left &= left - 1
        return iter(kinds)

    def __contains__(self, kind):
        try:
            number = kind_of(kind)
        except InvalidHandError:
            return False
        return (self.mask >> <int> number) & 1 != 0

    def __hash__(self):
        return hash(frozenset(self))

    def __richcmp__(self, other, int op):
        cdef kindset_t theirs = 0
        cdef bint subset, superset
        if isinstance(other, KindSet):
            theirs = (<KindSet> other).mask
            superset = theirs & ~self.mask == 0
        elif isinstance(other, Set):
            superset = True
            for kind in other:
                if not isinstance(kind, str) and kind in self:
                    theirs |= kind_bit(kind)
                else:
                    superset = False    # a kind that is not here, or no kind at all
        else:
            return NotImplemented
        subset = self.mask & ~theirs == 0
        if op == Py_LT:
            return subset and not superset
        if op == Py_LE:
            return subset
        if op == Py_EQ:
            return subset and superset
        if op == Py_NE:
            return not (subset and superset)
        if op == Py_GT:
            return superset and not subset
        return superset

    def __and__(self, other):
        return combine(self, other, 0)

    def __or__(self, other):
        return combine(self, other, 1)

    def __xor__(self, other):
        return combine(self, other, 2)

    def __sub__(self, other):
        return combine(self, other, 3)

    def __rand__(self, other):
        return combine(other, self, 0)

    def __ror__(self, other):
        return combine(other, self, 1)

    def __rxor__(self, other):
        return combine(other, self, 2)

    def __rsub__(self, other):
        return combine(other, self, 3)

    def __invert__(self):
        return kindset_new(ALL_KINDS & ~self.mask)

    def isdisjoint(self, other):
        """Return whether no kind is in both; `other` as for the constructor."""
        return not self & KindSet(other)

    def __int__(self):
        return self.mask

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return KindSet.from_mask, (self.mask,)


Set.register(KindSet)


cdef KindSet kindset_new(kindset_t mask):
    cdef KindSet kinds = KindSet.__new__(KindSet)
    kinds.mask = mask
    return kinds


cdef kindset_t kindset_of(kinds, bint all_kinds) except? 0xFFFFFFFFFFFFFFFF:
    """The kinds of a set; what is no kind is an error, or left out."""
    cdef kindset_t mask = 0
    for kind in kinds:
        number = as_index(kind)
        if all_kinds:
            number = check_kind(kind)
        if number is not None and 0 <= number < N_KINDS:
            mask |= kind_bit(<int> number)
    return mask


cdef object combine(left, right, int op):
    cdef kindset_t a, b
    if not isinstance(left, Set) or not isinstance(right, Set):
        return NotImplemented
    # an intersection or difference never holds what is no kind, unless it is taken from it
    a = (<KindSet> left).mask if isinstance(left, KindSet) else kindset_of(left, op != 0)
    b = (<KindSet> right).mask if isinstance(right, KindSet) else kindset_of(right, op in (1, 2))
    if op == 0:
        return kindset_new(a & b)
    if op == 1:
        return kindset_new(a | b)
    if op == 2:
        return kindset_new(a ^ b)
    return kindset_new(a & ~b)
