"""The block `/// snippet | chapter/name#cell`: cells of a snippet, and what they printed."""

import difflib
import xml.etree.ElementTree as etree
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


class _Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    show: html.Show = "both"
    mark: str | list[str] = []
    language: str = ""


class _Refused(Exception):
    """The block asks for something that is not there; the argument is the diagnostic."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


class SnippetBlock(Block):
    """Shows a snippet, or says in its place why it cannot be shown."""

    NAME = "snippet"
    ARGUMENT = None

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
        page = page_of(self.md)
        self.place = page.take(self.NAME, self.argument)
        stem, _, self.cell = self.argument.partition("#")
        self.name = stem if "/" in stem else f"{page.folder}/{stem}"
        self.outcome = page.build.show(self.name, self.place)
        try:
            if block.text and block.text.strip():
                hint = "Leave the block empty but for its options, indented under the header."
                raise self._refuse("a snippet block has no text of its own", hint)
            drawn = self._draw()
        except _Refused as refused:
            page.build.add(refused.diagnostic)
            drawn = html.problem([refused.diagnostic])
        block.text = AtomicString(self.md.htmlStash.store(drawn))

    def _draw(self) -> str:
        options, outcome = self._options(), self.outcome
        if outcome is None:
            hint = _nearest(self.name, page_of(self.md).build.names)
            raise self._refuse(f"unknown snippet {self.name!r}", hint)
        cells = self._cells(outcome.snippet, self.cell) if outcome.snippet else []
        if outcome.run is None or outcome.snippet is None:
            # Its faults are reported with the snippet, once, however many blocks show it.
            return html.problem(list(outcome.diagnostics))
        return self._listing(outcome.snippet, outcome.run, cells, options)

    def _options(self) -> _Options:
        try:
            return msgspec.convert(self.given, _Options)
        except msgspec.ValidationError as error:
            hint = f"Options are {', '.join(_Options.__struct_fields__)}."
            raise self._refuse(str(error), hint) from None

    def _cells(self, snippet: Snippet, name: str) -> list[Cell]:
        """The cell of that name, or all that are not hidden."""
        if name:
            cell = snippet.cell(name)
            if cell is None:
                known = [c.name for c in snippet.cells]
                raise self._refuse(
                    f"unknown cell {name!r} in {snippet.path}", _nearest(name, known)
                )
            return [cell]
        cells = [c for c in snippet.cells if not c.options.hide]
        if not cells:
            hint = f"Name one to show it all the same: `{snippet.name}#{snippet.cells[0].name}`."
            raise self._refuse(f"every cell of {snippet.path} is hidden", hint)
        return cells

    def _listing(self, snippet: Snippet, run: Run, cells: list[Cell], options: _Options) -> str:
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
            raise self._refuse(str(error), "Look at what `traced run -v` prints for it.") from None
        except ClassNotFound:
            hint = "Write the name of a Pygments lexer: jaxpr, stablehlo, hlo, text."
            raise self._refuse(f"unknown language {options.language!r}", hint) from None

    def _refuse(self, cause: str, hint: str) -> _Refused:
        return _Refused(Diagnostic(cause, (self.place,), hint))


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return f"Did you mean {near[0]!r}?"
    return f"There are {', '.join(known)}." if known else "There are none."
