"""The pictures of link previews: size, weight, the same bytes each time, and the cache."""

import io
from pathlib import Path

import pytest
from PIL import Image

from traced import preview
from traced.preview import Card
from traced.project import Project

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
