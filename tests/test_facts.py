"""Checked statements become quiet links, or are reported where they stand."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from markdown import Markdown

from traced.build import Build, begin
from traced.diagnostics import Diagnostic
from traced.project import Project
from traced.runner import Runner

Convert = Callable[..., "Converted"]

EXTENSIONS = [
    "attr_list",
    "md_in_html",
    "tables",
    "toc",
    "pymdownx.superfences",
    "pymdownx.blocks.details",
    "pymdownx.blocks.tab",
    "pymdownx.blocks.caption",
    "traced.markdown",
]
SNIPPET = """\
# %% count
print("out <1> & 2")
# %% facts
eqns = 11
third = "stop_gradient"
order = ["sub", "exp"]
stops = True
loops = False
ratio = 2.5
long = "x" * 101
hostile = "<b>&amp;</b>"
marks = "\\x02wzxhzdk:0\\x03"
"""
TWO_LINES = "<code>sub</code> and\n<code>exp</code>"
FRONT = "---\ntitle: C\npath: jax\nnumber: 1\nenables: see\n---\n"


class Converted(NamedTuple):
    """What became of one page. `article` is its HTML without the stamp and the list."""

    html: str
    article: str
    toc: str
    faults: list[Diagnostic]


@pytest.fixture
def convert(site: Callable[..., Path], runner_for: Callable[[Path], Runner]) -> Convert:
    """Converts a page of a site that has one snippet."""

    def convert(
        body: str, *, front: str = "", path: str = "c.md", code: str = SNIPPET
    ) -> Converted:
        root = site({f"docs/{path}": front + body, "snippets/c/attend.py": code})
        build = begin(Build(Project(root), runner_for(root)))
        build.page = path
        markdown = Markdown(extensions=EXTENSIONS)
        html = markdown.convert(body.replace("\r\n", "\n"))
        article = re.sub(r'<p class="fact-stamp".*?</p>|<details class="fact-list".*', "", html)
        faults = [f for f in build.faults() if "no page shows" not in f.cause]
        return Converted(html, article.strip(), markdown.toc, faults)

    return convert


def fact(text: str, number: int = 1, *, first: bool = True) -> str:
    id_ = f' id="stated-{number}"' if first else ""
    return f'<a class="fact" href="#fact-{number}"{id_}>{text}</a>'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[Eleven](fact:attend.eqns) of.", f"<p>{fact('Eleven')} of.</p>"),
        ("Has [11](fact:c/attend.eqns).", f"<p>Has {fact('11')}.</p>"),
        ("[`stop_gradient`](fact:attend.third)", f"<p>{fact('<code>stop_gradient</code>')}</p>"),
        ("**[*2.5*](fact:attend.ratio)**", f"<p><strong>{fact('<em>2.5</em>')}</strong></p>"),
        (
            "[it **`never`** goes *on*](fact:attend.stops)",
            f"<p>{fact('it <strong><code>never</code></strong> goes <em>on</em>')}</p>",
        ),
        (
            "[`sub` and\n`exp`](fact:attend.order)",
            f"<p>{fact(TWO_LINES)}</p>",
        ),
        (
            "- [`out <1> & 2`](fact:attend.count.printed)",
            f"<li>{fact('<code>out &lt;1&gt; &amp; 2</code>')}</li>",
        ),
        ("> - a\n>\n>     [1](fact:attend.count.lines)", f"<p>{fact('1')}</p>"),
        ("| a |\n|---|\n| [11](fact:attend.eqns) |", f"<td>{fact('11')}</td>"),
        (
            "Text.\n\n/// caption\n[11](fact:attend.eqns)\n///",
            f"<p>{fact('11')}</p>\n</figcaption>",
        ),
        ("/// details | More\n[11](fact:attend.eqns)\n///", f"<p>{fact('11')}</p>\n</details>"),
        ('<div markdown="1">\n[11](fact:attend.eqns)\n</div>', f"<p>{fact('11')}</p>\n</div>"),
        ("[11](fact:attend.eqns){.big title=x}", f"<p>{fact('11')}</p>"),
        ("[11][e]\n\n[e]: fact:attend.eqns", f"<p>{fact('11')}</p>"),
        (
            "[11](fact:attend.eqns), [true](fact:attend.stops), [eleven](fact:attend.eqns)",
            f"{fact('11')}, {fact('true', 2)}, {fact('eleven', first=False)}</p>",
        ),
    ],
)
def test_a_true_statement_is_a_link(convert: Convert, source: str, expected: str) -> None:
    page = convert(source)
    assert page.faults == []
    assert expected in page.article


@pytest.mark.parametrize(
    ("source", "tag"),
    [
        ("/// details | Are there [11](fact:attend.eqns)?\nText.\n///", "summary"),
        ("/// tab | Of [11](fact:attend.eqns)\nText.\n///", "label"),
    ],
)
def test_what_opens_something_holds_no_link(convert: Convert, source: str, tag: str) -> None:
    page = convert(source)
    assert page.faults == []
    assert '<span class="fact" id="stated-1">11</span>' in page.article
    assert not re.search(rf"<{tag}[^>]*>[^\n]*<a ", page.article)


@pytest.mark.parametrize(
    ("statement", "cause", "hint"),
    [
        (
            "[**ten**](fact:attend.eqns)",
            "the text says 'ten', the run says eqns = 11",
            "`traced check --fix` writes what the run says, where that is a number or a name.",
        ),
        (
            "[`sub`](fact:attend.third)",
            "the text says 'sub', the run says third = 'stop_gradient'",
            "`traced check --fix` writes what the run says, where that is a number or a name.",
        ),
        (
            "[it loops](fact:attend.loops)",
            "the text says 'it loops', but loops is false",
            "Change the sentence: it is no longer so.",
        ),
        (
            "[11](fact:attend.eqn)",
            "unknown fact 'eqn' in snippets/c/attend.py",
            "Did you mean fact:attend.eqns?",
        ),
        ("[11](fact:atend.eqns)", "unknown snippet 'c/atend'", "Did you mean fact:attend.eqns?"),
        (
            "[11](fact:eqns)",
            "'eqns' refers to no fact",
            "Write fact:snippet.name or fact:chapter/snippet.name.",
        ),
    ],
)
def test_another_is_reported_and_says_so(
    convert: Convert, statement: str, cause: str, hint: str
) -> None:
    page = convert(f"It has\n{statement} of them.")
    (fault,) = page.faults
    assert (fault.cause, fault.hint) == (cause, hint)
    assert str(fault.places[0]) == "docs/c.md:2:2"
    assert f'<span class="fact-problem"> [{cause}]</span></strong> of them.' in page.article
    assert 'href="fact:' not in page.html
    assert "fact-stamp" not in page.html


def test_what_the_run_says_is_shown_as_it_is(convert: Convert) -> None:
    article = convert("[&lt;](fact:attend.hostile) [x](fact:attend.marks)").article
    assert "the run says hostile = '&lt;b&gt;&amp;amp;&lt;/b&gt;']</span>" in article
    assert "the run says marks = '␂wzxhzdk:0␃']</span>" in article


def test_the_line_that_computes_it_is_named(convert: Convert) -> None:
    (fault,) = convert("[ten](fact:attend.eqns)").faults
    assert str(fault.places[1]) == "snippets/c/attend.py:4"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("front", ["", FRONT])
def test_line_and_column_are_those_of_the_file(convert: Convert, newline: str, front: str) -> None:
    body = "\n# C\n\nÄ `x` [11](fact:attend.eqns), [ten](fact:attend.eqns)\n"
    body += "- [9](fact:attend.ratio)\n"
    path = "l/c.md" if front else "c.md"
    page = convert(body.replace("\n", newline), front=front.replace("\n", newline), path=path)
    lines = 6 if front else 0
    assert [str(fault.places[0]) for fault in page.faults] == [
        f"docs/{path}:{lines + 4}:32",
        f"docs/{path}:{lines + 5}:4",
    ]


def test_headings_keep_their_id_and_their_entry_in_the_contents(convert: Convert) -> None:
    page = convert("# [11](fact:attend.eqns) `x`\n\n## The [ten](fact:attend.eqns)\n")
    assert f'<h1 id="11-x">{fact("11")} <code>x</code></h1>' in page.article
    assert '<h2 id="the-ten">The <strong class="fact-untrue">ten<span' in page.article
    assert re.findall(r"<a [^\n]*?</a>", page.toc) == [
        '<a href="#11-x">11 x</a>',
        '<a href="#the-ten">The ten</a>',
    ]


def test_a_heading_named_like_the_list_gets_another_id(convert: Convert) -> None:
    page = convert("[11](fact:attend.eqns)\n\n# Facts\n\n# Fact 1\n")
    ids = re.findall(r' id="([^"]*)"', page.html)
    assert len(ids) == len(set(ids)) == 5


def test_statements_about_a_snippet_that_failed_are_plain_text(convert: Convert) -> None:
    page = convert(
        "It has [ten](fact:attend.eqns), [**true**](fact:attend.x).", code="# %% x\n1/0\n"
    )
    assert page.article == "<p>It has <span>ten</span>, <span><strong>true</strong></span>.</p>"
    (fault,) = page.faults
    assert "ZeroDivisionError" in fault.cause
    assert [str(place) for place in fault.places] == ["snippets/c/attend.py:2", "docs/c.md:1:9"]


def test_the_stamp_stands_under_the_title_and_the_list_at_the_end(convert: Convert) -> None:
    page = convert("# C\n\n[11](fact:attend.eqns), [11](fact:attend.eqns)\n\nEnd.\n")
    assert re.search(
        r'</h1>\n?<p class="fact-stamp" data-search-exclude=""><a href="#facts">2 statements</a>'
        r' of this page checked with JAX [\d.]+ <span class="fact-switch"></span></p>',
        page.html,
    )
    assert re.search(r"<p>End.</p>\n<details class=\"fact-list\".*</details>$", page.html)
    assert ">1 statement</a>" in convert("[11](fact:attend.eqns)").html
    assert "fact" not in convert("Nothing, [nowhere](other).").html


def test_the_list_says_against_what(convert: Convert) -> None:
    text = "[11](fact:attend.eqns) [it](fact:attend.stops) [`<b>&amp;</b>`](fact:attend.hostile) "
    page = convert(f"{text} [{'x' * 101}](fact:attend.long)")
    assert page.faults == []
    entries = re.findall(
        r'<dd id="fact-(\d)"><a href="#stated-(\d)">(\w+)</a> = (.*?)</dd>', page.html
    )
    assert entries == [
        ("1", "1", "eqns", "11"),
        ("2", "2", "stops", "true"),
        ("3", "3", "hostile", "&lt;b&gt;&amp;amp;&lt;/b&gt;"),
        ("4", "4", "long", "x" * 100 + "…"),
    ]


@pytest.mark.parametrize(
    ("path", "source"),
    [("more/c.md", "../snippets/c/attend.py.txt"), ("c.md", "snippets/c/attend.py.txt")],
)
def test_the_list_leads_to_the_source(convert: Convert, path: str, source: str) -> None:
    page = convert("[11](fact:attend.eqns)", path=path)
    assert f'<dt><a href="{source}">snippets/c/attend.py</a></dt>' in page.html


def test_comments_for_the_check_are_no_part_of_the_page(convert: Convert) -> None:
    page = convert(
        "Eight, <!-- unchecked: eight because\nit is --> and\n<!-- kept -->\n\n"
        "<!-- unchecked: all because so -->\n\n    <!-- unchecked: code -->\n"
    )
    assert page.faults == []
    assert "Eight, " in page.html
    assert "<!-- kept -->" in page.html
    assert "<!-- unchecked" not in page.html
    assert "&lt;!-- unchecked: code --&gt;" in page.html
