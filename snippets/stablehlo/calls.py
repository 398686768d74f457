"""A jitted function called twice: one private func."""

# %% both
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k):
    return jax.nn.softmax(q @ k.T)


def both(q, k):
    return attend(q, k) + attend(k, q)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
print(jax.jit(both).lower(q, k).as_text())


# %% two-shapes
def two_shapes(q, k):
    return attend(q, k)[:2] + attend(q[:2], k)


text = jax.jit(two_shapes).lower(q, k).as_text()
print(*(line.strip() for line in text.splitlines() if "func.func" in line), sep="\n")
