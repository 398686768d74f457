"""The page that is being converted: its path, and on which line of its file each block starts."""

import itertools
import posixpath
import xml.etree.ElementTree as etree
from collections import defaultdict, deque
from typing import Any

from markdown import Markdown
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from traced import chapters, glossary, html, links, outline
from traced.build import Build, current
from traced.diagnostics import Diagnostic, Place
from traced.links import Link
from traced.markdown.pageterms import GLOSSARY_PAGE, PATHS_PAGE

#: The blocks that ask for their place with `take`; a header that none takes is reported.
PLACED = ("snippet", "lens", "predict", "glossary", "ops", "path")

# Pages that are made of a file beside them, whose faults they show.
_MADE_OF = {GLOSSARY_PAGE: glossary.SOURCE, PATHS_PAGE: chapters.PLANNED}


class Page:
    """One conversion of one page."""

    def __init__(self, build: Build, path: str, lines: list[str]):
        self.build = build
        self.path = path
        self._offset = _front_matter(build, path, lines)
        self._displayed: set[Diagnostic] = set()
        self._statements: dict[str, deque[Link]] = defaultdict(deque)
        for link in links.find(_source(build, path)):
            self._statements[link.reference].append(link)
        self._lines: dict[tuple[str, str], deque[int]] = defaultdict(deque)
        self._garbled: dict[tuple[str, str], list[int]] = defaultdict(list)
        for index, header in outline.headers(lines):
            given, _ = outline.options(lines[index:])
            group = self._garbled if given is None else self._lines
            group[header[2].lower(), header[3] or ""].append(index + 1 + self._offset)

    @property
    def folder(self) -> str:
        """The folder of snippets/ that the page's own snippets are in."""
        return self.path.rpartition("/")[2].removesuffix(".md")

    def take(self, name: str, argument: str) -> Place:
        """Where the next block of that name and argument starts; asked once for each block."""
        lines = self._lines.get((name, argument))
        return self.place(lines.popleft() if lines else 1)

    def take_statement(self, reference: str) -> Link | None:
        """The next checked statement with that reference; asked once for each."""
        statements = self._statements.get(reference)
        return statements.popleft() if statements else None

    def add(self, fault: Diagnostic) -> None:
        """Report something wrong that the page shows where it is wrong."""
        self._displayed.add(fault)
        self.build.add(fault)

    def undisplayed(self) -> list[Diagnostic]:
        """What is wrong with the page, or with what it lists, and is shown nowhere on it yet."""
        files = {self.place(1).path}
        if self.path in _MADE_OF:
            files.add(f"{self.build.project.docs.name}/{_MADE_OF[self.path]}")
        return [fault for fault in self.build.about(files) if fault not in self._displayed]

    def href(self, source: str) -> str:
        """A link from this page to another source file, as one writes it in Markdown."""
        return posixpath.relpath(source, posixpath.dirname(self.path) or ".")

    def place(self, line: int, column: int = 0) -> Place:
        """A line of the page's file, or a column of it."""
        return Place(f"{self.build.project.docs.name}/{self.path}", line, column)

    def report_left(self, known: set[str]) -> None:
        """Report what the source has and the page has not: blocks, and checked statements."""
        for link in itertools.chain(*self._statements.values()):
            cause = f"`[{link.text}](fact:{link.reference})` became no link, so it is not checked"
            self.build.add(Diagnostic(cause, (self.place(link.line, link.column),)))
        left = itertools.chain(self._lines.items(), self._garbled.items())
        for (name, argument), lines in left:
            if name not in known:
                cause = f"unknown block {name!r}"
                hint = f"Blocks are {', '.join(sorted(known))}."
            elif name in PLACED:
                cause = f"the block `/// {name} | {argument}` was not understood"
                hint = (
                    "Its options are YAML, each on a line of its own under the header, "
                    "indented by four spaces; it ends with a line `///`, and so does the block "
                    "above it."
                )
            else:
                continue
            for line in lines:
                self.build.add(Diagnostic(cause, (self.place(line),), hint))


class PagePreprocessor(Preprocessor):
    """Makes the Page, before anything else changes the lines."""

    #: After whitespace is normalized (30), before HTML blocks and fences are put aside.
    priority = 29

    page: Page

    def run(self, lines: list[str]) -> list[str]:
        """Take the lines as they are."""
        build = current()
        self.page = Page(build, _zensical_path(self.md) or build.page, lines)
        return lines


class FaultsTreeprocessor(Treeprocessor):
    """Reports what looked like a block and became none, and shows what no block could show."""

    #: After all others: by then every block and statement has asked for its place.
    priority = -10

    def run(self, root: etree.Element) -> None:
        """Put what is wrong, and shown nowhere on the page, above it."""
        processor: Any = self.md.parser.blockprocessors["blocks"]
        page = page_of(self.md)
        page.report_left(set(processor.blocks))
        if faults := page.undisplayed():
            shown = etree.Element("div", {"class": "traced"})
            shown.text = AtomicString(self.md.htmlStash.store(html.problem(faults)))
            root.insert(0, shown)


def page_of(md: Markdown) -> Page:
    """The page that this instance of Markdown is converting."""
    preprocessor: Any = md.preprocessors["traced-page"]
    page: Page = preprocessor.page
    return page


def _zensical_path(md: Markdown) -> str:
    """The page's path as Zensical's rendering context has it; "" elsewhere."""
    if "rendering_context" in md.preprocessors:
        context: Any = md.preprocessors["rendering_context"]
        return str(context.page.path)
    return ""


def _source(build: Build, path: str) -> str:
    """The page's file as it is, line ends and all: what is measured in it must stay where it is."""
    file = build.project.docs / path
    return file.read_bytes().decode("utf-8", "replace") if file.is_file() else ""


def _front_matter(build: Build, path: str, lines: list[str]) -> int:
    """How many lines of the file stand above `lines`: the site generator has cut them off."""
    file = build.project.docs / path
    if not file.is_file():
        return 0
    all_lines = file.read_text("utf-8-sig", "replace").rstrip().split("\n")
    body = "\n".join(lines).strip("\n").rstrip().split("\n")
    leading = next((i for i, line in enumerate(lines) if line.strip()), 0)
    return max(0, len(all_lines) - len(body) - leading)
