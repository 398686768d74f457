"""The picture that stands for a page where somebody links to it: drawn when the site is built.

A card has the title of the page and the first lines of what it opens with, in the colours that its
listings have. Nothing of the system is used: the font is a package's.
"""

import io
import re
import textwrap
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Token, _TokenType

from traced import cachefile
from traced.lexers import tokens
from traced.project import Project

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

#: What those ask for who show cards.
SIZE = WIDTH, HEIGHT = 1200, 630

#: The packages that what a card looks like depends on.
_PACKAGES = ("pillow", "fontpkg-ibm-plex-mono", "pygments")

_MARGIN = 72
#: How many lines a title may take at which sizes, the best first.
_TITLE_SIZES = ((1, (80, 72)), (2, (76, 68, 60, 52)), (3, (48,)))
_CODE_SIZE, _CODE_LINE = 27, 41
#: A letter's width as a part of the font's size: they all have the same.
_LETTER = 0.6

_BACKGROUND, _INK, _QUIET, _BRAND = "#12162a", "#f4f5fb", "#a9b1d6", "#4051b5"
#: The sheets under the listing, from the lowest: a program has four layers. Of the last one the
#: listing leaves a bar.
_SHEETS = ("#181e3a", "#1d2548", "#242d58", _BRAND)
_PAPER = "#1b2036"
_COLOURS: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "#989ba7"),
    (Keyword.Constant, "#a598ea"),
    (Keyword.Type, "#a598ea"),
    (Keyword, "#7ba1ea"),
    (Operator.Word, "#7ba1ea"),
    (String, "#62b68d"),
    (Number, "#ec8074"),
    (Name.Function, "#cd7edc"),
    (Name.Decorator, "#cd7edc"),
    (Token, "#dfe3f5"),
)


class Card(msgspec.Struct, frozen=True):
    """What a picture says: the site's name, where the page stands, its title, how it opens.

    Each of `texts` is in a language, a Pygments alias.
    """

    site: str
    standing: str
    title: str
    texts: tuple[tuple[str, str], ...] = ()


def picture(card: Card, project: Project) -> bytes:
    """The card as a PNG of SIZE, from the cache if it has been drawn before."""
    file = project.cache / "previews" / cachefile.digest(_drawn_with() + msgspec.json.encode(card))
    body = cachefile.read(file)
    if body is None:
        body = draw(card)
        try:
            cachefile.write(file, body)
        except OSError:
            pass  # a read-only or full disk: it will be drawn again
    return body


@cache
def _drawn_with() -> bytes:
    """All that a card depends on besides what it says."""
    return b"\0".join([Path(__file__).read_bytes(), *(version(p).encode() for p in _PACKAGES)])


def draw(card: Card) -> bytes:
    """The card as a PNG; the same bytes for the same card."""
    size, lines = _fitted(card.title)
    step = round(size * 1.16)
    sheet = 148 + step * len(lines) + 76
    image = _shapes(sheet)
    _words(image, card, lines, size, step)
    _listing(image, card, sheet)
    out = io.BytesIO()
    image.quantize(128).save(out, "PNG", optimize=True)
    return out.getvalue()


def _fitted(title: str) -> tuple[int, list[str]]:
    """The size at which a title takes one line or two, and these; three at the smallest."""
    for most, sizes in _TITLE_SIZES:
        for size in sizes:
            room = int((WIDTH - 2 * _MARGIN) / (size * _LETTER))
            lines = textwrap.wrap(title, room)
            if len(lines) <= most:
                return size, _even(title, len(lines), room)
    return size, textwrap.wrap(title, room, max_lines=3, placeholder=" …")


def _even(title: str, count: int, room: int) -> list[str]:
    """A title on `count` lines of at most `room` letters, none much shorter than the others."""
    wrapped = (textwrap.wrap(title, width) for width in range(room // 2, room + 1))
    return next(lines for lines in wrapped if len(lines) == count)


def _shapes(sheet: int) -> "Image":
    """All that is no text, drawn at twice its size for smooth edges."""
    # A tenth of a second, which a build that draws nothing should not pay.
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (2 * WIDTH, 2 * HEIGHT), _BACKGROUND)
    pen = ImageDraw.Draw(image)
    for number, colour in enumerate([*_SHEETS, _PAPER], 1 - len(_SHEETS)):
        left, top = (_MARGIN - 24 * number, sheet + 16 * number) if number < 1 else (_MARGIN, sheet)
        right = WIDTH - left
        box = (2 * left + 14 * (number == 1), 2 * top, 2 * right, 2 * HEIGHT + 80)
        pen.rounded_rectangle(box, 28, colour)
    _logo(pen, 2 * _MARGIN, 2 * 56, 3.5)
    return image.reduce(2)


def _logo(pen: "ImageDraw", x: float, y: float, scale: float) -> None:
    """The site's icon: docs/assets/favicon.svg, whose numbers these are."""

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + scale * a, y + scale * b) for a, b in points]

    pen.rounded_rectangle((x, y, x + 32 * scale, y + 32 * scale), 6 * scale, _BRAND)
    pen.polygon(at((16, 6), (27, 12), (16, 18), (5, 12)), "#fff")
    for top in (17, 22):
        line = at((5, top), (16, top + 6), (27, top))
        pen.line(line, "#fff", round(2.5 * scale), joint="curve")


def _words(image: "Image", card: Card, lines: list[str], size: int, step: int) -> None:
    """The site's name, where the page stands, and its title."""
    from PIL import ImageDraw

    pen = ImageDraw.Draw(image)
    middle = 56 + 28
    pen.text((_MARGIN + 74, middle), card.site, _INK, _font("SemiBold", 34), "lm")
    pen.text((WIDTH - _MARGIN, middle), card.standing, _QUIET, _font("Medium", 30), "rm")
    for number, line in enumerate(lines):
        pen.text((_MARGIN - 3, 148 + number * step), line, _INK, _font("SemiBold", size), "la")


def _listing(image: "Image", card: Card, top: int) -> None:
    """The first lines of the texts, as many as there is room for; the edge cuts the last.

    Of a text that another follows it is one paragraph.
    """
    from PIL import ImageDraw

    pen = ImageDraw.Draw(image)
    top += 30
    for number, (text, language) in enumerate(card.texts, 1):
        top = _lines(pen, _lead(text, whole=number == len(card.texts)), language, top)
        if number < len(card.texts):
            pen.line((_MARGIN + 40, top + 13, WIDTH - _MARGIN - 40, top + 13), _SHEETS[2], 2)
            top += 24


def _lines(pen: "ImageDraw", text: str, language: str, top: int) -> int:
    """Write lines from `top` down; returns where the next may stand."""
    font, letter = _font("Regular", _CODE_SIZE), _CODE_SIZE * _LETTER
    first = column = float(_MARGIN + 40)
    for token, value in tokens(language, text.expandtabs(4)):
        for number, piece in enumerate(value.split("\n")):
            if number:
                column, top = first, top + _CODE_LINE
            fits = max(0, int((WIDTH - _MARGIN - 20 - column) / letter))
            pen.text((column, top), piece[:fits], _colour(token), font, "la")
            column += len(piece) * letter
        if top > HEIGHT:
            break
    return top + _CODE_LINE


def _colour(token: _TokenType) -> str:
    known: Any = token  # whose `in` Pygments gives a meaning of its own
    return next(colour for kind, colour in _COLOURS if known in kind)


def _lead(text: str, *, whole: bool) -> str:
    """The text from its first line that imports nothing: whole, or its first definition."""
    body = re.sub(r"\A(?:(?:import|from)\b.*\n|\s*\n)*", "", text)
    if whole:
        return body
    paragraphs = re.split(r"\n{2,}", body)
    definitions = (p for p in paragraphs if re.search(r"^(?:def|class) ", p, re.MULTILINE))
    return next(definitions, paragraphs[0])


@cache
def _font(weight: str, size: int) -> "FreeTypeFont":
    from PIL import ImageFont

    file = files("fontpkg_ibm_plex_mono") / "files" / f"IBMPlexMono-{weight}.ttf"
    # Without Raqm, which some builds of Pillow have and others do not.
    return ImageFont.truetype(
        io.BytesIO(file.read_bytes()), size, layout_engine=ImageFont.Layout.BASIC
    )
