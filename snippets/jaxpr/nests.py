"""Equations that hold jaxprs: cond, scan, custom_jvp_call."""

# %% cond
import jax
import jax.numpy as jnp

q = jnp.ones(8)
keys = jnp.ones((4, 8))


def choose(flip, q):
    return jax.lax.cond(flip, lambda q: -q, lambda q: q, q)


print(jax.make_jaxpr(choose)(True, q))


# %% scan
def best(q, keys):
    def step(top, key):
        score = q @ key
        return jnp.maximum(top, score), score

    return jax.lax.scan(step, jnp.float32(-jnp.inf), keys)


print(jax.make_jaxpr(best)(q, keys))

# %% relu
print(jax.make_jaxpr(jax.nn.relu)(q))
