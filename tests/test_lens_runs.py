"""Lenses as the runner gets them: recorded beside a cell, without a trace of it in the output."""

from collections.abc import Callable
from pathlib import Path

from traced.runner import Outcome, Runner

SNIPPET = """\
# %% scale lens="scale(x)"
import jax
import jax.numpy as jnp


def scale(x):
    print("tracing")
    return jnp.sin(x) * 2


x = jnp.ones(3)

# %% run
jax.jit(scale)(x)

# %% whole
print(jax.jit(scale).lower(x).compile().as_text())
"""


def outcome(root: Path, runner_for: Callable[[Path], Runner], *, again: bool = False) -> Outcome:
    return runner_for(root).start(["c/a"], again=again)["c/a"].result()


def test_a_lens_is_recorded_and_leaves_the_output_alone(
    site: Callable[..., Path], runner_for: Callable[[Path], Runner]
) -> None:
    run = outcome(site({"snippets/c/a.py": SNIPPET}), runner_for).run
    assert run
    lens = run.cell("scale").lens
    assert lens
    assert [layer.kind for layer in lens.layers] == ["jaxpr", "stablehlo", "hlo"]
    assert [e.primitive for e in lens.equations] == ["sin", "mul"]
    assert not run.cell("scale").output
    assert run.cell("run").output[0].text == "tracing\n"


def test_an_executable_says_the_same_whatever_was_compiled_before(
    site: Callable[..., Path], runner_for: Callable[[Path], Runner]
) -> None:
    root = site({"snippets/c/a.py": SNIPPET.replace("* 2", "* 17")})
    assert not outcome(root, runner_for).diagnostics
    assert not outcome(root, runner_for, again=True).diagnostics


def test_a_lens_on_no_call_is_reported(
    site: Callable[..., Path], runner_for: Callable[[Path], Runner]
) -> None:
    root = site({"snippets/c/a.py": SNIPPET.replace('lens="scale(x)"', 'lens="scale"')})
    (fault,) = outcome(root, runner_for).diagnostics
    assert str(fault).startswith("snippets/c/a.py:1: no lens on 'scale': ValueError: ")
