"""Cells of a Jupyter notebook, and the notebook itself, as what its JSON holds (nbformat 4.5).

Plain dictionaries: nbformat would take as long to import as all notebooks take to make. The tests
hold what comes out against nbformat's schema.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from traced.runs import CellResult, Raised, Toolchain
from traced.snippets import Cell, Snippet

type NotebookCell = dict[str, Any]

_SETUP = """\
# This notebook was made with JAX {jax}, and another version may print other things.
# Colab gets this one; anywhere else you are told if yours differs.
import os
import sys

MADE_WITH = "{jax}"

# Before JAX is imported: what the programs below ran with.
{environment}

if "google.colab" in sys.modules:
    from IPython import get_ipython

    get_ipython().run_line_magic("pip", f"install -q jax=={{MADE_WITH}}")

import jax

if jax.__version__ != MADE_WITH:
    print(f"This is JAX {{jax.__version__}}, not {{MADE_WITH}}: some outputs will differ.")
    print(f"pip install jax=={{MADE_WITH}}, then restart the kernel.")
"""

_PROGRAMS = """\
# On the page each program runs in a process of its own; here all share this kernel.
# So a program starts with begin(): without the traces and settings of those before it.
# Where the page comes back to one, resume() brings back its names and settings.
jax.config.update("jax_pprint_use_color", False)  # text alone, as on the page
_settings = dict(jax.config.values)
_programs, _running = {}, None


def _change(program, names, settings):
    global _running
    own = {name: value for name, value in globals().items() if not name.startswith("_")}
    _programs[_running], _running = (own, dict(jax.config.values)), program
    globals().update(names)
    for name, value in settings.items():
        if jax.config.values[name] != value:
            jax.config.update(name, value)


def begin(program):
    _change(program, {}, _settings)
    jax.clear_caches()


def resume(program):
    _change(program, *_programs[program])

"""


def markdown(text: str) -> NotebookCell:
    """A cell of prose."""
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def code(source: str, outputs: Sequence[Mapping[str, Any]] = (), **metadata: Any) -> NotebookCell:
    """A cell of code that nobody has run in this notebook, with the outputs it had elsewhere."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": list(outputs),
        "source": _lines(source.strip("\n")),
    }


def setup(toolchain: Toolchain, variables: Mapping[str, str]) -> list[NotebookCell]:
    """What a notebook starts with: JAX, its version checked, and what keeps programs apart."""
    values = {"JAX_PLATFORMS": toolchain.platform, **variables}
    environment = "\n".join(f'os.environ["{n}"] = {json.dumps(v)}' for n, v in values.items())
    source = _SETUP.format(jax=toolchain.jax, environment=environment)
    return [code(source, traced={"part": "setup"}), code(_PROGRAMS, traced={"part": "programs"})]


def helper(module: str, source: str) -> NotebookCell:
    """A cell that writes a module that programs below import."""
    return code(f"%%writefile {module}.py\n{source}", traced={"part": "helper"})


def ran(
    snippet: Snippet, cell: Cell, result: CellResult, *, head: str = "", held_back: bool = False
) -> NotebookCell:
    """A cell of a snippet with what it did. `held_back` output is not seen at first."""
    metadata: dict[str, Any] = {"traced": {"cell": cell.name, "snippet": snippet.name}}
    if cell.options.raises:
        metadata["tags"] = ["raises-exception"]
    if held_back:
        # JupyterLab and Notebook read the one, Colab and older ones the other.
        metadata |= {"collapsed": True, "jupyter": {"outputs_hidden": True}}
    source = cell.source if cell.options.raises else _quiet(cell.source)
    return code(head + source.strip("\n"), list(_outputs(snippet, result)), **metadata)


def document(cells: Sequence[NotebookCell], toolchain: Toolchain, chapter: str) -> bytes:
    """The bytes of a notebook. `chapter` is the page it is made from: "l/tracing"."""
    notebook = {
        "cells": [{"id": f"cell-{n}", **cell} for n, cell in enumerate(cells, 1)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python", "version": toolchain.python},
            "traced": {"chapter": chapter, "jax": toolchain.jax},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)
    return f"{text}\n".encode()


def _quiet(source: str) -> str:
    """The source with a semicolon behind a last expression: a snippet shows what it prints alone.

    Without it, Jupyter would show the value as well.
    """
    last = ast.parse(source).body[-1:]
    if not last or not isinstance(last[0], ast.Expr) or _prints(last[0].value):
        return source
    lines = source.encode().split(b"\n")
    line, column = (last[0].end_lineno or 1) - 1, last[0].end_col_offset or 0
    if not lines[line][column:].lstrip().startswith(b";"):
        lines[line] = lines[line][:column] + b";" + lines[line][column:]
    return b"\n".join(lines).decode()


def _prints(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "print"
    )


def _outputs(snippet: Snippet, result: CellResult) -> Iterator[dict[str, Any]]:
    for chunk in result.output:
        yield {"name": chunk.stream, "output_type": "stream", "text": _lines(chunk.text)}
    if result.raised:
        yield {
            "ename": result.raised.type,
            "evalue": result.raised.message,
            "output_type": "error",
            "traceback": _traceback(snippet, result.raised),
        }


def _traceback(snippet: Snippet, raised: Raised) -> list[str]:
    """The frames of the snippet, as Python shows them, and the exception."""
    lines = snippet.text.split("\n")
    shown = ["Traceback (most recent call last):"]
    for frame in raised.frames:
        shown.append(f'  File "{frame.path}", line {frame.line}, in {frame.function}')
        if frame.path == snippet.path and frame.line <= len(lines):
            shown.append(f"    {lines[frame.line - 1].strip()}")
    message = raised.message.rstrip()
    return [*shown, f"{raised.type}: {message}" if message else raised.type]


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
