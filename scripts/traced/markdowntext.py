"""A page as Markdown with all that ran filled in, for who reads it elsewhere than in a browser.

What a block shows stands where the block stood: each box of a listing in a fence of its own, with
the label and the caption that it has on the page. Output is data here, too: nothing in a fence can
end it.
"""

import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import msgspec

from traced import html, lenshtml, lexers, links, ops, opstext, plainmd, showing, statements
from traced.build import Build
from traced.chapters import along
from traced.markdown.lens import LensOptions
from traced.markdown.predict import PredictOptions
from traced.markdown.snippet import Options
from traced.outline import Block, Heading, Part, Text
from traced.plainmd import Resolve, fenced
from traced.showing import Ran
from traced.statements import code_span

#: What stands in place of what could not be made; a build that fails says why.
MISSING = "*What stands here could not be made.*"


@dataclass(frozen=True)
class Source:
    """Where the parts come from: the page relative to docs, its build, what its links lead to."""

    page: str
    build: Build
    resolve: Resolve

    @property
    def folder(self) -> str:
        """The folder of snippets/ that the page's own snippets are in."""
        return posixpath.basename(self.page).removesuffix(".md")

    def link(self, title: str, target: str) -> str:
        """A link to a source, relative to docs, as Markdown."""
        href = posixpath.relpath(target, posixpath.dirname(self.page) or ".")
        return f"[{plainmd.escaped(title)}]({self.resolve(href)})"


def text(parts: Iterable[Part], source: Source) -> str:
    """The Markdown of some parts of a page; what cannot be made is MISSING in it."""
    return "\n\n".join(filter(None, (_part(part, source) for part in parts)))


def opening(parts: Iterable[Part], source: Source) -> list[html.Box]:
    """What a page opens with: its first source, and something that the same snippet printed.

    That is the first output of three lines or more; without one, the first.
    """
    first: html.Box | None = None
    name = ""
    printed: list[html.Box] = []
    for block in parts:
        if isinstance(block, Block) and block.name in _LISTINGS:
            snippet = block.argument.partition("#")[0]
            for box in _boxes_of(block, source):
                if first is None and box.kind == "source":
                    first, name = box, snippet
                elif snippet == name and box.kind == "stdout":
                    printed.append(box)
    long = [box for box in printed if box.text.count("\n") > 1]
    return [first, *(long or printed)[:1]] if first else []


def _part(part: Part, source: Source) -> str:
    if isinstance(part, Heading):
        return plainmd.heading(part)
    if isinstance(part, Text):
        return plainmd.plain_markdown(part.source, source.resolve)
    return _attempt(_BLOCKS.get(part.name, _other), part, source)


#: The blocks with a listing, and what their options are.
_LISTINGS: dict[str, type[Options]] = {"snippet": Options, "predict": PredictOptions}

#: Why a block may show nothing: unknown names, wrong options, a cell that prints nothing. The page
#: has been converted by then, so each of them has been reported.
_REASONS = (LookupError, ValueError, msgspec.ValidationError, html.ListingError)


def _attempt(draw: Callable[[Block, Source], str], block: Block, source: Source) -> str:
    try:
        return draw(block, source)
    except _REASONS:
        return MISSING


def _ran(block: Block, source: Source) -> Ran:
    """What ran for a block. Raises LookupError where that is nothing, or nothing right."""
    ran = showing.ran(block, source.page, source.build.known)
    if ran is None:
        raise LookupError(block.argument)
    return ran


def _snippet(block: Block, source: Source) -> str:
    return _listing(_ran(block, source), msgspec.convert(block.options, Options))


def _listing(ran: Ran, options: Options) -> str:
    marks = [options.mark] if isinstance(options.mark, str) else options.mark
    boxes = [_box(box, marks) for box in _boxes(ran, options)]
    return "\n\n".join([*boxes, f"*{code_span(ran.snippet.path)} ran with {ran.caption.tools}*"])


def _boxes(ran: Ran, options: Options) -> list[html.Box]:
    shown = [html.Shown(cell, ran.run.cell(cell.name)) for cell in ran.cells]
    return html.boxes(shown, options.show, options.language)


def _boxes_of(block: Block, source: Source) -> list[html.Box]:
    try:
        options = msgspec.convert(block.options, _LISTINGS[block.name])
        lexers.tokens(options.language or "text", "")  # raises ClassNotFound, a ValueError
        return _boxes(_ran(block, source), options)
    except _REASONS:
        return []


def _box(box: html.Box, marks: Sequence[str]) -> str:
    """A box below its label; like on the page, source has none."""
    label = "" if box.kind == "source" else f"**{box.label}**"
    if marked := sorted(box.marked(marks)):
        lines = ", ".join(str(line + 1) for line in marked)
        label = f"{label} (marked: line{'s' * (len(marked) > 1)} {lines})".strip()
    # What was raised has a lexer of this site's own, which nobody else knows.
    language = "text" if box.kind == "error" else box.language
    return "\n\n".join(filter(None, [label, fenced(box.text, language)]))


def _predict(block: Block, source: Source) -> str:
    """The question, its choices, then the answer; here nothing can be held back."""
    asked, explained = block.divided()
    options = msgspec.convert(block.options, PredictOptions)
    choices = [str(choice) for choice in options.choices]
    right = ", ".join(choice for choice in choices if _is_right(choice, options.fact, source))
    pieces = [
        "**Predict**",
        text(asked, source),
        "\n".join(f"- {plainmd.escaped(choice)}" for choice in choices),
        f"**Answer: {plainmd.escaped(right)}**" if right else "**Answer**",
        _attempt(lambda block, source: _listing(_ran(block, source), options), block, source),
        text(explained, source),
    ]
    return "\n\n".join(filter(None, pieces))


def _is_right(choice: str, reference: str, source: Source) -> bool:
    names = links.resolve(reference, source.folder)
    fact = source.build.facts(names[0]).get(names[1]) if names else None
    return fact is not None and statements.says(choice, fact.value)


def _lens(block: Block, source: Source) -> str:
    """The layers of a lens, one below the other."""
    options = msgspec.convert(block.options, LensOptions)
    ran = _ran(block, source)
    (cell,) = ran.cells
    lens = ran.run.cell(cell.name).lens
    if lens is None:
        raise LookupError(cell.name)
    pieces = [f"**{code_span(lens.call)} through its layers**"]
    for listing in lens.listings:
        pieces += [f"**Python**: {code_span(listing.path)}, from line {listing.line}"]
        pieces += [fenced(listing.text.rstrip("\n"), "python")]
    show = (options.show,) if isinstance(options.show, str) else options.show
    # An author wrote `show`, so any text may be in it: `chosen` raises for what is no layer.
    for layer in lenshtml.chosen(lens, show):  # type: ignore[arg-type]
        pieces += [f"**{lenshtml.heading(layer)}**", fenced(layer.text.rstrip("\n"), layer.kind)]
    told = cell.options.compiler_options
    said = f"; XLA was told {code_span(told)}" if told else ""
    where = f"{code_span(lens.call)} in {code_span(ran.snippet.path)}"
    pieces.append(f"*{where}, followed with {ran.caption.tools}{said}*")
    return "\n\n".join(pieces)


def _glossary(block: Block, source: Source) -> str:
    """The terms, each with its definition and the chapter that teaches it."""
    entries = []
    for term in source.build.glossary.terms:
        chapter = source.build.chapters[term.chapter]
        definition = plainmd.with_code(" ".join(term.definition.split()))
        taught = plainmd.escaped(chapter.title)
        if chapter.source is None:
            taught += ", a chapter still to come"
        else:
            taught = source.link(chapter.title, chapter.source)
        name = plainmd.escaped(term.term)
        entries.append(f"- **{name}**: {definition} Taught in {taught}.")
    return "\n".join(entries)


def _ops(block: Block, source: Source) -> str:
    """The names of one language: what each is, what it became, and where it is shown."""
    language = next((kind for kind in ops.KINDS if kind == block.argument), None)
    if language is None:
        raise LookupError(block.argument)
    return opstext.listed(ops.entries(source.build, language), language, source.link)


def _path(block: Block, source: Source) -> str:
    """The chapters of a path, those still to come among them, with what each lets one do."""
    entries = []
    for chapter in along(source.build.chapters, block.argument):
        if chapter.source is None:
            title = f"{plainmd.escaped(chapter.title)} (still to come)"
        else:
            title = source.link(chapter.title, chapter.source)
        enables = plainmd.with_code(chapter.enables.rstrip("."))
        entries.append(f"{chapter.number}. {title}. Afterwards you can {enables}.")
    return "\n".join(entries)


def _titled(block: Block, source: Source) -> str:
    """A fold or a tab: its title, then what is in it."""
    title = plainmd.plain_markdown(block.argument, source.resolve) or block.name.capitalize()
    return f"**{title}**\n\n{text(block.parts, source)}"


def _other(block: Block, source: Source) -> str:
    return text(block.parts, source)


_BLOCKS: dict[str, Callable[[Block, Source], str]] = {
    "snippet": _snippet,
    "predict": _predict,
    "lens": _lens,
    "glossary": _glossary,
    "ops": _ops,
    "path": _path,
    "details": _titled,
    "tab": _titled,
}
