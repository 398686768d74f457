"""The notebooks of a site's chapters, put beside their pages."""

from collections.abc import Mapping
from pathlib import Path

from traced import notebook, outline
from traced.build import Build
from traced.plainmd import resolver
from traced.project import Project, toolchain


def make(build: Build, source: str, urls: Mapping[str, str], site: str) -> bytes:
    """The notebook of a chapter; what is wrong with it is added to the build.

    `source` is that of the chapter relative to docs; `urls` are the addresses of all files of the
    site by their sources, relative to `site`.
    """
    project = build.project
    chapter = notebook.Chapter(
        source,
        toolchain(),
        build.known,
        lambda folder, module: _helper(project, folder, module),
        resolver(source, urls, site),
    )
    parts = outline.read((project.docs / source).read_text("utf-8-sig"))
    content, faults = notebook.make(chapter, parts)
    for fault in faults:
        build.add(fault)
    return content


def write(build: Build, targets: Mapping[str, Path], urls: Mapping[str, str], site: str) -> None:
    """Write the notebooks of chapters into the files that `targets` has for their sources."""
    for source, target in targets.items():
        content = make(build, source, urls, site)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _helper(project: Project, folder: str, module: str) -> str:
    """The source of a module that snippets in a folder import from there or from beside it."""
    for file in (project.snippets / folder / f"{module}.py", project.snippets / f"{module}.py"):
        if file.is_file():
            return file.read_text("utf-8-sig")
    return ""
