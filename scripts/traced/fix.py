"""Write what the run says into a chapter: `traced check --fix`."""

import difflib
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from traced import links, statements
from traced.statements import Value


class Edit(NamedTuple):
    """`text` in place of what a file has from `start` to `end`: offsets in the decoded file."""

    start: int
    end: int
    text: str


def edits(source: str, value_of: Callable[[str], Value | None]) -> list[Edit]:
    """What makes the statements of a chapter say what the run says, where that can be done.

    `value_of` gives the value for a reference, None where there is none. What is left out is a
    matter for the author: a false boolean, a number that the text does not hold.
    """
    found = []
    for link in links.find(source):
        value = value_of(link.reference)
        new = None if value is None else statements.rewritten(link.text, value)
        if new is not None and new != link.text:
            found.append(Edit(link.start, link.end, new))
    return found


def apply(raw: bytes, changes: Iterable[Edit]) -> bytes:
    """A file with edits applied; every byte outside them stays as it is.

    Raises ValueError where edits overlap or leave the file, UnicodeDecodeError where it is not
    UTF-8.
    """
    text = raw.decode("utf-8")  # not utf-8-sig: a byte order mark stays a character
    limit = len(text)
    for change in sorted(changes, reverse=True):  # from the bottom up: offsets above stay right
        if not 0 <= change.start <= change.end <= limit:
            raise ValueError(f"an edit overlaps another, or leaves the file: {change}")
        text = text[: change.start] + change.text + text[change.end :]
        limit = change.start
    return text.encode("utf-8")


def diff(path: str, before: bytes, after: bytes) -> str:
    """The change as a unified diff, "" where there is none; `path` is relative to the root."""
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", raw.decode("utf-8")) for raw in (before, after))
    lines = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
    ended = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return "".join(ended)
