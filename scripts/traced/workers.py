"""The processes that run jobs: a fork server where there is fork, else a process for each job."""

import json
import math
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from traced.project import WORKER, Project
from traced.runs import Toolchain
from traced.worker import forkserver, processes

#: What an interpreter is asked for the versions it runs. Any Python can read the first lines.
_ASK = """
import sys
if sys.version_info < (3, 10):
    sys.exit("it is Python " + sys.version.split()[0] + ", and 3.10 is the oldest that can")
import json
from traced.worker import child
tools = child.toolchain()
if tuple(map(int, tools["jax"].split(".")[:2])) < (0, 8):
    sys.exit("it has JAX " + tools["jax"] + ", and 0.8 is the oldest that can")
print(json.dumps(tools))
"""

#: Bytes a snippet may write, to both streams together.
OUTPUT_LIMIT = 1_000_000


class Job(NamedTuple):
    """A job as a worker sees it: its directory, and what it may use.

    `timeout` is in seconds; `env` are variables that jax must find when it is imported; `plain`
    jobs need nothing that a process started ahead of time does not have.
    """

    directory: Path
    timeout: float
    env: dict[str, str]
    plain: bool


class Ending(NamedTuple):
    """How a job ended: exit code, negative for a signal, and the limit it was killed for."""

    code: int
    cut: str  # "", "time" or "output"


class WorkerError(Exception):
    """The process that runs jobs could not start, or died; the message holds what it said."""


class Worker(Protocol):
    """Runs jobs: as many at once as there are cores, when called from at least as many threads."""

    def run(self, job: Job) -> Ending:
        """Run a job to its end. Raises WorkerError."""

    def close(self) -> None:
        """End all processes."""


def start(
    project: Project,
    *,
    spare: bool = False,
    fork: bool = hasattr(os, "fork"),
    python: str = "",
) -> Worker:
    """Start the worker for this platform. With `spare`, a warmed process waits for the next job.

    `python` is the interpreter it runs in, where that is not this one. Raises WorkerError.
    """
    return ForkServer(project, spare, python) if fork else Spawner(project, python)


def toolchain_of(project: Project, python: str) -> Toolchain:
    """What another interpreter runs snippets with, as it says itself; `python` is its whole path.

    Raises WorkerError where it can run none: it takes Python 3.10 and JAX 0.8 or newer.
    """
    try:
        asked = subprocess.run(
            [python, "-c", _ASK],
            cwd=WORKER.parent.parent,
            env=_environment(project),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise WorkerError(str(error)) from error
    if asked.returncode:
        said = asked.stderr.decode("utf-8", "replace").strip().splitlines()
        raise WorkerError(said[-1] if said else f"it ended with exit code {asked.returncode}")
    try:
        return msgspec.json.decode(asked.stdout.splitlines()[-1], type=Toolchain)
    except (IndexError, msgspec.MsgspecError):
        raise WorkerError("it does not say what it runs") from None


def _environment(project: Project, python: str = "") -> dict[str, str]:
    """All a snippet gets to see of the environment: nothing inherited that could hold a secret.

    With another `python` nothing is compiled ahead: some versions of JAX write to standard error
    when they load what they find.
    """
    needed = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH")
    inherited = {name: os.environ[name] for name in needed if name in os.environ}
    plain = inherited | {
        "HOME": os.devnull,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": "80",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "OPENBLAS_NUM_THREADS": "1",  # a fork must find one thread only
        "JAX_PLATFORMS": "cpu",
    }
    compiled = {
        "JAX_COMPILATION_CACHE_DIR": str(project.cache / "xla"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        # Without it, an entry brings the source locations of the program that made it.
        "JAX_COMPILATION_CACHE_INCLUDE_METADATA_IN_KEY": "1",
    }
    return plain if python else plain | compiled


class ForkServer:
    """worker/forkserver.py in a process of its own. It starts to import jax at once.

    Raises WorkerError where the process cannot be started.
    """

    def __init__(self, project: Project, spare: bool, python: str = ""):
        arguments = [python or sys.executable, "-m", "traced.worker.forkserver"]
        try:
            self._process = subprocess.Popen(
                arguments + ["--spare"] * spare,
                cwd=WORKER.parent.parent,
                env=_environment(project, python),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise WorkerError(str(error)) from error
        self._lock = threading.Lock()
        self._waiting: dict[str, Future[Ending]] = {}
        self._said = b""
        self._dead = False
        # Two threads of our own read what it says, so that it never has to wait for us.
        self._complaints = threading.Thread(target=self._read_complaints, daemon=True)
        self._complaints.start()
        threading.Thread(target=self._read_replies, daemon=True).start()

    def run(self, job: Job) -> Ending:
        """See Worker."""
        request = {
            "job": str(job.directory),
            "timeout": job.timeout,
            "limit": OUTPUT_LIMIT,
            "spare": job.plain,
            "env": job.env,
        }
        future: Future[Ending] = Future()
        assert self._process.stdin
        with self._lock:
            if self._dead:
                raise self._error()
            self._waiting[str(job.directory)] = future
            try:
                self._process.stdin.write(json.dumps(request).encode() + b"\n")
                self._process.stdin.flush()
            except (OSError, ValueError):  # it is gone, or was closed
                raise self._error() from None
        return future.result()

    def close(self) -> None:
        """See Worker. The server kills its children when its standard input ends."""
        assert self._process.stdin
        try:
            self._process.stdin.close()
        except OSError:
            pass
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def _read_replies(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            reply = json.loads(line)
            if "job" in reply:
                with self._lock:
                    future = self._waiting.pop(reply["job"])
                future.set_result(Ending(reply["code"], reply["cut"]))
        self._complaints.join(timeout=5)
        with self._lock:
            self._dead = True
            for future in self._waiting.values():
                future.set_exception(self._error())

    def _read_complaints(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self._said = (self._said + line)[-4000:]

    def _error(self) -> WorkerError:
        said = self._said.decode("utf-8", "replace").strip()
        return WorkerError(said or "the fork server ended without a word")


class Spawner:
    """A new process for every job; what the fork server does is done here, job by job."""

    def __init__(self, project: Project, python: str = ""):
        self._environment = _environment(project, python)
        self._python = python or sys.executable
        self._cores = threading.Semaphore(os.cpu_count() or 1)

    def run(self, job: Job) -> Ending:
        """See Worker."""
        with self._cores:
            return self._run(job)

    def _run(self, job: Job) -> Ending:
        try:
            process = subprocess.Popen(
                [self._python, "-m", "traced.worker.child", str(job.directory)],
                cwd=WORKER.parent.parent,
                env=self._environment | job.env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise WorkerError(str(error)) from error
        directory, deadline = str(job.directory), time.monotonic() + job.timeout
        cut = ""
        while process.poll() is None:
            cut = cut or forkserver.passed_limit(directory, OUTPUT_LIMIT, deadline)
            if cut:
                processes.kill_tree(process.pid)
            time.sleep(0.01)
        cut = cut or forkserver.passed_limit(directory, OUTPUT_LIMIT, math.inf)
        return Ending(process.returncode, cut)

    def close(self) -> None:
        """See Worker. Every process has ended when `run` returned."""
