"""What a change to the function, or to an option, does to each text."""

# %% compare
import jax
import jax.numpy as jnp

from hlo_text import PLAIN, trim

q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)


def texts(f, options=PLAIN):
    traced = jax.jit(f).trace(q, k)
    lowered = traced.lower()
    compiled = lowered.compile(compiler_options=options)
    return {
        "jaxpr": str(traced.jaxpr),
        "StableHLO": lowered.as_text(),
        "HLO": lowered.as_text("hlo"),
        "optimized HLO": trim(compiled.as_text()),
    }


def compare(old, new):
    for name in old:
        print(f"{name:14}", "same" if new[name] == old[name] else "changed")


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


before = texts(attend)


# %% unused
def attend(q, k):
    jnp.tanh(k)
    return jax.nn.softmax(q @ k.T)


unused = texts(attend)
compare(before, unused)


# %% option
def attend(q, k):
    return jax.nn.softmax(q @ k.T)


option = texts(attend, PLAIN | {"xla_disable_hlo_passes": "algsimp"})
compare(before, option)


# %% names
def attend(query, key):
    return jax.nn.softmax(query @ key.T)


names = texts(attend)

# %% names-answer
compare(before, names)


# %% one
def attend(q, k):
    return jax.nn.softmax(1.0 * q @ k.T)


one = texts(attend)

# %% one-answer
compare(before, one)

# %% facts
from counts import first


def _changed(new):
    return [name for name in before if new[name] != before[name]]


unused_changed, option_changed, names_changed = map(_changed, (unused, option, names))
unused_count, one_count = len(unused_changed), len(_changed(one))
names_first = names_changed[0]
unused_jaxpr = unused_changed == ["jaxpr"]
option_last = option_changed == ["optimized HLO"]
tanh = first(r"_:\S+ = (\w+) b", unused["jaxpr"])
multiplies = [name for name in one if one[name].count("mul") > before[name].count("mul")]
in_locations = 'loc("q")' in jax.jit(attend).lower(q, k).as_text(debug_info=True)
not_in_text = '"q"' not in before["StableHLO"] and "%q" not in before["StableHLO"]
in_hlo = " q.1 = " in before["HLO"] and " query.1 = " in names["HLO"]
