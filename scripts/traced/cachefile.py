"""Files of the cache: written whole or not at all, and read only if nothing has damaged them."""

import hashlib
import os
import tempfile
from pathlib import Path


def write(file: Path, body: bytes) -> None:
    """Write `body`, below a line with its digest. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".", delete=False) as temporary:
        try:
            temporary.write(digest(body).encode() + b"\n" + body)
            temporary.close()
            os.replace(temporary.name, file)
        except BaseException:
            Path(temporary.name).unlink(missing_ok=True)
            raise


def read(file: Path) -> bytes | None:
    """What `write` wrote there; None where it is not there, or is not what was written."""
    try:
        stored, _, body = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    return body if stored == digest(body).encode() else None


def digest(body: bytes) -> str:
    """SHA-256, hexadecimal."""
    return hashlib.sha256(body).hexdigest()
