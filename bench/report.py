"""
Turn one run of the benchmarks into the table of README.md.

    pytest -c bench/pytest.ini bench --benchmark-json=run.json
    python bench/report.py run.json

All times are the fastest round divided by the calls in it; ratios are between lines of one run.
"""

from __future__ import annotations

import json
import sys


def read(path: str) -> tuple[dict[str, float], dict]:
    """Return nanoseconds a call by "file::name[parameter]", and the whole document."""
    with open(path) as file:
        document = json.load(file)
    times = {}
    for row in document["benchmarks"]:
        name = row["fullname"].split("bench/")[-1].replace(".py::bench_", " ").replace("bench_", "")
        times[name] = row["stats"]["min"] / row["extra_info"].get("calls", 1) * 1e9
    return times, document


def rows(t: dict[str, float], memory: dict[str, int]) -> list[tuple[str, float, str]]:
    """Return (question, nanoseconds, ratios) for each line of the table."""
    table = []
    for family in ("random", "winning"):
        empty = t[f"is_hu empty_call[{family}]"]
        hit, cold = t[f"is_hu hit[{family}]"], t[f"is_hu cold[{family}]"]
        functools = t[f"is_hu lru_cache_hit[{family}]"]
        mahjong, xiangting = t[f"is_hu mahjong[{family}]"], t[f"is_hu xiangting[{family}]"]
        table += [
            (f"empty Cython function of the same signature ({family} hands)", empty, "1"),
            (
                f"`is_hu(int)`, {family} hand, cache hit",
                hit,
                f"{hit / empty:.2f} x empty; {functools / hit:.1f} x faster than behind functools.lru_cache; "
                f"{xiangting / hit:.1f} x faster than xiangting (bytes)",
            ),
            (
                f"`is_hu(int)`, {family} hand, cache off",
                cold,
                f"{cold / empty:.2f} x empty; {mahjong / cold:.0f} x faster than mahjong; "
                f"{xiangting / cold:.1f} x faster than xiangting (bytes)",
            ),
        ]
    empty = t["ting empty_call"]
    for name, label in (("hit", "cache hit"), ("cold", "cache off")):
        ours = t[f"ting {name}"]
        table.append(
            (
                f"`ting(int)`, ready hand, {label}",
                ours,
                f"{ours / empty:.1f} x empty; {t['ting xiangting'] / ours:.1f} x faster than xiangting (bytes)",
            )
        )
    empty = t["is_hu four_jokers_empty"]
    for name, label in (
        ("is_hu four_jokers_winning", "`is_hu(int, jokers=4)`, winning hand, cache off"),
        ("is_hu four_jokers_random", "`is_hu(int, jokers=4)`, random hand, cache off"),
        ("ting four_jokers", "`ting(int, jokers=4)`, ready hand, cache off"),
    ):
        table.append((label, t[name], f"{t[name] / empty:.1f} x empty"))
    for family in ("random", "winning"):
        ours, floor = t[f"kernels is_hu[{family}]"], t[f"kernels read_only[{family}]"]
        table.append((f"`hand_is_hu` from Cython, {family} hand", ours, f"{ours - floor:.1f} ns above reading it"))
    ours, floor = t["kernels waits"], t["kernels read_only[ready]"]
    table.append(("`hand_waits` from Cython, ready hand", ours, f"{ours - floor:.1f} ns above reading it"))
    empty, peer = t["shanten empty_call"], t["shanten xiangting_shanten"]
    ours = t["shanten shanten"]
    table.append(
        ("`shanten(int)`, random hand", ours, f"{ours / empty:.1f} x empty; {peer / ours:.1f} x faster than xiangting")
    )
    ours, peer = t["shanten useful_tiles"], t["shanten xiangting_necessary"]
    table.append(
        ("`useful_tiles(int)`, random 13 tiles", ours, f"{peer / ours:.1f} x faster than xiangting (a mask only)")
    )
    table.append(
        ("`shanten(Hand)`, melds that share kinds with it", t["shanten melds_that_share_kinds"], "no peer counts melds")
    )
    table += batch_rows(t)
    one, two = t["ting many[1]"], t["ting many[2]"]
    table.append(("`ting_many`, a hand, one worker", one, f"two workers {one / two:.2f} x faster"))
    added = t["import import[mjcore]"] - t["import import[bare]"]
    kilobytes = memory["mjcore"] - memory["bare"]
    table.append(
        ("`import mjcore`", added, f"{added / 1e6:.1f} ms and {kilobytes / 1024:.1f} MB above the bare interpreter")
    )
    return table


def batch_rows(t: dict[str, float]) -> list[tuple[str, float, str]]:
    """Return the lines about arrays of hands: random ones, from lanes, then from counts."""
    table = []
    floor = t["batch read_only[random]"]
    for form in ("lanes", "counts"):
        ours, peer = t[f"batch is_hu[random-{form}]"], t["batch xiangting_shanten[random]"]
        table.append(
            (
                f"`batch.is_hu` from {form}",
                ours,
                f"{peer / ours:.1f} x faster than xiangting; reading alone {floor:.1f} ns",
            )
        )
        ours, other = t[f"batch shanten[random-{form}]"], t["batch riichienv_shanten[random]"]
        ratios = f"{peer / ours:.1f} x faster than xiangting, {other / ours:.1f} x than riichienv"
        table.append((f"`batch.shanten` from {form}", ours, ratios))
        table.append(
            (f"`batch.shanten`, 0 to 4 jokers a row, from {form}", t[f"batch shanten_jokers[{form}]"], "no peer")
        )
        for family in ("random 13", "ready"):
            ours, peer = t[f"batch waits[{family}-{form}]"], t[f"batch xiangting_necessary[{family}]"]
            table.append((f"`batch.waits`, {family}, from {form}", ours, f"{peer / ours:.1f} x faster than xiangting"))
            ours = t[f"batch useful[{family}-{form}]"]
            ratios = f"{peer / ours:.1f} x faster than xiangting, and counts copies"
            table.append((f"`batch.useful`, {family}, from {form}", ours, ratios))
    ours, peer = t["batch discards"], t["batch xiangting_unnecessary"]
    table.append(
        ("`batch.discards` from lanes", ours, f"{peer / ours:.1f} x as fast as xiangting's mask of discards alone")
    )
    one, two = t["batch workers[1]"], t["batch workers[2]"]
    table.append(("`batch.shanten`, a million hands, one worker", one, f"two workers {one / two:.2f} x faster"))
    return table


def main() -> None:
    times, document = read(sys.argv[1])
    memory = {
        row["params"]["what"]: row["extra_info"].get("peak_kilobytes", 0)
        for row in document["benchmarks"]
        if row["name"].startswith("bench_import")
    }
    machine = document["machine_info"]
    print(f"CPython {machine['python_version']}, {machine.get('cpu', {}).get('brand_raw', machine['machine'])}\n")
    print("| question | ns a call | ratio in the same run |\n|---|---:|---|")
    for question, nanoseconds, ratios in rows(times, memory):
        shown = f"{nanoseconds:.1f}" if nanoseconds < 1e5 else f"{nanoseconds / 1e6:.1f} ms"
        print(f"| {question} | {shown} | {ratios} |")


if __name__ == "__main__":
    main()
