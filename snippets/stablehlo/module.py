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

print(np.uint32(0x7F800000).view(np.float32))


# %% center
def center(q):
    return q - q.mean(axis=1, keepdims=True)


print(jax.make_jaxpr(center)(q))

# %% center-lowered
print(jax.jit(center).lower(q).as_text())

# %% facts
import re
from itertools import groupby

from counts import first, ops, primitives

_text = lowered.as_text()
_ops = ops(_text)
_lines = dict(re.findall(r"(%\w+) = stablehlo\.(.*)", _text))
_primitives = primitives(jax.make_jaxpr(attend)(q, k))
equations, operations = len(_primitives), len(_ops)
one_device = all(f"mhlo.num_{what} = 1 :" in _text for what in ("partitions", "replicas"))
names_kept = 'loc("q")' in lowered.as_text(debug_info=True) and '"q"' not in _text
argument = first(r"%arg0: (\S+),", _text)
_signature = first(r"@main(.*)", _text)
result = first(r"(\w+\.result_info) = ", _signature)
_numbered = [name for name in _lines if name[1:].isdecimal()]
numbered, last = len(_numbered), _numbered[-1]
constants = _ops.count("constant")
returns = f"return {last} :" in _text
part_of_result = "result[1]" in jax.jit(lambda q: (q, q + 1)).lower(q).as_text()

name, op = first(r"^(%\w+)", line), first(r"= (\S+)", line)
operands = first(r"dot_general (.+?), \w+ =", line)
left, right = (int(first(pattern, line) or -1) for pattern in (r"\[(\d)\] x", r"x \[(\d)\]"))
unbatched = "batching_dims" not in line
with jax.default_matmul_precision("highest"):
    precise = "[HIGHEST, HIGHEST]" in jax.jit(attend).lower(q, k).as_text()
one_type = re.fullmatch(r"maximum %\w+, %\w+ : \S+", _lines.get("%4", "")) is not None


def _rows(text):
    """Each equation that became ops, in order: its primitive's name, and the values they define.

    An op is named after its primitive. A constant that was a literal is not: it goes to the op
    that follows.
    """
    names = dict(re.findall(r'^(#loc\d+) = loc\("jit\(attend\)/(\w+)"', text, re.M))
    values = re.findall(r"^ +(%\w+) = .*loc\((#loc\d+)\)$", text, re.M)
    owners = [names.get(place, "") for _, place in values]
    owners = [own or next(filter(None, owners[i:]), "") for i, own in enumerate(owners)]
    pairs = zip(owners, (value for value, _ in values))
    return [[name, [v for _, v in group]] for name, group in groupby(pairs, lambda pair: pair[0])]


_table = _rows(lowered.as_text(debug_info=True))
_row = (_table + [["", []]] * equations).__getitem__
eqn_transpose, of_transpose = _row(0)
eqn_product, of_product = _row(1)
eqn_highest, of_highest = _row(2)
eqn_max, of_max = _row(3)
eqn_column, of_column = _row(4)
eqn_sub, of_sub = _row(5)
eqn_exp, of_exp = _row(6)
eqn_sum, of_sum = _row(7)
eqn_column_again, of_column_again = _row(8)
eqn_div, of_div = _row(9)
rows, most = len(_table), max(len(values) for _, values in _table)
without_op = [name for name in _primitives if name not in [row[0] for row in _table]]
all_named = sum(len(values) for _, values in _table) == operations and rows == equations - 1

swaps = _lines.get("%0", "").startswith("transpose %arg1, dims = [1, 0] ")
lowest = all("dense<0xFF800000>" in _lines.get(name, "") for name in ("%cst", "%cst_0"))
twice_the_same = _lines.get("%cst") == _lines.get("%cst_0")
folds, sums = (first(r"across dimensions = \[(\d)\]", _lines.get(n, "")) for n in ("%2", "%9"))
folds, sums = int(folds or -1), int(sums or -1)
start_of_sum = float(first(r"dense<([\d.e+-]+)>", _lines.get("%cst_1", "")) or -1)
columns = all(" -> tensor<4x1xf32>" in _lines.get(name, "") for name in ("%5", "%10"))
stretches = all(" -> tensor<4x4xf32>" in _lines.get(name, "") for name in ("%6", "%11"))
kept_axis = first(r"(dims = \[\d\])", _lines.get("%5", ""))
in_a_row = _lines.get("%6", "").startswith("broadcast_in_dim %5,")

center_equations = len(jax.make_jaxpr(center)(q).eqns)
center_ops = len(ops(jax.jit(center).lower(q).as_text()))

equal = first(r"(subtract %\w+, %\w+ : tensor<4x4xf32>)$", _text) != ""
unstopped = "stop_gradient" in _primitives and "stop_gradient" not in _text
_spread = first(r"^maximum (%\w+),", _lines.get("%4", ""))
_start = first(r"^broadcast_in_dim (%\w+),", _lines.get(_spread, ""))
idle = _lines.get(_start, "").startswith("constant dense<0xFF800000>")
short = _text.count(" applies ")
tidied = lowered.compile().as_text().count(" maximum(") < _text.count("stablehlo.maximum")


def _lowered(f, *args, **options):
    return jax.jit(f, **options).lower(*args).as_text()


donated = "tf.aliasing_output" in _lowered(lambda a: a + 1, q, donate_argnums=0)
differ_in_sign = bool(np.uint32(0x7F800000 | 1 << 31).view(np.float32) == -np.inf)
width = 8 * np.float32().itemsize
_not_finite = (np.inf, -np.inf, np.nan)
hexadecimal = all("dense<0x" in _lowered(lambda a, b=b: a + b, q) for b in _not_finite)
