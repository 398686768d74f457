"""The files beside the pages of a site that MkDocs builds, and what pages say of them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from .conftest import MKDOCS_YML, Site

THEME = Path(__file__).parent.parent / "scripts" / "traced" / "theme"
CONFIG = MKDOCS_YML.replace("plugins: []", "plugins: [traced]").replace(
    "site_name: Test\n",
    "site_name: Test\nsite_description: 'About \"it\" <x>.'\nsite_url: https://e.org/s/\n"
    f"theme:\n  name: material\n  font: false\n  custom_dir: {THEME}\n"
    "nav:\n  - index.md\n  - Path:\n      - l/a.md\n      - More:\n          - l/b.md\n",
)
FRONT = '---\ntitle: {} "x"\npath: jax\nnumber: {}\nenables: see\ndescription: About {}.\n---\n\n'
FILES: dict[str, str | bytes] = {
    "mkdocs.yml": CONFIG,
    "docs/index.md": "# Start\n\n[A](l/a.md)\n",
    "docs/l/a.md": FRONT.format("A", 1, "a")
    + "# A\n\n/// snippet | one\n///\n\nSee [B](b.md), [more](b.md#more) and [here](#b).\n\n## B\n",
    "docs/l/b.md": FRONT.format("B", 2, "b") + "# B `code`\n\n## More\n\n[A](a.md)\n",
    "snippets/a/one.py": "# %% x\nprint('output', 'of a')\n",
}


def build(root: Path) -> Path:
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return root / "site"


def head(page: Path) -> dict[str, str]:
    """What the head of a page says, by the names of its elements."""
    tags = BeautifulSoup(page.read_text("utf-8"), "html.parser").find_all("meta")
    return {str(t.get("property") or t.get("name")): str(t.get("content")) for t in tags}


@pytest.mark.parametrize("directories", [True, False])
def test_each_page_has_its_text_beside_it(directories: bool, site: Site) -> None:
    config = CONFIG.replace(
        "use_directory_urls: true", f"use_directory_urls: {directories}".lower()
    )
    built = build(site(FILES | {"mkdocs.yml": config}))
    page, text = ("l/a/", "l/a/index.md") if directories else ("l/a.html", "l/a.md")
    other, its_text = ("l/b/", "l/b/index.md") if directories else ("l/b.html", "l/b.md")
    made = (built / text).read_text()
    assert made.startswith(
        "# A\n\n> JAX path, chapter 1. About a.\n\n"
        f"Page: <https://e.org/s/{page}>. All output is of JAX "
    )
    assert "**Output**\n\n```text\noutput of a\n```" in made
    assert f"[B](https://e.org/s/{its_text})" in made
    assert f"[more](https://e.org/s/{other}#more) and [here](https://e.org/s/{page}#b)" in made
    soup = BeautifulSoup((built / (page + "index.html" * directories)).read_text(), "html.parser")
    for link in soup.select("[type='text/markdown']"):
        assert (built / text).parent / str(link["href"]) == built / text
    assert {link.name for link in soup.select("[type='text/markdown']")} == {"link", "a"}


def test_the_lists_have_all_pages_in_the_order_of_the_navigation(site: Site) -> None:
    built = build(site(FILES))
    index = (built / "llms.txt").read_text()
    assert index.startswith('# Test\n\n> About "it" \\<x>.\n\n')
    assert re.findall(r"^## (.*)$", index, re.MULTILINE) == ["Path", "More pages"]
    listed = re.findall(r"^- \[(.*)\]\(https://e.org/s/(.*)\)(.*)$", index, re.MULTILINE)
    assert listed == [
        ("A", "l/a/index.md", ": About a."),
        ("B code", "l/b/index.md", ": About b."),
        ("Start", "index.md", ""),
    ]
    texts = [(built / uri).read_text() for _, uri, _ in listed]
    assert (built / "llms-full.txt").read_text() == "\n".join(texts)


def test_a_link_to_a_page_is_shown_as_what_it_is(site: Site) -> None:
    built = build(site(FILES))
    chapter = head(built / "l/a/index.html")
    for name, said in {
        "og:site_name": "Test",
        "og:type": "article",
        "og:title": "A",
        "og:description": "About a.",
        "og:url": "https://e.org/s/l/a/",
        "og:image": "https://e.org/s/assets/previews/a.png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "Test, JAX path, chapter 1: A",
        "twitter:card": "summary_large_image",
    }.items():
        assert chapter[name] == said
    start = head(built / "index.html")
    assert start["og:type"] == "website"
    assert start["og:description"] == 'About "it" <x>.'
    assert start["og:image"] == "https://e.org/s/assets/previews/index.png"
    assert "<title>Start - Test</title>" in (built / "index.html").read_text()
    drawn = {file.name for file in (built / "assets/previews").iterdir()}
    assert drawn == {"index.png", "a.png", "b.png"}


def test_a_site_without_an_address_claims_none(site: Site) -> None:
    built = build(site(FILES | {"mkdocs.yml": CONFIG.replace("site_url: https://e.org/s/\n", "")}))
    assert not {"og:url", "og:image", "twitter:card"} & head(built / "l/a/index.html").keys()
    assert "](/l/b/index.md)" in (built / "l/a/index.md").read_text()
    assert "(/l/a/index.md): About a." in (built / "llms.txt").read_text()


def test_the_files_are_the_same_each_time(site: Site) -> None:
    root = site(FILES)
    built = build(root)
    names = [*built.rglob("*.md"), *built.rglob("*.txt"), *built.rglob("assets/previews/*")]
    before = {name: name.read_bytes() for name in names}
    assert len(before) > 7
    build(root)
    assert {name: name.read_bytes() for name in names} == before
