"""`traced lens`: a function of a reader's, as a file."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from traced.cli import main

MODEL = """\
import jax.numpy as jnp

SCALE = 3.0


def loss(w, x, *, scale=1.0):
    return jnp.tanh(x @ w).sum() * scale


def wrong(x):
    if x.sum() > 0:
        return x
    return -x
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def follow(*arguments: str):
    return CliRunner().invoke(main, ["lens", *arguments])


def test_a_function_of_a_file_becomes_one_file_that_needs_nothing_else(folder: Path) -> None:
    done = follow("model.py::loss", "--args", "jnp.ones(8), f32[4,8], scale=SCALE")
    assert done.exit_code == 0, done.output
    html = (folder / "loss.lens.html").read_text()
    assert "jnp.tanh(" in re.sub(r"<[^>]*>|[^ -~]", "", html)
    assert all(word in html for word in ("dot_general", "stablehlo.tanh", "HloModule"))
    assert not re.search(r"(src|href)=\"?(https?:)?//", html)


def test_a_function_of_a_module_can_be_lowered_for_another_platform(folder: Path) -> None:
    done = follow("jax.nn:relu", "--args", "f32[]", "--platform", "tpu", "--out", "relu.html")
    assert done.exit_code == 0, done.output
    html = (folder / "relu.html").read_text()
    assert "stablehlo.maximum" in html
    assert "HloModule" not in html


def test_what_the_function_raises_comes_back_as_its_own_traceback(folder: Path) -> None:
    done = follow("model.py::wrong", "--args", "f32[8]")
    assert done.exit_code == 1
    assert f'File "{folder}/model.py", line 11, in wrong' in done.output
    assert "TracerBoolConversionError" in done.output
    assert "traced/worker" not in done.output
    assert not list(folder.glob("*.html"))


@pytest.mark.parametrize(
    ("target", "cause"),
    [
        ("model.py::los", "has no attribute 'los'"),
        ("model.py", "neither FILE.py::FUNCTION nor MODULE:FUNCTION"),
        ("nowhere.py::f", "nowhere.py"),
        ("no_such_module:f", "No module named 'no_such_module'"),
    ],
)
def test_a_target_that_is_not_there_is_named(folder: Path, target: str, cause: str) -> None:
    done = follow(target, "--args", "1.0")
    assert done.exit_code == 1
    assert cause in done.output
