"""What a snippet gets to see, and what it leaves to the next."""

import os
from collections.abc import Callable
from pathlib import Path

from traced.project import WORKER
from traced.runner import Runner

from .conftest import Run, Site
from .outcomes import fault, said

# Set before any test runs, and so before the shared fork server starts.
os.environ["TRACED_TEST_TOKEN"] = "s3cret"


def test_nothing_of_the_builder_s_environment_is_visible(run: Run) -> None:
    text = """\
# %% a
import os, pathlib, subprocess, sys
print(dict(os.environ), pathlib.Path.home(), os.path.expanduser("~"))
print(subprocess.run(["env"], capture_output=True, text=True).stdout)
for who in ("self", os.getppid()):
    print(pathlib.Path(f"/proc/{who}/environ").read_bytes())
    print(pathlib.Path(f"/proc/{who}/cmdline").read_bytes())
"""
    assert os.environ["TRACED_TEST_TOKEN"] == "s3cret"
    output = said(run(text))
    assert "s3cret" not in output and "TRACED" not in output
    assert "'HOME': '/dev/null'" in output


def test_the_environment_is_the_same_everywhere(run: Run) -> None:
    text = """\
# %% a
import locale, os, sys, time
print(hash("a") == hash("a"), sys.flags.utf8_mode, time.tzname[0], os.environ["PYTHONHASHSEED"])
print(os.getcwd(), os.listdir(), sys.argv, os.environ["JAX_PLATFORMS"], sys.stdout.encoding)
"""
    assert said(run(text)) == "True 1 UTC 0\n. [] ['snippets/c/a.py'] cpu utf-8\n"


def test_each_snippet_works_in_an_empty_directory_of_its_own(
    site: Site, runner_for: Callable[[Path], Runner], tmp_path: Path
) -> None:
    text = (
        "# %% a\nimport os\nprint(os.listdir())\nopen('x', 'w').write('x')\n# %% b\nos.chdir('/')\n"
    )
    root = site({f"snippets/c/{name}.py": text for name in "ab"})
    runner = runner_for(root)
    for outcome in [future.result() for future in runner.start(["c/a", "c/b"]).values()]:
        assert said(outcome) == "[]\n"
    assert not list(root.rglob("x"))


def test_a_snippet_s_modules_are_its_own(site: Site, runner_for: Callable[[Path], Runner]) -> None:
    """Its folder comes first, then snippets/; the package that builds is not in the way."""
    root = site(
        {
            "snippets/c/a.py": "# %% a\nimport near, far, sys\nprint(near.x, far.x, sys.path)\n",
            "snippets/c/near.py": "x = 'near'\n",
            "snippets/near.py": "x = 'wrong'\n",
            "snippets/far.py": "x = 'far'\n",
        }
    )
    output = said(runner_for(root).start(["c/a"])["c/a"].result())
    assert output.startswith("near far ['snippets/c', 'snippets', ")
    assert str(WORKER.parent.parent) not in output


def test_a_snippet_leaves_nothing_to_the_next(run: Run) -> None:
    text = (
        "# %% a\nimport jax, os, sys\nprint(jax.numpy.__dict__.get('mark'), os.environ.get('M'))\n"
    )
    change = (
        "jax.numpy.mark = 1\nos.environ['M'] = '1'\njax.config.update('jax_enable_x64', True)\n"
    )
    show = "print(jax.numpy.arange(1.0).dtype)\n"
    assert said(run(text + change + show, "c/a")) == "None None\nfloat64\n"
    assert said(run(text + show, "c/b")) == "None None\nfloat32\n"


def test_devices(run: Run) -> None:
    code = "# %% a\nimport jax\nprint(len(jax.devices()))\n"
    assert said(run("# traced: devices=8\n" + code)) == "8\n"
    assert said(run(code, "c/b")) == "1\n"


def test_variables_are_there_when_jax_is_imported(run: Run) -> None:
    text = """\
# traced: devices=2 env="JAX_ENABLE_X64=1 XLA_FLAGS=--xla_cpu_enable_fast_math=true"
# %% a
import os, jax, jax.numpy as jnp
print(jnp.arange(1.0).dtype, len(jax.devices()), os.environ["XLA_FLAGS"], os.getcwd())
"""
    flags = "--xla_cpu_enable_fast_math=true --xla_force_host_platform_device_count=2"
    assert said(run(text)) == f"float64 2 {flags} .\n"


def test_a_variable_that_jax_refuses_is_told_with_its_words(run: Run) -> None:
    outcome = run('# traced: env="JAX_ENABLE_X64=perhaps"\n# %% a\nprint(1)\n')
    assert (
        fault(outcome) == "snippets/c/a.py:1: the worker failed before the first cell (exit code 1)"
    )
    assert "perhaps" in outcome.diagnostics[0].detail
