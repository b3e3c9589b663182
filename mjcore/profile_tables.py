"""
Make the suit-profile tables: python profile_tables.py HEADER

What is tabulated.  For one suit let D[p][m] be the fewest tiles to add so that m melds and p eyes
stand beside each other (m 0 .. 4, p 0 or 1); the ten numbers are the suit's profile.  A hand of
four suits has the profile that min-plus convolution makes of theirs, and D[1][n] of the whole is
the distance of the hand from n melds and eyes: shanten + 1.

Two readings of a kind's copies: `capped`, no kind above four, and `free`, any number (a joker may
stand for a fifth copy).

How.  Targets are built rank by rank; all that matters for the ranks to come is, for each number
of melds and eyes so far and each number of chows begun one and two ranks below, the fewest tiles
added.  That vector is a state; reading a count leads to another state.  Reading three ranks at a
time and merging states whose futures are equal gives three small tables a suit.

The module imports nothing of the package, so that setup.py can run it before anything is built.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

N_MELDS = 5
"""Numbers of melds a profile knows: 0 .. 4."""

MAX_CHOWS = 2
"""Most chows that begin at one rank: three equal chows are three pungs."""

N_COPIES = 4
NEVER = 99
N_RANKS = 9
N_HONORS = 7
COUNTS = range(N_COPIES + 1)

State = tuple[int, ...]
Profile = tuple[int, ...]

# A state is indexed by chows begun one rank below, two ranks below, eyes, melds.
_PLACES = list(itertools.product(range(MAX_CHOWS + 1), range(MAX_CHOWS + 1), range(2), range(N_MELDS)))
_PLACE = {place: number for number, place in enumerate(_PLACES)}


def _neighbours() -> list[tuple[int, int]]:
    """Pairs of places, the second one better by one step, in an order that carries prices all the way."""
    pairs = []
    for step in ((-1, 0, 0, 0), (0, -1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
        for place in _PLACES if min(step) < 0 else reversed(_PLACES):
            better = tuple(here + more for here, more in zip(place, step, strict=True))
            if better in _PLACE:
                pairs.append((_PLACE[place], _PLACE[better]))
    return pairs


_BETTER = _neighbours()


def start() -> State:
    """Return the state before the first rank."""
    return tuple(0 if place == (0, 0, 0, 0) else NEVER for place in _PLACES)


def transitions(count: int, chows_begin: bool, capped: bool) -> list[list[tuple[int, int]]]:
    """
    Return, for each place, the places that one more rank leads to and the tiles added on the way.

    Parameters
    ----------
    count : int
        Tiles held of the rank.
    chows_begin : bool
        Whether a chow may begin here: not in the last two ranks of a suit, not among honors.
    capped : bool
        Whether the target may hold at most four of the kind.
    """
    table = []
    for last, before, eyes, melds in _PLACES:
        steps: dict[int, int] = {}
        for chows in range(MAX_CHOWS + 1 if chows_begin else 1):
            for pungs in range(N_MELDS - melds - chows):
                for pair in range(2 - eyes):
                    used = before + last + chows + 3 * pungs + 2 * pair
                    if capped and used > N_COPIES:
                        continue
                    place = _PLACE[chows, last, eyes + pair, melds + chows + pungs]
                    added = max(0, used - count)
                    steps[place] = min(steps.get(place, NEVER), added)
        table.append(list(steps.items()))
    return table


def read_count(state: State, steps: list[list[tuple[int, int]]]) -> State:
    """Return the state after one more rank, given the transitions of its count."""
    result = [NEVER] * len(state)
    for place, added in enumerate(state):
        if added < NEVER:
            for after, more in steps[place]:
                if added + more < result[after]:
                    result[after] = added + more
    # What is no cheaper than a place that asks less of the next ranks, or has more melds or eyes
    # already, gets the same price: no profile changes, and far fewer states differ.
    for place, better in _BETTER:
        if result[better] < result[place]:
            result[place] = result[better]
    return tuple(result)


def profile_of(state: State) -> Profile:
    """Return D of a finished suit: ten numbers, D[0][0..4] then D[1][0..4]."""
    return tuple(state[_PLACE[0, 0, eyes, melds]] for eyes in range(2) for melds in range(N_MELDS))


def combine(left: Profile, right: Profile) -> Profile:
    """Return the profile of two suits together."""
    result = [NEVER] * (2 * N_MELDS)
    for melds in range(N_MELDS):
        for part in range(melds + 1):
            rest = melds - part
            result[melds] = min(result[melds], left[part] + right[rest])
            with_eyes = min(left[N_MELDS + part] + right[rest], left[part] + right[N_MELDS + rest])
            result[N_MELDS + melds] = min(result[N_MELDS + melds], with_eyes)
    return tuple(result)


class Automaton:
    """What the counts of one suit, or of the honors, lead to, in three steps of three ranks or fewer."""

    def __init__(
        self,
        n_ranks: int,
        has_chows: bool,
        first: Hashable,
        read: Callable[[Any, int, bool], Hashable],
        result_of: Callable[[Any], Hashable],
    ) -> None:
        """`read` leads from a state to the next, given a count and whether chows begin at its rank."""
        self.steps = [range(rank, min(rank + 3, n_ranks)) for rank in range(0, n_ranks, 3)]
        self.chunks = [list(itertools.product(COUNTS, repeat=len(step))) for step in self.steps]
        level: list[Hashable] = [first]
        self.rows: list[list[list[int]]] = []
        for ranks, chunks in zip(self.steps, self.chunks, strict=True):
            number: dict[Hashable, int] = {}
            memo: dict[tuple[Hashable, int, bool], Hashable] = {}
            rows = []
            for state in level:
                row = []
                for chunk in chunks:
                    after = state
                    for rank, count in zip(ranks, chunk, strict=True):
                        key = (after, count, has_chows and rank < n_ranks - 2)
                        if key not in memo:
                            memo[key] = read(*key)
                        after = memo[key]
                    row.append(number.setdefault(after, len(number)))
                rows.append(row)
            self.rows.append(rows)
            level = list(number)
        self.results: list[Any] = [result_of(state) for state in level]

    def merge(self, number: Mapping[Any, int]) -> None:
        """Number the results as told and merge the states that lead to the same ones."""
        names: list[int] = [number[result] for result in self.results]
        for level in range(len(self.rows) - 1, -1, -1):
            kept: dict[tuple[int, ...], int] = {}
            merged = []
            for row in self.rows[level]:
                merged.append(kept.setdefault(tuple(names[after] for after in row), len(kept)))
            self.rows[level] = [list(row) for row in kept]
            names = merged

    def walk(self, counts: Sequence[int]) -> int:
        """Return the number of the result of some counts."""
        state = 0
        for step, chunks, rows in zip(self.steps, self.chunks, self.rows, strict=True):
            state = rows[state][chunks.index(tuple(counts[rank] for rank in step))]
        return state


def profile_automaton(n_ranks: int, has_chows: bool, capped: bool) -> Automaton:
    """Return the automaton that leads to profiles."""
    steps = {
        (count, chows_begin): transitions(count, chows_begin, capped)
        for count in COUNTS
        for chows_begin in (False, True)
    }
    return Automaton(n_ranks, has_chows, start(), lambda state, *rank: read_count(state, steps[rank]), profile_of)


# --- complete or not ----------------------------------------------------------------------------
#
# A hand without jokers is complete where each suit splits into melds, and one of them into melds and
# eyes.  The states of that question are few: sets of (eyes, chows begun one rank below, two below).

MELDS_ONLY, WITH_EYES, NO_SPLIT = 0, 1, 16
"""What a suit adds to the sum of the four; the hand is complete where that is 1."""

Splits = frozenset[tuple[int, int, int]]


def split_count(splits: Splits, count: int, chows_begin: bool) -> Splits:
    """Return the ways to use all tiles of one more rank up."""
    found = set()
    for eyes, last, before in splits:
        for pair in range(2 - eyes):
            for chows in range(MAX_CHOWS + 1 if chows_begin else 1):
                left = count - before - last - chows - 2 * pair
                if left >= 0 and left % 3 == 0:
                    found.add((eyes + pair, chows, last))
    return frozenset(found)


def split_result(splits: Splits) -> int:
    """Return what a finished suit adds to the sum; its size decides whether it has eyes."""
    ends = [eyes for eyes, last, before in splits if last == before == 0]
    return (WITH_EYES if ends[0] else MELDS_ONLY) if ends else NO_SPLIT


def win_automaton(n_ranks: int, has_chows: bool) -> Automaton:
    """Return the automaton that tells whether a suit splits, its states merged."""
    made = Automaton(n_ranks, has_chows, frozenset({(0, 0, 0)}), split_count, split_result)
    made.merge({result: result for result in (MELDS_ONLY, WITH_EYES, NO_SPLIT)})
    return made


class Tables:
    """Both automata of one reading and the closure of their profiles under `combine`."""

    def __init__(self, capped: bool) -> None:
        self.suit = profile_automaton(N_RANKS, True, capped)
        self.honors = profile_automaton(N_HONORS, False, capped)
        suit: list[Profile] = self.suit.results
        honors: list[Profile] = self.honors.results
        self.n_suit = len(set(suit))
        self.n_single = len({*suit, *honors})
        self.profiles = closure([*suit, *honors])
        number = {profile: i for i, profile in enumerate(self.profiles)}
        self.sums = [[number[combine(left, right)] for right in self.profiles] for left in self.profiles]
        self.suit.merge(number)
        self.honors.merge(number)


def closure(profiles: Iterable[Profile]) -> list[Profile]:
    """Return the profiles and all that `combine` makes of them, sorted."""
    found = set(profiles)
    fresh = list(found)
    while fresh:
        made = {combine(left, right) for left in fresh for right in found}
        fresh = list(made - found)
        found |= made
    return sorted(found)


# --- C ------------------------------------------------------------------------------------------

CHUNK_STRIDE = 128
"""Entries a row of a step has room for: 125 chunks of three counts."""

ROW = 192
"""Entries a row of a square table has room for: three lines of the processor's cache."""

N_PROFILES_MAX = 180
"""Profiles of the reading that has more of them."""

# What one 32-bit entry says of three nibbles.  Entries may be added: the number of the chunk sits on
# top and falls off, the fields below are wide enough for a whole hand.
TILES_BITS, KINDS_BITS, PAIRS_BITS, BAD_BITS, NUMBER_SHIFT = 8, 6, 6, 5, 25


def chunk_entry(nibbles: int) -> int:
    """Return number, tiles, kinds, kinds held twice or more, and 1 for a nibble above four, of three nibbles."""
    counts = [nibbles >> 4 * place & 0xF for place in range(3)]
    if max(counts) > N_COPIES:
        return 1 << TILES_BITS + KINDS_BITS + PAIRS_BITS
    number = counts[0] + 5 * counts[1] + 25 * counts[2]
    kinds = sum(count > 0 for count in counts)
    pairs = sum(count > 1 for count in counts)
    return number << NUMBER_SHIFT | pairs << TILES_BITS + KINDS_BITS | kinds << TILES_BITS | sum(counts)


def step_rows(rows: list[list[int]], n_ranks: int) -> list[int]:
    """Return the rows of one step on one line, in order of chunk numbers, unused entries zero."""
    order = [
        sum(count * 5**place for place, count in enumerate(chunk))
        for chunk in itertools.product(COUNTS, repeat=n_ranks)
    ]
    flat: list[int] = []
    for row in rows:
        line = [0] * CHUNK_STRIDE
        for number, after in zip(order, row, strict=True):
            line[number] = after
        flat += line
    # a fifth copy would lead up to 25 past the last row; the answer is not used, but must be there
    return flat + [0] * 32


def distances(tables: Tables) -> list[int]:
    """
    Return, for n = 0 .. 4 and each pair of profiles, twice D[1][n] of both, plus 1 if the second wants a tile.

    The second wants a tile if some best way to share the n melds and the eyes leaves it a tile short: then one
    tile more in it brings the whole nearer, and otherwise none does.
    """
    values = []
    for melds in range(N_MELDS):
        for others in tables.profiles:
            row = [0] * ROW
            for number, lane in enumerate(tables.profiles):
                best, short = NEVER, False
                for part in range(melds + 1):
                    for own, rest in ((part, N_MELDS + melds - part), (N_MELDS + part, melds - part)):
                        both = lane[own] + others[rest]
                        if both < best:
                            best, short = both, lane[own] > 0
                        elif both == best < NEVER:
                            short = short or lane[own] > 0
                row[number] = 2 * best + short
            values += row
        values += [0] * (ROW * (N_PROFILES_MAX - len(tables.profiles)))
    return values


def packed(numbers: Sequence[int]) -> int:
    """Return five numbers below 256 in one word."""
    return sum(number << FIELD_BITS * place for place, number in enumerate(numbers))


def packed_own(tables: Tables) -> list[int]:
    """Return D[0][0..4] and D[1][0..4] of each profile as two words."""
    return [packed(profile[at : at + N_MELDS]) for profile in tables.profiles for at in (0, N_MELDS)]


def packed_rest(tables: Tables) -> list[int]:
    """
    Return, for n = 0 .. 4 and each profile of the rest of a hand of n melds, what it adds to D[p][m] of one suit.

    Two words each: the rest has the other melds, and the eyes if the suit has none.
    """
    words = []
    for melds in range(N_MELDS):
        for rest in tables.profiles:
            for at in (N_MELDS, 0):
                words.append(packed([rest[at + melds - part] if part <= melds else NEVER for part in range(N_MELDS)]))
        words += [0] * (2 * (N_PROFILES_MAX - len(tables.profiles)))
    return words


def sum_rows(tables: Tables) -> list[int]:
    """Return the profile of two profiles together, a row for each."""
    return [number for row in tables.sums for number in row + [0] * (ROW - len(row))]


FIELD_BITS = 9
"""Bits of one number of a packed profile: a set of nine places takes the room of a number."""

TYPES = {"own": "uint64_t", "rest": "uint64_t", "chunks": "uint32_t", "suit2": "uint16_t"}
"""C types of the arrays that are not of bytes."""


def flat_tables(tables: Tables) -> dict[str, list[int]]:
    """Return the entries of each array of one reading, by its name."""
    suit, honors = tables.suit.rows, tables.honors.rows
    return {
        "own": packed_own(tables),
        "rest": packed_rest(tables),
        "chunks": [chunk_entry(nibbles) for nibbles in range(1 << 12)],
        "suit2": step_rows(suit[1], 3),
        "suit1": step_rows(suit[0], 3),
        "honors1": step_rows(honors[0], 3),
        "honors2": step_rows(honors[1], 3),
        "honors3": step_rows(honors[2], 1),
        "suit3": step_rows(suit[2], 3),
        "sums": sum_rows(tables),
        "profiles": [value for profile in tables.profiles for value in profile],
        "distances": distances(tables),
    }


def win_tables() -> dict[str, list[int]]:
    """Return the entries of the arrays that tell whether a suit splits; a state is the place of its row."""
    tables = {}
    for name, automaton in (("suit", win_automaton(N_RANKS, True)), ("honors", win_automaton(N_HONORS, False))):
        for step, rows in enumerate(automaton.rows):
            is_last = step == len(automaton.rows) - 1
            entries = step_rows(rows, len(automaton.steps[step]))
            tables[f"{name}{step + 1}"] = [entry if is_last else entry * CHUNK_STRIDE for entry in entries]
    return tables


def c_values(values: list[int]) -> str:
    """Return the text of the entries of one array."""
    lines = [",".join(map(str, values[at : at + 40])) for at in range(0, len(values), 40)]
    return "{\n" + ",\n".join(lines) + "}"


def header() -> str:
    """Return the C header: one struct of arrays for each reading, both of one layout."""
    readings = [Tables(capped) for capped in (True, False)]
    arrays = [flat_tables(tables) for tables in readings]
    fields = [
        f"    {TYPES.get(name, 'uint8_t')} {name}[{max(len(table[name]) for table in arrays)}];" for name in arrays[0]
    ]
    structs = []
    for tables, table in zip(readings, arrays, strict=True):
        members = [f".{name} = {c_values(values)}" for name, values in table.items()]
        sizes = {"n_profiles": len(tables.profiles), "n_suit1": len(tables.suit.rows[1])}
        sizes |= {"n_suit2": len(tables.suit.rows[2]), "n_honors1": len(tables.honors.rows[1])}
        sizes |= {"n_honors2": len(tables.honors.rows[2])}
        members += [f".{name} = {size}" for name, size in sizes.items()]
        structs.append("{" + ",\n".join(members) + "}")
    wins = win_tables()
    return "\n".join(
        [
            "/* Generated by mjcore/profile_tables.py. */\n#include <stdint.h>\n",
            "typedef struct {",
            *fields,
            "    int32_t n_profiles, n_suit1, n_suit2, n_honors1, n_honors2;",
            "} mjcore_tables_t;\n",
            f"static const mjcore_tables_t mjcore_tables[2] = {{{', '.join(structs)}}};\n",
            "typedef struct {",
            *(f"    uint{8 if name.endswith('3') else 16}_t {name}[{len(entries)}];" for name, entries in wins.items()),
            "} mjcore_wins_t;\n",
            "static const mjcore_wins_t mjcore_wins = {",
            ",\n".join(f".{name} = {c_values(entries)}" for name, entries in wins.items()),
            "};\n",
        ]
    )


def write_header(path: str) -> None:
    """Write the header unless it is there already and newer than this module."""
    if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(__file__):
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(header())


if __name__ == "__main__":
    write_header(sys.argv[1])
