# %% jaxpr
import jax
import jax.numpy as jnp


def double(x):
    return 2.0 * x


x = jnp.ones(3)
print(jax.make_jaxpr(double)(x))

# %% stablehlo
print(jax.jit(double).lower(x).as_text())

# %% hlo
print(jax.jit(double).lower(x).as_text("hlo"))

# %% text
print(double(x))
