"""The same pages as three sites: with this project, plain with outputs pasted in, markdown-exec's.

The first is what authors get: the repository's own mkdocs.yml, theme, assets and glossary, without
the labs (they are another project's work, and would only dilute the ratios). The plain one has the
same Material, search and Markdown extensions, and nothing of ours.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from mkdocs.utils import yaml_load

from bench import workload
from traced.project import Project
from traced.runner import Runner

ROOT = Path(__file__).resolve().parent.parent

#: Programs on a page.
PER_PAGE = 5


class Site(NamedTuple):
    """A site in a folder of its own, and the files that `edit` changes."""

    folder: Path
    prose: Path
    snippet: Path | None

    def edit(self, what: str) -> str:
        """Raise the number in the one sentence or program that has it; returns what must show."""
        file = self.prose if what == "prose" else self.snippet
        assert file is not None
        text = file.read_text()
        match = re.search(workload.NUMBERED[what], text)
        assert match is not None
        new = f"{match[0].split()[0]} {int(match[1]) + 1}"
        file.write_text(text[: match.start()] + new + text[match.end() :])
        return new

    @property
    def edited_page(self) -> str:
        """The URL of the page that shows both edits, relative to the site's."""
        return f"l/{self.prose.stem}/"

    def pages(self) -> Iterator[Path]:
        """The HTML of every chapter, as built."""
        return (self.folder / "site" / "l").glob("*/index.html")


def traced(folder: Path, count: int) -> Site:
    """With this project: a percent file for each program, a block that shows it."""
    site = _site(folder, count, lambda number: f"/// snippet | s{number:03d}\n///\n")
    for number in range(count):
        file = _snippet(folder, count, number)
        file.parent.mkdir(parents=True, exist_ok=True)
        parts = [f"# %% {name}\n{source}" for name, source in _cells(count, number)]
        file.write_text("\n".join([f'"""Program {number}."""\n', *parts]))
    shutil.copytree(ROOT / "docs" / "assets", folder / "docs" / "assets")
    _glossary(folder, count)
    config = _config(count)
    config["theme"]["custom_dir"] = str(ROOT / config["theme"]["custom_dir"])
    config["watch"] = [str(folder / "snippets"), str(ROOT / "scripts")]
    _write_config(folder, config)
    return site._replace(snippet=_snippet(folder, count, _edited(count)))


def outputs(site: Site) -> dict[int, str]:
    """What each program of a `traced` site prints, by its number; leaves no cache behind.

    Raises RuntimeError where one does not run as it should: nothing else would then compare.
    """
    project = Project(site.folder)
    runner = Runner(project)
    names = [f"{f.parent.name}/{f.stem}" for f in sorted(project.snippets.glob("*/*.py"))]
    printed = {}
    try:
        for name, future in runner.start(names).items():
            outcome = future.result()
            if outcome.run is None:
                raise RuntimeError("\n".join(map(str, outcome.diagnostics)))
            texts = [chunk.text for cell in outcome.run.cells for chunk in cell.output]
            printed[int(name.rpartition("s")[2])] = "".join(texts)
    finally:
        runner.close()
        shutil.rmtree(site.folder / ".cache", ignore_errors=True)
    return printed


def plain(folder: Path, count: int, printed: dict[int, str]) -> Site:
    """Programs and outputs as code fences."""

    def block(number: int) -> str:
        return (
            f"```python\n{_program(count, number)}```\n\n```text\n{printed[number].rstrip()}\n```\n"
        )

    site = _site(folder, count, block)
    _write_config(folder, _plain_config(count))
    return site


def markdown_exec(folder: Path, count: int) -> Site:
    """Programs as code fences that markdown-exec runs, all in the one process of MkDocs."""

    def block(number: int) -> str:
        options = 'exec="on" source="above" result="text"'
        return f"```python {options}\n{_program(count, number)}```\n"

    site = _site(folder, count, block)
    config = _plain_config(count)
    config["plugins"]["markdown-exec"] = {}
    _write_config(folder, config)
    return site._replace(snippet=site.prose)


def _site(folder: Path, count: int, block: Callable[[int], str]) -> Site:
    """Write the Markdown of all pages; `block` gives what shows a program."""
    chapters = folder / "docs" / "l"
    chapters.mkdir(parents=True)
    (folder / "docs" / "index.md").write_text("# Benchmark\n")
    edited = _edited(count) // PER_PAGE
    for page in range(count // PER_PAGE):
        numbers = range(page * PER_PAGE, (page + 1) * PER_PAGE)
        front = f"---\ntitle: Chapter {page}\npath: jax\nnumber: {page + 1}\nenables: see\n---\n"
        parts = [front, f"# Chapter {page}\n", workload.opening(page == edited)]
        parts += [workload.section(f"Program {number}", block(number)) for number in numbers]
        taught = [term["term"] for term in _taught(count) if term["chapter"] == _slug(page)]
        parts.append(f"Terms: {', '.join(taught)}.\n")
        (chapters / f"{_slug(page)}.md").write_text("\n".join(parts))
    return Site(folder, chapters / f"{_slug(edited)}.md", None)


def _slug(page: int) -> str:
    return f"ch{page:03d}"


def _snippet(folder: Path, count: int, number: int) -> Path:
    return folder / "snippets" / _slug(number // PER_PAGE) / f"s{number:03d}.py"


def _edited(count: int) -> int:
    """The program that is edited: the second on the page in the middle."""
    return count // PER_PAGE // 2 * PER_PAGE + 1


def _cells(count: int, number: int) -> list[tuple[str, str]]:
    *first, (name, source) = workload.cells(number)
    if number == _edited(count):
        source += workload.SNIPPET_LINE + "\n"
    return [*first, (name, source)]


def _program(count: int, number: int) -> str:
    return "\n".join(source for _, source in _cells(count, number))


def _taught(count: int) -> list[dict[str, Any]]:
    """The repository's own terms, as if the benchmark's chapters taught them in turn."""
    terms: list[dict[str, Any]] = yaml.safe_load((ROOT / "docs" / "glossary.yml").read_text())
    for index, term in enumerate(terms):
        term["chapter"] = _slug(index % (count // PER_PAGE))
    return terms


def _glossary(folder: Path, count: int) -> None:
    (folder / "docs" / "glossary.yml").write_text(yaml.safe_dump(_taught(count)))
    shutil.copy(ROOT / "docs" / "glossary.md", folder / "docs")


def _config(count: int) -> dict[str, Any]:
    """The repository's configuration for the benchmark's pages."""
    with (ROOT / "mkdocs.yml").open() as file:
        config: dict[str, Any] = yaml_load(file)
    config["nav"] = ["index.md", *(f"l/{_slug(page)}.md" for page in range(count // PER_PAGE))]
    config["plugins"].pop("mkdocs-jupyter", None)
    config["site_url"] = "https://example.org/"
    return config


def _plain_config(count: int) -> dict[str, Any]:
    config = _config(count)
    del config["plugins"]["traced"]
    config["markdown_extensions"].remove("traced.markdown")
    del config["theme"]["custom_dir"]
    for name in ("favicon", "logo"):
        config["theme"].pop(name, None)
    for name in ("watch", "extra_css", "extra_javascript"):
        config.pop(name, None)
    return config


def _write_config(folder: Path, config: dict[str, Any]) -> None:
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config, sort_keys=False))
