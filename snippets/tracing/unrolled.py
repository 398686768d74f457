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
