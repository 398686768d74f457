"""Waiting for processes to end, and looking whether they did."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

#: Seconds after which a test gives up; what it waits for comes at once unless something is broken.
_PATIENCE = 30.0


def wait_until(condition: Callable[[], object], what: str = "") -> None:
    """Return as soon as the condition holds; fail the test if it never does."""
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain {what}".rstrip()
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def gone(pids: Iterable[int]) -> bool:
    """Whether all of these processes have ended."""
    return not any(map(alive, pids))
