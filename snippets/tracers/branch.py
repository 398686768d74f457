"""A Python if on the value of the argument, under each of the four."""

# %% huber
import jax
import jax.numpy as jnp


def huber(error):
    if abs(error) <= 1:
        return error * error / 2
    return abs(error) - 0.5


# %% under
def jvp(function):
    return lambda x: jax.jvp(function, (x,), (1.0,))


batch = jnp.array([0.5, 3.0])
fine = []
for transform, argument in (
    (jax.jit, 3.0),
    (jax.vmap, batch),
    (jax.grad, 3.0),
    (jvp, 3.0),
):
    try:
        transform(huber)(argument)
        fine.append(transform.__name__)
    except jax.errors.TracerBoolConversionError as error:
        print(f"{transform.__name__}: {type(error).__name__}")
print("no error under:", *fine)

# %% slopes
print(*map(jax.grad(huber), batch))

# %% facts
from seen import raises, seen

_compared = []
jax.grad(lambda x: (_compared.append(x > 0), x)[1])(3.0)
compares_to_array = isinstance(_compared[0], jax.Array) and not isinstance(
    _compared[0], jax.core.Tracer
)
works = list(fine)
points = batch.tolist()
_batched = seen(lambda f: jax.vmap(lambda x: f(abs(x) <= 1) * x), batch).val
batch_answers = [str(x) for x in _batched.tolist()]
lanes = len(batch)
agreeing_raises = bool(raises(jax.vmap, lambda x: bool(abs(x) <= 1), jnp.array([0.5, 0.5])))
