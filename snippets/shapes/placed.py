# traced: devices=2
"""One trace, two compilations: where the arguments are, and whether they are tied to it."""

# %% update
import jax
import jax.numpy as jnp

from cache_log import show_log


@jax.jit
def update(w, batch):
    return w - 0.5 * jax.grad(lambda w: jnp.square(w * batch).sum())(w)


fresh = jnp.ones(4)
batch = jax.device_put(jnp.ones(4), jax.devices()[0])

# %% explain
misses = show_log(only="CACHE MISS")
jax.config.update("jax_explain_cache_misses", True)

w = fresh
for step in range(3):
    w = update(w, batch)

# %% log
update.clear_cache()
compiles = show_log(only="Compiling jit(update)")
jax.config.update("jax_log_compiles", True)

w = fresh
for step in range(3):
    print("step", step, "w.committed:", w.committed)
    w = update(w, batch)

# %% facts
traces = len(misses)
compiles_untraced = traces == 1 and len(compiles) == 2
compilations = len(compiles)
_at_first, _second = (m.split("Argument mapping: ")[1] for m in compiles)
free_before = _at_first.startswith("(UnspecifiedValue, SingleDeviceSharding")
tied_after = _second.startswith("(SingleDeviceSharding")
becomes_committed = w.committed and not fresh.committed

# %% fix
update.clear_cache()
compiles.clear()
w = jax.device_put(fresh, jax.devices()[0])
for step in range(3):
    w = update(w, batch)
print(len(compiles), "compilation")

# %% facts
fixes = len(compiles) == 1
_there = jax.device_put(fresh, jax.devices()[1])
_logged = show_log()
update(_there, _there)
other_device_is_no_trace = not any("CACHE MISS" in m for m in _logged)
other_device_compiles = any(m.startswith("Finished XLA compilation") for m in _logged)

# %% mesh
jax.config.update("jax_log_compiles", False)
misses = show_log(brief=True)
mesh = jax.make_mesh((2,), ("x",))
spread = jax.device_put(fresh, jax.NamedSharding(mesh, jax.P("x")))
update(spread, spread)
with jax.set_mesh(mesh):
    update(fresh, fresh)

# %% facts
explicit_named = "now f32[4@x]({Explicit: ('x',)}) and before f32[4]" in misses[0]
mesh_is_context = "abstract_mesh_context_manager differs" in misses[1]
