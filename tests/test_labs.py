import json
import subprocess
import sys
from pathlib import Path

import nbformat

from traced import labs
from traced.project import Project

ROOT = Path(__file__).parents[1]

# For each exercise, what a reader may well try, and what must not pass for right.
WRONG_ANSWERS = [
    "check_1(9)",
    'check_2(["mul", "neg"])',
    "check_3(30.0)",
    "check_4(keep_positive_eager)",
    "check_4(lambda x: jnp.where(x > 0, x, 0))",
    'check_5(["per_item", "jitted"])',
    "check_5(list(transformed))",
    "check_6([1, 1, 1, 1])",
    "check_7(first_negative_eager)",
    "check_7(lambda x: jnp.argmax(x < 0))",
    "check_8(3)",
    "check_8(6)",
    "check_9(total_of_slowly)",
    "check_9(lambda add, batches: functools.reduce(add, batches, jnp.float32(0)))",
    "check_9(lambda add, batches: functools.reduce(jax.jit(add), batches, 0.0))",
    "check_9(lambda add, batches: jnp.float32(30))",
    "check_10(lambda x: x, solution_mean)",
    "check_10(lambda x: np.pad(x, ((0, 32 - len(x)), (0, 0))), solution_mean)",
    "check_10(solution_pad, lambda padded, length: padded.mean(axis=0))",
]
# Runs a lab, then each call; prints what the lab said, what checks it has, what calls passed.
TRY = """
import contextlib, io, json, runpy, sys
with contextlib.redirect_stdout(io.StringIO()) as said:
    lab = runpy.run_path(sys.argv[1])
    passed = []
    for call in sys.argv[2:]:
        try:
            eval(call, lab)
        except AssertionError:
            continue
        passed.append(call)
checks = [name for name in lab if name.startswith("check_")]
print(json.dumps([said.getvalue().splitlines(), checks, passed]))
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


def test_a_lab_takes_its_solutions_and_refuses_wrong_answers() -> None:
    lab = ROOT / "docs" / "labs" / "jax-path.py"
    command = [sys.executable, "-c", TRY, str(lab), *WRONG_ANSWERS]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    said, checks, passed = json.loads(ran.stdout)
    assert passed == []
    assert {call.partition("(")[0] for call in WRONG_ANSWERS} == set(checks)
    assert said.count("No answer yet.") == said.count("Right.") == len(checks)
