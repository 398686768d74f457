"""A snippet file read into cells; nothing is executed here.

The format is the percent format that VS Code, PyCharm, Spyder and Jupytext share: a line
`# %% name key=value ...` starts a cell. Above the first cell stand the module docstring and,
on a comment line `# traced: key=value ...`, the options of the whole file.
"""

import ast
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec

from traced.diagnostics import Diagnostic, Place

_CELL = re.compile(r"# ?%%(.*)")
_FILE_OPTIONS = re.compile(r"# traced:(.*)")
_FACTS = "facts"
_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class CellOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a cell header.

    `raises` is the exception the cell must raise; with `hide` chapters leave it out. `lens` is a
    call on names of the snippet, `lens="attend(q, k)"`, to be followed through its layers: those in
    `layers` ("jaxpr stablehlo hlo" if it is empty), StableHLO for `platform` ("tpu", "cuda"), HLO
    with `compiler_options` ("name=value ...").
    """

    raises: str = ""
    hide: bool = False
    lens: str = ""
    layers: str = ""
    platform: str = ""
    compiler_options: str = ""

    @property
    def lens_request(self) -> dict[str, Any] | None:
        """The lens as worker/child.py takes it; None without one. Raises ValueError."""
        if not self.lens:
            return None
        options = dict(word.split("=", 1) for word in shlex.split(self.compiler_options))
        return {
            "call": self.lens,
            "layers": self.layers.split(),
            "platform": self.platform,
            "compiler_options": options,
        }


class FileOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a file: CPU devices to simulate, seconds it may take, environment variables.

    `env` is written `env="NAME=value OTHER=value"`.
    """

    devices: Annotated[int, msgspec.Meta(ge=1)] = 1
    timeout: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 60.0
    env: str = ""

    @property
    def variables(self) -> dict[str, str]:
        """`env` as a mapping; raises ValueError where it is none."""
        variables = dict(word.split("=", 1) for word in shlex.split(self.env))
        if not all(map(_VARIABLE.fullmatch, variables)):
            raise ValueError("not the name of a variable")
        return variables


class Cell(msgspec.Struct, frozen=True):
    """One cell: its name, its source without the header, the 1-based line the source starts on.

    `facts` are the names that a cell of facts assigns, with the lines on which it does. Such a cell
    is headed `# %% facts` and hidden; a file may have several, named facts, facts-2 and so on.
    """

    name: str
    source: str
    line: int
    options: CellOptions = CellOptions()
    facts: dict[str, int] = {}


class Snippet(msgspec.Struct, frozen=True):
    """One snippet file. `name` is folder/stem ("tracing/attend"), `path` relative to the root."""

    name: str
    path: str
    text: str
    cells: tuple[Cell, ...]
    options: FileOptions = FileOptions()

    @property
    def reads_executables(self) -> bool:
        """Whether it may show what an executable says of itself.

        One from the compilation cache says less: its tables of locations are cut down to what is
        used. So such a snippet compiles anew.
        """
        return "compile(" in self.text or any(cell.options.lens for cell in self.cells)

    def cell(self, name: str) -> Cell | None:
        """The cell of that name, or None."""
        return next((cell for cell in self.cells if cell.name == name), None)

    def shown(self, name: str) -> list[Cell]:
        """The cell of that name, hidden or not; without a name, all cells that are not hidden."""
        return [c for c in self.cells if (c.name == name if name else not c.options.hide)]


class SnippetError(Exception):
    """A snippet file that cannot be read; `diagnostics` says why, for every fault in it."""

    def __init__(self, diagnostics: list[Diagnostic]):
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


def find(root: Path) -> Iterator[tuple[str, str]]:
    """Name and path (relative to root) of every snippet: snippets/<folder>/<stem>.py, sorted.

    Files directly in snippets/ are helpers that snippets import, and so are files whose name
    starts with an underscore. Editors keep locks and the like in files that start with a dot.
    """
    for file in sorted((root / "snippets").glob("*/*.py")):
        if not file.name.startswith(("_", ".")) and file.parent.name != "__pycache__":
            yield f"{file.parent.name}/{file.stem}", file.relative_to(root).as_posix()


def load(root: Path, name: str) -> Snippet:
    """Read snippets/<name>.py; raises SnippetError, or FileNotFoundError where there is none."""
    path = f"snippets/{name}.py"
    raw = (root / path).read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SnippetError([Diagnostic("the file is not UTF-8", (Place(path, line),))]) from None
    return parse(name, path, text.replace("\r\n", "\n").replace("\r", "\n"))


def parse(name: str, path: str, text: str) -> Snippet:
    """Split the text of a snippet into cells; raises SnippetError with every fault found."""
    faults: list[Diagnostic] = []
    lines = re.findall(r".*\n|.+", text)  # splitlines() splits where Python sees no line's end
    headers = [(i, m[1]) for i, line in enumerate(lines) if (m := _CELL.match(line))]
    starts = [i for i, _ in headers] + [len(lines)]
    program = _program(path, text, faults)
    early = [n for n in program if n.lineno <= starts[0]]
    options = _file_options(path, lines, starts[0], faults)
    cells: dict[str, Cell] = {}
    for (start, header), end in zip(headers, starts[1:], strict=True):
        place = Place(path, start + 1)
        cell_name, cell_options = _header(place, header, faults)
        assigned: dict[str, int] = {}
        if cell_name == _FACTS:
            cell_options = msgspec.structs.replace(cell_options, hide=True)
            assigned = _assigned(program, start + 1, end)
            _check_facts(path, assigned, cells.values(), faults)
            number = sum(cell.name.startswith(_FACTS) for cell in cells.values()) + 1
            cell_name = f"{_FACTS}-{number}" if number > 1 else _FACTS
        if cell_name in cells:
            faults.append(Diagnostic(f"a second cell is named {cell_name!r}", (place,)))
        source = "".join(lines[start + 1 : end])
        cells[cell_name] = Cell(cell_name, source, start + 2, cell_options, assigned)
    if not headers:
        hint = "Start each cell with a line such as `# %% trace`."
        faults.append(Diagnostic("the snippet has no cells", (Place(path),), hint))
    elif early:
        place, hint = Place(path, early[0].lineno), "Move it into a cell."
        faults.append(Diagnostic("code above the first cell is never run", (place,), hint))
    if faults:
        raise SnippetError(faults)
    return Snippet(name, path, text, tuple(cells.values()), options)


def _program(path: str, text: str, faults: list[Diagnostic]) -> list[ast.stmt]:
    """The statements of a file below its docstring; none where there is a fault in its syntax."""
    if match := _CONTROL.search(text):
        place = Place(path, text.count("\n", 0, match.start()) + 1)
        cause = f"the control character U+{ord(match[0]):04X} is in the text"
        faults.append(Diagnostic(cause, (place,), "Write it as an escape sequence."))
        return []
    try:
        module = ast.parse(text, path)
    except SyntaxError as error:
        cause = f"{type(error).__name__}: {error.msg}"
        faults.append(Diagnostic(cause, (Place(path, error.lineno or 1),), detail=error.text or ""))
    except (RecursionError, MemoryError) as error:  # too deeply nested
        faults.append(Diagnostic(f"SyntaxError: {error}", (Place(path),)))
    else:
        return module.body[ast.get_docstring(module) is not None :]
    return []


def _file_options(
    path: str, lines: list[str], first_cell: int, faults: list[Diagnostic]
) -> FileOptions:
    found = [(i, match[1]) for i, line in enumerate(lines) if (match := _FILE_OPTIONS.match(line))]
    for i, _ in found[1:]:
        faults.append(Diagnostic("a second line of options", (Place(path, i + 1),)))
    if not found:
        return FileOptions()
    place = Place(path, found[0][0] + 1)
    if place.line > first_cell:
        faults.append(Diagnostic("options stand above the first cell", (place,)))
    words, options = _options(place, found[0][1], FileOptions, faults)
    if words:
        cause = f"{' '.join(words)!r} is no option"
        faults.append(Diagnostic(cause, (place,), "Write key=value."))
    try:
        _ = options.variables
    except ValueError:
        hint = 'Write env="NAME=value OTHER=value".'
        faults.append(Diagnostic("env is not NAME=value", (place,), hint))
    return options


def _assigned(program: list[ast.stmt], after: int, last: int) -> dict[str, int]:
    """The public names assigned at the top level of lines after+1 to last, each with its line."""
    names: dict[str, int] = {}
    for statement in program:
        if after < statement.lineno <= last and not isinstance(statement, _DEFINITIONS):
            for node in ast.walk(statement):
                if isinstance(node, _ASSIGNMENTS):
                    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                        for name in _stored(target):
                            names.setdefault(name, target.lineno)
    return names


def _stored(target: ast.expr) -> list[str]:
    """The public names that an assignment to `target` binds."""
    names = (node for node in ast.walk(target) if isinstance(node, ast.Name))
    return [n.id for n in names if isinstance(n.ctx, ast.Store) and not n.id.startswith("_")]


def _check_facts(
    path: str, assigned: dict[str, int], cells: Iterable[Cell], faults: list[Diagnostic]
) -> None:
    for cell in cells:
        for name in cell.facts.keys() & assigned:
            places = Place(path, assigned[name]), Place(path, cell.facts[name])
            faults.append(Diagnostic(f"a second fact is named {name!r}", places))


def _header(place: Place, header: str, faults: list[Diagnostic]) -> tuple[str, CellOptions]:
    words, options = _options(place, header, CellOptions, faults)
    name = words[0] if len(words) == 1 else ""
    try:
        _ = options.lens_request
    except ValueError:
        hint = 'Write compiler_options="name=value other=value".'
        faults.append(Diagnostic("compiler_options is not name=value", (place,), hint))
    if not _NAME.fullmatch(name):
        cause = f"a cell header has one name, of lower-case letters, digits, - and _: {header!r}"
        faults.append(
            Diagnostic(
                cause,
                (place,),
                f"Write `# %% name`; options are {', '.join(CellOptions.__struct_fields__)}.",
            )
        )
    return name, options


def _options[T: (CellOptions, FileOptions)](
    place: Place, text: str, kind: type[T], faults: list[Diagnostic]
) -> tuple[list[str], T]:
    """The bare words of `text` that are no flags, and its key=value pairs as a `kind`."""
    known = kind.__struct_fields__
    words: list[str] = []
    given: dict[str, Any] = {}
    try:
        pieces = shlex.split(text)
    except ValueError as error:
        faults.append(Diagnostic(f"{error}: {text.strip()}", (place,)))
        pieces = text.split()[:1]
    for piece in pieces:
        key, equals, value = piece.partition("=")
        if equals:
            given[key] = value
        elif piece in known and isinstance(kind.__struct_defaults__[known.index(piece)], bool):
            given[piece] = True
        else:
            words.append(piece)
    for key in [key for key in given if key not in known]:
        hint = f"Options here are {', '.join(known)}."
        faults.append(Diagnostic(f"unknown option {key!r}", (place,), hint))
        del given[key]
    try:
        return words, msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        faults.append(Diagnostic(f"{error} in `{text.strip()}`", (place,)))
        return words, kind()
