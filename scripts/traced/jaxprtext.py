"""The text of a jaxpr, read back: which primitive is applied to what, and what that yields.

The grammar was read off the text that JAX 0.8 to 0.12 print. Of the parameters of an equation only
the jaxprs are read, everything else in them stays text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

_TOKEN = re.compile(
    r"\n[ \t]*|[^\S\n]+"
    r"|(?<=\s)# .*"  # where an equation comes from
    r"|\bfmt=.*"  # what jax.debug.print was given: anything, to the end of the line
    r"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
    r"|[\[\](){};,]|[^\s\[\](){};,'\"]+|."
)
_PAIRS = {"]": "[", ")": "(", "}": "{"}
_BINDER = re.compile(r"(_|[a-z]+)(?::(\S.*))?", re.S)
_PRIMITIVE = re.compile(r"[A-Za-z_]")
_KEY = re.compile(r"([A-Za-z_]\w*)=(?!=)")
_LITERAL = re.compile(r"(.+?):([A-Za-z]\w*[\[{<].*)", re.S)
_PIECE = re.compile(r"[A-Za-z_]\w*|\d[\w.+-]*|\.{3}|\S")
_FREE = re.compile(r"[a-z]{1,3}")


class Var(NamedTuple):
    """A variable: a number that no other one of the program has, and how it is spelled."""

    number: int
    name: str


class Literal(NamedTuple):
    """A constant among operands, and its type as printed."""

    value: str
    aval: str


class Binder(NamedTuple):
    """A variable where it is bound, and its type as printed, "" where none is."""

    var: Var
    aval: str


#: Text among operands are the brackets and colons of an index.
type Operand = Var | Literal | str


@dataclass(frozen=True)
class Equation:
    """`results = primitive[params] operands`.

    What reads a reference or writes to it (`a <- b[...]`) is `get`, `swap` or `addupdate`. The
    value of a parameter is text and the jaxprs in it, in order. `comment` is where the equation
    comes from, where that is printed.
    """

    results: tuple[Binder, ...]
    primitive: str
    params: dict[str, tuple["str | Jaxpr", ...]]
    operands: tuple[Operand, ...]
    comment: str


@dataclass(frozen=True)
class Jaxpr:
    """A program. The first `consts` of its inputs are constants.

    Equations that were printed alone are a program without inputs and outputs, and not `whole`.
    """

    inputs: tuple[Binder, ...]
    equations: tuple[Equation, ...]
    outputs: tuple[Operand, ...]
    consts: int = 0
    whole: bool = True


class _UnreadableError(Exception):
    """The text is no jaxpr, or has a form that is not known."""


def read(text: str) -> list[Jaxpr | str]:
    """The jaxprs in a text, and the text around them, in order. Equations alone are found, too."""
    reader = _Reader(text)
    pieces: list[Jaxpr | str] = []
    plain = ""
    at = 0
    while at < len(reader.tokens):
        try:
            jaxpr, after = reader.program(at)
        except (_UnreadableError, RecursionError):
            plain += reader.tokens[at]
            at += 1
        else:
            pieces += [plain, jaxpr] if plain else [jaxpr]
            plain, at = "", after
    return [*pieces, plain] if plain else pieces


type _Scope = dict[str, Var]
type _Span = tuple[int, int]


class _Reader:
    """Tokens of a text; a span of them goes from its first one to before its second."""

    def __init__(self, text: str):
        self.tokens: list[str] = _TOKEN.findall(text)
        self._closing: dict[int, int] = {}
        self._count = 0
        opened: list[int] = []
        for i, token in enumerate(self.tokens):
            if token in _PAIRS.values():
                opened.append(i)
            elif token in _PAIRS and opened and self.tokens[opened[-1]] == _PAIRS[token]:
                self._closing[opened.pop()] = i

    def program(self, at: int) -> tuple[Jaxpr, int]:
        """The program that starts at a token, and the token after it."""
        self._count = 0
        if self._is_lambda(at):
            return self._jaxpr(at, {}), self._close(at) + 1
        equations: list[Equation] = []
        scope: _Scope = {}
        after = at
        while span := self._line_alone(at):
            try:
                equations += self._equation(span, scope, alone=True)
            except _UnreadableError:
                break
            after, at = span[1], span[1] + 1
        if not equations:
            raise _UnreadableError
        return Jaxpr((), tuple(equations), (), whole=False), after

    def _line_alone(self, start: int) -> _Span | None:
        """The line that starts at a token, and those further in, if it begins as equations do."""
        if start >= len(self.tokens):
            return None
        before = self.tokens[start - 1] if start else "\n"
        if not before.startswith("\n"):
            return None
        binder = _BINDER.fullmatch(self.tokens[start])
        if not binder or not binder[2] or self.tokens[start + 1 : start + 2] not in (["["], ["{"]):
            return None
        for i in self._level((start, len(self.tokens))):
            if self.tokens[i].startswith("\n") and len(self.tokens[i]) <= len(before):
                return start, i
        return start, len(self.tokens)

    def _jaxpr(self, at: int, outer: _Scope) -> Jaxpr:
        words = {self.tokens[i]: i for i in reversed([*self._level((at + 1, self._close(at)))])}
        outputs = self._outputs(at)
        if not {"let", ";"} <= words.keys() or words["let"] > outputs:
            raise _UnreadableError
        scope = dict(outer)
        consts = self._binders((words["lambda"] + 1, words[";"]), scope)
        inputs = self._binders((words[";"] + 1, words["let"]), scope)
        equations = []
        for span in self._lines((words["let"] + 1, outputs)):
            equations += self._equation(span, scope)
        results = self._operands((outputs + 3, self._close(outputs + 2)), scope)
        return Jaxpr((*consts, *inputs), tuple(equations), results, len(consts))

    def _outputs(self, at: int) -> int:
        """Where the word "in" stands that ends the equations of a jaxpr."""
        for i in reversed([*self._level((at + 1, self._close(at)))]):
            if self.tokens[i : i + 3] == ["in", " ", "("]:
                return i
        raise _UnreadableError

    def _lines(self, span: _Span) -> Iterator[_Span]:
        """The equations of a body: one a line, or all of them on one, with semicolons between."""
        start, end = span
        first = self.tokens[start]
        ends = {";", first} if first.startswith("\n") else {";"}
        for i in self._level(span):
            if self.tokens[i] in ends:
                yield start, i
                start = i + 1
        yield start, end

    def _equation(self, span: _Span, scope: _Scope, *, alone: bool = False) -> list[Equation]:
        """The equation, or none where there is nothing but space."""
        chunks = self._chunks(span)
        if not chunks:
            return []
        words = [self._text(chunk) if chunk[1] - chunk[0] == 1 else "" for chunk in chunks]
        arrow = next((i for i, word in enumerate(words) if word in ("=", "<-", "+=")), -1)
        if arrow == 0 or arrow == len(chunks) - 1 or (alone and arrow < 0):
            raise _UnreadableError
        left, right = chunks[: max(arrow, 0)], chunks[arrow + 1 :]
        params: dict[str, tuple[str | Jaxpr, ...]] = {}
        targets = [chunk for chunk in left if ":" not in self.tokens[chunk[0]]]
        if arrow >= 0 and words[arrow] != "=":
            primitive = "addupdate" if words[arrow] == "+=" else "swap" if targets else "get"
            operands = right if len(right) > 1 else [*targets, *right]
            left = [chunk for chunk in left if chunk not in targets]
        else:
            head, operands = right[0], right[1:]
            primitive, _, _ = self._text(head).partition("[")
            if not _PRIMITIVE.match(primitive):
                raise _UnreadableError
            if self.tokens[head[1] - 1] == "]":
                opened = next(i for i in self._level(head) if self.tokens[i] == "[")
                params = self._params((opened + 1, head[1] - 1), scope)
        used = [part for chunk in operands for part in self._operand(chunk, scope, alone)]
        results = tuple(self._binder(self._text(chunk), scope) for chunk in left)
        notes = [self.tokens[i][2:] for i in self._level(span) if self._is_comment(i)]
        return [Equation(results, primitive, params, tuple(used), " ".join(notes))]

    def _params(self, span: _Span, scope: _Scope) -> dict[str, tuple[str | Jaxpr, ...]]:
        values: dict[str, list[str | Jaxpr]] = {}
        outer = set(self._level(span))
        value: list[str | Jaxpr] = []
        at, end = span
        while at < end:
            key = _KEY.match(self.tokens[at]) if at in outer else None
            if key:
                value = values.setdefault(key[1], [])
                value.append(self.tokens[at][key.end() :])
            elif self._is_lambda(at):
                value.append(self._jaxpr(at, scope))
                at = self._close(at)
            elif not self._is_comment(at):
                value.append(" " if self.tokens[at].isspace() else self.tokens[at])
            at += 1
        return {key: _joined(value) for key, value in values.items()}

    def _binders(self, span: _Span, scope: _Scope) -> list[Binder]:
        texts = [self._text(chunk).removesuffix(".") for chunk in self._chunks(span)]
        return [self._binder(text, scope) for text in texts if text]

    def _binder(self, text: str, scope: _Scope) -> Binder:
        match = _BINDER.fullmatch(text)
        if not match:
            raise _UnreadableError
        var = scope[match[1]] = Var(self._count, match[1])
        self._count += 1
        return Binder(var, match[2] or "")

    def _operands(self, span: _Span, scope: _Scope) -> tuple[Operand, ...]:
        chunks = self._chunks(span)
        return tuple(part for chunk in chunks for part in self._operand(chunk, scope, False))

    def _operand(self, chunk: _Span, scope: _Scope, alone: bool) -> Iterator[Operand]:
        text = self._text(chunk)
        literal = _LITERAL.fullmatch(text)
        if literal and literal[1] not in scope:
            yield Literal(literal[1], literal[2])
            return
        for piece in _PIECE.findall(text):
            if alone and piece not in scope and _FREE.fullmatch(piece):
                self._binder(piece, scope)
            yield scope.get(piece, piece)

    def _chunks(self, span: _Span) -> list[_Span]:
        """What stands between spaces and commas, brackets and all that is in them whole."""
        found = []
        start = None
        for i in self._level(span):
            if self.tokens[i].isspace() or self.tokens[i] == "," or self._is_comment(i):
                if start is not None:
                    found.append((start, i))
                start = None
            elif start is None:
                start = i
        return [*found, (start, span[1])] if start is not None else found

    def _level(self, span: _Span) -> Iterator[int]:
        """The tokens of a span that are in no brackets, and those that open some."""
        at, end = span
        while at < end:
            yield at
            at = self._close(at) + 1 if self.tokens[at] in _PAIRS.values() else at + 1

    def _close(self, at: int) -> int:
        if at not in self._closing:
            raise _UnreadableError
        return self._closing[at]

    def _text(self, span: _Span) -> str:
        return " ".join("".join(self.tokens[slice(*span)]).split())

    def _is_lambda(self, at: int) -> bool:
        return self.tokens[at : at + 3] == ["{", " ", "lambda"]

    def _is_comment(self, at: int) -> bool:
        return self.tokens[at].startswith("# ")


def _joined(value: list[str | Jaxpr]) -> tuple[str | Jaxpr, ...]:
    """Adjacent texts as one, without space at the ends of the value."""
    parts: list[str | Jaxpr] = []
    for part in value:
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    if isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return tuple(part for part in parts if part != "")
