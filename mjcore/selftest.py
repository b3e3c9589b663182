"""
Checks of the installed package on facts that any table of winning hands confirms.

The facts are grouped; a group is a function that yields (what is asked, question, expected answer).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial

import mjcore

Fact = tuple[str, Callable[[], object], object]

WINS = (
    "11m",
    "123m55p",
    "123m456s789p11155z",
    "888s666678m222pNN",
    "11123s [456m] [777p] [SSS]",
    "11123456666778m",
    "1133m66s55pEESS77m",
    "19m19p19sESWNCFPP",
    "111222333mEE",
    "11112222333344m",
    "5m5m [1111p*] [EEE] [789s] [222m]",
    "一万一万一万二条三条四条中中",
    "🀇🀈🀉🀄🀄",
)
LOSSES = (
    "",
    "1m",
    "12m",
    "3p8p [123m] [555p] [789s] [FFF]",
    "22m44678p99s34567s",
    "99777865p444m222s",
    "9m12p345678s55pFFF",
    "891m55p",
    "ESW11m",
    "19m19p1sEESSWWNCF",
    "19m19p11sESSWNCFP",
    "11223355779999s",
)
WAITS = (
    ("1133m66s55pEESS7m", "7m"),
    ("19m19p19sEWSNCPF", "19m19s19pESWNCFP"),
    ("1112345678999m", "123456789m"),
    ("1112345666678m", "12345789m"),
    ("3334567888m", "23456789m"),
    ("2223444456777m", "1235678m"),
    ("1112345666m", "1234567m"),
    ("3334445678m", "345689m"),
    ("3334555m", "23456m"),
    ("3344556677m", "3467m"),
    ("3334445m", "3456m"),
    ("3332m", "124m"),
    ("2222m", ""),
    ("11m", ""),
)
JOKERS = (
    ("1m", 1, True),
    ("", 2, True),
    ("19m", 3, True),
    ("EEEE", 1, True),
    ("1122m3344p5566s", 2, True),
    ("19m19p19sESWNCF", 2, True),
    ("123m456p789s1m5s", 3, True),
    ("19m9p", 2, False),
    ("14m55p", 1, False),
)
NO_FIFTH_COPY = (("EEEE", 1, False), ("1111m", 1, False), ("EESSSS123m", 2, False), ("1111m23m", 2, True))
SPLITS = (
    ("111222333mEE", "123m 123m 123m EE | 111m 222m 333m EE"),
    ("112233m112233p77s", "123m 123m 123p 123p 77s | 11m 22m 33m 77s 11p 22p 33p"),
    ("5m5m", "55m"),
    ("12m", ""),
)


def wins() -> Iterator[Fact]:
    """Complete hands of every form, size and notation."""
    for hand in WINS:
        yield f"is_hu({hand!r})", partial(mjcore.is_hu, hand), True


def losses() -> Iterator[Fact]:
    """Hands that look complete to a careless test."""
    for hand in LOSSES:
        yield f"is_hu({hand!r})", partial(mjcore.is_hu, hand), False


def waits() -> Iterator[Fact]:
    """Waits with a copy left, one by one and many at once; by shape; copies left."""
    for hand, kinds in WAITS:
        yield f"ting({hand!r})", partial(mjcore.ting, hand), mjcore.KindSet(kinds)
    yield (
        "ting_many(...)",
        partial(mjcore.ting_many, [hand for hand, _ in WAITS], workers=2),
        [mjcore.KindSet(kinds) for _, kinds in WAITS],
    )
    shape = mjcore.HandRules(wait_mode="shape")
    yield "ting('2222m') by shape", partial(mjcore.ting, "2222m", rules=shape), mjcore.KindSet("2m")
    yield (
        "live_waits('13mEE [456p] [789s] [234s]', visible='222m')",
        partial(mjcore.live_waits, "13mEE [456p] [789s] [234s]", visible="222m"),
        {1: 1},
    )


def jokers() -> Iterator[Fact]:
    """Jokers as a number, as a kind, and without a fifth copy."""
    for hand, n, answer in JOKERS:
        yield f"is_hu({hand!r}, jokers={n})", partial(mjcore.is_hu, hand, jokers=n), answer
    four = mjcore.HandRules(joker_fifth_copy=False)
    for hand, n, answer in NO_FIFTH_COPY:
        asked = f"is_hu({hand!r}, jokers={n}) with four copies at most"
        yield asked, partial(mjcore.is_hu, hand, jokers=n, rules=four), answer
    yield (
        "ting('2345m66p', jokers=1)",
        partial(mjcore.ting, "2345m66p", jokers=1),
        mjcore.KindSet("1234567m6p"),
    )
    red = mjcore.HandRules(joker_kind="C")
    yield "is_hu('13m55pC') with C as joker", partial(mjcore.is_hu, "13m55pC", rules=red), True
    yield "is_hu('13m55pC')", partial(mjcore.is_hu, "13m55pC"), False


def rules() -> Iterator[Fact]:
    """Rule sets differ in the forms they know."""
    quads, pairs = "11223355779999s", "1133m66s55pEESS77m"
    for name, hand, answer in (
        ("riichi", quads, False),
        ("tuidaohu", quads, True),
        ("hk", pairs, False),
        ("wuhan", "19m19p19sESWNCFPP", False),
    ):
        yield f"is_hu({hand!r}, rules={name!r})", partial(mjcore.is_hu, hand, rules=name), answer
    eyes = mjcore.HandRules(eyes="258m258s258p")
    yield "is_hu('123m55p') with 2 5 8 as eyes", partial(mjcore.is_hu, "123m55p", rules=eyes), True
    yield "is_hu('123m66p') with 2 5 8 as eyes", partial(mjcore.is_hu, "123m66p", rules=eyes), False


def splits() -> Iterator[Fact]:
    """Every split once, in a fixed order."""
    for hand, lines in SPLITS:
        yield f"decompose({hand!r})", partial(_split_lines, hand), lines
    yield (
        "what the joker becomes in decompose('46mEE', jokers=1)",
        lambda: [(split.jokers, split.hard) for split in mjcore.decompose("46mEE", jokers=1)],
        [((4,), False)],
    )


def packed() -> Iterator[Fact]:
    """Counts, packed hands and text turn into each other."""
    counts = [kind % 5 for kind in range(34)]
    number = sum(n << 4 * kind for kind, n in enumerate(counts))
    yield "pack(counts)", partial(mjcore.pack, counts), number
    yield "unpack(pack(counts))", lambda: mjcore.unpack(mjcore.pack(counts)), counts
    hand = "123m99s55pCFEEE"
    for notation in ("letters", "mpsz", "chinese", "unicode"):
        yield f"parse(format(..., {notation!r}))", partial(_round_trip, hand, notation), hand
    yield "a fifth copy", partial(_error, "11111m"), "InvalidNotationError"
    yield "fifteen tiles", partial(_error, "123456789m123456s"), "InvalidHandError"


def cache() -> Iterator[Fact]:
    """The cache drops what was used longest ago, and answers a question asked again."""
    lru = mjcore.LRUCache(2)

    def fill() -> list[int]:
        lru.put(1, 10)
        lru.put(2, 20)
        lru.get(1)
        lru.put(3, 30)
        keys: list[int] = lru.keys()
        return keys

    yield "keys of an LRU cache of two", fill, [3, 1]
    yield "an answer dropped", partial(lru.get, 2), None
    yield "an answer kept", partial(lru.get, 1), 10
    yield "hits and misses", lru.info, (2, 1, 2, 2)
    yield "look-ups of a hand asked twice", _count_lookups, 2
    yield "the same answers from the cache", lambda: [mjcore.is_hu(hand) for hand in WINS], [True] * len(WINS)


def binary() -> Iterator[Fact]:
    """The compiled modules fit the declarations beside them, which other Cython code compiles against."""
    yield "ABI of the binary", _binary_abi, _declared_abi()


GROUPS: tuple[Callable[[], Iterator[Fact]], ...] = (
    wins,
    losses,
    waits,
    jokers,
    rules,
    splits,
    packed,
    cache,
    binary,
)


def run_selftest() -> int:
    """
    Check every group, print one line for each and what failed, then the totals.

    Returns
    -------
    int
        0 if all passed, else 1.

    Examples
    --------
    >>> run_selftest()      # doctest: +ELLIPSIS
    mjcore ...
    ... passed, 0 failed
    0
    """
    sys.stdout.write(f"mjcore {mjcore.__version__}, Python {sys.version.split()[0]}\n")
    n_passed = n_failed = 0
    for group in GROUPS:
        passed, problems = _check(group)
        n_passed += passed
        n_failed += len(problems)
        sys.stdout.write(f"{group.__name__:<8}{passed:4d} passed, {len(problems)} failed\n")
        sys.stdout.writelines(f"    {problem}\n" for problem in problems)
    sys.stdout.write(f"{n_passed} passed, {n_failed} failed\n")
    return 1 if n_failed else 0


def _check(group: Callable[[], Iterator[Fact]]) -> tuple[int, list[str]]:
    passed = 0
    problems = []
    try:
        for asked, question, expected in group():
            try:
                answer = question()
            except Exception as error:  # whatever a broken binary does is a failure to report
                problems.append(f"{asked}: expected {expected!r}, got {type(error).__name__}: {error}")
                continue
            if answer == expected:
                passed += 1
            else:
                problems.append(f"{asked}: expected {expected!r}, got {answer!r}")
    except Exception as error:
        problems.append(f"the facts cannot be stated: {type(error).__name__}: {error}")
    return passed, problems


def _split_lines(hand: str) -> str:
    return " | ".join(str(split) for split in mjcore.decompose(hand))


def _round_trip(hand: str, notation: str) -> str:
    return mjcore.format(mjcore.parse(mjcore.format(mjcore.parse(hand), notation)))


def _error(hand: str) -> str:
    try:
        mjcore.is_hu(hand)
    except mjcore.MjcoreError as error:
        return type(error).__name__
    return "no error"


def _count_lookups() -> int:
    before = mjcore.cache_info()
    hand = mjcore.parse("123m456s789p11155z")
    mjcore.is_hu(hand)
    mjcore.is_hu(hand)
    after = mjcore.cache_info()
    lookups: int = after.hits + after.misses - before.hits - before.misses
    return lookups


def _declared_abi() -> int:
    import re
    from importlib.resources import files

    declared = re.search(r"MJCORE_ABI = (\d+)", (files("mjcore") / "packed.pxd").read_text(encoding="utf-8"))
    if declared is None:
        raise LookupError("no MJCORE_ABI in packed.pxd")
    return int(declared[1])


def _binary_abi() -> int:
    """Call ``mjcore_abi`` the way another Cython module would: through its capsule."""
    import ctypes
    from importlib import import_module

    capsule = import_module("mjcore.kernels").__pyx_capi__["mjcore_abi"]
    get_name = ctypes.pythonapi.PyCapsule_GetName
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = get_pointer(capsule, get_name(capsule))
    if address is None:
        raise LookupError("no address in the capsule of mjcore_abi")
    abi: int = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    return abi
