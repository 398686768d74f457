"""What attend costs, as XLA estimates it."""

# %% cost
import jax
import jax.numpy as jnp

from hlo_text import PLAIN


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
lowered = jax.jit(attend).lower(q, k)
compiled = lowered.compile(compiler_options=PLAIN)

keys = "flops", "transcendentals", "bytes accessed"
for key in keys:
    print(f"{key:15} {compiled.cost_analysis()[key]:5.0f}")

# %% memory
memory = compiled.memory_analysis()
print("arguments", memory.argument_size_in_bytes)
print("result   ", memory.output_size_in_bytes)
print("between  ", memory.temp_size_in_bytes)


# %% loop
def flops(f):
    return jax.jit(f).lower(q).compile().cost_analysis()["flops"]


def once(x):
    return attend(x, x) @ x


def fifty(x):
    return jax.lax.fori_loop(0, 50, lambda i, x: once(x), x)


# %% loop-answer
print(f"once:  {flops(once):.0f}")
print(f"fifty: {flops(fifty):.0f}")

# %% facts
import math
import re

from counts import elements, instructions
from hlo_text import entry

_cost, _before = compiled.cost_analysis(), lowered.cost_analysis()
all_flops, transcendentals, bytes_accessed = (int(_cost[key]) for key in keys)


def _of(f, *args):
    return jax.jit(f).lower(*args).compile().cost_analysis()


product = int(_of(lambda q, k: q @ k.T, q, k)["flops"])
queries, keys_, features = q.shape[0], k.shape[0], q.shape[1]
two_each = product == 2 * queries * keys_ * features
same_flops = int(_before["flops"]) == all_flops
bytes_before = int(_before["bytes accessed"])
_hlo, _optimized = entry(lowered.as_text("hlo")), compiled.as_text()
_rows = elements("maximum", instructions(_hlo))
by_chance = _rows == elements("divide", instructions(_optimized)) == [queries]


def _bytes(text):
    """What the instructions of the entry read and write, each a whole, in bytes of f32."""
    lines = [
        re.findall(r"%([\w.]+)", line.partition("),")[0]) for line in instructions(entry(text))
    ]
    shapes = re.findall(r"%([\w.]+) = f32\[([\d,]*)\]", entry(text))
    sizes = {name: 4 * math.prod(map(int, filter(None, dims.split(",")))) for name, dims in shapes}
    # A parameter or a constant names nothing but itself.
    return sum(sizes.get(name, 0) for names in lines if len(names) > 1 for name in names)


one_instruction = _bytes(_optimized) == bytes_accessed
moves_free = "flops" not in _of(lambda x: x.T, q)
counts_integers = int(_of(lambda x: x + 1, jnp.arange(8))["flops"]) == 8
arguments, result, between = (
    memory.argument_size_in_bytes,
    memory.output_size_in_bytes,
    memory.temp_size_in_bytes,
)
between_floats = between // 4
one_per_row = between_floats == q.shape[0]
shared_room = between < 4 * queries * keys_ == result
once_flops, fifty_flops = int(flops(once)), int(flops(fifty))
extra = fifty_flops - once_flops
answer = "about as many" if abs(extra) < once_flops / 10 else "about fifty times as many"
