"""batch.pack and batch.unpack: every layout in, checked first, and equal to the scalar functions."""

import subprocess
import sys

import numpy as np
import pytest

import mjcore
from mjcore import batch

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", np.intc, np.longlong, np.ulonglong, np.intp]


def some_counts(shape, seed=80):
    rng = np.random.default_rng(seed)
    return rng.choice(np.array([0, 0, 0, 1, 2, 3, 4], np.uint8), size=(*shape, 34))


def expected(counts):
    """Lanes row by row, from the scalar function."""
    rows = np.asarray(counts).reshape(-1, 34)
    lanes = np.zeros((len(rows), 4), np.uint64)
    for i, row in enumerate(rows.tolist()):
        vec = mjcore.pack(row)
        for lane in range(4):
            lanes[i, lane] = vec >> 36 * lane & (1 << 36) - 1
    return lanes.reshape(*np.shape(counts)[:-1], 4)


def check(counts):
    want = expected(counts)
    lanes = batch.pack(counts)
    assert lanes.dtype == np.uint64
    assert lanes.shape == want.shape
    assert np.array_equal(lanes, want)
    back = batch.unpack(lanes)
    assert back.dtype == np.uint8
    assert np.array_equal(back, counts)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_every_integer_dtype(dtype):
    check(some_counts((50,)).astype(dtype))


@pytest.mark.parametrize(
    "shape", [(), (1,), (7,), (0,), (2, 3), (0, 3), (3, 0), (2, 0, 4), (2, 1, 3), (1, 1, 1, 1), (2, 2, 2, 2)]
)
def test_any_leading_shape(shape):
    check(some_counts(shape))


def test_as_many_dimensions_as_numpy_has():
    counts = some_counts(()).reshape((1,) * 31 + (34,))
    assert np.array_equal(batch.pack(counts).ravel(), expected(counts).ravel())


def test_unpack_equals_the_scalar_function():
    lanes = expected(some_counts((200,)))
    for row, counts in zip(lanes.tolist(), batch.unpack(lanes).tolist(), strict=True):
        assert counts == mjcore.unpack(sum(lane << 36 * i for i, lane in enumerate(row)))


def strided_views(array):
    """The same rows in other layouts, by name."""
    wide = np.full((2 * array.shape[0], 3 * array.shape[1]), 77, array.dtype)
    wide[::2, 1::3] = array
    turned = np.ascontiguousarray(array[::-1, ::-1])
    offset = np.zeros(array.nbytes + 1, np.uint8)
    unaligned = offset[1:].view(array.dtype).reshape(array.shape)
    unaligned[...] = array
    record = np.zeros(array.shape[0], [("tag", "u1"), ("row", array.dtype, array.shape[1])])
    record["row"] = array
    readonly = array.copy()
    readonly.flags.writeable = False
    return {
        "strided": wide[::2, 1::3],
        "negative strides": turned[::-1, ::-1],
        "fortran order": np.asfortranarray(array),
        "unaligned": unaligned,
        "field of records": record["row"],
        "read-only": readonly,
        "transposed": np.ascontiguousarray(array.T).T,
        "from bytes": np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
        "matrix": np.asarray(array).view(np.matrix),
        "masked": np.ma.array(array),
    }


@pytest.mark.parametrize("dtype", ["u1", "i2", "i4", "u8"])
def test_any_layout_of_counts(dtype):
    counts = some_counts((9,)).astype(dtype)
    want = expected(counts)
    for name, view in strided_views(counts).items():
        assert np.array_equal(batch.pack(view), want), name
        assert type(batch.pack(view)) is np.ndarray, name


def test_any_layout_of_lanes():
    counts = some_counts((9,))
    for name, view in strided_views(expected(counts)).items():
        assert np.array_equal(batch.unpack(view), counts), name


def test_rows_that_are_one_row():
    row = some_counts(())
    assert np.array_equal(batch.pack(np.broadcast_to(row, (5, 34))), np.broadcast_to(expected(row), (5, 4)))


def test_lists_and_buffers():
    counts = some_counts((3,))
    assert np.array_equal(batch.pack(counts.tolist()), expected(counts))
    assert np.array_equal(batch.pack(memoryview(np.ascontiguousarray(counts))), expected(counts))


@pytest.mark.parametrize("dtype", ["?", "f2", "f4", "f8", "c8", "O", "U1", "S1", "V1", "M8[s]", "m8[s]"])
def test_other_dtypes_are_errors(dtype):
    with pytest.raises(TypeError, match="integer array"):
        batch.pack(np.zeros((3, 34), dtype))
    with pytest.raises(TypeError, match="integer array"):
        batch.unpack(np.zeros((3, 4), dtype))


@pytest.mark.parametrize("dtype", [dtype for dtype in INTEGERS if np.dtype(dtype) != np.uint64], ids=str)
def test_lanes_are_uint64(dtype):
    with pytest.raises(TypeError, match="lanes of uint64"):
        batch.unpack(np.zeros((3, 4), dtype))


@pytest.mark.parametrize("dtype", ["i2", "i4", "i8", "u2", "u4", "u8"])
def test_byte_order_is_named(dtype):
    swapped = np.dtype(dtype).newbyteorder("S")
    with pytest.raises(TypeError, match="native byte order"):
        batch.pack(np.zeros((3, 34), swapped))
    with pytest.raises(TypeError, match="native byte order"):
        batch.unpack(np.zeros((3, 4), np.dtype("u8").newbyteorder("S")))


@pytest.mark.parametrize(
    "shape", [(), (0,), (33,), (35,), (34, 1), (34, 2), (3, 33), (3, 35), (0, 33), (3, 0), (2, 3, 4)]
)
def test_wrong_widths_of_counts(shape):
    with pytest.raises(ValueError, match="last axis of 34"):
        batch.pack(np.zeros(shape, np.uint8))


@pytest.mark.parametrize("shape", [(), (0,), (3,), (5,), (4, 1), (3, 34), (0, 3), (3, 0)])
def test_wrong_widths_of_lanes(shape):
    with pytest.raises(ValueError, match="last axis of 4"):
        batch.unpack(np.zeros(shape, np.uint64))


@pytest.mark.parametrize(
    "value", [None, 1, "1m", b"1m", [], [[]], {}, object(), [[0] * 34, [0] * 33], [None] * 34, 1.5]
)
def test_what_is_no_array(value):
    for function in (batch.pack, batch.unpack):
        with pytest.raises((TypeError, ValueError)):
            function(value)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_first_bad_row_is_named_and_out_untouched(dtype):
    info = np.iinfo(dtype)
    bad_values = [5, 6, 7, 8, 9, 16, 127, info.max, info.max - 1] + (
        [-1, -4, info.min, info.min + 1] if info.min else []
    )
    for bad in bad_values:
        for kind in (0, 8, 9, 26, 27, 33):
            counts = some_counts((10,)).astype(dtype)
            counts[6, kind] = counts[8, 0] = counts[9, 33] = bad
            out = np.full((10, 4), 99, np.uint64)
            with pytest.raises(mjcore.InvalidHandError, match=rf"^row 6: .*{mjcore.tile_name(kind)}, got {bad}$"):
                batch.pack(counts, out=out)
            assert (out == 99).all()


def test_values_that_are_right_in_their_last_byte_are_wrong():
    for dtype, shift in (("u2", 8), ("i4", 16), ("u4", 31), ("i8", 32), ("u8", 63), ("u8", 8)):
        counts = np.zeros((2, 34), dtype)
        counts[1, 5] = (1 << shift) + 1
        with pytest.raises(mjcore.InvalidHandError, match=r"row 1: .*6m"):
            batch.pack(counts)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4)])
def test_bad_rows_of_more_dimensions(shape):
    counts = some_counts(shape)
    counts[(1,) * len(shape)][7] = 5
    place = str((1,) * len(shape)).replace("(", r"\(").replace(")", r"\)")
    out = np.full((*shape, 4), 99, np.uint64)
    with pytest.raises(mjcore.InvalidHandError, match=rf"row {place}: .*8m, got 5"):
        batch.pack(counts, out=out)
    assert (out == 99).all()


def test_a_bad_single_row():
    counts = some_counts(())
    counts[33] = 5
    with pytest.raises(mjcore.InvalidHandError, match="N, got 5"):
        batch.pack(counts)
    with pytest.raises(mjcore.InvalidHandError, match=r"expected 0 to 4 copies of .*, got 5"):
        batch.unpack(np.array([0, 0, 0, 5], np.uint64))


def n_of(bad):
    """The number in the only nibble of a lane that is not 0."""
    return int(f"{bad:x}".rstrip("0"), 16)


@pytest.mark.parametrize("lane", range(4))
def test_bad_lanes_are_named_and_out_untouched(lane):
    n_bits = 28 if lane == 3 else 36
    bad_values = [1 << bit for bit in range(n_bits, 64)]
    bad_values += [n << shift for shift in range(0, n_bits, 4) for n in range(5, 16)]
    for bad in bad_values:
        lanes = expected(some_counts((5,)))
        lanes[3, lane] = lanes[4, 0] = bad
        out = np.full((5, 34), 99, np.uint8)
        with pytest.raises(mjcore.InvalidHandError, match=rf"row 3: .*({hex(bad)}|copies of .+, got ({n_of(bad)})$)"):
            batch.unpack(lanes, out=out)
        assert (out == 99).all()


def test_out_is_filled_and_returned():
    counts = some_counts((6,))
    lanes = np.full((6, 4), 99, np.uint64)
    assert batch.pack(counts, out=lanes) is lanes
    assert np.array_equal(lanes, expected(counts))
    back = np.full((6, 34), 99, np.uint8)
    assert batch.unpack(lanes, out=back) is back
    assert np.array_equal(back, counts)
    single = np.full(4, 99, np.uint64)
    assert batch.pack(counts[0], out=single) is single
    assert np.array_equal(single, lanes[0])
    cube = np.full((2, 3, 4), 99, np.uint64)
    assert batch.pack(counts.reshape(2, 3, 34), out=cube) is cube
    assert np.array_equal(cube, lanes.reshape(2, 3, 4))


def test_out_may_be_strided():
    counts = some_counts((6,))
    for view in (
        np.zeros((12, 12), np.uint64)[::2, ::3],
        np.zeros((6, 4), np.uint64)[::-1, ::-1],
        np.zeros((4, 6), np.uint64).T,
    ):
        assert np.array_equal(batch.pack(counts, out=view), expected(counts))


@pytest.mark.parametrize(
    ("out", "error"),
    [
        (np.zeros((5, 4), np.uint64), ValueError),
        (np.zeros((6, 5), np.uint64), ValueError),
        (np.zeros((1, 4), np.uint64), ValueError),
        (np.zeros((6, 4, 1), np.uint64), ValueError),
        (np.zeros((6, 4), np.int64), ValueError),
        (np.zeros((6, 4), np.uint8), ValueError),
        (np.zeros((6, 4), np.dtype("u8").newbyteorder("S")), ValueError),
        (np.broadcast_to(np.zeros(4, np.uint64), (6, 4)), ValueError),
        ([[0] * 4] * 6, TypeError),
        (bytearray(6 * 4 * 8), TypeError),
        (1, TypeError),
        (True, TypeError),
    ],
)
def test_out_that_does_not_fit(out, error):
    with pytest.raises(error, match="out"):
        batch.pack(some_counts((6,)), out=out)
    with pytest.raises(error, match="out"):
        batch.unpack(expected(some_counts((6,))), out=out)


def test_read_only_out():
    out = np.zeros((6, 4), np.uint64)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="writeable"):
        batch.pack(some_counts((6,)), out=out)


def overlaps():
    """(counts, out) that share memory."""
    base = some_counts((8,)).astype(np.uint64)
    for rows in (slice(None), slice(None, None, -1)):
        for columns in (slice(0, 4), slice(30, 34), slice(3, None, -1)):
            counts = base.copy()
            yield counts, counts[rows, columns]
    memory = np.zeros(8 * 34 + 40, np.uint64)
    for shift in (1, 4, 34, 40):
        counts = memory[: 8 * 34].reshape(8, 34)
        yield counts, memory[shift : shift + 32].reshape(8, 4)


@pytest.mark.parametrize("which", range(10))
def test_overlapping_out_gives_the_answer_or_an_error(which):
    counts, out = list(overlaps())[which]
    counts[...] = some_counts((8,))
    want, before = expected(counts), out.copy()
    try:
        batch.pack(counts, out=out)
    except ValueError:
        assert np.array_equal(out, before)
    else:
        assert np.array_equal(out, want)


def test_overlapping_lanes_give_the_answer_or_an_error():
    memory = np.zeros((8, 8), np.uint64)
    lanes = memory[:, :4]
    lanes[...] = expected(some_counts((8,)))
    want = batch.unpack(lanes)
    out = memory.view(np.uint8)[:, :34]
    try:
        batch.unpack(lanes, out=out)
    except ValueError:
        assert np.array_equal(lanes, expected(want))
    else:
        assert np.array_equal(out, want)


def test_input_is_not_changed():
    counts = some_counts((6,))
    before = counts.copy()
    lanes = batch.pack(counts)
    batch.unpack(lanes)
    assert np.array_equal(counts, before)
    assert np.array_equal(lanes, expected(counts))


def test_many_rows():
    counts = some_counts((100_000,))
    lanes = batch.pack(counts)
    assert np.array_equal(batch.unpack(lanes), counts)
    picked = np.random.default_rng(81).integers(0, len(counts), 300)
    assert np.array_equal(lanes[picked], expected(counts[picked]))


def test_import_does_not_import_numpy():
    code = "import mjcore, sys; assert 'numpy' not in sys.modules; assert mjcore.is_hu('11m'); mjcore.ting_many(['1m'])"
    code += "; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-I", "-c", code], check=True)


@pytest.mark.parametrize("name", ["batch", "plots", "simulator"])
def test_modules_are_there_when_they_are_asked_for(name):
    code = f"import mjcore, sys; mjcore.{name}; assert mjcore.{name} is sys.modules['mjcore.{name}']"
    subprocess.run([sys.executable, "-I", "-c", code], check=True)
