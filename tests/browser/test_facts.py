"""Checked statements as a reader sees them: not at all, until they are pointed at or asked for."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import FORBID_STORAGE, build, small_site

FIRST = "#stated-1"
CODE = "#stated-2"
IN_HEADING = "h2 .fact"
IN_TABLE = "#stated-7"
PLACES = (FIRST, CODE, "#stated-3", "#stated-4", IN_HEADING, IN_TABLE)
BLANK = "article h1"
UNDERLINED = re.compile("underline.* dotted|dotted.* underline")

UNWRAP = "all => all.forEach(fact => fact.replaceWith(...fact.childNodes))"
BOXES = "all => all.map(e => JSON.stringify(e.getBoundingClientRect()))"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, serve: Callable[[Path], str]) -> str:
    """The address of the page with statements in all kinds of places."""
    folder = tmp_path_factory.mktemp("facts")
    return serve(build(small_site("facts_site", folder / "root"), folder / "site")) + "l/counting/"


@pytest.fixture
def page(visit, url: str) -> Page:
    """That page, as it is at first."""
    return visit(url)


@pytest.fixture
def marked(page: Page) -> Page:
    """That page with all statements marked."""
    switch(page).check()
    return page


def switch(page: Page) -> Locator:
    return page.get_by_role("checkbox", name="Mark what is checked")


def popup(page: Page) -> Locator:
    return page.locator(".popup")


def focus(page: Page, fact: str) -> Locator:
    """Bring the focus to a statement as the Tab key would."""
    page.keyboard.press("Shift")
    page.locator(fact).first.focus()
    expect(popup(page)).to_be_visible()
    return popup(page)


# Nothing that disturbs reading


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_looks_as_if_nothing_in_it_were_checked(visit, url, scheme):
    page = visit(url, color_scheme=scheme, reduced_motion="reduce")
    # Not of the table: the edges of its cells are not drawn the same every time.
    texts = [
        page.locator("article").locator(place)
        for place in ("> p >> nth=1", "ul", "summary >> nth=0")
    ]
    looks = [text.screenshot() for text in texts]
    boxes = page.eval_on_selector_all("td", BOXES)
    page.eval_on_selector_all(".fact", UNWRAP)
    assert [text.screenshot() for text in texts] == looks
    assert page.eval_on_selector_all("td", BOXES) == boxes


def test_marking_moves_nothing(page):
    before = page.eval_on_selector_all("article *", BOXES)
    switch(page).check()
    assert page.eval_on_selector_all("article *", BOXES) == before


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_the_switch_has_its_place_before_it_is_there(visit, url, width):
    def text(**options):
        page = visit(url, viewport={"width": width, "height": 700}, **options)
        page.wait_for_load_state()  # without scripts, nothing else waits for the styles
        return page.locator("article p").nth(1).bounding_box()

    assert text() == text(java_script_enabled=False)


def test_unmarked_they_are_no_tab_stops_and_no_links(page):
    page.locator("article").get_by_role("link", name="Before").focus()
    page.keyboard.press("Tab")
    expect(page.locator("a.term").first).to_be_focused()
    assert 'link "eleven"' not in page.locator("article").aria_snapshot()


def test_their_words_can_be_selected(visit, url):
    page = visit(url, clock=True)
    page.dblclick(FIRST)
    assert page.evaluate("getSelection().toString().trim()") == "eleven"
    page.hover(BLANK)
    page.mouse.down()
    page.hover(CODE)
    page.clock.run_for(1000)
    expect(popup(page)).not_to_be_attached()
    page.mouse.up()
    expect(page).to_have_url(url)


# Mouse


def test_pointing_at_one_underlines_it_and_shows_what_it_was_checked_against(visit, url):
    page = visit(url, clock=True)
    page.hover(CODE)
    expect(page.locator(CODE)).to_have_css("text-decoration", UNDERLINED)
    expect(page.locator(FIRST)).to_have_css("text-decoration-line", "none")
    page.clock.run_for(249)
    expect(popup(page)).not_to_be_attached()
    page.clock.run_for(1)
    expect(popup(page)).to_have_text(
        re.compile(
            r"^Checked in this build: third = stop_gradient, JAX [\d.]+"
            r"snippets/counting/attend\.py$"
        )
    )
    page.hover(".popup")
    page.clock.run_for(1000)
    expect(popup(page)).to_be_visible()
    page.hover(BLANK)
    page.clock.run_for(300)
    expect(popup(page)).not_to_be_attached()


def test_the_popup_leads_to_the_source(visit, url):
    page = visit(url, clock=True)
    for fact, source in ((FIRST, "counting/attend"), ("#stated-8", "more/other")):
        page.goto(url)
        page.eval_on_selector_all("details", "all => all.forEach(e => e.open = true)")
        page.hover(fact)
        page.clock.run_for(250)
        link = popup(page).get_by_role("link", name=f"snippets/{source}.py")
        found = page.request.get(link.evaluate("link => link.href"))
        assert "# %% facts" in found.text()


# The switch


def test_the_stamp_says_how_many_are_checked_with_what(page):
    stamp = page.locator(".fact-stamp")
    expect(stamp).to_contain_text(re.compile(r"^12 statements of this page checked with JAX \d"))
    assert page.locator(".fact").count() == 12
    stamp.get_by_role("link").click()
    expect(page.locator("#facts")).to_be_in_viewport()


def test_the_switch_marks_all_and_is_remembered_from_page_to_page(page, url):
    expect(page.locator(FIRST)).to_have_css("text-decoration-line", "none")
    switch(page).focus()
    page.keyboard.press("Space")
    for fact in page.locator(".fact").all():
        expect(fact).to_have_css("text-decoration", UNDERLINED)
    page.locator("article").get_by_role("link", name="Before").click()
    expect(page.get_by_role("heading", name="More")).to_be_visible()
    expect(switch(page)).to_be_checked()
    expect(page.locator(FIRST)).to_have_css("text-decoration", UNDERLINED)
    switch(page).uncheck()
    page.go_back()
    expect(page.get_by_role("heading", name="Counting")).to_be_visible()
    expect(switch(page)).not_to_be_checked()
    expect(page.locator(FIRST)).to_have_css("text-decoration-line", "none")


def test_a_page_out_of_the_history_follows_the_switch(marked):
    marked.evaluate("localStorage.removeItem('traced.marked')")
    marked.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(switch(marked)).not_to_be_checked()
    expect(marked.locator(FIRST)).not_to_have_attribute("href", re.compile("."))


def test_without_storage_the_switch_works(visit, url):
    page = visit(url, script=FORBID_STORAGE)
    switch(page).check()
    expect(page.locator(FIRST)).to_have_role("link")
    switch(page).uncheck()
    expect(page.locator(FIRST)).to_have_css("text-decoration-line", "none")


def test_a_page_without_statements_has_no_switch(visit, url):
    page = visit(url + "../../")
    expect(page.locator("article h1")).to_be_visible()
    expect(switch(page)).to_have_count(0)


# Keyboard and screen reader


def test_marked_they_are_links_and_tab_goes_into_the_popup(marked):
    marked.locator("article").get_by_role("link", name="Before").focus()
    marked.keyboard.press("Tab")
    expect(marked.locator(FIRST)).to_be_focused()
    expect(popup(marked)).to_be_visible()
    marked.keyboard.press("Tab")
    expect(popup(marked).get_by_role("link")).to_be_focused()
    marked.keyboard.press("Escape")
    expect(popup(marked)).not_to_be_attached()
    expect(marked.locator(FIRST)).to_be_focused()
    for _ in range(3):  # a term and the link in its popup come between
        marked.keyboard.press("Tab")
    expect(marked.locator(CODE)).to_be_focused()
    expect(popup(marked)).to_contain_text("third")


def test_enter_follows_the_link_to_the_list_and_back(marked):
    focus(marked, CODE)
    marked.keyboard.press("Enter")
    expect(marked).to_have_url(re.compile("#fact-2$"))
    expect(marked.locator("#fact-2")).to_be_in_viewport()
    marked.locator("#fact-2 a").press("Enter")
    expect(marked.locator(CODE)).to_be_in_viewport()


def test_a_screen_reader_hears_name_and_value(marked):
    for place, name, description in (
        (FIRST, "eleven", "equations = 11"),
        (CODE, "stop_gradient", "third = stop_gradient"),
        ("#stated-3", "stops the gradient", "stops = true"),
        ("#stated-4", "sub, exp and stop_gradient", "order = sub, exp and stop_gradient"),
    ):
        fact = marked.locator(place)
        expect(fact).to_have_role("link")
        expect(fact).to_have_accessible_name(name)
        expect(fact).to_have_accessible_description(description)
    focus(marked, FIRST)
    expect(marked.get_by_role("group", name="equations", exact=True)).to_be_visible()


# Touch


@pytest.mark.parametrize("are_marked", [False, True])
def test_the_first_tap_opens_and_one_elsewhere_closes(visit, url, are_marked):
    page = visit(url, has_touch=True, viewport={"width": 390, "height": 844})
    if are_marked:
        page.locator(".fact-switch label").tap()
        expect(switch(page)).to_be_checked()
    page.tap(CODE)
    expect(popup(page)).to_contain_text("third")
    page.tap(BLANK, position={"x": 5, "y": 5})
    expect(popup(page)).not_to_be_attached()
    page.tap(FIRST)
    page.tap(IN_HEADING)
    expect(popup(page)).to_have_count(1)
    expect(popup(page)).to_contain_text("equations = 11")
    expect(page).to_have_url(url)
    page.tap(IN_HEADING)
    expect(popup(page)).not_to_be_attached()
    expect(page).to_have_url(f"{url}#fact-1" if are_marked else url)


# Without this or that, and for everybody


def test_without_javascript_they_lead_to_the_list_and_back(visit, url):
    page = visit(url, java_script_enabled=False)
    expect(page.locator(".fact-switch")).to_have_text("")
    for number, place in enumerate((FIRST, CODE, "#stated-3"), 1):
        page.click(place)
        entry = page.locator(f"#fact-{number}")
        expect(entry).to_be_in_viewport()
        entry.get_by_role("link").click()
        expect(page.locator(place)).to_be_in_viewport()
        expect(page.locator(place)).to_have_css("text-decoration", UNDERLINED)


def test_without_popovers_a_marked_one_is_a_link(visit, url):
    page = visit(url, script="delete HTMLElement.prototype.showPopover")
    switch(page).check()
    page.locator(CODE).press("Enter")
    expect(page).to_have_url(re.compile("#fact-2$"))


def test_print_has_the_list_and_neither_popup_nor_switch(marked):
    focus(marked, FIRST)
    marked.emulate_media(media="print")
    expect(popup(marked)).to_be_hidden()
    expect(switch(marked)).to_be_hidden()
    assert "equations = 11" in marked.locator(".fact-list").inner_text()
    assert marked.locator("#fact-1").bounding_box()["height"] > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit, url, violations, scheme):
    page = visit(url, color_scheme=scheme, reduced_motion="reduce")
    assert violations(page) == []
    page.eval_on_selector_all("details", "all => all.forEach(e => e.open = true)")
    switch(page).check()
    assert violations(page) == []
    for place in PLACES:
        focus(page, place)
        assert violations(page, "article") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_untrue_stands_out_in_words(visit, url, violations, scheme):
    page = visit(url, color_scheme=scheme, reduced_motion="reduce")
    page.locator("article p").nth(1).evaluate(
        "(e) => e.insertAdjacentHTML('beforeend', ' <strong class=\"fact-untrue\">ten"
        '<span class="fact-problem"> [the text says ten]</span></strong>\')'
    )
    untrue = page.locator(".fact-untrue")
    expect(untrue).to_have_css("border-top-style", "solid")
    expect(untrue).to_have_text("ten [the text says ten]")
    assert violations(page, "article") == []


@pytest.mark.parametrize("width", [320, 1440])
def test_popups_fit_and_their_links_are_24_pixels(visit, url, width):
    page = visit(url, viewport={"width": width, "height": 568})
    switch(page).check()
    for place in PLACES:
        inside = focus(page, place)
        link = inside.get_by_role("link").bounding_box()
        assert min(link["width"], link["height"]) >= 24
        expect(inside).to_be_in_viewport(ratio=1)
    page.eval_on_selector_all("details", "all => all.forEach(e => e.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_ids_stay_unique(marked):
    focus(marked, FIRST)
    ids = marked.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_forced_colors_keep_the_marks(visit, url):
    page = visit(url, forced_colors="active")
    switch(page).check()
    expect(page.locator(FIRST)).to_have_css("text-decoration", UNDERLINED)
