"""Lists of glossary terms as elements: at the end of an article, and on the glossary page."""

import xml.etree.ElementTree as etree
from collections.abc import Callable, Iterable, Iterator

from traced.glossary import Glossary, Term
from traced.markdown.elements import Woven, add, write
from traced.markdown.pageterms import GLOSSARY_PAGE, PageTerms

#: The class of the section that ends an article.
LIST_CLASS = "term-list"


def weave(
    text: str, glossary: Glossary, make: Callable[[Term], etree.Element | None], woven: Woven
) -> None:
    """Add `text` to `woven`, each mention in the element that `make` gives for its term, if any."""
    done = 0
    for start, end, term in glossary.mentions(text):
        element = make(term)
        if element is not None:
            element.text = text[start:end]
            woven.text(text[done:start])
            woven.element(element)
            done = end
    woven.text(text[done:])


def section(page: PageTerms) -> etree.Element:
    """The section "Terms on this page", to be finished by `finish`.

    It stays out of the search index: every term has its own entry on the glossary page.
    """
    element = etree.Element("section", {"class": LIST_CLASS, "data-search-exclude": ""})
    add(element, "p", "Terms on this page")
    order = {term: place for place, term in enumerate(page.context.glossary.terms)}
    element.append(definitions(page, sorted(page.uses, key=order.__getitem__)))
    add(add(element, "p"), "a", "All terms", {"href": page.context.href(GLOSSARY_PAGE)})
    return element


def finish(section: etree.Element, page: PageTerms) -> None:
    """Make the heading of the list one, and link each entry back to the mentions of its term."""
    section[0].tag = "h2"
    for term, ids in page.uses.items():
        entry = section.find(f"dl/div[@id='term-{term.slug}']/dd")
        if entry is not None:
            _link_back(add(entry, "p", attributes={"class": "term-uses"}), term, ids)


def definitions(page: PageTerms, terms: Iterable[Term]) -> etree.Element:
    """A <dl> with an entry for each term."""
    element = etree.Element("dl")
    for term in terms:
        entry = add(element, "div", attributes={"id": f"term-{term.slug}", "class": "term-entry"})
        add(add(entry, "dt"), "dfn", term.term)
        _describe(add(entry, "dd"), page, term)
    return element


def entries(page: PageTerms, terms: Iterable[Term]) -> Iterator[etree.Element]:
    """An entry for each term with a heading of its own, for the search to find."""
    for term in terms:
        entry = etree.Element("div", {"class": "term-entry"})
        heading = add(entry, "h2", attributes={"id": f"term-{term.slug}"})
        add(heading, "dfn", term.term)
        _describe(entry, page, term)
        yield entry


def _describe(parent: etree.Element, page: PageTerms, term: Term) -> None:
    first, rest = term.sentences
    definition = add(parent, "p", attributes={"class": "term-definition"})
    # A screen reader reads the first sentence with each mention, so it is an element of its own.
    opening = add(definition, "span", attributes={"id": f"def-{term.slug}"})
    linked = {term}
    _define(opening, page, first, linked)
    if rest:
        opening.tail = " "
        _define(add(definition, "span"), page, rest, linked)
    taught = add(parent, "p", attributes={"class": "term-taught"})
    chapter = page.context.chapter(term)
    title, standing = f"Taught in: {chapter.title}", f" ({page.context.standing(chapter)})"
    if chapter.source is None:
        taught.text = f"{title}, a chapter still to come{standing}"
    else:
        href = f"{page.context.href(chapter.source)}#term-{term.slug}"
        add(taught, "a", title, {"href": href}).tail = standing


def _define(parent: etree.Element, page: PageTerms, text: str, linked: set[Term]) -> None:
    """Fill `parent` with a definition: code between backticks, other terms as plain links."""

    def link(term: Term) -> etree.Element | None:
        if term in linked:
            return None
        linked.add(term)
        return etree.Element("a", {"href": page.context.glossary_href(term)})

    write(parent, text, lambda piece, woven: weave(piece, page.context.glossary, link, woven))


def _link_back(parent: etree.Element, term: Term, ids: list[str]) -> None:
    for number, use in enumerate(ids, 1):
        label = f"Back to mention {number} of {term.term}"
        text = "↩\ufe0e" if len(ids) == 1 else f"↩\ufe0e {number}"
        link = add(parent, "a", text, {"href": f"#{use}", "aria-label": label})
        link.tail = " "
