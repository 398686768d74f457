"""When a jitted function's Python runs, and what its side effects leave behind."""

# %% attend
import jax
import jax.numpy as jnp

log = []


@jax.jit
def attend(q, k):
    print("tracing: q is", q)
    log.append(q.shape)
    return jax.nn.softmax(q @ k.T)


k = jnp.ones((4, 8))

# %% calls
sizes = (4, 4, 6, 4, 6)
for rows in sizes:
    print("call with", rows, "rows")
    attend(jnp.ones((rows, 8)), k)
print("log:", log)

# %% exercise
avals = []


@jax.jit
def double(x):
    avals.append(jax.typeof(x))
    return x * 2


double(jnp.ones(3))
double(jnp.zeros(3))
double(jnp.ones(3, dtype=jnp.int32))
double(jnp.ones((3, 1)))
double(jnp.ones(3) * 5)

# %% exercise-answer
print(len(avals), "traces:", *avals)

# %% facts
import contextlib
import io

from counts import primitives

calls, call_rows = len(sizes), list(sizes)
entries = len(log)
silent = calls - entries
first_rows, last_rows = log[0][0], log[-1][0]
per_shape = max(log.count(shape) for shape in log)
kinds = len(avals)
values_do_not_matter = kinds == len(set(avals))

dtype_matters = len({aval.dtype for aval in avals if aval.shape == (3,)}) == 2

with contextlib.redirect_stdout(io.StringIO()) as _said:
    _recorded = attend.trace(jnp.ones((2, 8)), k).jaxpr
shows_tracer = "tracing: q is JitTracer(" in _said.getvalue()
_without_log = jax.make_jaxpr(lambda q, k: jax.nn.softmax(q @ k.T))(jnp.ones((2, 8)), k)
records_no_append = primitives(_recorded) == primitives(_without_log)
