"""What a job left in its directory, read back: which cell wrote what, and what it raised.

The marks between cells are written by worker/streams.py, report.json by worker/child.py.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

import msgspec

from traced.clean import Cleaner
from traced.layers import Lens, cleaned
from traced.runs import CellResult, Chunk, Fact, Raised, Scalar, Stream, Toolchain
from traced.workers import OUTPUT_LIMIT


class ReportedFact(msgspec.Struct, frozen=True):
    """A fact as the run states it; where it is none, `refused` says what it is instead."""

    name: str
    line: int
    value: Scalar | tuple[Scalar, ...] | None
    refused: str


class ReportedCell(msgspec.Struct, frozen=True):
    """A cell as the run reports it."""

    name: str
    raised: Raised | None
    facts: tuple[ReportedFact, ...]
    lens: Lens | None = None
    lens_fault: Raised | None = None


class Report(msgspec.Struct, frozen=True):
    """What a run that came to its end says of itself, before anything is cleaned.

    `read` maps files of the repository to digests; `threads` names the threads that still ran,
    `children` counts the processes.
    """

    cells: tuple[ReportedCell, ...]
    read: dict[str, str]
    toolchain: Toolchain
    threads: tuple[str, ...]
    children: int


class Transcript(msgspec.Struct, frozen=True):
    """All that is known of a job that ended: its cells so far, and its report if it made one.

    Of output beyond the limit nothing is known, nor of cells that came after it. `reached` is the
    index of the last cell that began; `unclaimed` is what was written before the first cell (by
    the worker, when it fails).
    """

    cells: tuple[CellResult, ...]
    reached: int
    unclaimed: str
    report: Report | None


def read(directory: Path, nonce: str, names: list[str], root: Path) -> Transcript:
    """Read the job in `directory`; `names` are the names of the snippet's cells, in order."""
    clean = Cleaner(root, directory)
    report = _report(directory / "report.json")
    reported = {cell.name: cell for cell in report.cells} if report else {}
    pieces = _pieces(directory, nonce)
    reached = max((index for index, _, _ in pieces), default=-1)
    cells = []
    for index, name in enumerate(names[: reached + 1]):
        own = [(out, err) for owner, out, err in pieces if owner == index]
        cell = reported.get(name)
        error = cell.raised if cell else None
        if error:
            error = msgspec.structs.replace(error, message=clean(error.message[:OUTPUT_LIMIT]))
        facts = _facts(cell.facts, clean) if cell else {}
        lens = _lens(cell.lens, clean) if cell and cell.lens else None
        cells.append(CellResult(name, _chunks(own, clean), error, facts, lens))
    unclaimed = clean(b"".join(out + err for owner, out, err in pieces if owner < 0))
    return Transcript(tuple(cells), reached, unclaimed, report)


def _facts(reported: Iterable[ReportedFact], clean: Cleaner) -> dict[str, Fact]:
    def cleaned(value: Scalar) -> Scalar:
        return clean(value) if isinstance(value, str) else value

    facts = {}
    for fact in reported:
        if isinstance(fact.value, tuple):
            facts[fact.name] = Fact(tuple(map(cleaned, fact.value)), fact.line)
        elif fact.value is not None:
            facts[fact.name] = Fact(cleaned(fact.value), fact.line)
    return facts


def _lens(lens: Lens, clean: Cleaner) -> Lens:
    layers = tuple(cleaned(layer, clean) for layer in lens.layers)
    return msgspec.structs.replace(lens, layers=layers)


def _report(file: Path) -> Report | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Report)
    except (OSError, msgspec.MsgspecError):
        return None


def _pieces(directory: Path, nonce: str) -> list[tuple[int, bytes, bytes]]:
    """(index of the cell, what it wrote to stdout, to stderr) between any two marks.

    The pieces end where both streams together pass the limit.
    """
    mark = re.compile(b"\0" + nonce.encode() + rb":([a-z]+)(?::(\d+))?\0")
    streams = []
    for name in ("stdout", "stderr"):
        file = directory / name
        raw = b""
        if file.exists():
            with file.open("rb") as opened:
                raw = opened.read(OUTPUT_LIMIT)
        streams.append(mark.split(raw))  # text, label, index, text, label, index, text ...
    out, err = streams
    owner = -1
    pieces = [(owner, out[0], err[0])]
    # A job that was killed may have written its last mark to the first stream only.
    for (label, index, first), (_, _, second) in zip_longest(
        _triples(out), _triples(err), fillvalue=(b"turn", None, b"")
    ):
        if label == b"begin" and index:
            owner = int(index)
        # What is written after the end of a cell (by a thread it left) still belongs to it.
        pieces.append((owner, first, second))
    return list(_within_limit(pieces))


def _within_limit(pieces: list[tuple[int, bytes, bytes]]) -> Iterator[tuple[int, bytes, bytes]]:
    room = OUTPUT_LIMIT
    for owner, out, err in pieces:
        kept = out[:room]
        yield owner, kept, err[: room - len(kept)]
        room -= len(out) + len(err)
        if room < 0:
            return


def _triples(parts: list[bytes]) -> list[tuple[bytes, bytes | None, bytes]]:
    rest = iter(parts[1:])
    return list(zip(rest, rest, rest, strict=True))


def _chunks(pieces: list[tuple[bytes, bytes]], clean: Cleaner) -> tuple[Chunk, ...]:
    """What was written, in order: consecutive text of one stream as one chunk, cleaned."""
    merged: list[tuple[Stream, bytes]] = []
    for out, err in pieces:
        written: list[tuple[Stream, bytes]] = [("stdout", out), ("stderr", err)]
        for stream, raw in written:
            if merged and merged[-1][0] == stream:
                merged[-1] = (stream, merged[-1][1] + raw)
            elif raw:
                merged.append((stream, raw))
    return tuple(Chunk(stream, clean(raw)) for stream, raw in merged)
