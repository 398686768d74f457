"""One call, recorded through every layer: jaxpr, StableHLO and optimized HLO, linked.

The result is plain data; its types are in layers.py, where the build reads it.
"""

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from traced.worker import equations, hlo, jaxprs, stablehlo
from traced.worker.call import Call, trace
from traced.worker.equations import Equations
from traced.worker.items import Parsed
from traced.worker.join import Joined, by_marks, by_positions
from traced.worker.links import Links
from traced.worker.origins import Origins
from traced.worker.sources import Sources

#: The layers there are, from the top.
LAYERS = ("jaxpr", "stablehlo", "hlo")


def record(
    call: Call,
    show: Callable[[str], str | None],
    layers: Sequence[str] = (),
    platform: str = "",
    compiler_options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Record `layers` of a call (all that there are, if none is named), as layers.Lens has them.

    `show` says which files count as source, see Sources. `platform` ("tpu", "cuda", "rocm") is
    that of the StableHLO, where it is another than that of this process; there is no optimized
    HLO then. `compiler_options` go to XLA. Raises ValueError for a layer that can't be had, and
    whatever tracing, lowering or compiling the call raises.
    """
    if unknown := [layer for layer in layers if layer not in LAYERS]:
        raise ValueError(f"no such layer: {', '.join(unknown)}")
    if platform and "hlo" in layers:
        raise ValueError(f"optimized HLO for {platform} can't be had on this machine")
    wanted = layers or (LAYERS[:-1] if platform else LAYERS)
    return _Recorder(call, show, platform, compiler_options).data(wanted)


def shown_in(root: str, *own: str) -> Callable[[str], str | None]:
    """What `record` takes as `show`: the files below `root`, by their path relative to it.

    Not those of this package, of hidden folders and of installed packages. `own` names further
    files and folders; what is in them goes by the name it would be imported from, such as
    "jax/_src/nn/functions.py". A relative path stands for itself.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    prefix = os.path.join(root, "")

    def show(name: str) -> str | None:
        if name.startswith("<") or name.startswith(package):
            return None
        if any(name == each or name.startswith(os.path.join(each, "")) for each in own):
            return _importable(name)
        if os.path.isabs(name) and not name.startswith(prefix):
            return None
        parts = name.removeprefix(prefix).split(os.sep)
        hidden = any(part.startswith(".") or part == "site-packages" for part in parts)
        return None if hidden else "/".join(parts)

    return show


def _importable(name: str) -> str:
    """The path of a file below the entry of sys.path that it is imported from."""
    entries = [os.path.join(entry, "") for entry in sys.path if entry]
    longest = max((entry for entry in entries if name.startswith(entry)), key=len, default="")
    below = name[len(longest) :] if longest else os.path.basename(name)
    return below.replace(os.sep, "/")


class _Recorder:
    def __init__(
        self,
        call: Call,
        show: Callable[[str], str | None],
        platform: str,
        compiler_options: dict[str, Any] | None,
    ):
        self._call = call
        self._show = show
        self._platform = platform
        self._compiler_options = compiler_options
        self._traced = trace(call)
        self._equations = Equations(self._traced.jaxpr)
        self._sources = Sources(show)
        code = getattr(inspect.unwrap(call.function), "__code__", None)
        if code:
            self._sources.list_function(code)  # before all others
        self._origins = Origins(self._equations, self._sources)
        self._plain: Any = None
        self._marked: Any = None
        self._fault = ""  # why there is no marked program

    def data(self, layers: Sequence[str]) -> dict[str, Any]:
        table = [self._equation(number) for number in range(len(self._equations.all))]
        makers = {"jaxpr": self._jaxpr, "stablehlo": self._stablehlo, "hlo": self._hlo}
        made = [{"kind": layer, **makers[layer]()} for layer in layers]
        return {
            "call": self._call.text,
            "listings": self._sources.listings(),
            "expressions": [expression._asdict() for expression in self._sources.expressions],
            "origins": self._origins.all,
            "equations": table,
            "layers": made,
        }

    def _equation(self, number: int) -> dict[str, Any]:
        equation = self._equations.all[number]
        entry = {
            "parents": self._equations.parents(number),
            "origins": self._origins.of((number,)),
            "inherited": self._origins.inherited(number),
            "phase": equations.phase(self._equations, number),
            "scope": str(equation.source_info.name_stack),
        }
        return {"primitive": equation.primitive.name, **{k: v for k, v in entry.items() if v}}

    def _jaxpr(self) -> dict[str, Any]:
        try:
            parsed, joined = jaxprs.parse(self._equations)
        except Exception as error:  # before JAX 0.10 the printer wants real tracebacks
            text = f"{self._traced.jaxpr}\n"
            return {"fault": _said(error), "text": text, "items": [], "pieces": []}
        return {"text": parsed.text, **Links(parsed, joined, self._origins).data()}

    def _stablehlo(self) -> dict[str, Any]:
        shown = stablehlo.parse(self._lowered().as_text(debug_info=True))
        marked = self._marked and stablehlo.parse(self._marked.as_text(debug_info=True))
        links = Links(shown, self._join(shown, marked), self._origins)
        links.from_callers()
        platform = self._platform or _backend()
        return {"platform": platform, "fault": self._fault, "text": shown.text, **links.data()}

    def _hlo(self) -> dict[str, Any]:
        whole = self._lowered().compile(self._compiler_options).as_text()
        marked = self._marked and self._marked.compile(self._compiler_options).as_text()
        shown = hlo.parse(whole)
        links = Links(shown, self._join(shown, marked and hlo.parse(marked)), self._origins)
        links.from_members()
        names = {name: self._show(name) or _importable(name) for name in hlo.file_names(whole)}
        return {
            "platform": _backend(),
            "fault": self._fault,
            "text": shown.text,
            "whole": hlo.reproducible(whole, names),
            **links.data(),
        }

    def _lowered(self) -> Any:
        if self._plain is None:
            options = {"lowering_platforms": (self._platform,)} if self._platform else {}
            self._plain = self._traced.lower(**options)
            try:
                self._marked = self._equations.traced(self._traced).lower(**options)
            except Exception as error:  # internals move; then positions have to do
                self._fault = _said(error)
        return self._plain

    def _join(self, shown: Parsed, marked: Parsed | None) -> list[Joined]:
        # There are no marks either where XLA took the program without them from its cache.
        if marked is None or not any(equations.read(item.path) for item in marked.items):
            return by_positions(shown, self._equations, self._origins, self._sources)
        return by_marks(shown, marked)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _backend() -> str:
    import jax

    return str(jax.default_backend())
