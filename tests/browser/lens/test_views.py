"""A lens at every width, without a script, in print and from disk, and what it weighs."""

import re

import pytest
from playwright.sync_api import Response, expect

from tests.browser.conftest import build
from tests.browser.lens.looking import NINE, SOFTMAX, lens, line, lit, said, tab
from tests.browser.test_site import SHIFTS, compressed

# Reading aids


def test_types_and_attributes_can_be_hidden_and_lines_wrapped(page):
    text = line(page, "e:", "j")
    expect(text).to_have_text("e:f32[4] = reduce_max[axes=(1,) out_sharding=None] d\n")
    lens(page).get_by_label("Hide types").check()
    lens(page).get_by_label("Hide attributes").check()
    assert line(page, "d:", "j").inner_text().strip() == "d = dot_general a c"
    assert text.inner_text().strip() == "e = reduce_max d"
    lens(page).get_by_label("Hide types").uncheck()
    lens(page).get_by_label("Hide attributes").uncheck()
    tab(page, "StableHLO")
    pane = lens(page).locator(".c-s .pane")
    assert pane.evaluate("e => e.scrollWidth > e.clientWidth")
    lens(page).get_by_label("Wrap").check()
    assert pane.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_a_variable_shows_where_it_is_defined_and_used(page):
    line(page, "i:", "j").locator("var", has_text="d").hover()
    marked = lens(page).locator(".c-j .v")
    assert marked.evaluate_all("all => all.map(e => e.className)") == ["d v", "v", "v"]
    assert set(marked.all_text_contents()) == {"d"}
    expect(said(page)).to_have_text(re.compile("; d is used 2 times$"))
    page.hover("article h1")
    expect(marked).to_have_count(0)


def test_a_variable_of_another_region_is_another(page):
    tab(page, "StableHLO", "loop")
    line(page, "%2 = stablehlo.compare", "s", "loop").locator(".d").hover()
    expect(lens(page, "loop").locator(".c-s .v")).to_have_count(2)
    expect(said(page, "loop")).to_contain_text("%2 is used 1 time")


def test_the_focus_shows_where_a_result_is_used(page):
    line(page, "j:", "j").focus()
    expect(lens(page).locator(".c-j .v")).to_have_count(3)


# Widths


@pytest.mark.parametrize("width", [1440, 2300])
def test_widened_the_layers_are_beside_the_source(visit, url, width):
    page = visit(url, viewport={"width": width, "height": 900})
    column = lens(page).bounding_box()
    layers = lens(page).locator(".col:not(.c-py)")
    assert layers.filter(visible=True).count() == 1
    lens(page).get_by_label("Widen").check()
    wide = lens(page).bounding_box()
    assert wide["x"] < 30
    assert wide["width"] > max(column["width"], width - 80)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(layers.filter(visible=True)).to_have_count(3 if width > 2200 else 1)
    source = lens(page).locator(".c-py").bounding_box()
    for layer in layers.filter(visible=True).all():
        box = layer.bounding_box()
        assert abs(box["y"] - source["y"]) < 2
        assert box["x"] >= source["x"] + source["width"]
    expect(lens(page).locator(".tabs")).to_be_visible(visible=width < 2200)
    page.set_viewport_size({"width": 1300, "height": 900})
    expect(lens(page)).to_have_css("width", re.compile(r"12\d\d"))
    lens(page).get_by_label("Widen").uncheck()
    assert lens(page).bounding_box()["width"] < 1000


@pytest.mark.parametrize("width", [320, 390, 820, 1200])
def test_narrow_there_is_one_layer_below_the_source(visit, url, width):
    page = visit(url, viewport={"width": width, "height": 800})
    expect(lens(page).get_by_label("Widen")).to_be_hidden()
    source, layer = (lens(page).locator(f".c-{x}").bounding_box() for x in ("py", "j"))
    assert layer["y"] > source["y"] + source["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_the_selected_expression_sticks_to_the_top_as_one_line(visit, url):
    page = visit(url, has_touch=True, viewport={"width": 390, "height": 844})
    page.tap(SOFTMAX)
    expect(page).to_have_url(f"{url}#lens-attend.1")
    assert lit(page, "j", "pin") == NINE
    shown = lens(page).locator(".now code")
    page.evaluate("document.querySelector('.c-j').scrollIntoView()")
    expect(lens(page).locator(".c-py")).not_to_be_in_viewport()
    expect(shown).to_be_in_viewport(ratio=1)
    box = shown.bounding_box()
    assert 0 <= box["y"] < 80
    assert box["height"] < 32
    page.tap("#lens-attend .now button")
    assert lit(page, "j", "pin") == []


def test_a_tap_pins_and_another_unpins(visit, url):
    page = visit(url, has_touch=True, viewport={"width": 390, "height": 844})
    line(page, "e:", "j").tap()
    expect(page).to_have_url(f"{url}#lens-attend.j2")
    expect(page.locator(SOFTMAX)).to_have_class(re.compile(r"\bpin-hit\b"))
    line(page, "e:", "j").tap()
    expect(page).to_have_url(url)


# Without this or that


def test_without_javascript_layers_are_stacked_with_badges(visit, url):
    page = visit(url, java_script_enabled=False)
    for layer in ("py", "j", "s", "h"):
        expect(lens(page).locator(f".c-{layer} .pane")).to_be_visible()
        expect(lens(page).locator(f".c-{layer} .title")).to_be_visible()
    expect(lens(page).locator(".bar")).to_be_hidden()
    badge = "e => getComputedStyle(e, '::before').content"
    assert line(page, "e:", "j").evaluate(badge) == '"1"'


def test_without_javascript_the_table_lights_up_and_leads_there_and_back(visit, url):
    page = visit(url, java_script_enabled=False)
    details = page.locator("#lens-attend ~ details", has_text="What became what")
    details.locator("summary").click()
    details.get_by_role("link", name="jax.nn.softmax(q @ k.T)").click()
    expect(lens(page).locator(".c-py")).to_be_in_viewport()
    plain = line(page, "c:", "j").evaluate("e => getComputedStyle(e).boxShadow")
    for layer, count in (("j", 9), ("s", 13), ("h", 16)):
        shadows = (
            lens(page)
            .locator(f".c-{layer} [data-s]")
            .evaluate_all("all => all.map(e => getComputedStyle(e).boxShadow)")
        )
        assert len([shadow for shadow in shadows if shadow != plain]) == count, layer
    details.get_by_role("link", name="%8 exponential").click()
    exponential = line(page, "%8", "s")
    expect(exponential).to_be_in_viewport()
    expect(exponential).to_have_css("box-shadow", re.compile("3px"))
    exponential.get_by_role("link").click()
    expect(page).to_have_url(f"{url}#lens-attend.1")
    expect(page.locator(SOFTMAX)).to_be_in_viewport()


def test_print_has_all_layers_and_the_table(page):
    page.emulate_media(media="print")
    for layer in ("py", "j", "s", "h"):
        expect(lens(page).locator(f".c-{layer} .pane")).to_be_visible()
    assert lens(page).locator(".c-h .pane").evaluate("e => e.scrollHeight <= e.clientHeight")
    expect(page.locator("#lens-attend + details td").first).to_be_visible()
    expect(lens(page).locator(".now")).to_be_hidden()
    expect(lens(page).locator(".bar")).to_be_hidden()


def test_from_a_file(visit, folder):
    config = folder / "offline.yml"
    config.write_text("INHERIT: mkdocs.yml\nuse_directory_urls: false\n")
    built = build(folder, folder.parent / "offline", config.name)
    address = (built / "l" / "lens.html").as_uri()
    page = visit(address)
    page.click(SOFTMAX)
    expect(page).to_have_url(f"{address}#lens-attend.1")
    assert lit(visit(f"{address}#lens-attend.1"), "j", "pin") == NINE


# Weight


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("fragment", ["", "#lens-gradient.h20"])
def test_the_page_keeps_its_budget(browser, url, width, fragment):
    received: list[Response] = []
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.on("response", lambda response: received.append(response))
    page.add_init_script(SHIFTS)
    page.goto(url + fragment, wait_until="networkidle")
    weights = {r.url: compressed(r.body()) for r in received if r.url.startswith("http")}
    assert len(weights) <= 10, weights
    assert sum(weights.values()) <= 110 * 1024, weights
    assert page.locator("*").count() <= 4_000
    for each in page.locator(".lens").all():
        assert each.locator("*").count() <= 1_500
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(100)
    assert page.evaluate("shifted") <= 0.01
    page.close()


def test_a_page_without_a_lens_loads_neither(visit, url):
    with_lens, without = visit(url), visit(url + "../../")
    for page, count in ((with_lens, 1), (without, 0)):
        expect(page.locator('script[src$="lens.js"]')).to_have_count(count)
        expect(page.locator('link[href$="lens.css"]')).to_have_count(count)
