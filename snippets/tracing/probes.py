"""Three ways to see values from inside a compiled function."""

# %% print
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k):
    scores = q @ k.T
    jax.debug.print("largest score {top}", top=scores.max())
    return jax.nn.softmax(scores)


q = jnp.ones((4, 8))
for factor in (1, 2):
    attend(factor * q, q)
    jax.effects_barrier()

# %% equations
equations = attend.trace(q, q).jaxpr.eqns
print([eqn.primitive.name for eqn in equations[:5]])


# %% fstring
@jax.jit
def baked(x):
    jax.debug.print(f"x is {x}")
    return x * 2


baked(1.0)
baked(2.0)

# %% callback
history = []


@jax.jit
def watched(q, k):
    scores = q @ k.T
    jax.debug.callback(lambda top: history.append(float(top)), scores.max())
    return jax.nn.softmax(scores)


for factor in (1, 2):
    watched(factor * q, q)
    jax.effects_barrier()
print(history)

# %% facts
_effectful = next(eqn for eqn in equations if eqn.effects)
probe = _effectful.primitive.name
probe_at = equations.index(_effectful) + 1
unordered_unless_asked = _effectful.params["ordered"] is False
_baked = baked.trace(1.0).jaxpr
bakes_tracer = "JitTracer(~" in str(_baked)
_strong = baked.trace(jnp.float32(1.0)).jaxpr
marks_weak = _baked.in_avals[0].weak_type and "JitTracer(float32" in str(_strong)
drops_result = jax.debug.callback(lambda value: value + 1, 1.0) is None

# %% masked
jax.config.update("jax_debug_nans", True)


@jax.jit
def masked(q, k, mask):
    scores = jnp.where(mask, q @ k.T, -jnp.inf)
    return jax.nn.softmax(scores)


mask = jnp.array([[True, True], [False, False]])
q = jnp.ones((2, 8))

# %% nans raises="FloatingPointError"
masked(q, q, mask)


# %% hidden
@jax.jit
def hidden(q, k, mask):
    scores = jnp.where(mask, q @ k.T, -jnp.inf)
    return jnp.where(mask, jax.nn.softmax(scores), 0.0)


print(hidden(q, q, mask))

# %% facts
import contextlib
import io

from counts import first


def _complaint(function):
    """What JAX says of a NaN in `function`: what it prints, and the exception; "" if nothing."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            function(q, q, mask)
        except FloatingPointError as error:
            print(error)
    return said.getvalue().strip()


_kinds = []


@jax.jit
def _seen(q, k, mask):
    _kinds.append(isinstance(q, jax.core.Tracer))
    return masked.__wrapped__(q, k, mask)


_said = _complaint(_seen)
nan_in = first(r"encountered in (\w+)$", _said)
announced = _said.count("Invalid nan value")
runs_again_on_values = _kinds == [True, False]
second_row = jnp.where(mask, q @ q.T, -jnp.inf)[1].tolist() == [-jnp.inf, -jnp.inf]


@jax.jit
def _outermost(q, k, mask):
    return jnp.where(mask, masked(q, k, mask), 0.0)


covers = not _complaint(hidden)
only_outermost = not _complaint(_outermost)
raises_undecorated = bool(_complaint(hidden.__wrapped__))
