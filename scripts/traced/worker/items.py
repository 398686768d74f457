"""What the text of a layer consists of: operations or instructions, and where each one stands."""

from dataclasses import dataclass, field
from typing import NamedTuple


class Place(NamedTuple):
    """A position in a source file, as the compiler recorded it: line from 1, byte column from 0."""

    file: str
    line: int
    column: int


class Piece(NamedTuple):
    """A part of one line of a text: its index, and characters from `start` up to `end`."""

    line: int
    start: int
    end: int


@dataclass
class Item:
    """One operation, instruction or function in a text.

    `path` is the name it was lowered under, `place` the innermost source position; `group` is the
    function or computation it stands in, `calls` are those it names; `text` is its first line.
    """

    opcode: str
    name: str
    group: str
    text: str
    path: str = ""
    place: Place | None = None
    calls: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)


@dataclass
class Group:
    """A function or computation, and the indices of its first and last line."""

    name: str
    first: int
    last: int


class Parsed(NamedTuple):
    """A text to be shown, its items in order of appearance, its functions or computations.

    An item's group is the name of one of `groups`, or "" where it stands in none.
    """

    text: str
    items: list[Item]
    groups: list[Group]


def piece(number: int, line: str) -> Piece:
    """All of a line but the blanks around it."""
    return Piece(number, len(line) - len(line.lstrip()), len(line.rstrip()))


def end_of(text: str, start: int) -> int:
    """Index after the bracket that closes the one at `start`; brackets in strings don't count.

    len(text) where none does.
    """
    depth = 0
    index = start
    while index < len(text):
        character = text[index]
        if character == '"':
            index = end_of_string(text, index)
            continue
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth:
                return index + 1
        index += 1
    return index


def end_of_string(text: str, start: int) -> int:
    """Index after the string literal that begins at `start`."""
    index = start + 1
    while index < len(text) and text[index] != '"':
        index += 2 if text[index] == "\\" else 1
    return index + 1
