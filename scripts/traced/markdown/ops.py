"""The block `/// ops | jaxpr`: every primitive that the site shows, where, and what teaches it.

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
from traced.markdown.page import Page, page_of
from traced.ops import Section

_NAME_CLASS = "op-name"


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
        if self.argument not in ops.KINDS or self.given:
            cause = "an ops block has no options"
            if self.argument not in ops.KINDS:
                cause = f"unknown language {self.argument!r}"
            hint = f"Write `/// ops | ` and one of {', '.join(ops.KINDS)}."
            fault = Diagnostic(cause, (self.place,), hint)
            page.add(fault)
            block.text = AtomicString(self.md.htmlStash.store(html.problem([fault])))
            return
        for name, sections in ops.index(page.build)[self.argument].items():
            block.append(_entry(page, self.argument, name, sections))


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


def _entry(page: Page, language: str, name: str, sections: Sequence[Section]) -> etree.Element:
    entry = etree.Element("div", {"class": "term-entry"})
    anchor = f"{ops.KINDS[language]}-{name}"
    heading = etree.SubElement(entry, "p", {"id": anchor, "class": _NAME_CLASS})
    _text(etree.SubElement(heading, "code"), name)
    _taught(page, etree.SubElement(entry, "p", {"class": "term-taught"}), language, name)
    # A section has its own entry in the search index.
    shown = etree.SubElement(entry, "p", {"class": "term-uses", "data-search-exclude": ""})
    _shown(page, shown, sections)
    return entry


def _taught(page: Page, parent: etree.Element, language: str, name: str) -> None:
    """What the name is, and the chapter that teaches it, if one does."""
    kind = ops.KINDS[language].capitalize()
    if chapter := ops.taught(page.build, name):
        _text(parent, f"{kind}, taught in: ")
        _link(parent, page.href(chapter[1]), chapter[0])
    else:
        _text(parent, kind)


def _shown(page: Page, parent: etree.Element, sections: Sequence[Section]) -> None:
    """Links to sections, grouped by their pages."""
    lead = "Shown in "
    for title, links in ops.by_page(sections):
        _say(parent, f"{lead}{title}: ")
        lead = "; "
        for number, (text, source) in enumerate(links):
            if number:
                _say(parent, ", ")
            _link(parent, page.href(source), text)


def _link(parent: etree.Element, href: str, text: str) -> None:
    _text(etree.SubElement(parent, "a", {"href": href}), text)


def _say(parent: etree.Element, text: str) -> None:
    """Add text after what `parent` holds so far."""
    if len(parent):
        parent[-1].tail = AtomicString((parent[-1].tail or "") + text)
    else:
        _text(parent, (parent.text or "") + text)


def _text(element: etree.Element, text: str) -> None:
    element.text = AtomicString(text)
