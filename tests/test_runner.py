"""Builds that share a cache, or find it broken, or are killed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from traced import workers
from traced.project import Project
from traced.runner import Runner
from traced.worker.processes import children

from .conftest import Site
from .outcomes import FAMILY, on, said, written
from .processes import gone, wait_until


def nothing(compiled: Path) -> None:
    """Leave the compilation cache as it is."""


def damage(compiled: Path) -> None:
    """Damage every entry of the compilation cache."""
    entries = [path for path in compiled.iterdir() if path.is_file()]
    assert entries
    for entry in entries:
        entry.write_bytes(b"damaged")


def hide(compiled: Path) -> None:
    """Put a file where the compilation cache must be."""
    shutil.rmtree(compiled)
    compiled.write_text("")


@pytest.mark.parametrize("path", [".cache", ".cache/traced/runs", ".cache/traced/runs/c"])
def test_without_a_cache_that_can_be_written_all_is_right_but_runs_again(
    site: Site, runner_for: Callable[[Path], Runner], path: str
) -> None:
    root = site({"snippets/c/a.py": "# %% a\nprint(1)\n", path: "a file is in the way"})
    for _ in range(2):
        outcome = runner_for(root).start(["c/a"])["c/a"].result()
        assert (said(outcome), outcome.why) == ("1\n", "it has no stored run")


def test_what_failed_runs_again_once_something_beside_the_snippets_changed(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    snippet = "# %% a\nimport helper\nprint(helper.value)\n"
    root = site({"snippets/c/a.py": snippet, "snippets/helper.py": "valu = 1\n"})
    runner = runner_for(root)
    failed = runner.start(["c/a"])["c/a"].result()
    assert failed.diagnostics
    assert runner.start(["c/a"])["c/a"].result() is failed
    assert runner.start(["c/a"], again=True)["c/a"].result() is not failed
    (root / "snippets/helper.py").write_text("value = 10\n")
    assert said(runner.start(["c/a"])["c/a"].result()) == "10\n"


def test_a_broken_compilation_cache_changes_nothing(site: Site, tmp_path: Path) -> None:
    """Damaged entries, then none that can be written: the same output, and not a word of it."""
    text = "# %% a\nimport jax\nprint(jax.jit(lambda x: x * 3)(2.0))\nprint(jax.numpy.ones(2))\n"
    root = site({"snippets/c/a.py": text})
    project, compiled = Project(tmp_path / "cache"), tmp_path / "cache/.cache/traced/xla"
    server = workers.ForkServer(project, False)
    try:
        for prepare in (nothing, damage, hide):
            prepare(compiled)
            [[(stream, output)]] = written(on(server, root))
            assert (stream, output) == ("stdout", "6.0\n[1. 1.]\n"), prepare
    finally:
        server.close()


def test_two_builds_at_once_share_a_cache(site: Site, runner_for: Callable[[Path], Runner]) -> None:
    names = [f"c/{name}" for name in "abcdef"]
    root = site({f"snippets/{name}.py": f"# %% a\nprint('{name}')\n" for name in names})
    builds = [runner_for(root).start(names) for _ in range(2)]
    for build in builds:
        for name, outcome in build.items():
            assert said(outcome.result()) == f"{name}\n"
    assert all(o.result().why == "" for o in runner_for(root).start(names).values())


BUILD = """import sys
from pathlib import Path
from traced.project import Project
from traced.runner import Runner
for outcome in Runner(Project(Path(sys.argv[1]))).start(["c/a", "c/b"]).values():
    outcome.result()
"""


def test_a_build_that_is_killed_leaves_no_process_and_the_next_is_right(
    site: Site, runner_for: Callable[[Path], Runner], tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    hang = FAMILY.format(pids=str(pids), timeout=60, end="time.sleep(600)")
    root = site({"snippets/c/a.py": "# %% a\nprint(1)\n", "snippets/c/b.py": hang})
    (root / ".tmp").mkdir()  # for what a killed process cannot tidy up
    environment = {**os.environ, "TMPDIR": str(root / ".tmp")}
    build = subprocess.Popen([sys.executable, "-c", BUILD, str(root)], env=environment)
    wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 3)
    [server] = children(build.pid)
    build.kill()
    build.wait()
    wait_until(lambda: gone([server, *map(int, pids.read_text().split())]))
    (root / "snippets/c/b.py").write_text("# %% a\nprint(2)\n")
    outcomes = runner_for(root).start(["c/a", "c/b"])
    assert [said(outcome.result()) for outcome in outcomes.values()] == ["1\n", "2\n"]
