"""A loop whose second call is a miss: the carry changes its weak type, or its dtype."""

# %% total
import jax
import jax.numpy as jnp

from cache_log import show_log

batch = jnp.ones(3)
messages = show_log(brief=True)
jax.config.update("jax_explain_cache_misses", True)


@jax.jit
def add(total, batch):
    return total + batch.sum()


# %% loop
total = 0.0
for step in range(4):
    print("step", step)
    total = add(total, batch)

# %% facts
_loop = loop_traces = len(messages)
second_is_strong = "now f32[]{weak_type=False} and before f32[]{weak_type=True}" in messages[1]

# %% loop-fix
add.clear_cache()
total = jnp.float32(0)
for step in range(4):
    total = add(total, batch)

# %% facts
fixed_loop = len(messages) - _loop
one_trace = fixed_loop == 1
array_is_weak = jnp.array(0.0).weak_type and jnp.asarray(0.0).weak_type
zeros_are_strong = not jnp.zeros(()).weak_type


# %% sgd
def loss(w, batch):
    return jnp.square(w * batch).sum()


@jax.jit
def update(w, batch, rate):
    return w - rate * jax.grad(loss)(w, batch)


half = jnp.ones(3, jnp.bfloat16)
rate = jnp.float32(0.1)

# %% second-step
w = half
for step in range(3):
    print("step", step, "with", w.dtype)
    w = update(w, half, rate)

# %% facts
started_as, became = half.dtype.name, w.dtype.name
twice = w.dtype.itemsize == 2 * half.dtype.itemsize
grew = "now f32[3] and before bf16[3]" in messages[-1]
_before = len(messages)

# %% second-step-fix
update.clear_cache()
w = half
for step in range(3):
    w = update(w, half, 0.1)
print(w.dtype)

# %% facts
fixed = w.dtype == jnp.bfloat16 and len(messages) - _before == 1
