"""The plugin in MkDocs itself: what a build exits with, and what is served meanwhile."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from traced.worker.processes import descendants

from .conftest import MKDOCS_YML, Site
from .processes import gone, wait_until

CONFIG = MKDOCS_YML.replace("plugins: []", "plugins: [traced]\nwatch: [snippets]")


def page(number: int, body: str) -> str:
    front = f"title: Page {number}\npath: jax\nnumber: {number}\nenables: see\n"
    return f"---\n{front}---\n\n# Page {number}\n\n{body}"


A = page(1, "/// snippet | one\n    show: output\n///\n")
B = page(2, "Prose of b.\n\n/// snippet | one\n    show: output\n///\n")

GOOD: dict[str, str | bytes] = {
    "mkdocs.yml": CONFIG,
    "docs/index.md": "# Start\n",
    "docs/l/a.md": A,
    "docs/l/b.md": B,
    "snippets/a/one.py": "# %% x\nprint('output', 'of a')\n",
    "snippets/b/one.py": "# %% x\nprint('output', 'of b')\n",
}

# Loaded by every Python below a process that has its folder on PYTHONPATH, but no snippet has.
NO_WORKER = """\
import subprocess

start = subprocess.Popen.__init__

def refuse(self, args, *rest, **options):
    if "traced.worker" in str(args):
        raise OSError("no worker may start here")
    start(self, args, *rest, **options)

subprocess.Popen.__init__ = refuse
"""


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    return kept | {"NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0"} | more


def mkdocs(root: Path, *arguments: str, **more: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=root,
        env=environment(**more),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # Ctrl-C is ignored by what a shell starts in the background, and so by its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def build(root: Path, **more: str) -> tuple[int, str]:
    """Exit code and standard error of `mkdocs build -q`."""
    process = mkdocs(root, "build", "-q", **more)
    said = process.communicate()[1]
    return process.returncode, said


def articles(root: Path) -> dict[str, bytes]:
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("site/**/*.html")}


def test_a_faulty_site_fails_with_every_fault(site: Site) -> None:
    root = site(
        GOOD
        | {
            "docs/l/b.md": B + "\n/// snippet | two\n///\n",
            "docs/glossary.yml": "- term: jaxpr\n  definition: A program.\n  chapter: c\n",
            "snippets/a/one.py": "# %% x\nprint('before')\n1 / 0\n",
            "snippets/b/three.py": "# %% x\nimport os\nos.abort()\n",
        }
    )
    code, said = build(root)
    assert code == 1
    for fault in (
        "docs/glossary.yml:3: the term 'jaxpr' is taught nowhere",
        "docs/l/b.md:16: unknown snippet 'b/two'",
        "snippets/a/one.py:3: cell 'x' raised ZeroDivisionError: division by zero\n"
        "    also docs/l/a.md:10\n",
        "snippets/b/three.py:1: cell 'x' ended the process (killed by SIGABRT)",
        "snippets/b/three.py:1: no page shows this snippet",
        "5 problems",
    ):
        assert fault in said
    assert "Traceback" not in said
    assert "output of b" in (root / "site/l/b/index.html").read_text()


@pytest.mark.parametrize(("urls", "file"), [("true", "l/a/a.ipynb"), ("false", "l/a.ipynb")])
def test_the_notebook_of_a_chapter_is_beside_its_page(site: Site, urls: str, file: str) -> None:
    config = f"{CONFIG}site_url: https://example.org/x/\n"
    config = config.replace("use_directory_urls: true", f"use_directory_urls: {urls}")
    root = site(GOOD | {"mkdocs.yml": config, "docs/l/b.md": B + "\n[A](a.md)\n"})
    assert build(root) == (0, "")
    assert "output of a" in (root / "site" / file).read_text()
    address = "l/a/" if urls == "true" else "l/a.html"
    other = (root / "site" / file.replace("a.", "b.").replace("/a/", "/b/")).read_text()
    assert f"[A](https://example.org/x/{address})" in other
    assert not (root / "site" / "index.ipynb").exists()


def test_what_has_not_changed_needs_no_worker(site: Site, tmp_path: Path) -> None:
    root = site(GOOD | {"none/sitecustomize.py": NO_WORKER})
    path = os.pathsep.join([str(root / "none"), *filter(None, [os.environ.get("PYTHONPATH")])])
    no_worker = {"PYTHONPATH": path}
    assert build(root) == (0, "")
    first = articles(root)
    assert b"output of a" in first["site/l/a/index.html"]
    assert build(root, **no_worker) == (0, "")
    assert articles(root) == first
    (root / "docs/l/b.md").write_text(B.replace("Prose", "New prose"))
    assert build(root, **no_worker) == (0, "")
    assert b"New prose of b." in articles(root)["site/l/b/index.html"]
    (root / "snippets/b/one.py").write_text("# %% x\nprint('output', 'of a new b')\n")
    code, said = build(root, **no_worker)
    assert code == 1
    assert "snippets/b/one.py:1: the worker could not run it: no worker may start here" in said
    assert "1 problem\n" in said


def test_two_builds_at_once_give_the_same(site: Site) -> None:
    root = site(GOOD)
    both = [mkdocs(root, "build", "-q", "-d", folder) for folder in ("site/1", "site/2")]
    assert [(b.communicate()[1], b.returncode) for b in both] == [("", 0)] * 2
    found = articles(root)
    assert b"output of a" in found["site/1/l/a/index.html"]
    for name, html in found.items():
        if name.startswith("site/1"):
            assert html == found[name.replace("site/1", "site/2")]


class Server:
    """`mkdocs serve` of a site, on a port of its own."""

    def __init__(self, root: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.process = mkdocs(
            root, "serve", "-q", "--livereload", "--dev-addr", f"127.0.0.1:{self._port}"
        )

    def get(self, path: str) -> str:
        """A page as it is served now; "" where there is no answer."""
        url = f"http://127.0.0.1:{self._port}{path}"
        try:
            with urllib.request.urlopen(url, timeout=10) as response:
                return response.read().decode()
        except OSError:
            return ""

    def wait(self, path: str, *texts: str, without: str = "") -> None:
        """Wait until a page holds these texts, and lacks another."""

        def served() -> bool:
            assert self.process.poll() is None, "the server has ended"
            found = self.get(path)
            return all(text in found for text in texts) and not (without and without in found)

        wait_until(served, f"for {texts} in {path}")


@pytest.fixture
def server(site: Site) -> Iterator[Server]:
    server = Server(site(GOOD))
    yield server
    server.process.kill()
    server.process.wait(timeout=60)


def test_serve_shows_faults_in_place_and_recovers(server: Server, tmp_path: Path) -> None:
    def write(path: str, text: str | bytes) -> None:
        content = text if isinstance(text, bytes) else text.encode()
        (tmp_path / path).write_bytes(content)

    server.wait("/l/a/", "output of a")
    # A snippet fails: its page says so in its place, the other page works.
    write("snippets/a/one.py", "# %% x\n1 / 0\n")
    server.wait("/l/a/", "snippets/a/one.py:2", "ZeroDivisionError", without="output of a")
    assert "output of b" in server.get("/l/b/")
    # Meanwhile another page can be edited.
    write("docs/l/b.md", B.replace("Prose", "New prose"))
    server.wait("/l/b/", "New prose of b", "output of b")
    assert "ZeroDivisionError" in server.get("/l/a/")
    # It kills its process, is no Python, is no text, is gone, and is right again.
    for text, shown in (
        ("# %% x\nimport os\nos.abort()\n", "SIGABRT"),
        ("# %% x\nprint(\n", "SyntaxError"),
        (b"# %% x\n# caf\xe9\n", "not UTF-8"),
    ):
        write("snippets/a/one.py", text)
        server.wait("/l/a/", shown)
    (tmp_path / "snippets/a/one.py").unlink()
    server.wait("/l/a/", "unknown snippet")
    write("snippets/a/one.py", "# %% x\nprint('new', 'output')\n")
    server.wait("/l/a/", "new output", without="unknown snippet")
    # So it is with a page and with the glossary.
    write("docs/l/a.md", A.replace("| one", "| two"))
    server.wait("/l/a/", "unknown snippet", "docs/l/a.md:10")
    write("docs/glossary.yml", "- term: [\n")
    write("docs/l/a.md", A)
    server.wait("/l/a/", "new output", without="unknown snippet")
    write("docs/glossary.yml", "- term: jaxpr\n  definition: A program.\n  chapter: a\n")
    write("docs/l/b.md", B.replace("Prose", "A jaxpr"))
    server.wait("/l/b/", "def-jaxpr")
    assert_ends_with_all_its_processes(server, signal.SIGINT)


def test_no_process_outlives_serve(server: Server) -> None:
    server.wait("/l/a/", "output of a")
    assert_ends_with_all_its_processes(server, signal.SIGKILL)


def assert_ends_with_all_its_processes(server: Server, number: signal.Signals) -> None:
    below = descendants(server.process.pid)
    assert below and not gone(below)
    server.process.send_signal(number)
    server.process.wait(timeout=60)
    wait_until(lambda: gone(below))


def test_serve_at_a_taken_address_is_a_sentence(site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        process = mkdocs(site(GOOD), "serve", "-q", "--dev-addr", address)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"{address} cannot be listened at: Address already in use." in said
    assert "Traceback" not in said
