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


def times_zero(q, k):
    return q @ k.T + 0 * jnp.sum(k)


def prints(q, k):
    jax.debug.print("attending")
    return q @ k.T


for f in (times_zero, prints):
    text = jax.jit(f).lower(q, k).as_text()
    print(f.__name__, *re.findall(r"^ +(?:%\S+ = )?stablehlo\.(\w+)", text, re.M), sep="\n  ")
