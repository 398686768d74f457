"""How a snippet may end."""

from collections.abc import Callable
from pathlib import Path

import pytest

from traced.runner import Runner

from .conftest import Run, Site
from .outcomes import FAMILY, fault, said, stored, written
from .processes import gone, wait_until


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
    outcome = run("# traced: timeout=1\n# %% a\nprint('waiting')\nwhile True: pass\n")
    assert fault(outcome) == "snippets/c/a.py:2: cell 'a' did not end within 1 s and was killed"
    assert outcome.diagnostics[0].detail == "waiting"
    assert not stored(tmp_path)


@pytest.mark.parametrize(
    "end, cause",
    [
        ("time.sleep(600)", "cell 'a' did not end within 2 s and was killed"),
        ("os._exit(0)", "cell 'a' ended the process (exit code 0)"),
        ("os.abort()", "cell 'a' ended the process (killed by SIGABRT)"),
        ("", "the snippet left processes running: 2"),
        ("while True: print('x' * 100_000)", "cell 'a' wrote more than 1 MB, and was cut there"),
    ],
)
def test_no_process_survives(run: Run, tmp_path: Path, end: str, cause: str) -> None:
    pids = tmp_path / "pids"
    timeout = 2 if "sleep" in end else 60
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
