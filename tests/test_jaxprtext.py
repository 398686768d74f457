"""The text of jaxprs, read back: against what JAX itself finds in them (data/ir), and by hand."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from traced.jaxprtext import Binder, Equation, Jaxpr, Literal, Var, read

IR = Path(__file__).parent / "data" / "ir"
OPERATIONS = json.loads((IR / "operations.json").read_text())
JAXPRS = sorted(file.name for file in IR.glob("*.jaxpr"))


def programs(text: str) -> list[Jaxpr]:
    return [piece for piece in read(text) if isinstance(piece, Jaxpr)]


def equations(jaxpr: Jaxpr) -> Iterator[Equation]:
    for equation in jaxpr.equations:
        yield equation
        for value in equation.params.values():
            for part in value:
                if isinstance(part, Jaxpr):
                    yield from equations(part)


@pytest.mark.parametrize("name", JAXPRS)
def test_the_primitives_are_those_that_jax_finds(name: str) -> None:
    found = {e.primitive for p in programs((IR / name).read_text()) for e in equations(p)}
    assert found - {"get", "swap", "addupdate"} == set(OPERATIONS[name])


@pytest.mark.parametrize("name", JAXPRS)
def test_nothing_is_left_that_is_not_read(name: str) -> None:
    text = (IR / name).read_text()
    left = "".join(piece for piece in read(text) if isinstance(piece, str))
    assert "lambda" not in left
    assert " = {" not in left.replace("let jaxpr = ", "").replace("let _uniform = ", "")


@pytest.mark.parametrize("name", JAXPRS)
def test_what_is_used_is_bound_and_nothing_else_stands_among_operands(name: str) -> None:
    for program in programs((IR / name).read_text()):
        bound = {binder.var for e in equations(program) for binder in e.results}
        bound |= {binder.var for binder in _inputs(program)}
        for equation in equations(program):
            for operand in equation.operands:
                if isinstance(operand, Var):
                    assert operand in bound
                elif not isinstance(operand, Literal):
                    assert operand in ("[", "]", "...", ":", ",", "0"), equation


def _inputs(jaxpr: Jaxpr) -> Iterator[Binder]:
    yield from jaxpr.inputs
    for equation in jaxpr.equations:
        for value in equation.params.values():
            for part in value:
                if isinstance(part, Jaxpr):
                    yield from _inputs(part)


def test_one_equation_in_full() -> None:
    text = (
        "{ lambda a:f32[3]; b:f32[4,8]. let\n"
        "    c:f32[4] d:i32[] = top[axes=(1,) k=None] b 1.0:f32[] a\n"
        "  in (c, a, 2:i32[]) }"
    )
    [jaxpr] = read(text)
    a, b, c, d = (Var(i, name) for i, name in enumerate("abcd"))
    results = (Binder(c, "f32[4]"), Binder(d, "i32[]"))
    params = {"axes": ("(1,)",), "k": ("None",)}
    equation = Equation(results, "top", params, (b, Literal("1.0", "f32[]"), a), "")
    inputs = (Binder(a, "f32[3]"), Binder(b, "f32[4,8]"))
    assert jaxpr == Jaxpr(inputs, (equation,), (c, a, Literal("2", "i32[]")), consts=1)


def test_equations_of_one_line_are_told_apart() -> None:
    [jaxpr] = programs("{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos b in (c,) }")
    assert [(e.primitive, e.operands) for e in jaxpr.equations] == [
        ("sin", (Var(0, "a"),)),
        ("cos", (Var(1, "b"),)),
    ]


def test_operands_that_wrap_belong_to_their_equation() -> None:
    text = (
        "{ lambda ; a:f32[]. let\n"
        "    b:f32[]\n      c:f32[] = pair a\n      a\n"
        "    d:f32[] = sin c\n"
        "  in (d,) }"
    )
    [jaxpr] = programs(text)
    assert [e.primitive for e in jaxpr.equations] == ["pair", "sin"]
    assert len(jaxpr.equations[0].operands) == len(jaxpr.equations[0].results) == 2


def test_an_inner_variable_is_not_the_outer_one_of_its_name() -> None:
    inner = "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }"
    [jaxpr] = programs(f"{{ lambda ; a:f32[]. let b:f32[] = jit[jaxpr={inner}] a in (b,) }}")
    [equation] = jaxpr.equations
    [held] = equation.params["jaxpr"]
    assert isinstance(held, Jaxpr)
    [bound] = held.inputs
    assert (bound.var.name, equation.operands) == ("a", (Var(0, "a"),))
    assert bound.var.number != 0
    assert jaxpr.outputs == (equation.results[0].var,)


@pytest.mark.parametrize(
    ("line", "primitive", "results", "operands"),
    [
        ("b:f32[] <- r[0,a]", "get", "b", "r[0,a]"),
        ("r[...] <- a", "swap", "", "r[...]a"),
        ("b:f32[], r[...] <- r[...], a", "swap", "b", "r[...]a"),
        ("r[a:2] += a", "addupdate", "", "r[a:2]a"),
        ("effect[x=1] a", "effect", "", "a"),
        ("dma_start(p0) r[...] -> r[a]", "dma_start(p0)", "", "r[...]->r[a]"),
        ("_:f32[] = sin a", "sin", "_", "a"),
        ("b:f32[] = empty[axis=0] ", "empty", "b", ""),
        ("b:f32[] = scatter-add[x='[{'] a", "scatter-add", "b", "a"),
    ],
)
def test_every_form_of_an_equation(line: str, primitive: str, results: str, operands: str) -> None:
    [jaxpr] = programs(f"{{ lambda ; r:Ref{{f32[4]}} a:i32[]. let\n    {line}\n  in () }}")
    [equation] = jaxpr.equations
    assert equation.primitive == primitive
    assert "".join(binder.var.name for binder in equation.results) == results
    used = [operand.name if isinstance(operand, Var) else operand for operand in equation.operands]
    assert "".join(map(str, used)) == operands
    variables = [operand for operand in equation.operands if isinstance(operand, Var)]
    assert {variable.number for variable in variables} <= {0, 1}


def test_what_is_printed_in_a_format_is_not_read() -> None:
    [jaxpr] = programs(
        "{ lambda ; a:f32[]. let\n"
        "    debug_print[\n      fmt=don't [ ({ lambda # in (\n      ordered=False\n    ] a\n"
        "  in (a,) }"
    )
    [equation] = jaxpr.equations
    assert equation.params == {"fmt": ("don't [ ({ lambda # in (",), "ordered": ("False",)}


def test_text_around_programs_is_kept() -> None:
    one = "{ lambda ; a:f32[]. let  in (a,) }"
    pieces = read(f"weak: {one} True\n{one}\nend (")
    assert [piece for piece in pieces if isinstance(piece, str)] == ["weak: ", " True\n", "\nend ("]
    assert len(programs(f"weak: {one} True\n{one}\nend (")) == 2


def test_equations_alone_are_found_line_by_line() -> None:
    text = (
        "count: 2\na:f32[3] = sin b\nc:f32[3] = add[\n  x=1\n] a d\nprimitive: sin\nkey:value = 1"
    )
    first, jaxpr, last = read(text)
    assert (first, last) == ("count: 2\n", "\nprimitive: sin\nkey:value = 1")
    assert isinstance(jaxpr, Jaxpr)
    assert (jaxpr.whole, [e.primitive for e in jaxpr.equations]) == (False, ["sin", "add"])
    [bound] = jaxpr.equations[0].results
    assert jaxpr.equations[1].operands[0] == bound.var


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{ lambda",
        "{ lambda }",
        "{ lambda ; }",
        "{ lambda ; a:f32[]. let in }",
        "{ lambda ; a:f32[]. let b:f32[] = in (b,) }",
        "{ lambda ; a:f32[]. let = sin a in (b,) }",
        "{ lambda ; 1. let  in () }",
        "{ lambda ; a:f32[]. let b:f32[] = sin[ a in (b,) }",
        "{ lambda ; a:f32[]. let  in a } ] } )",
        "a:f32[",
        "a:b",
        "a:f32[3] =",
        "%0 = stablehlo.add %a, %b : tensor<f32>\n}",
        "don't ( [",
        "{ lambda ; " * 3000,
        "(" * 3000,
    ],
)  # fmt: skip
def test_other_text_stays_text(text: str) -> None:
    pieces = read(text)
    assert [piece for piece in pieces if isinstance(piece, Jaxpr)] == []
    assert "".join(map(str, pieces)) == text
