"""What XLA's passes leave behind: shared by the snippets that follow them."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import jax
from jax.experimental.compilation_cache import compilation_cache

from hlo_text import PLAIN

# An executable that comes from JAX's compilation cache runs no passes. A process that has
# compiled something before has made up its mind about the cache: reset_cache asks it again.
jax.config.update("jax_enable_compilation_cache", False)
compilation_cache.reset_cache()

_STATE = re.compile(r"\.\d{4}\.(.+)\.after_(.+)\.before_.+\.txt$")
_OBJECT = re.compile(r"\.obj-file\.(\w+_kernel)_module\.o$")


class State(NamedTuple):
    """The module as HLO text, untrimmed, the pass that left it so, and that pass's pipeline."""

    name: str
    text: str
    pipeline: str


def states(lowered: jax.stages.Lowered) -> list[State]:
    """Compile `lowered`; return the module as it was at first, and after each pass.

    XLA writes a numbered file after each pass that says it changed something, and one at the
    start of each pipeline. Of the latter only the first counts: the others repeat a module.
    """
    with TemporaryDirectory() as folder:
        lowered.compile(PLAIN | {"xla_dump_to": folder, "xla_dump_hlo_pass_re": ".*"})
        files = sorted(Path(folder).iterdir())
        found = [State(m[2], f.read_text(), m[1]) for f in files if (m := _STATE.search(f.name))]
    later = [state for state in found[1:] if state.name != "pipeline-start"]
    return [found[0]._replace(name="none yet"), *later]


def kernels(lowered: jax.stages.Lowered) -> list[str]:
    """Compile `lowered`; return the names of the kernels it becomes, from their object files."""
    with TemporaryDirectory() as folder:
        lowered.compile(PLAIN | {"xla_dump_to": folder})
        found = (_OBJECT.search(file.name) for file in Path(folder).iterdir())
        return sorted(match[1] for match in found if match)
