"""What the pages of the site show in their programs: every primitive, op and opcode, and where.

Each comes with the term that it means, if it is one, and with what the lenses say became of it.

It is worked out from the sources of the pages and the outcomes of snippets, so it is the same
whenever it is asked for, and whoever converts the pages.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from pygments.token import Keyword, Name

from traced import html, lowered, outline, showing
from traced.build import Build
from traced.glossary import Term
from traced.layers import Kind, Lens
from traced.lexers import LANGUAGES
from traced.lowered import Became, Lowered
from traced.showing import BLOCKS
from traced.tokencache import tokens

#: What an entry of each language is, in words.
KINDS: dict[Kind, str] = {"jaxpr": "primitive", "stablehlo": "op", "hlo": "opcode"}

#: What an equation or an op becomes, in each language that becomes another.
NEXT: dict[Kind, Kind] = {"jaxpr": "stablehlo", "stablehlo": "hlo"}

#: What is said of nothing in that language.
NOTHING: dict[Kind, str] = {"stablehlo": "no op", "hlo": "no instruction"}

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


@dataclass(frozen=True)
class Taught:
    """The term that a name is, the title of the chapter that teaches it, and a link to it there.

    The link is from docs, to a source; None for a chapter still to come.
    """

    term: Term
    title: str
    source: str | None


@dataclass(frozen=True)
class Entry:
    """What there is to say of a name: what it is, what became of it, what it is from, and where.

    The sections are in the order of reading, after those of the chapter that teaches it.
    """

    name: str
    taught: Taught | None
    becomes: list[Became]
    comes_from: list[str]
    sections: list[Section]


def entries(build: Build, language: Kind) -> list[Entry]:
    """The entries of a language, sorted by their names."""
    found = _lowered(build)
    return [
        Entry(
            name,
            teaching := taught(build, name),
            lowered.becomes(found, language, name),
            lowered.comes_from(found, language, name),
            _taught_first(sections, teaching),
        )
        for name, sections in index(build)[language].items()
    ]


def anchor(language: Kind, name: str) -> str:
    """The id of an entry."""
    return f"{KINDS[language]}-{name}"


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


def taught(build: Build, name: str) -> Taught | None:
    """What teaches a name, with or without its dialect; None where it is no term."""
    known = build.glossary.by_ir
    term = known.get(name) or known.get(name.rpartition(".")[2])
    if term is None:
        return None
    chapter = build.chapters[term.chapter]
    source = chapter.source and f"{chapter.source}#term-{term.slug}"
    return Taught(term, chapter.title, source)


def by_page(sections: Iterable[Section]) -> Iterator[list[tuple[str, str]]]:
    """The text and the address of links to sections, page by page.

    The first of each page is the page itself. Its address is empty where nothing is shown above
    the first heading.
    """
    for (page, title), group in groupby(sections, key=lambda s: (s.page, s.page_title)):
        shown = list(group)
        start = page if any(not s.anchor for s in shown) else ""
        below = ((s.title, f"{page}#{s.anchor}") for s in shown if s.anchor)
        yield [(title, start), *below]


def _taught_first(sections: list[Section], taught: Taught | None) -> list[Section]:
    page = (taught.source or "").partition("#")[0] if taught else ""
    return sorted(sections, key=lambda section: section.page != page)


@lru_cache(1)
def _lowered(build: Build) -> frozenset[Lowered]:
    """What became of the equations in the lenses that the pages show."""
    return frozenset(
        each
        for page in _pages(build)
        for _, block in _blocks(build.project.docs, page)
        for lens in _lenses(build, page, block)
        for each in lowered.lowered(lens)
    )


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
    for lens in _lenses(build, page, block):
        for layer in lens.layers:
            yield layer.kind, layer.text
    if block.name != "lens" and (ran := showing.ran(block, page, build.known)):
        options = block.options or {}
        shown = [html.Shown(cell, ran.run.cell(cell.name)) for cell in ran.cells]
        show = options.get("show", BLOCKS[block.name])
        yield from html.programs(shown, show=show, language=str(options.get("language", "")))


def _lenses(build: Build, page: str, block: outline.Block) -> Iterator[Lens]:
    """The lens of a block of a page, if it has one, with the layers that it shows."""
    if block.name == "lens" and (ran := showing.ran(block, page, build.known)):
        show = _listed((block.options or {}).get("show"))
        for lens in filter(None, (ran.run.cell(cell.name).lens for cell in ran.cells)):
            layers = tuple(layer for layer in lens.layers if not show or layer.kind in show)
            yield msgspec.structs.replace(lens, layers=layers)


def _listed(show: Any) -> tuple[str, ...]:
    return (show,) if isinstance(show, str) else tuple(show) if isinstance(show, list) else ()
