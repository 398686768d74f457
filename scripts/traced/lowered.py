"""What equations became: which ops, and which opcodes, as lenses recorded it.

A lens knows which equations an op and an instruction were made for, and not which instruction an
op became. Where an equation became several ops, what those became is known of all of them together.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from traced.layers import Kind, Lens

type Names = tuple[str, ...]


@dataclass(frozen=True)
class Lowered:
    """The primitive of equations, and the names of the ops and opcodes that each became, sorted.

    None is what no lens of them recorded; empty is that nothing was made for them.
    """

    primitive: str
    ops: Names | None = None
    opcodes: Names | None = None


@dataclass(frozen=True, order=True)
class Became:
    """One of the ways to become something: sorted names, and the other ops that became these."""

    names: Names
    others: Names = ()


def lowered(lens: Lens) -> set[Lowered]:
    """What the equations of a lens became, without those that hold a jaxpr.

    Those would be all that they hold.
    """
    holders = {parent for equation in lens.equations for parent in equation.parents}
    ops, opcodes = _made(lens, "stablehlo"), _made(lens, "hlo")
    return {
        Lowered(equation.primitive, ops.get(number), opcodes.get(number))
        for number, equation in enumerate(lens.equations)
        if number not in holders
    }


def becomes(found: Iterable[Lowered], language: Kind, name: str) -> list[Became]:
    """What a primitive became, or an op; nothing where that is not known, or for an opcode."""
    ways = set()
    for each in found:
        if language == "jaxpr" and name == each.primitive and each.ops is not None:
            ways.add(Became(each.ops))
        elif language == "stablehlo" and name in (each.ops or ()) and each.opcodes is not None:
            others = tuple(op for op in each.ops or () if op != name)
            ways.add(Became(each.opcodes, others))
    return sorted(ways)


def comes_from(found: Iterable[Lowered], language: Kind, name: str) -> list[str]:
    """The primitives of the equations that became an op, or an opcode, among others."""
    return sorted(
        {
            each.primitive
            for each in found
            if (language == "stablehlo" and name in (each.ops or ()))
            or (language == "hlo" and name in (each.opcodes or ()))
        }
    )


def _made(lens: Lens, kind: Kind) -> dict[int, Names]:
    """By the number of an equation, what was made for it in a layer, where that is recorded.

    It is not where an item was found out by other means than marks, or is library code of a call.
    That nothing was made can be said of an equation of the outermost jaxpr alone: a jaxpr inside it
    may have been lowered in a way that leaves no marks.
    """
    found: dict[int, set[str]] = {}
    unsure: set[int] = set()
    layer = next((layer for layer in lens.layers if layer.kind == kind), None)
    if layer is None or layer.fault:
        return {}
    for item in layer.items:
        for number in item.equations:
            found.setdefault(number, set()).add(item.opcode)
        if item.inferred or item.reason:
            unsure.update(item.equations)
    return {
        number: tuple(sorted(found.get(number, ())))
        for number, equation in enumerate(lens.equations)
        if number not in unsure and (number in found or not equation.parents)
    }
