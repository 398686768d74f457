"""What a jaxpr has besides invars and equations: constvars and effects."""

# %% constvars
import jax
import jax.numpy as jnp

q = jnp.ones((4, 8))
k = jnp.ones((2, 8))


def scores(q):
    return q @ k.T * 0.5


closed = jax.make_jaxpr(scores)(q)
print(closed)

# %% consts
print([const.shape for const in closed.consts])
print("the same array:", closed.consts[0] is k)


# %% effects
def accumulate(total, q):
    total[...] += scores(q)


def loud(q):
    jax.debug.print("first score {}", scores(q)[0, 0])
    return scores(q)


total = jax.new_ref(jnp.zeros((4, 2)))
writes = jax.make_jaxpr(accumulate)(total, q)
prints = jax.make_jaxpr(loud)(q)

for jaxpr in (closed, writes, prints):
    print(sorted(type(effect).__name__ for effect in jaxpr.effects))

# %% ref
print(writes)
print([eqn.primitive.name for eqn in writes.eqns])

# %% exercise
import numpy as np

ramp = np.arange(3, dtype=np.float32)
shift = jnp.float32(2)


def line(x):
    return x * ramp * 3.0 + shift


# %% exercise-answer
print(jax.make_jaxpr(line)(jnp.float32(1)))

# %% facts
import re

from jax.extend.core import Literal

from counts import first


def _literals(jaxpr):
    return [v.val for eqn in jaxpr.eqns for v in eqn.invars if isinstance(v, Literal)]


constvar = first(r"lambda (.*?) ?;", str(closed))
half = float(_literals(closed)[0])
carries_array = closed.consts[0] is k
reads_const = closed.eqns[0].invars == closed.constvars
paired = len(closed.consts) == len(closed.constvars) == 1

_effects = [sorted(type(e).__name__ for e in j.effects) for j in (closed, writes, prints)]
pure, reads_and_writes, debugs = (
    names == of_kind
    for names, of_kind in zip(_effects, ([], ["ReadEffect", "WriteEffect"], ["DebugEffect"]))
)
hides_effects = not any("Effect" in str(jaxpr) for jaxpr in (closed, writes, prints))

_ref = first(r"(\w+):Ref", str(writes))
_arrows = re.findall(r"(\w+)\S* <- (\w+)", str(writes))
get, swap = writes.eqns[0].primitive.name, writes.eqns[-1].primitive.name
written = _arrows[-1][0]
get_at_right, swap_at_left = _arrows[0][1] == _ref, written == _ref
outvars = len(writes.outvars)
output = first(r"(in \(.*?\)) }", str(writes))

_line = jax.make_jaxpr(line)(jnp.float32(1))
line_constvars = len(_line.constvars)
line_literal = float(_literals(_line)[0])
_scalars = jax.make_jaxpr(lambda x: x * np.float32(3))(1.0)
numpy_scalar_is_literal = not _scalars.constvars and _literals(_scalars) == [3]
