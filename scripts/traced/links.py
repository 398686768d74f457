"""Checked statements in the source of a chapter: every `[text](fact:snippet.name)`."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from traced import prose
from traced.prose import Prose, Span

_SPACE = r"[ \t\r]*\n?[> \t]*"
_TITLE = r"""(?:"[^"\n]*"|'[^'\n]*')"""
_FACT = re.compile(
    rf"\({_SPACE}(?:<fact:(?P<a>[^<>\n]*)>|fact:(?P<b>[^\s()<>]*)){_SPACE}(?:{_TITLE}{_SPACE})?\)"
)
_TARGET = re.compile(r"\((?:[^()\n]|\([^()\n]*\))*\)")
_REFERENCE = re.compile(r"(?:([\w-]+)/)?([\w-]+)\.([\w-]+(?:\.\w+)?)", re.ASCII)


@dataclass(frozen=True)
class Link:
    """One checked statement.

    `text` is its Markdown source, from `start` to `end`; `line` and `column` (from 1) are where it
    starts. `reference` is what stands after `fact:`. `whole` is the span of the link, brackets,
    target and all.
    """

    text: str
    reference: str
    start: int
    end: int
    line: int
    column: int
    whole: Span


def find(source: str) -> list[Link]:
    """Every checked statement of a Markdown file, in order; `source` has its own line ends."""
    return within(prose.read(source))


def within(page: Prose) -> list[Link]:
    """Every checked statement of a file that has been read already, in order."""
    return [link for run in page.runs for link in _in_run(page, run)]


def resolve(reference: str, folder: str) -> tuple[str, str] | None:
    """The snippet ("tracing/attend") and the name of the fact that a reference is to.

    `folder` is the chapter's own folder of snippets, for a reference that names none. None where it
    is no reference: it is written `snippet.name` or `folder/snippet.name`.
    """
    match = _REFERENCE.fullmatch(reference)
    return (f"{match[1] or folder}/{match[2]}", match[3]) if match else None


def nearest(reference: str, known: Iterable[str]) -> str:
    """A hint for a reference to nothing: the known reference nearest to it, or what there is.

    `known` are references as an author would write them in this chapter.
    """
    facts = sorted(known)
    near = difflib.get_close_matches(reference, facts, 1)
    if near:
        return f"Did you mean fact:{near[0]}?"
    snippet = reference.rpartition("/")[2].partition(".")[0]
    siblings = [fact for fact in facts if fact.startswith(f"{snippet}.")]
    if siblings:
        return f"The facts of {snippet} are {', '.join(f.partition('.')[2] for f in siblings)}."
    return "No snippet has facts like it: a cell named `facts` states them."


def _in_run(page: Prose, run: Span) -> list[Link]:
    found = []
    text, (start, stop) = page.text, run
    while (opened := text.find("[", start, stop)) >= 0:
        start = opened + 1
        closed = _closing(text, opened, stop)
        # What a link holds is no link, neither here nor in HTML.
        if closed and (fact := _FACT.match(page.source, closed + 1, stop)):
            start = fact.end()
            if text[opened - 1 : opened] != "!":
                line, column = page.place(opened + 1)
                reference = fact["b"] if fact["a"] is None else fact["a"]
                words = page.source[opened + 1 : closed]
                whole = (opened, fact.end())
                found.append(Link(words, reference, opened + 1, closed, line, column, whole))
        elif closed and (target := _TARGET.match(text, closed + 1, stop)):
            start = target.end()
    return found


def _closing(text: str, opened: int, stop: int) -> int | None:
    """Where the bracket is closed that is opened at `opened`."""
    depth = 0
    for i in range(opened, stop):
        depth += (text[i] == "[") - (text[i] == "]")
        if depth == 0:
            return i
    return None
