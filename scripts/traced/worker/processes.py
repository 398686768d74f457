"""Process trees: found, and killed as a whole."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

# From <linux/prctl.h>.
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """On Linux, make this process the parent of its descendants' orphans, so none gets lost."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """On Linux, have this process killed when the one that started it ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL if os.name == "posix" else 0)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def children(pid: int) -> list[int]:
    """Process ids of the living children of `pid`; zombies are not alive. POSIX only."""
    return _children().get(pid, [])


def descendants(pid: int) -> list[int]:
    """Process ids of all living descendants of `pid`. POSIX only."""
    if _childless(pid):
        return []
    tree = _children()
    found: list[int] = []
    todo = [pid]
    while todo:
        new = tree.get(todo.pop(), [])
        found += new
        todo += new
    return found


def _childless(pid: int) -> bool:
    """Whether Linux says that a process has no child, which is cheaper than to look at them all."""
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                if file.read(1):
                    return False
    except OSError:
        return False  # it does not say
    return True


def _children() -> dict[int, list[int]]:
    tree: dict[int, list[int]] = {}
    for child, parent, state in _processes():
        if state != "Z":
            tree.setdefault(parent, []).append(child)
    return tree


def kill_tree(pid: int) -> None:
    """Kill a process and all its descendants. What is gone already is no error."""
    if os.name != "posix":
        command = ["taskkill", "/F", "/T", "/PID", str(pid)]
        subprocess.run(command, capture_output=True, check=False)
        return
    _signal(pid, signal.SIGSTOP)  # it must not start anything while its tree is being read
    kill_descendants(pid)
    _signal(pid, signal.SIGKILL)


def kill_descendants(pid: int) -> None:
    """Kill all descendants of `pid`, but not `pid` itself. POSIX only."""
    for descendant in descendants(pid):
        _signal(descendant, signal.SIGKILL)


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def _processes() -> Iterator[tuple[int, int, str]]:
    """(pid, parent's pid, state) of every process."""
    if os.path.isdir("/proc/self"):
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                        state, parent = file.read().rpartition(")")[2].split()[:2]
                except OSError:
                    continue  # it ended meanwhile
                yield int(name), int(parent), state
    else:
        listing = subprocess.run(
            ["ps", "-axo", "pid=,ppid=,state="], capture_output=True, text=True, check=True
        )
        for line in listing.stdout.splitlines():
            pid, parent, state = line.split()
            yield int(pid), int(parent), state[0]
