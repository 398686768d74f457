"""The paths through the chapters: the list of each, and in a chapter where it stands on its own.

    /// path | jax
        terms: true
    ///

draws the chapters of a path, those still to come among them, and with `terms` what each teaches. In
a chapter its place is said under the title, and its text ends with the ways on. A script adds what
the reader has read; all else is there without it.
"""

import xml.etree.ElementTree as etree
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from pymdownx.blocks import BlocksExtension, BlocksProcessor
from pymdownx.blocks.block import Block

from traced import html
from traced.chapters import PATHS, Chapter, along
from traced.diagnostics import Diagnostic
from traced.markdown.elements import add, write
from traced.markdown.page import page_of
from traced.markdown.pageterms import PATHS_PAGE, PageContext

# What stands at the end of an article is no part of its text, which ends before it.
_APPENDICES = ("section[@class='term-list']", "details[@class='fact-list']")


class PathsExtension(BlocksExtension):
    """Draws a path where a page has `/// path`, and the place of a chapter on it.

    `current` gives the context of the page that is being converted.
    """

    def __init__(self, current: Callable[[], PageContext]):
        super().__init__()
        self._current = current

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the block and the processor.

        It comes after the lists at the end (5.5), and before links are rewritten (0).
        """
        super().extendMarkdown(md)
        md.treeprocessors.register(_Standing(md, self._current), "traced-paths", 5.4)

    def extendMarkdownBlocks(self, md: Markdown, block_mgr: BlocksProcessor) -> None:
        """Register `/// path`."""
        block_mgr.register(_PathBlock, {"current": self._current})


class _Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terms: bool = False


class _PathBlock(Block):
    """`/// path | jax`: the chapters of a path in their order."""

    NAME = "path"
    ARGUMENT = None

    def _validate(self, parent: etree.Element, arg: Any, **options: Any) -> bool:
        # The base class would drop a block with a wrong option and not say which.
        self._given = options
        return super()._validate(parent, arg)

    def on_create(self, parent: etree.Element) -> etree.Element:
        """Take the block's place on the page."""
        self._path = (self.argument or "").strip()
        self._place = page_of(self.md).take(self.NAME, self._path)
        return etree.SubElement(parent, "div", {"class": "path"})

    def on_inline_end(self, block: etree.Element) -> None:
        """Fill it, now that nothing would read titles as Markdown."""
        path = self._path
        try:
            options = msgspec.convert(self._given, _Options)
            if path not in PATHS:
                raise msgspec.ValidationError(f"unknown path {path!r}")
        except msgspec.ValidationError as error:
            hint = f"Write `/// path | name`, where name is {' or '.join(PATHS)}; options: terms."
            fault = Diagnostic(str(error), (self._place,), hint)
            page_of(self.md).add(fault)
            block.text = AtomicString(self.md.htmlStash.store(html.problem([fault])))
            return
        context: PageContext = self.config["current"]()
        chapters = along(context.chapters, path)
        block.set("id", f"path-{path}")
        there = len(_written(chapters))
        count = f"{there} of {len(chapters)} chapters {'is' if there == 1 else 'are'} there."
        block.append(_progress("p", chapters, count))
        listed = add(block, "ol")
        for chapter in chapters:
            self._chapter(listed, context, chapter, options.terms)

    def _chapter(
        self, parent: etree.Element, context: PageContext, chapter: Chapter, with_terms: bool
    ) -> None:
        entry = add(parent, "li", attributes={"value": str(chapter.number)})
        _title(add(entry, "p"), context, chapter)
        _enables(add(entry, "p"), chapter)
        terms = [term for term in context.glossary.terms if term.chapter == chapter.slug]
        if with_terms and terms:
            listed = add(entry, "p", "Terms: ", {"class": "path-terms"})
            for term in terms:
                add(listed, "a", term.term, {"href": context.glossary_href(term)}).tail = ", "
            listed[-1].tail = ""


class _Standing(Treeprocessor):
    """Says in a chapter where it stands on its path, and at the end of its text what comes next."""

    def __init__(self, md: Markdown, current: Callable[[], PageContext]):
        super().__init__(md)
        self._current = current

    def run(self, root: etree.Element) -> None:
        context = self._current()
        here = context.here
        if here is None:
            return
        chapters = along(context.chapters, here.path)
        below = next((i for i, child in enumerate(root, 1) if child.tag == "h1"), 0)
        root.insert(below, self._place(context, here, chapters))
        appendices = [found for kind in _APPENDICES if (found := root.find(kind)) is not None]
        end = min((list(root).index(each) for each in appendices), default=len(root))
        root[end:end] = _end(context, here, chapters)

    def _place(self, context: PageContext, here: Chapter, chapters: list[Chapter]) -> etree.Element:
        place = etree.Element("p", {"class": "chapter-place", "data-search-exclude": ""})
        name = _sentence(PATHS[here.path])
        number = f", chapter {here.number} of {chapters[-1].number}. "
        # A site without a page of the paths has nothing to link.
        if (page_of(self.md).build.project.docs / PATHS_PAGE).is_file():
            href = f"{context.href(PATHS_PAGE)}#path-{here.path}"
            add(place, "a", name, {"href": href}).tail = number
        else:
            place.text = name + number
        place.append(_progress("span", chapters))
        return place


def _end(context: PageContext, here: Chapter, chapters: list[Chapter]) -> list[etree.Element]:
    """What ends the text of a chapter: room for the reader's mark, and the ways on."""
    read = etree.Element("p", {"class": "chapter-read", "data-chapter": here.slug})
    path = PATHS[here.path]
    ways = etree.Element("nav", {"class": "chapter-ways", "data-search-exclude": ""})
    ways.set("aria-label", _sentence(path))
    at = chapters.index(here)
    for name, beside in (("Previous", chapters[:at][-1:]), ("Next", chapters[at + 1 :][:1])):
        for chapter in beside:
            way = add(ways, "p", f"{name} on the {path}: ")
            _title(way, context, chapter)
            way[-1].tail = ". "
            _enables(add(way, "span"), chapter)
    return [read, ways] if len(ways) else [read]


def _title(parent: etree.Element, context: PageContext, chapter: Chapter) -> None:
    """Add a chapter's title to `parent`, linked if the chapter is there."""
    if chapter.source is None:
        # On the landing page no word of it is a mention of a term.
        title = AtomicString(f"{chapter.title} (still to come)")
        add(parent, "span", title, {"class": "path-planned"})
    else:
        link = {"href": context.href(chapter.source), "data-chapter": chapter.slug}
        add(parent, "a", chapter.title, link)


def _enables(parent: etree.Element, chapter: Chapter) -> None:
    """Fill `parent` with what one can do after a chapter."""
    text = f"Afterwards you can {chapter.enables.rstrip('.')}."
    write(parent, text, lambda piece, woven: woven.text(piece))


def _progress(tag: str, chapters: Iterable[Chapter], text: str = "") -> etree.Element:
    """Where a script says how many of the chapters that are there have been read."""
    slugs = " ".join(chapter.slug for chapter in _written(chapters))
    element = etree.Element(tag, {"class": "path-progress", "data-chapters": slugs})
    element.text = text
    return element


def _written(chapters: Iterable[Chapter]) -> list[Chapter]:
    return [chapter for chapter in chapters if chapter.source is not None]


def _sentence(name: str) -> str:
    return name[0].upper() + name[1:]
