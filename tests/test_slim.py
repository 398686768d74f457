"""What a built site leaves out, and what it must keep."""

import re
from pathlib import Path

import material
import pytest

from traced import slim

ASSETS = Path(material.__file__).parent / "templates" / "assets"
PAGE = (
    '<body dir="ltr" data-md-color-primary="white" data-md-color-accent="indigo" class="a md-nav">'
)


def test_a_page_keeps_its_article_as_it_is() -> None:
    article = (
        '<article class="md">\n\n  <pre>  a\n\n    b </pre>\n<article>x</article>\n  </article>'
    )
    page = f"<body>\n\n    <nav>\n      a  b\n  </nav>\n  {article}\n \n\n   <p>\n</body>\n"
    assert slim.page(page) == f"<body>\n<nav>\na  b\n</nav>\n{article}\n<p>\n</body>\n"


def test_a_page_does_not_ask_for_the_colours_apart() -> None:
    head = '<link rel="stylesheet" href="../assets/stylesheets/{}.1f2e.min.css">'
    assert slim.page(head.format("main") + head.format("palette")) == head.format("main")


@pytest.mark.parametrize("page", ["", "<p>\n\n  <b>", "<article>\n\n <p>"])
def test_a_page_without_an_article_is_no_matter(page: str) -> None:
    assert slim.page(page).split() == page.split()


@pytest.mark.parametrize(
    ("css", "slimmed"),
    [
        (".a{x:y}.b{x:y}.a .b{x:y}.a.a{x:y}", ".a{x:y}.a.a{x:y}"),
        (".b,.a,:is(.a,p) .b,:is(p,.a){x:y}", ".a,:is(p,.a){x:y}"),
        (".a:not(.b),:is(.a,.b),.b:not(.a){x:y}", ".a:not(.b),:is(.a,.b){x:y}"),
        ("p{x:.b}@media print{.b{x:y}p{x:y}}", "p{x:.b}@media print{p{x:y}}"),
        (":root{--x:url('data:.b,c')}", ":root{--x:url('data:.b,c')}"),
        ("[dir=ltr] p{x:y}[dir=rtl] p{x:y}", "[dir=ltr] p{x:y}"),
        ("[data-md-color-primary=red]{x:y}", ""),
        ("[data-md-color-accent=indigo]{x:y}", "[data-md-color-accent=indigo]{x:y}"),
        ("[data-md-color-scheme=slate]{x:y}", "[data-md-color-scheme=slate]{x:y}"),
        (".fact--stars{x:y}.fact_stars{x:y}", ".fact--stars{x:y}"),
    ],
)
def test_the_theme_keeps_what_some_page_or_script_mentions(css: str, slimmed: str) -> None:
    assert slim.theme(css, [PAGE, "`fact--${x}`"]) == slimmed


@pytest.mark.parametrize(
    "file", sorted(ASSETS.glob("stylesheets/*.css")), ids=lambda file: file.name[:4]
)
def test_the_themes_own_styles_come_through(file: Path) -> None:
    css = file.read_text("utf-8")
    (bundle,) = ASSETS.glob("javascripts/bundle.*.js")
    slimmed = slim.theme(css, [PAGE, bundle.read_text("utf-8")])
    assert len(slimmed) < len(css) * 0.7
    everything = re.sub(r"\[[\w-]+=([\w-]+)\]", r"[x=\1]", css)
    assert slim.theme(everything, [PAGE, css]) == everything
    assert set(selectors(slimmed)) < set(selectors(css))


def test_a_site_is_shortened_and_its_colours_put_into_the_main_styles(tmp_path: Path) -> None:
    files = {
        "index.html": '<p class="used">',
        "assets/stylesheets/main.1.css": ".used{x:y}.unused{x:y}",
        "assets/stylesheets/palette.2.css": "[data-md-color-scheme=slate]{x:y}",
        "assets/own.css": "/*! Licence */\n/* why */\n.unused {\n  x: y;\n}\n",
        "assets/own.js": "/*! Licence */\n// why\n{\n  let one = 1\n  let two = `  ${one}`\n}\n",
        "assets/javascripts/theme.js": "// theirs\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    slim.site(tmp_path)
    slim.site(tmp_path)
    assert {name: (tmp_path / name).read_text() for name in files} == files | {
        "assets/stylesheets/main.1.css": ".used{x:y}\n[data-md-color-scheme=slate]{x:y}",
        "assets/own.css": "/*! Licence */.unused{x:y}",
        "assets/own.js": "/*! Licence */{let one=1\nlet two=`  ${one}`}",
    }


def selectors(css: str) -> list[str]:
    """Each selector of a stylesheet with what it declares, where that is anything."""
    return [
        f"{selector}{{{body}"
        for some, body in slim._RULE.findall(css)
        for selector in slim._SELECTOR_END.split(some)
        if body
    ]
