"""The same Python, other bits."""

# %% fused
import jax
import jax.numpy as jnp
import numpy as np


def error_of_square(x, rounded):
    return x * x - rounded


x = jnp.float32(1 + 2**-12)
rounded = x * x

# %% eager
print(error_of_square(x, rounded))

# %% jitted
error = jax.jit(error_of_square)(x, rounded)
print(error, error == 2**-24)

# %% without-fusion
lowered = jax.jit(error_of_square).lower(x, rounded)
print(lowered.compile({"xla_disable_hlo_passes": "fusion"})(x, rounded))


# %% normalize
def normalize(x):
    return x / x.sum(axis=1, keepdims=True)


counts = np.arange(1, 29, dtype=np.float32).reshape(4, 7)
by_numpy = normalize(counts)

# %% reciprocal
lowered = jax.jit(normalize).lower(counts)
for passes in ("", "algsimp"):
    by_xla = lowered.compile({"xla_disable_hlo_passes": passes})(counts)
    different = np.sum(by_numpy != by_xla)
    print(f"without {passes or 'nothing':8} {different} of {counts.size} differ")
