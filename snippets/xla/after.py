"""attend as XLA's CPU compiler leaves it."""

# %% compile lens="attend(q, k)" compiler_options="xla_cpu_experimental_ynn_fusion_type="
import jax
import jax.numpy as jnp

from hlo_text import PLAIN, entry, trim


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
lowered = jax.jit(attend).lower(q, k)
compiled = lowered.compile(compiler_options=PLAIN)

# %% trimmed
print(trim(compiled.as_text()))

# %% fusion
import re

raw = compiled.as_text()
line = [line for line in raw.splitlines() if " fusion(" in line][2]
print(line.replace(", ", ",\n      "))

# %% inside
name = re.search(r"calls=(%[\w.]+)", line)[1]
body = re.search(rf"^{name} .*?^\}}", raw, re.M | re.S)[0]
for made, primitive in re.findall(r"(%.+?) = .*op_name=\"(.+?)\"", body):
    print(f"{made:14} {primitive}")

# %% place
frame = re.search(r"stack_frame_id=(\d+)", line)[1]
location = re.search(rf"^{frame} {{file_location_id=(\d+)", raw, re.M)[1]
place = re.search(rf"^{location} {{file_name_id.*", raw, re.M)[0]
print(place)

# %% noise
raw = compiled.as_text()
tables = r"^(FileNames|FunctionNames|FileLocations|StackFrames)\n(.+\n)*\n*"
attributes = r", (metadata|backend_config)=\{.*"
shorter = re.sub(f"{tables}|{attributes}", "", raw, flags=re.M)
for text in (raw, shorter):
    print(text.count("metadata="), "metadata, tables:", "StackFrames" in text)

# %% options
print(PLAIN)

# %% default
print(entry(lowered.compile().as_text()))

# %% facts
import inspect

from counts import first, fused, fusions, instructions, opcodes, ops

_entry = entry(raw)
_opcodes = opcodes(_entry)
parameters, fusion_count = _opcodes.count("parameter"), len(fusions(_entry))
singles = [op for op in _opcodes if op not in ("parameter", "fusion")] == ["constant", "dot"]
kinds = sorted(set(re.findall(r"kind=\w+", _entry)))
calls = all(" calls=%" in line for line in fusions(_entry))
_names = [line.removeprefix("ROOT ").split()[0] for line in fusions(_entry)]
_bodies = dict(zip(_names, fused(raw)))
together = _bodies.get("%subtract_exponential_fusion", [])
one_by_one = len(together)
the_fusion = first(r"(%\S+) = ", line)
names_one = first(r'op_name="jit\(attend\)/(\w+)"', line)
primitives_inside = [*dict.fromkeys(re.findall(r'op_name="jit\(attend\)/(\w+)"', body))]
its_root = re.search(rf'ROOT .*op_name="jit\(attend\)/{names_one}"', body) is not None
_columns = re.search(r" column=(\d+) end_column=(\d+)", place)
start, end = map(int, _columns.groups())
points_at_softmax = (
    inspect.getsource(attend).splitlines()[1][start:end] == "jax.nn.softmax(q @ k.T)"
)
alone = _bodies.get("%wrapped_reduce") == ["reduce"]
scheduled = "is_scheduled=true" in raw.partition("\n")[0]

_tables = re.findall(r"^(FileNames|FunctionNames|FileLocations|StackFrames)$", raw, re.M)
tables = len(_tables)
mostly = raw.count("metadata=") > len(instructions(raw)) / 2
_noise = "metadata", "backend_config", *_tables
drops = not any(word in text for word in _noise for text in (trim(raw), shorter))

_default = lowered.compile().as_text()
by_library = first(r"(kind=\w+)", entry(_default))
no_dot = " dot(" not in entry(_default)
library = "ynn_fusion" in first(r"(backend_config=.*)", _default) and "ynn" not in _entry
only_dot = fused(_default)[1:] == fused(raw)

_larger = jax.ShapeDtypeStruct((64, 8), jnp.float32)
rows, more_rows = k.shape[0], _larger.shape[0]
_lowered = jax.jit(attend).lower(_larger, _larger)
_left = fused(_lowered.compile().as_text())[:2]
up_to_sum = {"dot", "exponential"} <= set(_left[0]) and _left[1][-1] == "reduce"
_final = _lowered.compile(compiler_options=PLAIN).as_text()
_reducing = [op for op in opcodes(_final) if op.startswith("reduce")]
stages = len(_reducing) // max(ops(_lowered.as_text()).count("reduce"), 1)
at_a_time = int(first(r"reduce-window\(.*size=1x(\d+) ", _final) or 0)
