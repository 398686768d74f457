"""This repository's own site, built, as a reader gets it: what it weighs, and who can read it."""

import gzip
import re
from pathlib import Path

import jupytext
import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.conftest import ROOT, build

CHAPTERS = [f"l/{file.stem}/" for file in sorted((ROOT / "docs" / "l").glob("*.md"))]
LABS = [f"labs/{file.stem}/" for file in sorted((ROOT / "docs" / "labs").glob("*.py"))]
PAGES = ["", "paths/", *CHAPTERS, "symptoms/", "ops/", "glossary/"]

SHIFTS = """
window.shifted = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted += entry.value
}).observe({ type: "layout-shift", buffered: true })
"""


def compressed(data: bytes) -> int:
    return len(gzip.compress(data, 6, mtime=0))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_keeps_its_budget(path: str, site_url: str, browser: Browser) -> None:
    received: list[Response] = []
    page = browser.new_page()
    page.on("response", lambda response: received.append(response))
    page.add_init_script(SHIFTS)
    page.goto(site_url + path, wait_until="networkidle")
    weights = {
        r.url: compressed(r.body()) for r in received if not r.url.startswith(("data:", "blob:"))
    }
    with_lens = page.locator("figure.lens").count() > 0
    assert len(weights) <= (10 if with_lens else 8), weights
    assert sum(weights.values()) <= (110 if with_lens else 80) * 1024, weights
    assert page.locator("*").count() <= 4_000
    assert page.evaluate("shifted") <= 0.01
    page.close()


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("path", ["paths/", CHAPTERS[-1]])
def test_what_scripts_add_moves_nothing_on_a_narrow_page(
    path: str, width: int, site_url: str, visit
) -> None:
    page = visit(site_url + path, script=SHIFTS, viewport={"width": width, "height": 900})
    page.wait_for_load_state("networkidle")
    assert page.evaluate("shifted") <= 0.01


@pytest.mark.parametrize("ending", ["js", "css"])
def test_scripts_and_styles_of_our_own_are_small(ending: str, built_site: Path) -> None:
    ours = [
        file.read_bytes()
        for file in (built_site / "assets").glob(f"*.{ending}")
        if file.name != "iframe-worker.js"  # of the offline build alone, and not ours
    ]
    assert ours
    assert sum(map(compressed, ours)) <= 6_000


# The rules of a stylesheet as the browser understood them; values with variables stay as written.
RULES = """(css) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return [...sheet.cssRules].map((rule) => rule.cssText.replace(/,\\s+/g, ","))
}"""


@pytest.mark.parametrize("name", ["site.css", "article.css", "lens.css"])
def test_a_shortened_stylesheet_says_the_same(
    name: str, built_site: Path, browser: Browser
) -> None:
    page = browser.new_page()
    folders = (ROOT / "docs" / "assets", built_site / "assets")
    written, short = (page.evaluate(RULES, (folder / name).read_text()) for folder in folders)
    assert written
    assert short == written
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES + LABS)
def test_axe_finds_nothing(path: str, scheme: str, site_url: str, visit, violations) -> None:
    assert violations(visit(site_url + path, color_scheme=scheme)) == []


@pytest.mark.parametrize("path", PAGES + LABS)
def test_no_page_scrolls_sideways(path: str, site_url: str, visit) -> None:
    page = visit(site_url + path, viewport={"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("path", PAGES)
def test_links_within_a_page_lead_somewhere(path: str, site_url: str, visit) -> None:
    page = visit(site_url + path)
    ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))
    links = page.eval_on_selector_all('a[href^="#"]', "all => all.map(e => e.hash.slice(1))")
    assert {link for link in links if link} <= set(ids)


def prose(page: Page) -> list[str]:
    """What stands in the article outside of boxes and of what scripts fill."""
    filled = ".fact-stamp, .lab-files, .chapter-place, .chapter-read"
    return page.locator(f"article > :not(.traced, .predict, {filled})").all_inner_texts()


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_needs_no_script(path: str, site_url: str, visit) -> None:
    scripted: Page = visit(site_url + path)
    with_script = prose(scripted)
    page = visit(site_url + path, java_script_enabled=False)
    page.wait_for_load_state()  # stylesheets hide some text, and no script waits for them here
    assert prose(page) == with_script
    assert page.locator("figure.listing").count() == scripted.locator("figure.listing").count()
    term = page.locator("a.term:visible").first
    target = page.locator(term.get_attribute("href") or "")
    term.click()
    expect(target).to_be_in_viewport()


@pytest.mark.parametrize("path", CHAPTERS)
def test_statements_of_a_chapter_are_checked(path: str, site_url: str, visit) -> None:
    page = visit(site_url + path)
    count = page.locator(".fact").count()
    assert count >= 8
    expect(page.locator(".fact-stamp")).to_contain_text(f"{count} statements of this page")
    for source in page.locator(".fact-list dt a").all():
        found = page.request.get(source.evaluate("link => link.href"))
        assert found.text() == (ROOT / (source.text_content() or "")).read_text()


def test_a_folded_listing_opens_by_key(site_url: str, visit) -> None:
    page = visit(site_url + "l/xla/")
    fold = page.locator("figure.listing details").first
    # One with a marked line behind the fold is open from the start.
    before = fold.get_attribute("open")
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert (fold.get_attribute("open") is None) == (before is not None)


def test_copying_takes_the_code_alone(site_url: str, visit) -> None:
    page = visit(site_url + "l/tracing/", permissions=["clipboard-read", "clipboard-write"])
    box = page.locator("figure.listing .highlight").first
    box.hover()
    box.locator("button").click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text !== '')")
    copied = page.evaluate("navigator.clipboard.readText()")
    source = (ROOT / "snippets" / "tracing" / "attend.py").read_text()
    assert copied.strip()
    assert copied.strip() in source


@pytest.mark.parametrize("path", [*LABS, *CHAPTERS[:1]])
def test_labs_and_chapters_can_be_taken_along(path: str, site_url: str, visit) -> None:
    page = visit(site_url + path)
    for link in page.locator(".lab-files a[download]").all():
        with page.expect_download() as download:
            link.click()
        ending = Path(download.value.suggested_filename).suffix.removeprefix(".")
        text = download.value.path().read_text("utf-8")
        assert len(jupytext.reads(text, fmt=ending).cells) > 6


def test_the_footer_says_what_everything_ran_with(site_url: str, visit) -> None:
    footer = visit(site_url).locator(".md-copyright").inner_text()
    assert re.search(r"JAX \d[\d.]+, jaxlib \d[\d.]+ and Python 3[\d.]+, on cpu", footer)


def test_the_offline_site_works_from_disk(tmp_path: Path, visit) -> None:
    site = build(ROOT, tmp_path / "site", "mkdocs.offline.yml")
    page: Page = visit((site / "l" / "tracing.html").as_uri())
    page.locator("a.term:visible").first.hover()
    expect(page.locator(".popup")).to_be_visible()
    page.locator(".popup a").first.click()
    expect(page).to_have_url(re.compile("#term-"))
    # A moment after a page was opened at a hash, the theme closes the search.
    page = visit((site / "l" / "jaxpr.html").as_uri())
    page.locator(".md-search__input").click()
    page.keyboard.type("jaxpr")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
