# lens: layer({"w": w, "b": b}, *[x], scale=2.0)
import jax.numpy as jnp

w = jnp.ones((3, 3))
b = x = jnp.ones(3)


def layer(params, x, scale):
    y = x @ params["w"]  #: x @ params["w"] -> dot_general
    y = y + params["b"]  #: y + params["b"] -> add
    y = y * scale  #: y * scale -> mul convert_element_type
    return {"y": jnp.tanh(y), "x": x}  #: jnp.tanh(y) -> tanh
