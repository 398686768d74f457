"""The gradient of attention scores, followed."""

# %% gradient lens="jax.grad(loss)(q, k)"
import jax
import jax.numpy as jnp


def loss(q, k):
    scores = jax.nn.softmax(q @ k.T)
    return jnp.sum(scores * scores)


q = jnp.ones((4, 8))
k = jnp.ones((4, 8))
