"""A Python if on a traced value, and the same choice as array operations."""

# %% imports
import jax
import jax.numpy as jnp


# %% fix
@jax.jit
def flip(x):
    return jnp.where(x.sum() > 0, x, -x)


print(flip(jnp.array([1.0, -3.0])))


# %% wrong raises="TracerBoolConversionError"
@jax.jit
def flip(x):
    if x.sum() > 0:
        return x
    return -x


flip(jnp.array([1.0, -3.0]))
