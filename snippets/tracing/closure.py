"""A captured variable: frozen for the shapes already traced, read again for a new one."""

# %% scores
import jax
import jax.numpy as jnp

scale = 2.0


@jax.jit
def scores(q, k):
    return q @ k.T * scale


k = jnp.ones((4, 8))

# %% old
print("scale 2: ", scores(jnp.ones((4, 8)), k)[0, 0])
scale = 10.0
print("scale 10:", scores(jnp.ones((4, 8)), k)[0, 0])

# %% new
print("6 rows:  ", scores(jnp.ones((6, 8)), k)[0, 0])
print("4 rows:  ", scores(jnp.ones((4, 8)), k)[0, 0])


# %% fix
@jax.jit
def scores(q, k, scale):
    return q @ k.T * scale


print(scores(jnp.ones((4, 8)), k, 2.0)[0, 0])
print(scores(jnp.ones((4, 8)), k, 10.0)[0, 0])
