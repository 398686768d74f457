"""What became what, as a table: the links of a lens for print, and for whom panes are no help."""

from collections.abc import Iterator, Sequence
from html import escape

from traced.layers import Item, Layer, Lens
from traced.lenspanes import KINDS, REASONS, key_of
from traced.strands import Strands, fusion_of


def table(lens: Lens, layers: Sequence[Layer], name: str, texts: dict[int, str]) -> str:
    """A row for each expression of `texts`, then one for each reason to come from none.

    `texts` has the source of the expressions by their badges; `name` is the prefix of ids.
    """
    strands = Strands(lens)
    heads = "".join(f'<th scope="col">{KINDS[layer.kind][0]}</th>' for layer in layers)
    rows = []
    for badge, text in texts.items():
        cells = [_made(layer, _traced_at(strands, layer, badge), strands, name) for layer in layers]
        link = f'{badge} <a href="#{name}.{badge}">{escape(text)}</a>'
        rows.append(_row(link, cells))
    for reason, words in REASONS.items():
        cells = [_unmade(layer, reason) for layer in layers]
        if any(cells):
            rows.append(_row(f"No expression: {escape(words)}", cells))
    head = f'<tr><th scope="col">Expression</th>{heads}</tr>'
    return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _row(head: str, cells: list[str]) -> str:
    return f'<tr><th scope="row">{head}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _traced_at(strands: Strands, layer: Layer, badge: int) -> list[int]:
    return [n for n, item in enumerate(layer.items) if badge in strands.traced_at(item)]


def _made(layer: Layer, numbers: list[int], strands: Strands, name: str) -> str:
    """The items of one expression; what was fused stands with its fusion."""
    return ", ".join(_fused(layer, numbers, strands, name)) or f"no {KINDS[layer.kind][1]}"


def _fused(layer: Layer, numbers: list[int], strands: Strands, name: str) -> Iterator[str]:
    for number in numbers:
        item = layer.items[number]
        shown = _link(layer, number, strands, name)
        if layer.kind != "hlo":
            yield shown
        elif item.opcode == "fusion":
            inner = [n for n in numbers if fusion_of(layer, layer.items[n].group) == number]
            yield f"{shown} of {_listed(layer, inner)}" if inner else shown
        elif fusion_of(layer, item.group) is None:
            yield shown


def _listed(layer: Layer, numbers: list[int]) -> str:
    return f"({', '.join(_said(layer.items[n]) for n in numbers)})"


def _link(layer: Layer, number: int, strands: Strands, name: str) -> str:
    item = layer.items[number]
    phases = f" ({', '.join(strands.phases(item))})" if layer.kind == "jaxpr" else ""
    text = f'<a href="#{name}.{key_of(layer, number)}">{_said(item)}</a>'
    return text + (phases if phases != " ()" else "")


def _said(item: Item) -> str:
    """The name and the opcode of an item, without its dialect."""
    opcode = item.opcode.rpartition(".")[2]
    return escape(f"{item.name} {opcode}".strip())


def _unmade(layer: Layer, reason: str) -> str:
    items = [item for item in layer.items if item.reason == reason and not item.origins]
    return ", ".join(map(_said, items))
