"""The equations of a jaxpr, and of all jaxprs inside it, numbered; marks that bring them back.

An equation's number is written into its name stack. It comes out again in the names that
operations of StableHLO and instructions of HLO have ("jit(f)/jvp(eqn~3)/mul"), so that each knows
the equation it was made for. A jaxpr that two equations share stays shared, and then lowering makes
of the marked jaxpr what it makes of the other, operation for operation.
"""

import copy
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

_MARK = re.compile(r"eqn~(\d+)")
_MARKS = re.compile(r"eqn~\d+/|/?eqn~\d+")


class Equations:
    """Numbers for the equations in and below `jaxpr`, from 0, an equation before those inside it.

    `all` holds the equations themselves. An equation in a jaxpr that several others share has one
    number.
    """

    def __init__(self, jaxpr: Any):
        self.jaxpr = jaxpr
        self.all: list[Any] = []
        self._home: list[int] = []  # by number: id of the jaxpr it stands in
        self._numbers: dict[int, list[int]] = {}  # id of a jaxpr: numbers of its equations
        self._holders: dict[int, list[int]] = {}  # id of a jaxpr: equations with it as a parameter
        self._visit(jaxpr, None)

    def parents(self, number: int) -> list[int]:
        """The equations that have the jaxpr of this one as a parameter; none at the top."""
        return self._holders[self._home[number]]

    def marked(self, mark: Callable[[Any, int], Any]) -> Any:
        """A copy of the jaxpr in which each equation's source_info is mark(source_info, number)."""
        made: dict[int, Any] = {}

        def rebuild(jaxpr: Any) -> Any:
            if id(jaxpr) not in made:
                core = _open(jaxpr)
                equations = [
                    equation.replace(
                        params={k: _map(v, rebuild) for k, v in equation.params.items()},
                        source_info=mark(equation.source_info, number),
                    )
                    for equation, number in zip(core.eqns, self._numbers[id(core)], strict=True)
                ]
                new = core.replace(eqns=equations)
                made[id(jaxpr)] = new if core is jaxpr else jaxpr.replace(jaxpr=new)
            return made[id(jaxpr)]

        return rebuild(self.jaxpr)

    def traced(self, traced: Any) -> Any:
        """A copy of the Traced that `jaxpr` came from, which lowers to marked names."""
        lowered = copy.copy(traced)
        lowered._params = dict(traced._params, jaxpr=self.marked(_in_name_stack))
        lowered._lojax = None  # what a Traced lowers from, kept from an earlier lowering
        return lowered

    def _visit(self, jaxpr: Any, parent: int | None) -> None:
        core = _open(jaxpr)
        holders = self._holders.setdefault(id(core), [])
        if parent is not None and parent not in holders:
            holders.append(parent)
        if id(core) in self._numbers:
            return
        numbers = self._numbers[id(core)] = []
        for equation in core.eqns:
            number = len(self.all)
            numbers.append(number)
            self.all.append(equation)
            self._home.append(id(core))
            for name in sorted(equation.params):
                for inner in _inside(equation.params[name]):
                    self._visit(inner, number)


def read(name: str) -> tuple[int, ...]:
    """The numbers in the name of an operation, from the outermost equation to its own."""
    return tuple(map(int, _MARK.findall(name)))


def unmarked(name: str) -> str:
    """The name of an operation without marks, as the program without marks has it."""
    return _MARKS.sub("", name)


@functools.lru_cache(maxsize=None)
def phase(equations: Equations, number: int) -> str:
    """Where differentiation put an equation: "forward", "backward", "recomputed", or "".

    What stands inside an equation is of its phase, unless its own name stack tells another. The
    recomputed ones are those that jax.checkpoint makes run again before the backward ones.
    """
    stack = str(equations.all[number].source_info.name_stack)
    if "rematted_computation" in stack:
        return "recomputed"
    if "transpose(" in stack:
        return "backward"
    if "jvp(" in stack:
        return "forward"
    phases = {phase(equations, parent) for parent in equations.parents(number)}
    return phases.pop() if len(phases) == 1 else ""


def _in_name_stack(source_info: Any, number: int) -> Any:
    return source_info.replace(name_stack=source_info.name_stack.extend(f"eqn~{number}"))


def _open(jaxpr: Any) -> Any:
    """A jaxpr without its constants: before JAX 0.11, it is wrapped in a ClosedJaxpr."""
    return getattr(jaxpr, "jaxpr", jaxpr)


def _inside(parameter: Any) -> Iterator[Any]:
    if hasattr(parameter, "eqns"):
        yield parameter
    elif isinstance(parameter, (tuple, list)):
        for part in parameter:
            yield from _inside(part)


def _map(parameter: Any, change: Callable[[Any], Any]) -> Any:
    """A parameter with each jaxpr in it changed; the parameter itself where it has none."""
    if hasattr(parameter, "eqns"):
        return change(parameter)
    if isinstance(parameter, (tuple, list)) and any(True for _ in _inside(parameter)):
        parts = [_map(part, change) for part in parameter]
        named = hasattr(parameter, "_fields")
        return type(parameter)(*parts) if named else type(parameter)(parts)
    return parameter
