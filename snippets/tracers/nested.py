"""Transformations inside one another: which tracer the function sees, and what that wraps."""

# %% loss
import jax
import jax.numpy as jnp

batch = jnp.array([0.5, 3.0])


def loss(error):
    print(error)
    return error * error / 2


def total(errors):
    return jax.vmap(loss)(errors).sum()


# %% first
slope = jax.jit(jax.grad(loss))(3.0)

# %% all
for name, nested, argument in (
    ("jit(grad)", jax.jit(jax.grad(loss)), 3.0),
    ("vmap(grad)", jax.vmap(jax.grad(loss)), batch),
    ("grad(grad)", jax.grad(jax.grad(loss)), 3.0),
    ("jit(vmap)", jax.jit(jax.vmap(loss)), batch),
    ("grad(vmap)", jax.grad(total), batch),
    ("grad(jit)", jax.grad(jax.jit(loss)), 3.0),
    ("vmap(jit)", jax.vmap(jax.jit(loss)), batch),
):
    print(f"{name:11}", end="")
    nested(argument)


# %% inside
def peek(x):
    print(x.val)
    return x


jax.jit(jax.vmap(peek))(batch)
jax.grad(lambda errors: jax.vmap(peek)(errors).sum())(batch)


# %% exercise
def weighted(weight, error):
    print(weight, "|", error)
    return weight * error * error


# %% exercise-answer
slopes = jax.vmap(jax.grad(weighted), in_axes=(None, 0))(2.0, batch)


# %% hessian
def huber(error):
    print(error)
    if abs(error) <= 1:
        return error * error / 2
    return abs(error) - 0.5


# %% hessian-answer
print(jax.hessian(huber)(0.5))

# %% facts
from counts import first
from seen import jvp, layers, raises, seen

_nestings = (
    (lambda f: jax.jit(jax.grad(f)), 3.0),
    (lambda f: jax.vmap(jax.grad(f)), batch),
    (lambda f: jax.grad(jax.grad(f)), 3.0),
    (lambda f: jvp(jax.grad(f)), 3.0),
    (lambda f: jax.jit(jax.vmap(f)), batch),
    (lambda f: jax.grad(lambda errors: jax.vmap(f)(errors).sum()), batch),
    (lambda f: jax.grad(jax.jit(f)), 3.0),
    (lambda f: jax.vmap(jax.jit(f)), batch),
)
jit_grad, vmap_grad, grad_grad, jvp_grad, jit_vmap, grad_vmap, grad_jit, vmap_jit = (
    " around ".join(layers(seen(*nesting))) for nesting in _nestings
)
(
    jit_grad_if,
    vmap_grad_if,
    grad_grad_if,
    jvp_grad_if,
    jit_vmap_if,
    grad_vmap_if,
    grad_jit_if,
    vmap_jit_if,
) = (
    "raises" if raises(transform, lambda x: bool(x > 0), x) else "works"
    for transform, x in _nestings
)
_jitted = seen(*_nestings[0])
outermost, innermost = layers(_jitted)[0], layers(_jitted)[-1]
jit_primal = first(r"\((primal=\w+)", str(_jitted))
jit_wraps_nothing = all(layers(seen(*n)) == ["JitTracer"] for n in _nestings[-2:])
prints_alike = str(seen(*_nestings[4])) == str(seen(*_nestings[5]))

# %% facts
_weight, _error = [], []


def _kept(weight, error):
    _weight.append(weight)
    _error.append(error)
    return weight * error


jax.vmap(jax.grad(_kept), in_axes=(None, 0))(2.0, batch)
weight, error = " around ".join(layers(_weight[0])), layers(_error[0])[0]
weight_if = not raises(
    lambda f: jax.vmap(jax.grad(lambda w, x: f(w) * x), in_axes=(None, 0)),
    lambda w: bool(w > 0),
    *(2.0, batch),
)
error_if = bool(
    raises(
        lambda f: jax.vmap(jax.grad(lambda w, x: f(x) * w), in_axes=(None, 0)),
        lambda x: bool(x > 0),
        *(2.0, batch),
    )
)
_hessian = seen(jax.hessian, 0.5)
hessian = " around ".join(layers(_hessian))
hessian_if = "raises" if raises(jax.hessian, lambda x: bool(x > 0), 0.5) else "works"
hessian_tangent = " around ".join(layers(_hessian.primal.tangent)[:1])
