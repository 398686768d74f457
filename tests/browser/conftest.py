"""A real browser, sites served over HTTP, and pages on which nothing may go wrong unseen."""

import functools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from browser import ADVICE, find

ROOT = Path(__file__).parents[2]

#: No sandbox, so that it starts as root in a container too; and no requests of its own.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

#: What "WCAG 2.2 A and AA" means to axe.
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")

#: A script after which what the site would remember is refused; the theme may still remember.
FORBID_STORAGE = """
for (const name of ["getItem", "setItem"]) {
  const original = Storage.prototype[name]
  Storage.prototype[name] = function (key, ...rest) {
    if (key.startsWith("traced")) throw new DOMException("forbidden", "SecurityError")
    return original.call(this, key, ...rest)
  }
}
"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests: $CHROME, an installed one, or Playwright's own."""
    chromium = find() or pytest.fail(ADVICE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves a folder on a free port of this machine, and returns its address ("http://.../")."""
    servers: list[ThreadingHTTPServer] = []

    def serve(folder: Path) -> str:
        handler = functools.partial(_Quiet, directory=str(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of this repository's own site, built once."""
    return build(ROOT, tmp_path_factory.mktemp("built") / "site")


@pytest.fixture(scope="session")
def site_url(built_site: Path, serve: Callable[[Path], str]) -> str:
    """The address of this repository's own site, served."""
    return serve(built_site)


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens an address in a context of its own: `visit(url, color_scheme="dark")`.

    `script` runs before the page's own; `clock=True` stops the page's clock, for `page.clock` to
    move. At its end the test fails if a page logged an error or asked anybody else for anything.
    """
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def visit(url: str, *, script: str = "", clock: bool = False, **options: Any) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        origin = "/".join(url.split("/")[:3]) + "/"
        context.on("request", lambda request: _check(request.url, origin, wrong))
        context.on("weberror", lambda error: wrong.append(str(error.error)))
        context.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        if script:
            context.add_init_script(script)
        page = context.new_page()
        if clock:
            page.clock.install(time=0)
        # Deferred scripts have run by then; the search index may still be on its way.
        page.goto(url, wait_until="domcontentloaded")
        if clock:
            page.clock.pause_at(3_600_000)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def violations() -> Callable[..., list[str]]:
    """What axe finds against WCAG 2.2 A and AA on a page, or within a CSS selector of it."""
    axe = Axe()

    def violations(page: Page, within: str = "html") -> list[str]:
        options = {"runOnly": {"type": "tag", "values": list(WCAG)}, "resultTypes": ["violations"]}
        found = axe.run(page, context={"include": [[within]]}, options=options)
        return [
            f"{violation['id']}: {node['html']} {node['failureSummary']}"
            for violation in found.response["violations"]
            for node in violation["nodes"]
        ]

    return violations


def small_site(name: str, target: Path) -> Path:
    """Copy the folder `name` of this one and what readers get of our own, not built yet."""
    shutil.copytree(
        Path(__file__).parent / name, target, ignore=shutil.ignore_patterns("__pycache__")
    )
    assets = target / "docs" / "assets"
    assets.mkdir()
    for asset in ("popups.js", "reader.js", "article.css", "site.css"):
        shutil.copy(ROOT / "docs" / "assets" / asset, assets)
    return target


def build(root: Path, target: Path, config: str = "mkdocs.yml") -> Path:
    """Build the site in `root` into the folder `target`, strictly, and return that."""
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict"]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [*mkdocs, "-f", config, "-d", target],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def _check(url: str, origin: str, wrong: list[str]) -> None:
    if not url.startswith((origin, "data:", "blob:")):
        wrong.append(f"request of {url}")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Say nothing."""
