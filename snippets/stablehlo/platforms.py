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
