"""One function, down the layers."""

# %% python lens="attend(q, k)" compiler_options="xla_cpu_experimental_ynn_fusion_type="
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)

# %% jaxpr
print(jax.make_jaxpr(attend)(q, k))

# %% stablehlo
lowered = jax.jit(attend).lower(q, k)
print(lowered.as_text())

# %% hlo
from hlo_text import PLAIN, entry

print(entry(lowered.compile(compiler_options=PLAIN).as_text()))

# %% facts
from counts import elements, fused, instructions, opcodes, ops, primitives

_primitives = primitives(jax.make_jaxpr(attend)(q, k))
queries, keys = q.shape[0], k.shape[0]
equations, operations = len(_primitives), len(ops(lowered.as_text()))
stops_gradient = "stop_gradient" in _primitives
_text = lowered.compile(compiler_options=PLAIN).as_text()
_entry = opcodes(entry(_text))
products, loops = _entry.count("dot"), entry(_text).count("kind=kLoop")
no_transpose = "transpose" not in opcodes(_text)
asked_divisions = sum(elements("divide", instructions(lowered.as_text("hlo"))))
divisions, multiplications = (
    sum(elements(op, instructions(_text))) for op in ("divide", "multiply")
)
most = sum(len(body) > 1 for body in fused(_text)) > loops / 2
option = "dot" not in opcodes(entry(lowered.compile().as_text()))
