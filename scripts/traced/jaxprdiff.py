"""What is different between two jaxprs: their structure, their parameters, their text.

Structure is which primitives there are, in which order, how they are wired, and the avals of what
they yield. That a variable is called something else is no difference.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from traced.jaxprtext import Binder, Equation, Jaxpr, Literal, Operand, Var

#: Characters of a parameter's value that are shown.
_SHOWN = 60


class Difference(NamedTuple):
    """What changed, as lines to read, each level apart; no lines where nothing did.

    Lines of `structure` and `text` begin with "- " for what was and "+ " for what is. Variables
    have the names that they have in the old program; one that is new has a prime.
    """

    structure: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    text: tuple[str, ...] = ()


def compare(old: Jaxpr, new: Jaxpr) -> Difference:
    """What is different in `new`."""
    pairs = list(_align(list(_lines(old)), list(_lines(new)), _LIKENESS))
    names = _common_names(pairs)
    structure: list[str] = []
    text: list[str] = []
    changes: Counter[str] = Counter()
    for before, now in pairs:
        was, is_ = before and before.shape({}), now and now.shape(names)
        if was != is_:
            structure += [f"{mark} {line}" for mark, line in (("-", was), ("+", is_)) if line]
        elif before and now and (was := before.text({})) != (is_ := now.text(names)):
            text += [f"- {was}", f"+ {is_}"]
        if before and now and before.word == now.word:
            changes.update(_changed_params(before, now))
    parameters = [f"{line} ({n} times)" if n > 1 else line for line, n in changes.items()]
    return Difference(tuple(structure), tuple(parameters), tuple(text))


class _Line(NamedTuple):
    """A line of a program. `word` is a primitive; "lambda" and "in" begin and end a jaxpr."""

    depth: int
    word: str
    binders: tuple[Binder, ...]
    operands: tuple[Operand, ...]
    params: dict[str, str]
    comment: str

    @property
    def avals(self) -> tuple[str, ...]:
        return tuple(_short(binder.aval) for binder in self.binders)

    @property
    def literals(self) -> tuple[str, ...]:
        return tuple(o.value for o in self.operands if isinstance(o, Literal))

    def shape(self, names: dict[int, str]) -> str:
        """The line without parameters, and types in one form; `names` are those of variables."""
        return self._written(names, _short)

    def text(self, names: dict[int, str]) -> str:
        """The line without parameters, as it was printed otherwise."""
        return self._written(names, str) + (f" # {self.comment}" if self.comment else "")

    def _written(self, names: dict[int, str], typed: Callable[[str], str]) -> str:
        def name(var: Var) -> str:
            return names.get(var.number, var.name)

        binders = [
            f"{name(var)}:{typed(aval)}" if aval else name(var) for var, aval in self.binders
        ]
        line = ""
        for operand in self.operands:
            if isinstance(operand, str):
                line += operand
                continue
            space = " " if not line or line[-1].isalnum() or line[-1] in ")]…′" else ""
            if isinstance(operand, Literal):
                line += f"{space}{operand.value}:{typed(operand.aval)}"
            else:
                line += space + name(operand)
        if self.word == "lambda":
            return "  " * self.depth + " ".join(["lambda", *binders]) + line
        return "  " * self.depth + " ".join([*binders, *["="][: len(binders)], self.word]) + line


def _lines(jaxpr: Jaxpr, depth: int = 0) -> Iterator[_Line]:
    if jaxpr.whole:
        consts = (f" ({jaxpr.consts} of them constants)",) if jaxpr.consts else ()
        yield _Line(depth, "lambda", jaxpr.inputs, consts, {}, "")
    for equation in jaxpr.equations:
        yield _line(equation, depth)
        for value in equation.params.values():
            for part in value:
                if isinstance(part, Jaxpr):
                    yield from _lines(part, depth + 1)
    if jaxpr.whole:
        yield _Line(depth, "in", (), jaxpr.outputs, {}, "")


def _line(equation: Equation, depth: int) -> _Line:
    params = {
        key: "".join("{ lambda … }" if isinstance(part, Jaxpr) else part for part in value)
        for key, value in equation.params.items()
    }
    return _Line(
        depth, equation.primitive, equation.results, equation.operands, params, equation.comment
    )


#: What lines have in common that are taken for the same: first those most alike.
_LIKENESS: list[Callable[[_Line], object]] = [
    lambda line: (line.depth, line.word, line.avals, line.literals),
    lambda line: (line.depth, line.word, line.avals),
    lambda line: (line.depth, line.word),
    lambda line: (line.depth, line.avals or line.word),
]

type _Pair = tuple[_Line | None, _Line | None]


def _align(
    old: Sequence[_Line], new: Sequence[_Line], likeness: Sequence[Callable[[_Line], object]]
) -> Iterator[_Pair]:
    if not likeness:
        yield from ((line, None) for line in old)
        yield from ((None, line) for line in new)
        return
    key, *rest = likeness
    matcher = SequenceMatcher(None, [*map(key, old)], [*map(key, new)], autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(old[i:j], new[k:m], strict=True)
        else:
            yield from _align(old[i:j], new[k:m], rest)


def _common_names(pairs: Sequence[_Pair]) -> dict[int, str]:
    """What the variables of the new program are to be called, by their numbers."""
    names: dict[int, str] = {}
    for before, now in pairs:
        names |= {var.number: f"{var.name}′" for var, _ in now.binders} if now else {}
        if before and now:
            names |= {new.var.number: old.var.name for old, new in _same_binders(before, now)}
        # Equations alone: what they use is bound nowhere, and known by its place.
        taken = set(names.values())
        operands = (before.operands, now.operands) if before and now else ((), ())
        for was, is_ in zip(*operands, strict=False):
            if isinstance(was, Var) and isinstance(is_, Var) and is_.number not in names:
                names[is_.number] = f"{is_.name}′" if was.name in taken else was.name
                taken.add(was.name)
    return names


def _same_binders(before: _Line, now: _Line) -> Iterator[tuple[Binder, Binder]]:
    """The variables that are taken for the same: by their places, or by type if some are new."""
    if len(before.binders) == len(now.binders):
        yield from zip(before.binders, now.binders, strict=True)
        return
    matcher = SequenceMatcher(None, before.avals, now.avals, autojunk=False)
    for i, j, size in matcher.get_matching_blocks():
        yield from zip(before.binders[i : i + size], now.binders[j : j + size], strict=True)


def _changed_params(before: _Line, now: _Line) -> Iterator[str]:
    for key in dict.fromkeys([*before.params, *now.params]):
        was, is_ = before.params.get(key), now.params.get(key)
        if was is None:
            yield f"{now.word}: {key}={_cut(is_ or '', 0)} is new"
        elif is_ is None:
            yield f"{now.word}: {key}={_cut(was, 0)} is gone"
        elif was != is_:
            same = next((i for i, (a, b) in enumerate(zip(was, is_, strict=False)) if a != b), 0)
            yield f"{now.word}: {key} was {_cut(was, same)}, is {_cut(is_, same)}"


def _cut(value: str, at: int) -> str:
    """What can be shown of a value, with what stands at `at` in it."""
    start = max(0, at - _SHOWN // 2) if len(value) > _SHOWN else 0
    end = start + _SHOWN
    return "…" * (start > 0) + value[start:end] + "…" * (end < len(value))


def _short(aval: str) -> str:
    """A type with the name of its dtype as jaxprs have it: f32[4] for float32[4]."""
    for long, short in (("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c")):
        aval = aval.replace(long, short)
    return "".join(aval.split())
