"""Make .venv: the packages of requirements.txt, this package editable, bytecode for all of it.

    python scripts/bootstrap.py

`make` runs this when .venv/stamp is older than requirements.txt or pyproject.toml, or not there.
It needs nothing but Python 3.12. The environment is made from nothing when the pins, the Python or
the folder have changed, or when the last attempt did not get to its end; when only pyproject.toml
has changed, this package alone is installed again.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "stamp"
VERSION = sys.version.split()[0]

# What pip writes when a server does not answer, whatever it then concludes from that.
NO_NETWORK = ("connection broken by", "ConnectTimeoutError", "NameResolutionError", "ProxyError")


def main() -> None:
    """Bring .venv up to date; exits with a sentence that says what to do when that fails."""
    if sys.version_info < (3, 12):  # noqa: UP036 - this file meets older ones too
        sys.exit(
            f"Python 3.12 or newer is needed, and this is {VERSION}: install one from "
            "https://www.python.org/downloads/, and run this again with it."
        )
    packages = digest((ROOT / "requirements.txt").read_bytes(), sys.version.encode(), bytes(ROOT))
    stamp = f"{packages}\n{digest((ROOT / 'pyproject.toml').read_bytes())}\n"
    found = STAMP.read_text() if STAMP.exists() and PYTHON.exists() else ""
    if found == stamp:
        STAMP.touch()
        return
    # From here on a killed attempt leaves no stamp, and so the next one starts from nothing.
    STAMP.unlink(missing_ok=True)
    if not found.startswith(packages):
        print(f"Making .venv with Python {VERSION}: a minute or two, once.", flush=True)
        make_venv()
        pip("install", "--require-hashes", "--requirement", "requirements.txt")
    pip("install", "--no-deps", "--no-build-isolation", "--editable", ".")
    compile_bytecode()
    STAMP.write_text(stamp)


def digest(*parts: bytes) -> str:
    """The SHA-256 of the parts, each told apart from the next, in hexadecimal."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def make_venv() -> None:
    """Put an environment with nothing but pip in place of any .venv there is."""
    try:
        import ensurepip  # noqa: F401 - Debian's python3 comes without it
    except ImportError:
        sys.exit(
            f"Python {VERSION} cannot make a virtual environment here: install what Debian and "
            f"Ubuntu keep apart, with `sudo apt install python3.{sys.version_info.minor}-venv`, "
            "and run the same command again."
        )
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)


def pip(*arguments: str) -> None:
    """Run pip in .venv, silently if it succeeds; exits with a sentence if it does not."""
    command = [str(PYTHON), "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    # With the descriptors goes the lock that scripts/alone.py holds: pip may outlive this process.
    result = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, close_fds=False)
    if result.returncode == 0:
        return
    if any(sign in result.stderr for sign in NO_NETWORK):
        sys.exit(
            "The Python package index cannot be reached: check the network (and HTTPS_PROXY and "
            "PIP_INDEX_URL, if they are set), and run the same command again."
        )
    sys.exit(
        f"{result.stderr.strip()}\n\nThe reason that pip gives is above: packages that are pinned "
        f"in requirements.txt could not be installed for Python {VERSION}."
    )


def compile_bytecode() -> None:
    """Write every .pyc that is missing: importing jax without them takes three times as long.

    They are missing when PYTHONDONTWRITEBYTECODE is set. A few packages have .py files that are
    templates and cannot be compiled, so failures are passed over.
    """
    subprocess.run([str(PYTHON), "-m", "compileall", "-qq", "-j", "0", str(VENV)])


if __name__ == "__main__":
    main()
