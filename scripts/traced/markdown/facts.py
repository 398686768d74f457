"""Checked statements: links with the scheme `fact:`, held against the run they speak of.

A statement that is true stays a quiet link, to what it was checked against, which a list at the end
of the article says. One that is not is reported, at its line and column, and shown as what it is.
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
        """Register the processors.

        Statements come before terms (6), the list after them and before ids are gathered (5). What
        is wrong with a statement is said after that, and is in no heading's id.
        """
        checks = _Checks(md)
        md.treeprocessors.register(checks, "traced-facts", 7)
        md.treeprocessors.register(_List(md, checks), "traced-facts-list", 5.5)
        md.treeprocessors.register(_Problems(md, checks), "traced-facts-problems", -1)
        # After raw HTML, which comments are, has been put back (30).
        md.postprocessors.register(_Marks(md), "traced-facts-marks", 1)


class _Checks(Treeprocessor):
    """Checks every statement.

    `found` holds what the true ones were checked against: by snippet and name, the number of the
    fact on this page. `count` is how many are true, `jax` what they ran with. `refused` are the
    elements of those that are not, and why.
    """

    found: dict[str, dict[str, tuple[int, Fact]]]
    count: int
    jax: str
    refused: list[tuple[etree.Element, str]]

    def run(self, root: etree.Element) -> None:
        self.found, self.count, self.jax, self.refused = {}, 0, "", []
        page = page_of(self.md)
        # What opens or closes something when it is clicked can hold no link.
        labels = {a for tag in ("summary", "label") for e in root.iter(tag) for a in e.iter("a")}
        for element in root.iter("a"):
            target = element.get("href", "")
            if target.startswith(_SCHEME):
                self._check(page, element, target.removeprefix(_SCHEME))
                if element in labels and element.tag == "a":
                    element.tag = "span"
                    del element.attrib["href"]

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
        if outcome is None or outcome.run is None or fact is None:
            what = f"fact {name!r} in {outcome.snippet.path}" if outcome and outcome.snippet else ""
            cause = f"unknown {what or f'snippet {snippet!r}'}"
            hint = links.nearest(reference, _known(page, snippet))
            self._refuse(element, Diagnostic(cause, (place,), hint))
        elif not statements.says(text, fact.value):
            self._refuse(element, _untrue(text, name, fact, place, f"snippets/{snippet}.py"))
        else:
            self.jax = outcome.run.toolchain.jax
            self._accept(element, snippet, name, fact)

    def _refuse(self, element: etree.Element, fault: Diagnostic) -> None:
        page_of(self.md).add(fault)
        element.tag = "strong"
        element.set("class", "fact-untrue")
        self.refused.append((element, fault.cause))

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
    """Says under the title how much is checked, and at the end of the article against what."""

    def __init__(self, md: Markdown, checks: _Checks):
        super().__init__(md)
        self._checks = checks

    def run(self, root: etree.Element) -> None:
        if self._checks.count:
            below = next((i for i, child in enumerate(root, 1) if child.tag == "h1"), 0)
            root.insert(below, self._stamp())
            root.append(self._list())

    def _stamp(self) -> etree.Element:
        stamp = etree.Element("p", {"class": "fact-stamp", "data-search-exclude": ""})
        link = etree.SubElement(stamp, "a", {"href": "#facts"})
        count = self._checks.count
        link.text = AtomicString("1 statement" if count == 1 else f"{count} statements")
        link.tail = AtomicString(f" of this page checked with JAX {self._checks.jax} ")
        etree.SubElement(stamp, "span", {"class": "fact-switch"})  # filled by a script
        return stamp

    def _list(self) -> etree.Element:
        details = etree.Element("details", {"class": "fact-list", "data-search-exclude": ""})
        summary = etree.SubElement(details, "summary")
        summary.text = AtomicString("What the statements of this page were checked against")
        listing = etree.SubElement(details, "dl", {"id": "facts", "data-jax": self._checks.jax})
        folder = posixpath.dirname(page_of(self.md).path) or "."
        for snippet, facts in self._checks.found.items():
            source = f"snippets/{snippet}.py"
            group = etree.SubElement(listing, "div")
            link = {"href": posixpath.relpath(f"{source}.txt", folder)}
            term = etree.SubElement(etree.SubElement(group, "dt"), "a", link)
            term.text = AtomicString(source)
            for name, (number, fact) in facts.items():
                entry = etree.SubElement(group, "dd", {"id": f"fact-{number}"})
                back = etree.SubElement(entry, "a", {"href": f"#stated-{number}"})
                back.text = AtomicString(name)
                value = statements.shown(fact.value)
                short = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
                back.tail = _literal(f" = {short}")
        return details


class _Problems(Treeprocessor):
    """Says in its place what is wrong with a statement, in words."""

    def __init__(self, md: Markdown, checks: _Checks):
        super().__init__(md)
        self._checks = checks

    def run(self, root: etree.Element) -> None:
        for element, cause in self._checks.refused:
            problem = etree.SubElement(element, "span", {"class": "fact-problem"})
            problem.text = _literal(f" [{cause}]")


class _Marks(Postprocessor):
    """Takes out the comments that are meant for `traced check`."""

    def run(self, text: str) -> str:
        return coverage.MARK.sub("", text)


def _literal(text: str) -> AtomicString:
    """Text for an element that shows just that: Python-Markdown takes `&lt;` for a character."""
    return AtomicString(text.replace("&", "&amp;"))


def _untrue(text: str, name: str, fact: Fact, place: Place, source: str) -> Diagnostic:
    says = f"the text says {statements.plain(text)!r}"
    value = repr(fact.value) if isinstance(fact.value, str) else statements.shown(fact.value)
    cause = f"{says}, the run says {name} = {value}"
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
