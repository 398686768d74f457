# lens: noisy(x)
import jax

x = jax.numpy.ones(3)


def noisy(x):
    key = jax.random.key(0)  #: jax.random.key(0) -> random_seed
    #: jax.random.normal(key, (3,)) -> jit broadcast_in_dim random_bits shift_right_logical or
    #: jax.random.normal(key, (3,)) -> bitcast_convert_type sub mul add max erf_inv
    noise = jax.random.normal(key, (3,))
    return x + noise  #: x + noise -> add
