"""A lens on any function: `python -m traced.worker.lensmain REQUEST RESULT`.

REQUEST is a JSON file: {"target": "model.py::loss" or "package.module:function", "args": text of
the arguments, "layers": [...], "platform": "", "compiler_options": {...}}. The lens goes to RESULT
as JSON. What the function raises ends this process with its traceback, this package's own frames
left out.
"""

import importlib
import importlib.util
import inspect
import json
import os
import sys
import traceback
from types import ModuleType
from typing import Any

from traced.worker import specs, warm
from traced.worker.call import evaluate
from traced.worker.lens import record, shown_in

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def main() -> None:
    """Record the lens that the request asks for."""
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    warm.import_jax()
    try:
        lens = _lens(request)
    except Exception as error:
        sys.stderr.write(_traceback(error))
        sys.exit(1)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(lens, file)


def _lens(request: dict[str, Any]) -> dict[str, Any]:
    import jax
    import jax.numpy as jnp
    import numpy as np

    module, path, name = _find(request["target"])
    names = {**vars(module), "jax": jax, "jnp": jnp, "np": np, **specs.namespace()}
    function: Any = module
    for part in path.split("."):
        function = getattr(function, part)
    names["__target__"] = function
    call = evaluate(f"__target__({specs.as_python(request['args'])})", names)
    call = call._replace(text=f"{name}({request['args']})")
    own = [file for file in (_file(function),) if file]
    options = {key: request[key] for key in ("layers", "platform", "compiler_options")}
    return record(call, shown_in(os.getcwd(), *own), **options)


def _find(target: str) -> tuple[ModuleType, str, str]:
    """The module of a target, the name in it, and what to call the function."""
    file, separator, path = target.partition("::")
    if separator:
        spec = importlib.util.spec_from_file_location(
            os.path.splitext(os.path.basename(file))[0], file
        )
        if spec is None or spec.loader is None:
            raise ValueError(f"{file} is no Python file")
        sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    else:
        name, separator, path = target.partition(":")
        if not separator:
            raise ValueError(f"{target!r} is neither FILE.py::FUNCTION nor MODULE:FUNCTION")
        sys.path.insert(0, os.getcwd())
        module = importlib.import_module(name)
    return module, path, path.rpartition(".")[2]


def _file(function: Any) -> str | None:
    try:
        return inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        return None  # a function of C, or an object that is called


def _traceback(error: BaseException) -> str:
    told = traceback.TracebackException.from_exception(error)
    part: Any = told
    while part is not None:
        part.stack = traceback.StackSummary.from_list(
            [f for f in part.stack if not f.filename.startswith((_PACKAGE, "<frozen runpy>"))]
        )
        part = part.__cause__ or part.__context__
    return "".join(told.format())


if __name__ == "__main__":
    main()
