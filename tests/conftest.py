"""What tests share: one warm worker, and sites written into temporary folders."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from traced import workers
from traced.project import Project
from traced.runner import Outcome, Runner

Site = Callable[[dict[str, str | bytes]], Path]
Run = Callable[..., Outcome]

#: The least that MkDocs needs to convert the pages of a test's site.
MKDOCS_YML = """\
site_name: Test
use_directory_urls: true
plugins: []
markdown_extensions:
  - attr_list
  - tables
  - pymdownx.highlight
  - pymdownx.superfences
  - pymdownx.blocks.details
  - traced.markdown
"""


@pytest.fixture(scope="session")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[workers.Worker]:
    """One fork server for all tests: what is isolated is the snippet, not the server."""
    project = Project(tmp_path_factory.mktemp("worker"))
    server = workers.start(project)
    yield server
    server.close()


@pytest.fixture
def runner_for(worker: workers.Worker) -> Callable[[Path], Runner]:
    """Makes a Runner for the site in a folder, on the shared worker."""
    return lambda root: Runner(Project(root), lambda: worker)


@pytest.fixture
def site(tmp_path: Path) -> Callable[[dict[str, str | bytes]], Path]:
    """Writes files (path: text) into a new folder and returns it."""

    def write(files: dict[str, str | bytes]) -> Path:
        for path, content in {"mkdocs.yml": MKDOCS_YML, **files}.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            raw = content if isinstance(content, bytes) else content.encode()
            file.write_bytes(raw)
        return tmp_path

    return write


@pytest.fixture
def run(site: Site, runner_for: Callable[[Path], Runner]) -> Run:
    """Runs the text of a snippet on the shared fork server."""

    def go(text: str, name: str = "c/a") -> Outcome:
        root = site({f"snippets/{name}.py": text})
        return runner_for(root).start([name])[name].result()

    return go
