"""Questions that Python puts to a tracer, and what each kind answers."""

# %% float raises="ConcretizationTypeError"
import jax


def loss(error):
    return float(error) ** 2 / 2


jax.grad(loss)(3.0)

# %% ask
import jax.numpy as jnp
import numpy as np


def ask(x):
    for question in (bool, int, float, np.sin):
        try:
            answer = question(x)
        except Exception as error:
            answer = type(error).__name__
        print(f"{question.__name__:6}{answer}")
    return x


# %% grad
slope = jax.grad(ask)(3.0)

# %% jit
same = jax.jit(ask)(3.0)

# %% facts
import math

from counts import first
from seen import jvp, kind, raises, seen

_batch = jnp.array([0.5, 3.0])
_under = ((jax.jit, 3.0), (jax.vmap, _batch), (jax.grad, 3.0), (jvp, 3.0))
_asked = (bool, int, float, np.sin)


def _errors(question):
    """The error that each kind answers with, in the order jit, vmap, grad, jvp; "" for none."""
    return [raises(transform, question, x) for transform, x in _under]


def _verdicts(question):
    return ["raises" if error else "works" for error in _errors(question)]


def _index(x):
    return range(x.astype(int))


def _positive(x):
    return bool(x > 0)


def _item(x):
    return x.item()


bool_jit, bool_vmap, bool_grad, bool_jvp = _verdicts(_positive)
int_jit, int_vmap, int_grad, int_jvp = _verdicts(int)
index_jit, index_vmap, index_grad, index_jvp = _verdicts(_index)
item_jit, item_vmap, item_grad, item_jvp = _verdicts(_item)
float_jit, float_vmap, float_grad, float_jvp = _verdicts(float)
numpy_jit, numpy_vmap, numpy_grad, numpy_jvp = _verdicts(np.sin)
bool_error, index_error, float_error, numpy_error = (
    _errors(question)[0] for question in (_positive, _index, float, np.sin)
)
(scalar_error,) = {_errors(question)[0] for question in (int, _item, float)}
under_grad = [q.__name__ for q in _asked if not raises(jax.grad, q, 3.0)]
jit_answers_none = all(raises(jax.jit, q, 3.0) for q in _asked)
vmap_like_jit = all(_errors(q)[0] == _errors(q)[1] for q in _asked)
jvp_like_grad = all(_errors(q)[2] == _errors(q)[3] for q in _asked)
math_like_float = _errors(math.sqrt) == _errors(float) == [float_error] * 4

# %% facts
try:
    jax.grad(loss)(3.0)
except jax.errors.ConcretizationTypeError as raised:
    _message = str(raised)
complaint = first(r"^(.+ is expected)", _message)
recommends = "try using `x.astype(float)`" in _message
_tracer = seen(jax.grad, 3.0)
concrete = float(_tracer.primal)
still_tracer = bool(kind(seen(lambda f: jax.grad(lambda x: f(x.astype(float))), 3.0)))

_known = [
    (x.shape, x.dtype, jax.typeof(x).shape) for x in (seen(transform, x) for transform, x in _under)
]
known_jit, known_vmap, known_grad, known_jvp = (known == ((), jnp.float32, ()) for known in _known)

# A number without its tangent is a constant.
full = float(jax.grad(lambda x: x * x)(3.0))
item_is_float = isinstance(seen(lambda f: jax.grad(lambda x: (f(x.item()), x)[1]), 3.0), float)
without = float(jax.grad(lambda x: x.item() * x)(3.0))

# %% facts
import contextlib
import io


def _probe(x):
    jax.debug.print("{x}", x=x)
    return x


def _printed(transform, x):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        transform(_probe)(x)
        jax.effects_barrier()
    return said.getvalue().split()


debug_print_shows = [_printed(*under) for under in _under] == [
    ["3.0"],
    ["0.5", "3.0"],
    ["3.0"],
    ["3.0"],
]
