"""What stands beside the pages of this repository's own site: texts, pictures, lists, a button."""

import io
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ROOT, build
from tests.browser.test_site import CHAPTERS
from traced.markdowntext import MISSING

CLIPBOARD = ["clipboard-read", "clipboard-write"]
COPY = "Copy page"


def parsed(built_site: Path, path: str) -> BeautifulSoup:
    return BeautifulSoup((built_site / path / "index.html").read_text("utf-8"), "html.parser")


def said(soup: BeautifulSoup, name: str) -> str:
    """What the head of a page says under a name."""
    tag = soup.find("meta", {"property": name}) or soup.find("meta", {"name": name})
    assert isinstance(tag, Tag), name
    return str(tag["content"])


def local(built_site: Path, url: str) -> Path:
    """The file of the built site that is at an address of it."""
    return built_site / urlsplit(url).path.lstrip("/")


@pytest.mark.parametrize("path", ["", *CHAPTERS])
def test_the_text_of_a_page_has_every_output_on_it(path: str, built_site: Path) -> None:
    soup = parsed(built_site, path)
    text = (built_site / path / "index.md").read_text("utf-8")
    assert MISSING not in text
    assert not re.search(r"^ *///|\(fact:|<!--", text, re.MULTILINE)
    shown = [box.get_text() for box in soup.select(".listing-text")]
    assert len(shown) >= 6
    for output in shown:
        assert f"\n{output}\n```" in text
    for caption in soup.select("figure.listing:not(.lens) figcaption"):
        assert caption.get_text().split(" ran with ")[1] in text
    for choice in soup.select(".choices label"):
        assert f"- {str(choice.get_text()).split(' (')[0].strip()}\n" in text


def test_the_text_of_a_lens_has_its_layers(built_site: Path) -> None:
    text = (built_site / "index.md").read_text("utf-8")
    panes = parsed(built_site, "").select(".lens .col:not(.c-py) .pane")
    assert len(panes) >= 3
    for pane in panes:
        lines = [line.strip() for line in pane.get_text().split("\n") if line.strip()]
        assert len(lines) > 3
        position = 0
        for line in lines:
            position = text.find(line, position)
            assert position >= 0, line


def test_every_link_of_the_list_is_a_file(built_site: Path) -> None:
    index = (built_site / "llms.txt").read_text("utf-8")
    urls = re.findall(r"\]\(([^)]*)\)", index)
    assert len(urls) >= len(CHAPTERS) + 4
    for url in urls:
        assert local(built_site, url).is_file(), url
    for path in CHAPTERS:
        assert f"/{path}index.md): " in index


@pytest.mark.parametrize("path", ["", "glossary/", *CHAPTERS])
def test_links_of_a_text_lead_to_files(path: str, built_site: Path) -> None:
    soup = parsed(built_site, path)
    site = said(soup, "og:url").removesuffix(path)
    text = (built_site / path / "index.md").read_text("utf-8")
    found = re.findall(rf"\]\({re.escape(site)}([^)\s]*)\)", re.sub(r"(?ms)^```.*?^```", "", text))
    assert found
    for link in found:
        target, _, anchor = link.partition("#")
        file = built_site / target
        if anchor:
            assert f'id="{anchor}"' in (file / "index.html").read_text("utf-8")
        else:
            assert file.is_file(), link


@pytest.mark.parametrize("path", ["", "lens/", "labs/jax-path/", *CHAPTERS])
def test_a_link_to_a_page_has_a_picture(path: str, built_site: Path) -> None:
    soup = parsed(built_site, path)
    canonical = soup.find("link", rel="canonical")
    assert isinstance(canonical, Tag) and said(soup, "og:url") == canonical["href"]
    assert said(soup, "og:type") == ("article" if path in CHAPTERS else "website")
    assert soup.title and soup.title.get_text() == f"{said(soup, 'og:title')} - Traced"
    assert said(soup, "og:description") == said(soup, "description")
    assert said(soup, "twitter:card") == "summary_large_image"
    assert said(soup, "og:image:alt")
    url = said(soup, "og:image")
    assert url.startswith("https://")
    png = local(built_site, url).read_bytes()
    size = (int(said(soup, "og:image:width")), int(said(soup, "og:image:height")))
    assert Image.open(io.BytesIO(png)).size == size == (1200, 630)
    assert len(png) < 40_000


def test_each_chapter_has_a_picture_of_its_own(built_site: Path) -> None:
    pictures = {said(parsed(built_site, path), "og:image") for path in ["", *CHAPTERS]}
    assert len({local(built_site, url).read_bytes() for url in pictures}) == len(CHAPTERS) + 1


def test_a_button_copies_the_text(site_url: str, built_site: Path, visit) -> None:
    page: Page = visit(site_url + "l/tracing/", permissions=CLIPBOARD)
    button = page.get_by_role("button", name=COPY, exact=True)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lab-files").get_by_role("status")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == (built_site / "l/tracing/index.md").read_text("utf-8")


def test_without_a_script_there_is_a_link(site_url: str, built_site: Path, visit) -> None:
    page: Page = visit(site_url + "l/tracing/", java_script_enabled=False)
    expect(page.get_by_role("button", name=COPY)).to_have_count(0)
    link = page.get_by_role("link", name="Markdown", exact=True)
    found = page.request.get(site_url + "l/tracing/" + (link.get_attribute("href") or ""))
    assert found.body() == (built_site / "l/tracing/index.md").read_bytes()


# Of the pages that these two leave, what they log is no fault: of a text the browser wants an icon,
# and from disk nothing can be fetched.


def test_what_cannot_be_copied_is_opened(site_url: str, browser: Browser) -> None:
    page = browser.new_page()
    page.add_init_script("if (window.Clipboard) Clipboard.prototype.write = () => Promise.reject()")
    page.goto(site_url + "l/tracing/")
    page.get_by_role("button", name=COPY, exact=True).click()
    page.wait_for_url("**/l/tracing/index.md")
    page.close()


def test_the_text_is_opened_from_disk(tmp_path: Path, browser: Browser) -> None:
    site = build(ROOT, tmp_path / "site", "mkdocs.offline.yml")
    page = browser.new_page()
    page.goto((site / "l" / "tracing.html").as_uri())
    page.get_by_role("button", name=COPY, exact=True).click()
    page.wait_for_url((site / "l" / "tracing.md").as_uri())
    page.close()
