"""Labs as pages and notebooks, and what their checks say to right and to wrong answers."""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from traced import labs
from traced.project import Project

LABS = Path(__file__).parents[1] / "docs" / "labs"

# What a reader may well try in place of `...`, and what must not pass for right.
WRONG = {
    "jax-path.py": {
        "answer_1": ["9", "11"],
        "answer_2": ['["mul", "neg"]', '["mul", "mul"]'],
        "answer_3": ["30.0"],
        "keep_positive": [
            "keep_positive_eager",
            "lambda x: jnp.where(x > 0, x, 0)",
            "lambda x: x * (x.sum() > 0)",
        ],
        "answer_5": ['["per_item", "jitted"]', "transformed"],
        "answer_6": ["[1, 1, 1, 1]", "[3, 1, 1, 1]"],
        "first_negative": ["first_negative_eager", "lambda x: jnp.argmax(x < 0)"],
        "answer_8": ["3", "6"],
        "total_of": [
            "total_of_slowly",
            "lambda add, batches: functools.reduce(add, batches, jnp.float32(0))",
            "lambda add, batches: functools.reduce(jax.jit(add), batches, 0.0)",
            "lambda add, batches: functools.reduce(jax.jit(add), batches, jnp.array(0.0))",
            "lambda add, batches: jnp.float32(30)",
        ],
        "pad, mean_of_first": [
            "lambda x: x, solution_mean",
            "lambda x: np.pad(x, ((0, 32 - len(x)), (0, 0))), solution_mean",
            "solution_pad, lambda padded, length: padded.mean(axis=0)",
        ],
    },
    "kernel-path.py": {
        "answer_1": ["['jaxpr']", "['jaxpr', 'StableHLO', 'HLO', 'optimized HLO']"],
        "answer_2": ["(1, 1)", "(3, 1)"],
        "depth": ["lambda jaxpr: 2", "lambda jaxpr: len(jaxpr.eqns)"],
        "answer_4": ["(1, 2)", "2"],
        "answer_5": ["[]", "['sin', 'reduce_sum', 'mul']"],
        "differs": ["lambda f, *args: True", "lambda f, *args: f is jnp.linalg.cholesky"],
        "answer_7": ["['exponential']", "['constant', 'broadcast', 'select']"],
        "one_loop": ["jax.nn.softmax", "jnp.exp", "lambda x: 2 * x + 1"],
        "answer_9": ["'algsimp'", "'transpose-foldin'", "'transpose-folding,algsimp'", "''"],
        "answer_10": ["1", "9"],
    },
}
# Runs a lab cell by cell, as a notebook does, and then the check of each exercise, which is the
# last line of its cell, with each of the answers. Prints what was said, and what was not refused.
TRY = """
import contextlib, io, json, re, sys

cells = re.split(r"^# %%.*$", open(sys.argv[1]).read(), flags=re.M)
names, taken = {}, []
with contextlib.redirect_stdout(io.StringIO()) as said:
    for cell in cells:
        exec(cell, names)
    for cell in cells:
        asked = ", ".join(re.findall(r"^(\\w+) = \\.\\.\\.$", cell, re.M))
        for answer in json.loads(sys.argv[2]).get(asked, []):
            answered = dict(names)
            exec(f"{asked} = {answer}", answered)
            try:
                exec(cell.rstrip().splitlines()[-1], answered)
                taken.append(f"{asked} = {answer}")
            except AssertionError:
                said.write("Refused.\\n")
print(json.dumps([said.getvalue().splitlines(), taken]))
"""

AREA = """<div class="jp-OutputArea-child">
<div class="jp-RenderedText {}" tabindex="0">
<pre>{}</pre>
</div>
</div>
"""
STDOUT = 'jp-OutputArea-output" data-mime-type="text/plain'


def test_what_a_kernel_sent_in_pieces_is_one_text() -> None:
    pieces = AREA.format(STDOUT, "one\n") + AREA.format(STDOUT, "two\n")
    whole = AREA.format(STDOUT, "one\ntwo\n")
    assert labs.tidy(pieces) == labs.tidy(whole)


def test_standard_error_stays_apart() -> None:
    stderr = STDOUT.replace("text/plain", "application/vnd.jupyter.stderr")
    html = AREA.format(STDOUT, "one\n") + AREA.format(stderr, "two\n")
    assert labs.tidy(html).count("<pre") == 2


def test_random_ids_go_and_listings_are_not_searched() -> None:
    html = '<div class="jp-Cell" id="cell-id=1f2e3d"><pre>x</pre></div>'
    assert labs.tidy(html) == '<div class="jp-Cell"><pre data-search-exclude>x</pre></div>'
    copied = '<div class="clipboard-copy-txt" id="cell-1">x</div>'
    assert labs.tidy(copied) == copied.replace(" id", " data-search-exclude id")


def test_an_unreadable_cache_entry_goes_and_the_others_stay(tmp_path: Path) -> None:
    settings = {"cache_dir": ""}
    project = Project(tmp_path)
    labs.keep_cache(project, settings)
    cache = Path(settings["cache_dir"])
    cache.mkdir(parents=True)
    (cache / "good.json").write_text("{}")
    (cache / "cut.json").write_text('{"content": "half of')
    labs.keep_cache(project, settings)
    assert [file.name for file in cache.iterdir()] == ["good.json"]


def test_the_same_lab_is_the_same_notebook(tmp_path: Path) -> None:
    source = tmp_path / "lab.py"
    source.write_text("# %% [markdown]\n# # Lab\n\n# %%\n1 + 1\n")
    for name in ("a.ipynb", "b.ipynb"):
        labs.write_notebook(source, tmp_path / name)
    assert (tmp_path / "a.ipynb").read_bytes() == (tmp_path / "b.ipynb").read_bytes()
    cells = nbformat.read(tmp_path / "a.ipynb", as_version=4).cells
    assert [cell.cell_type for cell in cells] == ["markdown", "code"]


@pytest.mark.parametrize("lab", WRONG)
def test_a_lab_takes_its_solutions_and_refuses_wrong_answers(lab: str) -> None:
    command = [sys.executable, "-c", TRY, str(LABS / lab), json.dumps(WRONG[lab])]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    said, taken = json.loads(ran.stdout)
    assert taken == []
    assert said.count("Refused.") == sum(map(len, WRONG[lab].values()))
    assert said.count("No answer yet.") == len(WRONG[lab])
    assert said.count("Right.") >= len(WRONG[lab])


@pytest.mark.parametrize("lab", WRONG)
def test_no_exercise_is_without_a_wrong_answer_and_a_solution(lab: str) -> None:
    text = (LABS / lab).read_text()
    asked = re.findall(r"^(\w+) = \.\.\.$", text, re.M)
    assert ", ".join(asked) == ", ".join(WRONG[lab])
    exercises = [str(number) for number in range(1, len(WRONG[lab]) + 1)]
    assert re.findall(r"^# ## (\d+)\. ", text, re.M) == exercises
    assert re.findall(r"^# \*\*(\d+)\.\*\* ", text, re.M) == exercises
