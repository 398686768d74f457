"""The command line of the benchmark; bench/README.md says what it is for."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import click

from bench import measure, sites
from bench.measure import Sample
from bench.sites import Site

_TRACED, _PLAIN, _PEER = "traced", "plain", "markdown-exec"

type _Rows = dict[str, list[Sample]]
type _Steps = dict[str, Callable[[], Sample]]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--runs", default=3, show_default=True, help="Rounds; medians are over them.")
@click.option("--snippets", default=60, show_default=True, help="Programs, five to a page.")
@click.option("--builds/--no-builds", default=True, help="Time `mkdocs build`.")
@click.option("--serve", default=0, metavar="EDITS", help="Time EDITS of each kind being served.")
@click.option("--count", default="", metavar="N,N,...", help="Time cold builds of N programs.")
@click.option("--memory", is_flag=True, help="Watch the memory of cold builds.")
@click.option("--peer", metavar="PYTHON", help="An interpreter that has markdown-exec and JAX.")
@click.option(
    "--quiet", default=0.0, metavar="SECONDS", help="Wait so long for others to leave the CPU idle."
)
def main(
    runs: int,
    snippets: int,
    builds: bool,
    serve: int,
    count: str,
    memory: bool,
    peer: str | None,
    quiet: float,
) -> None:
    """Time a site with this project beside the same one without.

    A round has one build of each kind, in turn, so that what else the machine does meets all alike;
    a ratio is the median of the rounds' ratios.
    """
    bench = _Bench(runs, quiet)
    with _sites(snippets, peer is not None) as made:
        if builds:
            bench.builds(made, peer)
        if serve:
            bench.serve(made, serve)
        if memory:
            bench.memory(made[_TRACED])
    if count:
        bench.counts([int(number) for number in count.split(",")])


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


class _Bench:
    """Measures and reports; `runs` rounds, each build after `quiet` seconds of waiting at most."""

    def __init__(self, runs: int, quiet: float):
        self._runs = runs
        self._quiet = quiet

    def builds(self, made: dict[str, Site], peer: str | None) -> None:
        """What a build takes after each kind of change."""
        traced, plain = made[_TRACED], made[_PLAIN]
        steps: _Steps = {"plain, cold": partial(_cold, plain)}
        if peer:
            steps["markdown-exec, cold"] = partial(_cold, made[_PEER], python=peer)
        steps |= {
            "cold, all caches empty": partial(_cold, traced),
            "cold, XLA's cache kept": partial(_cold, traced, keep_xla=True),
            "plain, unchanged": partial(measure.build, plain.folder),
            "unchanged": partial(measure.build, traced.folder),
            "one sentence edited": partial(_edited, traced, "prose"),
            "one snippet edited": partial(_edited, traced, "snippet"),
        }
        rows = self._rounds(steps)
        _table("mkdocs build", rows)
        for base in ("plain, cold", "markdown-exec, cold") if peer else ("plain, cold",):
            _ratio(rows, "cold, all caches empty", base)
            _ratio(rows, "cold, XLA's cache kept", base)
        for name in ("unchanged", "one sentence edited", "one snippet edited"):
            _ratio(rows, name, "plain, unchanged")

    def serve(self, made: dict[str, Site], edits: int) -> None:
        """What an edit takes from saved to served, while both sites are being served."""
        traced, plain = made[_TRACED], made[_PLAIN]
        rows: _Rows = {"plain, prose": [], "prose": [], "snippet": []}
        with (
            measure.serve(plain.folder, plain.edited_page) as plain_server,
            measure.serve(traced.folder, traced.edited_page) as traced_server,
        ):
            steps = [
                ("plain, prose", plain, plain_server),
                ("prose", traced, traced_server),
                ("snippet", traced, traced_server),
            ]
            for server in (plain_server, traced_server):
                server.wait_for("Chapter")
            for _ in range(edits):
                for name, site, server in steps:
                    measure.rest()
                    measure.wait_until_idle(self._quiet)
                    text = site.edit(name.split()[-1])
                    rows[name].append(Sample(server.wait_for(text)))
        _table("mkdocs serve, from saved to served", rows)
        _ratio(rows, "prose", "plain, prose")
        more = _median(rows["snippet"]) - _median(rows["plain, prose"])
        click.echo(f"snippet takes {more:+.2f} s more than plain, prose")

    def memory(self, site: Site) -> None:
        """What the processes of a cold build hold together."""
        peaks = [_cold(site, watch_memory=True).memory for _ in range(self._runs)]
        click.echo(f"\ncold build, peak memory of all its processes: {median(peaks):.0f} MB")

    def counts(self, counts: list[int]) -> None:
        """What each snippet more costs a cold build."""
        with tempfile.TemporaryDirectory(prefix="traced-bench-") as name:
            folder = Path(name).resolve()
            made = [sites.traced(folder / str(count), count) for count in counts]
            steps: _Steps = {site.folder.name: partial(_cold, site) for site in made}
            rows = self._rounds(steps)
        _table("cold build by number of snippets", rows)
        for fewer, more in pairwise(counts):
            wall, cpu = (
                (of(rows[str(more)]) - of(rows[str(fewer)])) * 1000 / (more - fewer)
                for of in (_median, _median_cpu)
            )
            click.echo(f"{fewer} to {more}: each more takes {wall:.0f} ms, {cpu:.0f} ms of CPU")

    def _rounds(self, steps: _Steps) -> _Rows:
        rows: _Rows = {name: [] for name in steps}
        for number in range(self._runs):
            for name, step in steps.items():
                measure.wait_until_idle(self._quiet)
                rows[name].append(step())
            click.echo(f"round {number + 1} of {self._runs} done", err=True)
        return rows


def _cold(site: Site, *, keep_xla: bool = False, **options: Any) -> Sample:
    """Build with nothing there from earlier builds, but what XLA compiled if that is kept.

    `options` are those of measure.build.
    """
    cache = site.folder / ".cache"
    gone = [site.folder / "site", cache]
    if keep_xla:
        gone[1:] = [entry for entry in (cache / "traced").iterdir() if entry.name != "xla"]
    for folder in gone:
        shutil.rmtree(folder, ignore_errors=True)
    return measure.build(site.folder, **options)


def _edited(site: Site, what: str) -> Sample:
    """Build after an edit. Raises RuntimeError where the built site does not show it."""
    text = site.edit(what)
    sample = measure.build(site.folder)
    if not any(text in page.read_text() for page in site.pages()):
        raise RuntimeError(f"{site.folder.name}: the build does not show the edit: {text}")
    return sample


def _table(title: str, rows: _Rows) -> None:
    """Medians, and how far the samples lie apart."""
    click.echo(f"\n{title:36}    wall  (from .. to)       CPU   others' CPU")
    for name, samples in rows.items():
        walls = [sample.wall for sample in samples]
        line = f"{name:36} {median(walls):6.2f}s ({min(walls):5.2f} .. {max(walls):5.2f})"
        if samples[0].cpu:
            others = median(sample.others for sample in samples)
            line += f" {_median_cpu(samples):6.2f}s {others:6.2f}s"
        click.echo(line)
    click.echo()


def _ratio(rows: _Rows, name: str, base: str) -> None:
    pairs = zip(rows[name], rows[base], strict=True)
    click.echo(f"{name} / {base}: {median(one.wall / other.wall for one, other in pairs):.2f}")


def _median(samples: list[Sample]) -> float:
    return median(sample.wall for sample in samples)


def _median_cpu(samples: list[Sample]) -> float:
    return median(sample.cpu for sample in samples)


if __name__ == "__main__":
    main()
