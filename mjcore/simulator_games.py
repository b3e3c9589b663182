"""Games in Python, for policies that are callables; the same games that simulator_kernels.pyx plays in C."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mjcore.facade import is_hu
from mjcore.notation import format
from mjcore.simulator_kernels import choose_kind, wall
from mjcore.simulator_results import N_PLAYERS, NOBODY
from mjcore.tiles import N_KINDS, as_index, shown, tile_name

if TYPE_CHECKING:
    from mjcore.quality_input import DangerValues

N_DEALT = 13


class View(NamedTuple):
    """What a player sees when a tile has to go."""

    hand: int
    drawn: int
    draws_left: int  # after this one
    rivers: tuple[tuple[int, ...], ...]
    visible: int
    state: int  # of the game's generator
    place: str  # for errors


Chooser = Callable[[View], tuple[int, int]]
"""Returns the kind to let go and the state of the generator after it."""


def named_chooser(name: str, danger: DangerValues | None, danger_weight: float) -> Chooser:
    def choose(view: View) -> tuple[int, int]:
        return choose_kind(name, *view[:-1], danger, danger_weight)

    return choose


def calling_chooser(policy: Callable[..., object], name: str) -> Chooser:
    def choose(view: View) -> tuple[int, int]:
        answer = policy(view.hand, view.rivers, view.visible)
        kind = as_index(answer)
        if kind is None:
            raise TypeError(f"expected a kind from policy {name}, got {shown(answer)} in {view.place}")
        if not 0 <= kind < N_KINDS or not view.hand >> 4 * kind & 0xF:
            tile = tile_name(kind) if 0 <= kind < N_KINDS else shown(kind)
            raise ValueError(f"expected a tile of {format(view.hand)} from policy {name}, got {tile} in {view.place}")
        return kind, view.state

    return choose


def solo_game(choose: Chooser, seed: int, game: int, draws: int) -> int:
    tiles, state = wall(seed, game)
    hand = sum(map(_tile, tiles[:N_DEALT]))
    rivers: tuple[tuple[int, ...], ...] = ((), (), ())
    visible = 0
    for number, drawn in enumerate(tiles[N_DEALT : N_DEALT + draws], 1):
        hand += _tile(drawn)
        if is_hu(hand):
            return number
        place = f"draw {number} of game {game}, seed {seed}"
        kind, state = choose(View(hand, drawn, draws - number, rivers, visible, state, place))
        hand -= _tile(kind)
        visible += _tile(kind)
    return 0


def four_player_game(choosers: Sequence[Chooser], seed: int, game: int, draws: int) -> tuple[int, int, int]:
    """The players who won and dealt in, and the tiles drawn."""
    tiles, state = wall(seed, game)
    hands = [sum(map(_tile, tiles[N_DEALT * seat : N_DEALT * (seat + 1)])) for seat in range(N_PLAYERS)]
    rivers: list[tuple[int, ...]] = [()] * N_PLAYERS
    player = [(seat + game) % N_PLAYERS for seat in range(N_PLAYERS)]
    for turn, drawn in enumerate(tiles[N_PLAYERS * N_DEALT :][: N_PLAYERS * draws]):
        seat = turn % N_PLAYERS
        others = [(seat + step) % N_PLAYERS for step in range(1, N_PLAYERS)]
        hands[seat] += _tile(drawn)
        if is_hu(hands[seat]):
            return player[seat], NOBODY, turn + 1
        seen = tuple(rivers[other] for other in others)
        number = turn // N_PLAYERS + 1
        place = f"draw {number} of game {game}, seed {seed}"
        view = View(hands[seat], drawn, draws - number, seen, sum(map(_tile, rivers[seat])), state, place)
        kind, state = choosers[player[seat]](view)
        hands[seat] -= _tile(kind)
        rivers[seat] += (kind,)
        for other in others:
            if is_hu(hands[other] + _tile(kind)):
                return player[other], player[seat], turn + 1
    return NOBODY, NOBODY, N_PLAYERS * draws


def _tile(kind: int) -> int:
    return 1 << 4 * kind
