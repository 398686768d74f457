"""A jitted function inside another function: an equation that holds a jaxpr."""

# %% attend
import jax
import jax.numpy as jnp


@jax.jit
def scores(q, k):
    return q @ k.T


def attend(q, k):
    return jax.nn.softmax(scores(q, k))


q = jnp.ones((4, 8))
k = jnp.ones((4, 8))

# %% once
outer = jax.make_jaxpr(attend)(q, k)
print(outer)

# %% scope
call = outer.eqns[0]
inner = call.params["jaxpr"]
print(len(outer.eqns), "equations outside,", len(inner.eqns), "inside")
print("the same variable:", inner.invars[0] is call.invars[0])


# %% twice
def two_heads(q1, q2, k):
    return scores(q1, k) + scores(q2, k)


shared = jax.make_jaxpr(two_heads)(q, q, k)
print(shared)


# %% objects
def uneven(q, k1, k2):
    return scores(q, k1), scores(q, k2)


unshared = jax.make_jaxpr(uneven)(q, k, jnp.ones((2, 8)))
for traced in (shared, unshared):
    first, second = (eqn.params["jaxpr"] for eqn in traced.eqns[:2])
    print("one jaxpr object for both calls:", first is second)


# %% exercise
@jax.jit
def whole(q, k):
    return jax.nn.softmax(q @ k.T)


def doubled(q, k):
    return whole(q, k) * 2


# %% exercise-answer
print(jax.make_jaxpr(doubled)(q, k))
