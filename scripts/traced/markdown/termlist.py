"""Lists of glossary terms as elements: at the end of an article, and on the glossary page."""

import xml.etree.ElementTree as etree
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from traced.glossary import Glossary, Term
from traced.markdown.pageterms import GLOSSARY_PAGE, PageTerms

#: The class of the section that ends an article.
LIST_CLASS = "term-list"


@dataclass
class Woven:
    """Text and elements in their order, as the content of an element to be."""

    lead: str = ""
    elements: list[etree.Element] = field(default_factory=list)

    def text(self, text: str) -> None:
        """Add text."""
        if not self.elements:
            self.lead += text
        elif text:
            self.elements[-1].tail = (self.elements[-1].tail or "") + text

    def element(self, element: etree.Element) -> None:
        """Add an element that has no tail yet."""
        self.elements.append(element)

    def into(self, parent: etree.Element) -> None:
        """Make this the content of `parent`."""
        parent.text = self.lead
        parent[:] = self.elements


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
    _add(element, "p", "Terms on this page")
    order = {term: place for place, term in enumerate(page.context.glossary.terms)}
    element.append(definitions(page, sorted(page.uses, key=order.__getitem__)))
    _add(_add(element, "p"), "a", "All terms", {"href": page.href(GLOSSARY_PAGE)})
    return element


def finish(section: etree.Element, page: PageTerms) -> None:
    """Make the heading of the list one, and link each entry back to the mentions of its term."""
    section[0].tag = "h2"
    for term, ids in page.uses.items():
        entry = section.find(f"dl/div[@id='term-{term.slug}']/dd")
        if entry is not None:
            _link_back(_add(entry, "p", attributes={"class": "term-uses"}), term, ids)


def definitions(page: PageTerms, terms: Iterable[Term]) -> etree.Element:
    """A <dl> with an entry for each term."""
    element = etree.Element("dl")
    for term in terms:
        entry = _add(element, "div", attributes={"id": f"term-{term.slug}", "class": "term-entry"})
        _add(_add(entry, "dt"), "dfn", term.term)
        _describe(_add(entry, "dd"), page, term)
    return element


def entries(page: PageTerms, terms: Iterable[Term]) -> Iterator[etree.Element]:
    """An entry for each term with a heading of its own, for the search to find."""
    for term in terms:
        entry = etree.Element("div", {"class": "term-entry"})
        heading = _add(entry, "h2", attributes={"id": f"term-{term.slug}"})
        _add(heading, "dfn", term.term)
        _describe(entry, page, term)
        yield entry


def _describe(parent: etree.Element, page: PageTerms, term: Term) -> None:
    first, rest = term.sentences
    definition = _add(parent, "p", attributes={"class": "term-definition"})
    # A screen reader reads the first sentence with each mention, so it is an element of its own.
    opening = _add(definition, "span", attributes={"id": f"def-{term.slug}"})
    linked = {term}
    _define(opening, page, first, linked)
    if rest:
        opening.tail = " "
        _define(_add(definition, "span"), page, rest, linked)
    taught = _add(parent, "p", attributes={"class": "term-taught"})
    chapter = page.chapter(term)
    link = _add(taught, "a", f"Taught in: {chapter.title}", {"href": page.href(chapter.source)})
    link.tail = f" ({chapter.standing})"


def _define(parent: etree.Element, page: PageTerms, text: str, linked: set[Term]) -> None:
    """Fill `parent` with a definition: code between backticks, other terms as plain links."""

    def link(term: Term) -> etree.Element | None:
        if term in linked:
            return None
        linked.add(term)
        return etree.Element("a", {"href": page.glossary_href(term)})

    woven = Woven()
    for index, piece in enumerate(text.split("`")):
        if index % 2:
            woven.element(code := etree.Element("code"))
            code.text = piece
        else:
            weave(piece, page.context.glossary, link, woven)
    woven.into(parent)


def _link_back(parent: etree.Element, term: Term, ids: list[str]) -> None:
    for number, use in enumerate(ids, 1):
        label = f"Back to mention {number} of {term.term}"
        text = "↩\ufe0e" if len(ids) == 1 else f"↩\ufe0e {number}"
        link = _add(parent, "a", text, {"href": f"#{use}", "aria-label": label})
        link.tail = " "


def _add(
    parent: etree.Element, tag: str, text: str = "", attributes: dict[str, str] | None = None
) -> etree.Element:
    element = etree.SubElement(parent, tag, attributes or {})
    element.text = text
    return element
