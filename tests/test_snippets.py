"""The percent format: what is read out of a snippet file, and what is refused."""

import pytest

from traced import snippets
from traced.snippets import SnippetError, parse

from .conftest import Site

ATTEND = '''\
"""One attention score matrix, traced."""
# traced: devices=8 timeout=2.5 env="XLA_FLAGS=--a=1 NAME='two words'"

# %% attend
import jax

# %% trace raises="TypeError" hide
raise TypeError

'''


def read(text: str) -> snippets.Snippet:
    return parse("c/a", "snippets/c/a.py", text)


def faults(text: str) -> list[tuple[int, str]]:
    """(line, cause) of each fault found in the text of a snippet."""
    with pytest.raises(SnippetError) as caught:
        read(text)
    return [(d.places[0].line, d.cause) for d in caught.value.diagnostics]


def test_options_of_the_file_and_of_cells() -> None:
    snippet = read(ATTEND)
    assert (snippet.options.devices, snippet.options.timeout) == (8, 2.5)
    assert snippet.options.variables == {"XLA_FLAGS": "--a=1", "NAME": "two words"}
    attend, trace = snippet.cells
    assert (attend.options.raises, attend.options.hide) == ("", False)
    assert (trace.options.raises, trace.options.hide) == ("TypeError", True)


def test_a_cell_is_the_lines_between_two_headers() -> None:
    attend, trace = read(ATTEND).cells
    assert (attend.name, attend.source, attend.line) == ("attend", "import jax\n\n", 5)
    assert (trace.name, trace.source, trace.line) == ("trace", "raise TypeError\n\n", 8)


def test_a_cell_is_found_by_its_name() -> None:
    snippet = read(ATTEND)
    found = snippet.cell("trace")
    assert found and found.line == 8
    assert snippet.cell("nowhere") is None


@pytest.mark.parametrize("strange", ["\x85", "\u2028", "\u2029"])
def test_only_python_s_own_line_ends_count_as_lines(strange: str) -> None:
    text = f"# %% a\nx = 1\n#{strange}\ny = 2\n# %% b\nz = 3\n"
    assert read(text).cells[1].line == 6


@pytest.mark.parametrize("encoding, newline", [("utf-8-sig", "\n"), ("utf-8", "\r\n")])
def test_a_file_from_windows_is_the_same_snippet(site: Site, encoding: str, newline: str) -> None:
    root = site({"snippets/c/a.py": ATTEND.replace("\n", newline).encode(encoding)})
    assert snippets.load(root, "c/a") == read(ATTEND)


def test_only_files_that_are_programs_of_a_chapter_are_snippets(site: Site) -> None:
    root = site(
        {
            "snippets/b/two.py": "",
            "snippets/a/one.py": "",
            "snippets/helper.py": "",
            "snippets/a/_helper.py": "",
            "snippets/a/notes.md": "",
            "snippets/a/deeper/three.py": "",
            "snippets/__pycache__/helper.py": "",
        }
    )
    (root / "snippets/a/.#one.py").symlink_to("somebody@here.1")  # an editor's lock
    assert list(snippets.find(root)) == [
        ("a/one", "snippets/a/one.py"),
        ("b/two", "snippets/b/two.py"),
    ]


NAME = "a cell header has one name, of lower-case letters, digits, - and _"


@pytest.mark.parametrize(
    "text, line, cause",
    [
        ("", 1, "the snippet has no cells"),
        ("print(1)\n", 1, "the snippet has no cells"),
        ("# %% a\nx = (\n", 2, "SyntaxError: '(' was never closed"),
        ("# %% a\nif 1:\npass\n", 3, "IndentationError: expected an indented block"),
        ("# %% a\nx = '\0'\n", 2, "the control character U+0000 is in the text"),
        ("# %% a\n# \x02wzxhzdk:0\x03\n", 2, "the control character U+0002 is in the text"),
        ("# %% a\n" + "-" * 100_000 + "1\n", 1, "SyntaxError: "),
        ("# %% a\n" + "x." * 100_000 + "x\n", 1, "SyntaxError: "),
        ("# %%\nx = 1\n", 1, NAME),
        ("# %% a b\nx = 1\n", 1, NAME),
        ("# %% Attend\nx = 1\n", 1, NAME),
        ("# %% a\n# %% a\n", 2, "a second cell is named 'a'"),
        ("# %% a colour=red\n", 1, "unknown option 'colour'"),
        ("# %% a raises\n", 1, NAME),
        (
            "# %% a hide=perhaps\n",
            1,
            "Expected `bool`, got `str` - at `$.hide` in `a hide=perhaps`",
        ),
        ('# %% a raises="Type\n', 1, 'No closing quotation: a raises="Type'),
        ("# traced: colour=red\n# %% a\n", 1, "unknown option 'colour'"),
        ("# traced: devices\n# %% a\n", 1, "'devices' is no option"),
        ("# traced: devices 8\n# %% a\n", 1, "'devices 8' is no option"),
        ("# traced: devices=two\n# %% a\n", 1, "Expected `int`, got `str` - at `$.devices`"),
        ("# traced: devices=0\n# %% a\n", 1, "Expected `int` >= 1 - at `$.devices`"),
        ("# traced: timeout=0\n# %% a\n", 1, "Expected `float` > 0.0 - at `$.timeout`"),
        ("# traced: timeout=nan\n# %% a\n", 1, "Expected `float` > 0.0 - at `$.timeout`"),
        ("# traced: timeout=inf\n# %% a\n", 1, "Expected `float` <= 3600.0 - at `$.timeout`"),
        ("\n# traced: env=FLAGS\n# %% a\n", 2, "env is not NAME=value"),
        ('# traced: env="=1"\n# %% a\n', 1, "env is not NAME=value"),
        ('# traced: env="A=\'"\n# %% a\n', 1, "env is not NAME=value"),
        ("# traced: timeout=1\n# traced: devices=2\n# %% a\n", 2, "a second line of options"),
        ("# %% a\n# traced: timeout=1\n", 2, "options stand above the first cell"),
        ('"""Doc."""\nimport jax\n# %% a\n', 2, "code above the first cell is never run"),
    ],
)
def test_each_fault_has_its_line_and_cause(text: str, line: int, cause: str) -> None:
    [(found_line, found_cause)] = faults(text)
    assert found_line == line
    assert found_cause.startswith(cause)


def test_all_faults_of_a_file_are_found_at_once() -> None:
    text = "# traced: devices=0\n# %% A\n# %% b colour=red\n# %% b\nx = (\n"
    assert [line for line, _ in sorted(faults(text))] == [1, 2, 3, 4, 5]


def test_bytes_that_are_not_utf_8_are_a_fault_of_their_line(site: Site) -> None:
    root = site({"snippets/c/a.py": b"# %% a\n\n# caf\xe9\n"})
    with pytest.raises(SnippetError) as caught:
        snippets.load(root, "c/a")
    assert str(caught.value) == "snippets/c/a.py:3: the file is not UTF-8"


def test_a_snippet_that_is_gone_is_not_found(site: Site) -> None:
    with pytest.raises(FileNotFoundError):
        snippets.load(site({}), "c/a")


def test_the_facts_of_a_cell_are_the_public_names_it_assigns() -> None:
    text = """# %% facts
import jax
_way = [1]
count, (first, _rest) = 2, (3, 4)
_way[count] += 1
_way.attribute = 1
total: int = 5
total += (inner := 6)
for _each in _way:
    last = _each


def helper(x):
    y = x
"""
    cell = parse("c/a", "snippets/c/a.py", text).cells[0]
    assert cell.facts == {"count": 4, "first": 4, "total": 7, "inner": 8, "last": 10}
    assert cell.options.hide


def test_a_file_may_have_several_cells_of_facts_but_each_fact_once() -> None:
    text = "# %% facts\na = 1\n# %% b\n# %% facts\nb = 2\n"
    assert [c.name for c in parse("c/a", "a.py", text).cells] == ["facts", "b", "facts-2"]
    with pytest.raises(SnippetError, match="a second fact is named 'a'"):
        parse("c/a", "a.py", "# %% facts\na = 1\n# %% facts\na = 2\n")
