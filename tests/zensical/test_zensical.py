"""Zensical, the successor of Material for MkDocs, must build the same articles from mkdocs.yml.

It runs in an environment of its own under .cache/, which sees the packages of this one as well.
"""

import hashlib
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import bs4
import pytest

ROOT = Path(__file__).parent.parent.parent
REQUIREMENTS = Path(__file__).parent / "requirements.txt"


@pytest.fixture(scope="module")
def zensical() -> Path:
    """Zensical's command; skips with pip's own words where it cannot be installed."""
    pinned = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    venv = ROOT / ".cache" / f"zensical-{pinned[:16]}"
    scripts = venv / ("Scripts" if sys.platform == "win32" else "bin")
    if not (venv / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True)
        pip = [str(scripts / "python"), "-m", "pip", "install", "--quiet", "--require-hashes"]
        done = subprocess.run([*pip, "-r", str(REQUIREMENTS)], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"Zensical cannot be installed here: {done.stderr.strip()[-300:]}")
        (venv / "complete").touch()
    packages = sysconfig.get_path("purelib", vars={"base": str(venv)})
    ours = [ROOT / "scripts", ROOT / "snippets", sysconfig.get_path("purelib")]
    Path(packages, "traced.pth").write_text("\n".join(map(str, ours)))
    return scripts / "zensical"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site's sources, and what the cache holds of them, apart from this folder."""
    root = tmp_path_factory.mktemp("zensical")
    for folder in ("docs", "snippets", "scripts/traced/theme", ".cache/traced/runs"):
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, root / folder)
    shutil.rmtree(root / "docs" / "labs")
    config = (ROOT / "mkdocs.yml").read_text("utf-8")
    lines = [line for line in config.splitlines() if "labs" not in line.lower()]
    (root / "mkdocs.yml").write_text("\n".join(lines), "utf-8")
    return root


def test_articles_are_those_of_mkdocs(zensical: Path, copy: Path) -> None:
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", "mkdocs-site"]
    for command in (mkdocs, [str(zensical), "build"]):
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    for source in sorted((copy / "docs").rglob("*.md")):
        page = source.relative_to(copy / "docs").with_suffix("")
        page = page.parent if page.name == "index" else page
        ours, theirs = (
            article(copy / site / page / "index.html") for site in ("mkdocs-site", "site")
        )
        assert theirs == ours, page


def article(file: Path) -> list[str]:
    """The article of a built page, line by line, but for what the generators add or take away."""
    soup = bs4.BeautifulSoup(file.read_text("utf-8"), "html.parser")
    body = soup.select_one("article")
    assert body
    # Where Zensical's "Skip to content" leads, and links to the files that the plugin makes.
    for extra in body.select("#__skip, .lab-files"):
        extra.decompose()
    for excluded in body.select("[data-search-exclude]"):  # Zensical uses it up
        del excluded["data-search-exclude"]
    for lab in body.select("a[href*='labs/']"):  # the copy has none, and the two say so differently
        del lab["href"]
    return body.prettify().splitlines()
