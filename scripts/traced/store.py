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
    def of(cls, snippet: Snippet) -> "Ingredients":
        """What a run of `snippet` by this interpreter depends on now."""
        return cls(digest(snippet.text.encode()), snippet.options, toolchain(), worker_digest())

    def key(self) -> str:
        """SHA-256 of all of them, hexadecimal."""
        return digest(msgspec.json.encode(self))


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
        imported = digest(msgspec.json.encode(run.imported, order="deterministic"))
        target = self._folder / snippet.name / f"{ingredients.key()[:32]}-{imported[:16]}"
        cachefile.write(target, msgspec.json.encode(_Entry(ingredients, run)))
        for old in list(self._files(snippet))[_KEPT:]:
            old.unlink(missing_ok=True)

    def _files(self, snippet: Snippet, key: str = "") -> Iterator[Path]:
        """Entries of a snippet, newest first; with `key`, only those of that key."""
        pattern = f"{key[:32] or '[0-9a-f]*'}-*"
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
