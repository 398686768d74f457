"""The lens on the programs in tests/lens: what maps, and that no link points at a wrong range.

In those programs a comment `#: jnp.exp(x) -> exp; y * 2 -> mul` says which primitives an expression
of the file may be the source of. Nothing else may be, and each must be. tests/lens/coverage.txt
says how much of each layer maps; `TRACED_UPDATE=1 pytest tests/test_layers.py` writes it anew.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from traced import layers
from traced.layers import Equation, Expression, Item, Layer, Lens
from traced.project import WORKER
from traced.worker import call, hlo, items, jaxprs, join, lens, stablehlo

FOLDER = Path(__file__).parent / "lens"
PROGRAMS = sorted(p.stem for p in FOLDER.glob("*.py") if p.stem != "lens_helper")
UNMARKED = ("attend@unmarked", "scan_gradient@unmarked")

#: Why an item may be linked with nothing at all.
UNLINKED = ("literal", "parameter", "result", "declaration", "compiler")

type Start = tuple[str, int, int]


class Recorded(msgspec.Struct):
    """What lens_recorder.py leaves."""

    lens: Lens
    places: dict[str, list[Start | None]]
    printed: str

    def layer(self, kind: str) -> Layer:
        return next(layer for layer in self.lens.layers if layer.kind == kind)

    def sources(self, linked: Equation | Item) -> list[Expression]:
        """Where an equation or item was traced, without the callers."""
        return [self.lens.expressions[self.lens.origins[o][0]] for o in linked.origins]


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Recorded]:
    if not hasattr(os, "fork"):
        pytest.skip("the recorder forks")
    out = tmp_path_factory.mktemp("lens")
    command = [sys.executable, str(FOLDER.parent / "lens_recorder.py"), str(FOLDER), str(out)]
    env = {"JAX_PLATFORMS": "cpu", "PYTHONPATH": str(WORKER.parent.parent), "PATH": os.defpath}
    done = subprocess.run(
        [*command, *PROGRAMS, *UNMARKED], env=env, capture_output=True, text=True, check=False
    )
    files = sorted(out.glob("*.json"))
    assert len(files) == len(PROGRAMS + list(UNMARKED)), done.stderr
    return {file.stem: msgspec.json.decode(file.read_bytes(), type=Recorded) for file in files}


def text_under(expression: Expression) -> str:
    """The text of a range, on one line, without comments."""
    lines = (FOLDER / expression.path).read_text(encoding="utf-8").splitlines()
    lines = lines[expression.line - 1 : expression.end_line]
    lines[-1] = lines[-1][: expression.end_column]
    lines[0] = lines[0][expression.column :]
    return " ".join(re.sub(r"#.*", "", line).strip() for line in lines)


def declared(path: str) -> set[tuple[str, str]]:
    """Each expression that the comments of a program name, with each of its primitives."""
    text = (FOLDER / path).read_text(encoding="utf-8")
    pairs = set()
    for comment in re.findall(r"#: (.*)", text):
        for part in comment.split("; "):
            source, primitives = part.split(" -> ")
            pairs |= {(source, primitive) for primitive in primitives.split()}
    return pairs


@pytest.mark.parametrize("name", PROGRAMS)
def test_equations_come_from_the_expressions_that_say_so(
    name: str, recorded: dict[str, Recorded]
) -> None:
    run = recorded[name]
    found = {
        (text_under(source), equation.primitive)
        for equation in run.lens.equations
        for source in run.sources(equation)
    }
    paths = {listing.path for listing in run.lens.listings}
    assert found == set().union(*map(declared, paths))
    assert all(equation.origins for equation in run.lens.equations)


@pytest.mark.parametrize("name", PROGRAMS)
def test_links_agree_with_the_positions_that_the_compiler_noted(
    name: str, recorded: dict[str, Recorded]
) -> None:
    run = recorded[name]
    for kind, places in run.places.items():
        if not any(layer.kind == kind for layer in run.lens.layers):
            continue
        layer = run.layer(kind)
        for item, place in zip(layer.items, places, strict=True):
            if item.origins and place:
                starts = [(e.path, e.line, e.column) for e in run.sources(item)]
                assert in_characters(place) in starts, (item, starts)


def in_characters(place: Start) -> Start:
    file, line, column = place
    path = FOLDER / Path(file).name
    text = path.read_bytes().split(b"\n")[line - 1]
    return path.name, line, len(text[:column].decode())


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_linked_with_nothing_says_why(name: str, recorded: dict[str, Recorded]) -> None:
    for layer in recorded[name].lens.layers:
        assert not layer.fault
        for item in layer.items:
            assert bool(item.equations) != (item.reason in UNLINKED), item
            # XLA numbers what threefry's loop carries in another order when names are marked.
            assert not item.inferred or name == "library"
            made = layer.kind == "stablehlo" and item.reason == "compiler"
            assert not made, item  # lowering knows for each of its operations


def test_coverage(recorded: dict[str, Recorded]) -> None:
    text = "".join(coverage(name, recorded[name]) for name in PROGRAMS)
    file = FOLDER / "coverage.txt"
    if os.environ.get("TRACED_UPDATE"):
        file.write_text(text)
    assert text == file.read_text()


def coverage(name: str, run: Recorded) -> str:
    """A line for each layer: items linked, of how many, and how often which reason was given."""
    lines = []
    for layer in run.lens.layers:
        reasons = [item.reason for item in layer.items if item.reason]
        counts = "  ".join(
            f"{reasons.count(r)} {r}" for r in (*UNLINKED, "library") if r in reasons
        )
        linked = sum(bool(item.equations) for item in layer.items)
        counts += (
            f"  {inferred} inferred" if (inferred := sum(i.inferred for i in layer.items)) else ""
        )
        line = f"{name:14} {layer.kind:10} {linked:3} of {len(layer.items):3}  {counts}"
        lines.append(line.rstrip() + "\n")
    return "".join(lines)


@pytest.mark.parametrize("name", PROGRAMS)
def test_pieces_are_parts_of_the_text(name: str, recorded: dict[str, Recorded]) -> None:
    run = recorded[name]
    for layer in run.lens.layers:
        lines = layer.text.split("\n")
        end = (0, 0)
        for piece in layer.pieces:
            assert end <= (piece.line, piece.start)
            part = lines[piece.line - 1][piece.start : piece.end]
            assert part and part == part.strip()
            end = piece.line, piece.end
        first = {}
        for piece in reversed(layer.pieces):
            first[piece.item] = lines[piece.line - 1][piece.start : piece.end]
        for index, item in enumerate(layer.items):
            shown = layer.kind != "jaxpr" or item.opcode not in ("get", "swap")  # printed as c[...]
            assert item.name in first[index] and (item.opcode in first[index]) == shown


@pytest.mark.parametrize("name", PROGRAMS)
def test_texts_are_what_jax_prints(name: str, recorded: dict[str, Recorded]) -> None:
    run = recorded[name]
    for layer in run.lens.layers:
        assert "eqn~" not in layer.text + layer.whole
        assert str(FOLDER) not in layer.text + layer.whole
        if layer.kind == "stablehlo":
            printed = re.sub(r"[0-9A-Za-z+/]{120,}", lambda m: m[0][:16] + "…", run.printed)
            assert layer.text == printed
        if layer.kind == "hlo":
            kept = [line for line in layer.text.splitlines() if line]
            assert all(any(w.startswith(k) for w in layer.whole.splitlines()) for k in kept[:1])
            assert not re.search("metadata|backend_config|FileNames|StackFrames", layer.text)


def phases(run: Recorded, text: str) -> Iterator[tuple[str, str]]:
    for equation in run.lens.equations:
        if text in map(text_under, run.sources(equation)):
            yield equation.primitive, equation.phase


def test_forward_and_backward_are_told_apart(recorded: dict[str, Recorded]) -> None:
    assert list(phases(recorded["gradient"], "jnp.tanh(h)")) == [
        ("tanh", "forward"),
        ("one_minus_square", "forward"),
        ("mul", "backward"),
    ]
    assert list(phases(recorded["scan_gradient"], "carry * x"))[-1] == ("mul", "backward")
    assert set(phases(recorded["remat"], "jnp.sin(x)")) == {
        ("sin", "forward"),
        ("sin", "recomputed"),
        ("cos", "recomputed"),
        ("mul", "backward"),
    }
    assert {phase for _, phase in phases(recorded["attend"], "k.T")} == {""}


def test_a_shared_jaxpr_belongs_to_each_call_and_its_instructions_to_one(
    recorded: dict[str, Recorded],
) -> None:
    run = recorded["nested_jit"]
    calls = {"jax.nn.relu(a)", "jax.nn.relu(b)"}
    number, maximum = next((n, e) for n, e in enumerate(run.lens.equations) if e.primitive == "max")
    assert maximum.inherited
    assert set(map(text_under, run.sources(maximum))) == calls
    instructions = [
        set(map(text_under, run.sources(item)))
        for item in run.layer("hlo").items
        if item.equations == (number,) and item.opcode == "maximum"
    ]
    assert sorted(instructions, key=str) == [{each} for each in sorted(calls)]


def test_callers_follow_where_an_equation_was_traced(recorded: dict[str, Recorded]) -> None:
    run = recorded["helped"]
    origin = run.lens.origins[run.lens.equations[0].origins[0]]
    texts = [text_under(run.lens.expressions[e]) for e in origin]
    assert texts == ["jnp.tanh(x)", "softened(x)"]
    listed = [(listing.path, listing.line, listing.text) for listing in run.lens.listings]
    assert [listing[:2] for listing in listed] == [("helped.py", 8), ("lens_helper.py", 4)]
    assert listed[1][2].startswith("def softened(x):\n    return jnp.tanh(x)")


def test_an_equation_inside_another_goes_on_with_its_callers(
    recorded: dict[str, Recorded],
) -> None:
    run = recorded["nested_jit"]
    sine = next(equation for equation in run.lens.equations if equation.primitive == "sin")
    chains = [run.lens.origins[origin] for origin in sine.origins]
    texts = [[text_under(run.lens.expressions[e]) for e in chain] for chain in chains]
    assert texts == [["jnp.sin(x)", "wave(x)"], ["jnp.sin(x)", "wave(a + 1)"]]


def test_fusions_have_the_equations_of_their_members(recorded: dict[str, Recorded]) -> None:
    run = recorded["attend"]
    layer = run.layer("hlo")
    primitives = {
        item.name: [run.lens.equations[e].primitive for e in item.equations]
        for item in layer.items
        if item.opcode == "fusion"
    }
    assert primitives["%subtract_exponential_fusion"] == ["exp", "sub"]
    for index, item in enumerate(layer.items):
        if item.opcode == "fusion":
            assert [layer.groups[g].callers for g in item.calls] == [(index,)]
    entry = [group for group in layer.groups if not group.callers]
    assert [layer.text.split("\n")[group.line - 1].split()[0] for group in entry] == ["ENTRY"]
    assert all(layer.text.split("\n")[g.end_line - 1] == "}" for g in layer.groups)


def test_another_platform_and_options_of_the_compiler(recorded: dict[str, Recorded]) -> None:
    elsewhere = recorded["platform"].lens
    assert [(layer.kind, layer.platform) for layer in elsewhere.layers] == [
        ("jaxpr", ""),
        ("stablehlo", "tpu"),
    ]
    plain = recorded["options"].layer("hlo")
    assert [layer.kind for layer in recorded["options"].lens.layers] == ["hlo"]
    assert "ynn" in recorded["attend"].layer("hlo").text
    assert "ynn" not in plain.text
    assert any(item.opcode == "dot" and item.equations for item in plain.items)


@pytest.mark.parametrize("name", UNMARKED)
def test_without_marks_positions_have_to_do(name: str, recorded: dict[str, Recorded]) -> None:
    guessed, known = recorded[name], recorded[name.partition("@")[0]]
    for kind in ("stablehlo", "hlo"):
        layer = guessed.layer(kind)
        assert layer.fault == "TypeError: not to be marked"
        for item, right in zip(layer.items, known.layer(kind).items, strict=True):
            assert item.inferred == bool(item.equations)
            if item.inferred and right.equations and not right.reason:
                starts = {(e.line, e.column) for e in known.sources(right)}
                assert starts & {(e.line, e.column) for e in guessed.sources(item)}, item


def test_what_is_no_call_or_no_layer_is_refused() -> None:
    with pytest.raises(ValueError, match="a lens needs a call"):
        call.evaluate("x + 1", {"x": 1})
    with pytest.raises(NameError):
        call.evaluate("f(y)", {"f": abs})
    asked = call.evaluate("f(*a, **b)", {"f": abs, "a": [1, 2], "b": {"c": 3}})
    assert asked == call.Call("f(*a, **b)", abs, (1, 2), {"c": 3})
    with pytest.raises(ValueError, match="no such layer: mlir"):
        lens.record(asked, str, layers=["mlir"])
    with pytest.raises(ValueError, match="optimized HLO for tpu"):
        lens.record(asked, str, layers=["hlo"], platform="tpu")


def test_which_files_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = "/site/.venv/lib/python3/site-packages"
    monkeypatch.setattr(sys, "path", ["", "/site", packages])
    show = lens.shown_in("/site", f"{packages}/jax/_src/nn")
    assert show("/site/snippets/helper.py") == "snippets/helper.py"
    assert show("snippets/a/b.py") == "snippets/a/b.py"
    assert show(f"{packages}/jax/_src/nn/functions.py") == "jax/_src/nn/functions.py"
    assert show(f"{packages}/jax/_src/core.py") is None
    assert show("/site/venv/site-packages/a.py") is None
    assert show("/sitelike/a.py") is None
    assert show("<string>") is None
    assert lens.shown_in(str(WORKER.parents[2]))(lens.__file__) is None


def test_what_differs_between_machines_is_left_out() -> None:
    text = 'FileNames\n1 "/a/b.py"\n\n%x = f() {"outer_dimension_partitions":["2"]}\n'
    assert hlo.reproducible(text, {"/a/b.py": "b.py"}) == (
        'FileNames\n1 "b.py"\n\n%x = f() {"outer_dimension_partitions":[…]}\n'
    )


def test_cleaning_moves_the_pieces() -> None:
    item = Item("mul")
    layer = Layer("jaxpr", "a /long/path b\nc\n", (item,), (layers.Piece(1, 2, 14, 0),))
    clean = layers.cleaned(layer, lambda line: line.replace("/long/path", "…"))
    assert clean.text == "a … b\nc\n"
    assert clean.pieces == (layers.Piece(1, 2, 5, 0),)


def test_columns_of_the_printer_count_bytes() -> None:
    class Numbered:
        all = tuple(SimpleNamespace(primitive=SimpleNamespace(name=n)) for n in ("jit", "sin"))

        def marked(self, mark: object) -> "Numbered":
            return self

        def pretty_print(self, use_color: bool, source_map: list[object]) -> str:
            source_map.append([(0, 12, 0), (12, 21, 1)])
            return "b = größe c = sin b"

    parsed, _ = jaxprs.parse(Numbered())
    assert [item.pieces for item in parsed.items] == [[(0, 0, 9)], [(0, 10, 19)]]


def test_texts_that_differ_are_joined_line_by_line() -> None:
    def parsed(*lines: tuple[str, str]) -> items.Parsed:
        found = [items.Item("add", "%a", "f", text, path) for text, path in lines]
        return items.Parsed("".join(text for text, _ in lines), found, [])

    marked = parsed(("x", "g/eqn~1/add"), ("x", "g/eqn~2/add"), ("y", "f(eqn~3)/add"), ("w", ""))
    shown = parsed(("x", "g/add"), ("x", "g/add"), ("z", "f()/add"), ("v", "h/add"), ("w", ""))
    assert join.by_marks(shown, marked) == [
        join.Joined([(1,)]),
        join.Joined([(2,)]),
        join.Joined([(3,)], inferred=True),
        join.Joined([]),
        join.Joined([]),
    ]


def test_brackets_in_strings_do_not_count() -> None:
    text = r'x={op_name="a\"}{b" c={}}, y'
    assert text[: items.end_of(text, 2)] == r'x={op_name="a\"}{b" c={}}'


def test_instructions_with_tuples_and_strings() -> None:
    line = (
        r"  %w = (s32[], /*index=1*/f32[5]{0}) while(%t), condition=%c, body=%b, "
        r'metadata={op_name="jit(f)/eqn~3/while}\"" stack_frame_id=0}, backend_config={"n":"{"}'
    )
    called, entry = "%c (t: s32[]) -> pred[] {", "ENTRY %e (t: s32[]) -> s32[] {"
    text = "\n".join(["HloModule m", "", called, "}", "", entry, line, "}"])
    parsed = hlo.parse(text)
    item = parsed.items[0]
    assert (item.opcode, item.name, item.group, item.calls) == ("while", "%w", "e", ["c"])
    assert item.path == r"jit(f)/eqn~3/while}\""
    assert parsed.text.splitlines()[-2].endswith("while(%t), condition=%c, body=%b")


def test_locations_in_strings_are_text() -> None:
    text = (
        "module @m {\n"
        '  %0 = stablehlo.custom_call @f() {a = " loc(x"} : () -> tensor<f32> loc(#loc1)\n'
        "} loc(#loc)\n"
        "#loc = loc(unknown)\n"
        '#loc1 = loc("jit(f)/eqn~7/g"(callsite("f"("a.py":3:4 to :9) at "h"("b.py":1:2))))\n'
    )
    parsed = stablehlo.parse(text)
    assert parsed.text.splitlines()[1].endswith('{a = " loc(x"} : () -> tensor<f32>')
    assert parsed.items[1].path == "jit(f)/eqn~7/g"
