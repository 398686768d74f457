"""Every exercise of a lab can be answered wrongly: its check refuses, and says so."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

LABS = Path(__file__).parent.parent / "docs" / "labs"

# Wrong answers to each exercise, each in place of the `...` in `name = ...`.
WRONG = {
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

# Runs a lab cell by cell, as a notebook does, and then each cell that asks for an answer again,
# with each of the answers in its place. Prints what each run printed, or "refused".
DRIVER = """
import contextlib, io, json, re, sys

lab, answers = sys.argv[1], json.loads(sys.argv[2])
cells = re.split(r"^# %%.*$", open(lab).read(), flags=re.M)
names = {}
for cell in cells:
    exec(cell, names)
print("\\n===")
for name, texts in answers.items():
    (cell,) = [cell for cell in cells if f"\\n{name} = ...\\n" in cell]
    for text in ["...", *texts]:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(cell.replace(f"\\n{name} = ...\\n", f"\\n{name} = {text}\\n"), dict(names))
            print(json.dumps([name, text, printed.getvalue().splitlines()[-1]]))
        except AssertionError:
            print(json.dumps([name, text, "refused"]))
"""


@pytest.mark.parametrize("lab", WRONG)
def test_wrong_answers_are_refused_and_the_solutions_are_not(lab: str) -> None:
    command = [sys.executable, "-c", DRIVER, str(LABS / lab), json.dumps(WRONG[lab])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    once, _, again = done.stdout.partition("\n===\n")
    assert once.splitlines().count("Right.") >= len(WRONG[lab])
    said = {(name, text): last for name, text, last in map(json.loads, again.splitlines())}
    assert said == {
        (name, text): "No answer yet." if text == "..." else "refused"
        for name, texts in WRONG[lab].items()
        for text in ["...", *texts]
    }


@pytest.mark.parametrize("lab", WRONG)
def test_no_exercise_is_left_out_here(lab: str) -> None:
    text = (LABS / lab).read_text()
    assert re.findall(r"^(\w+) = \.\.\.$", text, re.M) == list(WRONG[lab])
    exercises = [str(number) for number in range(1, len(WRONG[lab]) + 1)]
    assert re.findall(r"^# ## (\d+)\. ", text, re.M) == exercises
    assert re.findall(r"^# \*\*(\d+)\.\*\* ", text, re.M) == exercises
