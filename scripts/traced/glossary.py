"""The glossary: docs/glossary.yml read into terms, and every fault in it reported."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

import msgspec
import yaml

from traced.chapters import Chapter
from traced.diagnostics import Diagnostic, Place
from traced.yamlfile import YamlSource, read_text

#: The file of the glossary, relative to docs.
SOURCE = "glossary.yml"

#: How long the first sentence of a definition may be: a popup is read at a glance.
LONGEST = 120

_HINT = "An entry has a term, a definition and a chapter; it may have lists of aliases and of ir."

# A full stop inside "e.g." or "i.e.", or before a lower-case word, ends no sentence.
_FIRST_SENTENCE = re.compile(r"(.+?(?<!\be\.g)(?<!\bi\.e)[.!?])\s+(?=[^a-z])", re.DOTALL)

# What may not stand beside a whole word: a letter, a digit, a hyphen, a dot that goes on ("a.b");
# \x02 starts a placeholder of Python-Markdown, whose text is nobody's word.
_BEFORE = r"(?<![\w\x02-])(?<!\w\.)"
_AFTER = r"(?![\w-]|\.\w)"

type _Text = Annotated[str, msgspec.Meta(min_length=1)]


class Term(msgspec.Struct, frozen=True):
    """One term: how it is written, what it means, and the slug of the chapter that teaches it.

    `aliases` are other spellings that count, `ir` the tokens of shown IR that mean the term. Text
    between backticks in a definition is code.
    """

    term: _Text
    definition: _Text
    chapter: str
    aliases: tuple[_Text, ...] = ()
    ir: tuple[_Text, ...] = ()

    @property
    def slug(self) -> str:
        """The term as part of an element's id."""
        return re.sub(r"\W+", "-", self.term.lower()).strip("-")

    @property
    def spellings(self) -> tuple[str, ...]:
        """The term and its aliases."""
        return (self.term, *self.aliases)

    @property
    def sentences(self) -> tuple[str, str]:
        """The first sentence of the definition, and the rest of it."""
        text = " ".join(self.definition.split())
        match = _FIRST_SENTENCE.match(text)
        return (match[1], text[match.end() :]) if match else (text, "")


@dataclass(frozen=True)
class Glossary:
    """All terms, sorted as a reader would look for them."""

    terms: tuple[Term, ...] = ()

    @cached_property
    def by_spelling(self) -> dict[str, Term]:
        """The term that a spelling means."""
        return {spelling: term for term in self.terms for spelling in term.spellings}

    @cached_property
    def by_ir(self) -> dict[str, Term]:
        """The term that a token of shown IR means."""
        return {token: term for term in self.terms for token in term.ir}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.by_spelling, key=len, reverse=True)
        words = (r"\s+".join(map(re.escape, spelling.split())) for spelling in longest_first)
        return re.compile(f"{_BEFORE}(?:{'|'.join(words)}){_AFTER}" if longest_first else r"(?!)")

    def mentions(self, text: str) -> Iterable[tuple[int, int, Term]]:
        """Start, end and term of every whole word (or words) of `text` that is a spelling.

        Case counts; a line break between two words of a spelling is a space; the longest spelling
        wins.
        """
        for match in self._pattern.finditer(text):
            yield match.start(), match.end(), self.by_spelling[" ".join(match[0].split())]


def load(docs: Path, chapters: Mapping[str, Chapter], faults: list[Diagnostic]) -> Glossary:
    """Read docs/glossary.yml; without the file there are no terms.

    Appends a diagnostic to `faults` for each thing that is wrong; a term with a fault is left out.
    """
    path = f"{docs.name}/{SOURCE}"
    if not (docs / SOURCE).is_file():
        return Glossary()
    source = YamlSource(path, read_text(docs, SOURCE, faults), faults, _HINT)
    if source.root is None:
        return Glossary()
    if not isinstance(source.root, yaml.SequenceNode):
        place = source.place(source.root)
        faults.append(Diagnostic("the glossary is no list of entries", (place,), _HINT))
        return Glossary()
    check = _Check(docs, chapters, faults)
    terms = []
    for node in source.root.value:
        term = source.struct(node, Term, closed=True)
        if term is not None and check.passes(term, source.places(node)):
            terms.append(term)
    return Glossary(tuple(sorted(terms, key=lambda term: (term.term.casefold(), term.term))))


class _Check:
    """What no type says: each spelling once, a short first sentence, a chapter that exists."""

    def __init__(self, docs: Path, chapters: Mapping[str, Chapter], faults: list[Diagnostic]):
        self._docs = docs
        self._chapters = chapters
        self._faults = faults
        self._taken: dict[tuple[str, str], Place] = {}

    def passes(self, term: Term, places: dict[str, Place]) -> bool:
        """Whether the entry is right; `places` are those of its fields."""
        before = len(self._faults)
        place = places["term"]
        if not term.slug:
            self._fault(f"the term {term.term!r} has no letter or digit", place)
        elif self._once("spelling", term.term, place):
            self._once("id", term.slug, place)
        for alias in term.aliases:
            self._once("spelling", alias, places["aliases"])
        for token in term.ir:
            self._once("IR token", token, places["ir"])
        self._definition(term, places["definition"])
        return self._taught(term, places["chapter"]) and len(self._faults) == before

    def _once(self, what: str, name: str, place: Place) -> bool:
        if (what, name) in self._taken:
            self._fault(f"the {what} {name!r} is taken already", place, self._taken[what, name])
            return False
        self._taken[what, name] = place
        return True

    def _definition(self, term: Term, place: Place) -> None:
        length = len(term.sentences[0].replace("`", ""))
        if length > LONGEST:
            cause = f"the first sentence of {term.term!r} has {length} characters"
            self._fault(f"{cause}, {length - LONGEST} more than {LONGEST}", place)
        if term.definition.count("`") % 2:
            self._fault(f"a backtick is not closed in the definition of {term.term!r}", place)

    def _taught(self, term: Term, place: Place) -> bool:
        if term.chapter in self._chapters:
            return True
        # A chapter that is there but has a fault is reported once, not for each of its terms.
        if not (self._docs / "l" / f"{term.chapter}.md").is_file():
            missing = f"there is no chapter {term.chapter!r}"
            hint = f"Chapters are {', '.join(self._chapters)}."
            cause = f"the term {term.term!r} is taught nowhere: {missing}"
            self._faults.append(Diagnostic(cause, (place,), hint))
        return False

    def _fault(self, cause: str, *places: Place) -> None:
        self._faults.append(Diagnostic(cause, places))
