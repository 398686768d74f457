# lens: shifted(x)
import jax.numpy as jnp
import numpy as np

x = jnp.ones(3)
big = jnp.arange(3000.0)
small = np.array([1.5, 2.5, 3.5], np.float32)


def shifted(x):
    y = x + big[:3]  #: big[:3] -> slice; x + big[:3] -> add
    return y * small  #: y * small -> mul
