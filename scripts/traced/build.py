"""One build of the site: what its snippets came to, and everything that is wrong with it.

The build in progress is a global of this module, because Python-Markdown makes its extensions
from their names: there is no other way for an extension to find it.
"""

from collections.abc import Container
from concurrent.futures import Future
from pathlib import Path

from traced import chapters, facts, glossary, snippets, symptoms
from traced.diagnostics import Diagnostic, Place
from traced.project import Project
from traced.runner import Outcome, Runner
from traced.runs import Fact


class Build:
    """The outcomes of all snippets, the chapters, the glossary, and the faults found so far.

    `symptoms` are the ids of the headings on the page of symptoms by the errors they are for; None
    where the site has no such page.

    The snippets begin to run when a Build is made; `outcome` waits for one. `page` is the page
    that is being converted, relative to docs, where the site generator has said so; `pages` are all
    that the site has, None where nobody has said that some Markdown files of docs are none.
    """

    def __init__(self, project: Project, runner: Runner, *, again: bool = False):
        self.project = project
        self.page = ""
        self.pages: Container[str] | None = None
        self._faults: list[Diagnostic] = []
        self._shown: dict[str, Place] = {}
        self._paths = dict(snippets.find(project.root))
        self._futures: dict[str, Future[Outcome]] = runner.start(self._paths, again=again)
        self.chapters = chapters.load(project.docs, self._faults)
        self.glossary = glossary.load(project.docs, self.chapters, self._faults)
        self.symptoms = symptoms.load(project.docs)

    @property
    def names(self) -> list[str]:
        """The names of all snippets, sorted."""
        return list(self._futures)

    def show(self, name: str, place: Place) -> Outcome | None:
        """The outcome of a snippet that the page shows at `place`; None where there is none."""
        if name not in self._futures:
            return None
        self._shown.setdefault(name, place)
        return self.outcome(name)

    def outcome(self, name: str) -> Outcome:
        """The outcome of a snippet, once it is there; raises KeyError for an unknown name."""
        return self._futures[name].result()

    def known(self, name: str) -> Outcome | None:
        """The outcome of a snippet, once it is there; None for an unknown name."""
        return self.outcome(name) if name in self._futures else None

    def facts(self, name: str) -> dict[str, Fact]:
        """The facts of a snippet by their names; none where it failed or does not exist."""
        outcome = self.known(name)
        if outcome is None or outcome.run is None or outcome.snippet is None:
            return {}
        return facts.of(outcome.snippet, outcome.run)

    def add(self, fault: Diagnostic) -> None:
        """Report something wrong on a page."""
        self._faults.append(fault)

    def about(self, files: Container[str]) -> list[Diagnostic]:
        """What has been found wrong so far with these files; paths are relative to the root."""
        return [f for f in self._faults if any(place.path in files for place in f.places)]

    def faults(self) -> list[Diagnostic]:
        """Everything wrong, once all pages have been converted and all snippets have run."""
        found = list(self._faults)
        for name, path in self._paths.items():
            outcome, shown = self.outcome(name), self._shown.get(name)
            for fault in outcome.diagnostics:
                also = (shown,) if shown else ()
                found.append(
                    Diagnostic(fault.cause, (*fault.places, *also), fault.hint, fault.detail)
                )
            if shown is None:
                slug, _, stem = name.partition("/")
                hint = f"Show it in docs/l/{slug}.md with `/// snippet | {stem}`, or delete it."
                found.append(Diagnostic("no page shows this snippet", (Place(path),), hint))
        return found


_current: Build | None = None


def begin(build: Build) -> Build:
    """Make `build` the one in progress."""
    global _current
    _current = build
    return build


def current() -> Build:
    """The build in progress; where nothing has begun one, it is of the working directory."""
    if _current is None:
        project = Project(Path.cwd())
        return begin(Build(project, Runner(project)))
    return _current
