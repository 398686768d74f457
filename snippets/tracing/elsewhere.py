"""The same Python under grad, under vmap, and under jit of grad."""

# %% square
import jax
import jax.numpy as jnp


def square(x):
    print("Python runs, x is", x)
    return x * x


# %% grad
slope = jax.grad(square)
slope(3.0)
slope(3.0)


# %% branch
def hinge(x):
    if x > 0:
        return x * x
    return -x


print(jax.grad(hinge)(3.0), jax.grad(hinge)(-3.0))

# %% vmap
batched = jax.vmap(square)
batched(jnp.arange(3.0))
batched(jnp.arange(3.0))

# %% vmap-branch
try:
    jax.vmap(hinge)(jnp.arange(3.0))
except jax.errors.TracerBoolConversionError as error:
    print("vmap:", type(error).__name__)

# %% exercise
jitted = jax.jit(jax.grad(square))

# %% exercise-answer
jitted(3.0)
jitted(4.0)
