"""Pygments lexers for the three texts JAX prints of a program, and a guess at which one a text is.

In all three, what an equation, operation or instruction applies (jaxpr primitive, StableHLO op,
HLO opcode) is one token of type Name.Function, a value's type one of type Keyword.Type, a value
Name.Variable, what is named before `=` Name.Attribute. No text gives an Error token: what a lexer
does not know is Text.

The grammars were read off the text that JAX 0.12 prints; https://openxla.org/stablehlo/spec and
https://mlir.llvm.org/docs/LangRef define the second.
"""

import re
import textwrap
from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, include
from pygments.lexers import get_lexer_by_name
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
    _TokenType,
)

LANGUAGES = ("jaxpr", "stablehlo", "hlo")
"""What `guess` tells from plain text: the alias of each lexer below."""

_NUMBER = r"-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?j?)(?!\w)"
_STRING = r'"(?:[^"\\]|\\.)*"'


def _nested(depth: int, left: str = "<", right: str = ">") -> str:
    """A pattern for balanced brackets, `depth` deep: regular expressions cannot count further."""
    inside = rf"[^{left}{right}]"
    if depth > 1:
        inside = rf"(?:{inside}|{_nested(depth - 1, left, right)})"
    return rf"{left}{inside}*{right}"


class _IRLexer(RegexLexer):
    """What the three share: the text is taken as it is, and unknown text is plain."""

    flags = re.MULTILINE

    def __init__(self, **options: object) -> None:
        super().__init__(**{"stripnl": False, **options})

    tokens: ClassVar = {
        "common": [
            (r"\n+|[^\S\n]+", Whitespace),
            (_STRING, String.Double),
            (r"'(?:[^'\\\n]|\\.)*'", String.Single),
            (rf"(?<![\w.%]){_NUMBER}", Number),
            (r"(?<![\w.%])-?(?:inf|nan)\b", Number.Float),
        ],
        "rest": [
            (r"->|<-|\+=", Operator),
            (r"[\w$]+", Text),
            (r"[\[\](){}<>,;:=.@#|&^*+/%!?-]", Punctuation),
            (r".", Text),
        ],
    }


class JaxprLexer(_IRLexer):
    """The text of a jaxpr, with or without source lines, and of its equations."""

    name = "jaxpr"
    aliases: ClassVar = ["jaxpr"]
    filenames: ClassVar = ["*.jaxpr"]

    # f32[4,8@x]{V:x}, key<fry>[], Ref<vmem>{f32[8,128]}
    _array = r"[A-Za-z]\w*(?:<\w+>)?\[[^\]\n]*\](?:\{[^{}\n]*\})?"
    _aval = rf"(?:Ref(?:<[\w.]+>)?\{{{_array}\}}|{_array})"
    _dtypes = r"(?:bool|u?int\d+|b?float\d\w*|complex\d+)"
    # A primitive without results starts its line; there a short word is an operand that wrapped.
    _bare = r"(?:(?:jit|[a-z]\w{3,}(?:-\w+)*)(?=[\[(])|[a-z]\w*_\w+(?= [a-z(]))"

    tokens: ClassVar = {
        "root": [
            (r"(?:(?<=\s)|^)# .*$", Comment.Single),
            (r"(\bfmt)(=)(.*)$", bygroups(Name.Attribute, Punctuation, String)),
            (rf"^([ ]*)({_bare})", bygroups(Whitespace, Name.Function)),
            (rf"(?<=let ){_bare}", Name.Function),
            include("common"),
            (r"(?<=\{ )lambda\b|(?<=\. )let\b|^let(?= \w+ = \{)", Keyword),
            (r"(?<=\s)in(?= \(|$)", Keyword),
            (r"(?<=\s=\s)[A-Za-z]\w*(?:-\w+)*", Name.Function),
            (r"(\w+)(=)(?!\s)", bygroups(Name.Attribute, Punctuation)),
            (rf"(:)({_aval})", bygroups(Punctuation, Keyword.Type)),
            (rf"\b{_dtypes}(?:\[[^\]\n]*\])?(?![\w(])", Keyword.Type),
            (r"\b(?:True|False|None)\b", Keyword.Constant),
            (r"\b[A-Z]\w+(?=\()", Name.Class),
            (r"(?<![\w.])[a-z_]{1,3}(?![\w.('-])", Name.Variable),
            include("rest"),
        ],
    }


class StableHLOLexer(_IRLexer):
    """MLIR as JAX prints it: StableHLO, Shardy, func, and the kernel dialects of Pallas."""

    name = "StableHLO"
    aliases: ClassVar = ["stablehlo", "mlir"]
    filenames: ClassVar = ["*.mlir"]

    _op = r"[a-z_]\w*(?:\.[\w$]+)*"
    _compound = ("tensor", "vector", "memref", "complex", "tuple")
    _scalar = r"(?:[su]?i\d+|bf16|tf32|f\d+\w*|index|none)"
    _keywords = (
        r"(?:module|func\.func|public|private|attributes|loc|callsite|at|applies|across|dimensions"
        r"|init|dense|array|to|cond|do)"
    )

    tokens: ClassVar = {
        "root": [
            (r"//.*$", Comment.Single),
            (r'(")(\w+\.[\w.]+)(")(?=\()', bygroups(Punctuation, Name.Function, Punctuation)),
            (
                rf"^([ ]*)(?!(?:module|func\.func|cond|precision) |reducer\()({_op})(?=[ (]|$)",
                bygroups(Whitespace, Name.Function),
            ),
            (r"\bloc\(#\w+\)", Comment),  # ends most lines, where locations are printed at all
            include("common"),
            (rf"(?:{'|'.join(_compound)}){_nested(4)}", Keyword.Type),
            (rf"![\w.]+(?:{_nested(4)})?", Keyword.Type),
            (
                r"(%[\w$.-]+(?:#\d+)?(?::\d+)?)(\s+)(=)(\s+)(?![%])",
                bygroups(Name.Variable, Whitespace, Punctuation, Whitespace),
                "op",
            ),
            (r"%[\w$.-]+(?:#\d+)?", Name.Variable),
            (rf"@(?:[\w$.-]+|{_STRING})|\^\w+", Name.Label),
            (r"#[\w.]+", Name.Constant),
            (r"[A-Za-z_][\w.]*(?=\s*=(?!=))", Name.Attribute),
            (rf"(?<![\w.]){_keywords}\b(?!\.)", Keyword),
            (rf"(?<=applies ){_op}", Name.Function),
            (rf"\b{_scalar}\b", Keyword.Type),
            (r"\b(?:true|false|unit|unknown)\b", Keyword.Constant),
            include("rest"),
        ],
        "op": [
            (rf'(")?({_op})(")?', bygroups(Punctuation, Name.Function, Punctuation), "#pop"),
            (r"", Text, "#pop"),
        ],
    }


class HLOLexer(_IRLexer):
    """HLO text, before and after optimization, with metadata and source tables."""

    name = "HLO"
    aliases: ClassVar = ["hlo"]
    filenames: ClassVar = ["*.hlo"]

    _name = r"(?:%[\w.-]+|[A-Za-z_][\w.-]*)"
    _element = r"(?:pred|[suf]\d+\w*|bf16|c\d+|token|opaque)"

    tokens: ClassVar = {
        "root": [
            (r"^HloModule\b|^(?:FileNames|FunctionNames|FileLocations|StackFrames)$", Keyword),
            (r"\b(?:ENTRY|ROOT)\b", Keyword),
            (
                rf"({_name})( )(=)( )",
                bygroups(Name.Variable, Whitespace, Punctuation, Whitespace),
                "instruction",
            ),
            (rf"(?:^|(?<=ENTRY )){_name}(?= [({{])", Name.Label),
            include("values"),
        ],
        "values": [
            include("common"),
            (r"/\*.*?\*/", Comment.Multiline),
            (rf"\b{_element}\[[^\]\n]*\](?:\{{[^{{}}\n]*\}})?", Keyword.Type),
            (r"([\w.]+)(\s*=)", bygroups(Name.Attribute, Punctuation)),
            (r"\b(?:true|false)\b", Keyword.Constant),
            (r"%[\w.-]+|[a-z]\w*(?:[.-]\w+)*\.\d+\b", Name.Variable),
            include("rest"),
        ],
        "instruction": [
            (r"([a-z][\w-]*)(\()", bygroups(Name.Function, Punctuation), ("#pop", "operands")),
            (r"\n", Whitespace, "#pop"),
            include("values"),
        ],
        "operands": [
            (r"\(", Punctuation, "#push"),
            (r"\)", Punctuation, "#pop"),
            (r"(?<![\w.])(?:true|false)(?![\w.])", Keyword.Constant),
            (r"(?<![\w.%-])(?!-?(?:inf|nan)\b|\w+\[)[A-Za-z_][\w.-]*", Name.Variable),
            include("values"),
        ],
    }


# The names of errors in other text: anywhere in what was printed, and where a listing begins to say
# what was raised, whatever its name is.
_ERRORS = {
    "text": re.compile(r"\b([A-Z][a-z]\w*(?:Error|Exception))\b"),
    "raised": re.compile(r"\A(\w+)"),
}


def tokens(language: str, text: str) -> list[tuple[_TokenType, str]]:
    """The tokens of a text by the alias of a lexer; "raised" is for what was raised.

    In plain text the names of errors are of type Name.Exception. Raises pygments.util.ClassNotFound
    for a language that no lexer has. What is drawn has them from tokencache.py.
    """
    if language in _ERRORS:
        pieces = _ERRORS[language].split(text)
        return [(Name.Exception if i % 2 else Text, piece) for i, piece in enumerate(pieces)]
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    return list(lexer.get_tokens(text))


# What a line of each text looks like once the whole text is dedented; lines further in are
# taken on trust. The first line must match the first pattern, every other one either.
_EQUATION = r"(?:[a-z]+|_):[A-Za-z]\w*[\[{<].* = "
_LINES = {
    "jaxpr": (rf"(?:let \w+ = )?\{{ lambda |{_EQUATION}", r"\]"),
    "stablehlo": (
        r'module\b.*\{|#\w+ = |(?:func\.func|sdy\.mesh) |%\S+ = "?[a-z_]+\.',
        r"\}|(?:return|stablehlo\.return)\b",
    ),
    "hlo": (
        r"HloModule |ENTRY .*\{$|%?[\w.-]+ \(.*\) -> .*\{$"
        rf"|(?:ROOT )?%?[\w.-]+ = \(*(?:\)|{HLOLexer._element}\[).* [a-z][\w-]*\(",
        r"\}|[\w.-]+ \{$|(?:FileNames|FunctionNames|FileLocations|StackFrames)$|\d+ [{\"]",
    ),
}


def guess(text: str) -> str:
    """The language of a cell's output: "jaxpr", "stablehlo", "hlo", or else "text".

    An output is one of the three only when all of it is: one program, several in a row, or
    some of its lines. Anything else printed along with them makes it "text".
    """
    lines = [line for line in textwrap.dedent(text).splitlines() if line[:1].strip()]
    for language, (first, other) in _LINES.items():
        if lines and re.match(first, lines[0]):
            any_line = re.compile(f"{first}|{other}")
            return language if all(map(any_line.match, lines)) else "text"
    return "text"


def names(text: str) -> set[str]:
    """The primitives, ops, opcodes and parameters in a program; none in other text.

    An op's name counts with its dialect and without ("stablehlo.add", "add").
    """
    language = guess(text)
    if language not in LANGUAGES:
        return set()
    found = {
        value for token, value in tokens(language, text) if token in {Name.Function, Name.Attribute}
    }
    return found | {name.rpartition(".")[2] for name in found}
