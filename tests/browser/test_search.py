"""What a reader finds who has a name or a message: in the search, and in the index of ops."""

import html
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import bs4
import pytest
from playwright.sync_api import Page, expect

from traced.lexers import LANGUAGES

#: What somebody types, and what must be among the first pages, with its best entries.
QUERIES = {
    "constvar": ["glossary/#term-constvar", "l/jaxpr/#where-is-the-array-that-i-never-passed"],
    "aval": ["glossary/#term-aval"],
    "reduce_max": ["ops/#primitive-reduce_max"],
    "dot_general": ["glossary/#term-dot_general", "ops/#primitive-dot_general"],
    "stablehlo.reduce": ["ops/#op-stablehlo.reduce", "l/stablehlo/#how-do-i-read-a-reduce"],
    "custom-call": ["glossary/#term-custom-call", "ops/#op-stablehlo.custom_call"],
    "while": ["l/stablehlo/#how-do-i-read-a-while-and-a-case", "ops/#op-stablehlo.while"],
    "TracerBoolConversionError": [
        "symptoms/#tracerboolconversionerror",
        "l/tracing/#tracerboolconversionerror-an-if-that-asks-for-a-value",
    ],
    "tracerbool": ["symptoms/#tracerboolconversionerror"],
    "'TracerBoolConversionError'": ["symptoms/#tracerboolconversionerror"],
    "debug_nans": ["l/tracing/#how-do-i-print-a-value-inside-jit"],
    "TracerBoolConversionError: Attempted boolean conversion of traced array": [
        "l/tracing/#tracerboolconversionerror-an-if-that-asks-for-a-value",
        "symptoms/#tracerboolconversionerror",
    ],
    "how do I read a jaxpr": ["l/jaxpr/#what-does-one-line-say"],
    "immutable": ["l/jaxpr/#which-primitive-does-my-index-become"],
    "how do I print inside jit": ["l/tracing/#how-do-i-print-a-value-inside-jit"],
    "why is the lowered text unoptimized": ["l/stablehlo/#why-is-the-lowered-text-unoptimized"],
    "why did it recompile": ["l/shapes/#why-did-it-recompile-and-how-do-i-get-warned"],
    "early exit vmap": ["l/tracers/#early-exit-fails-under-vmap"],
    "float(x) in jit": ["symptoms/#concretizationtypeerror"],
    "jit ignores a global": ["l/tracing/#i-changed-a-global-and-jit-ignored-it"],
}

#: Pages, and entries of a page, that count as first.
_PAGES, _ENTRIES = 3, 3


@pytest.fixture(scope="module")
def entries(built_site: Path) -> dict[str, dict[str, str]]:
    """The search index, by location."""
    index = json.loads((built_site / "search" / "search_index.json").read_text("utf-8"))
    return {entry["location"]: entry for entry in index["docs"]}


@pytest.fixture(scope="module")
def pages(built_site: Path) -> dict[str, bs4.BeautifulSoup]:
    """The pages that are written in Markdown, by their addresses."""
    files = [built_site / "index.html", *built_site.glob("*/index.html"), *built_site.glob("l/*/*")]
    return {
        posixpath.normpath(file.parent.relative_to(built_site).as_posix()).strip(".")
        + ("" if file.parent == built_site else "/"): bs4.BeautifulSoup(
            file.read_text("utf-8"), "html.parser"
        )
        for file in files
        if file.suffix == ".html"
    }


def test_what_is_looked_for_comes_first(site_url: str, visit) -> None:
    page = visit(site_url + "l/tracing/")
    page.locator(".md-search__input").click()
    missed = {}
    for query, wanted in QUERIES.items():
        found = search(page, query)
        best = [entry for group in found[:_PAGES] for entry in group[: _ENTRIES + 1]]
        if not set(wanted) <= set(best):
            missed[query] = found[: _PAGES + 1]
    assert missed == {}


def search(page: Page, query: str) -> list[list[str]]:
    """The locations that a query finds, page by page, each page with its best entries."""
    page.locator(".md-search__input").fill("")
    page.keyboard.press("Backspace")  # the search looks at keys
    expect(page.locator(".md-search-result__item")).to_have_count(0)
    page.keyboard.insert_text(query[:-1])
    page.keyboard.type(query[-1])
    expect(page.locator(".md-search-result__item").first).to_be_attached()
    found: list[list[str]] = page.eval_on_selector_all(
        ".md-search-result__item",
        """items => items.map(item => [...item.querySelectorAll("a")].map(
             a => a.pathname.slice(1) + a.hash))""",
    )
    return found


def test_a_link_into_the_search_starts_it(site_url: str, visit) -> None:
    page = visit(site_url + "l/tracing/?q=jaxpr")
    expect(page.locator(".md-search-result__link").first).to_be_visible()


def test_the_search_index_holds_no_programs(entries, pages) -> None:
    # The page on a lens of one's own has commands to type. Sentences quote lines, as inline code.
    blocks = [at for at, entry in entries.items() if "<pre" in entry["text"]]
    assert {at.partition("#")[0] for at in blocks} <= {"lens/"}
    text = " ".join(re.sub("<code>.*?</code>", "", entry["text"]) for entry in entries.values())
    text = html.unescape(re.sub("<.*?>", "", text))
    lines = {
        line.strip()
        for soup in pages.values()
        for box in soup.select("figure.listing pre code, figure.lens .pane")
        for line in box.get_text().splitlines()
    }
    # A short line may be what a sentence says.
    assert [line for line in lines if len(line) >= 40 and line in text] == []
    assert len([line for line in lines if len(line) >= 40]) > 300


def test_terms_ops_and_symptoms_are_entries_of_the_search(entries, pages) -> None:
    for address, least in (("glossary/", 30), ("ops/", 60), ("symptoms/", 5)):
        headings = pages[address].select("article :is(h2, h3)[id]")
        assert len(headings) >= least
        for heading in headings:
            title = heading.get_text().removesuffix("¶")
            entry = entries[f"{address}#{heading['id']}"]
            assert re.sub("<.*?>", "", entry["title"]) == title


def test_an_entry_for_an_op_says_what_it_is_in_the_search_alone(entries, pages) -> None:
    found = {at: re.match("ops/#(primitive|op|opcode)-", at) for at in entries}
    known = {at: match[1] for at, match in found.items() if match}
    assert len(known) > 60
    for at, kind in known.items():
        assert entries[at]["text"].startswith(f"<p>{kind.capitalize()}</p>")
    kinds = pages["ops/"].select("article .term-entry > p:not([class])")
    assert kinds
    assert all(kind.has_attr("hidden") for kind in kinds)


def shown(soup: bs4.BeautifulSoup) -> Iterator[tuple[str, str, str]]:
    """Language, name and section of every primitive, op and opcode that a page shows."""
    labels = {"Output: jaxpr": "jaxpr", "Output: StableHLO": "stablehlo", "Output: HLO": "hlo"}
    for name in soup.select("figure.listing section .nf"):
        label = name.find_parent("section").select_one(".filename").get_text()
        if label in labels:
            yield labels[label], name.get_text(), section(name)
    for letter, language in zip("jsh", LANGUAGES, strict=True):
        for name in soup.select(f"figure.lens .c-{letter} .nf"):
            yield language, name.get_text(), section(name)


def section(element: bs4.Tag) -> str:
    heading = element.find_previous(re.compile("^h[1-6]$"))
    return "" if heading.name == "h1" else f"#{heading['id']}"


def test_the_index_of_ops_leads_to_all_that_is_shown(pages) -> None:
    kinds = {"jaxpr": "primitive", "stablehlo": "op", "hlo": "opcode"}
    index = pages["ops/"]
    known = {}
    for heading in index.select("article h3"):
        links = heading.find_parent("div").select(".term-uses a")
        known[heading["id"]] = {urlsplit(urljoin("/ops/", a["href"]))[2:] for a in links}
    needed = set()
    for address, soup in pages.items():
        for language, name, anchor in shown(soup):
            bare = language == "stablehlo" and "." not in name
            needed.add((f"{kinds[language]}-{'func.' * bare}{name}", f"/{address}{anchor}"))
    leads = {
        (entry, path + ("#" + fragment if fragment else ""))
        for entry, links in known.items()
        for path, _, fragment in links
    }
    assert needed - leads == set()
    assert len(needed) > 200
    # Beyond these there are keywords of MLIR, and what a fold or a lens of few details leaves out.
    assert {entry for entry, _ in leads} - {entry for entry, _ in needed} <= {
        "op-builtin.module",
        "op-func.func",
    }
