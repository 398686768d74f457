"""A loop, followed."""

# %% loop lens="running(xs)" layers="jaxpr stablehlo"
import jax
import jax.numpy as jnp


def step(carry, x):
    carry = jnp.tanh(carry * x)
    return carry, carry + x


def running(xs):
    return jax.lax.scan(step, 0.0, xs)


xs = jnp.ones(5)
