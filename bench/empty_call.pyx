"""The least that a call can cost: the signature of is_hu and nothing inside."""


def empty(hand, /, *, jokers=0, rules=None):
    return False
