"""Indexing, by number, by traced number, by traced array, and writing."""

# %% slice
import jax
import jax.numpy as jnp

cache = jnp.ones((6, 8))
row = jnp.int32(2)
rows = jnp.array([0, 2, 5])


def fixed(cache):
    return cache[2]


print(jax.make_jaxpr(fixed)(cache))


# %% dynamic
def read(cache, row):
    return cache[row]


print(jax.make_jaxpr(read)(cache, row))

# %% gather
print(jax.make_jaxpr(read)(cache, rows).eqns[-1])


# %% scatter
def write(cache, row):
    return cache.at[row].set(0.0)


print(jax.make_jaxpr(write)(cache, rows).eqns[-1])


# %% bounds
far = jnp.array([0, 99])
line = jnp.arange(6.0)
print("read: ", jax.jit(read)(line, far))
print("write:", jax.jit(write)(line + 1, far))


# %% filled
def read_or_nan(cache, row):
    return cache.at[row].get(mode="fill", fill_value=jnp.nan)


print("read: ", jax.jit(read_or_nan)(line, far))

# %% facts
from jax.experimental import checkify

from counts import primitives

known = primitives(jax.make_jaxpr(fixed)(cache))[0]
only_in_range = known not in primitives(jax.make_jaxpr(lambda cache: cache[99])(cache))

_dynamic = jax.make_jaxpr(read)(cache, row)
_names = primitives(_dynamic)
equations = len(_names)
slice_at = _names.index("dynamic_slice") + 1
wraps = slice_at - 1
per_axis = wraps // cache.ndim
turns_negative = _names[:wraps] == ["lt", "add", "select_n"] * cache.ndim
zero_with_zero = [getattr(v, "val", None) for v in _dynamic.eqns[per_axis].invars] == [0, 0]
select = str(_dynamic).splitlines()[3].partition(" = ")[2]
false_is_first, true_is_second = (
    int(jax.lax.select_n(which, 1, 2)) == chosen for which, chosen in ((False, 1), (True, 2))
)
_slice = _dynamic.eqns[wraps]
starts_are_invars = [*_slice.params] == ["slice_sizes"] and len(_slice.invars) == 1 + cache.ndim

_gather = jax.make_jaxpr(read)(cache, rows).eqns[-1]
_sizes, _numbers = _gather.params["slice_sizes"], _gather.params["dimension_numbers"]
takes_rows = _gather.primitive.name == "gather" and _sizes == (1, cache.shape[1])
indices = str(_gather).split()[-1]
collapses = len(_numbers.collapsed_slice_dims) == 1
dropped_size = _sizes[_numbers.collapsed_slice_dims[0]]
rest_goes_there = _gather.outvars[0].aval.shape[_numbers.offset_dims[0]] == _sizes[1]
read_mode = _gather.params["mode"].name

_scatter = jax.make_jaxpr(write)(cache, rows).eqns[-1]
mirrors = _scatter.primitive.name == "scatter"
one_row_too = jax.make_jaxpr(write)(cache, row).eqns[-1].primitive.name == "scatter"
invars = len(_scatter.invars)
new_array = _scatter.outvars[0] is not _scatter.invars[0] and not _scatter.effects
write_mode = _scatter.params["mode"].name
both_have_mode = all("mode=" in str(eqn) for eqn in (_gather, _scatter))

out_of_range, numbers = int(far[1]), line.size
reads_last = bool(jax.jit(read)(line, far)[1] == line[-1])
drops_write = jax.jit(write)(line + 1, far)[1:].tolist() == (line + 1)[1:].tolist()
fills = bool(jnp.isnan(jax.jit(read_or_nan)(line, far)[1]))
has_that_mode = jax.make_jaxpr(read_or_nan)(line, far).eqns[-1].params["mode"].name == write_mode

_checked = checkify.checkify(read, errors=checkify.index_checks)
checkify_can = "out of bounds" in (_checked(line, far)[0].get() or "")
