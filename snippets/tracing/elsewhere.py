"""The same Python under grad and under vmap, which keep no recording."""

# %% square
import jax
import jax.numpy as jnp


def square(x):
    print("Python runs, x is", x)
    return x * x


# %% grad
for number in (3.0, 3.0):
    jax.grad(square)(number)

# %% facts
from counts import counted, first
from seen import seen

carries = first(r"(primal=[\d.]*)", str(seen(jax.grad, 3.0)))
_counted = counted(lambda x: x * x)
for _ in range(2):
    jax.vmap(_counted)(jnp.arange(3.0))
vmap_runs_each_time = _counted.runs == 2
