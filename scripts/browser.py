"""Find a Chromium for the browser tests, or get one, and print its path.

    python scripts/browser.py

In this order: $CHROME, one on the PATH or where its installer puts it, Playwright's own;
then `playwright install chromium`; then Debian's package, when root.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
INSTALLED = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    os.path.expandvars(r"%ProgramFiles%\Google\Chrome\Application\chrome.exe"),
)
ADVICE = (
    "The browser tests need Chromium or Chrome, and none could be found or installed: install it "
    "(Debian, as root: `apt-get install chromium`; macOS: `brew install --cask google-chrome`; "
    "elsewhere: https://www.google.com/chrome/), or set CHROME to the path of one."
)


def find() -> str | None:
    """The path of an installed Chromium that starts, or None."""
    return next(filter(_starts, _candidates()), None)


def find_or_install() -> str:
    """The path of a Chromium, installed now if need be; exits with advice if that fails."""
    if path := find():
        return path
    for command in _installers():
        print(f"No Chromium here; running: {' '.join(command)}", file=sys.stderr, flush=True)
        # Standard output is for the path alone.
        subprocess.run(command, stdout=sys.stderr)
    return find() or sys.exit(ADVICE)


def _candidates() -> Iterator[str]:
    if chrome := os.environ.get("CHROME"):
        yield chrome
    yield from filter(None, map(shutil.which, NAMES))
    yield from INSTALLED
    from playwright.sync_api import sync_playwright  # takes half a second, so last

    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def _starts(path: str) -> bool:
    """Whether it runs: Ubuntu has a script named chromium-browser that only says what to do."""
    if not Path(path).is_file() or os.name == "nt":  # on Windows --version opens a window
        return Path(path).is_file()
    return subprocess.run([path, "--version"], capture_output=True).returncode == 0


def _installers() -> Iterator[list[str]]:
    """Commands to try in turn, each only if the one before brought no browser."""
    yield [sys.executable, "-m", "playwright", "install", "chromium"]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not find() and is_root and shutil.which("apt-get"):
        yield ["apt-get", "update"]
        yield ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]


if __name__ == "__main__":
    print(find_or_install())
