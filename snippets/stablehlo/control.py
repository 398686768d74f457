"""A loop and a branch around attend."""

# %% setup
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k):
    return jax.nn.softmax(q @ k.T)


def main_only(text):
    return text.partition("  func.func private")[0]


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)


# %% loop
def three_rounds(q, k):
    return jax.lax.fori_loop(0, 3, lambda i, x: attend(x, k) @ k, q)


print(main_only(jax.jit(three_rounds).lower(q, k).as_text()))


# %% branch
def zeros(q, k):
    return jnp.zeros((4, 4))


def maybe(q, k):
    return jax.lax.cond(jnp.sum(q) > 0, attend, zeros, q, k)


print(main_only(jax.jit(maybe).lower(q, k).as_text()))

# %% primitives
for f in (three_rounds, maybe):
    print([eqn.primitive.name for eqn in jax.make_jaxpr(f)(q, k).eqns])
