"""What the characters of a layer's text are: names, types, attributes, as ranges.

The ranges are sorted and do not overlap. Types and attributes are such that the text reads well
without them: ": tensor<4x8xf32>", "[axes=(1,)]", ", dimensions={0}".
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String

What = Literal["op", "type", "attribute", "definition", "use", "c1", "k", "s", "mi", "nf", "nd"]

# StableHLO: what begins the attributes of an operation, and what ends them.
_ATTRIBUTES = re.compile(r"(?:,| across| attributes)? (?:[a-z_][\w.]* ?= ?(?!%)|[{<](?=·))")
_BODY = re.compile(r" \(%| \(\{$| \{$")
# HLO: the shape of a result, and the attributes that stay, because they name computations.
_SHAPE = re.compile(r" = (\(.*?\) |\S+ )(?=[a-z][\w-]*\()")
_CALLS = re.compile(r"=\{?%")
_HEADER = re.compile(r"(?:ENTRY )?%?[\w.-]+( \(.*\) -> .*)(?= \{$)")

_COLOURS: tuple[tuple[Any, What], ...] = (
    (Comment, "c1"),
    (Keyword, "k"),
    (String, "s"),
    (Number, "mi"),
    (Name.Function, "nf"),
    (Name.Decorator, "nd"),
)


class Mark(NamedTuple):
    """Characters from `start` to `end` of a text, and what they are."""

    start: int
    end: int
    what: What


class _Token(NamedTuple):
    start: int
    type: Any
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def of_python(text: str) -> list[Mark]:
    """The tokens of Python source that have a colour; what they are is Pygments' class for it."""
    return [
        Mark(token.start, token.end, what)
        for token in _tokens(text, "python")
        for kind, what in _COLOURS
        if token.type in kind
    ]


def of_layer(text: str, kind: str) -> list[Mark]:
    """The ranges of a jaxpr ("jaxpr"), of StableHLO ("stablehlo") or of HLO ("hlo")."""
    tokens = _tokens(text, kind)
    if kind == "jaxpr":
        ranges = [*_jaxpr_attributes(text, tokens)]
    else:
        ranges = [*_in_lines(text, _stablehlo_line if kind == "stablehlo" else _hlo_line)]
    taken = iter(sorted(ranges))
    following = next(taken, None)
    marks: list[Mark] = []
    for token in tokens:
        while following and following.end <= token.start:
            marks.append(following)
            following = next(taken, None)
        if not following or token.end <= following.start:
            mark = _token_mark(text, token, kind)
            if mark and (not marks or marks[-1].end <= mark.start):
                marks.append(mark)
    return marks + ([following] if following else []) + [*taken]


def _token_mark(text: str, token: _Token, kind: str) -> Mark | None:
    """What a token outside of the larger ranges is; a type takes the colon before it along."""
    if token.type in Name.Function:
        return Mark(token.start, token.end, "op")
    if token.type in Keyword.Type and kind != "hlo":
        colon = re.search(r": ?$", text[max(0, token.start - 2) : token.start])
        return Mark(token.start - len(colon[0]), token.end, "type") if colon else None
    if token.type in Name.Variable:
        defined = text.startswith((":", " = "), token.end)
        return Mark(token.start, token.end, "definition" if defined else "use")
    return None


def _tokens(text: str, language: str) -> list[_Token]:
    tokens, start = [], 0
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    for kind, value in lexer.get_tokens(text):
        tokens.append(_Token(start, kind, value))
        start += len(value)
    return tokens


def _jaxpr_attributes(text: str, tokens: list[_Token]) -> Iterator[Mark]:
    """The parameters of equations; where there is a jaxpr among them, each of the others."""
    opened: list[tuple[str, int, list[int], bool]] = []  # bracket, start, parameters, of an op
    lambdas: list[int] = []
    applied = False  # whether the token before is an op
    for token in tokens:
        if token.text in ("[", "(", "{"):
            opened.append((token.text, token.start, [], applied))
        elif token.text in ("]", ")", "}") and opened:
            _, start, parameters, of_op = opened.pop()
            if of_op and not any(start < other for other in lambdas):
                yield Mark(start, token.end, "attribute")
            elif of_op:
                yield from _without_jaxprs(text, [*parameters, token.start], lambdas)
        elif token.type in Name.Attribute and opened:
            opened[-1][2].append(token.start)
        elif token.text == "lambda":
            lambdas.append(token.start)
        applied = token.type in Name.Function


def _without_jaxprs(text: str, starts: list[int], lambdas: list[int]) -> Iterator[Mark]:
    """Of the parameters that begin at `starts`, those without a jaxpr, with the lines they fill."""
    for start, end in pairwise(starts):
        indent = len(text[:start]) - len(text[:start].rstrip(" "))
        if not any(start < other < end for other in lambdas):
            stop = len(text[:end].rstrip(" "))
            yield Mark(start - indent, stop, "attribute")


def _in_lines(text: str, read: Callable[[str], Iterable[tuple[int, int, What]]]) -> Iterator[Mark]:
    """What `read` finds in each line."""
    start = 0
    for line in text.split("\n"):
        for first, last, what in read(line):
            yield Mark(start + first, start + last, what)
        start += len(line) + 1


def _stablehlo_line(line: str) -> Iterator[tuple[int, int, What]]:
    """The attributes of an operation, and the types at its end."""
    flat = _flat(line)
    types = min((i for i in (flat.find(" : "), flat.find(" -> ")) if i >= 0), default=len(line))
    if match := _ATTRIBUTES.search(flat):
        body = _BODY.search(line, match.end())
        end = min(types, body.start() if body else len(line))
        yield match.start(), end, "attribute"
    if types < len(line):
        yield types, len(line.removesuffix(" {")), "type"


def _hlo_line(line: str) -> Iterator[tuple[int, int, What]]:
    """The shape of an instruction's result and its attributes; the signature of a computation."""
    if header := _HEADER.match(line):
        yield *header.span(1), "type"
    elif line.startswith("HloModule"):
        yield line.find(","), len(line), "attribute"
    elif shape := _SHAPE.search(line):
        yield *shape.span(1), "type"
        flat = _flat(line)
        commas = [i for i, c in enumerate(flat) if c == "," and i > shape.end()] + [len(line)]
        for start, end in pairwise(commas):
            if not _CALLS.search(line, start, end):
                yield start, end, "attribute"


def _flat(line: str) -> str:
    """The line with a dot for each character that stands inside brackets or a string."""
    depth, quoted, flat = 0, False, []
    for before, character in zip(" " + line, line, strict=False):
        quoted ^= character == '"'
        closing = character in ")]}" or (character == ">" and before != "-")
        if closing and not quoted:
            depth = max(0, depth - 1)
        flat.append("·" if depth or quoted else character)
        if character in "([{<" and not quoted:
            depth += 1
    return "".join(flat)
