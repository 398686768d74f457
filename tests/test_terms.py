"""Which mentions of a glossary term become links, and the list at the end of an article."""

import re
import xml.etree.ElementTree as etree

import pytest
from markdown import Markdown
from markdown.util import AtomicString
from pymdownx.blocks.block import Block

from traced.chapters import Chapter
from traced.glossary import Glossary, Term
from traced.markdown.terms import PageContext, PageTerms, TermsExtension, ir_link_of

CHAPTERS = {
    "tracing": Chapter("tracing", "Tracing <it>", "jax", 1, "", source="l/tracing.md"),
    "grad": Chapter("grad", "A gradient", "jax", 6, "differentiate"),
    "jaxpr": Chapter("jaxpr", "The jaxpr", "kernel", 2, "", source="l/jaxpr.md"),
}
GLOSSARY = Glossary(
    (
        Term("contraction", "A sum & more.", "jaxpr", ir=("dot_general",)),
        Term("jaxpr", "What a tracer <leaves>. See `jaxpr` & co.", "jaxpr", aliases=("jaxprs",)),
        Term("residual", "What a backward part keeps.", "grad"),
        Term("static argument", "No tracer; no tracer.", "jaxpr", aliases=("static arguments",)),
        Term("tracer", "Stands for an array.", "tracing"),
    )
)
EXTENSIONS = [
    "toc",
    "tables",
    "attr_list",
    "md_in_html",
    "footnotes",
    "admonition",
    "pymdownx.details",
    "pymdownx.superfences",
    "pymdownx.blocks.details",
    "pymdownx.blocks.tab",
    "pymdownx.blocks.caption",
]
ALL = ["jaxpr", "tracer", "static\narguments"]


def markdown(page="l/other.md", *, glossary=GLOSSARY):
    known = CHAPTERS | {"other": Chapter("other", "Other", "jax", 2, "", source="l/other.md")}
    context = PageContext(glossary, known, page)
    return Markdown(extensions=[*EXTENSIONS, TermsExtension(lambda: context)])


def convert(text, *arguments, **options):
    return markdown(*arguments, **options).convert(text)


def article(html):
    """The article without the list at its end."""
    return html.split('<section class="term-list"')[0]


def linked(html):
    """The text of every mention that is linked, in order."""
    return re.findall(r'<a [^>]*class="term"[^>]*>([^<]*)</a>', html)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A jaxpr, a jaxpr.\n\nA jaxpr.", ["jaxpr"]),
        ("Jaxprs, jaxprs and then a jaxpr.", ["jaxprs"]),
        ("A jaxpr.\n\n## One\n\nA jaxpr.\n\n### Two\n\nA jaxpr.", ["jaxpr", "jaxpr"]),
        ("A jaxpr and a tracer: *the tracer*, **static\narguments**.", ALL),
        ("- a jaxpr\n- a *tracer*\n\n> a static argument", ["jaxpr", "tracer", "static argument"]),
        (
            "jaxpr\n\n|jaxpr|b|\n|-|-|\n|jaxpr|tracer|\n\ntracer",
            ["jaxpr", "jaxpr", "tracer", "tracer"],
        ),
        ("[^1] A note.\n\n[^1]: A jaxpr.", ["jaxpr"]),
        ("| a | b |\n|-|-|\n| jaxpr | jaxpr |\n\nA jaxpr.", ["jaxpr", "jaxpr"]),
        ('??? note "A jaxpr"\n\n    A jaxpr, a jaxpr.\n\nA jaxpr.', ["jaxpr", "jaxpr"]),
        ("/// details | A jaxpr\nA tracer.\n///", ["tracer"]),
        ('<div markdown="1">\n## One\n\nA jaxpr.\n</div>\n\nA jaxpr.', ["jaxpr"]),
        ("A jaxpr.\n\n<div markdown='1'>\n## One\n</div>\n\nA jaxpr.", ["jaxpr", "jaxpr"]),
    ],
)
def test_the_first_mention_in_a_section_is_linked(text, expected):
    assert linked(convert(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "# A jaxpr\n\n## A jaxpr\n\n###### A *jaxpr*",
        "`a jaxpr`",
        "    a jaxpr",
        "```\na jaxpr\n```",
        "[a jaxpr](other.md)",
        "<https://jaxpr/jaxpr>",
        "![a jaxpr](jaxpr.png)",
        '<a href="other.md">a jaxpr, *a jaxpr*</a>',
        "<kbd>jaxpr</kbd>, <CODE>jaxpr</CODE>",
        "<p>a jaxpr</p>",
        "<!-- a jaxpr -->",
        '??? note "A jaxpr"\n\n    Nothing.',
        '!!! note "A jaxpr"\n\n    Nothing.',
        "/// tab | A jaxpr\nNothing.\n///",
        "![](x.png)\n\n/// caption\nA jaxpr\n///",
    ],
)
def test_no_mention_is_linked_in(text):
    html = convert(text)
    assert linked(html) == []
    assert "term-list" not in html


def test_raw_html_forbids_no_more_than_it_holds():
    assert linked(convert("<kbd>jaxpr</kbd>, <b>jaxpr</b>")) == ["jaxpr"]
    assert linked(convert("</kbd>A jaxpr.")) == ["jaxpr"]
    assert linked(convert("An <a href='.'>open link.\n\nA jaxpr.")) == ["jaxpr"]


def test_a_mention_is_a_link_with_a_description():
    html = convert("A jaxpr & a tracer.")
    assert article(html).strip() == (
        '<p>A <a aria-describedby="def-jaxpr" class="term" href="#term-jaxpr" id="use-jaxpr-1">'
        'jaxpr</a> &amp; a <a aria-describedby="def-tracer" class="term" href="#term-tracer" '
        'id="use-tracer-1">tracer</a>.</p>'
    )


def test_on_the_page_that_teaches_it_a_term_is_defined_once():
    html = convert("A jaxpr, a jaxpr.\n\n## Two\n\nA jaxpr with a tracer.", "l/jaxpr.md")
    assert html.count('<dfn id="term-jaxpr">jaxpr</dfn>') == 1
    assert linked(html) == ["tracer"]
    assert "def-jaxpr" not in html


@pytest.mark.parametrize(
    ("page", "expected"),
    [("index.md", 1), ("l/other.md", 1), ("glossary.md", 0), ("labs/one.md", 0), ("l/x.md", 0)],
)
def test_terms_are_linked_in_chapters_and_on_the_landing_page(page, expected):
    assert len(linked(convert("A jaxpr.", page))) == expected


def test_without_terms_nothing_is_linked():
    assert convert("A jaxpr.", glossary=Glossary()) == "<p>A jaxpr.</p>"


def test_the_list_is_as_specified():
    section = etree.fromstring(
        "<section"
        + convert("## A jaxpr\n\nOne jaxpr, a jaxpr.\n\n## B\n\njaxprs").split("<section")[1]
    )
    assert (section[0].tag, section[0].attrib, section[0].text) == ("h2", {}, "Terms on this page")
    assert [entry.get("id") for entry in section.find("dl")] == ["term-jaxpr"]
    entry = section.find("dl/div")
    assert entry.find("dt/dfn").text == "jaxpr"
    first = entry.find("dd/p/span[@id='def-jaxpr']")
    assert "".join(first.itertext()) == "What a tracer <leaves>."
    definition, taught, uses = entry.findall("dd/p")
    assert "".join(definition.itertext()) == "What a tracer <leaves>. See jaxpr & co."
    assert definition.find("span/code").text == "jaxpr"
    assert [link.get("href") for link in definition.iter("a")] == ["../glossary.md#term-tracer"]
    assert (
        "".join(taught.itertext())
        == "Taught in: The jaxpr (kernel path, chapter 2: on the other path)"
    )
    assert taught.find("a").get("href") == "jaxpr.md#term-jaxpr"
    assert [(link.get("href"), link.get("aria-label")) for link in uses] == [
        ("#use-jaxpr-1", "Back to mention 1 of jaxpr"),
        ("#use-jaxpr-2", "Back to mention 2 of jaxpr"),
    ]
    assert section.find("p/a").get("href") == "../glossary.md"


def test_links_are_relative_to_the_page():
    html = convert("A jaxpr and a tracer.", "index.md")
    assert 'href="l/jaxpr.md#term-jaxpr"' in html
    assert 'href="glossary.md#term-tracer"' in html
    assert "Taught in: Tracing &lt;it&gt;</a>" in html


@pytest.mark.parametrize(
    ("page", "text", "expected"),
    [
        ("l/other.md", "tracer", "earlier on this path"),
        ("l/tracing.md", "residual", "later on this path"),
        ("l/jaxpr.md", "tracer", "on the other path"),
    ],
)
def test_it_says_which_way_the_chapter_of_a_term_is(page, text, expected):
    taught = convert(text, page).split('class="term-taught">')[1].split("</p>")[0]
    assert taught.endswith(f": {expected})")


def test_a_term_of_a_chapter_still_to_come_is_linked_but_its_chapter_is_not():
    html = convert("A residual.", "index.md")
    assert linked(html) == ["residual"]
    assert (
        '<p class="term-taught">Taught in: A gradient, a chapter still to come '
        "(JAX path, chapter 6)</p>" in html
    )


def test_a_definition_links_another_term_once_and_never_itself():
    html = convert("A static argument.")
    assert "".join(re.findall(r"<dd>.*?</dd>", html)).count("#term-tracer") == 1
    assert "glossary.md#term-static-argument" not in html


@pytest.mark.parametrize("last", ["toc", "terms"])
def test_the_list_stays_out_of_the_table_of_contents(last):
    terms = TermsExtension(lambda: PageContext(GLOSSARY, CHAPTERS, "l/tracing.md"))
    md = Markdown(extensions=["toc", terms] if last == "terms" else [terms, "toc"])
    assert "<h2>Terms on this page</h2>" in md.convert("# One\n\n## Two\n\nA jaxpr.")
    assert "Terms on this page" not in str(md.toc_tokens)


def test_ids_are_unique_and_every_anchor_is_there():
    html = convert(
        "A jaxpr.\n\n## jaxpr\n\nA jaxpr, static arguments.\n\n## use-jaxpr-1\n\nA jaxpr."
    )
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert {"term-jaxpr", "term-static-argument", "use-jaxpr-3"} <= set(ids)
    assert set(re.findall(r' href="#([^"]*)"', html)) <= set(ids)


def test_one_instance_converts_many_pages():
    md = markdown()
    first = md.convert("A jaxpr.")
    assert md.convert("A tracer.").count("term-jaxpr") == 0
    assert md.convert("A jaxpr.") == first


def test_ir_tokens_are_terms():
    page = PageTerms(PageContext(GLOSSARY, CHAPTERS, "l/tracing.md"))
    assert page.ir_link("add") is None
    link = '<a class="term term-ir" href="#term-contraction" aria-describedby="def-contraction">'
    assert page.ir_link("dot_general") == page.ir_link("dot_general") == link
    assert page.uses == {}  # until it is on the page
    assert PageTerms(PageContext(GLOSSARY, CHAPTERS, "l/jaxpr.md")).ir_link("dot_general") is None
    assert PageTerms(PageContext(GLOSSARY, CHAPTERS, "x.md")).ir_link("dot_general") is None


class Listing(Block):
    """Raw HTML put aside while blocks are parsed, as listings are."""

    NAME = "listing"

    def on_create(self, parent):
        return etree.SubElement(parent, "div")

    def on_end(self, block):
        link = ir_link_of(self.md)("dot_general")
        raw = f"<pre>&lt;a class= {link}dot_general</a> <a class='term-ir'>x</a></pre>"
        block.text = AtomicString(self.md.htmlStash.store(raw))


def test_ir_tokens_of_listings_are_mentions_in_their_order():
    md = markdown()
    md.parser.blockprocessors["blocks"].register(Listing, {})
    html = md.convert(
        "A contraction.\n\n/// listing\n///\n\n## Two\n\n/// listing\n///\n\nA contraction."
    )
    uses = [f"use-contraction-{number}" for number in (1, 2, 3, 4)]
    assert re.findall(r' id="(use-[^"]*)"', html) == uses
    assert re.findall(r' href="#(use-[^"]*)"', html) == uses
    assert '<a class="term term-ir" id="use-contraction-2" href="#term-contraction" ' in html
    assert html.count('id="term-contraction"') == 1


def test_raw_html_that_looks_like_a_link_of_ours_is_let_be():
    raw = '<p><a class="term term-ir" href="#term-x">x</a></p>'
    assert convert(raw) == raw
    assert ir_link_of(Markdown())("dot_general") is None


def test_the_glossary_block_lists_every_term():
    html = convert("# Glossary\n\n/// glossary\n///\n\nA jaxpr.", "glossary.md")
    assert re.findall(r'<h2 id="([^"]*)"><dfn>', html) == [
        "term-contraction",
        "term-jaxpr",
        "term-residual",
        "term-static-argument",
        "term-tracer",
    ]
    assert 'href="l/jaxpr.md#term-jaxpr">Taught in: The jaxpr</a> (kernel path, chapter 2)' in html
    assert 'href="#term-tracer"' in html
    assert "A sum &amp; more." in html
    assert linked(html) == []
