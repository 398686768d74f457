"""One function under four transformations, and what its print shows."""

# %% loss
import jax
import jax.numpy as jnp


def loss(error):
    print(error)
    return error * error / 2


batch = jnp.array([0.5, 3.0])

# %% four
loss(3.0)
jax.jit(loss)(3.0)
jax.vmap(loss)(batch)
jax.grad(loss)(3.0)
value, slope = jax.jvp(loss, (3.0,), (1.0,))

# %% facts
import re

from counts import first
from seen import jvp, kind, seen

_plain, _jit, _vmap = seen(lambda f: f, 3.0), seen(jax.jit, 3.0), seen(jax.vmap, batch)
_grad, _jvp = seen(jax.grad, 3.0), seen(jvp, 3.0)
plain_is_float = isinstance(_plain, float)
jit_kind, vmap_kind, grad_kind, jvp_kind = map(kind, (_jit, _vmap, _grad, _jvp))
kinds = len({jit_kind, vmap_kind, grad_kind, jvp_kind})

jit_aval = first(r"\((\S+)\)$", str(_jit))
tilde_is_weak = _jit.weak_type and "~" not in str(seen(jax.jit, jnp.float32(3.0)))
vmap_aval, vmap_batch = first(r"(aval=\S+),", str(_vmap)), first(r"(batched=\S+)\)", str(_vmap))
lanes = len(batch)
grad_primal = first(r"(primal=\S+),", str(_grad))
grad_tangent = bool(re.search(r"typeof\(tangent\)=", str(_grad)))
same_primal = first(r"(primal=\S+),", str(_jvp)) == grad_primal
jvp_tangent = first(r", (.*)\)$", str(_jvp))
jvp_slope = float(slope) == 3.0 == float(jax.jvp(lambda x: x * x / 2, (3.0,), (2.0,))[1]) / 2
holds_batch = _vmap.val.tolist() == batch.tolist()
holds_value = _grad.primal == 3.0
holds_both = (_jvp.primal, _jvp.tangent) == (3.0, 1.0)


def _all(expected, *transforms):
    return {kind(seen(transform, 3.0)) for transform in transforms} == {expected}


def _of(transform):
    return lambda f: lambda x: transform(f, x)


like_jit = _all(jit_kind, jax.make_jaxpr, _of(jax.eval_shape), jax.checkpoint)
like_grad = _all(grad_kind, jax.value_and_grad, _of(jax.vjp), _of(jax.linearize), jax.jacrev)
like_jvp = _all(jvp_kind, jax.jacfwd)
like_vmap = kind(seen(jnp.vectorize, batch)) == vmap_kind

_mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
_spec = jax.sharding.PartitionSpec("x")
_sharded = seen(
    lambda f: jax.shard_map(f, mesh=_mesh, in_specs=_spec, out_specs=_spec), jnp.ones(2)
)
_four = (_jit, _vmap, _grad, _jvp)
shard_map_differs = isinstance(_sharded, jax.core.Tracer) and type(_sharded) not in map(type, _four)
are_tracers = all(isinstance(x, jax.core.Tracer) for x in _four)
are_arrays = all(isinstance(x, jax.Array) for x in _four)
no_floats = not any(isinstance(x, float) for x in _four)
