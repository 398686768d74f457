"""Labs: what mkdocs-jupyter, which runs and draws them, leaves to do."""

import json
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from traced.project import Project, toolchain

_CELL_ID = re.compile(r' id="cell-id=[0-9a-f]+"')
# What stands between two texts that one cell printed: a kernel sends what it has every so often.
_SPLIT = re.compile(
    r"</pre>\s*</div>\s*</div>\s*"
    r'<div class="jp-OutputArea-child">\s*'
    r'<div class="jp-RenderedText jp-OutputArea-output" data-mime-type="text/plain"[^>]*>\s*<pre>'
)


def is_lab(file: File) -> bool:
    """Whether a file of the site is a lab."""
    return file.src_uri.startswith("labs/")


def source_uri(file: File) -> str:
    """Where mkdocs-jupyter puts the source of a lab, relative to the site: beside its page."""
    return posixpath.join(posixpath.dirname(file.dest_uri), posixpath.basename(file.src_uri))


def keep_cache(project: Project, settings: Any) -> None:
    """Name the cache after the version of JAX, and drop from it what cannot be read.

    mkdocs-jupyter's own key is the notebook's text, and a damaged entry would fail every build.
    """
    cache = project.cache / f"labs-jax-{toolchain().jax}"
    settings["cache_dir"] = str(cache)
    for entry in cache.glob("*.json"):
        try:
            json.loads(entry.read_text("utf-8"))
        except ValueError:
            entry.unlink()


def tidy(html: str) -> str:
    """The page of a lab without what changes from build to build, its listings not searched."""
    html = _SPLIT.sub("", _CELL_ID.sub("", html))
    # The second is what the button beside a cell copies.
    return re.sub(r'<(pre(?=>)|div class="clipboard-copy-txt")', r"<\1 data-search-exclude", html)


def write_notebook(source: Path, target: Path) -> None:
    """Write a lab, a Python file with cells, as a notebook that has not been run."""
    import jupytext  # a third of a second, which a site without labs should not pay
    import nbformat

    notebook = jupytext.read(source)
    for number, cell in enumerate(notebook.cells, 1):
        cell["id"] = f"cell-{number}"  # jupytext's are random
    nbformat.write(notebook, target)
