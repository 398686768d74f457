"""The block `/// lens | attend#cell`: a call that a cell makes, followed through its layers.

    /// lens | attend
        show: [jaxpr, hlo]
        open: hlo
    ///

Without `#cell` it is the snippet's one cell that has a lens. `show` are the layers to show, all
that were recorded by default; `open` is the one that is open at first, by default the first.
"""

from typing import Any, cast

import msgspec

from traced import lenshtml
from traced.html import Caption
from traced.layers import Kind
from traced.lenspanes import KINDS
from traced.markdown.snippet import SnippetBlock
from traced.runs import Run
from traced.snippets import Cell, Snippet


class LensOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may stand under the header of a lens."""

    show: str | tuple[str, ...] = ()
    open: str = ""


class LensBlock(SnippetBlock):
    """Shows the lens of a cell, or says in its place why it cannot be shown."""

    NAME = "lens"

    def read_options(self) -> Any:
        """The options, which are others than those of a listing. Raises Refused."""
        try:
            return msgspec.convert(self.given, LensOptions)
        except msgspec.ValidationError as error:
            hint = f"Options are show and open; layers are {', '.join(KINDS)}."
            raise self.refuse(str(error), hint) from None

    def _cells(self, snippet: Snippet, name: str) -> list[Cell]:
        """The cell of that name, or the only one that has a lens."""
        cells = super()._cells(snippet, name) if name else list(snippet.cells)
        found = [cell for cell in cells if cell.options.lens]
        if not found:
            which = f"the cell {name!r}" if name else "no cell"
            cause = f"{which} of {snippet.path} has {'no' if name else 'a'} lens"
            raise self.refuse(cause, 'Head a cell `# %% name lens="f(x)"`.')
        if len(found) > 1:
            names = ", ".join(f"`{snippet.name}#{cell.name}`" for cell in found)
            cause = f"{len(found)} cells of {snippet.path} have a lens"
            raise self.refuse(cause, f"Name one of them: {names}.")
        return found

    def _listing(self, snippet: Snippet, run: Run, cells: list[Cell], options: Any) -> str:
        (cell,) = cells
        lens = run.cell(cell.name).lens
        if lens is None:
            hint = "Look at what `traced run -v` prints for it."
            raise self.refuse(f"{cell.name} of {snippet.path} recorded no lens", hint)
        show = (options.show,) if isinstance(options.show, str) else options.show
        self._check(
            cell, [layer.kind for layer in lens.layers], (*show, *filter(None, [options.open]))
        )
        if show and options.open and options.open not in show:
            raise self.refuse(f"{options.open} is to be open, but not shown", "Add it to `show`.")
        return lenshtml.draw(
            lens,
            name=self._id(cell),
            show=cast(tuple[Kind, ...], show),
            opened=cast(Kind, options.open) if options.open else None,
            caption=Caption(snippet.path, run.toolchain, snippet.options.devices),
            options=cell.options.compiler_options,
        )

    def _check(self, cell: Cell, recorded: list[Kind], asked: tuple[str, ...]) -> None:
        for layer in asked:
            if layer not in KINDS:
                raise self.refuse(f"unknown layer {layer!r}", f"Layers are {', '.join(KINDS)}.")
            if layer not in recorded:
                hint = f"It has {', '.join(recorded)}: see `layers` and `platform` in its header."
                raise self.refuse(f"the lens of {cell.name} has no {layer}", hint)

    def _id(self, cell: Cell) -> str:
        """An id for the lens that no other on the page has."""
        taken = self.tracker.setdefault("ids", set())
        name, number = f"lens-{cell.name}", 1
        while name in taken:
            number += 1
            name = f"lens-{cell.name}-{number}"
        taken.add(name)
        return name
