"""Previews and pins in a lens: by mouse and keyboard, in the URL, and for a screen reader."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lens.looking import NINE, SOFTMAX, lens, line, lit, said, scrolled, tab

# Preview and pin, by mouse


def test_pointing_at_an_expression_lights_what_became_of_it(page):
    page.hover(SOFTMAX)
    assert lit(page, "j") == NINE
    tab(page, "StableHLO")
    page.hover(SOFTMAX)
    assert "stablehlo.exponential" in lit(page, "s")
    assert lit(page, "h").count("fusion") == 4
    expect(said(page)).to_have_text("9 equations, 13 ops, fused into 4 fusions")
    expect(lens(page).locator(".now code")).to_have_text("jax.nn.softmax(q @ k.T)")


@pytest.mark.parametrize(("layer", "title"), [("j", "jaxpr"), ("s", "StableHLO"), ("h", "Opt")])
def test_pointing_at_any_of_it_leads_back(page, layer, title):
    page.click(SOFTMAX)
    tab(page, title)
    found = lens(page).locator(f".c-{layer} .pin-hit").all()
    assert len(found) >= 9
    for item in found:
        item.hover()
        expect(page.locator(SOFTMAX)).to_have_class(re.compile(r"\bon-hit\b"))
        expect(lens(page).locator(".now code")).to_have_text("jax.nn.softmax(q @ k.T)")


@pytest.mark.parametrize("pinned", [False, True])
def test_nothing_scrolls_on_hover(visit, url, pinned):
    page = visit(url, viewport={"width": 1000, "height": 500})
    tab(page, "Optimized HLO")
    page.locator(SOFTMAX).scroll_into_view_if_needed()
    if pinned:
        page.click(SOFTMAX)
    lens(page).locator(".c-h .pane").evaluate("e => e.scrollTo(0, 9999)")
    before = scrolled(page)
    for expression in lens(page).locator(".c-py [data-s]").all():
        expression.hover()
        assert scrolled(page) == before


def test_leaving_it_ends_the_preview(page):
    tab(page, "Optimized HLO")
    page.hover(SOFTMAX)
    assert "fusion" in lit(page, "h")
    page.hover("article h1")
    assert lit(page, "h") == []
    expect(said(page)).to_contain_text("11 equations, 16 ops")


def test_a_click_pins_and_esc_unpins(page, url):
    page.click(SOFTMAX)
    expect(page).to_have_url(f"{url}#lens-attend.1")
    page.hover("article h1")
    assert lit(page, "j", "pin") == NINE
    expect(said(page)).to_contain_text("9 equations")
    page.keyboard.press("Escape")
    assert lit(page, "j", "pin") == []
    expect(page).to_have_url(url)


def test_a_second_click_unpins_and_so_does_the_button(page, url):
    for again in (page.locator(SOFTMAX), lens(page).get_by_role("button", name="Unpin")):
        page.click(SOFTMAX)
        again.click()
        assert lit(page, "j", "pin") == []
        expect(page).to_have_url(url)
        expect(page.locator(SOFTMAX)).to_be_focused()


def test_a_preview_leaves_the_pin_as_it_is(page):
    page.click(SOFTMAX)
    line(page, "c:", "j").hover()
    assert lit(page, "j", "pin") == NINE
    assert lit(page, "j") == ["transpose"]
    expect(said(page)).to_contain_text("1 equation, 1 op, no instructions")
    page.hover("article h1")
    expect(said(page)).to_contain_text("9 equations")


def test_a_pin_scrolls_the_panes_and_not_the_page(visit, url):
    page = visit(url, viewport={"width": 1000, "height": 500})
    tab(page, "Optimized HLO")
    page.locator(SOFTMAX).scroll_into_view_if_needed()
    before = scrolled(page)
    lens(page).locator('[data-t="q @ k.T"]').click()
    after = scrolled(page)
    assert after[0] == before[0]
    assert after != before
    pane = lens(page).locator(".c-h .pane").bounding_box()
    hit = lens(page).locator(".c-h .pin-hit").first.bounding_box()
    assert pane["y"] <= hit["y"] < hit["y"] + hit["height"] <= pane["y"] + pane["height"]


def test_selecting_text_pins_nothing(page, url):
    box = line(page, "e:", "j").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 5)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()")
    expect(page).to_have_url(url)


def test_what_is_around_is_told_from_what_it_is(page):
    product = lens(page, "loop").locator('[data-t="carry * x"]')
    product.hover()
    scan = lens(page, "loop").locator('[data-t="jax.lax.scan(step, 0.0, xs)"]')
    expect(scan).to_have_class(re.compile(r"\bon-near\b"))
    expect(scan).not_to_have_class(re.compile(r"\bon-hit\b"))
    expect(scan).to_have_css("text-decoration-style", "dotted")
    scan.hover()
    assert lit(page, "j", name="loop") == ["scan", "convert_element_type", "mul", "tanh", "add"]


def test_what_maps_to_nothing_says_so_and_why(page):
    tab(page, "StableHLO")
    line(page, "%cst_0", "s").hover()
    expect(said(page)).to_contain_text("maps to nothing: a literal, or a constant closed over")
    assert lit(page, "j") == []


# The URL


def test_a_pin_is_restored_from_the_url(visit, url):
    page = visit(f"{url}#lens-gradient.j3")
    expect(lens(page, "gradient")).to_be_in_viewport()
    expect(lens(page, "gradient").get_by_role("radio", name="jaxpr")).to_be_checked()
    pinned = lens(page, "gradient").locator('[data-k="j3"][data-s]')
    expect(pinned).to_have_class(re.compile(r"\bpin-hit\b"))
    expect(pinned).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page).to_have_url(url)
    page.locator("article h2 a").first.focus()
    expect(pinned).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_lenses_have_pins_of_their_own(page, visit, url):
    page.click(SOFTMAX)
    lens(page, "loop").locator('[data-t="carry + x"]').click()
    address = f"{url}#lens-attend.1,lens-loop.3"
    expect(page).to_have_url(address)
    again = visit(address)
    assert lit(again, "j", "pin") == NINE
    assert lit(again, "j", "pin", "loop") == ["add"]


def test_a_link_in_the_table_pins(page, url):
    details = page.locator("#lens-attend ~ details", has_text="What became what")
    details.locator("summary").click()
    details.get_by_role("link", name="%8 exponential").click()
    expect(page).to_have_url(re.compile(r"#lens-attend\.s12$"))
    assert lit(page, "s", "pin") == ["stablehlo.exponential"]
    expect(line(page, "%8", "s")).to_be_in_viewport()
    page.locator("article h2 a").first.click(force=True)
    expect(page).to_have_url(f"{url}#attend")
    assert lit(page, "s", "pin") == ["stablehlo.exponential"]


@pytest.mark.parametrize("fragment", ["lens-attend.99", "lens-attend.x1", "%", "lens-attend."])
def test_an_unknown_pin_is_nothing(visit, url, fragment):
    page = visit(f"{url}#{fragment}")
    page.hover(SOFTMAX)
    assert lit(page, "j") == NINE


# Keyboard


def test_each_pane_is_one_tab_stop(page):
    stops = lens(page).locator(".pane [tabindex='0'], .pane[tabindex]")
    assert stops.count() == 4  # two of them in layers that are not shown
    page.locator("article h2 a").first.focus()
    page.keyboard.press("Tab")
    expect(page.locator(SOFTMAX)).to_be_focused()
    page.keyboard.press("Tab")
    expect(lens(page).get_by_role("radio", name="jaxpr")).to_be_focused()
    for _ in range(5):
        page.keyboard.press("Tab")
    expect(lens(page).locator(".c-j [data-s]").first).to_be_focused()


def test_arrows_go_from_part_to_part_and_from_layer_to_layer(page, url):
    page.locator(SOFTMAX).focus()
    page.keyboard.press("ArrowDown")
    expect(lens(page).locator('.c-py [data-t="q @ k.T"]')).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator(SOFTMAX)).to_be_focused()
    assert lit(page, "j") == NINE
    page.keyboard.press("ArrowRight")
    expect(line(page, "e:", "j")).to_be_focused()
    assert lit(page, "j") == ["reduce_max"]
    page.keyboard.press("ArrowRight")
    expect(lens(page).get_by_role("radio", name="StableHLO")).to_be_checked()
    expect(line(page, "%cst =", "s")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(lens(page).locator(".c-h .on-hit:focus")).to_have_count(1)
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(SOFTMAX)).to_be_focused()
    expect(page).to_have_url(url)


def test_enter_pins_and_the_tab_stop_stays_where_one_was(page, url):
    page.locator(SOFTMAX).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{url}#lens-attend.j3")
    expect(line(page, "f:", "j")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(line(page, "f:", "j")).to_be_focused()
    page.keyboard.press("Space")
    expect(page).to_have_url(url)
    expect(line(page, "f:", "j")).to_have_attribute("aria-selected", "false")


def test_an_arrow_brings_the_part_into_its_pane(visit, url):
    page = visit(url, viewport={"width": 1000, "height": 600})
    tab(page, "Optimized HLO")
    lens(page).locator(".c-h [data-s]").first.focus()
    for _ in range(25):
        page.keyboard.press("ArrowDown")
    pane = lens(page).locator(".c-h .pane").bounding_box()
    focused = lens(page).locator(".c-h [data-s]:focus").bounding_box()
    assert pane["y"] <= focused["y"] <= pane["y"] + pane["height"] - focused["height"] + 1
    assert focused["y"] + focused["height"] <= 600


@pytest.mark.parametrize("key", ["Alt+ArrowDown", "Control+ArrowDown", "x", "Home"])
def test_other_keys_are_not_the_lens_s(page, key):
    page.evaluate("addEventListener('keydown', (e) => { window.kept = e.defaultPrevented })")
    page.locator(SOFTMAX).focus()
    page.keyboard.press(key)
    expect(page.locator(SOFTMAX)).to_be_focused()
    assert page.evaluate("kept") is False


# Screen readers


def test_a_pin_is_read_out(page):
    live = lens(page).get_by_role("status")
    page.hover(SOFTMAX)
    expect(live).to_be_empty()
    page.click(SOFTMAX)
    expect(live).to_have_text("9 equations, 13 ops, fused into 4 fusions")
    line(page, "j:", "j").click()
    expect(live).to_have_text("1 equation, 1 op, fused into %subtract_exponential_fusion")
    page.keyboard.press("Escape")
    expect(live).to_have_text("unpinned")


def test_forward_and_backward_parts_are_told_in_words(page):
    lens(page, "gradient").locator('[data-t="q @ k.T"]').click()
    text = "2 equations (1 forward, 1 backward)"
    expect(lens(page, "gradient").get_by_role("status")).to_contain_text(text)
    tab(page, "jaxpr", "gradient")
    item = lens(page, "gradient").locator(".c-j .pin-hit").last
    content = item.evaluate("e => getComputedStyle(e, '::before').content")
    assert content == '"2 backward"'


def test_panes_and_parts_have_roles_and_names(page):
    pane = lens(page).get_by_role("listbox", name="Source of attend(q, k)")
    names = [option.get_attribute("aria-label") for option in pane.get_by_role("option").all()]
    assert names == ["jax.nn.softmax(q @ k.T)", "q @ k.T", "k.T"]
    jaxpr = lens(page).get_by_role("listbox", name="jaxpr of attend(q, k)")
    expect(jaxpr.get_by_role("option")).to_have_count(11)
    expect(lens(page).get_by_role("radiogroup", name="Layer")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_nothing(visit, url, violations, scheme, width):
    page = visit(f"{url}#lens-attend.1,lens-gradient.1", color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    for summary in page.locator(".lens ~ details summary").all():
        summary.click()
    assert violations(page, "article") == []
    if width == 1440:
        lens(page).get_by_label("Widen").check()
    tab(page, "Optimized HLO")
    lens(page).locator(".c-h [data-s]").nth(3).hover()
    assert violations(page, "article") == []


def test_nothing_is_told_by_colour_alone(visit, url):
    page = visit(url, forced_colors="active")
    item = line(page, "e:", "j")
    for select in (lambda: page.hover(SOFTMAX), lambda: page.click(SOFTMAX)):
        select()
        expect(item).to_have_css("border-left-width", "3px")
        expect(item.locator(".nf")).to_have_css("text-decoration-line", "underline")
        expect(page.locator(SOFTMAX)).to_have_css("text-decoration-line", "underline")
    expect(line(page, "c:", "j")).to_have_css("border-left-width", "0px")
