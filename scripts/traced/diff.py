"""What snippets do otherwise under two versions of JAX or at two commits, and whom it concerns."""

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from traced import facts, jaxprdiff, jaxprtext, links, snippets, statements
from traced.diagnostics import Place
from traced.jaxprdiff import Difference
from traced.jaxprtext import Jaxpr
from traced.project import Project, toolchain
from traced.runner import Outcome
from traced.runs import Fact, Run
from traced.snippets import Snippet, SnippetError
from traced.store import Store

_BLOCK = re.compile(r"[> \t]*/{3,}[ \t]*(?:snippet|predict)[ \t]*\|[ \t]*([\w/-]+)(?:#([\w-]+))?")


class Ran(NamedTuple):
    """What a snippet did, and what was wrong with that, "" where nothing was."""

    snippet: Snippet
    run: Run
    failure: str


class Side(NamedTuple):
    """One of the two that are compared: what it is called, and what each snippet did there."""

    label: str
    ran: dict[str, Ran]


class Change(NamedTuple):
    """What one snippet does differently: in its cells, in the facts it states, or that it fails.

    `failures` are what is wrong with it on either side, "" where nothing is; none where that is the
    same. `places` are the blocks that show what changed.
    """

    name: str
    cells: dict[str, Difference]
    facts: tuple[str, ...]
    failures: tuple[str, ...]
    places: tuple[Place, ...]


class Statement(NamedTuple):
    """A checked statement that is not true of both: its text, and what each run says."""

    place: Place
    text: str
    reference: str
    old: str
    new: str


class Report(NamedTuple):
    """All that is different; `missing` are the snippets that a side, by its label, is without."""

    changes: list[Change]
    statements: list[Statement]
    missing: dict[str, list[str]]


def stored_runs(project: Project, jax: str) -> Side:
    """What the snippets as they are now did under a version of JAX, as far as that is stored."""
    store = Store(project)
    found = {}
    for name, _ in snippets.find(project.root):
        try:
            snippet = snippets.load(project.root, name)
        except (SnippetError, OSError):
            continue  # whoever builds the site is told
        if ran := store.ran(snippet, jax):
            found[name] = Ran(snippet, *ran)
    return Side(f"JAX {jax}", found)


def fresh_runs(label: str, found: Iterable[Outcome]) -> Side:
    """What snippets did that have been run, or looked up, by this interpreter."""
    ran = {}
    for outcome in found:
        if outcome.snippet:
            run = outcome.run or Run(outcome.name, outcome.cells, toolchain())
            failure = outcome.diagnostics[0].cause if outcome.diagnostics else ""
            ran[outcome.name] = Ran(outcome.snippet, run, failure)
    return Side(label, ran)


def compare(project: Project, old: Side, new: Side) -> Report:
    """Compare two sides; the pages and their statements are those of `project`."""
    files = sorted(project.docs.rglob("*.md"))
    pages = {
        file.relative_to(project.root).as_posix(): file.read_bytes().decode() for file in files
    }
    names = sorted({*old.ran, *new.ran, *(name for name, _ in snippets.find(project.root))})
    both = [name for name in names if name in old.ran and name in new.ran]
    found = (_change(name, old.ran[name], new.ran[name], pages) for name in both)
    missing = {side.label: [name for name in names if name not in side.ran] for side in (old, new)}
    return Report([c for c in found if c], list(_statements(pages, old, new)), missing)


def _change(name: str, old: Ran, new: Ran, pages: dict[str, str]) -> Change | None:
    before, now = _texts(old), _texts(new)
    failures = (old.failure, new.failure) if old.failure != new.failure else ()
    stated = tuple(_changed_facts(old, new))
    cells = {cell: _difference(before.get(cell), now.get(cell)) for cell in {**before, **now}}
    if old.failure or new.failure:  # what failed, and what came after it, is no difference besides
        cells = {cell: found for cell, found in cells.items() if cell in before and cell in now}
    cells = {cell: found for cell, found in cells.items() if any(found)}
    if not (cells or stated or failures):
        return None
    lost = before.keys() ^ now.keys() if failures else set()
    stopped = any(not cell.facts for cell in new.snippet.cells if cell.name in lost)
    places = tuple(_showing(name, new.snippet, cells, pages, every=stopped))
    return Change(name, cells, stated, failures, places)


def _texts(ran: Ran) -> dict[str, str]:
    """What each cell wrote and raised, but for those that raised what they should not."""
    texts = {}
    for cell in ran.run.cells:
        own = ran.snippet.cell(cell.name)
        texts[cell.name] = "".join(chunk.text for chunk in cell.output)
        if cell.raised and own and own.options.raises == cell.raised.type:
            texts[cell.name] += f"{cell.raised.type}: {cell.raised.message}\n"
        elif cell.raised:
            del texts[cell.name]
    return texts


def _difference(old: str | None, new: str | None) -> Difference:
    if old is None or new is None:
        return Difference(text=("- no longer there" if new is None else "+ not there before",))
    before, now = jaxprtext.read(old), jaxprtext.read(new)
    was, are = ([piece for piece in side if isinstance(piece, Jaxpr)] for side in (before, now))
    if len(was) != len(are):
        return Difference(text=_changed_lines(old, new))
    found = [jaxprdiff.compare(*pair) for pair in zip(was, are, strict=True)]
    found.append(Difference(text=_changed_lines(_around(before), _around(now))))
    levels = zip(*found, strict=True)
    return Difference(*(tuple(line for lines in level for line in lines) for level in levels))


def _around(pieces: Iterable[Jaxpr | str]) -> str:
    """What a cell wrote, without its jaxprs, which are compared by themselves."""
    return "".join("{ lambda … }" if isinstance(piece, Jaxpr) else piece for piece in pieces)


def _changed_lines(old: str, new: str) -> tuple[str, ...]:
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""))
    return tuple(f"{line[0]} {line[1:]}" for line in lines[2:] if not line.startswith("@@ "))


def _changed_facts(old: Ran, new: Ran) -> Iterator[str]:
    was, is_ = ({k: v for c in side.run.cells for k, v in c.facts.items()} for side in (old, new))
    for name in {**was, **is_}:
        if name in was and name in is_:
            before, now = statements.shown(was[name].value), statements.shown(is_[name].value)
            if was[name].value != is_[name].value:
                yield f"{name} was {before or "''"}, is {now or "''"}"
        elif not (old.failure or new.failure):
            yield f"{name} is {'new' if name in is_ else 'gone'}"


def _showing(
    name: str, snippet: Snippet, cells: Iterable[str], pages: dict[str, str], *, every: bool
) -> Iterator[Place]:
    """The blocks that show one of these cells, or, with `every`, any of the snippet."""
    hidden = {cell.name for cell in snippet.cells if cell.options.hide}
    for path, source in pages.items():
        for number, line in enumerate(source.split("\n"), 1):
            if block := _BLOCK.match(line):
                stem, cell = block.groups()
                full = stem if "/" in stem else f"{_folder(path)}/{stem}"
                seen = any(cell == c or (not cell and c not in hidden) for c in cells)
                if full == name and (every or seen):
                    yield Place(path, number)


def _folder(path: str) -> str:
    """The folder of snippets/ that a page's own snippets are in."""
    return path.rpartition("/")[2].removesuffix(".md")


def _statements(pages: dict[str, str], old: Side, new: Side) -> Iterator[Statement]:
    known = [{name: _facts(ran) for name, ran in side.ran.items()} for side in (old, new)]
    for path, source in pages.items():
        for link in links.find(source) if "fact:" in source else ():
            snippet, name = links.resolve(link.reference, _folder(path)) or ("", "")
            if not all(snippet in side for side in known):
                continue  # reported as missing
            was, is_ = (side[snippet].get(name) for side in known)
            true = [f is not None and statements.says(link.text, f.value) for f in (was, is_)]
            if not all(true) and (was and was.value) != (is_ and is_.value):
                says = [statements.shown(f.value) if f else "nothing" for f in (was, is_)]
                place = Place(path, link.line, link.column)
                yield Statement(place, statements.plain(link.text), link.reference, *says)


def _facts(ran: Ran) -> dict[str, Fact]:
    """The facts of a run, which may have come to its end too early."""
    cells = ran.snippet.cells[: len(ran.run.cells)]
    return facts.of(msgspec.structs.replace(ran.snippet, cells=cells), ran.run)
