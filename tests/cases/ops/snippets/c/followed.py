# %% scale lens="scale(x)"
import jax
import jax.numpy as jnp


def scale(x):
    return jax.lax.stop_gradient(x) * x


x = jnp.ones(3)
