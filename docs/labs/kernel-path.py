# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   # ruff: noqa: E402
# ---

# %% [markdown]
# # Lab: from the jaxpr to the optimized HLO
#
# Ten exercises to go with the first four chapters of the kernel path: One function, five texts; The
# jaxpr; StableHLO, line by line; What XLA does to it. In each, put your answer in place of `...`
# and run the cell. It says whether you are right. Worked solutions are at the end.
#
# The lab was written for JAX 0.12.0.1. What these texts say changes from one version to the next,
# so the first cell installs this one in Colab, and elsewhere warns you if yours is another. It
# also chooses the CPU, because optimized HLO is another one on a GPU.

# %%
import sys

WRITTEN_FOR = "0.12.0.1"

if "google.colab" in sys.modules:
    from IPython import get_ipython

    get_ipython().run_line_magic("pip", f"install -q jax=={WRITTEN_FOR}")

import re

import jax
import jax.numpy as jnp
from jax.extend.core import jaxprs_in_params

jax.config.update("jax_platforms", "cpu")

if jax.__version__ != WRITTEN_FOR:
    print(f"This is JAX {jax.__version__}, not {WRITTEN_FOR}: some answers may differ.")
    print(f"pip install jax=={WRITTEN_FOR}, then restart the kernel.")
else:
    print("JAX", jax.__version__)

# %% [markdown]
# `attend` goes with you through the lab, and `check` compares your answer with what JAX and XLA do.
# `optimized` compiles, and cuts the text down to the program. Its option leaves a product in the
# text as a `dot`.


# %%
def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jnp.ones((4, 8))


def check(yours, truth):
    """Say whether `yours` is `truth`; raise AssertionError if it is not."""
    if yours is ...:
        print("No answer yet.")
        return
    if isinstance(yours, tuple):
        yours = list(yours)
    assert yours == truth, f"Not {yours!r}. Print what you are unsure of."
    print("Right.")


def optimized(f, *args, **options):
    """The optimized HLO of `f`, without tables of source positions, metadata and notes."""
    options = {"xla_cpu_experimental_ynn_fusion_type": "", **options}
    text = jax.jit(f).lower(*args).compile(compiler_options=options).as_text()
    attributes = r", (metadata|backend_config|allow_spmd_\w+)=\{.*$"
    tables = r"^(FileNames|FunctionNames|FileLocations|StackFrames)\n(.+\n)*\n*"
    return re.sub(f"{attributes}|{tables}", "", text, flags=re.M)


def opcodes(block):
    """The opcode of each instruction in a block of HLO, parameters left out."""
    found = re.findall(r"^  .* = (?:\(.*?\)|\S+) ([\w-]+)\(", block, re.M)
    return [opcode for opcode in found if opcode != "parameter"]


def fusions(text):
    """The opcodes that each fusion in the entry of optimized HLO stands for."""
    blocks = dict(re.findall(r"^(?:ENTRY )?%(\S+) \(.*\{\n((?:  .*\n)+)\}", text, re.M))
    entry = text.partition("\nENTRY ")[2]
    return [opcodes(blocks[name]) for name in re.findall(r" fusion\(.* calls=%([\w.-]+)", entry)]


# %% [markdown]
# ## 1. Which texts change?
#
# `scores` does what `attend` does, under another name. Which of the four texts differ from those of
# `attend`? Answer with a list of names from `texts`, spelled as there and from the top down.


# %%
def scores(q, k):
    return jax.nn.softmax(q @ k.T)


def texts(f, *args):
    traced = jax.jit(f).trace(*args)
    return {
        "jaxpr": str(traced.jaxpr),
        "StableHLO": traced.lower().as_text(),
        "HLO": traced.lower().as_text("hlo"),
        "optimized HLO": optimized(f, *args),
    }


def changed(f, g, *args):
    """The names of the texts in which `f` and `g` differ."""
    one, other = texts(f, *args), texts(g, *args)
    return [name for name in one if one[name] != other[name]]


answer_1 = ...
check(answer_1, changed(attend, scores, q, k))

# %% [markdown]
# ## 2. Count equations and ops
#
# How many equations has the jaxpr of `double`, and how many ops its StableHLO? Answer with two
# numbers in a tuple.


# %%
def double(x):
    return 2 * x


def counts(f, *args):
    ops = re.findall(r"= stablehlo\.", jax.jit(f).lower(*args).as_text())
    return [len(jax.make_jaxpr(f)(*args).eqns), len(ops)]


answer_2 = ...
check(answer_2, counts(double, q))

# %% [markdown]
# ## 3. How deep does it nest?
#
# jit inside a trace is one equation that holds a jaxpr of its own, and that one may hold others.
# Write `depth(jaxpr)`: 1 for a jaxpr whose equations hold none, and one more for each level
# below. `jaxprs_in_params(eqn.params)` yields the jaxprs that an equation holds.


# %%
@jax.jit
def product(q, k):
    return q @ k.T


def nested(q, k):
    return jax.nn.relu(product(q, k)) + product(k, q)


depth = ...


def check_depth(f):
    if f is ...:
        print("No answer yet.")
        return
    assert f(jax.make_jaxpr(attend)(q, k)) == 1, "attend holds no inner jaxpr"
    assert f(jax.make_jaxpr(product)(q, k)) == 2, "product is one jit equation"
    assert f(jax.make_jaxpr(nested)(q, k)) == 3, "relu holds a jaxpr that holds another"
    print("Right.")


check_depth(depth)

# %% [markdown]
# ## 4. Read a product
#
# Here are several heads at once. Run the cell, find the `dot_general` in the StableHLO, and answer
# with two numbers in a tuple: the axis of `q` that is summed over, and the axis of `q` that is kept
# apart as a batch.


# %%
def heads(q, k):
    return jnp.einsum("qhd,khd->hqk", q, k)


several = jnp.ones((4, 2, 8))
print(jax.jit(heads).lower(several, several).as_text())

answer_4 = ...


def axes(f, *args):
    text = jax.jit(f).lower(*args).as_text()
    kinds = ("contracting_dims", "batching_dims")
    return [int(re.search(rf"{kind} = \[(\d)\]", text)[1]) for kind in kinds]


check(answer_4, axes(heads, several, several))

# %% [markdown]
# ## 5. What disappears?
#
# Which primitives in the jaxpr of `wasteful` have left nothing in its StableHLO? Answer with a list
# of their names, from the top down.


# %%
def wasteful(q, k):
    jnp.sum(jnp.sin(q))
    return (1.0 + 0.0 * jnp.max(k)) * (q @ k.T)


print(jax.make_jaxpr(wasteful)(q, k))

answer_5 = ...


def dropped(f, *args):
    """The primitives that no op of the lowered program names in its location."""
    text = jax.jit(f).lower(*args).as_text(debug_info=True)
    kept = re.findall(rf'"jit\({f.__name__}\)/(\w+)"', text)
    names = [eqn.primitive.name for eqn in jax.make_jaxpr(f)(*args).eqns]
    return [name for name in names if name not in kept]


check(answer_5, dropped(wasteful, q, k))

# %% [markdown]
# ## 6. For another platform
#
# Write `differs(f, *args)`: whether the StableHLO of `f` for `"tpu"` is another text than that for
# `"cpu"`. You need no TPU: `jax.jit(f).trace(*args).lower(lowering_platforms=("tpu",))` will do.


# %%
def noise(x):
    return x + jax.random.normal(jax.random.key(0), x.shape)


differs = ...


def check_differs(f):
    if f is ...:
        print("No answer yet.")
        return
    x, square = jnp.ones(8), jnp.eye(4)
    assert f(attend, q, k) is False, "attend is lowered alike for both"
    assert f(jnp.sort, x) is False, "sort is lowered alike for both"
    assert f(noise, x) is True, "random numbers are lowered in two ways"
    assert f(jnp.linalg.cholesky, square) is True, "cholesky is lowered in two ways"
    print("Right.")


check_differs(differs)

# %% [markdown]
# ## 7. What is in this fusion?
#
# Attention with a mask. Run the cell, and find the fusion that holds the `exponential`. Answer with
# the list of opcodes in it, from the top down, parameters left out.


# %%
def masked(q, k, mask):
    return jax.nn.softmax(jnp.where(mask, q @ k.T, -jnp.inf))


mask = jnp.ones((4, 4), bool)
print(optimized(masked, q, k, mask))

answer_7 = ...


def body_with(opcode, text):
    """The opcodes of the fusion that holds one of that opcode."""
    (body,) = (body for body in fusions(text) if opcode in body)
    return body


check(answer_7, body_with("exponential", optimized(masked, q, k, mask)))

# %% [markdown]
# ## 8. One loop
#
# Write `one_loop(x)` for a vector `x` so that the entry of its optimized HLO is a single fusion,
# which holds both an `exponential` and a `reduce`.

# %%
one_loop = ...


def check_one_loop(f):
    if f is ...:
        print("No answer yet.")
        return
    text = optimized(f, jnp.ones(8))
    entry = opcodes(text.partition("\nENTRY ")[2])
    assert entry == ["fusion"], f"The entry has {entry}."
    (body,) = fusions(text)
    assert {"exponential", "reduce"} <= set(body), f"The fusion holds {body}."
    print("Right.")


check_one_loop(one_loop)

# %% [markdown]
# ## 9. Without a pass
#
# The optimized HLO of `attend` has no `transpose` left. Which pass must be switched off to keep it?
# Answer with the one name, as `xla_disable_hlo_passes` takes it. Mind the spelling: XLA ignores
# a name that it does not know.

# %%
answer_9 = ...


def check_pass(name):
    if name is ...:
        print("No answer yet.")
        return
    assert "," not in name, "One pass is enough."
    text = optimized(attend, q, k, xla_disable_hlo_passes=name)
    assert "transpose" in opcodes(text), f"Without {name!r} the transpose is gone, too."
    print("Right.")


check_pass(answer_9)

# %% [markdown]
# ## 10. The bill for a loop
#
# `rolled` and `unrolled` compute the same. How many times as many flops does `cost_analysis` report
# for `unrolled`? Answer with a whole number.


# %%
w = jnp.ones((8, 8))


def rolled(x):
    return jax.lax.fori_loop(0, 10, lambda i, x: jnp.tanh(x @ w), x)


def unrolled(x):
    for _ in range(10):
        x = jnp.tanh(x @ w)
    return x


def flops(f, *args):
    return jax.jit(f).lower(*args).compile().cost_analysis()["flops"]


answer_10 = ...
check(answer_10, round(flops(unrolled, q) / flops(rolled, q)))

# %% [markdown]
# ## Worked solutions
#
# Look only after you have tried.
#
# **1.** All but the jaxpr. The function's name becomes the module's, `jit_attend` or `jit_scores`,
# and goes down from there. The jaxpr has no name for the whole.

# %%
check(["StableHLO", "HLO", "optimized HLO"], changed(attend, scores, q, k))

# %% [markdown]
# **2.** One equation, three ops. The 2 becomes a constant, is stretched to the shape of `x`, and is
# multiplied with it.

# %%
check((1, 3), counts(double, q))
print(jax.jit(double).lower(q).as_text())

# %% [markdown]
# **3.** One more than the deepest jaxpr inside, and `default=0` for those that hold none.


# %%
def depth_solution(jaxpr):
    inner = (sub for eqn in jaxpr.eqns for sub in jaxprs_in_params(eqn.params))
    return 1 + max(map(depth_solution, inner), default=0)


check_depth(depth_solution)
print(jax.make_jaxpr(nested)(q, k))

# %% [markdown]
# **4.** Axis 2, which is `d`, is summed over: `contracting_dims = [2] x [2]`. Axis 1, which is `h`,
# is the batch: `batching_dims = [1] x [1]`.

# %%
check((2, 1), axes(heads, several, several))

# %% [markdown]
# **5.** The `sin`, and the `reduce_sum` that adds up its result: no output depends on them. The
# product with zero stays, because zero times infinity is not zero.

# %%
check(["sin", "reduce_sum"], dropped(wasteful, q, k))
print(jax.jit(wasteful).lower(q, k).as_text())

# %% [markdown]
# **6.** Lower twice, and compare.


# %%
def differs_solution(f, *args):
    traced = jax.jit(f).trace(*args)
    cpu, tpu = (traced.lower(lowering_platforms=(name,)).as_text() for name in ("cpu", "tpu"))
    return cpu != tpu


check_differs(differs_solution)

# %% [markdown]
# **7.** The row's maximum is stretched and taken away, then the exponential follows, in one loop.
# The mask is not in it: it has a fusion of its own, with the `select`, because a row's maximum
# needs all its masked scores, and only then comes the first exponential.

# %%
whole = optimized(masked, q, k, mask)
check(["broadcast", "subtract", "exponential"], body_with("exponential", whole))
print(*fusions(whole), sep="\n")

# %% [markdown]
# **8.** The sum of the exponentials is one: each is added up where it is made. A softmax is
# not, because its sum must be finished before the first division.


# %%
def one_loop_solution(x):
    return jnp.sum(jnp.exp(x))


check_one_loop(one_loop_solution)
print(fusions(optimized(jax.nn.softmax, jnp.ones(8))))

# %% [markdown]
# **9.** `transpose-folding` moves the transpose into the product. Without it, one is left:

# %%
check_pass("transpose-folding")
print(optimized(attend, q, k, xla_disable_hlo_passes="transpose-folding").partition("\nENTRY ")[2])

# %% [markdown]
# **10.** Ten, the number of rounds. The body of a loop is counted once, and so is its counter,
# which is why the quotient is not quite a whole number.

# %%
check(10, round(flops(unrolled, q) / flops(rolled, q)))
print(flops(unrolled, q), flops(rolled, q))

# %% [markdown]
# ## Where to go next
#
# Take a function of your own and predict each text before you print it.
