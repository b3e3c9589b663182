FACTS: tuple[tuple[str, str, int, int, str], ...]
RELATION_PLACE: int
WAIT_BYTES: tuple[int, ...]
ROLE_BYTES: tuple[int, ...]
