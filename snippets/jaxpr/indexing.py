"""Indexing, by number, by traced number, by traced array, and writing."""

# %% slice
import jax
import jax.numpy as jnp

cache = jnp.ones((6, 8))
row = jnp.int32(2)
rows = jnp.array([0, 2, 5])


def fixed(cache):
    return cache[2]


print(jax.make_jaxpr(fixed)(cache))


# %% dynamic
def read(cache, row):
    return cache[row]


print(jax.make_jaxpr(read)(cache, row))

# %% gather
print(jax.make_jaxpr(read)(cache, rows).eqns[-1])


# %% scatter
def write(cache, row):
    return cache.at[row].set(0.0)


print(jax.make_jaxpr(write)(cache, row).eqns[-1])


# %% bounds
far = jnp.array([0, 99])
line = jnp.arange(6.0)
print("read: ", read(line, far))
print("write:", write(line + 1, far))
