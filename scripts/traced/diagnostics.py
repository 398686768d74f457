"""What is wrong with a chapter, a snippet or the glossary, and where."""

import os
from collections.abc import Iterable

import msgspec


class Place(msgspec.Struct, frozen=True, order=True):
    """A line of a file of this repository. `path` is relative to the root.

    `line` counts from 1, and so does `column`, in characters; 0 is the whole line.
    """

    path: str
    line: int = 1
    column: int = 0

    def __str__(self) -> str:
        column = f":{self.column}" if self.column else ""
        return f"{self.path}:{self.line}{column}"


class Diagnostic(msgspec.Struct, frozen=True):
    """One thing that is wrong: the cause in a sentence, the way out, and every place it concerns.

    The first place is where to look first. `detail` is text that helps to understand the cause
    (the traceback of a snippet, say) and may have many lines.
    """

    cause: str
    places: tuple[Place, ...]
    hint: str = ""
    detail: str = ""

    def __str__(self) -> str:
        lines = [f"{self.places[0]}: {self.cause}"]
        lines += [f"    also {place}" for place in self.places[1:]]
        if self.hint:
            lines.append(f"    {self.hint}")
        lines += [f"    | {line}" for line in self.detail.splitlines()]
        return "\n".join(lines)


def report(diagnostics: Iterable[Diagnostic]) -> str:
    """All diagnostics as text, in the order of their places, each once.

    On GitHub Actions each is also an annotation (a workflow command on a line of its own,
    https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
    """
    ordered = sorted(dict.fromkeys(diagnostics), key=lambda d: (d.places, d.cause))
    lines = [str(d) for d in ordered]
    if os.environ.get("GITHUB_ACTIONS") == "true":
        lines += [_annotation(d) for d in ordered]
    count = f"{len(ordered)} problem{'' if len(ordered) == 1 else 's'}"
    return "\n".join([*lines, count]) if ordered else ""


def _annotation(diagnostic: Diagnostic) -> str:
    place = diagnostic.places[0]
    text = f"{diagnostic.cause} {diagnostic.hint}".strip()
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::error file={place.path},line={place.line}::{escaped}"
