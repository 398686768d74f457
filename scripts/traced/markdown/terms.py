"""Glossary terms in a page: which mentions become links, and the list they lead to.

A term is plain prose in the source. The first mention in each section is made a link to the list
"Terms on this page", which ends the article; on the page that teaches the term it is a <dfn>.
"""

import re
import xml.etree.ElementTree as etree
from collections.abc import Callable
from typing import Any

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from pymdownx.blocks import BlocksExtension, BlocksProcessor
from pymdownx.blocks.block import Block

from traced import glossary
from traced.diagnostics import Diagnostic
from traced.glossary import Term
from traced.markdown import termlist
from traced.markdown.elements import Woven
from traced.markdown.page import page_of
from traced.markdown.pageterms import PageContext, PageTerms

__all__ = ["PageContext", "PageTerms", "TermsExtension", "ir_link_of"]

_NAME = "traced-terms"

# No mention in these is linked: headings, code, links, summaries, tab labels, captions, and what a
# reader operates rather than reads.
_CLOSED = re.compile(
    "h[1-6]|code|pre|kbd|samp|a|summary|label|caption|figcaption|dfn|abbr|button|select|textarea|"
    "script|style|svg|math"
)
_TITLE = "admonition-title"

# A reader looks at these apart from the text around them, so each has its own first mention.
_APART = frozenset({"table", "details"})

# Raw inline HTML, which Python-Markdown puts aside and leaves a numbered placeholder for.
_RAW = re.compile("\x02wzxhzdk:([0-9]+)\x03")
_RAW_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)", re.IGNORECASE)


class TermsExtension(BlocksExtension):
    """Links glossary terms, and draws the whole glossary where a page has `/// glossary`.

    `current` is asked once per conversion for the page's context, not before its text is parsed.
    """

    def __init__(self, current: Callable[[], PageContext]):
        super().__init__()
        self._current = current
        self._page: PageTerms | None = None

    @property
    def page(self) -> PageTerms:
        """The terms of the page that is being converted."""
        if self._page is None:
            self._page = PageTerms(self._current())
        return self._page

    def reset(self) -> None:
        """Forget the page: another conversion starts, or this one is done."""
        self._page = None

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the block and both processors."""
        super().extendMarkdown(md)
        md.registerExtension(self)
        # After attribute lists (8), before MkDocs gathers ids (5) and rewrites links (0).
        md.treeprocessors.register(_Mentions(md, self), _NAME, 6)
        md.treeprocessors.register(_Finish(md, self), f"{_NAME}-finish", -1)

    def extendMarkdownBlocks(self, md: Markdown, block_mgr: BlocksProcessor) -> None:
        """Register `/// glossary`."""
        block_mgr.register(_GlossaryBlock, {"extension": self})


def ir_link_of(md: Markdown) -> Callable[[str], str | None]:
    """`PageTerms.ir_link` of the page that `md` is converting; no links without the extension."""
    if _NAME not in md.treeprocessors:
        return lambda token: None
    mentions: Any = md.treeprocessors[_NAME]
    link: Callable[[str], str | None] = mentions.extension.page.ir_link
    return link


class _GlossaryBlock(Block):
    """`/// glossary`: every term with its definition and the chapter that teaches it."""

    NAME = "glossary"
    ARGUMENT = False

    def on_create(self, parent: etree.Element) -> etree.Element:
        """Take the block's place on the page."""
        if "traced-page" in self.md.preprocessors:
            page_of(self.md).take(self.NAME, "")
        return etree.SubElement(parent, "div", {"class": "glossary"})

    def on_inline_end(self, block: etree.Element) -> None:
        """Fill it, now that nothing would read definitions as Markdown."""
        page: PageTerms = self.config["extension"].page
        block.extend(termlist.entries(page, page.context.glossary.terms))


class _Mentions(Treeprocessor):
    """Makes links of mentions, and appends the list they lead to."""

    def __init__(self, md: Markdown, extension: TermsExtension):
        super().__init__(md)
        self.extension = extension
        self._seen: set[Term] = set()
        self._defined: set[Term] = set()

    def run(self, root: etree.Element) -> None:
        page = self.extension.page
        if not page.context.active:
            return
        self._seen, self._defined = set(), set()
        self._visit(root, 0)
        if "traced-page" in self.md.preprocessors:
            self._report_untaught()
        if page.uses:
            root.append(termlist.section(page))

    def _report_untaught(self) -> None:
        """Report the terms that this chapter is to teach and has not: links lead to them."""
        context, page = self.extension.page.context, page_of(self.md)
        for term in context.glossary.terms:
            if context.taught_here(term) and term not in self._defined:
                cause = f"the chapter is to teach {term.term!r}, and no sentence mentions it"
                source = f"{page.build.project.docs.name}/{glossary.SOURCE}"
                hint = f"Use it outside of headings, code and links, or change {source}."
                page.build.add(Diagnostic(cause, (page.place(1),), hint))

    def _visit(self, parent: etree.Element, closed: int) -> None:
        """Link the mentions below an element; `closed` counts raw tags that forbid it."""
        woven = Woven()
        closed = self._text(parent.text, closed, woven)
        for child in list(parent):
            if child.tag == "h2":
                self._seen = set()
            if child.tag in _APART:
                outside, self._seen = self._seen, set()
                self._visit(child, closed)
                self._seen = outside
            elif not _is_closed(child):
                self._visit(child, closed)
            tail, child.tail = child.tail, None
            woven.element(child)
            closed = self._text(tail, closed, woven)
        woven.into(parent)

    def _text(self, text: str | None, closed: int, woven: Woven) -> int:
        """Add text to `woven` with its mentions linked; return how many raw tags are open now."""
        text = text or ""
        literal = isinstance(text, AtomicString)
        start = 0
        for placeholder in _RAW.finditer(text):
            self._prose(text[start : placeholder.start()], literal or closed > 0, woven)
            woven.text(placeholder[0])
            closed = self._raw(int(placeholder[1]), closed)
            start = placeholder.end()
        self._prose(text[start:], literal or closed > 0, woven)
        return closed

    def _raw(self, number: int, closed: int) -> int:
        """Note the links in raw HTML; return how many raw tags are open after it."""
        stash = self.md.htmlStash.rawHtmlBlocks
        raw = stash[number]
        if not isinstance(raw, str):
            return closed
        stash[number] = self.extension.page.number_ir(raw)
        tag = _RAW_TAG.match(raw)
        if tag and _CLOSED.fullmatch(tag[2].lower()):
            return max(0, closed + (-1 if tag[1] else 1))
        return closed

    def _prose(self, text: str, literal: bool, woven: Woven) -> None:
        if literal:
            woven.text(text)
        else:
            termlist.weave(text, self.extension.page.context.glossary, self._link, woven)

    def _link(self, term: Term) -> etree.Element | None:
        page = self.extension.page
        if page.context.taught_here(term):
            if term in self._defined:
                return None
            self._defined.add(term)
            return etree.Element("dfn", {"id": f"term-{term.slug}"})
        if term in self._seen:
            return None
        self._seen.add(term)
        return etree.Element("a", page.mention(term))


class _Finish(Treeprocessor):
    """Does to the list what others must not see.

    Its heading is one only now, so that the table of contents leaves it out. The links back come
    after MkDocs has checked all anchors, because it cannot see those inside listings.
    """

    def __init__(self, md: Markdown, extension: TermsExtension):
        super().__init__(md)
        self.extension = extension

    def run(self, root: etree.Element) -> None:
        section = root.find(f"section[@class='{termlist.LIST_CLASS}']")
        if section is not None:
            termlist.finish(section, self.extension.page)
        self.extension.reset()


def _is_closed(element: etree.Element) -> bool:
    if not isinstance(element.tag, str):  # a comment
        return True
    return bool(_CLOSED.fullmatch(element.tag)) or _TITLE in element.get("class", "").split()
