"""The chapters of the site, from the front matter of docs/l/*.md."""

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from traced.diagnostics import Diagnostic, Place
from traced.yamlfile import YamlSource, read_text

# MkDocs reads front matter by the same marks (mkdocs.utils.meta).
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^# +(.+?)(?: +#+)?(?: +\{[^}]*\})?[ \t]*$", re.MULTILINE)
_HINT = (
    "A chapter starts with lines for title, path (jax or kernel), number (1 or more) and "
    "description, between two lines `---`."
)

#: The paths through the chapters, and what a reader sees as their names.
PATHS = {"jax": "JAX path", "kernel": "Kernel path"}


class _FrontMatter(msgspec.Struct, frozen=True):
    path: Literal["jax", "kernel"]
    number: Annotated[int, msgspec.Meta(ge=1)]
    title: Annotated[str, msgspec.Meta(min_length=1)] = ""
    description: str = ""


class Chapter(msgspec.Struct, frozen=True):
    """One chapter. `source` is relative to docs ("l/tracing.md"), `path` a key of PATHS."""

    slug: str
    title: str
    path: str
    number: int
    description: str
    source: str

    @property
    def standing(self) -> str:
        """Where the chapter stands on its path, in words."""
        return f"{PATHS[self.path]}, chapter {self.number}"


def load(docs: Path, faults: list[Diagnostic]) -> dict[str, Chapter]:
    """Every chapter of docs/l by its slug, in the order of the paths and of their numbers.

    Appends a diagnostic to `faults` for each thing that is wrong in a front matter; a chapter with
    such a fault is left out.
    """
    chapters: dict[tuple[str, int], Chapter] = {}
    for file in sorted((docs / "l").glob("*.md")):
        chapter = _chapter(docs, file.stem, faults)
        if chapter is None:
            continue
        other = chapters.setdefault((chapter.path, chapter.number), chapter)
        if other is not chapter:
            places = tuple(Place(f"{docs.name}/{c.source}") for c in (chapter, other))
            faults.append(Diagnostic(f"a second chapter is {chapter.standing}", places))
    return {chapters[key].slug: chapters[key] for key in sorted(chapters)}


def _chapter(docs: Path, slug: str, faults: list[Diagnostic]) -> Chapter | None:
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
    front = _front_matter(place.path, match[1], faults)
    if front is None:
        return None
    heading = _HEADING.search(text, match.end())
    title = front.title or (heading[1].replace("`", "") if heading else "")
    if not title:
        faults.append(Diagnostic("the chapter has no title", (place,), _HINT))
        return None
    return Chapter(slug, title, front.path, front.number, front.description, source)


def _front_matter(path: str, text: str, faults: list[Diagnostic]) -> _FrontMatter | None:
    before = len(faults)
    yaml = YamlSource(path, text, faults, _HINT, first=2)
    if yaml.root is not None:
        return yaml.struct(yaml.root, _FrontMatter, closed=False)
    if len(faults) == before:
        faults.append(Diagnostic("the front matter is empty", (Place(path),), _HINT))
    return None
