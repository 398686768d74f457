"""Looking at what became of a snippet."""

from pathlib import Path

from traced import workers
from traced.project import Project
from traced.runner import Outcome, Runner

#: A snippet that has a child, and a daemon that tries to get away. Each notes its process id.
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


def on(worker: workers.Worker, root: Path) -> Outcome:
    return Runner(Project(root), lambda: worker).start(["c/a"], again=True)["c/a"].result()
