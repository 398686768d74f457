"""A chapter as a Jupyter notebook: its prose and the cells of its snippets, with their outputs.

A pure function of the chapter's parts and of the runs that its page shows: nothing runs here.
notebookorder.py says where a cell stands. Of what only the page can show, a lens is a link to it,
and marked lines are named.
"""

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from traced import notebookcells, notebookorder
from traced.diagnostics import Diagnostic, Place
from traced.notebookcells import NotebookCell
from traced.notebookorder import Order, Shown
from traced.outline import Block, Heading, Part, Text, plain
from traced.plainmd import Resolve, escaped, fenced, heading, plain_markdown
from traced.runs import Toolchain
from traced.showing import Outcomes
from traced.snippets import Cell, Snippet
from traced.statements import code_span

_LAYERS = {"jaxpr": "jaxpr", "stablehlo": "StableHLO", "hlo": "optimized HLO"}


@dataclass(frozen=True)
class Chapter:
    """What a notebook is made from, besides the text of its chapter.

    `page` is its source relative to docs ("l/tracing.md"); `outcomes` gives that of a snippet by
    its name, `helpers` the source of a module that the snippets of a folder can import from this
    repository, "" for others; `resolve` makes links absolute.
    """

    page: str
    toolchain: Toolchain
    outcomes: Outcomes
    helpers: Callable[[str, str], str]
    resolve: Resolve

    @property
    def name(self) -> str:
        """The page without its suffix."""
        return self.page.removesuffix(".md")

    @property
    def folder(self) -> str:
        """The folder of the chapter's own snippets."""
        return self.name.rpartition("/")[2]


def make(chapter: Chapter, parts: Sequence[Part]) -> tuple[bytes, list[Diagnostic]]:
    """The bytes of the notebook of a chapter, and what keeps it from running as it should.

    A block that is faulty, or whose snippet is, is left out: that is reported with the page.
    """
    writer = _Writer(chapter, Order(parts, chapter.page, chapter.outcomes))
    title = parts[0] if parts and isinstance(parts[0], Heading) else None
    writer.start(title)
    writer.parts(parts[1:] if title else parts)
    writer.end()
    return (
        notebookcells.document(writer.cells, chapter.toolchain, chapter.name),
        [
            fault
            for snippet, cells, line in writer.taken.values()
            for fault in notebookorder.faults(snippet, cells, Place(f"docs/{chapter.page}", line))
        ],
    )


@dataclass
class _Writer:
    """The cells so far; `taken` are those of each snippet, and the line that shows it first."""

    chapter: Chapter
    order: Order
    cells: list[NotebookCell] = field(default_factory=list)
    taken: dict[str, tuple[Snippet, list[Cell], int]] = field(default_factory=dict)
    _prose: list[str] = field(default_factory=list)
    _fresh: set[tuple[str, str]] = field(default_factory=set)
    _running: str = ""
    _helpers: set[str] = field(default_factory=set)
    _lenses: set[str] = field(default_factory=set)
    _variables: dict[str, str] = field(default_factory=dict)
    _devices: int = 1

    def say(self, text: str) -> None:
        """Add prose, as paragraphs of their own."""
        self._prose.append(text)
        self._fresh.clear()

    def end(self) -> None:
        """Make a cell of the prose that has none yet."""
        if self._prose:
            self.cells.append(notebookcells.markdown("\n\n".join(self._prose)))
            self._prose.clear()

    def start(self, title: Heading | None) -> None:
        """Say where the notebook is from, and set up what its programs need."""
        tools, page = self.chapter.toolchain, self.chapter.resolve("")
        if title:
            self.say(heading(title))
        self.say(
            f"*This is the notebook of [{escaped(title.title) if title else page}]({page}), with "
            f"what JAX {tools.jax} printed there on a {tools.platform.upper()}. "
            "Run the cells from top to bottom.*"
        )
        self.end()
        options = [shown.snippet.options for shown in self.order.shown.values()]
        self._devices = max((o.devices for o in options), default=1)
        for option in options:
            self._variables = option.variables | self._variables
        variables = dict(self._variables)
        if self._devices > 1:
            count = f"--xla_force_host_platform_device_count={self._devices}"
            variables["XLA_FLAGS"] = f"{variables.get('XLA_FLAGS', '')} {count}".strip()
        self.cells += notebookcells.setup(tools, variables)

    def parts(self, parts: Sequence[Part]) -> None:
        """Add parts of the page, in order."""
        for part in parts:
            if isinstance(part, Heading):
                self.end()
                self.say(heading(part))
            elif isinstance(part, Text):
                if text := self._plain(part):
                    self.say(text)
            else:
                self._block(part)

    def _plain(self, text: Text) -> str:
        return plain_markdown(text.source, self.chapter.resolve).strip("\n")

    def _block(self, block: Block) -> None:
        shown = self.order.shown.get(block.line)
        if block.name == "predict":
            self._predict(block, shown)
        elif block.name == "lens" and shown:
            self._lens(block, shown)
        elif block.name == "snippet" and shown:
            self._show(block, shown)
        elif block.name not in ("snippet", "lens", "glossary"):
            self._folded(block.argument or block.name.capitalize(), block.parts)

    def _folded(self, title: str, parts: Sequence[Part]) -> None:
        """Text that is unfolded by a click; code has to stand outside."""
        if all(isinstance(part, Text) for part in parts):
            texts = [self._plain(part) for part in parts if isinstance(part, Text)]
            text = "\n\n".join(filter(None, texts))
            if text:
                self.say(_details(title, text))
        else:
            self.say(f"**{plain_markdown(title, self.chapter.resolve)}**")
            self.parts(parts)

    def _predict(self, block: Block, shown: Shown | None) -> None:
        question, answer = block.divided()
        self.parts(question)
        if choices := _texts(block, "choices"):
            self.say("\n".join(["Your guess:", "", *(f"- {escaped(c)}" for c in choices)]))
        if shown:
            self._show(block, shown)
        if answer:
            self._folded("Answer", answer)

    def _lens(self, block: Block, shown: Shown) -> None:
        for cell in shown.cells[:1]:
            self._take(block, shown, cell)
            name, number = f"lens-{cell.name}", 1
            while name in self._lenses:  # as on the page
                number += 1
                name = f"lens-{cell.name}-{number}"
            self._lenses.add(name)
            lens = shown.run.cell(cell.name).lens
            show = _texts(block, "show") or _LAYERS
            layers = [_LAYERS[y.kind] for y in lens.layers if y.kind in show] if lens else []
            link = f"[expression by expression, on the page]({self.chapter.resolve(f'#{name}')})"
            self.say(f"Follow {code_span(cell.options.lens)} through {_joined(layers)}, {link}.")

    def _show(self, block: Block, shown: Shown) -> None:
        """Add what a block shows, each cell where it belongs."""
        for cell in shown.cells:
            key = shown.snippet.name, cell.name
            if self.order.is_due(block.line, shown.snippet, cell):
                self._take(block, shown, cell)
            elif key not in self._fresh:
                self._copy(shown, cell)
        if marks := _texts(block, "mark"):
            marked = " or ".join(map(code_span, marks))
            self.say(f"*The page marks the lines with {marked}.*")

    def _copy(self, shown: Shown, cell: Cell) -> None:
        """Show as text what stands elsewhere as a cell."""
        if shown.show != "output":
            self.say(fenced(cell.source.strip("\n"), "python"))
        if shown.shows_output(cell):
            result = shown.run.cell(cell.name)
            texts = [fenced(chunk.text.strip("\n")) for chunk in result.output]
            if result.raised:
                texts.append(fenced(f"{result.raised.type}: {result.raised.message}"))
            text = "\n\n".join(texts)
            self.say(
                _details("Output", text) if self.order.is_answer(shown.snippet, cell) else text
            )

    def _take(self, block: Block, shown: Shown, cell: Cell) -> None:
        if not self.order.is_due(block.line, shown.snippet, cell):
            return
        self.end()
        snippet, run = shown.snippet, shown.run
        for taken in self.order.take(snippet, cell):
            self._help(snippet, taken.source)
            self.cells.append(
                notebookcells.ran(
                    snippet,
                    taken,
                    run.cell(taken.name),
                    head=self._head(snippet),
                    held_back=self.order.is_answer(snippet, taken),
                )
            )
            self._fresh.add((snippet.name, taken.name))
            self.taken.setdefault(snippet.name, (snippet, [], block.line))[1].append(taken)

    def _head(self, snippet: Snippet) -> str:
        """What makes the kernel that of a snippet, where it is not already."""
        if self._running == snippet.name:
            return ""
        self._running = snippet.name
        name = snippet.name.removeprefix(f"{self.chapter.folder}/")
        if snippet.name in self.taken:
            return f'resume("{name}")\n\n'
        return f'{self._difference(snippet)}begin("{name}")\n\n'

    def _difference(self, snippet: Snippet) -> str:
        """A comment that says what the snippet ran with, where this notebook has something else."""
        own = snippet.options.variables
        other = [
            f"{n}={own[n]}" if n in own else f"no {n}"
            for n, v in self._variables.items()
            if own.get(n) != v
        ]
        if snippet.options.devices != self._devices:
            other.append(_count(snippet.options.devices, "device"))
        if not other:
            return ""
        said = f"# On the page this ran with {_joined(other)}, and may print something else here.\n"
        return said if len(said) < 90 else said.replace(", and", ",\n# and")

    def _help(self, snippet: Snippet, source: str) -> None:
        """Add a cell for each module of this repository that the source imports, and its own."""
        for module in notebookorder.modules(source):
            text = self.chapter.helpers(snippet.name.partition("/")[0], module)
            if text and module not in self._helpers:
                self._helpers.add(module)
                self._help(snippet, text)
                self.cells.append(notebookcells.helper(module, text))


def _texts(block: Block, option: str) -> list[str]:
    """An option that is a text or several, as a list; nothing where it is anything else."""
    value = (block.options or {}).get(option)
    values = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [str(value) for value in values]


def _details(title: str, text: str) -> str:
    shown = html.escape(plain(title), quote=False)
    return f"<details><summary>{shown}</summary>\n\n{text}\n\n</details>"


def _joined(words: Sequence[str]) -> str:
    *others, last = words or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
