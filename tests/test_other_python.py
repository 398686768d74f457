"""Snippets under another interpreter's JAX, and what was committed: `--python`, `traced diff`.

The other interpreter is this one with stand-ins for jax, jaxlib and numpy: it starts at once.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from traced import cli, workers
from traced.project import WORKER
from traced.runner import Runner

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")

Site = Callable[[dict[str, str | bytes]], Path]
Call = Callable[..., Result]

PAGE = """\
---
title: A
path: jax
number: 1
enables: see the case
---

# A

It is [new](fact:one.new) and has [three](fact:one.parts) parts; [so](fact:two.so).

/// snippet | one
///

/// snippet | two
///
"""
ONE = """\
# %% x
import jax
_version = jax.__version__.split(".")
print("new" if int(_version[1]) > 9 else "old")
# %% facts
new = int(_version[1]) > 9
parts = len(_version[:3])
"""
TWO = "# %% y\nimport jax\nprint('same')\n# %% facts\nso = True\n"
FILES: dict[str, str | bytes] = {
    "docs/l/a.md": PAGE,
    "snippets/a/one.py": ONE,
    "snippets/a/two.py": TWO,
}


@pytest.fixture
def root(site: Site) -> Path:
    return site(FILES)


@pytest.fixture
def traced(root: Path, worker: workers.Worker, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls the command in the site, with the shared worker for this interpreter."""
    shared = SimpleNamespace(run=worker.run, close=lambda: None)
    monkeypatch.setattr(
        cli, "Runner", lambda project, *other: Runner(project, *(other or [lambda: shared]))
    )
    monkeypatch.chdir(root)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return lambda *arguments: CliRunner().invoke(cli.main, arguments)


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Makes an interpreter with that version of JAX."""

    def make(version: str = "0.9.1") -> str:
        folder = tmp_path_factory.mktemp("other")
        modules = {
            "jax/__init__": f"__version__ = '{version}'\ndef clear_caches(): pass\n",
            "jax/numpy": "",
            "jax/_src/xla_bridge": "def backends_are_initialized(): return False\n",
            "jaxlib/__init__": "",
            "jaxlib/version": f"__version__ = '{version}'\n",
            "numpy": "__version__ = '1'\n",
        }
        for name, text in modules.items():
            file = folder / f"{name}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        python = folder / "python"
        python.write_text(f'#!/bin/sh\nPYTHONPATH={folder} exec {sys.executable} "$@"\n')
        python.chmod(0o755)
        return str(python)

    return make


def test_the_runs_of_each_are_kept_and_never_taken_for_the_others(
    traced: Call, other: Callable[..., str]
) -> None:
    python = other()
    assert traced("run").stdout.endswith("2 run, 0 up to date\n")
    again = traced("run", "-v", "--python", python)
    assert (again.exit_code, again.stderr.strip()) == (0, "")
    assert "a/one: ran, because " in again.stdout
    assert "--- a/one#x\nold\n" in again.stdout
    assert again.stdout.endswith(f"2 run, 0 up to date\n0 fail in {python}\n")
    assert traced("run").stdout == "0 run, 2 up to date\n"
    assert "--- a/one#x\nnew\n" in traced("run", "-v").stdout
    assert "0 run, 2 up to date" in traced("run", "--python", python).stdout


def test_one_does_not_push_the_runs_of_the_other_out(
    traced: Call, root: Path, other: Callable[..., str]
) -> None:
    traced("run")
    python = other()
    for i in range(20):
        (root / "snippets/a/two.py").write_text(f"{TWO}# {i}\n")
        traced("run", "a/two", "--python", python)
    (root / "snippets/a/two.py").write_text(TWO)
    assert traced("run").stdout == "0 run, 2 up to date\n"
    assert len(list((root / ".cache/traced/runs/a/two").iterdir())) == 17


def test_what_fails_there_is_told_and_no_error(
    traced: Call, root: Path, other: Callable[..., str]
) -> None:
    (root / "snippets/a/two.py").write_text("# %% y\nimport jax\njax.make_jaxpr\nprint('same')\n")
    python = other()
    assert traced("run").exit_code == 0
    result = traced("run", "--python", python)
    assert result.exit_code == 0
    assert result.stdout.endswith(f"2 run, 0 up to date\n1 fail in {python}\n")
    assert "snippets/a/two.py:3: cell 'y' raised AttributeError" in result.stderr
    assert traced("run").stdout == "0 run, 2 up to date\n"
    report = traced("diff", "0.9.1").stdout
    assert "a/two: failure\n  shown at docs/l/a.md:15\n  with JAX 0.9.1: cell 'y' raised" in report
    assert "1 in failure" in report


def test_check_points_at_what_is_not_true_there(
    traced: Call, root: Path, other: Callable[..., str]
) -> None:
    assert traced("check").exit_code == 0
    (root / "docs/l/a.md").write_text(PAGE + "\nThat there are twelve is checked by nothing.\n")
    result = traced("check", "--python", other())
    assert result.exit_code == 1
    assert [line for line in result.stderr.splitlines() if not line.startswith(" ")] == [
        "docs/l/a.md:10:8: the text says 'new', but new is false",
        "1 problem",
    ]
    result = traced("check")
    assert "no statement checks the number 'twelve'" in result.stderr
    assert "1 problem" in result.stderr


def test_fix_is_for_this_interpreter(traced: Call, root: Path, other: Callable[..., str]) -> None:
    result = traced("check", "--fix", "--python", other())
    assert result.exit_code == 2
    assert (root / "docs/l/a.md").read_text() == PAGE


def test_diff_names_snippets_statements_and_pages(traced: Call, other: Callable[..., str]) -> None:
    traced("run")
    traced("run", "--python", other())
    result = traced("diff", "0.9.1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("JAX 0.9.1: jax 0.9.1, jaxlib 0.9.1, numpy 1, Python 3.")
    assert lines[3:10] == [
        "a/one: text, facts",
        "  shown at docs/l/a.md:12",
        "  x: text",
        "    - old",
        "    + new",
        "  facts",
        "    new was false, is true",
    ]
    assert "docs/l/a.md:10:8: the text says 'new'" in lines
    assert lines[-3:] == [
        "1 of 2 snippets differ: 1 in text, 1 in facts",
        "checked statements that are not true of both: 1",
        "pages touched: docs/l/a.md",
    ]
    assert "    + old" in traced("diff", lines[1].split()[1][:-1], "0.9.1").stdout


def test_diff_leaves_out_what_ran_with_another_text(
    traced: Call, root: Path, other: Callable[..., str]
) -> None:
    traced("run")
    traced("run", "--python", other())
    (root / "snippets/a/two.py").write_text(TWO + "# a comment\n")
    assert (
        "Not compared, for they have not run with JAX 0.9.1: a/two"
        in traced("diff", "0.9.1").stdout
    )
    result = traced("diff", "0.8.0")
    assert result.exit_code == 1
    assert "has run with JAX 0.8.0" in result.stderr
    assert "Versions with stored runs: 0.12" in result.stderr.replace("0.9.1, ", "")


def test_a_fact_that_cannot_be_computed_leaves_the_others(traced: Call, root: Path) -> None:
    broken = ONE.replace("parts =", "parts = _none =").replace(
        "new = int", "new = int({}['k']) + int"
    )
    (root / "snippets/a/one.py").write_text(broken + "# %% after\nprint('on it goes')\n")
    result = traced("check")
    assert [line for line in result.stderr.splitlines() if not line.startswith(" ")] == [
        "docs/l/a.md:10:8: unknown fact 'new' in snippets/a/one.py",
        "snippets/a/one.py:6: cell 'facts' raised KeyError: 'k'",
        "2 problems",
    ]
    assert "on it goes" in traced("run", "-v").stdout
    assert not list((root / ".cache/traced/runs").glob("a/one/*"))


@pytest.mark.parametrize(
    ("python", "cause"),
    [
        ("no-such-python", "there is no interpreter 'no-such-python'"),
        ("false", "false cannot run snippets: it ended with exit code 1"),
        ("true", "true cannot run snippets: it does not say what it runs"),
        ("0.7.2", "it has JAX 0.7.2, and 0.8 is the oldest that can"),
    ],
)
def test_what_cannot_run_snippets_is_refused(
    traced: Call, other: Callable[..., str], python: str, cause: str
) -> None:
    result = traced("run", "--python", other(python) if python[0].isdigit() else python)
    assert result.exit_code != 0
    assert cause in result.stderr
    assert "Traceback" not in result.output


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def test_two_commits_are_compared(traced: Call, root: Path) -> None:
    git(root, "init", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "-m", "one")
    (root / "snippets/a/two.py").write_text(TWO.replace("same", "other").replace("True", "False"))
    (root / "docs/l/a.md").write_text("\n" + PAGE)
    git(root, "commit", "-am", "two")
    (root / "snippets/a/two.py").write_text("what is not committed")
    result = traced("diff", "HEAD~1..")
    assert result.exit_code == 0
    assert (
        "a/two: text, facts\n  shown at docs/l/a.md:16\n  y: text\n    - same\n    + other\n"
        in result.stdout
    )
    assert "docs/l/a.md:11:67: the text says 'so'" in result.stdout
    assert "1 of 2 snippets differ" in result.stdout
    assert (root / "snippets/a/two.py").read_text() == "what is not committed"
    assert len(list((root / ".cache/traced/runs/a/two").iterdir())) == 2
    assert traced("diff", "nothing..HEAD").exit_code == 1
    assert "no revision '--whatever': " in traced("diff", "--", "--whatever..HEAD").stderr


def test_without_a_repository_there_is_a_sentence(
    traced: Call, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(root.parent))
    result = traced("diff", "HEAD~1..HEAD")
    assert result.exit_code == 1
    assert "not a git repository" in result.stderr


@pytest.mark.parametrize("file", sorted(WORKER.glob("*.py")), ids=lambda file: file.name)
def test_the_worker_is_written_for_python_3_10_and_needs_jax_alone(file: Path) -> None:
    tree = ast.parse(file.read_text(), feature_version=(3, 10))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - set(sys.stdlib_module_names) <= {"jax", "jaxlib", "numpy", "traced"}
    inner = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module]
    assert all(m.startswith("traced.worker") for m in inner if m.startswith("traced"))
