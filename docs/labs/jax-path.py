# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   # ruff: noqa: E402
# ---

# %% [markdown]
# # Lab: tracing and jaxprs
#
# Seven exercises to go with the chapters Tracing and The jaxpr. In each, put your answer in place
# of `...` and run the cell. It says whether you are right. Worked solutions are at the end.
#
# The lab was written for JAX 0.12.0.1. Primitives get new names and traces get longer or shorter
# from one version to the next, so the first cell installs this one in Colab, and elsewhere warns
# you if yours is another.

# %%
import sys

WRITTEN_FOR = "0.12.0.1"

if "google.colab" in sys.modules:
    from IPython import get_ipython

    get_ipython().run_line_magic("pip", f"install -q jax=={WRITTEN_FOR}")

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxprs_in_params

if jax.__version__ != WRITTEN_FOR:
    print(f"This is JAX {jax.__version__}, not {WRITTEN_FOR}: some answers may differ.")
    print(f"pip install jax=={WRITTEN_FOR}, then restart the kernel.")
else:
    print("JAX", jax.__version__)

# %% [markdown]
# `attend` goes with you through the lab, and `check` compares your answer with what JAX does.


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
    assert yours == truth, f"Not {yours!r}. Look at the trace again."
    print("Right.")


def primitives(f, *args):
    """The names of the primitives in the trace of `f`, in order."""
    return [eqn.primitive.name for eqn in jax.make_jaxpr(f)(*args).eqns]


# %% [markdown]
# ## 1. Count the equations
#
# The softmax alone is nine equations. How many has this function?


# %%
def weighted(q, k, v):
    return jax.nn.softmax(q @ k.T) @ v


answer_1 = ...
check(answer_1, len(primitives(weighted, q, k, k)))

# %% [markdown]
# ## 2. What is left of the loop?
#
# Write down the primitives of `powers`, in order, as a list of strings.


# %%
def powers(x):
    total = x
    for _ in range(2):
        total = total * x
    if x.ndim == 1:
        total = -total
    return total


answer_2 = ...
check(answer_2, primitives(powers, jnp.ones(3)))

# %% [markdown]
# ## 3. How many traces?
#
# `count_traces` calls a jitted `attend` once for each number of rows. How many times does the
# Python run?


# %%
def count_traces(row_counts):
    traces = []

    @jax.jit
    def counted(q, k):
        traces.append(q.shape)
        return attend(q, k)

    for rows in row_counts:
        counted(jnp.ones((rows, 8)), jnp.ones((rows, 8)))
    return len(traces)


answer_3 = ...
check(answer_3, count_traces([4, 5, 4, 6, 5, 4]))

# %% [markdown]
# ## 4. The captured number
#
# What does the last call return: 10.0 or 30.0?

# %%
factor = 10.0


@jax.jit
def scaled(x):
    return factor * x


scaled(jnp.float32(1.0))
factor = 30.0

answer_4 = ...
check(answer_4, float(scaled(jnp.float32(1.0))))

# %% [markdown]
# ## 5. Make it traceable
#
# This raises TracerBoolConversionError under jit. Write `keep_positive`, which does the same for
# an array of any shape, without a Python `if` on a value.


# %%
def keep_positive_eager(x):
    """`x` where its sum is positive, zeros of the same shape otherwise."""
    if x.sum() > 0:
        return x
    return jnp.zeros_like(x)


keep_positive = ...


def check_keep_positive(f):
    if f is ...:
        print("No answer yet.")
        return
    for values in ([1.0, -3.0, 4.0], [[1.0, -3.0]], [-jnp.inf, 1.0]):
        x = jnp.array(values)
        np.testing.assert_array_equal(jax.jit(f)(x), keep_positive_eager(x))
    print("Right.")


check_keep_positive(keep_positive)

# %% [markdown]
# ## 6. Read the shape off an equation
#
# `d = dot_general[...] a c` has the aval `f32[4,4]` in the trace of `attend(q, k)`. What is it in
# the trace of `attend(jnp.ones((3, 8)), jnp.ones((5, 8)))`? Answer as JAX prints it: `f32[?,?]`.

# %%
answer_6 = ...


def product_aval(q, k):
    eqns = jax.make_jaxpr(attend)(q, k).eqns
    (product,) = (eqn for eqn in eqns if eqn.primitive.name == "dot_general")
    return product.outvars[0].aval.str_short(short_dtypes=True)


check(answer_6, product_aval(jnp.ones((3, 8)), jnp.ones((5, 8))))

# %% [markdown]
# ## 7. How deep does it nest?
#
# jit inside a trace is one equation that holds a jaxpr of its own, and that one may hold others.
# Write `depth(jaxpr)`: 1 for a jaxpr whose equations hold none, and one more for each level
# below. `jaxprs_in_params(eqn.params)` yields the jaxprs that an equation holds.


# %%
@jax.jit
def scores(q, k):
    return q @ k.T


def nested(q, k):
    return jax.nn.relu(scores(q, k)) + scores(k, q)


depth = ...


def check_depth(f):
    if f is ...:
        print("No answer yet.")
        return
    assert f(jax.make_jaxpr(attend)(q, k)) == 1, "attend holds no inner jaxpr"
    assert f(jax.make_jaxpr(scores)(q, k)) == 2, "scores is one jit equation"
    assert f(jax.make_jaxpr(nested)(q, k)) == 3, "relu holds a jaxpr that holds another"
    print("Right.")


check_depth(depth)

# %% [markdown]
# ## Worked solutions
#
# Look only after you have tried.
#
# **1.** Twelve. Two for `q @ k.T`, nine for the softmax, one for the product with `v`.

# %%
check(12, len(primitives(weighted, q, k, k)))
print(*primitives(weighted, q, k, k))

# %% [markdown]
# **2.** Two `mul` and a `neg`. The loop and the `if` ran in Python, at trace time; the `if` asks
# for the number of axes, which a tracer knows.

# %%
check(["mul", "mul", "neg"], primitives(powers, jnp.ones(3)))
print(jax.make_jaxpr(powers)(jnp.ones(3)))

# %% [markdown]
# **3.** Three. There is one trace for each shape not seen before: 4, 5 and 6 rows.

# %%
check(3, count_traces([4, 5, 4, 6, 5, 4]))

# %% [markdown]
# **4.** 10.0. The number was written into the trace by the first call, and the second call, with
# an argument of the same shape and dtype, ran that trace again. A call with a new shape reads
# `factor` anew:

# %%
check(10.0, float(scaled(jnp.float32(1.0))))
check([30.0, 30.0], scaled(jnp.ones(2)).tolist())

# %% [markdown]
# **5.** Let the compiled program choose. The `0` is stretched to the shape of `x`.


# %%
def keep_positive_solution(x):
    return jnp.where(x.sum() > 0, x, 0)


check_keep_positive(keep_positive_solution)
print(jax.make_jaxpr(keep_positive_solution)(jnp.ones(3)))

# %% [markdown]
# **6.** `f32[3,5]`: a row for each query, a column for each key. The 8 was summed over.

# %%
check("f32[3,5]", product_aval(jnp.ones((3, 8)), jnp.ones((5, 8))))

# %% [markdown]
# **7.** One more than the deepest jaxpr inside, and `default=0` for those that hold none.


# %%
def depth_solution(jaxpr):
    inner = (sub for eqn in jaxpr.eqns for sub in jaxprs_in_params(eqn.params))
    return 1 + max(map(depth_solution, inner), default=0)


check_depth(depth_solution)
print(jax.make_jaxpr(nested)(q, k))

# %% [markdown]
# ## Where to go next
#
# Change a function and predict its trace before you print it.
