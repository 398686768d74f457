"""The theme's templates are compiled once, whatever becomes of the files that hold them."""

from collections.abc import Callable
from pathlib import Path

import jinja2
import pytest
from mkdocs.theme import Theme

from traced import templates
from traced.project import Project

Draw = Callable[[str], tuple[str, int]]


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """What a template of that source draws, as in a new build, and how many were compiled."""
    compiled: list[str] = []
    compile_ = jinja2.Environment.compile

    def counted(self: jinja2.Environment, source: str, *rest: str) -> object:
        compiled.append(source)
        return compile_(self, source, *rest)

    monkeypatch.setattr(jinja2.Environment, "compile", counted)

    def go(source: str) -> tuple[str, int]:
        (tmp_path / "page.html").write_text(source)
        theme = Theme(name=None, custom_dir=str(tmp_path))
        templates.keep(theme, Project(tmp_path))
        compiled.clear()
        return theme.get_env().get_template("page.html").render(n=2), len(compiled)

    return go


def kept(root: Path) -> list[Path]:
    return [path for path in (root / ".cache/traced/templates").rglob("*") if path.is_file()]


def test_a_template_is_compiled_again_only_when_it_changes(draw: Draw) -> None:
    assert draw("{{ n }} pages") == ("2 pages", 1)
    assert draw("{{ n }} pages") == ("2 pages", 0)
    assert draw("{{ n }} chapters") == ("2 chapters", 1)


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: whole[:-9],
        lambda whole: b"\0" + whole,
        lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
    ],
)
def test_a_damaged_template_is_compiled_again(
    draw: Draw, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    draw("{{ n }} pages")
    [file] = kept(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    assert draw("{{ n }} pages") == ("2 pages", 1)
    assert draw("{{ n }} pages") == ("2 pages", 0)


def test_where_nothing_can_be_written_it_is_compiled_each_time(draw: Draw, tmp_path: Path) -> None:
    (tmp_path / ".cache").write_text("a file where the folder should be")
    assert draw("{{ n }} pages") == ("2 pages", 1)
    assert draw("{{ n }} pages") == ("2 pages", 1)
