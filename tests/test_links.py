"""Checked statements are found where the site's Markdown makes links of them, and nowhere else."""

import re

import markdown
import pytest

from traced import links

CHAPTER = """\
---
description: "[no](fact:front.matter)"
---

# A heading with [`three`](fact:heading.name)

Prose with [eleven](fact:a.plain), [**bold `[x]` and _more_**](fact:a.nested) and
[a text [with brackets] over
a line break](fact:other/b-c.d_e). Two of a kind: [2](fact:a.plain), [ 2 ](<fact:a.angle>),
[2]( fact:a.title "Two" ).

- An item: [one](fact:list.one)
    over [two
    lines](fact:list.two)

    A paragraph in the item [three](fact:list.three).

        indented = "[no](fact:code.in_list)"

    1. nested, with [four](fact:list.four)

| head [5](fact:table.head) | b |
|---|--:|
| `a|b` [six](fact:table.cell) | [`x` and `y`](fact:table.code) |

> Quoted [seven
> eight](fact:quote.lines) and [nine](fact:quote.calls.lines).
>
> ```
> [no](fact:quote.fence)
> ```

    [no](fact:code.indented)

```text
[no](fact:fence.backticks)
~~~
```

~~~
[no](fact:fence.tildes)
```
~~~

- item

    ```
    [no](fact:fence.in_list)

    ```

    [ten](fact:list.after_fence)

Inline code: `[no](fact:code.span)`, ``[no](fact:code.`double)``, a lone ` tick and `code`.

A comment <!-- [no](fact:comment.inline) --> then [eleven](fact:comment.after).

<!--
[no](fact:comment.block)

[no](fact:comment.block)
-->

An escape: \\[no](fact:escape.open), \\\\[yes](fact:escape.backslash), ![no](fact:image.link) and
[a link](x.md), [other](y.md "title") then [twelve](fact:after.links), [0, 1) [13](fact:after.open).

/// details | A summary
    open: true

In a block [fourteen](fact:block.text).
///

!!! note "A title"
    In an admonition [fifteen](fact:admonition.text).

`unclosed in one item

- a ` tick
- [`sixteen`](fact:tick.item)

```not a fence, for it never closes

[last](fact:the.last)
"""

EXTENSIONS = ["admonition", "attr_list", "tables"]
EXTENSIONS += ["pymdownx.superfences", "pymdownx.blocks.details"]


def references(source: str) -> list[str]:
    return [link.reference for link in links.find(source)]


def test_finds_what_markdown_makes_links_of() -> None:
    body = CHAPTER.split("---\n", 2)[2]
    html = markdown.markdown(body, extensions=EXTENSIONS)
    html = re.sub(r"<!--.*?-->", "", html, flags=re.DOTALL)
    assert references(CHAPTER) == re.findall(r'<a href="fact:([^"]*)"', html)
    assert len(references(CHAPTER)) == 25


@pytest.mark.parametrize("prefix", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_offsets_are_those_of_the_file(prefix: str, newline: str) -> None:
    source = prefix + CHAPTER.replace("\n", newline)
    found = links.find(source)
    assert [link.reference for link in found] == references(CHAPTER)
    for link, plain in zip(found, links.find(CHAPTER), strict=True):
        assert source[link.start : link.end] == link.text == plain.text.replace("\n", newline)
        assert (link.line, link.column) == (plain.line, plain.column)
        lines = source.removeprefix(prefix).split(newline)
        assert lines[link.line - 1][link.column - 1 :].startswith(link.text.split(newline)[0])
        assert source[link.whole[0]] == "[" and source[link.whole[1] - 1] == ")"


def test_a_byte_order_mark_has_no_column() -> None:
    (link,) = links.find("\ufeff[two](fact:a.b)")
    assert (link.start, link.line, link.column) == (2, 1, 2)


def test_a_malformed_reference_is_found_all_the_same() -> None:
    assert references("[a](fact:) [b](fact:x) [c](fact:a/b/c.d)") == ["", "x", "a/b/c.d"]


def test_a_link_inside_a_link_is_none() -> None:
    assert references("[out [in](fact:a.b)](fact:c.d) [out [in](fact:a.b)](e.md)") == ["c.d"]


@pytest.mark.parametrize(
    ("reference", "meant"),
    [
        ("attend.equations", ("tracing/attend", "equations")),
        ("jaxpr/nested-1.eqns", ("jaxpr/nested-1", "eqns")),
        ("calls.calls.lines", ("tracing/calls", "calls.lines")),
        ("bits.without-fusion.lines", ("tracing/bits", "without-fusion.lines")),
        ("attend", None),
        ("", None),
        ("attend.", None),
        ("a/b/c.d", None),
        ("a.b.c.d", None),
        ("a b.c", None),
    ],
)
def test_resolve(reference: str, meant: tuple[str, str] | None) -> None:
    assert links.resolve(reference, "tracing") == meant


def test_the_nearest_fact() -> None:
    known = ["attend.equations", "attend.primitives", "jaxpr/walk.depth"]
    assert links.nearest("attend.equation", known) == "Did you mean fact:attend.equations?"
    assert links.nearest("walk.depth", known) == "Did you mean fact:jaxpr/walk.depth?"
    assert "of attend are equations, primitives" in links.nearest("attend.zzzzzzzzzz", known)
    assert "`facts`" in links.nearest("zzz.qqq", known)
