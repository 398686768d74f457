"""How many jobs run at once, and that a worker may be there before its first."""

import os
from pathlib import Path

from traced import workers
from traced.mkdocs import TracedPlugin
from traced.project import Project
from traced.runner import Runner

from .conftest import Site
from .outcomes import said

CORES = os.cpu_count() or 1

# Stays until as many as there are cores have been there, and then a while for one too many to come.
MEETS = f"""\
# %% a
import pathlib, time
place = pathlib.Path(__file__).parent
began = time.monotonic()
place.joinpath(pathlib.Path(__file__).stem).touch()
while len([file for file in place.iterdir() if not file.suffix]) < {CORES}:
    time.sleep(0.01)
time.sleep(0.1)
print(began, time.monotonic())
"""


def test_as_many_jobs_run_at_once_as_there_are_cores(site: Site, worker: workers.Worker) -> None:
    names = [f"c/s{number}" for number in range(2 * CORES)]
    root = site({f"snippets/{name}.py": MEETS for name in names})
    outcomes = Runner(Project(root), lambda: worker).start(names).values()
    spans = [tuple(map(float, said(outcome.result()).split())) for outcome in outcomes]
    together = [sum(began <= start < ended for began, ended in spans) for start, _ in spans]
    assert max(together) == CORES


def test_the_worker_is_there_before_the_first_edit(tmp_path: Path, worker: workers.Worker) -> None:
    started = []
    plugin = TracedPlugin()
    plugin._runner = Runner(Project(tmp_path), lambda: started.append(worker) or worker)
    plugin.on_serve(None, config=None, builder=print)
    assert started == [worker]
