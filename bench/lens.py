"""What a lens costs: `python -m bench.lens`.

Recording: the snippet of attend with its lens against the same without, in turn, in one fork
server. Opening: the longest task while a page with a lens loads, and the elements of the lens, in
the Chromium that the browser tests use, on site/ as `make build` leaves it.
"""

import functools
import http.server
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import click
from playwright.sync_api import sync_playwright

from traced.project import Project
from traced.runner import Runner

ROOT = Path(__file__).parent.parent
_TASKS = """window.longest = 0
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration)
}).observe({ type: "longtask", buffered: true })"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@click.command()
@click.option("--runs", default=7, show_default=True, help="Rounds; medians are over them.")
def main(runs: int) -> None:
    """Report what a lens costs to record and to open."""
    record(runs)
    open_pages(runs)


def record(runs: int) -> None:
    """Print the seconds that recording attend's layers adds to its snippet."""
    header = '# %% attend lens="attend(q, k)"\n'
    text = (ROOT / "snippets/index/descent.py").read_text("utf-8")
    body = text.split("\n", 3)[3].partition("# %%")[0]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "snippets/c").mkdir(parents=True)
        for name, head in (("plain", "# %% attend\n"), ("lens", header)):
            (root / f"snippets/c/{name}.py").write_text(head + body, "utf-8")
        runner = Runner(Project(root))
        taken: dict[str, list[float]] = {"plain": [], "lens": []}
        for _ in range(runs + 1):  # the first waits for the worker
            for name, times in taken.items():
                start = time.monotonic()
                outcome = runner.start([f"c/{name}"], again=True)[f"c/{name}"].result()
                times.append(time.monotonic() - start)
                assert outcome.run, outcome.diagnostics
        runner.close()
    plain, lens = (statistics.median(times[1:]) for times in taken.values())
    print(f"attend {plain:.2f} s, with its lens {lens:.2f} s: {lens - plain:+.2f} s")


def open_pages(runs: int) -> None:
    """Print the longest task on opening each page with a lens, beside one without."""
    sys.path.insert(0, str(ROOT / "scripts"))
    from browser import find

    handler = functools.partial(_Quiet, directory=str(ROOT / "site"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        for path in ("glossary/", "", "l/jaxpr/", "l/stablehlo/", "l/xla/"):
            longest = []
            for _ in range(runs):
                page = browser.new_page()
                page.add_init_script(_TASKS)
                page.goto(f"http://127.0.0.1:{server.server_port}/{path}", wait_until="networkidle")
                longest.append(page.evaluate("longest"))
                elements = page.locator("figure.lens *").count()
                page.close()
            median = statistics.median(longest)
            print(f"/{path:14} longest task {median:3.0f} ms, {elements} elements in the lens")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
