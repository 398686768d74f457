"""The files beside the pages: each page as Markdown, a picture for links to it, and llms.txt.

MkDocs alone has them: they need to know all pages of the site, and where each of them goes.
"""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import msgspec
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from traced import labs, llms, markdowntext, outline, plainmd, preview
from traced.build import Build
from traced.chapters import Chapter
from traced.outline import Heading, Part
from traced.project import toolchain

#: The files with all pages, relative to the site.
INDEX, FULL = "llms.txt", "llms-full.txt"

#: The section of llms.txt with the pages that no section of the navigation has.
_OTHERS = "More pages"


class Picture(msgspec.Struct, frozen=True):
    """What the template says of a page's picture."""

    url: str
    alt: str
    width: int = preview.WIDTH
    height: int = preview.HEIGHT


class Beside(msgspec.Struct, frozen=True):
    """What a page's template says of the files beside it.

    `text` is the page's Markdown, relative to the page. `picture` is None for a site without a home
    page, or one that does not know its address.
    """

    text: str
    title: str
    description: str
    picture: Picture | None
    is_chapter: bool = False


class Companions:
    """Those of one build of the site; `page` is asked once for each page, `finish` at the end."""

    def __init__(self, build: Build, config: MkDocsConfig, nav: Navigation, files: Files):
        self._build = build
        self._config = config
        self._nav = nav
        self._chapters = {c.source: c for c in build.chapters.values()}
        self._titles: dict[str, str] = {}
        self._documents: dict[str, str] = {}
        # Where no address is given, the site is taken to be at the root of its server.
        self._base = config.site_url or "/"
        self._pages = {file.src_uri: file.url for file in files}
        texts = {file.src_uri: text_uri(file) for file in files.documentation_pages()}
        self._texts = self._pages | texts

    def page(self, page: Page) -> Beside:
        """Write the files beside a page that has been converted."""
        file = page.file
        chapter = self._chapters.get(file.src_uri)
        is_lab = labs.is_lab(file)
        parts = [] if is_lab else list(outline.read(file.content_string))
        heading = next((p for p in parts if isinstance(p, Heading) and p.level == 1), None)
        if heading:
            parts.remove(heading)
        given = page.meta.get("title") or page.title or ""
        title = heading.title if heading else llms.one_line(str(given))
        description = llms.one_line(str(page.meta.get("description") or ""))
        self._titles[file.src_uri] = title
        if not is_lab:
            self._document(page, title, description, parts)
        return Beside(
            posixpath.basename(text_uri(file)),
            title,
            description or llms.one_line(self._config.site_description or ""),
            self._picture(page, title, parts),
            chapter is not None,
        )

    def finish(self) -> None:
        """Write the files of the whole site, in the order of its navigation."""
        sections = list(_sections(self._nav))
        full = urljoin(self._base, FULL)
        jax = toolchain().jax
        notes = (
            f"Every listing is what JAX {jax} printed when the site was built. Each link below is "
            f"a page as text, outputs included; [{FULL}]({full}) has all chapters and pages in one."
        )
        listed = [(title, [self._entry(page) for page in pages]) for title, pages in sections]
        config = self._config
        self._write(
            INDEX, llms.index(config.site_name, config.site_description or "", notes, listed)
        )
        ordered = (page.file.src_uri for _, pages in sections for page in pages)
        documents = (self._documents[uri] for uri in ordered if uri in self._documents)
        self._write(FULL, "\n".join(documents))

    def _document(self, page: Page, title: str, description: str, parts: list[Part]) -> None:
        uri = page.file.src_uri
        source = markdowntext.Source(uri, self._build, self._resolver(uri))
        chapter = self._chapters.get(uri)
        where = f"Page: <{page.canonical_url}>. " if page.canonical_url else ""
        text = llms.document(
            title,
            _standing(chapter),
            description,
            f"{where}All output is of JAX {toolchain().jax}.",
            markdowntext.text(parts, source),
        )
        self._documents[uri] = text
        self._write(text_uri(page.file), text)

    def _resolver(self, uri: str) -> plainmd.Resolve:
        """Links to a page lead to its text, those to a section to the page: no text has ids."""
        to_page = plainmd.resolver(uri, self._pages, self._base)
        to_text = plainmd.resolver(uri, self._texts, self._base)
        return lambda target: (to_page if "#" in target else to_text)(target)

    def _picture(self, page: Page, title: str, parts: list[Part]) -> Picture | None:
        """A chapter has a picture of its own, other pages share that of the home page."""
        chapter = self._chapters.get(page.file.src_uri)
        uri = f"assets/previews/{chapter.slug if chapter else 'index'}.png"
        alt = site = self._config.site_name
        if chapter or page.is_homepage:
            source = markdowntext.Source(page.file.src_uri, self._build, lambda target: target)
            boxes = markdowntext.opening(parts, source)
            shown = tuple((box.text, box.language) for box in boxes)
            card = preview.Card(site, _standing(chapter), title, shown)
            self._write(uri, preview.picture(card, self._build.project))
            alt = f"{', '.join(filter(None, [site, card.standing]))}: {title}"
        elif self._nav.homepage is None:
            return None
        return Picture(urljoin(self._base, uri), alt) if self._config.site_url else None

    def _entry(self, page: Page) -> llms.Entry:
        uri = page.file.src_uri
        url = urljoin(self._base, self._texts[uri])
        return llms.Entry(self._titles[uri], url, str(page.meta.get("description") or ""))

    def _write(self, uri: str, content: str | bytes) -> None:
        file = Path(self._config.site_dir, uri)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)


def text_uri(file: File) -> str:
    """Where the text of a page is, relative to the site: its Markdown, or the source of a lab."""
    if labs.is_lab(file):
        return labs.source_uri(file)
    return posixpath.splitext(file.dest_uri)[0] + ".md"


def _standing(chapter: Chapter | None) -> str:
    """Where a chapter stands, as the beginning of a sentence; "" for another page."""
    return chapter.standing[:1].upper() + chapter.standing[1:] if chapter else ""


def _sections(nav: Navigation) -> Iterator[tuple[str, list[Page]]]:
    """The sections of the navigation and their pages, then the pages in no section."""
    for item in nav.items:
        if isinstance(item, Section):
            yield item.title, list(_pages(item))
    yield _OTHERS, [item for item in nav.items if isinstance(item, Page)]


def _pages(section: Section) -> Iterator[Page]:
    for item in section.children:
        if isinstance(item, Page):
            yield item
        elif isinstance(item, Section):
            yield from _pages(item)
