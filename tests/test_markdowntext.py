"""A page as Markdown: what ran is in fences that nothing in it can end, labelled as on the page."""

from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from traced import markdowntext, opstext, outline, plainmd, statements
from traced.build import Build
from traced.glossary import Term
from traced.lowered import Became
from traced.markdowntext import MISSING
from traced.ops import Entry, Section, Taught
from traced.plainmd import escaped
from traced.project import Project, toolchain
from traced.runner import Runner

from .conftest import Site

FRONT = "---\ntitle: T\npath: jax\nnumber: 1\nenables: do it\ndescription: D.\n---\n\n# T\n\n"
SNIPPET = '''\
"""A snippet."""
# %% define
def double(x):
    return 2 * x

# %% call
print("two", double(1))
print("four", double(2))

# %% warn
import sys
print("careful", file=sys.stderr)

# %% wrong raises="ZeroDivisionError"
1 / 0

# %% jaxpr
print("""{ lambda ; a:i32[]. let b:i32[] = mul 2:i32[] a in (b,) }""")

# %% silent
pass

# %% facts
twice = double(1)
'''
GLOSSARY = "- term: a_b*\n  definition: A `x*` of *one*.\n  chapter: c\n"


@pytest.fixture
def text(site: Site, runner_for: Callable[[Path], Runner]) -> Callable[..., str]:
    """The Markdown of a chapter with that body, beside snippets/c/a.py."""

    def text(body: str, snippet: str = SNIPPET) -> str:
        root = site(
            {
                "docs/l/c.md": FRONT + body,
                "docs/glossary.yml": GLOSSARY,
                "snippets/c/a.py": snippet,
            }
        )
        build = Build(Project(root), runner_for(root))
        resolve = plainmd.resolver("l/c.md", {"l/c.md": "l/c/index.md"}, "https://e.org/")
        parts = outline.read(FRONT + body)[1:]
        return markdowntext.text(parts, markdowntext.Source("l/c.md", build, resolve))

    return text


def fences(text: str) -> list[tuple[str, str]]:
    """Language and content of every code block, as a parser of CommonMark finds them."""
    tokens = MarkdownIt().parse(text)
    return [(token.info, token.content) for token in tokens if token.type == "fence"]


@pytest.mark.parametrize(
    "hostile",
    [
        "```\n# no heading\n```",
        "`````\n```\n~~~",
        "a ```` b\n\n    ```",
        "</code></pre><script>x</script>",
        "***\n---\n///",
    ],
)
def test_output_cannot_leave_its_fence(hostile: str, text: Callable[..., str]) -> None:
    made = text("/// snippet | a\n    show: output\n///\n", f"# %% x\nprint({hostile!r})\n")
    assert f"\n{hostile}\n" in made
    assert fences(made) == [("text", f"{hostile}\n")]


def test_a_listing_has_its_labels_and_its_caption(text: Callable[..., str]) -> None:
    caption = f"*`snippets/c/a.py` ran with JAX {toolchain().jax} on CPU*"
    body = "".join(f"/// snippet | a#{cell}\n///\n" for cell in ("call", "warn", "wrong", "jaxpr"))
    made = text(body).split("\n\n")
    labels = ["**Output**", "**Standard error**", "**Error**", "**Output: jaxpr**"]
    assert [part for part in made if part.startswith("**")] == labels
    assert made.count(caption) == 4
    assert made[made.index("**Output**") - 1].startswith("```python\nprint(")
    assert made[made.index("**Output**") + 1] == "```text\ntwo 2\nfour 4\n```"
    assert made[made.index("**Error**") + 1].startswith("```text\nZeroDivisionError: division by")
    assert "  at snippets/c/a.py:15 in <module>" in made[made.index("**Error**") + 1]
    assert made[made.index("**Output: jaxpr**") + 1].startswith("```jaxpr\n{ lambda")


def test_what_is_shown_is_what_the_options_say(text: Callable[..., str]) -> None:
    both = text("/// snippet | a#call\n    show: both\n///\n")
    assert [language for language, _ in fences(both)] == ["python", "text"]
    source = text("/// snippet | a#call\n    show: source\n///\n")
    assert [language for language, _ in fences(source)] == ["python"]
    marked = text("/// snippet | a#call\n    show: output\n    mark: four\n///\n")
    assert "**Output** (marked: line 2)\n\n```text" in marked
    both = text("/// snippet | a#call\n    show: output\n    mark: [two, four]\n///\n")
    assert "**Output** (marked: lines 1, 2)\n\n```text" in both


def test_a_question_is_followed_by_its_choices_and_its_answer(text: Callable[..., str]) -> None:
    made = text(
        "/// predict | a#call\n    choices: [1, two, 3]\n    fact: a.twice\n\n"
        "How many? [See](#t).\n\n---\n\n[Two](fact:a.twice), of course.\n///\n"
    )
    assert made.startswith(
        "**Predict**\n\nHow many? [See](https://e.org/l/c/index.md#t).\n\n"
        "- 1\n- two\n- 3\n\n**Answer: two**\n\n**Output**\n\n```text\ntwo 2\n"
    )
    assert made.endswith("on CPU*\n\nTwo, of course.")


def test_a_question_without_choices_has_an_answer_too(text: Callable[..., str]) -> None:
    assert "What?\n\n**Answer**\n\n**Output**" in text("/// predict | a#call\n\nWhat?\n///\n")


def test_a_lens_is_its_layers(text: Callable[..., str]) -> None:
    snippet = '# %% f lens="f(1.0)"\ndef f(x):\n    return x + 1\n'
    made = text("/// lens | a\n    show: [jaxpr, stablehlo]\n///\n", snippet)
    assert [language for language, _ in fences(made)] == ["python", "jaxpr", "stablehlo"]
    assert fences(made)[0][1] == "def f(x):\n    return x + 1\n"
    assert "**jaxpr: 1 equation**\n\n```jaxpr\n{ lambda ;" in made
    assert made.endswith(
        f"*`f(1.0)` in `snippets/c/a.py`, followed with JAX {toolchain().jax} on CPU*"
    )


def test_a_fold_keeps_its_title_and_the_glossary_its_terms(text: Callable[..., str]) -> None:
    assert text(
        "//// details | A `fold` of [two](fact:a.twice)\n/// snippet | a#silent\n///\n////\n"
    ).startswith("**A `fold` of two**\n\n```python\npass\n```")
    assert text("/// glossary\n///\n") == (
        "- **a_b\\***: A `x*` of \\*one\\*. Taught in [T](https://e.org/l/c/index.md)."
    )


def test_a_block_that_the_page_refuses_opens_nothing(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    body = "/// snippet | a\n    language: none\n///\n"
    root = site({"docs/l/c.md": FRONT + body, "snippets/c/a.py": "# %% a\nprint(1)\n"})
    source = markdowntext.Source("l/c.md", Build(Project(root), runner_for(root)), str)
    assert markdowntext.opening(outline.read(FRONT + body), source) == []


def test_a_path_keeps_its_chapters(text: Callable[..., str], site: Site) -> None:
    planned = "- slug: d\n  title: '*D*'\n  path: jax\n  number: 2\n  enables: see `d*`, _d_.\n"
    site({"docs/planned.yml": planned})
    first, second = text("/// path | jax\n///\n").split("\n")
    assert first.startswith("1. [T](https://e.org/l/c/index.md). Afterwards you can ")
    assert second == "2. \\*D\\* (still to come). Afterwards you can see `d*`, \\_d\\_."


@pytest.mark.parametrize(
    "block",
    [
        "/// snippet | gone\n///\n",
        "/// snippet | a#gone\n///\n",
        "/// snippet | a#silent\n    show: output\n///\n",
        "/// snippet | a\n    shown: both\n///\n",
        "/// snippet | a\n    no mapping\n///\n",
        "/// lens | a\n///\n",
    ],
)
def test_what_cannot_be_shown_is_said(block: str, text: Callable[..., str]) -> None:
    assert text(f"Before.\n\n{block}\nAfter.\n") == f"Before.\n\n{MISSING}\n\nAfter."


def test_the_index_of_ops_says_where_each_is_shown(text: Callable[..., str]) -> None:
    shown = "/// snippet | a#jaxpr\n///\n\n"
    body = f"{shown}## Two\n\n{shown}/// ops | jaxpr\n///\n"
    links = "[T](https://e.org/l/c/index.md): [Two](https://e.org/l/c/index.md#two)"
    assert text(body).endswith(f"- `mul`: Shown in {links}.")
    assert text("/// ops | none\n///\n") == MISSING


def test_the_index_of_ops_says_what_each_is_and_became() -> None:
    term = Term("a_b", "A `x*` of *one*. More.", "c")
    ways = [Became(("add",), ("b.b", "c.c")), Became(())]
    sections = [Section("l/c.md", "T", "two", "Two"), Section("l/d.md", "D", "", "")]
    entries = [
        Entry("b.a", Taught(term, "T*", "l/c.md#term-a_b"), ways, ["mul", "sub"], sections[:1]),
        Entry("b.b", Taught(term, "T*", None), [], [], sections),
    ]
    definition = r"[a_b](glossary.md#term-a_b): A `x*` of \*one\*. Taught in"
    assert opstext.listed(entries, "stablehlo", lambda title, to: f"[{escaped(title)}]({to})") == (
        rf"- `b.a`: {definition} [T\*](l/c.md#term-a_b). Becomes `add` (with `b.b`, `c.c`); "
        "or no instruction. Comes from `mul`, `sub`. Shown in T: [Two](l/c.md#two).\n"
        rf"- `b.b`: {definition} T\*, a chapter still to come. "
        "Shown in T: [Two](l/c.md#two); [D](l/d.md)."
    )


def test_a_code_span_holds_any_text() -> None:
    for body in ("x", "a`b", "`x`", "``"):
        (inline,) = [t for t in MarkdownIt().parse(statements.code_span(body)) if t.children]
        assert [child.content for child in inline.children or []] == [body]
