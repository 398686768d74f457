"""Loops and ifs on Python values: they run while tracing and leave only primitives."""

# %% loop
import jax
import jax.numpy as jnp


def power(x, n):
    if n == 0:
        return jnp.ones_like(x)
    y = x
    for _ in range(n - 1):
        y = y * x
    return y


def fourth(x):
    return power(x, 4)


x = jnp.ones(3)

# %% fourth
print(jax.make_jaxpr(fourth)(x))


# %% exercise
def shift(x):
    unused = jnp.sin(x)
    for _ in range(2):
        x = x + 1
    if x.ndim == 1:
        return x
    return unused


# %% exercise-answer
print(jax.make_jaxpr(shift)(x))

# %% facts
import re

from counts import primitives

_fourth = primitives(jax.make_jaxpr(fourth)(x))
kinds = sorted(set(_fourth))
multiplies_only = kinds == ["mul"]
muls = _fourth.count("mul")
long = len(jax.make_jaxpr(lambda x: power(x, 1000))(x).eqns)

_shifted = jax.make_jaxpr(shift)(x)
shift_equations = len(_shifted.eqns)
shift_adds = primitives(_shifted).count("add")
unread = re.findall(r"\b_:\S+ = (\w+)", str(_shifted))
shift_loop = sorted(set(primitives(_shifted)) - set(unread))
shift_only_these = set(primitives(_shifted)) == {"add", "sin"}
