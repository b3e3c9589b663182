"""Laws that answers obey whatever the hand."""

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

import mjcore
from mjcore import Hand, HandRules, KindSet, Meld

pytestmark = pytest.mark.slow

SETTINGS = settings(max_examples=200, deadline=None, derandomize=True, database=None)
KINDS = range(34)
CHOWS = [(kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 <= 6]
MELDS = [*CHOWS, *((kind,) * 3 for kind in KINDS)]
SHAPE = HandRules(wait_mode="shape")


def counts_of(tiles):
    return [tiles.count(kind) for kind in KINDS]


def show(counts):
    return mjcore.format(mjcore.pack(counts))


@st.composite
def groups(draw, n_melds=None):
    """Melds and eyes of a win, no kind above four; often from few kinds."""
    if n_melds is None:
        n_melds = draw(st.integers(0, 4))
    low, high = draw(st.sampled_from([(0, 34), (0, 9), (2, 7), (9, 18), (18, 34), (27, 34)]))
    melds = [meld for meld in MELDS if low <= meld[0] and meld[-1] < high]
    chosen = draw(st.lists(st.sampled_from(melds), min_size=n_melds, max_size=n_melds))
    eyes = draw(st.integers(low, high - 1))
    tiles = [kind for meld in chosen for kind in meld] + [eyes, eyes]
    assume(all(tiles.count(kind) <= 4 for kind in tiles))
    return chosen, eyes


@st.composite
def wins(draw, n_melds=None):
    """Tiles of a win in any order: mostly standard ones."""
    if n_melds is None and draw(st.integers(0, 9)) == 0:
        kinds = draw(st.lists(st.integers(0, 33), min_size=7, max_size=7, unique=True))
        return draw(st.permutations(kinds * 2))
    chosen, eyes = draw(groups(n_melds))
    return draw(st.permutations([kind for meld in chosen for kind in meld] + [eyes, eyes]))


@st.composite
def near_wins(draw, n_melds=None):
    """Tiles of a win with at most two of them exchanged."""
    tiles = list(draw(wins(n_melds)))
    for place in range(draw(st.integers(0, min(2, len(tiles))))):
        kind = draw(st.integers(0, 33))
        if tiles.count(kind) < 4:
            tiles[place] = kind
    return tiles


@st.composite
def rules(draw, wait_mode="possible"):
    return HandRules(
        seven_pairs_quads=draw(st.booleans()),
        joker_fifth_copy=draw(st.booleans()),
        joker_special_forms=draw(st.booleans()),
        eyes=draw(st.sampled_from([None, None, "258m258s258p", "EPC5m"])),
        wait_mode=wait_mode,
    )


mirrors = st.tuples(st.permutations(range(3)), st.booleans(), st.permutations(range(7)))


def moved(kind, mirror):
    """A kind with suits permuted, all ranks mirrored perhaps, honors permuted."""
    suits, mirrored, honors = mirror
    if kind >= 27:
        return 27 + honors[kind - 27]
    index = 8 - kind % 9 if mirrored else kind % 9
    return 9 * suits[kind // 9] + index


@SETTINGS
@given(near_wins(), mirrors, st.integers(0, 3), rules())
def test_suits_permuted_and_ranks_mirrored_keep_the_win(tiles, mirror, n_jokers, options):
    options = options.replace(eyes=None)
    tiles = tiles[n_jokers:]
    other = [moved(kind, mirror) for kind in tiles]
    answer = mjcore.is_hu(counts_of(tiles), jokers=n_jokers, rules=options)
    event(f"win {answer}")
    assert mjcore.is_hu(counts_of(other), jokers=n_jokers, rules=options) is answer, show(counts_of(tiles))


@SETTINGS
@given(near_wins(), mirrors, st.integers(0, 3), rules(wait_mode="shape"))
def test_suits_permuted_and_ranks_mirrored_move_the_waits(tiles, mirror, n_jokers, options):
    """The eyes that are allowed move too."""
    tiles = tiles[n_jokers + 1 :]
    other = [moved(kind, mirror) for kind in tiles]
    waits = mjcore.ting(counts_of(tiles), jokers=n_jokers, rules=options)
    moved_rules = options.replace(eyes=[moved(kind, mirror) for kind in options.eyes])
    moved_waits = mjcore.ting(counts_of(other), jokers=n_jokers, rules=moved_rules)
    assert moved_waits == KindSet(moved(kind, mirror) for kind in waits), show(counts_of(tiles))


@SETTINGS
@given(near_wins(n_melds=3), mirrors, st.integers(0, 2), rules())
def test_suits_permuted_and_ranks_mirrored_keep_the_number_of_splits(tiles, mirror, n_jokers, options):
    options = options.replace(eyes=None)
    tiles = tiles[n_jokers:]
    other = [moved(kind, mirror) for kind in tiles]
    n = len(mjcore.decompose(counts_of(tiles), jokers=n_jokers, rules=options))
    assert len(mjcore.decompose(counts_of(other), jokers=n_jokers, rules=options)) == n, show(counts_of(tiles))


@SETTINGS
@given(near_wins(), st.integers(0, 4), rules())
def test_exactly_the_waits_with_a_copy_left_make_a_win(tiles, n_jokers, options):
    counts = counts_of(tiles[n_jokers + 1 :])
    assume(len(tiles) > n_jokers)
    waits = mjcore.ting(counts, jokers=n_jokers, rules=options)
    event(f"ready {bool(waits)}")
    for kind in KINDS:
        if counts[kind] == 4:
            assert kind not in waits, f"{show(counts)}: {waits}"
            continue
        drawn = list(counts)
        drawn[kind] += 1
        assert mjcore.is_hu(drawn, jokers=n_jokers, rules=options) is (kind in waits), f"{show(counts)}: {waits}"


@SETTINGS
@given(wins(), st.integers(0, 4), st.integers(0, 13))
def test_a_win_without_a_tile_waits_for_it(tiles, n_jokers, place):
    """Under the reading of a fifth copy, jokers may play as all that is missing."""
    assume(len(tiles) > n_jokers)
    rest = tiles[n_jokers:]
    drawn = rest.pop(place % len(rest))
    assert drawn in mjcore.ting(counts_of(rest), jokers=n_jokers), show(counts_of(rest))


@SETTINGS
@given(near_wins(), st.integers(0, 4), rules())
def test_waits_by_shape_and_possible_waits_differ_by_what_is_held_four_times(tiles, n_jokers, options):
    counts = counts_of(tiles[n_jokers + 1 :])
    possible = mjcore.ting(counts, jokers=n_jokers, rules=options)
    shape = mjcore.ting(counts, jokers=n_jokers, rules=options.replace(wait_mode="shape"))
    assert possible == shape - KindSet(kind for kind in KINDS if counts[kind] == 4), show(counts)


@SETTINGS
@given(near_wins(), st.integers(0, 3), rules())
def test_splits_are_there_exactly_for_wins_and_add_up(tiles, n_jokers, options):
    counts = counts_of(tiles[n_jokers:])
    found = mjcore.decompose(counts, jokers=n_jokers, rules=options)
    assert bool(found) is mjcore.is_hu(counts, jokers=n_jokers, rules=options), show(counts)
    assert len(set(found)) == len(found), show(counts)
    for split in found:
        whole = list(counts)
        for kind in split.jokers:
            whole[kind] += 1
        assert counts_of([kind for group in split.groups for kind in group]) == whole, f"{show(counts)}: {split!r}"
        assert len(split.jokers) == n_jokers
        assert split.form != "standard" or split.eyes in options.eyes


@SETTINGS
@given(groups())
def test_a_win_has_the_split_that_it_was_made_from(made):
    melds, eyes = made
    counts = counts_of([kind for meld in melds for kind in meld] + [eyes, eyes])
    found = [(sorted(meld.kinds for meld in split.melds), split.eyes) for split in mjcore.decompose(counts)]
    assert (sorted(melds), eyes) in found, show(counts)


@SETTINGS
@given(near_wins(), st.integers(0, 3), st.integers(0, 13), rules())
def test_a_joker_for_a_tile_never_unmakes_a_win(tiles, n_jokers, place, options):
    """Special forms aside where jokers may not stand in them."""
    tiles = tiles[n_jokers:]
    assume(tiles)
    if not options.joker_special_forms:
        options = options.replace(forms="standard")
    rest = list(tiles)
    rest.pop(place % len(rest))
    if mjcore.is_hu(counts_of(tiles), jokers=n_jokers, rules=options):
        assert mjcore.is_hu(counts_of(rest), jokers=n_jokers + 1, rules=options), show(counts_of(tiles))


@SETTINGS
@given(near_wins(), st.integers(0, 3), st.integers(0, 13), rules())
def test_a_joker_for_a_tile_never_takes_a_wait(tiles, n_jokers, place, options):
    tiles = tiles[n_jokers + 1 :]
    assume(tiles)
    if not options.joker_special_forms:
        options = options.replace(forms="standard")
    rest = list(tiles)
    rest.pop(place % len(rest))
    before = mjcore.ting(counts_of(tiles), jokers=n_jokers, rules=options)
    after = mjcore.ting(counts_of(rest), jokers=n_jokers + 1, rules=options)
    assert before <= after, f"{show(counts_of(tiles))}: {before} to {after}"


@SETTINGS
@given(near_wins(), st.integers(1, 4), rules())
def test_the_fifth_copy_reading_wins_wherever_the_four_copy_reading_does(tiles, n_jokers, options):
    counts = counts_of(tiles[n_jokers:])
    if mjcore.is_hu(counts, jokers=n_jokers, rules=options.replace(joker_fifth_copy=False)):
        assert mjcore.is_hu(counts, jokers=n_jokers, rules=options.replace(joker_fifth_copy=True)), show(counts)
    waiting = counts_of(tiles[n_jokers + 1 :])
    four = mjcore.ting(waiting, jokers=n_jokers, rules=options.replace(joker_fifth_copy=False))
    assert four <= mjcore.ting(waiting, jokers=n_jokers, rules=options.replace(joker_fifth_copy=True)), show(waiting)


@SETTINGS
@given(near_wins(), st.integers(0, 33), rules())
def test_a_joker_kind_allows_what_its_copies_as_themselves_do(tiles, kind, options):
    counts = counts_of(tiles)
    wild = options.replace(joker_kind=kind)
    if mjcore.is_hu(counts, rules=options):
        assert mjcore.is_hu(counts, rules=wild), f"{show(counts)}, joker {mjcore.tile_name(kind)}"
    waits = mjcore.ting(counts_of(tiles[1:]), rules=options)
    assert waits <= mjcore.ting(counts_of(tiles[1:]), rules=wild), show(counts)


@SETTINGS
@given(near_wins(), st.integers(0, 33), rules())
def test_a_joker_kind_that_is_not_held_changes_no_win(tiles, kind, options):
    assume(kind not in tiles)
    counts = counts_of(tiles)
    assert mjcore.is_hu(counts, rules=options.replace(joker_kind=kind)) is mjcore.is_hu(counts, rules=options)


@SETTINGS
@given(near_wins(), st.integers(0, 8), rules())
def test_the_hands_of_no_complete_size_do_not_win(tiles, n_jokers, options):
    tiles = tiles[n_jokers + 1 :]
    n_tiles = len(tiles) + n_jokers
    assume(n_tiles % 3 != 2)
    assert not mjcore.is_hu(counts_of(tiles), jokers=n_jokers, rules=options)
    assert mjcore.decompose(counts_of(tiles), jokers=n_jokers, rules=options) == ()


def declare(melds):
    return [Meld.chow(meld[0]) if meld[0] != meld[1] else Meld.pung(meld[0]) for meld in melds]


@SETTINGS
@given(groups(n_melds=4), st.integers(1, 4), st.integers(0, 33), st.booleans(), st.integers(0, 2))
def test_declared_melds_leave_the_question_to_the_concealed_tiles(made, n_declared, kind, exchange, n_jokers):
    """With jokers that may be a fifth copy; the other reading counts melded copies."""
    melds, eyes = made
    concealed = [each for meld in melds[n_declared:] for each in meld] + [eyes, eyes]
    everything = [each for meld in melds for each in meld] + [eyes, eyes]
    if exchange:
        assume(everything.count(kind) < 4)
        concealed[0] = kind
    concealed = concealed[n_jokers:]
    hand = Hand(mjcore.pack(counts_of(concealed)), declare(melds[:n_declared]))
    answer = mjcore.is_hu(counts_of(concealed), jokers=n_jokers)
    event(f"win {answer}")
    assert mjcore.is_hu(hand, jokers=n_jokers) is answer, str(hand)
    assert mjcore.is_hu(str(hand), jokers=n_jokers) is answer, str(hand)
    assert mjcore.decompose(hand, jokers=n_jokers) == mjcore.decompose(counts_of(concealed), jokers=n_jokers)


@SETTINGS
@given(groups(n_melds=4), st.integers(1, 4), st.integers(0, 1))
def test_waits_beside_melds_are_those_by_shape_with_a_copy_left(made, n_declared, n_jokers):
    melds, eyes = made
    concealed = [each for meld in melds[n_declared:] for each in meld] + [eyes, eyes]
    concealed = concealed[n_jokers + 1 :]
    hand = Hand(mjcore.pack(counts_of(concealed)), declare(melds[:n_declared]))
    shape = mjcore.ting(counts_of(concealed), jokers=n_jokers, rules=SHAPE)
    assert mjcore.ting(hand, jokers=n_jokers, rules=SHAPE) == shape, str(hand)
    left = KindSet(kind for kind in KINDS if hand.all_counts()[kind] < 4)
    assert mjcore.ting(hand, jokers=n_jokers) == shape & left, str(hand)


@SETTINGS
@given(near_wins(), st.integers(0, 2), st.lists(st.integers(0, 33), max_size=20), rules())
def test_live_waits_are_waits_by_shape_less_what_is_seen(tiles, n_jokers, seen, options):
    assume(all(seen.count(kind) <= 4 for kind in seen))
    counts, visible = counts_of(tiles[n_jokers + 1 :]), counts_of(seen)
    live = mjcore.live_waits(counts, jokers=n_jokers, rules=options, visible=visible)
    shape = mjcore.ting(counts, jokers=n_jokers, rules=options.replace(wait_mode="shape"))
    assert live == {kind: max(0, 4 - counts[kind] - visible[kind]) for kind in shape}, show(counts)
    with_copy = mjcore.ting(counts, jokers=n_jokers, rules=options, visible=visible)
    assert with_copy == KindSet(kind for kind, n in live.items() if n), show(counts)


@pytest.fixture(scope="module")
def restored_cache():
    yield
    mjcore.cache_resize(16384)
    mjcore.cache_clear()


@SETTINGS
@given(near_wins(), st.integers(0, 3), rules(), rules(), st.sampled_from([None, 4, 27]))
def test_the_cache_changes_no_answer(restored_cache, tiles, n_jokers, options, others, joker_kind):
    """The same questions with a cache that holds all, one that holds three, and none; each asked twice."""
    counts, waiting = counts_of(tiles[n_jokers:]), counts_of(tiles[n_jokers + 1 :])
    assume(joker_kind is None or counts[joker_kind] + n_jokers <= 3)
    questions = [
        (function, hand, choice)
        for choice in (None, options, others, options.replace(joker_kind=joker_kind))
        for hand in (counts, waiting)
        for function in (mjcore.is_hu, mjcore.ting, mjcore.decompose)
    ]
    answers = []
    for size in (16384, 3, 0):
        mjcore.cache_resize(size)
        for _ in range(2):
            answers.append([function(hand, jokers=n_jokers, rules=choice) for function, hand, choice in questions])
    assert answers[1:] == answers[:-1], show(counts)
    assert mjcore.cache_info().maxsize == 0


@SETTINGS
@given(groups(n_melds=4), st.integers(1, 4), st.integers(1, 2))
def test_the_cache_tells_melds_apart_where_they_matter(made, n_declared, n_jokers):
    """Other melds beside the same tiles, under the four-copy reading."""
    melds, eyes = made
    concealed = ([each for meld in melds[n_declared:] for each in meld] + [eyes, eyes])[n_jokers:]
    four = HandRules(joker_fifth_copy=False, wait_mode="shape")
    hands = [Hand(mjcore.pack(counts_of(concealed)), declare(melds[:n_declared]))]
    for kind in (0, 9, 18, 27):
        others = [Meld.pung(kind + place) if place else Meld.kong(kind) for place in range(n_declared)]
        if all(concealed.count(kind + place) <= (1 if place else 0) for place in range(n_declared)):
            hands.append(Hand(mjcore.pack(counts_of(concealed)), others))
    together = [(mjcore.is_hu(hand, jokers=n_jokers, rules=four), hand) for hand in hands]
    for answer, hand in together:
        mjcore.cache_clear()
        assert mjcore.is_hu(hand, jokers=n_jokers, rules=four) is answer, str(hand)
