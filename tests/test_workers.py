"""The processes that run jobs: all give the same, and none is missed when it is gone."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from traced import workers
from traced.project import Project
from traced.runner import Runner
from traced.worker.processes import children

from .conftest import Run, Site
from .outcomes import fault, on, said
from .processes import gone, wait_until


def spawn_one() -> object:
    job = workers.Job(Path("/nowhere"), 1.0, {}, True)
    return workers.Spawner(Project(Path("/nowhere"))).run(job)


SAMPLE = """\
# %% a
import jax, sys
print(jax.make_jaxpr(lambda x: jax.nn.softmax(x))(jax.numpy.ones(3)))
print("café", file=sys.stderr)
# %% b raises=TypeError
def f(x): return x + "a"
jax.jit(f)(1)
# %% c
print(jax.jit(lambda x: x * 2).lower(1.0).as_text(debug_info=True))
print(jax.numpy.arange(3), jax.jit(lambda x: jax.numpy.sin(x).sum()).lower(1.0).compile().as_text())
"""


@pytest.fixture(scope="module")
def spare_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[workers.ForkServer]:
    server = workers.ForkServer(Project(tmp_path_factory.mktemp("spare")), spare=True)
    yield server
    server.close()


@pytest.fixture(params=["spawner", "spare"])
def other_worker(
    request: pytest.FixtureRequest, tmp_path: Path, spare_server: workers.ForkServer
) -> workers.Worker:
    """Workers that must give what the shared fork server gives."""
    return spare_server if request.param == "spare" else workers.Spawner(Project(tmp_path))


def test_every_worker_gives_the_same(
    site: Site, worker: workers.Worker, other_worker: workers.Worker
) -> None:
    root = site({"snippets/c/a.py": SAMPLE})
    expected = on(worker, root)
    assert not expected.diagnostics
    assert on(other_worker, root).run == expected.run


def test_a_run_is_the_same_wherever_the_repository_is(
    tmp_path: Path, worker: workers.Worker
) -> None:
    runs = []
    for folder in ("plain", "with spaces (and) [more] $x 'y' -z"):
        root = tmp_path / folder
        (root / "snippets/c").mkdir(parents=True)
        (root / "snippets/c/a.py").write_text(SAMPLE)
        (tmp_path / f"link to {folder}").symlink_to(root)
        runs += [on(worker, root).run, on(worker, tmp_path / f"link to {folder}").run]
    assert runs[0] is not None
    assert all(run == runs[0] for run in runs)
    assert str(tmp_path) not in str(runs[0])


def test_a_compiled_program_names_its_own_source(run: Run) -> None:
    """Though one that differs in nothing but its place was compiled before."""
    text = "# %% a\nimport jax\nprint(jax.jit(lambda x: x * 77).lower(1.0).compile().as_text())\n"
    assert '"snippets/c/first.py"' in said(run(text, "c/first"))
    again = said(run(text, "c/second"))
    assert '"snippets/c/second.py"' in again
    assert "first" not in again


@pytest.mark.parametrize("text", ["1 / 0", "import os; os.abort()", "print('x' * 2_000_000)"])
def test_without_fork_faults_are_the_same(
    site: Site, worker: workers.Worker, tmp_path: Path, text: str
) -> None:
    root = site({"snippets/c/a.py": f"# %% a\n{text}\n"})
    spawned = on(workers.Spawner(Project(tmp_path)), root).diagnostics
    assert spawned == on(worker, root).diagnostics != ()


SLOW = """\
# traced: devices=2
# %% a
import time
open(__file__ + ".started", "w").close()
time.sleep(600)
"""


@pytest.mark.skipif(os.cpu_count() == 1, reason="needs two cores: as many jobs run at once")
def test_a_spare_process_serves_one_job(site: Site, spare_server: workers.ForkServer) -> None:
    """Each job gets a new one, and a job that cannot use it does not hold it up."""
    quick = ["c/a", "c/b", "c/d"]
    root = site(
        {
            "snippets/c/slow.py": SLOW,
            **{f"snippets/{name}.py": "# %% a\nimport os\nprint(os.getpid())\n" for name in quick},
        }
    )
    runner = Runner(Project(root), lambda: spare_server)
    slow = runner.start(["c/slow"])["c/slow"]
    wait_until((root / "snippets/c/slow.py.started").exists)
    seen = [said(outcome.result()) for outcome in runner.start(quick).values()]
    assert len(set(seen)) == 3
    assert not slow.done()
    runner.close()
    assert slow.result().diagnostics


def test_a_spare_process_that_died_is_replaced(site: Site, tmp_path: Path) -> None:
    """Killed while the server is stopped, so that the server cannot know when the job comes."""
    server = workers.ForkServer(Project(tmp_path), spare=True)
    root = site({"snippets/c/a.py": "# %% a\nprint(1)\n"})
    try:
        pid = server._process.pid
        wait_until(lambda: children(pid))
        os.kill(pid, signal.SIGSTOP)
        [spare] = children(pid)
        os.kill(spare, signal.SIGKILL)
        wait_until(lambda: gone([spare]))
        outcome = Runner(Project(root), lambda: server).start(["c/a"])["c/a"]
        wait_until(lambda: server._waiting)
        with server._lock:  # the job has been sent when this is free
            os.kill(pid, signal.SIGCONT)
        assert said(outcome.result()) == "1\n"
    finally:
        os.kill(pid, signal.SIGCONT)
        server.close()


def test_a_job_is_not_lost_with_the_spare_process_that_took_it(site: Site, tmp_path: Path) -> None:
    """Killed when the job has been written to it, and before it has read of it."""
    server = workers.ForkServer(Project(tmp_path), spare=True)
    root = site({"snippets/c/a.py": "# %% a\nprint(1)\n"})
    try:
        pid = server._process.pid
        wait_until(lambda: children(pid))
        [spare] = children(pid)
        os.kill(spare, signal.SIGSTOP)
        outcome = Runner(Project(root), lambda: server).start(["c/a"])["c/a"]
        wait_until(lambda: server._waiting)
        time.sleep(0.3)  # for the server to hand it on; sooner is another way to the same end
        os.kill(spare, signal.SIGKILL)
        assert said(outcome.result()) == "1\n"
    finally:
        server.close()


def test_a_snippet_that_kills_the_server_fails_and_the_next_has_a_new_one(site: Site) -> None:
    root = site(
        {
            "snippets/c/a.py": "# %% a\nimport os\nos.kill(os.getppid(), 9)\nwhile True: pass\n",
            "snippets/c/b.py": "# %% a\nprint(1)\n",
        }
    )
    runner = Runner(Project(root))
    try:
        assert "the worker could not run it" in fault(runner.start(["c/a"])["c/a"].result())
        assert said(runner.start(["c/b"])["c/b"].result()) == "1\n"
    finally:
        runner.close()


def unstartable() -> workers.Worker:
    raise workers.WorkerError("Traceback:\n  ...\nno jax here")


def test_a_worker_that_cannot_start_is_a_fault_of_each_snippet_that_needs_it(
    site: Site, runner_for: Callable[[Path], Runner], tmp_path: Path
) -> None:
    root = site({f"snippets/c/{name}.py": f"# %% a\nprint('{name}')\n" for name in "abc"})
    runner_for(root).start(["c/a"])["c/a"].result()
    outcomes = Runner(Project(root), unstartable).start(["c/a", "c/b", "c/c"])
    assert said(outcomes["c/a"].result()) == "a\n"
    for name in ("c/b", "c/c"):
        cause = "the worker could not run it: no jax here"
        assert fault(outcomes[name].result()) == f"snippets/{name}.py:1: {cause}"


def test_a_process_that_cannot_be_started_is_no_crash(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "gone"))
    for make in (lambda: workers.ForkServer(Project(tmp_path), False), spawn_one):
        with pytest.raises(workers.WorkerError, match="No such file"):
            make()


def test_a_runner_that_was_closed_starts_nothing(site: Site, worker: workers.Worker) -> None:
    started = threading.Event()

    def start() -> workers.Worker:
        started.set()
        return worker

    runner = Runner(Project(site({"snippets/c/a.py": "# %% a\nprint(1)\n"})), start)
    runner.close()
    with pytest.raises(RuntimeError):
        runner.start(["c/a"])
    assert not started.is_set()
