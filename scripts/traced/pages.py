"""All pages converted as MkDocs would, without templates or files written: for `traced check`."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, get_files
from mkdocs.structure.nav import get_navigation
from mkdocs.structure.pages import Page

from traced import labs, notebookfiles
from traced.build import Build
from traced.diagnostics import Diagnostic, Place
from traced.snippets import find
from traced.yamlfile import read_text

#: How MkDocs begins what it says of a link: the page's source, and the link as it is written there.
_LINK = re.compile(
    r"Doc file '(?P<page>[^']+)' contains an? (?:\w+ )?(?:link|path) '(?P<link>[^']+)'"
)


def add_sources(files: Files, config: MkDocsConfig) -> None:
    """Put the text of each snippet on the site, for statements to link to what they come from."""
    root = Path(config.config_file_path or ".").parent
    for _, path in find(root):
        file = File(f"{path}.txt", None, config.site_dir, config.use_directory_urls)
        file.abs_src_path = str(root / path)
        files.append(file)


def page_names(files: Files) -> frozenset[str]:
    """The pages of the site, relative to docs: not every Markdown file there need be one."""
    return frozenset(file.src_uri for file in files.documentation_pages())


def report_unreadable(build: Build, files: Files) -> None:
    """Add a fault for each page that is not UTF-8, and have MkDocs read it without what is wrong.

    It would end with a traceback at the first of them.
    """
    for file in files.documentation_pages():
        source = Path(file.abs_src_path or "")
        if source.suffix != ".md" or not source.is_file():
            continue
        faults: list[Diagnostic] = []
        read_text(build.project.docs, file.src_uri, faults)
        if faults:
            file.content_string = source.read_text("utf-8-sig", "replace")
        for fault in faults:
            build.add(fault)


def convert(build: Build, config_file: Path) -> dict[str, str]:
    """Convert every Markdown page of the site, and make the notebooks of chapters.

    What is wrong with them is added to the build, with what MkDocs warns of: links, anchors and the
    navigation. Returns the HTML of the articles by the path of their pages, relative to docs.
    """
    config = load_config(str(config_file))
    files = get_files(config)
    add_sources(files, config)
    if "mkdocs-jupyter" in config.plugins:  # makes pages of labs, for links to lead to
        files = config.plugins["mkdocs-jupyter"].on_files(files, config=config) or files
    build.pages = page_names(files)
    report_unreadable(build, files)
    articles = {}
    with _told() as warnings:
        get_navigation(files, config)
        pages = [
            file.page or Page(None, file, config)
            for file in files.documentation_pages()
            if not labs.is_lab(file)
        ]
        for page in pages:
            page.read_source(config)
            build.page = page.file.src_uri
            page.render(config, files)
            articles[page.file.src_uri] = page.content or ""
        for page in pages:
            page.validate_anchor_links(files=files, log_level=config.validation.links.anchors)
    for warning in warnings:
        build.add(_diagnostic(warning, build, config_file))
    for chapter in build.chapters.values():
        if chapter.source is not None:
            notebookfiles.make(build, chapter.source, {}, "")
    return articles


@contextmanager
def _told() -> Iterator[list[str]]:
    """The warnings that MkDocs logs meanwhile, kept from being printed."""
    told: list[str] = []
    log, handler = logging.getLogger("mkdocs"), logging.Handler(logging.WARNING)
    # One function does not need a class; logging calls what the instance has.
    handler.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    propagates, log.propagate = log.propagate, False
    log.addHandler(handler)
    try:
        yield told
    finally:
        log.removeHandler(handler)
        log.propagate = propagates


def _diagnostic(warning: str, build: Build, config_file: Path) -> Diagnostic:
    """What MkDocs says, at the line of the link that it is about, or else of its configuration."""
    match = _LINK.match(warning)
    if not match:
        return Diagnostic(warning, (Place(config_file.name),))
    docs = build.project.docs
    source = (docs / match["page"]).read_bytes().decode("utf-8", "replace")
    before, found, _ = source.partition(f"({match['link']}")
    line = before.count("\n") + 1 if found else 1
    cause = warning[match.start("link") - 1 :]
    return Diagnostic(f"the link {cause}", (Place(f"{docs.name}/{match['page']}", line),))
