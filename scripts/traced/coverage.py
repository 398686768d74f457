"""Numbers and names in a chapter's prose that no checked statement holds to a run.

A number that is not about a run is allowed by a comment in the same block of lines (or right
above or below it, with no blank line between), which lists what it allows as it is written there:

    The mesh has eight devices, and 32 rows.
    <!-- unchecked: eight, 32 because the source chose them -->

`unchecked: all` allows everything in the block. What a comment lists in vain is reported too.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from traced import links, numerals, prose, statements
from traced.prose import Prose, Span


@dataclass(frozen=True, order=True)
class Finding:
    """A number or name that is not checked, or a mark that allows what is not there.

    `line` and `column` (from 1) are where it starts, `text` is what is written there.
    """

    line: int
    column: int
    text: str
    kind: Literal["number", "name", "mark"]


def unchecked(source: str, names: Collection[str], titles: Collection[str] = ()) -> list[Finding]:
    """What the prose of a chapter states outside checked statements, in order.

    `names` are those of primitives, ops and parameters; they count where they are code, and not
    where the chapter has a statement that holds the same name to a run. A link whose text is one
    of `titles`, those of pages and sections, states nothing.
    """
    page = prose.read(source)
    stated = links.within(page)
    known = set(names) - {_name(code) for link in stated for code in _codes(link.text)}
    text = _without(page, [link.whole for link in stated] + list(_titles(page, titles)))
    spans: list[tuple[Span, Literal["number", "name"]]] = []
    spans += [(span, "number") for span in _numbers(text)]
    for start, end in page.code:
        code = source[start:end].strip("`").strip()
        if not text[start:end].strip():  # in a statement
            continue
        if code[-1:].isdigit() and numerals.read(code):
            spans.append(((start, end), "number"))
        elif _name(code) in known:
            spans.append(((start, end), "name"))
    marks = _Marks(page)
    found = [
        Finding(*page.place(span[0]), " ".join(source[slice(*span)].strip("`").split()), kind)
        for span, kind in spans
        if not marks.allow(span)
    ]
    return sorted([*found, *marks.left()])


#: A comment that allows what is not checked.
MARK = re.compile(r"<!--\s*unchecked:\s*(?P<items>.*?)(?:\s+because\s.*?)?\s*-->", re.DOTALL)


class _Marks:
    """The comments of a page that allow what is not checked."""

    def __init__(self, page: Prose):
        self._page = page
        self._items: dict[Span, list[tuple[Span, str]]] = {}
        self._used: set[tuple[Span, str]] = set()
        for span in page.comments:
            if match := MARK.fullmatch(page.source[slice(*span)]):
                block = self._block(span)
                for item in re.split(r",\s+", match["items"]):
                    self._items.setdefault(block, []).append((span, _flat(item)))

    def allow(self, span: Span) -> bool:
        """Whether a mark allows what is at `span`."""
        text = _flat(self._page.source[slice(*span)].strip("`"))
        for item in self._items.get(self._block(span), []):
            if item[1] in (text, "all"):
                self._used.add(item)
                return True
        return False

    def left(self) -> Iterator[Finding]:
        """What marks allow in vain."""
        for items in self._items.values():
            for span, text in items:
                if (span, text) not in self._used:
                    yield Finding(*self._page.place(span[0]), text, "mark")

    def _block(self, span: Span) -> Span:
        return next((b for b in self._page.blocks if b[0] <= span[0] < b[1]), span)


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()


# Code.


def _codes(text: str) -> list[str]:
    return [match[2].strip() for match in re.finditer(r"(`+)(.+?)\1", text, re.DOTALL)]


def _name(code: str) -> str:
    """The name that a code span is about: `axes` of `axes=(1,)`, `cond` of `cond[...]`; or ""."""
    match = re.fullmatch(r"([\w.-]+)(?:=.*|\[.*\])?", code, re.DOTALL)
    return match[1] if match else ""


# Prose.

_NOT_READ = (
    re.compile(r"(?<=\])\((?:[^()\n]|\([^()\n]*\))*\)"),  # a link's target
    re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$", re.MULTILINE),  # where a reference leads
    re.compile(r"\[\^[^\]\n]+\]"),  # a footnote's mark
    re.compile(r"\{:?[ ]*(?:[#.][\w-]|[\w-]+=)[^{}\n]*\}"),  # an attribute list
    re.compile(r"https?://\S+"),
    re.compile(r"^[> \t]*(?:\d+[.)][ \t]|\*\*\d+\.\*\*)", re.MULTILINE),  # the number of an item
)

_DIGITS = re.compile(
    r"(?<![\w.])(?<![A-Za-z]-)(?<![A-Za-z]\d-)(?<![A-Za-z]\d\d-)(?:(?<!\w)[-−])?\d\w*(?:(?<=e)[-−]\d+)?"
    r"(?:[.,×_\u00a0\u2009\u202f]\d\w*|[ ]\d{3}(?!\w))*[⁰¹²³⁴-⁹⁻]*%?"
)
#: "2D", "32-bit": kinds of things, not how many there are.
_NAMES_OF_KINDS = re.compile(r"\d+(?:[dD]|-bit)\b")

_WORD = "|".join(sorted(numerals.WORDS, key=len, reverse=True))
_PHRASE = re.compile(rf"\b(?:{_WORD})(?:(?:\s+|\s+and\s+|,\s+|[-‑])(?:{_WORD}))*\b", re.IGNORECASE)
#: Words that mostly are no numbers, and when they are: "One `sub` became", "Once." as an answer.
_LOOSE = frozenset({"one", "once", "first", "second"})
_COUNTS = re.compile(
    r"(?:(?:^|[.?!:]|\n[>\s]*\n)[>\s]*|\b(?:only|exactly|just)\s+)(?:one|once)(?=[.,:;])"
    r"|\bone(?=\s\0)|\b(?:only|exactly|just)\s+once\b",
    re.IGNORECASE,
)


_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\((?!fact:)")


def _titles(page: Prose, titles: Collection[str]) -> Iterator[Span]:
    """The texts of links that are titles."""
    for match in _LINK.finditer(page.text):
        if statements.plain(page.source[slice(*match.span(1))]) in titles:
            yield match.span(1)


def _without(page: Prose, spans: list[Span]) -> str:
    """The prose of a page with the given spans blanked, and what nobody reads as text."""
    text = page.text
    for pattern in _NOT_READ:
        text = pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    characters = list(text)
    for start, end in spans:
        for i in range(start, end):
            characters[i] = "\n" if characters[i] == "\n" else " "
    return "".join(characters)


def _numbers(text: str) -> Iterator[Span]:
    for match in _DIGITS.finditer(text):
        if not _NAMES_OF_KINDS.match(text, match.start()):
            yield match.span()
    counts = {match.end() for match in _COUNTS.finditer(text)}
    for match in _PHRASE.finditer(text):
        whole = numerals.read(_flat(match[0]))
        words = [match] if whole else re.finditer(rf"\b(?:{_WORD})\b", match[0], re.IGNORECASE)
        offset = 0 if whole else match.start()
        for word in words:
            if word[0].casefold() not in _LOOSE or offset + word.end() in counts:
                yield offset + word.start(), offset + word.end()
