"""A page's prose as Markdown that any reader of Markdown shows: what only this site knows is gone.

The parts of a page come from outline.py; what becomes of its blocks is for the caller to say.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from urllib.parse import urljoin, urlsplit

from traced import links, prose
from traced.outline import Heading
from traced.prose import Span

#: What a link leads to, for its target as it is written in the page's source.
type Resolve = Callable[[str], str]

# In text whose code is blanked: the target of a link or an image, and that of a definition.
_TARGET = re.compile(
    r"\]\([ \t]*\n?[ \t]*<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?(?=[ \t\n]*[)\"'])"
    r"|^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^\s<>]+)",
    re.MULTILINE,
)
# What attr_list takes for attributes: classes, ids, keys with values.
_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ ]*(?:[.#][\w:-]+|[\w-]+=(?:\"[^\"\n]*\"|[^\s}]+))[^{}\n]*\}")
_CONTAINER = re.compile(r'([ \t]*)(!!!|\?\?\?\+?|===[!+]*)[ \t]*([\w -]*?)[ \t]*(?:"(.*)")?[ \t]*$')
_SPECIAL = re.compile(r"[\\`*\[\]<]|(?<![^\W_])_|_(?![^\W_])")


def plain_markdown(source: str, resolve: Resolve) -> str:
    """The Markdown of an outline.Text, with nothing in it that other readers would not understand.

    Checked statements are their text, other links lead where `resolve` says, comments and the
    attributes of attr_list are gone, admonitions and tabs are quotations. Code stays as it is. A
    link by reference is kept where its definition is in the same text.
    """
    page = prose.read(_quoted(source))
    edits: list[tuple[Span, str]] = [(_whole_lines(page.source, s), "") for s in page.comments]
    for link in links.within(page):
        edits += [((link.whole[0], link.start), ""), ((link.end, link.whole[1]), "")]
    facts = [span for span, _ in edits]
    for match in _TARGET.finditer(page.text):
        span = match.span(1 if match[1] else 2)
        if not any(start <= span[0] < end for start, end in facts):
            edits.append((span, resolve(page.source[slice(*span)])))
    edits += [(match.span(), "") for match in _ATTRIBUTES.finditer(page.text)]
    text = page.source
    for (start, end), new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return "\n".join(line.rstrip() if not line.endswith("  ") else line for line in _lines(text))


def heading(part: Heading) -> str:
    """A heading as a line of Markdown, its title not read as markup."""
    return f"{'#' * part.level} {escaped(part.title)}"


def with_code(text: str) -> str:
    """Text with code between backticks, as Markdown that says just that."""
    pieces = text.split("`")
    pieces[::2] = map(escaped, pieces[::2])
    return "`".join(pieces)


def escaped(text: str) -> str:
    """Plain text on one line as Markdown that shows just that."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def quoted(title: str, body: str) -> str:
    """A quotation with a bold title, itself Markdown: what an admonition or a tab becomes."""
    lines = [f"**{title}**", "", *body.strip("\n").split("\n")] if title else _lines(body)
    return "\n".join(f"> {line}".rstrip() for line in lines)


def fenced(body: str, language: str = "") -> str:
    """A code block of a text that no line of the text can end."""
    marks = "`" * (max(map(len, re.findall("`{3,}", body)), default=2) + 1)
    return f"{marks}{language}\n{body}\n{marks}"


def resolver(page: str, urls: Mapping[str, str], site_url: str) -> Resolve:
    """Makes the links of a page absolute.

    `page` is its source, relative to docs; `urls` are the addresses of all files of the site by
    their sources, relative to `site_url`. What has a scheme already stays as it is.
    """
    base = urljoin(site_url, urls.get(page, ""))

    def resolve(target: str) -> str:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            return target
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), parts.path))
        if not parts.path or path not in urls:
            return urljoin(base, target)
        return urljoin(site_url, urls[path]) + parts._replace(path="").geturl()

    return resolve


def _lines(text: str) -> list[str]:
    return text.strip("\n").split("\n")


def _whole_lines(text: str, span: Span) -> Span:
    """The span, with the lines it is alone on; what stood around it must not become a gap."""
    start, end = span
    while start and text[start - 1] in " \t":
        start -= 1
    after = re.compile(r"[ \t]*(?:\n|\Z)").match(text, end)
    if start and text[start - 1] != "\n":
        return start, end
    return start, after.end() if after else end


def _quoted(source: str) -> str:
    """The text with admonitions, foldable ones too, and tabs as quotations with a bold title."""
    if not re.search(r"^[ \t]*(?:!!!|\?\?\?|===)", source, re.MULTILINE):
        return source
    shown = prose.read(source).text.split("\n")
    lines, result, i = source.split("\n"), list[str](), 0
    while i < len(lines):
        match = _CONTAINER.match(lines[i]) if shown[i].strip(" \0") else None
        i += 1
        if not match:
            result.append(lines[i - 1])
            continue
        indent = f"{match[1]}    "
        body = []
        while i < len(lines) and (not lines[i].strip() or lines[i].startswith(indent)):
            body.append(lines[i][len(indent) :])
            i += 1
        kind = match[3].split()[0].capitalize() if match[3].strip() else ""
        title = kind if match[4] is None else match[4]
        text = quoted(title, _quoted("\n".join(body).rstrip()))
        result += [f"{match[1]}{line}" for line in text.split("\n")]
        result.append("")
    return "\n".join(result).rstrip()
