"""The text of a jaxpr, and which parts of it print which equation."""

from traced.worker.equations import Equations
from traced.worker.items import Item, Parsed, Piece
from traced.worker.join import Joined
from traced.worker.sources import characters


def parse(equations: Equations) -> tuple[Parsed, list[Joined]]:
    """The jaxpr as JAX prints it, an item for each equation in it, and the join of each.

    JAX's printer notes for the text of an equation what the equation has for a traceback; here
    that is the equation's number. Its columns count bytes of UTF-8.
    """
    numbered = equations.marked(lambda info, number: info.replace(traceback=number))
    spans: list[list[tuple[int, int, int]]] = []
    text = numbered.pretty_print(use_color=False, source_map=spans)
    items: dict[int, Item] = {}
    for index, (line, found) in enumerate(zip(text.splitlines(), spans)):  # noqa: B905 (see below)
        for start, end, number in found:
            primitive = equations.all[number].primitive.name
            item = items.setdefault(number, Item(primitive, "", "", ""))
            part = line.encode()[start:end].decode()
            blanks = len(part) - len(part.lstrip())
            first = characters(line, start)
            item.pieces.append(Piece(index, first + blanks, first + len(part.rstrip())))
    return Parsed(text + "\n", list(items.values()), []), [Joined([(n,)]) for n in items]
