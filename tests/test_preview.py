"""The pictures of link previews: size, weight, the same bytes each time, and the cache."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from traced import markdowntext, outline, preview
from traced.build import Build
from traced.preview import Card
from traced.project import Project
from traced.runner import Runner

from .conftest import Site

CODE = "import jax\n\n\ndef f(x):\n    return x\n\n\nprint(f)\n"
CARD = Card("Site", "JAX path, chapter 1", "A title", ((CODE, "python"), ("1\n" * 50, "text")))


@pytest.mark.parametrize(
    "card",
    [
        CARD,
        Card("Site", "", "T"),
        Card("Site", "", "A title of very many words " * 8),
        Card("Site", "", "Unbroken" * 40),
        Card("Site", "", "", ((f"{'x' * 5_000}\n" * 500, "python"),)),
    ],
)
def test_a_card_has_its_size_and_little_weight(card: Card) -> None:
    png = preview.draw(card)
    image = Image.open(io.BytesIO(png))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    assert len(png) < 40_000
    assert len(set(image.convert("RGB").get_flattened_data())) > 20


def test_the_same_card_is_the_same_bytes_and_another_is_not() -> None:
    assert preview.draw(CARD) == preview.draw(CARD)
    others = [
        Card("Other", CARD.standing, CARD.title, CARD.texts),
        Card(CARD.site, "", CARD.title, CARD.texts),
        Card(CARD.site, CARD.standing, "B title", CARD.texts),
        Card(CARD.site, CARD.standing, CARD.title, CARD.texts[:1]),
    ]
    assert len({preview.draw(card) for card in [CARD, *others]}) == 5


def test_a_card_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path)
    drawn: list[Card] = []
    monkeypatch.setattr(preview, "draw", lambda card: drawn.append(card) or b"png")
    assert preview.picture(CARD, project) == preview.picture(CARD, project) == b"png"
    assert drawn == [CARD]
    other = Card("Site", "", "Another title")
    preview.picture(other, project)
    assert drawn == [CARD, other]
    for file in project.cache.rglob("previews/*"):
        file.write_bytes(file.read_bytes()[:-1])
    assert preview.picture(CARD, project) == b"png"
    assert drawn == [CARD, other, CARD]


def test_a_card_is_made_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / ".cache").write_text("no folder")
    assert preview.picture(CARD, Project(tmp_path)).startswith(b"\x89PNG")


def test_a_card_shows_a_program_and_what_it_printed(
    site: Site, runner_for: Callable[[Path], Runner]
) -> None:
    root = site(
        {
            "snippets/c/a.py": "# %% f\nx = 1\n\n\ndef f():\n    pass\n# %% short\nprint(1)\n"
            "# %% long\nprint('1\\n2\\n3')\n# %% wrong raises='KeyError'\n{}[1]\n",
            "snippets/c/b.py": "# %% x\nprint('4\\n5\\n6')\n",
        }
    )
    source = markdowntext.Source("l/c.md", Build(Project(root), runner_for(root)), str)

    def opening(*blocks: str) -> list[str]:
        page = "".join(f"/// {block}\n///\n" for block in blocks)
        return [box.text for box in markdowntext.opening(outline.read(page), source)]

    program = "x = 1\n\n\ndef f():\n    pass"
    shown = ("snippet | a#f", "snippet | a#wrong", "snippet | b", "snippet | gone")
    assert opening(*shown) == [program]
    assert opening(*shown, "snippet | a#short") == [program, "1"]
    assert opening(*shown, "snippet | a#short", "predict | a#long") == [program, "1\n2\n3"]
    assert opening("snippet | gone") == []


def test_a_card_shows_the_definition_and_all_of_what_is_last() -> None:
    text = "import a\nfrom b import c\n\nx = 1\n\n\n@c\ndef f():\n    pass\n\n\ny = 2\n"
    assert preview._lead(text, whole=False) == "@c\ndef f():\n    pass"
    assert preview._lead(text, whole=True) == text.partition("\n\n")[2]
    assert preview._lead("x = 1\n\ny = 2", whole=False) == "x = 1"


def test_no_line_of_a_title_is_much_shorter_than_the_others() -> None:
    assert preview._fitted("Shapes, retracing, the cache")[1] == ["Shapes, retracing,", "the cache"]
    assert preview._fitted("Tracing") == (80, ["Tracing"])
    assert preview._fitted("") == (80, [])
    lines = preview._fitted("word " * 40)[1]
    assert len(lines) == 3 and lines[-1].endswith("word …")
