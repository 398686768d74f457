"""The chapters of the site: those of docs/l/*.md, and in docs/planned.yml those still to come."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import yaml

from traced import outline
from traced.diagnostics import Diagnostic, Place
from traced.yamlfile import YamlSource, read_text

# MkDocs reads front matter by the same marks (mkdocs.utils.meta).
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_HINT = (
    "A chapter starts with lines for title, path (jax or kernel), number (1 or more), enables (one "
    'line that completes "afterwards you can ...") and description, between two lines `---`.'
)
_PLANNED_HINT = "An entry has a slug, title, path (jax or kernel), number (1 or more) and enables."

#: The file of the chapters still to come, relative to docs.
PLANNED = "planned.yml"

#: The paths through the chapters, and what a reader sees as their names.
PATHS = {"jax": "JAX path", "kernel": "kernel path"}

# One line with something on it.
type _Text = Annotated[str, msgspec.Meta(pattern=r"^\S.*\Z")]


class _Standing(msgspec.Struct, frozen=True, kw_only=True):
    path: Literal["jax", "kernel"]
    number: Annotated[int, msgspec.Meta(ge=1)]
    enables: _Text


class _FrontMatter(_Standing, frozen=True, kw_only=True):
    title: _Text = ""
    description: str = ""


class _Planned(_Standing, frozen=True, kw_only=True):
    slug: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\Z")]
    title: _Text


class Chapter(msgspec.Struct, frozen=True):
    """One chapter, written or still to come.

    `path` is a key of PATHS, `number` counts along it from 1. `enables` completes "afterwards you
    can ...". `source` is relative to docs ("l/tracing.md"); None for a chapter still to come.
    """

    slug: str
    title: str
    path: str
    number: int
    enables: str
    description: str = ""
    source: str | None = None

    @property
    def standing(self) -> str:
        """Where the chapter stands on its path, in words."""
        return f"{PATHS[self.path]}, chapter {self.number}"


def along(chapters: Mapping[str, Chapter], path: str) -> list[Chapter]:
    """The chapters of a path, in their order."""
    return [chapter for chapter in chapters.values() if chapter.path == path]


def load(docs: Path, faults: list[Diagnostic]) -> dict[str, Chapter]:
    """Every chapter by its slug, in the order of the paths and of their numbers.

    Appends a diagnostic to `faults` for each thing that is wrong in a front matter or among the
    planned chapters; a chapter with such a fault is left out.
    """
    before = len(faults)
    found = [*_written(docs, faults), *_planned(docs, faults)]
    order: dict[tuple[str, int], tuple[Chapter, Place]] = {}
    for chapter, place in found:
        first, taken = order.setdefault((chapter.path, chapter.number), (chapter, place))
        if first is not chapter:
            cause = f"a second chapter {chapter.number} on the {PATHS[chapter.path]}"
            hint = f"Give another number to {chapter.title!r} or to {first.title!r}."
            faults.append(Diagnostic(cause, (place, taken), hint))
    in_order = [order[key] for key in sorted(order)]
    if len(faults) == before:  # a chapter with a fault leaves a gap that is none
        faults.extend(_gaps(in_order, f"{docs.name}/{PLANNED}"))
    return {chapter.slug: chapter for chapter, _ in in_order}


def _gaps(in_order: Iterable[tuple[Chapter, Place]], planned: str) -> Iterator[Diagnostic]:
    last = dict.fromkeys(PATHS, 0)
    for chapter, place in in_order:
        missing, last[chapter.path] = last[chapter.path] + 1, chapter.number
        if chapter.number > missing:
            cause = f"before this chapter {chapter.number}, the {PATHS[chapter.path]}"
            hint = f"Plan it in {planned}, or give the chapters after it smaller numbers."
            yield Diagnostic(f"{cause} has no chapter {missing}", (place,), hint)


def _written(docs: Path, faults: list[Diagnostic]) -> Iterator[tuple[Chapter, Place]]:
    """The chapters of docs/l, each with the place of its number."""
    for file in sorted((docs / "l").glob("*.md")):
        found = _chapter(docs, file.stem, faults)
        if found is not None:
            yield found


def _chapter(docs: Path, slug: str, faults: list[Diagnostic]) -> tuple[Chapter, Place] | None:
    source = f"l/{slug}.md"
    place = Place(f"{docs.name}/{source}")
    before = len(faults)
    text = read_text(docs, source, faults)
    if len(faults) > before:
        return None
    match = _FRONT_MATTER.match(text)
    if match is None:
        faults.append(Diagnostic("the chapter has no front matter", (place,), _HINT))
        return None
    yaml_source = YamlSource(place.path, match[1], faults, _HINT, first=2)
    if yaml_source.root is None:
        if len(faults) == before:
            faults.append(Diagnostic("the front matter is empty", (place,), _HINT))
        return None
    front = yaml_source.struct(yaml_source.root, _FrontMatter, closed=False)
    if front is None:
        return None
    title = front.title or next(_headings(text), "")
    if not title:
        faults.append(Diagnostic("the chapter has no title", (place,), _HINT))
        return None
    standing = front.path, front.number, front.enables
    chapter = Chapter(slug, title, *standing, front.description, source)
    return chapter, yaml_source.places(yaml_source.root)["number"]


def _headings(text: str) -> Iterator[str]:
    parts = outline.read(text)
    return (part.title for part in parts if isinstance(part, outline.Heading) and part.level == 1)


def _planned(docs: Path, faults: list[Diagnostic]) -> Iterator[tuple[Chapter, Place]]:
    """The chapters of docs/planned.yml, each with the place of its number."""
    if not (docs / PLANNED).is_file():
        return
    path = f"{docs.name}/{PLANNED}"
    source = YamlSource(path, read_text(docs, PLANNED, faults), faults, _PLANNED_HINT)
    if source.root is None:
        return
    if not isinstance(source.root, yaml.SequenceNode):
        place = source.place(source.root)
        faults.append(Diagnostic("this is no list of planned chapters", (place,), _PLANNED_HINT))
        return
    seen: dict[str, Place] = {}
    for node in source.root.value:
        entry = source.struct(node, _Planned, closed=True)
        if entry is None:
            continue
        places = source.places(node)
        place = places["slug"]
        written = f"l/{entry.slug}.md"
        if (docs / written).is_file():
            cause = f"the chapter {entry.slug!r} is no longer to come: it is there"
            also, hint = Place(f"{docs.name}/{written}"), f"Delete this entry from {path}."
            faults.append(Diagnostic(cause, (place, also), hint))
        elif seen.setdefault(entry.slug, place) is not place:
            cause = f"the chapter {entry.slug!r} is planned twice"
            also, hint = seen[entry.slug], "Delete one of the two entries."
            faults.append(Diagnostic(cause, (place, also), hint))
        else:
            standing = entry.path, entry.number, entry.enables
            title = entry.title.replace("`", "")
            yield Chapter(entry.slug, title, *standing), places["number"]
