from typing import Any, final

@final
class Program:
    def __new__(cls, plan: dict[str, Any]) -> Program: ...
