"""Snippets as they run: what each gets to see, what is kept of it, and how it may end."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from traced import workers
from traced.project import WORKER, Project
from traced.runner import Outcome, Runner
from traced.worker.processes import children

from .processes import gone, wait_until

# Set before any test runs, and so before the shared fork server starts.
os.environ["TRACED_TEST_TOKEN"] = "s3cret"

Site = Callable[[dict[str, str | bytes]], Path]
Run = Callable[..., Outcome]


@pytest.fixture
def run(site: Site, runner_for: Callable[[Path], Runner]) -> Run:
    """Runs the text of a snippet on the shared fork server."""

    def go(text: str, name: str = "c/a") -> Outcome:
        root = site({f"snippets/{name}.py": text})
        return runner_for(root).start([name])[name].result()

    return go


def stored(root: Path) -> list[Path]:
    return [path for path in (root / ".cache/traced/runs").rglob("*") if path.is_file()]


def written(outcome: Outcome) -> list[list[tuple[str, str]]]:
    """(stream, text) of each chunk of each cell."""
    return [[(chunk.stream, chunk.text) for chunk in cell.output] for cell in outcome.cells]


def said(outcome: Outcome) -> str:
    """All that a snippet which is right wrote."""
    assert not outcome.diagnostics, outcome.diagnostics
    return "".join(text for cell in written(outcome) for _, text in cell)


def fault(outcome: Outcome) -> str:
    """The one thing that is wrong with a snippet: its place and cause."""
    [found] = outcome.diagnostics
    assert outcome.run is None
    return f"{found.places[0]}: {found.cause}"


# What is kept of a run


def test_cells_share_a_namespace_and_keep_their_output_apart(run: Run) -> None:
    outcome = run("# %% a\nx = 1\nprint('one', x)\n# %% b\nprint('two', x + 1)\n")
    assert written(outcome) == [[("stdout", "one 1\n")], [("stdout", "two 2\n")]]


def test_both_streams_are_told_apart_in_the_order_they_were_written(run: Run) -> None:
    text = """\
# %% a
import os, subprocess, sys
print("1")
print("2", file=sys.stderr)
os.write(2, b"3\\n")
print("4")
os.write(1, b"5\\n")
subprocess.run(["echo", "6"])
print("7", file=sys.__stderr__)
print("8", end="")
sys.stderr.write("9")
"""
    assert written(run(text)) == [
        [
            ("stdout", "1\n"),
            ("stderr", "2\n3\n"),
            ("stdout", "4\n5\n6\n"),
            ("stderr", "7\n"),
            ("stdout", "8"),
            ("stderr", "9"),
        ]
    ]


def test_text_of_c_and_of_other_processes_is_caught(run: Run) -> None:
    text = """\
# %% a
import ctypes, subprocess, sys
ctypes.CDLL(None).puts(b"from C")
# %% b
subprocess.run([sys.executable, "-c", "print('from a process')"])
# %% c
ctypes.CDLL(None).perror(b"from C")
"""
    assert written(run(text)) == [
        [("stdout", "from C\n")],
        [("stdout", "from a process\n")],
        [("stderr", "from C: Success\n")],
    ]


def test_what_jax_prints_later_belongs_to_its_cell(run: Run) -> None:
    text = """\
# %% a
import jax, jax.numpy as jnp
x = jnp.ones((1000, 1000))
for _ in range(5):  # asynchronous, and so is what needs it
    x = jax.jit(lambda x: x @ x / 1000)(x)
jax.jit(lambda x: jax.debug.print("x = {}", x))(x[0, 0])
# %% b
print("done")
"""
    assert written(run(text)) == [[("stdout", "x = 1.0\n")], [("stdout", "done\n")]]


def test_what_jax_logs_does_not_tell_whether_a_program_was_compiled_before(run: Run) -> None:
    text = """\
# %% a
import jax
jax.config.update("jax_log_compiles", True)
print(jax.jit(lambda x: x * 4321)(2.0))
"""
    first = run(text)
    again = run(text + "# to run again\n")
    assert written(again) == written(first)
    assert "Finished XLA compilation" in said(first)


def test_a_snippet_may_do_to_its_streams_what_it_likes(run: Run) -> None:
    text = """\
# %% a
import io, os, sys
print("one")
sys.stdout = io.StringIO()
print("into the void")
# %% b
sys.stdout = sys.__stdout__
print("two")
sys.stdout.close()
# %% c
os.write(1, b"three\\n")
os.close(1)
# %% d
print("four", file=sys.stderr)
"""
    assert written(run(text)) == [
        [("stdout", "one\n")],
        [("stdout", "two\n")],
        [("stdout", "three\n")],
        [("stderr", "four\n")],
    ]


def test_a_cell_is_compiled_where_it_stands_in_the_file(run: Run) -> None:
    text = """\
# %% a
import inspect, warnings
def f():
    warnings.warn("careful")
# %% b
f()
print(f.__code__.co_filename, f.__code__.co_firstlineno, __name__)
print(inspect.getsource(f))
"""
    [_, b] = written(run(text))
    assert b == [
        ("stderr", 'snippets/c/a.py:4: UserWarning: careful\n  warnings.warn("careful")\n'),
        ("stdout", 'snippets/c/a.py 3 __main__\ndef f():\n    warnings.warn("careful")\n\n'),
    ]


def test_an_expected_exception_keeps_type_message_and_own_frames(run: Run) -> None:
    text = """\
# %% a raises=TracerBoolConversionError
import jax
def f(x):
    if x > 0:
        return x
jax.jit(f)(1.0)
# %% b
print("goes on")
"""
    outcome = run(text)
    assert said(outcome) == "goes on\n"
    raised = outcome.cells[0].raised
    assert raised
    assert raised.message.startswith("Attempted boolean conversion of traced array")
    assert "snippets/c/a.py:3" in raised.message and os.sep + "snippets" not in raised.message
    assert [(f.path, f.line, f.function) for f in raised.frames] == [
        ("snippets/c/a.py", 6, "<module>"),
        ("snippets/c/a.py", 4, "f"),
    ]


@pytest.mark.parametrize(
    "code, type_, message",
    [
        ("raise SystemExit(3)", "SystemExit", "3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", ""),
        ("def f(): f()\nf()", "RecursionError", "maximum recursion depth exceeded"),
        (r"raise ValueError('\udcff \0 \x1b[1m')", "ValueError", "? ␀ "),
        (
            "class E(Exception):\n  def __str__(self): raise OSError\nraise E",
            "E",
            "<its message raised OSError>",
        ),
        ("exec('x = (')", "SyntaxError", "'(' was never closed (<string>, line 1)"),
        ("input()", "OSError", "a snippet has no standard input to read"),
        ("import sys; sys.stdin.readline()", "OSError", "a snippet has no standard input to read"),
        ("import sys; next(sys.stdin)", "OSError", "a snippet has no standard input to read"),
        ("import os; os.read(0, 1)", "OSError", "[Errno 9] Bad file descriptor"),
    ],
)
def test_whatever_is_raised_is_told(run: Run, code: str, type_: str, message: str) -> None:
    outcome = run(f"# %% a raises={type_}\n{code}\n")
    assert said(outcome) == ""
    raised = outcome.cells[0].raised
    assert raised and raised.message == message


# What a snippet gets to see


def test_nothing_of_the_builder_s_environment_is_visible(run: Run) -> None:
    text = """\
# %% a
import os, pathlib, subprocess, sys
print(dict(os.environ), pathlib.Path.home(), os.path.expanduser("~"))
print(subprocess.run(["env"], capture_output=True, text=True).stdout)
for who in ("self", os.getppid()):
    print(pathlib.Path(f"/proc/{who}/environ").read_bytes())
    print(pathlib.Path(f"/proc/{who}/cmdline").read_bytes())
"""
    assert os.environ["TRACED_TEST_TOKEN"] == "s3cret"
    output = said(run(text))
    assert "s3cret" not in output and "TRACED" not in output
    assert "'HOME': '/dev/null'" in output


def test_the_environment_is_the_same_everywhere(run: Run) -> None:
    text = """\
# %% a
import locale, os, sys, time
print(hash("a") == hash("a"), sys.flags.utf8_mode, time.tzname[0], os.environ["PYTHONHASHSEED"])
print(os.getcwd(), os.listdir(), sys.argv, os.environ["JAX_PLATFORMS"], sys.stdout.encoding)
"""
    assert said(run(text)) == "True 1 UTC 0\n. [] ['snippets/c/a.py'] cpu utf-8\n"


def test_each_snippet_works_in_an_empty_directory_of_its_own(
    site: Site, runner_for: Callable[[Path], Runner], tmp_path: Path
) -> None:
    text = (
        "# %% a\nimport os\nprint(os.listdir())\nopen('x', 'w').write('x')\n# %% b\nos.chdir('/')\n"
    )
    root = site({f"snippets/c/{name}.py": text for name in "ab"})
    runner = runner_for(root)
    for outcome in [future.result() for future in runner.start(["c/a", "c/b"]).values()]:
        assert said(outcome) == "[]\n"
    assert not list(root.rglob("x"))


def test_a_snippet_s_modules_are_its_own(site: Site, runner_for: Callable[[Path], Runner]) -> None:
    """Its folder comes first, then snippets/; the package that builds is not in the way."""
    root = site(
        {
            "snippets/c/a.py": "# %% a\nimport near, far, sys\nprint(near.x, far.x, sys.path)\n",
            "snippets/c/near.py": "x = 'near'\n",
            "snippets/near.py": "x = 'wrong'\n",
            "snippets/far.py": "x = 'far'\n",
        }
    )
    output = said(runner_for(root).start(["c/a"])["c/a"].result())
    assert output.startswith("near far ['snippets/c', 'snippets', ")
    assert str(WORKER.parent.parent) not in output


def test_a_snippet_leaves_nothing_to_the_next(run: Run) -> None:
    text = (
        "# %% a\nimport jax, os, sys\nprint(jax.numpy.__dict__.get('mark'), os.environ.get('M'))\n"
    )
    change = (
        "jax.numpy.mark = 1\nos.environ['M'] = '1'\njax.config.update('jax_enable_x64', True)\n"
    )
    show = "print(jax.numpy.arange(1.0).dtype)\n"
    assert said(run(text + change + show, "c/a")) == "None None\nfloat64\n"
    assert said(run(text + show, "c/b")) == "None None\nfloat32\n"


def test_devices(run: Run) -> None:
    code = "# %% a\nimport jax\nprint(len(jax.devices()))\n"
    assert said(run("# traced: devices=8\n" + code)) == "8\n"
    assert said(run(code, "c/b")) == "1\n"


def test_variables_are_there_when_jax_is_imported(run: Run) -> None:
    text = """\
# traced: devices=2 env="JAX_ENABLE_X64=1 XLA_FLAGS=--xla_cpu_enable_fast_math=true"
# %% a
import os, jax, jax.numpy as jnp
print(jnp.arange(1.0).dtype, len(jax.devices()), os.environ["XLA_FLAGS"], os.getcwd())
"""
    flags = "--xla_cpu_enable_fast_math=true --xla_force_host_platform_device_count=2"
    assert said(run(text)) == f"float64 2 {flags} .\n"


def test_a_variable_that_jax_refuses_is_told_with_its_words(run: Run) -> None:
    outcome = run('# traced: env="JAX_ENABLE_X64=perhaps"\n# %% a\nprint(1)\n')
    assert (
        fault(outcome) == "snippets/c/a.py:1: the worker failed before the first cell (exit code 1)"
    )
    assert "perhaps" in outcome.diagnostics[0].detail


# How a snippet may end


@pytest.mark.parametrize(
    "code, cause",
    [
        ("import os; os._exit(0)", "cell 'b' ended the process (exit code 0)"),
        ("import os; os._exit(3)", "cell 'b' ended the process (exit code 3)"),
        ("import os; os.abort()", "cell 'b' ended the process (killed by SIGABRT)"),
        ("import ctypes; ctypes.string_at(0)", "cell 'b' ended the process (killed by SIGSEGV)"),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
            "cell 'b' ended the process (killed by SIGKILL)",
        ),
    ],
)
def test_a_process_that_ended_early(run: Run, tmp_path: Path, code: str, cause: str) -> None:
    outcome = run(f"# %% a\nprint('fine')\n# %% b\nprint('last words')\n{code}\n# %% c\nprint(1)\n")
    assert fault(outcome) == f"snippets/c/a.py:3: {cause}"
    assert "last words" in outcome.diagnostics[0].detail
    assert written(outcome)[0] == [("stdout", "fine\n")]
    assert not stored(tmp_path)


def test_a_process_that_cannot_report_ends_with_the_reason(run: Run) -> None:
    outcome = run("# %% a\nimport os\nos.closerange(3, 99)\n")
    assert fault(outcome) == "snippets/c/a.py:1: cell 'a' ended the process (exit code 70)"
    assert outcome.diagnostics[0].detail.endswith("Bad file descriptor")


def test_a_hang_is_ended_with_its_last_words(run: Run, tmp_path: Path) -> None:
    outcome = run("# traced: timeout=0.5\n# %% a\nprint('waiting')\nwhile True: pass\n")
    assert fault(outcome) == "snippets/c/a.py:2: cell 'a' did not end within 0.5 s and was killed"
    assert outcome.diagnostics[0].detail == "waiting"
    assert not stored(tmp_path)


FAMILY = """\
# traced: timeout={timeout}
# %% a
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def note():
    with open({pids!r}, "a") as file:
        file.write(f"{{os.getpid()}}\\n")
note()
child = subprocess.Popen(["sleep", "600"])
with open({pids!r}, "a") as file:
    file.write(f"{{child.pid}}\\n")
ready, said = os.pipe()
between = os.fork()
if between == 0:
    os.setsid()
    if os.fork() == 0:  # a daemon: its parent is gone, its session another
        os.setsid()
        note()
        os.write(said, b"x")
        time.sleep(600)
    os._exit(0)
os.read(ready, 1)
os.waitpid(between, 0)
{end}
"""


@pytest.mark.parametrize(
    "end, cause",
    [
        ("time.sleep(600)", "cell 'a' did not end within 1 s and was killed"),
        ("os._exit(0)", "cell 'a' ended the process (exit code 0)"),
        ("os.abort()", "cell 'a' ended the process (killed by SIGABRT)"),
        ("", "the snippet left processes running: 2"),
        ("while True: print('x' * 100_000)", "cell 'a' wrote more than 1 MB, and was cut there"),
    ],
)
def test_no_process_survives(run: Run, tmp_path: Path, end: str, cause: str) -> None:
    pids = tmp_path / "pids"
    timeout = 1 if "sleep" in end else 60
    assert cause in fault(run(FAMILY.format(pids=str(pids), end=end, timeout=timeout)))
    found = [int(pid) for pid in pids.read_text().split()]
    assert len(found) == 3
    wait_until(lambda: gone(found))
    assert not stored(tmp_path)


def test_processes_that_multiply_are_all_ended(run: Run, tmp_path: Path) -> None:
    """A chain of processes, each of which starts the next and ends."""
    links, stop = tmp_path / "links", tmp_path / "stop"
    chain = f"""\
import os
with open({str(links)!r}, "a", buffering=1) as file:
    while not os.path.exists({str(stop)!r}):
        file.write("%d\\n" % os.getpid())
        if os.fork():
            os._exit(0)
"""
    text = f"""\
# %% a
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-S", "-c", {chain!r}], start_new_session=True)
while not os.path.exists({str(links)!r}):
    time.sleep(0.01)
os._exit(0)
"""

    lengths: list[int] = []

    def ended() -> bool:
        lengths.append(links.stat().st_size)
        return len(lengths) > 20 and lengths[-1] == lengths[-20]

    try:
        assert "exit code 0" in fault(run(text))
        wait_until(ended)
    finally:
        stop.touch()


def test_a_fork_that_goes_on_as_if_it_were_the_snippet_does_not_speak_for_it(run: Run) -> None:
    text = "# %% a\nimport os\npid = os.fork()\nprint('one')\nif pid: os.wait()\n"
    outcome = run(text + "# %% b\nprint('two')\n")
    assert written(outcome) == [[("stdout", "one\none\n")], [("stdout", "two\n")]]


def test_threads_that_still_run_are_named(run: Run) -> None:
    text = """\
# %% a
import threading, time
threading.Thread(target=time.sleep, args=(600,), name="sleeper").start()
threading.Thread(target=time.sleep, args=(600,), name="daemon \\udcff", daemon=True).start()
threading.Thread(target=print, args=("fine",)).start()
"""
    assert fault(run(text)) == (
        "snippets/c/a.py:1: the snippet left threads running: sleeper, daemon ?"
    )


def test_threads_of_jax_are_not_the_snippet_s(run: Run) -> None:
    text = """\
# %% a
import jax, jax.numpy as jnp, threading
print(jax.jit(lambda x: x @ x)(jnp.ones((64, 64))).sum())
jax.debug.callback(lambda: print(threading.current_thread() is not None))
"""
    assert said(run(text)) == "262144.0\nTrue\n"


@pytest.mark.parametrize(
    "code",
    [
        "print('x' * 10_000_000)",
        "import sys; sys.stderr.write('x\\n' * 5_000_000)",
        "import os\nwhile True: os.write(1, b'x' * 10_000)",
        "import sys\nfor i in range(4): print('x' * 300_000, file=(sys.stdout, sys.stderr)[i % 2])",
        "raise ValueError('x' * 10_000_000)",
    ],
)
def test_too_much_output_is_cut(run: Run, tmp_path: Path, code: str) -> None:
    outcome = run(f"# %% a raises=ValueError\n{code}\n")
    assert fault(outcome) == "snippets/c/a.py:1: cell 'a' wrote more than 1 MB, and was cut there"
    assert sum(len(text) for _, text in written(outcome)[0]) <= 1_000_000
    assert len(str(outcome.diagnostics[0])) < 5_000
    assert not stored(tmp_path)


def test_output_up_to_the_limit_is_kept(run: Run) -> None:
    assert len(said(run("# %% a\nprint('x' * 990_000)\n"))) == 990_001


@pytest.mark.parametrize(
    "text, cause",
    [
        ("# %% a\nraise ValueError('no\\nway')\n", "2: cell 'a' raised ValueError: no"),
        (
            "# %% a raises=TypeError\nraise ValueError('no')\n",
            "2: cell 'a' raised ValueError: no, but must raise TypeError",
        ),
        (
            "# %% a raises=TypeError\nprint(1)\n",
            "1: cell 'a' must raise TypeError, but raised nothing",
        ),
    ],
)
def test_exceptions_are_checked_both_ways(run: Run, tmp_path: Path, text: str, cause: str) -> None:
    outcome = run(text + "# %% b\nprint('after')\n")
    assert fault(outcome) == f"snippets/c/a.py:{cause}"
    assert not stored(tmp_path)
    assert ("after" in str(written(outcome))) == ("raised nothing" in cause)


def test_a_fault_in_a_helper_is_placed_there(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    root = site({"snippets/c/a.py": "# %% a\nimport helper\n", "snippets/helper.py": "\n1 / 0\n"})
    outcome = runner_for(root).start(["c/a"])["c/a"].result()
    assert (
        fault(outcome)
        == "snippets/helper.py:2: cell 'a' raised ZeroDivisionError: division by zero"
    )
    (root / "snippets/helper.py").write_text("x = (\n")
    outcome = runner_for(root).start(["c/a"])["c/a"].result()
    assert "SyntaxError" in fault(outcome)


def test_a_snippet_that_is_gone_by_now_is_one_fault(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    outcome = runner_for(site({})).start(["c/a"])["c/a"].result()
    assert fault(outcome).startswith("snippets/c/a.py:1: it cannot be read: ")


# Workers


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


def on(worker: workers.Worker, root: Path) -> Outcome:
    return Runner(Project(root), lambda: worker).start(["c/a"], again=True)["c/a"].result()


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


# The cache under bad conditions


@pytest.mark.parametrize("path", [".cache", ".cache/traced/runs", ".cache/traced/runs/c"])
def test_without_a_cache_that_can_be_written_all_is_right_but_runs_again(
    site: Site, runner_for: Callable[[Path], Runner], path: str
) -> None:
    root = site({"snippets/c/a.py": "# %% a\nprint(1)\n", path: "a file is in the way"})
    for _ in range(2):
        outcome = runner_for(root).start(["c/a"])["c/a"].result()
        assert (said(outcome), outcome.why) == ("1\n", "it has no stored run")


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
