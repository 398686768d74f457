"""What `traced check` does with the sources of chapters.

It writes what the runs say into statements that differ, and finds what no statement checks.
"""

from traced import coverage, fix, lexers, links, outline
from traced.build import Build
from traced.diagnostics import Diagnostic, Place
from traced.outline import Heading
from traced.statements import Value


def write_fixes(build: Build) -> str:
    """Write what the runs say into the statements of all pages that differ; returns the diff."""
    docs = build.project.docs
    diffs = []
    for file in sorted(docs.rglob("*.md")):
        folder = file.stem

        def value_of(reference: str, folder: str = folder) -> Value | None:
            parts = links.resolve(reference, folder)
            fact = build.facts(parts[0]).get(parts[1]) if parts else None
            return fact.value if fact else None

        before = file.read_bytes()
        try:
            edits = fix.edits(before.decode("utf-8"), value_of)
        except UnicodeDecodeError:
            continue  # reported with the pages
        after = fix.apply(before, edits)
        if after != before:
            file.write_bytes(after)
            diffs.append(
                fix.diff(f"{docs.name}/{file.relative_to(docs).as_posix()}", before, after)
            )
    return "".join(diffs)


def unchecked(build: Build) -> list[Diagnostic]:
    """The numbers and names in the prose of chapters that no statement checks."""
    names = _names(build)
    hint = (
        "Hold it to the run with [text](fact:snippet.name), or, if it is not about a run, allow it "
        "with a comment <!-- unchecked: text because ... --> in the same block."
    )
    titles = _titles(build)
    found = []
    for chapter in build.chapters.values():
        if chapter.source is None:
            continue
        source = (build.project.docs / chapter.source).read_bytes().decode("utf-8")
        path = f"{build.project.docs.name}/{chapter.source}"
        for finding in coverage.unchecked(source, names, titles):
            if finding.kind == "mark":
                cause = f"the comment allows {finding.text!r}, which is not there unchecked"
            else:
                cause = f"no statement checks the {finding.kind} {finding.text!r}"
            place = Place(path, finding.line, finding.column)
            found.append(Diagnostic(cause, (place,), "" if finding.kind == "mark" else hint))
    return found


def _names(build: Build) -> set[str]:
    """The primitives, ops, opcodes and parameters in anything that a snippet printed."""
    names: set[str] = set()
    for name in build.names:
        for cell in build.outcome(name).cells:
            for chunk in cell.output:
                names |= lexers.names(chunk.text)
    return names


def _titles(build: Build) -> set[str]:
    """The headings of all pages."""
    sources = (
        file.read_bytes().decode("utf-8", "replace") for file in build.project.docs.rglob("*.md")
    )
    parts = (part for source in sources for part in outline.read(source))
    return {part.title for part in parts if isinstance(part, Heading)}
