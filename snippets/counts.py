"""What chapters count in a jaxpr, in StableHLO and HLO text, and in calls: shared by snippets.

Each function that looks into a program returns what it found as a list, in the order of the
program: `len` counts it, `.count(name)` counts one kind, `set` leaves the different ones.
"""

import functools
import math
import re

import jax

from hlo_text import entry, instructions, trim

__all__ = [
    "counted",
    "elements",
    "equations",
    "first",
    "fused",
    "fusions",
    "inner_jaxprs",
    "instructions",
    "opcodes",
    "ops",
    "primitives",
    "traces",
]

_OP = re.compile(r'^ *(?:%[\w:]+ = )?"?stablehlo\.(\w+)', re.M)


def inner_jaxprs(eqn):
    """The jaxprs that an equation holds in its params."""
    # Imported here, because jax.extend changes the context that traces are cached by: what jit
    # had traced before would be traced again.
    try:
        from jax.extend.core import jaxprs_in_params
    except ImportError:  # JAX 0.8
        from jax.core import jaxprs_in_params
    return [*jaxprs_in_params(eqn.params)]


def equations(jaxpr):
    """All equations of `jaxpr`, each followed by those of the jaxprs that it holds.

    `len(jaxpr.eqns)` counts the outer level alone. A jaxpr that is held twice counts twice.
    """
    found = []
    for eqn in jaxpr.eqns:
        found.append(eqn)
        for inner in inner_jaxprs(eqn):
            found += equations(inner)
    return found


def primitives(jaxpr):
    """The name of the primitive of each of those equations."""
    return [eqn.primitive.name for eqn in equations(jaxpr)]


def ops(text):
    """The StableHLO ops in a module's text, without the dialect: "dot_general".

    Those inside regions and private functions count, terminators (`return`) too. `func.func`,
    `call` and a function's `return` are of another dialect and do not count.
    """
    return _OP.findall(text)


def fusions(text):
    """The fusion instructions in HLO text, trimmed; `instructions` has all of them."""
    return [line for line in instructions(text) if re.search(r" fusion\(", line)]


def counted(function):
    """`function`, with how often its Python has run so far as the attribute `runs`."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.runs += 1
        return function(*args, **kwargs)

    wrapper.runs = 0
    return wrapper


def traces(function, *calls):
    """How often jit, new to `function`, traces it in these calls, each a tuple of arguments."""
    python = counted(function)
    jitted = jax.jit(python)
    for arguments in calls:
        jitted(*arguments)
    return python.runs


def opcodes(text):
    """The opcode of each HLO instruction in a text: "parameter", "dot"."""
    found = (re.search(r"= (?:\(.*?\)|\S+) ([\w-]+)\(", line) for line in instructions(text))
    return [match[1] for match in found]


def fused(text):
    """For each fusion in the entry of HLO text, the opcodes it stands for, parameters aside."""
    bodies = dict(re.findall(r"^%(\S+) \(.*\n((?:  .*\n)+)\}", trim(text), re.M))
    called = re.findall(r" fusion\(.* calls=%([\w.-]+)", entry(text))
    return [[op for op in opcodes(bodies[name]) if op != "parameter"] for name in called]


def first(pattern, text):
    """What the group of `pattern` matches first in a text; "" where it matches nothing.

    So a fact about a text that has changed is another fact, and not an error.
    """
    match = re.search(pattern, text, re.M)
    return match[1] if match else ""


def elements(opcode, lines):
    """How many elements each instruction of that opcode makes, of `lines` of HLO; no tuples."""
    shapes = (re.search(rf"\[([\d,]*)\]\S* {opcode}\(", line) for line in lines)
    return [math.prod(map(int, filter(None, m[1].split(",")))) for m in shapes if m]
