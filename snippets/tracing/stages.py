"""What make_jaxpr leaves undone: it allocates no arrays and compiles nothing."""

# %% big
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


rows = jax.ShapeDtypeStruct((1_000_000, 8), jnp.float32)
print(*jax.make_jaxpr(attend)(rows, rows).out_avals)

# %% compiles
compiles = []


def watch(event, seconds, **_):
    if event.endswith("backend_compile_duration"):
        compiles.append(event)


q = jnp.ones((4, 8))
jax.monitoring.register_event_duration_secs_listener(watch)

jax.make_jaxpr(attend)(q, q)
print(len(compiles), "compiled after make_jaxpr")
jitted = jax.jit(attend)
jitted(q, q)
print(len(compiles), "after a first call")
jitted(q, q)
print(len(compiles), "after a second call")
