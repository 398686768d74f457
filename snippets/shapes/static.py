"""Static arguments: part of the key by value, so they must be hashable, and compare well."""

# %% split
import functools

import jax
import jax.numpy as jnp

from cache_log import show_log

messages = show_log(brief=True)
jax.config.update("jax_explain_cache_misses", True)
traces = []


@functools.partial(jax.jit, static_argnames="heads")
def split(x, heads):
    traces.append(heads)
    return x.reshape(-1, heads, x.shape[-1] // heads)


x = jnp.ones((4, 8))

# %% calls
for heads in (2, 4, 2, 4):
    split(x, heads)
split(x, heads=2)
print("traced with heads:", traces)

# %% facts
_said = messages[1].splitlines()[-1]
unavailable = "unavailable" if _said.endswith("explanation unavailable") else ""
unavailable_too = "explanation unavailable" if unavailable else ""
value_traced = traces[:2] == [2, 4]
keyword_is_another = len(traces) == 3 and "different input pytree" in messages[2]
split.clear_cache()
split(x, 2), split(jnp.ones((6, 8)), 2), split(x, 4)
blames_old_shape = "now f32[4,8] and before f32[6,8]" in messages[-1]

# %% wrong raises="ValueError"
pick = jax.jit(lambda x, rows: x[rows, :], static_argnums=1)
pick(x, jnp.array([0, 2]))

# %% traced
pick = jax.jit(lambda x, rows: x[rows, :])
print(pick(x, jnp.array([0, 2])).shape, pick(x, jnp.array([1, 3])).shape)

# %% quiet hide
jax.config.update("jax_explain_cache_misses", False)

# %% facts
import numpy as np


def _refused(value):
    try:
        jax.jit(lambda x, v: x, static_argnums=1)(x, value)
    except ValueError as error:
        return str(error)
    return ""


_said = _refused(jnp.array([0, 2]))
not_hashable = _said.startswith("Non-hashable static arguments are not supported")
refuses_all = all(_refused(v) for v in (np.ones(2), [0, 2], {"rows": 2}))


def _misses(function, *calls):
    jax.config.update("jax_explain_cache_misses", True)
    before = len(messages)
    for arguments in calls:
        function(x, *arguments)
    jax.config.update("jax_explain_cache_misses", False)
    return len(messages) - before


_rows = jax.jit(lambda x, rows: x[rows, :])
traced_once = _misses(_rows, (jnp.array([0, 2]),), (jnp.array([1, 3]),)) == 1
_tuples = jax.jit(lambda x, rows: x[jnp.array(rows), :], static_argnums=1)
tuple_each = _misses(_tuples, ((0, 2),), ((1, 3),)) == 2
_power = jax.jit(lambda x, n: x**n, static_argnums=1)
types_count = _misses(_power, (2,), (2.0,), (np.int64(2),)) == 3

# %% objects
import dataclasses


class Loose:
    def __init__(self, heads):
        self.heads = heads


@dataclasses.dataclass(frozen=True)
class Frozen:
    heads: int


@functools.partial(jax.jit, static_argnames="config")
def halve(x, config):
    traces.append(type(config).__name__)
    return x / config.heads


traces.clear()
for kind in (Loose, Frozen):
    for _ in range(3):
        halve(x, kind(2))
print(traces)

# %% facts
loose = traces.count("Loose")
frozen = traces.count("Frozen")
frozen_hits = frozen == 1


# %% stale
class Layer:
    def __init__(self, scale):
        self.scale = scale

    @functools.partial(jax.jit, static_argnames="self")
    def apply(self, x):
        return self.scale * x


layer = Layer(1.0)
print(layer.apply(x)[0, 0])
layer.scale = 5.0
print(layer.apply(x)[0, 0])

# %% facts
is_stale = float(layer.apply(x)[0, 0]) == 1.0 != layer.scale
