# lens: doubled(x)
import jax

x = jax.numpy.ones(3)


def small(x):
    return x.sum() < 100  #: x.sum() -> reduce_sum; x.sum() < 100 -> lt


def twice(x):
    return x * 2  #: x * 2 -> mul


def doubled(x):
    return jax.lax.while_loop(small, twice, x)  #: jax.lax.while_loop(small, twice, x) -> while
