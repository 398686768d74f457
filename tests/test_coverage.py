"""Numbers and names that no statement holds to a run, and the marks that allow them."""

import pytest

from traced.coverage import unchecked

NAMES = {"reduce_max", "axes", "cond", "stablehlo.add"}


def found(source: str) -> list[str]:
    return [finding.text for finding in unchecked(source, NAMES)]


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("There are eleven of 12 lines.", ["eleven", "12"]),
        (
            "Eleven, and twenty-one; one hundred and five.",
            ["Eleven", "twenty-one", "one hundred and five"],
        ),
        ("Two and three, four five.", ["Two", "three", "four", "five"]),
        ("one hundred\nand five", ["one hundred and five"]),
        (
            "1,234 bytes, 3.5 s, 42%, 1e-3, 2⁻²⁴, -3, 4×8",
            ["1,234", "3.5", "42%", "1e-3", "2⁻²⁴", "-3", "4×8"],
        ),
        ("3-5 lines, the 3rd, the third, twice", ["3", "5", "3rd", "third", "twice"]),
        ("float32, H100, utf-8, 2D, 32-bit, x86-64", []),
        ("this one, one another, once you know, the first, a second", []),
        ("One. It runs only once.", ["One", "once"]),
        ("One `sub` became two", ["One", "two"]),
        ("`0.5` and `x[0]` and `f32[4,8]`", ["0.5"]),
        ("`reduce_max`, `axes=(1,)`, `cond[...]`", ["reduce_max", "axes=(1,)", "cond[...]"]),
        ("reduce_max, `sub`, `reduce_max d`, `cond(x)`", []),
        ("- one item\n- `stablehlo.add` two", ["stablehlo.add", "two"]),
        (
            "## Three heads\n\n| `axes` | 4 |\n|---|---|\n| 5 | six |",
            ["Three", "axes", "4", "5", "six"],
        ),
        ("1. an item\n2. another\n\n**3.** an exercise", []),
        ("[text](x-2.md) [8]: not\n\n[8]: https://x.org/3 \n\nhttps://x.org/4 # x {#h-5}", ["8"]),
        (
            "/// snippet | a#b2\n    mark: 3\n///\n\n/// details | Four\n    open: 5\n\nsix\n///",
            ["Four", "six"],
        ),
        ("```\n7\n```\n\n    8\n\n<!-- 9 --> <b id='10'>x</b> `x 11`", []),
        ("---\nnumber: 3\n---\n\nfour", ["four"]),
        ("[eleven](fact:a.b) and [`axes`](fact:a.c), twelve", ["twelve"]),
    ],
)
def test_what_is_listed(source: str, texts: list[str]) -> None:
    assert found(source) == texts


def test_a_name_that_is_stated_once_is_covered() -> None:
    source = "`axes` and [**`axes=(1,)`**](fact:a.b), then `axes` and `cond`"
    assert found(source) == ["cond"]


def test_the_title_of_a_page_states_nothing_where_it_is_a_link() -> None:
    source = "[Two `cond` paths](a.md#x) of two, [two\npaths](b.md), [Two others](c.md)"
    findings = unchecked(source, NAMES, {"Two cond paths", "two paths"})
    assert [finding.text for finding in findings] == ["two", "Two"]


def test_findings_have_their_place_and_kind() -> None:
    source = "\ufeffOne line.\r\n\r\n> with eight\r\n> `axes`\r\n"
    assert [(f.line, f.column, f.kind) for f in unchecked(source, NAMES)] == [
        (3, 8, "number"),
        (4, 3, "name"),
    ]


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("eight and 32 <!-- unchecked: eight, 32 -->", []),
        (
            "eight and 32\nand nine\n<!-- unchecked: eight, 32 because\nthe source chose them -->",
            ["nine"],
        ),
        ("<!-- unchecked: Eight -->\n- eight\n- nine, `axes`", ["nine", "axes"]),
        ("`axes` `0.5` <!-- unchecked: axes, 0.5 -->", []),
        ("| 1 | 2 |\n|---|---|\n| 3 | `cond` |\n<!-- unchecked: all because of x -->", []),
        ("eight\n\n<!-- unchecked: eight -->\n\nnine", ["eight", "eight", "nine"]),
        ("nothing here <!-- unchecked: all -->", ["all"]),
        ("eight <!-- unchecked: eight, nine -->", ["nine"]),
        ("1,234 and 5 <!-- unchecked: 1,234, 5 -->", []),
        ("`<!-- unchecked: eight -->` eight", ["eight"]),
    ],
)
def test_marks(source: str, texts: list[str]) -> None:
    assert found(source) == texts


def test_a_mark_in_vain_is_a_finding_of_its_own() -> None:
    (finding,) = unchecked("x\nno number <!-- unchecked: nine -->", NAMES)
    assert (finding.line, finding.column, finding.kind) == (2, 11, "mark")
