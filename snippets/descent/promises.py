"""What JAX promises of the texts it prints, and what it writes to be kept."""

# %% promises
import inspect
import textwrap

from jax.stages import Compiled, Lowered

for method in (Lowered.as_text, Compiled.as_text, Compiled.cost_analysis):
    paragraph = inspect.getdoc(method).split("\n\n")[1]
    print(textwrap.fill(f"{method.__qualname__}: {paragraph}", 68), end="\n\n")

# %% artifact
import jax
import jax.numpy as jnp
from jax import export
from jax.extend.mlir.dialects import stablehlo


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
exported = export.export(jax.jit(attend))(q, k)

print("written:", exported.mlir_module_serialized[:22])
print("oldest: ", stablehlo.get_minimum_version())
print("newest: ", stablehlo.get_current_version())

# %% facts
import pickle
import re

import numpy as np

from counts import first


def _version(text):
    return tuple(int(part) for part in text.split("."))


def _pickles(thing):
    try:
        pickle.dumps(thing)
    except Exception:
        return False
    return True


_docs = [inspect.getdoc(m) for m in (Lowered.as_text, Compiled.as_text, Compiled.cost_analysis)]
_flat = [" ".join(doc.split()) for doc in _docs]
need_not_be = first(r"(need not be a valid nor reliable serialization)", _flat[0])
is_not = first(r"This (is not) a valid nor reliable serialization", _flat[1])
invocations = first(r"(even across invocations)", _flat[2])
written = first(r"StableHLO_v([\d.]+)", exported.mlir_module_serialized[:40].decode("latin-1"))
current, oldest = stablehlo.get_current_version(), stablehlo.get_minimum_version()
older = _version(oldest) < _version(written) < _version(current)
_q = jnp.arange(32.0).reshape(4, 8) / 32
runs = np.allclose(exported.call(_q, _q), attend(_q, _q))
silent = not re.search("serializ|stable|compatib", jax.make_jaxpr.__doc__)
no_pickle = not _pickles(jax.make_jaxpr(attend)(q, k))
