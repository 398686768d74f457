"""Which files of machine code XLA's CPU compiler makes of attend."""

# %% kernels
import jax
import jax.numpy as jnp

from hlo_passes import kernels


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
lowered = jax.jit(attend).lower(q, k)
print(*kernels(lowered), sep="\n")

# %% facts
from counts import fusions, opcodes
from hlo_text import PLAIN, entry

_entry = entry(lowered.compile(compiler_options=PLAIN).as_text())
_names = [line.removeprefix("ROOT ").split()[0].lstrip("%") for line in fusions(_entry)]
count = len(kernels(lowered))
each_fusion = sorted(f"{name}_kernel" for name in _names) == kernels(lowered)
no_dot = "dot" in opcodes(_entry) and not any("dot" in name for name in kernels(lowered))
