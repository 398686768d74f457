"""The block `/// snippet | chapter/name#cell`: cells of a snippet, and what they printed."""

import difflib
import xml.etree.ElementTree as etree
from collections.abc import Callable
from typing import Any

import msgspec
from markdown.util import AtomicString
from pygments.util import ClassNotFound
from pymdownx.blocks.block import Block

from traced import html
from traced.diagnostics import Diagnostic
from traced.markdown.page import page_of
from traced.markdown.terms import ir_link_of
from traced.runs import Run
from traced.snippets import Cell, Snippet


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
        element.text = AtomicString(self.md.htmlStash.store(drawn))

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
            )
        except html.ListingError as error:
            hint = f"`.venv/bin/traced run -v {snippet.name}` shows what it prints."
            raise self.refuse(str(error), hint) from None
        except ClassNotFound:
            hint = "Write the name of a Pygments lexer: jaxpr, stablehlo, hlo, text."
            raise self.refuse(f"unknown language {options.language!r}", hint) from None

    def refuse(self, cause: str, hint: str) -> Refused:
        """What to raise where the block cannot be shown."""
        return Refused(Diagnostic(cause, (self.place,), hint))


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return f"Did you mean {near[0]!r}?"
    return f"There are {', '.join(known)}." if known else "There are none."
