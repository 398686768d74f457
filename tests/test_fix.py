"""Rewriting chapters: right at every statement, the same in every other byte."""

import random
from collections.abc import Callable

import pytest
from num2words import num2words

from traced import fix, links, statements
from traced.fix import Edit
from traced.statements import Value

type Form = Callable[[Value], str]


def test_edits_leave_out_what_is_right_unknown_or_false() -> None:
    texts = ["[11](fact:a.eleven)", "[12](fact:a.eleven)", "[?](fact:a.eleven)"]
    texts += ["[x](fact:a.unknown)", "[y](fact:a.wrong)"]
    source = " ".join(texts)
    values: dict[str, Value] = {"a.eleven": 11, "a.wrong": False}
    assert fix.edits(source, values.get) == [Edit(21, 23, "11")]


def test_a_string_stays_inside_its_link() -> None:
    for value in [
        "a]b",
        "[x](y)",
        "`",
        "x``y`",
        "<b>",
        "\\",
        "[^1]",
        "a|b",
        "![i](j)",
        "&lt;",
        "](fact:c.d)",
    ]:
        for old in ["old", "`old`", "**old**"]:
            source = f"x [{old}](fact:a.b) y"
            (edit,) = fix.edits(source, {"a.b": value}.get)
            new = fix.apply(source.encode(), [edit]).decode()
            (link,) = links.find(new)
            assert statements.says(link.text, value)
            assert new.endswith("](fact:a.b) y")


def test_overlapping_edits_are_refused() -> None:
    for changes in ([Edit(0, 2, "x"), Edit(1, 3, "y")], [Edit(2, 9, "x")], [Edit(2, 1, "x")]):
        with pytest.raises(ValueError, match="overlaps"):
            fix.apply(b"abc", changes)


def test_a_diff_is_a_patch() -> None:
    text = fix.diff("docs/l/a.md", b"one\r\ntwo\x0bstill two\nend", b"one\r\n2\x0bstill two\nend")
    assert text == (
        "--- a/docs/l/a.md\n+++ b/docs/l/a.md\n@@ -1,3 +1,3 @@\n one\r\n-two\x0bstill two\n"
        "+2\x0bstill two\n end\n\\ No newline at end of file\n"
    )
    assert fix.diff("docs/l/a.md", b"x", b"x") == ""


# A generated chapter: facts in awkward places, some of them no longer true.

PLACES = [
    "Prose, {0} of it, and {1}.\n",
    "# A heading: {0}\n",
    "Of [a link](x.md), {0}\nover lines {1} with `[nine](fact:f.n0)` in code.\n",
    "- item {0}\n- `tick` {1} {2}\n\n    more {3}\n",
    "1. **{0}**\n    - nested _{1}_\n",
    "| head {0} | `a|b` |\n|---|--:|\n| {1} | x {2} |\n",
    "> quote {0}\n> and {1}\n>\n> > deeper {2}\n",
    "/// details | The answer is {0}\n    open: true\n\nInside {1}.\n///\n",
    "!!! note\n    Indented {0}.\n",
    "/// caption\nA caption with {0}\n///\n",
    "{0}{1}\n",
    "A [bracket {0} that is not closed, and {1}\n",
    "A comment <!-- [nine](fact:f.n0) --> and {0}\ttab\u00a0{1} é 漢 𝔽\n",
]
DECOYS = [
    "```md\n[nine](fact:f.n0)\n```\n",
    "~~~~\n```\n[nine](fact:f.n0)\n~~~\n~~~~\n",
    "    [nine](fact:f.n0)\n",
    "<!--\n[nine](fact:f.n0)\n\n[nine](fact:f.n0)\n-->\n",
    "/// snippet | attend#trace\n    mark: '[nine](fact:f.n0)'\n///\n",
    "\\[nine](fact:f.n0), ![nine](fact:f.n0) and trailing space  \n",
]
#: How a text can be wrapped without saying anything else.
WRAPS = ["{}", "**{}**", "_{}_", "***{}***", "`{}`", "**`{}`**", " {} "]


def integer_form(rng: random.Random) -> Form:
    separator = rng.choice([",", "_", "\u00a0"])
    kind = rng.choice(["cardinal", "ordinal"])
    bare = rng.random() < 0.5
    case = rng.choice([str, str.upper, lambda text: text[0].upper() + text[1:]])

    def words(value: Value) -> str:
        text = num2words(value, to=kind).replace(",", "")
        return case(text.replace(" and ", " ") if bare else text)

    def broken(value: Value) -> str:
        return words(value).replace(" ", rng_break, 1)

    rng_break = rng.choice([" ", "\n"])
    return rng.choice([str, lambda v: f"{v:,}".replace(",", separator), words, broken])


def random_fact(rng: random.Random) -> tuple[Callable[[], Value], Form]:
    """What makes a value, and a form of text that keeps its form when the value changes."""
    wrap = rng.choice(WRAPS)
    joined = rng.choice(["{}, {} and {}", "{}, {}, and {}", "{},\n{} or {}"])
    decimals = rng.randint(1, 4)
    plain_wrap = rng.choice([w for w in WRAPS if "`" not in w])

    def string() -> str:
        return "".join(rng.choices("abcxyz", k=3)) + rng.choice(["", "_max", "[4,8]", ".1", "(x)"])

    integer = integer_form(rng)
    choices: list[tuple[Callable[[], Value], Form]] = [
        (lambda: rng.randint(1101, 999_999), lambda v: plain_wrap.format(integer(v))),
        (lambda: rng.randint(0, 20), lambda v: wrap.format(v)),
        (lambda: rng.uniform(1, 5000), lambda v: wrap.format(f"{v:.{decimals}f}")),
        (lambda: rng.uniform(1e-9, 1e-4), lambda v: wrap.format(f"{v:.{decimals}e}")),
        (string, lambda v: wrap.format(v)),
        (
            lambda: [string() for _ in range(3)],
            lambda v: joined.format(*(f"`{item}`" for item in v)),  # type: ignore[union-attr]
        ),
        (lambda: True, lambda v: "whatever **it** `says`"),
    ]
    return rng.choice(choices)


def generated(rng: random.Random, count: int) -> tuple[str, str, dict[str, Value]]:
    """A chapter before and after its facts changed, and the values they have now."""
    before, after = ["---\ntitle: '[nine](fact:f.n0)'\n---\n"], []
    after = list(before)
    values: dict[str, Value] = {}
    while len(values) < count:
        place = rng.choice(PLACES)
        old_texts, new_texts = [], []
        for _ in range(place.count("{")):
            make, form = random_fact(rng)
            name = f"f.n{len(values)}"
            old, new = make(), make()
            new = new if rng.random() < 0.6 else old
            values[name] = new
            for texts, value in ((old_texts, old), (new_texts, new)):
                text = form(value)
                # No line ends where Markdown takes none; a quotation's mark on each line.
                line_end = (
                    "\n> " if place.startswith(">") else "\n    " if place[0] in "!-1" else "\n"
                )
                text = text.replace("\n", " " if place[0] in "#|/" else line_end)
                texts.append(f"[{text}](fact:{name})")
        decoy = rng.choice(DECOYS) if rng.random() < 0.4 else ""
        for chapter, texts in ((before, old_texts), (after, new_texts)):
            chapter += [place.format(*texts), "Text.\n", decoy]
    return "\n".join(before), "\n".join(after), values


@pytest.mark.parametrize("seed", range(6))
def test_a_generated_chapter_comes_back_right(seed: int) -> None:
    rng = random.Random(seed)
    before, after, values = generated(rng, 300)
    mark, newline = rng.choice(["", "\ufeff"]), rng.choice(["\n", "\r\n"])
    raw = (mark + before.replace("\n", newline)).encode()
    wanted = (mark + after.replace("\n", newline)).encode()
    assert {link.reference for link in links.find(raw.decode())} == set(values)

    changes = fix.edits(raw.decode(), values.get)
    fixed = fix.apply(raw, changes)
    assert len(changes) > 100
    assert fixed == wanted
    assert fix.edits(fixed.decode(), values.get) == []
    assert all(statements.says(x.text, values[x.reference]) for x in links.find(fixed.decode()))


def test_a_false_boolean_is_never_written() -> None:
    before, _, values = generated(random.Random(7), 100)
    assert fix.edits(before, dict.fromkeys(values, False).get) == []
