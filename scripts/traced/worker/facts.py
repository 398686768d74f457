"""The facts of a cell: the values of its public names, if prose can state them."""

import math
from typing import Any


def collect(names: dict[str, int], namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """For each name its line and its value, or "refused" with what it is instead of a fact.

    `names` maps the names that the cell assigns to the lines on which it does.
    """
    facts = []
    for name, line in names.items():
        fact = {"name": name, "line": line, "value": None, "refused": ""}
        if name not in namespace:
            fact["refused"] = "never set"
        else:
            fact["value"], fact["refused"] = _value(namespace[name])
        facts.append(fact)
    return facts


def _value(value: Any) -> tuple[Any, str]:
    if not isinstance(value, (list, tuple)):
        return _scalar(value)
    items = [_scalar(item) for item in value]
    refused = next((why for _, why in items if why), "")
    if refused:
        return None, f"a list with an item that is {refused}"
    return [item for item, _ in items], ""


def _scalar(value: Any) -> tuple[Any, str]:
    if isinstance(value, bool):
        return value, ""
    for kind in (int, float, str):
        if isinstance(value, kind):
            plain = kind(value)
            if isinstance(plain, float) and not math.isfinite(plain):
                return None, f"{plain}"
            return plain, ""
    return None, f"of the type {type(value).__name__}"
