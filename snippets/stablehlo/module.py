"""attend, lowered: one StableHLO module."""

# %% attend lens="attend(q, k)" layers="jaxpr stablehlo"
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)

# %% lower
lowered = jax.jit(attend).lower(q, k)
print(lowered.as_text())

# %% one-line
import textwrap

lines = lowered.as_text().splitlines()
line = next(line.strip() for line in lines if "dot_general" in line)
print(textwrap.fill(line, 68, subsequent_indent="    "))

# %% bits
import numpy as np

print(np.uint32(0xFF800000).view(np.float32))

# %% facts
import re

from counts import first, ops, primitives

_text = lowered.as_text()
_ops = ops(_text)
_lines = dict(re.findall(r"(%\w+) = stablehlo\.(.*)", _text))
_primitives = primitives(jax.make_jaxpr(attend)(q, k))
equations, operations = len(_primitives), len(_ops)
one_device = all(f"mhlo.num_{what} = 1 :" in _text for what in ("partitions", "replicas"))
names_kept = 'loc("q")' in lowered.as_text(debug_info=True) and '"q"' not in _text
argument = first(r"%arg0: (\S+),", _text)
_numbered = [name for name in _lines if name[1:].isdecimal()]
numbered, last = len(_numbered), _numbered[-1]
constants = _ops.count("constant")
returns = f"return {last} :" in _text
shapes = all(isinstance(a, jax.ShapeDtypeStruct) for a in (q, k))

name, op = first(r"^(%\w+)", line), first(r"= (\S+)", line)
operands = first(r"dot_general (.+?), \w+ =", line)
left, right = (int(first(pattern, line) or -1) for pattern in (r"\[(\d)\] x", r"x \[(\d)\]"))
unbatched = "batching_dims" not in line
with jax.default_matmul_precision("highest"):
    precise = "[HIGHEST, HIGHEST]" in jax.jit(attend).lower(q, k).as_text()
one_type = re.fullmatch(r"maximum %\w+, %\w+ : \S+", _lines.get("%4", "")) is not None

equal = first(r"(subtract %\w+, %\w+ : tensor<4x4xf32>)$", _text) != ""
unstopped = "stop_gradient" in _primitives and "stop_gradient" not in _text
_spread = first(r"^maximum (%\w+),", _lines.get("%4", ""))
_start = first(r"^broadcast_in_dim (%\w+),", _lines.get(_spread, ""))
idle = _lines.get(_start, "").startswith("constant dense<0xFF800000>")
short = _text.count(" applies ")


def _lowered(f, *args, **options):
    return jax.jit(f, **options).lower(*args).as_text()


_many = np.arange(101, dtype=np.float32)
donated = "tf.aliasing_output" in _lowered(lambda a: a + 1, q, donate_argnums=0)
width = 8 * np.float32().itemsize
hexadecimal = "dense<0x4B800000>" in _lowered(lambda a: a + 16777217.0, q)
large = 'dense<"0x' in _lowered(lambda a: a + _many, _many)
