"""Each folder in tests/cases is a tiny site, and what must come of it.

Beside docs/ and snippets/ a case has diagnostics.txt (what `traced check` reports), or article.html
(the article of its one chapter), or both. `TRACED_UPDATE=1 pytest tests/test_cases.py` writes them
anew: read the difference before you commit it.
"""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from traced import pages
from traced.build import Build, begin
from traced.diagnostics import report
from traced.project import Project, toolchain
from traced.runner import Runner

from .conftest import MKDOCS_YML

CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize("case", sorted(p.name for p in CASES.iterdir() if p.is_dir()))
def test_case(
    case: str,
    tmp_path: Path,
    runner_for: Callable[[Path], Runner],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # there, reports also hold annotations
    root = tmp_path / "site"
    shutil.copytree(CASES / case, root)
    (root / "mkdocs.yml").write_text(MKDOCS_YML)
    runner = runner_for(root)
    build = begin(Build(Project(root), runner))
    articles = pages.convert(build, root / "mkdocs.yml")
    expect(CASES / case / "diagnostics.txt", report(build.faults()))
    chapters = [article for path, article in articles.items() if path.startswith("l/")]
    if len(chapters) == 1:
        expect(CASES / case / "article.html", chapters[0])


def expect(file: Path, got: str) -> None:
    """Compare with the expected file, or write it; a file that is not there expects nothing."""
    got = neutral(got).strip() + "\n" if got else ""
    if os.environ.get("TRACED_UPDATE") and (file.exists() or file.suffix == ".txt"):
        file.write_text(got) if got else file.unlink(missing_ok=True)
    if file.exists() or file.suffix == ".txt":
        assert got == (file.read_text() if file.exists() else "")


def neutral(text: str) -> str:
    """Text without the versions of the day."""
    tools = toolchain()
    for name, version in (("JAX", tools.jax), ("PYTHON", tools.python)):
        text = re.sub(rf"(?<![\d.]){re.escape(version)}(?![\d.])", f"<{name}>", text)
    return text
