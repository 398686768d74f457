"""The types of a lens: one call followed through its layers. Typed JSON in, see worker/lens.py.

Everything that refers to something else does so by its index in the tuple that holds it:

    Expression  <-  Origin  <-  Equation, Item  <-  Piece

Each of these relations is many to many. An expression is a range of source text; an origin, a chain
of them; an equation has several origins when its jaxpr is shared; an item (equation of the text,
operation, instruction) was made for several equations, and an equation of several items.
"""

from collections.abc import Callable
from typing import Literal

import msgspec

Kind = Literal["jaxpr", "stablehlo", "hlo"]

#: Where differentiation put an equation. "recomputed" ones run again for the backward ones.
Phase = Literal["", "forward", "backward", "recomputed"]

#: Why an item has no equation of its own. "literal": a constant, of the program or closed over.
#: "parameter": an input of its function or computation. "result": it hands values on.
#: "declaration": of a function, a mesh or the module. "compiler": made by the compiler. "library":
#: library code of a call; its equations are then those of the call.
Reason = Literal["", "literal", "parameter", "result", "declaration", "compiler", "library"]

#: Expressions by number: where an equation was traced, then the calls that led there.
Origin = tuple[int, ...]


class Listing(msgspec.Struct, frozen=True):
    """Consecutive lines of a source file: its path, the number of the first line, their text."""

    path: str
    line: int
    text: str


class Expression(msgspec.Struct, frozen=True):
    """A range of a source file: lines from 1, columns in characters from 0, end excluded."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Equation(msgspec.Struct, frozen=True):
    """An equation of the jaxpr, or of a jaxpr inside it.

    `parents` are the equations around it (several where they share its jaxpr). `inherited` says
    that its origins are those of its parents: library code of that call. `scope` is the name
    stack: transformations such as "transpose(jvp())", and scopes that the user named.
    """

    primitive: str
    origins: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    inherited: bool = False
    phase: Phase = ""
    scope: str = ""


class Item(msgspec.Struct, frozen=True):
    """An equation in the text of a jaxpr, an operation of StableHLO, an instruction of HLO.

    `opcode` is a primitive's name in a jaxpr; `name` is that of its (first) result as printed, or
    a function's. `group` is the function or computation it stands in, `calls` are those it names.
    `origins` are those of this item, not of all that its equations have: an instruction may be
    of one call of a function alone. A fusion has the equations of all that was fused, its root's
    first. `inferred` says that marks did not tell, but opcode, name and source position.
    """

    opcode: str
    name: str = ""
    group: int | None = None
    calls: tuple[int, ...] = ()
    equations: tuple[int, ...] = ()
    origins: tuple[int, ...] = ()
    inferred: bool = False
    reason: Reason = ""


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """A part of one line of a layer's text, and the item it belongs to.

    Lines count from 1, columns in characters from 0. Pieces are sorted and do not overlap: what
    stands inside another item is that item's.
    """

    line: int
    start: int
    end: int
    item: int


class Group(msgspec.Struct, frozen=True):
    """A function of StableHLO or computation of HLO: name, first and last line, calling items.

    A computation whose caller is a fusion is what was fused. The entry has no callers.
    """

    name: str
    line: int
    end_line: int
    callers: tuple[int, ...] = ()


class Layer(msgspec.Struct, frozen=True):
    """The text of one layer, and what its parts belong to.

    `platform` is what it was lowered for ("" for a jaxpr). `whole` is the untrimmed text of
    optimized HLO. `fault` says why equations could not be marked, where that is so: then all items
    are inferred, and a jaxpr has none.
    """

    kind: Kind
    text: str
    items: tuple[Item, ...]
    pieces: tuple[Piece, ...]
    groups: tuple[Group, ...] = ()
    platform: str = ""
    whole: str = ""
    fault: str = ""


class Lens(msgspec.Struct, frozen=True):
    """A call and its layers, from the top, with the source lines they come from."""

    call: str
    listings: tuple[Listing, ...]
    expressions: tuple[Expression, ...]
    origins: tuple[Origin, ...]
    equations: tuple[Equation, ...]
    layers: tuple[Layer, ...]


def cleaned(layer: Layer, clean: Callable[[str], str]) -> Layer:
    """The layer with each line of its texts put through `clean`, and its pieces moved to match.

    `clean` must not join or split lines.
    """
    lines = layer.text.split("\n")
    new = [clean(line) for line in lines]
    pieces = tuple(
        piece
        if new[piece.line - 1] == (old := lines[piece.line - 1])
        else msgspec.structs.replace(
            piece, start=len(clean(old[: piece.start])), end=len(clean(old[: piece.end]))
        )
        for piece in layer.pieces
    )
    whole = "\n".join(map(clean, layer.whole.split("\n")))
    return msgspec.structs.replace(layer, text="\n".join(new), whole=whole, pieces=pieces)
