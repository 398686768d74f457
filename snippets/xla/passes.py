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


# %% around
def around(name):
    """The program before the first pass of that name, and after it."""
    after = next(i for i, state in enumerate(history) if state.name == name)
    return [state.text for state in history[after - 1 : after + 1]]


def new_lines(text, other):
    """The instructions of `text` that `other` does not have."""
    return [line for line in instructions(text) if line not in instructions(other)]


# %% algsimp-before
before, after = around("algsimp")
print(entry(before))

# %% algsimp-after
print(entry(after))

# %% folding-before
import textwrap

before, after = around("transpose-folding")
for line in new_lines(before, after):
    print(textwrap.fill(line, 68, subsequent_indent="    "))

# %% folding-after
for line in new_lines(after, before):
    print(textwrap.fill(line, 68, subsequent_indent="    "))

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

_folded = [new_lines(before, after)[-1], new_lines(after, before)[-1]]
_before, _after = (dict(re.findall(r"(\w+)=\{(\d)\}", dot)) for dot in _folded)
moved = [name for name in _before if _before[name] != _after[name]]
_axes = [int(axes[name]) for name in moved for axes in (_before, _after)]
old_axis, new_axis = (_axes * 2 or [-1, -1])[:2]
_last = entry(history[-1].text)
no_transpose, no_maximum = " transpose(" not in _last, " maximum(" not in _last

gone, brought = (new_lines(*pair) for pair in (around("algsimp"), around("algsimp")[::-1]))
removed, added = len(gone), len(brought)
first_pass = history[1].name
kept_name = all("%sub.6 = " in "".join(lines) for lines in (gone, brought))
divided, maximums = sum(elements("divide", gone)), sum(elements("maximum", gone))
reciprocals, multiplied = sum(elements("divide", brought)), sum(elements("multiply", brought))
_first = instructions(history[0].text)
row_sums = sum(elements("reduce", [line for line in _first if line.startswith("%reduce_sum")]))
