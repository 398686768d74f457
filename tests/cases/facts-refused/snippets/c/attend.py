# %% facts
import math

import jax.numpy as jnp

one = 1
array = jnp.ones(2)
nested = [1, [2]]
mixed = [1, None]
missing = float("nan")
endless = [1.0, -math.inf]
if one > 1:
    never = 1
_helper = object()


def helper():
    return 1


for index in range(2):
    last = index
