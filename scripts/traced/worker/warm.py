"""What is done before a snippet is there to run, so that the snippet need not wait for it.

Three stages: importing jax; filling its caches in the fork server, where no backend may start (a
child forked after one has started hangs when it uses a device); and starting a backend in a
child that was forked ahead of its job. None of it may show in a snippet's output: whatever was
traced here is forgotten again.
"""

import glob
import importlib
import logging
import os
import warnings


def import_jax() -> None:
    """Import jax; its source locations will pass over the frames of this package."""
    importlib.import_module("jax.numpy")
    try:
        # Not by way of jax.extend: importing that changes the context that traces are cached by,
        # and a snippet that does so itself must see it happen.
        from jax._src import source_info_util

        for file in glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "*.py")):
            source_info_util.register_exclusion(file)
        source_info_util.register_exclusion("<frozen runpy>")  # `python -m` itself
        source_info_util.is_user_filename(__file__)  # so that it compiles its patterns here
    except (ImportError, AttributeError):
        pass  # a version without it: locations then start with a frame of this package
    # The compilation cache is ours, not the snippet's: a damaged or read-only one is no news.
    warnings.filterwarnings("ignore", message="Error (reading|writing) persistent compilation")
    for name in ("jax._src.compiler", "jax._src.compilation_cache"):
        logging.getLogger(name).addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """False for what jax logs of the compilation cache that the build has set up."""
    import jax

    ours = os.environ.get("JAX_COMPILATION_CACHE_DIR") == jax.config.jax_compilation_cache_dir
    return not (ours and "persistent" in str(record.msg).lower())


def without_backend() -> bool:
    """Load what tracing needs: MLIR's dialects, and code that jax loads when first used.

    Returns whether this process may still fork.
    """
    import jax
    import jax.numpy as jnp

    importlib.import_module("traced.worker.lens")
    try:
        from jax._src.interpreters import mlir

        mlir.make_ir_context()
        importlib.import_module("jaxlib.mlir.dialects.builtin")
        _find_plugins()
        x = jax.ShapeDtypeStruct((3, 3), jnp.float32)
        jax.make_jaxpr(lambda x: jax.nn.softmax(x @ x))(x)
        jax.make_jaxpr(jax.grad(lambda x: jnp.tanh(x).sum()))(x)
        jax.make_jaxpr(lambda x: jax.lax.scan(lambda c, y: (c + y, c), x[0], x))(x)
    except Exception as error:  # internals move; to do without costs time, not correctness
        warnings.warn(f"the fork server starts cold: {type(error).__name__}: {error}", stacklevel=1)
    jax.clear_caches()
    return not _backend_started()


def _find_plugins() -> None:
    """Have jax look through all installed packages for platforms, if it would find none.

    Each child would look for itself, a tenth of its time. A plugin that is there is left to the
    children: it may start threads.
    """
    from importlib import metadata

    from jax._src import xla_bridge

    if not xla_bridge.jax_plugins and not metadata.entry_points(group="jax_plugins"):
        xla_bridge._discover_and_register_pjrt_plugins()


def with_backend() -> None:
    """In a child: start the backend, and compile once so that LLVM is loaded."""
    import jax
    import jax.numpy as jnp

    jax.jit(lambda x: jnp.sum(x * 2 + 1))(jnp.arange(3.0)).block_until_ready()
    jax.clear_caches()


def _backend_started() -> bool:
    try:
        from jax._src import xla_bridge

        return bool(xla_bridge.backends_are_initialized())
    except (ImportError, AttributeError):
        return True  # not known: better no fork than one that hangs
