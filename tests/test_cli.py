"""`traced`, as authors and CI call it."""

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from traced import cli, workers
from traced.runner import Runner

from .conftest import Site

Call = Callable[..., Result]

PAGE = """\
---
title: A
path: jax
number: 1
enables: see the case
---

# A

/// snippet | one
///

/// snippet | two
///
"""

FILES: dict[str, str | bytes] = {
    "docs/l/a.md": PAGE,
    "snippets/a/one.py": "# %% x\nprint('one')\n",
    "snippets/a/two.py": "# %% x\nprint('two')\n# %% y raises=KeyError\n{}['three']\n",
}


@pytest.fixture
def root(site: Site) -> Path:
    return site(FILES)


@pytest.fixture
def traced(root: Path, worker: workers.Worker, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls the command in the site, with the shared worker."""
    shared = SimpleNamespace(run=worker.run, close=lambda: None)
    monkeypatch.setattr(cli, "Runner", lambda project: Runner(project, lambda: shared))
    monkeypatch.chdir(root)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return lambda *arguments: CliRunner().invoke(cli.main, arguments)


def test_run_says_why(traced: Call, root: Path) -> None:
    first = traced("run")
    assert first.exit_code == 0
    assert first.stdout.splitlines() == [
        "a/one: ran, because it has no stored run",
        "a/two: ran, because it has no stored run",
        "2 run, 0 up to date",
    ]
    assert traced("run").stdout == "0 run, 2 up to date\n"
    (root / "snippets/a/one.py").write_text("# %% x\nprint('new')\n")
    assert traced("run").stdout == ("a/one: ran, because its text changed\n1 run, 1 up to date\n")
    assert "a/two: ran, because asked to" in traced("run", "--again", "a/two").stdout


@pytest.mark.parametrize(
    "name, count",
    [
        ("a/one", 1),
        ("snippets/a/one.py", 1),
        ("a", 2),
        ("snippets/a/", 2),
    ],
)
def test_run_takes_names_of_snippets_and_chapters(traced: Call, name: str, count: int) -> None:
    assert traced("run", name).stdout.splitlines()[-1] == f"{count} run, 0 up to date"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("zzz", ""),
        ("a/three", ""),
        ("one", ": did you mean a/one?"),
        ("a/on", ": did you mean a/one?"),
    ],
)
def test_an_unknown_name_is_an_error(traced: Call, name: str, hint: str) -> None:
    result = traced("run", "a/one", name)
    assert result.exit_code == 1
    assert f"no snippet and no chapter is named {name!r}{hint}\n" in result.stderr
    assert result.stdout == ""


def test_verbose_shows_what_was_printed(traced: Call) -> None:
    result = traced("run", "-v")
    assert "--- a/one#x\none\n" in result.stdout
    assert "--- a/two#x\ntwo\n--- a/two#y\n" in result.stdout
    assert "KeyError: 'three'" in result.stderr


def test_run_fails_with_all_faults(traced: Call, root: Path) -> None:
    (root / "snippets/a/one.py").write_text("# %% x\nprint('before')\n1 / 0\n")
    (root / "snippets/a/two.py").write_text("# %% X\n")
    result = traced("run", "-v")
    assert result.exit_code == 1
    assert "snippets/a/one.py:3: cell 'x' raised ZeroDivisionError" in result.stderr
    assert "snippets/a/two.py:1: a cell header has one name" in result.stderr
    assert "2 problems" in result.stderr
    assert "before" in result.stdout
    assert result.stdout.splitlines()[-1] == "1 run, 0 up to date"


def test_check_runs_all_and_converts_all(traced: Call) -> None:
    for _ in range(2):
        result = traced("check")
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == "2 snippets and all pages are right\n"


def test_check_works_from_any_folder_of_the_site(
    traced: Call, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root / "snippets/a")
    assert traced("check").exit_code == 0


def test_check_fails_with_all_faults(traced: Call, root: Path) -> None:
    (root / "docs/l/a.md").write_text(PAGE + "\n/// snippet | three\n///\n")
    (root / "docs/b.md").write_text("/// snippet | a/one\n    mark: nothing\n///\n")
    (root / "snippets/a/four.py").write_text("# %% x\n")
    (root / "snippets/a/two.py").write_text("# %% x\n1 / 0\n")
    result = traced("check")
    assert result.exit_code == 1
    causes = [line for line in result.stderr.splitlines() if re.match(r"\S+:\d+: ", line)]
    assert [cause.partition(": ")[0] for cause in causes] == [
        "docs/b.md:1",
        "docs/l/a.md:16",
        "snippets/a/four.py:1",
        "snippets/a/two.py:2",
    ]
    assert result.stderr.splitlines()[-1] == "4 problems"


def test_check_finds_what_is_not_the_same_every_time(traced: Call, root: Path) -> None:
    text = "# %% x\nprint('fixed')\n# %% y\nimport time\nprint('now', time.time_ns())\n"
    (root / "snippets/a/one.py").write_text(text)
    traced("run")
    result = traced("check")
    assert result.exit_code == 1
    assert "snippets/a/one.py:3: cell 'y' does not give the same every time" in result.stderr
    assert re.search(r"\| -now \d+\n.*\| \+now \d+\n", result.stderr)
    assert "fixed" not in result.stderr
    assert "1 problem" in result.stderr


STATED = """\
# %% x
print("b:f32[] = sub a 1.0:f32[]")
# %% facts
equations = 12
first = "sub"
order = ["sub", "exp"]
loops = False
"""
STATEMENTS = """\
Twelve, no: [Eleven](fact:one.equations) equations, [11](fact:one.equations) of
[them](fact:one.x.lines), [`add`](fact:one.first) and [`add`](fact:one.order) among those.
<!-- unchecked: twelve because this is a test -->

[It loops](fact:one.loops), [about](fact:two.nothing).
"""
FIXED = STATEMENTS.replace("Eleven", "Twelve").replace("11", "12")
FIXED = FIXED.replace("[`add`](fact:one.first)", "[`sub`](fact:one.first)")
FIXED = FIXED.replace("[`add`](fact:one.order)", "[`sub` and `exp`](fact:one.order)")


def causes(result: Result) -> list[str]:
    """The first lines of what was reported."""
    return [line for line in result.stderr.splitlines() if re.match(r"\S+:\d+(:\d+)?: ", line)]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fix_writes_what_the_runs_say_and_nothing_else(
    traced: Call, root: Path, newline: str
) -> None:
    def written(statements: str) -> bytes:
        return f"{PAGE}\n{statements}".replace("\n", newline).encode()

    chapter = root / "docs/l/a.md"
    chapter.write_bytes(written(STATEMENTS))
    (root / "snippets/a/one.py").write_text(STATED)
    before = traced("check")
    assert (before.exit_code, before.stdout) == (1, "")
    assert [cause.partition(": ")[0] for cause in causes(before)] == [
        f"docs/l/a.md:{place}"
        for place in ("16:14", "16:54", "17:2", "17:28", "17:56", "20:2", "20:30")
    ]
    assert chapter.read_bytes() == written(STATEMENTS)
    fixed = traced("check", "--fix")
    assert fixed.exit_code == 1
    assert chapter.read_bytes() == written(FIXED)
    assert f"-{STATEMENTS.splitlines()[0]}" in fixed.stdout
    assert f"+{FIXED.splitlines()[0]}" in fixed.stdout
    left = [
        "docs/l/a.md:17:2: the text says 'them', the run says x.lines = 1",
        "docs/l/a.md:20:2: the text says 'It loops', but loops is false",
        "docs/l/a.md:20:30: unknown fact 'nothing' in snippets/a/two.py",
    ]
    assert causes(fixed) == left
    again = traced("check", "--fix")
    assert (again.exit_code, again.stdout, causes(again)) == (1, "", left)
    assert chapter.read_bytes() == written(FIXED)


def test_fix_of_a_right_chapter_changes_nothing(traced: Call, root: Path) -> None:
    chapter = root / "docs/l/a.md"
    chapter.write_text(f"{PAGE}\n[Twelve](fact:one.equations) it has.\n")
    (root / "snippets/a/one.py").write_text(STATED)
    before = chapter.stat()
    result = traced("check", "--fix")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "2 snippets and all pages are right\n"
    assert chapter.stat().st_mtime_ns == before.st_mtime_ns


def test_check_counts_what_mkdocs_warns_of(traced: Call, root: Path) -> None:
    """Links, anchors and the navigation: a build in strict mode fails on them."""
    config = (root / "mkdocs.yml").read_text()
    strict = "validation:\n  omitted_files: warn\n  links:\n    anchors: warn\n"
    (root / "mkdocs.yml").write_text(f"{config}nav: [b.md, gone.md]\n{strict}")
    (root / "docs/b.md").write_text("# B\n\nTo [one](l/a.md#a)\nand [another](l/a.md#nope).\n")
    (root / "docs/l/a.md").write_text(f"{PAGE}\n[Gone](../gone.md), [here](#nowhere).\n")
    result = traced("check")
    assert result.exit_code == 1
    assert [cause.partition(",")[0] for cause in causes(result)] == [
        "docs/b.md:4: the link 'l/a.md#nope'",
        "docs/l/a.md:16: the link '#nowhere'",
        "docs/l/a.md:16: the link '../gone.md'",
        "mkdocs.yml:1: A reference to 'gone.md' is included in the 'nav' configuration",
        "mkdocs.yml:1: The following pages exist in the docs directory",
    ]


def test_check_lists_what_no_statement_checks(traced: Call, root: Path) -> None:
    (root / "snippets/a/one.py").write_text(STATED)
    text = "Three of [twelve](fact:one.equations): `sub`, 32 times, and `mul`.\n"
    (root / "docs/l/a.md").write_text(f"{PAGE}\n{text}")
    (root / "docs/b.md").write_text("Three. No chapter.\n")
    result = traced("check")
    assert result.exit_code == 1
    assert causes(result) == [
        "docs/l/a.md:16:1: no statement checks the number 'Three'",
        "docs/l/a.md:16:40: no statement checks the name 'sub'",
        "docs/l/a.md:16:47: no statement checks the number '32'",
    ]
    mark = "<!-- unchecked: three, 32, sub, ten because so -->\n"
    (root / "docs/l/a.md").write_text(f"{PAGE}\n{text}{mark}")
    result = traced("check")
    assert result.exit_code == 1
    assert causes(result) == [
        "docs/l/a.md:17:1: the comment allows 'ten', which is not there unchecked"
    ]
    (root / "docs/l/a.md").write_text(f"{PAGE}\n{text}{mark.replace(', ten', '')}")
    assert traced("check").exit_code == 0


def test_on_github_each_fault_is_an_annotation(
    traced: Call, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (root / "snippets/a/one.py").write_text("# %% x\nraise ValueError('100%\\nno')\n")
    annotation = "::error file=snippets/a/one.py,line=2::cell 'x' raised ValueError: 100%25"
    assert annotation in traced("run").stderr


def test_new_starts_a_snippet_that_runs(traced: Call, root: Path) -> None:
    result = traced("new", "b-side/three")
    assert result.exit_code == 0
    assert (root / "snippets/b-side/three.py").is_file()
    said, block = result.stdout.split("\n\n", 1)
    assert said.endswith("Show it in docs/l/b-side.md, a page that is still to be written:")
    (root / "docs/l/b-side.md").write_text(
        f"---\ntitle: B\npath: jax\nnumber: 2\nenables: see\n---\n\n# B\n\n{block}"
    )
    assert traced("check").exit_code == 0
    assert "lambda" in traced("run", "-v", "b-side/three").stdout


def test_new_replaces_nothing(traced: Call, root: Path) -> None:
    result = traced("new", "a/one")
    assert result.exit_code == 1
    assert "snippets/a/one.py exists already" in result.stderr
    assert (root / "snippets/a/one.py").read_text() == FILES["snippets/a/one.py"]


@pytest.mark.parametrize(
    "name", ["a", "a/", "/one", "a/b/c", "a/one.py", "../x", "a/..", "a/a b", "./x"]
)
def test_new_refuses_what_is_no_name(traced: Call, root: Path, name: str) -> None:
    before = sorted(root.rglob("*"))
    assert traced("new", name).exit_code == 2
    assert sorted(root.rglob("*")) == before


def test_outside_of_a_site_there_is_a_sentence(
    traced: Call, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    for command in (["run"], ["check"], ["new", "a/x"]):
        result = traced(*command)
        assert result.exit_code == 1
        assert (
            result.stderr == "Error: no mkdocs.yml beside a folder snippets/, here or further up\n"
        )
