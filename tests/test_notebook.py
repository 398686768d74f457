"""Chapters as notebooks: what they hold and in which order, and that they do what the page says."""

import json
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import nbformat
import pytest
from nbclient import NotebookClient

import traced
from traced import notebookfiles
from traced.build import Build
from traced.clean import Cleaner
from traced.diagnostics import report
from traced.project import Project, toolchain
from traced.runner import Runner

from .conftest import Site

ROOT = Path(__file__).parents[1]
CHAPTERS = sorted(file.name for file in (ROOT / "docs" / "l").glob("*.md"))
SITE = "https://example.org/"

#: Cells that print other things in a notebook, and why.
DIFFER = {
    ("stablehlo/locations", "located"): "JAX's locations go through the frames of the kernel, too",
    ("xla/after", "place"): "XLA's tables of positions hold the frames of the kernel, too",
}

COPY = "```python\nx = json\nprint(1)\n```\n\n```\n1\n```"

SNIPPET = '''\
"""Three cells."""

# %% define
def f(x):
    return x + 1

# %% quiet hide
y = f(1)
print("prepared")

# %% show
print("y is", y)
y

# %% facts
z = y

# %% fails raises="ValueError"
raise ValueError("no more", y)
'''


@pytest.fixture
def make(site: Site, runner_for: Callable[[Path], Runner]) -> Callable[..., dict[str, Any]]:
    """Makes the notebook of a chapter "a" from its text and its snippets' texts."""

    def make(text: str, faults: str = "", **snippets: str) -> dict[str, Any]:
        front = "---\ntitle: A\npath: jax\nnumber: 1\nenables: see\n---\n"
        body = textwrap.dedent(text)
        files: dict[str, str | bytes] = {"docs/l/a.md": f"{front}\n# A *page*\n\n{body}"}
        files |= {f"snippets/{name.replace('__', '/')}.py": t for name, t in snippets.items()}
        root = site(files)
        build = Build(Project(root), runner_for(root))
        write(build, {"l/a.md": root / "a.ipynb"})
        unshown = "no page shows this snippet"
        assert report(f for f in build.faults() if f.cause != unshown) == faults
        notebook = nbformat.read(root / "a.ipynb", as_version=4)
        nbformat.validate(notebook)
        return json.loads((root / "a.ipynb").read_text("utf-8"))

    return make


def write(build: Build, targets: dict[str, Path]) -> None:
    notebookfiles.write(build, targets, {"l/a.md": "l/a/", "l/b.md": "l/b/"}, SITE)


def shown(notebook: dict[str, Any]) -> list[str]:
    """The cells below the setup: the name of a snippet's cell, the source of others."""
    cells = [(c["metadata"].get("traced", {}), "".join(c["source"])) for c in notebook["cells"]]
    return [made_of.get("cell") or source for made_of, source in cells[3:]]


def cell(notebook: dict[str, Any], name: str) -> Any:
    found = [c for c in notebook["cells"] if c["metadata"].get("traced", {}).get("cell") == name]
    assert len(found) == 1
    return SimpleNamespace(**{**found[0], "source": "".join(found[0]["source"])})


def test_it_begins_with_the_version_and_what_ran(make) -> None:
    cells = make("Text.\n\n/// snippet | x#show\n///\n", a__x=SNIPPET)["cells"]
    title, setup, programs, first = ("".join(cell["source"]) for cell in cells[:4])
    assert title.startswith("# A page\n")
    assert f"[A page]({SITE}l/a/)" in title
    assert f'MADE_WITH = "{toolchain().jax}"\n' in setup
    assert 'os.environ["JAX_PLATFORMS"] = "cpu"\n' in setup
    assert "def begin(program):\n" in programs
    assert first == "Text."


def test_cells_that_precede_come_first_and_cells_of_facts_never(make) -> None:
    notebook = make("/// snippet | x#fails\n///\n", a__x=SNIPPET)
    assert shown(notebook) == ["define", "quiet", "show", "fails"]


def test_a_cell_shown_later_waits_where_its_place_makes_no_difference(make) -> None:
    text = "/// snippet | x#b\n///\n\nB\n\n/// snippet | x#a\n///\n"
    begin = "# %% i\nimport json\n# %% a\n"
    alone = f"{begin}x = json\nprint(1)\n# %% b\nx = json\nprint(x.__name__)\n"
    assert shown(make(text, a__x=alone)) == ["i", "b", "B", "a"]
    changed = "# %% i\nimport json\n# %% a\nx = 1\n# %% b\nx += 1\nprint(x)\n"
    assert shown(make(text, a__x=changed))[:3] == ["i", "a", "b"]
    needed = f"{begin}x = json\nprint(1)\n# %% b\nprint(x.__name__)\n"
    assert shown(make(text, a__x=needed)) == ["i", "a", "b", "B\n\n" + COPY]
    shared = "# %% i\nx = []\n# %% a\nprint(len(x) + 1)\n# %% b\nx.append(1)\n"
    assert shown(make(text, a__x=shared))[:3] == ["i", "a", "b"]


def test_an_answer_that_comes_early_is_hidden_there_too(make) -> None:
    text = "/// snippet | x#b\n///\n\n/// predict | x#a\nHow many?\n///\n"
    source = "# %% a\nx = 1\nprint(1)\n# %% b\nprint(x)\n"
    notebook = make(text, a__x=source)
    question = "How many?\n\n<details><summary>Output</summary>\n\n```\n1\n```\n\n</details>"
    assert shown(notebook) == ["a", "b", question]
    assert "jupyter" in cell(notebook, "a").metadata


def test_output_shown_later_brings_its_cell_later(make) -> None:
    text = """\
    /// snippet | x#show
        show: source
    ///

    Before.

    /// predict | x#show
        choices: [1, "*two*"]
        fact: x.z

    How many?

    ---

    [2](fact:x.z).
    ///
    """
    notebook = make(text.replace("[1", "[2"), a__x=SNIPPET)
    listing, *others = shown(notebook)
    assert listing == (
        '```python\nprint("y is", y)\ny\n```\n\nBefore.\n\nHow many?\n\n'
        "Your guess:\n\n- 2\n- \\*two\\*"
    )
    answer = "<details><summary>Answer</summary>\n\n2.\n\n</details>"
    assert others == ["define", "quiet", "show", answer]
    assert cell(notebook, "show").metadata["jupyter"] == {"outputs_hidden": True}
    assert "jupyter" not in cell(notebook, "quiet").metadata


def test_a_cell_shown_again_is_text(make) -> None:
    text = "/// snippet | x#show\n///\n\nB\n\n/// snippet | x#show\n    show: output\n///\n"
    assert shown(make(text, a__x=SNIPPET))[3:] == ["B\n\n```\ny is 2\n```"]


def test_a_last_expression_shows_no_more_than_on_the_page(make) -> None:
    source = "# %% a\nx = 'ä'\nf = print\n# %% b\nx; x  # twice\n# %% c\nprint(x)\n"
    notebook = make("/// snippet | x\n    show: source\n///\n", a__x=source)
    assert cell(notebook, "b").source == "x; x;  # twice"
    assert cell(notebook, "c").source == "print(x)"


def test_output_is_that_of_the_run(make) -> None:
    source = """\
    # %% a
    import sys
    print("out")
    print("err", file=sys.stderr)
    print("<b>")
    """
    notebook = make("/// snippet | x\n///\n", a__x=textwrap.dedent(source))
    assert cell(notebook, "a").outputs == [
        {"name": "stdout", "output_type": "stream", "text": ["out\n"]},
        {"name": "stderr", "output_type": "stream", "text": ["err\n"]},
        {"name": "stdout", "output_type": "stream", "text": ["<b>\n"]},
    ]


def test_what_a_cell_raises_is_an_error_of_the_notebook(make) -> None:
    fails = cell(make("/// snippet | x#fails\n///\n", a__x=SNIPPET), "fails")
    assert fails.metadata["tags"] == ["raises-exception"]
    (error,) = fails.outputs
    assert (error["ename"], error["evalue"]) == ("ValueError", "('no more', 2)")
    assert error["traceback"] == [
        "Traceback (most recent call last):",
        '  File "snippets/a/x.py", line 19, in <module>',
        '    raise ValueError("no more", y)',
        "ValueError: ('no more', 2)",
    ]


def test_programs_begin_and_are_resumed(make) -> None:
    blocks = ("x#define", "y#a", "b/z#a", "x#show")
    text = "".join(f"/// snippet | {block}\n    show: source\n///\n\n" for block in blocks)
    other = "# %% a\nx = 1\n"
    notebook = make(text, a__x=SNIPPET, a__y=other, b__z=other)
    heads = [c["source"][0] for c in notebook["cells"] if "cell" in c["metadata"].get("traced", {})]
    calls = [head.strip() for head in heads if re.match("begin|resume", head)]
    assert calls == ['begin("x")', 'begin("y")', 'begin("b/z")', 'resume("x")']


def test_helpers_are_written_before_they_are_needed_and_once(make) -> None:
    source = "# %% a\nimport one\n# %% b\nfrom one import x\nimport json\nprint(x)\n"
    text = "First.\n\n/// snippet | x\n///\n\n/// snippet | y\n///\n"
    notebook = make(text, a__x=source, a__y=source, one="from two import x\n", two="x = 1\n")
    helpers = [
        "".join(c["source"])
        for c in notebook["cells"][4:6]
        if c["metadata"]["traced"] == {"part": "helper"}
    ]
    assert helpers == ["%%writefile two.py\nx = 1", "%%writefile one.py\nfrom two import x"]
    assert sum(c["metadata"].get("traced") == {"part": "helper"} for c in notebook["cells"]) == 2


def test_what_programs_ran_with_is_set_up_and_differences_are_said(make) -> None:
    plain = "# %% a\nx = 1\n"
    many = '# traced: devices=2 env="A=1"\n# %% b\nx = 1\n'
    notebook = make("/// snippet | x\n///\n\n/// snippet | y\n///\n", a__x=plain, a__y=many)
    setup = "".join(notebook["cells"][1]["source"])
    assert 'os.environ["A"] = "1"\n' in setup
    assert 'os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"\n' in setup
    assert setup.index("XLA_FLAGS") < setup.index("import jax\n")
    assert cell(notebook, "a").source.startswith(
        "# On the page this ran with no A and 1 device, and may print something else here.\n"
    )
    assert cell(notebook, "b").source.startswith("begin(")


def test_a_lens_is_a_link_to_the_page(make) -> None:
    source = '# %% f lens="f(1.0)" layers="jaxpr stablehlo"\ndef f(x):\n    return x\n'
    code, text = shown(make("/// lens | x\n///\n\n/// lens | x\n///\n", a__x=source))
    assert code == "f"
    first, second = text.split("\n\n")
    assert first.startswith("Follow `f(1.0)` through jaxpr and StableHLO, ")
    assert f"({SITE}l/a/#lens-f)" in first
    assert f"({SITE}l/a/#lens-f-2)" in second


def test_marks_details_and_links(make) -> None:
    text = """\
    ## See [B](b.md)

    /// snippet | x#show
        mark: ["y is", "`"]
    ///

    /// details | More
    Read [B](b.md).
    ///
    """
    source = '# %% show\nprint("y is `1`")\n'
    heading, code, rest = shown(make(text, a__x=source))
    assert (heading, code) == ("## See B", "show")
    assert rest == (
        "*The page marks the lines with `y is` or `` ` ``.*\n\n"
        f"<details><summary>More</summary>\n\nRead [B]({SITE}l/b/).\n\n</details>"
    )


def test_the_title_of_a_fold_is_what_a_reader_reads(make) -> None:
    title = "`a<b>` of [one](fact:x.z) [*page*](b.md)"
    text = f"/// details | {title}\nText.\n///\n\n//// details | {title}\n/// snippet | x#show\n"
    notebook = make(f"{text}///\n////\n", a__x=SNIPPET)
    alone, _, around = shown(notebook)[0].partition("\n\nText.")
    assert alone == "<details><summary>a&lt;b&gt; of one page</summary>"
    assert around.endswith(f"\n\n**`a<b>` of one [*page*]({SITE}l/b/)**")


def test_what_cannot_run_in_a_notebook_is_reported(make) -> None:
    source = (
        "# %% a\nprint(__name__)\n# %% facts\nimport re\nn = 1\n# %% b\nprint(re.I, __file__[:0])\n"
    )
    faults = """\
snippets/a/x.py:7: the cell 'b' needs 're' from a cell of facts
    also docs/l/a.md:10
    Notebooks leave those out: import or define it in this cell.
snippets/a/x.py:7: the cell 'b' reads __file__, which no notebook has
    also docs/l/a.md:10
    Say in another way what it is to read.
2 problems"""
    make("/// snippet | x\n///\n", faults, a__x=source)


def test_names_are_found_where_statements_share_a_line(make) -> None:
    source = (
        '# %% facts\nn = 1\n# %% a\ns = """\nx"""; t = 1\n# %% b\nu = 1; \\\nv = t\n'
        '# %% c raises="SyntaxError"\nnonlocal n\n# %% d\nprint(n, v)\n'
    )
    faults = """\
snippets/a/x.py:12: the cell 'd' needs 'n' from a cell of facts
    also docs/l/a.md:10
    Notebooks leave those out: import or define it in this cell.
1 problem"""
    made = make("/// snippet | x\n///\n", faults, a__x=source)
    assert shown(made) == ["a", "b", "c", "d"]


def test_faulty_blocks_are_left_to_the_page(make) -> None:
    text = "/// snippet | none\n///\n\n/// snippet | y#none\n///\n\n/// lens | y\n///\n\nA\n"
    assert shown(make(text, a__y="# %% a\nx = 1\n")) == ["A"]


def test_the_same_chapter_is_the_same_notebook(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    root = site({"docs/l/a.md": "# A\n\n/// snippet | x\n///\n", "snippets/a/x.py": SNIPPET})
    for name in ("one", "two"):
        write(Build(Project(root), runner_for(root)), {"l/a.md": root / name})
    assert (root / "one").read_bytes() == (root / "two").read_bytes()


@pytest.mark.parametrize(
    ("page", "repository", "links"),
    [
        ("l/a.md", "", ["a.ipynb", "a.md"]),
        ("l/a.md", "me/it", ["a.ipynb", "l/a/a.ipynb", "a.md"]),
        ("labs/a.py", "me/it", ["a.ipynb", "labs/a/a.ipynb", "a.py"]),
        ("index.md", "me/it", []),
    ],
)
def test_pages_link_to_their_notebook(page: str, repository: str, links: list[str]) -> None:
    theme = jinja2.FileSystemLoader(Path(traced.__file__).parent / "theme")
    template = jinja2.Environment(loader=theme).get_template("partials/take-along.html")
    file = SimpleNamespace(src_uri=page, name="a")
    html = template.render(
        page=SimpleNamespace(file=file, nb_url="x" if page.startswith("labs/") else None),
        beside=SimpleNamespace(text="a.md", is_chapter=page.startswith("l/")),
        config=SimpleNamespace(extra=SimpleNamespace(repository=repository)),
    )
    colab = "https://colab.research.google.com/github/me/it/blob/notebooks/"
    assert [url.replace(colab, "") for url in re.findall('href="(.*?)"', html)] == links
    assert html.count(colab) == bool(repository and links)


def test_programs_in_one_kernel_do_what_they_did_alone(
    make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = """\
    import jax
    traces = []
    @jax.jit
    def f(x):
        traces.append(x)
        return x
    """
    first = """\
    # %% a
    import jax
    from lib import f
    f(1.0)
    name = "first"
    jax.config.update("jax_enable_x64", True)
    # %% b
    import jax.numpy as jnp
    print(name, jnp.ones(1).dtype)
    """
    second = """\
    # %% a
    import jax
    import jax.numpy as jnp
    from lib import f, traces
    name = "second"
    before = len(traces)
    f(1.0)
    print(name, jnp.ones(1).dtype, len(traces) - before)
    """
    text = "/// snippet | x#a\n///\n\n/// snippet | y\n///\n\n/// snippet | x#b\n///\n"
    helper, first, second = map(textwrap.dedent, (helper, first, second))
    made = make(text, a__x=first, a__y=second, lib=helper)
    printed = ["", "second float32 1\n", "first float64\n"]
    for notebook in made, run(made, tmp_path, monkeypatch):
        cells = [c for c in notebook["cells"] if "cell" in c["metadata"].get("traced", {})]
        texts = ["".join(line for o in c["outputs"] for line in o["text"]) for c in cells]
        assert texts == printed


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_does_in_a_kernel_what_its_page_says(
    chapter: str,
    tmp_path: Path,
    runner_for: Callable[[Path], Runner],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build = Build(Project(ROOT), runner_for(ROOT))
    write(build, {f"l/{chapter}": tmp_path / "made.ipynb"})
    made = nbformat.read(tmp_path / "made.ipynb", as_version=4)
    nbformat.validate(made)
    ran = run(made, tmp_path, monkeypatch)
    clean = Cleaner(ROOT, tmp_path)
    for cell, again in zip(made.cells, ran.cells, strict=True):
        source = cell.metadata.get("traced", {})
        key = source.get("snippet"), source.get("cell")
        if key not in DIFFER and source.get("part") != "helper":
            assert outputs(again, clean) == outputs(cell, clean), key


def run(notebook: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a kernel makes of a notebook that has nothing of this repository to import."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    (folder / "cwd").mkdir()
    ours = [str(Path(traced.__file__).parents[1]), str(ROOT / "snippets"), str(ROOT / "scripts")]
    source = f"import sys\nsys.path[:] = [p for p in sys.path if p not in {ours}]\n"
    ran = nbformat.reads(json.dumps(notebook), as_version=4)
    ran.cells.insert(0, nbformat.v4.new_code_cell(source))
    resources = {"metadata": {"path": str(folder / "cwd")}}
    NotebookClient(ran, timeout=120, kernel_name="python3", resources=resources).execute()
    del ran.cells[0]
    return ran


def outputs(cell: Any, clean: Cleaner) -> list[tuple[str, str]]:
    """What a cell printed and raised, without what differs from one place to another."""
    found: list[tuple[str, str]] = []
    for output in cell.get("outputs", []):
        kind = output.get("name") or output.get("ename") or output.output_type
        text = output.get("text") or output.get("evalue") or str(output.get("data", ""))
        if found and found[-1][0] == kind:
            text = found.pop()[1] + text
        found.append((kind, text))
    return [(kind, without_places(clean(text)).strip()) for kind, text in found]


def without_places(text: str) -> str:
    """A kernel names a file of its own for each cell, and has frames of its own below it."""
    return re.sub(r"[^\s\"'(]*\.py(?::\d+)*|stack_frame_id=\d+", "<place>", text)
