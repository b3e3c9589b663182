MEASURES: tuple[str, ...]
MELD_CONDITIONS: tuple[str, ...]
POLICIES: tuple[str, ...]
SURVIVAL_RULES: tuple[str, ...]
