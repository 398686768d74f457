"""Three programs to predict: what is left of them when XLA is done?"""

# %% optimized
import jax
import jax.numpy as jnp

from hlo_text import PLAIN, entry, trim


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)


def optimized(f, *args):
    return jax.jit(f).lower(*args).compile(compiler_options=PLAIN).as_text()


# %% twice
def twice(q, k):
    return attend(q, k) + attend(q, k)


print(jax.jit(twice).lower(q, k).as_text().count("stablehlo.dot_general"), "dots lowered")
print(entry(optimized(twice, q, k)))

# %% back-and-forth
print(entry(optimized(lambda x: x.T.T, q)))

# %% log-exp
print(trim(optimized(lambda x: jnp.log(jnp.exp(x)), q)))

# %% facts
from counts import fused, opcodes, ops
from hlo_passes import states

_lowered, _text = jax.jit(twice).lower(q, k).as_text(), optimized(twice, q, k)
lowered_dots, dots = ops(_lowered).count("dot_general"), opcodes(_text).count("dot")
_history = states(jax.jit(twice).lower(q, k))
_single = [state.name for state in _history if opcodes(state.text).count("dot") == 1]
merges = _single[:1] == ["cse"]
joined = {"multiply", "add"} <= set(fused(_text)[-1])

_back = jax.jit(lambda x: x.T.T).lower(q)
_left = opcodes(_back.compile(compiler_options=PLAIN).as_text())
left = {"copy": "a copy", "parameter": "nothing"}.get(_left[-1], _left[-1])
transposes = ops(_back.as_text()).count("transpose")
_changes = {state.name: opcodes(state.text) for state in states(_back)}
cancelled = _changes["none yet"] == ["parameter"]
inserted = [name for name, left in _changes.items() if "copy" in left][:1] == ["copy-insertion"]

both = fused(optimized(lambda x: jnp.log(jnp.exp(x)), q)) == [["exponential", "log"]]
knows = "no" if both else "yes"
infinite = bool(jnp.isinf(jnp.exp(jnp.float32(100))))
