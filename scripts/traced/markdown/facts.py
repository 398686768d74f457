"""Checked statements: links with the scheme `fact:`, held against the run they speak of.

A statement that is true stays a quiet link, to the list "Checked on this page" at the end of the
article. One that is not is reported, at its line and column, and shown as what it is.
"""

import posixpath
import xml.etree.ElementTree as etree

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from traced import coverage, links, statements
from traced.diagnostics import Diagnostic, Place
from traced.markdown.page import Page, page_of
from traced.runs import Fact

_SCHEME = "fact:"

#: Characters of a value that the list shows.
_SHOWN = 100


class FactsExtension(Extension):
    """Checks the statements of a page, and lists what they were checked against."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register both processors: links before terms (6) are looked for, the list after."""
        checks = _Checks(md)
        md.treeprocessors.register(checks, "traced-facts", 7)
        md.treeprocessors.register(_List(md, checks), "traced-facts-list", 5.5)
        # After raw HTML, which comments are, has been put back (30).
        md.postprocessors.register(_Marks(md), "traced-facts-marks", 1)


class _Checks(Treeprocessor):
    """Checks every statement; `found` holds what the true ones were checked against."""

    found: dict[str, dict[str, tuple[int, Fact]]]
    count: int

    def run(self, root: etree.Element) -> None:
        self.found, self.count = {}, 0
        page = page_of(self.md)
        for element in root.iter("a"):
            target = element.get("href", "")
            if target.startswith(_SCHEME):
                self._check(page, element, target.removeprefix(_SCHEME))

    def _check(self, page: Page, element: etree.Element, reference: str) -> None:
        link = page.take_statement(reference)
        text = link.text if link else "".join(element.itertext())
        place = page.place(link.line, link.column) if link else page.place(1)
        element.attrib.clear()
        parts = links.resolve(reference, page.folder)
        if parts is None:
            hint = "Write fact:snippet.name or fact:chapter/snippet.name."
            self._refuse(element, Diagnostic(f"{reference!r} refers to no fact", (place,), hint))
            return
        snippet, name = parts
        outcome = page.build.show(snippet, place)
        if outcome is not None and outcome.run is None:
            element.tag = "span"  # why there is nothing to check is reported with the snippet
            return
        fact = page.build.facts(snippet).get(name)
        if outcome is None or fact is None:
            what = f"fact {name!r} in {outcome.snippet.path}" if outcome and outcome.snippet else ""
            cause = f"unknown {what or f'snippet {snippet!r}'}"
            hint = links.nearest(reference, _known(page, snippet))
            self._refuse(element, Diagnostic(cause, (place,), hint))
        elif not statements.says(text, fact.value):
            self._refuse(element, _untrue(text, name, fact, place, f"snippets/{snippet}.py"))
        else:
            self._accept(element, snippet, name, fact)

    def _refuse(self, element: etree.Element, fault: Diagnostic) -> None:
        page_of(self.md).build.add(fault)
        element.tag = "strong"
        element.set("class", "fact-untrue")
        problem = etree.SubElement(element, "span", {"class": "fact-problem"})
        problem.text = AtomicString(f" [{fault.cause}]")

    def _accept(self, element: etree.Element, snippet: str, name: str, fact: Fact) -> None:
        facts = self.found.setdefault(snippet, {})
        self.count += 1
        first = name not in facts
        if first:
            facts[name] = sum(map(len, self.found.values())) + 1, fact
        number = facts[name][0]
        element.set("class", "fact")
        element.set("href", f"#fact-{number}")
        if first:
            element.set("id", f"stated-{number}")


class _List(Treeprocessor):
    """Appends what the statements of the page were checked against."""

    def __init__(self, md: Markdown, checks: _Checks):
        super().__init__(md)
        self._checks = checks

    def run(self, root: etree.Element) -> None:
        if not self._checks.count:
            return
        page = page_of(self.md)
        section = etree.SubElement(
            root, "section", {"class": "fact-list", "data-search-exclude": ""}
        )
        details = etree.SubElement(section, "details")
        summary = etree.SubElement(details, "summary")
        count = self._checks.count
        noun = "statement" if count == 1 else "statements"
        summary.text = AtomicString(f"{count} {noun} on this page checked when it was built")
        listing = etree.SubElement(details, "dl")
        for snippet, facts in self._checks.found.items():
            source = f"snippets/{snippet}.py"
            group = etree.SubElement(listing, "div")
            link = {"href": posixpath.relpath(f"{source}.txt", posixpath.dirname(page.path) or ".")}
            term = etree.SubElement(etree.SubElement(group, "dt"), "a", link)
            term.text = AtomicString(source)
            for name, (number, fact) in facts.items():
                entry = etree.SubElement(group, "dd", {"id": f"fact-{number}"})
                back = etree.SubElement(entry, "a", {"href": f"#stated-{number}"})
                etree.SubElement(back, "code").text = AtomicString(name)
                value = statements.shown(fact.value)
                short = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
                back[0].tail = AtomicString(f" = {short}")


class _Marks(Postprocessor):
    """Takes out the comments that are meant for `traced check`."""

    def run(self, text: str) -> str:
        return coverage.MARK.sub("", text)


def _untrue(text: str, name: str, fact: Fact, place: Place, source: str) -> Diagnostic:
    says = f"the text says {statements.plain(text)!r}"
    cause = f"{says}, the run says {name} = {statements.shown(fact.value)!r}"
    if isinstance(fact.value, bool):
        cause, hint = f"{says}, but {name} is false", "Change the sentence: it is no longer so."
    else:
        hint = "`traced check --fix` writes what the run says, where that is a number or a name."
    return Diagnostic(cause, (place, Place(source, fact.line)), hint)


def _known(page: Page, snippet: str) -> list[str]:
    """References to what there is, as an author writes them on this page."""
    folder = snippet.partition("/")[0]
    names = [name for name in page.build.names if name.partition("/")[0] == folder]
    own = folder == page.folder
    return [
        f"{name.partition('/')[2] if own else name}.{fact}"
        for name in names
        for fact in page.build.facts(name)
    ]
