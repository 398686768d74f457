"""All pages converted as MkDocs would, without templates or files written: for `traced check`."""

from pathlib import Path

from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, get_files
from mkdocs.structure.pages import Page

from traced import notebookfiles
from traced.build import Build
from traced.diagnostics import Diagnostic
from traced.snippets import find
from traced.yamlfile import read_text


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

    What is wrong with them is added to the build. Returns the HTML of the articles
    by the path of their pages, relative to docs.
    """
    config = load_config(str(config_file))
    files = get_files(config)
    add_sources(files, config)
    build.pages = page_names(files)
    report_unreadable(build, files)
    articles = {}
    for file in files.documentation_pages():
        page = Page(None, file, config)
        page.read_source(config)
        build.page = file.src_uri
        page.render(config, files)
        articles[file.src_uri] = page.content or ""
    for chapter in build.chapters.values():
        if chapter.source is not None:
            notebookfiles.make(build, chapter.source, {}, "")
    return articles
