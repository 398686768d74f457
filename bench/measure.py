"""Builds and servers, measured from outside. Linux: it reads /proc."""

import os
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from traced.worker import processes

#: Seconds that anything may take.
_PATIENCE = 300.0


class Sample(NamedTuple):
    """One build: seconds on the clock, of CPU, and of CPU that everybody else took meanwhile.

    `memory` is the peak of what its processes held together, in MB, where that was asked for.
    """

    wall: float
    cpu: float = 0.0
    others: float = 0.0
    memory: float = 0.0


def build(folder: Path, python: str = sys.executable, *, watch_memory: bool = False) -> Sample:
    """Run `mkdocs build` in `folder`. Raises RuntimeError with what it said when it fails."""
    busy, start = _busy(), time.monotonic()
    with (folder / "build.log").open("wb") as log:
        process = _mkdocs(folder, python, log, "build", "--quiet")
        peak = _Memory(process.pid) if watch_memory else None
        # Not Popen.wait: this says what the process and its children took.
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError((folder / "build.log").read_text())
    cpu = usage.ru_utime + usage.ru_stime
    others = max(0.0, _busy() - busy - cpu)
    return Sample(wall, cpu, others, peak.stop() if peak else 0.0)


class Server:
    """A site under `mkdocs serve`."""

    def __init__(self, folder: Path, page: str, process: subprocess.Popen[bytes], port: int):
        self._folder = folder
        self._process = process
        self._url = f"http://127.0.0.1:{port}/{page}"

    def wait_for(self, text: str) -> float:
        """Seconds until the page has the text. Raises RuntimeError if it never does."""
        start = time.monotonic()
        while time.monotonic() - start < _PATIENCE and self._process.poll() is None:
            try:
                with urllib.request.urlopen(self._url, timeout=_PATIENCE) as answer:
                    if text in answer.read().decode():
                        return time.monotonic() - start
            except OSError:
                pass  # not listening yet
            time.sleep(0.01)
        raise RuntimeError(f"never served: {text}\n{(self._folder / 'serve.log').read_text()}")


@contextmanager
def serve(folder: Path, page: str, python: str = sys.executable) -> Iterator[Server]:
    """Serve the site in `folder`; `page` is the URL to look at, relative to the site's."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    with (folder / "serve.log").open("wb") as log:
        process = _mkdocs(folder, python, log, "serve", "--livereload", "--dev-addr", address)
        try:
            yield Server(folder, page, process, port)
        finally:
            processes.kill_tree(process.pid)
            process.wait()


def wait_until_idle(patience: float) -> None:
    """Wait, `patience` seconds at most, for half a second in which nobody else needs the CPU."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        busy = _busy()
        time.sleep(0.5)
        if _busy() - busy < 0.05:
            return


def rest() -> None:
    """Let the last build come to rest, for a time that is out of step with any polling."""
    time.sleep(random.uniform(1.5, 2.5))


def _mkdocs(folder: Path, python: str, log: object, *arguments: str) -> "subprocess.Popen[bytes]":
    without = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    environment = {name: value for name, value in os.environ.items() if name not in without}
    return subprocess.Popen(
        [python, "-m", "mkdocs", *arguments],
        cwd=folder,
        env=environment | {"NO_MKDOCS_2_WARNING": "1"},
        stdin=subprocess.DEVNULL,
        stdout=log,  # type: ignore[arg-type]
        stderr=subprocess.STDOUT,
    )


class _Memory:
    """Adds up, ten times a second, what a process and its descendants hold; keeps the most."""

    def __init__(self, pid: int):
        self._pid = pid
        self._peak = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def stop(self) -> float:
        self._ended.set()
        self._thread.join()
        return self._peak / 1024

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            tree = [self._pid, *processes.descendants(self._pid)]
            self._peak = max(self._peak, sum(map(_held, tree)))


def _held(pid: int) -> int:
    """The proportional set size in KB: pages that n processes share count one n-th in each."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except OSError:
        return 0  # it has ended


def _busy() -> float:
    """Seconds of CPU that were used on this machine since it started."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq = map(int, file.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
