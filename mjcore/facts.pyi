FACTS: tuple[tuple[str, str, int, int, str], ...]
RELATION_PLACE: int
