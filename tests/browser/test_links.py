"""Every link of the built site leads to a file that is there, and to an id in it."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup


def test_every_link_leads_somewhere(built_site: Path) -> None:
    soups = {
        file: BeautifulSoup(file.read_text("utf-8"), "html.parser")
        for file in built_site.rglob("*.html")
        if file.name != "404.html"  # served at any address, so its links are absolute
    }
    ids = {file: [e["id"] for e in soup.select("[id]")] for file, soup in soups.items()}
    assert {f: i for f, i in ids.items() if len(i) != len(set(i))} == {}
    wrong = [
        f"{file.relative_to(built_site)}: {url}"
        for file, soup in soups.items()
        for url in (e.get("href") or e["src"] for e in soup.select("[href], [src]"))
        if not _leads_somewhere(file, url, ids)
    ]
    assert wrong == []


def _leads_somewhere(file: Path, url: str, ids: dict[Path, list[str]]) -> bool:
    """Whether a link of a page is right; those to other sites are not looked at."""
    parts = urlsplit(url)
    if parts.scheme or parts.netloc:
        return True
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if target.is_dir():
        target /= "index.html"
    fragment = unquote(parts.fragment)
    if fragment.startswith("lens-"):  # a pin, "lens-attend.e3", is for the lens's script
        fragment = fragment.partition(".")[0]
    return target.exists() and (not fragment or fragment in ids.get(target, [fragment]))
