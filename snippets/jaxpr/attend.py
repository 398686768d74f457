"""One equation of attend's jaxpr, as text and as Python objects."""

# %% attend lens="attend(q, k)" layers="jaxpr"
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = jnp.ones((4, 8))
k = jnp.ones((4, 8))
jaxpr = jax.make_jaxpr(attend)(q, k)

# %% text
print(jaxpr)

# %% equation
eqn = jaxpr.eqns[2]
print(eqn)
print("outvars:  ", [v.aval for v in eqn.outvars])
print("primitive:", eqn.primitive)
print("params:   ", eqn.params)
print("invars:   ", [v.aval for v in eqn.invars])

# %% literal
print(jaxpr.eqns[3])
print([type(v).__name__ for v in jaxpr.eqns[3].invars])

# %% params
print(*jaxpr.eqns[1].params)


# %% weak
def double(x):
    return x * 2


for x in (1.0, jnp.float32(1.0)):
    traced = jax.make_jaxpr(double)(x)
    print(traced, "weak_type:", traced.in_avals[0].weak_type)

# %% facts
import re

from jax.extend.core import Literal

from counts import first, traces

equations = len(jaxpr.eqns)
others = equations - 1
_text = str(jaxpr)
_parts = re.search(r"(\w+)(:\S+) = (reduce_max)(\[.*\]) (\w+)$", _text, re.MULTILINE)
outvar, aval, primitive, params, invar = _parts.groups()
floats = eqn.outvars[0].aval.size
inputs = re.findall(r"(\w+):", first(r"lambda ;(.*?)\. let", _text))
output = first(r"(in \(.*?\)) }", _text)
letters, letters_alone = [outvar, invar], re.findall(r"^\w+|\w+$", str(eqn))

_broadcast = next(e for e in jaxpr.eqns if e.primitive.name == "broadcast_in_dim")
broadcast = first(r"\[(\w+=\(.*?\))", str(_broadcast))
from_axis, to_axis = next(iter(enumerate(_broadcast.params["broadcast_dimensions"])))
keeps_axis = _broadcast.invars[0].aval.shape[from_axis] == _broadcast.outvars[0].aval.shape[to_axis]


def _place(eqn):
    """Where in the bytecode of attend an equation was recorded."""
    codes, offsets = eqn.source_info.traceback.raw_frames()
    return next(at for code, at in zip(codes, offsets) if code is attend.__code__)


one_call = len({_place(eqn) for eqn in jaxpr.eqns[2:]}) == 1

sub = first(r" = (sub .*)", _text)
sub_has_no_params = not next(e for e in jaxpr.eqns if e.primitive.name == "sub").params

_shown = str(jaxpr.eqns[3]).split()[-2:]
_kinds = [type(v).__name__ for v in jaxpr.eqns[3].invars]
input_kinds = "a literal and a variable" if _kinds == ["Literal", "Var"] else " and ".join(_kinds)
literal = next(t for t, v in zip(_shown, jaxpr.eqns[3].invars) if isinstance(v, Literal))

_params = jaxpr.eqns[1].params
_printed = {name for name in _params if f"{name}=" in str(jaxpr.eqns[1])}
_none = {name for name, value in _params.items() if value is None}
product = jaxpr.eqns[1].primitive.name
params_printed, params_all, params_none = len(_printed), len(_params), len(_none)
hides_none = not _printed & _none
prints_none = None in eqn.params.values() and "=None" in str(eqn)

_python, _array = (jax.make_jaxpr(double)(x) for x in (1.0, jnp.float32(1.0)))
one_text = str(_python) == str(_array)
kinds = len({traced.in_avals[0].weak_type for traced in (_python, _array)})
python_is_weak = _python.in_avals[0].weak_type
float32_is_not = not _array.in_avals[0].weak_type
gives_way = (jnp.asarray(1.0) * jnp.ones(1, jnp.bfloat16)).dtype == jnp.bfloat16
traces_each = traces(double, (1.0,), (jnp.float32(1.0),)) == 2
