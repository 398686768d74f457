"""Cells of a Run drawn as HTML. Pure functions: no file is read, and all that ran is escaped.

A listing is a figure: the source, what it printed below it, a caption that says what ran. The
markup fits what Material for MkDocs does with `.highlight pre > code`: it colours Pygments' short
classes and adds a copy button, which takes the text of `code`: no label may stand in there.
assets/site.css does the rest.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from itertools import groupby
from typing import Literal

import msgspec
from pygments.token import STANDARD_TYPES, Name, _TokenType

from traced.diagnostics import Diagnostic
from traced.lexers import LANGUAGES, guess
from traced.runs import CellResult, Raised, Toolchain
from traced.snippets import Cell
from traced.tokencache import tokens

Show = Literal["source", "output", "both"]
Link = Callable[[str], str | None]


def no_link(name: str) -> str | None:
    """The Link of nothing."""
    return None


# Longer output shows its first FOLD lines; a few lines more are not worth a fold.
FOLD = 30
_SLACK = 6
# Token classes that Material draws like plain text get no element of their own, nor do variables:
# they are half of all tokens in IR, and a page has a budget of elements.
_PLAIN = {"", "w", "p", "o", "n", "nv", "kc", "x", "ne"}
_LABELS = {"source": "Source", "stdout": "Output", "stderr": "Standard error", "error": "Error"}
_LAYERS = {"jaxpr": "jaxpr", "stablehlo": "StableHLO", "hlo": "HLO"}


class Shown(msgspec.Struct, frozen=True):
    """A cell, and what it did when it ran."""

    cell: Cell
    result: CellResult


class Caption(msgspec.Struct, frozen=True):
    """What ran: the snippet's path relative to the root, and with what.

    `href`, if given, is where the file can be read; `devices` how many CPU devices it simulated.
    """

    path: str
    toolchain: Toolchain
    devices: int = 1
    href: str = ""

    @property
    def tools(self) -> str:
        """With what it ran: "JAX 0.10.2 on CPU"."""
        platform = self.toolchain.platform.upper()
        where = f"{self.devices} {platform} devices" if self.devices > 1 else platform
        return f"JAX {self.toolchain.jax} on {where}"


class ListingError(Exception):
    """A listing that would not show what was asked for; the text says why."""


class MarkError(ListingError):
    """Patterns of a listing that occur in nothing it shows; `patterns` holds them as given."""

    def __init__(self, patterns: tuple[str, ...]):
        super().__init__(", ".join(f"nothing shown contains {pattern!r}" for pattern in patterns))
        self.patterns = patterns


#: By what a token is, what it is linked by.
_Links = Mapping[_TokenType, Link]


class Box(msgspec.Struct, frozen=True):
    """One box of a listing. `kind` is "source", a stream's name or "error".

    `cell` names the cells it is of; `language` is the Pygments alias of its text.
    """

    kind: str
    cell: str
    text: str
    language: str

    @property
    def label(self) -> str:
        """What the box is called: "Output: jaxpr"."""
        layer = _LAYERS.get(self.language)
        return f"{_LABELS[self.kind]}: {layer}" if layer else _LABELS[self.kind]

    def marked(self, marks: Sequence[str]) -> set[int]:
        """The lines, from 0, that contain one of these texts."""
        lines = enumerate(self.text.split("\n"))
        return {number for number, line in lines if any(mark in line for mark in marks)}


def listing(
    cells: Sequence[Shown],
    caption: Caption,
    *,
    show: Show = "both",
    marks: Sequence[str] = (),
    language: str = "",
    link: Link = no_link,
    error: Link = no_link,
) -> str:
    """The HTML of cells of one snippet.

    `marks` are literal texts: each line that contains one is marked. `language` is the Pygments
    alias of what the cells print, guessed when empty. `link` gives for a primitive, op or opcode
    in a shown program the opening tag of a link, or None, and `error` for the name of an error that
    was raised or is printed; each is asked once for a name, and each tag used once per listing.
    Raises ListingError when there is nothing to show, MarkError for marks that no line contains,
    and pygments.util.ClassNotFound for a language that no lexer has.
    """
    found = boxes(cells, show, language)
    lines = [line for box in found for line in box.text.split("\n")]
    used = {mark for mark in marks if mark and any(mark in line for line in lines)}
    if missed := tuple(mark for mark in marks if mark not in used):
        raise MarkError(missed)
    links = {Name.Function: _once(_or_without_dialect(link)), Name.Exception: _once(error)}
    drawn = [_box(box, marks, links) for box in found]
    # The search plugin ends the exclusion at the first inner end tag of the same name.
    opening = '<figure class="listing" data-search-exclude>'
    return "\n".join([opening, *drawn, _caption(caption), "</figure>"])


def programs(
    cells: Sequence[Shown], *, show: Show = "both", language: str = ""
) -> Iterator[tuple[str, str]]:
    """The language, one of LANGUAGES, and the text of each program that a listing would show."""
    for box in _boxes(cells, show, language):
        if box.language in LANGUAGES:
            yield box.language, box.text


def boxes(cells: Sequence[Shown], show: Show = "both", language: str = "") -> list[Box]:
    """The boxes of a listing, in order. Raises ListingError where there is nothing to show."""
    found = list(_boxes(cells, show, language))
    if not found:
        raise ListingError(f"{', '.join(shown.cell.name for shown in cells)} printed nothing")
    return found


def _boxes(cells: Sequence[Shown], show: Show, language: str) -> Iterator[Box]:
    """The boxes in order; sources with no output between them share one."""
    sources: list[Shown] = []
    for shown in cells:
        output = [] if show == "source" else list(_output(shown.result, language))
        if show != "output":
            sources.append(shown)
        if output and sources:
            yield _source(sources)
            sources = []
        yield from output
    if sources:
        yield _source(sources)


def _source(shown: list[Shown]) -> Box:
    names = ", ".join(s.cell.name for s in shown)
    text = "\n\n".join(s.cell.source.strip("\n") for s in shown)
    return Box("source", names, text, "python")


def _output(result: CellResult, language: str) -> Iterator[Box]:
    for chunk in result.output:
        if text := chunk.text.strip("\n").rstrip():
            known = (language or guess(text)) if chunk.stream == "stdout" else "text"
            yield Box(chunk.stream, result.name, text, known)
    if result.raised:
        yield Box("error", result.name, _raised(result.raised), "text")


def _raised(raised: Raised) -> str:
    """Type and message, then the snippet's own frames from the innermost out."""
    message = raised.message.rstrip()
    lines = [f"{raised.type}: {message}" if message else raised.type]
    for depth, frame in enumerate(reversed(raised.frames)):
        word = "from" if depth else "at"
        lines.append(f"  {word} {frame.path}:{frame.line} in {frame.function}")
    return "\n".join(lines)


def _box(block: Box, marks: Sequence[str], links: _Links) -> str:
    """One box: the code alone inside `code`, its label above, folded when it is long output."""
    lines = block.text.split("\n")
    marked = block.marked(marks)
    label = "" if block.kind == "source" else block.label
    box = _highlight(f"{block.label} of {block.cell}", _code(block, marked, links), label)
    if block.kind == "source":
        return box
    if len(lines) > FOLD + _SLACK:
        opened = " open" if marked and max(marked) >= FOLD else ""
        box = f"<details{opened}><summary>All {len(lines)} lines</summary>{box}</details>"
    return f'<section class="listing-{block.kind}">{box}</section>'


def _highlight(name: str, code: str, label: str = "") -> str:
    """Code in a box of its own that scrolls, can be focused to scroll it by key, and has a name.

    The box inside `code` scrolls, not `code` itself: from that Material takes `tabindex` away
    where the pointer cannot hover, whatever the keyboard can.
    """
    title = f'<span class="filename">{label}</span>' if label else ""
    box = f'<span class="listing-text" tabindex="0" role="group" aria-label="{escape(name)}">'
    return f'<div class="highlight">{title}<pre><code>{box}{code}</span></code></pre></div>'


def _code(block: Box, marked: set[int], links: _Links) -> str:
    """The text of a block with one span per run of equal tokens on a line."""
    linked = {} if block.kind == "source" else links
    lines: list[list[tuple[str, str]]] = [[]]
    language = "raised" if block.kind == "error" else block.language
    for token, value in tokens(language, block.text):
        opening = _span(token)
        if token in linked and (tag := linked[token](value)):
            opening = tag + opening
        first, *others = value.split("\n")
        lines[-1].append((opening, first))
        lines += [[(opening, other)] for other in others]
    html = [f"{_line(pieces)}\n" for pieces in lines]
    html[-1] = html[-1].removesuffix("\n")
    for number in marked:
        html[number] = f'<span class="hll">{html[number]}</span>'
    return "".join(html)


def _line(pieces: list[tuple[str, str]]) -> str:
    """Pieces of one line, each an opening tag or two and text; neighbours of equal tags in one."""
    html = []
    for opening, group in groupby(pieces, key=lambda piece: piece[0]):
        if text := escape("".join(text for _, text in group)):
            span = "</span>" if "<span" in opening else ""
            link = "</a>" if opening.startswith("<a ") else ""
            html.append(f"{opening}{text}{span}{link}")
    return "".join(html)


@cache
def _span(token: _TokenType) -> str:
    """The opening tag for a token, "" for one that looks like plain text."""
    known: _TokenType | None = token
    while known is not None and known not in STANDARD_TYPES:
        known = known.parent
    name = STANDARD_TYPES[known] if known is not None else ""
    return "" if name in _PLAIN else f'<span class="{name}">'


def _or_without_dialect(link: Link) -> Link:
    return lambda token: link(token) or link(token.rpartition(".")[2])


def _once(link: Link) -> Link:
    """`link`, asked once for each name, that gives no tag a second time."""
    asked: set[str] = set()
    used: set[str | None] = {None}

    def first(name: str) -> str | None:
        tag = None if name in asked else link(name)
        asked.add(name)
        if tag in used:
            return None
        used.add(tag)
        return tag

    return first


def _caption(caption: Caption) -> str:
    path = escape(caption.path)
    file = f'<a href="{escape(caption.href)}">{path}</a>' if caption.href else path
    text = f"{file} ran with {escape(caption.tools)}"
    return f"<figcaption>{text}</figcaption>"


def problem(diagnostics: Sequence[Diagnostic]) -> str:
    """What a page shows in place of a listing that could not be made: every cause and its places.

    Static: nothing is announced when the page loads, the words say that it is an error.
    """
    parts = [_diagnostic(diagnostic) for diagnostic in diagnostics]
    title = '<p class="admonition-title">Error in the source of this page</p>'
    opening = '<section class="listing admonition failure" data-search-exclude>'
    return "\n".join([opening, title, *parts, "</section>"])


def _diagnostic(diagnostic: Diagnostic) -> str:
    places = ", ".join(f"<code>{escape(str(place))}</code>" for place in diagnostic.places)
    html = f"<p><strong>{escape(diagnostic.cause)}</strong><br>{places}</p>"
    if diagnostic.hint:
        html += f"<p>{escape(diagnostic.hint)}</p>"
    if diagnostic.detail:
        html += _highlight("Detail", escape(diagnostic.detail))
    return html
