"""A built site without what no reader gets anything from: a page must stay within its budget.

Readers wait for bytes, and a chapter has 80 KB of them in 8 requests. What goes here is the
indentation of templates, the theme's styles for what this site does not have, the request for its
second stylesheet, and in scripts and styles of our own what is there for those who write them.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import rcssmin
import rjsmin

# The theme's colours are in a stylesheet of their own; `site` puts them into its main one.
_PALETTE = re.compile(r'<link rel="stylesheet" href="[^"]*assets/stylesheets/palette\.[^"]*">')
_LINES = re.compile(r"\s*\n\s*")
# Bytes of words as they are, others blank. Classes of the theme have ASCII names.
_WORDS = bytes(c if re.match(rb"[\w-]", bytes([c])) else 32 for c in range(256))
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SELECTOR_END = re.compile(r",(?![^()]*\))")  # not between parentheses
_ARGUMENT = re.compile(r"\([^()]*\)")  # of :not(), :is()
_CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
#: Attributes whose values choose among many styles: direction of writing, colours.
_CHOICE = r"(dir|data-md-color-(?:primary|accent))"
_CHOSEN = re.compile(rf"{_CHOICE}=\"([\w-]+)\"")
_CHOOSES = re.compile(rf"\[{_CHOICE}=([\w-]+)\]")


def page(html: str) -> str:
    """A page without indentation and blank lines around its article, which is left as it is.

    It does not ask for the stylesheet of the theme's colours, which `site` puts into another.
    """
    before, opening, rest = html.partition("<article")
    before = _PALETTE.sub("", before)
    article, closing, after = rest.rpartition("</article>")
    return "".join([_LINES.sub("\n", before), opening, article, closing, _LINES.sub("\n", after)])


class _Mentioned:
    """What pages and scripts mention: words, and the choices that are made among styles."""

    def __init__(self, texts: Iterable[str]):
        self._words: set[str] = set()
        self._chosen: set[tuple[str, str]] = set()
        for text in texts:
            self._words.update(text.encode().translate(_WORDS).decode().split())
            self._chosen.update(_CHOSEN.findall(text))
        self._beginnings = tuple(word for word in self._words if word.endswith("-"))

    def allows(self, selector: str) -> bool:
        """Whether all that a selector names is mentioned."""
        names = _CLASS.findall(_ARGUMENT.sub("", selector))
        known = all(name in self._words or name.startswith(self._beginnings) for name in names)
        return known and self._chosen.issuperset(_CHOOSES.findall(selector))


def theme(css: str, texts: Iterable[str]) -> str:
    """A stylesheet without the rules for what occurs in none of `texts`, all pages and scripts.

    That are classes whose name is no word there, nor begins with a word that ends in a hyphen, to
    which a script may add something; colours; and a direction of writing.
    """
    return _without_others(css, _Mentioned(texts))


def _without_others(css: str, mentioned: _Mentioned) -> str:
    def rule(match: re.Match[str]) -> str:
        selectors = [s for s in _SELECTOR_END.split(match[1]) if mentioned.allows(s)]
        return f"{','.join(selectors)}{{{match[2]}}}" if selectors else ""

    return _RULE.sub(rule, css)


def site(folder: Path) -> None:
    """Take out of a site that has been built into `folder` what is not used, and what is not read.

    That are styles of the theme, and comments and indentation in scripts and styles of our own.
    """
    # What search loads to take languages apart, half of all scripts, touches no page.
    scripts = [file for file in folder.glob("assets/**/*.js") if "lunr" not in file.parts]
    mentioned = _Mentioned(file.read_text("utf-8") for file in [*folder.rglob("*.html"), *scripts])
    for file in folder.glob("assets/stylesheets/*.css"):
        file.write_text(_without_others(file.read_text("utf-8"), mentioned), "utf-8")
    _with_palette(folder / "assets" / "stylesheets")
    for ending, shorten in (("css", rcssmin.cssmin), ("js", rjsmin.jsmin)):
        for file in folder.glob(f"assets/*.{ending}"):
            # Comments that begin with "!" are licences.
            file.write_text(shorten(file.read_text("utf-8"), keep_bang_comments=True), "utf-8")


def _with_palette(folder: Path) -> None:
    """Put the theme's colours at the end of its main stylesheet, where `page` expects them."""
    for palette in folder.glob("palette.*.css"):
        colours = palette.read_text("utf-8")
        for main in folder.glob("main.*.css"):
            css = main.read_text("utf-8")
            if not css.endswith(colours):  # a part of a site may have been built before
                main.write_text(f"{css}\n{colours}", "utf-8")
