# lens: jax.grad(total)(x)
import jax
import jax.numpy as jnp

x = jnp.ones(3)


@jax.checkpoint
def wave(x):
    y = jnp.sin(x)  #: jnp.sin(x) -> sin cos mul
    return jnp.exp(y)  #: jnp.exp(y) -> exp mul


def total(x):
    y = wave(x)  #: wave(x) -> remat2
    return y.sum()  #: y.sum() -> reduce_sum broadcast_in_dim
