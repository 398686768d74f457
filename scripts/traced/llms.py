"""What a site says to programs that read it: pages as text, and the list of them (llmstxt.org)."""

from collections.abc import Iterable, Sequence

import msgspec

from traced import plainmd


class Entry(msgspec.Struct, frozen=True):
    """A page as a list of pages has it: its title, where its text is, and what it is about."""

    title: str
    url: str
    description: str = ""


def document(title: str, standing: str, description: str, source: str, body: str) -> str:
    """A page's text below its title, what it is about, and where it comes from.

    `standing` says where a chapter stands on its path, `source` is a line of Markdown.
    """
    about = ". ".join(filter(None, [standing, description]))
    quoted = f"> {plainmd.escaped(about)}" if about else ""
    return "\n\n".join(filter(None, [f"# {plainmd.escaped(title)}", quoted, source, body])) + "\n"


def index(
    name: str, summary: str, notes: str, sections: Iterable[tuple[str, Sequence[Entry]]]
) -> str:
    """The text of llms.txt: the site's name, its summary, notes, and the pages of each section."""
    parts = [f"# {plainmd.escaped(name)}"]
    if summary:
        parts.append(f"> {plainmd.escaped(one_line(summary))}")
    parts.append(notes)
    for title, entries in sections:
        if entries:
            listed = "\n".join(map(_entry, entries))
            parts += [f"## {plainmd.escaped(title)}", listed]
    return "\n\n".join(parts) + "\n"


def one_line(text: str) -> str:
    """Text without line ends, and with single spaces."""
    return " ".join(text.split())


def _entry(entry: Entry) -> str:
    about = f": {plainmd.escaped(one_line(entry.description))}" if entry.description else ""
    return f"- [{plainmd.escaped(entry.title)}]({entry.url}){about}"
