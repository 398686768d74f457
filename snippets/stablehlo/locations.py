"""The module again, with the place in Python that each op came from."""

# %% lower
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
text = jax.jit(attend).lower(q, k).as_text(debug_info=True)

# %% located
import re
import textwrap


def lines_behind(*ops):
    """The lines of these ops, and of all the locations that they lead to."""
    lines = text.splitlines()
    found = [line for line in lines if any(op in line for op in ops)]
    for line in found:
        places = re.findall(r"#loc\d+", line[1:])
        found += [line for line in lines if line.startswith(tuple(f"{p} =" for p in places))]
    return [line for line in lines if line in found]


for line in lines_behind("dot_general ", "exponential ", "%cst_0 ="):
    short = re.sub(r'"[^"]*/snippets/', '"snippets/', line.strip())
    print(textwrap.fill(short, 72, subsequent_indent="    "))

# %% facts
import inspect

from counts import first, primitives

_primitives = primitives(jax.make_jaxpr(attend)(q, k))
_names = dict(re.findall(r'^(#loc\d+) = loc\("(?:jit\(attend\)/)?([\w()]+)"\(', text, re.M))
_ops = re.findall(r"= (stablehlo\.\w+).*loc\((#loc\d+)\)$", text, re.M)
_table = dict(re.findall(r"^(#loc\d+) = loc\((.*)\)$", text, re.M))


def _columns(place):
    """The columns of the innermost place in Python that a location leads to."""
    while inner := first(r"(#loc\d+)", _table.get(place, "")):
        place = inner
    return first(r":\d+:(\d+ to :\d+)$", _table.get(place, "")).replace(":", "")


_dot = first(r"stablehlo.dot_general .*loc\((#loc\d+)\)$", text)
path = first(r'"(.+)"', _table.get(_dot, ""))
_site = _table.get(first(r"(#loc\d+)", _table.get(_dot, "")), "")
_places = [_table[place] for place in re.findall(r"#loc\d+", _site)]
callsite = [place.partition("(")[0] for place in _places] == ['"attend"', '"<module>"']
columns = _columns(_dot)
product = [op.partition(".")[2] for op, place in _ops if _columns(place) == columns]
_start = inspect.getsource(attend).splitlines()[-1].index("q @ k.T")
exact = columns == f"{_start} to {_start + len('q @ k.T')}"
_softmax = {_columns(p) for p, name in _names.items() if name in _primitives[2:]}
softmax = " and ".join(_softmax)
unnamed = sum(_names[place] == "jit(attend)" for _, place in _ops)
_lines = text.splitlines()
_module = next(i for i, line in enumerate(_lines) if line.startswith("module "))
above = all(line.startswith("#loc") for line in _lines[:_module]) and _module > 0
