"""What make_jaxpr leaves undone: it allocates no arrays and compiles nothing."""

# %% big
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


rows = jax.ShapeDtypeStruct((1_000_000, 8), jnp.float32)
print(*jax.make_jaxpr(attend)(rows, rows).out_avals)

# %% facts
_scores = jax.make_jaxpr(attend)(rows, rows).out_avals[0]
terabytes = _scores.size * _scores.dtype.itemsize / 1e12
allocates_nothing = not jax.live_arrays()

# %% compiles
compiles = []


def watch(event, seconds, **_):
    if event.endswith("backend_compile_duration"):
        compiles.append(event)


q = jnp.ones((4, 8))
jax.monitoring.register_event_duration_secs_listener(watch)

jitted = jax.jit(attend)
so_far = []
for step in (jax.make_jaxpr(attend), jitted, jitted):
    step(q, q)
    so_far.append(len(compiles))
print("compiled after make_jaxpr, a first call, a second call:", *so_far)

# %% facts
from counts import counted

after_trace, after_first, after_second = so_far

_attend = counted(attend)
_jitted = jax.jit(_attend)
_jitted(q, q)
jax.make_jaxpr(_jitted)(q, q)
_traced = counted(attend)
jax.make_jaxpr(_traced)(q, q)
jax.jit(_traced)(q, q)
shares_cache = _attend.runs == _traced.runs == 1
