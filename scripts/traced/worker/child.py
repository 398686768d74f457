"""One snippet, run in this process: its cells in order, each one's output and exception apart.

A job is a directory. In it the build has put job.json; the run leaves stdout, stderr and
report.json there and works in the empty directory cwd. `python -m traced.worker.child JOB` runs
one in a process of its own; the fork server calls `run` in a forked child.
"""

import ast
import hashlib
import io
import json
import linecache
import os
import sys
import threading
import types
from collections.abc import Iterator
from typing import Any, NoReturn

from traced.worker import facts, processes, warm
from traced.worker.streams import Streams

#: The directory that holds the package: its frames and files are not the snippet's.
PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(directory: str, streams: Streams) -> NoReturn:
    """Run the job in `directory` and end this process; it does not return."""
    with open(os.path.join(directory, "job.json"), encoding="utf-8") as file:
        job = json.load(file)
    pid = os.getpid()
    streams.open(directory, job["nonce"])
    _isolate(directory, job)
    read = _record_reads(job)
    namespace = _main_module(job)
    threads = set(threading.enumerate())
    cells: list[dict[str, Any]] = []
    lenses = _Lenses(job)
    for index, cell in enumerate(job["cells"]):
        streams.mark(f"begin:{index}")
        raised, unknown = _run_cell(job, cell, namespace)
        if os.getpid() != pid:  # a child that the cell forked, and that has come to its end
            streams.flush()
            os._exit(1 if raised else 0)
        streams.mark(f"end:{index}")
        known = {name: line for name, line in cell["facts"].items() if name not in unknown}
        stated = facts.collect(known, namespace)
        cells.append({"name": cell["name"], "raised": raised, "facts": stated})
        if raised and raised["type"] != cell["raises"] and not cell["facts"]:
            break  # what follows would run on a state that its author did not mean
        if cell["lens"]:
            lenses.take(index, cell["lens"], namespace)
    # Not before the last cell is done: what is traced for a lens is not traced again there.
    streams.silence()
    for index, recorded in lenses.record():
        cells[index] |= recorded
    left = [t.name for t in threading.enumerate() if t not in threads and _is_left(t)]
    started = processes.descendants(os.getpid()) if os.name == "posix" else []
    report = {
        "cells": cells,
        "read": read,
        "toolchain": toolchain(),
        "threads": left,
        "children": len(started),
    }
    temporary = os.path.join(directory, "report.tmp")
    # Not as ASCII: a lone surrogate must become a "?", for no JSON can hold it.
    with open(temporary, "w", encoding="utf-8", errors="replace") as file:
        json.dump(report, file, ensure_ascii=False)
    os.replace(temporary, os.path.join(directory, "report.json"))
    streams.flush()
    if started:
        processes.kill_descendants(os.getpid())
    os._exit(0)


class _Lenses:
    """The calls that cells want followed through their layers."""

    def __init__(self, job: dict[str, Any]):
        self._job = job
        self._calls: dict[int, Any] = {}
        self._faults: dict[int, dict[str, Any]] = {}

    def take(self, index: int, request: dict[str, Any], namespace: dict[str, Any]) -> None:
        """Evaluate the call of cell `index` with the names as they are after it."""
        from traced.worker.call import evaluate

        try:
            self._calls[index] = evaluate(request["call"], namespace), request
        except Exception as error:
            self._faults[index] = _raised(error, self._job)

    def record(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """For each call the lens as layers.Lens has it, or what recording it raised."""
        from traced.worker.lens import record, shown_in

        for index, (call, request) in self._calls.items():
            options = {k: v for k, v in request.items() if k != "call"}
            try:
                yield index, {"lens": record(call, shown_in(self._job["root"]), **options)}
            except Exception as error:
                self._faults[index] = _raised(error, self._job)
        yield from ((index, {"lens_fault": fault}) for index, fault in self._faults.items())


def toolchain() -> dict[str, str]:
    """The versions this process runs, by the names of runs.Toolchain."""
    import jax
    import jaxlib.version
    import numpy

    return {
        "python": sys.version.split()[0],
        "jax": jax.__version__,
        "jaxlib": jaxlib.version.__version__,
        "numpy": numpy.__version__,
        "platform": os.environ.get("JAX_PLATFORMS", "cpu"),
    }


def _isolate(directory: str, job: dict[str, Any]) -> None:
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if job["devices"] > 1:
        flag = f"--xla_force_host_platform_device_count={job['devices']}"
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flag}".strip()
    if not job["cache"]:
        import jax

        jax.config.update("jax_compilation_cache_dir", None)
    workplace = os.path.join(directory, "cwd")
    os.mkdir(workplace)
    os.chdir(workplace)
    # A compiled helper that is stale, or that this run would leave beside the helper, is none.
    sys.dont_write_bytecode = True
    sys.pycache_prefix = workplace
    path = os.path.join(job["root"], job["path"])
    snippets = os.path.join(job["root"], "snippets")
    kept = [p for p in sys.path if p not in (PACKAGE_ROOT, snippets)]
    sys.path[:] = [os.path.dirname(path), snippets, *kept]
    sys.argv[:] = [path]


def _record_reads(job: dict[str, Any]) -> dict[str, str]:
    """What will hold every file of the repository that the run opens to read.

    Paths are relative to the root, each with the SHA-256 digest of the bytes that were there when
    it was first opened: should it change later, the run is out of date. "" stands for no file.
    """
    read: dict[str, str] = {}
    prefix = os.path.join(job["root"], "")
    helpers = os.path.join(prefix, "snippets")
    own = os.path.dirname(os.path.join(prefix, job["path"]))

    def record(path: str) -> None:
        name = path[len(prefix) :].replace(os.sep, "/")
        if not path.startswith(prefix) or name.startswith(".") or name in read:
            return
        read[name] = ""
        try:
            with io.open(path, "rb") as file:  # a snippet may replace the `open` of builtins
                read[name] = hashlib.sha256(file.read()).hexdigest()
        except OSError:
            pass

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(arguments[0], (str, bytes, os.PathLike)):
            return
        if arguments[2] & (os.O_WRONLY | os.O_RDWR) == os.O_WRONLY:
            return
        path = os.path.abspath(os.fsdecode(arguments[0]))
        record(path)
        if os.path.dirname(path) == helpers:
            record(os.path.join(own, os.path.basename(path)))  # would be imported in its place

    sys.addaudithook(hook)
    return read


def _main_module(job: dict[str, Any]) -> dict[str, Any]:
    """The namespace of the cells: that of __main__, as when the file is run with `python`."""
    module = types.ModuleType("__main__")
    module.__file__ = os.path.join(job["root"], job["path"])
    sys.modules["__main__"] = module
    # Cells are compiled under the relative path, the only one that may reach a page; inspect,
    # warnings and tracebacks find the source by it all the same.
    lines = job["text"].splitlines(keepends=True)
    linecache.cache[job["path"]] = (len(job["text"]), None, lines, job["path"])
    return module.__dict__


def _run_cell(
    job: dict[str, Any], cell: dict[str, Any], namespace: dict[str, Any]
) -> tuple[dict[str, Any] | None, set[str]]:
    """What the cell raised first, as a dictionary of runs.Raised, or None; and unknown names.

    A cell of facts goes on after a statement that raises: other facts do not depend on it. What
    that one would have assigned is unknown.
    """
    padding = "\n" * (cell["line"] - 1)  # lines and columns are those of the whole file
    pieces: list[Any] = [padding + cell["source"]]
    if cell["facts"]:
        try:
            tree = ast.parse(pieces[0], job["path"])
        except SyntaxError as error:  # an older Python, which cannot read it
            return _raised(error, job), set(cell["facts"])
        pieces = [ast.Module([statement], []) for statement in tree.body]
    first = None
    unknown: set[str] = set()
    for piece in pieces:
        raised = _run_piece(job, piece, namespace)
        if raised and cell["facts"]:
            names = [node for node in ast.walk(piece) if isinstance(node, ast.Name)]
            unknown.update(node.id for node in names if isinstance(node.ctx, ast.Store))
        first = first or raised
    return first, unknown


def _run_piece(job: dict[str, Any], piece: Any, namespace: dict[str, Any]) -> dict[str, Any] | None:
    try:
        exec(compile(piece, job["path"], "exec", dont_inherit=True), namespace)
        _settle()
    except BaseException as error:
        try:
            _settle()
        except Exception:
            pass  # the cell's own exception is the one to report
        return _raised(error, job)
    return None


def _settle() -> None:
    """Wait for callbacks such as jax.debug.print, which run asynchronously."""
    jax = sys.modules.get("jax")
    if jax is not None and hasattr(jax, "effects_barrier"):
        jax.effects_barrier()


def _raised(error: BaseException, job: dict[str, Any]) -> dict[str, Any]:
    try:
        message = str(error)
    except Exception as failure:
        message = f"<its message raised {type(failure).__name__}>"
    frames = []
    entry = error.__traceback__
    prefix = os.path.join(job["root"], "")
    while entry is not None:
        code = entry.tb_frame.f_code
        path = code.co_filename
        own = path == job["path"]
        if path.startswith(prefix) and not path.startswith(PACKAGE_ROOT):
            path, own = path[len(prefix) :].replace(os.sep, "/"), True
            own = not path.startswith(".")  # an environment inside the repository
        if own:
            frames.append({"path": path, "line": entry.tb_lineno, "function": code.co_name})
        entry = entry.tb_next
    if isinstance(error, SyntaxError) and not frames:
        frames.append({"path": job["path"], "line": error.lineno or 1, "function": "<module>"})
    return {"type": type(error).__name__, "message": message, "frames": frames}


def _is_left(thread: threading.Thread) -> bool:
    # A callback from C++ makes threading invent an object for a thread Python did not start.
    return thread.is_alive() and not isinstance(thread, threading._DummyThread)


if __name__ == "__main__":
    _directory = os.path.abspath(sys.argv[1])
    # What is said before the first cell (that jax refuses a variable, say) must be found as well.
    _said = os.open(os.path.join(_directory, "stderr"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(_said, 2)
    os.close(_said)
    _streams = Streams()
    processes.adopt_orphans()
    warm.import_jax()
    run(_directory, _streams)
