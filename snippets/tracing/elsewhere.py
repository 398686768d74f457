"""The same Python under grad, under vmap, and under jit of grad."""

# %% square
import jax
import jax.numpy as jnp


def square(x):
    print("Python runs, x is", x)
    return x * x


# %% grad
slope = jax.grad(square)
slope(3.0)
slope(3.0)


# %% branch
def hinge(x):
    if x > 0:
        return x * x
    return -x


print(jax.grad(hinge)(3.0), jax.grad(hinge)(-3.0))

# %% vmap
batched = jax.vmap(square)
batched(jnp.arange(3.0))
batched(jnp.arange(3.0))

# %% vmap-branch
try:
    jax.vmap(hinge)(jnp.arange(3.0))
except jax.errors.TracerBoolConversionError as error:
    print("vmap:", type(error).__name__)

# %% exercise
jitted = jax.jit(jax.grad(square))

# %% exercise-answer
jitted(3.0)
jitted(4.0)

# %% facts
from counts import counted, first


def _tracer(transform, *args):
    """How the tracer that `transform` passes to a function is shown."""
    shown = []
    transform(lambda x: (shown.append(repr(x)), x * x)[1])(*args)
    return shown[0]


def _raises(function, x):
    try:
        function(x)
    except jax.errors.TracerBoolConversionError:
        return True
    return False


_alone, _batched = _tracer(jax.grad, 3.0), _tracer(jax.vmap, jnp.arange(3.0))
carries = first(r"(primal=[\d.]*)", _alone)
carried = float(carries.removeprefix("primal=") or 0)
chooses = [float(jax.grad(hinge)(x)) for x in (3.0, -3.0)] == [6.0, -1.0]
batch = int(first(r"batched=float32\[(\d+)", _batched) or 0)
both_raise = _raises(jax.vmap(hinge), jnp.arange(3.0)) and _raises(jax.jit(hinge), 3.0)

_python = counted(lambda x: x * x)
_jitted = jax.jit(jax.grad(_python))
_jitted(3.0), _jitted(4.0)
jitted_traces = _python.runs
sits_inside = "primal=JitTracer" in _tracer(lambda f: jax.jit(jax.grad(f)), 3.0)
jitted_raises = _raises(jax.jit(jax.grad(hinge)), 3.0)
