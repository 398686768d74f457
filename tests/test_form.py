"""The form that every chapter has: how long it is, what it shows, asks and checks, and its end."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from traced import coverage, links, outline, statements
from traced.outline import Block, Heading, Part, Text

CHAPTERS = {file.stem: file.read_text() for file in sorted(Path("docs/l").glob("*.md"))}
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()]*\)")
_TABLE = re.compile(r"^\|.*$", re.MULTILINE)


@pytest.fixture(params=CHAPTERS)
def chapter(request: pytest.FixtureRequest) -> tuple[Part, ...]:
    return outline.read(CHAPTERS[request.param])


def texts(parts: tuple[Part, ...]) -> Iterator[str]:
    """The Markdown of a chapter, that in its blocks too."""
    for part in parts:
        if isinstance(part, Text):
            yield part.source
        elif isinstance(part, Block):
            yield from texts(part.parts)


def words(parts: tuple[Part, ...]) -> int:
    """How many words of prose there are: tables and what marks up the rest left out."""
    prose = _TABLE.sub("", coverage.MARK.sub("", "\n\n".join(texts(parts))))
    return len(statements.plain(_LINK.sub(r"\1", prose)).split())


def sections(parts: tuple[Part, ...]) -> dict[str, list[Part]]:
    """The parts of a chapter by the headings that they stand under."""
    found: dict[str, list[Part]] = {"": []}
    for part in parts:
        if isinstance(part, Heading):
            found[part.title] = []
        else:
            found[list(found)[-1]].append(part)
    return found


def test_words_are_counted_without_markup_and_tables() -> None:
    table = "| a | b |\n|---|---|\n"
    page = f"# T\n\nOne [two `three`](fact:a.b).\n\n{table}\n/// predict | x\n\nFour?\n///\n"
    assert words(outline.read(page)) == 4


def test_it_is_as_long_as_one_reads_at_a_sitting(chapter: tuple[Part, ...]) -> None:
    assert 900 <= words(chapter) <= 1600


def test_it_shows_four_to_eight_snippets(chapter: tuple[Part, ...]) -> None:
    shown = {
        block.argument.partition("#")[0]
        for _, block in outline.blocks(chapter)
        if block.name in ("snippet", "predict", "lens")
    }
    own = {name for name in shown if "/" not in name}
    assert 4 <= len(own) <= 8


def test_it_opens_with_a_listing(chapter: tuple[Part, ...]) -> None:
    first = next(block for _, block in outline.blocks(chapter))
    opening = next(part for part in chapter if part is first or isinstance(part, Text))
    assert opening is first or words((opening,)) <= 30


def test_it_asks_twice_before_the_exercises_and_then_two_or_three_times(
    chapter: tuple[Part, ...],
) -> None:
    asked = {
        title: [p for p in parts if isinstance(p, Block) and p.name == "predict"]
        for title, parts in sections(chapter).items()
    }
    exercises = asked.pop("Exercises")
    assert 2 <= len(exercises) <= 3
    assert sum(map(len, asked.values())) >= 2


@pytest.mark.parametrize("slug", CHAPTERS)
def test_it_checks_what_it_says(slug: str) -> None:
    assert len(links.find(CHAPTERS[slug])) >= 5


@pytest.mark.parametrize("slug", [s for s in CHAPTERS if "\npath: kernel\n" in CHAPTERS[s]])
def test_a_chapter_on_kernels_has_a_lens(slug: str) -> None:
    assert any(block.name == "lens" for _, block in outline.blocks(outline.read(CHAPTERS[slug])))


def test_it_ends_with_where_to_go(chapter: tuple[Part, ...]) -> None:
    *_, (title, parts) = sections(chapter).items()
    assert title == "Where to go next"
    assert re.search(r"\]\([\w-]+\.md", "".join(texts(tuple(parts))))
