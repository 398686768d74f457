"""One function, down the layers."""

# %% python
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)

# %% jaxpr
print(jax.make_jaxpr(attend)(q, k))

# %% stablehlo
lowered = jax.jit(attend).lower(q, k)
print(lowered.as_text())

# %% hlo
from hlo_text import PLAIN, entry

print(entry(lowered.compile(compiler_options=PLAIN).as_text()))
