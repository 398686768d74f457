"""A jitted function called twice: one private func."""

# %% both
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k):
    return jax.nn.softmax(q @ k.T)


def both(q, k):
    return attend(q, k) + attend(k, q)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
print(jax.jit(both).lower(q, k).as_text())


# %% two-shapes
def two_shapes(q, k):
    return attend(q, k)[:2] + attend(q[:2], k)


text = jax.jit(two_shapes).lower(q, k).as_text()
print(*(line.strip() for line in text.splitlines() if "func.func" in line), sep="\n")

# %% facts
import re

from counts import ops

_jaxpr, _lowered = jax.make_jaxpr(both)(q, k), jax.jit(both).lower(q, k)
_text = _lowered.as_text()
_inner = [e.params["jaxpr"] for e in _jaxpr.eqns if e.params.get("name") == "attend"]
called, shared = len(_inner), len({id(jaxpr) for jaxpr in _inner}) == 1
dots = ops(_text).count("dot_general")
_main, _, _rest = _text.partition("func.func private")
private = _rest.startswith(" @attend(")
two_calls = _main.count(" = call @attend(") == 2
inlined = " call(" not in _lowered.compile().as_text()

_calls = [e for e in jax.make_jaxpr(two_shapes)(q, k).eqns if e.params.get("name") == "attend"]
shapes = len({tuple(v.aval.shape for v in e.invars) for e in _calls})
names = re.findall(r"func.func private (@\w+)", text)
functions = len(names)
