"""The types of a result: what a snippet did when it ran. Typed JSON in and out."""

from typing import Literal

import msgspec

from traced.layers import Lens

Stream = Literal["stdout", "stderr"]
Scalar = bool | int | float | str


class Toolchain(msgspec.Struct, frozen=True):
    """What a snippet ran with: version strings, and the platform its arrays lived on ("cpu")."""

    python: str
    jax: str
    jaxlib: str
    numpy: str
    platform: str


class Chunk(msgspec.Struct, frozen=True):
    """Consecutive text that a cell wrote to one stream."""

    stream: Stream
    text: str


class Frame(msgspec.Struct, frozen=True):
    """A traceback entry inside this repository: path relative to the root, line from 1."""

    path: str
    line: int
    function: str


class Raised(msgspec.Struct, frozen=True):
    """An exception a cell let out: its class name, its message, its frames, outermost first."""

    type: str
    message: str
    frames: tuple[Frame, ...]


class Fact(msgspec.Struct, frozen=True):
    """A value that prose may state, and the line of the snippet that computes it."""

    value: Scalar | tuple[Scalar, ...]
    line: int


class CellResult(msgspec.Struct, frozen=True):
    """What one cell did: its output in order, what it raised, its facts, and its lens."""

    name: str
    output: tuple[Chunk, ...] = ()
    raised: Raised | None = None
    facts: dict[str, Fact] = {}
    lens: Lens | None = None


class Run(msgspec.Struct, frozen=True):
    """What one snippet did, in one process: its cells in order, and what it ran with.

    `imported` names the files of this repository that the run read, relative to the root, each
    with the SHA-256 digest of its bytes (hexadecimal); "" for one that it looked for in vain.
    """

    snippet: str
    cells: tuple[CellResult, ...]
    toolchain: Toolchain
    imported: dict[str, str] = {}

    def cell(self, name: str) -> CellResult:
        """The result of the cell of that name; raises KeyError when there is none."""
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(name)
