# lens: running(xs)
import jax
import jax.numpy as jnp

xs = jnp.arange(5.0)


def step(carry, x):
    #: carry * x -> convert_element_type mul; jnp.tanh(carry * x) -> tanh
    carry = jnp.tanh(carry * x)
    return carry, carry + x  #: carry + x -> add


def running(xs):
    return jax.lax.scan(step, 0.0, xs)  #: jax.lax.scan(step, 0.0, xs) -> scan
