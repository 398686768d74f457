# lens: Power(x)(x, 3, bias=0.5, mode="odd")
import dataclasses

import jax.numpy as jnp

x = jnp.ones(3)


@dataclasses.dataclass
class Power:
    scale: jnp.ndarray

    def __call__(self, x, n, bias, mode):
        y = x**n if mode == "odd" else -x  #: x**n -> integer_pow
        y = y * self.scale  #: y * self.scale -> mul
        return y + bias  #: y + bias -> add convert_element_type
