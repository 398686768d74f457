"""What one page knows of the glossary while it is converted: its links, and its mentions."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from traced.chapters import Chapter
from traced.glossary import Glossary, Term

#: The page that lists the whole glossary, relative to docs.
GLOSSARY_PAGE = "glossary.md"

#: The page that shows the paths through the chapters, relative to docs.
PATHS_PAGE = "paths.md"

_IR_TAG = '<a class="term term-ir"'
_IR_LINK = re.compile(re.escape(_IR_TAG) + r'(?= href="#term-([^"]*)")')


@dataclass(frozen=True)
class PageContext:
    """What a conversion needs to know: the glossary, the chapters and the page.

    `page` is relative to docs ("l/tracing.md").
    """

    glossary: Glossary
    chapters: Mapping[str, Chapter]
    page: str

    @property
    def here(self) -> Chapter | None:
        """The chapter that this page is, if it is one."""
        chapters = self.chapters.values()
        return next((c for c in chapters if c.source == self.page), None)

    @property
    def active(self) -> bool:
        """Whether mentions on this page are linked: on the landing page and in chapters."""
        return self.here is not None or self.page == "index.md"

    def chapter(self, term: Term) -> Chapter:
        """The chapter that teaches a term."""
        return self.chapters[term.chapter]

    def taught_here(self, term: Term) -> bool:
        """Whether this page is the chapter that teaches the term."""
        return self.chapter(term).source == self.page

    def standing(self, chapter: Chapter) -> str:
        """Where a chapter stands on its path and, on the page of another, which way that is."""
        here = self.here
        if here is None or here == chapter:
            return chapter.standing
        if here.path != chapter.path:
            return f"{chapter.standing}: on the other path"
        way = "earlier" if chapter.number < here.number else "later"
        return f"{chapter.standing}: {way} on this path"

    def href(self, source: str) -> str:
        """A link from this page to another source file, as one writes it in Markdown."""
        return posixpath.relpath(source, posixpath.dirname(self.page) or ".")

    def glossary_href(self, term: Term) -> str:
        """A link to a term on the glossary page."""
        anchor = f"#term-{term.slug}"
        return anchor if self.page == GLOSSARY_PAGE else self.href(GLOSSARY_PAGE) + anchor


@dataclass
class PageTerms:
    """The terms that one page mentions. `uses` holds the ids of the mentions of each term."""

    context: PageContext
    uses: dict[Term, list[str]] = field(default_factory=dict)

    def mention(self, term: Term) -> dict[str, str]:
        """Note one more mention of a term, and return the attributes of its link."""
        return {"class": "term", "id": self._use(term), **_target(term)}

    def ir_link(self, token: str) -> str | None:
        """The opening <a> tag for a token of shown IR, or None where it is no term or taught here.

        It is the same for each token of a term. `number_ir` notes it as a mention, once it is on
        the page.
        """
        term = self.context.glossary.by_ir.get(token)
        if term is None or not self.context.active or self.context.taught_here(term):
            return None
        return _IR_TAG + "".join(f' {k}="{v}"' for k, v in _target(term).items()) + ">"

    def number_ir(self, raw: str) -> str:
        """Note the links of `ir_link` in raw HTML as mentions, and give each its id."""
        by_slug = {term.slug: term for term in self.context.glossary.by_ir.values()}

        def numbered(match: re.Match[str]) -> str:
            term = by_slug.get(match[1])
            return f'{_IR_TAG} id="{self._use(term)}"' if term else match[0]

        return _IR_LINK.sub(numbered, raw)

    def _use(self, term: Term) -> str:
        uses = self.uses.setdefault(term, [])
        uses.append(f"use-{term.slug}-{len(uses) + 1}")
        return uses[-1]


def _target(term: Term) -> dict[str, str]:
    return {"href": f"#term-{term.slug}", "aria-describedby": f"def-{term.slug}"}
