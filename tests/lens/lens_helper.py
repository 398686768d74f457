import jax.numpy as jnp


def softened(x):
    return jnp.tanh(x) / 2  #: jnp.tanh(x) -> tanh; jnp.tanh(x) / 2 -> div
