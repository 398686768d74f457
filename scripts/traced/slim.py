"""A built site without what no reader gets anything from: a page must stay within its budget.

Readers wait for bytes, and a chapter has 80 KB of them. What goes here is the indentation of
templates, and the theme's styles for what this site does not have.
"""

import re
from collections.abc import Iterable
from pathlib import Path

_LINES = re.compile(r"\s*\n\s*")
_WORD = re.compile(r"[\w-]+")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SELECTOR_END = re.compile(r",(?![^()]*\))")  # not between parentheses
_ARGUMENT = re.compile(r"\([^()]*\)")  # of :not(), :is()
_CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
#: Attributes whose values choose among many styles: direction of writing, colours.
_CHOICE = r"(dir|data-md-color-(?:primary|accent))"
_CHOSEN = re.compile(rf"\b{_CHOICE}=\"([\w-]+)\"")
_CHOOSES = re.compile(rf"\[{_CHOICE}=([\w-]+)\]")


def page(html: str) -> str:
    """A page without indentation and blank lines around its article, which is left as it is."""
    before, opening, rest = html.partition("<article")
    article, closing, after = rest.rpartition("</article>")
    return "".join([_LINES.sub("\n", before), opening, article, closing, _LINES.sub("\n", after)])


def theme(css: str, texts: Iterable[str]) -> str:
    """A stylesheet without the rules for what occurs in none of `texts`, all pages and scripts.

    That are classes whose name is no word there, nor begins with a word that ends in a hyphen, to
    which a script may add something; colours; and a direction of writing.
    """
    words: set[str] = set()
    chosen: set[tuple[str, str]] = set()
    for text in texts:
        words.update(_WORD.findall(text))
        chosen.update(_CHOSEN.findall(text))
    beginnings = tuple(word for word in words if word.endswith("-"))

    def used(selector: str) -> bool:
        names = _CLASS.findall(_ARGUMENT.sub("", selector))
        known = all(name in words or name.startswith(beginnings) for name in names)
        return known and chosen.issuperset(_CHOOSES.findall(selector))

    def rule(match: re.Match[str]) -> str:
        selectors = [s for s in _SELECTOR_END.split(match[1]) if used(s)]
        return f"{','.join(selectors)}{{{match[2]}}}" if selectors else ""

    return _RULE.sub(rule, css)


def site(folder: Path) -> None:
    """Take out of the theme's styles what a site that has been built into `folder` does not use."""
    files = [*folder.rglob("*.html"), *folder.glob("assets/**/*.js")]
    texts = [file.read_text("utf-8") for file in files]
    for file in folder.glob("assets/stylesheets/*.css"):
        file.write_text(theme(file.read_text("utf-8"), texts), "utf-8")
