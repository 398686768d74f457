"""The tokens of listings, kept from one build to the next.

To take a text apart takes longer than to read what came of it, and most builds show what the one
before them showed.
"""

from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path

import msgspec
from pygments.token import _TokenType, string_to_tokentype

from traced import cachefile, lexers
from traced.project import Project

type _Kept = dict[str, list[tuple[str, str]]]

_loaded: _Kept = {}
_used: _Kept = {}


def load(project: Project) -> None:
    """Take what the last build of this project kept, if it had the same lexers."""
    global _loaded
    body = cachefile.read(_file(project))
    try:
        kept = msgspec.msgpack.decode(body or b"", type=tuple[str, _Kept])
    except msgspec.MsgspecError:
        kept = "", {}
    _loaded = kept[1] if kept[0] == _lexers() else {}


def save(project: Project) -> None:
    """Keep what this build used, where that is not what the last one kept.

    Under `mkdocs serve` that is what all builds used so far.
    """
    global _loaded
    if _used.keys() != _loaded.keys():
        _loaded = dict(_used)
        try:
            cachefile.write(_file(project), msgspec.msgpack.encode((_lexers(), _used)))
        except OSError:
            pass  # a read-only or full disk: the next build takes the texts apart again


@lru_cache(1024)
def tokens(language: str, text: str) -> list[tuple[_TokenType, str]]:
    """What lexers.tokens gives for a text. Raises what that raises."""
    key = cachefile.digest(f"{language}\n{text}".encode())
    kept = _loaded.get(key)
    if kept is None:
        found = lexers.tokens(language, text)
        _used[key] = [(".".join(token), value) for token, value in found]
        return found
    _used[key] = kept
    return [(_token(name), value) for name, value in kept]


@cache
def _token(name: str) -> _TokenType:
    return string_to_tokentype(name)


@cache
def _lexers() -> str:
    """What the tokens of a text depend on besides the text."""
    source = Path(lexers.__file__).read_bytes()
    return cachefile.digest(source + version("Pygments").encode())


def _file(project: Project) -> Path:
    return project.cache / "tokens"
