"""One attention score matrix, traced and counted."""

# %% attend
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = jnp.ones((4, 8))
k = jnp.ones((4, 8))

# %% trace
traced = jax.make_jaxpr(attend)(q, k)
print(traced)

# %% count
softmax = jax.make_jaxpr(jax.nn.softmax)(q @ k.T)
print(len(traced.eqns), "equations in attend")
print(len(softmax.eqns), "of them from softmax")
print(len({eqn.primitive for eqn in softmax.eqns}), "different primitives in softmax")

# %% facts
import inspect
import re
from collections import Counter

from counts import primitives

aval = traced.in_avals[0].str_short(short_dtypes=True)
inputs, outputs = len(traced.in_avals), len(traced.out_avals)
_first, *_, _last = str(traced).splitlines()
invars, outvars = re.findall(r"\w+(?=:)", _first), re.findall(r"\w+(?=,\))", _last)

equations = len(traced.eqns)
softmax_equations = len(softmax.eqns)
product = equations - softmax_equations
product_primitives = primitives(traced)[:product]
softmax_follows = primitives(traced)[product:] == primitives(softmax)
softmax_primitives = len(set(primitives(softmax)))
repeated, repeats = Counter(primitives(softmax)).most_common(1)[0]
_asked = "stop_gradient" in inspect.getsource(attend)
_where = jax.make_jaxpr(jnp.where)(q > 0, q, k).eqns
counts_once = [eqn.primitive.name for eqn in _where] == ["jit"]
stops_gradient = "stop_gradient" in primitives(traced) and not _asked

# %% facts
_dot = traced.eqns[product - 1]
(_left, _right), _batch = _dot.params["dimension_numbers"]
left_axes, right_axes, no_batch = list(_left), list(_right), _batch == ((), ())
spells_axes = "dimension_numbers=" in str(_dot)
product_lines = len(str(_dot).splitlines())


# From the product on, the equations are followed by who reads what.
def _readers(eqn):
    return [e for e in traced.eqns if any(v is eqn.outvars[0] for v in e.invars)]


_maximum, _difference = _readers(_dot)
(_idle,) = _readers(_maximum)
(_column,) = _readers(_idle)
(_stop,) = _readers(_column)
(_exp,) = _readers(_difference)
_sum, _quotient = _readers(_exp)
(_spread,) = _readers(_sum)


def _names(*eqns):
    return [eqn.primitive.name for eqn in eqns]


maximum, difference, exponential, quotient = _names(_maximum, _difference, _exp, _quotient)
maximum_column, adds_up = _names(_column)[0], _names(_sum, _spread)
makes_maximum = _readers(_stop) == [_difference]
stops_maximum = _names(_stop) == ["stop_gradient"]

row, column = (e.outvars[0].aval.str_short(short_dtypes=True) for e in (_maximum, _column))
stretches = [v.aval.shape for v in _difference.invars] == [(4, 4), (4, 1)]
takes_scalar = _idle.invars[0].aval.shape == ()
changes_nothing = _names(_idle) == ["max"] and bool(_idle.invars[0].val == -jnp.inf)
