"""Entries of the index of primitives, ops and opcodes as Markdown."""

from collections.abc import Callable, Iterable, Iterator

from traced import ops, plainmd
from traced.glossary import Term
from traced.layers import Kind
from traced.lowered import Became
from traced.markdown.pageterms import GLOSSARY_PAGE
from traced.ops import Entry, Taught
from traced.statements import code_span

#: A link to a source, relative to docs, with that title.
type Link = Callable[[str, str], str]


def listed(entries: Iterable[Entry], language: Kind, link: Link) -> str:
    """A list with an item for each entry."""
    return "\n".join(
        f"- {code_span(entry.name)}: {' '.join(_sentences(entry, language, link))}"
        for entry in entries
    )


def _sentences(entry: Entry, language: Kind, link: Link) -> Iterator[str]:
    if entry.taught:
        yield _definition(entry.taught.term, link)
        yield f"Taught in {_chapter(entry.taught, link)}."
    if entry.becomes:
        yield f"Becomes {'; or '.join(_way(way, language) for way in entry.becomes)}."
    if entry.comes_from:
        yield f"Comes from {_codes(entry.comes_from)}."
    yield f"Shown in {'; '.join(_places(links, link) for links in ops.by_page(entry.sections))}."


def _definition(term: Term, link: Link) -> str:
    name = link(term.term, f"{GLOSSARY_PAGE}#term-{term.slug}")
    return f"{name}: {plainmd.with_code(term.sentences[0])}"


def _chapter(taught: Taught, link: Link) -> str:
    if taught.source:
        return link(taught.title, taught.source)
    return f"{plainmd.escaped(taught.title)}, a chapter still to come"


def _way(way: Became, language: Kind) -> str:
    names = _codes(way.names) or ops.NOTHING[ops.NEXT[language]]
    return f"{names} (with {_codes(way.others)})" if way.others else names


def _codes(names: Iterable[str]) -> str:
    return ", ".join(map(code_span, names))


def _places(links: list[tuple[str, str]], link: Link) -> str:
    page, *sections = links
    shown = link(*page) if page[1] else plainmd.escaped(page[0])
    return f"{shown}: {', '.join(link(*section) for section in sections)}" if sections else shown
