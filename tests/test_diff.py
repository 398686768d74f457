"""What changed between two runs, and which statements and pages that touches."""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from traced import diff, diffreport, jaxprdiff
from traced.diff import Ran, Side
from traced.jaxprdiff import Difference
from traced.jaxprtext import Jaxpr, read
from traced.project import Project
from traced.runs import CellResult, Chunk, Fact, Raised, Run, Toolchain
from traced.snippets import parse

IR = Path(__file__).parent / "data" / "ir"
ATTEND = (IR / "attend.jaxpr").read_text()
STOP = "    h:f32[4,1] = stop_gradient g\n"


def changed(old: str, new: str) -> Difference:
    [before], [now] = ([p for p in read(text) if isinstance(p, Jaxpr)] for text in (old, new))
    return jaxprdiff.compare(before, now)


def renamed(text: str) -> str:
    """Every variable of attend.jaxpr called something else."""
    return re.sub(r"(?<![\w.\[])([a-m])(?=[:,;\s])", r"z\1", text)


@pytest.mark.parametrize("name", sorted(file.name for file in IR.glob("*.jaxpr")))
def test_a_program_is_no_different_from_itself(name: str) -> None:
    for program in read((IR / name).read_text()):
        if isinstance(program, Jaxpr):
            assert jaxprdiff.compare(program, program) == Difference()


def test_renamed_variables_are_no_difference() -> None:
    assert len(re.findall(r"\bz[a-m]\b", renamed(ATTEND))) == 28
    assert changed(ATTEND, renamed(ATTEND)) == Difference()


def test_where_lines_break_is_no_difference() -> None:
    joined = re.sub(r"\[\n +(.*)\n +(.*)\n +\]", r"[\1 \2]", ATTEND)
    assert joined != ATTEND
    assert changed(ATTEND, joined) == Difference()


def test_an_inserted_equation_is_one_of_structure() -> None:
    without = ATTEND.replace(STOP, "").replace("sub d h", "sub d g")
    expected = (
        "- i:f32[4,6] = sub d g",
        "+ h′:f32[4,1] = stop_gradient g",
        "+ i:f32[4,6] = sub d h′",
    )
    found = changed(without, ATTEND)
    assert (sorted(found.structure), *found[1:]) == (sorted(expected), (), ())
    assert len(changed(renamed(without), ATTEND).structure) == 3


@pytest.mark.parametrize(
    ("old", "new", "structure"),
    [
        ("sub d h", "sub h d", ("- i:f32[4,6] = sub d h", "+ i:f32[4,6] = sub h d")),
        ("= exp i", "= exp2 i", ("- j:f32[4,6] = exp i", "+ j:f32[4,6] = exp2 i")),
        ("max -inf:f32[] e", "max e e", ("- f:f32[4] = max -inf:f32[] e", "+ f:f32[4] = max e e")),
        ("k:f32[4] =", "k:f16[4] =", ("- k:f32[4] = reduce_sum j", "+ k:f16[4] = reduce_sum j")),
        ("in (m,)", "in (m, j)", ("- in m", "+ in m j")),
        ("b:f32[6,8]. let", "b:f32[6,8] n:f32[]. let", (
            "- lambda a:f32[4,8] b:f32[6,8]",
            "+ lambda a:f32[4,8] b:f32[6,8] n′:f32[]",
        )),
    ],
)  # fmt: skip
def test_primitives_wiring_and_avals_are_structure(
    old: str, new: str, structure: tuple[str, ...]
) -> None:
    assert ATTEND.count(old) == 1
    found = changed(ATTEND, ATTEND.replace(old, new))
    assert found == Difference(structure)


@pytest.mark.parametrize(
    ("old", "new", "parameters"),
    [
        ("permutation=(1, 0)", "permutation=2", "transpose: permutation was (1, 0), is 2"),
        ("axes=(1,) out_sharding=None", "axes=(1,)", None),
        ("permutation=(1, 0)", "", "transpose: permutation=(1, 0) is gone"),
        ("permutation=(1, 0)", "permutation=(1, 0) x=2", "transpose: x=2 is new"),
    ],
)  # fmt: skip
def test_a_changed_parameter_is_one_of_parameters(
    old: str, new: str, parameters: str | None
) -> None:
    found = changed(ATTEND, ATTEND.replace(old, new))
    both = tuple(f"{name}: out_sharding=None is gone" for name in ("reduce_max", "reduce_sum"))
    assert found == Difference(parameters=(parameters,) if parameters else both)


def test_the_same_change_is_told_once() -> None:
    new = ATTEND.replace("broadcast_dimensions=(0,)", "broadcast_dimensions=(0,) shape=(4, 1)")
    assert changed(ATTEND, new).parameters == ("broadcast_in_dim: shape=(4, 1) is new (2 times)",)


def test_of_a_long_parameter_the_part_that_changed_is_shown() -> None:
    old, new = (f"mode={'x' * 200}{end}{'y' * 200}" for end in "12")
    [line] = changed(
        ATTEND.replace("permutation=", f"{old} permutation="),
        ATTEND.replace("permutation=", f"{new} permutation="),
    ).parameters
    assert "1yyy" in line and "2yyy" in line
    assert len(line) < 200


def test_how_a_type_is_printed_is_text() -> None:
    found = changed(ATTEND, ATTEND.replace("e:f32[4]", "e:float32[4]"))
    assert found == Difference(text=("- e:f32[4] = reduce_max d", "+ e:float32[4] = reduce_max d"))


def test_where_an_equation_comes_from_is_text() -> None:
    source = (IR / "attend.source.jaxpr").read_text()
    found = changed(source, source.replace(":32:11", ":33:11", 1))
    assert (found.structure, found.parameters, len(found.text)) == ((), (), 2)


def test_what_is_nested_is_compared_where_it_is() -> None:
    loops = (IR / "loops.jaxpr").read_text()
    found = changed(loops, loops.replace("h:f32[] = tanh g", "h:f32[] = tan g"))
    assert found == Difference(("-   h:f32[] = tanh g", "+   h:f32[] = tan g"))
    found = changed(loops, loops.replace("add i e", "add e i"))
    assert found == Difference(("-   j:f32[] = add i e", "+   j:f32[] = add e i"))
    assert changed(loops, loops.replace("length=5", "length=6")) == Difference(
        parameters=("scan: length was 5, is 6",)
    )


def test_what_is_put_in_between_is_told_from_what_was_there() -> None:
    """Indexing an array: first one axis may be counted from its end, then two."""
    axis = (
        "    c:bool[] = lt b 0:i32[]\n    d:i32[] = add b 6:i32[]\n    e:i32[] = select_n c b d\n"
    )
    more = axis.replace(" b", " 0:i32[]").replace("6", "8")
    for letter, other in zip("cde", "fgh", strict=True):
        more = re.sub(rf"\b{letter}\b", other, more)
    frame = "{{ lambda ; a:f32[6,8] b:i32[]. let\n{}    z:f32[1,8] = slice a {}\n  in (z,) }}"
    found = changed(frame.format(axis, "e 0:i32[]"), frame.format(axis + more, "e h"))
    assert found.structure == (
        "+ f′:bool[] = lt 0:i32[] 0:i32[]",
        "+ g′:i32[] = add 0:i32[] 8:i32[]",
        "+ h′:i32[] = select_n f′ 0:i32[] g′",
        "- z:f32[1,8] = slice a e 0:i32[]",
        "+ z:f32[1,8] = slice a e h′",
    )


def test_equations_alone_are_compared_too() -> None:
    line = "a:f32[4] = add[x=1] b b\n"
    assert changed(line, "c:f32[4] = add[x=1] d d\n") == Difference()
    assert changed(line, "a:f32[4] = add[x=1] b c\n").structure != ()
    assert changed("a:f32[4] = add[x=1] b c\n", line).structure != ()
    assert changed(line, line.replace("1", "2")).parameters == ("add: x was 1, is 2",)


# Snippets, statements and pages


TOOLS = Toolchain("3.13.0", "0.12.0", "0.12.0", "2.5", "cpu")
TEXT = """\
# %% trace
print(1)
# %% fails raises=ValueError
raise ValueError
# %% facts
equations = 11
gone = True
stays = "x"
"""
PAGE = """\
# C

It has [eleven](fact:a.equations), [gone](fact:a.gone), [`x`](fact:a.stays) of
[eleven](fact:c/a.equations), and [ten](fact:b.n).

/// snippet | a#trace
///

/// snippet | c/a
///

/// snippet | a#fails
///
"""


@pytest.fixture
def project(site: Callable[[dict[str, str | bytes]], Path]) -> Project:
    return Project(site({"docs/l/c.md": PAGE, "docs/x.md": "Text.", "snippets/c/a.py": TEXT}))


def side(label: str, output: str = ATTEND, *, failure: str = "", **facts: object) -> Side:
    values = {"equations": 11, "gone": True, "stays": "x", **facts}
    stated = {name: Fact(value, 6) for name, value in values.items() if value is not None}  # type: ignore[arg-type]
    cells = (
        CellResult("trace", (Chunk("stdout", output),)),
        CellResult("fails", raised=Raised("ValueError", "why", ())),
        CellResult("facts", facts=stated),
    )
    snippet = parse("c/a", "snippets/c/a.py", TEXT)
    run = Run("c/a", cells[:1] if failure else cells, TOOLS)
    return Side(label, {"c/a": Ran(snippet, run, failure)})


def test_the_same_is_no_change(project: Project) -> None:
    report = diff.compare(project, side("old"), side("new", renamed(ATTEND)))
    assert (report.changes, report.statements) == ([], [])


def test_a_change_names_its_cell_and_the_blocks_that_show_it(project: Project) -> None:
    report = diff.compare(project, side("old", f"one\n{ATTEND}x"), side("new", f"two\n{ATTEND}x"))
    [change] = report.changes
    assert change.cells == {"trace": Difference(text=("- one", "+ two"))}
    assert [str(place) for place in change.places] == ["docs/l/c.md:6", "docs/l/c.md:9"]
    assert report.statements == []


def test_a_statement_is_named_with_what_both_say(project: Project) -> None:
    report = diff.compare(project, side("old"), side("new", equations=12, gone=False))
    [change] = report.changes
    assert change.facts == ("equations was 11, is 12", "gone was true, is false")
    assert change.places == ()
    assert [(str(s.place), s.text, s.old, s.new) for s in report.statements] == [
        ("docs/l/c.md:3:9", "eleven", "11", "12"),
        ("docs/l/c.md:3:37", "gone", "true", "false"),
        ("docs/l/c.md:4:2", "eleven", "11", "12"),
    ]


def test_a_fact_that_a_run_does_not_know_is_nothing(project: Project) -> None:
    report = diff.compare(project, side("old"), side("new", stays=None))
    assert [(s.text, s.old, s.new) for s in report.statements] == [("x", "x", "nothing")]


def test_a_statement_that_stays_true_is_not_named(project: Project) -> None:
    (project.docs / "l/c.md").write_text("About [0.5](fact:a.ratio), and [0.51](fact:a.ratio).")
    report = diff.compare(project, side("old", ratio=0.51), side("new", ratio=0.49))
    assert [(s.text, s.old, s.new) for s in report.statements] == [("0.51", "0.51", "0.49")]


def test_what_a_hidden_cell_prints_is_shown_nowhere(project: Project) -> None:
    old, new = side("old"), side("new")
    ran = new.ran["c/a"]
    *cells, stated = ran.run.cells
    said = msgspec.structs.replace(stated, output=(Chunk("stdout", "x\n"),))
    run = msgspec.structs.replace(ran.run, cells=(*cells, said))
    [change] = diff.compare(project, old, Side("new", {"c/a": ran._replace(run=run)})).changes
    assert (list(change.cells), change.places) == (["facts"], ())


def test_a_failure_is_a_change_and_what_never_ran_is_none(project: Project) -> None:
    report = diff.compare(project, side("old", failure="it broke"), side("new"))
    [change] = report.changes
    assert (change.failures, change.cells, change.facts) == (("it broke", ""), {}, ())
    assert len(change.places) == 3
    assert len(report.statements) == 4
    assert diff.compare(project, side("a", failure="x"), side("b", failure="x")).changes == []


def test_the_report_in_full(project: Project) -> None:
    old, new = side("JAX 1"), side("JAX 2", ATTEND.replace("sub d h", "sub h d"), equations=12)
    new.ran["c/b"] = new.ran["c/a"]
    text = diffreport.text(old, new, diff.compare(project, old, new))
    assert text.splitlines() == [
        "JAX 1: jax 0.12.0, jaxlib 0.12.0, numpy 2.5, Python 3.13.0, cpu",
        "JAX 2: jax 0.12.0, jaxlib 0.12.0, numpy 2.5, Python 3.13.0, cpu",
        "",
        "c/a: structure, facts",
        "  shown at docs/l/c.md:6, 9",
        "  trace: structure",
        "    - i:f32[4,6] = sub d h",
        "    + i:f32[4,6] = sub h d",
        "  facts",
        "    equations was 11, is 12",
        "",
        "Checked statements that are not true of both:",
        "docs/l/c.md:3:9: the text says 'eleven'",
        "    fact:a.equations is '11' with JAX 1, '12' with JAX 2",
        "docs/l/c.md:4:2: the text says 'eleven'",
        "    fact:c/a.equations is '11' with JAX 1, '12' with JAX 2",
        "",
        "Not compared, for they have not run with JAX 1: c/b",
        "",
        "1 of 1 snippets differ: 1 in structure, 1 in facts",
        "checked statements that are not true of both: 2",
        "pages touched: docs/l/c.md",
    ]


def test_much_is_cut_unless_all_is_wanted(project: Project) -> None:
    old, new = side("a", "x" * 500 + "\n" * 40), side("b", "\n".join(map(str, range(40))))
    report = diff.compare(project, old, new)
    cut, whole = (diffreport.text(old, new, report, whole=whole) for whole in (False, True))
    assert "more lines (--whole shows them)" in cut
    assert "x" * 500 not in cut and "x" * 500 in whole
    assert len(whole.splitlines()) > len(cut.splitlines())
