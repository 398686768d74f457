"""What is stale is run, several snippets at once; one outcome per snippet."""

import os
import shutil
import tempfile
import threading
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import msgspec

from traced import snippets, transcript, verdict, workers
from traced.diagnostics import Diagnostic, Place
from traced.project import Project, toolchain
from traced.runs import CellResult, Run, Toolchain
from traced.snippets import Snippet, SnippetError
from traced.store import Found, Store


class Outcome(msgspec.Struct, frozen=True):
    """What became of one snippet.

    `run` is there when nothing is wrong with it, or nothing but that there are facts it does not
    know. `why` says why it was run in this build, and is
    empty when its Run was stored. `cells` holds what there is of its results even if it failed.
    """

    name: str
    snippet: Snippet | None
    run: Run | None
    diagnostics: tuple[Diagnostic, ...] = ()
    why: str = ""
    cells: tuple[CellResult, ...] = ()


class _Job(msgspec.Struct):
    """job.json, as worker/child.py reads it."""

    nonce: str
    root: str
    path: str
    text: str
    devices: int
    cache: bool
    cells: list[dict[str, object]]


class Runner:
    """Brings snippets up to date. The worker is started when the first stale one is found.

    `start_worker` starts it, where it should be another than `workers.start(project)`; what that
    one runs with is `tools`, where it is not what this interpreter would.
    """

    def __init__(
        self,
        project: Project,
        start_worker: Callable[[], workers.Worker] | None = None,
        tools: Toolchain | None = None,
    ):
        self._project = project
        self._tools = tools or toolchain()
        self._store = Store(project, self._tools)
        self._start_worker = start_worker or (lambda: workers.start(project))
        self._worker: workers.Worker | None = None
        self._closed = False
        # What failed, with what may have been the cause: while that stays as it is, the builds of
        # `mkdocs serve` do not wait for the same failure again.
        self._failed: dict[str, tuple[object, Outcome]] = {}
        self._lock = threading.Lock()
        # Twice what the worker runs at once: a job runs while another one's result is read.
        self._threads = ThreadPoolExecutor(max_workers=2 * (os.cpu_count() or 1))

    def start(self, names: Iterable[str], *, again: bool = False) -> dict[str, Future[Outcome]]:
        """Begin to bring these snippets up to date, in this order, and return at once.

        With `again`, those run as well whose Run is stored, and must do again what they did.
        """
        sources = self._sources()
        return {name: self._begin(name, again, sources) for name in names}

    def warm_up(self) -> None:
        """Start the worker already: it takes a second until it can run the first snippet."""
        try:
            self._ensure_worker()
        except workers.WorkerError:
            pass  # the thread that needs it will find that out, and say so

    def close(self) -> None:
        """Forget what has not begun, end what runs, and end the worker."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._closed = True
            if self._worker:
                self._worker.close()
                self._worker = None

    def _sources(self) -> frozenset[tuple[str, int, int]]:
        """All files beside the snippets, with size and time: what a failed one may depend on."""
        found = set()
        for file in (self._project.root / "snippets").rglob("*"):
            with suppress(OSError):  # an editor's temporary file may be gone again
                stat = file.stat()
                if file.suffix != ".pyc" and not file.is_dir():
                    found.add((str(file), stat.st_size, stat.st_mtime_ns))
        return frozenset(found)

    def _begin(self, name: str, again: bool, sources: object) -> Future[Outcome]:
        done: Future[Outcome] = Future()
        try:
            snippet = snippets.load(self._project.root, name)
        except SnippetError as error:
            done.set_result(Outcome(name, None, None, tuple(error.diagnostics)))
            return done
        except OSError as error:  # deleted since it was found, say
            cause = f"it cannot be read: {error.strerror}"
            fault = Diagnostic(cause, (Place(f"snippets/{name}.py"),))
            done.set_result(Outcome(name, None, None, (fault,)))
            return done
        found = self._store.look(snippet)
        if found.run and not again:
            done.set_result(Outcome(name, snippet, found.run, cells=found.run.cells))
            return done
        then, failed = self._failed.get(name, (None, None))
        if failed and then == sources and not again:
            done.set_result(failed)
            return done
        self.warm_up()  # before its thread has its turn
        return self._threads.submit(self._run, snippet, found, sources)

    def _ensure_worker(self) -> workers.Worker:
        with self._lock:
            if self._closed:
                raise workers.WorkerError("the build has ended")
            if self._worker is None:
                self._worker = self._start_worker()
            return self._worker

    def _run(self, snippet: Snippet, found: Found, sources: object) -> Outcome:
        why = found.why or "asked to"
        try:
            result, ending = self._in_directory(snippet)
        except (workers.WorkerError, OSError) as error:
            cause = f"the worker could not run it: {str(error).splitlines()[-1]}"
            fault = Diagnostic(cause, (Place(snippet.path),), detail=str(error))
            return Outcome(snippet.name, snippet, None, (fault,), why)
        faults = verdict.judge(snippet, result, ending)
        if faults or result.report is None:
            failed = self._note_failure(snippet, result, faults[0].cause)
            known = failed if _lacks_facts_alone(snippet, result, ending) else None
            outcome = Outcome(snippet.name, snippet, known, faults, why, result.cells)
            self._failed[snippet.name] = sources, outcome
            return outcome
        report = result.report
        run = Run(snippet.name, result.cells, report.toolchain, report.read)
        if found.run and (faults := verdict.compare(snippet, found.run, run)):
            return Outcome(snippet.name, snippet, None, faults, why, run.cells)
        try:
            self._store.put(snippet, run)
        except OSError:
            pass  # a read-only or full disk: the result is right, it will have to be made again
        return Outcome(snippet.name, snippet, run, (), why, run.cells)

    def _note_failure(self, snippet: Snippet, result: transcript.Transcript, cause: str) -> Run:
        """Have the store remember it, for comparisons."""
        report = result.report
        imported = report.read if report else {}
        run = Run(snippet.name, result.cells, self._tools, imported)
        try:
            self._store.put_failure(snippet, run, cause)
        except OSError:
            pass  # the failure is reported all the same
        return run

    def _in_directory(self, snippet: Snippet) -> tuple[transcript.Transcript, workers.Ending]:
        directory = Path(tempfile.mkdtemp(prefix="traced-")).resolve()
        nonce = uuid.uuid4().hex
        job = _Job(
            nonce,
            str(self._project.root),
            snippet.path,
            snippet.text,
            snippet.options.devices,
            not snippet.reads_executables,
            [
                {
                    "name": c.name,
                    "source": c.source,
                    "line": c.line,
                    "raises": c.options.raises,
                    "facts": c.facts,
                    "lens": c.options.lens_request,
                }
                for c in snippet.cells
            ],
        )
        env = snippet.options.variables
        plain = not env and snippet.options.devices == 1 and not snippet.reads_executables
        try:
            (directory / "job.json").write_bytes(msgspec.json.encode(job))
            ending = self._give(workers.Job(directory, snippet.options.timeout, env, plain))
            names = [cell.name for cell in snippet.cells]
            return transcript.read(directory, nonce, names, self._project.root), ending
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def _give(self, job: workers.Job) -> workers.Ending:
        """Have the worker run a job. One that fails is given up: the next job starts another."""
        worker = self._ensure_worker()
        try:
            return worker.run(job)
        except workers.WorkerError:
            with self._lock:
                if self._worker is worker:
                    self._worker = None
            worker.close()
            raise


def _lacks_facts_alone(
    snippet: Snippet, result: transcript.Transcript, ending: workers.Ending
) -> bool:
    """Whether all that is wrong with a run is in its cells of facts, which nothing depends on."""
    replace = msgspec.structs.replace
    stating = {cell.name for cell in snippet.cells if cell.facts}
    cells = tuple(replace(c, raised=None) if c.name in stating else c for c in result.cells)
    report = result.report
    reported = tuple(replace(c, facts=()) for c in report.cells) if report else ()
    rest = replace(result, cells=cells, report=report and replace(report, cells=reported))
    return report is not None and not verdict.judge(snippet, rest, ending)
