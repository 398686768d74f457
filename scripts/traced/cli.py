"""`traced`: what authors and CI call."""

import os
import sys
from collections.abc import Iterable
from concurrent.futures import as_completed
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from traced import snippets
from traced.build import Build, begin
from traced.diagnostics import Diagnostic, report
from traced.project import Project
from traced.runner import Outcome, Runner

_NEW = '''"""{title}."""

# %% define
import jax
import jax.numpy as jnp


def double(x):
    return 2 * x


# %% trace
print(jax.make_jaxpr(double)(jnp.ones(3)))
'''


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="traced", message="%(version)s")
def main() -> None:
    """Run, check and start the snippets of a Traced site."""


@main.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("-v", "--verbose", is_flag=True, help="Also say of each snippet what it printed.")
@click.option("-a", "--again", is_flag=True, help="Run what is up to date as well.")
def run(names: tuple[str, ...], verbose: bool, again: bool) -> None:
    """Run the snippets that are stale, and say of each why.

    NAME is a snippet (tracing/attend), a path (snippets/tracing/attend.py) or a chapter (tracing);
    without one, all snippets are meant.
    """
    project = _project()
    chosen = _chosen(project, names)
    runner = Runner(project)
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
    _fail_on([fault for outcome in outcomes for fault in outcome.diagnostics])


@main.command()
@click.option("--fix", is_flag=True, help="Write what the runs say into statements that differ.")
def check(fix: bool) -> None:
    """Run every snippet and convert every page; exit with 1 if anything is wrong.

    A snippet whose stored run is up to date runs again, and must print the same. A number or the
    name of a primitive, op or parameter in a chapter that no statement checks is wrong, too.
    """
    # MkDocs and the lexers take their time to import, and only this command needs them.
    from traced import chaptercheck, pages

    project = _project()
    runner = Runner(project)
    try:
        build = begin(Build(project, runner, again=True))
        if fix:
            click.echo(chaptercheck.write_fixes(build), nl=False)
        pages.convert(build, project.root / "mkdocs.yml")
        faults = build.faults() + chaptercheck.unchecked(build)
    finally:
        runner.close()
    _fail_on(faults)
    click.echo(f"{len(build.names)} snippets and all pages are right")


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
    file.parent.mkdir(parents=True, exist_ok=True)
    title = stem.replace("_", " ").capitalize()
    try:
        with file.open("x", encoding="utf-8") as new_file:
            new_file.write(_NEW.format(title=title))
    except FileExistsError:
        raise click.ClickException(f"{path} exists already") from None
    click.echo(f"{path} is there. Show it in docs/l/{chapter}.md:\n")
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


def _chosen(project: Project, names: Iterable[str]) -> list[str]:
    known = dict(snippets.find(project.root))
    chosen: dict[str, None] = {}
    for given in names:
        name = given.replace(os.sep, "/").removeprefix("snippets/").removesuffix(".py").rstrip("/")
        found = [n for n in known if n == name or n.startswith(f"{name}/")]
        if not found:
            raise click.ClickException(f"no snippet and no chapter is named {given!r}")
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
