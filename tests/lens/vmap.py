# lens: jax.vmap(norm, in_axes=(0, None))(rows, b)
import jax  # noqa: F401
import jax.numpy as jnp

rows = jnp.ones((4, 8))
b = jnp.ones(8)


def norm(row, b):
    d = jnp.dot(row, b)  #: jnp.dot(row, b) -> dot_general
    s = jnp.sin(row)  #: jnp.sin(row) -> sin
    return d + s  #: d + s -> add broadcast_in_dim
