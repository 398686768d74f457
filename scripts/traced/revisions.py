"""What was committed, as a project beside the one that is being worked on."""

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from traced.project import Project


class RevisionError(Exception):
    """There is no such revision, or no repository; the message is what git says."""


@contextmanager
def committed(project: Project, revision: str) -> Iterator[Project]:
    """The project as it was at a revision: in a folder of its own, with the cache of this one.

    Raises RevisionError.
    """
    name = f"{revision}^{{commit}}"
    try:
        commit = _git(project.root, "rev-parse", "--verify", "--end-of-options", name)
    except RevisionError as error:
        raise RevisionError(f"no revision {revision!r}: {error}") from error
    files = _git(project.root, "archive", "--format=tar", commit.decode().strip())
    with tempfile.TemporaryDirectory(prefix="traced-") as folder:
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extractall(folder, filter="data")
        then = Project(Path(folder))
        then.cache = project.cache
        yield then


def _git(root: Path, *arguments: str) -> bytes:
    try:
        return subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True).stdout
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip()
        raise RevisionError(said or str(error)) from error
    except OSError as error:
        raise RevisionError(f"git cannot be run: {error.strerror}") from error
