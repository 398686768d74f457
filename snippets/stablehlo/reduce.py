"""Two reductions: one with a name, one with a body."""

# %% argmax
import jax
import jax.numpy as jnp


def best_key(q, k):
    return jax.lax.argmax(q @ k.T, axis=1, index_dtype=jnp.int32)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
print(jax.jit(best_key).lower(q, k).as_text())

# %% facts
import re

from counts import first, primitives

_text = jax.jit(best_key).lower(q, k).as_text()
_primitives = primitives(jax.make_jaxpr(best_key)(q, k))
unasked = "func.func private @argmax" in _text and "jit" not in _primitives
pair = first(r"(%\d+:\d) = stablehlo.reduce", _text)
results = int(first(r"%\d+:(\d) = stablehlo.reduce", _text) or 1)
second = first(r" return (%\d+#1) :", _text)
_arguments = first(r"reducer(\(.*\)) +\{", _text)
_returned = first(r"stablehlo.return (.*) :", _text)
reducer = _arguments.count("%arg") == 4 and _returned.count("%") == 2
_types = [re.findall(r"tensor<(\w+)>", part) for part in _arguments.split(") (")]
brackets = _types == [["f32", "f32"], ["i32", "i32"]]
positions = "%0 = stablehlo.iota dim = 1 " in _text and ", (%0 init: %c)" in _text
_selects = re.findall(r"select (%\d+), %arg(\d), %arg(\d) ", _text)
selects = _selects == [("%4", "1", "3"), ("%8", "2", "4")]
first_wins = int(jax.lax.argmax(jnp.array([1.0, 3.0, 3.0]), 0, jnp.int32)) == 1
differs = "compare NE, %arg1, %arg1" in _text
nan_wins = int(jax.lax.argmax(jnp.array([1.0, jnp.nan, 3.0]), 0, jnp.int32)) == 1
