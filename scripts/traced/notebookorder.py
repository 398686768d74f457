"""Where in a notebook each cell of a chapter's snippets stands.

On the page a cell may be shown in two places, its source and later its output, and a snippet's
cells in any order. In a notebook each is one cell, and it runs in the order it stands in. So:

- A cell stands where its output is first shown; one without output, or whose output is shown
  nowhere, where its source is. What a question asks for thus stays behind the question. Where its
  source is shown earlier, it stands there as text.
- Before it come the cells of its snippet that precede it in the file and are not there yet, those
  that the page hides too. One that the page shows further down waits for that where its place makes
  no difference: where it shares no names with the cells below it, modules aside. Cells of facts
  never come.
- What the page shows again, or has shown too early for this order, is text in its second place.
"""

import ast
import builtins
import functools
import symtable
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from traced import outline, showing
from traced.diagnostics import Diagnostic, Place
from traced.html import Show
from traced.outline import Block, Part
from traced.runs import Run
from traced.showing import BLOCKS, Outcomes
from traced.snippets import Cell, Snippet

_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True)
class Shown:
    """What one block shows of a snippet that ran."""

    snippet: Snippet
    run: Run
    cells: tuple[Cell, ...]
    show: Show

    def shows_output(self, cell: Cell) -> bool:
        """Whether the block shows anything that the cell printed or raised."""
        result = self.run.cell(cell.name)
        printed = result.raised or any(chunk.text.strip() for chunk in result.output)
        return self.show != "source" and bool(printed)


class Order:
    """The order of the cells on one page.

    `shown` is what each block shows, by the line it starts on; blocks that show nothing, because
    they or their snippet are faulty, are not in it: the page reports them.
    """

    def __init__(self, parts: Sequence[Part], page: str, outcomes: Outcomes):
        found = {b.line: _shown(b, page, outcomes) for _, b in outline.blocks(parts)}
        self.shown: Mapping[int, Shown] = {line: s for line, s in found.items() if s}
        self._lines: dict[tuple[str, str], int] = {}
        for with_output in (True, False):
            for line, shown in self.shown.items():
                for cell in shown.cells:
                    if shown.shows_output(cell) or not with_output:
                        self._lines.setdefault((shown.snippet.name, cell.name), line)
        self._there: set[tuple[str, str]] = set()
        self._questions = {b.line for _, b in outline.blocks(parts) if b.name == "predict"}

    def is_due(self, line: int, snippet: Snippet, cell: Cell) -> bool:
        """Whether the cell stands where the block at `line` does, and is not there yet."""
        key = snippet.name, cell.name
        return key not in self._there and self._lines.get(key, line) == line

    def is_answer(self, snippet: Snippet, cell: Cell) -> bool:
        """Whether a question asks for what the cell prints."""
        return self._lines.get((snippet.name, cell.name)) in self._questions

    def take(self, snippet: Snippet, cell: Cell) -> list[Cell]:
        """The cell, and before it those that must come now."""
        earlier = snippet.cells[: snippet.cells.index(cell)]
        missing = [c for c in earlier if not c.facts and (snippet.name, c.name) not in self._there]
        taken = [c for c in missing if not self._waits(snippet, c)]
        self._there.update((snippet.name, c.name) for c in [*taken, cell])
        return [*taken, cell]

    def _waits(self, snippet: Snippet, cell: Cell) -> bool:
        """Whether a cell that is shown further down can come as late as that."""
        if (snippet.name, cell.name) not in self._lines:
            return False
        names = _names(cell.source)
        later = snippet.cells[snippet.cells.index(cell) + 1 :]
        others = [_names(other.source) for other in later if not other.facts]
        modules = frozenset[str]().union(*(_names(c.source).imported for c in snippet.cells))
        return not any(
            names.bound & other.free or names.free & (other.free | other.bound) - modules
            for other in others
        )


def faults(snippet: Snippet, cells: Sequence[Cell], shown: Place) -> Iterator[Diagnostic]:
    """What keeps cells of a snippet from running in a notebook that has these of it alone.

    `shown` is where the chapter shows them.
    """
    last = max(snippet.cells.index(cell) for cell in cells)
    facts = [cell for cell in snippet.cells[:last] if cell.facts]
    bound = set[str]().union(*(_names(cell.source).bound for cell in cells if facts))
    for cell in cells:
        places = Place(snippet.path, cell.line), shown
        if "__file__" in cell.source and "__file__" in _names(cell.source).free:
            cause = f"the cell {cell.name!r} reads __file__, which no notebook has"
            yield Diagnostic(cause, places, "Say in another way what it is to read.")
        for fact in facts:
            for name in sorted(_names(cell.source).free & _names(fact.source).bound - bound):
                cause = f"the cell {cell.name!r} needs {name!r} from a cell of facts"
                hint = "Notebooks leave those out: import or define it in this cell."
                yield Diagnostic(cause, places, hint)


def modules(source: str) -> list[str]:
    """The modules that a source imports, in order."""
    found: dict[str, None] = {}
    if "import" not in source:
        return []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= dict.fromkeys(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found[node.module] = None
    return list(found)


def _shown(block: Block, page: str, outcomes: Outcomes) -> Shown | None:
    ran = showing.ran(block, page, outcomes)
    show: Any = (block.options or {}).get("show", BLOCKS.get(block.name))
    if block.name == "lens":  # its `show` names layers
        show = BLOCKS["lens"]
    if ran is None or show not in get_args(Show):
        return None
    return Shown(ran.snippet, ran.run, ran.cells, show)


class _Names(NamedTuple):
    """The names that a source reads and has not bound itself, those it binds, and imports."""

    free: frozenset[str]
    bound: frozenset[str]
    imported: frozenset[str]


@functools.lru_cache(1024)
def _names(source: str) -> _Names:
    free, bound, imported = set[str](), set[str](), set[str]()
    try:
        # Written anew: in the source, a statement may share its lines with others.
        tables = [
            (s, symtable.symtable(ast.unparse(s), "", "exec")) for s in ast.parse(source).body
        ]
    except SyntaxError:
        tables = []  # a cell that must raise just that, before anything in it runs
    for statement, table in tables:
        symbols = table.get_symbols()
        binds = {s.get_name() for s in symbols if s.is_assigned() or s.is_namespace()}
        imported |= {s.get_name() for s in symbols if s.is_imported()}
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound |= binds  # its body runs later
        reads = {*_read(table), *binds & set(_changed(statement))}
        free |= reads - bound - imported - _BUILTINS
        bound |= binds
    return _Names(frozenset(free), frozenset(bound | imported), frozenset(imported))


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The names that `x += 1` or `del x` need, which a symbol table has as assigned alone."""
    for node in ast.walk(statement):
        targets = node.targets if isinstance(node, ast.Delete) else []
        for target in [node.target] if isinstance(node, ast.AugAssign) else targets:
            if isinstance(target, ast.Name):
                yield target.id


def _read(table: symtable.SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        top = table.get_type() == "module"
        if symbol.is_referenced() and (top or symbol.is_global()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _read(child)
