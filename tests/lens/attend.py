# lens: attend(q, k)
import jax
import jax.numpy as jnp

q = jnp.ones((4, 8))
k = jnp.ones((6, 8))


def attend(q, k):
    #: k.T -> transpose
    #: q @ k.T -> dot_general
    #: jax.nn.softmax(q @ k.T) -> reduce_max max broadcast_in_dim stop_gradient sub exp reduce_sum
    #: jax.nn.softmax(q @ k.T) -> div
    return jax.nn.softmax(q @ k.T)
