"""attend with some of XLA's passes switched off."""

# %% without
import jax
import jax.numpy as jnp

from hlo_text import PLAIN, entry, instructions


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
lowered = jax.jit(attend).lower(q, k)


def without(passes):
    options = PLAIN | {"xla_disable_hlo_passes": passes}
    return lowered.compile(compiler_options=options)


# %% table
some_passes = (
    "",
    "transpose-folding",
    "algsimp",
    "fusion",
    "fusion,algsimp",
    "fusoin",
)
print("entry  flops  bytes accessed  without")
for passes in some_passes:
    compiled = without(passes)
    length = len(instructions(entry(compiled.as_text())))
    cost = compiled.cost_analysis()
    flops, traffic = cost["flops"], cost["bytes accessed"]
    print(f"{length:5}  {flops:5.0f}  {traffic:14.0f}  {passes}")

# %% unfused
print(entry(without("fusion").as_text()))
