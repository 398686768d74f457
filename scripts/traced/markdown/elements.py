"""Elements of an article put together: text in its order, code between backticks."""

import xml.etree.ElementTree as etree
from collections.abc import Callable
from dataclasses import dataclass, field

from markdown.util import AtomicString


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


def add(
    parent: etree.Element, tag: str, text: str = "", attributes: dict[str, str] | None = None
) -> etree.Element:
    """Append an element to `parent` and return it."""
    element = etree.SubElement(parent, tag, attributes or {})
    element.text = text
    return element


def write(parent: etree.Element, text: str, prose: Callable[[str, Woven], None]) -> None:
    """Fill `parent` with a text: what stands between backticks is code, `prose` adds the rest."""
    woven = Woven()
    for index, piece in enumerate(text.split("`")):
        if index % 2:
            woven.element(code := etree.Element("code"))
            code.text = AtomicString(piece)
        else:
            prose(piece, woven)
    woven.into(parent)
