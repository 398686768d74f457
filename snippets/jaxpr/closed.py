"""What a jaxpr has besides invars and equations: constvars and effects."""

# %% constvars
import jax
import jax.numpy as jnp

q = jnp.ones((4, 8))
k = jnp.ones((2, 8))


def scores(q):
    return q @ k.T * 0.5


closed = jax.make_jaxpr(scores)(q)
print(closed)

# %% consts
print("constvars:", [v.aval for v in closed.constvars])
print("consts:   ", [c.shape for c in closed.consts])


# %% effects
def accumulate(total, q):
    total[...] += scores(q)


def loud(q):
    jax.debug.print("first score {}", scores(q)[0, 0])
    return scores(q)


total = jax.new_ref(jnp.zeros((4, 2)))
writes = jax.make_jaxpr(accumulate)(total, q)
prints = jax.make_jaxpr(loud)(q)

for jaxpr in (closed, writes, prints):
    print(sorted(type(effect).__name__ for effect in jaxpr.effects))

# %% ref
print(writes)
print([eqn.primitive.name for eqn in writes.eqns])

# %% exercise
import numpy as np

ramp = np.arange(3, dtype=np.float32)
shift = jnp.float32(2)


def line(x):
    return x * ramp * 3.0 + shift


# %% exercise-answer
print(jax.make_jaxpr(line)(1.0))
