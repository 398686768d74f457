"""What a built site leaves out, and what it must keep."""

import re
from pathlib import Path

import material
import pytest

from traced import slim

STYLESHEETS = Path(material.__file__).parent / "templates" / "assets" / "stylesheets"
USED = {"primary=white", "primary=black", "accent=indigo"}


def test_a_page_keeps_its_article_as_it_is() -> None:
    article = (
        '<article class="md">\n\n  <pre>  a\n\n    b </pre>\n<article>x</article>\n  </article>'
    )
    page = f"<body>\n\n    <nav>\n      a  b\n  </nav>\n  {article}\n \n\n   <p>\n</body>\n"
    assert slim.page(page) == f"<body>\n<nav>\na  b\n</nav>\n{article}\n<p>\n</body>\n"


@pytest.mark.parametrize("page", ["", "<p>\n\n  <b>", "<article>\n\n <p>"])
def test_a_page_without_an_article_is_no_matter(page: str) -> None:
    assert slim.page(page).split() == page.split()


def test_the_palette_keeps_the_rules_in_use_in_their_order() -> None:
    (file,) = STYLESHEETS.glob("palette.*.css")
    css = file.read_text("utf-8")
    slimmed = slim.palette(css, USED)
    colours = set(re.findall(r"data-md-color-((?:primary|accent)=[\w-]+)", slimmed))
    assert colours == USED
    assert len(slimmed) < len(css) / 2
    assert slimmed.count("{") == slimmed.count("}")
    kept = [rule for rule in rules(css) if set(rule[0]) <= USED]
    assert [rule for rule in rules(slimmed) if rule[1]] == kept


def rules(css: str) -> list[tuple[frozenset[str], str]]:
    """The colours that each selector needs, with the selector and its declarations."""
    return [
        (frozenset(re.findall(r"data-md-color-((?:primary|accent)=[\w-]+)", one)), f"{one}{{{body}")
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css)
        for one in selectors.split(",")
    ]


def test_styles_and_scripts_lose_comments_and_indentation() -> None:
    css = "/* One\n   and */\n\n.a {\n  content: '//';\n  /* two */ color: red;\n}\n"
    assert slim.style(css) == ".a {\ncontent: '//';\ncolor: red;\n}"
    js = '// One\n{\n  // two\n  let a = "//x" // three\n\n  a /= 2\n}\n'
    assert slim.script(js) == '{\nlet a = "//x" // three\na /= 2\n}'
