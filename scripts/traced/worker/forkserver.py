"""Imports jax once and forks a child for every job. POSIX only.

Run as `python -m traced.worker.forkserver [--spare]`. Requests come on standard input, replies go
to standard output, a JSON object a line:

    -> {"job": DIRECTORY, "timeout": SECONDS, "limit": BYTES, "spare": BOOL, "env": {NAME: VALUE}}
    <- {"toolchain": {...}}                          once, when it is ready
    <- {"job": DIRECTORY, "code": CODE, "cut": CUT}  when that job has ended

CODE is the exit code, negative for a signal; CUT is "time" or "output" when the job was killed for
passing that limit, else "". A job with "env" runs in an interpreter of its own, because jax reads
its variables when it is imported. As many jobs run at once as there are cores; more wait here, so
that no core waits for the build to send the next. With --spare a child waits, warmed, for the next
job that may have it ("spare"). At the end of its input the server kills what still runs.
"""

import json
import math
import os
import select
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable
from typing import Any, NoReturn

from traced.worker import child, processes, warm
from traced.worker.streams import Streams

#: Seconds between two looks at the limits of the jobs that run.
_INTERVAL = 0.05

_CORES = os.cpu_count() or 1


class _Job:
    def __init__(self, request: dict[str, Any], pid: int):
        self.request = request
        self.directory: str = request["job"]
        self.pid = pid
        self.limit: int = request["limit"]
        self.deadline = time.monotonic() + request["timeout"]
        self.cut = ""

    @property
    def was_lost(self) -> bool:
        """Whether it was given to a spare that had died, or was dying, before it read of the job.

        A process that was killed can seem to take what is written to it until its last thread ends.
        """
        begun = os.path.exists(os.path.join(self.directory, "stdout"))
        return bool(self.request["spare"] and not begun and not self.cut)

    def check(self) -> None:
        """Kill the job when it has passed a limit."""
        if not self.cut:
            self.cut = passed_limit(self.directory, self.limit, self.deadline)
            if self.cut:
                processes.kill_tree(self.pid)


def passed_limit(directory: str, limit: int, deadline: float) -> str:
    """Which limit a job has passed: "output" (bytes), "time" (monotonic seconds), or "".

    The report counts as output: it holds the messages of exceptions.
    """
    if time.monotonic() > deadline:
        return "time"
    written = 0
    for name in ("stdout", "stderr", "report.json"):
        try:
            written += os.path.getsize(os.path.join(directory, name))
        except OSError:
            pass  # it has not got that far
    return "output" if written > limit else ""


class _Server:
    def __init__(self, requests: int, replies: int, streams: Streams, keep_spare: bool):
        self._requests = requests
        self._replies = replies
        self._streams = streams
        self._keep_spare = keep_spare
        # (pid, descriptor to write the job's directory to)
        self._spare: tuple[int, int] | None = None
        self._jobs: dict[int, _Job] = {}
        self._waiting: deque[dict[str, Any]] = deque()

    def serve(self) -> None:
        """Take requests until there are no more."""
        wake, woken = os.pipe()
        for descriptor in (wake, woken):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(woken)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        pending = b""
        while True:
            if self._keep_spare and self._spare is None and not self._jobs:
                self._spare = self._fork_spare()
            timeout = _INTERVAL if self._jobs else None
            ready, _, _ = select.select([self._requests, wake], [], [], timeout)
            if wake in ready:
                os.read(wake, 4096)
            if self._requests in ready:
                data = os.read(self._requests, 1 << 16)
                if not data:
                    return
                *lines, pending = (pending + data).split(b"\n")
                self._waiting.extend(map(json.loads, lines))
            for job in self._jobs.values():
                job.check()
            self._reap()
            while self._waiting and len(self._jobs) < _CORES:
                self._start(self._waiting.popleft())

    def stop(self) -> None:
        """Kill every child."""
        processes.kill_descendants(os.getpid())

    def reply(self, message: dict[str, Any]) -> None:
        os.write(self._replies, (json.dumps(message) + "\n").encode())

    def _start(self, request: dict[str, Any]) -> None:
        directory = request["job"]
        if request["env"]:
            pid = self._fork(lambda: _own_interpreter(directory, request["env"]))
        else:
            pid = self._take_spare(directory) if request["spare"] else 0
            pid = pid or self._fork(lambda: child.run(directory, self._streams))
        self._jobs[pid] = _Job(request, pid)

    def _take_spare(self, directory: str) -> int:
        """Give a job to the spare child and return its process id, or 0 where there is none."""
        if not self._spare:
            return 0
        pid, descriptor = self._spare
        self._spare = None
        try:
            os.write(descriptor, f"{directory}\n".encode())
        except OSError:
            pid = 0  # it has died
        os.close(descriptor)
        return pid

    def _fork_spare(self) -> tuple[int, int]:
        receive, send = os.pipe()

        def wait_for_job() -> None:
            os.close(send)
            warm.with_backend()
            with os.fdopen(receive) as pipe:
                directory = pipe.readline().rstrip("\n")
            if directory:
                child.run(directory, self._streams)

        pid = self._fork(wait_for_job)
        os.close(receive)
        return pid, send

    def _fork(self, work: Callable[[], object]) -> int:
        """Fork a child that does `work()` and ends; returns its process id."""
        self._streams.flush()
        pid = os.fork()
        if pid:
            return pid
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            processes.die_with_parent()
            processes.adopt_orphans()
            os.close(self._requests)
            os.close(self._replies)
            if self._spare:
                os.close(self._spare[1])  # or the spare would not see the server close it
            work()
        except BaseException:  # a fault of the worker, unless the snippet broke its tools
            try:
                self._streams.flush()
                os.write(2, traceback.format_exc().encode("utf-8", "replace"))
            finally:
                os._exit(70)
        os._exit(0)

    def _reap(self) -> None:
        ended = []
        stray = False
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            if pid in self._jobs:
                job = self._jobs.pop(pid)
                if job.was_lost:
                    self._waiting.appendleft(job.request | {"spare": False})
                else:
                    ended.append((job, os.waitstatus_to_exitcode(status)))
            elif self._spare and pid == self._spare[0]:
                os.close(self._spare[1])
                self._spare, self._keep_spare = None, False
            else:
                stray = True  # it may have started another before it ended
        if ended or stray:
            self._kill_strays()
        for job, code in ended:
            cut = job.cut or passed_limit(job.directory, job.limit, math.inf)
            self.reply({"job": job.directory, "code": code, "cut": cut})

    def _kill_strays(self) -> None:
        """Kill what the jobs that ended have left: orphans, which this process has adopted.

        A job that still runs is no orphan and is the parent of its own orphans.
        """
        known = {*self._jobs, self._spare[0] if self._spare else 0}
        for pid in processes.children(os.getpid()):
            if pid not in known:
                processes.kill_tree(pid)


def _own_interpreter(directory: str, variables: dict[str, str]) -> NoReturn:
    arguments = [sys.executable, "-m", "traced.worker.child", directory]
    os.execve(sys.executable, arguments, {**os.environ, **variables})


def main() -> None:
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    streams = Streams()
    processes.adopt_orphans()
    warm.import_jax()
    server = _Server(requests, replies, streams, "--spare" in sys.argv)
    if not warm.without_backend():
        sys.exit("a backend started before the first fork")
    server.reply({"toolchain": child.toolchain()})
    try:
        server.serve()
    finally:
        server.stop()
    streams.flush()
    os._exit(0)  # not by way of tearing down jax: the build waits for this


if __name__ == "__main__":
    main()
