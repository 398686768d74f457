"""Every equation of a jaxpr, nested ones too, walked in Python."""

# %% walk
import jax
import jax.numpy as jnp
from jax.extend.core import jaxprs_in_params


def walk(jaxpr, depth=0):
    for eqn in jaxpr.eqns:
        yield depth, eqn
        for inner in jaxprs_in_params(eqn.params):
            yield from walk(inner, depth + 1)


# %% heads
@jax.jit
def scores(q, k):
    return q @ k.T


def heads(qs, k):
    def step(total, q):
        return total + jax.nn.softmax(scores(q, k)), None

    total, _ = jax.lax.scan(step, jnp.zeros((4, 4)), qs)
    return jax.nn.relu(total)


qs = jnp.ones((3, 4, 8))
k = jnp.ones((4, 8))
jaxpr = jax.make_jaxpr(heads)(qs, k)

# %% tree
for depth, eqn in walk(jaxpr):
    print("    " * depth + eqn.primitive.name)

# %% count
from collections import Counter

counts = Counter(eqn.primitive.name for _, eqn in walk(jaxpr))
print(len(jaxpr.eqns), "equations at the top,", counts.total(), "in all")
print(counts["dot_general"], "dot_general for", len(qs), "heads")


# %% exercise
def two_heads(q1, q2, k):
    return scores(q1, k) + scores(q2, k)


# %% exercise-answer
found = walk(jax.make_jaxpr(two_heads)(qs[0], qs[1], k))
print([eqn.primitive.name for _, eqn in found])
