"""Which parts of a chapter's source are prose: neither code nor comment nor a block's options.

This follows what the site's Markdown (Python-Markdown with SuperFences and Blocks) makes of a
source, without converting it: a conversion forgets where in the file its text came from.
"""

import bisect
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

#: What the site generator cuts off before it converts a page.
FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT_BLOCK = re.compile(r"^ {0,3}<!--.*?-->", re.DOTALL | re.MULTILINE)
#: The line that opens a fence: marks, a language, options. Others open none.
_FENCE = re.compile(
    r"""(`{3,}|~{3,})[ \t]*\.?[\w\#.+-]*(?:[ \t]+\w+(?:=(?:"[^"]*"|'[^']*'))?)*"""
    r"""[ \t]*(?:\{.*\})?[ \t]*$"""
)
_HEADER = re.compile(r"\s*/{3,}(?:\s*([\w-]+)\s*(?:\|(.*))?)?$")
_ITEM = r"(?:[-*+]|\d+\.)[ \t]"
#: What has indented blocks: list items, admonitions, tabs.
_CONTAINER = re.compile(rf"[> \t]*(?:{_ITEM}|!!!|\?\?\?|===)")
#: Lines that start a text of their own even where no blank line stands above them.
_OWN = re.compile(rf"[> \t]*(?:{_ITEM}|\d+\)[ \t]|[#|\0]|/{{3}}|!!!|\?\?\?|===)")
_TABLE_RULE = re.compile(r"[> \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*")
_INLINE = re.compile(
    r"\\."
    r"|(?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<comment><!--(?:(?!<!--).)*?-->)"
    r"|<(?P<tag>code|kbd|pre|samp|script|style|textarea)\b[^>]*>.*?</(?P=tag)>"
    r"|(?<!\]\()<[A-Za-z/?][^<>]*>",
    re.DOTALL,
)
#: Blocks whose argument is no text that a reader reads.
_MACHINE = frozenset(
    {"snippet", "lens", "predict", "glossary", "html", "define", "caption"}
    | {"figure-caption", "table-caption"}
)

type Span = tuple[int, int]


@dataclass(frozen=True)
class Prose:
    """A source with everything blanked that is no prose; offsets are those of the source.

    `text` is as long as the source; what is no prose is spaces or NUL characters in it, and lines
    end with \\n alone. `runs` are the stretches of text that inline markup cannot leave (a
    paragraph, a heading, a list item, a table row). `blocks` are what blank lines separate. `code`
    are the code spans in prose, with their backticks.
    """

    source: str
    text: str
    runs: tuple[Span, ...]
    blocks: tuple[Span, ...]
    code: tuple[Span, ...]
    comments: tuple[Span, ...]
    _starts: tuple[int, ...]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; a byte order mark has no column."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[max(0, line - 1)] + 1


@functools.lru_cache(1024)  # the page, and what else is made of it, ask for the same text
def read(source: str) -> Prose:
    """Find the prose in the text of a Markdown file, line ends as they are in the file."""
    # The same length and one kind of line end.
    text = re.sub(r"\r(?!\n)", "\n", source.replace("\r\n", " \n"))
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    if source.startswith("\ufeff"):
        starts[0] = 1
    reader = _Reader(text)
    reader.read()
    return Prose(
        source,
        "".join(reader.characters),
        tuple(reader.runs),
        tuple(_blocks(text)),
        tuple(reader.code),
        tuple(sorted(reader.comments)),
        tuple(starts),
    )


class _Reader:
    """One pass over a text after another, each blanking one kind of what is no prose."""

    def __init__(self, text: str):
        self.characters = list(text)
        self.runs: list[Span] = []
        self.code: list[Span] = []
        self.comments: list[Span] = []
        self._text = text

    def read(self) -> None:
        if match := FRONT_MATTER.match(self._text):
            self._blank(match.span())
        self._fences()
        for match in _COMMENT_BLOCK.finditer("".join(self.characters)):
            self.comments.append(match.span())
            self._blank(match.span(), "\0")
        self._block_headers()
        self._indented_code()
        text = "".join(self.characters)
        self.runs = list(_runs(text))
        for start, end in self.runs:
            for match in _INLINE.finditer(text, start, end):
                self._inline(match)

    def _blank(self, span: Span, filler: str = " ") -> None:
        for i in range(*span):
            if self.characters[i] != "\n":
                self.characters[i] = filler

    def _inline(self, match: re.Match[str]) -> None:
        if match["code"]:
            self.code.append(match.span())
        elif match["comment"]:
            self.comments.append(match.span())
        self._blank(match.span(), "\0")

    def _lines(self) -> list[tuple[Span, str]]:
        return list(_lines("".join(self.characters)))

    def _fences(self) -> None:
        spans = self._lines()
        lines = [line for _, line in spans]
        i = 0
        while i < len(lines):
            end = _fence_end(lines, i)
            for (start, stop), line in spans[i:end]:
                self._blank((start + len(line) - len(line.lstrip()), stop), "\0")
            i = max(i + 1, end)

    def _block_headers(self) -> None:
        """Blank the lines `/// name | argument`, but for an argument that is prose; and options."""
        options = False
        for (start, end), line in self._lines():
            match = _HEADER.match(line)
            if match:
                prose = match[2] is not None and match[1].lower() not in _MACHINE
                self._blank((start, start + match.start(2) if prose else end), "\0")
                options = bool(match[1])
            elif options and line.startswith("    ") and line.strip():
                self._blank((start, end), "\0")
            else:
                options = False

    def _indented_code(self) -> None:
        depth, code, after_blank = 0, False, True
        for span, line in self._lines():
            if not line.strip():
                after_blank = True
                continue
            spaces = line.expandtabs(4)
            level = (len(spaces) - len(spaces.lstrip())) // 4
            code = level > depth and (code or after_blank)
            if code:
                self._blank(span)
            elif _CONTAINER.match(line):
                depth = min(depth, level) + 1
            elif after_blank:
                depth = min(depth, level)
            after_blank = False


def _fence_end(lines: list[str], start: int) -> int:
    """The line after the fenced code that starts at a line; 0 if none does."""
    quotes, indent, bare = _prefixed(lines[start])
    fence = _FENCE.match(bare)
    if not fence:
        return 0
    for i in range(start + 1, len(lines)):
        more_quotes, here, bare = _prefixed(lines[i])
        if more_quotes > quotes if quotes else bare and here < indent:
            return 0
        if bare == fence[1] and (quotes or here == indent):
            return i + 1
    return 0


def _prefixed(line: str) -> tuple[int, int, str]:
    """How often a line is quoted, how long its prefix is, and what follows that."""
    bare = line.lstrip("> \t")
    indent = len(line) - len(bare)
    return line[:indent].count(">"), indent, bare.rstrip()


def _lines(text: str) -> Iterator[tuple[Span, str]]:
    """Each line and its span, without what ends it."""
    for match in re.finditer(r"[^\n]*\n|[^\n]+", text):
        line = match[0].rstrip("\n")
        yield (match.start(), match.start() + len(line)), line


def _blocks(text: str) -> Iterator[Span]:
    """Spans of lines between blank lines."""
    start = end = -1
    for (first, last), line in _lines(text):
        if line.strip("> \t\ufeff"):
            start, end = (first if start < 0 else start), last
        elif start >= 0:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _runs(text: str) -> Iterator[Span]:
    """The blocks, cut before and after each line that is a text of its own."""
    for start, end in _blocks(text):
        lines = [((a + start, b + start), line) for (a, b), line in _lines(text[start:end])]
        run_start, table, quoted, cut = start, False, True, False
        for i, ((first, _), line) in enumerate(lines):
            rule = "|" in line and any(
                _TABLE_RULE.fullmatch(near) for _, near in lines[i + 1 : i + 2]
            )
            table, quotes = table or rule, line.lstrip().startswith(">")
            if first > start and (table or cut or quotes > quoted or _OWN.match(line)):
                yield run_start, first - 1
                run_start = first
            aside = not line.strip("> \t\0")  # code or a comment, which ends a table
            table, cut = table and not aside, aside or line.lstrip("> \t").startswith("#")
            quoted = quotes
        yield run_start, end
