"""The danger table: what is counted, what counts alike, its file."""

import pickle
import random

import numpy as np
import pytest

import mjcore
from mjcore import DangerTable, InvalidHandError, fit_danger
from mjcore.danger import CLASSES


def kind(name):
    return mjcore.kind_of(name)


def test_one_record():
    table = fit_danger([(["5m"], ["2m", "8m"])])
    assert table["2m", "5m"] == table["8m", "5m"] == table["2s", "5s"] == 1
    assert table["5m", "5m"] == table["4m", "5m"] == table["2s", "5m"] == table["E", "5m"] == 0


def test_only_recent_discards_count():
    table = fit_danger([(["9m", "1m", "5m", "E", "S"], ["2m"])])
    assert table["2m", "5m"] == 0.5  # 2m is waited for and its mirror 8m is not
    assert table["1m", "9m"] == table["1s", "4s"]  # no record of either: the mean of all
    assert fit_danger([(["9m", "5m"], ["2m"])], recent=1)["2m", "5m"] == 0.5


def test_a_kind_counts_once_for_a_record():
    assert fit_danger([(["E", "E", "E"], ["S"])]) == fit_danger([(["E"], ["S"])])


def test_records_are_counted_not_weighed():
    table = fit_danger([(["E"], "E"), (["S"], ""), (["N"], "S"), (["N"], "")])
    assert table["C", "C"] == 0.25
    assert table["C", "F"] == pytest.approx(1 / 24)


def test_tables_know_no_suit_and_no_direction():
    rng = random.Random(3)
    logs = [(rng.choices(range(34), k=6), rng.sample(range(34), 2)) for _ in range(200)]
    table = fit_danger(logs)
    for a in range(34):
        for b in range(34):
            mirror = [k if k >= 27 else k // 9 * 9 + 8 - k % 9 for k in (a, b)]
            turned = [k if k >= 27 else (k + 9) % 27 for k in (a, b)]
            assert table[a, b] == table[tuple(mirror)] == table[tuple(turned)]
    assert len({group for row in CLASSES for group in row}) == 41 + 25 + 5 + 5 + 2


def test_the_table_of_the_package():
    table = DangerTable.default()
    assert table is DangerTable.default()
    values = np.array(table)
    assert values.shape == (34, 34)
    assert (values >= 0).all()
    assert (values < 0.3).all()
    assert "seed" in table.source
    # a player rarely waits on what was just let go, or on the honors beside it
    assert table["E", "E"] < table["E", "S"] < table["5m", "E"]


def test_file(tmp_path):
    table = fit_danger([(["5m", "E"], ["2m", "8m"])], source="two lines\nof source")
    table.save(tmp_path / "table.csv")
    again = DangerTable.load(tmp_path / "table.csv")
    assert again == table
    assert again.source == table.source
    assert pickle.loads(pickle.dumps(again)) == table
    assert hash(again) == hash(table)
    assert repr(again) == "<DangerTable 'two lines'>"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("2m,", "3m,"), r"table.csv, line 4: expected the row of 2m, got '3m'"),
        ((",0.5", ",x"), r"table.csv, line 4: expected a number for 2m after 1m, got 'x'"),
        ((",0.5", ","), r"table.csv, line 4: expected a number for 2m after 1m, got ''"),
        ((",0.5", ",0.2_5"), r"table.csv, line 4: expected a number for 2m after 1m, got '0.2_5'"),
        ((",0.5", ",\u0661"), r"table.csv, line 4: expected a number for 2m after 1m, got '\u0661'"),
        ((",0.5", ",nan"), r"table.csv, line 4: expected a chance of 0 to 1 for 2m after 1m, got 'nan'"),
        ((",0.5", ",1.5"), r"table.csv, line 4: expected a chance of 0 to 1 for 2m after 1m, got '1.5'"),
        ((",0.5", ",0.5,1"), r"table.csv, line 4: expected 34 chances after 2m, got 36"),
        ((",0.5", ""), r"table.csv, line 4: expected 34 chances after 2m, got 32"),
    ],
)
def test_bad_file(tmp_path, change, problem):
    path = tmp_path / "table.csv"
    fit_danger([(["1m"], ["2m"]), (["1m"], ["8m"])], source="s").save(path)
    old, new = change
    text = path.read_text(encoding="utf-8")
    lines = [line if line.startswith("tile") else line.replace(old, new) for line in text.splitlines()]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ValueError, match=problem):
        DangerTable.load(path)


def test_files_that_are_no_tables(tmp_path):
    path = tmp_path / "table.csv"
    fit_danger([(["1m"], ["2m"])], source="s").save(path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8-sig")
    assert DangerTable.load(path) == DangerTable.load(str(path)) == fit_danger([("1m", "2m")])
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert DangerTable.load(path).source == "s"
    for content, problem in (
        (text.encode("utf-16"), "table.csv, line 1: expected UTF-8, got byte 0xff"),
        (text.encode() + b"\xe9\n", "table.csv, line 37: expected UTF-8, got byte 0xe9"),
        (b"", "table.csv, line 0: expected 34 rows of chances, got 0 to the end"),
        ("\n".join(text.splitlines()[:20]).encode(), "table.csv, line 20: expected 34 rows of chances, got 18 to the"),
        ((text + text.splitlines()[-1]).encode(), "table.csv, line 37: expected 34 rows of chances, got one more"),
        (bytes(range(32)), "table.csv, line [12]: expected the row of 1m, got"),
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=problem):
            DangerTable.load(path)
    for wrong in (1, True, None, 1.5, ["table.csv"]):
        with pytest.raises(TypeError, match="expected a path, got"):
            DangerTable.load(wrong)
        with pytest.raises(TypeError, match="expected a path, got"):
            DangerTable.default().save(wrong)


@pytest.mark.parametrize(
    ("values", "error", "problem"),
    [
        (None, TypeError, "expected 34 rows of 34 chances for values, got None"),
        ("0.5", TypeError, "expected 34 rows of 34 chances for values, got '0.5'"),
        ([0.5] * 34, TypeError, "expected chances for row 0, got 0.5"),
        ([[0.5] * 34] * 33 + [[0.5] * 33], ValueError, "expected 34 rows of 34 chances, got 33 in row 33"),
        ([[0.5] * 34] * 33 + [[0.5] * 33 + ["x"]], TypeError, "expected a number for row 33, column 33, got 'x'"),
        ([[0.5] * 34] * 33 + [[True] * 34], TypeError, "expected a number for row 33, column 0, got True"),
        ([[float("nan")] * 34] * 34, ValueError, "expected a chance of 0 to 1 for row 0, column 0, got nan"),
        ([[10**400] * 34] * 34, ValueError, "expected a chance of 0 to 1 for row 0, column 0, got 1000"),
        (np.zeros((34, 33)), ValueError, "expected 34 rows of 34 chances, got 33 in row 0"),
        (np.zeros(34), TypeError, "expected chances for row 0, got"),
    ],
)
def test_tables_of_wrong_values(values, error, problem):
    with pytest.raises(error, match=problem):
        DangerTable(values)


def test_places_of_a_table():
    table = DangerTable.default()
    for place in (None, 5, "5m", ("5m",), ("5m", "6m", "7m"), ["5m", "6m"]):
        with pytest.raises(TypeError, match="expected the tile let go and a discard, got"):
            table[place]
    with pytest.raises(InvalidHandError, match="expected a kind"):
        table[34, 0]


def test_discards_of_a_record_as_text():
    assert fit_danger([("9m E 1p", "47p")]) == fit_danger([(["9m", "E", "1p"], ["4p", "7p"])])


@pytest.mark.parametrize(
    "record",
    [None, 5, "9m", ("9m",), ("9m", "4p", "5p"), {"9m": "4p"}, ("[999m]", "4p"), (5, "4p"), ("9q", "4p"), ("9m", 5),
     ("9m", None), (b"9m", "4p"), ([34], "4p"), ([True], "4p"), ({"9m"}, ["x"])],
)  # fmt: skip
def test_records_that_are_none(record):
    with pytest.raises(InvalidHandError, match="record 1: expected discards and waits, "):
        fit_danger([("9m", "4p"), record])


def test_bad_tables_and_records():
    with pytest.raises(ValueError, match="expected 34 rows of 34 chances"):
        DangerTable([[0.0] * 34] * 33)
    with pytest.raises(InvalidHandError, match="record 1: expected discards and waits"):
        fit_danger([([1], [2]), ([34], [2])])
    with pytest.raises(InvalidHandError, match="record 0: "):
        fit_danger([5])
    with pytest.raises(ValueError, match="at least one record"):
        fit_danger([([], [2])])
