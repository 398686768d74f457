"""What a block of a page shows: cells of a snippet, and the run that they are from."""

from collections.abc import Callable
from dataclasses import dataclass

from traced.html import Caption
from traced.outline import Block
from traced.runner import Outcome
from traced.runs import Run
from traced.snippets import Cell, Snippet

#: The outcome of a snippet by its name; None where there is none of that name.
type Outcomes = Callable[[str], Outcome | None]

#: The blocks that show what ran, and what they show of it where they do not say.
BLOCKS = {"snippet": "both", "predict": "output", "lens": "source"}


@dataclass(frozen=True)
class Ran:
    """Cells of a snippet that ran as it should."""

    snippet: Snippet
    run: Run
    cells: tuple[Cell, ...]

    @property
    def caption(self) -> Caption:
        """What is said below them."""
        return Caption(self.snippet.path, self.run.toolchain, self.snippet.options.devices)


def ran(block: Block, page: str, outcomes: Outcomes) -> Ran | None:
    """What a block shows of what ran as it should; None where that is nothing.

    `page` is the block's, relative to docs. The page's own snippets go by their bare names, others
    by their folder; a lens is that of the cells that have one. Why something is wrong is said where
    the page is converted.
    """
    if block.name not in BLOCKS or block.options is None:
        return None
    stem, _, name = block.argument.partition("#")
    folder = page.rpartition("/")[2].removesuffix(".md")
    outcome = outcomes(stem if "/" in stem else f"{folder}/{stem}")
    if outcome is None or outcome.snippet is None or outcome.run is None:
        return None
    cells = outcome.snippet.shown(name)
    if block.name == "lens":
        known = cells if name else outcome.snippet.cells
        cells = [cell for cell in known if cell.options.lens]
    return Ran(outcome.snippet, outcome.run, tuple(cells)) if cells else None
