"""The front matter of the chapters, and what each invalid thing in it is told."""

import pytest

from traced import chapters
from traced.chapters import Chapter

FRONT = """\
---
title: The jaxpr
path: kernel
number: 2
description: How to read one.
---

# Something else
"""


@pytest.fixture
def read(tmp_path):
    """Read chapters of those texts; returns them and their diagnostics as strings."""

    def read(**texts):
        docs = tmp_path / "docs"
        (docs / "l").mkdir(parents=True)
        for slug, text in texts.items():
            (docs / "l" / f"{slug}.md").write_bytes(text.encode())
        faults = []
        found = chapters.load(docs, faults)
        return found, [f"{f.places[0]}: {f.cause}" for f in faults]

    return read


def test_a_chapter(read):
    found, faults = read(jaxpr=FRONT)
    assert faults == []
    chapter = Chapter("jaxpr", "The jaxpr", "kernel", 2, "How to read one.", "l/jaxpr.md")
    assert found == {"jaxpr": chapter}
    assert chapter.standing == "Kernel path, chapter 2"


@pytest.mark.parametrize(
    "body",
    ["# The `jaxpr`\n", "Text.\n\n# The jaxpr { #top .x }\n# Two\n", "# The jaxpr #\r\n"],
)
def test_the_title_is_the_first_heading_where_none_is_given(read, body):
    found, faults = read(jaxpr=FRONT.replace("title: The jaxpr\n", "").split("# ")[0] + body)
    assert faults == []
    assert found["jaxpr"].title == "The jaxpr"


def test_chapters_come_in_the_order_of_the_paths(read):
    front = "---\npath: {}\nnumber: {}\n---\n# T\n"
    texts = {"a": ("kernel", 10), "b": ("kernel", 9), "c": ("jax", 2), "d": ("jax", 1)}
    found, faults = read(**{slug: front.format(*values) for slug, values in texts.items()})
    assert faults == []
    assert list(found) == ["d", "c", "b", "a"]


def test_front_matter_of_the_theme_is_let_be(read):
    assert read(jaxpr=FRONT.replace("number: 2", "number: 2\nhide: [toc]\nterms: false"))[1] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# The jaxpr\n", "1: the chapter has no front matter"),
        ("---\n---\n# T\n", "1: the chapter has no front matter"),
        ("---\n\n---\n# T\n", "1: the front matter is empty"),
        ("---\n- a\n---\n# T\n", "2: this is no mapping of fields to values"),
        (FRONT.replace("path: kernel\n", ""), "2: the field 'path' is missing"),
        (FRONT.replace("kernel", "kernal"), "3: path: Invalid enum value 'kernal'"),
        (FRONT.replace("number: 2", "number: two"), "4: number: Expected `int`, got `str`"),
        (FRONT.replace("number: 2", "number: 0"), "4: number: Expected `int` >= 1"),
        (FRONT.replace("number: 2", "number: [2"), "5: not valid YAML: did not find expected"),
        (FRONT.replace("title: The jaxpr\n", "").split("# ")[0], "1: the chapter has no title"),
    ],
)
def test_each_fault_is_one_diagnostic(read, text, expected):
    found, faults = read(jaxpr=text)
    assert found == {}
    assert len(faults) == 1
    assert faults[0].startswith(f"docs/l/jaxpr.md:{expected}")


def test_two_chapters_at_one_place(read):
    assert read(a=FRONT, b=FRONT)[1] == [
        "docs/l/b.md:1: a second chapter is Kernel path, chapter 2"
    ]
