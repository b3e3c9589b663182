"""The command line of hand quality and ranked discards."""

import json

import pytest

import mjcore
from mjcore.__main__ import main

READY = "23m EE [456p] [789s] [234s]"
HAND = "1112234568999pF"


def answered(capsys, *arguments):
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_evaluate(capsys):
    assert answered(capsys, "evaluate", READY) == mjcore.evaluate(READY).table() + "\n"
    out = answered(capsys, "evaluate", READY, "--mode", "competitive", "--rivers", "5mE//4m4m", "--visible", "1m")
    want = mjcore.evaluate(READY, mode="competitive", rivers=["5mE", "", "4m4m"], visible="1m")
    assert out == want.table() + "\n"
    out = answered(capsys, "evaluate", READY, "--alpha", "0.5", "--lang", "zh", "--notation", "chinese")
    assert out == mjcore.evaluate(READY, alpha=0.5).table("zh") + "\n"


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["evaluate", READY], ("一万", "四万")),
        (["discards", HAND, "--policy", "efficiency"], ("发", "七筒")),
        (["discards", HAND, "--policy", "article"], ("发", "七筒")),
        (["discards", HAND, "--draws", "2"], ("发", "七筒")),
        (["discards", HAND], ("发", "七筒")),
        (["score", "789sNNFF [123m] [456p]", "--win", "F"], ("发", "七条")),
    ],
)
def test_chinese_tables_have_chinese_tiles(capsys, words, names):
    out = answered(capsys, *words, "--lang", "zh")
    assert all(name in out for name in names)
    letters = answered(capsys, *words, "--lang", "zh", "--notation", "letters")
    if words[0] != "score":
        assert not any(name in letters for name in names)
        data = answered(capsys, *words, "--lang", "zh", "--json")
        assert data == answered(capsys, *words, "--json")


def test_a_missing_chance_says_why(capsys):
    far = "147m258s369pESWNC"
    out = answered(capsys, "discards", far, "--draws", "18")
    assert out == mjcore.rank_discards(far, draws=18).table() + "\n"
    assert "  -  " in out
    assert "-: no chance, for the search of one was cut off" in out.splitlines()
    assert "-：有搜索未完成，不列胡率" in answered(capsys, "discards", far, "--draws", "18", "--lang", "zh")
    near = answered(capsys, "discards", HAND, "--draws", "5")
    assert "no chance" not in near


def test_evaluate_as_json(capsys):
    lines = answered(capsys, "evaluate", READY, "1112345678999m", "--json", "--notation", "chinese").splitlines()
    first, second = map(json.loads, lines)
    assert first["waits"][0]["tile"] == "一万"
    assert second["quality"] == mjcore.evaluate("1112345678999m").quality
    assert len(second["parts"]) == 12


def test_discards_by_policy(capsys):
    out = answered(capsys, "discards", HAND, "--policy", "article", "--rivers", "9mE/2s/C")
    assert out == mjcore.rank_discards(HAND, policy="article", rivers=["9mE", "2s", "C"]).table() + "\n"
    out = answered(capsys, "discards", HAND, "--draws", "5")
    assert out == mjcore.rank_discards(HAND, draws=5).table() + "\n"
    out = answered(capsys, "discards", HAND, "--policy", "efficiency", "--json", "--notation", "unicode")
    assert json.loads(out)["discards"][0]["tile"] == mjcore.tile_name(mjcore.kind_of("F"), "unicode")


def test_discards_without_a_policy_stay_as_they_were(capsys):
    assert answered(capsys, "discards", "239mEE").splitlines()[0] == "9m\t0\t8\t1m:4 4m:4"


def test_rivers_are_read_in_the_dialect(capsys):
    out = answered(capsys, "evaluate", "EE CC [456p] [789s] [234s]", "--rivers", "5z//", "--dialect", "cn", "--json")
    waits = {wait["tile"]: wait["survival"] for wait in json.loads(out)["waits"]}
    assert waits == {"C": 0.7, "E": 0.95}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["evaluate", READY, "--alpha", "1.5"], "argument --alpha: expected 0 to 1, got 1.5"),
        (["evaluate", READY, "--alpha", "nan"], "argument --alpha: expected 0 to 1, got nan"),
        (["evaluate", READY, "--alpha", "1", "--mode", "learning"], "expected --mode or --alpha, got both"),
        (["evaluate", READY, "--rivers", "1m/2m"], "argument --rivers: expected three rivers between '/', got '1m/2m'"),
        (["evaluate", READY, "--rivers", "1m/2q/"], "argument --rivers: "),
        (["evaluate", READY, "--rivers", "[111m]//"], "argument --rivers: expected tiles, got a meld"),
        (["evaluate", READY, "--jokers", "1"], "argument --jokers: jokers are not rated"),
        (["discards", HAND, "--policy", "article", "--jokers", "1"], "argument --jokers: jokers are not rated"),
        (["discards", HAND, "--policy", "luck"], "invalid choice: 'luck'"),
        (["discards", HAND, "--draws", "-1"], "argument --draws: expected 0 to 136 draws, got -1"),
    ],
)
def test_wrong_usage(capsys, arguments, problem):
    assert main(arguments) == 2
    assert problem in capsys.readouterr().err


def test_a_hand_in_error(capsys):
    assert main(["evaluate", "123m"]) == 1
    assert "expected 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 concealed tiles, got 3" in capsys.readouterr().err
    assert main(["evaluate", READY, "--rivers", "5555m/5m/"]) == 1
    assert "rivers[1][0]" in capsys.readouterr().err


def test_plot(tmp_path, capsys):
    path = tmp_path / "curves.svg"
    assert main(["discards", "239mEE", "--draws", "5", "--plot", str(path)]) == 0
    assert path.read_text(encoding="utf-8").lstrip().startswith("<?xml")
    for words in (["239mEE", "239mEE", "--plot", str(path)], ["239mEE", "--plot", str(tmp_path / "curves.txt")]):
        assert main(["discards", *words]) == 2
        assert "argument --plot" in capsys.readouterr().err


def test_chances_of_a_hand_far_from_ready():
    """Discards of one shanten all have a chance, or none has."""
    ranking = mjcore.rank_discards("235m14s679p13pEESN", draws=18)
    chances = [row.win for row in ranking if row.shanten == ranking[0].shanten]
    assert all(chance is None for chance in chances) or all(chance is not None for chance in chances)


def test_more_draws_than_tiles_are_an_error_of_the_hand(capsys):
    assert main(["discards", "239mEE", "--draws", "132"]) == 1
    assert "argument 1: expected draws of 0 to" in capsys.readouterr().err
    assert main(["discards", "239mEE", "--draws", "132", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "ValueError"


def test_a_plot_knows_the_rivers(tmp_path):
    paths = [tmp_path / "a.svg", tmp_path / "b.svg"]
    assert main(["discards", "239mEE", "--plot", str(paths[0])]) == 0
    assert main(["discards", "239mEE", "--plot", str(paths[1]), "--rivers", "1m1m1m1m/4m4m4m4m/"]) == 0
    assert paths[0].read_text(encoding="utf-8") != paths[1].read_text(encoding="utf-8")
