"""What jit looks at: dtype, shape, weak type, structure, settings; and what it does not."""

# %% attend
import jax
import jax.numpy as jnp

from cache_log import show_log


@jax.jit
def attend(q, k, scale=1.0):
    return jax.nn.softmax(q @ k.T * scale)


q = k = jnp.ones((4, 8))
longer = jnp.ones((6, 8))
half = jnp.ones((4, 8), jnp.bfloat16)
one = jnp.float32(1.0)

messages = show_log(brief=True)
jax.config.update("jax_explain_cache_misses", True)


def then(*args, **kwargs):
    """Call attend(q, k, 1.0), new to JAX, and then as told."""
    attend.clear_cache()
    attend(q, k, 1.0)
    attend(*args, **kwargs)


# %% types
then(q, longer, 1.0)
then(q, half, 1.0)
then(q, k, one)

# %% facts
_shape, _dtype, _weak = (m for m in messages if "closest" in m)
new_dtype_is = "now bf16[4,8] and before f32[4,8]" in _dtype
weak_before = "before f32[]{weak_type=True}" in _weak
weak_now = "now f32[]{weak_type=False}" in _weak
header_types = "different input types"
header_types = header_types if all(header_types in m for m in (_shape, _dtype, _weak)) else ""

# %% structure
then(q, k)
then(q, k, scale=1.0)

# %% facts
_absent, _keyword = [m for m in messages if "closest" in m][3:]
lengths = "tuple of length 2 and before tuple of length 3" in _absent
moved_to_dict = "[1], now <class 'dict'> with 1 child and before" in _keyword
header_trees = "different input pytree"
header_trees = header_trees if header_trees in _absent and header_trees in _keyword else ""


# %% trees
@jax.jit
def total(tree):
    return sum(leaf.sum() for leaf in jax.tree.leaves(tree))


dicts = {"q": q, "k": k}, {"q": q, "keys": k}, {"q": q, "k": None}
for tree in ((q, k), [q, k], *dicts):
    total.clear_cache()
    total({"k": k, "q": q})
    print("now:", type(tree).__name__, *(tree if isinstance(tree, dict) else ()))
    total(tree)

# %% facts
_trees = [m for m in messages if "closest" in m][5:]
tree_calls, tree_misses = 5, len(_trees)
total.clear_cache()
total({"k": k, "q": q})
_before = len(messages)
total({"q": q, "k": k})
order_hits = len(messages) == _before
renamed = any("'keys'" in m for m in _trees)
none_is_structure = "now <class 'NoneType'> and before pytree leaf" in _trees[-1]

# %% hits
import numpy as np

attend.clear_cache()
attend(q, k)
before = len(messages)
attend(3 * q, k)
attend(np.ones((4, 8), np.float32), k)
attend(np.ones((4, 8)), k)
print("messages:", len(messages) - before)

# %% facts
hits_silent = len(messages) == before
numpy_is_narrowed = hits_silent and np.ones((4, 8)).dtype == np.float64

# %% context
attend.clear_cache()
attend(q, k)
with jax.default_matmul_precision("highest"):
    attend(q, k)

# %% misleads
attend(q, longer)

# %% facts
_context, _misled = messages[-2:]
names_setting = "jax_default_matmul_precision differs" in _context
header_context = "Tracing context doesn't match"
header_context = header_context if header_context in _context else ""
attend.clear_cache()
attend(q, k, 1.0), attend(q, k), attend(q, longer)
prefers_structure = "different input pytree" in messages[-1]
same_setting_named = "jax_default_matmul_precision differs" in _misled
shape_unmentioned = "f32[6,8]" not in _misled


def _missed(setting, value):
    before, old = len(messages), getattr(jax.config, setting)
    jax.config.update(setting, value)
    attend(q, k)
    jax.config.update(setting, old)
    return len(messages) - before


attend.clear_cache()
attend(q, k)
_in_key = {"jax_enable_x64": True, "jax_default_device": jax.devices()[0]}
settings_in_key = [_missed(*setting) for setting in _in_key.items()] == [1, 1]
settings_left_out = _missed("jax_debug_nans", True) == _missed("jax_log_compiles", False) == 0


def _body(carry, x):
    return carry + x, carry


jax.jit(_body)(one, one)
jax.lax.scan(_body, one, jnp.ones(3))
header_debug = "Debug info doesn't match"
header_debug = header_debug if header_debug in messages[-1] else ""
scan_is_another = bool(header_debug)
