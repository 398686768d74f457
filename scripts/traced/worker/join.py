"""Which equations each item of a text was made for.

The text that is shown comes from the program as it is. Beside it stands the text of the same
program with marked equations (see equations.py), which is not shown. Both have the same items.
"""

from collections import defaultdict
from typing import NamedTuple

from traced.worker import equations
from traced.worker.equations import Equations
from traced.worker.items import Item, Parsed
from traced.worker.origins import Origins
from traced.worker.sources import Sources

#: Numbers of equations, one inside the other, the outermost first.
Path = tuple[int, ...]


class Joined(NamedTuple):
    """What is known of an item: the paths of its equations, and whether that is inferred."""

    paths: list[Path]
    inferred: bool = False


def by_marks(shown: Parsed, marked: Parsed) -> list[Joined]:
    """Join the items of `shown` with the equations of their counterparts in `marked`.

    Where the two texts differ, the counterpart is the item with the same first line in the same
    function or computation; where there is none, the equations of all items of the same opcode,
    name and source position are taken, and that is said.
    """
    paths = [equations.read(item.path) for item in marked.items]
    if shown.text == marked.text:
        return [Joined([path] if path else []) for path in paths]
    same: dict[tuple[str, str], list[Path]] = defaultdict(list)
    alike: dict[object, dict[Path, None]] = defaultdict(dict)  # insertion-ordered set
    for item, path in zip(marked.items, paths, strict=True):
        same[item.group, item.text].append(path)
        alike[item.opcode, equations.unmarked(item.path), item.place][path] = None
    joined = []
    for item in shown.items:
        counterparts = same[item.group, item.text]
        if counterparts:
            path = counterparts.pop(0)
            joined.append(Joined([path] if path else []))
        else:
            found = [path for path in alike[item.opcode, item.path, item.place] if path]
            joined.append(Joined(found, bool(found)))
    return joined


def by_positions(
    shown: Parsed, numbered: Equations, origins: Origins, sources: Sources
) -> list[Joined]:
    """Join without marks: with the equations traced at an item's position.

    Those of the primitive that ends the item's name are taken, if there are such.
    """
    traced_at: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    for number in range(len(numbered.all)):
        starts = {sources.expressions[origins.all[o][0]][:3] for o in origins.of((number,))}
        for start in starts:
            traced_at[start].append(number)

    def join(item: Item) -> Joined:
        start = item.place and sources.start(item.place)
        there = traced_at[start] if start else []
        primitive = item.path.rpartition("/")[2]
        own = [n for n in there if numbered.all[n].primitive.name == primitive]
        return Joined([(number,) for number in own or there], bool(there))

    return [join(item) for item in shown.items]
