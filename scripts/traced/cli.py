"""`traced`: what authors and CI call."""

import difflib
import os
import shutil
import sys
from collections.abc import Iterable
from concurrent.futures import as_completed
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from traced import diffreport, revisions, snippets, workers
from traced.build import Build, begin
from traced.diagnostics import Diagnostic, report
from traced.diff import Side, compare, fresh_runs, stored_runs
from traced.project import Project, toolchain
from traced.runner import Outcome, Runner
from traced.store import Store

_NEW = '''"""{title}."""

# %% define
import jax
import jax.numpy as jnp


def double(x):
    return 2 * x


# %% trace
print(jax.make_jaxpr(double)(jnp.ones(3)))
'''


_PYTHON = click.option(
    "--python",
    metavar="INTERPRETER",
    help="Run the snippets in this interpreter, with its JAX: Python 3.10 and JAX 0.8, or newer.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="traced", message="%(version)s")
def main() -> None:
    """Run, check and start the snippets of a Traced site."""


@main.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("-v", "--verbose", is_flag=True, help="Also say of each snippet what it printed.")
@click.option("-a", "--again", is_flag=True, help="Run what is up to date as well.")
@_PYTHON
def run(names: tuple[str, ...], verbose: bool, again: bool, python: str | None) -> None:
    """Run the snippets that are stale, and say of each why.

    NAME is a snippet (tracing/attend), a path (snippets/tracing/attend.py) or a chapter (tracing);
    without one, all snippets are meant. In another interpreter a snippet may fail: that is told,
    but it is no error, and `traced diff` knows of it.
    """
    project = _project()
    chosen = _chosen(project, names)
    runner = _runner(project, python)
    try:
        outcomes = _run(runner, chosen, again)
    finally:
        runner.close()
    for outcome in outcomes:
        if outcome.why and not outcome.diagnostics:
            click.echo(f"{outcome.name}: ran, because {outcome.why}")
        if verbose:
            _print_output(outcome)
    current = sum(not o.why for o in outcomes if o.run)
    click.echo(f"{sum(bool(o.why) for o in outcomes)} run, {current} up to date")
    failed = [outcome for outcome in outcomes if outcome.diagnostics]
    if python:
        noted = [outcome for outcome in failed if outcome.cells]
        click.echo(f"{len(noted)} fail in {python}")
        for fault in (fault for outcome in noted for fault in outcome.diagnostics):
            click.echo(fault, err=True)
        failed = [outcome for outcome in failed if not outcome.cells]
    _fail_on([fault for outcome in failed for fault in outcome.diagnostics])


@main.command()
@click.option("--fix", is_flag=True, help="Write what the runs say into statements that differ.")
@_PYTHON
def check(fix: bool, python: str | None) -> None:
    """Run every snippet and convert every page; exit with 1 if anything is wrong.

    A snippet whose stored run is up to date runs again, and must print the same. A number or the
    name of a primitive, op or parameter in a chapter that no statement checks is wrong, too.
    With another interpreter, only what is not true of its JAX is told.
    """
    if fix and python:
        raise click.UsageError("--fix writes what this interpreter's JAX does, not --python's")
    # MkDocs and the lexers take their time to import, and only this command needs them.
    from traced import chaptercheck, pages

    project = _project()
    runner = _runner(project, python)
    try:
        build = begin(Build(project, runner, again=True))
        if fix:
            click.echo(chaptercheck.write_fixes(build), nl=False)
        pages.convert(build, project.root / "mkdocs.yml")
        faults = build.faults() + ([] if python else chaptercheck.unchecked(build))
    finally:
        runner.close()
    _fail_on(faults)
    click.echo(f"{len(build.names)} snippets and all pages are right")


@main.command()
@click.argument("old")
@click.argument("new", required=False)
@click.option("--whole", is_flag=True, help="Show every line that changed.")
def diff(old: str, new: str | None, whole: bool) -> None:
    """Compare what the snippets do under two versions of JAX, or at two commits.

    OLD and NEW are versions (0.10.2) that `traced run` has run the snippets with, here or with
    --python; without NEW, it is the one of this interpreter. Written OLD..NEW, they are revisions
    of git, and run with this interpreter if they have not; without NEW, it is HEAD.

    What differs is shown structure first (of a jaxpr: primitives, wiring, avals), then parameters,
    then text, with the blocks that show it and the checked statements that are not true of both.
    """
    project = _project()
    with ExitStack() as stack:
        if ".." in old and new is None:
            before, _, after = old.partition("..")
            try:
                then, now = (
                    stack.enter_context(revisions.committed(project, revision or "HEAD"))
                    for revision in (before, after)
                )
            except revisions.RevisionError as error:
                raise click.ClickException(str(error)) from None
            sides = _at(then, before), _at(now, after or "HEAD")
        else:
            now = project
            sides = _under(project, old), _under(project, new or toolchain().jax)
        click.echo(diffreport.text(*sides, compare(now, *sides), whole=whole), nl=False)


def _at(project: Project, revision: str) -> Side:
    """What the snippets of a commit do."""
    runner = Runner(project)
    try:
        return fresh_runs(revision, _run(runner, _chosen(project, ()), False))
    finally:
        runner.close()


def _under(project: Project, jax: str) -> Side:
    """What the snippets have done under a version of JAX."""
    side = stored_runs(project, jax)
    if not side.ran:
        stored = ", ".join(sorted(Store(project).versions())) or "none"
        raise click.ClickException(
            f"no snippet, as it is now, has run with JAX {jax}: `traced run --python INTERPRETER` "
            f"makes up for it. Versions with stored runs: {stored}"
        )
    return side


@main.command()
@click.argument("name", metavar="CHAPTER/NAME")
def new(name: str) -> None:
    """Start a snippet: snippets/CHAPTER/NAME.py."""
    project = _project()
    chapter, _, stem = name.partition("/")
    if not chapter.replace("-", "_").isidentifier() or not stem.isidentifier():
        raise click.BadParameter("write CHAPTER/NAME, such as tracing/attend", param_hint="NAME")
    path = f"snippets/{chapter}/{stem}.py"
    file = project.root / path
    page = next((p for p in project.docs.rglob(f"{chapter}.md")), project.docs / f"l/{chapter}.md")
    shown = page.relative_to(project.root).as_posix()
    file.parent.mkdir(parents=True, exist_ok=True)
    title = stem.replace("_", " ").capitalize()
    try:
        with file.open("x", encoding="utf-8") as new_file:
            new_file.write(_NEW.format(title=title))
    except FileExistsError:
        raise click.ClickException(f"{path} exists already") from None
    there = "" if page.is_file() else ", a page that is still to be written"
    click.echo(f"{path} is there. Show it in {shown}{there}:\n")
    click.echo(f"/// snippet | {stem}#trace\n    show: output\n///")


@main.command()
@click.argument("target", metavar="FILE.py::FUNCTION|MODULE:FUNCTION")
@click.option("--args", "arguments", default="", help="What it is called with, as in the call.")
@click.option("--platform", default="", help="Lower for tpu, cuda or rocm; no HLO is shown then.")
@click.option("--layers", default="", help="Which of jaxpr, stablehlo and hlo; all by default.")
@click.option("--python", default="", help="Another interpreter to run the function with.")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write.")
@click.option("--open", "show", is_flag=True, help="Open the file in a browser.")
def lens(
    target: str,
    arguments: str,
    platform: str,
    layers: str,
    python: str,
    out: Path | None,
    show: bool,
) -> None:
    """Follow a function of yours through its layers, into one HTML file.

    \b
    traced lens model.py::loss --args "jnp.ones((4, 8)), y=f32[8]" --open

    In --args, f32[4,8] stands for an array of that shape and dtype; jax, jnp, np and the names of
    the function's module can be used.
    """
    from traced import lensfile

    try:
        found = lensfile.record(target, arguments, layers=layers, platform=platform, python=python)
    except lensfile.LensError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
    name = target.replace("::", ":").rpartition(":")[2]
    file = out or Path(f"{name}.lens.html")
    file.write_text(lensfile.page(found), encoding="utf-8")
    click.echo(f"{file} shows {found.call}")
    if show:
        click.launch(file.resolve().as_uri())


def _project() -> Project:
    """The project around the working directory."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").is_file() and (folder / "snippets").is_dir():
            return Project(folder)
    raise click.ClickException("no mkdocs.yml beside a folder snippets/, here or further up")


def _runner(project: Project, python: str | None) -> Runner:
    """A runner in this interpreter, or in another one."""
    if python is None:
        return Runner(project)
    found = shutil.which(python)
    if found is None:
        raise click.BadParameter(f"there is no interpreter {python!r}", param_hint="--python")
    path = os.path.abspath(found)  # and no link followed: an environment's Python is one
    try:
        tools = workers.toolchain_of(project, path)
    except workers.WorkerError as error:
        raise click.ClickException(f"{python} cannot run snippets: {error}") from None
    return Runner(project, lambda: workers.start(project, python=path), tools)


def _chosen(project: Project, names: Iterable[str]) -> list[str]:
    known = dict(snippets.find(project.root))
    chosen: dict[str, None] = {}
    for given in names:
        name = given.replace(os.sep, "/").removeprefix("snippets/").removesuffix(".py").rstrip("/")
        found = [n for n in known if n == name or n.startswith(f"{name}/")]
        if not found:
            stems = [n.partition("/")[2] for n in known]
            near = difflib.get_close_matches(name, [*known, *stems], 1)
            meant = [n for n in known if near and near[0] in (n, n.partition("/")[2])]
            hint = f": did you mean {' or '.join(meant)}?" if meant else ""
            raise click.ClickException(f"no snippet and no chapter is named {given!r}{hint}")
        chosen.update(dict.fromkeys(found))
    return list(chosen or known)


def _run(runner: Runner, names: list[str], again: bool) -> list[Outcome]:
    """Bring snippets up to date behind a progress bar; outcomes are in the order of `names`."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Running snippets", total=len(names))
        futures = runner.start(names, again=again)
        for future in as_completed(futures.values()):
            progress.update(task, advance=1, description=future.result().name)
    return [future.result() for future in futures.values()]


def _print_output(outcome: Outcome) -> None:
    for cell in outcome.cells:
        click.echo(f"--- {outcome.name}#{cell.name}")
        for chunk in cell.output:
            click.echo(chunk.text, nl=not chunk.text.endswith("\n"), err=chunk.stream == "stderr")
        if cell.raised:
            click.echo(f"{cell.raised.type}: {cell.raised.message}", err=True)


def _fail_on(faults: list[Diagnostic]) -> None:
    if faults:
        click.echo(report(faults), err=True)
        sys.exit(1)
