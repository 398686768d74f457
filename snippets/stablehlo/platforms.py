"""One primitive, lowered for three platforms on a machine that has one of them."""

# %% lower-for
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


def lower_for(platforms, f, *args):
    return jax.jit(f).trace(*args).lower(lowering_platforms=platforms).as_text()


# %% same
q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
platforms = ("cpu", "cuda", "tpu")
texts = {lower_for((name,), attend, q, k) for name in platforms}
print(len(texts))

# %% differ
cholesky = jax.lax.linalg.cholesky
square = jax.ShapeDtypeStruct((4, 4), jnp.float32)


def telling_lines(text, *words):
    """The lines with one of the words, up to their attributes."""
    for line in text.splitlines():
        if any(word in line for word in words):
            yield line.partition(" {")[0]


words = "custom_call", "stablehlo.cholesky"
for name in platforms:
    text = lower_for((name,), cholesky, square)
    print(f"{name:5}", *telling_lines(text, *words))

# %% all-three
text = lower_for(platforms, cholesky, square)
print(*telling_lines(text, "func.func", "case", *words), sep="\n")

# %% facts
from counts import ops

count, same = len(platforms), len(texts)
_alone = {name: lower_for((name,), cholesky, square) for name in platforms}
differ = len(set(_alone.values())) == count
lapack = "stablehlo.custom_call @lapack_" in _alone["cpu"]
cusolver = "stablehlo.custom_call @cusolver_" in _alone["cuda"]
stays = "cholesky" in ops(_alone["tpu"]) and "custom_call" not in _alone["tpu"]
_main = text.partition("func.func public")[2].partition("\n")[0]
index = "_platform_index" in text and "%arg0: tensor<i32>" in _main
cases = ops(text).count("case")
layouts = "operand_layouts" in _alone["cpu"]
