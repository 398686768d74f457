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

from counts import instructions, opcodes, ops, primitives
from hlo_text import entry

_lowered = jax.jit(attend).lower(q, k)
_text = _lowered.as_text("hlo")
_blocks = re.findall(r"^(.+) \{\n((?:  .*\n)+)\}", _text, re.M)
_entry = instructions(entry(_text))
stablehlo = len(ops(_lowered.as_text()))
blocks = len(_blocks)
bodies = len({line.partition("to_apply=")[2] for line in _entry if " reduce(" in line})
entry_last = [name for name, _ in _blocks if name.startswith("ENTRY")] == [_blocks[-1][0]]
root_last = all(["ROOT" in line for line in body.splitlines()].index(True) + 1 == body.count("\n") for _, body in _blocks)
in_entry, in_all = len(_entry), len(instructions(_text))

_names = [line.removeprefix("ROOT ").partition(" ")[0] for line in _entry]
_primitives = primitives(jax.make_jaxpr(attend)(q, k))
most_named = sum(name.partition(".")[0] in _primitives for name in _names) > len(_names) / 2
arguments_back = {"q.1", "k.1"} < set(_names)
operands_bare = not any("[" in line.partition("(")[2] for line in _entry)

_line = next(line for line in _entry if " transpose(" in line)
_part = r"(\S+) = (\S+\])(\{(\d),\d\}) (\w+)\((\S+)\), (\w+)=.*"
name, shape, layout, _axis, opcode, operand, attribute = re.fullmatch(_part, _line).groups()
fastest = int(_axis)
_others = re.findall(r"\[\d,\d\]\{(\d),\d\}", " ".join(set(_entry) - {_line}))
elsewhere = {int(axis) for axis in _others} == {1}

_column = jax.ShapeDtypeStruct((4, 1), jnp.float32)
_one = jax.jit(lambda x: jax.lax.broadcast_in_dim(x, (4, 4), (0, 1))).lower(_column)
_pieces = opcodes(_one.as_text("hlo"))[1:]
one_to_three = ops(_one.as_text()) == ["broadcast_in_dim"] and len(_pieces) == 3
stretching = [name for name in _names if name.startswith("sub.")][:-1]
