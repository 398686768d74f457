# lens: either(x)
import jax
import jax.numpy as jnp

x = jnp.ones(3)


def either(x):
    positive = x.sum() > 0  #: x.sum() -> reduce_sum; x.sum() > 0 -> gt
    #: jax.lax.cond(positive, lambda x: x * 2, lambda x: jnp.exp(x), x) -> cond convert_element_type
    #: x * 2 -> mul
    #: jnp.exp(x) -> exp
    return jax.lax.cond(positive, lambda x: x * 2, lambda x: jnp.exp(x), x)
