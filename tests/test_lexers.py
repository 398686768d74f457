"""The lexers on what JAX printed (tests/data/ir, made by tests/data/make_ir.py), and the guess."""

import json
from pathlib import Path

import pytest
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, Number, String, Token

from traced.lexers import guess

IR = Path(__file__).parent / "data" / "ir"
OPERATIONS = json.loads((IR / "operations.json").read_text())
LANGUAGES = {".jaxpr": "jaxpr", ".mlir": "stablehlo", ".hlo": "hlo"}


def text_of(name):
    return (IR / name).read_text()


def tokens(language, text):
    lexer = language if isinstance(language, Lexer) else get_lexer_by_name(language)
    return [(kind, value) for kind, value in lexer.get_tokens(text) if value.strip()]


def values(kind, language, text):
    return [value for token, value in tokens(language, text) if token in kind]


def test_the_corpus_is_whole():
    assert sorted(OPERATIONS) == sorted(f.name for f in IR.iterdir() if f.suffix != ".json")


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_error_tokens_and_no_character_lost(name):
    lexer = get_lexer_for_filename(name, ensurenl=False)
    found = list(lexer.get_tokens(text_of(name)))
    assert [token for token in found if token[0] in Error] == []
    assert "".join(value for _, value in found) == text_of(name)


@pytest.mark.parametrize("name", [n for n in OPERATIONS if n.endswith(".jaxpr")])
def test_functions_of_a_jaxpr_are_its_primitives(name):
    assert set(values(Name.Function, "jaxpr", text_of(name))) == set(OPERATIONS[name])


@pytest.mark.parametrize("name", [n for n in OPERATIONS if n.endswith(".mlir")])
def test_functions_of_stablehlo_are_its_operations(name):
    text = text_of(name)
    # A dialect is left out where a region's own dialect allows it, and the end of a region that
    # prints as `applies`.
    found = {op.removeprefix("func.") for op in values(Name.Function, "stablehlo", text)}
    printed = {op.removeprefix("func.") for op in OPERATIONS[name]} - {"builtin.module", "func"}
    assert found | {"stablehlo.return"} == printed | {"stablehlo.return"}


@pytest.mark.parametrize("name", [n for n in OPERATIONS if n.endswith(".hlo")])
def test_every_hlo_instruction_has_one_function(name):
    assert len(values(Name.Function, "hlo", text_of(name))) == OPERATIONS[name]


@pytest.mark.parametrize("name", OPERATIONS)
def test_guess_knows_what_jax_prints(name):
    text = text_of(name)
    language = LANGUAGES[Path(name).suffix]
    assert guess(text) == language
    assert guess(f"\n{text}\n\n{text}") == language
    assert guess(f"Here it is:\n{text}") == "text"
    assert guess(f"{text}that was it") == "text"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "text"),
        ("\n", "text"),
        ("11 equations", "text"),
        ("x: 1\ny: 2", "text"),
        ("JitTracer(float32[3])", "text"),
        ("{'lambda': 1}", "text"),
        ("y = f32[3]", "text"),
        ("a:f32[4,1] = stop_gradient b", "jaxpr"),
        ("a:f32[] = scan[\n  length=5\n] b c", "jaxpr"),
        ("a = {lambda ; }", "text"),
        ("settings {\n  x = 1\n}", "text"),
        ("    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>", "stablehlo"),
        ("  ROOT %add.0 = f32[2]{0} add(%a, %b)", "hlo"),
        ("  while.5 = (s32[], f32[]) tuple(a.1, b.1)\n  x.1 = () custom-call(y)", "hlo"),
        ("ENTRY %main.1 (x.1: f32[5]) -> f32[5] {\n}", "hlo"),
    ],
)
def test_guess(text, language):
    assert guess(text) == language


def test_parts_of_a_jaxpr():
    line = "b:Ref<vmem>{f32[8,128@x]} _:f32[]{V:x} = scatter-add[axes=(1,) mode=None] a -inf:f32[]"
    assert tokens("jaxpr", line) == [
        (Name.Variable, "b"),
        (Token.Punctuation, ":"),
        (Keyword.Type, "Ref<vmem>{f32[8,128@x]}"),
        (Name.Variable, "_"),
        (Token.Punctuation, ":"),
        (Keyword.Type, "f32[]{V:x}"),
        (Token.Punctuation, "="),
        (Name.Function, "scatter-add"),
        (Token.Punctuation, "["),
        (Name.Attribute, "axes"),
        (Token.Punctuation, "="),
        (Token.Punctuation, "("),
        (Number, "1"),
        (Token.Punctuation, ","),
        (Token.Punctuation, ")"),
        (Name.Attribute, "mode"),
        (Token.Punctuation, "="),
        (Keyword.Constant, "None"),
        (Token.Punctuation, "]"),
        (Name.Variable, "a"),
        (Number.Float, "-inf"),
        (Token.Punctuation, ":"),
        (Keyword.Type, "f32[]"),
    ]


def test_literals_of_a_jaxpr():
    text = (
        "c:c64[] = mul (1+2j):c64[] 1j:c64[]\nd:bool[] = or True:bool[] c\ne:f32[] = neg nan:f32[]"
    )
    assert values(Number, "jaxpr", text) == ["1", "2j", "1j", "nan"]
    assert values(Keyword.Constant, "jaxpr", text) == ["True"]


def test_a_primitive_without_results_and_its_format():
    text = 'let\n    debug_print[\n      fmt=x = {x} # "lambda ; in\n      ordered=False\n    ] a'
    assert values(Name.Function, "jaxpr", text) == ["debug_print"]
    assert values(String, "jaxpr", text) == ['x = {x} # "lambda ; in']
    assert values(Comment, "jaxpr", text) == []


def test_operands_that_wrap_are_no_primitive():
    text = "    a:f32[3] = jit[name=_uniform jaxpr=_uniform1] be\n      bf bg 1.0:f32[]"
    assert values(Name.Function, "jaxpr", text) == ["jit"]
    assert values(Name.Variable, "jaxpr", text) == ["a", "be", "bf", "bg"]


def test_parts_of_stablehlo():
    line = '%3:2 = "stablehlo.case"(%arg0#1) {mhlo.index = 0 : i32, s = #sdy.sharding<@m, [{"x"}]>}'
    assert [token for token in tokens("mlir", line) if token[0] not in Token.Punctuation] == [
        (Name.Variable, "%3:2"),
        (Name.Function, "stablehlo.case"),
        (Name.Variable, "%arg0#1"),
        (Name.Attribute, "mhlo.index"),
        (Number, "0"),
        (Keyword.Type, "i32"),
        (Name.Attribute, "s"),
        (Name.Constant, "#sdy.sharding"),
        (Name.Label, "@m"),
        (String.Double, '"x"'),
    ]


def test_types_and_constants_of_stablehlo():
    text = (
        "  %c = stablehlo.constant dense<[(1.0e+00,0xFF)]> : tensor<2xcomplex<f32>>\n"
        "  %0 = stablehlo.reduce(%c init: %c) applies stablehlo.add : (memref<8xf32, #a.b<c>>)"
        ' -> !tt.ptr<f32> loc(callsite("f"(#loc1) at #loc2))'
    )
    types = ["tensor<2xcomplex<f32>>", "memref<8xf32, #a.b<c>>", "!tt.ptr<f32>"]
    assert values(Keyword.Type, "stablehlo", text) == types
    operations = ["stablehlo.constant", "stablehlo.reduce", "stablehlo.add"]
    assert values(Name.Function, "stablehlo", text) == operations
    assert values(Number, "stablehlo", text) == ["1.0e+00", "0xFF"]


def test_parts_of_hlo():
    line = '  ROOT %t.1 = (f32[4]{0:T(8)}, /*index=5*/pred[]) sort(%a.2, b), to_apply=%r.1, x="y"'
    assert [token for token in tokens("hlo", line) if token[0] not in Token.Punctuation] == [
        (Keyword, "ROOT"),
        (Name.Variable, "%t.1"),
        (Keyword.Type, "f32[4]{0:T(8)}"),
        (Comment.Multiline, "/*index=5*/"),
        (Keyword.Type, "pred[]"),
        (Name.Function, "sort"),
        (Name.Variable, "%a.2"),
        (Name.Variable, "b"),
        (Name.Attribute, "to_apply"),
        (Name.Variable, "%r.1"),
        (Name.Attribute, "x"),
        (String.Double, '"y"'),
    ]


@pytest.mark.parametrize("language", ["jaxpr", "stablehlo", "hlo"])
def test_any_text_is_taken(language):
    text = "\x01 π </script> \"open ' `{[(<% @ # ^ $ ~ \\ |\n\ttab"
    found = list(get_lexer_by_name(language, ensurenl=False).get_tokens(text))
    assert "".join(value for _, value in found) == text
    assert not [token for token in found if token[0] in Error]
