"""A built site without what no reader gets anything from: a page must stay within its budget.

Readers wait for bytes, and a chapter has 80 KB of them. What goes here is indentation in templates,
colours that the site does not use, and comments.
"""

import re
from collections.abc import Callable, Collection
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COLOUR = re.compile(r"\[data-md-color-((?:primary|accent)=[\w-]+)\]")
_LINES = re.compile(r"\s*\n\s*")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_JS_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)


def page(html: str) -> str:
    """A page without indentation and blank lines around its article, which is left as it is."""
    before, opening, rest = html.partition("<article")
    article, closing, after = rest.rpartition("</article>")
    return "".join([_LINES.sub("\n", before), opening, article, closing, _LINES.sub("\n", after)])


def palette(css: str, used: Collection[str]) -> str:
    """Material's palette without rules for colours that are not used.

    `used` are written "primary=white", "accent=indigo".
    """

    def rule(match: re.Match[str]) -> str:
        selectors = [s for s in match[1].split(",") if set(_COLOUR.findall(s)) <= set(used)]
        return f"{','.join(selectors)}{{{match[2]}}}" if selectors else ""

    return _RULE.sub(rule, css)


def style(css: str) -> str:
    """A stylesheet without comments and indentation."""
    return _LINES.sub("\n", _CSS_COMMENT.sub("", css)).strip()


def script(js: str) -> str:
    """A script without indentation and lines that are comments.

    It must have no string of several lines.
    """
    return _LINES.sub("\n", _JS_COMMENT.sub("", js)).strip()


def site(config: MkDocsConfig) -> None:
    """Do this to the palette, the styles and the scripts of a site that has been built."""
    folder = Path(config.site_dir)
    schemes = config.theme.get("palette") or {}
    used = {
        f"{kind}={scheme.get(kind, 'indigo').replace(' ', '-')}"
        for scheme in (schemes if isinstance(schemes, list) else [schemes])
        for kind in ("primary", "accent")
    }
    for file in (folder / "assets" / "stylesheets").glob("palette.*.css"):
        _rewrite(file, lambda css: palette(css, used))
    for css in config.extra_css:
        _rewrite(folder / str(css), style)
    for js in config.extra_javascript:
        _rewrite(folder / str(js), script)


def _rewrite(file: Path, change: Callable[[str], str]) -> None:
    if file.is_file():  # it may be an address elsewhere
        file.write_text(change(file.read_text("utf-8")), "utf-8")
