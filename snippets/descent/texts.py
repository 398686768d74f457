"""attend as four texts, and what it costs."""

# %% attend lens="attend(q, k)" compiler_options="xla_cpu_experimental_ynn_fusion_type="
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)

# %% stages
from hlo_text import PLAIN, trim

traced = jax.jit(attend).trace(q, k)
lowered = traced.lower()
compiled = lowered.compile(compiler_options=PLAIN)

jaxpr = str(traced.jaxpr)
stablehlo = lowered.as_text()
hlo = lowered.as_text("hlo")
optimized = trim(compiled.as_text())
cost = compiled.cost_analysis()

# %% exponential
import re

for text in (jaxpr, stablehlo, hlo, optimized):
    print(re.search(r"^ *(.*\bexp.*)$", text, re.M)[1])
print(f"transcendentals: {cost['transcendentals']:.0f}")

# %% count
from counts import ops
from hlo_text import entry, instructions

print(f"{len(traced.jaxpr.eqns):2} equations in the jaxpr")
print(f"{len(ops(stablehlo)):2} ops in the StableHLO")
for name, text in (("HLO", hlo), ("optimized HLO", optimized)):
    print(f"{len(instructions(entry(text))):2} instructions in the entry of the {name}")

# %% facts
from counts import first, fused, fusions

_texts = (jaxpr, stablehlo, hlo, optimized)
_lines = [first(r"^ *(.*\bexp.*)$", text) for text in _texts]
_names = [first(r"^(?:ROOT )?([%\w.]+)", line) for line in _lines]
letter, number, instruction_name, final_name = _names
primitive = first(r" = (\w+)", _lines[0])
op, opcode = first(r"stablehlo\.(\w+)", _lines[1]), first(r" (\w+)\(", _lines[2])
same_opcode = f" {opcode}(" in _lines[3]
aval, tensor = first(r":(\S+)", _lines[0]), first(r": (\S+)$", _lines[1])
shape, layout = (first(r"= (\S+\])", _lines[2]), first(r"(\{\d,\d\}) e", _lines[2]))
no_layout_before = "{" not in "".join(_lines[:2]) and layout != ""
renamed = final_name != f"%{instruction_name}"
carried = "dot_general.1 = " in hlo and "%dot_general.1 = " in optimized
root = "ROOT" not in _lines[2] and _lines[3].startswith("ROOT ")
in_fusion = any(opcode in body for body in fused(optimized)) and _lines[3] not in entry(optimized)
transcendentals = int(cost["transcendentals"])
one_each = transcendentals == q.shape[0] * k.shape[0]

equations, operations = len(traced.jaxpr.eqns), len(ops(stablehlo))
unoptimized, final = (len(instructions(entry(t))) for t in (hlo, optimized))
programs = len(_texts)
_lengths = (equations, operations, unoptimized, final)
longest = max(zip(_lengths, ("jaxpr", "StableHLO", "HLO", "optimized HLO"), strict=True))[1]
loops, in_all = len(fusions(entry(optimized))), len(instructions(optimized))
same_jaxpr = str(jax.make_jaxpr(attend)(q, k)) == jaxpr
traced_stage, lowered_stage, compiled_stage = (
    type(stage).__name__ for stage in (traced, lowered, compiled)
)
_tpu = traced.lower(lowering_platforms=("tpu",))
tpu_same = _tpu.as_text() == stablehlo and _tpu.as_text("hlo") == hlo
shapes = all(isinstance(a, jax.ShapeDtypeStruct) for a in (q, k))
