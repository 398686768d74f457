"""A lens as HTML: its text, what its parts are related to, what it says, and what it may weigh.

The programs are those of tests/lens; tests/browser/lens looks at what a reader sees.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import bs4
import msgspec
import pytest
from material.plugins.search.plugin import Parser as SearchParser

from traced import lensmarks, lenspanes, strands
from traced.html import Caption
from traced.layers import Equation, Expression, Item, Layer, Lens, Listing, Piece
from traced.lenshtml import MOST, draw
from traced.project import WORKER
from traced.runs import Toolchain

FOLDER = Path(__file__).parent / "lens"
PROGRAMS = [
    "attend",
    "cond",
    "custom_jvp",
    "gradient",
    "library",
    "nested_jit",
    "options",
    "scan_gradient",
    "unicode",
]
HOSTILE = "</pre></span><script>alert(\"1\")</script> & '`x`' <!-- data-search-exclude ]]>"

TOOLCHAIN = Toolchain("3.13.1", "0.12.0.1", "0.12.0.1", "2.3.5", "cpu")


@pytest.fixture(scope="session")
def lenses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Lens]:
    if not hasattr(os, "fork"):
        pytest.skip("the recorder forks")
    out = tmp_path_factory.mktemp("lenses")
    command = [sys.executable, str(FOLDER.parent / "lens_recorder.py"), str(FOLDER), str(out)]
    env = {"JAX_PLATFORMS": "cpu", "PYTHONPATH": str(WORKER.parent.parent), "PATH": os.defpath}
    done = subprocess.run([*command, *PROGRAMS], env=env, capture_output=True, text=True)
    files = sorted(out.glob("*.json"))
    assert len(files) == len(PROGRAMS), done.stderr
    read = {file.stem: json.loads(file.read_bytes())["lens"] for file in files}
    return {name: msgspec.convert(lens, Lens) for name, lens in read.items()}


class Drawn:
    """A lens as it was drawn, asked what its script would find out."""

    def __init__(self, html: str):
        self.html = html
        self.soup = bs4.BeautifulSoup(html, "html.parser")
        self.parts: dict[str, dict[str, str]] = {}
        for element in self.soup.select("[data-s]"):
            self.parts[element["data-k"].split()[-1]] = element.attrs

    def strands(self, key: str) -> set[str]:
        part = self.parts[key]
        return {*part["data-s"].split(), *part.get("data-a", "").split()}

    def lit(self, key: str) -> list[str]:
        """The keys of all that lights up when the part of a key is picked."""
        picked = self.strands(key)
        return [k for k, p in self.parts.items() if k == key or picked & {*p["data-s"].split()}]

    def around(self, key: str) -> list[str]:
        picked = self.strands(key)
        return [k for k, p in self.parts.items() if picked & {*p.get("data-a", "").split()}]

    def expression(self, text: str) -> str:
        return next(key for key, part in self.parts.items() if part.get("data-t") == text)

    def shown(self, keys: list[str], letter: str) -> list[str]:
        """The names of primitives, ops and opcodes of the items among some keys."""
        items = [k for k in keys if k[0] == letter]
        return [self.soup.select_one(f'[data-k="{k}"][data-s] .nf').text for k in items]

    def pane(self, letter: str) -> bs4.Tag:
        return self.soup.select_one(f".c-{letter} .pane")


@pytest.fixture(scope="session")
def drawn(lenses: dict[str, Lens]) -> dict[str, Drawn]:
    return {name: Drawn(draw(lens, name=f"lens-{name}")) for name, lens in lenses.items()}


def small(text: str = "f(x)", **changes: object) -> Lens:
    """A lens that was not recorded: one expression, one equation, one op."""
    layer = Layer("stablehlo", text, (Item("f", "%0", equations=(0,), origins=(0,)),), ())
    layer = msgspec.structs.replace(layer, pieces=(Piece(1, 0, len(text.split("\n")[0]), 0),))
    lens = Lens(
        text,
        (Listing("a.py", 3, f"{text}\n"),),
        (Expression("a.py", 3, 0, 3, len(text.split("\n")[0])),),
        ((0,),),
        (Equation("f", (0,)),),
        (layer,),
    )
    return msgspec.structs.replace(lens, **changes)


# The text


@pytest.mark.parametrize("name", PROGRAMS)
def test_panes_hold_the_text_as_it_is(name, lenses, drawn) -> None:
    for layer in lenses[name].layers:
        letter = lenspanes.KINDS[layer.kind][2]
        assert drawn[name].pane(letter).text == layer.text.rstrip("\n")
    listings = [listing.text.rstrip("\n") for listing in lenses[name].listings]
    assert [pre.text for pre in drawn[name].pane("py").select("pre")] == listings


@pytest.mark.parametrize("name", PROGRAMS)
def test_tags_close_and_ids_and_links_fit(name, drawn) -> None:
    html = drawn[name].html
    opened = re.findall(r"<([a-z][a-z0-9]*)\b[^>]*>", html)
    assert sorted(t for t in opened if t != "input") == sorted(re.findall(r"</([a-z0-9]+)>", html))
    ids = [element["id"] for element in drawn[name].soup.select("[id]")]
    assert len(ids) == len(set(ids))
    links = {link["href"].removeprefix("#") for link in drawn[name].soup.select("a[href]")}
    assert links <= set(ids)
    assert all(each == f"lens-{name}" or each.startswith(f"lens-{name}.") for each in ids)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_item_and_expression_is_a_part(name, lenses, drawn) -> None:
    lens = lenses[name]
    keys = {lenspanes.key_of(layer, n) for layer in lens.layers for n in range(len(layer.items))}
    assert set(drawn[name].parts) == keys | {str(n + 1) for n in range(len(lens.expressions))}


def test_what_ran_is_escaped() -> None:
    html = draw(small(HOSTILE), caption=Caption(HOSTILE, TOOLCHAIN), options=HOSTILE)
    assert "<script" not in html
    assert "<!--" not in html
    soup = bs4.BeautifulSoup(html, "html.parser")
    assert [pre.text for pre in soup.select(".pane pre")] == [HOSTILE] * 2
    assert soup.select_one("[data-t]")["data-t"] == HOSTILE


def test_programs_stay_out_of_the_search_index(drawn) -> None:
    parser = SearchParser()
    parser.feed(f"<h1 id='t'>T</h1>{drawn['attend'].html}<p>after</p>")
    parser.close()
    text = " ".join("".join(section.text) for section in parser.data)
    assert "softmax" not in text
    assert "after" in text


def test_the_caption_says_what_ran() -> None:
    caption = Caption("snippets/a/b.py", TOOLCHAIN, devices=8)
    said = bs4.BeautifulSoup(draw(small(), caption=caption, options="x=1"), "html.parser")
    assert said.select_one("figcaption").text == (
        "f(x) in snippets/a/b.py, followed with JAX 0.12.0.1 on 8 CPU devices; XLA was told x=1"
    )


# What belongs together


def test_the_softmax_is_nine_equations_their_ops_and_their_fusions(drawn) -> None:
    page = drawn["attend"]
    softmax = page.expression("jax.nn.softmax(q @ k.T)")
    lit = page.lit(softmax)
    assert page.shown(lit, "j") == [
        *("reduce_max", "max", "broadcast_in_dim", "stop_gradient", "sub", "exp", "reduce_sum"),
        *("broadcast_in_dim", "div"),
    ]
    ops = [op.removeprefix("stablehlo.") for op in page.shown(lit, "s")]
    assert ops.count("reduce") == 2
    assert {"exponential", "subtract", "divide", "maximum"} < set(ops)
    assert "transpose" not in ops
    assert page.shown(lit, "h").count("fusion") == 4
    assert not any(page.parts[key].get("data-t") for key in lit if key != softmax)
    for key in lit:
        assert softmax in page.lit(key)


def test_an_equation_is_related_to_its_own_ops_alone(drawn) -> None:
    page = drawn["attend"]
    exp = next(k for k in page.parts if k[0] == "j" and page.shown([k], "j") == ["exp"])
    assert page.shown(page.lit(exp), "s") == ["stablehlo.exponential"]
    assert page.shown(page.lit(exp), "h") == ["exponential", "fusion"]


def test_a_call_stands_for_what_was_traced_in_it(drawn) -> None:
    page = drawn["scan_gradient"]
    scan = page.expression("jax.lax.scan(step, 0.0, xs)")
    product = page.expression("carry * x")
    assert product in page.lit(scan)
    assert {"scan", "mul", "tanh"} <= set(page.shown(page.lit(scan), "j"))
    assert scan not in page.lit(product)
    assert scan in page.around(product)


def test_an_equation_without_an_op_of_its_own_lights_those_inside(drawn) -> None:
    page = drawn["custom_jvp"]
    (call,) = [k for k in page.parts if page.shown([k], "j") == ["custom_jvp_call"]]
    lit = page.lit(call)
    assert page.shown(lit, "j") == ["custom_jvp_call", "exp", "log1p"]
    assert page.shown(lit, "s") == ["stablehlo.exponential", "stablehlo.log_plus_one"]
    exp = next(k for k in lit if page.shown([k], "j") == ["exp"])
    assert call in page.around(exp)


def test_an_instruction_of_a_shared_jaxpr_is_of_one_call(drawn) -> None:
    page = drawn["nested_jit"]
    calls = {page.expression("jax.nn.relu(a)"), page.expression("jax.nn.relu(b)")}
    shared = [k for k in page.parts if page.shown([k], "j") == ["max"]]
    assert len(shared) == 1 and calls <= set(page.lit(shared[0]))
    instructions = [k for k in page.lit(shared[0]) if page.shown([k], "h") == ["maximum"]]
    assert len(instructions) == 2
    assert all(len(calls & set(page.lit(key))) == 1 for key in instructions)


def test_a_call_is_around_what_it_did_itself(drawn) -> None:
    page = drawn["nested_jit"]
    first, second = page.expression("wave(x)"), page.expression("wave(a + 1)")
    calls = [k for k in page.parts if page.shown([k], "j") == ["jit"] and first in page.lit(k)]
    assert len(calls) == 1
    assert second not in page.lit(calls[0]) + page.around(calls[0])
    assert page.expression("jnp.sin(x)") in page.lit(calls[0])


def test_layers_are_related_where_no_source_is_shown(lenses) -> None:
    lens = lenses["attend"]
    alone = msgspec.structs.replace(
        lens,
        listings=(),
        expressions=(),
        origins=(),
        equations=tuple(msgspec.structs.replace(e, origins=()) for e in lens.equations),
        layers=tuple(
            msgspec.structs.replace(
                layer, items=tuple(msgspec.structs.replace(i, origins=()) for i in layer.items)
            )
            for layer in lens.layers
        ),
    )
    page = Drawn(draw(alone))
    exp = next(k for k in page.parts if page.shown([k], "j") == ["exp"])
    assert page.shown(page.lit(exp), "s") == ["stablehlo.exponential"]


def test_lines_around_what_was_fused_are_the_fusions(lenses, drawn) -> None:
    page, layer = drawn["attend"], lenses["attend"].layers[2]
    for element in page.pane("h").select(".ln:not([data-s])"):
        item = layer.items[int(element["data-k"][1:])]
        assert item.opcode == "fusion"
        assert element.text.startswith("%") == element.text.endswith("{\n")
    names = {part["data-f"] for part in page.parts.values() if part.get("data-f")}
    assert names == {item.name for item in layer.items if item.opcode == "fusion"}


def test_a_reduction_is_fused_with_what_applies_it(lenses) -> None:
    layer = lenses["attend"].layers[2]
    region = next(n for n, g in enumerate(layer.groups) if g.name.startswith("region"))
    fusion = strands.fusion_of(layer, region)
    assert fusion is not None
    assert layer.items[fusion].opcode == "fusion"
    assert strands.fusion_of(layer, len(layer.groups) - 1) is None


# What it says


def test_badges_number_expressions_in_the_order_of_the_source(drawn) -> None:
    page = drawn["attend"]
    texts = {key: part["data-t"] for key, part in page.parts.items() if "data-t" in part}
    assert texts == {"1": "jax.nn.softmax(q @ k.T)", "2": "q @ k.T", "3": "k.T"}
    assert page.parts["j0"]["data-n"] == "3"


def test_what_comes_from_nothing_says_why(lenses, drawn) -> None:
    for name in PROGRAMS:
        for layer in lenses[name].layers:
            for number, item in enumerate(layer.items):
                part = drawn[name].parts[lenspanes.key_of(layer, number)]
                if not item.equations:
                    assert part["data-s"] == ""
                    assert part["data-n"] == "–"
                    assert part["data-w"] == lenspanes.REASONS[item.reason]


def test_phases_are_words(drawn) -> None:
    page = drawn["gradient"]
    phases = {page.shown([k], "j")[0]: page.parts[k]["data-p"] for k in page.parts if k[0] == "j"}
    assert phases["tanh"] == "forward"
    assert phases["transpose"] == "backward"
    assert "mul (backward)" in page.soup.select_one("table").text
    assert "phases" in page.soup.figure["class"]
    assert "data-p" not in drawn["attend"].html


def test_counts(drawn) -> None:
    assert (
        drawn["attend"]
        .soup.select_one(".now span")
        .text.startswith("11 equations, 16 ops, 5 fusions. ")
    )
    titles = [title.text for title in drawn["gradient"].soup.select(".title")]
    assert titles == [
        "Python",
        "jaxpr: 12 equations",
        "StableHLO: 20 ops",
        "Optimized HLO: 3 fusions, 2 other instructions",
    ]


def test_the_table_has_all_that_was_made(lenses, drawn) -> None:
    page = drawn["attend"]
    rows = {row.th.text: [cell.text for cell in row.select("td")] for row in page.soup.select("tr")}
    jaxpr, stablehlo, hlo = rows["1 jax.nn.softmax(q @ k.T)"]
    assert jaxpr.split(", ")[5] == "exp"
    assert "%8 exponential" in stablehlo
    assert "%subtract_exponential_fusion fusion of (%sub.1 broadcast, %sub.0 subtract" in hlo
    assert rows["3 k.T"] == ["transpose", "%0 transpose", "no instruction"]
    assert rows["No expression: a literal, or a constant closed over"][1] == "%cst_0 constant"
    linked = {link["href"] for link in page.soup.select("td a")}
    assert {f"#lens-attend.j{n}" for n in range(11)} <= linked


def test_a_fault_is_said() -> None:
    layer = msgspec.structs.replace(small().layers[0], fault="TypeError: no")
    html = draw(small(layers=(layer,)))
    assert "Links are inferred here: TypeError: no" in html


def test_the_whole_of_trimmed_hlo_is_there(lenses, drawn) -> None:
    whole = lenses["attend"].layers[2].whole
    assert "StackFrames" in whole
    assert whole in [pre.text for pre in drawn["attend"].soup.select("details pre")]


def test_layers_can_be_chosen(lenses) -> None:
    page = Drawn(draw(lenses["attend"], show=["jaxpr", "hlo"], opened="hlo"))
    assert {key[0] for key in page.parts} == {"1", "2", "3", "j", "h"}
    assert "lens-h" in page.soup.figure["class"]
    assert [tab["value"] for tab in page.soup.select("[type=radio]")] == ["j", "h"]
    assert page.soup.select_one("[checked]")["value"] == "h"


@pytest.mark.parametrize("options", [{"show": ["hlo"]}, {"opened": "jaxpr"}])
def test_layers_that_are_not_there_are_refused(options) -> None:
    with pytest.raises(ValueError):
        draw(small(), **options)


def test_another_platform_is_named() -> None:
    layer = msgspec.structs.replace(small().layers[0], platform="tpu")
    assert "StableHLO for tpu: 1 op" in draw(small(layers=(layer,)))


# Reading aids


def without(pane: bs4.Tag, hidden: str) -> list[str]:
    copy = bs4.BeautifulSoup(str(pane), "html.parser")
    for element in copy.select(hidden):
        element.decompose()
    return [line.strip() for line in copy.text.split("\n")]


@pytest.mark.parametrize(
    ("letter", "types", "both"),
    [
        ("j", "e = reduce_max[axes=(1,) out_sharding=None] d", "d = dot_general a c"),
        (
            "s",
            "%2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum "
            "across dimensions = [1]",
            "%2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum",
        ),
        (
            "h",
            "%broadcast.4 = broadcast(%param_1.2), dimensions={0}",
            "%reduce_sum.0 = reduce(%param_0.3, %constant.1), to_apply=%region_1.2",
        ),
    ],
)
def test_lines_read_well_without_types_and_attributes(letter, types, both, drawn) -> None:
    pane = drawn["attend"].pane(letter)
    assert types in without(pane, ".kt")
    assert both in without(pane, ".kt, .la")


def test_parameters_with_a_jaxpr_in_them_stay(drawn) -> None:
    lines = without(drawn["custom_jvp"].pane("j"), ".kt, .la")
    assert lines[2:7] == [
        "c = custom_jvp_call[",
        "call_jaxpr={ lambda ; d. let",
        "e = exp d",
        "f = log1p e",
        "in (f,) }",
    ]


def test_variables_are_told_where_they_are_defined(drawn) -> None:
    first = drawn["attend"].pane("s").select_one('[data-k="s2"]')
    assert [v.text for v in first.select("var.d")] == ["%0"]
    assert [v.text for v in first.select("var:not(.d)")] == ["%arg1"]
    assert [v.text for v in drawn["cond"].pane("j").select('[data-k="j4"] var')] == [*("g", "f")]


@pytest.mark.parametrize(
    ("kind", "line", "shown"),
    [
        ("stablehlo", "module @m attributes {a.b = 1 : i32} {", "module @m {"),
        ("stablehlo", '%3 = "stablehlo.case"(%2) ({', '%3 = "stablehlo.case"(%2) ({'),
        (
            "stablehlo",
            '%1 = "stablehlo.gather"(%a, %0) <{slice_sizes = array<i64: 1>}> : (tensor<3xf32>)',
            '%1 = "stablehlo.gather"(%a, %0)',
        ),
        (
            "stablehlo",
            'func.func public @main(%arg0: tensor<3xf32>) -> (tensor<f32> {a = "r"}) {',
            "func.func public @main(%arg0) {",
        ),
        (
            "stablehlo",
            "%0 = sdy.manual_computation(%arg0) in_shardings=[<@m, []>] (%arg1: tensor<1xf32>) {",
            "%0 = sdy.manual_computation(%arg0) (%arg1) {",
        ),
        (
            "hlo",
            "  %w = (s32[], /*index=1*/f32[5]{0}) while(%t), condition=%c.1, body=%b.2, x={a,b}",
            "  %w = while(%t), condition=%c.1, body=%b.2",
        ),
        ("hlo", "ENTRY %main.3 (q.1: f32[4,8]) -> (f32[], f32[4]) {", "ENTRY %main.3 {"),
        ("jaxpr", "b:f32[3] = jit[name=f jaxpr=f] a 2.0:f32[]", "b = jit a 2.0"),
    ],
)
def test_types_and_attributes_of_a_line(kind, line, shown) -> None:
    hidden = [m for m in lensmarks.of_layer(line, kind) if m.what in ("type", "attribute")]
    for mark in reversed(hidden):
        line = line[: mark.start] + line[mark.end :]
    assert line == shown


# Weight


def elements(html: str) -> int:
    return len(re.findall(r"<[a-z]", html))


@pytest.mark.parametrize("name", PROGRAMS)
def test_elements_keep_their_budget(name, drawn) -> None:
    assert elements(drawn[name].html) <= MOST
    assert ('class="d"' in drawn[name].html) == (name != "library")


def test_what_does_not_fit_is_drawn_with_less(lenses, monkeypatch) -> None:
    html = [draw(lenses["attend"])]
    for most in (500, 300):
        monkeypatch.setattr("traced.lenshtml.MOST", most)
        html.append(draw(lenses["attend"]))
    assert ['class="d"' in each for each in html] == [True, False, False]
    assert ['class="la"' in each for each in html] == [True, True, False]
    assert "Hide types" in html[1] and "Hide types" not in html[2]
    assert Drawn(html[2]).lit("1") == Drawn(html[0]).lit("1")


def test_the_same_lens_gives_the_same_bytes(lenses) -> None:
    assert draw(lenses["gradient"]) == draw(lenses["gradient"])
