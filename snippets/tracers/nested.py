"""Transformations inside one another: which tracer the function sees, and what that wraps."""

# %% loss
import jax
import jax.numpy as jnp

batch = jnp.array([0.5, 3.0])


def loss(error):
    print(error)
    return error * error / 2


# %% first
slope = jax.jit(jax.grad(loss))(3.0)


# %% nestings
def total(errors):
    return jax.vmap(loss)(errors).sum()


nestings = (
    ("vmap(grad)", jax.vmap(jax.grad(loss)), batch),
    ("grad(grad)", jax.grad(jax.grad(loss)), 3.0),
    ("jit(vmap)", jax.jit(jax.vmap(loss)), batch),
    ("grad(vmap)", jax.grad(total), batch),
    ("grad(jit)", jax.grad(jax.jit(loss)), 3.0),
    ("vmap(jit)", jax.vmap(jax.jit(loss)), batch),
)

# %% all
for name, nested, argument in nestings:
    print(f"{name:11}", end="")
    nested(argument)


# %% exercise
def weighted(weight, error):
    print(weight, "|", error)
    return weight * error * error


per_example = jax.vmap(jax.grad(weighted), in_axes=(None, 0))

# %% exercise-answer
slopes = per_example(2.0, batch)


# %% hessian
def huber(error):
    print(error)
    if abs(error) <= 1:
        return error * error / 2
    return abs(error) - 0.5


# %% hessian-answer
print(jax.hessian(huber)(0.5))

# %% facts
from seen import jvp, kind, layers, raises, seen

_nestings = {
    "jit(grad)": (lambda f: jax.jit(jax.grad(f)), 3.0),
    "vmap(grad)": (lambda f: jax.vmap(jax.grad(f)), batch),
    "grad(grad)": (lambda f: jax.grad(jax.grad(f)), 3.0),
    "jvp(grad)": (lambda f: jvp(jax.grad(f)), 3.0),
    "jit(vmap)": (lambda f: jax.jit(jax.vmap(f)), batch),
    "grad(vmap)": (lambda f: jax.grad(lambda errors: jax.vmap(f)(errors).sum()), batch),
    "grad(jit)": (lambda f: jax.grad(jax.jit(f)), 3.0),
    "vmap(jit)": (lambda f: jax.vmap(jax.jit(f)), batch),
}
_seen = {name: seen(*nesting) for name, nesting in _nestings.items()}


def _positive(x, *_):
    return bool(x > 0)


def _verdict(transform, *arguments):
    return "raises" if raises(transform, _positive, *arguments) else "works"


_verdicts = {name: _verdict(*nesting) for name, nesting in _nestings.items()}
works = [name for name, *_ in nestings if _verdicts[name] == "works"]

jit_grad, vmap_grad, grad_grad, jvp_grad, jit_vmap, grad_vmap, grad_jit, vmap_jit = (
    " around ".join(layers(x)) for x in _seen.values()
)
if_jit_grad, if_vmap_grad, if_grad_grad, if_jvp_grad = list(_verdicts.values())[:4]
if_jit_vmap, if_grad_vmap, if_grad_jit, if_vmap_jit = list(_verdicts.values())[4:]

outermost, innermost = layers(_seen["jit(grad)"])
prints_alike = str(_seen["jit(vmap)"]) == str(_seen["grad(vmap)"])
jit_wraps_nothing = all(layers(_seen[name]) == ["JitTracer"] for name in ("grad(jit)", "vmap(jit)"))
looked_inside = kind(_seen["jit(grad)"].primal) == kind(_seen["jit(vmap)"].val) == "JitTracer"

# %% facts
_got = []


def _kept(weight, error):
    _got.extend((weight, error))
    return weight * error


jax.vmap(jax.grad(_kept), in_axes=(None, 0))(2.0, batch)
weight, error = " around ".join(layers(_got[0])), kind(_got[1])


def _per_example(function):
    return jax.vmap(jax.grad(function), in_axes=(None, 0))


weight_if = not raises(lambda f: _per_example(lambda w, e: f(w) * e), _positive, 2.0, batch)
error_if = bool(raises(lambda f: _per_example(lambda w, e: f(e) * w), _positive, 2.0, batch))

_hessian = seen(jax.hessian, 0.5)
hessian, hessian_if = " around ".join(layers(_hessian)), _verdict(jax.hessian, 0.5)
hessian_tangent = kind(_hessian.primal.tangent)
