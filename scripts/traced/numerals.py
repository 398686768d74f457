"""A number as prose writes it: digits, grouped digits, English words, an ordinal, once, twice."""

import itertools
import math
import re
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from typing import NamedTuple, Protocol

from num2words import num2words


class Numeral(Protocol):
    """A number in one of its written forms."""

    def says(self, value: int | float) -> bool:
        """Whether what is written is `value`."""

    def written(self, value: int | float) -> str | None:
        """`value` in this form; None where the form cannot say it."""


def read(text: str) -> Numeral | None:
    """The number that all of `text` is, or None. The text has no markup and no line breaks."""
    if match := _DIGITS.fullmatch(text):
        return _Digits(match)
    if match := _BEYOND.fullmatch(text):
        return _Beyond(match)
    return _read_words(text)


# Digits. Typographic minus signs and spaces count as what they stand for.

_DIGITS = re.compile(
    r"(?P<minus>[-−]?)"
    r"(?P<whole>0|[1-9]\d*|[1-9]\d{0,2}(?P<group>[,_ \u00a0\u2009\u202f]|&\#?\w+;)\d{3}"
    r"(?:(?P=group)\d{3})*)"
    r"(?:\.(?P<fraction>\d+))?"
    r"(?:(?P<e>[eE])(?P<plus>\+?)(?P<power>[-−]?\d+))?"
    r"(?P<suffix>st|nd|rd|th)?",
    re.ASCII,
)
_WIDE = Context(prec=1000)  # a float has up to 309 digits before its point


class _Digits:
    def __init__(self, match: re.Match[str]):
        parts = match.groupdict(default="")
        self._minus, self._group, self._suffix = parts["minus"], parts["group"], parts["suffix"]
        self._whole = parts["whole"].replace(self._group, "") if self._group else parts["whole"]
        self._decimals = len(parts["fraction"])
        self._e, self._plus, self._power = parts["e"], parts["plus"], parts["power"]
        self._itself = match[0]
        text = f"{self._whole}.{parts['fraction']}e{self._power.replace('−', '-') or 0}"
        self._number = Decimal(f"-{text}" if self._minus else text)

    def says(self, value: int | float) -> bool:
        if self._suffix:
            return not self._fractional and self.written(value) == self._itself
        if isinstance(value, int):
            return not self._fractional and self._number == value
        if not math.isfinite(value):
            return False
        if not self._number and not self._fractional:  # a bare 0 claims that nothing is there
            return value == 0
        modes = (ROUND_HALF_UP, ROUND_HALF_DOWN)
        return any(self._rounded(value, mode) == self._number for mode in modes)

    def written(self, value: int | float) -> str | None:
        if self._suffix:
            return self._ordinal(Decimal(value)) if _whole(value) and value >= 0 else None
        if not math.isfinite(value):
            return str(value)
        minus = (self._minus or "-") if value < 0 else ""
        if self._e:
            return minus + self._scientific(abs(value))
        if isinstance(value, int):
            return minus + self._grouped(str(abs(value)))
        number = self._rounded(abs(value), ROUND_HALF_EVEN)
        if not number and value:  # the decimals are too few for it: keep significant digits
            number = self._significant(abs(value), ROUND_HALF_EVEN)
        whole, point, fraction = f"{number:f}".partition(".")
        return minus + self._grouped(whole) + point + fraction

    @property
    def _fractional(self) -> bool:
        return bool(self._decimals or self._e)

    def _ordinal(self, number: Decimal) -> str:
        n = int(number)
        return self._grouped(str(n)) + num2words(n, to="ordinal_num")[len(str(n)) :]

    def _grouped(self, whole: str) -> str:
        return f"{int(whole):,}".replace(",", self._group) if self._group else whole

    def _rounded(self, value: float, mode: str) -> Decimal:
        if self._e:
            return self._significant(value, mode)
        last = Decimal(1).scaleb(-self._decimals)
        return Decimal(repr(value)).quantize(last, rounding=mode, context=_WIDE)

    def _significant(self, value: float, mode: str) -> Decimal:
        digits = len(self._whole) + self._decimals if self._e else max(1, self._shown_digits())
        return Context(prec=digits, rounding=mode).plus(Decimal(repr(value)))

    def _shown_digits(self) -> int:
        return len(self._number.as_tuple().digits) if self._number else 1

    def _scientific(self, value: int | float) -> str:
        decimals = len(self._whole) - 1 + self._decimals
        mantissa, _, power = f"{Decimal(repr(value)):.{decimals}e}".partition("e")
        digits = self._power.lstrip("-−")
        n, width = int(power), len(digits) if digits.startswith("0") else 1
        plus = "+" if self._plus or (width > 1 and digits != self._power) else ""
        sign = (self._power[0] if digits != self._power else "-") if n < 0 else plus
        return f"{mantissa}{self._e}{sign}{abs(n):0{width}}"


# Beyond all digits.

_BEYOND = re.compile(r"(?P<sign>[-−+]?)(?P<name>inf|infinity|∞|nan)", re.IGNORECASE)


class _Beyond:
    def __init__(self, match: re.Match[str]):
        self._sign, self._name = match["sign"], match["name"]
        self._nan = self._name.lower() == "nan"

    def says(self, value: int | float) -> bool:
        if self._nan:
            return math.isnan(value)
        return value == (-math.inf if self._sign in ("-", "−") else math.inf)

    def written(self, value: int | float) -> str | None:
        if not math.isinf(value) or self._nan:
            return self._name if math.isnan(value) and self._nan else str(value)
        minus = self._sign if self._sign in ("-", "−") and self._sign else "-"
        return (minus if value < 0 else "") + self._name


# Words.

_SMALL = {num2words(n): n for n in [*range(20), *range(20, 100, 10)]}
_SCALES = {num2words(10**p).split()[1]: 10**p for p in (2, 3, 6, 9, 12, 15, 18)}
#: Each ordinal word and the cardinal it is made from ("third": "three").
_ORDINALS = {num2words(n, to="ordinal"): word for word, n in _SMALL.items()} | {
    num2words(n, to="ordinal").split()[1]: word for word, n in _SCALES.items()
}
_NONE = ("no", "none")
_TIMES = {"once": 1, "twice": 2, "thrice": 3}

#: All words that a number in words is made of, apart from "minus", "and", "times".
WORDS = frozenset({*_SMALL, *_SCALES, *_ORDINALS, *_TIMES})

_LETTERS = r"[^\W\d_]+"
_PHRASE = re.compile(rf"{_LETTERS}(?:(?:, |[ ‑-]){_LETTERS})*")


class _Style(NamedTuple):
    """How a number in words is put together. The first of all styles is the usual one."""

    hyphen: str
    joiner: str
    conjunction: bool
    commas: bool

    def of(self, words: str) -> str:
        """`words`, as num2words writes them, in this style."""
        words = words if self.commas else words.replace(",", "")
        words = words if self.conjunction else words.replace(" and ", " ")
        return words.replace("-", self.hyphen).replace(" ", self.joiner)


_STYLES = [
    _Style(hyphen, joiner, conjunction, commas)
    for hyphen, joiner in (("-", " "), ("\u2011", " "), (" ", " "), ("-", "-"))
    for conjunction, commas in itertools.product((True, False), (False, True))
]


class _Words:
    def __init__(self, text: str, kind: str, number: int):
        self._text = text
        self._kind = kind
        self._number = number

    def says(self, value: int | float) -> bool:
        return _whole(value) and int(value) == self._number

    def written(self, value: int | float) -> str | None:
        words = self._spelled(int(value)) if _whole(value) else None
        if words is None:
            return None
        own = self._spelled(self._number) or ""
        lower = self._text.lower()
        style = next((style for style in _STYLES if style.of(own) == lower), _STYLES[0])
        return _cased(self._text, style.of(words))

    def _spelled(self, number: int) -> str | None:
        if self._kind == "ordinal":
            return num2words(number, to="ordinal") if number >= 0 else None
        if self._kind == "times":
            adverbs = {1: "once", 2: "twice"}
            return adverbs.get(number) or f"{num2words(number)} times"
        return num2words(number)


def _read_words(text: str) -> _Words | None:
    lower = text.lower()
    if not _PHRASE.fullmatch(text):
        return None
    if lower in _NONE:
        return _Words(text, "cardinal", 0)
    if lower in _TIMES:
        return _Words(text, "times", _TIMES[lower])
    words = re.split(r"[, ‑-]+", lower)
    kind = "cardinal"
    if words[-1] == "times":
        kind = "times"
        words.pop()
    elif words[-1] in _ORDINALS:
        kind = "ordinal"
        words[-1] = _ORDINALS[words[-1]]
    number = _cardinal(words)
    return None if number is None else _Words(text, kind, number)


def _cardinal(words: list[str]) -> int | None:
    """The number that lower-case words are; None where nobody would say it in these words."""
    if not words or words[-1] == "and" or words[0] == "and":
        return None
    negative = words[0] == "minus"
    words = [word for word in words[negative:] if word != "and"]
    total = part = 0
    for word in words:
        if word in _SMALL:
            part += _SMALL[word]
        elif word == "hundred":
            part *= 100
        elif word in _SCALES:
            total, part = total + part * _SCALES[word], 0
        else:
            return None
    number = total + part
    usual = [w for w in re.split(r"[, -]+", num2words(number)) if w != "and"]
    return None if words != usual else -number if negative else number


def _cased(old: str, new: str) -> str:
    """`new` with the capitals that `old` has: all, each word's first, the first, or none."""
    if len(old) > 1 and old.isupper():
        return new.upper()
    if not old[0].isupper():
        return new
    parts = re.findall(_LETTERS, old)
    if len(parts) > 1 and all(part[0].isupper() for part in parts if part != "and"):
        return re.sub(_LETTERS, lambda m: m[0] if m[0] == "and" else m[0].capitalize(), new)
    return new[0].upper() + new[1:]


def _whole(value: int | float) -> bool:
    return isinstance(value, int) or value.is_integer()
