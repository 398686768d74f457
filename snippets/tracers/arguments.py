"""Which values are tracers: what comes from the argument, or all that JAX computes."""

# %% scaled
import jax
import jax.numpy as jnp

batch = jnp.array([0.5, 3.0])


def scaled(x, n):
    print(x, "|", n, "|", jnp.sqrt(n))
    return x * n


# %% three
products = jax.vmap(scaled, in_axes=(0, None))(batch, 4)
slope = jax.grad(scaled)(3.0, 4)
product = jax.jit(scaled)(3.0, 4)

# %% facts
from seen import jvp, kind

_x = []


def _keep(x):
    _x.append((_captured, _captured + 1, jnp.sqrt(4.0)))
    return x * 1.0


_captured = jnp.ones(3)
for _transform, _argument in ((jax.jit, 3.0), (jax.vmap, batch), (jax.grad, 3.0), (jvp, 3.0)):
    _transform(_keep)(_argument)


def _is(value):
    return "a tracer" if kind(value) else "an array"


passed = jax.vmap(lambda x, n: n, in_axes=(0, None), out_axes=None)(batch, 4)
made_jit, made_vmap, made_grad, made_jvp = (_is(made) for _, _, made in _x)
captured_is_array = not any(kind(value) for value, _, _ in _x)
captured_plus_one = [_is(value) for _, value, _ in _x]
_both = []
jax.jit(lambda x, n: (_both.extend((kind(x), kind(n))), x)[1])(3.0, 4)
jit_both = all(_both)
jit_takes_all = captured_plus_one == ["a tracer", "an array", "an array", "an array"]


def _power(x, n):
    y = x
    for _ in range(n - 1):
        y = y * x
    return y


vmap_counts = jax.vmap(_power, in_axes=(0, None))(batch, 2).tolist() == [0.25, 9.0]
grad_counts = float(jax.grad(_power)(3.0, 2)) == 6.0


def _error(transform):
    try:
        transform(_power)(3.0, 2)
    except Exception as error:
        return type(error).__name__


range_error = _error(jax.jit)
static_counts = float(jax.jit(_power, static_argnums=1)(3.0, 2)) == 9.0
