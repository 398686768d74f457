"""An early exit on a batched value, and what takes its place."""

# %% wrong raises="TracerBoolConversionError"
import jax
import jax.numpy as jnp


def huber(error):
    if abs(error) <= 1:
        return error * error / 2
    return abs(error) - 0.5


batch = jnp.array([0.5, 3.0])
jax.vmap(huber)(batch)

# %% facts
import linecache

from counts import first

try:
    jax.vmap(huber)(batch)
except jax.errors.TracerBoolConversionError as raised:
    _message = str(raised)
kind = first(r"This (\w+) with", _message)
_line = int(first(r"early\.py:(\d+)", _message) or 0)
_source = linecache.getline(huber.__code__.co_filename, _line).strip()
names_line = _source == "if abs(error) <= 1:"


# %% where
def huber(error):
    return jnp.where(abs(error) <= 1, error * error / 2, abs(error) - 0.5)


print(jax.vmap(huber)(batch))


# %% loop
def halvings(x):
    count = 0
    while x > 1:
        x, count = x / 2, count + 1
    return count


numbers = (1.0, 8.0, 2.0)
print(*map(halvings, numbers))

# %% while
passes = []


def halvings(x):
    def halve(state):
        x, count = state
        jax.debug.callback(passes.append, count)
        return x / 2, count + 1

    return jax.lax.while_loop(lambda state: state[0] > 1, halve, (x, 0))[1]


print(jax.vmap(halvings)(jnp.array(numbers)))

# %% work
jax.effects_barrier()
together = len(passes)
passes.clear()
for x in numbers:
    halvings(x)
jax.effects_barrier()
print("one by one:", len(passes), "entries; under vmap:", together)

# %% facts
from counts import primitives


def _looped(x):
    while x > 1:
        x = x / 2
    return x


try:
    jax.vmap(_looped)(batch)
except jax.errors.TracerBoolConversionError as raised:
    loop_error = str(raised).splitlines()[0] == _message.splitlines()[0]

_where = primitives(jax.make_jaxpr(huber)(0.5))
computes_both = {"div", "sub"} <= set(_where) and "cond" not in _where

_alone = [int(halvings(x)) for x in numbers]
agree = _alone == jax.vmap(halvings)(jnp.array(numbers)).tolist()
lanes, longest, needed, batched_passes = len(numbers), max(_alone), sum(_alone), together

# In each pass each lane hands over its count, which stands still once the lane is done.
passes.clear()
jax.vmap(halvings)(jnp.array(numbers))
jax.effects_barrier()
drops = sorted(map(int, passes)) == sorted(min(n, p) for n in _alone for p in range(longest))
