# lens: jax.value_and_grad(loss)(w, x)
import jax  # noqa: F401 - named by the call above
import jax.numpy as jnp

w = jnp.ones((3, 2))
x = jnp.ones((5, 3))


def loss(w, x):
    h = x @ w  #: x @ w -> dot_general transpose
    a = jnp.tanh(h)  #: jnp.tanh(h) -> tanh one_minus_square mul
    return jnp.sum(a * a)  #: a * a -> mul add_any; jnp.sum(a * a) -> reduce_sum broadcast_in_dim
