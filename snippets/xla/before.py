"""attend as HLO, before XLA has done anything to it."""

# %% attend
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)

# %% hlo
print(jax.jit(attend).lower(q, k).as_text("hlo"))
