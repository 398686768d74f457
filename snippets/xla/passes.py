"""The passes that changed attend, and what two of them did."""

# %% states
import jax
import jax.numpy as jnp

from hlo_passes import states
from hlo_text import entry, instructions


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
history = states(jax.jit(attend).lower(q, k))

# %% list
print("in all  in the entry  latest pass")
for state in history:
    in_all = len(instructions(state.text))
    in_entry = len(instructions(entry(state.text)))
    print(f"{in_all:6}  {in_entry:12}  {state.name}")


# %% changed
import textwrap


def changed_by(name):
    """What the first pass of that name took away, and what it brought."""
    after = next(i for i, state in enumerate(history) if state.name == name)
    old, new = (instructions(state.text) for state in history[after - 1 : after + 1])
    return [line for line in old if line not in new], [line for line in new if line not in old]


def show(lines):
    for line in lines:
        print(textwrap.fill(line, 68, subsequent_indent="    "))


# %% folding-before
gone, brought = changed_by("transpose-folding")
show(gone)

# %% folding-after
show(brought)

# %% algsimp-before
gone, brought = changed_by("algsimp")
show(gone)

# %% algsimp-after
show(brought)

# %% facts
import re
from itertools import pairwise

from counts import elements
from hlo_text import trim

_counts = [(len(instructions(s.text)), len(instructions(entry(s.text)))) for s in history]
_steps = list(zip(pairwise(_counts), history[1:]))
files = len(_steps)
passes = sum(s.name not in {other.pipeline for other in history} for s in history[1:])
same = sum(trim(old.text) == trim(new.text) for old, new in pairwise(history))
((_more, unfused), (_most, fused)), _state = max(_steps, key=lambda s: s[0][0][1] - s[0][1][1])
biggest, raises = _state.name, _most > _more
pipeline = any(s.name == "algsimp" and s.pipeline == "simplification" for s in history)
_wrapped = {s.name: " %wrapped_reduce = " in s.text for s in history}
wraps = _wrapped.get("fusion-wrapper") is True and _wrapped.get("fusion") is False

_folded = [lines[-1] for lines in changed_by("transpose-folding")]
_before, _after = (dict(re.findall(r"(\w+)=\{(\d)\}", dot)) for dot in _folded)
moved = [name for name in _before if _before[name] != _after[name]]
_axes = [int(axes[name]) for name in moved for axes in (_before, _after)]
old_axis, new_axis = (_axes * 2 or [-1, -1])[:2]
_last = entry(history[-1].text)
no_transpose, no_maximum = " transpose(" not in _last, " maximum(" not in _last

removed, added = len(gone), len(brought)
divided, maximums = sum(elements("divide", gone)), sum(elements("maximum", gone))
reciprocals, multiplied = sum(elements("divide", brought)), sum(elements("multiply", brought))
_first = instructions(history[0].text)
row_sums = sum(elements("reduce", [line for line in _first if line.startswith("%reduce_sum")]))
