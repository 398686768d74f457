"""Tokens that one build keeps for the next, and when they are not taken."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pygments.token import Name

from traced import lexers, tokencache
from traced.project import Project

JAXPR = "{ lambda ; a:f32[4]. let b:f32[4] = exp a in (b,) }"


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Begins a build in a process of its own, as far as the cache can tell."""

    def begin() -> None:
        monkeypatch.setattr(tokencache, "_loaded", {})
        monkeypatch.setattr(tokencache, "_used", {})
        tokencache.tokens.cache_clear()
        tokencache.load(Project(tmp_path))

    return begin


@pytest.fixture
def taken_apart(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that lexers have taken apart."""
    texts: list[str] = []
    tokens = lexers.tokens
    monkeypatch.setattr(
        lexers, "tokens", lambda language, text: texts.append(text) or tokens(language, text)
    )
    return texts


def test_the_next_build_has_the_same_tokens_without_a_lexer(
    build: Callable[[], None], taken_apart: list[str], tmp_path: Path
) -> None:
    build()
    first = tokencache.tokens("jaxpr", JAXPR)
    assert any(token is Name.Function and value == "exp" for token, value in first)
    tokencache.save(Project(tmp_path))
    build()
    assert tokencache.tokens("jaxpr", JAXPR) == first
    assert all(
        mine is theirs
        for (mine, _), (theirs, _) in zip(tokencache.tokens("jaxpr", JAXPR), first, strict=True)
    )
    assert taken_apart == [JAXPR]
    tokencache.tokens("text", JAXPR)  # another language is another text
    assert taken_apart == [JAXPR, JAXPR]


@pytest.mark.parametrize("damage", ["lexers", "file"])
def test_what_other_lexers_kept_or_a_damaged_file_is_not_taken(
    build: Callable[[], None],
    taken_apart: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    damage: str,
) -> None:
    build()
    tokencache.tokens("jaxpr", JAXPR)
    tokencache.save(Project(tmp_path))
    if damage == "lexers":
        monkeypatch.setattr(tokencache, "_lexers", lambda: "others")
    else:
        (Project(tmp_path).cache / "tokens").write_bytes(b"half of")
    build()
    tokencache.tokens("jaxpr", JAXPR)
    assert taken_apart == [JAXPR, JAXPR]


def test_what_a_build_no_longer_shows_goes(build: Callable[[], None], tmp_path: Path) -> None:
    file = Project(tmp_path).cache / "tokens"
    for text in ("a", "b"):
        build()
        tokencache.tokens("text", f"ValueError: {text}")
        tokencache.save(Project(tmp_path))
        assert f"ValueError: {text}".encode()[:10] in file.read_bytes()
    build()
    assert len(tokencache._loaded) == 1
