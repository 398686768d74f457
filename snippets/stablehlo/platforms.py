"""One primitive, lowered for three platforms on a machine that has one of them."""

# %% lower-for
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


platforms = ("cpu", "cuda", "tpu")


def lower_for(platform, f, *args):
    return jax.jit(f).trace(*args).lower(lowering_platforms=(platform,)).as_text()


# %% same
q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
texts = {lower_for(name, attend, q, k) for name in platforms}
print(len(texts))

# %% differ
cholesky = jax.lax.linalg.cholesky
square = jax.ShapeDtypeStruct((4, 4), jnp.float32)

for name in platforms:
    for line in lower_for(name, cholesky, square).splitlines():
        if "custom_call" in line or "stablehlo.cholesky" in line:
            print(line.partition(" {")[0])

# %% facts
from counts import ops

count, same = len(platforms), len(texts)
_alone = {name: lower_for(name, cholesky, square) for name in platforms}
differ = len(set(_alone.values())) == count
lapack = "stablehlo.custom_call @lapack_" in _alone["cpu"]
cusolver = "stablehlo.custom_call @cusolver_" in _alone["cuda"]
stays = "cholesky" in ops(_alone["tpu"]) and "custom_call" not in _alone["tpu"]
layouts = "operand_layouts" in _alone["cpu"]
