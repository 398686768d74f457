"""What the pages of the site show in their programs: every primitive, op and opcode, and where.

It is worked out from the sources of the pages and the outcomes of snippets, so it is the same
whenever it is asked for, and whoever converts the pages.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from pygments.token import Keyword, Name

from traced import html, outline
from traced.build import Build
from traced.lexers import LANGUAGES, tokens

#: What an entry of each language is, in words.
KINDS = {"jaxpr": "primitive", "stablehlo": "op", "hlo": "opcode"}

# Ops of MLIR that read like keywords, and those that leave out the dialect of what they stand in.
_KEYWORDS = {"module": "builtin.module", "func.func": "func.func"}


@dataclass(frozen=True, order=True)
class Section:
    """A section of a page: the page, relative to docs, its title, and the section's id and title.

    The last two are empty for what stands above the first heading below the page's title.
    """

    page: str
    page_title: str
    anchor: str
    title: str


@lru_cache(1)
def index(build: Build) -> dict[str, dict[str, list[Section]]]:
    """By language, by name, the sections of the site that show it, in the order of reading.

    What a failed snippet would show is left out: the failure is reported elsewhere.
    """
    found: dict[str, dict[str, list[Section]]] = {language: {} for language in LANGUAGES}
    for page in _pages(build):
        for section, block in _blocks(build.project.docs, page):
            for language, text in _programs(build, page, block):
                for name in names(language, text):
                    sections = found[language].setdefault(name, [])
                    if section not in sections:
                        sections.append(section)
    return {language: dict(sorted(entries.items())) for language, entries in found.items()}


def names(language: str, text: str) -> set[str]:
    """The primitives, the ops with their dialects, or the opcodes in a program."""
    found = set()
    for token, value in tokens(language, text):
        if token is Name.Function:
            bare = language == "stablehlo" and "." not in value
            found.add(f"func.{value}" if bare else value)
        elif language == "stablehlo" and token is Keyword and value in _KEYWORDS:
            found.add(_KEYWORDS[value])
    return found


def taught(build: Build, name: str) -> tuple[str, str] | None:
    """The title of the chapter that teaches a name, with or without its dialect, and the address.

    The address is a link to its source from docs. None where no chapter teaches it yet.
    """
    known = build.glossary.by_ir
    term = known.get(name) or known.get(name.rpartition(".")[2])
    chapter = build.chapters[term.chapter] if term else None
    if term is None or chapter is None or chapter.source is None:
        return None
    return chapter.title, f"{chapter.source}#term-{term.slug}"


def by_page(sections: Iterable[Section]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Sections in groups: the title of a page, then the text and the address of each link."""
    for (page, title), group in groupby(sections, key=lambda s: (s.page, s.page_title)):
        links = (
            (s.title or "at its beginning", f"{page}#{s.anchor}" if s.anchor else page)
            for s in group
        )
        yield title, list(links)


def _pages(build: Build) -> list[str]:
    """The pages in the order of reading: the first, the chapters along their paths, the others."""
    docs = build.project.docs
    every = sorted(file.relative_to(docs).as_posix() for file in docs.rglob("*.md"))
    every = [page for page in every if build.pages is None or page in build.pages]
    first = ["index.md", *(chapter.source for chapter in build.chapters.values())]
    return [page for page in dict.fromkeys([*first, *every]) if page in every]


def _blocks(docs: Path, page: str) -> Iterator[tuple[Section, outline.Block]]:
    """Every block of a page, and the section it stands in."""
    parts = outline.read((docs / page).read_bytes().decode("utf-8", "replace"))
    titles = (p.title for p in parts if isinstance(p, outline.Heading) and p.level == 1)
    title = next(titles, page)
    for heading, block in outline.blocks(parts):
        if heading is None or heading.level == 1:
            yield Section(page, title, "", ""), block
        else:
            yield Section(page, title, heading.anchor, heading.title), block


def _programs(build: Build, page: str, block: outline.Block) -> Iterator[tuple[str, str]]:
    """Language and text of each program that a block of a page shows."""
    if block.name not in ("snippet", "predict", "lens"):
        return
    stem, _, cell = block.argument.partition("#")
    folder = page.rpartition("/")[2].removesuffix(".md")
    name = stem if "/" in stem else f"{folder}/{stem}"
    outcome = build.outcome(name) if name in build.names else None
    if outcome is None or outcome.run is None or outcome.snippet is None:
        return
    options = block.options or {}
    cells = [c for c in outcome.snippet.cells if (c.name == cell if cell else not c.options.hide)]
    if block.name == "lens":
        show = _listed(options.get("show"))
        for lens in filter(None, (outcome.run.cell(c.name).lens for c in cells)):
            for layer in lens.layers:
                if not show or layer.kind in show:
                    yield layer.kind, layer.text
    else:
        shown = [html.Shown(c, outcome.run.cell(c.name)) for c in cells]
        show = options.get("show", "output" if block.name == "predict" else "both")
        yield from html.programs(shown, show=show, language=str(options.get("language", "")))


def _listed(show: Any) -> tuple[str, ...]:
    return (show,) if isinstance(show, str) else tuple(show) if isinstance(show, list) else ()
