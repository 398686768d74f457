"""The cache: Runs by what they depend on. Any entry may be damaged or missing at any time."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from traced import cachefile
from traced.cachefile import digest
from traced.project import Project, toolchain, worker_digest
from traced.runs import Run, Toolchain
from traced.snippets import FileOptions, Snippet

#: Entries kept per snippet; more than one, so that going back to an earlier text costs nothing.
_KEPT = 16


class Ingredients(msgspec.Struct, frozen=True):
    """What a Run depends on, besides the files it imported."""

    text: str
    options: FileOptions
    toolchain: Toolchain
    worker: str

    @classmethod
    def of(cls, snippet: Snippet, tools: Toolchain) -> "Ingredients":
        """What a run of `snippet` with these tools depends on now."""
        return cls(digest(snippet.text.encode()), snippet.options, tools, worker_digest())

    def key(self) -> str:
        """SHA-256 of all of them, hexadecimal."""
        return digest(msgspec.json.encode(self))


class _Entry(msgspec.Struct, frozen=True):
    ingredients: Ingredients
    run: Run
    failure: str = ""


class Found(NamedTuple):
    """The stored Run of a snippet, or None and why it must run."""

    run: Run | None
    why: str


class Ran(NamedTuple):
    """What a snippet did, and why that is no result: "", or what is wrong with it."""

    run: Run
    failure: str


class Store:
    """The Runs under .cache/traced/runs/, a folder per snippet, a file per Run.

    `tools` are what it stores and looks for runs of; by default, what this interpreter runs with.
    """

    def __init__(self, project: Project, tools: Toolchain | None = None):
        self._root = project.root
        self._folder = project.cache / "runs"
        self._failures = project.cache / "failures"
        self._tools = tools or toolchain()
        self._prefix = digest(msgspec.json.encode(self._tools))[:8]

    def look(self, snippet: Snippet) -> Found:
        """The Run of this snippet as it is now, or why there is none."""
        key = Ingredients.of(snippet, self._tools).key()
        reasons = []
        for file in self._files(snippet, key):
            entry = _read(file)
            if entry is None:
                reasons.append("its cache entry is damaged")
            elif changed := self._changed_import(entry.run):
                reasons.append(f"{changed} changed")
            else:
                return Found(entry.run, "")
        return Found(None, reasons[0] if reasons else self._why(snippet))

    def put(self, snippet: Snippet, run: Run) -> None:
        """Store a Run whole or not at all. Raises OSError where the cache cannot be written."""
        ingredients = Ingredients.of(snippet, self._tools)
        imported = digest(msgspec.json.encode(run.imported, order="deterministic"))
        name = f"{self._prefix}-{ingredients.key()[:32]}-{imported[:16]}"
        cachefile.write(
            self._folder / snippet.name / name, msgspec.json.encode(_Entry(ingredients, run))
        )
        for old in list(self._files(snippet))[_KEPT:]:
            old.unlink(missing_ok=True)

    def put_failure(self, snippet: Snippet, run: Run, cause: str) -> None:
        """Note what a snippet did that failed, for `ran` alone: it is not a result.

        Raises OSError where the cache cannot be written.
        """
        entry = _Entry(Ingredients.of(snippet, self._tools), run, cause)
        cachefile.write(self._failures / snippet.name / self._prefix, msgspec.json.encode(entry))

    def ran(self, snippet: Snippet, jax: str) -> Ran | None:
        """What this snippet as it is now did under that version of JAX; None where it has not run.

        A failure counts where there is no result.
        """
        now = Ingredients.of(snippet, self._tools)
        files = [*self._files(snippet, tools="[0-9a-f]*")]
        failures = sorted((self._failures / snippet.name).glob("[0-9a-f]*"), key=_age)
        for entry in map(_read, [*files, *failures]):
            if entry is None or entry.ingredients.toolchain.jax != jax:
                continue
            then = msgspec.structs.replace(entry.ingredients, toolchain=now.toolchain)
            if then == now and not self._changed_import(entry.run):
                return Ran(entry.run, entry.failure)
        return None

    def versions(self) -> set[str]:
        """The versions of JAX that anything stored ran with."""
        folders = self._folder, self._failures
        entries = (_read(file) for folder in folders for file in folder.glob("*/*/[0-9a-f]*"))
        return {entry.ingredients.toolchain.jax for entry in entries if entry}

    def _files(self, snippet: Snippet, key: str = "", tools: str = "") -> Iterator[Path]:
        """Entries of a snippet, newest first; with `key`, only those of that key.

        `tools` is a pattern, where others are meant than those of this store.
        """
        pattern = f"{tools or self._prefix}-{key[:32] or '[0-9a-f]*'}-*"
        yield from sorted((self._folder / snippet.name).glob(pattern), key=_age)

    def _changed_import(self, run: Run) -> str:
        for path, then in run.imported.items():
            try:
                now = digest((self._root / path).read_bytes())
            except OSError:
                now = ""
            if now != then:
                return path
        return ""

    def _why(self, snippet: Snippet) -> str:
        others = self._files(snippet, tools="[0-9a-f]*")
        newest = next(self._files(snippet), None) or next(others, None)
        if newest is None:
            return "it has no stored run"
        entry = _read(newest)
        if entry is None:
            return "its cache entry is damaged"
        now, then = Ingredients.of(snippet, self._tools), entry.ingredients
        if now.text != then.text or now.options != then.options:
            return "its text changed"
        for name in Toolchain.__struct_fields__:
            new, old = getattr(now.toolchain, name), getattr(then.toolchain, name)
            if new != old:
                return f"{name} was {old}, is {new}"
        return "the worker's code changed"


def _read(file: Path) -> _Entry | None:
    body = cachefile.read(file)
    try:
        return msgspec.json.decode(body, type=_Entry) if body is not None else None
    except msgspec.MsgspecError:
        return None  # written in an older form: a miss


def _age(file: Path) -> float:
    try:
        return -file.stat().st_mtime
    except OSError:
        return 0.0
