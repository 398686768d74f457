"""The block `/// ops | jaxpr`: every primitive that the site shows, what it became, and where.

`/// ops | stablehlo` lists the ops of MLIR, `/// ops | hlo` the opcodes of HLO instructions.
"""

import xml.etree.ElementTree as etree
from collections.abc import Sequence
from typing import Any

from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from pymdownx.blocks.block import Block

from traced import html, ops
from traced.diagnostics import Diagnostic
from traced.layers import Kind
from traced.lowered import Became
from traced.markdown.page import Page, page_of
from traced.markdown.pageterms import GLOSSARY_PAGE
from traced.ops import Entry, Section, Taught

_NAME_CLASS = "op-name"

# How many sections stand in an entry; of two or more beyond these, it says how many there are.
_SECTIONS = 3


class OpsBlock(Block):
    """Lists the names of one language, or says in its place that there is no such language."""

    NAME = "ops"
    ARGUMENT = None

    def _validate(self, parent: etree.Element, arg: Any, **options: Any) -> bool:
        # As in a snippet block: what is wrong is said when it is drawn.
        self.argument: str = (arg or "").strip()
        self.given = options
        self.options: dict[str, Any] = {"attrs": {}}
        return True

    def on_create(self, parent: etree.Element) -> etree.Element:
        """Take the block's place on the page."""
        self.place = page_of(self.md).take(self.NAME, self.argument)
        return etree.SubElement(parent, "div", {"class": "ops"})

    def on_inline_end(self, block: etree.Element) -> None:
        """Fill it, now that nothing would read names as Markdown."""
        page = page_of(self.md)
        language = next((kind for kind in ops.KINDS if kind == self.argument), None)
        if language is None or self.given:
            cause = "an ops block has no options"
            if language is None:
                cause = f"unknown language {self.argument!r}"
            hint = f"Write `/// ops | ` and one of {', '.join(ops.KINDS)}."
            fault = Diagnostic(cause, (self.place,), hint)
            page.add(fault)
            block.text = AtomicString(self.md.htmlStash.store(html.problem([fault])))
            return
        draw = _Draw(page, language)
        for entry in ops.entries(page.build, language):
            block.append(draw.entry(entry))


class OpsTreeprocessor(Treeprocessor):
    """Makes headings of the names, for the search to find.

    Only now, so that the table of contents leaves them out: there are too many.
    """

    priority = -1

    def run(self, root: etree.Element) -> None:
        """Rename the elements."""
        for name in root.iterfind(f".//p[@class='{_NAME_CLASS}']"):
            name.tag = "h3"
            del name.attrib["class"]


class _Draw:
    """Draws entries of one language on a page."""

    def __init__(self, page: Page, language: Kind):
        self._page = page
        self._language = language
        self._index = ops.index(page.build)

    def entry(self, entry: Entry) -> etree.Element:
        """The entry as an element."""
        element = etree.Element("div", {"class": "term-entry"})
        name = {"id": ops.anchor(self._language, entry.name), "class": _NAME_CLASS}
        _code(etree.SubElement(element, "p", name), entry.name)
        # The heading of the part says it, and in the search that is not to be seen.
        _say(etree.SubElement(element, "p", {"hidden": ""}), ops.KINDS[self._language].capitalize())
        if entry.taught:
            self._term(element, entry.taught)
        if entry.becomes:
            self._becomes(_line(element, "Becomes: "), entry.becomes)
        if entry.comes_from:
            self._names(_line(element, "Comes from: "), "jaxpr", entry.comes_from)
        # A section has its own entry in the search index.
        uses = etree.SubElement(element, "div", {"class": "term-uses", "data-search-exclude": ""})
        self._shown(uses, entry.sections)
        return element

    def _term(self, element: etree.Element, taught: Taught) -> None:
        """What the glossary says, and the chapter that teaches it."""
        definition = etree.SubElement(element, "p", {"class": "term-definition"})
        glossary = f"{self._page.href(GLOSSARY_PAGE)}#term-{taught.term.slug}"
        _link(definition, glossary, taught.term.term)
        _say(definition, ": ")
        for number, piece in enumerate(taught.term.sentences[0].split("`")):
            _code(definition, piece) if number % 2 else _say(definition, piece)
        line = etree.SubElement(element, "p", {"class": "term-taught"})
        _say(line, "Taught in: ")
        if taught.source:
            _link(line, self._page.href(taught.source), taught.title)
        else:
            _say(line, f"{taught.title}, a chapter still to come")

    def _becomes(self, line: etree.Element, ways: Sequence[Became]) -> None:
        language = ops.NEXT[self._language]
        for number, way in enumerate(ways):
            _say(line, "; or " if number else "")
            self._names(line, language, way.names)
            _say(line, "" if way.names else ops.NOTHING[language])
            if way.others:
                _say(line, " (with ")
                self._names(line, self._language, way.others)
                _say(line, ")")

    def _names(self, line: etree.Element, language: Kind, names: Sequence[str]) -> None:
        """Names, each a link to its entry, if it has one."""
        for number, name in enumerate(names):
            _say(line, ", " if number else "")
            known = name in self._index[language]
            href = {"href": f"#{ops.anchor(language, name)}"}
            _code(etree.SubElement(line, "a", href) if known else line, name)

    def _shown(self, parent: etree.Element, sections: Sequence[Section]) -> None:
        """Links to the first sections, and to the others in a fold."""
        first = len(sections) if len(sections) == _SECTIONS + 1 else _SECTIONS
        line = etree.SubElement(parent, "p")
        _say(line, "Shown in ")
        self._sections(line, sections[:first])
        if rest := sections[first:]:
            fold = etree.SubElement(parent, "details")
            _say(etree.SubElement(fold, "summary"), f"and in {len(rest)} more sections")
            self._sections(etree.SubElement(fold, "p"), rest)

    def _sections(self, line: etree.Element, sections: Sequence[Section]) -> None:
        for number, (page, *links) in enumerate(ops.by_page(sections)):
            _say(line, "; " if number else "")
            _say(line, page[0]) if not page[1] else _link(line, self._page.href(page[1]), page[0])
            for place, (title, source) in enumerate(links):
                _say(line, ", " if place else ": ")
                _link(line, self._page.href(source), title)


def _line(parent: etree.Element, lead: str) -> etree.Element:
    """A line on what became of equations: the search has its names as entries of their own."""
    line = etree.SubElement(parent, "p", {"class": "op-lowered", "data-search-exclude": ""})
    _say(line, lead)
    return line


def _link(parent: etree.Element, href: str, text: str) -> None:
    _say(etree.SubElement(parent, "a", {"href": href}), text)


def _code(parent: etree.Element, text: str) -> None:
    _say(etree.SubElement(parent, "code"), text)


def _say(parent: etree.Element, text: str) -> None:
    """Add text after what `parent` holds so far."""
    if len(parent):
        parent[-1].tail = AtomicString((parent[-1].tail or "") + text)
    else:
        parent.text = AtomicString((parent.text or "") + text)
