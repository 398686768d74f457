"""Where in the source files an equation was written: ranges of characters, from its traceback."""

import itertools
import linecache
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

from traced.worker.items import Place


class Expression(NamedTuple):
    """A range of a file: lines from 1, columns in characters from 0, the end not included."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Sources:
    """Collects the ranges that tracebacks point at, in the files that are shown.

    `show` maps the name a code object has for its file to the path a reader sees, and to None
    where the file is no part of what is shown: library code.
    """

    def __init__(self, show: Callable[[str], str | None]):
        self._show = show
        self._numbers: dict[Expression, int] = {}
        self._lines: dict[str, set[int]] = {}  # by file name: the lines of the functions met

    @property
    def expressions(self) -> list[Expression]:
        """The ranges met, in the order of their numbers."""
        return list(self._numbers)

    def chain(self, traceback: Any) -> tuple[int, ...]:
        """The numbers of the ranges that a JAX traceback passes through, the innermost first."""
        if traceback is None:
            return ()
        chain: list[int] = []
        for code, instruction in zip(*traceback.raw_frames(), strict=True):
            path = self._show(code.co_filename)
            if path is None:
                continue
            expression = _expression(path, code, instruction)
            number = self._numbers.setdefault(expression, len(self._numbers))
            self.list_function(code)
            self._lines[code.co_filename].update(range(expression.line, expression.end_line + 1))
            if number not in chain:
                chain.append(number)
        return tuple(chain)

    def start(self, place: Place) -> tuple[str, int, int] | None:
        """Path, line and column, in characters, of a place that a compiler recorded."""
        path = self._show(place.file)
        if path is None:
            return None
        text = linecache.getline(place.file, place.line)
        return path, place.line, characters(text, place.column)

    def list_function(self, code: CodeType) -> None:
        """Have the lines of a function among those that are listed; not those of a whole module."""
        if self._show(code.co_filename) is not None:
            lines = self._lines.setdefault(code.co_filename, set())
            if code.co_name != "<module>":
                lines.update(range(code.co_firstlineno, _last_line(code) + 1))

    def listings(self) -> list[dict[str, Any]]:
        """The source lines to show: {"path", "line" (of the first), "text"}, each run of lines.

        Files are in the order in which they were met.
        """
        return [
            {
                "path": self._show(name),
                "line": first,
                "text": "".join(linecache.getline(name, n) for n in range(first, last + 1)),
            }
            for name, lines in self._lines.items()
            for first, last in _runs(sorted(lines))
        ]


def _expression(path: str, code: CodeType, instruction: int) -> Expression:
    """The range of an instruction, given as an offset in bytes into the code.

    Columns of code objects count bytes of UTF-8. Python 3.10 knows the line alone.
    """
    line: int
    positions = getattr(code, "co_positions", None)
    if positions is None:
        line = next(n for start, end, n in code.co_lines() if start <= instruction < end and n)
        end_line, column, end_column = line, None, None
    else:
        line, end_line, column, end_column = next(
            itertools.islice(positions(), instruction // 2, None)
        )
    first = linecache.getline(code.co_filename, line)
    last = linecache.getline(code.co_filename, end_line)
    if column is None or end_column is None:  # python -X no_debug_ranges
        column = len(first) - len(first.lstrip())
        return Expression(path, line, column, line, len(first.rstrip()))
    return Expression(path, line, characters(first, column), end_line, characters(last, end_column))


def characters(line: str, count: int) -> int:
    """How many characters the first `count` bytes of a line are."""
    return len(line.encode("utf-8", "surrogatepass")[:count].decode("utf-8", "replace"))


def _last_line(code: CodeType) -> int:
    positions = getattr(code, "co_positions", None)
    ends = (p[1] for p in positions()) if positions else (n for _, _, n in code.co_lines())
    return max(n or 0 for n in itertools.chain(ends, [code.co_firstlineno]))


def _runs(lines: list[int]) -> Iterator[tuple[int, int]]:
    """(first, last) of each run of consecutive numbers."""
    for _, run in itertools.groupby(enumerate(lines), lambda pair: pair[1] - pair[0]):
        numbers = [line for _, line in run]
        yield numbers[0], numbers[-1]
