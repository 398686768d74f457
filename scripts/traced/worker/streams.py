"""Standard streams that can be cut into cells afterwards.

File descriptors 1 and 2 go to files of the job, so that text written by C++ is caught as well.
At every boundary the same mark is written to both files; between two marks lies what was
written to each stream in between. A mark is also written when Python code turns from one stream
to the other, which keeps the order of what the two received. A mark holds a nonce of the job:
nothing that a snippet prints can be taken for one.
"""

import ctypes
import io
import os
import sys
from typing import NoReturn


def mark_bytes(nonce: str, label: str) -> bytes:
    """A mark as it stands in the files; `label` is "begin:0", "end:0" or "turn"."""
    return f"\0{nonce}:{label}\0".encode()


class Streams:
    """sys.stdout and sys.stderr of this process, over file descriptors 1 and 2."""

    def __init__(self) -> None:
        self._nonce = ""
        # Own descriptors of the two files: a snippet may close 1 and 2.
        self._marked: list[int] = []
        self._writer: _Stream | None = None
        sys.stdout = self.stdout = _Stream(1, self)
        sys.stderr = self.stderr = _Stream(2, self)
        vars(sys).update(__stdout__=self.stdout, __stderr__=self.stderr)

    def open(self, directory: str, nonce: str) -> None:
        """Send both streams to files in `directory`, and read nothing from standard input."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        files = [os.open(os.path.join(directory, name), flags) for name in ("stdout", "stderr")]
        for descriptor, file in zip((1, 2), files, strict=True):
            os.dup2(file, descriptor)
        # Not readable at all, rather than empty: reading must fail, not go unnoticed.
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdin = _NoInput()
        self._marked = files
        self._nonce = nonce

    def mark(self, label: str) -> None:
        """Flush what was written so far, by Python and by C, and set a mark behind it."""
        self.flush()
        for file in self._marked:
            os.write(file, mark_bytes(self._nonce, label))

    def silence(self) -> None:
        """Let nothing that is written from now on be seen."""
        self.flush()
        nothing = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):
            os.dup2(nothing, descriptor)
        os.close(nothing)

    def flush(self) -> None:
        """Flush both streams, whatever sys.stdout and sys.stderr are now, and C's buffers."""
        for stream in {
            id(s): s for s in (self.stdout, self.stderr, sys.stdout, sys.stderr)
        }.values():
            try:
                stream.flush()
            except (AttributeError, OSError, ValueError):
                pass  # the snippet closed or replaced it; what it wrote before is in the file
        if os.name == "posix":
            ctypes.CDLL(None).fflush(None)

    def turn_to(self, stream: "_Stream") -> None:
        """Called before `stream` is written to: a mark where the other one was written last."""
        if self._writer is not stream:
            if self._writer is not None and self._marked:
                self.mark("turn")
            self._writer = stream


class _Stream(io.TextIOWrapper):
    def __init__(self, descriptor: int, streams: Streams):
        self._streams = streams
        raw = io.BufferedWriter(io.FileIO(descriptor, "wb", closefd=False))
        # A line at a time: C and child processes write to the same files, and what stays in a
        # buffer is lost when the process dies.
        super().__init__(
            raw, encoding="utf-8", errors="surrogateescape", newline="\n", line_buffering=True
        )

    def write(self, text: str) -> int:
        self._streams.turn_to(self)
        return super().write(text)


class _NoInput(io.TextIOBase):
    def readable(self) -> bool:
        return True

    def _refuse(self, *_: object) -> NoReturn:
        raise OSError("a snippet has no standard input to read")

    read = readline = readlines = __next__ = fileno = _refuse
