"""A captured variable: frozen for the shapes already traced, read again for a new one."""

# %% scores
import jax
import jax.numpy as jnp

scale = 2.0


@jax.jit
def scores(q, k):
    return q @ k.T * scale


k = jnp.ones((4, 8))

# %% old
print("scale 2: ", scores(jnp.ones((4, 8)), k)[0, 0])
scale = 10.0
print("scale 10:", scores(jnp.ones((4, 8)), k)[0, 0])

# %% new
print("6 rows:  ", scores(jnp.ones((6, 8)), k)[0, 0])
print("4 rows:  ", scores(jnp.ones((4, 8)), k)[0, 0])

# %% facts
import numpy as np

_old = scores.trace(jnp.ones((4, 8)), k).jaxpr
_new = scores.trace(jnp.ones((6, 8)), k).jaxpr
has_no_invar = len(_old.in_avals) == 2
written, _written_anew = (float(traced.eqns[-1].invars[1].val) for traced in (_old, _new))
reads_again = _written_anew == scale != written
programs = len({written, _written_anew})
as_before, more = (traced.in_avals[0].shape[0] for traced in (_old, _new))

_array = np.full(2, 2.0, np.float32)
_frozen = jax.jit(lambda x: x * _array)
_first = _frozen(1.0).tolist()
_array[:] = 10.0
freezes_numpy = _frozen(1.0).tolist() == _first == [2.0, 2.0]

_ref = jax.new_ref(jnp.float32(2))
_scaled = jax.jit(lambda x: x * _ref[...])
_before = _scaled(1.0)
_ref[...] = jnp.float32(10)
reads_ref = bool(_scaled(1.0) == 10 != _before)


# %% fix
@jax.jit
def scores(q, k, scale):
    return q @ k.T * scale


print(scores(jnp.ones((4, 8)), k, 2.0)[0, 0])
print(scores(jnp.ones((4, 8)), k, 10.0)[0, 0])

# %% move
step = 1.0


@jax.jit
def move(x):
    print("print:", x)
    jax.debug.print("debug.print: {y}", y=x + step)
    return x + step


# %% moved
for step in (1.0, 2.0):
    move(0.0)
    jax.effects_barrier()

# %% facts
_move = move.trace(0.0).jaxpr
prints_in_program = "debug_print" in [eqn.primitive.name for eqn in _move.eqns]
kept_step = float(_move.eqns[-1].invars[1].val)
keeps_step = kept_step != step
