# lens: jax.value_and_grad(total)(x)
import jax
import jax.numpy as jnp

x = jnp.ones(3)


@jax.custom_jvp
def softplus(x):
    return jnp.log1p(jnp.exp(x))  #: jnp.exp(x) -> exp; jnp.log1p(jnp.exp(x)) -> log1p


@softplus.defjvp
def softplus_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    slope = jax.nn.sigmoid(x)  #: jax.nn.sigmoid(x) -> logistic
    return softplus(x), dx * slope  #: softplus(x) -> custom_jvp_call; dx * slope -> mul


def total(x):
    y = softplus(x)
    return y.sum()  #: y.sum() -> reduce_sum broadcast_in_dim
