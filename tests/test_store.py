"""The cache: what it gives back, and why it does not."""

import dataclasses
import hashlib
import os
import py_compile
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from traced import snippets
from traced.project import Project, toolchain
from traced.runner import Outcome, Runner
from traced.runs import CellResult, Chunk, Run
from traced.snippets import Snippet
from traced.store import Found, Store

from .conftest import Site

TEXT = "# %% a\nprint(1)\n"


@dataclasses.dataclass
class Cache:
    """A site with one snippet, and the cache of a build of it."""

    root: Path

    @property
    def store(self) -> Store:
        return Store(Project(self.root))

    @property
    def snippet(self) -> Snippet:
        return snippets.load(self.root, "c/a")

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text)

    def put(self, **imported: str) -> Run:
        run = Run("c/a", (CellResult("a", (Chunk("stdout", "1\n"),)),), toolchain(), imported)
        self.store.put(self.snippet, run)
        return run

    def look(self) -> Found:
        return self.store.look(self.snippet)

    @property
    def entries(self) -> list[Path]:
        return sorted((self.root / ".cache/traced/runs/c/a").iterdir())


@pytest.fixture
def cache(site: Site) -> Cache:
    return Cache(site({"snippets/c/a.py": TEXT, "snippets/helper.py": "x = 1\n"}))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_stored_run_is_found(cache: Cache) -> None:
    run = cache.put()
    assert cache.look() == (run, "")


def test_nothing_is_stored_at_first(cache: Cache) -> None:
    assert cache.look() == (None, "it has no stored run")


def test_another_text_is_another_run(cache: Cache) -> None:
    run = cache.put()
    cache.write("snippets/c/a.py", TEXT + "# a comment\n")
    assert cache.look() == (None, "its text changed")
    cache.write("snippets/c/a.py", TEXT)
    assert cache.look() == (run, "")


def test_other_options_are_another_run(cache: Cache) -> None:
    cache.put()
    cache.write("snippets/c/a.py", "# traced: devices=8\n" + TEXT)
    assert cache.look() == (None, "its text changed")


@pytest.mark.parametrize("name", ["python", "jax", "jaxlib", "numpy", "platform"])
def test_another_version_is_another_run(
    cache: Cache, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put()
    newer = msgspec.structs.replace(toolchain(), **{name: "99"})
    monkeypatch.setattr("traced.store.toolchain", lambda: newer)
    assert cache.look() == (None, f"{name} was {getattr(toolchain(), name)}, is 99")


def test_another_worker_is_another_run(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put()
    monkeypatch.setattr("traced.store.worker_digest", lambda: "other")
    assert cache.look() == (None, "the worker's code changed")


def test_a_changed_import_is_another_run(cache: Cache) -> None:
    run = cache.put(**{"snippets/helper.py": digest("x = 1\n")})
    assert cache.look() == (run, "")
    cache.write("snippets/helper.py", "x = 2\n")
    assert cache.look() == (None, "snippets/helper.py changed")
    (cache.root / "snippets/helper.py").unlink()
    assert cache.look() == (None, "snippets/helper.py changed")


def test_runs_with_each_state_of_an_import_are_kept(cache: Cache) -> None:
    first = cache.put(**{"snippets/helper.py": digest("x = 1\n")})
    cache.write("snippets/helper.py", "x = 2\n")
    cache.put(**{"snippets/helper.py": digest("x = 2\n")})
    cache.write("snippets/helper.py", "x = 1\n")
    assert cache.look() == (first, "")


def flip(raw: bytes) -> bytes:
    return raw.replace(b'"1\\n"', b'"2\\n"')


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: b"",
        lambda raw: b"\0" * len(raw),
        lambda raw: raw[: len(raw) // 2],
        lambda raw: raw[:-1],
        lambda raw: raw + b" ",
        flip,
        lambda raw: digest("{}").encode() + b"\n{}",
        lambda raw: digest("").encode() + b"\n",
    ],
    ids=["empty", "zeros", "half", "short", "long", "flipped", "other-form", "nothing"],
)
def test_a_damaged_entry_is_a_miss(cache: Cache, damage: Callable[[bytes], bytes]) -> None:
    run = cache.put()
    [entry] = cache.entries
    raw = entry.read_bytes()
    assert damage(raw) != raw
    entry.write_bytes(damage(raw))
    assert cache.look() == (None, "its cache entry is damaged")
    cache.put()
    assert cache.look() == (run, "")


def test_an_entry_that_is_no_file_is_a_miss(cache: Cache) -> None:
    cache.put()
    [entry] = cache.entries
    entry.unlink()
    entry.mkdir()
    assert cache.look() == (None, "its cache entry is damaged")


def test_a_damaged_entry_hides_no_good_one(cache: Cache) -> None:
    run = cache.put()
    [entry] = cache.entries
    newer = entry.with_name(f"{entry.name[:-1]}{'0' if entry.name[-1] != '0' else '1'}")
    newer.write_text("damaged")
    os.utime(entry, (1, 1))
    assert cache.look() == (run, "")


def test_the_cache_may_be_a_file_or_below_one(cache: Cache) -> None:
    cache.write(".cache", "")
    assert cache.look() == (None, "it has no stored run")
    with pytest.raises(OSError):
        cache.put()


def test_an_entry_is_written_whole_or_not_at_all(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OSError):
            cache.put()
    assert cache.entries == []
    assert cache.look() == (None, "it has no stored run")


def test_old_entries_are_dropped_the_newest_stay(cache: Cache) -> None:
    for number in range(20):
        cache.write("snippets/c/a.py", f"{TEXT}# {number}\n")
        cache.put()
        for entry in cache.entries:
            os.utime(entry, (entry.stat().st_mtime - 10,) * 2)
    assert len(cache.entries) == 16
    assert cache.look().run
    cache.write("snippets/c/a.py", f"{TEXT}# 4\n")
    assert cache.look().run
    cache.write("snippets/c/a.py", f"{TEXT}# 3\n")
    assert not cache.look().run


def test_many_may_write_and_read_at_once(cache: Cache) -> None:
    """Nobody ever sees a half-written entry, and what is left is right."""
    run = cache.put()
    seen: list[Found] = []
    writers = [threading.Thread(target=lambda: [cache.put() for _ in range(30)]) for _ in range(3)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        seen.append(cache.look())
    for writer in writers:
        writer.join()
    assert seen and all(found == (run, "") for found in seen)
    assert len(cache.entries) == 1


HELPED = """\
# %% a
import helper
from pathlib import Path
print(helper.x, Path(__file__).with_name("data.txt").read_text())
"""


def ran(runner: Runner) -> Outcome:
    outcome = runner.start(["c/a"])["c/a"].result()
    assert not outcome.diagnostics
    return outcome


def said(outcome: Outcome) -> str:
    return "".join(chunk.text for chunk in outcome.cells[0].output)


def test_what_a_run_really_read_decides(site: Site, runner_for: Callable[[Path], Runner]) -> None:
    root = site(
        {
            "snippets/c/a.py": HELPED,
            "snippets/helper.py": "from deeper import x\n",
            "snippets/deeper.py": "x = 1\n",
            "snippets/c/data.txt": "one",
            "snippets/unused.py": "",
        }
    )
    runner = runner_for(root)
    assert (ran(runner).why, said(ran(runner))) == ("it has no stored run", "1 one\n")
    for path, text, output in (
        ("snippets/deeper.py", "x = 2\n", "2 one\n"),
        ("snippets/helper.py", "x = 3\n", "3 one\n"),
        ("snippets/c/data.txt", "two", "3 two\n"),
    ):
        (root / path).write_text(text)
        outcome = ran(runner)
        assert (outcome.why, said(outcome)) == (f"{path} changed", output)
        assert ran(runner).why == ""
    (root / "snippets/unused.py").write_text("x = 1\n")
    assert ran(runner).why == ""


def test_a_helper_of_the_same_age_and_size_is_read_anew(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    """Compiled files are trusted by age and size: none may be used, and none left behind."""
    root = site({"snippets/c/a.py": "# %% a\nimport helper\n", "snippets/helper.py": "print(1)\n"})
    runner, helper = runner_for(root), root / "snippets/helper.py"
    compiled = Path(py_compile.compile(str(helper), doraise=True))
    assert said(ran(runner)) == "1\n"
    age = helper.stat().st_mtime_ns
    helper.write_text("print(2)\n")
    os.utime(helper, ns=(age, age))
    assert said(ran(runner)) == "2\n"
    assert list(root.rglob("*.pyc")) == [compiled]


def test_a_file_that_changes_while_it_is_read_is_read_again(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    """The digest is of what was there when the file was opened, never of something newer."""
    text = """\
# %% a
from pathlib import Path
data = Path(__file__).with_name("data.txt")
print(data.read_text())
with open(data, "w") as file:  # somebody saves it, before the run has ended
    file.write("new")
"""
    root = site({"snippets/c/a.py": text, "snippets/c/data.txt": "old"})
    runner = runner_for(root)
    assert said(ran(runner)) == "old\n"
    outcome = ran(runner)
    assert (outcome.why, said(outcome)) == ("snippets/c/data.txt changed", "new\n")


def test_a_file_that_was_looked_for_and_appears_counts(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    text = """\
# %% a
from pathlib import Path
try:
    print(Path(__file__).with_name("data.txt").read_text())
except FileNotFoundError:
    print("none")
"""
    root = site({"snippets/c/a.py": text})
    runner = runner_for(root)
    assert said(ran(runner)) == "none\n"
    assert ran(runner).why == ""
    (root / "snippets/c/data.txt").write_text("one")
    outcome = ran(runner)
    assert (outcome.why, said(outcome)) == ("snippets/c/data.txt changed", "one\n")


def test_a_module_that_now_hides_an_imported_one_counts(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    root = site({"snippets/c/a.py": "# %% a\nimport helper\n", "snippets/helper.py": "print(1)\n"})
    runner = runner_for(root)
    assert said(ran(runner)) == "1\n"
    (root / "snippets/c/helper.py").write_text("print(2)\n")
    assert said(ran(runner)) == "2\n"


@pytest.mark.parametrize("call", ["open(b'{}')", "os.fdopen(os.open('{}', os.O_RDONLY))"])
def test_a_file_counts_however_it_is_opened(
    site: Site, runner_for: Callable[[Path], Runner], call: str
) -> None:
    root = site({"snippets/c/data.txt": "one"})
    data = root / "snippets/c/data.txt"
    (root / "snippets/c/a.py").write_text(f"# %% a\nimport os\nprint({call.format(data)}.read())\n")
    runner = runner_for(root)
    assert said(ran(runner)) == "one\n"
    data.write_text("two")
    assert said(ran(runner)) == "two\n"


def test_what_a_run_only_writes_is_not_what_it_depends_on(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    text = "# %% a\nimport os\nopen(__file__ + '.log', 'w').write(str(os.getpid()))\n"
    runner = runner_for(site({"snippets/c/a.py": text}))
    assert ran(runner).why
    assert ran(runner).why == ""
