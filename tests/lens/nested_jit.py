# lens: twice(x)
import jax
import jax.numpy as jnp

x = jnp.ones(3)


@jax.jit
def wave(x):
    return jnp.sin(x) * 2  #: jnp.sin(x) -> sin; jnp.sin(x) * 2 -> mul


def twice(x):
    a = wave(x)  #: wave(x) -> jit
    b = wave(a + 1)  #: a + 1 -> add; wave(a + 1) -> jit
    c = jax.nn.relu(a)  #: jax.nn.relu(a) -> custom_jvp_call jit max
    d = jax.nn.relu(b)  #: jax.nn.relu(b) -> custom_jvp_call jit max
    return c - d  #: c - d -> sub
