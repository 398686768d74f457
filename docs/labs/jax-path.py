# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
#   # ruff: noqa: E402
# ---

# %% [markdown]
# # Lab: traces, tracers, retraces
#
# Ten exercises to go with the chapters Tracing (1 to 4), Four kinds of tracer (5 to 7) and Shapes,
# retracing, the cache (8 to 10). In each, put your answer in place of `...` and run the cell. It
# says whether you are right. Worked solutions are at the end.
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

import functools

import jax
import jax.numpy as jnp
import numpy as np

if jax.__version__ != WRITTEN_FOR:
    print(f"This is JAX {jax.__version__}, not {WRITTEN_FOR}: some answers may differ.")
    print(f"pip install jax=={WRITTEN_FOR}, then restart the kernel.")
else:
    print("JAX", jax.__version__)

# %% [markdown]
# `attend` goes with you through the lab. Below it is what the exercises are checked with.


# %%
def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jnp.ones((4, 8))


def exercise(test):
    """A check of an answer: `test` raises AssertionError for a wrong one, `...` is none yet."""

    def check(*answer):
        if any(part is ... for part in answer):
            print("No answer yet.")
            return
        test(*answer)
        print("Right.")

    return check


def primitives(f, *args):
    """The names of the primitives in the trace of `f`, in order."""
    return [eqn.primitive.name for eqn in jax.make_jaxpr(f)(*args).eqns]


def counted(f):
    """`f`, with how often its Python has run so far as the attribute `runs`."""

    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        wrapper.runs += 1
        return f(*args, **kwargs)

    wrapper.runs = 0
    return wrapper


# %% [markdown]
# ## 1. Count the equations
#
# The softmax alone is nine equations. How many has this function?


# %%
def weighted(q, k, v):
    return jax.nn.softmax(q @ k.T) @ v


answer_1 = ...


@exercise
def check_1(answer):
    assert answer == len(primitives(weighted, q, k, k)), f"Not {answer!r}: print the jaxpr."


check_1(answer_1)

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


@exercise
def check_2(answer):
    found = primitives(powers, jnp.ones(3))
    assert list(answer) == found, f"Not {answer!r}: print the jaxpr."


check_2(answer_2)

# %% [markdown]
# ## 3. The captured number
#
# `scaled` is called once, and then the number changes. What will `scaled(jnp.float32(1.0))` return
# now: 10.0 or 30.0?

# %%
factor = 10.0


@jax.jit
def scaled(x):
    return factor * x


scaled(jnp.float32(1.0))
factor = 30.0

answer_3 = ...


@exercise
def check_3(answer):
    assert answer == float(scaled(jnp.float32(1.0))), f"Not {answer!r}: call it."


check_3(answer_3)

# %% [markdown]
# ## 4. Make it traceable
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


@exercise
def check_4(answer):
    for values in ([1.0, -3.0, 4.0], [[1.0, -3.0]], [-jnp.inf, 1.0]):
        x = jnp.array(values)
        try:
            yours = jax.jit(answer)(x)
        except jax.errors.TracerBoolConversionError:
            raise AssertionError("Python asks a tracer for a value in it.") from None
        np.testing.assert_array_equal(yours, keep_positive_eager(x))


check_4(keep_positive)

# %% [markdown]
# ## 5. Who can take this if?
#
# `hinge` asks for a value. Which of these raise TracerBoolConversionError? Answer with a list of
# their names. (`per_item` is called on three numbers, the others on one.)


# %%
def hinge(x):
    if x > 0:
        return x
    return 0 * x


transformed = {
    "slope": jax.grad(hinge),
    "per_item": jax.vmap(hinge),
    "jitted": jax.jit(hinge),
    "jitted_slope": jax.jit(jax.grad(hinge)),
    "slope_of_jitted": jax.grad(jax.jit(hinge)),
}

answer_5 = ...


@exercise
def check_5(answer):
    raising = set()
    for name, f in transformed.items():
        try:
            f(jnp.arange(3.0) if name == "per_item" else 2.0)
        except jax.errors.TracerBoolConversionError:
            raising.add(name)
    given = {answer} if isinstance(answer, str) else set(answer)
    assert given == raising, f"Wrong about {len(given ^ raising)} of them: call them."


check_5(answer_5)

# %% [markdown]
# ## 6. How often does the Python run?
#
# Each of these is made once and then called three times, always with the same kind of argument.
# How often does the Python of `square` run in those calls? Answer with a list of four numbers.


# %%
def square(x):
    return x**2


makers = [jax.grad, jax.vmap, jax.jit, lambda f: jax.jit(jax.grad(f))]

answer_6 = ...


@exercise
def check_6(answer):
    runs = []
    for make in makers:
        python = counted(square)
        f = make(python)
        for value in (1.0, 2.0, 3.0):
            f(jnp.full(3, value) if make is jax.vmap else value)
        runs.append(python.runs)
    assert list(answer) == runs, f"Not {answer!r}: put a print into square."


check_6(answer_6)

# %% [markdown]
# ## 7. An early exit under vmap
#
# A `return` in the middle of a loop needs an answer from Python, and under vmap there is one for
# each row. Write `first_negative`, which gives the same for one row, and works under vmap and jit.


# %%
def first_negative_eager(x):
    """The position of the first negative number in `x`, or its length if there is none."""
    for i, value in enumerate(x):
        if value < 0:
            return i
    return len(x)


first_negative = ...


@exercise
def check_7(answer):
    rows = jnp.array([[1.0, -2.0, -3.0], [4.0, 5.0, 6.0], [-7.0, 8.0, -9.0]])
    wanted = [first_negative_eager(row) for row in rows]
    try:
        yours = jax.jit(jax.vmap(answer))(rows)
    except jax.errors.TracerBoolConversionError:
        raise AssertionError("Python asks a tracer for a value in it.") from None
    np.testing.assert_array_equal(yours, wanted)


check_7(first_negative)

# %% [markdown]
# ## 8. How many traces?
#
# One jitted `attend`, six calls. How many traces?

# %%
calls = [
    lambda f: f(q, k),
    lambda f: f(2 * q, k),
    lambda f: f(q, jnp.ones((5, 8))),
    lambda f: f(np.ones((4, 8), np.float32), k),
    lambda f: f(q, k=k),
    lambda f: f(q.astype(jnp.bfloat16), k),
]

answer_8 = ...


@exercise
def check_8(answer):
    python = counted(attend)
    jitted = jax.jit(python)
    for call in calls:
        call(jitted)
    assert answer == python.runs, f"Not {answer!r}: let JAX explain the misses."


check_8(answer_8)

# %% [markdown]
# ## 9. Trace it once
#
# `total_of_slowly(add, batches)` traces `add` once for each batch. Write `total_of`, which returns
# the same, uses jit, and traces `add` once however many batches there are. Keep the Python loop.


# %%
def add(total, batch):
    return total + batch.sum()


def total_of_slowly(add, batches):
    total = 0.0
    for batch in batches:
        total = jax.jit(lambda total, batch: add(total, batch))(total, batch)
    return total


total_of = ...


@exercise
def check_9(answer):
    batches = [np.full(3, i, np.float32) for i in range(5)]
    python = counted(add)
    np.testing.assert_allclose(answer(python, batches), 30.0)
    tracers = []
    answer(lambda total, batch: tracers.append(total) or add(total, batch), batches)
    under_jit = tracers and isinstance(tracers[0], jax.core.Tracer)
    assert under_jit, "add was not called under jit."
    assert python.runs == 1, f"{python.runs} traces of add: what differs between the calls?"


check_9(total_of)

# %% [markdown]
# ## 10. Pad to buckets
#
# `mean_rows(x)` is wanted for an `x` of any length, but not a trace for each. Write two functions.
#
# - `pad(x)` returns `x`, a NumPy array, with rows of zeros added, as few as lead to a power of two.
# - `mean_of_first(padded, length)` returns the mean of the first `length` rows. It is jitted, and
#   `length` is not static.


# %%
def mean_rows(x):
    return x.mean(axis=0)


pad = ...
mean_of_first = ...


@exercise
def check_10(pad, mean_of_first):
    python = counted(mean_of_first)
    jitted = jax.jit(python)
    for length in range(1, 21):
        x = np.arange(2.0 * length, dtype=np.float32).reshape(length, 2)
        padded = pad(x)
        assert length <= len(padded) < 2 * length, f"{len(padded)} rows are wrong for {length}."
        np.testing.assert_allclose(jitted(padded, length), mean_rows(x), rtol=1e-6)
    assert python.runs == 6, f"{python.runs} traces for 20 lengths, not 6."


check_10(pad, mean_of_first)

# %% [markdown]
# ## Worked solutions
#
# Look only after you have tried.
#
# **1.** Twelve. Two for `q @ k.T`, nine for the softmax, one for the product with `v`.

# %%
solution_1 = 12
check_1(solution_1)
print(*primitives(weighted, q, k, k))

# %% [markdown]
# **2.** Two `mul` and a `neg`. The loop and the `if` ran in Python, at trace time; the `if` asks
# for the number of axes, which a tracer knows.

# %%
solution_2 = ["mul", "mul", "neg"]
check_2(solution_2)
print(jax.make_jaxpr(powers)(jnp.ones(3)))

# %% [markdown]
# **3.** 10.0. The number was written into the trace by the first call, and the second call, with
# an argument of the same shape and dtype, ran that trace again. A call with a new shape reads
# `factor` anew:

# %%
solution_3 = 10.0
check_3(solution_3)
print(scaled(jnp.ones(2)))

# %% [markdown]
# **4.** Let the compiled program choose. The `0` is stretched to the shape of `x`.


# %%
def solution_4(x):
    return jnp.where(x.sum() > 0, x, 0)


check_4(solution_4)
print(jax.make_jaxpr(solution_4)(jnp.ones(3)))

# %% [markdown]
# **5.** All but `slope`. Under `grad` alone the tracer carries a value. Under `vmap` there are
# three values, and with a jit around or inside there is none.

# %%
solution_5 = ["per_item", "jitted", "jitted_slope", "slope_of_jitted"]
check_5(solution_5)

# %% [markdown]
# **6.** `grad` and `vmap` run the Python in each call; they keep nothing. jit does, also around
# `grad`.

# %%
solution_6 = [3, 3, 1, 1]
check_6(solution_6)

# %% [markdown]
# **7.** Look at all numbers, then choose. `argmax` of booleans is the position of the first `True`,
# and 0 if there is none, so that case is asked for. `len(x)` is a Python number, because a tracer
# has a shape.


# %%
def solution_7(x):
    negative = x < 0
    return jnp.where(negative.any(), jnp.argmax(negative), len(x))


check_7(solution_7)
print(jax.vmap(solution_7)(jnp.array([[1.0, -2.0], [3.0, 4.0]])))

# %% [markdown]
# **8.** Four. Other values are no reason for a trace, nor is a NumPy array of the same shape and
# dtype. Five keys, a keyword and another dtype are.

# %%
solution_8 = 4
check_8(solution_8)

# %% [markdown]
# **9.** Jit once, outside the loop, and start with `jnp.float32(0)`. Python's `0.0` has a weak
# type, `jnp.array(0.0)` too, and what `add` returns has not: that would be one more trace.


# %%
def solution_9(add, batches):
    jitted = jax.jit(add)
    total = jnp.float32(0)
    for batch in batches:
        total = jitted(total, batch)
    return total


check_9(solution_9)

# %% [markdown]
# **10.** The mask keeps the padding out of the sum, and `length`, not the number of rows, divides
# it.


# %%
def solution_pad(x):
    rows = 1 << (len(x) - 1).bit_length()
    return np.pad(x, ((0, rows - len(x)), (0, 0)))


def solution_mean(padded, length):
    real = jnp.arange(len(padded)) < length
    return jnp.where(real[:, None], padded, 0).sum(axis=0) / length


check_10(solution_pad, solution_mean)

# %% [markdown]
# ## Where to go next
#
# Change a call and predict, before you run it, whether it is a miss. Then set
# `jax_explain_cache_misses` and see what JAX says.
