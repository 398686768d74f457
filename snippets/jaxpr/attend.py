"""One equation of attend's jaxpr, as text and as Python objects."""

# %% attend
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = jnp.ones((4, 8))
k = jnp.ones((4, 8))
jaxpr = jax.make_jaxpr(attend)(q, k)

# %% text
print(jaxpr)

# %% equation
eqn = jaxpr.eqns[2]
print(eqn)
print("outvars:  ", [v.aval for v in eqn.outvars])
print("primitive:", eqn.primitive)
print("params:   ", eqn.params)
print("invars:   ", [v.aval for v in eqn.invars])

# %% literal
print(jaxpr.eqns[3])
print([type(v).__name__ for v in jaxpr.eqns[3].invars])

# %% params
print(*jaxpr.eqns[1].params)


# %% weak
def double(x):
    return x * 2


for x in (1.0, jnp.float32(1.0)):
    traced = jax.make_jaxpr(double)(x)
    print(traced, "weak_type:", traced.in_avals[0].weak_type)
