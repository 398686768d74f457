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

# %% facts
from counts import fused

_programs = {passes: without(passes) for passes in some_passes}
_costs = {passes: program.cost_analysis() for passes, program in _programs.items()}
flops, transcendentals = (int(_costs[""][what]) for what in ("flops", "transcendentals"))
_more = _costs["fusion"]["flops"] - flops
change = "fewer" if _more < 0 else "more" if _more else "as many"
everywhere = {cost["flops"] for cost in _costs.values()} == {flops}
bytes_fused, bytes_unfused = (int(_costs[p]["bytes accessed"]) for p in ("", "fusion"))
_fused, _unfused = (_programs[p].as_text() for p in ("", "fusion"))
loops, loops_unfused = (entry(text).count("kind=kLoop") for text in (_fused, _unfused))
single = {len(body) for body in fused(_unfused)} == {1}
ignored = _programs["fusoin"].as_text() == _fused
