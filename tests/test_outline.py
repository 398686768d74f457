"""What a page's source is read into: headings, blocks, text, and where they stand."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from markdown import Markdown

from traced import outline
from traced.outline import Block, Heading, Text

PAGE = """\
---
title: A page
---

# A page

Some *text*.

## A [`jaxpr`](fact:a.b) & more {#own}
/// snippet | a#b
    show: output
    mark: [x, y]
///

```python
# no heading
/// snippet | in-code
```

///// predict | a
    fact: a.n

How many?

////  details | More
/// snippet | inner
///
////

---

*Two.*
/////
## A page
"""


def test_parts_come_in_order_with_their_lines() -> None:
    first, text, second, snippet, code, predict, last = outline.read(PAGE)
    assert first == Heading(1, "A page", "a-page", 5)
    assert text == Text("Some *text*.", 7)
    assert second == Heading(2, "A jaxpr & more", "own", 9)
    assert snippet == Block("snippet", "a#b", {"show": "output", "mark": ["x", "y"]}, (), 10)
    assert isinstance(code, Text) and code.line == 15 and "/// snippet | in-code" in code.source
    assert isinstance(predict, Block) and predict.options == {"fact": "a.n"}
    assert last == Heading(2, "A page", "a-page_1", 34)


@pytest.mark.parametrize("given", ["{#own}", "{ #own }", "{: .class #own x=y }", "{ .class }"])
def test_an_id_is_given_among_other_attributes(given: str) -> None:
    (heading,) = outline.read(f"## A page {given}")
    assert heading == Heading(2, "A page", "own" if "own" in given else "a-page", 1)


def test_a_block_is_divided_at_its_rule() -> None:
    predict = outline.read(PAGE)[-2]
    assert isinstance(predict, Block)
    above, below = predict.divided()
    assert above[0] == Text("How many?", 23)
    assert below == (Text("*Two.*", 32),)


def test_blocks_in_blocks_are_found_under_their_heading() -> None:
    found = [(h and h.anchor, b.argument) for h, b in outline.blocks(outline.read(PAGE))]
    assert found == [("own", "a#b"), ("own", "a"), ("own", "More"), ("own", "inner")]


def test_a_block_without_an_end_goes_to_the_end_of_the_page() -> None:
    (block,) = outline.read("/// snippet | a\n    show: both\n\nrest\n")
    assert block == Block("snippet", "a", {"show": "both"}, (Text("rest", 4),), 1)


def test_options_that_are_no_mapping_are_none() -> None:
    (block,) = outline.read("/// snippet | a\n    no mapping\n///\n")
    assert isinstance(block, Block) and block.options is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(end: str) -> None:
    assert outline.read(PAGE.replace("\n", end)) == outline.read(PAGE)


@pytest.mark.parametrize(
    "title",
    [
        "Eleven equations <!-- unchecked: a title -->",
        "`<b>` and <kbd>Ctrl</kbd>",
        "\\*b [`a[0]`](https://x.org/b_(c)), <https://x.org> and `[code](a.md)`",
    ],
)
def test_a_title_is_what_a_reader_reads(title: str) -> None:
    html = Markdown(extensions=["attr_list", "toc"]).convert(f"## {title}")
    heading = BeautifulSoup(html, "html.parser").find("h2")
    (read,) = outline.read(f"## {title}")
    assert heading and read == Heading(2, heading.get_text().strip(), str(heading["id"]), 1)


def test_an_id_that_is_given_further_down_is_taken() -> None:
    first, second, _ = outline.read("## Same\n\n## Other {#same}\n\nText.\n{ .x #other }\n")
    assert isinstance(first, Heading) and first.anchor == "same_1"
    assert isinstance(second, Heading) and second.anchor == "same"


@pytest.mark.parametrize("file", sorted(Path("docs").rglob("*.md")), ids=str)
def test_headings_have_the_ids_that_they_have_on_the_page(file: Path) -> None:
    source = file.read_text()
    html = Markdown(extensions=["attr_list", "toc", "pymdownx.superfences"]).convert(
        source.split("\n---\n", 1)[-1] if source.startswith("---") else source
    )
    on_page = [
        (h.name, h["id"]) for h in BeautifulSoup(html, "html.parser").find_all(["h1", "h2", "h3"])
    ]
    parts = outline.read(source)
    assert [(f"h{p.level}", p.anchor) for p in parts if isinstance(p, Heading)] == on_page
