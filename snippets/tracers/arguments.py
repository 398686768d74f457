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

_got, _roots = [], []


def _kept(x, n):
    _got.append((x, n))
    return x


jax.vmap(_kept, in_axes=(0, None))(batch, 4)
jax.jit(_kept)(3.0, 4)
passed = _got[0][1]
passed_plain = type(passed) is int
jit_both = all(map(kind, _got[1]))

for _transform, _argument in ((jax.jit, 3.0), (jax.vmap, batch), (jax.grad, 3.0), (jvp, 3.0)):
    _transform(lambda x: (_roots.append(jnp.sqrt(4.0)), x)[1])(_argument)
made_jit, made_vmap, made_grad, made_jvp = ("a tracer" if kind(r) else "an array" for r in _roots)
makes_one = kind(_roots[0]) == "JitTracer"


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
