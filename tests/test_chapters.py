"""The chapters, written and still to come, and what each invalid thing in them is told."""

import pytest

from traced import chapters
from traced.chapters import Chapter

FRONT = """\
---
title: The jaxpr
path: kernel
number: 1
enables: read one
description: How to read one.
---

# Something else
"""


@pytest.fixture
def read(tmp_path):
    """Read chapters of those texts; returns them and their diagnostics as strings."""

    def read(planned="", **texts):
        docs = tmp_path / "docs"
        (docs / "l").mkdir(parents=True)
        if planned:
            (docs / "planned.yml").write_text(planned)
        for slug, text in texts.items():
            (docs / "l" / f"{slug}.md").write_bytes(text.encode())
        faults = []
        found = chapters.load(docs, faults)
        return found, [f"{f.places[0]}: {f.cause}" for f in faults]

    return read


def test_a_chapter(read):
    found, faults = read(jaxpr=FRONT)
    assert faults == []
    texts = ("read one", "How to read one.", "l/jaxpr.md")
    chapter = Chapter("jaxpr", "The jaxpr", "kernel", 1, *texts)
    assert found == {"jaxpr": chapter}
    assert chapter.standing == "kernel path, chapter 1"


@pytest.mark.parametrize(
    "body",
    [
        "# The `jaxpr`\n",
        "```sh\n# no heading\n```\n\n# The *jaxpr* <!-- unchecked: a name -->\n",
        "Text.\n\n# The jaxpr { #top .x }\n# Two\n",
        "# The jaxpr #\r\n",
    ],
)
def test_the_title_is_the_first_heading_where_none_is_given(read, body):
    found, faults = read(jaxpr=FRONT.replace("title: The jaxpr\n", "").split("# ")[0] + body)
    assert faults == []
    assert found["jaxpr"].title == "The jaxpr"


def test_chapters_come_in_the_order_of_the_paths(read):
    front = "---\npath: {}\nnumber: {}\nenables: see\n---\n# T\n"
    numbers = [str(number) for number in range(1, 11)]
    texts = {f"k{number}": ("kernel", number) for number in numbers}
    texts |= {"c": ("jax", 2), "d": ("jax", 1)}
    found, faults = read(**{slug: front.format(*values) for slug, values in texts.items()})
    assert faults == []
    assert list(found) == ["d", "c", *(f"k{number}" for number in numbers)]
    assert [chapter.slug for chapter in chapters.along(found, "jax")] == ["d", "c"]


def test_front_matter_of_the_theme_is_let_be(read):
    assert read(jaxpr=FRONT.replace("number: 1", "number: 1\nhide: [toc]\nterms: false"))[1] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# The jaxpr\n", "1: the chapter has no front matter"),
        ("---\n---\n# T\n", "1: the chapter has no front matter"),
        ("---\n\n---\n# T\n", "1: the front matter is empty"),
        ("---\n- a\n---\n# T\n", "2: this is no mapping of fields to values"),
        (FRONT.replace("enables: read one\n", ""), "2: the field 'enables' is missing"),
        (FRONT.replace("read one\n", "''\n"), "5: enables: Expected `str` matching regex"),
        (FRONT.replace("read one", "|\n  read\n  one"), "5: enables: Expected `str` matching"),
        (FRONT.replace("The jaxpr", "' '", 1), "2: title: Expected `str` matching regex"),
        (FRONT.replace("The jaxpr", "2026-13-01", 1), "2: not valid YAML: month must be in 1..12"),
        (FRONT.replace("path: kernel\n", ""), "2: the field 'path' is missing"),
        (FRONT.replace("kernel", "kernal"), "3: path: Invalid enum value 'kernal'"),
        (FRONT.replace("number: 1", "number: two"), "4: number: Expected `int`, got `str`"),
        (FRONT.replace("number: 1", "number: 0"), "4: number: Expected `int` >= 1"),
        (FRONT.replace("number: 1", "number: [1"), "5: not valid YAML: did not find expected"),
        (FRONT.replace("title: The jaxpr\n", "").split("# ")[0], "1: the chapter has no title"),
    ],
)
def test_each_fault_is_one_diagnostic(read, text, expected):
    found, faults = read(jaxpr=text)
    assert found == {}
    assert len(faults) == 1
    assert faults[0].startswith(f"docs/l/jaxpr.md:{expected}")


def test_two_chapters_at_one_place(read):
    found, faults = read(a=FRONT, b=FRONT)
    assert faults == ["docs/l/b.md:4: a second chapter 1 on the kernel path"]
    assert list(found) == ["a"]


PLANNED = """\
- slug: fusion
  title: Fusion
  path: kernel
  number: 2
  enables: read `fusion`
"""


def test_a_chapter_still_to_come_is_on_its_path(read):
    found, faults = read(planned=PLANNED, jaxpr=FRONT)
    assert faults == []
    assert list(found) == ["jaxpr", "fusion"]
    assert found["fusion"] == Chapter("fusion", "Fusion", "kernel", 2, "read `fusion`")


@pytest.mark.parametrize(
    ("planned", "expected"),
    [
        ("slug: fusion\n", "1: this is no list of planned chapters"),
        ("- fusion\n", "1: this is no mapping of fields to values"),
        (PLANNED + "  source: x\n", "6: unknown field 'source'"),
        (PLANNED.replace("  title: Fusion\n", ""), "1: the field 'title' is missing"),
        (PLANNED.replace(": 2", ": 0"), "4: number: Expected `int` >= 1"),
        (PLANNED.replace("fusion\n", "The fusion\n", 1), "1: slug: Expected `str` matching regex"),
        (PLANNED.replace("fusion\n", '"x\\n"\n', 1), "1: slug: Expected `str` matching regex"),
        (PLANNED.replace(": 2", ": 1"), "4: a second chapter 1 on the kernel path"),
        (
            PLANNED.replace(": 2", ": 3"),
            "4: before this chapter 3, the kernel path has no chapter 2",
        ),
        (
            PLANNED.replace("fusion", "jaxpr", 1),
            "1: the chapter 'jaxpr' is no longer to come: it is there",
        ),
        (
            PLANNED + PLANNED.replace(": 2", ": 3"),
            "6: the chapter 'fusion' is planned twice",
        ),
        (PLANNED.replace("Fusion", "[Fusion"), "3: not valid YAML"),
    ],
)
def test_each_fault_of_a_planned_chapter_is_one_diagnostic(read, planned, expected):
    _, faults = read(planned=planned, jaxpr=FRONT)
    assert len(faults) == 1
    assert faults[0].startswith(f"docs/planned.yml:{expected}")


def test_a_chapter_with_a_fault_leaves_no_gap(read):
    assert len(read(planned=PLANNED, jaxpr=FRONT.replace("kernel", "kernal"))[1]) == 1


def test_no_number_is_left_out_at_the_beginning(read):
    assert read(jaxpr=FRONT.replace(": 1", ": 2"))[1] == [
        "docs/l/jaxpr.md:4: before this chapter 2, the kernel path has no chapter 1"
    ]
