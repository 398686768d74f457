"""Where things are in a lens on a page, and what they say."""

import re

from playwright.sync_api import Locator, Page

SOFTMAX = '#lens-attend [data-t="jax.nn.softmax(q @ k.T)"]'
NINE = [
    *("reduce_max", "max", "broadcast_in_dim", "stop_gradient", "sub", "exp", "reduce_sum"),
    *("broadcast_in_dim", "div"),
]


def lens(page: Page, name: str = "attend") -> Locator:
    return page.locator(f"#lens-{name}")


def tab(page: Page, title: str, name: str = "attend") -> None:
    lens(page, name).get_by_role("radio", name=title).check()


def lit(page: Page, layer: str, mark: str = "on", name: str = "attend") -> list[str]:
    """What the lit items of a layer apply."""
    items = lens(page, name).locator(f".c-{layer} .{mark}-hit")
    return items.evaluate_all("all => all.map(e => e.querySelector('.nf')?.textContent)")


def said(page: Page, name: str = "attend") -> Locator:
    return lens(page, name).locator(".now span")


def line(page: Page, start: str, layer: str, name: str = "attend") -> Locator:
    """The item of a layer whose text starts so."""
    items = lens(page, name).locator(f".c-{layer} [data-s]")
    return items.filter(has_text=re.compile(rf"^\s*(ROOT )?{re.escape(start)}")).first


def scrolled(page: Page) -> list[float]:
    """How far the page and all panes are scrolled."""
    panes = "[...document.querySelectorAll('.pane')].map(e => e.scrollTop)"
    return page.evaluate(f"[scrollY, ...{panes}]")
