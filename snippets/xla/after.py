"""attend as XLA's CPU compiler leaves it."""

# %% compile
import jax
import jax.numpy as jnp

from hlo_text import PLAIN, entry, trim


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
lowered = jax.jit(attend).lower(q, k)
compiled = lowered.compile(compiler_options=PLAIN)

# %% trimmed
print(trim(compiled.as_text()))

# %% noise
raw = compiled.as_text()
for word in ("FileNames", "FunctionNames", "FileLocations", "StackFrames", "metadata="):
    print(f"{word:14}{raw.count(word):3}")

# %% options
print(PLAIN)

# %% default
print(entry(lowered.compile().as_text()))

# %% larger
larger = jax.ShapeDtypeStruct((64, 8), jnp.float32)
print(entry(jax.jit(attend).lower(larger, larger).compile(compiler_options=PLAIN).as_text()))
