"""The panes of a lens: its source and the text of each layer, cut into parts that can be picked.

A part is an element with `data-k`, the key of what it belongs to: an expression's number, or a
layer's letter and an item's number ("j4"). Inside of several expressions it has the keys of all,
the innermost last. The first part of each has in `data-s` and `data-a` its strands and those it is
around (see strands.py), and what assets/lens.js says of it: its text (`data-t`), its phase (`-p`),
why it comes from no expression (`-w`), and of a fusion its name (`-f`, empty for what was fused).
`data-n` has the numbers of expressions that assets/lens.css shows as badges, `data-e` those that
without a script light it. All else is done with them: a lens has many parts and few elements.
"""

from bisect import bisect_right
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Literal, NamedTuple

from traced import lensmarks
from traced.layers import Expression, Item, Layer, Lens, Listing, Piece, Reason
from traced.lensmarks import Mark
from traced.strands import Linked, Strands, fusion_of, is_in

#: By the kind of a layer: its name, what its items are called, the letter of their keys.
KINDS = {
    "jaxpr": ("jaxpr", "equation", "j"),
    "stablehlo": ("StableHLO", "op", "s"),
    "hlo": ("Optimized HLO", "instruction", "h"),
}

#: Why something comes from no expression, or not from one alone.
REASONS: dict[Reason, str] = {
    "literal": "a literal, or a constant closed over",
    "parameter": "a parameter of a function or computation",
    "result": "hands values on",
    "declaration": "a declaration",
    "compiler": "made by the compiler",
    "library": "library code of this call",
}

#: What has elements of its own inside of parts, from much to nothing.
DETAILS: tuple[frozenset[str], ...] = (
    frozenset({"op", "type", "attribute", "definition", "use", "c1", "k", "s", "mi", "nf", "nd"}),
    frozenset({"op", "type", "attribute"}),
    frozenset(),
)

_TAGS = {
    "op": ('<span class="nf">', "</span>"),
    "type": ('<span class="kt">', "</span>"),
    "attribute": ('<span class="la">', "</span>"),
    "definition": ('<var class="d">', "</var>"),
    "use": ("<var>", "</var>"),
}

#: Attributes of a part; None stands for one whose presence says it all.
type _Said = dict[str, str | None]


class _Fragment(NamedTuple):
    """Characters of a text, and the item they belong to.

    They are whole lines, a part of a line, or a line that frames what was fused into the item.
    """

    start: int
    end: int
    item: int | None
    what: Literal["lines", "part", "frame"]


class Panes:
    """Draws the panes of one lens; `name` is the prefix of its ids, `kept` is one of DETAILS."""

    def __init__(self, lens: Lens, name: str, kept: frozenset[str]):
        self.strands = Strands(lens)
        self._lens = lens
        self._name = name
        self._kept = kept

    def source(self) -> str:
        """The source, each run of lines under the name of its file."""
        return "".join(map(self._listing, self._lens.listings))

    def layer(self, layer: Layer) -> str:
        """The text of a layer."""
        text = layer.text.rstrip("\n")
        marks = self._marks(lensmarks.of_layer(text, layer.kind))
        drawn: set[int] = set()
        html = []
        for start, end, number, what in _fragments(text, layer):
            if number is None:
                html.append(marks.draw(text, start, end))
                continue
            item = layer.items[number]
            key = key_of(layer, number)
            said: _Said = {"k": key, "e": _numbers(self._light(item))}
            target = ""
            if number not in drawn and what != "frame":
                drawn.add(number)
                said |= self._said(layer, item, key)
                target = next((f"{self._name}.{n}" for n in self.strands.traced_at(item)), "")
            inner = marks.draw(text, start, end, target)
            html.append(_part("x" if what == "part" else "ln", said, inner))
        return f"<pre>{''.join(html)}</pre>"

    def _light(self, item: Item) -> list[int]:
        """The expressions an item is of, with the calls around them."""
        chains = (self._lens.origins[o] for o in item.origins)
        return sorted({self.strands.badges.get(e, 0) for chain in chains for e in chain} - {0})

    def _said(self, layer: Layer, item: Item, key: str) -> _Said:
        """What the first part of an item says of it."""
        said: _Said = {"id": f"{self._name}.{key}"}
        said["n"] = _numbers(self.strands.traced_at(item)) or "–"
        said |= _linked(self.strands.item(layer, item))
        said["p"] = ", ".join(self.strands.phases(item))
        said["w"] = why(item)
        if layer.kind == "hlo" and item.opcode == "fusion":
            said["f"] = item.name
        elif layer.kind == "hlo" and fusion_of(layer, item.group) is not None:
            said["f"] = None
        return said

    def texts(self) -> dict[int, str]:
        """The text of each expression on one line, by its badge, in their order."""
        texts = {
            self.strands.badges[n]: " ".join(listing.text[slice(*both)].split())
            for listing in self._lens.listings
            for n, both in self._ranges(listing).items()
        }
        return dict(sorted(texts.items()))

    def _ranges(self, listing: Listing) -> dict[int, tuple[int, int]]:
        """Where in the text of a listing its expressions are."""
        starts = _line_starts(listing.text)
        return {
            n: _range(e, listing, starts)
            for n, e in enumerate(self._lens.expressions)
            if is_in(e, listing.path, listing.line, listing.text)
        }

    def _listing(self, listing: Listing) -> str:
        text = listing.text.rstrip("\n")
        marks = self._marks(lensmarks.of_python(text))
        ranges = self._ranges(listing)
        drawn: set[int] = set()
        html = []
        for start, end, inside in _cut(text, ranges):
            inner = marks.draw(text, start, end)
            if inside and text[start:end].strip():
                keys = _numbers([self.strands.badges[n] for n in inside])
                said: _Said = {"k": keys, "e": keys}
                if inside[-1] not in drawn:
                    drawn.add(inside[-1])
                    said |= self._expression(text[slice(*ranges[inside[-1]])], inside[-1])
                inner = _part("x", said, inner)
            html.append(inner)
        place = f"{escape(listing.path)}:{listing.line}"
        return f"<b>{place}</b><pre>{''.join(html)}</pre>"

    def _expression(self, text: str, number: int) -> _Said:
        """What the first part of an expression says of it."""
        said: _Said = {"n": str(self.strands.badges[number]), "t": " ".join(text.split())}
        return said | _linked(self.strands.expression(number))

    def _marks(self, marks: list[Mark]) -> "_Marks":
        return _Marks([mark for mark in marks if mark.what in self._kept])


class _Marks:
    """The marks of a text, in order."""

    def __init__(self, marks: list[Mark]):
        self._marks = marks
        self._starts = [mark.start for mark in marks]

    def between(self, start: int, end: int) -> Iterator[Mark]:
        """Those that overlap a range."""
        first = max(0, bisect_right(self._starts, start) - 1)
        for mark in self._marks[first:]:
            if mark.start >= end:
                return
            if mark.end > start:
                yield mark

    def draw(self, text: str, start: int, end: int, target: str = "") -> str:
        """The HTML of a range; its first op leads to the id `target`, if there is one."""
        html = []
        for mark in self.between(start, end):
            first, last = max(mark.start, start), min(mark.end, end)
            opening, closing = _TAGS.get(mark.what, (f'<span class="{mark.what}">', "</span>"))
            if mark.what == "op" and target:
                opening, closing = f'<a class="nf" href="#{target}" tabindex="-1">', "</a>"
                target = ""
            html += [escape(text[start:first]), opening, escape(text[first:last]), closing]
            start = last
        return "".join([*html, escape(text[start:end])])


def key_of(layer: Layer, number: int) -> str:
    """The key of an item."""
    return f"{KINDS[layer.kind][2]}{number}"


def why(item: Item) -> str:
    """Why an item comes from no expression, or from what else than marks that is known; or ""."""
    return REASONS.get(item.reason, "inferred from name and position" if item.inferred else "")


def _fragments(text: str, layer: Layer) -> list[_Fragment]:
    """The text in fragments: whole lines of one item, parts of lines that have several."""
    starts = _line_starts(text)
    pieces: dict[int, list[Piece]] = {}
    for piece in layer.pieces:
        pieces.setdefault(piece.line, []).append(piece)
    frames = _frames(layer)
    fragments: list[_Fragment] = []
    for line, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), 1):
        on_line = pieces.get(line, [])
        if len(on_line) < 2:
            item = on_line[0].item if on_line else frames.get(line)
            fragments.append(_Fragment(start, end, item, "lines" if on_line else "frame"))
            continue
        for piece in on_line:
            fragments.append(_Fragment(start, starts[line - 1] + piece.start, None, "part"))
            start = starts[line - 1] + piece.end
            fragments.append(_Fragment(fragments[-1].end, start, piece.item, "part"))
        fragments.append(_Fragment(start, end, None, "part"))
    return _merged(fragments)


def _merged(fragments: list[_Fragment]) -> list[_Fragment]:
    """Neighbouring whole lines of the same item as one fragment; no empty ones."""
    merged: list[_Fragment] = []
    for fragment in fragments:
        last = merged[-1] if merged else None
        same = last and last[2:] == fragment[2:]
        if last and same and last.what != "part":
            merged[-1] = last._replace(end=fragment.end)
        elif fragment.start < fragment.end:
            merged.append(fragment)
    return merged


def _frames(layer: Layer) -> dict[int, int]:
    """The lines that open and close a fused computation are part of the fusion."""
    return {
        line: group.callers[0]
        for group in layer.groups
        if group.callers and layer.items[group.callers[0]].opcode == "fusion"
        for line in (group.line, group.end_line)
    }


def _cut(text: str, ranges: dict[int, tuple[int, int]]) -> Iterator[tuple[int, int, list[int]]]:
    """The text cut at each end of a range, line by line, with the ranges around each part.

    The indentation of a line is a part of its own.
    """
    cuts = {0, len(text)} | {end for both in ranges.values() for end in both}
    for start in _line_starts(text):
        line = text[start:].partition("\n")[0]
        cuts |= {start, start + len(line) - len(line.lstrip()), start + len(line.rstrip())}
    ends = sorted(cuts)
    for start, end in pairwise(ends):
        inside = [n for n, (first, last) in ranges.items() if first <= start and end <= last]
        yield start, end, sorted(inside, key=lambda n: ranges[n][0] - ranges[n][1])


def _range(expression: Expression, listing: Listing, starts: list[int]) -> tuple[int, int]:
    first, last = expression.line - listing.line, expression.end_line - listing.line
    return starts[first] + expression.column, starts[last] + expression.end_column


def _line_starts(text: str) -> list[int]:
    return [0] + [i + 1 for i, character in enumerate(text) if character == "\n"]


def _linked(linked: Linked) -> _Said:
    return {"s": _numbers(linked.own) or None, "a": _numbers(linked.around)}


def _numbers(numbers: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _part(name: str, said: _Said, inner: str) -> str:
    """A part: its id, if it has one, and data attributes; those that say "" are left out."""
    attributes = "".join(
        f' {"id" if key == "id" else f"data-{key}"}="{escape(value or "")}"'
        for key, value in said.items()
        if value != ""
    )
    return f'<span class="{name}"{attributes}>{inner}</span>'
