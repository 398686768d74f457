# lens: twice(x)
import jax.numpy as jnp
from lens_helper import softened

x = jnp.ones(3)


def twice(x):
    y = softened(x)
    return jnp.exp(y)  #: jnp.exp(y) -> exp
