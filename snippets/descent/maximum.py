"""The maximum of each row, in four texts."""

# %% attend
import textwrap

import jax
import jax.numpy as jnp

from hlo_text import PLAIN, entry


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
traced = jax.jit(attend).trace(q, k)
lowered = traced.lower()
compiled = lowered.compile(compiler_options=PLAIN)


def excerpt(text, start, end):
    """The lines from the first that contains `start` to the next that contains `end`."""
    lines = [line.strip() for line in text.splitlines()]
    start = next(i for i, line in enumerate(lines) if start in line)
    end = next(i for i, line in enumerate(lines) if i >= start and end in line)
    return lines[start : end + 1]


def show(lines):
    for line in lines:
        print(textwrap.fill(line, 68, subsequent_indent="    "))


# %% jaxpr
show(excerpt(str(traced.jaxpr), "reduce_max", "sub"))

# %% stablehlo
show(excerpt(lowered.as_text(), "constant", "subtract"))

# %% hlo
show(excerpt(lowered.as_text("hlo"), "= f32[] constant", "subtract"))

# %% optimized
show(excerpt(entry(compiled.as_text()), "constant", "subtract"))

# %% facts
import re

from counts import fused, primitives

_stablehlo = excerpt(lowered.as_text(), "constant", "subtract")
_hlo = excerpt(lowered.as_text("hlo"), "= f32[] constant", "subtract")
_optimized = excerpt(entry(compiled.as_text()), "constant", "subtract")
_all = primitives(traced.jaxpr)
_equations = _all[_all.index("reduce_max") : _all.index("sub")]
equations = len(_equations)

# The name of an op's location says which primitive it was made for.
_located = jax.jit(attend).lower(q, k).as_text(debug_info=True)
_named = set(re.findall(r'"jit\(attend\)/(\w+)"', _located))
without_op = [name for name in _equations if name not in _named]


def _own(lines, made_for):
    """The lines that make a scalar or a column: those of the product and of `sub` make more."""
    return [line for line in lines if not re.search(made_for, line)]


_op_lines = _own(_stablehlo, r"tensor<4x4xf32>$")
_hlo_lines = _own(_hlo, r"f32\[4,4\]\{1,0\} |^sub\.")
_last_lines = _own(_optimized, r"= f32\[4,4\]")
last_ops, last_lines = len(_stablehlo) - len(_op_lines), len(_hlo) - len(_hlo_lines)
others = equations - len(without_op)
op_count, last_count = len(_op_lines), len(_last_lines)
as_many = len(_hlo_lines) == op_count
_body = next(line.partition("to_apply=")[2] for line in _hlo_lines if "to_apply=" in line)
body = f"\n{_body} {{\n" in lowered.as_text("hlo")
layouts = all(re.search(r"\{[\d,]*\} |f32\[\] ", line) for line in _hlo_lines)
reshaped = any(" reshape(" in line for line in _hlo_lines) and " reshape(" not in compiled.as_text()
_text = compiled.as_text()
_fused = fused(_text)
maximum_gone = any(" maximum(" in line for line in _hlo) and not any(
    "maximum" in ops for ops in _fused
)
wrapped = any(" fusion(" in line for line in _last_lines) and ["reduce"] in _fused
holds = ["broadcast", "subtract", "exponential"] in _fused
