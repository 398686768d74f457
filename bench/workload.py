"""The programs and the prose that every benchmark site is made of.

Ten kinds of small JAX program, as chapters have them: what tracing shows, what lowering shows, an
error, and numbers. Sizes differ from program to program, so that none finds the compiled code of
another; a site's own programs differ too.
"""

#: What an edit changes, and what a page then shows; the number goes up with each edit.
PROSE_LINE = "This sentence is of edition 0."
SNIPPET_LINE = 'print("revision 0")'
NUMBERED = {"prose": r"\bedition (\d+)", "snippet": r"\brevision (\d+)"}

_IMPORTS = "import jax\nimport jax.numpy as jnp\n"

_KINDS = [
    # a jaxpr of attention
    (
        "def attention(query, keys, values):\n"
        "    weights = jax.nn.softmax(query @ keys.T / {d} ** 0.5)\n"
        "    return weights @ values\n",
        "rows = jnp.ones(({n}, {d}))\nprint(jax.make_jaxpr(attention)(rows, rows, rows))\n",
    ),
    # a gradient, and its shapes without running it
    (
        "def error(weights, inputs, targets):\n"
        "    outputs = jnp.tanh(inputs @ weights)\n"
        "    return jnp.mean((outputs - targets) ** 2)\n",
        "arguments = jnp.ones({d}), jnp.ones(({n}, {d})), jnp.zeros({n})\n"
        "print(jax.make_jaxpr(jax.grad(error))(*arguments))\n"
        "print(jax.eval_shape(jax.grad(error), *arguments))\n",
    ),
    # one program before and after vmap
    (
        "def dot(left, right):\n    return jnp.dot(left, right)\n",
        "vector, matrix = jnp.ones({d}), jnp.ones(({n}, {d}))\n"
        "print(jax.make_jaxpr(dot)(vector, vector))\n"
        "print(jax.make_jaxpr(jax.vmap(dot, in_axes=(None, 0)))(vector, matrix))\n",
    ),
    # a loop that is one equation
    (
        "def step(state, row):\n"
        "    state = jnp.tanh(state + row)\n"
        "    return state, jnp.sum(state)\n",
        "rows = jnp.ones(({n}, {d}))\n"
        "print(jax.make_jaxpr(lambda r: jax.lax.scan(step, jnp.zeros({d}), r))(rows))\n",
    ),
    # StableHLO
    (
        "@jax.jit\ndef layer(inputs, weights):\n    return jax.nn.relu(inputs @ weights)\n",
        "inputs, weights = jnp.ones(({n}, {d})), jnp.ones(({d}, 4))\n"
        "print(layer.lower(inputs, weights).as_text())\n",
    ),
    # an error that is the point
    (
        "@jax.jit\ndef magnitude(x):\n    if jnp.sum(x) < 0:\n        return -x\n    return x\n",
        "try:\n"
        "    magnitude(jnp.ones({d}))\n"
        "except jax.errors.TracerBoolConversionError as error:\n"
        "    print(type(error).__name__, str(error).splitlines()[0], sep=': ')\n",
    ),
    # numbers, operation by operation
    (
        "steps = jnp.arange({n}.0)\nkept = jnp.where(steps > 1, steps * {d}, 0)\n",
        "print(kept)\nprint(float(jnp.sum(kept)))\n",
    ),
    # what is traced once, and what again
    (
        "@jax.jit\ndef scale(x):\n    print('traced with', x)\n    return {d} * x\n",
        "for start in (0.0, 1.0, 0):\n"
        "    scale(start + jnp.arange({n}, dtype=type(start)))\n"
        "print(scale._cache_size(), 'programs')\n",
    ),
    # branches, and their derivative
    (
        "def bend(x):\n    return jax.lax.cond(jnp.sum(x) > {d}, jnp.sin, lambda y: {d} * y, x)\n",
        "x = jnp.ones({n})\n"
        "print(jax.make_jaxpr(bend)(x))\n"
        "print(jax.make_jaxpr(lambda x: jax.jvp(bend, (x,), (x,)))(x))\n",
    ),
    # a compiled function that runs
    (
        "def energy(x):\n    return {d} * jnp.sum(jnp.cos(x) ** 2)\n",
        "value, slope = jax.jit(jax.value_and_grad(energy))(jnp.linspace(0.0, 1.0, {n}))\n"
        "print('energy', value)\nprint('slope', slope)\n",
    ),
]

_OPENING = """\
A program for JAX starts as a Python function, and *tracing* makes a jaxpr of it: each equation of
that text applies one primitive to what stands before it. What follows looks at a few of them, with
`code between backticks`, [a link](https://docs.jax.dev/) and **one thing that matters**.
"""

_SECTION = """\
Guess what comes out before you read on. The program below is short, and each line of the output
has its reason in the program.

- What is known while tracing is a Python value, and shapes and dtypes are among it.
- What is not known yet is a tracer; its aval stands behind its name in the jaxpr.
- What comes after lowering is StableHLO, which the compiler then takes apart.
"""


def cells(number: int) -> list[tuple[str, str]]:
    """The two cells of program `number`, counted from 0: name and source."""
    round_, kind = divmod(number, len(_KINDS))
    sizes = {"n": 3 + round_, "d": 4 + round_ + number % 3}
    define, show = (_fill(source, sizes) for source in _KINDS[kind])
    return [("define", f"{_IMPORTS}\n{define}"), ("show", show)]


def opening(edited: bool) -> str:
    """How each page begins; the one whose prose is edited has a sentence more."""
    return _OPENING + (f"\n{PROSE_LINE}\n" if edited else "")


def section(title: str, block: str) -> str:
    """A section of a page around what shows a program."""
    return f"## {title}\n\n{_SECTION}\n{block}\n"


def _fill(source: str, sizes: dict[str, int]) -> str:
    # Not str.format: programs may have braces of their own.
    for name, size in sizes.items():
        source = source.replace(f"{{{name}}}", str(size))
    return source
