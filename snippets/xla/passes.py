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
