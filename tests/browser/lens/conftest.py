"""A small site with lenses, and the page that has them."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import ROOT, build

SITE = Path(__file__).parent / "site"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site with four lenses on one page and none on the other, not built yet."""
    root = tmp_path_factory.mktemp("lens") / "root"
    shutil.copytree(SITE, root, ignore=shutil.ignore_patterns("__pycache__", ".cache"))
    shutil.copytree(ROOT / "docs" / "assets", root / "docs" / "assets")
    shutil.copytree(ROOT / "scripts" / "traced" / "theme", root / "theme")
    return root


@pytest.fixture(scope="module")
def url(folder: Path, serve: Callable[[Path], str]) -> str:
    """The address of the page with lenses."""
    return serve(build(folder, folder.parent / "site")) + "l/lens/"


@pytest.fixture
def page(visit, url: str) -> Page:
    """That page, as most tests look at it."""
    return visit(url)
