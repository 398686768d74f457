"""The command line of the benchmark: `python -m bench --help`."""

import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from bench import measure, sites
from bench.measure import Sample
from bench.sites import Site

_TRACED, _PLAIN, _PEER = "traced", "plain", "markdown-exec"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--runs", default=3, show_default=True, help="Rounds; medians are over them.")
@click.option("--snippets", default=60, show_default=True, help="Programs, five to a page.")
@click.option("--builds/--no-builds", default=True, help="Time `mkdocs build`.")
@click.option("--serve", default=0, metavar="EDITS", help="Time EDITS of each kind being served.")
@click.option("--count", default="", metavar="N,N,...", help="Time cold builds of N programs.")
@click.option("--memory", is_flag=True, help="Watch the memory of cold builds.")
@click.option("--quiet", default=0.0, metavar="SECONDS", help="Wait for the machine to be idle.")
@click.option("--peer", metavar="PYTHON", help="An interpreter that has markdown-exec and JAX.")
def main(
    runs: int,
    snippets: int,
    builds: bool,
    serve: int,
    count: str,
    memory: bool,
    quiet: float,
    peer: str | None,
) -> None:
    """Time a site with this project beside the same one without.

    A round has one build of each kind, in turn, so that what else the machine does meets all alike;
    a ratio is the median of the rounds' ratios.
    """
    with _sites(snippets, peer is not None) as made:
        if builds:
            _builds(made, runs, quiet, peer)
        if serve:
            _serve(made, serve)
        if memory:
            _memory(made[_TRACED], runs)
    if count:
        _counts([int(number) for number in count.split(",")], runs)


@contextmanager
def _sites(count: int, peer: bool) -> Iterator[dict[str, Site]]:
    """The sites of `count` programs, in a directory that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="traced-bench-") as name:
        directory = Path(name).resolve()
        made = {_TRACED: sites.traced(directory / _TRACED, count)}
        printed = sites.outputs(made[_TRACED])
        made[_PLAIN] = sites.plain(directory / _PLAIN, count, printed)
        if peer:
            made[_PEER] = sites.markdown_exec(directory / _PEER, count)
        yield made


def _builds(made: dict[str, Site], runs: int, quiet: float, peer: str | None) -> None:
    """Time what a build costs after each kind of change."""
    traced, plain = made[_TRACED], made[_PLAIN]

    def edited(site: Site, what: str) -> Sample:
        text = site.edit(what)
        sample = measure.build(site.folder)
        if not any(text in page.read_text() for page in site.pages()):
            raise RuntimeError(f"{site.folder.name}: the build does not show the edit of a {what}")
        return sample

    steps: dict[str, Callable[[], Sample]] = {
        "plain, cold": lambda: _cold(plain),
        "plain, unchanged": lambda: measure.build(plain.folder),
        "cold, all caches empty": lambda: _cold(traced),
        "cold, XLA's cache kept": lambda: _cold(traced, keep_xla=True),
        "unchanged": lambda: measure.build(traced.folder),
        "one sentence edited": lambda: edited(traced, "prose"),
        "one snippet edited": lambda: edited(traced, "snippet"),
    }
    if peer:
        steps["markdown-exec, cold"] = lambda: _cold(made[_PEER], python=peer)
    rows: dict[str, list[Sample]] = {name: [] for name in steps}
    for number in range(runs):
        for name, step in steps.items():
            measure.wait_until_idle(quiet)
            rows[name].append(step())
        click.echo(f"round {number + 1} of {runs} done", err=True)
    _table("mkdocs build", rows)
    for name in list(steps)[2:]:
        base = "plain, cold" if name.startswith("cold") else "plain, unchanged"
        _ratio(rows, name, base)
        if peer and name.startswith("cold"):
            _ratio(rows, name, "markdown-exec, cold")


def _cold(site: Site, *, keep_xla: bool = False, **options: Any) -> Sample:
    """Build with nothing there from earlier builds, but what XLA compiled if that is kept.

    `options` are those of measure.build.
    """
    cache = site.folder / ".cache"
    for folder in (site.folder / "site", cache / "traced" / "runs" if keep_xla else cache):
        shutil.rmtree(folder, ignore_errors=True)
    return measure.build(site.folder, **options)


def _serve(made: dict[str, Site], edits: int) -> None:
    """Time what an edit takes from saved to served."""
    traced, plain = made[_TRACED], made[_PLAIN]
    rows: dict[str, list[Sample]] = {"plain, prose": [], "prose": [], "snippet": []}
    with (
        measure.serve(plain.folder, plain.edited_page) as plain_server,
        measure.serve(traced.folder, traced.edited_page) as traced_server,
    ):
        steps = {
            "plain, prose": (plain, plain_server, "prose"),
            "prose": (traced, traced_server, "prose"),
            "snippet": (traced, traced_server, "snippet"),
        }
        for server in (plain_server, traced_server):
            server.wait_for("Chapter")
        for _ in range(edits):
            for name, (site, server, what) in steps.items():
                measure.rest()
                rows[name].append(Sample(server.wait_for(site.edit(what))))
    _table("mkdocs serve, from saved to served", rows)
    _ratio(rows, "prose", "plain, prose")
    more = _median(rows["snippet"]) - _median(rows["plain, prose"])
    click.echo(f"snippet takes {more:+.2f} s more than plain, prose")


def _memory(site: Site, runs: int) -> None:
    """Watch what the processes of a cold build hold together."""
    peaks = [_cold(site, watch_memory=True).memory for _ in range(runs)]
    click.echo(f"\ncold build, peak memory of all processes: {statistics.median(peaks):.0f} MB")


def _counts(counts: list[int], runs: int) -> None:
    """Time cold builds of more and more snippets."""
    rows: dict[int, list[Sample]] = {number: [] for number in counts}
    with tempfile.TemporaryDirectory(prefix="traced-bench-") as name:
        made = {number: sites.traced(Path(name).resolve() / str(number), number) for number in rows}
        for _ in range(runs):
            for number, site in made.items():
                rows[number].append(_cold(site))
    _table("cold build by number of snippets", {str(n): samples for n, samples in rows.items()})
    for fewer, more in pairwise(counts):
        each = (_median(rows[more]) - _median(rows[fewer])) / (more - fewer)
        click.echo(f"{fewer} to {more}: {each * 1000:.0f} ms for each snippet more")


def _table(title: str, rows: dict[str, list[Sample]]) -> None:
    """Medians, and how far the samples lie apart."""
    click.echo(f"\n{title:36}     wall   (from .. to)        CPU   others")
    for name, samples in rows.items():
        walls = [sample.wall for sample in samples]
        cpu = statistics.median(sample.cpu for sample in samples)
        others = statistics.median(sample.others for sample in samples)
        click.echo(
            f"{name:36} {_median(samples):6.2f} s  ({min(walls):.2f} .. {max(walls):.2f})"
            f"   {cpu:6.2f} s {others:6.2f} s"
        )


def _ratio(rows: dict[str, list[Sample]], name: str, base: str) -> None:
    pairs = zip(rows[name], rows[base], strict=True)
    ratio = statistics.median(one.wall / other.wall for one, other in pairs)
    click.echo(f"{name} / {base}: {ratio:.2f}")


def _median(samples: list[Sample]) -> float:
    return statistics.median(sample.wall for sample in samples)


if __name__ == "__main__":
    main()
