"""Glossary terms as a reader sees them: every way to open, use and close a popup, and none."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import build, small_site

FIRST = "#use-jaxpr-1"
IN_LISTING = "#use-contraction-1"
IN_TABLE = "#use-jaxpr-3"
TERMS = (FIRST, IN_LISTING, IN_TABLE, "#use-primitive-1", "#use-primitive-2", "#use-jaxpr-4")
BLANK = "article h1"

NO_ANCHORS = (
    "const supports = CSS.supports.bind(CSS);"
    "CSS.supports = (...a) => !a.join().includes('position-area') && supports(...a)"
)
NO_POPOVERS = "delete HTMLElement.prototype.showPopover"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site with terms, not built yet."""
    return small_site("terms_site", tmp_path_factory.mktemp("terms") / "root")


@pytest.fixture(scope="module")
def url(folder: Path, serve: Callable[[Path], str]) -> str:
    """The address of its page with all kinds of mentions."""
    return serve(build(folder, folder.parent / "site")) + "l/tracing/"


@pytest.fixture
def page(visit, url: str) -> Page:
    """That page, as most tests look at it."""
    return visit(url)


def popup(page: Page) -> Locator:
    return page.locator(".popup")


def focus(page: Page, term: str) -> Locator:
    """Bring the focus to a term as the Tab key would."""
    page.keyboard.press("Shift")
    page.locator(term).focus()
    expect(popup(page)).to_be_visible()
    return popup(page)


@pytest.fixture
def pointed(visit, url: str) -> Page:
    """The page with the first term's popup opened by the mouse, and the clock stopped."""
    page = visit(url, clock=True)
    page.hover(FIRST)
    page.clock.run_for(250)
    expect(popup(page)).to_be_visible()
    return page


# Mouse


def test_pointing_at_a_term_opens_after_250_ms_and_leaving_closes_after_300(visit, url):
    page = visit(url, clock=True)
    page.hover(FIRST)
    page.clock.run_for(249)
    expect(popup(page)).not_to_be_attached()
    page.clock.run_for(1)
    expect(popup(page)).to_be_visible()
    page.hover(BLANK)
    page.clock.run_for(299)
    expect(popup(page)).to_be_visible()
    page.clock.run_for(1)
    expect(popup(page)).not_to_be_attached()


def test_passing_over_a_term_opens_nothing(visit, url):
    page = visit(url, clock=True)
    for place in (FIRST, BLANK):
        page.hover(place)
        page.clock.run_for(200)
    page.clock.run_for(1000)
    expect(popup(page)).not_to_be_attached()


def test_the_pointer_can_travel_onto_the_popup(pointed):
    start, end = pointed.locator(FIRST).bounding_box(), popup(pointed).bounding_box()
    for step in range(1, 11):
        pointed.mouse.move(
            start["x"] + 5 + step * (end["x"] + 20 - start["x"]) / 10,
            start["y"] + 5 + step * (end["y"] + 20 - start["y"]) / 10,
        )
        pointed.clock.run_for(29)
    pointed.clock.run_for(5000)
    expect(popup(pointed)).to_be_visible()
    pointed.hover(BLANK)
    pointed.clock.run_for(300)
    expect(popup(pointed)).not_to_be_attached()


def test_coming_back_in_time_keeps_it_open(pointed):
    pointed.hover(BLANK)
    pointed.clock.run_for(200)
    pointed.hover(FIRST)
    pointed.clock.run_for(1000)
    expect(popup(pointed)).to_be_visible()


def test_pointing_at_another_term_replaces_it(pointed):
    pointed.hover("#use-primitive-1")
    pointed.clock.run_for(250)
    expect(popup(pointed)).to_have_count(1)
    expect(popup(pointed)).to_contain_text("An operation that JAX knows")
    pointed.clock.run_for(1000)
    expect(popup(pointed)).to_be_visible()


def test_leaving_the_window_closes(pointed):
    pointed.dispatch_event("html", "pointerleave", {"pointerType": "mouse"})
    pointed.clock.run_for(300)
    expect(popup(pointed)).not_to_be_attached()


def test_what_has_the_focus_stays_open_when_the_pointer_leaves(visit, url):
    page = visit(url, clock=True)
    focus(page, FIRST)
    page.hover(".popup")
    page.hover(BLANK)
    page.clock.run_for(1000)
    expect(popup(page)).to_be_visible()


def test_a_click_follows_the_link(visit, url):
    page = visit(url, clock=True)
    page.hover(FIRST)
    page.mouse.down()
    expect(popup(page)).not_to_be_attached()
    page.mouse.up()
    expect(page).to_have_url(re.compile("#term-jaxpr$"))
    expect(popup(page)).not_to_be_attached()


def test_a_click_elsewhere_closes(page):
    focus(page, FIRST)
    page.click(BLANK)
    expect(popup(page)).not_to_be_attached()


def test_esc_closes_what_the_pointer_opened(pointed):
    pointed.keyboard.press("Escape")
    pointed.clock.run_for(1000)
    expect(popup(pointed)).not_to_be_attached()


# Keyboard


def test_tab_goes_to_a_term_into_its_popup_and_on(page):
    page.locator(f"{BLANK} a").focus()
    page.keyboard.press("Tab")
    expect(page.locator(FIRST)).to_be_focused()
    expect(popup(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(popup(page).get_by_role("link", name="primitive")).to_be_focused()
    page.keyboard.press("Tab")
    expect(popup(page).get_by_role("link", name="Taught in: The jaxpr")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(FIRST)).to_be_focused()
    expect(popup(page)).to_be_visible()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(popup(page)).not_to_be_attached()


@pytest.mark.parametrize("tabs", [0, 1])
def test_esc_closes_and_the_focus_is_on_the_term(page, tabs):
    focus(page, FIRST)
    for key in ["Tab"] * tabs + ["Escape"]:
        page.keyboard.press(key)
    expect(popup(page)).not_to_be_attached()
    expect(page.locator(FIRST)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("h2 a").first).to_be_focused()


def test_enter_follows_the_link_to_the_list_and_back(page):
    focus(page, FIRST)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#term-jaxpr$"))
    expect(page.locator("#term-jaxpr")).to_be_in_viewport()
    expect(popup(page)).not_to_be_attached()
    page.get_by_role("link", name="Back to mention 2 of jaxpr", exact=True).press("Enter")
    expect(page.locator("#use-jaxpr-2")).to_be_in_viewport()


def test_the_popup_leads_to_the_chapter(page):
    focus(page, FIRST).get_by_role("link", name="Taught in: The jaxpr").press("Enter")
    expect(page).to_have_url(re.compile("/l/jaxpr/#term-jaxpr$"))
    expect(page.locator("dfn#term-jaxpr")).to_be_visible()


def test_a_page_that_is_left_is_found_without_popup(page):
    focus(page, FIRST)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    expect(popup(page)).not_to_be_attached()


# Touch


def test_the_first_tap_opens_the_second_follows_and_one_elsewhere_closes(visit, url):
    page = visit(url, has_touch=True, viewport={"width": 390, "height": 844})
    page.tap(FIRST)
    expect(popup(page)).to_be_visible()
    expect(page).to_have_url(url)
    page.tap(BLANK)
    expect(popup(page)).not_to_be_attached()
    page.tap(IN_TABLE)
    page.tap("#use-primitive-2")
    expect(popup(page)).to_have_count(1)
    expect(popup(page)).to_contain_text("An operation that JAX knows")
    page.tap(".popup dfn")
    expect(popup(page)).to_be_visible()
    expect(page).to_have_url(url)
    page.tap("#use-primitive-2")
    expect(page).to_have_url(re.compile("#term-primitive$"))


def test_a_tap_on_the_popups_link_leads_to_the_chapter(visit, url):
    page = visit(url, has_touch=True)
    page.tap(FIRST)
    popup(page).get_by_role("link", name="Taught in: The jaxpr").tap()
    expect(page).to_have_url(re.compile("/l/jaxpr/#term-jaxpr$"))


# What it says, and to whom


def test_the_popup_holds_the_entry(page):
    assert [line for line in focus(page, FIRST).inner_text().split("\n") if line] == [
        "jaxpr",
        "The program that tracing a Python function leaves behind, one equation for each "
        "primitive. jax.make_jaxpr shows it without compiling anything.",
        "Taught in: The jaxpr (kernel path, chapter 1: on the other path)",
    ]
    link = popup(page).get_by_role("link", name="primitive")
    expect(link).to_have_attribute("href", "../../glossary/#term-primitive")


def test_a_screen_reader_hears_name_and_description(page):
    term = page.locator("#use-jaxpr-2")
    expect(term).to_have_role("link")
    expect(term).to_have_accessible_name("jaxprs")
    expect(term).to_have_accessible_description(
        "The program that tracing a Python function leaves behind, one equation for each primitive."
    )
    focus(page, "#use-jaxpr-2")
    expect(page.get_by_role("group", name="jaxpr", exact=True)).to_be_visible()


@pytest.mark.parametrize("term", TERMS)
def test_ids_stay_unique_and_nothing_moves(page, term):
    places = "[...document.querySelectorAll('article :not(.popup, .popup *)')].map(e =>"
    places += "JSON.stringify(e.getBoundingClientRect()))"
    page.locator(term).scroll_into_view_if_needed()
    before = page.evaluate(places)
    focus(page, term)
    assert page.evaluate(places) == before
    found = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(found) == len(set(found))


def test_in_a_listing_it_is_prose(page):
    inside = focus(page, IN_LISTING)
    assert "Mono" not in inside.evaluate("e => getComputedStyle(e).fontFamily")
    expect(inside).to_have_css("white-space", "normal")
    expect(inside).to_contain_text("A sum of products")


@pytest.mark.parametrize("opened", [FIRST, IN_LISTING, None])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit, url, violations, scheme, opened):
    page = visit(url, color_scheme=scheme, reduced_motion="reduce")
    if opened:
        focus(page, opened)
    assert violations(page, "article") == []
    if not opened:
        page.goto(url + "../../glossary/")
        assert violations(page, "article") == []


@pytest.mark.parametrize("width", [320, 1440])
def test_links_in_the_popup_are_24_pixels_and_it_is_all_on_the_page(visit, url, width):
    page = visit(url, viewport={"width": width, "height": 568})
    for term in TERMS:
        inside = focus(page, term)
        for link in inside.get_by_role("link").all():
            box = link.bounding_box()
            assert min(box["width"], box["height"]) >= 24
        box = inside.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        expect(inside).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_low_window_scrolls_the_popup(visit, url):
    page = visit(url, viewport={"width": 320, "height": 150})
    link = focus(page, FIRST).get_by_role("link", name="Taught in")
    link.focus()
    expect(link).to_be_in_viewport(ratio=0.9)


def test_the_fade_respects_reduced_motion(visit, url):
    for motion, seconds in (("reduce", "0s"), ("no-preference", "0.12s")):
        page = visit(url, reduced_motion=motion)
        expect(focus(page, FIRST)).to_have_css("transition-duration", seconds)


def test_forced_colors_keep_border_and_underline(visit, url):
    page = visit(url, forced_colors="active")
    expect(focus(page, FIRST)).to_have_css("border-top-style", "solid")
    expect(page.locator(IN_TABLE)).to_have_css("text-decoration-line", "underline")


# Without this or that


def test_print_has_the_list_and_no_popup(page):
    focus(page, FIRST)
    page.emulate_media(media="print")
    expect(popup(page)).to_be_hidden()
    expect(page.get_by_role("heading", name="Terms on this page")).to_be_visible()
    expect(page.locator("#term-jaxpr")).to_be_visible()
    expect(page.locator(".term-uses").first).to_be_hidden()


def test_without_javascript_terms_lead_to_the_list_and_back(visit, url):
    page = visit(url, java_script_enabled=False)
    for term in (FIRST, IN_LISTING, "#use-primitive-2"):
        page.click(term)
        target = page.url.partition("#")[2]
        expect(page.locator(f"#{target}")).to_be_in_viewport()
        page.locator(f"#{target} .term-uses a[href='{term}']").click()
        expect(page.locator(term)).to_be_in_viewport()


def test_without_popovers_a_term_is_a_link(visit, url):
    page = visit(url, script=NO_POPOVERS)
    page.locator(FIRST).press("Enter")
    expect(page).to_have_url(re.compile("#term-jaxpr$"))


@pytest.mark.parametrize("width", [320, 1440])
def test_without_anchors_javascript_places_the_popup(visit, url, width):
    page = visit(url, script=NO_ANCHORS, viewport={"width": width, "height": 568})
    for term in TERMS:
        inside = focus(page, term)
        expect(inside).to_have_css("position", "absolute")
        expect(inside).to_be_in_viewport(ratio=1)
        box, anchor = inside.bounding_box(), page.locator(term).bounding_box()
        below = box["y"] - (anchor["y"] + anchor["height"])
        above = anchor["y"] - (box["y"] + box["height"])
        assert -1 <= max(below, above) <= 8
        assert box["x"] <= anchor["x"] + anchor["width"]
        assert box["x"] + box["width"] >= anchor["x"]
    page.set_viewport_size({"width": 600, "height": 568})
    expect(popup(page)).not_to_be_attached()


def test_from_a_file(visit, folder):
    config = folder / "offline.yml"
    config.write_text("INHERIT: mkdocs.yml\nuse_directory_urls: false\n")
    built = build(folder, folder.parent / "offline", config.name)
    page = visit((built / "l" / "tracing.html").as_uri())
    focus(page, FIRST).get_by_role("link", name="Taught in: The jaxpr").press("Enter")
    expect(page).to_have_url((built / "l" / "jaxpr.html").as_uri() + "#term-jaxpr")


def test_the_list_stays_out_of_the_search_index(page, url):
    index = page.request.get(url + "../../search/search_index.json").text()
    assert "Terms on this page" not in index
    assert '"title":""' not in index
    assert index.count("A sum of products") == 1  # on the glossary page
