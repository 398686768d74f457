"""attend, lowered: one StableHLO module."""

# %% attend
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)

# %% lower
lowered = jax.jit(attend).lower(q, k)
print(lowered.as_text())

# %% one-line
import textwrap

lines = lowered.as_text().splitlines()
line = next(line.strip() for line in lines if "dot_general" in line)
print(textwrap.fill(line, 68, subsequent_indent="    "))

# %% bits
import numpy as np

print(np.uint32(0xFF800000).view(np.float32))
