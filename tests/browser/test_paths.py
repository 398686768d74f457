"""The paths as a reader sees them: what was read is remembered, shown, and the reader's own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import FORBID_STORAGE, build, small_site

READ = "✓ You have read this chapter."
#: How the end of the text comes into view.
END = "document.querySelector('.chapter-read').scrollIntoView()"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, serve: Callable[[Path], str]) -> str:
    """The address of a site with two chapters of a path of three."""
    folder = tmp_path_factory.mktemp("paths")
    return serve(build(small_site("paths_site", folder / "root"), folder / "site"))


@pytest.fixture
def chapter(visit, url: str) -> Page:
    """The first chapter, which is long."""
    return visit(f"{url}l/one/")


def toggle(page: Page) -> Locator:
    return page.locator(".chapter-read button")


def progress(page: Page) -> Locator:
    return page.locator(".path-progress").first


def other(page: Page, path: str) -> Page:
    """Another page of the site, as a visit later."""
    context: BrowserContext = page.context
    later = context.new_page()
    later.goto(path)
    return later


def test_reaching_the_end_counts_as_read_and_is_remembered(chapter: Page, url: str) -> None:
    expect(progress(chapter)).to_contain_text("You have read 0 of 2 chapters that are there.")
    expect(chapter.locator(".chapter-read")).not_to_contain_text(READ)
    chapter.evaluate(END)
    expect(chapter.locator(".chapter-read")).to_contain_text(READ)
    # Nobody asked, so nothing is announced.
    expect(chapter.locator("[role=status]").last).to_be_empty()
    paths = other(chapter, f"{url}paths/")
    expect(progress(paths)).to_contain_text("You have read 1 of 2 chapters that are there.")
    expect(paths.get_by_role("listitem").filter(has_text="do one thing")).to_contain_text("✓ read")
    expect(paths.get_by_text("✓ read")).to_have_count(1)
    expect(other(chapter, f"{url}l/three/").locator(".chapter-place")).to_contain_text(
        "JAX path, chapter 3 of 3."
    )


def test_a_link_to_the_end_is_no_reading(visit, url: str) -> None:
    chapter = visit(f"{url}l/one/#the-end")
    expect(toggle(chapter)).to_be_in_viewport()
    chapter.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    expect(toggle(chapter)).to_have_text("Mark as read")
    chapter.evaluate("scrollTo(0, 0)")
    expect(progress(chapter)).to_be_in_viewport()
    chapter.evaluate(END)
    expect(toggle(chapter)).to_have_text("Mark as not read")


def test_where_storage_has_become_full_the_page_says_what_it_was(visit, url: str) -> None:
    chapter = visit(f"{url}l/one/")
    expect(toggle(chapter)).to_have_text("Mark as read")
    chapter.evaluate("void (Storage.prototype.setItem = () => { throw new Error('full') })")
    toggle(chapter).click()
    expect(chapter.locator(".chapter-read [role=status]")).to_contain_text("read 0 of 2")
    expect(toggle(chapter)).to_have_text("Mark as read")


def test_the_reader_has_the_last_word(chapter: Page) -> None:
    chapter.evaluate(END)
    expect(toggle(chapter)).to_have_text("Mark as not read")
    toggle(chapter).focus()
    chapter.keyboard.press("Enter")
    expect(toggle(chapter)).to_have_text("Mark as read")
    expect(toggle(chapter)).to_be_focused()
    expect(chapter.locator(".chapter-read [role=status]")).to_contain_text("read 0 of 2")
    chapter.reload()
    chapter.evaluate(END)
    expect(toggle(chapter)).to_be_in_viewport()
    expect(toggle(chapter)).to_have_text("Mark as read")
    toggle(chapter).focus()
    chapter.keyboard.press("Space")
    expect(progress(chapter)).to_contain_text("read 1 of 2")


def test_what_was_read_can_be_forgotten(visit, url: str) -> None:
    page = visit(f"{url}l/three/")  # so short that its end is in view
    expect(toggle(page)).to_have_text("Mark as not read")
    paths = other(page, f"{url}paths/")
    forget = paths.get_by_role("button", name="Forget what I have read")
    expect(forget).to_have_count(1)  # there is nothing to read on the other path
    forget.click()
    expect(paths.locator("[role=status]")).to_have_text("Forgotten.")
    expect(progress(paths)).to_contain_text("read 0 of 2")
    expect(paths.get_by_text("✓ read")).to_have_count(0)
    # The other tab hears of it.
    expect(toggle(page)).to_have_text("Mark as read")


def test_without_a_script_the_paths_are_all_there(visit, url: str) -> None:
    page = visit(f"{url}paths/", java_script_enabled=False)
    assert [
        " ".join(text.split())
        for text in page.locator(".path").first.inner_text().split("\n")
        if text
    ] == [
        "2 of 3 chapters are there.",
        "One",
        "Afterwards you can do one thing.",
        "Two (still to come)",
        "Afterwards you can do two things.",
        "Three",
        "Afterwards you can do three things.",
    ]
    page.get_by_role("link", name="Three", exact=True).last.click()
    expect(page.get_by_role("button", name="read")).to_have_count(0)
    ways = page.get_by_role("navigation", name="JAX path")
    expect(ways).to_have_text(
        "Previous on the JAX path: Two (still to come). Afterwards you can do two things."
    )
    expect(ways.get_by_role("link")).to_have_count(0)
    page.locator(".chapter-place").get_by_role("link", name="JAX path").click()
    expect(page.locator("#path-jax")).to_be_in_viewport()


def test_where_storage_is_forbidden_nothing_is_offered(visit, url: str) -> None:
    page = visit(f"{url}l/three/", script=FORBID_STORAGE)
    expect(page.locator(".chapter-place")).to_have_text("JAX path, chapter 3 of 3.")
    expect(page.locator(".chapter-read")).to_be_empty()


def test_nothing_of_it_is_printed_that_cannot_be_used(chapter: Page) -> None:
    chapter.emulate_media(media="print")
    expect(toggle(chapter)).to_be_hidden()
    expect(chapter.locator(".chapter-ways")).to_be_visible()


@pytest.mark.parametrize("path", ["paths/", "l/three/"])
def test_axe_finds_nothing_once_something_is_read(path: str, visit, url: str, violations) -> None:
    page = visit(f"{url}l/three/", color_scheme="dark")
    expect(page.locator(".chapter-read")).to_contain_text(READ)
    page.goto(url + path)
    expect(progress(page)).to_contain_text("read 1 of 2")
    assert violations(page, "article") == []
