# traced: devices=2
"""Where the arguments are: what is traced, lowered and compiled again for another place."""

# %% update
import jax
import jax.numpy as jnp

from cache_log import show_log

traces = []


@jax.jit
def update(w, batch):
    traces.append(w.shape)
    return w - 0.5 * jax.grad(lambda w: jnp.square(w * batch).sum())(w)


fresh = jnp.ones(4)
first, second = jax.devices()
batch = jax.device_put(fresh, first)

# %% log
compiles = show_log(only="Compiling jit(update)")
jax.config.update("jax_log_compiles", True)

w = fresh
for step in range(3):
    print("step", step, "w.committed:", w.committed)
    w = update(w, batch)
print(len(traces), "trace")

# %% facts
one_trace = len(traces)
compilations = len(compiles)
compiles_untraced = one_trace == 1 and compilations == 2
_at_first, _second = (m.split("Argument mapping: ")[1] for m in compiles)
free_before = _at_first.startswith("(UnspecifiedValue, SingleDeviceSharding")
tied_after = _second.startswith("(SingleDeviceSharding")
becomes_committed = w.committed and not fresh.committed

jax.config.update("jax_explain_cache_misses", True)
update.clear_cache()
compiles.clear()
_explained = show_log(only="CACHE MISS")
update(update(fresh, batch), batch)
explains_first_only = len(_explained) == 1

update.clear_cache()
_compiles = show_log(only="Compiling jit(update)")
_w = jax.device_put(fresh, first)
for _ in range(3):
    _w = update(_w, batch)
fixes = len(_compiles) == 1
jax.config.update("jax_explain_cache_misses", False)

# %% mesh
jax.config.update("jax_log_compiles", False)
misses = show_log(brief=True)
jax.config.update("jax_explain_cache_misses", True)
mesh = jax.make_mesh((2,), ("x",))
spread = jax.device_put(fresh, jax.NamedSharding(mesh, jax.P("x")))
update(spread, spread)
with jax.set_mesh(mesh):
    update(fresh, fresh)

# %% facts
mesh_is_type = "now f32[4@x]({Explicit: ('x',)}) and before f32[4]" in misses[0]
mesh_is_context = "abstract_mesh_context_manager differs" in misses[1]
jax.config.update("jax_explain_cache_misses", False)

# %% stages
update.clear_cache()
finished = show_log(only="Finished")
jax.config.update("jax_log_compiles", True)

there = jax.device_put(fresh, second)
places = {"anywhere": fresh, "on a device": batch, "on another": there}
for place, w in places.items():
    print("---", place)
    update(w, w)

# %% facts
_stages = ("Finished tracing", "Finished jaxpr to MLIR", "Finished XLA compilation")
_said = [next((stage for stage in _stages if m.startswith(stage)), m) for m in finished]
all_three = _said[:3] == list(_stages)
committed_lowers = _said[3:5] == list(_stages[1:])
other_compiles_only = _said[5:] == [_stages[2]]
other_device_compiles = other_compiles_only

import numpy as np

_logged = show_log()
_before = update._cache_size(), len(traces)
update(np.ones(4, np.float32), fresh)
counts_else = (update._cache_size(), len(traces)) == (_before[0] + 1, _before[1]) and not _logged
jax.jit(update.__wrapped__).clear_cache()
cleared_for_all = update._cache_size() == 0
update(fresh, fresh)
traced_anew = len(traces) == _before[1] + 1

# %% persistent
import tempfile

from jax.experimental.compilation_cache import compilation_cache

jax.config.update("jax_compilation_cache_dir", tempfile.mkdtemp())
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
compilation_cache.reset_cache()  # only because this process has compiled before

traces.clear()
messages = show_log(only="jit_update")
jax.config.update("jax_explain_cache_misses", True)
for _ in range(2):
    jax.clear_caches()  # as if the process were new
    update(fresh, fresh)
print(len(traces), "traces")

# %% facts
traced_twice = len(traces) == 2
missed_then_hit = "CACHE MISS" in messages[0] and "cache hit" in messages[-1]
