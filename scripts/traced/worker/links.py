"""Links between the layers: items with their equations and origins, as plain data."""

from typing import Any

from traced.worker.items import Item, Parsed
from traced.worker.join import Joined
from traced.worker.origins import Origins, merged

#: Opcodes of what hands values on and computes nothing.
_RESULTS = ("return", "tuple", "get-tuple-element")


class Links:
    """The items of a text, each with the equations and origins it has, or why it has none."""

    def __init__(self, parsed: Parsed, joined: list[Joined], origins: Origins):
        self._items = parsed.items
        self._groups = parsed.groups
        self._inferred = [join.inferred for join in joined]
        self._equations = [merged([path[-1] for path in join.paths]) for join in joined]
        self._origins = [merged(*map(origins.of, join.paths)) for join in joined]
        self._reasons = [
            "" if join.paths else reason(item)
            for item, join in zip(parsed.items, joined, strict=True)
        ]
        self._callers: dict[str, list[int]] = {group.name: [] for group in parsed.groups}
        self._members: dict[str, list[int]] = {group.name: [] for group in parsed.groups}
        for index, item in enumerate(parsed.items):
            for name in item.calls:
                self._callers[name].append(index)
            if item.group:
                self._members[item.group].append(index)

    def from_callers(self) -> None:
        """Link functions, and what in them knows no equation, as what calls the function is."""
        for index, item in enumerate(self._items):
            callers = [] if self._equations[index] else self._outside(item.group, set())
            if callers and self._reasons[index] in ("declaration", "compiler"):
                self._take(index, callers)
                self._reasons[index] = "" if item.opcode == "func.func" else "library"

    def from_members(self) -> None:
        """Link each fusion with all that its computation is linked with, its root's first."""
        for index, item in enumerate(self._items):
            if item.opcode == "fusion":
                self._take(index, [index, *merged(*(self._members[g] for g in item.calls))])
                if self._equations[index]:
                    self._reasons[index] = ""

    def data(self) -> dict[str, Any]:
        """{"items": [...], "pieces": [...], "groups": [...]}, as layers.Layer has them."""
        numbers = {group.name: number for number, group in enumerate(self._groups)}
        items = []
        for index, item in enumerate(self._items):
            entry = {
                "name": item.name,
                "calls": merged([numbers[name] for name in item.calls]),
                "equations": self._equations[index],
                "origins": self._origins[index],
                "inferred": self._inferred[index],
                "reason": self._reasons[index],
            }
            items.append({"opcode": item.opcode, **{k: v for k, v in entry.items() if v}})
            if item.group:
                items[-1]["group"] = numbers[item.group]
        pieces = [
            (part.line + 1, part.start, part.end, index)
            for index, item in enumerate(self._items)
            for part in item.pieces
        ]
        groups = [
            {
                "name": group.name,
                "line": group.first + 1,
                "end_line": group.last + 1,
                "callers": self._callers[group.name],
            }
            for group in self._groups
        ]
        return {"items": items, "pieces": sorted(pieces), "groups": groups}

    def _take(self, index: int, others: list[int]) -> None:
        self._equations[index] = merged(*(self._equations[i] for i in others))
        self._origins[index] = merged(*(self._origins[i] for i in others))
        self._inferred[index] = any(self._inferred[i] for i in others)

    def _outside(self, group: str, seen: set[str]) -> list[int]:
        """The items outside a function that call it, or call what calls it, and are linked."""
        if group in seen:
            return []
        seen.add(group)
        found: list[int] = []
        for index in self._callers.get(group, []):
            linked = bool(self._equations[index])
            found += [index] if linked else self._outside(self._items[index].group, seen)
        return found


def reason(item: Item) -> str:
    """Why an item that no equation was found for has none.

    "literal": a constant. "parameter": an input of its computation. "result": hands values on.
    "declaration": of a function, a mesh, the module. "compiler": made by the compiler.
    """
    opcode = item.opcode.rpartition(".")[2]
    if opcode in _RESULTS:
        return "result"
    if opcode == "func" or not item.group:
        return "declaration"
    return {"constant": "literal", "parameter": "parameter"}.get(opcode, "compiler")
