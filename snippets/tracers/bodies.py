"""The body of a scan under grad: its tracer is the one of jit."""

# %% scan
import jax


def body(carry, _):
    print(carry)
    return carry * carry / 2, None


def twice(x):
    return jax.lax.scan(body, x, length=2)[0]


slope = jax.grad(twice)(3.0)

# %% facts
from seen import kind, seen

shows = kind(seen(lambda f: lambda x: jax.lax.cond(True, f, f, x), 3.0))
_bodies = (
    lambda f: lambda x: jax.lax.cond(True, f, f, x),
    lambda f: lambda x: jax.lax.scan(lambda carry, _: (f(carry), None), x, length=2)[0],
    lambda f: lambda x: jax.lax.while_loop(lambda carry: carry < 5, f, x),
    lambda f: lambda x: jax.lax.fori_loop(0, 2, lambda _, carry: f(carry), x),
    jax.checkpoint,
)
with_nothing_around = all(kind(seen(body, 3.0)) == shows for body in _bodies)
under_jvp = all(
    kind(seen(lambda f, body=body: lambda x: jax.jvp(body(f), (x,), (1.0,)), 3.0)) == shows
    for body in _bodies
)
