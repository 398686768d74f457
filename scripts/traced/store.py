"""The cache: Runs by what they depend on. Any entry may be damaged or missing at any time."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

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
    def of(cls, snippet: Snippet) -> "Ingredients":
        """What a run of `snippet` by this interpreter depends on now."""
        return cls(_digest(snippet.text.encode()), snippet.options, toolchain(), worker_digest())

    def key(self) -> str:
        """SHA-256 of all of them, hexadecimal."""
        return _digest(msgspec.json.encode(self))


class _Entry(msgspec.Struct, frozen=True):
    ingredients: Ingredients
    run: Run


class Found(NamedTuple):
    """The stored Run of a snippet, or None and why it must run."""

    run: Run | None
    why: str


class Store:
    """The Runs under .cache/traced/runs/, a folder per snippet, a file per Run."""

    def __init__(self, project: Project):
        self._root = project.root
        self._folder = project.cache / "runs"

    def look(self, snippet: Snippet) -> Found:
        """The Run of this snippet as it is now, or why there is none."""
        key = Ingredients.of(snippet).key()
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
        ingredients = Ingredients.of(snippet)
        imported = _digest(msgspec.json.encode(run.imported, order="deterministic"))
        target = self._folder / snippet.name / f"{ingredients.key()[:32]}-{imported[:16]}"
        body = msgspec.json.encode(_Entry(ingredients, run))
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".", delete=False) as file:
            try:
                file.write(_digest(body).encode() + b"\n" + body)
                file.close()
                os.replace(file.name, target)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
        for old in list(self._files(snippet))[_KEPT:]:
            old.unlink(missing_ok=True)

    def _files(self, snippet: Snippet, key: str = "") -> Iterator[Path]:
        """Entries of a snippet, newest first; with `key`, only those of that key."""
        pattern = f"{key[:32] or '[0-9a-f]*'}-*"
        yield from sorted((self._folder / snippet.name).glob(pattern), key=_age)

    def _changed_import(self, run: Run) -> str:
        for path, digest in run.imported.items():
            try:
                now = _digest((self._root / path).read_bytes())
            except OSError:
                now = ""
            if now != digest:
                return path
        return ""

    def _why(self, snippet: Snippet) -> str:
        newest = next(self._files(snippet), None)
        if newest is None:
            return "it has no stored run"
        entry = _read(newest)
        if entry is None:
            return "its cache entry is damaged"
        now, then = Ingredients.of(snippet), entry.ingredients
        if now.text != then.text or now.options != then.options:
            return "its text changed"
        for name in Toolchain.__struct_fields__:
            new, old = getattr(now.toolchain, name), getattr(then.toolchain, name)
            if new != old:
                return f"{name} was {old}, is {new}"
        return "the worker's code changed"


def _read(file: Path) -> _Entry | None:
    try:
        digest, _, body = file.read_bytes().partition(b"\n")
        if _digest(body).encode() == digest:
            return msgspec.json.decode(body, type=_Entry)
    except (OSError, msgspec.MsgspecError):
        pass  # damaged, or written in an older form: a miss either way
    return None


def _age(file: Path) -> float:
    try:
        return -file.stat().st_mtime
    except OSError:
        return 0.0


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
