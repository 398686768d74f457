"""The facts of a run: what its cells of facts state, and what can be read off any cell's result."""

from traced.runs import CellResult, Fact, Run
from traced.snippets import Snippet


def of(snippet: Snippet, run: Run) -> dict[str, Fact]:
    """Every fact by its name, as it stands after the snippet's name in a reference.

    Besides the facts that the snippet states, each cell has `<cell>.lines`, the number of lines it
    printed; `<cell>.printed`, the text, where that is one line; `<cell>.error`, the class of the
    exception it raised; and `<cell>.message`, the first line of what that said.
    """
    found: dict[str, Fact] = {}
    for cell, result in zip(snippet.cells, run.cells, strict=True):
        found |= result.facts
        for name, value in _read_off(result).items():
            found[f"{cell.name}.{name}"] = Fact(value, cell.line - 1)
    return found


def _read_off(result: CellResult) -> dict[str, int | str]:
    lines = "".join(c.text for c in result.output if c.stream == "stdout").splitlines()
    values: dict[str, int | str] = {"lines": len(lines)}
    if len(lines) == 1:
        values["printed"] = lines[0]
    if result.raised:
        values["error"] = result.raised.type
        values["message"] = result.raised.message.partition("\n")[0]
    return values
