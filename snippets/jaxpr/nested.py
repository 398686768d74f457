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
print(len(outer.eqns), "equations at the outer level")

# %% scope
call = jax.make_jaxpr(attend)(q, k).eqns[0]
inner = call.params["jaxpr"]
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

# %% facts
import re

from counts import first

outside, inside = len(outer.eqns), len(inner.eqns)
primitive = call.primitive.name
is_a_param = call.params["name"] == "scores" and "jaxpr={ lambda" in str(outer)
lends_letters = re.findall(r"[a-z](?=:f32\[4,8\])", str(outer)) == ["a", "b"] * 2
other_variables = not set(inner.invars) & set(call.invars)

calls = sum(eqn.primitive.name == "jit" for eqn in shared.eqns)
start, _ahead, _program = re.match(r"(let \w+ =)(.*?\} in\n)(.*)", str(shared), re.S).groups()
printed_once = "dot_general" in _ahead and "dot_general" not in _program
both_refer = _program.count("jaxpr=scores]") == calls == 2
first_letter = first(r"lambda ; (\w+)", _program)


def _one_object(jaxpr):
    return jaxpr.eqns[0].params["jaxpr"] is jaxpr.eqns[1].params["jaxpr"]


equal_shapes_share, other_shapes_do_not = _one_object(shared), not _one_object(unshared)


def _printed_inside(length):
    """Whether a jitted function of that many equations, called once, is printed inside."""

    @jax.jit
    def chain(x):
        for _ in range(length):
            x = -x
        return x

    return str(jax.make_jaxpr(lambda x: chain(x) * 2)(1.0)).startswith("{ lambda")


_doubled = jax.make_jaxpr(doubled)(q, k)
ahead = str(_doubled).startswith("let whole =")
where = "ahead" if ahead else "inside"
longest_inside = max(filter(_printed_inside, range(1, 30)))
whole_equations = len(_doubled.eqns[0].params["jaxpr"].eqns)
