"""Only one axis changes: pad the keys to a power of two, and mask what was added."""

# %% attend
import jax
import jax.numpy as jnp
import numpy as np

traces = []


@jax.jit
def attend(q, k):
    traces.append(k.shape)
    return jax.nn.softmax(q @ k.T)


q = np.ones((4, 8), np.float32)
lengths = range(1, 31)

# %% every-length
for length in lengths:
    attend(q, np.ones((length, 8), np.float32))
print(len(lengths), "lengths,", len(traces), "traces")

# %% facts
unpadded = len(traces)


@jax.jit
def _pads_inside(q, k):
    traces.append(k.shape)
    k = jnp.pad(k, ((0, 32 - k.shape[0]), (0, 0)))
    return jax.nn.softmax(q @ k.T)


traces.clear()
for _length in lengths:
    _pads_inside(q, np.ones((_length, 8), np.float32))
padded_inside = len(traces)


# %% padded
@jax.jit
def attend_padded(q, k, length):
    traces.append(k.shape)
    is_key = jnp.arange(k.shape[0]) < length
    return jax.nn.softmax(jnp.where(is_key, q @ k.T, -jnp.inf))


def attend_bucketed(q, k):
    length = len(k)
    rows = 1 << (length - 1).bit_length()  # the next power of two
    k = np.pad(k, ((0, rows - length), (0, 0)))
    return np.asarray(attend_padded(q, k, length))[:, :length]


# %% buckets
traces.clear()
for length in lengths:
    attend_bucketed(q, np.ones((length, 8), np.float32))
print("traces for", [rows for rows, _ in traces], "rows")

# %% facts
bucketed = len(traces)
buckets = sorted(rows for rows, _ in traces)
largest = buckets[-1]
fewer = bucketed < unpadded
traces.clear()
_static = jax.jit(attend_padded.__wrapped__, static_argnames="length")
for _length in lengths:
    _static(q, np.ones((32, 8), np.float32), _length)
static_length = len(traces)


wanted, computed = sum(lengths), sum(1 << (length - 1).bit_length() for length in lengths)
extra_percent = round(100 * (computed / wanted - 1))
_k = np.linspace(-1, 1, 40, dtype=np.float32).reshape(5, 8)
_unmasked = np.asarray(attend(q, np.pad(_k, ((0, 3), (0, 0)))))[:, :5]
wrong_without_mask = not np.allclose(_unmasked, attend(q, _k))
agrees = np.allclose(attend_bucketed(q, _k), attend(q, _k), rtol=1e-6)

import cache_log

_scores = attend(q, np.ones((32, 8), np.float32))
_compiled = cache_log.show_log(only="Compiling")
jax.config.update("jax_log_compiles", True)
for _length in (5, 6, 7):
    _scores[:, :_length]
jnp_slices_compile = len(_compiled) == 3
