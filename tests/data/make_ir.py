"""Write the texts in ir/ that the lexers are tested on: `python tests/data/make_ir.py`.

They are what the JAX that runs this prints of a few programs, chosen so that every form of the
three texts occurs. operations.json says what JAX itself finds in each program: the names of all
jaxpr primitives or MLIR operations, or for HLO the number of instructions.
"""

import functools
import json
import os
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.extend.core import subjaxprs
from jax.extend.mlir import ir
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

HERE = Path(__file__).parent
OPTIONS = {"xla_cpu_experimental_ynn_fusion_type": ""}  # the fusions XLA itself makes
MESH = jax.make_mesh((8,), ("x",))


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


def loops(xs):
    total, ys = lax.scan(lambda c, x: (jnp.tanh(c * x), c + x), 0.0, xs)
    return lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 1, c[1] * 1.5), (0, total)), ys


def branches(x):
    y = lax.cond(x.sum() > 0, jnp.sin, lambda a: a - 1, x)
    return jax.checkpoint(lambda a: jax.nn.relu(jnp.cos(a)))(y)


def literals(x):
    some = x + 1e-30, x * jnp.inf, x - jnp.nan, x < -jnp.inf, x * (1 + 2j), x.astype(bool)
    return *some, np.array([True, False]), np.array([1 - 2j, 3e-9]), np.int8(-3), np.arange(9.0)


def prints(x):
    jax.debug.print('x = {x} and "quoted" {{}} # lambda ; in', x=x)
    with jax.named_scope("a scope/π"):
        return jax.jit(jnp.cumsum)(x)


def index(x, i):
    return x[i].sum() + x.at[i].add(2.0).max() + lax.dynamic_slice(x, (i[0], 0), (2, 2)).sum()


def sample(key):
    return jax.random.uniform(key, (3,)) + jax.random.uniform(key, (3,))


def kernel(x_ref, o_ref):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o_ref[...] = jnp.zeros_like(o_ref)

    o_ref[...] += x_ref[...] * 2


def pallas(x):
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(kernel, out_shape=shape, grid=(2,), interpret=True)(x)


def references(x):
    ref = jax.new_ref(x)
    ref[0] += 1.0
    return ref[...]


@functools.partial(jax.shard_map, mesh=MESH, in_specs=P("x"), out_specs=P("x"))
def shards(x):
    return lax.psum(x, "x") + lax.ppermute(x, "x", [(i, (i + 1) % 8) for i in range(8)])


Q, K, V = jnp.ones((4, 8)), jnp.ones((6, 8)), jnp.arange(5.0)
PROGRAMS = {
    "attend": (attend, Q, K),
    "attend-gradient": (jax.grad(lambda q, k: attend(q, k).sum()), Q, K),
    "loops": (loops, V),
    "branches-gradient": (jax.grad(lambda x: branches(x).sum()), V),
    "literals": (literals, 1.0),
    "prints": (prints, V),
    "index-gradient": (jax.grad(index), Q, jnp.array([0, 2])),
    "sample": (sample, jax.random.key(0)),
    "pallas": (pallas, V),
    "references": (references, V),
    "shards": (shards, jax.device_put(jnp.arange(8.0), NamedSharding(MESH, P("x")))),
    "many": (lambda *xs: xs[::-1], *[V] * 7),
}


def primitives(jaxpr):
    """Names of all primitives in a jaxpr; those that work on references print as arrows."""
    names = {eqn.primitive.name for eqn in jaxpr.eqns}
    for inner in subjaxprs(jaxpr):
        names |= primitives(inner)
    return names - {"get", "swap", "addupdate"}


def operations(module):
    names = set()

    def note(op):
        names.add(op.name)
        return ir.WalkResult.ADVANCE

    module.operation.walk(note)
    return names


def instructions(module):
    return sum(len(computation.instructions()) for computation in module.computations())


def texts(function, *args):
    """Yield of one program: ending of the file's name, text, what JAX finds in it."""
    jaxpr = jax.make_jaxpr(function)(*args)
    yield "jaxpr", str(jaxpr), primitives(jaxpr)
    source = jaxpr.pretty_print(source_info=True, name_stack=True)
    yield "source.jaxpr", source, primitives(jaxpr)
    lowered = jax.jit(function).lower(*args)
    module = lowered.compiler_ir()
    yield "mlir", lowered.as_text(), operations(module)
    yield "loc.mlir", lowered.as_text(debug_info=True), operations(module)
    hlo = lowered.compiler_ir("hlo").as_hlo_module()
    yield "hlo", lowered.as_text("hlo"), instructions(hlo)
    compiled = lowered.compile(compiler_options=OPTIONS)
    hlo = compiled.runtime_executable().hlo_modules()[0]
    yield "optimized.hlo", compiled.as_text(), instructions(hlo)


def main():
    found = {}
    for name, (function, *args) in PROGRAMS.items():
        for ending, text, facts in texts(function, *args):
            file = f"{name}.{ending}"
            text = text.replace(f"{HERE.parents[1]}/", "").rstrip("\n")
            (HERE / "ir" / file).write_text(f"{text}\n")
            found[file] = facts if isinstance(facts, int) else sorted(facts)
    (HERE / "ir" / "operations.json").write_text(f"{json.dumps(found, indent=0)}\n")


if __name__ == "__main__":
    main()
