"""One attention score matrix, traced and counted."""

# %% attend
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = jnp.ones((4, 8))
k = jnp.ones((4, 8))

# %% trace
traced = jax.make_jaxpr(attend)(q, k)
print(traced)

# %% count
softmax = jax.make_jaxpr(jax.nn.softmax)(q @ k.T)
print(len(traced.eqns), "equations in attend")
print(len(softmax.eqns), "of them from softmax")
print(len({eqn.primitive for eqn in softmax.eqns}), "different primitives in softmax")
