"""The same Python under grad and under vmap, alone and inside jit."""

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
from seen import raises, seen

carries = first(r"(primal=[\d.]*)", str(seen(jax.grad, 3.0)))
_batch = jnp.arange(3.0)


def _positive(x):
    return bool(x > 0)


chooses = not raises(jax.grad, _positive, 3.0)
vmap_raises = bool(raises(jax.vmap, _positive, _batch))


def _runs(transform, *arguments):
    python = counted(lambda x: x * x)
    transformed = transform(python)
    for argument in arguments:
        transformed(argument)
    return python.runs


jitted_calls = 2
vmap_runs_each_time = _runs(jax.vmap, _batch, _batch) == jitted_calls
_jitted = (
    (lambda f: jax.jit(jax.grad(f)), 3.0),
    (lambda f: jax.jit(jax.vmap(f)), _batch),
)
_both = {_runs(transform, *[x] * jitted_calls) for transform, x in _jitted}
jitted_runs = max(_both) if len(_both) == 1 else sorted(_both)
jitted_raises = all(raises(transform, _positive, x) for transform, x in _jitted)
