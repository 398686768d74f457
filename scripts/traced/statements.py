"""What the text of a checked statement says, against the value that the run has for it.

The text is Markdown source: what stands between the brackets of `[text](fact:snippet.name)`.
"""

import html
import re
from collections.abc import Iterator, Sequence

from traced import numerals

type Scalar = bool | int | float | str
type Value = Scalar | Sequence[Scalar]

_GAP = r"(?:[ \t]*(?:\r\n|\r|\n)[ \t]*(?:>[ \t]?)*|[ \t]+)"
"""Space between words, which may be the end of a line, in a block quote too."""

_CODE = re.compile(r"(?<!`)(`+)(?!`)((?:(?!(?<!`)\1(?!`)).)+)(?<!`)\1(?!`)", re.DOTALL)
_EMPHASIS = (
    re.compile(r"(\*{1,3})(?=[^\s*])((?:(?!\1).)+?)(?<=\S)\1(?!\*)", re.DOTALL),
    re.compile(
        r"(?<!\w)(_{1,3})(?=[^\s_])((?:(?!\1(?!\w)|(?<!\w)\1).)+)(?<=\S)\1(?!\w)", re.DOTALL
    ),
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LITERAL = re.compile(
    rf"{_ESCAPE.pattern}|(?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)", re.DOTALL
)
_NOTHING = ("no", "none", "nothing")


def says(text: str, value: Value) -> bool:
    """Whether the text of a statement says what the run says.

    A boolean must be true and leaves the text free. An integer is written in digits (grouped or
    not), in words or as an ordinal; a float agrees to the precision that the text shows; a string
    is the text itself, markup aside; the items of a list are joined as prose joins them.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return plain(text) == " ".join(value.split())
    if isinstance(value, (int, float)):
        numeral = numerals.read(plain(text))
        return numeral is not None and numeral.says(value)
    if not value:
        return plain(text).lower() in _NOTHING
    return any(
        len(items) == len(value) and all(map(says, items, value))
        for items, _ in _splits(_peeled(text)[1])
    )


def rewritten(text: str, value: Value) -> str | None:
    """The text in the form it has, saying `value`; None where no such text is at hand.

    A text that says it already comes back as it is. A false boolean has no text that says it: what
    became wrong there is the sentence. The same goes for a text that is no number, where the run
    has one.
    """
    if says(text, value):
        return text
    if isinstance(value, bool):
        return None
    before, core, after = _peeled(text)
    if isinstance(value, str):
        new = _string(core, value)
    elif isinstance(value, (int, float)):
        new = _number(core, value)
    else:
        new = _list(core, value)
    if new is None or not says(new, value):
        return None
    return f"{before}{new}{after}"


def plain(text: str) -> str:
    """Markdown text without its markup, on one line: what a reader reads."""
    literal: list[str] = []

    def aside(match: re.Match[str]) -> str:
        literal.append(" ".join((match[1] or match["code"]).split()))
        return "\0"

    text = _unwrapped(text.replace("\0", ""))
    text = _LITERAL.sub(aside, text)
    previous = ""
    while previous != text:
        previous = text
        for emphasis in _EMPHASIS:
            text = emphasis.sub(r"\2", text)
    put_aside = iter(literal)
    return re.sub("\0", lambda _: next(put_aside), html.unescape(text)).strip(" ")


def _unwrapped(text: str) -> str:
    """Markdown text on one line, a quotation's marks at the ends of its lines gone."""
    return re.sub(_GAP, " ", text)


def shown(value: Value) -> str:
    """What the run says, for a message: a number or a string as it is, a list joined as prose."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    *items, last = [shown(item) for item in value] or ["none"]
    return f"{', '.join(items)} and {last}" if items else last


def _peeled(text: str) -> tuple[str, str, str]:
    """Space and emphasis around all of a text, the text within, and what closes them."""
    core = text.strip()
    start = text.index(core)
    before, after = text[:start], text[start + len(core) :]
    while match := next(filter(None, (e.fullmatch(core) for e in _EMPHASIS)), None):
        before, core, after = before + match[1], match[2], match[1] + after
    return before, core, after


def _number(core: str, value: int | float) -> str | None:
    code = _CODE.fullmatch(core)
    if code:
        start, end = code.span(2)
        inner = _number(core[start:end].strip(), value)
        return inner and core[:start] + inner + core[end:]
    numeral = numerals.read(_unwrapped(core)) or numerals.read(plain(core))
    new = numeral.written(value) if numeral else None
    return new and _rebroken(core, new)


def _string(core: str, value: str) -> str | None:
    if not value or value != " ".join(value.split()):
        return None  # no Markdown shows it
    code = _CODE.fullmatch(core)
    if code:
        return _rebroken(core, code_span(value, len(code[1])))
    if plain(core) == _unwrapped(_ESCAPE.sub(r"\1", html.unescape(core))):
        return _rebroken(core, _escaped(value))
    return _patched(core, value)


def _patched(core: str, value: str) -> str | None:
    """`core`, of which some is marked up, with the one piece changed that makes it say `value`."""
    pieces = [m[0] for m in re.finditer(rf"{_CODE.pattern}|{_GAP}|[^\s`]+", core, re.DOTALL)]
    if "".join(pieces) != core:
        return None
    words = [plain(piece) or " " for piece in pieces]
    for i, piece in enumerate(pieces):
        before, after = "".join(words[:i]), "".join(words[i + 1 :])
        middle = value[len(before) : len(value) - len(after)]
        if len(pieces) > 1 and before + middle + after == value and middle.strip():
            new = rewritten(piece, middle)
            return new and "".join([*pieces[:i], new, *pieces[i + 1 :]])
    return None


def code_span(value: str, ticks: int = 1) -> str:
    """A code span of Markdown that shows `value`, with at least so many backticks around it."""
    while re.search(rf"(?<!`)`{{{ticks}}}(?!`)", value):
        ticks += 1
    space = " " if value[0] == "`" or value[-1] == "`" else ""
    return f"{'`' * ticks}{space}{value}{space}{'`' * ticks}"


def _escaped(value: str) -> str:
    """`value` as Markdown text for a link, with no more escapes than it needs."""
    risky = re.search(r"[*|`\\]|<[\w/!?]|\][\[(]", value) or not _balanced(value)
    if not risky and plain(value) == value:
        return value
    text = re.sub(r"[\\`*_\[\]]", r"\\\g<0>", value.replace("&", "&amp;").replace("<", "&lt;"))
    return text.replace("|", "&#124;")


def _balanced(value: str) -> bool:
    depth = 0
    for character in value:
        depth += (character == "[") - (character == "]")
        if depth < 0:
            return False
    return depth == 0


_COMMA = re.compile(rf",{_GAP}(?:(?:and|or){_GAP})?")
_LAST = re.compile(rf"{_GAP}(?:and|or){_GAP}")


def _splits(core: str) -> Iterator[tuple[list[str], list[str]]]:
    """The ways to read a text as a list: its items, and what stands between them."""
    # Nothing inside code separates.
    masked = _CODE.sub(lambda m: "x" * len(m[0]), core)
    commas = [match.span() for match in _COMMA.finditer(masked)]
    if not commas or not re.search("and|or", masked[slice(*commas[-1])]):
        last = commas[-1][1] if commas else 0
        for match in reversed(list(_LAST.finditer(masked, last))):
            yield _cut(core, [*commas, match.span()])
    yield _cut(core, commas)


def _cut(core: str, spans: list[tuple[int, int]]) -> tuple[list[str], list[str]]:
    starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(core)]
    items = [core[start:end] for start, end in zip(starts, ends, strict=True)]
    return items, [core[start:end] for start, end in spans]


def _list(core: str, values: Sequence[Scalar]) -> str | None:
    nothing = plain(core).lower() in _NOTHING
    if not values:
        return "None" if core[:1].isupper() else "none"
    for olds, separators in _splits(core):
        items = []
        for i, value in enumerate(values):
            old = olds[min(i, len(olds) - 1)]
            if nothing and isinstance(value, str):
                old = "`x`"
            items.append(rewritten(old, value))
        found = [item for item in items if item is not None]
        if len(found) == len(values):
            between = _separators(separators, len(found) - 1)
            return "".join(map("".join, zip(found, [*between, ""], strict=True)))
    return None


def _separators(old: list[str], count: int) -> list[str]:
    """What stands between items, of which there are now `count` + 1."""
    if count == len(old):
        return old
    flat = [_unwrapped(separator) for separator in old]
    inner = flat[0] if len(flat) > 1 else ", "
    last = flat[-1] if flat else " and "
    if count == 1:
        last = re.sub(r"^,(?= (?:and|or))", "", last)
    return [inner] * (count - 1) + [last] * (count > 0)


def _rebroken(old: str, new: str) -> str:
    """`new`, with the line ends that `old` has between the same words."""
    gaps = dict(enumerate(re.findall(_GAP, old)))
    words = new.split(" ")
    ends = [gaps[i] if "\n" in gaps.get(i, "") else " " for i in range(len(words) - 1)]
    return "".join(map("".join, zip(words, [*ends, ""], strict=True)))
