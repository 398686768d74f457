"""Three ways to see values from inside a compiled function."""

# %% print
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k):
    scores = q @ k.T
    jax.debug.print("largest score {top}", top=scores.max())
    return jax.nn.softmax(scores)


q = jnp.ones((4, 8))
for factor in (1, 2):
    attend(factor * q, q)
    jax.effects_barrier()

# %% equations
equations = attend.trace(q, q).jaxpr.eqns
print([eqn.primitive.name for eqn in equations[:5]])


# %% fstring
@jax.jit
def baked(x):
    jax.debug.print(f"x is {x}")
    return x * 2


baked(1.0)
baked(2.0)

# %% callback
history = []


@jax.jit
def watched(q, k):
    scores = q @ k.T
    jax.debug.callback(lambda top: history.append(float(top)), scores.max())
    return jax.nn.softmax(scores)


for factor in (1, 2):
    watched(factor * q, q)
    jax.effects_barrier()
print(history)

# %% hidden
jax.config.update("jax_debug_nans", True)


@jax.jit
def masked(q, k, mask):
    scores = jnp.where(mask, q @ k.T, -jnp.inf)
    return jax.nn.softmax(scores)


@jax.jit
def hidden(q, k, mask):
    scores = jnp.where(mask, q @ k.T, -jnp.inf)
    return jnp.where(mask, jax.nn.softmax(scores), 0.0)


mask = jnp.array([[True, True], [False, False]])
q = jnp.ones((2, 8))
print(hidden(q, q, mask))

# %% nans raises="FloatingPointError"
masked(q, q, mask)
