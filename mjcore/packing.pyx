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

from mjcore.tiles import LETTERS, InvalidHandError


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
    read_packed(vec, &h)
    return [hand_count(&h, kind) for kind in range(N_KINDS)]


cdef str shorten(value):
    try:
        text = repr(value)
    except Exception:
        text = "an object without a repr"
    if len(text) > 60:
        text = text[:57] + "..."
    return f"{type(value).__name__} {text}"


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
    if not isinstance(value, bool):
        try:
            return int(value.__index__())
        except (AttributeError, TypeError):
            pass
    raise InvalidHandError(f"expected a hand (a packed int, a Hand, text or 34 counts), got {shorten(value)}")


cdef bint is_counts(object value):
    """Whether a value is to be read as a sequence of counts."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not hasattr(value, "keys") \
        and not (hasattr(value, "ndim") and value.ndim == 0)


cdef int read_counts(object counts, hand_t* h) except -99:
    cdef Py_ssize_t n
    cdef int kind
    hand_clear(h)
    if getattr(counts, "ndim", 1) != 1:
        raise InvalidHandError(
            f"expected {N_KINDS} counts of one hand, got an array of {counts.ndim} dimensions; "
            "mjcore.batch takes arrays of hands")
    n = len(counts)
    if n != N_KINDS:
        raise InvalidHandError(f"expected {N_KINDS} counts, got {n} items in {type(counts).__name__}")
    for kind in range(N_KINDS):
        count = counts[kind]
        if type(count) is not int:
            if isinstance(count, bool) or not hasattr(count, "__index__"):
                raise InvalidHandError(f"expected an integer count of {LETTERS[kind]}, got {shorten(count)}")
            try:
                count = int(count.__index__())
            except TypeError:
                raise InvalidHandError(
                    f"expected an integer count of {LETTERS[kind]}, got {shorten(count)}") from None
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
