"""Pack 34 counts into a 136-bit int and back, and say exactly what is wrong with what is neither."""

from mjcore.packed cimport (
    N_COPIES,
    N_KINDS,
    N_TILES_MAX,
    hand_clear,
    hand_count,
    hand_has_fifth,
    hand_read_int,
    hand_size,
    hand_t,
    hand_write_int,
    kind_lane,
    kind_shift,
    lane_t,
)

from itertools import islice

from mjcore.tiles import LETTERS, InvalidHandError, as_index, shown


def pack(counts, /):
    """
    Pack 34 counts into a 136-bit int.

    Parameters
    ----------
    counts : sequence of 34 int
        Copies of each kind, 0 .. 4, in kind order.  Any sequence of integers, also a numpy array.

    Returns
    -------
    int
        Four bits a kind, kind 0 lowest.

    Raises
    ------
    InvalidHandError
        If there are not 34 counts or one of them is not an integer of 0 to 4; the message names
        the kind.

    Examples
    --------
    >>> import mjcore
    >>> counts = [0] * 34
    >>> counts[0], counts[33] = 2, 1
    >>> mjcore.pack(counts) == 2 + (1 << 132)
    True
    """
    cdef hand_t h
    if not is_counts(counts):
        raise InvalidHandError(f"expected a sequence of {N_KINDS} counts, got {shorten(counts)}")
    read_counts(counts, &h)
    return hand_write_int(h.lane)


def unpack(vec, /):
    """
    Return the 34 counts of a packed hand.

    Parameters
    ----------
    vec : int
        A packed hand.

    Returns
    -------
    list of int
        Copies of each kind in kind order.

    Raises
    ------
    InvalidHandError
        If `vec` is not an int of 34 nibbles, each 0 to 4; the message names the kind.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.unpack(mjcore.tile("9m") + mjcore.tile("9m"))[:10]
    [0, 0, 0, 0, 0, 0, 0, 0, 2, 0]
    """
    cdef hand_t h
    if as_index(vec) is None:
        raise InvalidHandError(f"expected a packed int, got {shorten(vec)}")
    read_packed(vec, &h)
    return [hand_count(&h, kind) for kind in range(N_KINDS)]


def pack_plain(str text, tuple honors, /):
    """
    Pack text that is only digits 1 .. 9 before m, s or p, 1 .. 7 before z, honor letters and blanks.

    Parameters
    ----------
    text : str
        Any text.
    honors : tuple of 7 int
        The kinds of 1z .. 7z.

    Returns
    -------
    int or None
        None for every other text and for a fifth copy: the reader of all notations knows, or says what
        is wrong.
    """
    cdef hand_t h
    cdef lane_t digits = 0, honor_digits
    cdef int n_digits = 0, lane, index
    cdef Py_UCS4 character
    hand_clear(&h)
    for character in text:
        if "1" <= character <= "9":
            digits += (<lane_t> 1) << 4 * (<int> character - <int> "1")
            n_digits += 1
            if n_digits > 15:
                return None
            continue
        if character == "m":
            lane = 0
        elif character == "s":
            lane = 1
        elif character == "p":
            lane = 2
        elif character == "z":
            lane = 3
            if digits >> 28:
                return None
            honor_digits = digits
            digits = 0
            for index in range(7):
                digits |= (honor_digits >> (4 * index) & 0xF) << kind_shift(<int> honors[index])
        else:
            if n_digits:
                return None
            if character == " ":
                continue
            lane = 3
            if character == "C":
                digits = 0x1
            elif character == "F":
                digits = 0x10
            elif character == "P":
                digits = 0x100
            elif character == "E":
                digits = 0x1000
            elif character == "S":
                digits = 0x10000
            elif character == "W":
                digits = 0x100000
            elif character == "N":
                digits = 0x1000000
            else:
                return None
        if digits == 0:
            return None
        h.lane[lane] += digits
        if hand_has_fifth(&h):
            return None
        digits = 0
        n_digits = 0
    if n_digits:
        return None
    return hand_write_int(h.lane)


cdef str shorten(value):
    return f"{type(value).__name__} {shown(value)}"


cdef int read_packed(object packed, hand_t* h) except -99:
    cdef int kind
    if type(packed) is not int:
        packed = read_index(packed)
    if hand_read_int(packed, h.lane):
        if packed < 0:
            raise InvalidHandError("expected a packed hand of 34 nibbles, got a negative int")
        raise InvalidHandError(
            f"expected a packed hand of 34 nibbles (136 bits), got an int of {packed.bit_length()} bits")
    if hand_has_fifth(h):
        for kind in range(N_KINDS):
            if hand_count(h, kind) > N_COPIES:
                raise InvalidHandError(
                    f"expected at most {N_COPIES} copies of a kind, got {hand_count(h, kind)} of {LETTERS[kind]}")
    return 0


cdef object read_index(object value):
    """An exact int for anything that counts as one."""
    number = as_index(value)
    if number is None:
        raise InvalidHandError(f"expected a hand (a packed int, a Hand, text or 34 counts), got {shorten(value)}")
    return number


cdef bint is_counts(object value):
    """Whether a value is to be read as a sequence of counts."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not hasattr(value, "keys") \
        and not (hasattr(value, "ndim") and value.ndim == 0)


cdef int read_counts(object counts, hand_t* h) except -99:
    cdef Py_ssize_t n
    cdef int kind
    cdef tuple items
    hand_clear(h)
    if getattr(counts, "ndim", 1) != 1:
        raise InvalidHandError(
            f"expected {N_KINDS} counts of one hand, got an array of {counts.ndim} dimensions; "
            "mjcore.batch takes arrays of hands")
    n = len(counts)
    if n == N_KINDS:
        # a copy: reading a count may run code, or let code run, that changes the sequence
        items = tuple(counts.tolist() if hasattr(counts, "tolist") else islice(counts, N_KINDS + 1))
        n = len(items)
    if n != N_KINDS:
        raise InvalidHandError(f"expected {N_KINDS} counts, got {n} items in {type(counts).__name__}")
    for kind in range(N_KINDS):
        count = items[kind]
        if type(count) is not int:
            number = as_index(count)
            if number is None:
                raise InvalidHandError(f"expected an integer count of {LETTERS[kind]}, got {shorten(count)}")
            count = number
        if not 0 <= count <= N_COPIES:
            if count < 0:
                raise InvalidHandError(f"expected 0 to {N_COPIES} copies of {LETTERS[kind]}, got a negative count")
            raise InvalidHandError(
                f"expected at most {N_COPIES} copies of a kind, got {shorten(count)} of {LETTERS[kind]}")
        h.lane[kind_lane(kind)] |= (<lane_t> <int> count) << kind_shift(kind)
    return 0


cdef int check_size(const hand_t* h, int n_others) except -99:
    cdef int n = hand_size(h)
    if n + n_others > N_TILES_MAX:
        if n_others:
            raise InvalidHandError(
                f"expected at most {N_TILES_MAX} concealed tiles, got {n} and {n_others} jokers or melded tiles")
        raise InvalidHandError(f"expected at most {N_TILES_MAX} concealed tiles, got {n}")
    return 0
