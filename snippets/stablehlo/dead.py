"""What lowering drops, and what it keeps."""

# %% dead
import jax
import jax.numpy as jnp


def scores(q, k, mask):
    jnp.tanh(k)
    return q @ k.T


q = k = mask = jax.ShapeDtypeStruct((4, 8), jnp.float32)

# %% traced
print(jax.make_jaxpr(scores)(q, k, mask))

# %% lowered
print(jax.jit(scores).lower(q, k, mask).as_text())

# %% kept
import re


def returned(q, k):
    return q @ k.T, jnp.tanh(k)


def times_zero(q, k):
    return q @ k.T + 0 * jnp.sum(k)


def prints(q, k):
    jax.debug.print("attending")
    return q @ k.T


for f in (returned, times_zero, prints):
    text = jax.jit(f).lower(q, k).as_text()
    print(f.__name__, *re.findall(r"^ +(?:%\S+ = )?stablehlo\.(\w+)", text, re.M), sep="\n  ")

# %% facts
from counts import ops

_trace = str(jax.make_jaxpr(scores)(q, k, mask))
dropped = re.findall(r"_:\S+ = (\w+)", _trace)
recorded = len(dropped) == 1 and " c:f32[4,8]." in _trace
_text = jax.jit(scores).lower(q, k, mask).as_text()
arguments, operations = len(re.findall(r"%arg\d+: ", _text)), len(ops(_text))
_times_zero, _prints = (ops(jax.jit(f).lower(q, k).as_text()) for f in (times_zero, prints))
kept = "tanh" in ops(jax.jit(returned).lower(q, k).as_text())
stays = "multiply" in _times_zero
nan = bool(jnp.isnan(0 * jnp.float32(jnp.inf)))
way_out = [op for op in _prints if op not in ops(_text)]
effect = bool(jax.make_jaxpr(prints)(q, k).effects)
_kept = jax.jit(scores, keep_unused=True).lower(q, k, mask).as_text()
keeps_unused = "%arg2: " in _kept and "%arg2: " not in _text
