"""The page "Find it by symptom": which errors it has a heading for."""

from pathlib import Path

from traced import outline

#: The page, relative to docs.
SOURCE = "symptoms.md"


def load(docs: Path) -> dict[str, str] | None:
    """The id of each heading that is one name, of an error, by that name; None without the page."""
    file = docs / SOURCE
    if not file.is_file():
        return None
    parts = outline.read(file.read_bytes().decode("utf-8", "replace"))
    headings = (part for part in parts if isinstance(part, outline.Heading))
    return {heading.title: heading.anchor for heading in headings if heading.title.isidentifier()}
