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
for rows in (4, 4, 6, 4, 6):
    print("call with", rows, "rows")
    attend(jnp.ones((rows, 8)), k)

# %% log
print("5 calls, log:", log)

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
