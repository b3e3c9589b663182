"""Decomposition: the splits of known hands, and a plain frozen value."""

import copy
import pickle
import random

import pytest

import mjcore
from mjcore import Decomposition, HandRules, Meld


def splits(hand, **options):
    return [str(split) for split in mjcore.decompose(hand, **options)]


@pytest.mark.parametrize(
    ("hand", "want"),
    [
        ("EE", ["EE"]),
        ("123m EE", ["123m EE"]),
        ("11123s", ["123s 11s"]),
        ("111222333m EE", ["123m 123m 123m EE", "111m 222m 333m EE"]),
        ("112233m 112233p 77s", ["123m 123m 123p 123p 77s", "11m 22m 33m 77s 11p 22p 33p"]),
        ("11122233344455m", None),
        ("1122335577s1199m", ["11m 99m 11s 22s 33s 55s 77s"]),
        ("19m19p19sESWNCFPP", ["19m19s19pCFPPESWN"]),
        ("11223355779999s", []),
        ("12m", []),
        ("CFP EE", []),
        ("", []),
    ],
)
def test_known_splits(hand, want):
    got = splits(hand)
    if want is None:
        want = [
            "111m 222m 333m 444m 55m",
            "123m 123m 123m 444m 55m",
            "111m 234m 234m 234m 55m",
            "111m 234m 345m 345m 22m",
        ]
        assert sorted(got) == sorted(want)
    else:
        assert got == want


def test_quads_as_two_pairs():
    rules = HandRules(seven_pairs_quads=True)
    assert splits("11223355779999s", rules=rules) == ["11s 22s 33s 55s 77s 99s 99s"]
    assert mjcore.decompose("11223355779999s", rules=rules)[0].pairs == (9, 10, 11, 13, 15, 17, 17)


def test_attributes_of_each_form():
    standard, pairs = mjcore.decompose("112233m112233p77s")
    assert standard.form == "standard"
    assert standard.melds == (Meld("123m"), Meld("123m"), Meld("123p"), Meld("123p"))
    assert (standard.eyes, standard.pairs, standard.jokers, standard.hard) == (15, (), (), True)
    assert standard.groups == ((0, 1, 2), (0, 1, 2), (18, 19, 20), (18, 19, 20), (15, 15))
    assert (pairs.form, pairs.melds, pairs.eyes) == ("seven_pairs", (), None)
    assert pairs.pairs == (0, 1, 2, 15, 18, 19, 20)
    assert pairs.groups[0] == (0, 0)
    (orphans,) = mjcore.decompose("19m19p19sESWNCFPP")
    assert (orphans.form, orphans.eyes, orphans.melds, orphans.pairs) == ("thirteen_orphans", 29, (), ())
    assert len(orphans.groups) == 1
    assert orphans.groups[0].count(29) == 2
    assert len(orphans.groups[0]) == 14


def test_declared_melds_are_not_among_them():
    (split,) = mjcore.decompose("11123s [456m] [777p] [SSS]")
    assert split.melds == (Meld("123s"),)


def test_jokers_and_what_they_became():
    (split,) = mjcore.decompose("46m EE", jokers=1)
    assert (str(split), split.jokers, split.hard) == ("456m EE", (4,), False)
    assert splits("1m", jokers=1) == ["11m"]
    assert sorted(splits("", jokers=2)) == sorted(
        mjcore.tile_name(kind) * 2 if kind > 26 else mjcore.tile_name(kind)[0] + mjcore.tile_name(kind)
        for kind in range(34)
    )
    assert sorted(splits("19m", jokers=3)) == ["111m 99m", "123m 99m", "789m 11m", "999m 11m"]


def test_fifth_copy_only_where_allowed():
    assert splits("1111m", jokers=1) == ["111m 11m"]
    assert splits("1111m", jokers=1, rules=HandRules(joker_fifth_copy=False)) == []
    (split,) = mjcore.decompose("1111m", jokers=1)
    assert (split.tiles, split.jokers) == (5, (0,))
    assert splits("1m [1111p] [222s] [333s]", jokers=4) != splits(
        "1m [1111p] [222s] [333s]", jokers=4, rules=HandRules(joker_fifth_copy=False)
    )


def test_joker_kind_may_stand_for_itself():
    rules = HandRules(joker_kind="5m")
    found = {str(split): split.hard for split in mjcore.decompose("555m EE", rules=rules)}
    assert found["555m EE"] is True
    assert set(found.values()) == {True, False}


def test_hard_means_no_joker_stands_for_another_kind():
    rules = HandRules(joker_kind="5m")
    seen = set()
    for hand in ("555m EE", "456m EE", "456m 55m", "111p 55m", "4556m 1p", "5m1p", "345m 5m5m", "55m"):
        for split in mjcore.decompose(hand, rules=rules):
            assert split.hard is all(kind == 4 for kind in split.jokers), (hand, split)
            seen.add(split.hard)
        assert all(not split.hard for split in mjcore.decompose(hand, jokers=3, rules=rules)), hand
    assert seen == {True, False}


def test_splits_sum_to_the_hand():
    rng = random.Random(51)
    n_splits = 0
    for _ in range(400):
        counts = [0] * 34
        n_melds = rng.randint(0, 4)
        suit = rng.randrange(3)
        for _ in range(n_melds):
            first = 9 * suit + rng.randrange(7)
            for kind in rng.choice([(first,) * 3, (first, first + 1, first + 2)]):
                counts[kind] += 1
        counts[9 * suit + rng.randrange(9)] += 2
        if max(counts) > 4:
            continue
        vec = mjcore.pack(counts)
        found = mjcore.decompose(vec)
        assert found, mjcore.format(vec)
        assert len(set(found)) == len(found), mjcore.format(vec)
        for split in found:
            assert split.tiles == vec, mjcore.format(vec)
            assert sum(len(group) for group in split.groups) == sum(counts)
            assert (split.jokers, split.hard) == ((), True)
        n_splits += len(found)
    assert n_splits > 300


def test_splits_with_jokers_hold_the_hand_and_the_jokers():
    rng = random.Random(52)
    wall = [kind for kind in range(34) for _ in range(4)]
    n_splits = 0
    for _ in range(150):
        jokers = rng.randint(1, 3)
        kinds = [kind for kind in wall if kind < 9] if rng.random() < 0.7 else wall
        vec = sum(1 << 4 * kind for kind in rng.sample(kinds, 8 - jokers))
        for split in mjcore.decompose(vec, jokers=jokers):
            assert len(split.jokers) == jokers, mjcore.format(vec)
            assert split.jokers == tuple(sorted(split.jokers))
            assert split.tiles == vec + sum(1 << 4 * kind for kind in split.jokers), mjcore.format(vec)
            assert split.hard is False
            n_splits += 1
    assert n_splits > 300


def test_order_is_the_same_every_time():
    hand = mjcore.parse("11122233344455m")
    first = mjcore.decompose(hand)
    for _ in range(3):
        mjcore.cache_clear()
        assert mjcore.decompose(hand) == first
        assert mjcore.decompose(hand) == first


def test_splits_of_jokers_alone_are_all_choices():
    """34 eyes, 21 chows and 34 pungs; without a fifth copy no kind is both pung and eyes."""
    assert len(mjcore.decompose("", jokers=2)) == 34
    assert len(mjcore.decompose("", jokers=5)) == 55 * 34
    assert len(mjcore.decompose("", jokers=5, rules=HandRules(joker_fifth_copy=False))) == 55 * 34 - 34
    found = mjcore.decompose("", jokers=8)
    assert len(set(found)) == len(found) == 55 * 56 // 2 * 34


def examples():
    rules = HandRules(joker_kind="5m")
    return [
        *mjcore.decompose("112233m 112233p 77s"),
        *mjcore.decompose("19m19p19sESWNCFPP"),
        *mjcore.decompose("46m EE", jokers=1),
        *mjcore.decompose("555m EE", rules=rules),
    ]


def test_pickle_copy_eq_and_hash():
    found = examples()
    assert len(found) > 4
    for split in found:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            back = pickle.loads(pickle.dumps(split, protocol))
            assert back == split
            assert (hash(back), repr(back)) == (hash(split), repr(split))
        assert copy.copy(split) == copy.deepcopy(split) == split
        assert split != str(split)
        assert (split == None) is False  # noqa: E711
        for other in found:
            assert (split == other) is (split is other)
    assert len(set(found)) == len(found)


def test_is_immutable():
    for split in examples():
        before = repr(split)
        for name in [name for name in dir(Decomposition) if not name.startswith("__")] + ["new_name", "__dict__"]:
            with pytest.raises(AttributeError):
                setattr(split, name, None)
            with pytest.raises(AttributeError):
                delattr(split, name)
        for arguments in ((), ("standard",)):
            try:
                split.__init__(*arguments)
            except TypeError:
                continue
        assert repr(split) == before


def test_a_caller_cannot_spoil_the_cached_answer():
    hand = mjcore.parse("112233m 112233p 77s")
    found = mjcore.decompose(hand)
    assert isinstance(found, tuple)
    found[0].to_dict()["groups"].clear()
    assert [str(split) for split in mjcore.decompose(hand)] == [str(split) for split in found]
    assert mjcore.decompose(hand)[0].to_dict()["groups"] == ["123m", "123m", "123p", "123p", "77s"]


def test_texts_and_plain_values():
    (split,) = mjcore.decompose("123m CC", rules=None)
    assert split.text() == str(split) == "123m CC"
    assert split.text("mpsz") == "123m 77z"
    assert split.text("mpsz", dialect="cn") == "123m 55z"
    assert split.text("chinese") == "一万二万三万 中中"
    assert split.text("unicode") == "🀇🀈🀉 🀄🀄"
    assert split.to_dict() == {"form": "standard", "groups": ["123m", "CC"], "eyes": "C", "jokers": [], "hard": True}
    assert repr(split) == "<Decomposition standard 123m CC>"
    (split,) = mjcore.decompose("46m EE", jokers=1)
    assert repr(split) == "<Decomposition standard 456m EE jokers=5m>"
    for value in ("", None, 1):
        with pytest.raises(ValueError, match="notation"):
            split.text(value)
