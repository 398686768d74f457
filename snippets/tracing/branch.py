"""A Python if on a traced value, and the same choice as array operations."""

# %% imports
import jax
import jax.numpy as jnp


# %% fix
@jax.jit
def flip(x):
    return jnp.where(x.sum() > 0, x, -x)


print(flip(jnp.array([1.0, -3.0])))

# %% facts
from counts import primitives

_flip = primitives(flip.trace(jnp.ones(2)).jaxpr)
records_all = {"gt", "neg", "select_n"} <= set(_flip)
computes_both = "neg" in _flip and "cond" not in _flip


def _asks_what_is_known(x):
    if x.ndim == 1 and x.shape == (2,) and x.dtype == jnp.float32:
        return x
    return -x


knows_these = primitives(jax.make_jaxpr(_asks_what_is_known)(jnp.ones(2))) == []


# %% wrong raises="TracerBoolConversionError"
@jax.jit
def flip(x):
    if x.sum() > 0:
        return x
    return -x


flip(jnp.array([1.0, -3.0]))

# %% facts
import linecache
import traceback

from counts import first

try:
    flip(jnp.array([1.0, -3.0]))
except jax.errors.TracerBoolConversionError as error:
    _message = str(error)
    _frames = [f for f in traceback.extract_tb(error.__traceback__) if f.name == "flip"]

conversion = first(r"(Attempted \w+ conversion)", _message)
value = first(r"(traced array with shape \S+?)\.$", _message)
function = first(r"(while tracing the function \w+)", _message)
traced_by = first(r" for (\w+)\. ", _message)
argument = first(r"(depends on the value of the argument \w+)", _message)
_start = int(first(r"branch\.py:(\d+)", _message) or 0)
_file = flip.__wrapped__.__code__.co_filename
starts_at_decorator = linecache.getline(_file, _start).strip() == "@jax.jit"
if_line = _frames[-1].lineno
names_the_if = _frames[-1].line == "if x.sum() > 0:"
