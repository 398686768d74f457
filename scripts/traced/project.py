"""Where things are in a Traced repository, and what it runs snippets with."""

import functools
import hashlib
import sys
from importlib import metadata
from pathlib import Path

from traced.runs import Toolchain

#: The directory of the code that runs inside a snippet's process.
WORKER = Path(__file__).parent / "worker"

#: The rest of the code that a stored run depends on: how it is started, read back and cleaned.
_READERS = ("workers.py", "transcript.py", "clean.py", "snippets.py", "runs.py", "layers.py")


class Project:
    """A repository with docs/ and snippets/, and a cache that may be deleted at any time."""

    def __init__(self, root: Path):
        self.root = root.resolve()
        self.docs = self.root / "docs"
        self.snippets = self.root / "snippets"
        self.cache = self.root / ".cache" / "traced"


@functools.cache
def toolchain() -> Toolchain:
    """What this interpreter would run snippets with, from the installed metadata: no import."""
    version = metadata.version
    python = sys.version.split()[0]
    return Toolchain(python, version("jax"), version("jaxlib"), version("numpy"), "cpu")


@functools.cache
def worker_digest() -> str:
    """SHA-256 of the code that makes a run, hexadecimal: a result is only as good as that."""
    digest = hashlib.sha256()
    for file in [*sorted(WORKER.glob("*.py")), *(WORKER.parent / name for name in _READERS)]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
