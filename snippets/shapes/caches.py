# traced: devices=2
"""What is kept of a call: its trace, its lowering, its compiled program, and the way to it."""

# %% attend
import jax
import jax.numpy as jnp

from cache_log import show_log

runs = []


def scores(q, k):
    runs.append(k.shape)
    return jax.nn.softmax(q @ k.T)


attend = jax.jit(scores)

q = k = jnp.ones((4, 8))
first, second = jax.devices()
here, there = jax.device_put((q, k), first), jax.device_put((q, k), second)

# %% stages
messages = show_log()
jax.config.update("jax_log_compiles", True)

for name, pair in {"anywhere": (q, k), "committed": here, "on another device": there}.items():
    print("---", name)
    attend(*pair)

# %% facts
_steps = ("Finished tracing", "Compiling", "Finished jaxpr to MLIR", "Finished XLA compilation")
_said = [next((step for step in _steps if m.startswith(step)), m) for m in messages]
in_order = _said[:4] == list(_steps)
committed_lowers = _said[4:7] == list(_steps[1:])
other_compiles_only = _said[7:] == [_steps[3]]
messages.clear()
_wrapped_again = jax.jit(scores)
_wrapped_again(q, k)
wrapped_again = len(messages)
_traced = _wrapped_again.trace(q, k)
says_finished_untraced = len(runs) == 1 and messages[0].startswith("Finished tracing")


def _twin(q, k):
    return jax.nn.softmax(q @ k.T)


messages.clear()
jax.jit(_twin)(q, k)
compiled_twin = any(m.startswith("Finished XLA compilation") for m in messages)
jax.config.update("jax_log_compiles", False)
equal_text = str(jax.make_jaxpr(scores)(q, k)) == str(jax.make_jaxpr(_twin)(q, k))

# %% size
import numpy as np

compiled = show_log(only="Compiling jit(scores)")
jax.config.update("jax_log_compiles", True)

runs.clear()
attend.clear_cache()
for keys in (k, here[1], np.ones((4, 8), np.float32)):
    attend(q, keys)
print(len(runs), "trace,", attend._cache_size(), "entries")

# %% facts
jax.config.update("jax_log_compiles", False)
one_trace = len(runs)
compilations = len(compiled)
entries = attend._cache_size()
_other = jax.jit(scores)
_other(q, k)
shared = len(runs) == 1
_other.clear_cache()
cleared_for_all = attend._cache_size() == 0
attend(q, k)
traced_anew = len(runs) == 2

# %% persistent
import tempfile

from jax.experimental.compilation_cache import compilation_cache

jax.config.update("jax_compilation_cache_dir", tempfile.mkdtemp())
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
compilation_cache.reset_cache()  # this process has compiled already, without the folder

messages = show_log(only="jit__lambda")
jax.config.update("jax_explain_cache_misses", True)
jax.config.update("jax_log_compiles", True)
runs.clear()
for _ in range(2):
    jax.jit(lambda q, k: scores(q, k))(q, k)
print(len(runs), "traces")

# %% facts
lambda_traced_twice = len(runs) == 2
missed_then_hit = "CACHE MISS" in messages[0] and "cache hit" in messages[-1]
