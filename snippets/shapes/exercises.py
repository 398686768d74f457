"""How many traces?"""

# %% scale
import jax
import jax.numpy as jnp
import numpy as np

traces = []


@jax.jit
def scale(x, factor):
    traces.append(jax.typeof(factor))
    return x * factor


x = jnp.ones(3)

# %% scale-answer
for factor in (1, 2, 1.0, jnp.float32(1), np.float32(2)):
    scale(x, factor)
print(len(traces), "traces")

# %% facts
scales = len(traces)
_integer, _float, _array = traces
weak_integers = _integer.weak_type and _integer.dtype == jnp.int32
weak_float = _float.weak_type and _float.dtype == jnp.float32
strong_shared = not _array.weak_type and _array.dtype == jnp.float32


# %% momentum
@jax.jit
def update(w, velocity=None):
    traces.append(velocity)
    grad = 2 * w
    velocity = grad if velocity is None else 0.9 * velocity + grad
    return w - 0.1 * velocity, velocity


# %% momentum-answer
traces.clear()
w, velocity = update(x)
for _ in range(4):
    w, velocity = update(w, velocity)
print(len(traces), "traces")

# %% facts
steps = 1 + 4
momentum = len(traces)
none_first = "None" if traces[0] is None else ""
traces.clear()
update.clear_cache()
_w, _velocity = x, jnp.zeros_like(x)
for _ in range(steps):
    _w, _velocity = update(_w, _velocity)
zeros_first = len(traces)


# %% history
@jax.jit
def mean(history):
    traces.append(len(history))
    return sum(history) / len(history)


# %% history-answer
traces.clear()
history = []
for _ in range(4):
    history.append(x)
    mean(history)
print(len(traces), "traces")

# %% facts
histories = len(traces)
lists_differ = len({jax.tree.structure(history[:n]) for n in range(1, 5)}) == 4
