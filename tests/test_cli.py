"""The command line: answers, options, files and pipes, errors, exit statuses, the progress bar, the self-test."""

from __future__ import annotations

import io
import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

import mjcore
from mjcore import __main__ as cli
from mjcore import command_options, command_settings, console, questions, selftest
from mjcore.__main__ import main
from mjcore.scores import CONTEXT_FIELDS

WIN = "123m456s789p11155z"
READY = "1112345678999m"
WINS_WITHOUT_MELDS = [hand for hand in selftest.WINS if "[" not in hand]


class Stdin(io.TextIOWrapper):
    """Standard input that holds some bytes and, if asked, says that it is a terminal."""

    def __init__(self, data: bytes, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Work in an empty folder, so that processes import the installed package and not one that lies about, and
    with streams as users have them.
    """
    monkeypatch.chdir(tmp_path)
    for name in ("PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: arguments and standard input to (exit status, output, errors)."""

    def run(*argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
        with Stdin(stdin) as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            status = main(list(argv))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def process(*argv: str, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "mjcore", *argv],
        input=stdin,
        capture_output=True,
        env={**os.environ, **env},
        timeout=60,
        check=False,
    )


def arrives(stream: BinaryIO) -> bool:
    """Whether something can be read from the output of a process within half a minute."""
    return bool(select.select([stream], [], [], 30)[0])


def random_hands(n: int, size: int, seed: int = 7) -> list[str]:
    generator = random.Random(seed)
    deck = [kind for kind in range(34) for _ in range(4)]
    return [mjcore.format(sum(1 << 4 * kind for kind in generator.sample(deck, size))) for _ in range(n)]


# --- hu ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        (WIN, "yes"),
        ("123m456s789p111z", "no"),
        ("12m", "no"),
        ("19m19p19sESWNCFPP", "yes"),
        ("1133m66s55pEESS77m", "yes"),
        ("3p8p [123m] [555p] [789s] [FFF]", "no"),
        ("11123s [456m] [777p] [SSS]", "yes"),
        ("", "no"),
    ],
)
def test_hu_says_yes_or_no(run, hand, answer):
    assert run("hu", hand) == (0, f"{answer}\n", "")


@pytest.mark.parametrize(
    "hand",
    [
        "11m234sCC",
        "11m234s77z",
        "11m 234s CC",
        "一一万 二三四条 红中红中",
        "一万一万二条三条四条中中",
        "🀇🀇🀑🀒🀓🀄🀄",
        "11万2索3索4索發發",
        "C1m2s3sC 1m4s",
    ],
)
def test_all_notations_are_read(run, hand):
    assert run("hu", hand)[:2] == (0, "no\n")
    assert run("hu", hand, "--jokers", "1")[:2] == (0, "yes\n")


def test_several_hands_come_with_their_text_in_order(run):
    assert run("hu", "11m", "12m", "123m\t55p") == (0, "11m\tyes\n12m\tno\n123m 55p\tyes\n", "")


def test_echo_can_be_chosen(run):
    assert run("hu", "--no-echo", "11m", "12m")[1] == "yes\nno\n"
    assert run("hu", "--echo", "11m")[1] == "11m\tyes\n"


@pytest.mark.parametrize(
    "argv", [("--jokers", "1", "12m", "7m"), ("12m", "--jokers", "1", "7m"), ("12m", "7m", "--jokers", "1")]
)
def test_options_stand_anywhere(run, argv):
    assert run("hu", *argv)[:2] == (0, "12m\tno\n7m\tyes\n")


def test_jokers_are_added_to_every_hand(run):
    assert run("hu", "7m [123m] [555p] [789s] [FFF]", "--jokers", "1")[1] == "yes\n"
    assert run("hu", "", "--jokers", "2")[1] == "yes\n"


@pytest.mark.parametrize(
    ("argv", "answer"),
    [
        (("11223355779999s",), "no"),
        (("11223355779999s", "--quads"), "yes"),
        (("11223355779999s", "--rules", "tuidaohu"), "yes"),
        (("11223355779999s", "--rules", "riichi"), "no"),
        (("1133m66s55pEESS77m", "--rules", "hk"), "no"),
        (("19m19p19sESWNCFPP", "--rules", "hk"), "yes"),
        (("19m19p19sESWNCFPP", "--rules", "wuhan"), "no"),
        (("EEEE", "--jokers", "1"), "yes"),
        (("EEEE", "--jokers", "1", "--no-fifth-copy"), "no"),
        (("13m55pC", "--joker-kind", "C"), "yes"),
        (("13m55pC",), "no"),
        (("123m66p", "--eyes", "258m258s258p"), "no"),
        (("123m55p", "--eyes", "258m258s258p"), "yes"),
    ],
)
def test_rules_options(run, argv, answer):
    assert run("hu", *argv) == (0, f"{answer}\n", "")


def test_dialect_says_what_z_digits_mean_in_options_too(run):
    # 5z is white in tenhou, red in cn
    assert run("hu", "13m55p5z", "--joker-kind", "C")[1] == "no\n"
    assert run("hu", "13m55p5z", "--joker-kind", "C", "--dialect", "cn")[1] == "yes\n"
    assert run("hu", "13m55pC", "--joker-kind", "5z", "--dialect", "cn")[1] == "yes\n"
    assert run("hu", "123m55z", "--eyes", "5z", "--dialect", "cn")[1] == "yes\n"
    assert run("hu", "123mCC", "--eyes", "5z", "--dialect", "cn")[1] == "yes\n"
    assert run("hu", "123mCC", "--eyes", "5z")[1] == "no\n"
    assert run("hu", "55z [777z] [123m] [456m] [789m]", "--eyes", "C", "--dialect", "cn")[1] == "yes\n"
    assert run("ting", "C", "--visible", "5z", "--dialect", "cn")[1] == "C:2\n"


@pytest.mark.parametrize(
    ("argv", "stdin", "status"),
    [
        (("11m",), b"", 0),
        (("11m", "22m"), b"", 0),
        (("11m", "12m"), b"", 1),
        (("1x",), b"", 2),
        ((), b"11m\n22m\n", 0),
        ((), b"11m\n13m\n", 1),
        ((), b"", 1),
    ],
)
def test_quiet_tells_by_exit_status_alone(run, argv, stdin, status):
    answered, output, _ = run("hu", "--quiet", *argv, stdin=stdin)
    assert (answered, output) == (status, "")


# --- ting --------------------------------------------------------------------------------------


def test_ting_prints_the_waits(run):
    assert run("ting", READY) == (0, "1m 2m 3m 4m 5m 6m 7m 8m 9m\n", "")
    assert run("ting", "19m19p19sESWNCFP")[1] == "1m 9m 1s 9s 1p 9p C F P E S W N\n"


def test_no_waits_print_a_dash(run):
    assert run("ting", "2222m", "11m", "1m", stdin=b"") == (0, "2222m\t-\n11m\t-\n1m\t1m\n", "")


def test_wait_mode_shape_counts_no_copies(run):
    assert run("ting", "2222m", "--wait-mode", "shape")[1] == "2m\n"
    assert run("ting", "1112345666678m", "--wait-mode", "shape")[1] == "1m 2m 3m 4m 5m 6m 7m 8m 9m\n"
    assert run("ting", "1112345666678m", "--wait-mode", "possible")[1] == "1m 2m 3m 4m 5m 7m 8m 9m\n"


def test_visible_prints_copies_left(run):
    assert run("ting", "1113m", "--visible", "2m 33m")[1] == "2m:3 3m:1\n"
    assert run("ting", "13mEE [456p] [789s] [234s]", "--visible", "2222m")[1] == "-\n"
    assert run("ting", "13mEE [456p] [789s] [234s]", "--visible", "2222m", "--wait-mode", "shape")[1] == "2m:0\n"
    assert run("ting", "1113m", "--visible", "")[1] == "2m:4 3m:3\n"


@pytest.mark.parametrize(
    ("notation", "dialect", "waits"),
    [
        ("letters", "tenhou", "3m C"),
        ("mpsz", "tenhou", "3m 7z"),
        ("mpsz", "cn", "3m 5z"),
        ("chinese", "tenhou", "三万 中"),
        ("unicode", "tenhou", "🀉 🀄"),
    ],
)
def test_output_notation(run, notation, dialect, waits):
    argv = ("33mCC [EEE] [123s] [789p]", "--notation", notation, "--dialect", dialect)
    assert run("ting", *argv)[1] == f"{waits}\n"
    copies = " ".join(f"{tile}:2" for tile in waits.split())
    assert run("ting", *argv, "--visible", "")[1] == f"{copies}\n"


# --- decompose ---------------------------------------------------------------------------------


def test_decompose_prints_a_split_a_line(run):
    assert run("decompose", "111222333mEE") == (
        0,
        "123m 123m 123m EE\tstandard\thard\n111m 222m 333m EE\tstandard\thard\n",
        "",
    )


def test_decompose_shows_what_jokers_became(run):
    assert run("decompose", "46mEE", "--jokers", "1")[1] == "456m EE\tstandard\tsoft\tjokers 5m\n"
    hard = run("decompose", "5mEE46m", "--joker-kind", "5m")[1].splitlines()
    assert hard == ["456m EE\tstandard\thard\tjokers 5m"]


def test_decompose_of_several_hands_begins_each_line_with_its_hand(run):
    output = run("decompose", "12m", "112233m112233p77s", "19m19p19sESWNCFPP")[1].splitlines()
    assert [line.split("\t")[0] for line in output] == [
        "12m",
        "112233m112233p77s",
        "112233m112233p77s",
        "19m19p19sESWNCFPP",
    ]
    assert [line.split("\t")[1:] for line in output] == [
        ["-"],
        ["123m 123m 123p 123p 77s", "standard", "hard"],
        ["11m 22m 33m 77s 11p 22p 33p", "seven_pairs", "hard"],
        ["19m19s19pCFPPESWN", "thirteen_orphans", "hard"],
    ]


def test_decompose_shows_declared_melds(run):
    assert run("decompose", "55m [EEE] [123s] [7777p*] [999p,2]", "--notation", "chinese")[1] == (
        "五万五万 [一条二条三条] [七筒七筒七筒七筒*] [九筒九筒九筒,2] [东东东]\tstandard\thard\n"
    )


# --- JSON --------------------------------------------------------------------------------------


def objects(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def test_json_of_hu(run):
    status, output, errors = run("hu", "--json", " 3m12m 5z5z ", "12m", "--jokers", "0")
    assert (status, errors) == (0, "")
    assert objects(output) == [
        {"source": "arguments", "line": 1, "input": " 3m12m 5z5z ", "hand": "123mPP", "jokers": 0, "hu": True},
        {"source": "arguments", "line": 2, "input": "12m", "hand": "12m", "jokers": 0, "hu": False},
    ]


def test_json_of_ting(run):
    assert objects(run("ting", "--json", stdin="\n1113m\n东\n12m\n".encode())[1]) == [
        {
            "source": "<stdin>",
            "line": 2,
            "input": "1113m",
            "hand": "1113m",
            "jokers": 0,
            "ready": True,
            "waits": [{"tile": "2m", "kind": 1, "left": 4}, {"tile": "3m", "kind": 2, "left": 3}],
        },
        {
            "source": "<stdin>",
            "line": 3,
            "input": "东",
            "hand": "E",
            "jokers": 0,
            "ready": True,
            "waits": [{"tile": "E", "kind": 30, "left": 3}],
        },
        {"source": "<stdin>", "line": 4, "input": "12m", "hand": "12m", "jokers": 0, "ready": False, "waits": []},
    ]


def test_json_waits_follow_wait_mode_and_visible_tiles(run):
    hand = "13mEE [456p] [789s] [234s]"
    assert objects(run("ting", "--json", hand, "--visible", "2222m")[1])[0]["waits"] == []
    shape = run("ting", "--json", hand, "--visible", "2222m", "--wait-mode", "shape")[1]
    assert objects(shape)[0]["waits"] == [{"tile": "2m", "kind": 1, "left": 0}]


def test_json_of_decompose(run):
    argv = ("decompose", "--json", "46mEE [CCC] [789s,3] [2222p+]", "--jokers", "1", "--notation", "mpsz")
    assert objects(run(*argv)[1]) == [
        {
            "source": "arguments",
            "line": 1,
            "input": "46mEE [CCC] [789s,3] [2222p+]",
            "hand": "46m11z [789s,3] [2222p+] [777z]",
            "jokers": 1,
            "hu": True,
            "melds": ["[789s,3]", "[2222p+]", "[777z]"],
            "splits": [
                {
                    "form": "standard",
                    "groups": ["456m", "11z"],
                    "group_kinds": [[3, 4, 5], [30, 30]],
                    "eyes": "1z",
                    "eyes_kind": 30,
                    "jokers": ["5m"],
                    "joker_kinds": [4],
                    "hard": False,
                }
            ],
        },
    ]
    pairs = objects(run("decompose", "--json", "1133m66s55pEESS77m")[1])[0]["splits"]
    assert [(split["form"], split["eyes"], split["eyes_kind"], len(split["groups"])) for split in pairs] == [
        ("seven_pairs", None, None, 7)
    ]
    assert objects(run("decompose", "--json", "12m")[1])[0]["splits"] == []


@pytest.mark.parametrize("notation", ["letters", "mpsz", "chinese", "unicode"])
@pytest.mark.parametrize("dialect", ["tenhou", "cn"])
def test_json_hand_is_what_format_writes(run, notation, dialect):
    hands = random_hands(200, 13)
    output = run("ting", "--json", "--notation", notation, "--dialect", dialect, stdin="\n".join(hands).encode())[1]
    found = [answer["hand"] for answer in objects(output)]
    assert found == [mjcore.format(mjcore.parse(hand), notation, dialect=dialect) for hand in hands]


def test_json_hand_keeps_red_fives(run):
    assert objects(run("hu", "--json", "505m 0s5s5s")[1])[0]["hand"] == "055m055s"


def test_json_errors_are_objects_in_place(run):
    status, output, errors = run("hu", "--json", stdin=b"11m\n12x\n123456789m123456s\n\xff1m\n22m")
    assert (status, errors) == (1, "")
    answers = objects(output)
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4, 5]
    assert [answer.get("hu") for answer in answers] == [True, None, None, None, True]
    assert answers[1] == {
        "source": "<stdin>",
        "line": 2,
        "input": "12x",
        "error": {
            "type": "InvalidNotationError",
            "position": 2,
            "message": "expected a suit, m s p or z, after the digits, got 'x', at position 2 of '12x'",
        },
    }
    assert answers[2]["error"] == {
        "type": "InvalidHandError",
        "position": None,
        "message": "expected at most 14 concealed tiles, got 15",
    }
    assert answers[3]["input"] == "\ufffd1m"
    assert answers[3]["error"]["position"] == 0


def test_json_keys_are_in_a_fixed_order(run):
    assert list(objects(run("ting", "--json", READY)[1])[0]) == [
        "source",
        "line",
        "input",
        "hand",
        "jokers",
        "ready",
        "waits",
    ]
    assert list(objects(run("ting", "--json", "x")[1])[0]) == ["source", "line", "input", "error"]


def test_json_is_readable_where_the_stream_takes_it():
    hand = "东东"
    utf8 = process("hu", "--json", stdin=hand.encode(), PYTHONIOENCODING="utf-8").stdout
    ascii_only = process("hu", "--json", stdin=hand.encode(), PYTHONIOENCODING="ascii").stdout
    assert hand.encode() in utf8
    assert json.loads(ascii_only)["input"] == hand


# --- files and pipes ---------------------------------------------------------------------------


def test_file_skips_blanks_and_comments_and_takes_crlf_and_bom(run, tmp_path):
    path = tmp_path / "hands.txt"
    path.write_bytes("\ufeff11m\r\n\r\n# 12x\r\n  #\r\n   \r\n 12m \r\n\u3000\r\n22m".encode())
    assert run("hu", "--file", str(path)) == (0, "11m\tyes\n12m\tno\n22m\tyes\n", "")


def test_comments_may_hold_any_bytes_of_any_number(run):
    assert run("hu", stdin=b"# \xff\xfe\n#" + b"x" * 200_000 + b"\n11m\n") == (0, "11m\tyes\n", "")


def test_dash_is_standard_input(run):
    assert run("hu", "-", stdin=b"11m\n")[1] == "11m\tyes\n"
    assert run("hu", "--file", "-", stdin=b"11m\n")[1] == "11m\tyes\n"


def test_several_files_are_read_in_order(run, tmp_path):
    (tmp_path / "a").write_text("11m\n1x\n")
    (tmp_path / "b").write_text("\n2x\n22m\n")
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    status, output, errors = run("hu", "-f", a, "-f", b)
    assert (status, output) == (1, "11m\tyes\n22m\tyes\n")
    assert [line.split(": ")[0] for line in errors.splitlines() if not line.startswith(" ")] == [f"{a}:2", f"{b}:2"]


def test_empty_input_has_no_answers(run):
    assert run("hu", stdin=b"") == (0, "", "")
    assert run("ting", stdin=b"\xef\xbb\xbf") == (0, "", "")
    assert run("decompose", "--json", stdin=b"\n\n") == (0, "", "")


def test_the_last_line_needs_no_newline(run):
    assert run("hu", stdin=b"11m")[1] == "11m\tyes\n"
    assert run("hu", stdin=b"\xef\xbb\xbf11m")[1] == "11m\tyes\n"


@pytest.mark.parametrize("size", [13, 14])
def test_many_hands_are_answered_as_one_by_one(run, tmp_path, size):
    hands = random_hands(3000, size) + WINS_WITHOUT_MELDS
    path = tmp_path / "hands"
    path.write_text("\n".join(hands))
    output = run("hu", "--file", str(path))[1].splitlines()
    assert output == [f"{hand}\t{'yes' if mjcore.is_hu(hand) else 'no'}" for hand in hands]
    output = run("ting", "--file", str(path), "--no-echo")[1].splitlines()
    assert output == [str(mjcore.ting(hand)) or "-" for hand in hands]


def test_lines_are_whole_across_blocks(run, monkeypatch):
    monkeypatch.setattr(console, "BLOCK_BYTES", 5)
    hands = [*random_hands(50, 14), "一万一万一万二条三条四条中中", "55m [EEE] [123s] [7777p*] [999p,2]"]
    output = run("hu", stdin=b"\xef\xbb\xbf" + "\r\n".join(hands).encode())[1].splitlines()
    assert output == [f"{hand}\t{'yes' if mjcore.is_hu(hand) else 'no'}" for hand in hands]


@pytest.mark.parametrize("block", [7, 1 << 16])
@pytest.mark.parametrize("end", [b"", b"\n11m\n"])
def test_a_very_long_line_is_one_bad_line(run, monkeypatch, block, end):
    monkeypatch.setattr(console, "BLOCK_BYTES", block)
    status, output, errors = run("hu", stdin=b"22m\n11m" + b" " * 20_000 + b"1m" + b" " * 90_000 + end)
    assert (status, output) == (1, "22m\tyes\n" + ("11m\tyes\n" if end else ""))
    assert errors == "<stdin>:2: expected a line of at most 4096 bytes, got a longer one\n"


def test_of_a_line_without_end_little_is_kept():
    class Endless(io.BytesIO):
        blocks = 1000

        def read1(self, size: int | None = -1) -> bytes:
            self.blocks -= 1
            return b"1" * 100 * (self.blocks > 0)

    lines = [line for _, block in console.read_blocks(Endless()) for line in block]
    assert [console.LINE_MAX < len(line) < console.LINE_MAX + 100 for line in lines] == [True]


def test_a_long_text_shows_the_place_of_the_fault(run):
    text = "1m" * 2 + " " * 500 + "x" + " " * 400 + "1m"
    errors = run("hu", text)[2].splitlines()
    assert "expected a tile, got 'x' at position 504" in errors[0]
    assert errors[1].index("x") == errors[2].index("^")
    assert all(len(line) < 120 for line in errors[1:])


def test_a_pipe_is_answered_line_by_line():
    with subprocess.Popen(
        [sys.executable, "-m", "mjcore", "hu", "--no-echo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        for hand, answer in ((b"11m\n", b"yes\n"), (b"12m\n", b"no\n")):
            child.stdin.write(hand)
            child.stdin.flush()
            assert arrives(child.stdout)
            assert child.stdout.readline() == answer
        child.stdin.close()
        assert child.wait(30) == 0


def test_a_terminal_is_told_what_is_awaited(monkeypatch, capsys):
    with Stdin(b"11m\n", terminal=True) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(["hu"]) == 0
    assert capsys.readouterr() == ("11m\tyes\n", "mjcore: reading hands from the terminal, one a line\n")


# --- errors ------------------------------------------------------------------------------------


def test_a_bad_line_is_reported_with_its_number_and_a_caret(run, tmp_path):
    path = tmp_path / "hands.txt"
    path.write_text("# mine\n11m\n\n  12mx3p\n22m\n")
    status, output, errors = run("hu", "--file", str(path))
    assert (status, output) == (1, "11m\tyes\n22m\tyes\n")
    assert errors == f"{path}:4: expected a tile, got 'x' at position 3 of '12mx3p'\n    12mx3p\n       ^\n"


def test_the_caret_stands_below_wide_characters(run):
    errors = run("hu", "一万二x")[2].splitlines()
    assert errors[1:] == ["    一万二x", "          ^"]


def test_a_bad_argument_is_named_by_its_place(run):
    status, output, errors = run("hu", "11m", "123456789m123456s", "22m")
    assert (status, output) == (1, "11m\tyes\n22m\tyes\n")
    assert errors == "argument 2: expected at most 14 concealed tiles, got 15\n    123456789m123456s\n"


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        ("11111m", "a fifth 1m at position 4 of '11111m'"),
        ("11m 111m", "a fifth 1m at position 6"),
        ("EEEE1111zEEEE1111z", "a fifth E at position 4"),
        ("12 3m", "got none, at position 2"),
        ("10m", "0 after 1 could mean ten"),
        ("8z", "expected 1z to 7z, got 8z at position 0"),
        ("11m]", "expected '[' before ']' at position 3"),
        ("11m [12m]", "three or four tiles in a meld"),
        ("11m [EEE]", "11 concealed tiles beside 1 melds, got 2"),
        ("1111m [111m]", "got 7 of 1m"),
        ("①m", "expected a tile, got '①'"),
    ],
)
def test_what_is_wrong_with_a_hand_is_said_in_the_library_s_words(run, hand, message):
    status, output, errors = run("hu", hand)
    assert (status, output) == (1, "")
    assert message in errors
    with pytest.raises(mjcore.InvalidHandError) as caught:
        mjcore.is_hu(hand)
    assert errors.startswith(f"argument 1: {caught.value}\n")


@pytest.mark.parametrize("dialect", ["tenhou", "cn"])
def test_remembered_suits_read_as_the_library_reads(dialect):
    generator = random.Random(11)
    read_hand = command_settings.hand_reader(dialect)
    n_read = 0
    for _ in range(20_000):
        pieces = generator.choices(
            ["1", "11", "123", "0", "5", "9", "m", "s", "p", "z", "7z", "E", "EE", "CFP", " ", "x", "东"],
            [5, 4, 4, 1, 4, 4, 9, 5, 5, 1, 4, 3, 3, 2, 3, 0.1, 0.1],
            k=generator.randrange(12),
        )
        text = "".join(pieces)
        try:
            expected: object = mjcore.parse(text, dialect=dialect)
            n_read += 1
        except mjcore.InvalidNotationError as error:
            expected = str(error)
        try:
            found: object = read_hand(text)
        except mjcore.InvalidNotationError as error:
            found = str(error)
        assert found == expected, text
    assert n_read > 1000


def test_too_many_jokers_for_a_hand_are_the_hands_fault(run):
    status, output, errors = run("hu", "11m", WIN, "--jokers", "3")
    assert (status, output) == (1, "11m\tyes\n")
    assert "14 and 3 jokers" in errors


def test_undecodable_bytes_are_a_bad_line(run):
    status, output, errors = run("hu", stdin=b"11m\n12m\xff\xfe\n22m\n")
    assert (status, output) == (1, "11m\tyes\n22m\tyes\n")
    assert errors.startswith("<stdin>:2: expected UTF-8 text, got byte 0xff at position 3 of ")


def test_errors_and_answers_move_no_cursor(run):
    status, output, errors = run("hu", "1m\x1b[2J", "1m\x1f1m")
    assert (status, output) == (1, "1m 1m\tyes\n")
    assert "\x1b" not in errors


def test_answers_before_an_error_are_written_first():
    child = subprocess.run(
        [sys.executable, "-m", "mjcore", "hu", "11m", "1x", "22m"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
    assert [line[:10] for line in child.stdout.splitlines()] == [
        "11m\tyes",
        "argument 2",
        "    1x",
        "     ^",
        "22m\tyes",
    ]


@pytest.mark.parametrize("name", ["missing.txt", "", "a\0b", "."])
def test_a_file_that_cannot_be_read_is_named(run, name):
    Path("good").write_text("11m\n")
    status, output, errors = run("hu", "--file", name, "--file", "good")
    assert (status, output) == (2, "11m\tyes\n")
    assert errors.startswith(f"mjcore: cannot read {name}: ")


def test_closed_standard_input_is_said(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["hu"]) == 2
    assert capsys.readouterr() == ("", "mjcore: standard input is closed\n")


def test_closed_standard_output_and_error_are_no_traceback(monkeypatch, capsys):
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        assert main(["hu", "11m"]) == 2
    assert capsys.readouterr().err == "mjcore: standard output is closed\n"
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["hu", "1x", "11m", "--no-echo"]) == 1
    assert capsys.readouterr().out == "yes\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "COMMAND"),
        (("nothing",), "invalid choice"),
        (("hu", "--nothing", "11m"), "unrecognized arguments: --nothing"),
        (("hu", "11m", "--wait-mode", "shape"), "unrecognized arguments: --wait-mode"),
        (("ting", "--quiet", "1m"), "unrecognized arguments: --quiet"),
        (("hu", "--file", "x", "11m"), "expected hands or --file, got both"),
        (("hu", "-", "11m"), "expected hands or '-', got both"),
        (("hu", "--quiet", "--json", "11m"), "expected --quiet or --json, got both"),
        (("hu", "11m", "--jokers", "9"), "expected 0 to 8 jokers, got 9"),
        (("hu", "11m", "--jokers", "-1"), "expected 0 to 8 jokers, got -1"),
        (("hu", "11m", "--jokers", "x"), "invalid int value"),
        (("hu", "11m", "--rules", "x"), "invalid choice"),
        (("hu", "11m", "--notation", "x"), "invalid choice"),
        (("hu", "11m", "--dialect", "x"), "invalid choice"),
        (("hu", "11m", "--joker-kind", "12m"), "argument --joker-kind: expected one tile"),
        (("hu", "11m", "--joker-kind", ""), "argument --joker-kind: expected one tile"),
        (("hu", "11m", "--eyes", "1x"), "argument --eyes: expected a suit"),
        (("hu", "11m", "--eyes", ""), "argument --eyes: expected at least one kind"),
        (("ting", "11m", "--visible", "11111m"), "argument --visible: expected at most 4 copies"),
        (("ting", "11m", "--wait-mode", "live"), "invalid choice"),
        (("selftest", "11m"), "unrecognized arguments: 11m"),
        (("hu", "--js", "11m"), "unrecognized arguments: --js"),
    ],
)
def test_wrong_usage_is_two(run, argv, message):
    status, output, errors = run(*argv)
    assert (status, output) == (2, "")
    assert message in errors
    assert errors.startswith("usage: mjcore")


@pytest.mark.parametrize("command", ["hu", "ting", "decompose"])
def test_help_has_examples_and_the_exit_statuses(run, command):
    status, output, errors = run(command, "--help")
    assert (status, errors) == (0, "")
    assert f"\nexamples:\n  mjcore {command} " in output
    assert "exit status" in output
    assert "[EEE]" in output


def test_help_names_every_command(run):
    status, output, _ = run("--help")
    assert status == 0
    assert all(re.search(rf"^ +{name}\b", output, re.MULTILINE) for name in ("hu", "ting", "decompose", "selftest"))


def test_version(run):
    assert run("--version") == (0, f"mjcore {mjcore.__version__}\n", "")


# --- the process -------------------------------------------------------------------------------


def test_the_module_runs_as_a_process_without_numpy():
    assert process("ting", READY).stdout.split() == [f"{rank}m".encode() for rank in range(1, 10)]
    code = "import sys, mjcore.__main__ as cli; cli.main(['hu', '11m']); sys.exit('numpy' in sys.modules)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60)
    assert (child.returncode, child.stdout.split(), child.stderr) == (0, [b"yes"], b"")


@pytest.mark.parametrize(("stdin", "status"), [(b"11m\n", 0), (b"11m\n1x\n", 1)])
def test_the_process_ends_with_the_status(stdin, status):
    assert process("hu", stdin=stdin).returncode == status


def test_wrong_usage_ends_the_process_with_two():
    child = process("hu", "--nothing")
    assert child.returncode == 2
    assert b"Traceback" not in child.stderr


def test_a_stream_that_cannot_write_tiles_gets_marks():
    child = process("ting", "1m", "--notation", "chinese", PYTHONIOENCODING="ascii")
    assert (child.returncode, child.stdout.split(), child.stderr) == (0, [b"??"], b"")


def test_undecodable_file_names_are_replaced_in_json():
    name = os.fsdecode(b"hands\xff")
    Path(name).write_text("11m\n")
    child = process("hu", "--json", "--file", name, PYTHONIOENCODING="utf-8:strict")
    assert (child.returncode, child.stderr) == (0, b"")
    assert json.loads(child.stdout)["source"] == "hands?"


@pytest.mark.parametrize("option", ["--json", "--echo"])
def test_undecodable_arguments_are_bad_hands(option):
    child = subprocess.run(
        [sys.executable, "-m", "mjcore", "hu", option, b"1m\xff"],
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert child.returncode == 1
    assert b"Traceback" not in child.stderr
    assert "expected a tile" in (child.stdout + child.stderr).decode()


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path):
    path = tmp_path / "hands"
    path.write_text("11m\n" * 200_000)
    with subprocess.Popen(
        [sys.executable, "-m", "mjcore", "hu", "--file", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout.readline() == b"11m\tyes\n"
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(60) == 141


def test_a_reader_that_was_never_there_ends_it_quietly():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        child = subprocess.run(
            [sys.executable, "-m", "mjcore", "hu", "11m"],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writer)
    assert (child.returncode, child.stderr) == (141, b"")


def test_output_that_cannot_be_written_is_said(monkeypatch, capsys):
    class Full(io.StringIO):
        encoding = "utf-8"

        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert main(["hu", "11m"]) == 2
    assert "No space left on device" in capsys.readouterr().err


def test_control_c_is_130_and_keeps_what_was_answered(monkeypatch, capsys):
    class Interrupted(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            if self.tell():
                raise KeyboardInterrupt
            return super().read1(size)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted(b"11m\n22m\n")))
    assert main(["hu"]) == 130
    assert capsys.readouterr() == ("11m\tyes\n22m\tyes\n", "")


def test_control_c_between_two_hands_keeps_the_first_answer(monkeypatch, capsys):
    def interrupt(hand: object, **options: object) -> bool:
        if hand == mjcore.parse("22m"):
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(questions, "is_hu", interrupt)
    assert main(["hu", "11m", "22m", "33m"]) == 130
    assert capsys.readouterr() == ("11m\tyes\n", "")


def test_control_c_ends_the_process_quietly():
    with subprocess.Popen(
        [sys.executable, "-m", "mjcore", "hu"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        child.stdin.write(b"11m\n")
        child.stdin.flush()
        assert arrives(child.stdout)
        assert child.stdout.readline() == b"11m\tyes\n"  # so it is reading, not starting
        child.send_signal(signal.SIGINT)
        assert child.wait(30) == 130
        assert child.stderr.read() == b""


# --- the progress bar --------------------------------------------------------------------------


def on_terminal(argv: list[str], stdout_too: bool = False, stdin: BinaryIO | None = None) -> tuple[int, str, bytes]:
    """Run with standard error on a pseudo-terminal: exit status, what the terminal saw, standard output."""
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mjcore", *argv],
        stdin=subprocess.DEVNULL if stdin is None else stdin,
        stdout=terminal if stdout_too else subprocess.PIPE,
        stderr=terminal,
    ) as child:
        os.close(terminal)
        output: list[bytes] = []
        reader = threading.Thread(target=lambda: output.append(b"" if stdout_too else child.stdout.read()))
        reader.start()
        seen = b""
        while True:
            try:
                block = os.read(controller, 1 << 16)
            except OSError:  # Linux says so when the last writer is gone
                break
            if not block:
                break
            seen += block
        reader.join(60)
        status = child.wait(60)
    os.close(controller)
    return status, seen.decode(), output[0]


@pytest.fixture
def many(tmp_path):
    """A file of 30,000 hands, every 10,000th of them bad."""
    path = tmp_path / "many.txt"
    path.write_text(("11m     \n" * 9_999 + "1x      \n") * 3)
    return path


def test_a_bar_goes_over_a_terminal_and_away(many):
    status, seen, output = on_terminal(["hu", "--file", str(many)])
    assert status == 1
    assert output == b"11m\tyes\n" * 29_997
    bars = re.findall(r"\r\[([#.]{30})\] +(\d+) % ([\d,]+) hands", seen)
    percents = [int(percent) for _, percent, _ in bars]
    assert percents == sorted(percents)
    assert percents[-1] == 100
    assert bars[-1][0] == "#" * 30
    assert bars[-1][2] == "29,997"
    assert re.search(r"\r +\r$", seen)


def test_errors_stand_on_their_own_lines_beside_the_bar(many):
    seen = on_terminal(["hu", "--file", str(many)])[1]
    errors = [line.rsplit("\r", 1)[-1] for line in seen.split("\r\n")]
    assert [line.split(": ")[0] for line in errors if ": " in line] == [f"{many}:{n}0000" for n in (1, 2, 3)]


def test_standard_input_from_a_file_has_a_bar_too(many):
    with open(many, "rb") as stream:
        assert "100 %" in on_terminal(["hu"], stdin=stream)[1]


def test_a_bar_is_drawn_once_a_percent():
    terminal = io.StringIO()
    bar = console.Bar(terminal, 5000)
    for n_hands in range(6000):
        bar.advance(1, n_hands)
    assert terminal.getvalue().count("\r") == 101
    bar.clear()
    assert terminal.getvalue().endswith("\r")


def test_there_is_no_bar_for_few_hands(tmp_path):
    (tmp_path / "few").write_text("11m\n" * 10)
    assert on_terminal(["hu", "--file", str(tmp_path / "few")])[:2] == (0, "")
    assert on_terminal(["hu", "11m"]) == (0, "", b"yes\n")


def test_there_is_no_bar_between_answers_on_the_same_terminal(many):
    status, seen, _ = on_terminal(["ting", "--no-echo", "--file", str(many)], stdout_too=True)
    assert status == 1
    assert " % " not in seen


def test_there_is_no_bar_where_nobody_looks(many):
    errors = process("hu", "--json", "--file", str(many)).stderr
    assert errors == b""


# --- the self-test -----------------------------------------------------------------------------


def test_selftest_passes(run):
    status, output, errors = run("selftest")
    lines = output.splitlines()
    assert (status, errors) == (0, ""), output
    assert len(lines) == len(selftest.GROUPS) + 2
    assert re.fullmatch(r"\d+ passed, 0 failed", lines[-1])
    assert int(lines[-1].split()[0]) == sum(int(line.split()[1]) for line in lines[1:-1]) >= 80


def test_selftest_forgets_and_resizes_nothing(run):
    mjcore.is_hu(WIN)
    before = mjcore.cache_info()
    run("selftest")
    after = mjcore.cache_info()
    assert after.maxsize == before.maxsize
    assert after.currsize >= before.currsize


def test_selftest_reports_a_wrong_answer_and_an_error(run, monkeypatch):
    def broken(hand: object, **options: object) -> bool:
        if hand == "11m":
            raise RuntimeError("broken")
        return False

    monkeypatch.setattr(mjcore, "is_hu", broken)
    status, output, _ = run("selftest")
    assert status == 1
    assert "is_hu('11m'): expected True, got RuntimeError: broken\n" in output
    assert "is_hu('123m55p'): expected True, got False\n" in output
    assert not output.endswith(" 0 failed\n")


def test_selftest_reports_facts_that_cannot_be_stated(run, monkeypatch):
    monkeypatch.setattr(mjcore, "KindSet", None)
    status, output, _ = run("selftest")
    assert status == 1
    assert "waits      0 passed, 1 failed\n    the facts cannot be stated: TypeError: " in output


def test_selftest_knows_a_binary_of_another_abi(run, monkeypatch):
    monkeypatch.setattr(selftest, "_declared_abi", lambda: 999)
    status, output, _ = run("selftest")
    assert status == 1
    assert "ABI of the binary: expected 999, got " in output


# --- adding a question -------------------------------------------------------------------------


def test_a_question_is_one_row(run, monkeypatch):
    size = questions.Command(
        "size",
        "how many tiles?",
        "Count the tiles.",
        "  mjcore size 11m\n",
        lambda settings: lambda hand: str(hand.bit_count()),
        lambda settings: lambda hand: {"size": hand.bit_count()},
    )
    monkeypatch.setattr(command_options, "COMMANDS", (*questions.COMMANDS, size))
    assert run("size", "1m2s3p") == (0, "3\n", "")
    assert objects(run("size", "--json", "1m")[1])[0]["size"] == 1


def test_every_option_is_used_by_a_question():
    used = {name for command in questions.COMMANDS for name in command.options} | {
        *command_options.SHARED_OPTIONS,
        *command_options.HAND_RULE_OPTIONS,
    }
    assert used == set(command_options.OPTIONS)


def test_rule_sets_are_the_library_s():
    for name in command_options.RULE_SETS:
        mjcore.HandRules.preset(name)
    with pytest.raises(ValueError, match=", ".join(command_options.RULE_SETS)):
        mjcore.HandRules.preset("nothing")


def test_shanten_useful_and_discards(capsys):
    assert main(["shanten", "123456789mEEEE", "SE [SSS] [WWW] [NNN] [EEE]"]) == 0
    assert capsys.readouterr().out == "123456789mEEEE\t1\nSE [SSS] [WWW] [NNN] [EEE]\t1\n"
    assert main(["useful", "9999m678m345p12sS"]) == 0
    assert capsys.readouterr().out == "1\t10\t6m:3 3s:4 S:3\n"
    assert main(["useful", "13p567m234sNN [888s]", "--visible", "2222p"]) == 0
    assert capsys.readouterr().out == "0\t0\t2p:0\n"
    assert main(["discards", "239mEE", "--notation", "chinese"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "九万\t0\t8\t一万:4 四万:4"
    assert main(["shanten", "2m4m", "--jokers", "2"]) == 0
    assert capsys.readouterr().out == "0\n"


def test_shanten_useful_and_discards_as_json(capsys):
    assert main(["discards", "239mEE", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["discards"][0]
    assert first["tile"] == "9m"
    assert (first["shanten"], first["total"]) == (0, 8)
    assert first["useful"] == [{"tile": "1m", "kind": 0, "left": 4}, {"tile": "4m", "kind": 3, "left": 4}]
    assert main(["useful", "24m55s", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["useful"] == [{"tile": "3m", "kind": 2, "left": 4}]
    assert main(["shanten", "123m", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "InvalidHandError"


# --- score -------------------------------------------------------------------------------------


def test_score_of_one_hand(capsys):
    assert main(["score", "789sNNFF [123m] [456p] + F"]) == 0
    assert capsys.readouterr().out == str(mjcore.score("789sNNFF [123m] [456p]", win_tile="F")) + "\n"
    assert main(["score", "789sNNFF [123m] [456p]", "--win", "F", "--lang", "zh"]) == 0
    assert capsys.readouterr().out.startswith("国标麻将:16番\n")
    assert main(["score", "789sNNFFF [123m] [456p]", "--win", "F"]) == 0
    assert "16 points" in capsys.readouterr().out
    assert main(["score", "789sNNFF [123m] [2222p+] + F"]) == 0
    assert "melded_kong" not in capsys.readouterr().out


def test_score_takes_the_context(capsys):
    options = ["--self-drawn", "--seat-wind", "S", "--round-wind", "W", "--flowers", "2", "--wall-last", "--json"]
    assert main(["score", "22233344m44s [EEEE*] + 4m", *options]) == 0
    got = json.loads(capsys.readouterr().out)["score"]
    want = mjcore.score(
        "22233344m44s [EEEE*]", win_tile="4m", self_drawn=True, seat_wind="S", round_wind="W", flowers=2, wall_last=True
    )
    assert got == json.loads(json.dumps(want.to_dict()))


@pytest.mark.parametrize("name", CONTEXT_FIELDS)
def test_score_has_an_option_for_every_field_of_the_context(name):
    default = getattr(mjcore.Context(), name)
    value = {bool: True, int: 3, str: "W"}[type(default)]
    given = [] if value is True else [str(value)]
    options = cli._parse_arguments(["score", f"--{name.replace('_', '-')}", *given, "--file", "hands.txt"])
    assert command_settings.read_settings(options).context == mjcore.Context(**{name: value})


def test_score_takes_options_of_the_rules(tmp_path, capsys):
    path = tmp_path / "wins.txt"
    path.write_text("19m19s19pESWCCFP + N\n19m19s19pESWNNFP + C\n")
    robbed = ["score", "--file", str(path), "--rob-kong", "--rob-concealed", "--json"]
    assert main([*robbed, "--option", "rob_concealed_for_orphans"]) == 0
    totals = [json.loads(line)["score"]["total"] for line in capsys.readouterr().out.splitlines()]
    assert totals == [96, 96]
    assert main([*robbed, "--option", "rob_concealed_for_orphans=false"]) == 1
    assert all("error" in json.loads(line) for line in capsys.readouterr().out.splitlines())
    kongs = ["score", "22777m66p [9999p] [8888s*] + 6p"]
    for value, total in (("five", 23), ("split", 21), ("six", 24)):
        assert main([*kongs, "--option", f"mixed_kongs={value}"]) == 0
        assert f"{total} points" in capsys.readouterr().out
    assert main([*kongs, "--option", "strict98", "--option", "mixed_kongs=six", "--option", "blessings=true"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("strict9", "did you mean strict98"),
        ("mixed_kongs", "five, split, six, got True"),
        ("mixed_kongs=nine", "five, split, six, got 'nine'"),
        ("strict98=yes", "true, false, got 'yes'"),
        ("", "expected an option of strict98"),
    ],
)
def test_score_refuses_what_is_no_option(option, message, capsys):
    assert main(["score", "789sNNFF [123m] [456p] + F", "--option", option]) == 2
    error = capsys.readouterr().err
    assert "argument --option: " in error
    assert message in error


def test_score_of_a_file(tmp_path, capsys):
    path = tmp_path / "wins.txt"
    path.write_text("# wins\n2233445566778p + 8p\n2233445566778p + 9p\n2233445566778p\n22p + x\n")
    assert main(["score", "--file", str(path)]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0] == "2233445566778p + 8p\tChinese Official: 90 points"
    errors = [line for line in printed.err.splitlines() if line.startswith(str(path))]
    assert [error.split(":")[1] for error in errors] == ["3", "4", "5"]
    assert "wins on 9p" in errors[0]
    assert "expected a winning tile" in errors[1]


def test_score_by_other_rules(tmp_path, capsys):
    path = tmp_path / "house.toml"
    path.write_text('[ruleset]\nid = "house"\nextends = "mcr"\n[[fan]]\nid = "mixed_straight"\npoints = 20\n')
    assert main(["score", "789sNNFF [123m] [456p] + F", "--rules", str(path)]) == 0
    assert "28 points" in capsys.readouterr().out
    for wrong in (["--rules", "nothing"], ["--rules", "nothing.toml"], ["--flowers", "9"], ["--win", "x"]):
        assert main(["score", "789sNNFF [123m] [456p] + F", *wrong]) == 2
        assert f"argument {wrong[0]}" in capsys.readouterr().err


@pytest.mark.parametrize("path", ["chances.pdf", "chances"])
def test_a_plot_that_cannot_be_is_refused_before_anything_is_answered(path, run):
    status, answers, problem = run("discards", "239mEE", "--draws", "5", "--plot", path)
    assert status == 2
    assert answers == ""
    assert "argument --plot: expected a file name that ends in .svg or .png" in problem
