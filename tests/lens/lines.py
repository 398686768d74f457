# lens: spread(x)
import jax.numpy as jnp

x = jnp.ones(3)


def spread(x):
    #: jnp.where( x > 1, jnp.sin( x ), -x, ) -> jit select_n
    #: x > 1 -> gt
    #: jnp.sin( x ) -> sin
    #: -x -> neg
    # fmt: off
    return jnp.where(
        x > 1,
        jnp.sin(
            x
        ),
        -x,
    )
