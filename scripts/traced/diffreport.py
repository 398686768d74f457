"""What `traced diff` prints."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from traced.diff import Change, Report, Side
from traced.jaxprdiff import Difference

#: Lines that are shown of a level of a cell.
_SHOWN = 16
_WIDTH = 160

#: What can have changed, the most first.
_KINDS = ("failure", *Difference._fields, "facts")


def text(old: Side, new: Side, report: Report, *, whole: bool = False) -> str:
    """The report; with `whole`, every line of it, be it as long as it may."""
    lines = [*_tools(old), *_tools(new)]
    for change in report.changes:
        lines += ["", *_change(old, new, change, whole)]
    if report.statements:
        lines += ["", "Checked statements that are not true of both:"]
    for place, said, reference, was, is_ in report.statements:
        lines.append(f"{place}: the text says {said!r}")
        lines.append(f"    fact:{reference} is {was!r} with {old.label}, {is_!r} with {new.label}")
    for label, names in report.missing.items():
        if names:
            lines += ["", f"Not compared, for they have not run with {label}: {', '.join(names)}"]
    return "\n".join([*lines, "", *_summary(old, new, report)]) + "\n"


def _tools(side: Side) -> Iterator[str]:
    for tools in {ran.run.toolchain: None for ran in side.ran.values()}:
        yield (
            f"{side.label}: jax {tools.jax}, jaxlib {tools.jaxlib}, numpy {tools.numpy}, "
            f"Python {tools.python}, {tools.platform}"
        )


def _change(old: Side, new: Side, change: Change, whole: bool) -> Iterator[str]:
    yield f"{change.name}: {', '.join(_kinds(change))}"
    for page, places in groupby(change.places, lambda place: place.path):
        yield f"  shown at {page}:{', '.join(str(place.line) for place in places)}"
    for side, failure in zip((old, new), change.failures, strict=False):
        yield f"  with {side.label}: {failure or 'nothing is wrong'}"
    for cell, difference in change.cells.items():
        for kind, lines in difference._asdict().items():
            if lines:
                yield f"  {cell}: {kind}"
                yield from _cut(lines, whole)
    if change.facts:
        yield "  facts"
        yield from _cut(change.facts, whole)


def _kinds(change: Change) -> list[str]:
    """What changed, the most first."""
    found = {kind for d in change.cells.values() for kind, lines in d._asdict().items() if lines}
    found |= {"failure"} if change.failures else set()
    found |= {"facts"} if change.facts else set()
    return [kind for kind in _KINDS if kind in found]


def _summary(old: Side, new: Side, report: Report) -> Iterator[str]:
    counts = Counter(kind for change in report.changes for kind in _kinds(change))
    compared = len(old.ran.keys() & new.ran.keys())
    of_kind = ", ".join(f"{counts[kind]} in {kind}" for kind in _KINDS if counts[kind])
    yield f"{len(report.changes)} of {compared} snippets differ{f': {of_kind}' if of_kind else ''}"
    yield f"checked statements that are not true of both: {len(report.statements)}"
    touched = {place.path for change in report.changes for place in change.places}
    touched |= {statement.place.path for statement in report.statements}
    yield f"pages touched: {', '.join(sorted(touched)) or 'none'}"


def _cut(lines: Iterable[str], whole: bool) -> Iterator[str]:
    shown = list(lines)
    more = 0 if whole else len(shown) - _SHOWN
    for line in shown[:_SHOWN] if more > 0 else shown:
        yield f"    {line if whole or len(line) <= _WIDTH else line[:_WIDTH] + '…'}"
    if more > 0:
        yield f"    … {more} more lines (--whole shows them)"
