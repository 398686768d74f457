"""A page's source read into its parts, in order: headings, blocks, and the Markdown between them.

For what makes something else of a page than HTML. What is code and what is a comment is settled by
prose.py; what is a block, and where one ends, by the rules of pymdownx's Blocks.
"""

import html
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from markdown.extensions.toc import slugify, unique
from pymdownx.blocks import get_frontmatter

from traced import prose, statements

_HEADER = re.compile(r"\s*(/{3,})\s*([\w-]+)\s*(?:\|\s*(.*?)\s*)?$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6})[ \t]*(.+?)[ \t]*#*[ \t]*$")
_ID = re.compile(r"[ \t]+\{:?(?:[^#}]*#([\w:.-]+))?[^}]*\}$")
# In a title: code and what is escaped, which stay; a link; a comment or a tag, which nobody reads.
_MARKUP = re.compile(
    r"(?P<code>\\.|(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?:[^()\s]|\([^()\s]*\))*\)"
    r"|<(?P<address>(?:https?:|[^<>\s]+@)[^<>\s]*)>|<!--.*?-->|</?[A-Za-z][^<>]*>"
)
_GIVEN = re.compile(r"\{:?[^{}#\n]*#([\w:.-]+)[^{}\n]*\}")
_RULE = re.compile(r"(?:-{3,}|\*{3,}|_{3,})[ \t]*$")


@dataclass(frozen=True)
class Heading:
    """A heading: its level from 1, what a reader reads, its id on the page, its line from 1."""

    level: int
    title: str
    anchor: str
    line: int


@dataclass(frozen=True)
class Text:
    """Markdown between headings and blocks, as it is in the file, and the line it starts on."""

    source: str
    line: int


@dataclass(frozen=True)
class Block:
    """A block `/// name | argument`: its options, and the parts of what stands in it.

    `options` is None where they are no YAML mapping: on the page it then becomes no block.
    """

    name: str
    argument: str
    options: dict[str, Any] | None
    parts: tuple["Part", ...]
    line: int

    def divided(self) -> tuple[tuple["Part", ...], tuple["Part", ...]]:
        """What stands above the first rule `---` in the block, and what stands below it."""
        for i, part in enumerate(self.parts):
            lines = part.source.split("\n") if isinstance(part, Text) else []
            for j, line in enumerate(lines):
                if _RULE.match(line):
                    above = _text(lines[:j], part.line)
                    below = _text(lines[j + 1 :], part.line + j + 1)
                    return (*self.parts[:i], *above), (*below, *self.parts[i + 1 :])
        return self.parts, ()


type Part = Heading | Text | Block


def read(source: str) -> tuple[Part, ...]:
    """The parts of a Markdown file. Front matter is none; a block that is indented stays text."""
    return tuple(_Reader(source).parts())


def blocks(parts: Iterable[Part]) -> Iterator[tuple[Heading | None, Block]]:
    """Every block, those in other blocks too, with the heading that it stands under."""
    heading = None
    for part in parts:
        if isinstance(part, Heading):
            heading = part
        elif isinstance(part, Block):
            yield heading, part
            yield from ((inner or heading, block) for inner, block in blocks(part.parts))


def headers(lines: list[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """Index and match of each line that starts a block; its groups are marks, name and argument.

    Those in code fences start none, nor do those in a comment that begins its line.
    """
    fence = ""
    comment = False
    for number, line in enumerate(lines):
        if comment or (not fence and line.startswith("<!--")):
            comment = "-->" not in line
        elif match := _FENCE.match(line):
            if not fence:
                fence = match[1]
            elif match[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif not fence and (header := _HEADER.match(line)):
            yield number, header


def options(lines: list[str]) -> tuple[dict[str, Any] | None, int]:
    """The options under a header, the first of `lines`, and how many lines they take.

    None where they are no YAML mapping: then the header is not taken for a block's.
    """
    indent = len(lines[0]) - len(lines[0].lstrip())
    under = (line[indent:] for line in lines[1:])
    given = list(itertools.takewhile(lambda line: line.startswith("    ") and line.strip(), under))
    return get_frontmatter("\n".join(given)), len(given)


def plain(title: str) -> str:
    """The Markdown of a title as what a reader reads."""
    return statements.plain(
        _MARKUP.sub(lambda m: m["code"] or m["text"] or m["address"] or "", title)
    )


class _Reader:
    """One pass over the lines of a file."""

    def __init__(self, source: str):
        page = prose.read(source)
        text = re.sub(r"\r\n?", "\n", source)
        self._lines = text.split("\n")
        self._prose = page.text.split("\n")
        self._headers = {i: m for i, m in headers(self._lines) if not m[0][0].isspace()}
        # Ids that are given are taken before any is made of a title.
        self._ids = set(_GIVEN.findall(page.text))
        front = prose.FRONT_MATTER.match(text)
        self._first = front[0].count("\n") if front else 0

    def parts(self) -> Iterator[Part]:
        return self._between(self._first, len(self._lines))

    def _between(self, first: int, last: int) -> Iterator[Part]:
        start = i = first
        while i < last:
            part, end = self._block(i, last) if i in self._headers else self._heading(i)
            if part is not None:
                yield from _text(self._lines[start:i], start + 1)
                yield part
                start = end
            i = max(end, i + 1)
        yield from _text(self._lines[start:last], start + 1)

    def _block(self, i: int, last: int) -> tuple[Part | None, int]:
        header = self._headers[i]
        ends = (j for j in range(i + 1, last) if self._lines[j].rstrip() == header[1])
        end = next(ends, last)
        given, count = options(self._lines[i:end])
        inner = tuple(self._between(i + 1 + count, end))
        return Block(header[2].lower(), header[3] or "", given, inner, i + 1), min(end + 1, last)

    def _heading(self, i: int) -> tuple[Part | None, int]:
        # Code in a heading is no prose: whether it is a heading prose.py says, the rest the source.
        match = _HEADING.match(self._lines[i]) if self._prose[i].startswith("#") else None
        if not match:
            return None, i
        given = _ID.search(match[2])
        title = plain(match[2][: given.start()] if given else match[2])
        anchor = (given and given[1]) or unique(slugify(html.unescape(title), "-"), self._ids)
        self._ids.add(anchor)
        return Heading(len(match[1]), title, anchor, i + 1), i + 1


def _text(lines: list[str], line: int) -> tuple[Text, ...]:
    """The lines as one part without blank lines around it; none where nothing is left."""
    while lines and not lines[0].strip():
        lines, line = lines[1:], line + 1
    text = "\n".join(lines).rstrip()
    return (Text(text, line),) if text else ()
