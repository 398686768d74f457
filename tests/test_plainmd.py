"""A page's prose as Markdown for any reader: links, comments, attributes, containers."""

import pytest

from traced import plainmd
from traced.outline import Heading

URLS = {"l/a.md": "l/a/", "l/b.md": "l/b/", "lens.md": "lens/", "assets/x.svg": "assets/x.svg"}
SITE = "https://example.org/site/"


def plain(source: str) -> str:
    return plainmd.plain_markdown(source, plainmd.resolver("l/a.md", URLS, SITE))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("It is [`f32[4]`](fact:a.b), *[two](<fact:a.n>)*.", "It is `f32[4]`, *two*."),
        ("[two\nlines](fact:a.b) here", "two\nlines here"),
        ("See [B](b.md).", f"See [B]({SITE}l/b/)."),
        ('See [B](b.md#x "Title").', f'See [B]({SITE}l/b/#x "Title").'),
        ("See [above](#x).", f"See [above]({SITE}l/a/#x)."),
        ("[up](../lens.md?q=1#y)", f"[up]({SITE}lens/?q=1#y)"),
        ("![x](../assets/x.svg)", f"![x]({SITE}assets/x.svg)"),
        ("[else](../gone.html)", f"[else]({SITE}l/gone.html)"),
        ("[out](https://jax.dev/a.md)", "[out](https://jax.dev/a.md)"),
        ("[b][r]\n\n[r]: b.md", f"[b][r]\n\n[r]: {SITE}l/b/"),
        ("`[B](b.md)` and `{.x}`", "`[B](b.md)` and `{.x}`"),
        ("```\n[B](b.md) <!-- x -->\n```", "```\n[B](b.md) <!-- x -->\n```"),
        ("Eight.\n<!-- unchecked: eight -->", "Eight."),
        ("Eight.\n<!-- unchecked:\neight -->\nNine.", "Eight.\nNine."),
        ("Eight <!-- x --> or nine.", "Eight or nine."),
        ("[B](https://b.c){ .md-button }\n{: #id k='v' }", "[B](https://b.c)"),
        ("The set {1, 2} and {0,1}", "The set {1, 2} and {0,1}"),
        ('!!! note "A `title`"\n    One.\n\n    Two.\n\nRest.',
         "> **A `title`**\n>\n> One.\n>\n> Two.\n\nRest."),
        ("??? tip\n    One [B](b.md).", f"> **Tip**\n>\n> One [B]({SITE}l/b/)."),
        ('=== "First"\n\n    One.', "> **First**\n>\n> One."),
        ("```\n!!! note\n    x\n```", "```\n!!! note\n    x\n```"),
    ],
)  # fmt: skip
def test_what_only_the_site_knows_is_gone(source: str, expected: str) -> None:
    assert plain(source) == expected


def test_the_title_of_a_heading_is_no_markup() -> None:
    part = Heading(2, "Why __index__ of a_b [x] <y>?", "why", 1)
    assert plainmd.heading(part) == r"## Why \_\_index\_\_ of a_b \[x\] \<y>?"
