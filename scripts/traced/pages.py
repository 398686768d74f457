"""All pages converted as MkDocs would, without templates or files written: for `traced check`."""

from pathlib import Path

from mkdocs.config import load_config
from mkdocs.structure.files import get_files
from mkdocs.structure.pages import Page

from traced.build import Build


def convert(build: Build, config_file: Path) -> dict[str, str]:
    """Convert every Markdown page of the site; what is wrong with them is added to the build.

    Returns the HTML of the articles by the path of their pages, relative to docs.
    """
    config = load_config(str(config_file))
    files = get_files(config)
    articles = {}
    for file in files.documentation_pages():
        page = Page(None, file, config)
        page.read_source(config)
        build.page = file.src_uri
        page.render(config, files)
        articles[file.src_uri] = page.content or ""
    return articles
