"""The block `/// snippet | chapter/name#cell`: cells of a snippet, and what they printed."""

import difflib
import re
import xml.etree.ElementTree as etree
from collections.abc import Callable
from itertools import batched
from typing import Any

import msgspec
from markdown.util import AtomicString
from pygments.util import ClassNotFound
from pymdownx.blocks.block import Block

from traced import html, symptoms
from traced.diagnostics import Diagnostic, Place
from traced.markdown.page import page_of
from traced.markdown.terms import ir_link_of
from traced.runs import CellResult, Run
from traced.snippets import Cell, Snippet

# The links of `_error_link`, in HTML that is ours: what ran is escaped there.
_ERROR_LINK = re.compile(r'<a class="raised" href="([^"]*)">(\w+)</a>')


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may stand under the header of a block that shows a snippet."""

    show: html.Show = "both"
    mark: str | list[str] = []
    language: str = ""


class Refused(Exception):
    """The block asks for something that is not there; the argument is the diagnostic."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


class SnippetBlock(Block):
    """Shows a snippet, or says in its place why it cannot be shown."""

    NAME = "snippet"
    ARGUMENT = None
    KIND: type[Options] = Options

    def _validate(self, parent: etree.Element, arg: Any, **options: Any) -> bool:
        # The base class would drop a block with a wrong option, and leave its text on the page
        # without a word. It is taken as it is, and checked when it is drawn.
        self.argument: str = (arg or "").strip()
        self.given = options
        self.options: dict[str, Any] = {"attrs": {}}
        return True

    def on_markdown(self) -> str:
        """Nothing in the block is Markdown."""
        return "raw"

    def on_create(self, parent: etree.Element) -> etree.Element:
        """Take the block's place on the page; it is filled at its end."""
        return etree.SubElement(parent, "div", {"class": "traced"})

    def on_end(self, block: etree.Element) -> None:
        """Fill the block."""
        self.settle()
        self.fill(block, lambda: self._draw_alone(block.text or ""))

    def fill(self, element: etree.Element, draw: Callable[[], str]) -> None:
        """Put HTML into an element: what `draw` returns, or why it refuses to."""
        try:
            drawn = draw()
        except Refused as refused:
            page_of(self.md).add(refused.diagnostic)
            drawn = html.problem([refused.diagnostic])
        # Links to other pages are elements, for the site generator to check and to rewrite.
        first, *others = _ERROR_LINK.split(drawn)
        element.text = self._literal(first)
        for href, name, tail in batched(others, 3):
            link = etree.SubElement(element, "a", {"class": "raised", "href": href})
            link.text = AtomicString(name)
            link.tail = self._literal(tail)

    def _literal(self, raw: str) -> AtomicString:
        return AtomicString(self.md.htmlStash.store(raw))

    def settle(self) -> None:
        """Find out where the block is, and which snippet and cell it shows."""
        page = page_of(self.md)
        self.place = page.take(self.NAME, self.argument)
        stem, _, self.cell = self.argument.partition("#")
        self.name = stem if "/" in stem else f"{page.folder}/{stem}"
        self.outcome = page.build.show(self.name, self.place)

    def _draw_alone(self, text: str) -> str:
        if text.strip():
            hint = "Leave the block empty but for its options, indented under the header."
            raise self.refuse("a snippet block has no text of its own", hint)
        return self.draw(self.read_options())

    def draw(self, options: Options) -> str:
        """The listing, or the faults of the snippet. Raises Refused."""
        outcome = self.outcome
        if outcome is None:
            build = page_of(self.md).build
            for meant in difflib.get_close_matches(self.name, build.names, 1):
                build.show(meant, self.place)  # not to be reported as shown nowhere, too
            raise self.refuse(f"unknown snippet {self.name!r}", _nearest(self.name, build.names))
        cells = self._cells(outcome.snippet, self.cell) if outcome.snippet else []
        if outcome.run is None or outcome.snippet is None:
            # Its faults are reported with the snippet, once, however many blocks show it.
            return html.problem(list(outcome.diagnostics))
        return self._listing(outcome.snippet, outcome.run, cells, options)

    def read_options(self) -> Options:
        """The options as a KIND. Raises Refused."""
        try:
            return msgspec.convert(self.given, self.KIND)
        except msgspec.ValidationError as error:
            options = ", ".join(self.KIND.__struct_fields__)
            hint = f"Options are {options}; show is source, output or both."
            raise self.refuse(str(error), hint) from None

    def _cells(self, snippet: Snippet, name: str) -> list[Cell]:
        """The cell of that name, or all that are not hidden."""
        cells = snippet.shown(name)
        if name and not cells:
            known = [c.name for c in snippet.cells]
            raise self.refuse(f"unknown cell {name!r} in {snippet.path}", _nearest(name, known))
        if not cells:
            hint = f"Name one to show it all the same: `{snippet.name}#{snippet.cells[0].name}`."
            raise self.refuse(f"every cell of {snippet.path} is hidden", hint)
        return cells

    def _listing(self, snippet: Snippet, run: Run, cells: list[Cell], options: Options) -> str:
        try:
            return html.listing(
                [html.Shown(c, run.cell(c.name)) for c in cells],
                html.Caption(snippet.path, run.toolchain, snippet.options.devices),
                show=options.show,
                marks=[options.mark] if isinstance(options.mark, str) else options.mark,
                language=options.language,
                link=ir_link_of(self.md),
                error=lambda name: self._error_link(name, snippet, run, cells),
            )
        except html.ListingError as error:
            hint = f"`.venv/bin/traced run -v {snippet.name}` shows what it prints."
            raise self.refuse(str(error), hint) from None
        except ClassNotFound:
            hint = "Write the name of a Pygments lexer: jaxpr, stablehlo, hlo, text."
            raise self.refuse(f"unknown language {options.language!r}", hint) from None

    def _error_link(self, name: str, snippet: Snippet, run: Run, cells: list[Cell]) -> str | None:
        """The opening tag of the link from the name of an error to its heading among symptoms."""
        page = page_of(self.md)
        known = page.build.symptoms
        if known is None:
            return None
        if anchor := known.get(name):
            return f'<a class="raised" href="{page.href(symptoms.SOURCE)}#{anchor}">'
        cell = next(cell for cell in cells if _says(run.cell(cell.name), name))
        source = f"{page.build.project.docs.name}/{symptoms.SOURCE}"
        cause = f"{source} has no heading for {name} that leads to a section"
        hint = f"Say there, under a heading `### {name}`, which section answers it."
        places = (self.place, Place(snippet.path, cell.line))
        page.build.add(Diagnostic(cause, places, hint))
        return None

    def refuse(self, cause: str, hint: str) -> Refused:
        """What to raise where the block cannot be shown."""
        return Refused(Diagnostic(cause, (self.place,), hint))


def _says(result: CellResult, name: str) -> bool:
    """Whether a cell raised an error of that name, or printed the name."""
    printed = any(name in chunk.text for chunk in result.output)
    return printed or (result.raised is not None and result.raised.type == name)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return f"Did you mean {near[0]!r}?"
    return f"There are {', '.join(known)}." if known else "There are none."
