"""The page "Find it by symptom": which errors it has a heading for."""

import re
from pathlib import Path

from traced import outline
from traced.outline import Heading, Part, Text

_LINK = re.compile(r"\]\((?!fact:)")

#: The page, relative to docs.
SOURCE = "symptoms.md"


def load(docs: Path) -> dict[str, str] | None:
    """The id of each heading that is one name, of an error, by that name; None without the page.

    One with no link below it is left out: it leads nowhere.
    """
    file = docs / SOURCE
    if not file.is_file():
        return None
    parts = outline.read(file.read_bytes().decode("utf-8", "replace"))
    names: dict[str, str] = {}
    heading = None
    for part in parts:
        if isinstance(part, Heading):
            heading = part
        elif heading and heading.title.isidentifier() and _links(part):
            names[heading.title] = heading.anchor
    return names


def _links(part: Part) -> bool:
    return isinstance(part, Text) and bool(_LINK.search(part.source))
