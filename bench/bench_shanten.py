"""Shanten and useful tiles of one hand as a Python user feels them."""

from __future__ import annotations

from peers import peer_counts, peer_mask
from workloads import hands
from xiangting import PlayerCount, calculate_necessary_tiles, calculate_replacement_number

import mjcore

FOUR = PlayerCount.FOUR


def bench_empty_call(measure, compiled):
    measure(compiled["empty_call"].empty, hands("random"), group="shanten", family="random")


def bench_shanten(measure):
    vecs = hands("random")
    measure(mjcore.shanten, vecs, group="shanten", family="random")
    peer = [calculate_replacement_number(bytes(peer_counts(vec)), FOUR) - 1 for vec in vecs]
    assert [mjcore.shanten(vec) for vec in vecs] == peer


def bench_useful_tiles(measure):
    vecs = hands("random 13")
    measure(mjcore.useful_tiles, vecs, group="shanten", family="random 13")
    peer = [calculate_necessary_tiles(bytes(peer_counts(vec)), FOUR)[1] for vec in vecs]
    assert [mjcore.useful_tiles(vec).kinds.mask for vec in vecs] == [peer_mask(mask) for mask in peer]


def bench_discards(measure):
    vecs = hands("random")[:200]
    measure(mjcore.discards, vecs, group="shanten", family="random")
    assert all(mjcore.discards(vec) for vec in vecs)


def bench_melds_that_share_kinds(measure):
    """Concealed tiles beside melds of the same kinds: settled without the tables."""
    texts = ("1245m 79p E [123m] [789p]", "2334m SSE [444m] [WWW]", "13s [222s] [111m] [EEE] [345s]")
    made = [mjcore.Hand(text) for text in texts] * 100
    measure(mjcore.shanten, made, group="shanten", family="melds")
    assert [mjcore.shanten(hand) for hand in made[:3]] == [2, 1, 0]
    assert mjcore.shanten("SE [SSS] [WWW] [NNN] [EEE]") == 1


def bench_xiangting_shanten(measure):
    rows = [bytes(peer_counts(vec)) for vec in hands("random")]
    measure(lambda row: calculate_replacement_number(row, FOUR), rows, group="shanten", family="random")
    assert min(calculate_replacement_number(row, FOUR) for row in rows) > 0


def bench_xiangting_necessary(measure):
    rows = [bytes(peer_counts(vec)) for vec in hands("random 13")]
    measure(lambda row: calculate_necessary_tiles(row, FOUR), rows, group="shanten", family="random 13")
    assert all(calculate_necessary_tiles(row, FOUR)[1] for row in rows)
