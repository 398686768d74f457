# lens: jax.grad(total)(x)
import jax
import jax.numpy as jnp

x = jnp.ones(3)


@jax.custom_vjp
def wave(x):
    return jnp.sin(x)


def forward(x):
    return jnp.sin(x), jnp.cos(x)  #: jnp.sin(x) -> sin; jnp.cos(x) -> cos


def backward(slope, g):
    return (slope * g,)


wave.defvjp(forward, backward)


def total(x):
    y = wave(x)  #: wave(x) -> mul
    return y.sum()  #: y.sum() -> reduce_sum broadcast_in_dim
