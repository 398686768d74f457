# lens: total(x)
# devices: 8
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("i",), (jax.sharding.AxisType.Auto,))
x = jnp.arange(16.0)


def local(x):
    y = jnp.sin(x)  #: jnp.sin(x) -> sin
    return jax.lax.psum(y, "i")  #: jax.lax.psum(y, "i") -> psum_invariant


def total(x):
    f = jax.shard_map(local, mesh=mesh, in_specs=P("i"), out_specs=P())
    return f(x)  #: f(x) -> shard_map
