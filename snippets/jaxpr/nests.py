"""Equations that hold jaxprs: cond, scan, custom_jvp_call."""

# %% cond
import jax
import jax.numpy as jnp

q = jnp.ones(8)
keys = jnp.ones((4, 8))


def choose(flip, q):
    return jax.lax.cond(flip, lambda q: -q, lambda q: q, q)


print(jax.make_jaxpr(choose)(True, q))


# %% scan
def best(q, keys):
    def step(top, key):
        score = q @ key
        return jnp.maximum(top, score), score

    return jax.lax.scan(step, jnp.float32(-jnp.inf), keys)


print(jax.make_jaxpr(best)(q, keys))

# %% relu
print(jax.make_jaxpr(jax.nn.relu)(q))

# %% facts
import re

from counts import first, inner_jaxprs, primitives


def _aval(variable):
    return variable.aval.str_short(short_dtypes=True)


_choose, _best = jax.make_jaxpr(choose)(True, q), jax.make_jaxpr(best)(q, keys)
_letters = [re.findall(r"\b[a-z](?=:)", str(traced)) for traced in (_choose, _best)]
fresh_letters = all(len(set(letters)) == len(letters) for letters in _letters)

_convert, _cond = _choose.eqns
_false, _true = _cond.params["branches"]
index_type = _aval(_cond.invars[0]).removesuffix("[]")
boolean_first = _aval(_convert.invars[0]) == "bool[]"
false_first = primitives(_false) == [] and primitives(_true) == ["neg"]

_scan, _text = _best.eqns[0], str(_best)
_body = _scan.params["jaxpr"]
several_outvars = len(_scan.outvars) > 1
bodies = primitives(_best).count("dot_general")
length = first(r"(length=\d+)", _text)
groups = first(r"ft_in=(.*)", _text).count("(None,)")
groups_sort_invars = groups == len(_scan.invars) == len(_body.invars)
constant, carry, scanned = re.search(r"\] (\w+) (\S+):\S+ (\w+)\n", _text).groups()
constant_is_whole = _aval(_body.invars[0]) == _aval(_scan.invars[0])
row, rows = _aval(_body.invars[2]), _aval(_scan.invars[2])
inside, outside = _aval(_body.outvars[1]), _aval(_scan.outvars[1])
groups_outvars = first(r"ft_out=(.*)", _text).count("None") == len(_scan.outvars)
carry_first = _aval(_body.outvars[0]) == _aval(_body.invars[1]) == _aval(_scan.outvars[0])

_relu = jax.make_jaxpr(jax.nn.relu)(q)
levels, deepest = len(primitives(_relu)), primitives(_relu)[-1]
hides_jvp = "jvp=jvp" in str(_relu) and len(inner_jaxprs(_relu.eqns[0])) == 1
