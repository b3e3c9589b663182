# The C interface of mjcore:  from mjcore cimport hand_t, hand_is_hu, ...
#
# Everything here is noexcept nogil, except hand_from_int and hand_to_int, which touch a Python int.
# The kernels trust their input: call hand_check first where a hand comes from outside.
# Compare mjcore_abi() with MJCORE_ABI once, when your module is imported: the first is compiled
# into mjcore, the second into you.

# types and limits
from mjcore.packed cimport MJCORE_ABI, N_COPIES, N_JOKERS_MAX, N_KINDS, N_TILES_MAX, hand_t, kindset_t, lane_t

# a hand: make it, change it, look at it
from mjcore.packed cimport (
    hand_add,
    hand_clear,
    hand_count,
    hand_from_counts,
    hand_from_int,
    hand_full,
    hand_has_fifth,
    hand_held,
    hand_remove,
    hand_size,
    hand_sum,
    hand_to_counts,
    hand_to_int,
)

# a set of kinds
from mjcore.packed cimport ALL_KINDS, kind_bit, kindset_size, lowest_bit

# the rules
from mjcore.forms cimport FORM_SEVEN_PAIRS, FORM_STANDARD, FORM_THIRTEEN_ORPHANS, rules_t
from mjcore.kernels cimport rules_default

# the search
from mjcore.kernels cimport (
    hand_check,
    hand_is_hu,
    hand_is_hu_rules,
    hand_waits_rules,
    mjcore_abi,
)

# the distance: shanten and what lowers it
from mjcore.profile cimport (
    SHANTEN_NONE,
    hand_discards,
    hand_shanten,
    hand_shanten_rules,
    hand_useful,
    hand_waits,
)

# the splits
from mjcore.splits cimport N_SPLIT, SPLIT_NONE, SPLIT_PUNG, hand_splits, splits_free, splits_t

# scoring: a winning hand, its facts, its score.  (<Program> rule_set._program).c is a rule set made ready
from mjcore.win_checks cimport MELD_ADDED_KONG, MELD_CHOW, MELD_CONCEALED_KONG, MELD_DIRECT_KONG, MELD_PUNG
from mjcore.win_checks cimport WON_FOURTH_VISIBLE, WON_KONG_REPLACEMENT, WON_ROB_KONG, WON_SELF_DRAWN, WON_WALL_LAST
from mjcore.win_checks cimport WIN_OK, win_check, win_settle, win_t
from mjcore.facts cimport facts_t
from mjcore.groups cimport reading_t
from mjcore.programs cimport Program, program_t
from mjcore.totals cimport fan_count, result_t
from mjcore.scoring cimport hand_score, score_payments
from mjcore.wins cimport Win

# quality, discards and chances.  (<Targets> mjcore.quality.default_targets()).c and (<DangerValues> table.values).c
# are targets and a danger table made ready
from mjcore.quality_input cimport DangerValues, Targets
from mjcore.quality_kernels cimport POLICY_ARTICLE, POLICY_EFFICIENCY, article_default, article_t, discard_rows
from mjcore.quality_kernels cimport discard_t, first_discard, hand_quality, melds_add, melds_clear, melds_t, quality_t
from mjcore.quality_kernels cimport survival_default, survival_t, targets_t, view_add, view_clear, view_t
from mjcore.chance_search cimport CHANCE_EXACT, CHANCE_LOWER_BOUND, CHANCE_NONE, hand_win_chance
