"""Every equation of a jaxpr, nested ones too, walked in Python."""

# %% walk
import jax
import jax.numpy as jnp

try:
    from jax.extend.core import jaxprs_in_params
except ImportError:  # JAX 0.8
    from jax.core import jaxprs_in_params


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
from collections import Counter

for depth, eqn in walk(jaxpr):
    print("    " * depth + eqn.primitive.name)

counts = Counter(eqn.primitive.name for _, eqn in walk(jaxpr))
print(len(jaxpr.eqns), "equations at the top,", counts.total(), "in all")
print(counts["dot_general"], "dot_general for", len(qs), "heads")


# %% exercise
def two_heads(q1, q2, k):
    return scores(q1, k) + scores(q2, k)


# %% exercise-answer
found = walk(jax.make_jaxpr(two_heads)(qs[0], qs[1], k))
print([eqn.primitive.name for _, eqn in found])

# %% facts
top, total = len(jaxpr.eqns), counts.total()
heads_added = len(qs)
counted = counts["dot_general"]
runs = next(eqn.params["length"] for eqn in jaxpr.eqns if eqn.primitive.name == "scan")


def _either(x):
    return jax.lax.cond(x > 0, jnp.sin, jnp.cos, x)


_names = [eqn.primitive.name for _, eqn in walk(jax.make_jaxpr(_either)(1.0))]
counts_branches = {"sin", "cos"} <= set(_names)

_two = jax.make_jaxpr(two_heads)(qs[0], qs[1], k)
two_top = len(_two.eqns)
_inner = [eqn.primitive.name for depth, eqn in walk(_two) if depth]
two_inner, times_each = len(set(_inner)), _inner.count("dot_general")
two_in_all = two_top + len(_inner)
_first, _second = (eqn.params["jaxpr"] for eqn in _two.eqns[:2])
counts_shared_at_each_call = _first is _second and times_each == 2
