"""The first part of the key is the function itself: lambda, partial, method, named."""

# %% attend
import functools

import jax
import jax.numpy as jnp

from cache_log import show_log

runs = []


def attend(q, k, scale):
    runs.append(scale)
    return jax.nn.softmax(q @ k.T * scale)


class Head:
    def attend(self, q, k):
        return attend(q, k, 1.0)


q = k = jnp.ones((4, 8))
head = Head()

# %% loop
messages = show_log()
jax.config.update("jax_explain_cache_misses", True)
for _ in range(2):
    jax.jit(lambda q, k: attend(q, k, 1.0))(q, k)

# %% facts
guesses = "re-defined repeatedly" in messages[1] and "re-defined" not in messages[0]


def _same(q):
    return q


def _double(q):
    return 2 * q


for _named in (_same, _double):
    jax.jit(_named)(q)
goes_by_call = "re-defined" in messages[-1]
_double = jax.jit(_double)
for _ in range(3):
    _double(q)
    _double.clear_cache()
goes_by_call &= "re-defined" in messages[-1]

# %% table
jax.config.update("jax_explain_cache_misses", False)
kept = jax.jit(functools.partial(attend, scale=1.0))
ways = {
    "jit(lambda)": lambda: jax.jit(lambda q, k: attend(q, k, 1.0))(q, k),
    "jit(partial)": lambda: jax.jit(functools.partial(attend, scale=1.0))(q, k),
    "jit(method)": lambda: jax.jit(head.attend)(q, k),
    "jit(attend)": lambda: jax.jit(attend)(q, k, 1.0),
    "kept jit(partial)": lambda: kept(q, k),
}
counts, times = {}, 5
for name, way in ways.items():
    runs.clear()
    for _ in range(times):
        way()
    counts[name] = len(runs)
    print(f"{name:18}{counts[name]}")

# %% facts
calls = times
_lambda, _partial, _method, _named, _kept = counts.values()
missed_each = {_lambda, _partial, _method} == {calls}
named_hits, kept_hits = _named == 1, _kept == 1
hit_all_but_first = named_hits and kept_hits
method_is_new = head.attend is not head.attend


def _total(q):
    runs.append(q)
    return q.sum()


runs.clear()
jax.config.update("jax_explain_cache_misses", True)
for _ in range(calls):
    jax.jit(jax.grad(_total))(q)
grad_is_new = len(runs) == calls
grad_says_so = "re-defined" in messages[-1]
