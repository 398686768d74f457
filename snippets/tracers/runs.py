"""How often Python runs in five calls, under each transformation."""

# %% five
import jax
import jax.numpy as jnp

runs = []


def loss(error):
    runs.append("loss")
    return error * error / 2


batch = jnp.array([0.5, 3.0])
counts = {}
for name, transformed, argument in (
    ("vmap", jax.vmap(loss), batch),
    ("grad", jax.grad(loss), 3.0),
    ("jit(grad)", jax.jit(jax.grad(loss)), 3.0),
    ("grad(jit)", jax.grad(jax.jit(loss)), 3.0),
):
    runs.clear()
    for _ in range(5):
        transformed(argument)
    counts[name] = len(runs)

# %% answer
for name, count in counts.items():
    print(f"{name:10}{count}")


# %% facts
from counts import counted
from seen import jvp, kind

once = [name for name, count in counts.items() if count == 1]
calls = max(counts.values())
run_vmap, run_grad = counts["vmap"], counts["grad"]


def _runs(transform, argument):
    python = counted(lambda x: x * x)
    transformed = transform(python)
    for _ in range(calls):
        transformed(argument)
    return python.runs


run_jit, run_jvp = _runs(jax.jit, 3.0), _runs(jvp, 3.0)
vmap_like_grad = [
    _runs(jax.vmap, batch),
    _runs(lambda f: jax.jit(jax.vmap(f)), batch),
    _runs(lambda f: jax.vmap(jax.jit(f)), batch),
] == [run_grad, counts["jit(grad)"], counts["grad(jit)"]]

# The numbers are there before the function returns.
_sines = []
jax.grad(lambda x: (_sines.append(jnp.sin(x)), x)[1])(3.0)
jax.vmap(lambda x: (_sines.append(jnp.sin(x)), x)[1])(batch)
computes_at_once = not kind(_sines[0].primal) and not kind(_sines[1].val)
