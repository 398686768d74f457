"""Run a command while no other that was started like this runs in the same checkout.

    python scripts/alone.py COMMAND ARGUMENT...

Two `make` at once would otherwise write the same files: .venv, site/, site-offline/. The lock is
held on this file, so that nothing has to be cleaned up, and the system lets go of it when the
command ends, however it ends. Where there is no flock (Windows) the command runs as it is.
"""

import os
import subprocess
import sys

try:
    import fcntl
except ImportError:
    sys.exit(subprocess.call(sys.argv[1:]))

lock = os.open(__file__, os.O_RDONLY)
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    print("Waiting for another make in this folder ...", file=sys.stderr, flush=True)
    fcntl.flock(lock, fcntl.LOCK_EX)
os.set_inheritable(lock, True)
os.execvp(sys.argv[1], sys.argv[1:])
