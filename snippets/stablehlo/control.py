"""A loop and a branch around attend."""

# %% setup
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k):
    return jax.nn.softmax(q @ k.T)


def main_only(text):
    return text.partition("  func.func private")[0]


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)


# %% loop
def three_rounds(q, k):
    return jax.lax.fori_loop(0, 3, lambda i, x: attend(x, k) @ k, q)


print(main_only(jax.jit(three_rounds).lower(q, k).as_text()))


# %% branch
def zeros(q, k):
    return jnp.zeros((4, 4))


def maybe(q, k):
    return jax.lax.cond(jnp.sum(q) > 0, attend, zeros, q, k)


print(main_only(jax.jit(maybe).lower(q, k).as_text()))

# %% facts
from counts import first, primitives

_loop, _branch = (main_only(jax.jit(f).lower(q, k).as_text()) for f in (three_rounds, maybe))
_scan = jax.make_jaxpr(three_rounds)(q, k).eqns[0]
rounds, scan = _scan.params.get("length", 0), _scan.primitive.name
call = first(r"(\S+) @attend\(", _loop)
bodies = _loop.count("call @attend(")
no_scan = "scan" not in _loop
parts = first(r"(stablehlo\.while\(.*\n +cond \{\n(?:.*\n)+ +\} do \{)", _loop) != ""
carried = int(first(r"%\d+:(\d+) = stablehlo.while", _loop) or 1)
constant_k = "(%iterArg = %arg1," in _loop and "stablehlo.return %iterArg, " in _loop
bound = "dense<3>" in _loop and "compare LT, %iterArg_0, %c_2" in _loop

_index = first(r'stablehlo.case"\((%\d+)\)', _branch)
number = f"{_index} = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>" in _branch
_zeros, _attend = _branch.find("broadcast_in_dim"), _branch.find("call @attend")
converted = "convert_element_type" in primitives(jax.make_jaxpr(maybe)(q, k))
false_first = 0 < _zeros < _attend
