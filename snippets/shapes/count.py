"""Why did it recompile? Count the traces, let JAX explain each, and forbid more."""

# %% attend
import jax
import jax.numpy as jnp

traces = []


@jax.jit
def attend(q, k, scale=1.0):
    traces.append(k.shape)
    return jax.nn.softmax(q @ k.T * scale)


q = k = jnp.ones((4, 8))
six, seven = jnp.ones((6, 8)), jnp.ones((7, 8))

# %% explain
from cache_log import show_log

messages = show_log()
jax.config.update("jax_explain_cache_misses", True)

for keys in (k, six, k, 2 * six):
    attend(q, keys)
print(len(traces), "traces")

# %% facts
calls = 4
traced = len(traces)
hits = calls - traced
logged = len(messages)
each_logged = traced == logged
_first, _second = messages
never_seen = "never seen function" if "never seen function" in _first else ""
names_call = "CACHE MISS at count.py:" in _second
names_definition = "for attend defined at count.py:" in _second
closest = "closest previous key" if "closest previous key" in _second else ""
differs = _second.splitlines()[-1].strip()
new_shape = differs.endswith("now f32[6,8] and before f32[4,8]")

# %% forbid raises="RuntimeError"
with jax.no_tracing():
    attend(q, six)
    print("six keys: no trace needed")
    attend(q, seven)

# %% facts
with jax.no_tracing():
    try:
        seven + seven
        forbids_library = False
    except RuntimeError:
        forbids_library = True
    _committed = jax.device_put(q, jax.devices()[0])
    try:
        attend(_committed, k)
        _refused = False
    except RuntimeError:
        _refused = True
attend(_committed, k)
forbids_more = _refused and len(traces) == traced
