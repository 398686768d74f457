"""Where equations come from: for each, the expressions it was traced from, with their callers."""

from collections.abc import Iterable, Iterator

from traced.worker.equations import Equations
from traced.worker.sources import Sources

#: Of the ways to an equation in a jaxpr that many equations share, so many are kept.
_MOST = 64


class Origins:
    """The distinct origins of `equations`, numbered.

    An origin is a chain of expressions (numbers in `sources`), innermost first: where the equation
    was traced, then the calls that led there. JAX's own record of an equation inside another one
    begins at the function traced for that one; the chain of the other equation continues it.
    """

    def __init__(self, equations: Equations, sources: Sources):
        self._equations = equations
        self._own = [sources.chain(e.source_info.traceback) for e in equations.all]
        self._numbers: dict[tuple[int, ...], int] = {}

    @property
    def all(self) -> list[tuple[int, ...]]:
        """The origins met, in the order of their numbers."""
        return list(self._numbers)

    def inherited(self, number: int) -> bool:
        """Whether an equation has no expression of its own, but that of the equation around it."""
        return not self._own[number] and bool(self._equations.parents(number))

    def of(self, path: tuple[int, ...]) -> list[int]:
        """The origins of the last equation of a path, by way of those before it.

        A path is what equations.read returns. Where it does not say by which of several equations
        that share a jaxpr the way goes, the origins by each of them are meant.
        """
        chains = dict.fromkeys(chain for chain in self._chains(path) if chain)
        return [self._numbers.setdefault(chain, len(self._numbers)) for chain in chains]

    def _chains(self, path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        *before, number = path
        own = self._own[number]
        parents = self._equations.parents(number)
        if not parents:
            yield own
            return
        named = [(*before,)] if before and before[-1] in parents else [(p,) for p in parents]
        count = 0
        for way in named:
            for chain in self._chains(way):
                yield _joined(own, chain)
                count += 1
                if count == _MOST:
                    return


def _joined(own: tuple[int, ...], outer: tuple[int, ...]) -> tuple[int, ...]:
    """`own`, then `outer`; before JAX 0.12 `own` may end with it already."""
    if outer and own[-len(outer) :] == outer:
        return own
    return own + tuple(n for n in outer if n not in own)


def merged(*lists: Iterable[int]) -> list[int]:
    """All numbers in several lists, each once, in order of appearance."""
    return list(dict.fromkeys(number for numbers in lists for number in numbers))
