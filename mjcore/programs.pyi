from typing import Any, final

KNOWN_FACTS: int

@final
class Program:
    def __new__(cls, plan: dict[str, Any]) -> Program: ...
