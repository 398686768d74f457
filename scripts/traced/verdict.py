"""What is wrong with a run, in words."""

import difflib
import signal
from collections.abc import Iterable, Iterator

from traced.diagnostics import Diagnostic, Place
from traced.runs import CellResult, Raised, Run
from traced.snippets import Cell, Snippet
from traced.transcript import Report, ReportedCell, ReportedFact, Transcript
from traced.workers import OUTPUT_LIMIT, Ending

#: Lines of a cell's last output that a diagnostic quotes.
_QUOTED = 12


def judge(snippet: Snippet, transcript: Transcript, ending: Ending) -> tuple[Diagnostic, ...]:
    """Everything wrong with the run that ended so; empty when it is as its author meant it."""
    return tuple(_faults(snippet, transcript, ending))


def compare(snippet: Snippet, before: Run, now: Run) -> tuple[Diagnostic, ...]:
    """What two runs did differently that depend on the same; empty when they did the same."""
    hint = "Nothing that it depends on has changed: let it give the same every time."
    return tuple(
        Diagnostic(
            f"cell {cell.name!r} does not give the same every time",
            (_header(snippet, cell),),
            hint,
            _difference(old, new),
        )
        for cell, old, new in zip(snippet.cells, before.cells, now.cells, strict=True)
        if old != new
    )


def _difference(old: CellResult, new: CellResult) -> str:
    """The lines that were and that are, marked with "-" and "+"."""
    changes = list(difflib.unified_diff(_lines(old), _lines(new), n=0, lineterm=""))
    return _last("\n".join(line for line in changes[2:] if not line.startswith("@@ ")))


def _lines(result: CellResult) -> list[str]:
    lines = "".join(chunk.text for chunk in result.output).splitlines()
    if result.raised:
        lines += f"{result.raised.type}: {result.raised.message}".splitlines()
    return lines


def _faults(snippet: Snippet, transcript: Transcript, ending: Ending) -> Iterator[Diagnostic]:
    if transcript.reached < 0:
        reason = "there was no time" if ending.cut == "time" else _exit(ending.code)
        cause = f"the worker failed before the first cell ({reason})"
        yield Diagnostic(cause, (Place(snippet.path),), detail=_last(transcript.unclaimed))
        return
    cell = snippet.cells[transcript.reached]
    place = _header(snippet, cell)
    said = _last_lines(transcript.cells[-1])
    if ending.cut == "time":
        cause = (
            f"cell {cell.name!r} did not end within {snippet.options.timeout:g} s and was killed"
        )
        hint = "Should it take longer, write `# traced: timeout=...` above the first cell."
        yield Diagnostic(cause, (place,), hint, said)
    elif ending.cut == "output":
        cause = f"cell {cell.name!r} wrote more than {OUTPUT_LIMIT / 1e6:g} MB, and was cut there"
        yield Diagnostic(cause, (place,), "Print less: a page cannot show it.", said)
    elif transcript.report is None:
        cause = f"cell {cell.name!r} ended the process ({_exit(ending.code)})"
        yield Diagnostic(cause, (place,), detail=said)
    else:
        for result, own in zip(transcript.cells, snippet.cells, strict=False):
            yield from _raised(snippet, own, result.raised)
        for reported in transcript.report.cells:
            yield from _refused(snippet, reported.facts)
            yield from _no_lens(snippet, reported)
        yield from _left(snippet, transcript.report)


def _raised(snippet: Snippet, cell: Cell, raised: Raised | None) -> Iterator[Diagnostic]:
    expected, place = cell.options.raises, _header(snippet, cell)
    if raised is None:
        if expected:
            cause = f"cell {cell.name!r} must raise {expected}, but raised nothing"
            hint = "Take `raises` out of the cell's header, if that is right now."
            yield Diagnostic(cause, (place,), hint)
        return
    if raised.type == expected:
        return
    first = raised.message.partition("\n")[0]
    cause = f"cell {cell.name!r} raised {raised.type}{': ' if first else ''}{first}"
    if expected:
        cause += f", but must raise {expected}"
    hint = f'If that is meant, write raises="{raised.type}" in the cell\'s header.'
    frames = [f"{f.path}:{f.line} in {f.function}" for f in raised.frames]
    where = Place(raised.frames[-1].path, raised.frames[-1].line) if frames else place
    detail = "\n".join([*frames, f"{raised.type}: {raised.message}"])
    yield Diagnostic(cause, (where,), hint, detail)


def _refused(snippet: Snippet, facts: Iterable[ReportedFact]) -> Iterator[Diagnostic]:
    for fact in facts:
        if fact.refused:
            hint = (
                "A fact is a bool, an int, a finite float, a str or a flat list of those; "
                "name what is only needed on the way with a leading underscore."
            )
            cause = f"the fact {fact.name!r} is {fact.refused}"
            yield Diagnostic(cause, (Place(snippet.path, fact.line),), hint)


def _no_lens(snippet: Snippet, reported: ReportedCell) -> Iterator[Diagnostic]:
    fault, cell = reported.lens_fault, snippet.cell(reported.name)
    if fault and cell:
        cause = (
            f"no lens on {cell.options.lens!r}: {fault.type}: {fault.message.partition('\n')[0]}"
        )
        yield Diagnostic(cause, (_header(snippet, cell),), detail=fault.message)


def _left(snippet: Snippet, report: Report) -> Iterator[Diagnostic]:
    place = Place(snippet.path)
    if report.threads:
        names = ", ".join(report.threads)
        hint = "Join every thread: what it prints after the last cell is lost."
        yield Diagnostic(f"the snippet left threads running: {names}", (place,), hint)
    if report.children:
        hint = "Wait for every process that the snippet starts; these were killed."
        yield Diagnostic(f"the snippet left processes running: {report.children}", (place,), hint)


def _header(snippet: Snippet, cell: Cell) -> Place:
    return Place(snippet.path, cell.line - 1)


def _exit(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _last_lines(result: CellResult) -> str:
    return _last("".join(chunk.text for chunk in result.output))


def _last(text: str) -> str:
    return "\n".join(line[:200] for line in text.splitlines()[-_QUOTED:])
