"""What of a lens belongs to what, as one relation: parts are related when they share a strand.

A strand is an equation by way of one of its origins, or of none where no source is shown. An
expression has the strands that were traced at it, an item those of its equations, by its own
origins alone. Both can be around others: a call
around what was traced inside it, an equation around those of its inner jaxprs. Whatever is picked
stands for its own strands and for those it is around.
"""

from collections import defaultdict
from functools import cached_property
from typing import NamedTuple

from traced.layers import Expression, Group, Item, Layer, Lens, Origin

# Stands for an origin where there is none.
_NONE = -1


class Linked(NamedTuple):
    """Strands by number: those of a part itself, and those it is around."""

    own: tuple[int, ...]
    around: tuple[int, ...] = ()


class Strands:
    """The strands of a lens, numbered from 0, and the numbers that a reader sees on expressions."""

    def __init__(self, lens: Lens):
        self._lens = lens
        pairs = ((e, o) for e in range(len(lens.equations)) for o in self._ways(e))
        self._numbers = {pair: number for number, pair in enumerate(pairs)}

    @cached_property
    def badges(self) -> dict[int, int]:
        """The number, from 1, of each expression that is shown: in the order of their starts."""
        shown = [
            (index, e.line, e.column, -e.end_line, -e.end_column, number)
            for number, e in enumerate(self._lens.expressions)
            for index, listing in enumerate(self._lens.listings)
            if is_in(e, listing.path, listing.line, listing.text)
        ]
        return {key[-1]: badge for badge, key in enumerate(sorted(shown), 1)}

    def expression(self, number: int) -> Linked:
        """The strands traced at an expression, and those traced in calls that it makes."""
        own: list[int] = []
        around: list[int] = []
        for (_, origin), strand in self._numbers.items():
            chain = self._chain(origin)
            if number in chain:
                (own if number == chain[0] else around).append(strand)
        return Linked(tuple(own), tuple(around))

    def item(self, layer: Layer, item: Item) -> Linked:
        """The strands of an item; in a jaxpr it is around those of its inner equations."""
        origins = item.origins or (_NONE,)
        pairs = [(e, o) for e in item.equations for o in origins if (e, o) in self._numbers]
        own = tuple(self._numbers[pair] for pair in pairs)
        return Linked(own, self._inside(pairs) if layer.kind == "jaxpr" else ())

    def traced_at(self, item: Item) -> list[int]:
        """The badges of the expressions an item was traced at, without the calls around them."""
        found = {self.badges.get(self._lens.origins[origin][0]) for origin in item.origins}
        return sorted(badge for badge in found if badge)

    def phases(self, item: Item) -> list[str]:
        """Where differentiation put the equations of an item, each once."""
        found = (self._lens.equations[e].phase for e in item.equations)
        return [phase for phase in dict.fromkeys(found) if phase]

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = defaultdict(list)
        for number, equation in enumerate(self._lens.equations):
            for parent in equation.parents:
                children[parent].append(number)
        return children

    def _inside(self, pairs: list[tuple[int, int]]) -> tuple[int, ...]:
        """The strands of all equations inside these, by way of these."""
        found: set[int] = set()
        for equation, origin in pairs:
            outer = self._chain(origin)
            below = [*self._children[equation]]
            while below:
                inner = below.pop()
                below += self._children[inner]
                ways = (way for way in self._ways(inner) if ends_with(self._chain(way), outer))
                found |= {self._numbers[inner, way] for way in ways}
        return tuple(sorted(found))

    def _ways(self, equation: int) -> tuple[int, ...]:
        return self._lens.equations[equation].origins or (_NONE,)

    def _chain(self, origin: int) -> Origin:
        return () if origin == _NONE else self._lens.origins[origin]


def ends_with(chain: Origin, outer: Origin) -> bool:
    """Whether an origin was reached by way of the expressions in `outer`."""
    return chain[len(chain) - len(outer) :] == outer if outer else True


def is_in(expression: Expression, path: str, line: int, text: str) -> bool:
    """Whether a range begins in `text`, the lines of a file from number `line` on."""
    return expression.path == path and line <= expression.line < line + text.count("\n") + 1


def fusion_of(layer: Layer, group: int | None) -> int | None:
    """The item, a fusion, that what stands in a computation was fused into; None where it wasn't.

    The computation that a fused instruction applies, a reduction's for one, is fused with it.
    """
    seen: set[int] = set()
    while group is not None and group not in seen:
        seen.add(group)
        callers = layer.groups[group].callers
        if not callers:
            return None
        if layer.items[callers[0]].opcode == "fusion":
            return callers[0]
        group = layer.items[callers[0]].group
    return None


def fused(layer: Layer, fusion: int) -> list[Group]:
    """The computations whose instructions are fused into an item."""
    return [group for n, group in enumerate(layer.groups) if fusion_of(layer, n) == fusion]
