"""attend as HLO, before XLA has done anything to it."""

# %% attend
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)

# %% hlo
print(jax.jit(attend).lower(q, k).as_text("hlo"))

# %% facts
import re

from counts import first, instructions, opcodes, ops, primitives
from hlo_text import entry

_lowered = jax.jit(attend).lower(q, k)
_text = _lowered.as_text("hlo")
_entry = instructions(entry(_text))
_opcodes = opcodes(entry(_text))
in_entry, in_all = len(_entry), len(instructions(_text))
stablehlo, parameters = len(ops(_lowered.as_text())), _opcodes.count("parameter")
surplus = in_entry - parameters - stablehlo

_blocks = re.findall(r"^(.+) \{\n((?:  .*\n)+)\}", _text, re.M)
blocks = len(_blocks)
entry_last = [name for name, _ in _blocks if name.startswith("ENTRY ")] == [_blocks[-1][0]]
_reduces = [line for line in _entry if " reduce(" in line]
applied = all("to_apply=region" in line for line in _reduces)
bodies = len({line.partition("to_apply=")[2] for line in _reduces})
_bodies = [body.splitlines() for _, body in _blocks]
roots_last = all([line for line in body if "ROOT" in line] == body[-1:] for body in _bodies)

_names = [line.removeprefix("ROOT ").partition(" ")[0] for line in _entry]
_primitives = primitives(jax.make_jaxpr(attend)(q, k))
most_named = sum(name.partition(".")[0] in _primitives for name in _names) > in_entry / 2
arguments_back = _names[:2] == ["q.1", "k.1"]
operands_bare = not any("[" in line.partition("(")[2] for line in _entry)

_line = first(r"^ +(.* transpose\(.*)$", _text)
name, shape, layout = (first(p, _line) for p in (r"(\S+) =", r"= (\S+\])", r"(\{\d,\d\}) t"))
opcode, operand, attribute = (first(p, _line) for p in (r" (\w+)\(", r"\((\S+)\)", r", (\w+)="))
fastest = int(first(r"(\d)", layout) or -1)
_others = " ".join(line for line in _entry if line != _line)
rows_elsewhere = set(re.findall(r"\[\d,\d\](\{.*?\})", _others)) == {"{1,0}"}

_by_name = dict(zip(_names, _opcodes, strict=True))
_taken = [[op for n, op in _by_name.items() if n.startswith(p)] for p in ("sub.", "div.")]
three_each = all(taken[:-1] == ["broadcast", "reshape", "broadcast"] for taken in _taken)
_shapes = re.findall(r"sub\.[456] = f32\[([\d,]+)\]", _text)
steps = _shapes == ["4,1", "4", "4,4"] and three_each
